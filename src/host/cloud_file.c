// SPDX-License-Identifier: BSD-3-Clause
#include "host/cloud_file.h"

#include <stdio.h>
#include <string.h>

#include "math/rut_math.h"

static void put_f32(rutBytes* out, double value) {
  const float number = (float)value;
  uint32_t bits;
  memcpy(&bits, &number, sizeof bits);
  rut_bytes_u32(out, bits);
}

static void put_f64(rutBytes* out, double value) { rut_bytes_u64(out, rut_bits(value)); }

// ---- PCD and PLY: the same record ----

static void put_record(const rutCloudPoint* p, bool labelled, rutBytes* out) {
  put_f32(out, p->x);
  put_f32(out, p->y);
  put_f32(out, p->z);
  put_f32(out, p->intensity);
  rut_bytes_u16(out, (uint16_t)p->ring);
  put_f32(out, p->time);
  rut_bytes_u8(out, (uint8_t)p->number);
  if (!labelled) return;
  rut_bytes_u16(out, (uint16_t)(int16_t)p->semantic_class);
  rut_bytes_u32(out, (uint32_t)p->instance);
}

void rut_cloud_put_pcd(const rutCloud* cloud, rutBytes* out) {
  char head[400];
  const bool label = cloud->labelled;
  const int n = snprintf(head, sizeof head,
                         "# .PCD v0.7 - Point Cloud Data file format\n"
                         "VERSION 0.7\n"
                         "FIELDS x y z intensity ring time return_number%s\n"
                         "SIZE 4 4 4 4 2 4 1%s\n"
                         "TYPE F F F F U F U%s\n"
                         "COUNT 1 1 1 1 1 1 1%s\n"
                         "WIDTH %d\n"
                         "HEIGHT 1\n"
                         "VIEWPOINT 0 0 0 1 0 0 0\n"
                         "POINTS %d\n"
                         "DATA binary\n",
                         label ? " class instance" : "", label ? " 2 4" : "", label ? " I I" : "",
                         label ? " 1 1" : "", cloud->n, cloud->n);
  rut_bytes_put(out, head, (size_t)n);
  for (int i = 0; i < cloud->n; i++) put_record(&cloud->point[i], label, out);
}

void rut_cloud_put_ply(const rutCloud* cloud, rutBytes* out) {
  char head[400];
  const int n =
      snprintf(head, sizeof head,
               "ply\n"
               "format binary_little_endian 1.0\n"
               "element vertex %d\n"
               "property float x\n"
               "property float y\n"
               "property float z\n"
               "property float intensity\n"
               "property ushort ring\n"
               "property float time\n"
               "property uchar return_number\n"
               "%s"
               "end_header\n",
               cloud->n, cloud->labelled ? "property short class\nproperty int instance\n" : "");
  rut_bytes_put(out, head, (size_t)n);
  for (int i = 0; i < cloud->n; i++) put_record(&cloud->point[i], cloud->labelled, out);
}

// ---- LAS ----

// Table 9 of the ASPRS specification 1.4, as far as version 1.2 has it too.
int rut_cloud_asprs(const char* name) {
  enum { UNCLASSIFIED = 1, GROUND, LOW_VEGETATION, MEDIUM_VEGETATION, HIGH_VEGETATION, BUILDING };
  static const struct {
    const char* name;
    int code;
  } codes[] = {{"ground", GROUND},        {"road", GROUND},
               {"grass", LOW_VEGETATION}, {"bush", MEDIUM_VEGETATION},
               {"tree", HIGH_VEGETATION}, {"building", BUILDING},
               {"soil", GROUND},          {"vegetation", MEDIUM_VEGETATION}};
  for (int i = 0; i < (int)(sizeof codes / sizeof codes[0]); i++) {
    if (strcmp(codes[i].name, name) == 0) return codes[i].code;
  }
  return UNCLASSIFIED;
}

enum { LAS_HEAD = 227, LAS_RECORD = 28, LAS_RETURNS = 5 };
static const double LAS_SCALE = 1e-3;  // [m]

// Coordinates are 32-bit numbers.
static int32_t las_coordinate(double value) {
  return (int32_t)rut_clamp(rut_floor(value / LAS_SCALE + 0.5), INT32_MIN, INT32_MAX);
}

static void put_zeros(rutBytes* out, int n) {
  for (int i = 0; i < n; i++) rut_bytes_u8(out, 0);
}

static void put_las_name(rutBytes* out, const char* name) {
  char field[32] = {0};
  snprintf(field, sizeof field, "%s", name);
  rut_bytes_put(out, field, sizeof field);
}

// As in the ASPRS specification 1.2. No date: the same run gives the same file.
static void put_las_head(const rutCloud* cloud, rutBytes* out) {
  uint32_t by_return[LAS_RETURNS] = {0};
  double low[3] = {0}, high[3] = {0};
  for (int i = 0; i < cloud->n; i++) {
    const rutCloudPoint* p = &cloud->point[i];
    const double at[3] = {p->x, p->y, p->z};
    for (int k = 0; k < 3; k++) {
      const double rounded = las_coordinate(at[k]) * LAS_SCALE;
      low[k] = i > 0 ? rut_min(low[k], rounded) : rounded;
      high[k] = i > 0 ? rut_max(high[k], rounded) : rounded;
    }
    if (p->number >= 1 && p->number <= LAS_RETURNS) by_return[p->number - 1]++;
  }
  rut_bytes_put(out, "LASF", 4);
  put_zeros(out, 2 + 2 + 16);  // source, encoding, project
  rut_bytes_u8(out, 1);        // version 1.2
  rut_bytes_u8(out, 2);
  put_las_name(out, "simulation");
  put_las_name(out, "rut");
  put_zeros(out, 4);  // day and year
  rut_bytes_u16(out, LAS_HEAD);
  rut_bytes_u32(out, LAS_HEAD);  // where points begin
  rut_bytes_u32(out, 0);         // no further records
  rut_bytes_u8(out, 1);          // point format
  rut_bytes_u16(out, LAS_RECORD);
  rut_bytes_u32(out, (uint32_t)cloud->n);
  for (int i = 0; i < LAS_RETURNS; i++) rut_bytes_u32(out, by_return[i]);
  for (int k = 0; k < 3; k++) put_f64(out, LAS_SCALE);
  for (int k = 0; k < 3; k++) put_f64(out, 0);  // offset
  for (int k = 0; k < 3; k++) {
    put_f64(out, high[k]);
    put_f64(out, low[k]);
  }
}

void rut_cloud_put_las(const rutCloud* cloud, rutBytes* out) {
  put_las_head(cloud, out);
  for (int i = 0; i < cloud->n; i++) {
    const rutCloudPoint* p = &cloud->point[i];
    rut_bytes_u32(out, (uint32_t)las_coordinate(p->x));
    rut_bytes_u32(out, (uint32_t)las_coordinate(p->y));
    rut_bytes_u32(out, (uint32_t)las_coordinate(p->z));
    rut_bytes_u16(out, (uint16_t)rut_clamp(p->intensity * UINT16_MAX + 0.5, 0, UINT16_MAX));
    rut_bytes_u8(out, (uint8_t)(p->number | p->all << 3));
    rut_bytes_u8(out, (uint8_t)p->asprs);
    put_zeros(out, 1);  // scan angle
    rut_bytes_u8(out, (uint8_t)rut_clamp(p->semantic_class, 0, UINT8_MAX));
    rut_bytes_u16(out, (uint16_t)p->ring);
    put_f64(out, cloud->stamp + p->time);
  }
}
