// SPDX-License-Identifier: BSD-3-Clause
//
// Pictures of cameras, in memory and as files; projection of a camera by the public interface.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <png.h>
#include <cmocka.h>

#include "assert_near.h"
#include "format/image.h"
#include "rut/host.h"
#include "scratch_files.h"
#include "world_fixture.h"

static const rutComponent* const no_types[] = {NULL};

#define EYE "<sensor type='camera' name='eye' period='0.1' noise='none' "

// 2 m above the ground and straight down, beside a post of 1 m: depths of 2 m and 1 m.
static World above_a_post(const char* more) {
  char text[1000];
  snprintf(text, sizeof text,
           "<world timestep='0.01'><block name='post' fixed='true' shape='box' size='1 9 1' "
           "position='0 -4.51'/>" EYE
           "z='2' pitch='90 deg' width='4' height='2' fov='90 deg' %s/></world>",
           more);
  World w = open_world_with(text, 0, no_types);
  run(&w, 10);
  return w;
}

// Ahead of a camera that looks down is the world's -z, on its left y: the post is on the right.
static void test_pictures(void** state) {
  (void)state;
  World w = above_a_post("");
  rutPicture p;
  assert_int_equal(rut_sample_picture(w.model, w.data, 0, "depth", &p, NULL), RUT_OK);
  assert_int_equal(p.format, RUT_PIXEL_FLOAT32);
  assert_int_equal(p.width, 4);
  assert_int_equal(p.height, 2);
  const float* depth = p.pixel;
  for (int row = 0; row < 2; row++) {
    for (int i = 0; i < 4; i++) assert_near(depth[4 * row + i], i < 2 ? 2 : 1, 1e-6);
  }
  free(p.pixel);
  assert_int_equal(rut_sample_picture(w.model, w.data, 0, "instance", &p, NULL), RUT_OK);
  assert_int_equal(p.format, RUT_PIXEL_GREY16);
  rutInstanceInfo info;
  assert_true(rut_instance_info(w.model, ((const uint16_t*)p.pixel)[3], &info));
  assert_string_equal(info.name, "post");
  free(p.pixel);
  assert_int_equal(rut_sample_picture(w.model, w.data, 0, "class", &p, NULL), RUT_OK);
  assert_true(p.palette && p.format == RUT_PIXEL_GREY8);
  assert_string_equal(rut_class_name(w.model, ((const unsigned char*)p.pixel)[0]), "ground");
  assert_string_equal(rut_class_name(w.model, ((const unsigned char*)p.pixel)[3]), "obstacle");
  free(p.pixel);
  close_world(&w);
}

// Nothing but sky.
static void test_sky(void** state) {
  (void)state;
  World w = above_a_post("max_range='0.5'");
  static const struct {
    const char* output;
    int size;
    unsigned char byte[4];
  } want[] = {
      {"depth", 4, {0, 0, 0x80, 0x7f}}, {"class", 1, {255, 0, 0, 0}}, {"instance", 2, {255, 255}}};
  for (int i = 0; i < 3; i++) {
    rutPicture p;
    assert_int_equal(rut_sample_picture(w.model, w.data, 0, want[i].output, &p, NULL), RUT_OK);
    assert_memory_equal(p.pixel, want[i].byte, (size_t)want[i].size);
    free(p.pixel);
  }
  close_world(&w);
}

// Rows from the bottom, little-endian: "Pf", size, -1.0.
static void test_pfm(void** state) {
  (void)state;
  static float pixel[2][2] = {{1, 2}, {3, INFINITY}};
  const rutPicture p = {.width = 2, .height = 2, .format = RUT_PIXEL_FLOAT32, .pixel = pixel};
  assert_int_equal(rut_picture_save(NULL, &p, at("d.pfm"), NULL), RUT_OK);
  static const unsigned char want[] =
      "Pf\n2 2\n-1.0\n\x00\x00\x40\x40\x00\x00\x80\x7f\x00\x00\x80\x3f\x00\x00\x00\x40";
  unsigned char bytes[64];
  FILE* file = fopen(at("d.pfm"), "rb");
  assert_non_null(file);
  assert_int_equal(fread(bytes, 1, sizeof bytes, file), sizeof want - 1);
  fclose(file);
  assert_memory_equal(bytes, want, sizeof want - 1);
}

static size_t read_back(const char* name, unsigned char* bytes, size_t size) {
  FILE* file = fopen(at(name), "rb");
  assert_non_null(file);
  const size_t n = fread(bytes, 1, size, file);
  fclose(file);
  return n;
}

// "PIEH", width, height, then u and v of each pixel; 1e10 where the flow is not known.
static void test_flo(void** state) {
  (void)state;
  static float pixel[2][2] = {{1, -2}, {NAN, NAN}};
  const rutPicture p = {.width = 2, .height = 1, .format = RUT_PIXEL_VECTOR2, .pixel = pixel};
  assert_int_equal(rut_picture_save(NULL, &p, at("f.flo"), NULL), RUT_OK);
  static const unsigned char want[] =
      "PIEH\x02\x00\x00\x00\x01\x00\x00\x00\x00\x00\x80\x3f\x00\x00\x00\xc0\xf9\x02\x15\x50"
      "\xf9\x02\x15\x50";
  unsigned char bytes[64];
  assert_int_equal(read_back("f.flo", bytes, sizeof bytes), sizeof want - 1);
  assert_memory_equal(bytes, want, sizeof want - 1);
}

static void read_colours(const char* name, unsigned char* pixel, size_t size) {
  png_image image = {.version = PNG_IMAGE_VERSION};
  assert_true(png_image_begin_read_from_file(&image, at(name)));
  image.format = PNG_FORMAT_RGB;
  assert_int_equal(PNG_IMAGE_SIZE(image), size);
  assert_true(png_image_finish_read(&image, NULL, pixel, 0, NULL));
}

// Colours of the circle of Baker et al., as their colorcode.cpp gives them: none white, half of the
// largest to the right pale red, the largest to the right red, down yellow-green, unknown black.
static void test_vectors_as_png(void** state) {
  (void)state;
  static float flow[4][2] = {{0, 0}, {1, 0}, {2, 0}, {NAN, NAN}};
  static float normal[2][3] = {{0, 0, -1}, {0, 0, 0}};
  const rutPicture f = {.width = 4, .height = 1, .format = RUT_PIXEL_VECTOR2, .pixel = flow};
  const rutPicture n = {.width = 2, .height = 1, .format = RUT_PIXEL_VECTOR3, .pixel = normal};
  assert_int_equal(rut_picture_save(NULL, &f, at("f.png"), NULL), RUT_OK);
  assert_int_equal(rut_picture_save(NULL, &n, at("n.png"), NULL), RUT_OK);
  static const unsigned char want[12] = {255, 255, 255, 255, 128, 128, 255, 0, 0, 0, 0, 0};
  static const unsigned char facing[6] = {128, 128, 255, 0, 0, 0};
  unsigned char got[12];
  read_colours("f.png", got, 12);
  for (int i = 0; i < 12; i++) assert_true(abs(got[i] - want[i]) <= 1);
  read_colours("n.png", got, 6);
  assert_memory_equal(got, facing, 6);
  assert_int_equal(rut_picture_save(NULL, &n, at("n.flo"), NULL), RUT_ERR_ARGUMENT);
  assert_int_equal(rut_picture_save(NULL, &f, at("f.pfm"), NULL), RUT_ERR_ARGUMENT);
}

// Numbers of instances end at 65535; colours and depths do not.
static void test_many_instances(void** state) {
  (void)state;
  World w = open_world_with(
      "<world timestep='0.1'><scenery type='grass' number='66000' spacing='0' "
      "area='-500 -500, 500 -500, 500 500, -500 500'/>" EYE "z='2' width='2' height='2'/></world>",
      0, no_types);
  run(&w, 1);
  rutError err = {0};
  rutPicture p;
  static const char* const fine[] = {"colour", "depth", "class"};
  for (int i = 0; i < 3; i++) {
    assert_int_equal(rut_sample_picture(w.model, w.data, 0, fine[i], &p, NULL), RUT_OK);
    free(p.pixel);
  }
  assert_int_equal(rut_sample_picture(w.model, w.data, 0, "instance", &p, &err), RUT_ERR_CAPACITY);
  assert_non_null(strstr(err.message, "65535 instances"));
  close_world(&w);
}

// A smooth picture comes back within what the quality of 92 loses. (Only with the gd library.)
static void test_jpeg(void** state) {
  (void)state;
  enum { W = 64, H = 48 };
  static unsigned char pixel[H][W][3];
  for (int i = 0; i < W * H; i++) {
    memcpy(pixel[i / W][i % W],
           (unsigned char[]){(unsigned char)(3 * (i % W)), 90, (unsigned char)(4 * (i / W))}, 3);
  }
  const rutPicture picture = {.width = W, .height = H, .format = RUT_PIXEL_RGB8, .pixel = pixel};
  rutError err = {0};
  const rutStatus status = rut_picture_save(NULL, &picture, at("smooth.jpg"), &err);
  if (status == RUT_ERR_MISSING) return;
  assert_int_equal(status, RUT_OK);
  FILE* file = fopen(at("smooth.jpg"), "rb");
  assert_non_null(file);
  static unsigned char bytes[1 << 16];
  const size_t size = fread(bytes, 1, sizeof bytes, file);
  fclose(file);
  rutReporter reporter = {0};
  rutImage image;
  assert_int_equal(rut_image_decode_colours(bytes, size, "smooth.jpg", &reporter, &image), RUT_OK);
  assert_int_equal(image.width, W);
  assert_int_equal(image.height, H);
  const unsigned char* from = pixel[0][0];
  for (int i = 0; i < 3 * W * H; i++) assert_near(image.colour[i], from[i], 8);
  rut_image_free(&image);
}

static void test_refused(void** state) {
  (void)state;
  World w = above_a_post("render='false'");
  rutError err = {0};
  rutPicture p;
  assert_int_equal(rut_sample_picture(w.model, w.data, 0, "colour", &p, &err), RUT_ERR_ARGUMENT);
  assert_non_null(strstr(err.message, "render"));
  assert_null(p.pixel);
  assert_int_equal(rut_sample_picture(w.model, w.data, 0, "smell", &p, &err), RUT_ERR_ARGUMENT);
  assert_non_null(strstr(err.message, "colour, depth, class, instance, normal and flow"));
  assert_int_equal(rut_sample_picture(w.model, w.data, 7, "depth", &p, &err), RUT_ERR_ARGUMENT);
  assert_int_equal(rut_sample_save(w.model, w.data, 0, at("c.png"), &err), RUT_ERR_ARGUMENT);
  rut_data_reset(w.model, w.data, 0);
  assert_int_equal(rut_sample_picture(w.model, w.data, 0, "depth", &p, &err), RUT_ERR_ARGUMENT);
  assert_non_null(strstr(err.message, "no sample yet"));
  static unsigned char grey[4];
  rutPicture flat = {.width = 2, .height = 2, .format = RUT_PIXEL_GREY8, .pixel = grey};
  assert_int_equal(rut_picture_save(NULL, &flat, at("x.pfm"), &err), RUT_ERR_ARGUMENT);
  assert_int_equal(rut_picture_save(NULL, &flat, at("x.gif"), &err), RUT_ERR_ARGUMENT);
  assert_int_equal(rut_picture_save(NULL, &flat, at("no/x.png"), &err), RUT_ERR_IO);
  assert_int_equal(rut_picture_save(NULL, &flat, "/dev/full.png/x.png", &err), RUT_ERR_IO);
  flat.width = 70000;
  assert_int_equal(rut_picture_save(NULL, &flat, at("x.png"), &err), RUT_ERR_ARGUMENT);
  close_world(&w);
}

// A pixel is u = cx + f X/Z with f = (W/2) / tan(fov/2), and goes back to its direction.
static void test_projection(void** state) {
  (void)state;
  World w = open_world_with("<world timestep='0.01'>" EYE
                            "width='640' height='480' fov='90 deg' offset_x='3' k1='0.1'/>"
                            "<sensor type='laser' name='l'/></world>",
                            0, no_types);
  rutCameraGeometry camera;
  assert_false(rut_camera_geometry(w.model, 1, &camera));
  assert_false(rut_camera_geometry(w.model, 2, &camera));
  assert_int_equal(camera.width, 0);
  assert_true(rut_camera_geometry(w.model, 0, &camera));
  assert_near(camera.focal, 320, 1e-10);
  const double point[3] = {1, -0.5, 4};
  double pixel[2], ray[3];
  assert_true(rut_camera_project(&camera, point, pixel));
  const double r2 = 0.25 * 0.25 + 0.125 * 0.125, radial = 1 + 0.1 * r2;
  assert_near(pixel[0], 323 + 320 * 0.25 * radial, 1e-10);
  assert_near(pixel[1], 240 - 320 * 0.125 * radial, 1e-10);
  assert_true(rut_camera_ray(&camera, pixel, ray));
  for (int i = 0; i < 2; i++) assert_near(ray[i] / ray[2], point[i] / point[2], 1e-12);
  const double behind[3] = {0, 0, -1};
  assert_false(rut_camera_project(&camera, behind, pixel));
  close_world(&w);
}

static int make_folder(void** state) {
  (void)state;
  make_scratch_folder(folder);
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_pictures),
                                     cmocka_unit_test(test_sky),
                                     cmocka_unit_test(test_pfm),
                                     cmocka_unit_test(test_flo),
                                     cmocka_unit_test(test_vectors_as_png),
                                     cmocka_unit_test(test_many_instances),
                                     cmocka_unit_test(test_jpeg),
                                     cmocka_unit_test(test_refused),
                                     cmocka_unit_test(test_projection)};
  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
