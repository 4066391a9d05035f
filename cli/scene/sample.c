// SPDX-License-Identifier: BSD-3-Clause
#include "scene/sample.h"

#include <math.h>
#include <string.h>

#include "scene/little_endian.h"
#include "scene/snapshot.h"

enum {
  POINT = VIEW_POINT_SIZE,
  FIX = VIEW_FIX_SIZE,
  LAYERS = VIEW_LAYERS,
  LARGEST = 1024 * 1024  // pixels of an image; of larger ones every second, third, ... is sent
};

// ---- numbers ----

static size_t padded(size_t size) { return (size + 7) / 8 * 8; }

void view_put_label(unsigned char* at, int32_t number) {
  enum { NOTHING = 65535 };
  view_put_unsigned(at, number >= 0 && number < NOTHING ? (uint64_t)number : NOTHING, 2);
}

void view_sample_set_pose(viewSampleHead* head, const double pose[6]) {
  for (int i = 0; i < 3; i++) head->pose[i] = (float)pose[i];
  view_quaternion(pose[3], pose[4], pose[5], head->pose + 3);
}

void view_sample_put_head(const viewSampleHead* head, unsigned char* out) {
  memset(out, 0, VIEW_SAMPLE_HEAD);
  view_put_unsigned(out, VIEW_SAMPLE_MAGIC, 4);
  view_put_unsigned(out + 4, VIEW_SAMPLE_VERSION, 2);
  view_put_unsigned(out + 6, head->kind, 2);
  view_put_unsigned(out + 8, (uint32_t)head->sensor, 4);
  view_put_unsigned(out + 12, (uint32_t)head->width, 4);
  view_put_f64(out + 16, head->time);
  for (int i = 0; i < 7; i++) view_put_f32(out + 24 + 4 * (size_t)i, head->pose[i]);
  view_put_unsigned(out + 52, (uint32_t)head->height, 4);
  view_put_unsigned(out + 56, head->layers, 4);
}

// ---- sensors ----

// Output of a name, -1 if there is none.
static int output_of(const rutModel* model, int sensor, const char* name, rutVariableInfo* info) {
  const int n = rut_variables(model, RUT_SENSOR, sensor, RUT_OUTPUT);
  for (int i = 0; i < n; i++) {
    *info = rut_variable(model, RUT_SENSOR, sensor, RUT_OUTPUT, i);
    if (strcmp(info->name, name) == 0) return i;
  }
  return -1;
}

// What a pixel of a layer is in the output, and its bytes in a message.
static const struct {
  rutNumberType type;
  int numbers;
  size_t bytes;
} kind_of[LAYERS] = {
    [VIEW_LAYER_COLOUR] = {RUT_U8, 3, 3},   [VIEW_LAYER_DEPTH] = {RUT_F32, 1, 4},
    [VIEW_LAYER_CLASS] = {RUT_I32, 1, 2},   [VIEW_LAYER_INSTANCE] = {RUT_I32, 1, 2},
    [VIEW_LAYER_NORMAL] = {RUT_F32, 3, 12}, [VIEW_LAYER_FLOW] = {RUT_F32, 2, 8}};

// Output of a layer: an image of the right type; -1 if there is none.
static int layer_of(const rutModel* model, int sensor, int layer, rutVariableInfo* info) {
  const int numbers = kind_of[layer].numbers;
  const int output = output_of(model, sensor, view_layer_name(layer), info);
  const bool image = output >= 0 && info->type == kind_of[layer].type &&
                     info->dimensions == (numbers > 1 ? 3 : 2) &&
                     (numbers == 1 || info->size[2] == numbers) && info->size[0] > 0 &&
                     info->size[1] > 0;
  // a camera that makes no colours has them too, all black
  const bool made =
      layer != VIEW_LAYER_COLOUR || rut_sensor_parameter(model, sensor, "render") != 0;
  return image && made ? output : -1;
}

// Output of the labels of points; -1 if the sensor gives none.
static int label_of(const rutModel* model, int sensor, int layer, rutVariableInfo* info) {
  const int output = output_of(model, sensor, view_layer_name(layer), info);
  return output >= 0 && info->type == RUT_I32 && info->count > 0 ? output : -1;
}

unsigned view_sample_layers(const rutModel* model, int sensor) {
  const viewSampleKind kind = view_sample_kind(model, sensor);
  unsigned layers = 0;
  for (int i = 0; i < LAYERS; i++) {
    rutVariableInfo info;
    const bool label = i == VIEW_LAYER_CLASS || i == VIEW_LAYER_INSTANCE;
    if (kind == VIEW_SAMPLE_IMAGE && layer_of(model, sensor, i, &info) >= 0) layers |= 1u << i;
    if (kind == VIEW_SAMPLE_POINTS && label && label_of(model, sensor, i, &info) >= 0) {
      layers |= 1u << i;
    }
  }
  return layers;
}

void view_sample_size(const rutModel* model, int sensor, int size[2]) {
  size[0] = size[1] = 0;
  for (int i = 0; i < LAYERS; i++) {
    rutVariableInfo info;
    if (layer_of(model, sensor, i, &info) < 0) continue;
    size[0] = info.size[1];
    size[1] = info.size[0];
    return;
  }
}

viewSampleKind view_sample_kind(const rutModel* model, int sensor) {
  const rutSensorInfo info = rut_sensor_info(model, sensor);
  int size[2];
  if (info.form == RUT_FORM_POINT_CLOUD) return VIEW_SAMPLE_POINTS;
  if (info.form == RUT_FORM_NAV_SAT_FIX) return VIEW_SAMPLE_FIX;
  view_sample_size(model, sensor, size);
  return size[0] > 0 ? VIEW_SAMPLE_IMAGE : VIEW_SAMPLE_NONE;
}

double view_sample_time(const rutModel* model, const rutData* data, int sensor) {
  double time = -1;
  return rut_sensor_output(model, data, sensor, 0, &time) ? time : -1;
}

// ---- messages ----

// Class and instance of each return, NULL where the sensor does not tell them.
static void read_labels(const rutModel* model, const rutData* data, viewSampleHead* head, int count,
                        const int32_t* label[2]) {
  for (int k = 0; k < 2; k++) {
    const int layer = VIEW_LAYER_CLASS + k;
    rutVariableInfo info;
    const int output = label_of(model, head->sensor, layer, &info);
    const bool each = output >= 0 && info.count == count;
    label[k] = each ? rut_sensor_output(model, data, head->sensor, output, NULL) : NULL;
    if (label[k]) head->layers |= 1u << layer;
  }
}

static viewBytes* encode_points(const rutModel* model, const rutData* data, viewSampleHead* head) {
  static const char* const name[] = {"range", "x", "y", "z"};
  const double* value[4];
  rutVariableInfo info;
  for (int k = 0; k < 4; k++) {
    const int output = output_of(model, head->sensor, name[k], &info);
    value[k] = output >= 0 ? rut_sensor_output(model, data, head->sensor, output, NULL) : NULL;
    if (!value[k]) return NULL;
  }
  const int count = info.count;
  const int32_t* label[2];
  read_labels(model, data, head, count, label);
  const int shine = output_of(model, head->sensor, "intensity", &info);
  const float* intensity =
      shine >= 0 ? rut_sensor_output(model, data, head->sensor, shine, NULL) : NULL;
  for (int i = 0; i < count; i++) head->width += value[0][i] >= 0;
  const size_t points = (size_t)head->width;
  size_t size = VIEW_SAMPLE_HEAD + points * POINT;
  for (int k = 0; k < 2; k++) size += label[k] ? view_layer_size(VIEW_LAYER_CLASS + k, points) : 0;
  viewBytes* bytes = view_bytes_create(size);
  if (!bytes) return NULL;
  unsigned char* at = bytes->data + VIEW_SAMPLE_HEAD;
  for (int i = 0; i < count; i++) {
    if (value[0][i] < 0) continue;
    for (int k = 0; k < 3; k++) view_put_f32(at + 4 * (size_t)k, (float)value[k + 1][i]);
    view_put_f32(at + 12, intensity ? intensity[i] : 0);
    at += POINT;
  }
  for (int k = 0; k < 2; k++) {
    if (!label[k]) continue;
    unsigned char* to = at;
    for (int i = 0; i < count; i++) {
      if (value[0][i] < 0) continue;
      view_put_label(to, label[k][i]);
      to += 2;
    }
    at += view_layer_size(VIEW_LAYER_CLASS + k, points);
  }
  return bytes;
}

size_t view_layer_size(int layer, size_t pixels) { return padded(kind_of[layer].bytes * pixels); }

// One pixel of a layer, whose outputs are a[...].
static unsigned char* put_pixel(int layer, const void* a, size_t pixel, unsigned char* at) {
  const size_t numbers = (size_t)kind_of[layer].numbers;
  if (layer == VIEW_LAYER_COLOUR) memcpy(at, (const unsigned char*)a + 3 * pixel, 3);
  if (kind_of[layer].type == RUT_I32) view_put_label(at, ((const int32_t*)a)[pixel]);
  for (size_t k = 0; kind_of[layer].type == RUT_F32 && k < numbers; k++) {
    view_put_f32(at + 4 * k, ((const float*)a)[numbers * pixel + k]);
  }
  return at + kind_of[layer].bytes;
}

static viewBytes* encode_image(const rutModel* model, const rutData* data, viewSampleHead* head,
                               unsigned layers) {
  const void* value[LAYERS] = {0};
  int full[2];
  view_sample_size(model, head->sensor, full);
  int step = 1;
  while ((int64_t)(full[0] / step) * (full[1] / step) > LARGEST) step++;
  head->width = full[0] / step;
  head->height = full[1] / step;
  const size_t pixels = (size_t)head->width * (size_t)head->height;
  size_t size = VIEW_SAMPLE_HEAD;
  for (int i = 0; i < LAYERS; i++) {
    rutVariableInfo info;
    if (!(layers >> i & 1)) continue;
    const int output = layer_of(model, head->sensor, i, &info);
    value[i] = output >= 0 ? rut_sensor_output(model, data, head->sensor, output, NULL) : NULL;
    if (!value[i]) continue;
    head->layers |= 1u << i;
    size += view_layer_size(i, pixels);
  }
  viewBytes* bytes = view_bytes_create(size);
  if (!bytes) return NULL;
  unsigned char* start = bytes->data + VIEW_SAMPLE_HEAD;
  for (int i = 0; i < LAYERS; i++) {
    if (!value[i]) continue;
    unsigned char* at = start;
    // what fills the last eight bytes up
    memset(start + view_layer_size(i, pixels) - 8, 0, 8);
    for (int row = 0; row < head->height; row++) {
      const size_t first = (size_t)(row * step) * (size_t)full[0];
      for (int column = 0; column < head->width; column++) {
        at = put_pixel(i, value[i], first + (size_t)(column * step), at);
      }
    }
    start += view_layer_size(i, pixels);
  }
  return bytes;
}

static viewBytes* encode_fix(const rutModel* model, const rutData* data, viewSampleHead* head) {
  static const char* const name[] = {"latitude", "longitude", "altitude"};
  viewBytes* bytes = view_bytes_create(VIEW_SAMPLE_HEAD + FIX);
  if (!bytes) return NULL;
  rutVariableInfo info;
  unsigned char* at = bytes->data + VIEW_SAMPLE_HEAD;
  for (int k = 0; k < 3; k++) {
    const int output = output_of(model, head->sensor, name[k], &info);
    const double* value =
        output >= 0 ? rut_sensor_output(model, data, head->sensor, output, NULL) : NULL;
    view_put_f64(at + 8 * (size_t)k, value ? *value : (double)NAN);
  }
  const int deviation = output_of(model, head->sensor, "standard_deviation", &info);
  const double* s =
      deviation >= 0 ? rut_sensor_output(model, data, head->sensor, deviation, NULL) : NULL;
  for (int k = 0; k < 3; k++) view_put_f32(at + 24 + 4 * (size_t)k, s ? (float)s[k] : NAN);
  const int fix = output_of(model, head->sensor, "fix", &info);
  const unsigned char* state =
      fix >= 0 ? rut_sensor_output(model, data, head->sensor, fix, NULL) : NULL;
  view_put_unsigned(at + 36, state ? *state : 0, 4);
  return bytes;
}

viewBytes* view_sample_encode(const rutModel* model, const rutData* data, int sensor,
                              const double pose[6], unsigned layers) {
  viewSampleHead head = {.kind = view_sample_kind(model, sensor),
                         .sensor = sensor,
                         .time = view_sample_time(model, data, sensor)};
  view_sample_set_pose(&head, pose);
  if (!(head.time >= 0)) return NULL;
  viewBytes* bytes = NULL;
  if (head.kind == VIEW_SAMPLE_POINTS) bytes = encode_points(model, data, &head);
  if (head.kind == VIEW_SAMPLE_IMAGE) bytes = encode_image(model, data, &head, layers);
  if (head.kind == VIEW_SAMPLE_FIX) bytes = encode_fix(model, data, &head);
  if (bytes) view_sample_put_head(&head, bytes->data);
  return bytes;
}
