// SPDX-License-Identifier: BSD-3-Clause
//
// Satellite positioning: the earth, the satellites, and the errors of a receiver that stands still.
#include <math.h>

#include "lab.h"

// WGS 84.
static const double SEMI_MAJOR_AXIS = 6378137, ECCENTRICITY = 6.69437999014e-3;
static const double LATITUDE = 0.8;  // [rad]

#define EXACT " single_horizontal='0' single_vertical='0' range_error='0' "
#define WORLD "<world timestep='%g' latitude='0.8' longitude='0.2' altitude='0'>"

static double meridian_radius(void) {
  const double s = sin(LATITUDE);
  return SEMI_MAJOR_AXIS * (1 - ECCENTRICITY) / pow(1 - ECCENTRICITY * s * s, 1.5);
}

void cli_case_gnss_meridian(cliLab* lab, double* value, double* reference) {
  const double north = 100;
  cli_lab_build(lab, WORLD "<sensor type='gnss' y='%g' z='2'" EXACT "/></world>", 0.1, north);
  cli_lab_run_to(lab, 0.2);
  *value = cli_lab_reading(lab, 0, "latitude", 0) - LATITUDE;
  *reference = north / (meridian_radius() + 2);
}

void cli_case_gnss_curvature(cliLab* lab, double* value, double* reference) {
  const double north = 1000;
  cli_lab_build(lab, WORLD "<sensor type='gnss' y='%g' z='2'" EXACT "/></world>", 0.1, north);
  cli_lab_run_to(lab, 0.2);
  *value = cli_lab_reading(lab, 0, "altitude", 0) - 2;
  *reference = north * north / (2 * meridian_radius());
}

void cli_case_gnss_solution(cliLab* lab, double* value, double* reference) {
  const double place[3] = {300, -200, 5};
  cli_lab_build(lab,
                WORLD
                "<sensor type='gnss' x='%g' y='%g' z='%g' period='600' "
                "solution='pseudoranges'" EXACT "/></world>",
                1.0, place[0], place[1], place[2]);
  *value = *reference = 0;
  while (!lab->failed && cli_lab_time(lab) < 86400) {
    cli_lab_run_to(lab, cli_lab_time(lab) + 600);
    for (int k = 0; k < 3; k++) {
      *value = fmax(*value, fabs(cli_lab_reading(lab, 0, "position", k) - place[k]));
    }
  }
}

// Places spread evenly over the globe, on a spiral of golden angles, for a day.
void cli_case_gnss_view(cliLab* lab, double* value, double* reference) {
  enum { BANDS = 60, SATELLITES = 24 };
  const double pi = acos(-1.0), golden = pi * (3 - sqrt(5)), mask = 5 * pi / 180, radius = 6371000,
               orbit = 26559700;
  double seen = 0;
  int samples = 0;
  for (int band = 0; band < BANDS; band++) {
    cli_lab_build(lab,
                  "<world timestep='1' latitude='%.9f' longitude='%.9f'><sensor type='gnss' z='2' "
                  "period='900' elevation_mask='5 deg'/></world>",
                  asin((2 * band + 1.0) / BANDS - 1), remainder(golden * band, 2 * pi));
    while (!lab->failed && cli_lab_time(lab) < 86400) {
      cli_lab_run_to(lab, cli_lab_time(lab) + 900);
      seen += cli_lab_reading(lab, 0, "satellites", 0);
      samples++;
    }
  }
  const double cap = acos(radius * cos(mask) / orbit) - mask;
  *value = samples > 0 ? seen / samples : (double)NAN;
  *reference = SATELLITES * (1 - cos(cap)) / 2;
}

// ---- errors ----

enum { SAMPLES = 40000 };
static const double STEP = 0.1;

// Mean over the axes of error(i) error(i - lag), errors over their standard deviations.
static double correlation(cliLab* lab, int lag) {
  enum { LONGEST = 64 };
  double past[LONGEST][3] = {{0}}, sum = 0;
  const double place[3] = {0, 0, 2};
  for (int i = 0; i < SAMPLES && !lab->failed; i++) {
    cli_lab_step(lab);
    for (int k = 0; k < 3; k++) {
      const double now = (cli_lab_reading(lab, 0, "position", k) - place[k]) /
                         cli_lab_reading(lab, 0, "standard_deviation", k);
      past[i % LONGEST][k] = now;
      if (i >= lag) sum += now * past[(i - lag) % LONGEST][k] / 3;
    }
  }
  return sum / (SAMPLES - lag);
}

static void build_receiver(cliLab* lab, const char* attributes) {
  cli_lab_build(lab, WORLD "<sensor type='gnss' z='2' period='0.1' %s/></world>", STEP, attributes);
}

void cli_case_gnss_deviation(cliLab* lab, double* value, double* reference) {
  build_receiver(lab, "correlation_time='2'");
  *value = correlation(lab, 0);
  *reference = 1;
}

void cli_case_gnss_correlation(cliLab* lab, double* value, double* reference) {
  build_receiver(lab, "correlation_time='2' white_share='0.2'");
  *value = correlation(lab, 20);
  *reference = 0.8 * exp(-1.0);
}

void cli_case_gnss_covariance(cliLab* lab, double* value, double* reference) {
  build_receiver(lab, "white_share='1' solution='pseudoranges' range_error='3'");
  *value = correlation(lab, 0);
  *reference = 1;
}

void cli_case_gnss_fixed(cliLab* lab, double* value, double* reference) {
  build_receiver(lab, "corrections='rtk' float_time='2' fixed_time='6'");
  int fixed = 0;
  for (int i = 0; i < SAMPLES && !lab->failed; i++) {
    cli_lab_step(lab);
    fixed += cli_lab_reading(lab, 0, "fix", 0) == 4;
  }
  *value = (double)fixed / SAMPLES;
  *reference = 6.0 / (6 + 2);
}
