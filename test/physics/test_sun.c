// SPDX-License-Identifier: BSD-3-Clause
//
// The sun by date and place, and its light, against published values.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "assert_near.h"
#include "base/date.h"
#include "geom/sun.h"
#include "rut/sensor.h"

static const double DEGREE = 3.14159265358979323846 / 180;

static void find(const char* time, double latitude, double longitude, double* azimuth,
                 double* elevation) {
  double seconds;
  assert_true(rut_date_parse(time, &seconds));
  rut_sun_position(seconds, latitude * DEGREE, longitude * DEGREE, azimuth, elevation);
  *azimuth /= DEGREE;
  *elevation /= DEGREE;
}

// The worked example of NREL's algorithm (I. Reda and A. Andreas, NREL/TP-560-34302, 2003, table
// A5.1): zenith 50.11162, azimuth 194.34024 degrees. It refracts for the pressure at 1830 m, 0.004
// degrees less.
static void test_reda(void** state) {
  (void)state;
  double azimuth, elevation;
  find("2003-10-17T12:30:30-07:00", 39.742476, -105.1786, &azimuth, &elevation);
  assert_near(azimuth, 194.34024 - 360, 0.01);
  assert_near(elevation, 90 - 50.11162, 0.01 + 0.004);
}

// J. Meeus, Astronomical Algorithms (1998), example 25.a: the declination of the sun is -7.78507
// degrees. At the south pole that is its elevation, which refraction lifts by 6.7' (G. G. Bennett,
// J. Navigation 35, 1982).
static void test_meeus(void** state) {
  (void)state;
  double azimuth, elevation;
  find("1992-10-13T00:00Z", -90, 0, &azimuth, &elevation);
  assert_near(elevation, 7.78507 + 6.7 / 60, 0.012);
}

// The equation of time has its maximum on 3 November, 16 min 25 s (Nautical Almanac): that much
// before 12:00 the sun is in the south of Greenwich, in the north of a place at 51 S.
static void test_equation_of_time(void** state) {
  (void)state;
  double azimuth, elevation;
  find("2025-11-03T11:43:35Z", 51.48, 0, &azimuth, &elevation);
  assert_near(fabs(azimuth), 180, 0.05);
  find("2025-11-03T11:43:35Z", -51.48, 0, &azimuth, &elevation);
  assert_near(azimuth, 0, 0.05);
  // mornings are in the east
  find("2025-11-03T08:00:00Z", 51.48, 0, &azimuth, &elevation);
  assert_in_range((int)azimuth, 90, 150);
}

// At sunrise and sunset the centre of the sun is 50' below the horizon, without refraction
// (Nautical Almanac), of which NOAA's law takes 24'. Greenwich, 21 June 2025: 3:43 and 20:22 UTC,
// when it moves 8' in a minute.
static void test_sunset(void** state) {
  (void)state;
  double azimuth, elevation;
  find("2025-06-21T03:43:00Z", 51.4779, 0, &azimuth, &elevation);
  assert_near(elevation, -26.0 / 60, 8.0 / 60);
  find("2025-06-21T20:21:30Z", 51.4779, 0, &azimuth, &elevation);
  assert_near(elevation, -26.0 / 60, 8.0 / 60);
}

// Air masses of Kasten and Young's table (1989): 1 in the zenith, 5.58 at 10 degrees, 38 on the
// horizon. 128 klx before the air, of which one air mass leaves exp(-0.21).
static void test_clear_sky(void** state) {
  (void)state;
  static const double mass[][2] = {{90, 1}, {10, 5.58}, {1e-9, 37.92}};
  for (int i = 0; i < 3; i++) {
    rutDaylight day;
    rut_daylight(mass[i][0] * DEGREE, 0, &day);
    assert_near(log(128e3 / day.sun) / 0.21, mass[i][1], 0.01 * mass[i][1]);
    assert_near(day.colour[0], 1, 1e-15);
    assert_true(day.colour[0] > day.colour[1] && day.colour[1] > day.colour[2]);
  }
}

// Under a closed cover a quarter of the light is left, all of it from the sky; under half of one,
// 0.93 of it, 0.475 of that from the sky (Kasten and Czeplak, 1980). A clear sky gives 0.3.
static void test_clouds(void** state) {
  (void)state;
  const double elevation = 40 * DEGREE;
  rutDaylight clear, half, closed;
  rut_daylight(elevation, 0, &clear);
  rut_daylight(elevation, 0.5, &half);
  rut_daylight(elevation, 1, &closed);
  const double all = clear.sun * sin(elevation) + clear.sky;
  assert_near(clear.sky, 0.3 * all, 1e-9 * all);
  assert_near(half.sun * sin(elevation) + half.sky, 0.929 * all, 1e-3 * all);
  assert_near(half.sky, 0.475 * 0.929 * all, 1e-3 * all);
  assert_near(closed.sun, 0, 1e-9);
  assert_near(closed.sky, 0.25 * all, 1e-9 * all);
}

static void test_twilight(void** state) {
  (void)state;
  static const double lux[][2] = {{-1e-9, 400}, {-6, 3.4}, {-12, 0.008}, {-18, 6e-4}, {-60, 6e-4}};
  for (int i = 0; i < 5; i++) {
    rutDaylight day;
    rut_daylight(lux[i][0] * DEGREE, 0, &day);
    assert_near(day.sun, 0, 0);
    assert_near(day.sky, lux[i][1], 1e-6 * lux[i][1]);
  }
}

// In a world: x points 30 degrees from east towards north; from north to east 194.34 degrees are
// 90 - 194.34 - 30 from there.
static void test_world(void** state) {
  (void)state;
  static const char text[] =
      "<world><georeference latitude='39.742476 deg' longitude='-105.1786 deg' rotation='30 deg'/>"
      "<light time='2003-10-17T12:30:30-07:00'/></world>";
  rutError err = {0};
  rutContext* context = NULL;
  rutSpec* spec = NULL;
  rutModel* model = NULL;
  assert_int_equal(rut_context_create(NULL, &context, &err), RUT_OK);
  assert_int_equal(rut_spec_parse(context, text, strlen(text), "sun.xml", &spec, &err), RUT_OK);
  assert_int_equal(rut_compile(spec, &model, &err), RUT_OK);
  rutLight light;
  rut_model_light(model, &light);
  const double azimuth = (90 - 194.34024 - 30) * DEGREE, elevation = (90 - 50.11162) * DEGREE;
  assert_near(light.sun[0], cos(elevation) * cos(azimuth), 3e-4);
  assert_near(light.sun[1], cos(elevation) * sin(azimuth), 3e-4);
  assert_near(light.sun[2], sin(elevation), 3e-4);
  // 0.7 of the light on level ground come from the sun
  const double sun = light.illuminance * (1 - light.ambient) * light.sun[2];
  const double sky = light.illuminance * light.ambient;
  assert_near(sun / (sun + sky), 0.7, 1e-9);
  assert_near(
      light.illuminance * (1 - light.ambient),
      128e3 * exp(-0.21 / (sin(elevation) + 0.50572 * pow(elevation / DEGREE + 6.07995, -1.6364))),
      20);
  rut_model_destroy(model);
  rut_spec_destroy(spec);
  rut_context_destroy(context);
}

static double extinction_of(const char* world) {
  rutError err = {0};
  rutContext* context = NULL;
  rutSpec* spec = NULL;
  rutModel* model = NULL;
  assert_int_equal(rut_context_create(NULL, &context, &err), RUT_OK);
  assert_int_equal(rut_spec_parse(context, world, strlen(world), "air.xml", &spec, &err), RUT_OK);
  assert_int_equal(rut_compile(spec, &model, &err), RUT_OK);
  const double found = rut_model_extinction(model);
  rut_model_destroy(model);
  rut_spec_destroy(spec);
  rut_context_destroy(context);
  return found;
}

// Koschmieder: 2 % of the contrast are left over the visibility. Carbonneau and Wisely: rain of
// 10 mm/h takes 1.08 * 10^0.67 dB/km. Dust has 0.5 m2/g.
static void test_air(void** state) {
  (void)state;
  assert_near(extinction_of("<world/>"), 0, 0);
  const double fog = extinction_of("<world><weather visibility='80 m'/></world>");
  assert_near(exp(-80 * fog), 0.02, 1e-5);
  const double rain = extinction_of("<world><weather rain='10 mm/h'/></world>");
  assert_near(10 * log10(exp(1000 * rain)), 1.08 * pow(10, 0.67), 1e-9);
  const double both =
      extinction_of("<world><weather visibility='80 m' rain='10 mm/h' dust='0.1 g/m3'/></world>");
  assert_near(both, fog + rain + 0.05, 1e-12);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_reda),
                                     cmocka_unit_test(test_meeus),
                                     cmocka_unit_test(test_equation_of_time),
                                     cmocka_unit_test(test_sunset),
                                     cmocka_unit_test(test_clear_sky),
                                     cmocka_unit_test(test_clouds),
                                     cmocka_unit_test(test_twilight),
                                     cmocka_unit_test(test_world),
                                     cmocka_unit_test(test_air)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
