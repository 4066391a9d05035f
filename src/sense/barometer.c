// SPDX-License-Identifier: BSD-3-Clause
//
// Barometer in the standard atmosphere (ISO 2533:1975). With the geopotential altitude
// H = r h/(r + h), r = 6356766 m, and the pressure p0 at sea level,
//   p = p0 (T/T0)^(-g/(R L)), T = T0 + L H, L = -6.5 K/km, up to H1 = 11 km,
//   p = p1 exp(-g (H - H1)/(R T1)) above.
// Temperatures are those of the standard; the weather moves p0 only.
#include "rut/sensor.h"
#include "sense/noise.h"

static const double EARTH_RADIUS = 6356766;          // of ISO 2533 [m]
static const double SEA_LEVEL_TEMPERATURE = 288.15;  // [K]
static const double LAPSE_RATE = -6.5e-3;            // [K/m]
static const double STANDARD_GRAVITY = 9.80665;      // [m/s2]
static const double GAS_CONSTANT = 287.05287;        // of air [J/(kg K)]
static const double TROPOPAUSE = 11000;              // geopotential [m]

#define FIELDS(REAL)                                                                         \
  REAL(sea_level_pressure, "Pa", 101325, 1e4, 2e5, "at an altitude of 0")                    \
  REAL(bias, "Pa", 0, -1e5, 1e5, "fixed error")                                              \
  REAL(pressure_noise, "Pa", 1, 0, 1e5, "standard deviation of each sample")                 \
  REAL(drift, "Pa", 20, 0, 1e5, "standard deviation of a slow error (Gauss-Markov process)") \
  REAL(drift_time, "s", 3600, 1e-3, 1e9, "correlation time of that error")                   \
  REAL(resolution, "Pa", 0, 0, 1e5, "step of the values, 0: none")

typedef struct BarometerParam {
  RUT_SENSOR_ROWS(RUT_PARAM, RUT_PARAM)
  FIELDS(RUT_PARAM)
} BarometerParam;

static const rutField fields[] = {RUT_SENSOR_ROWS(RUT_ROW, RUT_CHOICE_ROW) FIELDS(RUT_ROW)};

static const rutVariable outputs[] = {
    {.name = "pressure", .unit = "Pa", .doc = "measured static pressure"},
    {.name = "altitude",
     .unit = "m",
     .doc = "pressure altitude: where the standard atmosphere (101325 Pa at 0 m) has it"}};

typedef struct BarometerState {
  double time, drift;
} BarometerState;
static const rutVariable states[] = {RUT_VARIABLE(sample_time, "s", "time of the last sample")
                                         RUT_VARIABLE(drift, "Pa", "slow error")};

static double exponent(void) { return -STANDARD_GRAVITY / (GAS_CONSTANT * LAPSE_RATE); }

// Pressure over that at sea level, at a geopotential altitude.
static double pressure_ratio(double height) {
  const double low = rut_min(height, TROPOPAUSE);
  const double temperature = SEA_LEVEL_TEMPERATURE + LAPSE_RATE * low;
  const double above = STANDARD_GRAVITY * (height - low) / (GAS_CONSTANT * temperature);
  return rut_pow(temperature / SEA_LEVEL_TEMPERATURE, exponent()) * rut_exp(-above);
}

// Geopotential altitude of such a ratio.
static double height_of(double ratio) {
  const double edge = pressure_ratio(TROPOPAUSE);
  const double low = rut_max(ratio, edge);
  const double temperature = SEA_LEVEL_TEMPERATURE * rut_pow(low, 1 / exponent());
  const double above = GAS_CONSTANT * temperature / STANDARD_GRAVITY * rut_log(low / ratio);
  return (temperature - SEA_LEVEL_TEMPERATURE) / LAPSE_RATE + above;
}

static void start(const void* param, const rutSensorIn* in, double* state) {
  const BarometerParam* p = param;
  BarometerState* s = (BarometerState*)(void*)state;
  double normal;
  in->normals(in->host, 0, 1, &normal);
  *s = (BarometerState){0, p->drift * normal};
}

static void sample(const void* param, const rutSensorIn* in, double* state, void* scratch,
                   void* const* out) {
  const BarometerParam* p = param;
  BarometerState* s = (BarometerState*)(void*)state;
  (void)scratch;
  double normal[2];
  in->normals(in->host, 0, 2, normal);
  s->drift = rut_gauss_markov(s->drift, p->drift, p->drift_time, in->time - s->time, normal[1]);
  s->time = in->time;
  const double ground = in->site.altitude == in->site.altitude ? in->site.altitude : 0;
  const double height = ground + in->pose[2];
  const double geopotential = EARTH_RADIUS * height / (EARTH_RADIUS + height);
  const double truth = p->sea_level_pressure * pressure_ratio(geopotential);
  const double error = p->bias + s->drift + p->pressure_noise * normal[0];
  const double pressure =
      in->exact ? truth : rut_converted(truth + error, RUT_INFINITY, p->resolution);
  const double told = height_of(rut_max(pressure, 1) / 101325);
  *(double*)out[0] = pressure;
  *(double*)out[1] = EARTH_RADIUS * told / (EARTH_RADIUS - told);
}

extern const rutSensorType rut_sensor_barometer;
const rutSensorType rut_sensor_barometer = {
    .base = {RUT_HEAD(rutSensorType, "sensor", "barometer", "vehicle world",
                      "Barometer in the standard atmosphere (ISO 2533) at the world's altitude, "
                      "with noise, a slow drift and resolution.",
                      fields),
             .state = states, .states = RUT_COUNT_OF(states)},
    .output = outputs,
    .outputs = RUT_COUNT_OF(outputs),
    .uses = RUT_USES_SITE,
    .form = RUT_FORM_FLUID_PRESSURE,
    .start = start,
    .sample = sample,
};
