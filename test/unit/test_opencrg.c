// SPDX-License-Identifier: BSD-3-Clause
//
// Road surfaces of OpenCRG, by hand and, for the files of its tools, by its C library.
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
#include "format/crg.h"

static char last[400];

static void keep_finding(const rutDiagnostic* finding, void* user) {
  (void)user;
  snprintf(last, sizeof last, "%d: %.300s", finding->line, finding->message);
}

static rutStatus parse(const char* text, size_t size, rutCrg* out, rutReporter* reporter) {
  *reporter = (rutReporter){.report = keep_finding};
  last[0] = '\0';
  return rut_crg_read(text, size, "x.crg", reporter, out);
}

// Endless beyond its border, by the file's own mode.
static rutCrgPlan* plan_of(const char* text, size_t size) {
  rutReporter reporter;
  rutCrg crg;
  rutCrgPlan* plan = NULL;
  if (parse(text, size, &crg, &reporter) != RUT_OK) fail_msg("%s", last);
  const rutCrgParts parts = {.nu = crg.nu,
                             .nv = crg.nv,
                             .vertex = crg.vertex,
                             .v = crg.v,
                             .z = crg.z,
                             .border = {crg.border[0], crg.border[1]},
                             .offset = {crg.border_offset[0], crg.border_offset[1]},
                             .beyond = 10,
                             .margin = 1};
  assert_int_equal(rut_crg_plan_make(&parts, &plan, NULL), RUT_OK);
  rut_crg_free(&crg);
  return plan;
}

static double height(const rutCrgPlan* plan, double x, double y) {
  rutCrgFound f;
  if (!rut_crg_at(plan, x, y, &f) || f.share != 1) fail_msg("nothing at %g %g", x, y);
  return f.z;
}

// Slopes against differences of heights and shares.
static void check_slopes(const rutCrgPlan* plan, double x, double y) {
  const double h = 1e-6;
  rutCrgFound f, q[4];
  if (!rut_crg_at(plan, x, y, &f)) return;
  for (int k = 0; k < 4; k++) {
    const double d = k & 1 ? -h : h;
    if (!rut_crg_at(plan, k < 2 ? x + d : x, k < 2 ? y : y + d, &q[k])) return;
    // other cells have other slopes
    if (floor(q[k].u) != floor(f.u)) return;
    for (int i = 0; i < plan->nv; i++) {
      if (fabs(f.v - rut_crg_v(plan)[i]) < 1e-5) return;
    }
  }
  for (int k = 0; k < 2; k++) {
    const double by_z = (q[2 * k].z - q[2 * k + 1].z) / (2 * h);
    const double by_share = (q[2 * k].share - q[2 * k + 1].share) / (2 * h);
    assert_true(fabs(by_z - f.gradient[k]) < 1e-7);
    assert_true(fabs(by_share - f.share_gradient[k]) < 1e-6);
  }
}

// ---- the files of the tools ----

static void test_tools_files(void** state) {
  (void)state;
  static const struct {
    const char* file;
    double at[4][3];
  } cases[] = {
      {"straight_minimalist",
       {{5.5, -0.9, 0.0044444}, {11.5, -1.5, 0}, {20, -0.5, 0.0111111}, {10, 0.5, 0.0111111}}},
      {"banked",
       {{5.5, 0.6, 0.0319222}, {11.5, -1.1, -0.1087778}, {20, 1, 0.0331111}, {10, 2, 0.1485}}},
      {"sloped",
       {{5.5, 0.6, 0.1397222}, {11.5, -1.1, 0.6722222}, {20, 1, 1.2101111}, {11, 0, 0.6272222}}},
      {"curved",
       {{5.4644458, 0.7365567, 0.0022222},
        {11.5914504, -0.4344654, 0.0122222},
        {19.9370069, 2.1975377, 0.0111111},
        {22.9534459, 1.2086585, 0}}}};
  for (int i = 0; i < 4; i++) {
    char path[600], text[8192];
    snprintf(path, sizeof path, "%s/data/opencrg/handmade_%s.crg", RUT_SHARED_DIR, cases[i].file);
    FILE* file = fopen(path, "rb");
    if (!file) skip();
    const size_t size = fread(text, 1, sizeof text, file);
    fclose(file);
    rutCrgPlan* plan = plan_of(text, size);
    for (int k = 0; k < 4; k++) {
      const double* at = cases[i].at[k];
      // of the first file the C library counts v from the right border, rut from the middle
      if (fabs(height(plan, at[0], at[1]) - at[2]) > 1.5e-7) {
        fail_msg("%s at %g %g: %.9f, not %.9f", cases[i].file, at[0], at[1],
                 height(plan, at[0], at[1]), at[2]);
      }
    }
    for (int k = 0; k < repetitions(3000, 300); k++) {
      check_slopes(plan, fmod(0.317 * k, 36) - 8, fmod(0.731 * k, 24) - 12);
    }
    free(plan);
  }
}

// ---- by hand ----

#define ROAD                                                                    \
  "$CT ! text\nany text = 3 $\n$ROAD_CRG\nREFERENCE_LINE_INCREMENT = 2.0 ! m\n" \
  "Reference_Line_Start_X = 10\nreference_line_start_z = 1\n"
// an empty block: it stays where it is
#define HEAD "$ROAD_CRG_MODS ! none\n" ROAD
#define SECTIONS \
  "D:long section at v = -1.0,m\nD:long section at v = 0.5,m\nD:long section at v = 2.0,m\n"

static void test_by_hand(void** state) {
  (void)state;
  // slopes 0.1 and 0.3 of the segments, banking 0, 0.2, 0.4 at the rows; a hole in the last one
  const char* text = HEAD
      "$!***\n$ROAD_CRG_OPTS\nBORDER_MODE_U = 2\nBORDER_MODE_V = 4\n$KD_DEFINITION\n#:LRFI\n"
      "U:reference line u,m,0,2.0\nD:reference line slope,m/m\nD:reference line "
      "banking,m/m\n" SECTIONS
      "$$$$$$$$\n"
      "**unused** 0.0000000 0.1000000-0.2000000 0.3000000\n"
      " 0.1000000 0.2000000 0.5000000 0.6000000-0.7000000\r\n"
      " 0.3000000 0.4000000 0.0000000 0.0000000 0.0000000\n"
      " 0.3000000 0.4000000 0.0000000**missing* 0.0000000\n";
  rutCrgPlan* plan = plan_of(text, strlen(text));
  // nodes: z = 1 + 0.2, banking 0.2 v
  assert_true(fabs(height(plan, 12, 0.5) - (1.2 + 0.1 + 0.6)) < 1e-12);
  assert_true(fabs(height(plan, 12, 2) - (1.2 + 0.4 - 0.7)) < 1e-12);
  // half of the first segment, a third between the right two sections
  assert_true(fabs(height(plan, 11, 1) -
                   (1.1 + 0.1 * 1 + 0.5 * (-0.2 + 0.5 / 3) + 0.5 * (0.6 - 1.3 / 3))) < 1e-12);
  // reflected at v = 2: as at v = 1.5; banking stays that of v = 2
  const double grid = 0.5 * (-0.2 + 0.5 * 2 / 3) + 0.5 * (0.6 - 1.3 * 2 / 3);
  assert_true(fabs(height(plan, 11, 2.5) - (1.1 + 0.1 * 2 + grid)) < 1e-12);
  // kept before the start
  assert_true(fabs(height(plan, 5, 2) - (1 + 0.3)) < 1e-12);
  // the hole is none
  rutCrgFound f;
  assert_false(rut_crg_at(plan, 15.9, 0.5, &f));
  for (int k = 0; k < 500; k++) check_slopes(plan, 5 + 0.013 * k, fmod(0.3713 * k, 12) - 5.01);
  free(plan);
}

static void put(unsigned char* at, double value, bool wide) {
  uint64_t bits;
  uint32_t half;
  const float narrow = (float)value;
  memcpy(&bits, &value, sizeof bits);
  memcpy(&half, &narrow, sizeof half);
  const int n = wide ? 8 : 4;
  for (int i = 0; i < n; i++) {
    at[i] = (unsigned char)((wide ? bits : half) >> (8 * (n - 1 - i)));
  }
}

// A turn to the left of 0.2 rad at the middle vertex, in both binary forms; trailing bytes.
static void test_binary(void** state) {
  (void)state;
  for (int wide = 0; wide < 2; wide++) {
    unsigned char file[1000];
    const int n =
        snprintf((char*)file, sizeof file,
                 "$ROAD_CRG_MODS\n$ROAD_CRG\nreference_line_increment = 2\n"
                 "reference_line_start_u = 0\n"
                 "reference_line_end_u = 4\nlong_section_v_right = -1\n"
                 "long_section_v_left = 3\n$KD_DEFINITION\n#:%s\nD:reference line phi,rad\n"
                 "D:long section 1,m\nD:long section 2,m\n$$$$\n",
                 wide ? "KDBI" : "KRBI");
    const double data[9] = {(double)NAN, 1, 2, 0, 1, 4, 0.2, 3, 6};
    for (int i = 0; i < 9; i++) put(file + n + i * (wide ? 8 : 4), data[i], wide);
    const size_t size = (size_t)n + 9 * (wide ? 8 : 4) + 5;
    memset(file + size - 5, 'x', 5);
    rutCrgPlan* plan = plan_of((const char*)file, size);
    assert_int_equal(plan->nu, 3);
    const double within = wide ? 1e-12 : 3e-7;
    // at v = 3 of the vertex: 3 / cos(0.1) along the bisector
    const double x = 2 - 3 * tan(0.1), y = 3;
    assert_true(fabs(height(plan, x, y) - 4) < within);
    // the middle of the second segment's line of v = 3, and half way to v = -1
    const double end[2] = {2 + 2 * cos(0.2) - 3 * sin(0.2), 2 * sin(0.2) + 3 * cos(0.2)};
    assert_true(fabs(height(plan, 0.5 * (x + end[0]), 0.5 * (y + end[1])) - 5) < within);
    // straight on behind the end, kept
    assert_true(fabs(height(plan, end[0] + cos(0.2), end[1] + sin(0.2)) - 6) < within);
    free(plan);
  }
}

// The end that is given differs by 0.1 m from the sum of the segments: half of it in the middle.
static void test_given_end(void** state) {
  (void)state;
  const char* text = HEAD
      "reference_line_end_x = 14.1\nreference_line_end_z = 1.2\nlong_section_v_increment = "
      "2\n$KD_DEFINITION\n#:LDFI\n"
      "D:long section 1,m\nD:long section 2,m\nD:long section 3,m\n$$$$\n"
      "        1.0000000000        2.0000000000        3.0000000000\n"
      "        1.0000000000        2.0000000000        3.0000000000\n"
      "        1.0000000000        2.0000000000        3.0000000000\n";
  rutCrgPlan* plan = plan_of(text, strlen(text));
  const rutCrgVertex* p = rut_crg_vertices(plan);
  assert_true(fabs(p[1].x - 12.05) < 1e-12 && fabs(p[2].x - 14.1) < 1e-12);
  assert_true(fabs(p[1].z - 1.1) < 1e-12);
  // centred: v = -2, 0, 2
  assert_true(fabs(height(plan, 12.05, -1) - (1.1 + 1.5)) < 1e-12);
  free(plan);
}

#define ROWS "D:reference line phi,rad\n" SECTIONS "$$$$\n"
#define HOLES                                                                            \
  "       nan**missing* 1.0000000 2.0000000\n 0.0000000 1.0000000**missing* 4.0000000\n" \
  " 1.5707963 1.0000000 2.0000000**missing*\n"

static rutCrg modified(const char* mods) {
  char text[2000];
  rutReporter reporter;
  rutCrg crg;
  snprintf(text, sizeof text, HEAD "$ROAD_CRG_MODS\n%s\n$KD_DEFINITION\n#:LRFI\n" ROWS HOLES, mods);
  if (parse(text, strlen(text), &crg, &reporter) != RUT_OK) fail_msg("%s: %s", mods, last);
  return crg;
}

static void check_line(const rutCrg* crg, const double at[9]) {
  for (int i = 0; i < 3; i++) {
    const rutCrgVertex* p = &crg->vertex[i];
    const double* q = at + 3 * i;
    if (fabs(p->x - q[0]) > 1e-7 || fabs(p->y - q[1]) > 1e-7 || fabs(p->z - q[2]) > 1e-7)
      fail_msg("point %d is at %.9g %.9g %.9g", i, p->x, p->y, p->z);
  }
}

// A line of two segments of 2 m from (10, 0, 1): along x, then along y.
static void test_modifiers(void** state) {
  (void)state;
  // about its start, by a quarter turn, then shifted
  rutCrg crg =
      modified("refline_offset_phi = 1.5707963267948966\nrefline_offset_x = 1\nrefline_offset_z=2");
  check_line(&crg, (double[]){11, 0, 3, 11, 2, 3, 9, 2, 3});
  rut_crg_free(&crg);
  crg = modified(
      "refline_rotcenter_x = 0\nrefline_rotcenter_y=0\nrefline_offset_phi = 3.141592653589793");
  check_line(&crg, (double[]){-10, 0, 1, -12, 0, 1, -12, -2, 1});
  rut_crg_free(&crg);
  // the middle of the first segment, 0.5 m to its left, where the grid is (1 + 0) / 2 high with
  // no hole beside it, heads along y at (5, 7, 9)
  crg = modified(
      "refpoint_u = 0.5\nrefpoint_u_offset = 0.5\nrefpoint_v_fraction = 0.5\n"
      "refpoint_x = 5\nrefpoint_y = 7\nrefpoint_z = 9\n"
      "refpoint_phi = 1.5707963267948966\ngrid_nan_mode = 1");
  check_line(&crg, (double[]){5.5, 6, 8.5, 5.5, 8, 8.5, 3.5, 8, 8.5});
  rut_crg_free(&crg);
  // as steep at 1.5 times the length, and twice as steep
  crg = modified("scale_length = 1.5\n$ROAD_CRG\nreference_line_start_s = 0.1");
  check_line(&crg, (double[]){10, 0, 1, 13, 0, 1.3, 13, 3, 1.6});
  rut_crg_free(&crg);
  crg = modified("scale_slope = 2\n$ROAD_CRG\nreference_line_end_z = 1.4");
  check_line(&crg, (double[]){10, 0, 1, 12, 0, 1.4, 12, 2, 1.8});
  rut_crg_free(&crg);
  // straight on beyond the start
  crg = modified("refpoint_u = -1\nrefpoint_v = 0.5\nrefpoint_x = 5\ngrid_nan_mode = 2");
  check_line(&crg, (double[]){6, -0.5, -1, 8, -0.5, -1, 8, 1.5, -1});
  rut_crg_free(&crg);
  // half of the bend
  crg = modified("scale_curvature = 0.5");
  check_line(&crg, (double[]){10, 0, 1, 12, 0, 1, 12 + sqrt(2), sqrt(2), 1});
  rut_crg_free(&crg);
  static const struct {
    const char* mods;
    double z[9];
  } cases[] = {{"grid_nan_mode = 0", {NAN, 1, 2, 1, NAN, 4, 1, 2, NAN}},
               {"grid_nan_mode = 1\ngrid_nan_offset = 3", {3, 1, 2, 1, 3, 4, 1, 2, 3}},
               {"grid_nan_mode = 2\ngrid_nan_offset = -1", {0, 1, 2, 1, 0, 4, 1, 2, 1}}};
  for (int i = 0; i < 3; i++) {
    crg = modified(cases[i].mods);
    for (int k = 0; k < 9; k++) {
      const double z = cases[i].z[k];
      assert_true(isnan(z) ? isnan(crg.z[k]) : crg.z[k] == z);
    }
    rut_crg_free(&crg);
  }
  // what changes heights and is not read is told
  crg = modified("border_smooth_ubeg = 3");
  assert_non_null(strstr(last, "'border_smooth_ubeg' is not used"));
  rut_crg_free(&crg);
}

// Without a block of modifiers the start goes to the origin and holes are filled, as
// crgOptionMgmt.c of ASAM's own library says.
static void test_without_modifiers(void** state) {
  (void)state;
  static const char text[] =
      "* a remark\n" ROAD "reference_line_start_y = 4\n$KD_DEFINITION\n#:LRFI\n" ROWS HOLES;
  static const double z[9] = {1, 1, 2, 1, 1, 4, 1, 2, 2};
  rutReporter reporter;
  rutCrg crg;
  assert_int_equal(parse(text, strlen(text), &crg, &reporter), RUT_OK);
  // the grid is 1 m above the line at v = 0 of the first row
  check_line(&crg, (double[]){0, 0, -1, 2, 0, -1, 2, 2, -1});
  for (int k = 0; k < 9; k++) assert_true(crg.z[k] == z[k]);
  rut_crg_free(&crg);
}

static void test_faults(void** state) {
  (void)state;
  static const struct {
    const char *text, *message;
  } bad[] = {
      {"", "no line '$$$$'"},
      {"$CT\n$$$$\n", "has no $ROAD_CRG"},
      {HEAD "$$$$\n", "needs $KD_DEFINITION"},
      {HEAD "$KD_DEFINITION\n#:LRFX\n$$$$\n", "9: data must be of the form"},
      {HEAD "$KD_DEFINITION\n#:LRFI\nD:long section at v = 1,m\n$$$$\n 1\n",
       "two or more long sections"},
      {HEAD "$KD_DEFINITION\n#:LRFI\nD:long section at v = 1,cm\n$$$$\n", "must be in m"},
      {HEAD "$KD_DEFINITION\n#:LRFI\nD:reference line phi,deg\n$$$$\n", "must be in rad"},
      {HEAD "$KD_DEFINITION\n#:LRFI\n" SECTIONS "$$$$\n", "two or more rows"},
      {HEAD "$KD_DEFINITION\n#:LRFI\n" SECTIONS "$$$$\n 1 2 3\n 1 2 3\n",
       "must be a number below 1e6"},
      {"$ROAD_CRG\n$KD_DEFINITION\n#:LRFI\n" SECTIONS "$$$$\n", "needs 'reference_line_increment'"},
      {"$ROAD_CRG\nreference_line_increment = 0\n$KD_DEFINITION\n#:LRFI\n" SECTIONS "$$$$\n",
       "1e-4 m or more"},
      {"$ROAD_CRG\nreference_line_increment = x\n$$$$\n", "must be a number"},
      {"$ROAD_CRG_FILE\nother.crg\n$$$$\n", "1: 'other.crg' lies outside"},
      {"$CT\n$ROAD_CRG_FILE\n! none\n$CT\n", "2: $ROAD_CRG_FILE has no name of a file"},
      {"$ROAD_CRG_FILE\na.crg\n" HEAD "$KD_DEFINITION\n#:LRFI\n" SECTIONS "$$$$\n",
       "it has data, and refers to a file that has"},
      {"$ROAD_CRG_FILE\na.crg\n$ROAD_CRG_FILE\na.crg\n", "there are two $ROAD_CRG_FILE"},
      {"$ROAD_CRG_FILE\n $NO/a.crg\n", "the variable '$NO' is not for worlds"},
      {HEAD "$ROAD_CRG_MODS\ngrid_nan_mode = 3\n$KD_DEFINITION\n#:LRFI\n" SECTIONS
            "$$$$\n         0         0         0\n         0         0         0\n",
       "'grid_nan_mode' must be 0, 1 or 2"}};
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
    rutReporter reporter;
    rutCrg crg;
    if (parse(bad[i].text, strlen(bad[i].text), &crg, &reporter) == RUT_OK)
      fail_msg("%s", bad[i].message);
    char first[1200];
    snprintf(first, sizeof first, "%d: %s", reporter.first.line, reporter.first.message);
    if (!strstr(first, bad[i].message)) fail_msg("'%s' for '%s'", first, bad[i].message);
    rut_crg_free(&crg);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_tools_files), cmocka_unit_test(test_by_hand),
      cmocka_unit_test(test_binary),      cmocka_unit_test(test_given_end),
      cmocka_unit_test(test_modifiers),   cmocka_unit_test(test_without_modifiers),
      cmocka_unit_test(test_faults)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
