// SPDX-License-Identifier: BSD-3-Clause
//
// Weather of the world, which sensors have that give none of their own.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "assert_near.h"
#include "rut/component.h"
#include "world_fixture.h"

static const rutComponent* const none[] = {NULL};

static const double FOG = 50;  // visibility [m]

// A black wall 30 m ahead, before which there is nothing else.
#define WORLD(weather, own)                                                                      \
  "<world><light ambient='0' elevation='60 deg'/>" weather                                       \
  "<block fixed='true' shape='box' size='2 90 90' position='31 0' z_max='90'>"                   \
  "<material colour='0 0 0' reflectance_905='0.5'/></block>"                                     \
  "<sensor type='lidar' name='lidar' z='2' noise='none' channels='1' columns='1' fov='0' "       \
  "elevation_first='0' elevation_last='0' rated_range='0' intensity='power' " own                \
  "/><sensor type='camera' name='camera' z='2' noise='none' width='3' height='3' fov='2 deg' "   \
  "exposure='2' " own                                                                            \
  "/><sensor type='radar' name='radar' z='2' noise='none' fov='1 deg' fov_vertical='1 deg' " own \
  "/></world>"

enum { LIDAR, CAMERA, RADAR };

// The strength of the return, the brightness of the wall, and the signal over the noise.
typedef struct Seen {
  double power, grey, snr;
} Seen;

// First number of an output.
static double output(const World* w, int sensor, const char* name) {
  for (int i = 0; i < rut_sensor_info(w->model, sensor).outputs; i++) {
    const rutVariableInfo info = rut_variable(w->model, RUT_SENSOR, sensor, RUT_OUTPUT, i);
    if (strcmp(info.name, name) != 0) continue;
    const void* at = rut_sensor_output(w->model, w->data, sensor, i, NULL);
    assert_non_null(at);
    if (info.type == RUT_U8) return *(const unsigned char*)at;
    return info.type == RUT_F32 ? *(const float*)at : *(const double*)at;
  }
  fail_msg("no output %s", name);
  return 0;
}

static Seen look(const char* text) {
  World w = open_world_with(text, 0, none);
  run(&w, 30);
  const double code = output(&w, CAMERA, "colour") / 255;
  const Seen seen = {output(&w, LIDAR, "intensity"),
                     code <= 0.04045 ? code / 12.92 : pow((code + 0.055) / 1.055, 2.4),
                     output(&w, RADAR, "snr")};
  close_world(&w);
  return seen;
}

static void assert_same(const Seen* a, const Seen* b) {
  assert_near(a->power, b->power, 0);
  assert_near(a->grey, b->grey, 0);
  assert_near(a->snr, b->snr, 0);
}

// Fog of a visibility V below 500 m takes exp(-3.912 d/V) of light of all colours, and the wall
// gets a quarter of the exposure times what is lost (Koschmieder).
static void test_fog(void** state) {
  (void)state;
  const Seen clear = look(WORLD("", ""));
  const Seen fog = look(WORLD("<weather visibility='50 m'/>", ""));
  const Seen over = look(WORLD("<weather visibility='50 m'/>", "visibility='0'"));
  const Seen own = look(WORLD("<weather visibility='900 m'/>", "visibility='50 m'"));
  assert_near(fog.power / clear.power, exp(-2 * 3.912 * 30 / FOG), 1e-6);
  assert_near(fog.grey, 2 * 0.25 * (1 - exp(-3.912 * 30 / FOG)), 0.005);
  assert_near(clear.grey, 0, 0);
  assert_true(fog.snr < 0.99 * clear.snr);
  assert_same(&over, &clear);
  assert_same(&own, &fog);
}

// What only some sensors have: dust is nothing to a radar.
static void test_dust(void** state) {
  (void)state;
  const Seen clear = look(WORLD("", ""));
  const Seen dust = look(WORLD("<weather dust='0.02 g/m3'/>", ""));
  assert_near(dust.power / clear.power, exp(-2 * 0.5 * 0.02 * 30), 1e-6);
  assert_near(dust.snr, clear.snr, 0);
  assert_near(dust.grey, 0.5 * (1 - exp(-0.5 * 0.02 * 30)), 0.005);
}

// 25 mm/h: a = 1.08 R^0.67 dB/km (Carbonneau); and a sensor's own rate, with the world's fog.
static void test_rain(void** state) {
  (void)state;
  const Seen clear = look(WORLD("", ""));
  const Seen rain = look(WORLD("<weather rain='25 mm/h'/>", ""));
  const Seen both = look(WORLD("<weather rain='3 mm/h' visibility='50 m'/>", "rain='25 mm/h'"));
  const double b = 1.08 * pow(25, 0.67) * log(10) / 1e4;
  assert_near(rain.power / clear.power, exp(-2 * b * 30), 1e-6);
  assert_near(both.power / clear.power, exp(-2 * (b + 3.912 / FOG) * 30), 1e-6);
  assert_true(rain.snr < clear.snr);
}

static void test_refused(void** state) {
  (void)state;
  static const struct {
    const char *text, *message;
  } cases[] = {{"<world>\n<weather/><weather/></world>", "only one <weather>"},
               {"<world>\n<weather rain='-1 mm/h'/></world>", "'rain'"},
               {"<world><weather rain='9 m'/></world>", "'rain'"},
               {"<world>\n<light time='today'/></world>", "'time' must be a date"},
               {"<world>\n<light time='2026-06-21T12:30Z'/></world>", "needs the world's latitude"},
               {"<world><light cloud_cover='1.5'/></world>", "'cloud_cover'"},
               {"<world><light illuminance='-1 klx'/></world>", "'illuminance'"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    World w;
    assert_false(load_world(&w, cases[i].text, 0, none));
    if (!strstr(w.message, cases[i].message)) fail_msg("%s", w.message);
    close_world(&w);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_fog), cmocka_unit_test(test_dust),
                                     cmocka_unit_test(test_rain), cmocka_unit_test(test_refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
