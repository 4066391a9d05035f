// SPDX-License-Identifier: BSD-3-Clause
//
// The present sample of a sensor as a file.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/report.h"
#include "host/cloud_file.h"
#include "host/csv_table.h"
#include "host/picture_file.h"
#include "host/signals.h"
#include "host/write_file.h"
#include "math/rut_math.h"
#include "rut/host.h"

enum { BUFFER = 256 * 1024 };  // bytes gathered before a write

// ---- numbers of the sample ----

typedef struct Sample {
  const rutModel* model;
  int sensor;
  rutSensorInfo info;
  double stamp;
  double* number;  // owned: of all outputs
} Sample;

static rutStatus take_sample(const rutModel* model, const rutData* data, int sensor, Sample* out,
                             rutError* err) {
  *out = (Sample){.model = model, .sensor = sensor, .stamp = -1};
  if (sensor < 0 || sensor >= rut_count(model, RUT_SENSOR)) {
    return rut_error_set(err, RUT_ERR_ARGUMENT, "there is no sensor %d", sensor);
  }
  out->info = rut_sensor_info(model, sensor);
  rut_sensor_output(model, data, sensor, 0, &out->stamp);
  if (out->stamp < 0) {
    return rut_error_set(err, RUT_ERR_ARGUMENT,
                         "sensor '%s' has no sample yet: its first one can be seen after %g s",
                         out->info.name, out->info.phase + out->info.period + out->info.latency);
  }
  out->number = malloc(((size_t)out->info.size + 1) * sizeof *out->number);
  if (!out->number) return rut_error_set(err, RUT_ERR_MEMORY, "no memory for a sample");
  const rutVariableRange all = {RUT_SENSOR, sensor, RUT_OUTPUT, 0, out->info.outputs};
  return rut_variables_read(model, data, &all, out->info.size, out->number);
}

// Numbers of an output, NULL if there is none of this name. Nullable: info.
static const double* numbers_of(const Sample* s, const char* name, rutVariableInfo* info) {
  const double* at = s->number;
  for (int i = 0; i < s->info.outputs; i++) {
    const rutVariableInfo v = rut_variable(s->model, RUT_SENSOR, s->sensor, RUT_OUTPUT, i);
    if (info) *info = v;
    if (strcmp(v.name, name) == 0) return at;
    at += v.count;
  }
  return NULL;
}

// ---- point clouds ----

static rutStatus no_cloud(const Sample* s, rutError* err) {
  return rut_error_set(err, RUT_ERR_ARGUMENT,
                       "a sample of sensor '%s' (%s) is no point cloud: save it as .csv",
                       s->info.name, s->info.type);
}

static void label_point(const Sample* s, int semantic_class, int instance, rutCloudPoint* out) {
  out->semantic_class = semantic_class;
  out->instance = instance;
  out->asprs = rut_cloud_asprs(rut_class_name(s->model, semantic_class));
}

// Returns that there are, pulse by pulse.
static rutStatus make_cloud(const Sample* s, rutCloud* out, rutError* err) {
  rutVariableInfo shape = {0};
  const double* range = numbers_of(s, "range", &shape);
  const char* const names[] = {"x", "y", "z", "intensity", "return_number", "time", "ring"};
  enum { X, Y, Z, INTENSITY, NUMBER, TIME, RING, FIELDS };
  const double* field[FIELDS];
  bool whole = range && shape.dimensions == RUT_MAX_DIMENSIONS;
  for (int k = 0; k < FIELDS; k++) {
    field[k] = numbers_of(s, names[k], NULL);
    whole = whole && field[k];
  }
  if (!whole) return no_cloud(s, err);
  rutVariableInfo labels = {0};
  const double *label = numbers_of(s, "class", &labels), *instance = NULL;
  if (label && labels.count == shape.count) instance = numbers_of(s, "instance", NULL);
  const int returns = shape.size[0], columns = shape.size[2], pulses = shape.size[1] * columns;
  *out = (rutCloud){.stamp = s->stamp, .labelled = instance != NULL};
  out->point = malloc(((size_t)shape.count + 1) * sizeof *out->point);
  if (!out->point) return rut_error_set(err, RUT_ERR_MEMORY, "no memory for a point cloud");
  for (int pulse = 0; pulse < pulses; pulse++) {
    const int first = out->n;
    int all = 0;
    for (int i = pulse; i < returns * pulses; i += pulses) {
      if (range[i] < 0) continue;
      out->point[out->n++] = (rutCloudPoint){.x = field[X][i],
                                             .y = field[Y][i],
                                             .z = field[Z][i],
                                             .range = range[i],
                                             .intensity = field[INTENSITY][i],
                                             .time = field[TIME][pulse],
                                             .ring = (int)field[RING][pulse / columns],
                                             .number = (int)field[NUMBER][i]};
      if (instance) label_point(s, (int)label[i], (int)instance[i], &out->point[out->n - 1]);
      all = out->point[out->n - 1].number > all ? out->point[out->n - 1].number : all;
    }
    for (int i = first; i < out->n; i++) out->point[i].all = all;
  }
  return RUT_OK;
}

// ---- tables ----

static rutStatus put_cloud(const rutCloud* cloud, rutCsvTable* table, rutError* err) {
  static const char* const columns[] = {"time [s]",  "ring",    "return_number", "range [m]",
                                        "intensity", "x [m]",   "y [m]",         "z [m]",
                                        "class",     "instance"};
  enum { COLUMNS = (int)(sizeof columns / sizeof columns[0]), LABELS = 2 };
  const int n = cloud->labelled ? COLUMNS : COLUMNS - LABELS;
  for (int i = 0; i < n; i++) rut_csv_put_text(table, columns[i]);
  rutStatus status = rut_csv_end_row(table, err);
  for (int i = 0; i < cloud->n && status == RUT_OK; i++) {
    const rutCloudPoint* p = &cloud->point[i];
    const double row[COLUMNS] = {p->time, p->ring, p->number, p->range,          p->intensity,
                                 p->x,    p->y,    p->z,      p->semantic_class, p->instance};
    rut_csv_put_numbers(table, n, row);
    status = rut_csv_end_row(table, err);
  }
  return status;
}

// A row per number.
static rutStatus put_numbers(const Sample* s, rutCsvTable* table, rutError* err) {
  static const char* const columns[] = {"output", "value", "unit"};
  for (int i = 0; i < 3; i++) rut_csv_put_text(table, columns[i]);
  rutStatus status = rut_csv_end_row(table, err);
  const double* at = s->number;
  for (int i = 0; i < s->info.outputs; i++) {
    const rutVariableInfo v = rut_variable(s->model, RUT_SENSOR, s->sensor, RUT_OUTPUT, i);
    for (int k = 0; k < v.count && status == RUT_OK; k++) {
      char leaf[RUT_LEAF_SIZE];
      rut_signals_leaf(&v, k, leaf);
      rut_csv_put_text(table, leaf);
      rut_csv_put_number(table, *at++);
      rut_csv_put_text(table, v.unit);
      status = rut_csv_end_row(table, err);
    }
  }
  return status;
}

static rutStatus save_table(const Sample* s, const rutCloud* cloud, const char* path,
                            rutError* err) {
  rutCsvTable table;
  rutStatus status = rut_csv_table_open(&table, s->model, path, BUFFER, 0, err);
  if (status == RUT_OK) {
    status = cloud->point ? put_cloud(cloud, &table, err) : put_numbers(s, &table, err);
  }
  const rutStatus closed = rut_csv_table_close(&table, status == RUT_OK ? err : NULL);
  return status == RUT_OK ? closed : status;
}

// ---- the call ----

typedef void PutCloud(const rutCloud* cloud, rutBytes* out);

static bool find_format(const char* path, PutCloud** put) {
  static const struct {
    const char* suffix;
    PutCloud* put;
  } format[] = {{".pcd", rut_cloud_put_pcd},
                {".ply", rut_cloud_put_ply},
                {".las", rut_cloud_put_las},
                {".csv", NULL}};
  const char* dot = strrchr(path, '.');
  for (int i = 0; dot && i < (int)(sizeof format / sizeof format[0]); i++) {
    *put = format[i].put;
    if (strcmp(dot, format[i].suffix) == 0) return true;
  }
  return false;
}

static rutStatus save_picture(const rutModel* model, const rutData* data, int sensor,
                              const char* output, const char* path, rutError* err) {
  rutPicture picture;
  rutStatus status = rut_sample_picture(model, data, sensor, output, &picture, err);
  if (status != RUT_OK) return status;
  status = rut_picture_save(model, &picture, path, err);
  free(picture.pixel);
  return status;
}

rutStatus rut_sample_save(const rutModel* model, const rutData* data, int sensor, const char* path,
                          rutError* err) {
  PutCloud* put = NULL;
  const char* picture = rut_picture_of_suffix(path);
  if (picture) return save_picture(model, data, sensor, picture, path, err);
  if (!find_format(path, &put)) {
    return rut_error_set(
        err, RUT_ERR_ARGUMENT,
        "'%s' ends in none of .pcd, .ply, .las (point clouds), .png, .pfm (images) "
        "and .csv",
        path);
  }
  Sample sample;
  rutCloud cloud = {0};
  rutBytes bytes = {0};
  rutStatus status = take_sample(model, data, sensor, &sample, err);
  if (status == RUT_OK) {
    status = make_cloud(&sample, &cloud, put ? err : NULL);
    if (status == RUT_ERR_ARGUMENT && !put) status = RUT_OK;
  }
  if (status == RUT_OK && put) {
    put(&cloud, &bytes);
    status = rut_output_save(model, &bytes, path, err);
  } else if (status == RUT_OK) {
    status = save_table(&sample, &cloud, path, err);
  }
  rut_bytes_free(&bytes);
  free(cloud.point);
  free(sample.number);
  return status;
}
