// SPDX-License-Identifier: BSD-3-Clause
//
// Magnetometer, barometer, inclinometer, compass.
#include <math.h>
#include <stdlib.h>

#include "spatial.h"

static const double PI = 3.14159265358979323846;

// A number of the visible sample of the first sensor.
static double measured(const cliLab* lab, int output, int component) {
  if (lab->failed) return (double)NAN;
  const double* v = rut_sensor_output(lab->world.model, lab->world.data, 0, output, NULL);
  return v ? v[component] : (double)NAN;
}

// ---- magnetometer ----

// A field of 20 uT to the north and 40 uT down. The sensor heads north and is rolled by 90 degrees:
// its y axis points up and its z axis east. So does one of a lesser yaw in a world whose x axis is
// turned from east by the rest.
void cli_case_magnetometer_iron(cliLab* lab, double* value, double* reference) {
  static const double rotation[] = {0, 90, -30};
  for (int i = 0; i < CLI_COUNT(rotation); i++) {
    cli_lab_build(lab,
                  "<world timestep='0.1'><georeference rotation='%g deg'/><sensor "
                  "type='magnetometer' name='m' yaw='%g deg' "
                  "roll='90 deg' earth_field='0 20 -40 uT' hard_iron='1 2 3 uT' "
                  "soft_iron='1.1 0 0 0.2 1 0 0 0 1' field_noise='0'/></world>",
                  rotation[i], 90 - rotation[i]);
    cli_lab_run_to(lab, 0.2);
    cli_worst_absolute(measured(lab, 0, 0), 1.1 * 20e-6 + 1e-6, value, reference);
    cli_worst_absolute(measured(lab, 0, 1), 0.2 * 20e-6 - 40e-6 + 2e-6, value, reference);
    cli_worst_absolute(measured(lab, 0, 2), 3e-6, value, reference);
  }
}

// The dipole of 2020 has its northern pole at 80.65 N, 72.68 W (World Data Center for Geomagnetism,
// Kyoto) and a strength of 29.80 uT at its equator: twice that, straight down, at the pole.
void cli_case_magnetometer_dipole(cliLab* lab, double* value, double* reference) {
  cli_lab_build(lab,
                "<world timestep='0.1' latitude='80.65 deg' longitude='-72.68 deg'>"
                "<sensor type='magnetometer' name='m' field_noise='0'/></world>");
  cli_lab_run_to(lab, 0.2);
  cli_worst_absolute(measured(lab, 0, 0), 0, value, reference);
  cli_worst_absolute(measured(lab, 0, 1), 0, value, reference);
  cli_worst_absolute(measured(lab, 0, 2), -2 * 29.80e-6, value, reference);
}

// ---- barometer ----

// Pressures of ISO 2533, table 1, at geometric altitudes, and the altitudes back.
void cli_case_barometer_pressure(cliLab* lab, double* value, double* reference) {
  static const struct {
    double altitude, pressure;
  } row[] = {{0, 101325}, {1000, 89876.3}, {5000, 54048.3}, {10000, 26499.9}, {15000, 12111.8}};
  for (int i = 0; i < CLI_COUNT(row); i++) {
    cli_lab_build(lab,
                  "<world timestep='0.1'><sensor type='barometer' name='b' z='%.17g' "
                  "pressure_noise='0' drift='0'/></world>",
                  row[i].altitude);
    cli_lab_run_to(lab, 0.2);
    cli_worst_relative(measured(lab, 0, 0), row[i].pressure, value, reference);
    if (i > 0) cli_worst_relative(measured(lab, 1, 0), row[i].altitude, value, reference);
  }
}

enum { SAMPLES = 100000, LAG = 20 };

// Drift of a barometer, one number a second, and its autocorrelation function.
typedef struct Drift {
  double variance, correlation;  // at LAG seconds, over the variance
} Drift;

static Drift drift_of(cliLab* lab) {
  Drift found = {(double)NAN, (double)NAN};
  cli_lab_build(lab,
                "<world timestep='1'><sensor type='barometer' name='b' period='1' "
                "pressure_noise='0' drift='30' drift_time='20'/></world>");
  double* error = calloc(SAMPLES, sizeof *error);
  for (int i = 0; i < SAMPLES && error && !lab->failed; i++) {
    cli_lab_step(lab);
    error[i] = measured(lab, 0, 0) - 101325;
  }
  double squares = 0, products = 0;
  for (int i = LAG; i < SAMPLES && error; i++) {
    squares += error[i] * error[i];
    products += error[i] * error[i - LAG];
  }
  if (error && !lab->failed) found = (Drift){squares / (SAMPLES - LAG), products / squares};
  free(error);
  return found;
}

void cli_case_barometer_drift(cliLab* lab, double* value, double* reference) {
  *value = sqrt(drift_of(lab).variance);
  *reference = 30;
}

// exp(-t/T) at the correlation time.
void cli_case_barometer_correlation(cliLab* lab, double* value, double* reference) {
  *value = drift_of(lab).correlation;
  *reference = exp(-1.0);
}

// ---- inclinometer, compass ----

void cli_case_inclinometer_rest(cliLab* lab, double* value, double* reference) {
  cli_lab_build(lab,
                "<world timestep='0.01'><sensor type='inclinometer' name='i' roll='0.3' "
                "pitch='-0.2' yaw='2' angle_noise='0'/></world>");
  cli_lab_run_to(lab, 0.2);
  cli_worst_absolute(measured(lab, 0, 0), 0.3, value, reference);
  cli_worst_absolute(measured(lab, 1, 0), -0.2, value, reference);
}

// A cart that begins to accelerate at 1 s with a = F/m_eff: the specific force leans back by
// a/g (1 - exp(-t/T)), which a nose that is raised would show as well.
void cli_case_inclinometer_lag(cliLab* lab, double* value, double* reference) {
  const double lag = 0.5, torque[2] = {6, 6}, radius = 0.2;
  cli_lab_build(lab,
                "<world timestep='0.001'><vehicle name='cart'>"
                "<chassis mass='36' outline='-0.5 -0.4 0.5 -0.4 0.5 0.4 -0.5 0.4'/>"
                "<wheel place='rear_left' position='-0.4 0.4' mass='2' radius='0.2'/>"
                "<wheel place='rear_right' position='-0.4 -0.4' mass='2' radius='0.2'/>"
                "<tyre type='coulomb' bearing_damping='0'/><drive type='direct'/>"
                "<controller type='raw'/><sensor type='inclinometer' name='i' period='0.001' "
                "time_constant='0.5' angle_noise='0'/></vehicle></world>");
  cli_lab_run_to(lab, 1);
  cli_lab_command(lab, 2, torque);
  const double from = cli_lab_time(lab);
  // discs have I/R^2 = m/2
  const double acceleration = 2 * torque[0] / radius / (40 + 2);
  for (int i = 1; i <= 4; i++) {
    cli_lab_run_to(lab, from + i * 0.5 * lag);
    const double share = 1 - exp(-0.5 * i);
    cli_worst_absolute(measured(lab, 1, 0), -atan(share * acceleration / CLI_GRAVITY), value,
                       reference);
  }
}

// Heading is clockwise from north, yaw counter-clockwise from the world's x axis, and this from
// east.
void cli_case_compass(cliLab* lab, double* value, double* reference) {
  static const double yaw[] = {0, 0.5, 2, -2.5}, rotation[] = {0, 0, 0, 40},
                      heading[] = {90, 61.3521102, 335.4084410, 193.2394488};
  for (int i = 0; i < CLI_COUNT(yaw); i++) {
    cli_lab_build(lab,
                  "<world timestep='0.1'><georeference rotation='%g deg'/><sensor type='compass' "
                  "name='c' yaw='%.17g' heading_noise='0' declination='5 deg'/></world>",
                  rotation[i], yaw[i]);
    cli_lab_run_to(lab, 0.2);
    cli_worst_absolute(measured(lab, 0, 0) * 180 / PI, heading[i] - 5, value, reference);
  }
}
