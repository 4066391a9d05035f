// SPDX-License-Identifier: BSD-3-Clause
//
// Radars: cross sections, the radar equation, detection, Doppler, cells, weather.
#include <math.h>

#include "lab.h"

static const double WIDE = 10;  // resolutions of one cell for all

// A square plate of this side that faces a radar 10 m above the ground, which sees only it.
#define PLATE(name)                                                     \
  "<block name='" name                                                  \
  "' fixed='true' shape='box' size='0.02 %.17g %.17g' position='%.17g " \
  "%.17g' z_min='%.17g' z_max='%.17g'><material radar='%.17g'/></block>"
#define RADAR(attributes) \
  "<sensor type='radar' z='10' period='0.01' ground_visible='false' " attributes "/>"
#define FINE "fov='4 deg' fov_vertical='4 deg' ray_spacing='0.02 deg' "

typedef struct Plate {
  double side, distance, left, factor;
} Plate;

#define PLATE_NUMBERS(p)                                                                       \
  (p).side, (p).side, (p).distance + 0.01, (p).left, 10 - 0.5 * (p).side, 10 + 0.5 * (p).side, \
      (p).factor

// Side of a plate at a distance that is hit by so many rays of FINE each way.
static double side_of(int rays, double distance) {
  return 2 * distance * tan(rays * 0.01 * acos(-1.0) / 180);
}

static double read_first(const cliLab* lab, const char* output) {
  return cli_lab_reading(lab, 0, output, 0);
}

static int count_detections(const cliLab* lab, int most) {
  int n = 0;
  while (n < most && cli_lab_reading(lab, 0, "range", n) >= 0) n++;
  return n;
}

void cli_case_radar_plate(cliLab* lab, double* value, double* reference) {
  const Plate plate = {side_of(72, 40), 40, 0, 0.3};
  cli_lab_build(lab, "<world timestep='0.01'>" PLATE("p") RADAR(FINE "noise='none'") "</world>",
                PLATE_NUMBERS(plate));
  cli_lab_run_to(lab, 0.01);
  *value = read_first(lab, "rcs");
  *reference = plate.factor * plate.side * plate.side;
}

static double signal_at(cliLab* lab, const char* attributes, Plate plate) {
  cli_lab_build(lab, "<world timestep='0.01'>" PLATE("p") RADAR(FINE "noise='none' %s") "</world>",
                PLATE_NUMBERS(plate), attributes);
  cli_lab_run_to(lab, 0.01);
  return read_first(lab, "snr");
}

// Plates of the same angle as seen from the radar, so that the same rays hit them: the cross
// section grows with the distance squared.
void cli_case_radar_slope(cliLab* lab, double* value, double* reference) {
  const double near = signal_at(lab, "", (Plate){0.5, 25, 0, 1});
  const double far = signal_at(lab, "", (Plate){2, 100, 0, 1});
  *value = log(far / near) / log(4) - 2;
  *reference = -4;
}

// A trihedral of the edge a has 4 pi a^4/(3 l^2).
void cli_case_radar_corner(cliLab* lab, double* value, double* reference) {
  const double pi = acos(-1.0), edge = 0.1, wavelength = 299792458 / 77e9, side = side_of(28, 50);
  const double corner = 4 * pi * pow(edge, 4) / (3 * wavelength * wavelength);
  const double rated = 200, rated_rcs = 10, distance = 50, false_alarm = 1e-4;
  const double limit = -log(false_alarm) / log(2) - 1;
  const double snr = signal_at(lab, "rated_range='200 m' rated_rcs='10' false_alarm='1e-4'",
                               (Plate){side, distance, 0, corner / (side * side)});
  *value = distance * pow(snr / limit, 0.25);
  *reference = rated * pow(corner / rated_rcs, 0.25);
}

// Share of samples with a detection, from that of a distance at which half are expected.
static double detected_share(cliLab* lab, double distance, int samples) {
  const Plate plate = {2, distance, 0, 2.5};
  cli_lab_build(lab,
                "<world timestep='0.01'>" PLATE("p") RADAR(
                    "fov='2 deg' fov_vertical='2 deg' ray_spacing='0.05 deg' "
                    "rated_range='100 m' azimuth_resolution='10' max_range='200 m'") "</world>",
                PLATE_NUMBERS(plate));
  int detections = 0;
  for (int i = 0; i < samples && !lab->failed; i++) {
    cli_lab_step(lab);
    detections += read_first(lab, "range") >= 0;
  }
  return (double)detections / samples;
}

// At another distance than the rated one, of 1e-6 false alarms.
void cli_case_radar_detection(cliLab* lab, double* value, double* reference) {
  const double false_alarm = 1e-6, distance = 80;
  const double half = -log(false_alarm) / log(2) - 1;
  *value = detected_share(lab, distance, 4000);
  *reference = pow(false_alarm, 1 / (1 + half * pow(100 / distance, 4)));
}

void cli_case_radar_rated(cliLab* lab, double* value, double* reference) {
  *value = detected_share(lab, 100, 4000);
  *reference = 0.5;
}

// A robot that drives towards a wall.
static void approach(cliLab* lab, double speed, double carrier_rcs) {
  cli_lab_build(
      lab,
      "<world timestep='0.001'><block name='w' fixed='true' shape='box' size='2 40 20' "
      "position='31 0' z_max='20'><material radar='300'/></block><vehicle name='v'><chassis "
      "mass='10' outline='-0.2 -0.2 0.2 "
      "-0.2 0.2 0.2 -0.2 0.2'/><wheel place='left' position='0 0.2' mass='1' radius='0.1'/>"
      "<wheel place='right' position='0 -0.2' mass='1' radius='0.1'/><tyre type='coulomb'/>"
      "<drive type='direct'/><controller type='twist_ideal' speed='%.17g'/><sensor type='radar' "
      "noise='none' z='1' period='0.1' fov='1 deg' fov_vertical='1 deg' ground_visible='false' "
      "carrier_rcs='%.17g'/></vehicle></world>",
      speed, carrier_rcs);
  cli_lab_run_to(lab, 1);
}

void cli_case_radar_approach(cliLab* lab, double* value, double* reference) {
  const double speed = 0.7;
  approach(lab, speed, 0);
  *value = read_first(lab, "range_rate");
  *reference = -speed;
}

// Twice the way becomes shorter twice as fast.
void cli_case_radar_ghost_rate(cliLab* lab, double* value, double* reference) {
  const double speed = 0.7;
  approach(lab, speed, 1e5);
  *value = (double)NAN;
  for (int i = 0; i < count_detections(lab, 100); i++) {
    if (cli_lab_reading(lab, 0, "range", i) < 50) continue;
    *value = cli_lab_reading(lab, 0, "range_rate", i);
  }
  *reference = -2 * speed;
}

// A robot that turns on the spot: its left half comes nearer to a radar behind it at w y.
void cli_case_radar_turning(cliLab* lab, double* value, double* reference) {
  const double rate = 1.5, half = 0.5, eighth = acos(-1.0) / 4 / rate;
  cli_lab_build(
      lab,
      "<world timestep='0.001'><vehicle name='v'><chassis mass='10' outline='-0.5 -0.5 0.5 -0.5 "
      "0.5 0.5 -0.5 0.5' z_max='1'/><appearance type='prism'/><wheel place='left' position='0 0.2' "
      "mass='1' radius='0.1'/>"
      "<wheel place='right' position='0 -0.2' mass='1' radius='0.1'/><tyre type='coulomb'/>"
      "<drive type='direct'/><controller type='twist_ideal' yaw_rate='%.17g'/></vehicle>"
      "<sensor type='radar' noise='none' x='-100' z='0.5' period='%.17g' fov='1 deg' "
      "fov_vertical='0.3 deg' ray_spacing='1e-4' ground_visible='false' range_resolution='10' "
      "rated_range='1 km' azimuth_resolution='0' rate_resolution='0.02'/></world>",
      rate, eighth);
  // after an eighth of a turn its corners stand to the sides, at the half times the root of 2
  cli_lab_run_to(lab, eighth);
  *value = 0;
  for (int i = 0; i < 100 && !lab->failed; i++) {
    if (cli_lab_reading(lab, 0, "range", i) < 0) continue;
    const double seen = cli_lab_reading(lab, 0, "range_rate", i);
    *value = fmax(*value, cli_lab_reading(lab, 0, "azimuth", i) > 0 ? -seen : seen);
  }
  *reference = rate * half * sqrt(2);
}

// Least difference of range, in steps of a tenth of a cell, at which two plates side by side are
// two detections.
void cli_case_radar_cells(cliLab* lab, double* value, double* reference) {
  const double cell = 1.8;
  *value = 0;
  *reference = cell;
  for (int i = 1; i <= 20 && !lab->failed; i++) {
    const double apart = 0.1 * i * cell;
    const Plate near = {0.4, 30, -0.3, 1}, far = {0.4, 30 + apart, 0.3, 1};
    cli_lab_build(lab,
                  "<world timestep='0.01'>" PLATE("p") PLATE("q")
                      RADAR("fov='4 deg' fov_vertical='2 deg' ray_spacing='0.1 deg' noise='none' "
                            "range_resolution='%.17g' azimuth_resolution='%.17g'") "</world>",
                  PLATE_NUMBERS(near), PLATE_NUMBERS(far), cell, WIDE);
    cli_lab_run_to(lab, 0.01);
    if (count_detections(lab, 3) == 1) *value = apart + 0.05 * cell;
  }
}

// 80 GHz, for which the recommendation's table 5 has k = 1.1704 and a = 0.7115.
void cli_case_radar_rain(cliLab* lab, double* value, double* reference) {
  const double rate = 25, distance = 150;
  const Plate plate = {2, distance, 0, 1};
  const double clear = signal_at(lab, "frequency='80 GHz' range_resolution='10'", plate);
  const double wet =
      signal_at(lab, "frequency='80 GHz' range_resolution='10' rain='25 mm/h'", plate);
  *value = 10 * log10(clear / wet);
  *reference = 2 * 1.1704 * pow(rate, 0.7115) * distance / 1000;
}

// Half the gain one way is a quarter there and back. The radar turns by a whole number of its rays.
void cli_case_radar_lobe(cliLab* lab, double* value, double* reference) {
  const Plate plate = {0.1, 50, 0, 100};
  const double ahead = signal_at(lab, "beamwidth='2 deg'", plate);
  const double aside = signal_at(lab, "beamwidth='2 deg' yaw='1 deg'", plate);
  *value = aside / ahead;
  *reference = 0.25;
}

// Two more trips over 4 pi r^2, off what carries the antenna and off the target.
void cli_case_radar_ghost(cliLab* lab, double* value, double* reference) {
  const double pi = acos(-1.0), carrier = 20, distance = 12;
  const Plate plate = {0.4, distance, 0, 600};
  signal_at(lab, "carrier_rcs='20'", plate);
  const double rcs = cli_lab_reading(lab, 0, "rcs", 0);
  *value = cli_lab_reading(lab, 0, "snr", 1) / cli_lab_reading(lab, 0, "snr", 0);
  *reference = carrier * rcs / pow(4 * pi * distance * distance, 2);
}

void cli_case_radar_false(cliLab* lab, double* value, double* reference) {
  enum { SAMPLES = 4000 };
  const double mean = 2.5;
  cli_lab_build(lab,
                "<world timestep='0.01'>" RADAR("false_detections='%.17g' ray_spacing='0.3' "
                                                "detections='40'") "</world>",
                mean);
  double sum = 0;
  for (int i = 0; i < SAMPLES && !lab->failed; i++) {
    cli_lab_step(lab);
    sum += count_detections(lab, 40);
  }
  *value = sum / SAMPLES;
  *reference = mean;
}
