// SPDX-License-Identifier: BSD-3-Clause
//
// Roads of OpenDRIVE: curves against Fresnel integrals of SciPy 1.17.1 (scipy.special.fresnel) and
// closed forms, surfaces against the products of rotations that define them, worked out with NumPy.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <math.h>

#include "../repetitions.h"
#include "format/xodr_surface.h"
#include "geom/road_surface.h"
#include "math/rut_math.h"

// Also holds the last finding.
static char last[400];

static void keep_finding(const rutDiagnostic* finding, void* user) {
  (void)user;
  snprintf(last, sizeof last, "%d: %s: %s", finding->line, finding->element, finding->message);
}

static char* read_all(const char* path, size_t* size) {
  FILE* file = fopen(path, "rb");
  if (!file) return NULL;
  char* text = malloc(1 << 20);
  assert_non_null(text);
  *size = fread(text, 1, (1 << 20) - 1, file);
  text[*size] = '\0';
  fclose(file);
  return text;
}

static rutStatus parse(const char* text, rutXodr* out, rutReporter* reporter) {
  *reporter = (rutReporter){.report = keep_finding};
  last[0] = '\0';
  return rut_xodr_read(text, strlen(text), "x.xodr", reporter, out);
}

static rutRoadPlan* plan_of(const char* text, const char* roads) {
  rutReporter reporter;
  rutXodr file;
  rutRoadPlan* plan = NULL;
  if (parse(text, &file, &reporter) != RUT_OK) fail_msg("%s", last);
  const rutXodrSurface def = {.roads = roads, .margin = 2};
  if (rut_xodr_surface(&file, &def, &reporter, &plan) != RUT_OK) fail_msg("%s", last);
  rut_xodr_free(&file);
  return plan;
}

static rutRoadPlan* plan_of_file(const char* path, const char* roads) {
  size_t size;
  char* text = read_all(path, &size);
  if (!text) return NULL;
  rutRoadPlan* plan = plan_of(text, roads);
  free(text);
  return plan;
}

// ---- curves ----

static void test_clothoids(void** state) {
  (void)state;
  static const struct {
    double from, to, length, s, place[3];
  } cases[] = {
      {0, -0.02, 300, 150, {141.779396140711, -36.020006790855, -0.75}},
      {0, -0.02, 300, 300, {121.786504164382, -154.492852345661, -3}},
      {0.007, 0, 32.941176470588, 20, {19.960824511191, 1.115661436859, 0.0975}},
      {-0.01, 0.02, 60, 30, {29.904439392791, -2.247168599558, -0.075}},
      {-0.01, 0.02, 60, 60, {59.641154839490, -0.015376058907, 0.3}},
      {0.05, 0.05, 40, 33, {19.937300569078, 21.582417776135, 1.65}},
      {0, 0.3, 50, 50, {14.458059557431, 10.102191633985, 7.5}},
      {-0.4, 0.1, 60, 47.3, {-10.688092564826, -10.469876747931, -9.597958333333}},
      {1e-09, 0.125, 5.585053606381855, 4, {3.987195555656, 0.238186303713, 0.179049313546}},
      // straight on, and a quarter of a circle of 25 m
      {0, 0, 40, 40, {40, 0, 0}},
      {0.04, 0.04, 60, 39.26990816987241, {25, 25, 1.5707963267948966}}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    const rutRoadCurve c = {.length = cases[i].length, .curvature = {cases[i].from, cases[i].to}};
    const rutRoadPlace p = rut_road_curve_at(&c, cases[i].s);
    assert_true(fabs(p.x - cases[i].place[0]) < 1e-10);
    assert_true(fabs(p.y - cases[i].place[1]) < 1e-10);
    assert_true(fabs(p.heading - cases[i].place[2]) < 1e-11);
    assert_true(fabs(p.curvature - (cases[i].from + (cases[i].to - cases[i].from) * cases[i].s /
                                                        cases[i].length)) < 1e-15);
  }
}

// Cubics by their length: u = 40 p - 4 p^3, v = 18 p^2 - 6 p^3, and v = 0.01 u^2 - 0.0001 u^3. The
// lengths are from scipy.integrate.quad, their inverses from scipy.optimize.brentq.
static void test_cubics(void** state) {
  (void)state;
  rutRoadCurve c = {.shape = RUT_ROAD_CUBIC,
                    .length = 38.442752846,
                    .u = {0, 40, 0, -4},
                    .v = {0, 0, 18, -6},
                    .p_end = 1};
  rut_road_curve_settle(&c, false);
  assert_true(fabs(rut_road_curve_length(&c) - 38.442752846) < 1e-8);
  rutRoadPlace p = rut_road_curve_at(&c, 20);
  assert_true(fabs(p.x - 19.539260257) < 1e-8 && fabs(p.y - 3.764337285) < 1e-8);
  assert_true(fabs(p.heading - 0.350421781) < 1e-8);
  c = (rutRoadCurve){
      .shape = RUT_ROAD_CUBIC, .length = 50, .u = {0, 1, 0, 0}, .v = {0, 0, 0.01, -0.0001}};
  rut_road_curve_settle(&c, true);
  p = rut_road_curve_at(&c, 30);
  assert_true(fabs(p.x - 29.251010103) < 1e-8 && fabs(p.y - 6.053436337) < 1e-8);
  assert_true(fabs(p.heading - 0.317244178) < 1e-8);
  // curvature is the change of heading along it
  const double h = 1e-4;
  const double turn = rut_road_curve_at(&c, 30 + h).heading - rut_road_curve_at(&c, 30 - h).heading;
  assert_true(fabs(p.curvature - turn / (2 * h)) < 1e-8);
}

// Polynomials of the surface are their curves, to the nanometre, where a span may be as long.
static void test_polynomials(void** state) {
  (void)state;
  const rutRoadCurve c = {.length = 30, .curvature = {0, 0.025}, .x = 3, .y = 4, .heading = 2};
  rutRoadArc arc;
  assert_true(rut_road_arc_make(&c, 10, 12, &arc) < 1e-9);
  for (int i = 0; i <= 20; i++) {
    const double w = 0.1 * i;
    const rutRoadPlace exact = rut_road_curve_at(&c, 10 + w);
    const rutRoadArcAt at = rut_road_arc_at(&arc, w);
    assert_true(hypot(at.x - exact.x, at.y - exact.y) < 1e-9);
    assert_true(fabs(atan2(at.dy, at.dx) - remainder(exact.heading, 6.283185307179586)) < 1e-8);
  }
}

// ---- surfaces ----

// Points of worlds/roads/course.xodr: Rz(heading) Ry(-atan z') Rx(roll) (0, t, h) with the
// profile's height, and 0.12 m of the pavement.
static void test_course(void** state) {
  (void)state;
  static const struct {
    const char* road;
    double s, t, point[3];
  } cases[] = {{"1", 25, 1.5, {25.000000000, 1.500000000, 0.750000000}},
               {"1", 55, -3, {55.000000000, -3.000000000, 0.750000000}},
               {"1", 95, 2, {94.799933212, 2.456090062, -0.119928013}},
               {"1", 130, -3.2, {128.070177828, 13.256492174, 0.383079063}},
               {"1", 190, 3, {120.611273330, 67.598648391, -0.359136622}},
               {"1", 220, 1, {95.545500908, 80.339499530, -0.063935998}},
               {"4", 30, -2, {42.164137428, 121.763153137, 2.000000000}},
               {"4", 45, 3, {39.700023623, 137.514863610, 1.000000000}},
               {"3", 20, -2, {-20.276308109, 82.728989176, -0.040000000}},
               {"3", 70, 3, {-51.223004632, 48.131070788, -0.090000000}},
               {"3", 140, -1, {-15.749395904, -0.461411179, -0.015663706}},
               {"2", 10, 4.5, {70.000000000, 77.365611186, 0.120000000}},
               {"5", 12, 1, {18.000000000, 80.865611186, 0.000000000}}};
  rutRoadPlan* plan = plan_of_file(RUT_SOURCE_DIR "/worlds/roads/course.xodr", "");
  assert_non_null(plan);
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    rutRoadFound f;
    const double share = rut_road_plan_at(plan, cases[i].point[0], cases[i].point[1], &f);
    assert_true(share == 1);
    assert_true(fabs(f.z - cases[i].point[2]) < 2e-9);
    const rutRoadSpan* span = rut_road_span(plan, f.span);
    assert_true(fabs(span->s + f.w - cases[i].s) < 1e-8 && fabs(f.t - cases[i].t) < 1e-8);
  }
  // off all roads
  rutRoadFound f;
  assert_true(rut_road_plan_at(plan, 40, 40, &f) == 0);
  free(plan);
}

// The ground with its blending is a function whose slopes are those given, within the margin too.
static void check_slopes(const rutRoadPlan* plan, int places, const char* of) {
  const double h = 1e-6;
  int wrong = 0, looked = 0;
  uint32_t seed = 1;
  for (int i = 0; i < places; i++) {
    double u[2];
    for (int k = 0; k < 2; k++) {
      seed = seed * 1664525u + 1013904223u;
      u[k] = seed / 4294967296.0;
    }
    const rutRoadSpan* span = rut_road_span(plan, (int)(u[0] * plan->spans));
    const double x = span->box[0] + u[0] * 977 * (span->box[1] - span->box[0]) -
                     floor(u[0] * 977) * (span->box[1] - span->box[0]);
    const double y = span->box[2] + u[1] * (span->box[3] - span->box[2]);
    rutRoadFound f, q[4];
    if (!(rut_road_plan_at(plan, x, y, &f) > 0)) continue;
    for (int k = 0; k < 4; k++) {
      const double d = k & 1 ? -h : h;
      rut_road_plan_at(plan, k < 2 ? x + d : x, k < 2 ? y : y + d, &q[k]);
    }
    looked++;
    for (int k = 0; k < 2; k++) {
      const double by_z = (q[2 * k].z - q[2 * k + 1].z) / (2 * h);
      const double by_share = (q[2 * k].share - q[2 * k + 1].share) / (2 * h);
      const bool fine = fabs(by_z - f.gradient[k]) < 1e-4 * (1 + fabs(by_z)) &&
                        fabs(by_share - f.share_gradient[k]) < 1e-4 * (1 + fabs(by_share));
      wrong += !fine;
    }
  }
  // kinks at kerbs, and steps between roads that overlap
  if (looked < places / 20 || wrong > looked / 25) {
    fail_msg("%s: %d of %d slopes are wrong", of, wrong, 2 * looked);
  }
}

static void test_slopes(void** state) {
  (void)state;
  rutRoadPlan* plan = plan_of_file(RUT_SOURCE_DIR "/worlds/roads/course.xodr", "");
  check_slopes(plan, repetitions(20000, 1000), "course.xodr");
  free(plan);
}

// ---- parts of roads, by hand ----

#define FILE_OF(geometry, profile, lanes)                                                      \
  "<OpenDRIVE><header/><road id='1' length='50' junction='-1'><planView><geometry s='0' "      \
  "x='0' y='0' hdg='0' length='50'>" geometry "</geometry></planView>" profile "<lanes>" lanes \
  "</lanes></road></OpenDRIVE>"
#define LANE(id, more) "<lane id='" #id "' type='driving'>" more "</lane>"
#define WIDTH(w)       "<width sOffset='0' a='" #w "' b='0' c='0' d='0'/>"

static double height(const rutRoadPlan* plan, double x, double y, double share) {
  rutRoadFound f;
  const double found = rut_road_plan_at(plan, x, y, &f);
  if (fabs(found - share) > 1e-12) fail_msg("share %.17g at %g %g, not %g", found, x, y, share);
  return f.z;
}

static void test_lanes(void** state) {
  (void)state;
  // a right lane of 3 m, a pavement of 2 m, 0.1 m high inside and 0.2 m outside; the roll of -0.1
  // rad lifts the right; a level lane on the left; the middle moves 1 m to the left by an offset
  const char* text = FILE_OF(
      "<line/>", "<lateralProfile><superelevation s='0' a='-0.1' b='0' c='0' d='0'/></lateralProfile>",
      "<laneOffset s='0' a='1' b='0' c='0' d='0'/><laneSection s='0'><left>"
      "<lane id='1' type='driving' level='true'>" WIDTH(2) "</lane></left>"
      "<center>" LANE(0, "") "</center><right>" LANE(-1, WIDTH(3))
      LANE(-2, WIDTH(2) "<height sOffset='0' inner='0.1' outer='0.2'/>") "</right></laneSection>");
  rutRoadPlan* plan = plan_of(text, "");
  const double c = cos(0.1), s = sin(0.1);
  // t = -1: along the turned plane
  assert_true(fabs(height(plan, 10, -c, 1) - s) < 1e-10);
  // t = 1.5: level from t = 1 on
  assert_true(fabs(height(plan, 10, c + 0.5, 1) + s) < 1e-10);
  // t = -3, a metre into the pavement: 0.15 m along the turned upright, which leans to +t
  assert_true(fabs(height(plan, 10, -3 * c + 0.15 * s, 1) - (3 * s + 0.15 * c)) < 1e-10);
  // half of the kerb's 5 cm: from 0 to 0.1 + 0.0025 in it, half of 0.10125
  assert_true(fabs(height(plan, 10, -2.025 * c + 0.050625 * s, 1) - (2.025 * s + 0.050625 * c)) <
              1e-10);
  // a metre beside the lanes on the left half of the margin is left: level
  assert_true(fabs(height(plan, 10, c + 3, 0.5) + s) < 1e-10);
  // as much beyond the end
  assert_true(fabs(height(plan, 51, -c, 0.5) - s) < 1e-10);
  free(plan);
}

static void test_widths(void** state) {
  (void)state;
  // width 2 + 0.1 (s - 20) from s = 20 on; the second section begins there
  const char* text =
      FILE_OF("<line/>", "",
              "<laneSection s='0'><center>" LANE(0, "") "</center><right>" LANE(-1, WIDTH(2))
              "</right></laneSection><laneSection s='20'><center>" LANE(0, "") "</center><right>"
              LANE(-1, "<width sOffset='0' a='2' b='0.1' c='0' d='0'/>") "</right></laneSection>");
  rutRoadPlan* plan = plan_of(text, "");
  height(plan, 15, -2, 1);
  height(plan, 15, -3, 0.5);
  height(plan, 30, -3, 1);
  height(plan, 30, -4, 0.5);
  free(plan);
}

static void test_profiles(void** state) {
  (void)state;
  // crossfall of 0.05 rad on the left; the lateral profile rises from 0 to 0.1 t^2 over 10 m
  const char* text = FILE_OF(
      "<line/>",
      "<lateralProfile><crossfall side='left' s='0' a='0.05' b='0' c='0' d='0'/>"
      "<shape s='0' t='-5' a='0' b='0' c='0' d='0'/><shape s='10' t='0' a='0' b='0' c='0.1' d='0'/>"
      "<shape s='10' t='-5' a='0' b='0' c='0' d='0'/></lateralProfile>",
      "<laneSection s='0'><left>" LANE(1, WIDTH(4)) "</left><center>" LANE(
          0, "") "</center><right>" LANE(-1, WIDTH(4)) "</right></laneSection>");
  rutRoadPlan* plan = plan_of(text, "");
  assert_true(fabs(height(plan, 5, 2, 1) - (0.5 * 0.4 - 2 * tan(0.05))) < 1e-12);
  assert_true(fabs(height(plan, 25, 3, 1) - (0.9 - 3 * tan(0.05))) < 1e-12);
  assert_true(fabs(height(plan, 25, -3, 1)) < 1e-12);
  free(plan);
}

// ---- files of esmini ----

static void test_peers(void** state) {
  (void)state;
  static const char* const files[] = {"circle_300m",
                                      "crest-curve",
                                      "curves_elevation",
                                      "lane_width_and_offset",
                                      "pitch_by_super_elevation",
                                      "simple_3way_intersection",
                                      "slope_up_leaning_right",
                                      "straight_500m",
                                      "velodrome"};
  char path[600];
  for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
    snprintf(path, sizeof path, "%s/data/opendrive/%s.xodr", RUT_SHARED_DIR, files[i]);
    rutRoadPlan* plan = plan_of_file(path, "");
    if (!plan) skip();
    check_slopes(plan, repetitions(2000, 100), files[i]);
    rutRoadFound f;
    // reference lines of the Fresnel integrals, and the tilted point
    if (i == 6) {
      assert_true(rut_road_plan_at(plan, 9.883754280, 2.763182982, &f) < 1);
      rut_road_point(plan, rut_road_span(plan, 0), 10, 3, (double[3]){0});
    }
    if (i == 1) {
      const double at[2] = {241.779396141, -36.020006791};
      assert_true(rut_road_plan_at(plan, at[0], at[1], &f) == 1);
      assert_true(fabs(f.t) < 1e-8 && fabs(f.z - 4.810495627) < 1e-8);
    }
    free(plan);
  }
}

static void test_leaning_point(void** state) {
  (void)state;
  // slope 0.1, roll 0.4: s = 10, t = 3
  const char* text =
      FILE_OF("<arc curvature='0'/>",
              "<elevationProfile><elevation s='0' a='0' b='0.1' c='0' d='0'/></elevationProfile>"
              "<lateralProfile><superelevation s='0' a='0.4' b='0' c='0' d='0'/></lateralProfile>",
              "<laneSection s='0'><left>" LANE(1, WIDTH(6)) "</left><center>" LANE(
                  0, "") "</center></laneSection>");
  rutRoadPlan* plan = plan_of(text, "");
  rutRoadFound f;
  assert_true(rut_road_plan_at(plan, 9.883754280, 2.763182982, &f) == 1);
  assert_true(fabs(f.z - 2.162457199) < 1e-8);
  free(plan);
}

// A road with a grade of 0.1 in a bend of 40 m is cut into pieces: its height is a function of s,
// and the slope of the ground is that of the road, at the joints too.
static void test_joints(void** state) {
  (void)state;
  const char* text =
      FILE_OF("<arc curvature='0.025'/>",
              "<elevationProfile><elevation s='0' a='0' b='0.1' c='0' d='0'/></elevationProfile>",
              "<laneSection s='0'><left>" LANE(1, WIDTH(6)) "</left><center>" LANE(
                  0, "") "</center></laneSection>");
  rutRoadPlan* plan = plan_of(text, "");
  assert_true(plan->spans > 2);
  int joints = 0;
  for (int i = 0; i < plan->spans; i++) {
    const double joint = rut_road_span(plan, i)->s;
    joints += joint > 1 && joint < 39;
    for (int k = -12; k <= 12 && joint > 1 && joint < 39; k++) {
      const double s = joint + 0.005 * k, turn = 0.025 * s, radius = 40 - 3;
      rutRoadFound f;
      assert_true(rut_road_plan_at(plan, radius * sin(turn), 40 - radius * cos(turn), &f) == 1);
      const double along = cos(turn) * f.gradient[0] + sin(turn) * f.gradient[1];
      if (fabs(f.z - 0.1 * s) > 1e-6 || fabs(along - 0.1 * 40 / radius) > 1e-4)
        fail_msg("s = %.9g: z = %.9g, slope %.9g", s, f.z, along);
    }
  }
  assert_true(joints > 1);
  free(plan);
}

// ---- what is above what, and what is wrong ----

#define ROAD(id, x, y, hdg, z)                                                            \
  "<road id='" id "' length='40' junction='-1'><planView><geometry s='0' x='" x "' y='" y \
  "' hdg='" hdg                                                                           \
  "' length='40'><line/></geometry></planView><elevationProfile><elevation s='0' a='" z   \
  "' b='0' c='0' d='0'/></elevationProfile><lanes><laneSection s='0'><center>" LANE(      \
      0, "") "</center><right>" LANE(-1, WIDTH(3)) "</right></laneSection></lanes></road>"

static void test_bridges(void** state) {
  (void)state;
  const char* text = "<OpenDRIVE>" ROAD("a", "-20", "0", "0", "0")
      ROAD("b", "0", "-20", "1.5707963267948966", "5") "</OpenDRIVE>";
  rutRoadPlan* plan = plan_of(text, "");
  // both cover (1, -1): the higher one is the ground, which a finding says
  assert_true(fabs(height(plan, 1, -1, 1) - 5) < 1e-12);
  assert_true(fabs(height(plan, -10, -1, 1)) < 1e-12);
  assert_non_null(strstr(last, "road 'b' is above road 'a'"));
  free(plan);
  plan = plan_of(text, "a");
  assert_true(fabs(height(plan, 1, -1, 1)) < 1e-12);
  free(plan);
}

static void test_faults(void** state) {
  (void)state;
  static const struct {
    const char *text, *message;
  } bad[] = {
      {"<world/>", "begins with <OpenDRIVE>"},
      {"<OpenDRIVE/>", "it has no <road>"},
      {"<OpenDRIVE>\n<road length='1'/></OpenDRIVE>", "2: road: needs 'id'"},
      {FILE_OF("", "", ""), "needs one of <line>"},
      {FILE_OF("<arc curvature='x'/>", "", ""), "'curvature' must be a number"},
      {FILE_OF("<arc/>", "", ""), "needs 'curvature'"},
      {FILE_OF("<arc curvature='100'/>", "", ""), "winds by 5e+03 rad"},
      {FILE_OF("<paramPoly3 pRange='both' bU='1'/>", "", ""), "must be arcLength or normalized"},
      {FILE_OF("<paramPoly3/>", "", ""), "has no length"},
      {FILE_OF("<line/>", "", "<laneSection s='0'><left>" LANE(-1, "") "</left></laneSection>"),
       "'id' must be a whole number"},
      {FILE_OF("<line/>", "",
               "<laneSection s='0'><left>" LANE(1, "") LANE(1, "") "</left></laneSection>"),
       "has two lanes 1"},
      {FILE_OF("<line/>", "", "<laneSection s='0.5'/><laneSection s='0.2'/>"),
       "'s' must be above 0.5"},
      {"<OpenDRIVE><road id='1' length='1'><planView><geometry s='0' x='1e9' y='0' hdg='0' "
       "length='1'><line/></geometry></planView></road></OpenDRIVE>",
       "out of range"}};
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
    rutReporter reporter;
    rutXodr file;
    char first[1200] = "";
    if (parse(bad[i].text, &file, &reporter) == RUT_OK) fail_msg("%s", bad[i].message);
    snprintf(first, sizeof first, "%d: %s: %s", reporter.first.line, reporter.first.element,
             reporter.first.message);
    if (!strstr(first, bad[i].message)) fail_msg("'%s' for '%s'", first, bad[i].message);
    rut_xodr_free(&file);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_clothoids),     cmocka_unit_test(test_cubics),
      cmocka_unit_test(test_polynomials),   cmocka_unit_test(test_course),
      cmocka_unit_test(test_joints),        cmocka_unit_test(test_slopes),
      cmocka_unit_test(test_lanes),         cmocka_unit_test(test_widths),
      cmocka_unit_test(test_profiles),      cmocka_unit_test(test_peers),
      cmocka_unit_test(test_leaning_point), cmocka_unit_test(test_bridges),
      cmocka_unit_test(test_faults)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
