// SPDX-License-Identifier: BSD-3-Clause
//
// Lidars that look at planes, walls and through the weather.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "lab.h"

static const double PI = 3.14159265358979323846;

// ---- one sample of sensor 0 ----

// An output by name; *n gets its numbers. NULL on a failed lab, or if it is of another type.
static const void* output_of(const cliLab* lab, const char* name, rutNumberType type, int* n) {
  *n = 0;
  if (lab->failed) return NULL;
  const rutModel* model = lab->world.model;
  for (int i = 0; i < rut_variables(model, RUT_SENSOR, 0, RUT_OUTPUT); i++) {
    const rutVariableInfo v = rut_variable(model, RUT_SENSOR, 0, RUT_OUTPUT, i);
    if (strcmp(v.name, name) != 0 || v.type != type) continue;
    double stamp;
    const void* value = rut_sensor_output(model, lab->world.data, 0, i, &stamp);
    *n = stamp >= 0 ? v.count : 0;
    return *n > 0 ? value : NULL;
  }
  return NULL;
}

static const double* ranges_of(const cliLab* lab, int* n) {
  return output_of(lab, "range", RUT_F64, n);
}

// A world of level ground and other elements, with a lidar. The first sample is taken.
static void take_sample(cliLab* lab, const char* elements, const char* attributes) {
  cli_lab_build(lab, "<world timestep='0.01'>%s<sensor type='lidar' name='lidar' %s/></world>",
                elements, attributes);
  cli_lab_run_to(lab, 0.15);
}

// Beams that all look straight down from a height.
static void look_down(cliLab* lab, double height, int beams, const char* attributes) {
  char text[600];
  snprintf(text, sizeof text,
           "z='%.17g' pattern='raster' channels='1' columns='%d' fov='0' elevation_first='-90 deg' "
           "elevation_last='-90 deg' max_range='1000' %s",
           height, beams, attributes);
  take_sample(lab, "", text);
}

// Whatever is within max_range is seen, with its true range.
#define WITHOUT_NOISE "noise='none' rated_range='0' "

// ---- geometry ----

// A head that is tilted both ways 2 m above level ground.
void cli_case_lidar_plane(cliLab* lab, double* value, double* reference) {
  static const double roll = 0.1, pitch = -0.2, height = 2;
  take_sample(lab, "",
              WITHOUT_NOISE
              "z='2' roll='0.1' pitch='-0.2' yaw='0.7' columns='360' "
              "max_range='1000'");
  int n, k;
  const double* axis[3] = {output_of(lab, "x", RUT_F64, &n), output_of(lab, "y", RUT_F64, &n),
                           output_of(lab, "z", RUT_F64, &n)};
  const double* range = ranges_of(lab, &k);
  // third row of the rotation by roll, pitch and yaw about fixed axes
  const double up[3] = {-sin(pitch), cos(pitch) * sin(roll), cos(pitch) * cos(roll)};
  double sum = 0;
  int hits = 0;
  for (int i = 0; range && i < n; i++) {
    if (range[i] < 0) continue;
    const double z = height + axis[0][i] * up[0] + axis[1][i] * up[1] + axis[2][i] * up[2];
    sum += z * z;
    hits++;
  }
  *value = hits > 1000 ? sqrt(sum / hits) : (double)NAN;
  *reference = 0;
}

// Elevations and firing times of the data sheet, from points on the ground and their times.
static void vlp16(cliLab* lab) {
  take_sample(lab, "",
              "preset='vlp16' noise='none' z='2' pitch='0' max_range='1e6' rated_range='0'");
}

void cli_case_lidar_vlp16_elevation(cliLab* lab, double* value, double* reference) {
  static const int degrees[16] = {-15, 1, -13, 3, -11, 5, -9, 7, -7, 9, -5, 11, -3, 13, -1, 15};
  static const double millimetres[8] = {11.2, 9.7, 8.1, 6.6, 5.1, 3.7, 2.2, 0.7};
  vlp16(lab);
  int n;
  const double* range = ranges_of(lab, &n);
  const int columns = n / 16;
  double worst = range && columns == 1808 ? 0 : (double)NAN;
  for (int i = 0; range && i < 16; i++) {
    const double start = 2 + 1e-3 * millimetres[i / 2];
    const double expected = degrees[i] < 0 ? start / sin(-degrees[i] * PI / 180) : -1;
    worst = fmax(worst, fabs(range[i * columns] - expected));
  }
  *value = worst;
  *reference = 0;
}

void cli_case_lidar_vlp16_time(cliLab* lab, double* value, double* reference) {
  vlp16(lab);
  int n;
  const float* time = output_of(lab, "time", RUT_F32, &n);
  const int columns = n / 16;
  // from the first firing of the first column to the last of the last one
  *value = time && columns > 0 ? (double)(time[n - 1] - time[0]) : (double)NAN;
  *reference = 1807 * 55.296e-6 + 15 * 2.304e-6;
}

// Range along x to a wall behind a vehicle that drives away from it: the head begins and ends its
// turn there.
static void rolling_sweep(cliLab* lab, const char* rolling) {
  cli_lab_build(lab,
                "<world timestep='0.01'>"
                "<block name='wall' fixed='true' shape='box' size='1 40 4' position='-20.5 0'/>"
                "<vehicle name='r' velocity='5 0'>"
                "<chassis mass='10' outline='-0.3 -0.3 0.3 -0.3 0.3 0.3 -0.3 0.3'/>"
                "<wheel name='l' position='0 0.25' place='left' mass='1' radius='0.1'/>"
                "<wheel name='r' position='0 -0.25' place='right' mass='1' radius='0.1'/>"
                "<tyre type='coulomb'/><drive type='direct'/>"
                "<controller type='twist_ideal' speed='5'/>"
                "<sensor type='lidar' name='lidar' z='1' channels='1' columns='1000' "
                "elevation_first='0' elevation_last='0' rated_range='0' noise='none' "
                "rolling='%s'/></vehicle></world>",
                rolling);
  cli_lab_run_to(lab, 1.05);
}

void cli_case_lidar_rolling(cliLab* lab, double* value, double* reference) {
  rolling_sweep(lab, "true");
  int n;
  const double* x = output_of(lab, "x", RUT_F64, &n);
  const float* time = output_of(lab, "time", RUT_F32, &n);
  // the second column and the last one have the same azimuth on either side of the rear
  *value = x && n == 1000 ? x[1] - x[n - 1] : (double)NAN;
  *reference = time ? 5 * (double)(time[n - 1] - time[1]) : 0;
}

void cli_case_lidar_not_rolling(cliLab* lab, double* value, double* reference) {
  rolling_sweep(lab, "false");
  int n;
  const double* x = output_of(lab, "x", RUT_F64, &n);
  *value = x && n == 1000 ? x[1] - x[n - 1] : (double)NAN;
  *reference = 0;
}

// ---- noise ----

enum { MANY = 60000 };

static void noise_at_ten_metres(cliLab* lab, double* mean, double* deviation) {
  look_down(lab, 10, MANY, "rated_range='0' range_noise='0.03' weak_range_noise='0'");
  int n;
  const double* range = ranges_of(lab, &n);
  double sum = 0, squares = 0;
  for (int i = 0; range && i < n; i++) {
    sum += range[i] - 10;
    squares += (range[i] - 10) * (range[i] - 10);
  }
  *mean = n == MANY ? sum / n : (double)NAN;
  *deviation = n == MANY ? sqrt(squares / n) : (double)NAN;
}

void cli_case_lidar_noise_mean(cliLab* lab, double* value, double* reference) {
  double deviation;
  noise_at_ten_metres(lab, value, &deviation);
  *reference = 0;
}

void cli_case_lidar_noise_deviation(cliLab* lab, double* value, double* reference) {
  double mean;
  noise_at_ten_metres(lab, &mean, value);
  *reference = 0.03;
}

// ---- power ----

static double power_at(cliLab* lab, double height) {
  look_down(lab, height, 1, WITHOUT_NOISE "intensity='power'");
  int n;
  const float* intensity = output_of(lab, "intensity", RUT_F32, &n);
  return intensity ? (double)intensity[0] : (double)NAN;
}

void cli_case_lidar_slope(cliLab* lab, double* value, double* reference) {
  const double near = power_at(lab, 5), far = power_at(lab, 80);
  *value = log(far / near) / log(80.0 / 5.0);
  *reference = -2;
}

// A spot whose left half falls on a wall at 20 m, the right half on the edge of a box at 10 m.
static void half_spot(cliLab* lab, double depth, const char* attributes) {
  char elements[400], text[500];
  snprintf(elements, sizeof elements,
           "<block fixed='true' shape='box' size='0.2 2 4' position='10.1 -1'/>"
           "<block fixed='true' shape='box' size='1 20 4' position='%.17g 0'/>",
           10.5 + depth);
  snprintf(text, sizeof text,
           WITHOUT_NOISE
           "z='1' channels='1' columns='1' elevation_first='0' elevation_last='0' "
           "pattern='raster' fov='0' returns='2' order='first' subrays='8' %s",
           attributes);
  take_sample(lab, elements, text);
}

void cli_case_lidar_half_spot(cliLab* lab, double* value, double* reference) {
  half_spot(lab, 10, "intensity='reflectance'");
  int n;
  const float* intensity = output_of(lab, "intensity", RUT_F32, &n);
  *value =
      intensity && n == 2 ? (double)(intensity[0] / (intensity[0] + intensity[1])) : (double)NAN;
  *reference = 0.5;
}

void cli_case_lidar_two_returns(cliLab* lab, double* value, double* reference) {
  half_spot(lab, 10, "");
  int n;
  const double* range = ranges_of(lab, &n);
  *value = range && n == 2 ? range[1] - range[0] : (double)NAN;
  *reference = 10;
}

// Half a metre behind each other they are one return, between them by their powers.
void cli_case_lidar_mixed_return(cliLab* lab, double* value, double* reference) {
  half_spot(lab, 0.5, "");
  int n;
  const double* range = ranges_of(lab, &n);
  const double near = 1 / (10.0 * 10.0), far = 1 / (10.5 * 10.5);
  *value = range && n == 2 && range[1] < 0 ? range[0] : (double)NAN;
  *reference = (10 * near + 10.5 * far) / (near + far);
}

// At the rated range half of the pulses are detected; the received power varies normally.
void cli_case_lidar_detection(cliLab* lab, double* value, double* reference) {
  look_down(lab, 100, MANY,
            "rated_range='100' rated_reflectance='0.5' reflectance='0.55' signal_noise='0.2'");
  int n, hits = 0;
  const double* range = ranges_of(lab, &n);
  for (int i = 0; range && i < n; i++) hits += range[i] >= 0;
  *value = n == MANY ? (double)hits / n : (double)NAN;
  // the mean is half a standard deviation above the threshold
  *reference = 0.5 * erfc(-0.5 / sqrt(2));
}

// ---- weather ----

static bool sees_ground(cliLab* lab, double height, const char* attributes) {
  look_down(lab, height, 1, attributes);
  int n;
  const double* range = ranges_of(lab, &n);
  return range && range[0] >= 0;
}

// Greatest height at which the ground is detected.
static double greatest_range(cliLab* lab, const char* attributes) {
  double near = 1, far = 200;
  for (int i = 0; i < 24 && !lab->failed; i++) {
    const double middle = 0.5 * (near + far);
    if (sees_ground(lab, middle, attributes)) {
      near = middle;
    } else {
      far = middle;
    }
  }
  return near;
}

// sqrt(0.9/c0) m is the rated range for the threshold of MAVS, c0 = 0.9/(pi 100^2 m^2).
void cli_case_lidar_rain_mavs(cliLab* lab, double* value, double* reference) {
  *value = greatest_range(lab,
                          "noise='none' reflectance='0.9' rated_reflectance='0.9' "
                          "rated_range='177.245385' rain='30 mm/h' rain_law='mavs'");
  *reference = 25.297;
}

#define RATED "noise='none' rated_range='100' rated_reflectance='0.8' "

void cli_case_lidar_fog(cliLab* lab, double* value, double* reference) {
  static const struct {
    const char* attributes;
    double range;
  } row[] = {{RATED "visibility='50' reflectance='0.8'", 20},
             {RATED "visibility='50' reflectance='0.1'", 13},
             {RATED "visibility='200' reflectance='0.8'", 43},
             {RATED "visibility='200' reflectance='0.1'", 23},
             {RATED "visibility='1000' reflectance='0.8' wavelength='550 nm'", 75},
             {RATED "visibility='1000' reflectance='0.1' wavelength='550 nm'", 31}};
  *value = 0;
  for (int i = 0; i < CLI_COUNT(row); i++) {
    *value = fmax(*value, fabs(greatest_range(lab, row[i].attributes) - row[i].range));
  }
  *reference = 0;
}

// d exp(b d) = 100 m with b = 3.912/1000 (905/550)^-0.5 per metre.
void cli_case_lidar_fog_infrared(cliLab* lab, double* value, double* reference) {
  *value = greatest_range(lab, RATED "visibility='1000' reflectance='0.8' wavelength='905 nm'");
  *reference = 78.6693;
}

void cli_case_lidar_rain(cliLab* lab, double* value, double* reference) {
  const double bright = greatest_range(lab, RATED "rain='10 mm/h' reflectance='0.8'");
  const double dark = greatest_range(lab, RATED "rain='10 mm/h' reflectance='0.1'");
  *value = fmax(fabs(bright - 90), fabs(dark - 34));
  *reference = 0;
}

// d exp(b d) = 100 m with b = (15 R + 1) 1e-4 and (2 R - 0.1) 1e-4 per metre, R = 10.
void cli_case_lidar_snow(cliLab* lab, double* value, double* reference) {
  const double dry = greatest_range(lab, RATED "snow='10 mm/h' reflectance='0.8'");
  const double wet = greatest_range(lab, RATED "snow='10 mm/h' wet_snow='true' reflectance='0.8'");
  *value = fmax(fabs(dry - 48.2556), fabs(wet - 84.5191));
  *reference = 0;
}

// The same with 0.5 m2/g of 0.1 g/m3, and nine tenths of that at 1550 nm.
void cli_case_lidar_dust(cliLab* lab, double* value, double* reference) {
  const double near = greatest_range(lab, RATED "dust='0.1 g/m3' reflectance='0.8'");
  const double far =
      greatest_range(lab, RATED "dust='0.1 g/m3' reflectance='0.8' wavelength='1550 nm'");
  *value = fmax(fabs(near - 26.5345), fabs(far - 28.1608));
  *reference = 0;
}

// Share of pulses without any surface that the air returns; nearer than the overlap range the
// receiver sees the square of a part of the beam. Powers of the bins as worked out by hand.
static void false_returns(cliLab* lab, double overlap, double* value, double* reference) {
  char text[400];
  snprintf(text, sizeof text,
           "z='500' pattern='raster' channels='1' columns='%d' fov='0' elevation_first='0' "
           "elevation_last='0' rated_range='100' rated_reflectance='0.8' rain='10 mm/h' "
           "pulse_length='1' overlap_range='%.17g' min_range='1'",
           MANY, overlap);
  take_sample(lab, "", text);
  int n, hits = 0;
  const double* range = ranges_of(lab, &n);
  for (int i = 0; range && i < n; i++) hits += range[i] >= 0;
  const double b = 1.08 * pow(10, 0.67) * log(10) / 1e4;
  double missed = 1;
  for (int k = 0; k < 64; k++) {
    const double d = 1.5 + k, seen = d < overlap ? pow(d / overlap, 2) : 1;
    missed *= 1 - exp(-0.8e-4 / (seen * PI * b / 18 * exp(-2 * b * d) / (d * d)));
  }
  *value = n == MANY ? (double)hits / n : (double)NAN;
  *reference = 1 - missed;
}

void cli_case_lidar_false_returns(cliLab* lab, double* value, double* reference) {
  false_returns(lab, 0, value, reference);
}
void cli_case_lidar_overlap(cliLab* lab, double* value, double* reference) {
  false_returns(lab, 2.5, value, reference);
}
