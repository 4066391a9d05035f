// SPDX-License-Identifier: BSD-3-Clause
//
// Battery gauge. The drive and what else is on board draw a power P at the terminals of a source
// V_0 with the internal resistance R:
//   I = (V_0 - sqrt(V_0^2 - 4 R P))/(2 R) = 2 P/(V_0 + sqrt(V_0^2 - 4 R P)),  V = V_0 - R I.
// V_0 falls linearly with the state of charge. The charge is the integral of the current from
// sample to sample, by the trapezoidal rule, so that the period should be short against the
// changes of the load.
#include "rut/sensor.h"
#include "sense/noise.h"

#define FIELDS(REAL, CHOICE)                                                                \
  RUT_SENSOR_ROWS(REAL, CHOICE)                                                             \
  REAL(full_voltage, "V", 36, 1e-3, 1e6, "open-circuit voltage of the full battery")        \
  REAL(empty_voltage, "V", 36, 1e-3, 1e6, "of the empty one; between them it is linear")    \
  REAL(resistance, "ohm", 0, 0, 1e6, "internal resistance")                                 \
  REAL(capacity, "A s", 72000, 1e-3, 1e12, "charge of the full battery, '20 A h'")          \
  REAL(initial_charge, "", 1, 0, 1, "state of charge at the start")                         \
  REAL(standing_power, "W", 0, 0, 1e9, "drawn by what is not the drive: computers, lights") \
  REAL(voltage_noise, "V", 0, 0, 1e6, "standard deviation")                                 \
  REAL(voltage_resolution, "V", 0, 0, 1e6, "step of the voltage, 0: none")                  \
  REAL(current_noise, "A", 0, 0, 1e6, "standard deviation")                                 \
  REAL(current_resolution, "A", 0, 0, 1e6, "step of the current, 0: none")                  \
  REAL(current_bias, "A", 0, -1e6, 1e6, "offset of the current, which the gauge integrates too")

typedef struct BatteryParam {
  FIELDS(RUT_PARAM, RUT_PARAM)
} BatteryParam;

static const rutField fields[] = {FIELDS(RUT_ROW, RUT_CHOICE_ROW)};

enum { VOLTAGE, CURRENT, CHARGE };
static const rutVariable outputs[] = {
    [VOLTAGE] = {.name = "voltage", .unit = "V", .doc = "at the terminals"},
    [CURRENT] = {.name = "current", .unit = "A", .doc = "drawn, negative while it charges"},
    [CHARGE] = {.name = "state_of_charge",
                .unit = "",
                .doc = "charge left, by the measured current, over the capacity"}};

typedef struct BatteryState {
  double last_time, last_current, last_measured;
  double charge, measured_charge;  // left, and as the gauge counts [A s]
} BatteryState;
static const rutVariable states[] = {
    {.name = "last_time", .unit = "s", .doc = "of the last sample"},
    {.name = "last_current", .unit = "A", .doc = "at that time"},
    {.name = "last_measured", .unit = "A", .doc = "as it was measured"},
    {.name = "charge", .unit = "A s", .doc = "left"},
    {.name = "measured_charge", .unit = "A s", .doc = "as the gauge counts"}};

static double current_of(const BatteryParam* p, double open, double power) {
  const double square = open * open - 4 * p->resistance * power;
  return 2 * power / (open + rut_sqrt(rut_max(square, 0)));
}

static double open_voltage(const BatteryParam* p, double charge) {
  const double share = rut_clamp(charge / p->capacity, 0, 1);
  return p->empty_voltage + share * (p->full_voltage - p->empty_voltage);
}

static double power_of(const BatteryParam* p, const rutSensorIn* in) {
  return p->standing_power + (in->power == in->power ? in->power : 0);
}

static void start(const void* param, const rutSensorIn* in, double* state) {
  const BatteryParam* p = param;
  BatteryState* s = (BatteryState*)(void*)state;
  const double charge = p->initial_charge * p->capacity;
  s->charge = s->measured_charge = charge;
  s->last_current = current_of(p, open_voltage(p, charge), power_of(p, in));
  s->last_measured = s->last_current + (in->exact ? 0 : p->current_bias);
}

static void sample(const void* param, const rutSensorIn* in, double* state, void* scratch,
                   void* const* out) {
  const BatteryParam* p = param;
  BatteryState* s = (BatteryState*)(void*)state;
  const double open = open_voltage(p, s->charge);
  const double current = current_of(p, open, power_of(p, in));
  const double dt = in->time - s->last_time;
  double normal[2], measured = current, voltage = open - p->resistance * current;
  (void)scratch;
  in->normals(in->host, 0, 2, normal);
  if (!in->exact) {
    measured = rut_converted(current + p->current_bias + p->current_noise * normal[0], 1e9,
                             p->current_resolution);
    voltage = rut_converted(voltage + p->voltage_noise * normal[1], 1e9, p->voltage_resolution);
  }
  s->charge = rut_clamp(s->charge - 0.5 * dt * (current + s->last_current), 0, p->capacity);
  s->measured_charge =
      rut_clamp(s->measured_charge - 0.5 * dt * (measured + s->last_measured), 0, p->capacity);
  s->last_time = in->time;
  s->last_current = current;
  s->last_measured = measured;
  *(double*)out[VOLTAGE] = voltage;
  *(double*)out[CURRENT] = measured;
  *(double*)out[CHARGE] = s->measured_charge / p->capacity;
}

extern const rutSensorType rut_sensor_battery;
const rutSensorType rut_sensor_battery = {
    .base = {RUT_HEAD(rutSensorType, "sensor", "battery", "vehicle",
                      "Battery gauge: voltage, current and state of charge from the power that the "
                      "drive draws.",
                      fields),
             .state = states, .states = RUT_COUNT_OF(states)},
    .output = outputs,
    .outputs = RUT_COUNT_OF(outputs),
    .form = RUT_FORM_BATTERY,
    .uses = RUT_USES_POWER,
    .start = start,
    .sample = sample,
};
