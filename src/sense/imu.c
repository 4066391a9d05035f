// SPDX-License-Identifier: BSD-3-Clause
//
// Inertial measurement unit: three gyroscopes and three accelerometers at one place.
//
// The accelerometers measure specific force, f = R^T (a - g), so that one at rest measures g
// upwards; the gyroscopes measure the angular velocity, both along the sensor's axes. With w and a
// measured in the place where the unit is mounted, f has the terms alpha x r + w x (w x r) of its
// distance r from the centre of mass. Each axis then has errors (Woodman, "An introduction to
// inertial navigation", UCAM-CL-TR-696, 2007, section 3; IEEE Std 952-1997, 1293-2018):
//   m = (1 + s dT) M u + b + b0 + c dT + n
// M scale factors and misalignments, s and c temperature coefficients over dT from 25 degrees
// Celsius, b a fixed bias, b0 one drawn at each start, n the Allan model of sense/noise.h. The
// output is m, saturated and then quantised.
#include <string.h>

#include "math/quat.h"
#include "rut/sensor.h"
#include "sense/noise.h"

#define REFERENCE_TEMPERATURE 298.15  // [K]

// Fields of three axes, with names that begin with p.
#define TRIAD(REAL, LIST, p, unit, n, b, k, start, limit, most)                                   \
  REAL(p##noise_density, unit "/sqrt(Hz)", n, 0, most, "white noise N: Allan deviation at 1 s")   \
  REAL(p##bias_instability, unit, b, 0, most,                                                     \
       "flicker noise B: the Allan deviation has a floor of 0.664 B")                             \
  REAL(p##random_walk, unit "/sqrt(s)", k, 0, most,                                               \
       "random walk K of the bias: Allan deviation at 3 s")                                       \
  REAL(p##turn_on_bias, unit, start, 0, most,                                                     \
       "standard deviation of the bias that is drawn at the start of a run")                      \
  LIST(p##bias, unit, 3, most, "0 0 0", "fixed bias x y z")                                       \
  LIST(p##matrix, "", 9, 10, "1 0 0 0 1 0 0 0 1",                                                 \
       "scale factors and misalignments: measured from true axes, row by row")                    \
  REAL(p##temperature_bias, unit "/K", 0, -(most), most, "bias per kelvin above 298.15 K")        \
  REAL(p##temperature_scale, "1/K", 0, -1, 1, "relative change of the scale per kelvin above it") \
  REAL(p##range, unit, limit, 0, 1e9, "largest value of an axis; beyond it saturates")            \
  REAL(p##resolution, unit, 0, 0, most, "step of the values, 0: none")

// Without a preset: numbers of an industrial unit (Xsens MTi-630).
#define GYRO(REAL, LIST, p) TRIAD(REAL, LIST, p, "rad/s", 1.2e-4, 3.88e-5, 1e-6, 3.5e-3, 34.9, 1e3)
#define ACCELEROMETER(REAL, LIST, p) \
  TRIAD(REAL, LIST, p, "m/s2", 5.9e-4, 1.2e-4, 5e-5, 0.049, 98.1, 1e4)
#define OTHERS(REAL, FLAG)                                              \
  REAL(temperature, "K", REFERENCE_TEMPERATURE, 0, 1000, "of the unit") \
  FLAG(measure_orientation, 0, "also tells its orientation")            \
  REAL(orientation_noise, "rad", 0.005, 0, 1, "standard deviation of it about each axis")

#define LIST_PARAM(name, unit, count, most, def, doc) double name;
#define LIST_ROW(name, unit, count, most, def, doc) \
  {#name, unit, RUT_VECTOR, count, 0, -(most), most, def, 0, doc},

typedef struct TriadParam {
  GYRO(RUT_PARAM, LIST_PARAM, )
} TriadParam;
typedef struct ImuParam {
  RUT_SENSOR_ROWS(RUT_PARAM, RUT_PARAM)
  TriadParam gyro, accelerometer;
  OTHERS(RUT_PARAM, RUT_PARAM)
} ImuParam;

static const rutField fields[] = {
    RUT_SENSOR_ROWS(RUT_ROW, RUT_CHOICE_ROW) GYRO(RUT_ROW, LIST_ROW, gyro_)
        ACCELEROMETER(RUT_ROW, LIST_ROW, accelerometer_) OTHERS(RUT_ROW, RUT_FLAG_ROW)};

// Grades rather than products; data sheets of such units agree within a factor of two.
static const rutPresetValue tactical[] = {{"gyro_noise_density", "0.06 deg/sqrt(h)"},
                                          {"gyro_bias_instability", "0.45 deg/h"},
                                          {"gyro_random_walk", "1.7e-7 rad/s/sqrt(s)"},
                                          {"gyro_turn_on_bias", "20 deg/h"},
                                          {"gyro_range", "450 deg/s"},
                                          {"accelerometer_noise_density", "0.06 m/s/sqrt(h)"},
                                          {"accelerometer_bias_instability", "75 ug"},
                                          {"accelerometer_random_walk", "1.6e-5 m/s2/sqrt(s)"},
                                          {"accelerometer_turn_on_bias", "1.5 mg"},
                                          {"accelerometer_range", "10 g"}};
static const rutPresetValue industrial[] = {{"gyro_noise_density", "0.007 deg/s/sqrt(Hz)"},
                                            {"gyro_bias_instability", "8 deg/h"},
                                            {"gyro_random_walk", "1e-6 rad/s/sqrt(s)"},
                                            {"gyro_turn_on_bias", "0.2 deg/s"},
                                            {"gyro_range", "2000 deg/s"},
                                            {"accelerometer_noise_density", "60 ug/sqrt(Hz)"},
                                            {"accelerometer_bias_instability", "1.2e-4 m/s2"},
                                            {"accelerometer_random_walk", "5e-5 m/s2/sqrt(s)"},
                                            {"accelerometer_turn_on_bias", "5 mg"},
                                            {"accelerometer_range", "10 g"}};
static const rutPresetValue consumer[] = {{"gyro_noise_density", "0.0135 deg/s/sqrt(Hz)"},
                                          {"gyro_bias_instability", "25 deg/h"},
                                          {"gyro_random_walk", "2e-5 rad/s/sqrt(s)"},
                                          {"gyro_turn_on_bias", "0.5 deg/s"},
                                          {"gyro_range", "1000 deg/s"},
                                          {"gyro_resolution", "0.04 deg/s"},
                                          {"accelerometer_noise_density", "0.23 mg/sqrt(Hz)"},
                                          {"accelerometer_bias_instability", "4e-4 m/s2"},
                                          {"accelerometer_random_walk", "3e-4 m/s2/sqrt(s)"},
                                          {"accelerometer_turn_on_bias", "20 mg"},
                                          {"accelerometer_range", "18 g"},
                                          {"accelerometer_resolution", "0.833 mg"}};
// Its reader sets the noise densities, which depend on the period.
static const rutPresetValue mvsim[] = {{"gyro_bias_instability", "0"},
                                       {"gyro_random_walk", "0"},
                                       {"gyro_turn_on_bias", "0"},
                                       {"gyro_range", "1e9"},
                                       {"accelerometer_bias_instability", "0"},
                                       {"accelerometer_random_walk", "0"},
                                       {"accelerometer_turn_on_bias", "0"},
                                       {"accelerometer_range", "1e9"}};
static const rutPreset presets[] = {
    RUT_PRESET("tactical", "tactical grade, as MEMS units of NovAtel's receivers", tactical),
    RUT_PRESET("industrial", "industrial grade, as Xsens MTi-630", industrial),
    RUT_PRESET("consumer", "consumer grade, as Analog Devices ADIS16448", consumer),
    RUT_PRESET("mvsim", "only white noise, as MVSim's imu by default", mvsim)};

enum { GYRO_RATE, SPECIFIC_FORCE, ORIENTATION };
static const rutVariable outputs[] = {
    [GYRO_RATE] = {.name = "angular_velocity",
                   .unit = "rad/s",
                   .shape = "3",
                   .frame = "sensor",
                   .doc = "measured by the gyroscopes"},
    [SPECIFIC_FORCE] = {.name = "specific_force",
                        .unit = "m/s2",
                        .shape = "3",
                        .frame = "sensor",
                        .doc = "measured by the accelerometers: g upwards at rest"},
    [ORIENTATION] = {.name = "orientation",
                     .unit = "",
                     .shape = "measure_orientation 4",
                     .frame = "world",
                     .doc = "quaternion w x y z from the sensor's axes to the world's; absent "
                            "unless measure_orientation"},
};

typedef struct TriadState {
  double bias[3];
  rutAllanState axis[3];
} TriadState;
typedef struct ImuState {
  double time;
  TriadState gyro, accelerometer;
} ImuState;

#define ALLAN_SHAPE "3 6"  // random walk and flicker processes of each axis
static const rutVariable states[] = {
    {.name = "sample_time", .unit = "s", .doc = "time of the last sample"},
    {.name = "gyro_bias",
     .unit = "rad/s",
     .shape = "3",
     .frame = "sensor",
     .doc = "bias drawn at the start"},
    {.name = "gyro_drift",
     .unit = "rad/s",
     .shape = ALLAN_SHAPE,
     .doc = "random walk, then flicker processes of 1 to 10^4 s, by axis"},
    {.name = "accelerometer_bias",
     .unit = "m/s2",
     .shape = "3",
     .frame = "sensor",
     .doc = "bias drawn at the start"},
    {.name = "accelerometer_drift",
     .unit = "m/s2",
     .shape = ALLAN_SHAPE,
     .doc = "random walk, then flicker processes of 1 to 10^4 s, by axis"},
};
_Static_assert(sizeof(ImuState) == (1 + 2 * (3 + 3 * 6)) * sizeof(double), "rows of the state");

// Normal numbers: of a triad's start and step, and where those of the second triad begin.
enum {
  START_NORMALS = 3 * (1 + RUT_FLICKER_STAGES),
  STEP_NORMALS = 3 * RUT_ALLAN_NORMALS,
  ORIENTATION_NORMALS = 2 * STEP_NORMALS
};

static rutAllanParam allan_of(const TriadParam* p) {
  return (rutAllanParam){p->noise_density, p->bias_instability, p->random_walk};
}

static void start_triad(const TriadParam* p, const rutSensorIn* in, uint32_t first,
                        TriadState* state) {
  const rutAllanParam allan = allan_of(p);
  double normal[START_NORMALS];
  in->normals(in->host, first, START_NORMALS, normal);
  for (int i = 0; i < 3; i++) {
    state->bias[i] = p->turn_on_bias * normal[i];
    rut_allan_start(&allan, normal + 3 + RUT_FLICKER_STAGES * i, &state->axis[i]);
  }
}

static void start(const void* param, const rutSensorIn* in, double* state) {
  const ImuParam* p = param;
  ImuState* s = (ImuState*)(void*)state;
  s->time = 0;
  start_triad(&p->gyro, in, 0, &s->gyro);
  start_triad(&p->accelerometer, in, START_NORMALS, &s->accelerometer);
}

// Three axes at a sample, a time after their last one [s].
typedef struct Triad {
  const ImuParam* unit;
  const TriadParam* param;
  double time;
  bool exact;
  TriadState* state;
} Triad;

// What they make of a true vector.
static void measure(const Triad* t, const double truth[3], const double normal[STEP_NORMALS],
                    double out[3]) {
  const TriadParam* p = t->param;
  int n;
  const double warmer = t->unit->temperature - REFERENCE_TEMPERATURE;
  const double* matrix = rut_param_list(t->unit, p->matrix, &n);
  const double* bias = rut_param_list(t->unit, p->bias, &n);
  const rutAllanParam allan = allan_of(p);
  for (int i = 0; i < 3; i++) {
    const double* row = matrix + 3 * i;
    const double scaled = (1 + p->temperature_scale * warmer) *
                          (row[0] * truth[0] + row[1] * truth[1] + row[2] * truth[2]);
    const double drift =
        rut_allan_step(&allan, t->time, normal + RUT_ALLAN_NORMALS * i, &t->state->axis[i]);
    const double offset = bias[i] + t->state->bias[i] + p->temperature_bias * warmer;
    out[i] = t->exact ? rut_converted(truth[i], p->range, 0)
                      : rut_converted(scaled + offset + drift, p->range, p->resolution);
  }
}

static void measure_orientation(const ImuParam* p, const rutSensorIn* in, double out[4]) {
  double turn[3];
  const double* q = in->motion.attitude;
  in->normals(in->host, ORIENTATION_NORMALS, 3, turn);
  const rutQuat error = rut_quat_exp(rut_vec3_scale(rut_vec3_of(turn), p->orientation_noise));
  const rutQuat told = rut_quat_mul(rut_quat(q[0], q[1], q[2], q[3]), error);
  const double parts[4] = {told.w, told.x, told.y, told.z};
  memcpy(out, parts, sizeof parts);
}

static void sample(const void* param, const rutSensorIn* in, double* state, void* scratch,
                   void* const* out) {
  const ImuParam* p = param;
  ImuState* s = (ImuState*)(void*)state;
  (void)scratch;
  double normal[2 * STEP_NORMALS];
  in->normals(in->host, 0, 2 * STEP_NORMALS, normal);
  const double time = in->time > s->time ? in->time - s->time : p->period;
  s->time = in->time;
  const Triad gyro = {p, &p->gyro, time, in->exact, &s->gyro};
  const Triad accelerometer = {p, &p->accelerometer, time, in->exact, &s->accelerometer};
  measure(&gyro, in->motion.angular_velocity, normal, out[GYRO_RATE]);
  measure(&accelerometer, in->motion.proper_acceleration, normal + STEP_NORMALS,
          out[SPECIFIC_FORCE]);
  if (p->measure_orientation != 0) measure_orientation(p, in, out[ORIENTATION]);
}

extern const rutSensorType rut_sensor_imu;
const rutSensorType rut_sensor_imu = {
    .base = {RUT_HEAD(rutSensorType, "sensor", "imu", "vehicle world",
                      "Inertial measurement unit: specific force and angular velocity along its "
                      "axes, with white noise, bias instability and random walk (Allan model of "
                      "IEEE Std 952), turn-on bias, scale and misalignment, temperature, range and "
                      "resolution; the defaults are those of an industrial unit.",
                      fields),
             .state = states, .states = RUT_COUNT_OF(states), RUT_PRESETS(presets)},
    .output = outputs,
    .outputs = RUT_COUNT_OF(outputs),
    .uses = RUT_USES_MOTION,
    .form = RUT_FORM_IMU,
    .start = start,
    .sample = sample,
};
