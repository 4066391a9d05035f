// SPDX-License-Identifier: BSD-3-Clause
//
// Samples as files: point clouds as PCD, PLY, LAS and PointCloud2, byte by byte as their formats
// say; tables.
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

// Two beams 2 m above level ground: one straight down, and one level that hits nothing; then two
// returns of a spot on an edge.
static World two_beams(void) {
  World w = open_world_with(
      "<world timestep='0.01'><sensor type='lidar' name='l' noise='none' z='2' pattern='raster' "
      "channels='2' columns='1' fov='0' elevations='0 -90 deg' reflectance='0.5' returns='2' "
      "rated_range='0'/></world>",
      0, no_types);
  run(&w, 10);
  return w;
}

static unsigned char* bytes_of(const char* name, size_t* size) {
  FILE* file = fopen(at(name), "rb");
  assert_non_null(file);
  static unsigned char bytes[100000];
  *size = fread(bytes, 1, sizeof bytes, file);
  fclose(file);
  return bytes;
}

static float f32_at(const unsigned char* bytes) {
  float value;
  memcpy(&value, bytes, sizeof value);
  return value;
}

static uint32_t u32_at(const unsigned char* bytes) {
  return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
         (uint32_t)bytes[3] << 24;
}

static double f64_at(const unsigned char* bytes) {
  double value;
  memcpy(&value, bytes, sizeof value);
  return value;
}

// x y z intensity, ring, time, return number: 23 bytes.
static void check_record(const unsigned char* record) {
  assert_near(f32_at(record), 0, 1e-6);
  assert_near(f32_at(record + 8), -2, 1e-6);
  assert_near(f32_at(record + 12), 0.5, 1e-6);
  assert_int_equal(record[16] | record[17] << 8, 0);
  assert_near(f32_at(record + 18), -0.05, 1e-7);
  assert_int_equal(record[22], 1);
}

static void test_pcd(void** state) {
  (void)state;
  World w = two_beams();
  assert_int_equal(rut_sample_save(w.model, w.data, 0, at("c.pcd"), NULL), RUT_OK);
  size_t size;
  const unsigned char* bytes = bytes_of("c.pcd", &size);
  static const char head[] =
      "# .PCD v0.7 - Point Cloud Data file format\nVERSION 0.7\n"
      "FIELDS x y z intensity ring time return_number\nSIZE 4 4 4 4 2 4 1\nTYPE F F F F U F U\n"
      "COUNT 1 1 1 1 1 1 1\nWIDTH 1\nHEIGHT 1\nVIEWPOINT 0 0 0 1 0 0 0\nPOINTS 1\nDATA binary\n";
  assert_int_equal(size, sizeof head - 1 + 23);
  assert_memory_equal(bytes, head, sizeof head - 1);
  check_record(bytes + sizeof head - 1);
  close_world(&w);
}

static void test_ply(void** state) {
  (void)state;
  World w = two_beams();
  assert_int_equal(rut_sample_save(w.model, w.data, 0, at("c.ply"), NULL), RUT_OK);
  size_t size;
  const unsigned char* bytes = bytes_of("c.ply", &size);
  static const char begin[] = "ply\nformat binary_little_endian 1.0\nelement vertex 1\n";
  assert_memory_equal(bytes, begin, sizeof begin - 1);
  static const char end[] = "property uchar return_number\nend_header\n";
  assert_memory_equal(bytes + size - 23 - (sizeof end - 1), end, sizeof end - 1);
  check_record(bytes + size - 23);
  close_world(&w);
}

static void test_las(void** state) {
  (void)state;
  World w = two_beams();
  assert_int_equal(rut_sample_save(w.model, w.data, 0, at("c.las"), NULL), RUT_OK);
  size_t size;
  const unsigned char* b = bytes_of("c.las", &size);
  assert_int_equal(size, 227 + 28);
  assert_memory_equal(b, "LASF", 4);
  assert_true(b[24] == 1 && b[25] == 2);
  assert_int_equal(b[94] | b[95] << 8, 227);
  assert_int_equal(u32_at(b + 96), 227);
  assert_int_equal(b[104], 1);
  assert_int_equal(b[105] | b[106] << 8, 28);
  assert_int_equal(u32_at(b + 107), 1);
  assert_int_equal(u32_at(b + 111), 1);
  assert_near(f64_at(b + 131), 0.001, 0);
  assert_near(f64_at(b + 211), -2, 1e-12);  // largest z
  assert_near(f64_at(b + 219), -2, 1e-12);
  const unsigned char* record = b + 227;
  assert_int_equal((int32_t)u32_at(record + 8), -2000);
  assert_int_equal(record[12] | record[13] << 8, 32768);
  assert_int_equal(record[14], 1 | 1 << 3);
  assert_near(f64_at(record + 20), 0.05, 1e-7);
  close_world(&w);
}

static void test_tables(void** state) {
  (void)state;
  World w = two_beams();
  assert_int_equal(rut_sample_save(w.model, w.data, 0, at("c.csv"), NULL), RUT_OK);
  size_t size;
  const char* text = (const char*)bytes_of("c.csv", &size);
  static const char head[] = "time [s],ring,return_number,range [m],intensity,x [m],y [m],z [m]\n";
  assert_memory_equal(text, head, sizeof head - 1);
  assert_memory_equal(text + sizeof head - 1, "-0.05", 5);
  close_world(&w);
  w = open_world_with(
      "<world timestep='0.01'><sensor type='laser' name='l' noise='none' z='2' rays='4'/></world>",
      0, no_types);
  run(&w, 10);
  assert_int_equal(rut_sample_save(w.model, w.data, 0, at("s.csv"), NULL), RUT_OK);
  text = (const char*)bytes_of("s.csv", &size);
  static const char rows[] =
      "output,value,unit\nrange_0,-1,m\nrange_1,-1,m\nrange_2,-1,m\nrange_3,-1,m\n";
  assert_int_equal(size, sizeof rows - 1);
  assert_memory_equal(text, rows, sizeof rows - 1);
  rutError err = {0};
  assert_int_equal(rut_sample_save(w.model, w.data, 0, at("s.pcd"), &err), RUT_ERR_ARGUMENT);
  assert_non_null(strstr(err.message, "is no point cloud"));
  assert_int_equal(rut_sample_save(w.model, w.data, 0, at("s.bmp"), &err), RUT_ERR_ARGUMENT);
  assert_non_null(strstr(err.message, ".las"));
  assert_int_equal(rut_sample_save(w.model, w.data, 1, at("s.csv"), &err), RUT_ERR_ARGUMENT);
  rut_data_reset(w.model, w.data, 0);
  assert_int_equal(rut_sample_save(w.model, w.data, 0, at("s.csv"), &err), RUT_ERR_ARGUMENT);
  assert_non_null(strstr(err.message, "no sample yet"));
  close_world(&w);
}

// sensor_msgs/msg/PointCloud2 from byte 16 on (stamp 8, "l" 4 + 2, pad): height, width, fields, ...
static void test_log(void** state) {
  (void)state;
  World w = two_beams();
  rut_data_reset(w.model, w.data, 0);
  rutLogDef def = rut_default_log();
  rutLog* log = NULL;
  assert_int_equal(rut_log_create(w.model, at("c.mcap"), &def, &log, NULL), RUT_OK);
  for (int i = 0; i < 20; i++) {
    run(&w, 1);
    assert_int_equal(rut_log_step(log, w.model, w.data, NULL), RUT_OK);
  }
  assert_int_equal(rut_log_close(log, NULL), RUT_OK);
  rutLogFile* file = NULL;
  assert_int_equal(rut_log_open(at("c.mcap"), &file, NULL), RUT_OK);
  const int channel = rut_log_channel_find(file, "/l");
  assert_string_equal(rut_log_channel_at(file, channel).schema, "sensor_msgs/msg/PointCloud2");
  assert_int_equal(rut_log_channel_find(file, "/l/readings"), -1);
  rutLogMessage m;
  assert_true(rut_log_message_at(file, channel, 0.2, &m));
  const unsigned char* b = m.bytes + 4;
  assert_int_equal(u32_at(b + 16), 1);
  assert_int_equal(u32_at(b + 20), 1);
  assert_int_equal(u32_at(b + 24), 7);
  assert_int_equal(u32_at(b + 28), 2);
  assert_string_equal((const char*)b + 32, "x");
  assert_int_equal(u32_at(b + 36), 0);
  assert_int_equal(b[40], 7);
  assert_int_equal(u32_at(b + 44), 1);
  // the last byte but the data: is_dense
  const unsigned char* end = m.bytes + m.size;
  assert_int_equal(end[-1], 1);
  const unsigned char* point = end - 1 - 24;
  assert_int_equal(u32_at(point - 4), 24);
  assert_near(f32_at(point + 8), -2, 1e-6);
  assert_near(f32_at(point + 16), -0.05, 1e-7);
  assert_int_equal(point[22], 1);
  rut_log_file_close(file);
  close_world(&w);
}

static int make_folder(void** state) {
  (void)state;
  make_scratch_folder(folder);
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_pcd), cmocka_unit_test(test_ply),
                                     cmocka_unit_test(test_las), cmocka_unit_test(test_tables),
                                     cmocka_unit_test(test_log)};
  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
