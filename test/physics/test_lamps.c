// SPDX-License-Identifier: BSD-3-Clause
//
// Lamps as cameras see them: E = I cos(theta)/d^2, beams, shadows, and the luminance of the lamp
// itself.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "assert_near.h"
#include "rut/component.h"
#include "rut/sensor.h"

static const double PI = 3.14159265358979323846;
enum { SIDE = 64 };

typedef struct World {
  rutContext* context;
  rutModel* model;
  rutData* data;
} World;

static World open_world(const char* content) {
  World w = {0};
  rutError err = {0};
  rutSpec* spec = NULL;
  char text[2000];
  snprintf(text, sizeof text,
           "<world timestep='0.01'><material colour='1 1 1'/><light illuminance='0 lx'/>%s</world>",
           content);
  const rutContextDef def = rut_default_context();
  assert_int_equal(rut_context_create(&def, &w.context, &err), RUT_OK);
  rutStatus status = rut_spec_parse(w.context, text, strlen(text), "world.xml", &spec, &err);
  if (status == RUT_OK) status = rut_compile(spec, &w.model, &err);
  rut_spec_destroy(spec);
  if (status != RUT_OK) fail_msg("%s", err.message);
  w.data = rut_data_create(w.model);
  assert_non_null(w.data);
  for (int i = 0; i < 10; i++) assert_int_equal(rut_step(w.model, w.data, NULL), RUT_OK);
  return w;
}

static void close_world(World* w) {
  rut_data_destroy(w->data);
  rut_model_destroy(w->model);
  rut_context_destroy(w->context);
}

// Signal of a colour of a pixel over the largest one, and half a step of its code there.
static double signal_at(const World* w, int row, int column, int colour, double* half_step) {
  const unsigned char* image = rut_sensor_output(w->model, w->data, 0, 0, NULL);
  assert_non_null(image);
  const double code = image[3 * (SIDE * row + column) + colour] / 255.0;
  const double steep = code <= 0.04045 ? 1 / 12.92 : 2.4 / 1.055 * pow((code + 0.055) / 1.055, 1.4);
  *half_step = 0.51 / 255 * steep;
  return code <= 0.04045 ? code / 12.92 : pow((code + 0.055) / 1.055, 2.4);
}

// A camera 20 m above the ground that looks down, over 40 m of it: up in its image is x, left y.
#define EYE(more)                                                                          \
  "<sensor type='camera' name='eye' z='20' pitch='90 deg' period='0.1' noise='none' " more \
  " width='64' height='64' fov='90 deg'/>"

static double x_of(int row) { return 20 * (0.5 * SIDE - row - 0.5) / (0.5 * SIDE); }
static double y_of(int column) { return x_of(column); }

// All pixels against the illuminance [lx] that a law gives at x, y; full light is 1e5 lx over the
// exposure.
static void assert_illuminance(const World* w, double full, double (*law)(double x, double y)) {
  int lit = 0;
  for (int row = 0; row < SIDE; row++) {
    for (int column = 0; column < SIDE; column++) {
      double half_step;
      const double got = signal_at(w, row, column, 0, &half_step);
      const double want = law(x_of(row), y_of(column)) / full;
      if (want > 0.98) continue;
      if (!(fabs(got - want) <= half_step + 1e-3 * want)) {
        fail_msg("%g, not %g at %g %g", got, want, x_of(row), y_of(column));
      }
      lit += want > 0.01;
    }
  }
  assert_true(lit > 60);
}

// 1000 cd, 3 m above x = 2, y = -4; none of it upwards, where the camera would see the lamp.
static double point_law(double x, double y) {
  const double square = (x - 2) * (x - 2) + (y + 4) * (y + 4) + 9;
  return 1000 * (3 / sqrt(square)) / square;
}

static void test_inverse_square(void** state) {
  (void)state;
  World w =
      open_world("<lamp x='2' y='-4' z='3' intensity='1 kcd' color='#ffffff' cutoff='0'/>" EYE(
          "exposure='800'"));
  assert_illuminance(&w, 1e5 / 800, point_law);
  close_world(&w);
}

// A candela is photometric: lamps of all colours give the same luminance, whose parts of red, green
// and blue are those of ITU-R BT.709.
static void test_colours(void** state) {
  (void)state;
  static const char* const colour[] = {"#ff0000", "#00ff00", "#0000ff", "#fff1d6", "#ff1808"};
  static const double part[3] = {0.2126, 0.7152, 0.0722};
  for (int i = 0; i < 5; i++) {
    char text[400];
    snprintf(
        text, sizeof text,
        "<lamp x='2' y='-4' z='3' intensity='1 kcd' color='%s' cutoff='0'/>" EYE("exposure='50'"),
        colour[i]);
    World w = open_world(text);
    // below the lamp; the signal of blue light is the largest, 0.056 / 0.0722
    const int row = 28, column = 38;
    double luminance = 0, tolerance = 0;
    for (int k = 0; k < 3; k++) {
      double half_step;
      luminance += part[k] * signal_at(&w, row, column, k, &half_step);
      tolerance += part[k] * half_step;
    }
    const double want = point_law(x_of(row), y_of(column)) * 50 / 1e5;
    assert_true(want > 0.04 && want < 0.07);
    if (fabs(luminance - want) > tolerance + 1e-3 * want) {
      fail_msg("%s: %g, not %g", colour[i], luminance, want);
    }
    close_world(&w);
  }
}

// Two of them add up.
static double two_law(double x, double y) { return point_law(x, y) + point_law(-x, -y); }

static void test_sum(void** state) {
  (void)state;
  World w = open_world(
      "<lamp x='2' y='-4' z='3' intensity='1 kcd' color='#ffffff' cutoff='0'/>"
      "<lamp x='-2' y='4' z='3' intensity='1 kcd' color='#ffffff' cutoff='0'/>" EYE(
          "exposure='800'"));
  assert_illuminance(&w, 1e5 / 800, two_law);
  close_world(&w);
}

// A head lamp 1 m above x = -15, that shines along x, 3 degrees down: standard deviations of 10 and
// 4 degrees, no beam above 1 degree below its axis, nothing beyond 12 degrees from
// it, and 900 cd all over that cone.
static double beam_law(double x, double y) {
  const double away[3] = {x + 15, y, -1}, down = 3 * PI / 180;
  const double d = sqrt(away[0] * away[0] + y * y + 1);
  const double ahead = (away[0] * cos(down) - away[2] * sin(down)) / d;
  const double up = (away[0] * sin(down) + away[2] * cos(down)) / d, left = y / d;
  if (acos(ahead) > 12 * PI / 180) return 0;
  const double stray = 900 * (1 / d) / (d * d);
  if (asin(up) > -1 * PI / 180) return stray;
  const double h = atan2(left, ahead) / (10 * PI / 180), v = asin(up) / (4 * PI / 180);
  return stray + 20000 * exp(-0.5 * (h * h + v * v)) * (1 / d) / (d * d);
}

static void test_beam(void** state) {
  (void)state;
  World w = open_world(
      "<lamp x='-15' z='1' pitch='3 deg' intensity='20 kcd' stray='900 cd' color='#ffffff' "
      "spread='10 4 deg' "
      "cone='12 deg' cutoff='-1 deg'/>" EYE("exposure='2000'"));
  assert_illuminance(&w, 1e5 / 2000, beam_law);
  close_world(&w);
}

// A wall between x = 1 and the lamp at x = 0, 2 m high where the lamp stands at 4 m, hides the
// ground up to x = 2; of its own vehicle a lamp sees nothing.
static void test_shadow(void** state) {
  (void)state;
  World w = open_world(
      "<wall from='1 -15' to='1 15' height='2' thickness='1 mm'/>"
      "<lamp z='4' intensity='1 kcd' color='#ffffff' cutoff='0'/>" EYE("exposure='800'"));
  int hidden = 0, lit = 0;
  for (int row = 0; row < SIDE; row++) {
    const double x = x_of(row);
    double half_step;
    const double got = signal_at(&w, row, SIDE / 2, 1, &half_step);
    if (x > 1.1 && x < 1.9) {
      assert_near(got, 0, 1e-9);
      hidden++;
    } else if (fabs(x) < 0.9 || x > 2.1) {
      assert_true(got > 0.002);
      lit++;
    }
  }
  assert_true(hidden >= 1 && lit > 20);
  close_world(&w);
}

// Seen from 10 m, a disc of 1 m that sends 100 cd towards the camera has the luminance 100/pi, that
// of a white surface in 100 lx. In fog of 30 m it loses 1 - exp(-3.912/30 10) of it.
static void test_lamp_itself(void** state) {
  (void)state;
#define LAMP_BEFORE(more)                                                                       \
  "<lamp x='10' z='5' yaw='180 deg' intensity='100 cd' radius='1 m' color='#ffffff' cone='80 "  \
  "deg'/>"                                                                                      \
  "<sensor type='camera' name='eye' z='5' period='0.1' noise='none' exposure='500' width='64' " \
  "height='64' fov='20 deg' " more "/>"
  for (int i = 0; i < 2; i++) {
    World w = open_world(i == 0 ? LAMP_BEFORE("") : LAMP_BEFORE("visibility='30 m'"));
    const double focal = SIDE / 2 / tan(10 * PI / 180), clear = i == 0 ? 1 : exp(-3.912 / 3);
    for (int row = 0; row < SIDE; row++) {
      const double away = 10 * fabs(row + 0.5 - SIDE / 2) / focal;
      if (away > 0.95 && away < 1.05) continue;
      double half_step;
      const double got = signal_at(&w, row, SIDE / 2, 2, &half_step);
      assert_near(got, away < 1 ? 0.5 * clear : 0, half_step + 0.02 * (i > 0) * clear);
    }
    close_world(&w);
  }
}

// A vehicle carries its lamps along, and does not stand in their light.
static void test_carried(void** state) {
  (void)state;
  World w = open_world(
      "<vehicle class='4x4' position='5 0' yaw='90 deg'><chassis mass='1000 kg' "
      "outline='-1 -1, 1 -1, 1 1, -1 1' z_max='1.5 m'/><lamp x='0' z='1 m' pitch='20 deg' "
      "intensity='1 kcd' color='#ffffff' cone='10 deg'/><drive type='locked'/>"
      "<suspension type='slider'/><tyre type='linear'/><axle x='0.6 m'/><axle x='-0.6 "
      "m'/></vehicle>" EYE("exposure='800'"));
  double half_step, brightest = 0;
  int at[2] = {0, 0};
  for (int row = 0; row < SIDE; row++) {
    for (int column = 0; column < SIDE; column++) {
      const double got = signal_at(&w, row, column, 0, &half_step);
      if (got > brightest) {
        brightest = got;
        at[0] = row;
        at[1] = column;
      }
    }
  }
  // on the ground ahead of it, along y from 1/tan(30 deg) to 1/tan(10 deg)
  assert_true(brightest > 0.05);
  assert_near(x_of(at[0]), 5, 1);
  assert_true(y_of(at[1]) > 1.2 && y_of(at[1]) < 5.7);
  close_world(&w);
}

// Sheeting 20 m before a camera, in the light of a lamp beside it: the luminance R_A I / d^2 at the
// observation angles at which ASTM D4956-01 lists type III. The lamp lights it at less than 0.6
// deg, where sheeting is 1 % brighter than at 4 deg.
static void test_sheeting(void** state) {
  (void)state;
  static const double listed[5][2] = {{0.1, 300}, {0.2, 250}, {0.33, 180}, {0.5, 95}, {2, 5}};
  for (int i = 0; i < 5; i++) {
    char text[1000];
    const double aside = 20 * tan(listed[i][0] * PI / 180), cd = i < 4 ? 100 : 4000;
    snprintf(text, sizeof text,
             "<block fixed='true' shape='box' size='0.2 9 10' position='20.1 0'>"
             "<material color='1 1 1' retroreflection='250'/></block>"
             "<lamp y='%.9g' z='5' intensity='%g cd' color='#ffffff' cone='60 deg'/>"
             "<sensor type='camera' name='eye' z='5' period='0.1' noise='none' exposure='320' "
             "width='64' height='64' fov='1 deg'/>",
             aside, cd);
    World w = open_world(text);
    double half_step;
    const double got = signal_at(&w, SIDE / 2, SIDE / 2, 1, &half_step);
    const double want = 320 / 1e5 * (PI * listed[i][1] * 1.0134 + 1) * cd / 400;
    assert_near(got, want, half_step + 0.06 * want);
    if (i == 1) assert_near(got, want, half_step + 0.01 * want);
    close_world(&w);
  }
}

// Light that sheeting returns has its colour: what a red sign of R_A = 45 returns of white light is
// as bright to the eye as R_A says.
static void test_red_sheeting(void** state) {
  (void)state;
  World w = open_world(
      "<block fixed='true' shape='box' size='0.2 9 10' position='20.1 0'>"
      "<material color='0.45 0.03 0.03' retroreflection='45'/></block>"
      "<lamp y='0.0698' z='5' intensity='100 cd' color='#ffffff' cone='60 deg'/>"
      "<sensor type='camera' name='eye' z='5' period='0.1' noise='none' exposure='600' "
      "width='64' height='64' fov='1 deg'/>");
  static const double eye[3] = {0.2126, 0.7152, 0.0722};
  double whole = 0, half_step, all = 0;
  for (int c = 0; c < 3; c++) {
    const double part = signal_at(&w, SIDE / 2, SIDE / 2, c, &half_step);
    whole += eye[c] * part;
    all += eye[c] * half_step;
  }
  const double diffuse = eye[0] * 0.45 + (eye[1] + eye[2]) * 0.03;
  const double want = 600 / 1e5 * (PI * 45 * 1.0134 + diffuse) * 100 / 400;
  assert_near(whole, want, all + 0.01 * want);
  close_world(&w);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_inverse_square),
                                     cmocka_unit_test(test_colours),
                                     cmocka_unit_test(test_sum),
                                     cmocka_unit_test(test_beam),
                                     cmocka_unit_test(test_shadow),
                                     cmocka_unit_test(test_lamp_itself),
                                     cmocka_unit_test(test_carried),
                                     cmocka_unit_test(test_sheeting),
                                     cmocka_unit_test(test_red_sheeting)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
