// SPDX-License-Identifier: BSD-3-Clause
//
// Images on the ground as a camera sees them from above: of maps, planes, soils.
#define _DEFAULT_SOURCE
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "assert_near.h"
#include "rut/component.h"
#include "rut/look.h"
#include "scratch_files.h"

// Green of the four quarters of the image, the upper ones first.
enum { A = 250, B = 180, C = 90, D = 30 };

static int write_files(void** state) {
  (void)state;
  make_scratch_folder(folder);
  char text[200] = "P3\n4 4\n255\n";
  for (int i = 0; i < 16; i++) {
    static const int quarter[4] = {A, B, C, D};
    const size_t n = strlen(text);
    snprintf(text + n, sizeof text - n, "0 %d 0\n", quarter[2 * (i / 8) + i % 4 / 2]);
  }
  write_file("image.ppm", text);
  write_file("broken.png", "\x89PNG\r\n\x1a\n0000");
  write_file("text.png", "no image");
  return 0;
}

typedef struct World {
  rutContext* context;
  rutModel* model;
  rutData* data;
  rutError err;
} World;

static int findings;
static char told[600];

static void note(const rutDiagnostic* finding, void* user) {
  (void)user;
  findings++;
  snprintf(told, sizeof told, "%.599s", finding->message);
}

// A world in white light from above, and a camera 10 m above the ground that sees 8 m of it: up in
// its image is x, left is y.
static World open_world(const char* format, const char* name, const char* ground) {
  World w = {0};
  rutSpec* spec = NULL;
  rutContextDef def = rut_default_context();
  def.report = note;
  findings = 0;
  char text[2000];
  snprintf(text, sizeof text,
           "<world timestep='0.01'><light ambient='0' elevation='90 deg' shadows='false'/>%s"
           "<sensor type='camera' name='eye' z='10' pitch='90 deg' period='0.1' noise='none' "
           "width='80' height='80' fov='43.6028 deg' exposure='1'/></world>",
           ground);
  assert_int_equal(rut_context_create(&def, &w.context, &w.err), RUT_OK);
  rutStatus status = format
                         ? rut_spec_load(w.context, at(name), &spec, &w.err)
                         : rut_spec_parse(w.context, text, strlen(text), at(name), &spec, &w.err);
  if (status == RUT_OK) status = rut_compile(spec, &w.model, &w.err);
  rut_spec_destroy(spec);
  if (status == RUT_OK) w.data = rut_data_create(w.model);
  for (int i = 0; w.data && i < 10; i++) assert_int_equal(rut_step(w.model, w.data, NULL), RUT_OK);
  return w;
}

static World open_ground(const char* ground) { return open_world(NULL, "world.xml", ground); }

static void close_world(World* w) {
  rut_data_destroy(w->data);
  rut_model_destroy(w->model);
  rut_context_destroy(w->context);
}

// The green that the camera sees at a place on the ground. 80 pixels are 8 m.
static int green_at(const World* w, double x, double y) {
  if (!w->data) fail_msg("%s", w->err.message);
  const unsigned char* colour = rut_sensor_output(w->model, w->data, 0, 0, NULL);
  assert_non_null(colour);
  const int row = (int)(40 - 10 * x), column = (int)(40 - 10 * y);
  return colour[3 * (80 * row + column) + 1];
}

// What is seen in the middles of the four quarters of the square from -2 to 2: with the smaller x
// first, and there with the smaller y.
static void assert_quarters(const char* ground, const int want[4]) {
  World w = open_ground(ground);
  for (int i = 0; i < 4; i++) {
    const int got = green_at(&w, i / 2 ? 1 : -1, i % 2 ? 1 : -1);
    if (abs(got - want[i]) > 1) fail_msg("%s: quarter %d is %d, not %d", ground, i, got, want[i]);
  }
  close_world(&w);
}

// Its right is x, its up y.
static void test_plane(void** state) {
  (void)state;
#define PLANE "<plane x_min='-2' x_max='2' y_min='-2' y_max='2' texture='image.ppm' "
  assert_quarters(PLANE "texture_size='4 4'/>", (const int[]){C, A, D, B});
  // it turns with the plane
  assert_quarters(PLANE "texture_size='4 4' yaw='90 deg'/>", (const int[]){A, B, C, D});
  // twice along x and y: each quarter has the whole image
  World w = open_ground(PLANE "texture_size='2 2'/>");
  const double left[] = {-1.5, 0.5};
  for (int i = 0; i < 4; i++) {
    assert_near(green_at(&w, left[i / 2], left[i % 2]), C, 1);
    assert_near(green_at(&w, left[i / 2] + 1, left[i % 2]), D, 1);
    assert_near(green_at(&w, left[i / 2], left[i % 2] + 1), A, 1);
  }
  close_world(&w);
}

// Rows of the image are along x as those of MVSim's elevation images, or from the north to the
// south.
static void test_map(void** state) {
  (void)state;
#define MAP(more) \
  "<elevation_map matrix='[0 0 0; 0 0 0; 0 0 0]' resolution='2' texture='image.ppm' " more "/>"
  assert_quarters(MAP(""), (const int[]){A, B, C, D});
  assert_quarters(MAP("rows='north_up'"), (const int[]){C, A, D, B});
  assert_quarters(MAP("rows='north_up' texture_rotation='90'"), (const int[]){A, B, C, D});
  assert_quarters(MAP("texture_rotation='-90'"), (const int[]){C, A, D, B});
  assert_quarters(MAP("texture_rotation='180'"), (const int[]){D, C, B, A});
  // elsewhere it has the colour that it is given
  World w = open_ground("<elevation_map matrix='[0 0; 0 0]' resolution='4' color='#20ff40'/>");
  assert_near(green_at(&w, 1, 1), 255, 1);
  close_world(&w);
}

// A soil's own material is seen where the file puts the soil; the default soil lies below the
// image.
static void test_soils(void** state) {
  (void)state;
#define SOILS(rest)                                                                  \
  "<soil type='magic_formula' name='base'><material colour='1 1 1'/></soil>"         \
  "<soil type='magic_formula' name='other'><material colour='0 0 0'/></soil>"        \
  "<region soil='other' x_min='0.5' x_max='1.5' y_min='0.5' y_max='1.5' z_min='-1' " \
  "z_max='1'/>" rest
  assert_quarters(SOILS(PLANE "texture_size='4 4'/>"), (const int[]){C, A, D, 0});
  // the material of the ground, and of a soil, have images too
  assert_quarters("<material texture='image.ppm' texture_size='4 4'/>", (const int[]){B, D, A, C});
  assert_quarters(
      "<soil type='magic_formula' name='base'><material texture='image.ppm' texture_size='4 4'/>"
      "</soil><plane x_min='-2' x_max='2' y_min='-2' y_max='2'/>",
      (const int[]){B, D, A, C});
}

static void assert_green(const char* ground, double x, double y, int want) {
  World w = open_ground(ground);
  const int got = green_at(&w, x, y);
  if (abs(got - want) > 1) fail_msg("%s: %d, not %d", ground, got, want);
  close_world(&w);
}

// Soils without a material look as they are called: numbers of docs/manual/sensors.md in sRGB, 255
// (1.055 c^(1/2.4) - 0.055).
static void test_named_soils(void** state) {
  (void)state;
  enum { ASPHALT = 76, LAWN = 88, LOAM = 105, SNOW = 249 };  // 0.072, 0.097, 0.14, 0.95
#define NAMED(name) "<soil type='magic_formula' name='" name "'/>"
  assert_green(NAMED("dry_asphalt"), 1, 1, ASPHALT);
  assert_green(NAMED("wet_road") "<plane/>", 1, 1, ASPHALT);
  assert_green(NAMED("plot"), 1, 1, LOAM);
  assert_green(NAMED("bare_ice"), 1, 1, SNOW);
  assert_green("<soil type='sand' name='plot' cone_index='400 kPa'/>", 1, 1, 166);  // 0.38
  // a material of the world holds for all soils
  assert_green("<material preset='snow'/>" NAMED("asphalt"), 1, 1, SNOW);
#define TWO \
  NAMED("asphalt") NAMED("lawn")                                                      \
  "<region soil='lawn' x_min='0.5' x_max='1.5' y_min='0.5' y_max='1.5' z_min='-1' z_max='1'/>"
  assert_green(TWO, 1, 1, LAWN);
  assert_green(TWO, -1, 1, ASPHALT);
  World w = open_ground(TWO);
  const double green[] = {0.072, 0.097};
  for (int i = 0; i < 2; i++) {
    double colour[3];
    rut_soil_reflectance(w.model, i, colour);
    assert_near(colour[1], green[i], 1e-12);
  }
  close_world(&w);
}

// Blocks and walls without a colour are of concrete, 0.25 in green light.
static void test_elements(void** state) {
  (void)state;
  rutContext* context = NULL;
  rutSpec* spec = NULL;
  const char* text =
      "<world timestep='0.01'><block name='b'/><wall color='#00ff00'/>"
      "<block color='#ff0000'><material preset='asphalt'/></block></world>";
  assert_int_equal(rut_context_create(NULL, &context, NULL), RUT_OK);
  assert_int_equal(rut_spec_parse(context, text, strlen(text), "world.xml", &spec, NULL), RUT_OK);
  const rutNode root = rut_spec_root(spec);
  const rutNode block = rut_node_first(spec, root, "block");
  double colour[3];
  rut_element_reflectance(spec, block, colour);
  assert_near(colour[1], 0.25, 1e-12);
  rut_element_reflectance(spec, rut_node_next(spec, block, "block"), colour);
  assert_near(colour[1], 0.072, 1e-12);
  rut_element_reflectance(spec, rut_node_first(spec, root, "wall"), colour);
  assert_near(colour[1], 1, 1e-12);
  rut_spec_destroy(spec);
  rut_context_destroy(context);
}

static void assert_refused(const char* ground, const char* message) {
  World w = open_ground(ground);
  assert_null(w.data);
  if (!strstr(w.err.message, message)) fail_msg("'%s', not '%s'", w.err.message, message);
  close_world(&w);
}

static void test_refused(void** state) {
  (void)state;
  assert_refused("<plane texture='broken.png'/>", "broken.png': PNG image");
  assert_refused("<plane texture='text.png'/>", "text.png': file is not an image");
  assert_refused("<plane texture='image.ppm' texture_size='0 1'/>", "'texture_size'");
  // so small that the image's coordinates of a place would be infinite
  assert_refused("<plane texture='image.ppm' texture_size='1e-308 1e-308'/>", "'texture_size'");
  assert_refused("<material texture='image.ppm' texture_size='1 5e-324'/>", "'texture_size'");
  assert_refused("<material texture='broken.png'/>", "broken.png");
  assert_refused(MAP("texture_rotation='45'"), "0, 90, -90 or 180");
  assert_refused("<block shape='box'><material texture='image.ppm'/></block>",
                 "only the ground shows the texture");
}

// Without the file the ground has its colour, and a note says so.
static void test_missing(void** state) {
  (void)state;
  World w = open_ground("<plane texture='https://host.example/away.png' color='#ffffff'/>");
  assert_near(green_at(&w, 1, 1), 255, 1);
  assert_int_equal(findings, 1);
  assert_non_null(strstr(told, "cameras see the ground without it"));
  close_world(&w);
}

// The same from a world of MVSim, whose names are relative to its own file.
static void test_mvsim(void** state) {
  (void)state;
  write_file("world.mvsim.xml",
             "<mvsim_world version='1.0'><element class='elevation_map'>"
             "<elevation_data_matrix>[0 0 0; 0 0 0; 0 0 0]</elevation_data_matrix>"
             "<resolution>2</resolution><texture_image>image.ppm</texture_image></element>"
             "<lights><light_ambient>1</light_ambient></lights>"
             "<sensor class='camera' name='eye'><pose_3d>0 0 10 0 0 0</pose_3d></sensor>"
             "</mvsim_world>");
  World w = open_world("load", "world.mvsim.xml", "");
  if (!w.model) fail_msg("%s", w.err.message);
  assert_int_equal(findings, 0);
  close_world(&w);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_plane),       cmocka_unit_test(test_map),
      cmocka_unit_test(test_soils),       cmocka_unit_test(test_refused),
      cmocka_unit_test(test_missing),     cmocka_unit_test(test_mvsim),
      cmocka_unit_test(test_named_soils), cmocka_unit_test(test_elements)};
  return cmocka_run_group_tests(tests, write_files, remove_folder);
}
