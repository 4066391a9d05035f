// SPDX-License-Identifier: BSD-3-Clause
//
// Cameras: where points appear, depths, light and its noise, rows that are read one after another.
#include <math.h>
#include <stdio.h>

#include "lab.h"

static const double PI = 3.14159265358979323846;

enum { COLOUR, DEPTH };  // outputs

// Image of sensor 0; NULL on a failed lab.
static const void* image_of(const cliLab* lab, int output) {
  double stamp = -1;
  if (lab->failed) return NULL;
  const void* image = rut_sensor_output(lab->world.model, lab->world.data, 0, output, &stamp);
  return stamp >= 0 ? image : NULL;
}

// A world of level ground and other elements, with a camera. The first sample is taken.
static void take_picture(cliLab* lab, const char* elements, const char* attributes) {
  cli_lab_build(lab,
                "<world timestep='0.01'>%s<sensor type='camera' name='eye' period='0.1' "
                "%s/></world>",
                elements, attributes);
  cli_lab_run_to(lab, 0.15);
}

static bool find_camera(const cliLab* lab, rutCameraGeometry* out) {
  return !lab->failed && rut_camera_geometry(lab->world.model, 0, out);
}

// ---- where points appear ----

// 640 columns of 60 degrees: f = 320/tan 30. Points at x right, y down, z ahead lie at
// (320 + f x/z, 240 + f y/z).
void cli_case_camera_pinhole(cliLab* lab, double* value, double* reference) {
  static const double point[4][3] = {{0, 0, 5}, {1.5, -0.7, 4}, {-20, 11, 60}, {-0.3, 0.29, 1.1}};
  const double focal = 320 * sqrt(3);
  rutCameraGeometry camera;
  take_picture(lab, "", "width='640' height='480' fov='60 deg' render='false'");
  *value = find_camera(lab, &camera) ? 0 : (double)NAN;
  for (int i = 0; i < CLI_COUNT(point) && !lab->failed; i++) {
    const double* p = point[i];
    double pixel[2] = {(double)NAN, (double)NAN};
    rut_camera_project(&camera, p, pixel);
    *value = fmax(*value, fabs(pixel[0] - 320 - focal * p[0] / p[2]));
    *value = fmax(*value, fabs(pixel[1] - 240 - focal * p[1] / p[2]));
  }
  *reference = 0;
}

// The example camera of Bouguet's toolbox: fc 657.3, cc (302.72, 242.33), kc (-0.25349, 0.11868,
// -0.00028, 0.00005, 0).
#define BOUGUET                                                                           \
  "width='640' height='480' fov='%.17g' offset_x='-17.28' offset_y='2.33' k1='-0.25349' " \
  "k2='0.11868' p1='-0.00028' p2='0.00005' render='false'"
static bool find_bouguet(cliLab* lab, rutCameraGeometry* camera) {
  char text[300];
  snprintf(text, sizeof text, BOUGUET, 2 * atan(320 / 657.3));
  take_picture(lab, "", text);
  return find_camera(lab, camera);
}

void cli_case_camera_distortion(cliLab* lab, double* value, double* reference) {
  const double x = -0.35, y = 0.25, point[3] = {x * 3, y * 3, 3}, r2 = x * x + y * y;
  const double radial = 1 - 0.25349 * r2 + 0.11868 * r2 * r2;
  const double distorted[2] = {
      radial * x + 2 * -0.00028 * x * y + 0.00005 * (r2 + 2 * x * x),
      radial * y + -0.00028 * (r2 + 2 * y * y) + 2 * 0.00005 * x * y,
  };
  rutCameraGeometry camera;
  double pixel[2] = {(double)NAN, (double)NAN};
  if (find_bouguet(lab, &camera)) rut_camera_project(&camera, point, pixel);
  *value =
      hypot(pixel[0] - (302.72 + 657.3 * distorted[0]), pixel[1] - (242.33 + 657.3 * distorted[1]));
  *reference = 0;
}

// What is seen at a place of the image appears there.
void cli_case_camera_round_trip(cliLab* lab, double* value, double* reference) {
  rutCameraGeometry camera;
  *value = find_bouguet(lab, &camera) ? 0 : (double)NAN;
  for (int i = 0; i < 41 * 31 && !lab->failed; i++) {
    const double place[2] = {i % 41 * 16, i / 41 * 16};
    double direction[3], pixel[2] = {(double)NAN, (double)NAN};
    if (rut_camera_ray(&camera, place, direction)) rut_camera_project(&camera, direction, pixel);
    const double error = hypot(pixel[0] - place[0], pixel[1] - place[1]);
    *value = error <= *value ? *value : error;
  }
  *reference = 0;
}

// ---- depths ----

// Rolled by r and pitched by p, h above level ground: a pixel at (u, v) from the middle, over the
// focal length, falls by sin p + (u sin r + v cos r) cos p per unit of depth, u to the right.
void cli_case_camera_depth(cliLab* lab, double* value, double* reference) {
  enum { WIDTH = 120, HEIGHT = 90 };
  const double height = 3, roll = 0.3, pitch = 0.7, focal = 0.5 * WIDTH / tan(0.6);
  take_picture(lab, "",
               "z='3' roll='0.3' pitch='0.7' yaw='1' width='120' height='90' fov='1.2' "
               "render='false'");
  const float* depth = image_of(lab, DEPTH);
  *value = depth ? 0 : (double)NAN;
  for (int i = 0; depth && i < WIDTH * HEIGHT; i++) {
    const double u = (i % WIDTH + 0.5 - 0.5 * WIDTH) / focal,
                 v = (i / WIDTH + 0.5 - 0.5 * HEIGHT) / focal;
    const double fall = sin(pitch) + (u * sin(roll) + v * cos(roll)) * cos(pitch);
    if (fall < 0.01) continue;
    *value = fmax(*value, fabs((double)depth[i] * fall / height - 1));
  }
  *reference = 0;
}

// ---- light ----

// Linear signal of a code (IEC 61966-2-1).
static double signal_of(int code) {
  const double x = code / 255.0;
  return x <= 0.04045 ? x / 12.92 : pow((x + 0.055) / 1.055, 2.4);
}

typedef struct Signal {
  double mean, variance;  // of electrons
} Signal;

enum { FULL_WELL = 400, READ_NOISE = 6 };

// White ground under an upright sun, from above.
static Signal expose(cliLab* lab, double exposure, const char* attributes) {
  enum { N = 3 * 160 * 120 };
  char text[300];
  snprintf(text, sizeof text,
           "z='5' pitch='90 deg' width='160' height='120' fov='10 deg' exposure='%.17g' "
           "full_well='%d' read_noise='%d' %s",
           exposure, FULL_WELL, READ_NOISE, attributes);
  take_picture(lab,
               "<material colour='1 1 1'/><light ambient='0' elevation='90 deg' shadows='false'/>",
               text);
  const unsigned char* colour = image_of(lab, COLOUR);
  Signal s = {(double)NAN, (double)NAN};
  double sum = 0, squares = 0;
  for (int i = 0; colour && i < N; i++) {
    const double electrons = FULL_WELL * signal_of(colour[i]);
    sum += electrons;
    squares += electrons * electrons;
  }
  if (colour) s = (Signal){sum / N, squares / N - sum / N * (sum / N)};
  return s;
}

void cli_case_camera_linear(cliLab* lab, double* value, double* reference) {
  const Signal little = expose(lab, 0.15, "noise='none'"), more = expose(lab, 0.75, "noise='none'");
  *value = more.mean / little.mean;
  *reference = 5;
}

// Straight line through the variances over the means of exposures from 0.25 to 0.7.
static void transfer(cliLab* lab, double* slope, double* intercept) {
  enum { EXPOSURES = 10 };
  double x = 0, y = 0, xx = 0, xy = 0;
  for (int i = 0; i < EXPOSURES; i++) {
    const Signal s = expose(lab, 0.25 + 0.05 * i, "");
    x += s.mean / EXPOSURES;
    y += s.variance / EXPOSURES;
    xx += s.mean * s.mean / EXPOSURES;
    xy += s.mean * s.variance / EXPOSURES;
  }
  *slope = (xy - x * y) / (xx - x * x);
  *intercept = y - *slope * x;
}

// Photon transfer: the variance of the electrons grows as their mean (EMVA 1288), from that of the
// read noise on.
void cli_case_camera_photon_transfer(cliLab* lab, double* value, double* reference) {
  double intercept;
  transfer(lab, value, &intercept);
  *reference = 1;
}
void cli_case_camera_read_noise(cliLab* lab, double* value, double* reference) {
  double slope, intercept;
  transfer(lab, &slope, &intercept);
  *value = sqrt(fmax(intercept, 0));
  *reference = READ_NOISE;
}

// A plane that is tilted by a has (1 + cos a)/2 of the sky: a wall has half of what the ground has.
void cli_case_camera_sky(cliLab* lab, double* value, double* reference) {
  enum { WIDTH = 40, HEIGHT = 40 };
  take_picture(lab,
               "<material colour='1 1 1'/><light ambient='1'/><wall from='5 -20' to='5 20' "
               "height='5'><material colour='1 1 1'/></wall>",
               "z='2' pitch='30 deg' width='40' height='40' fov='60 deg' noise='none' "
               "exposure='0.7'");
  const unsigned char* colour = image_of(lab, COLOUR);
  *value = (double)NAN;
  // the middle of the top row sees the wall, that of the last one the ground
  if (colour) {
    *value = signal_of(colour[3 * (WIDTH / 2)]) /
             signal_of(colour[3 * ((HEIGHT - 1) * WIDTH + WIDTH / 2)]);
  }
  *reference = 0.5;
}

// ---- time ----

// Last column from the left that sees anything.
static int end_of_row(const float* depth, int width, int row) {
  int column = width - 1;
  while (column >= 0 && !(depth[row * width + column] > 0)) column--;
  return column;
}

// A camera at speed v that looks to the left at a wall at a distance D: its end moves by f v T/D
// to the left from the first row to the last, T later.
void cli_case_camera_rolling(cliLab* lab, double* value, double* reference) {
  enum { WIDTH = 3001, HEIGHT = 41 };
  const double speed = 2, row_time = 5e-3, distance = 4, focal = 0.5 * WIDTH / tan(PI / 4);
  cli_lab_build(
      lab,
      "<world timestep='0.01'><plane x_min='-100' x_max='100' y_min='-1' y_max='1'/>"
      "<wall from='-9 4.005' to='0.4 4.005' height='9' thickness='0.01'/>"
      "<vehicle name='r' velocity='2 0'>"
      "<chassis mass='10' outline='-0.3 -0.3 0.3 -0.3 0.3 0.3 -0.3 0.3'/>"
      "<wheel place='left' position='0 0.25' mass='1' radius='0.1'/>"
      "<wheel place='right' position='0 -0.25' mass='1' radius='0.1'/>"
      "<tyre type='coulomb'/><drive type='direct'/><controller type='twist_ideal' speed='%.17g'/>"
      "<sensor type='camera' name='eye' period='0.1' z='1' yaw='90 deg' width='%d' height='%d' "
      "fov='90 deg' render='false' row_time='%.17g'/></vehicle></world>",
      speed, WIDTH, HEIGHT, row_time);
  cli_lab_run_to(lab, 0.15);
  const float* depth = image_of(lab, DEPTH);
  *value = (double)NAN;
  if (depth) *value = end_of_row(depth, WIDTH, HEIGHT - 1) - end_of_row(depth, WIDTH, 0);
  *reference = -focal * speed * (HEIGHT - 1) * row_time / distance;
}
