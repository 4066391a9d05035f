// SPDX-License-Identifier: BSD-3-Clause
//
// Inertial measurement units: what they measure at rest, on circles and under angular acceleration,
// and their errors.
#include <math.h>
#include <stdlib.h>

#include "spatial.h"

// Without errors.
#define EXACT_GYRO                                                          \
  " gyro_noise_density='0' gyro_bias_instability='0' gyro_random_walk='0' " \
  "gyro_turn_on_bias='0'"
#define EXACT_ACCELEROMETER                                              \
  " accelerometer_noise_density='0' accelerometer_bias_instability='0' " \
  "accelerometer_random_walk='0' accelerometer_turn_on_bias='0'"
#define EXACT_IMU(attributes) \
  "<sensor type='imu' name='imu'" EXACT_GYRO EXACT_ACCELEROMETER " " attributes "/>"

enum { ANGULAR_VELOCITY, SPECIFIC_FORCE };  // outputs

// Component of an output of the visible sample of the first sensor.
static double measured(const cliLab* lab, int output, int component) {
  if (lab->failed) return (double)NAN;
  const double* v = rut_sensor_output(lab->world.model, lab->world.data, 0, output, NULL);
  return v ? v[component] : (double)NAN;
}

// ---- at rest ----

// g upwards in the axes of a frame that is turned by yaw, pitch, roll.
static void upwards(double roll, double pitch, double out[3]) {
  out[0] = -CLI_GRAVITY * sin(pitch);
  out[1] = CLI_GRAVITY * cos(pitch) * sin(roll);
  out[2] = CLI_GRAVITY * cos(pitch) * cos(roll);
}

static void compare_with_gravity(const cliLab* lab, double roll, double pitch, double* value,
                                 double* reference) {
  double force[3];
  upwards(roll, pitch, force);
  for (int i = 0; i < 3; i++) {
    cli_worst_absolute(measured(lab, SPECIFIC_FORCE, i), force[i], value, reference);
  }
}

void cli_case_imu_rest(cliLab* lab, double* value, double* reference) {
  cli_lab_build(lab, "<world timestep='0.01'>" EXACT_IMU(
                         "x='3' y='-2' z='1' roll='0.3' pitch='-0.2' yaw='1'") "</world>");
  cli_lab_run_to(lab, 0.2);
  compare_with_gravity(lab, 0.3, -0.2, value, reference);
}

// A planar vehicle that heads up a slope of 0.2, the sensor rolled on it.
void cli_case_imu_rest_planar(cliLab* lab, double* value, double* reference) {
  cli_lab_build(
      lab,
      "<world timestep='0.005'><terrain type='plane' slope_x='0.2'/>"
      "<vehicle name='cart'><chassis mass='40' "
      "outline='-0.5 -0.4 0.5 -0.4 0.5 0.4 -0.5 0.4'/>"
      "<wheel place='rear_left' position='-0.4 0.4' mass='2' radius='0.2'/>"
      "<wheel place='rear_right' position='-0.4 -0.4' mass='2' radius='0.2'/>"
      "<tyre type='coulomb'/><drive type='direct'/>"
      "<controller type='twist_ideal'/>" EXACT_IMU("x='0.3' roll='0.4'") "</vehicle></world>");
  cli_lab_run_to(lab, 1);
  const double slope = atan(0.2);
  // the vehicle is pitched by -slope, then the sensor rolled
  compare_with_gravity(lab, 0.4, -slope, value, reference);
}

// A vehicle on axles under brakes on the same slope, on springs next to rigid.
void cli_case_imu_rest_axles(cliLab* lab, double* value, double* reference) {
  const cliRig rig = {
      .mass = 1500,
      .front = 1.2,
      .rear = 1.3,
      .height = 0.6,
      .track = 1.5,
      .stiffness = 1e8,
      .inertia = {500, 2000, 2300},
      .front_axle = "brake='4000'",
      .rear_axle = "brake='4000'",
      .ground = CLI_STEEP_SOIL("0.9") "<terrain type='plane' slope_x='0.2'/>",
      .drive = "<drive type='open'/><controller type='pedals' brake='1'/>" EXACT_IMU(
          "x='-0.7' z='0.9' roll='0.4'")};
  cli_rig_build(lab, &rig);
  cli_lab_run_to(lab, 5);
  compare_with_gravity(lab, 0.4, -atan(0.2), value, reference);
}

// ---- in motion ----

#define ROBOT(controller, sensor)                                                            \
  "<world timestep='0.001'><vehicle name='robot'>"                                           \
  "<chassis mass='15' outline='-0.3 -0.2 0.3 -0.2 0.3 0.2 -0.3 0.2'/>"                       \
  "<wheel place='left' position='0 0.25' mass='1.5' radius='0.15' width='0.05'/>"            \
  "<wheel place='right' position='0 -0.25' mass='1.5' radius='0.15' width='0.05'/>"          \
  "<tyre type='coulomb' friction='1' bearing_damping='0'/><drive type='direct'/>" controller \
      sensor "</vehicle></world>"

// On a circle of radius R at speed v the specific force to the left is v^2/R, the rate v/R.
void cli_case_imu_circle(cliLab* lab, double* value, double* reference) {
  const double speed = 2, rate = 0.5, radius = speed / rate;
  cli_lab_build(lab, ROBOT("<controller type='twist_ideal' speed='2' yaw_rate='0.5'/>",
                           EXACT_IMU("z='0.2'")));
  cli_lab_run_to(lab, 2);
  cli_worst_absolute(measured(lab, SPECIFIC_FORCE, 1), speed * speed / radius, value, reference);
  cli_worst_absolute(measured(lab, SPECIFIC_FORCE, 0), 0, value, reference);
  cli_worst_absolute(measured(lab, ANGULAR_VELOCITY, 2), speed / radius, value, reference);
}

// A robot that spins up on the spot under torques -T and T: (I_z + 2 I y^2/r^2) w' = 2 T y/r, and
// at (x, y) from its centre of mass f = (-w' y - w^2 x, w' x - w^2 y, g).
void cli_case_imu_lever_arm(cliLab* lab, double* value, double* reference) {
  const double x = 0.7, y = -0.4, torque = 1, time = 1, half = 0.25, square = 0.15 * 0.15;
  cli_lab_build(lab, ROBOT("<controller type='raw' torque_left='-1' torque_right='1'/>",
                           EXACT_IMU("x='0.7' y='-0.4' z='0.3'")));
  cli_lab_run_to(lab, time);
  const double block = 15 * (0.6 * 0.6 + 0.4 * 0.4) / 12;
  const double disc = 1.5 * (3 * square + 0.05 * 0.05) / 12;
  const double inertia = block + 2 * (1.5 * half * half + disc) + 1.5 * half * half;
  const double change = 2 * torque * half / 0.15 / inertia, rate = change * time;
  const double force[3] = {-change * y - rate * rate * x, change * x - rate * rate * y,
                           CLI_GRAVITY};
  for (int i = 0; i < 3; i++) {
    cli_worst_relative(measured(lab, SPECIFIC_FORCE, i), force[i], value, reference);
  }
}

// ---- random errors ----

enum { AXES = 6, MOST_TIMES = 32 };

// The period is not 1 s, so that its powers show.
#define PERIOD 0.25

// Samples of the axes of a unit at rest, one a period, summed up.
typedef struct Record {
  int samples;
  double* sum;  // [axis][samples + 1], owned
} Record;

static double* sums_of(const Record* r, int axis) { return r->sum + axis * (r->samples + 1); }

// All processes of both triads alike.
typedef struct Noise {
  double white, flicker, walk;
} Noise;

static Record record(cliLab* lab, const Noise* noise, int samples) {
  Record r = {samples, NULL};
  cli_lab_build(lab,
                "<world timestep='%.17g'><sensor type='imu' name='imu' period='%.17g' "
                "gyro_noise_density='%.17g' gyro_bias_instability='%.17g' "
                "gyro_random_walk='%.17g' gyro_turn_on_bias='0' gyro_range='1e6' "
                "accelerometer_noise_density='%.17g' accelerometer_bias_instability='%.17g' "
                "accelerometer_random_walk='%.17g' accelerometer_turn_on_bias='0' "
                "accelerometer_range='1e6'/></world>",
                PERIOD, PERIOD, noise->white, noise->flicker, noise->walk, noise->white,
                noise->flicker, noise->walk);
  r.sum = calloc((size_t)AXES * (size_t)(samples + 1), sizeof *r.sum);
  for (int i = 0; i < samples && r.sum && !lab->failed; i++) {
    cli_lab_step(lab);
    for (int axis = 0; axis < AXES; axis++) {
      double* sum = sums_of(&r, axis);
      sum[i + 1] = sum[i] + measured(lab, axis / 3, axis % 3);
    }
  }
  return r;
}

// Allan variance over m periods, of overlapping intervals, mean of all axes (IEEE Std 952-1997,
// annex C).
static double allan_variance(const Record* r, int m) {
  const int n = r->samples - 2 * m + 1;
  double total = 0;
  for (int axis = 0; axis < AXES && r->sum; axis++) {
    const double* sum = sums_of(r, axis);
    double squares = 0;
    for (int i = 0; i < n; i++) {
      const double difference = sum[i + 2 * m] - 2 * sum[i + m] + sum[i];
      squares += difference * difference;
    }
    total += squares / (2.0 * m * m * n);
  }
  return r->sum ? total / AXES : (double)NAN;
}

// Slopes of log deviation over log time: -1/2 of white noise from 1 to 64 s, 0 of flicker noise
// from 32 to 512 s, 1/2 of a random walk from 16 to 256 s.
void cli_case_allan_slopes(cliLab* lab, double* value, double* reference) {
  static const struct {
    Noise noise;
    int from, to;
    double slope;
  } process[] = {{{1, 0, 0}, 1, 64, -0.5}, {{0, 1, 0}, 64, 1024, 0}, {{0, 0, 1}, 16, 256, 0.5}};
  *value = *reference = (double)NAN;
  for (int i = 0; i < CLI_COUNT(process); i++) {
    Record r = record(lab, &process[i].noise, 50000);
    const double ratio = allan_variance(&r, process[i].to) / allan_variance(&r, process[i].from);
    const double slope = 0.5 * log(ratio) / log((double)process[i].to / process[i].from);
    cli_worst_absolute(slope, process[i].slope, value, reference);
    free(r.sum);
  }
}

// Least squares of the model N^2/t + (2 ln 2/pi) B^2 + K^2 t/3, relative to the variances, with the
// weight of the number of independent intervals. Coefficients N^2, B^2, K^2.
static void fit(int n, const double* time, const double* variance, double coefficient[3]) {
  const double pi = acos(-1.0);
  double a[3][4] = {{0}};
  for (int i = 0; i < n; i++) {
    const double row[4] = {1 / time[i], 2 * log(2.0) / pi, time[i] / 3, variance[i]};
    const double weight = 1 / (time[i] * variance[i] * variance[i]);
    for (int j = 0; j < 3; j++) {
      for (int k = 0; k < 4; k++) a[j][k] += weight * row[j] * row[k];
    }
  }
  // Gauss and Jordan
  for (int j = 0; j < 3; j++) {
    for (int i = 0; i < 3; i++) {
      const double factor = a[i][j] / a[j][j];
      for (int k = j; k < 4 && i != j; k++) a[i][k] -= factor * a[j][k];
    }
  }
  for (int j = 0; j < 3; j++) coefficient[j] = a[j][3] / a[j][j];
}

// N, B and K of one log, from its Allan deviation.
void cli_case_allan_recovered(cliLab* lab, double* value, double* reference) {
  const Noise noise = {1, 0.5, 0.05};
  Record r = record(lab, &noise, 600000);
  double time[MOST_TIMES], variance[MOST_TIMES], square[3];
  int n = 0;
  for (int m = 1; m < r.samples / 40; m *= 2) {
    time[n] = PERIOD * m;
    variance[n++] = allan_variance(&r, m);
  }
  free(r.sum);
  fit(n, time, variance, square);
  *value = *reference = (double)NAN;
  cli_worst_relative(sqrt(square[0]), noise.white, value, reference);
  cli_worst_relative(sqrt(square[1]), noise.flicker, value, reference);
  cli_worst_relative(sqrt(square[2]), noise.walk, value, reference);
}

// Standard deviation of the bias over 400 starts with other seeds.
void cli_case_imu_turn_on_bias(cliLab* lab, double* value, double* reference) {
  enum { STARTS = 400 };
  const double deviation = 0.25;
  cli_lab_build(lab, "<world timestep='0.1'><sensor type='imu' name='imu'" EXACT_ACCELEROMETER
                     " gyro_noise_density='0' gyro_bias_instability='0' gyro_random_walk='0' "
                     "gyro_turn_on_bias='0.25'/></world>");
  double squares = 0;
  for (int i = 0; i < STARTS && !lab->failed; i++) {
    rut_data_reset(lab->world.model, lab->world.data, (uint64_t)i);
    cli_lab_step(lab);
    for (int k = 0; k < 3; k++) {
      squares += measured(lab, ANGULAR_VELOCITY, k) * measured(lab, ANGULAR_VELOCITY, k);
    }
  }
  *value = sqrt(squares / (3 * STARTS));
  *reference = deviation;
}

// ---- systematic errors ----

// 9.81 m/s2 in steps of 0.5 is 10; rolled by 90 degrees it exceeds a range of 8.
void cli_case_imu_resolution(cliLab* lab, double* value, double* reference) {
  cli_lab_build(lab,
                "<world timestep='0.1'>" EXACT_IMU("accelerometer_resolution='0.5'") "</world>");
  cli_lab_run_to(lab, 0.2);
  cli_worst_absolute(measured(lab, SPECIFIC_FORCE, 2), 10, value, reference);
  cli_worst_absolute(measured(lab, SPECIFIC_FORCE, 0), 0, value, reference);
}

void cli_case_imu_range(cliLab* lab, double* value, double* reference) {
  cli_lab_build(
      lab, "<world timestep='0.1'>" EXACT_IMU("accelerometer_range='8' roll='-90 deg'") "</world>");
  cli_lab_run_to(lab, 0.2);
  cli_worst_absolute(measured(lab, SPECIFIC_FORCE, 1), -8, value, reference);
  cli_worst_absolute(measured(lab, SPECIFIC_FORCE, 2), 0, value, reference);
}

// f = (0, 0, 9.81) through a matrix whose last column is 0.01, -0.02, 1.1; 20 K warmer the scale is
// 2 % larger, and the bias of 0.5 grows by 20 x 0.03.
void cli_case_imu_matrix(cliLab* lab, double* value, double* reference) {
  cli_lab_build(lab, "<world timestep='0.1'>" EXACT_IMU(
                         "temperature='318.15' accelerometer_matrix='1 0 0.01 0 1 -0.02 0 0 1.1' "
                         "accelerometer_bias='0.5 0 0' accelerometer_temperature_bias='0.03' "
                         "accelerometer_temperature_scale='0.001'") "</world>");
  cli_lab_run_to(lab, 0.2);
  cli_worst_absolute(measured(lab, SPECIFIC_FORCE, 0), 0.5 + 0.6 + 0.100062, value, reference);
  cli_worst_absolute(measured(lab, SPECIFIC_FORCE, 1), 0.6 - 0.200124, value, reference);
  cli_worst_absolute(measured(lab, SPECIFIC_FORCE, 2), 0.6 + 11.00682, value, reference);
}
