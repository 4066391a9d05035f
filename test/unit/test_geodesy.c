// SPDX-License-Identifier: BSD-3-Clause
//
// Geodetic coordinates, the constellation of satellites, dilution of precision and the solution of
// pseudoranges.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "assert_near.h"
#include "geom/geodesy.h"
#include "geom/satellites.h"
#include "math/rut_math.h"

static uint32_t seed = 7;
static double uniform(double low, double high) {
  seed = seed * 1664525u + 1013904223u;
  return low + (high - low) * (seed >> 8) / 16777216.0;
}

static void assert_vector(rutVec3 have, double x, double y, double z, double tolerance) {
  assert_near(have.x, x, tolerance);
  assert_near(have.y, y, tolerance);
  assert_near(have.z, z, tolerance);
}

// The semi-axes of NIMA TR8350.2, and the radius of curvature of the prime vertical at 45 degrees,
// N = a / sqrt(1 - e^2/2): x = N cos 45, z = N (1 - e^2) sin 45.
static void places_of_the_ellipsoid(void** state) {
  (void)state;
  const double pi = acos(-1.0), e2 = 6.69437999014e-3;
  assert_vector(rut_ecef_of_geodetic((rutGeodetic){0, 0, 0}), 6378137, 0, 0, 1e-9);
  assert_vector(rut_ecef_of_geodetic((rutGeodetic){0, pi / 2, 100}), 0, 6378237, 0, 1e-9);
  assert_vector(rut_ecef_of_geodetic((rutGeodetic){-pi / 2, 0, 0}), 0, 0, -6356752.3142, 1e-4);
  const double n = 6378137 / sqrt(1 - e2 / 2);
  assert_vector(rut_ecef_of_geodetic((rutGeodetic){pi / 4, 0, 0}), n * sqrt(0.5), 0,
                n * (1 - e2) * sqrt(0.5), 1e-4);
}

// East, north and up at known places: at 0 N 90 E up is y and east -x; at 90 N up is z.
static void axes_of_the_tangent_plane(void** state) {
  (void)state;
  const double pi = acos(-1.0);
  rutTangentPlane plane = rut_tangent_plane((rutGeodetic){0, pi / 2, 0});
  assert_vector(rut_ecef_of_enu(&plane, rut_vec3(1, 0, 0)), -1, 6378137, 0, 1e-8);
  assert_vector(rut_ecef_of_enu(&plane, rut_vec3(0, 1, 0)), 0, 6378137, 1, 1e-8);
  assert_vector(rut_ecef_of_enu(&plane, rut_vec3(0, 0, 1)), 0, 6378138, 0, 1e-8);
  plane = rut_tangent_plane((rutGeodetic){pi / 2, 0, 0});
  assert_vector(rut_ecef_of_enu(&plane, rut_vec3(0, 0, 5)), 0, 0, 6356757.3142, 1e-4);
  assert_vector(rut_ecef_of_enu(&plane, rut_vec3(3, 0, 0)), 0, 3, 6356752.3142, 1e-4);
}

// Along a meridian arc a small step north changes the latitude by its length over the meridian
// radius M = a (1 - e^2) / (1 - e^2 sin^2)^1.5, and a step east the longitude by N cos.
static void steps_on_the_ground(void** state) {
  (void)state;
  const double latitude = 0.8, longitude = -2, e2 = 6.69437999014e-3;
  const double w = 1 - e2 * sin(latitude) * sin(latitude);
  const double meridian = 6378137 * (1 - e2) / pow(w, 1.5), prime = 6378137 / sqrt(w);
  const rutTangentPlane plane = rut_tangent_plane((rutGeodetic){latitude, longitude, 0});
  const rutGeodetic at = rut_geodetic_of_ecef(rut_ecef_of_enu(&plane, rut_vec3(20, 10, 0)));
  assert_near(at.latitude - latitude, 10 / meridian, 1e-11);
  assert_near(at.longitude - longitude, 20 / (prime * cos(latitude)), 1e-11);
  // and the ground falls away from the tangent plane by d^2 / 2 R
  assert_near(at.height, (10 * 10 / meridian + 20 * 20 / prime) / 2, 1e-8);
}

// There and back, to the last digits of doubles: those of 6.4e6 m, or of angles on that radius, are
// up to 1.4e-9 m apart, those of 3.6e7 m 7.5e-9 m.
static void round_trips(void** state) {
  (void)state;
  const double pi = acos(-1.0);
  for (int i = 0; i < 20000; i++) {
    const rutGeodetic at = {uniform(-pi / 2, pi / 2), uniform(-pi, pi),
                            i % 2 ? uniform(-5000, 9000) : uniform(0, 3e7)};
    const rutVec3 ecef = rut_ecef_of_geodetic(at);
    const rutGeodetic back = rut_geodetic_of_ecef(ecef);
    const double radius = 6378137 + at.height, tolerance = 3e-9 * (at.height > 1e4 ? 10 : 1);
    assert_near((back.latitude - at.latitude) * radius, 0, tolerance);
    assert_near((back.longitude - at.longitude) * radius * cos(at.latitude), 0, tolerance);
    assert_near(back.height, at.height, tolerance);
    if (i % 2 == 0) continue;
    const rutTangentPlane plane = rut_tangent_plane(at);
    const rutVec3 enu = {uniform(-1e4, 1e4), uniform(-1e4, 1e4), uniform(-1e3, 1e3)};
    const rutVec3 again = rut_enu_of_ecef(&plane, rut_ecef_of_enu(&plane, enu));
    assert_near(rut_vec3_norm(rut_vec3_sub(again, enu)), 0, 1.5e-9);
  }
}

// Heights and places on the poles and the equator, where terms vanish.
static void singular_places(void** state) {
  (void)state;
  const double pi = acos(-1.0);
  rutGeodetic at = rut_geodetic_of_ecef(rut_vec3(0, 0, -6356852.3142));
  assert_near(at.latitude, -pi / 2, 1e-12);
  assert_near(at.height, 100, 1e-4);
  at = rut_geodetic_of_ecef(rut_vec3(-6378138, 0, 0));
  assert_near(at.latitude, 0, 0);
  assert_near(fabs(at.longitude), pi, 1e-15);
  assert_near(at.height, 1, 1e-9);
}

// A mean of the globe knows nothing of the orbits: a satellite at radius a stands higher than e
// over the cap of half-angle p = acos(R cos(e) / a) - e, a part (1 - cos p)/2 of a sphere.
static void satellites_in_view(void** state) {
  (void)state;
  const double pi = acos(-1.0), e = 5 * pi / 180, radius = 6371000, a = 26559700;
  const double cap = acos(radius * cos(e) / a) - e;
  double seen = 0;
  int places = 0, least = RUT_SATELLITES;
  for (int i = 0; i < 4000; i++) {
    rutVec3 satellite[RUT_SATELLITES];
    const rutTangentPlane plane =
        rut_tangent_plane((rutGeodetic){asin(uniform(-1, 1)), uniform(-pi, pi), 0});
    rut_satellites(uniform(0, 86400), satellite);
    int n = 0;
    for (int k = 0; k < RUT_SATELLITES; k++) {
      const rutVec3 to = rut_enu_of_ecef(&plane, satellite[k]);
      assert_near(rut_vec3_norm(satellite[k]), a, 1e-6);
      n += to.z > sin(e) * rut_vec3_norm(to);
    }
    seen += n;
    places++;
    if (n < least) least = n;
  }
  assert_near(seen / places, RUT_SATELLITES * (1 - cos(cap)) / 2, 0.1);
  // the constellation was designed for four everywhere and always
  assert_true(least >= 4);
}

// Slot A3 a quarter of its orbit after its node stands highest, at the latitude of the inclination,
// and a sidereal day of the earth, two orbits, brings it back but for the nodes' drift.
static void orbits(void** state) {
  (void)state;
  const double pi = acos(-1.0);
  rutVec3 s[RUT_SATELLITES], later[RUT_SATELLITES];
  const double rate = sqrt(3.986005e14 / pow(26559.7e3, 3));
  rut_satellites((90 - 11.676) * pi / 180 / rate, s);
  assert_near(asin(s[2].z / 26559700), 55 * pi / 180, 1e-9);
  // its longitude then: the node's, 90 degrees on, less the turn of the earth
  const double turned = 7.2921151467e-5 * (90 - 11.676) * pi / 180 / rate;
  double longitude = (272.847 - 279.06 + 90) * pi / 180 - turned - atan2(s[2].y, s[2].x);
  assert_near(remainder(longitude, 2 * pi), 0, 1e-9);
  rut_satellites(0, s);
  rut_satellites(86164.0905, later);
  assert_near(rut_vec3_norm(rut_vec3_sub(later[5], s[5])) / 26559700, 0, 2e-3);
}

// One satellite at the zenith and three on the horizon, 120 degrees apart. G^T G is 3/2 for both
// horizontal axes; of up and clock it is ((1, -1), (-1, 4)), whose inverse is ((4, 1), (1, 1)) / 3.
static void dilution_by_hand(void** state) {
  (void)state;
  rutVec3 d[4] = {{0, 0, 1}, {1, 0, 0}, {-0.5, sqrt(0.75), 0}, {-0.5, -sqrt(0.75), 0}};
  rutDilution out;
  assert_true(rut_dilution(4, d, &out));
  assert_near(out.x * out.x, 2.0 / 3, 1e-12);
  assert_near(out.y * out.y, 2.0 / 3, 1e-12);
  assert_near(out.z * out.z, 4.0 / 3, 1e-12);
  assert_near(out.clock * out.clock, 1.0 / 3, 1e-12);
  // each of them twice: every variance is half
  rutVec3 twice[8];
  for (int i = 0; i < 8; i++) twice[i] = d[i % 4];
  assert_true(rut_dilution(8, twice, &out));
  assert_near(out.z * out.z, 2.0 / 3, 1e-12);
  // three, or four on one cone about the zenith, do not tell height from clock
  assert_false(rut_dilution(3, d, &out));
  const rutVec3 cone[4] = {{0.6, 0, 0.8}, {-0.6, 0, 0.8}, {0, 0.6, 0.8}, {0, -0.6, 0.8}};
  assert_false(rut_dilution(4, cone, &out));
}

// Ranges without errors give the place to 1e-6 m, from a guess that is hundreds of kilometres off.
static void solution_without_errors(void** state) {
  (void)state;
  const double pi = acos(-1.0);
  for (int i = 0; i < 300; i++) {
    rutVec3 all[RUT_SATELLITES], some[RUT_SATELLITES];
    const rutGeodetic place = {asin(uniform(-1, 1)), uniform(-pi, pi), uniform(-100, 4000)};
    const rutTangentPlane plane = rut_tangent_plane(place);
    const double clock = uniform(-3e5, 3e5);
    double range[RUT_SATELLITES], found_clock = 0;
    int n = 0;
    rut_satellites(uniform(0, 86400), all);
    for (int k = 0; k < RUT_SATELLITES; k++) {
      if (rut_enu_of_ecef(&plane, all[k]).z < 0) continue;
      range[n] = rut_vec3_norm(rut_vec3_sub(all[k], plane.origin)) + clock;
      some[n++] = all[k];
    }
    rutVec3 found = rut_ecef_of_enu(&plane, rut_vec3(uniform(-4e5, 4e5), uniform(-4e5, 4e5), 0));
    assert_true(rut_pseudorange_solve(n, some, range, &found, &found_clock));
    assert_near(rut_vec3_norm(rut_vec3_sub(found, plane.origin)), 0, 1e-6);
    assert_near(found_clock, clock, 1e-6);
    assert_false(rut_pseudorange_solve(3, some, range, &found, &found_clock));
  }
}

// An error of one range moves the solution by a column of (G^T G)^-1 G^T. For the satellites of
// dilution_by_hand and 1 m too much to the one at the zenith, G^T e is (0, 0, -1, 1), and the
// inverse above makes that -1 m up and 0 of the clock.
static void solution_with_an_error(void** state) {
  (void)state;
  const double r = 2e10;  // so far away that directions do not change
  const rutVec3 satellite[4] = {
      {0, 0, r}, {r, 0, 0}, {-0.5 * r, sqrt(0.75) * r, 0}, {-0.5 * r, -sqrt(0.75) * r, 0}};
  const double range[4] = {r + 1, r, r, r};
  rutVec3 found = {0, 0, 0};
  double clock = 0;
  assert_true(rut_pseudorange_solve(4, satellite, range, &found, &clock));
  assert_vector(found, 0, 0, -1, 1e-4);
  assert_near(clock, 0, 1e-4);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(places_of_the_ellipsoid),
                                     cmocka_unit_test(axes_of_the_tangent_plane),
                                     cmocka_unit_test(steps_on_the_ground),
                                     cmocka_unit_test(round_trips),
                                     cmocka_unit_test(singular_places),
                                     cmocka_unit_test(satellites_in_view),
                                     cmocka_unit_test(orbits),
                                     cmocka_unit_test(dilution_by_hand),
                                     cmocka_unit_test(solution_without_errors),
                                     cmocka_unit_test(solution_with_an_error)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
