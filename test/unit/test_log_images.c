// SPDX-License-Identifier: BSD-3-Clause
//
// Samples of cameras in logs: images and projections byte by byte as ROS 2 has them, pictures read
// from them, and messages that are damaged.
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
#include "rut/host.h"
#include "scratch_files.h"
#include "world_fixture.h"

static const rutComponent* const no_types[] = {NULL};

// A camera called "e" in front of a crate.
static World open_camera(const char* more) {
  char text[1000];
  snprintf(text, sizeof text,
           "<world timestep='0.01'><block name='b' fixed='true' shape='box' size='1 1 1' "
           "position='4 0'/><sensor type='camera' name='e' period='0.1' z='1' width='6' "
           "height='4' fov='90 deg' offset_x='0.25' %s/></world>",
           more);
  return open_world_with(text, 0, no_types);
}

static rutLogFile* log_of(World* w, const char* name) {
  rutLogDef def = rut_default_log();
  rutLog* log = NULL;
  assert_int_equal(rut_log_create(w->model, at(name), &def, &log, NULL), RUT_OK);
  for (int i = 0; i < 20; i++) {
    run(w, 1);
    assert_int_equal(rut_log_step(log, w->model, w->data, NULL), RUT_OK);
  }
  assert_int_equal(rut_log_close(log, NULL), RUT_OK);
  rutLogFile* file = NULL;
  assert_int_equal(rut_log_open(at(name), &file, NULL), RUT_OK);
  return file;
}

static rutLogMessage message_of(rutLogFile* file, const char* topic) {
  rutLogMessage m;
  const int channel = rut_log_channel_find(file, topic);
  assert_true(channel >= 0);
  assert_true(rut_log_message_at(file, channel, 0.2, &m));
  return m;
}

static uint32_t u32_at(const unsigned char* b) {
  return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static double f64_at(const unsigned char* b) {
  double value;
  memcpy(&value, b, sizeof value);
  return value;
}

// Stamp, frame "e_optical", height, width, encoding "rgb8", is_bigendian, step, data.
static void test_image(void** state) {
  (void)state;
  World w = open_camera("");
  rutLogFile* file = log_of(&w, "a.mcap");
  const rutLogMessage m = message_of(file, "/e/image_raw");
  assert_string_equal(rut_log_channel_at(file, m.channel).schema, "sensor_msgs/msg/Image");
  const unsigned char* b = m.bytes + 4;
  assert_int_equal(u32_at(b + 4), 200000000);
  assert_string_equal((const char*)b + 12, "e_optical");
  assert_int_equal(u32_at(b + 24), 4);
  assert_int_equal(u32_at(b + 28), 6);
  assert_string_equal((const char*)b + 36, "rgb8");
  assert_int_equal(b[41], 0);
  assert_int_equal(u32_at(b + 44), 18);
  assert_int_equal(u32_at(b + 48), 72);
  assert_memory_equal(b + 52, rut_sensor_output(w.model, w.data, 0, 0, NULL), 72);
  assert_int_equal(m.size, 4 + 52 + 72);
  assert_int_equal(rut_log_channel_find(file, "/e/readings"), -1);
  assert_int_equal(rut_log_channel_find(file, "/e/image_raw/compressed"), -1);
  rut_log_file_close(file);
  close_world(&w);
}

// Behind the header: size, model, D, K, R, P. f = 3; the principal point is at 3.25, 2, which is
// 2.75, 1.5 where the middles of pixels are whole numbers.
static void check_info(rutLogFile* file, const char* model, int n, const double* d) {
  const rutLogMessage m = message_of(file, "/e/camera_info");
  const unsigned char* b = m.bytes + 4;
  assert_int_equal(u32_at(b + 24), 4);
  assert_int_equal(u32_at(b + 28), 6);
  assert_string_equal((const char*)b + 36, model);
  size_t at = 36 + strlen(model) + 1;
  at = (at + 3) / 4 * 4;
  assert_int_equal(u32_at(b + at), n);
  at = (at + 4 + 7) / 8 * 8;
  for (int i = 0; i < n; i++, at += 8) assert_near(f64_at(b + at), d[i], 1e-15);
  const double f = f64_at(b + at);
  const double k[9] = {f, 0, 2.75, 0, f, 1.5, 0, 0, 1}, r[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  const double p[12] = {f, 0, 2.75, 0, 0, f, 1.5, 0, 0, 0, 1, 0};
  for (int i = 0; i < 9; i++) assert_near(f64_at(b + at + 8 * (size_t)i), k[i], 1e-12);
  for (int i = 0; i < 9; i++) assert_near(f64_at(b + at + 72 + 8 * (size_t)i), r[i], 0);
  for (int i = 0; i < 12; i++) assert_near(f64_at(b + at + 144 + 8 * (size_t)i), p[i], 1e-12);
  assert_int_equal(m.size, 4 + at + 240 + 24 + 1);
}

// Numbers of OpenCV's models: k1 k2 p1 p2 k3; and of its fisheye the series in the angle of
// 2 sin(t/2), checked against the function.
static void test_camera_info(void** state) {
  (void)state;
  static const double brown[5] = {-0.25, 0.11, 1e-3, -2e-3, 0.01};
  World w = open_camera("k1='-0.25' k2='0.11' p1='1e-3' p2='-2e-3' k3='0.01'");
  rutLogFile* file = log_of(&w, "b.mcap");
  check_info(file, "plumb_bob", 5, brown);
  rut_log_file_close(file);
  close_world(&w);
  static const double none[4] = {0, 0, 0, 0};
  w = open_camera("lens='equidistant'");
  file = log_of(&w, "c.mcap");
  check_info(file, "equidistant", 4, none);
  rut_log_file_close(file);
  close_world(&w);
  static const double sine[4] = {-1.0 / 24, 1.0 / 1920, -1.0 / 322560, 1.0 / 92897280};
  const double t = 1.2, s = t * t;
  const double sum = t * (1 + s * (sine[0] + s * (sine[1] + s * (sine[2] + s * sine[3]))));
  assert_near(sum, 2 * sin(t / 2), 1e-9);
  w = open_camera("lens='equisolid'");
  file = log_of(&w, "d.mcap");
  check_info(file, "equidistant", 4, sine);
  rut_log_file_close(file);
  close_world(&w);
}

static rutPicture picture_of(rutLogFile* file, const char* topic) {
  const rutLogMessage m = message_of(file, topic);
  rutPicture p;
  rutError err = {0};
  if (rut_log_picture(file, &m, &p, &err) != RUT_OK) fail_msg("%s: %s", topic, err.message);
  return p;
}

// What is read back is what the sample's picture is, raw or as PNG, in metres or millimetres.
static void test_pictures(void** state) {
  (void)state;
  static const char* const more[] = {"", "log_colour='png' log_depth='millimetres'"};
  static const char* const topics[2][4] = {
      {"/e/image_raw", "/e/depth/image_raw", "/e/class/image_raw", "/e/instance/image_raw"},
      {"/e/image_raw/compressed", "/e/depth/image_raw", "/e/class/image_raw",
       "/e/instance/image_raw"}};
  static const char* const outputs[] = {"colour", "depth", "class", "instance"};
  for (int i = 0; i < 2; i++) {
    World w = open_camera(more[i]);
    rutLogFile* file = log_of(&w, "p.mcap");
    for (int k = 0; k < 4; k++) {
      rutPicture p = picture_of(file, topics[i][k]), want;
      assert_int_equal(rut_sample_picture(w.model, w.data, 0, outputs[k], &want, NULL), RUT_OK);
      assert_int_equal(p.width, 6);
      assert_int_equal(p.height, 4);
      for (int at = 0; at < 24; at++) {
        if (k == 0) {
          assert_memory_equal((char*)p.pixel + 3 * at, (char*)want.pixel + 3 * at, 3);
        } else if (k == 1 && i == 0) {
          assert_memory_equal((float*)p.pixel + at, (float*)want.pixel + at, 4);
        } else if (k == 1) {
          const double depth = (double)((float*)want.pixel)[at];
          const int told = ((uint16_t*)p.pixel)[at];
          assert_true(depth < 65.535 ? fabs(told - 1000 * depth) <= 0.5001 : told == 0);
        } else {
          const int number =
              k == 2 ? ((unsigned char*)want.pixel)[at] : ((uint16_t*)want.pixel)[at];
          assert_int_equal(((uint16_t*)p.pixel)[at], number == 255 && k == 2 ? 65535 : number);
        }
      }
      free(p.pixel);
      free(want.pixel);
    }
    rut_log_file_close(file);
    close_world(&w);
  }
}

static void test_left_out(void** state) {
  (void)state;
  World w = open_camera("log_colour='none' log_depth='none' log_labels='false'");
  rutLogFile* file = log_of(&w, "n.mcap");
  assert_true(rut_log_channel_find(file, "/e/camera_info") >= 0);
  assert_int_equal(rut_log_channel_find(file, "/e/image_raw"), -1);
  assert_int_equal(rut_log_channel_find(file, "/e/depth/image_raw"), -1);
  assert_int_equal(rut_log_channel_find(file, "/e/class/image_raw"), -1);
  assert_int_equal(rut_log_channel_find(file, "/e/readings"), -1);
  const rutLogMessage m = message_of(file, "/e/camera_info");
  rutPicture p;
  rutError err = {0};
  assert_int_equal(rut_log_picture(file, &m, &p, &err), RUT_ERR_ARGUMENT);
  rut_log_file_close(file);
  close_world(&w);
}

// The frame of the images is turned from that of the sensor: z ahead, x right, y down. Level and
// along the world's x axis that is the quaternion (x y z w) -1/2 1/2 -1/2 1/2.
static void test_frames(void** state) {
  (void)state;
  World w = open_camera("");
  rutLogFile* file = log_of(&w, "t.mcap");
  rutLogMessage m;
  const int channel = rut_log_channel_find(file, "/tf");
  bool found = false;
  rutLogCursor* cursor = NULL;
  const rutLogSelection all = {.n = 1, .index = &channel, .from = -1e9, .to = 1e9};
  assert_int_equal(rut_log_cursor_create(file, &all, &cursor, NULL), RUT_OK);
  while (rut_log_next(cursor, &m, NULL)) {
    for (size_t i = 4; i + 10 < m.size && !found; i++) {
      if (memcmp(m.bytes + i, "e_optical", 10) != 0) continue;
      const size_t at = (i - 4 + 10 + 7) / 8 * 8 + 4;
      const double want[7] = {0, 0, 1, -0.5, 0.5, -0.5, 0.5};
      for (int k = 0; k < 7; k++) assert_near(f64_at(m.bytes + at + 8 * (size_t)k), want[k], 1e-12);
      found = true;
    }
  }
  assert_true(found);
  rut_log_cursor_destroy(cursor);
  rut_log_file_close(file);
  close_world(&w);
}

// Colours as JPEG, where there is the gd library: within its loss, and the sides that it has; a
// hundredth part of a smooth image.
static void test_jpeg(void** state) {
  (void)state;
  World w = open_world_with(
      "<world timestep='0.01'><sensor type='camera' name='e' period='0.1' z='2' pitch='20 deg' "
      "width='320' height='240' noise='none' log_colour='jpeg'/></world>",
      0, no_types);
  rutLogFile* file = log_of(&w, "j.mcap");
  const rutLogMessage m = message_of(file, "/e/image_raw/compressed");
  const char* format = (const char*)m.bytes + 4 + 28;
  if (strcmp(format, "png") != 0) {
    assert_string_equal(format, "jpeg");
    assert_true(m.size < 320 * 240 * 3 / 20);
    assert_memory_equal(m.bytes + 4 + 40, "\xff\xd8", 2);
  }
  rutPicture got = picture_of(file, "/e/image_raw/compressed"), want;
  assert_int_equal(rut_sample_picture(w.model, w.data, 0, "colour", &want, NULL), RUT_OK);
  assert_int_equal(got.width, 320);
  assert_int_equal(got.height, 240);
  double sum = 0;
  for (int i = 0; i < 320 * 240 * 3; i++) {
    sum += abs(((unsigned char*)got.pixel)[i] - ((unsigned char*)want.pixel)[i]);
  }
  assert_true(sum / (320 * 240 * 3) < 2);
  free(got.pixel);
  free(want.pixel);
  rut_log_file_close(file);
  close_world(&w);
}

// Every shorter message, and messages with each byte changed: an error or a picture, never a crash.
static void damage(const char* camera) {
  static const char* const topics[] = {"/e/image_raw/compressed", "/e/depth/image_raw",
                                       "/e/class/image_raw"};
  World w = open_camera(camera);
  rutLogFile* file = log_of(&w, "x.mcap");
  for (int t = 0; t < 3; t++) {
    rutLogMessage m = message_of(file, topics[t]);
    const size_t size = m.size;
    unsigned char* copy = malloc(size);
    unsigned char* whole = malloc(size);
    assert_true(copy && whole);
    memcpy(whole, m.bytes, size);
    for (size_t i = 0; i < size; i++) {
      unsigned char* part = malloc(i + 1);
      memcpy(part, whole, i);
      rutPicture p;
      m.bytes = part;
      m.size = i;
      assert_int_not_equal(rut_log_picture(file, &m, &p, NULL), RUT_OK);
      assert_null(p.pixel);
      free(part);
      for (int change = 1; change < 256; change += 127) {
        memcpy(copy, whole, size);
        copy[i] = (unsigned char)(copy[i] ^ change);
        m.bytes = copy;
        m.size = size;
        if (rut_log_picture(file, &m, &p, NULL) == RUT_OK) free(p.pixel);
      }
    }
    free(copy);
    free(whole);
  }
  rut_log_file_close(file);
  close_world(&w);
}

static void test_damage(void** state) {
  (void)state;
  damage("log_colour='png'");
  damage("log_colour='jpeg'");
}

static int make_folder(void** state) {
  (void)state;
  make_scratch_folder(folder);
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_image),    cmocka_unit_test(test_camera_info),
      cmocka_unit_test(test_pictures), cmocka_unit_test(test_left_out),
      cmocka_unit_test(test_frames),   cmocka_unit_test(test_jpeg),
      cmocka_unit_test(test_damage)};
  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
