// SPDX-License-Identifier: BSD-3-Clause
//
// Textures: means of what a pixel covers, and meshes of files as a camera sees them.
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
#include "geom/texture.h"
#include "rut/component.h"
#include "scratch_files.h"

static const double PI = 3.14159265358979323846;

static double linear(int code) {
  const double x = code / 255.0;
  return x <= 0.04045 ? x / 12.92 : pow((x + 0.055) / 1.055, 2.4);
}

static rutTexture make_texture(int width, int height, const uint8_t* colour) {
  rutTexture t;
  const size_t numbers = rut_texture_layout(&t, width, height);
  t.texel = malloc(numbers * sizeof *t.texel);
  assert_non_null(t.texel);
  rut_texture_fill(&t, colour);
  return t;
}

// ---- one texture ----

// Rounding of a reflectance to 1/65535 at every level.
static const double STEP = 1.0 / 65535;

static void test_one_colour(void** state) {
  (void)state;
  static uint8_t colour[3 * 7 * 5];
  for (int i = 0; i < 7 * 5; i++) memcpy(colour + 3 * i, (uint8_t[]){200, 100, 3}, 3);
  rutTexture t = make_texture(7, 5, colour);
  assert_int_equal(t.levels, 3);
  for (int i = 0; i < 270; i++) {
    const double size = 0.03 * i;
    double got[3];
    rut_texture_sample(&t, (double[]){13 * size, -7 * size}, size, got);
    assert_near(got[0], linear(200), STEP);
    assert_near(got[1], linear(100), STEP);
    assert_near(got[2], linear(3), STEP);
  }
  free(t.texel);
}

// Coordinates that overflowed read no memory beside the texture.
static void test_no_numbers(void** state) {
  (void)state;
  static const double uv[][2] = {
      {NAN, 0}, {0, NAN}, {INFINITY, 0}, {0, -INFINITY}, {1e300, -1e300}};
  static uint8_t colour[3 * 7 * 5];
  memset(colour, 200, sizeof colour);
  rutTexture t = make_texture(7, 5, colour);
  for (int i = 0; i < 5; i++) {
    double got[3];
    rut_texture_sample(&t, uv[i], INFINITY, got);
    for (int k = 0; k < 3; k++) assert_near(got[k], linear(200), STEP);
  }
  free(t.texel);
}

// In the middle of a texel it is that, between two their mean, and beyond an edge the image begins
// again.
static void test_bilinear(void** state) {
  (void)state;
  // upper row 0 255, lower row 100 50
  static const uint8_t colour[12] = {0, 0, 0, 255, 255, 255, 100, 100, 100, 50, 50, 50};
  rutTexture t = make_texture(2, 2, colour);
  const double a = 0, b = 1, c = linear(100), d = linear(50);
  const double cases[][3] = {{0.25, 0.75, a},
                             {0.75, 0.75, b},
                             {0.25, 0.25, c},
                             {0.75, 0.25, d},
                             {0.5, 0.75, (a + b) / 2},
                             {0.25, 0.5, (a + c) / 2},
                             {0.4, 0.6, 0.7 * (0.7 * a + 0.3 * b) + 0.3 * (0.7 * c + 0.3 * d)},
                             {0, 0.75, (a + b) / 2},
                             {3.25, -1.25, a},
                             {-0.75, 7.25, c}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    double got[3];
    rut_texture_sample(&t, cases[i], 0, got);
    assert_near(got[1], cases[i][2], STEP);
  }
  free(t.texel);
}

// A square as large as the image has its mean, whatever its sides.
static void test_mean(void** state) {
  (void)state;
  static const int sides[][2] = {{1, 1}, {8, 8}, {3, 5}, {37, 2}, {64, 19}, {101, 100}};
  for (size_t s = 0; s < sizeof sides / sizeof *sides; s++) {
    const int w = sides[s][0], h = sides[s][1];
    uint8_t* colour = malloc(3 * (size_t)w * (size_t)h);
    double mean[3] = {0, 0, 0}, got[3];
    assert_non_null(colour);
    uint32_t random = 1;
    for (int i = 0; i < 3 * w * h; i++) {
      random = random * 1664525u + 1013904223u;
      colour[i] = (uint8_t)(random >> 24);
      mean[i % 3] += linear(colour[i]) / (w * h);
    }
    rutTexture t = make_texture(w, h, colour);
    rut_texture_sample(&t, (double[]){0.3, 0.9}, 10 * fmax(w, h), got);
    for (int k = 0; k < 3; k++) assert_near(got[k], mean[k], 8 * STEP);
    free(t.texel);
    free(colour);
  }
}

// ---- in a world ----

typedef struct World {
  rutContext* context;
  rutModel* model;
  rutData* data;
  rutError err;
} World;

static int findings;    // of the last world
static char told[600];  // the last of them

static void note(const rutDiagnostic* finding, void* user) {
  (void)user;
  findings++;
  snprintf(told, sizeof told, "%.599s", finding->message);
}

// A world beside the files of the test, after its first sample.
static World open_world(const char* text) {
  World w = {0};
  rutSpec* spec = NULL;
  rutContextDef def = rut_default_context();
  def.report = note;
  findings = 0;
  assert_int_equal(rut_context_create(&def, &w.context, &w.err), RUT_OK);
  rutStatus status = rut_spec_parse(w.context, text, strlen(text), at("world.xml"), &spec, &w.err);
  if (status == RUT_OK) status = rut_compile(spec, &w.model, &w.err);
  rut_spec_destroy(spec);
  if (status == RUT_OK) w.data = rut_data_create(w.model);
  for (int i = 0; w.data && i < 10; i++) assert_int_equal(rut_step(w.model, w.data, NULL), RUT_OK);
  return w;
}

static void close_world(World* w) {
  rut_data_destroy(w->data);
  rut_model_destroy(w->model);
  rut_context_destroy(w->context);
}

static const void* image_of(const World* w, int output) {
  if (!w->data) fail_msg("%s", w->err.message);
  const void* image = rut_sensor_output(w->model, w->data, 0, output, NULL);
  assert_non_null(image);
  return image;
}

enum { SIDE = 60, COLOUR = 0, DEPTH = 1, CLASS = 2 };

// A camera 5 m before a square of 2 m, in the light of a sun behind it.
#define WORLD(visual)                                                                           \
  "<world timestep='0.01'><light ambient='0' azimuth='180 deg' elevation='0' shadows='false'/>" \
  "<visual model='" visual                                                                      \
  "' offset='5 0 0'/><sensor type='camera' name='eye' z='1' period='0.1' "                      \
  "noise='none' width='60' height='60' fov='30 deg' exposure='0.8'/></world>"

// A square from y = 1 to -1, z = 0 to 2, that shows `repeat` by `repeat` images.
static void write_square(const char* name, const char* library, int repeat) {
  char text[400];
  snprintf(text, sizeof text,
           "mtllib %s\nv 0 1 0\nv 0 -1 0\nv 0 -1 2\nv 0 1 2\nvt 0 0\nvt %d 0\nvt %d %d\nvt 0 %d\n"
           "usemtl a\nf 1/1 2/2 3/3 4/4\n",
           library, repeat, repeat, repeat, repeat);
  write_file(name, text);
}

// Half a step of a code near a signal.
static double resolution(double signal) {
  const double code = signal <= 0.0031308 ? 12.92 * signal : 1.055 * pow(signal, 1 / 2.4) - 0.055;
  return 0.51 / 255 * 2.4 / 1.055 * pow((code + 0.055) / 1.055, 1.4);
}

// Rows of the image from the top.
static const int IMAGE[4][4] = {
    {10, 250, 60, 200}, {90, 30, 255, 0}, {128, 64, 32, 16}, {5, 80, 170, 240}};

static double texel(int column, int row) { return linear(IMAGE[(row + 4) % 4][(column + 4) % 4]); }

static void write_image(const char* name) {
  FILE* file = fopen(at(name), "wb");
  assert_non_null(file);
  fputs("P3\n4 4\n255\n", file);
  for (int i = 0; i < 16; i++)
    fprintf(file, "%d 255 %d\n", IMAGE[i / 4][i % 4], IMAGE[i / 4][i % 4]);
  fclose(file);
}

static int write_files(void** state) {
  (void)state;
  make_scratch_folder(folder);
  write_image("image.ppm");
  write_file("plain.mtl", "newmtl a\nKd 1 1 1\nmap_Kd image.ppm\n");
  write_file("grey.mtl", "newmtl a\nKd 0.5 0.5 0.5\nmap_Kd image.ppm\n");
  write_file("broken.mtl", "newmtl a\nKd 1 1 1\nmap_Kd broken.png\n");
  write_file("broken.png", "\x89PNG\r\n\x1a\n0000");
  write_file("text.mtl", "newmtl a\nKd 1 1 1\nmap_Kd text.png\n");
  write_file("text.png", "no image");
  write_file("away.mtl", "newmtl a\nKd 1 1 1\nmap_Kd away.png\n");
  write_file("outside.mtl", "newmtl a\nKd 1 1 1\nmap_Kd ../etc/image.png\n");
  write_square("plain.obj", "plain.mtl", 1);
  write_square("many.obj", "plain.mtl", 64);
  write_square("grey.obj", "grey.mtl", 64);
  write_square("broken.obj", "broken.mtl", 1);
  write_square("text.obj", "text.mtl", 1);
  write_square("away.obj", "away.mtl", 1);
  write_square("outside.obj", "outside.mtl", 1);
  return 0;
}

// The image with its texels interpolated: u to the right, v up, over the square.
static void test_seen(void** state) {
  (void)state;
  World w = open_world(WORLD("plain.obj"));
  const unsigned char* colour = image_of(&w, COLOUR);
  const double focal = SIDE / 2 / tan(15 * PI / 180);
  int inside = 0;
  for (int i = 0; i < SIDE * SIDE; i++) {
    const double right = 5 * (i % SIDE + 0.5 - SIDE / 2) / focal;
    const double down = 5 * (i / SIDE + 0.5 - SIDE / 2) / focal;
    if (fmax(fabs(right), fabs(down)) > 0.99) continue;
    const double x = 2 * (right + 1) - 0.5, y = 2 * (down + 1) - 0.5;
    const int c = (int)floor(x), r = (int)floor(y);
    const double a = x - c, b = y - r;
    const double want = 0.8 * ((1 - b) * ((1 - a) * texel(c, r) + a * texel(c + 1, r)) +
                               b * ((1 - a) * texel(c, r + 1) + a * texel(c + 1, r + 1)));
    assert_near(linear(colour[3 * i]), want, resolution(want) + STEP);
    assert_near(linear(colour[3 * i + 1]), 0.8, resolution(0.8) + STEP);
    inside++;
  }
  assert_true(inside > 1500);
  close_world(&w);
}

// A pixel that covers several whole images has their mean; times the colour of the material.
static void test_far(void** state) {
  (void)state;
  static const char* const world[] = {WORLD("many.obj"), WORLD("grey.obj")};
  double mean = 0;
  for (int i = 0; i < 16; i++) mean += texel(i % 4, i / 4) / 16;
  for (int k = 0; k < 2; k++) {
    World w = open_world(world[k]);
    const unsigned char* colour = image_of(&w, COLOUR);
    const double factor = k == 0 ? 0.8 : 0.8 * pow((0.5 + 0.055) / 1.055, 2.4);
    const int middle = 3 * (SIDE * SIDE / 2 + SIDE / 2);
    assert_near(linear(colour[middle]), factor * mean, resolution(factor * mean) + 4 * STEP);
    assert_near(linear(colour[middle + 1]), factor, resolution(factor) + 4 * STEP);
    close_world(&w);
  }
}

// Depths and classes are those of the mesh without it.
static void test_truth(void** state) {
  (void)state;
  World with = open_world(WORLD("plain.obj")),
        without = open_world(WORLD("plain.obj' color='#ffffff"));
  const float *a = image_of(&with, DEPTH), *b = image_of(&without, DEPTH);
  const int32_t *c = image_of(&with, CLASS), *d = image_of(&without, CLASS);
  const unsigned char *e = image_of(&with, COLOUR), *f = image_of(&without, COLOUR);
  int different = 0;
  for (int i = 0; i < SIDE * SIDE; i++) {
    assert_near(a[i], b[i], 0);
    assert_int_equal(c[i], d[i]);
    different += e[3 * i] != f[3 * i];
  }
  assert_true(different > 1000);
  close_world(&with);
  close_world(&without);
}

static void test_refused(void** state) {
  (void)state;
  World w = open_world(WORLD("broken.obj"));
  assert_null(w.data);
  assert_non_null(strstr(w.err.message, "broken.png': PNG image"));
  close_world(&w);
  w = open_world(WORLD("text.obj"));
  assert_null(w.data);
  assert_non_null(strstr(w.err.message, "text.png': file is not an image"));
  close_world(&w);
}

// A file that is not there is told; one outside of the folder is not even looked for. The mesh has
// the colour of its element.
static void test_missing(void** state) {
  (void)state;
  World w = open_world(WORLD("away.obj"));
  const unsigned char* colour = image_of(&w, COLOUR);
  assert_int_equal(findings, 1);
  assert_non_null(strstr(told, "away.png"));
  const int middle = 3 * (SIDE * SIDE / 2 + SIDE / 2);
  assert_near(linear(colour[middle]), 0.8 * 0.30, resolution(0.24));
  close_world(&w);
  w = open_world(WORLD("outside.obj"));
  image_of(&w, COLOUR);
  assert_int_equal(findings, 0);
  close_world(&w);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_one_colour), cmocka_unit_test(test_no_numbers),
      cmocka_unit_test(test_bilinear),   cmocka_unit_test(test_mean),
      cmocka_unit_test(test_seen),       cmocka_unit_test(test_far),
      cmocka_unit_test(test_truth),      cmocka_unit_test(test_refused),
      cmocka_unit_test(test_missing)};
  return cmocka_run_group_tests(tests, write_files, remove_folder);
}
