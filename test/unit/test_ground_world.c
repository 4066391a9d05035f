// SPDX-License-Identifier: BSD-3-Clause
//
// The ground of whole worlds: <terrain>, files of heights, soils by place.
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
#include "rut/rut.h"
#include "sim/model.h"

#define PI 3.14159265358979323846

// Findings of the last world.
static char hint[256], note[512], message[512];
static int error_line;
static void keep(const rutDiagnostic* finding, void* user) {
  (void)user;
  if (finding->level == RUT_NOTE) snprintf(note, sizeof note, "%s", finding->message);
  if (finding->level != RUT_ERROR || message[0]) return;
  snprintf(message, sizeof message, "%s", finding->message);
  snprintf(hint, sizeof hint, "%s", finding->hint);
  error_line = finding->line;
}

typedef struct World {
  rutContext* context;
  rutSpec* spec;
  rutModel* model;
  rutData* data;
} World;

static rutStatus try_world(const char* text, World* w) {
  *w = (World){0};
  message[0] = hint[0] = note[0] = '\0';
  rutContextDef def = rut_default_context();
  def.report = keep;
  assert_int_equal(rut_context_create(&def, &w->context, NULL), RUT_OK);
  rutStatus status = rut_spec_parse(w->context, text, strlen(text), "test.xml", &w->spec, NULL);
  if (status == RUT_OK) status = rut_compile(w->spec, &w->model, NULL);
  if (status == RUT_OK) w->data = rut_data_create(w->model);
  return status;
}
static void close_world(World* w) {
  rut_data_destroy(w->data);
  rut_model_destroy(w->model);
  rut_spec_destroy(w->spec);
  rut_context_destroy(w->context);
}
static World open_world(const char* text) {
  World w;
  if (try_world(text, &w) != RUT_OK) fail_msg("%d: %s", error_line, message);
  return w;
}
static void assert_wrong(const char* text, int line, const char* says, const char* hints) {
  World w;
  assert_int_not_equal(try_world(text, &w), RUT_OK);
  const bool hinted = strstr(hint, hints) || strstr(message, hints);
  if (!strstr(message, says) || !hinted || error_line != line) {
    fail_msg("line %d: %s; %s", error_line, message, hint);
  }
  close_world(&w);
}

static void write_file(const char* path, const char* text) {
  FILE* file = fopen(path, "wb");
  assert_non_null(file);
  fputs(text, file);
  fclose(file);
}

// Ground under a wheel whose hub is high above.
static double height_of(const World* w, double x, double y) {
  const double below = 1e6;
  double z, slope_x, slope_y;
  rut_terrain_surface(w->model, w->data, &(rutGroundPoints){1, &x, &y}, &below,
                      &(rutGroundSurface){&z, &slope_x, &slope_y});
  return z;
}

// ---- shapes ----

static void shapes_stand_on_level_ground(void** state) {
  (void)state;
  World w = open_world(
      "<world>"
      "<terrain type=\"sine\" amplitude=\"0.2 m\" wavelength=\"4 m\"/>"
      "<terrain type=\"step\" position=\"10 0 0.5\" yaw=\"90 deg\" height=\"0.3\" y_min=\"-1\" "
      "y_max=\"1\"/>"
      "<terrain type=\"plane\" blend=\"max\" position=\"0 0 -0.1\" x_max=\"-3\"/></world>");
  for (double x = -9; x < 20; x += 0.37) {
    for (double y = -2; y < 3; y += 0.41) {
      const double wave = 0.2 * sin(2 * PI * x / 4);
      const bool on_step = x > 9 && x < 11;
      double want = wave + (on_step ? 0.5 + (y > 0 ? 0.3 : 0) : 0);
      if (x < -3 && want < -0.1) want = -0.1;
      assert_near(height_of(&w, x, y), want, 1e-12);
      assert_near(rut_terrain_height(w.model, w.data, x, y, 9), want, 1e-12);
    }
  }
  close_world(&w);
}

// A planar vehicle follows a slope of <terrain>, and a block stands on it.
static void planar_worlds_see_shapes(void** state) {
  (void)state;
  World w = open_world(
      "<world timestep=\"5 ms\">"
      "<terrain type=\"plane\" slope_x=\"0.2\" position=\"0 0 1\"/>"
      "<vehicle name=\"v\" position=\"5 2\"><chassis outline=\"-1 -1, 1 -1, 1 1, -1 1\"/>"
      "<wheel position=\"-0.5 0.5\"/><wheel position=\"-0.5 -0.5\"/>"
      "<wheel position=\"0.5 0.5\"/><wheel position=\"0.5 -0.5\"/>"
      "<tyre type=\"coulomb\"/></vehicle>"
      "<block name=\"b\" fixed=\"true\" shape=\"box\" position=\"-10 3\"/></world>");
  const rutVehicleState v = rut_vehicle_state(w.model, w.data, 0);
  assert_near(v.position[2], 1 + 0.2 * v.position[0], 1e-12);
  // positive nose down
  assert_near(v.pitch, -atan(0.2), 1e-9);
  double pose[6], velocity[3];
  rut_block_state(w.model, w.data, 0, pose, velocity);
  assert_near(pose[2], -1, 1e-12);
  for (int i = 0; i < 100; i++) assert_int_equal(rut_step(w.model, w.data, NULL), RUT_OK);
  close_world(&w);
}

// Micro-roughness on a coarse map: the sum of both.
static void roughness_lies_on_a_map(void** state) {
  (void)state;
  const char* map = "<elevation_map matrix=\"[0 0; 4 4]\" resolution=\"100 m\"/>";
  const char* rough = "<terrain type=\"iso8608\" class=\"D\" form=\"area\"/>";
  char text[512];
  snprintf(text, sizeof text, "<world>%s</world>", rough);
  World alone = open_world(text);
  snprintf(text, sizeof text, "<world>%s%s</world>", map, rough);
  World both = open_world(text);
  for (double x = -50; x <= 50; x += 3.3) {
    const double slope = 2 + 0.04 * x;
    assert_near(height_of(&both, x, 0.5 * x), slope + height_of(&alone, x, 0.5 * x), 1e-12);
  }
  assert_true(isnan(height_of(&both, 51, 0)));
  assert_true(rut_model_hash(alone.model) != rut_model_hash(both.model));
  World again = open_world(text);
  assert_true(rut_model_hash(again.model) == rut_model_hash(both.model));
  close_world(&alone);
  close_world(&both);
  close_world(&again);
}

// What a region says of its soil is part of the model: each of these differs from the others.
static void regions_are_told_apart(void** state) {
  (void)state;
  static const char* const given[] = {"friction=\"0.5\"",     "cone_index=\"300 kPa\"",
                                      "moisture=\"0.2\"",     "moisture=\"0.3\"",
                                      "soft_depth=\"0.2 m\"", "soft_depth=\"0.3 m\""};
  enum { KINDS = sizeof given / sizeof given[0] };
  uint64_t hash[KINDS];
  for (int i = 0; i < KINDS; i++) {
    char text[256];
    snprintf(text, sizeof text,
             "<world><soil name=\"s\" type=\"bekker\"/>"
             "<region x_min=\"0\" x_max=\"1\" y_min=\"0\" y_max=\"1\" %s/></world>",
             given[i]);
    World w = open_world(text);
    hash[i] = rut_model_hash(w.model);
    for (int k = 0; k < i; k++) assert_true(hash[k] != hash[i]);
    close_world(&w);
  }
}

static void wrong_shapes_are_refused(void** state) {
  (void)state;
  assert_wrong("<world>\n<terrain type=\"sina\"/></world>", 2, "sina", "sine");
  assert_wrong("<world>\n<terrain type=\"step\" x_min=\"2\" x_max=\"1\"/></world>", 2, "'x_max'",
               "");
  assert_wrong("<world>\n<terrain type=\"step\" y_max=\"2\" y_min=\"3\"/></world>", 2, "'y_max'",
               "");
  assert_wrong("<world>\n<terrain type=\"iso8608\" class=\"K\"/></world>", 2, "K", "");
  assert_wrong("<world>\n<terrain type=\"iso8608\" wavelength_min=\"99\"/></world>", 2,
               "wavelength_max", "");
  assert_wrong("<world>\n<terrain type=\"fractal\" wavelength_min=\"1 mm\"/></world>", 2, "nodes",
               "");
  assert_wrong("<world>\n<terrain type=\"half_round\" radius=\"0\"/></world>", 2, "radius", "");
  assert_wrong("<world>\n<terrain type=\"sine\" amplitude=\"nan\"/></world>", 2, "nan", "");
}

// ---- files of heights ----

static void asc_files_lie_north_up(void** state) {
  (void)state;
  write_file("dem.asc",
             "ncols 3\nnrows 2\nxllcorner 500000\nyllcorner 4000000\ncellsize 20\n"
             "nodata_value -1\n10 20 30\n1 2 -1\n");
  World w = open_world("<world><elevation_map file=\"dem.asc\"/></world>");
  // centred: columns to the east at -20, 0, 20, rows to the south at 10, -10
  assert_near(height_of(&w, -20, 10), 10, 1e-12);
  assert_near(height_of(&w, -20, -10), 1, 1e-12);
  assert_near(height_of(&w, -10, 0), (10 + 20 + 1 + 2) / 4.0, 1e-12);
  assert_true(isnan(height_of(&w, 15, 5)));
  assert_true(isnan(height_of(&w, 21, 0)));
  assert_non_null(strstr(note, "500010 to 500050 east"));
  assert_non_null(strstr(note, "4000010 to 4000030 north"));
  close_world(&w);
  w = open_world(
      "<world><elevation_map file=\"dem.asc\" corner=\"7 8\" resolution=\"2\" "
      "matrix_scale=\"0.5\"/>"
      "</world>");
  assert_near(height_of(&w, 7, 8), 0.5, 1e-12);
  assert_near(height_of(&w, 8.5, 10), 8.75, 1e-12);
  close_world(&w);
  // against its nature, with rows along x
  w = open_world(
      "<world><elevation_map file=\"dem.asc\" rows=\"along_x\" corner=\"0 0\"/></world>");
  assert_near(height_of(&w, 0, 10), 15, 1e-12);
  assert_near(height_of(&w, 20, 0), 1, 1e-12);
  close_world(&w);
}

static void tables_and_images_lie_as_in_mvsim(void** state) {
  (void)state;
  write_file("dem.csv", "1,2,3\n4,5,6\n");
  World w = open_world("<world><elevation_map file=\"dem.csv\" resolution=\"2\"/></world>");
  World m =
      open_world("<world><elevation_map matrix=\"[1 2 3; 4 5 6]\" resolution=\"2\"/></world>");
  for (double x = -1; x <= 1; x += 0.25) {
    for (double y = -2; y <= 2; y += 0.25) {
      assert_near(height_of(&w, x, y), height_of(&m, x, y), 0);
    }
  }
  assert_near(height_of(&w, -1, 2), 3, 1e-12);
  close_world(&w);
  close_world(&m);
  w = open_world(
      "<world><elevation_map file=\"dem.csv\" rows=\"north_up\" resolution=\"2\"/></world>");
  assert_near(height_of(&w, -2, 1), 1, 1e-12);
  assert_near(height_of(&w, 2, -1), 6, 1e-12);
  close_world(&w);
  write_file("dem.pgm", "P2\n2 2\n200\n0 100\n200 50\n");
  w = open_world("<world><elevation_map file=\"dem.pgm\" z_min=\"-1\" z_max=\"3\"/></world>");
  assert_near(height_of(&w, -0.5, -0.5), -1, 1e-12);
  assert_near(height_of(&w, -0.5, 0.5), 1, 1e-12);
  assert_near(height_of(&w, 0.5, -0.5), 3, 1e-12);
  close_world(&w);
}

static void broken_maps_tell_where(void** state) {
  (void)state;
  write_file("broken.asc", "ncols 2\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 1\n1 2\n3 ?\n");
  assert_wrong("<world>\n<elevation_map file=\"broken.asc\"/></world>", 7, "'?'", "");
  write_file("nothing.asc",
             "ncols 2\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 1\nnodata_value 0\n0 0 0 0\n");
  assert_wrong("<world>\n<elevation_map file=\"nothing.asc\"/></world>", 2, "no heights", "");
  write_file("high.asc", "ncols 2\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 1\n0 0 0 1e7\n");
  assert_wrong("<world>\n<elevation_map file=\"high.asc\"/></world>", 2, "row 2, column 2", "");
  write_file("line.asc", "ncols 2\nnrows 1\nxllcorner 0\nyllcorner 0\ncellsize 1\n0 0\n");
  assert_wrong("<world>\n<elevation_map file=\"line.asc\"/></world>", 2, "2 x 2", "");
  assert_wrong("<world>\n<elevation_map file=\"high.asc\" matrix=\"[1 2]\"/></world>", 2,
               "exactly one", "");
  assert_wrong("<world>\n<elevation_map file=\"not_there.asc\"/></world>", 2, "not_there", "");
}

// ---- soils ----

static int soil_at(const World* w, double x, double y, double* strength, double* friction) {
  const double z = 0;
  int soil;
  rut_ground_material(w->model->ground, &(rutGroundPoints){1, &x, &y}, &z,
                      &(rutGroundMaterial){&soil, strength, friction, NULL, NULL});
  return soil;
}

#define SOILS "<soil name=\"mud\" type=\"clay\"/><soil name=\"dune\" type=\"sand\"/>"

// Heights are those of the formula at nodes, and bilinear between: off by h^2/8 of the curvature of
// each direction at most.
static void formulas_are_ground(void** state) {
  (void)state;
  World w = open_world(
      "<world><elevation_map formula=\"0.3*sin(x/2)*cos(y/3) + (x > 5 ? 0.2 : 0)\" size=\"20 m 10 "
      "m\" "
      "resolution=\"0.1 m\"/></world>");
  for (double x = -9.95; x < 10; x += 0.17) {
    for (double y = -4.97; y < 5; y += 0.13) {
      if (fabs(x - 5) < 0.11) continue;
      const double want = 0.3 * sin(x / 2) * cos(y / 3) + (x > 5 ? 0.2 : 0);
      assert_near(height_of(&w, x, y), want, 0.3 * 0.01 / 8 * (1.0 / 4 + 1.0 / 9) + 1e-12);
    }
  }
  assert_true(isnan(height_of(&w, 10.1, 0)) && isnan(height_of(&w, 0, -5.1)));
  close_world(&w);
  w = open_world(
      "<world><elevation_map formula=\"x + 10*y\" size=\"4 2 m\" corner=\"1 2 m\"/></world>");
  assert_near(height_of(&w, 1.004, 2), 21.004, 1e-12);
  assert_near(height_of(&w, 5, 4), 45, 1e-12);
  close_world(&w);
}

static void wrong_formulas_are_refused(void** state) {
  (void)state;
  assert_wrong("<world>\n<elevation_map formula=\"sin(x) + q\"/></world>", 2,
               "unknown variable 'q'", "0.3*sin(x)*cos(y/2)");
  assert_wrong("<world>\n<elevation_map formula=\"1/x\" size=\"2 2\" resolution=\"1\"/></world>", 2,
               "x = 0, y = -1: the result is not a finite number", "");
  assert_wrong("<world>\n<elevation_map formula=\"rand()\"/></world>", 2, "random stream", "");
  assert_wrong("<world>\n<elevation_map formula=\"x\" resolution=\"1 mm\"/></world>", 2,
               "take too long", "resolution");
  assert_wrong("<world>\n<elevation_map formula=\"x\" size=\"-1 1\"/></world>", 2, "two lengths",
               "");
  assert_wrong("<world>\n<elevation_map formula=\"x\" matrix=\"[0 0;0 0]\"/></world>", 2,
               "exactly one", "");
}

#ifdef RUT_HAVE_ASSIMP
// A table: a roof of 2 m x 2 m at z = 1 over a floor at 0.
static void overhangs_are_refused_by_name(void** state) {
  (void)state;
  write_file("table.obj",
             "v -4 -4 0\nv 4 -4 0\nv 4 4 0\nv -4 4 0\nf 1 2 3 4\n"
             "v -1 -1 1\nv 1 -1 1\nv 1 1 1\nv -1 1 1\nf 5 6 7 8\n"
             "v -1 -1 0.9\nv 1 -1 0.9\nv 1 1 0.9\nv -1 1 0.9\nf 12 11 10 9\n");
  assert_wrong("<world>\n<elevation_map mesh=\"table.obj\" resolution=\"0.5\"/></world>", 2,
               "overhangs itself at x = -1, y = -1: between 0 and 0.9 m", "cover");
  World w = open_world(
      "<world><elevation_map mesh=\"table.obj\" resolution=\"0.5\" overhangs=\"cover\"/></world>");
  assert_near(height_of(&w, 0, 0), 1, 1e-12);
  close_world(&w);
  // a rock that lies in the ground, and a closed box from below, have no air under them
  write_file("rock.obj",
             "v -4 -4 0\nv 4 -4 0\nv 4 4 0\nv -4 4 0\nf 1 2 3 4\n"
             "v -1 -1 1\nv 1 -1 1\nv 1 1 1\nv -1 1 1\nf 5 6 7 8\n"
             "v -1 -1 -1\nv 1 -1 -1\nv 1 1 -1\nv -1 1 -1\nf 12 11 10 9\n");
  w = open_world("<world><elevation_map mesh=\"rock.obj\" resolution=\"0.5\"/></world>");
  assert_near(height_of(&w, 0, 0), 1, 1e-12);
  assert_near(height_of(&w, 3, 0), 0, 1e-12);
  close_world(&w);
  // turned inside out
  write_file("box.obj",
             "v -1 -1 1\nv 1 -1 1\nv 1 1 1\nv -1 1 1\nf 4 3 2 1\n"
             "v -1 -1 -1\nv 1 -1 -1\nv 1 1 -1\nv -1 1 -1\nf 5 6 7 8\n");
  w = open_world("<world><elevation_map mesh=\"box.obj\" resolution=\"0.5\"/></world>");
  assert_near(height_of(&w, 0, 0), 1, 1e-12);
  close_world(&w);
}

#endif

static void soils_have_places(void** state) {
  (void)state;
  double strength, friction;
  World w = open_world("<world>" SOILS "</world>");
  assert_int_equal(soil_at(&w, 0, 0, &strength, &friction), 1);
  close_world(&w);
  w = open_world("<world></world>");
  assert_int_equal(soil_at(&w, 0, 0, &strength, &friction), 0);
  close_world(&w);
  write_file("soil.csv", "1 2\n0 1\n");
  write_file("strength.csv", "10 20\n0 40\n");
  w = open_world("<world soil=\"dune\">" SOILS
                 "<soil_map file=\"soil.csv\" soils=\"dune, mud\" resolution=\"10\"/>"
                 "<soil_map file=\"strength.csv\" quantity=\"cone_index\" scale=\"1000\" "
                 "resolution=\"10\"/>"
                 "<region outline=\"0 0, 3 0, 0 3\" soil=\"mud\" cone_index=\"5 kPa\"/>"
                 "</world>");
  // rows along x, as those of a matrix of heights
  assert_int_equal(soil_at(&w, -4, -4, &strength, &friction), 2);
  assert_near(strength, 1e4, 0);
  assert_int_equal(soil_at(&w, -4, 4, &strength, &friction), 1);
  assert_near(strength, 2e4, 0);
  assert_int_equal(soil_at(&w, 4, -4, &strength, &friction), 2);
  assert_true(isnan(strength));
  assert_int_equal(soil_at(&w, 1, 1, &strength, &friction), 1);
  assert_near(strength, 5e3, 0);
  assert_int_equal(soil_at(&w, 2, 2, &strength, &friction), 2);
  assert_near(strength, 4e4, 0);
  assert_int_equal(soil_at(&w, 100, 2, &strength, &friction), 2);
  close_world(&w);
}

static void unknown_soils_are_refused(void** state) {
  (void)state;
  write_file("three.csv", "1 3\n0 1\n");
  assert_wrong("<world\nsoil=\"dun\">" SOILS "</world>", 2, "'dun'", "dune");
  assert_wrong("<world>" SOILS "\n<region soil=\"mut\"/></world>", 2, "'mut'", "mud");
  assert_wrong("<world>" SOILS "\n<soil_map file=\"three.csv\" soils=\"mud dume\"/></world>", 2,
               "'dume'", "dune");
  assert_wrong("<world>" SOILS "\n<soil_map file=\"three.csv\" soils=\"mud dune\"/></world>", 2,
               "value 3", "");
  assert_wrong("<world>\n<region outline=\"0 0, 1 1\"/></world>", 2, "3 points", "");
  assert_wrong("<world>\n<soil_map file=\"not_there.png\"/></world>", 2, "not_there", "");
}

// A height is a double, with a 64th and a third of that for the pyramid over squares of 8 x 8. What
// rays in lanes need besides, 4 + 4/3 + ... bytes, is there only where a sensor may cast them.
static void heights_take_eight_bytes(void** state) {
  (void)state;
#define MAP "<elevation_map formula='sin(x)' size='511 511 m' resolution='1 m'/>"
  const double n = 512.0 * 512.0;
  World bare = open_world("<world/>"), map = open_world("<world>" MAP "</world>");
  World seen = open_world("<world>" MAP "<sensor type='laser' name='l' rays='3'/></world>");
  const double own = (double)rut_model_size(map.model) - (double)rut_model_size(bare.model);
  const double more = (double)rut_model_size(seen.model) - (double)rut_model_size(map.model);
  assert_near(own / n, 8 + 8.0 / 64 * 4 / 3, 0.02);
  // cells have a frame and are filled up to whole tiles of 64
  assert_near(more / n, 4 * (4.0 / 3) * 576.0 * 576.0 / n, 0.3);
  for (int i = 0; i < 100; i++) {
    assert_true(height_of(&map, 0.3 * i, -0.7 * i) == height_of(&seen, 0.3 * i, -0.7 * i));
  }
  close_world(&bare);
  close_world(&map);
  close_world(&seen);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(heights_take_eight_bytes),
      cmocka_unit_test(shapes_stand_on_level_ground),
      cmocka_unit_test(planar_worlds_see_shapes),
      cmocka_unit_test(roughness_lies_on_a_map),
      cmocka_unit_test(regions_are_told_apart),
      cmocka_unit_test(wrong_shapes_are_refused),
      cmocka_unit_test(asc_files_lie_north_up),
      cmocka_unit_test(tables_and_images_lie_as_in_mvsim),
      cmocka_unit_test(broken_maps_tell_where),
      cmocka_unit_test(formulas_are_ground),
      cmocka_unit_test(wrong_formulas_are_refused),
#ifdef RUT_HAVE_ASSIMP
      cmocka_unit_test(overhangs_are_refused_by_name),
#endif
      cmocka_unit_test(soils_have_places),
      cmocka_unit_test(unknown_soils_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
