// SPDX-License-Identifier: BSD-3-Clause
#include "view/replay_samples.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "scene/little_endian.h"
#include "view/cdr.h"

static const char OWN_CAMERA[] = "rut/msg/Camera";
static const char MILLIMETRES[] = "16UC1";  // the other encoding of depths
enum { NAME = 512, LARGEST_SIDE = 1 << 14, LARGEST = 1 << 26 /* pixels of an image */ };

// ---- messages ----

typedef struct Sample {
  viewSampleHead head;
  viewBytes* bytes;
} Sample;

static viewBytes* begin(size_t size) { return view_bytes_create(VIEW_SAMPLE_HEAD + size); }

// Fields of points that are shown, by their types in sensor_msgs/msg/PointField.
enum { X, Y, Z, INTENSITY, CLASS, INSTANCE, FIELDS };
static const struct {
  const char* name;
  uint8_t type;
  uint8_t size;
} shown[FIELDS] = {[X] = {"x", 7, 4},         [Y] = {"y", 7, 4},
                   [Z] = {"z", 7, 4},         [INTENSITY] = {"intensity", 7, 4},
                   [CLASS] = {"class", 3, 2}, [INSTANCE] = {"instance", 5, 4}};

// Places of the fields in a point; SIZE_MAX for those that there are not.
static void read_fields(viewCdr* c, size_t offset[FIELDS]) {
  const uint32_t fields = view_cdr_u32(c);
  for (int k = 0; k < FIELDS; k++) offset[k] = SIZE_MAX;
  for (uint32_t i = 0; i < fields && !c->bad; i++) {
    const char* name = view_cdr_text(c);
    const uint32_t at = view_cdr_u32(c);
    const unsigned char* type = view_cdr_get(c, 1, 1);
    view_cdr_u32(c);
    for (int k = 0; type && k < FIELDS; k++) {
      if (*type == shown[k].type && strcmp(name, shown[k].name) == 0) offset[k] = at;
    }
  }
}

// Labels of points, from a field of each.
static void put_labels(Sample* s, int field, const unsigned char* data, size_t step,
                       unsigned char* out) {
  for (int i = 0; i < s->head.width; i++, data += step, out += 2) {
    const uint64_t number = view_get_unsigned(data, shown[field].size);
    view_put_label(out, field == CLASS ? (int16_t)number : (int32_t)number);
  }
}

static void read_points(viewCdr* c, Sample* s) {
  s->head.kind = VIEW_SAMPLE_POINTS;
  const uint32_t height = view_cdr_u32(c), width = view_cdr_u32(c);
  size_t offset[FIELDS];
  read_fields(c, offset);
  view_cdr_get(c, 1, 1);
  const uint32_t step = view_cdr_u32(c);
  view_cdr_u32(c);
  const uint32_t size = view_cdr_u32(c);
  const unsigned char* data = view_cdr_get(c, size, 1);
  const uint64_t points = (uint64_t)height * width;
  if (!data || step == 0 || points > size / step) return;
  bool has[FIELDS];
  for (int k = 0; k < FIELDS; k++) {
    has[k] = offset[k] != SIZE_MAX && offset[k] + shown[k].size <= step;
  }
  if (!has[X] || !has[Y] || !has[Z]) return;
  s->head.width = (int)points;
  size_t total = (size_t)points * VIEW_POINT_SIZE;
  for (int k = CLASS; k <= INSTANCE; k++) {
    if (has[k]) total += view_layer_size(VIEW_LAYER_CLASS + k - CLASS, (size_t)points);
  }
  s->bytes = begin(total);
  if (!s->bytes) return;
  unsigned char* to = s->bytes->data + VIEW_SAMPLE_HEAD;
  for (size_t i = 0; i < points; i++, to += VIEW_POINT_SIZE) {
    const unsigned char* from = data + i * step;
    for (int k = X; k <= INTENSITY; k++) {
      if (has[k]) memcpy(to + 4 * (size_t)k, from + offset[k], 4);
    }
  }
  for (int k = CLASS; k <= INSTANCE; k++) {
    const int layer = VIEW_LAYER_CLASS + k - CLASS;
    if (!has[k]) continue;
    put_labels(s, k, data + offset[k], step, to);
    s->head.layers |= 1u << layer;
    to += view_layer_size(layer, (size_t)points);
  }
}

// One fix; its state is that of NavSatStatus plus one.
static void read_fix(viewCdr* c, Sample* s) {
  s->head.kind = VIEW_SAMPLE_FIX;
  const unsigned char* status = view_cdr_get(c, 1, 1);
  view_cdr_get(c, 2, 2);
  double place[3], covariance[9];
  for (int i = 0; i < 3; i++) place[i] = view_cdr_f64(c);
  for (int i = 0; i < 9; i++) covariance[i] = view_cdr_f64(c);
  if (c->bad) return;
  s->bytes = begin(VIEW_FIX_SIZE);
  if (!s->bytes) return;
  static const double RADIANS = 3.14159265358979323846 / 180;
  unsigned char* at = s->bytes->data + VIEW_SAMPLE_HEAD;
  memset(at, 0, VIEW_FIX_SIZE);
  place[0] *= RADIANS;
  place[1] *= RADIANS;
  for (int i = 0; i < 3; i++) view_put_f64(at + 8 * (size_t)i, place[i]);
  for (int i = 0; i < 3; i++) {
    view_put_f32(at + 24 + 4 * (size_t)i, (float)sqrt(fmax(0, covariance[4 * (size_t)i])));
  }
  at[36] = (unsigned char)((signed char)*status + 1);
}

// Pixels of a layer as they stand in a message.
typedef struct Layer {
  const unsigned char* data;  // NULL: there is none
  int each;                   // bytes of a pixel
  bool millimetres;
} Layer;

static void put_pixel(int layer, const Layer* from, size_t pixel, unsigned char* out) {
  const unsigned char* at = from->data + pixel * (size_t)from->each;
  if (layer == VIEW_LAYER_COLOUR) {
    memcpy(out + 3 * pixel, at, 3);
  } else if (layer == VIEW_LAYER_NORMAL || layer == VIEW_LAYER_FLOW) {
    memcpy(out + (size_t)from->each * pixel, at, (size_t)from->each);
  } else if (layer == VIEW_LAYER_DEPTH) {
    float depth = from->millimetres ? 0.001F * (float)view_get_unsigned(at, 2) : view_get_f32(at);
    // REP 118: infinite, or 0 mm, where nothing is seen
    if (!isfinite(depth) || (from->millimetres && depth <= 0)) depth = -1;
    view_put_f32(out + 4 * pixel, depth);
  } else {
    view_put_label(out + 2 * pixel, (int32_t)view_get_u32(at));
  }
}

static void add_layer(Sample* s, int layer, const Layer* from, unsigned char* out) {
  const size_t pixels = (size_t)s->head.width * (size_t)s->head.height;
  // what fills the last eight bytes up
  memset(out + view_layer_size(layer, pixels) - 8, 0, 8);
  for (size_t i = 0; i < pixels; i++) put_pixel(layer, from, i, out);
  s->head.layers |= 1u << layer;
}

static size_t layers_size(unsigned layers, size_t pixels) {
  size_t size = 0;
  for (int i = 0; i < VIEW_LAYERS; i++) {
    if (layers >> i & 1) size += view_layer_size(i, pixels);
  }
  return size;
}

// The image of a camera from its layers, which the caller has found.
static void make_image(Sample* s, const Layer layer[VIEW_LAYERS]) {
  const size_t pixels = (size_t)s->head.width * (size_t)s->head.height;
  unsigned given = 0;
  for (int i = 0; i < VIEW_LAYERS; i++) given |= layer[i].data ? 1u << i : 0;
  s->head.kind = VIEW_SAMPLE_IMAGE;
  s->bytes = begin(layers_size(given, pixels));
  if (!s->bytes) return;
  unsigned char* out = s->bytes->data + VIEW_SAMPLE_HEAD;
  for (int i = 0; i < VIEW_LAYERS; i++) {
    if (!layer[i].data) continue;
    add_layer(s, i, &layer[i], out);
    out += view_layer_size(i, pixels);
  }
}

// Outputs of a camera in one message of older logs: colour, depth, class and instance.
static void read_camera(viewCdr* c, Sample* s, unsigned layers, int width, int height) {
  enum { OWN_LAYERS = 4 };
  static const size_t each[OWN_LAYERS] = {3, 4, 4, 4};
  Layer layer[VIEW_LAYERS] = {0};
  view_cdr_time(c);
  s->head.width = width;
  s->head.height = height;
  const size_t pixels = (size_t)width * (size_t)height;
  for (int i = 0; i < OWN_LAYERS && !c->bad; i++) {
    const unsigned char* data = view_cdr_get(c, pixels * each[i], i == 0 ? 1 : 4);
    if (layers >> i & 1) layer[i] = (Layer){.data = data, .each = (int)each[i]};
  }
  if (!c->bad) make_image(s, layer);
}

// ---- sensors ----

static const json_t* sensor_of(const viewRecording* r, int sensor) {
  return json_array_get(json_object_get(r->scene, "sensors"), (size_t)sensor);
}

static const char* text_of(const json_t* object, const char* key) {
  const char* text = json_string_value(json_object_get(object, key));
  return text ? text : "";
}

static int side_of(const json_t* object, const char* key) {
  const json_int_t side = json_integer_value(json_object_get(object, key));
  return side > 0 && side <= LARGEST_SIDE ? (int)side : 0;
}

// Message of a topic that a sensor has, at a time.
static bool find_message(viewRecording* r, const char* sensor, const char* tail, double time,
                         rutLogMessage* out, const char** schema) {
  char topic[NAME];
  snprintf(topic, sizeof topic, "/%.400s%s", sensor, tail);
  const int channel = rut_log_channel_find(r->file, topic);
  if (channel < 0) return false;
  *schema = rut_log_channel_at(r->file, channel).schema;
  return rut_log_message_at(r->file, channel, time, out);
}

// How many bytes a pixel of a layer takes in an image of an encoding; 0 if the layer has no such
// one.
static int pixel_size(int layer, const char* encoding) {
  static const struct {
    const char* encoding;
    int size;
  } own[VIEW_LAYERS] = {[VIEW_LAYER_COLOUR] = {"rgb8", 3},   [VIEW_LAYER_DEPTH] = {"32FC1", 4},
                        [VIEW_LAYER_CLASS] = {"32SC1", 4},   [VIEW_LAYER_INSTANCE] = {"32SC1", 4},
                        [VIEW_LAYER_NORMAL] = {"32FC3", 12}, [VIEW_LAYER_FLOW] = {"32FC2", 8}};
  if (layer == VIEW_LAYER_DEPTH && strcmp(encoding, MILLIMETRES) == 0) return 2;
  return strcmp(encoding, own[layer].encoding) == 0 ? own[layer].size : 0;
}

// One layer as sensor_msgs/msg/Image.
typedef struct Image {
  Layer layer;
  double time;
  int width, height;
} Image;

// False if a message is none of a layer, whole and of a size that is shown.
static bool read_image(const rutLogMessage* message, int layer, Image* out) {
  viewCdr c = view_cdr_of(message);
  const double time = view_cdr_header(&c);
  const uint32_t height = view_cdr_u32(&c), width = view_cdr_u32(&c);
  const char* encoding = view_cdr_text(&c);
  const int each = pixel_size(layer, encoding);
  const unsigned char* big = view_cdr_get(&c, 1, 1);
  view_cdr_u32(&c);
  const uint32_t size = view_cdr_u32(&c);
  const unsigned char* data = view_cdr_get(&c, size, 1);
  if (!data || *big || each == 0 || width > LARGEST_SIDE || height > LARGEST_SIDE) return false;
  const size_t pixels = (size_t)width * height;
  if (pixels == 0 || pixels > LARGEST || pixels * (size_t)each != size) return false;
  *out = (Image){{data, each, strcmp(encoding, MILLIMETRES) == 0}, time, (int)width, (int)height};
  return true;
}

// Layers on topics of their own. Messages are valid until the next one is read, so that each is
// copied at once.
static void read_images(viewRecording* r, const char* name, double time, unsigned layers,
                        Sample* s) {
  static const char* const tail[VIEW_LAYERS] = {"/colour/image_raw", "/depth/image_raw",
                                                "/class/image_raw",  "/instance/image_raw",
                                                "/normal/image_raw", "/flow/image_raw"};
  unsigned char* out = NULL;
  for (int i = 0; i < VIEW_LAYERS; i++) {
    rutLogMessage message;
    const char* schema;
    Image image;
    if (!(layers >> i & 1)) continue;
    bool found = find_message(r, name, tail[i], time, &message, &schema);
    // colours may stand on the camera's own topic, as ROS has it
    if (!found && i == 0) found = find_message(r, name, "/image_raw", time, &message, &schema);
    if (!found || strcmp(schema, "sensor_msgs/msg/Image") != 0) continue;
    if (!read_image(&message, i, &image)) continue;
    const size_t pixels = (size_t)image.width * (size_t)image.height;
    if (!s->bytes) {
      s->head.kind = VIEW_SAMPLE_IMAGE;
      s->head.time = image.time;
      s->head.width = image.width;
      s->head.height = image.height;
      s->bytes = begin(layers_size(layers, pixels));
      if (!s->bytes) return;
      out = s->bytes->data + VIEW_SAMPLE_HEAD;
    } else if (image.width != s->head.width || image.height != s->head.height ||
               image.time != s->head.time) {
      continue;
    }
    add_layer(s, i, &image.layer, out);
    out += view_layer_size(i, pixels);
  }
  if (s->bytes) s->bytes->size = (size_t)(out - s->bytes->data);
}

viewBytes* view_replay_image(const rutLogMessage* message, int sensor, int layer) {
  Image image;
  if (!read_image(message, layer, &image)) return NULL;
  Sample s = {.head = {.sensor = sensor, .width = image.width, .height = image.height}};
  s.head.time = image.time;
  Layer all[VIEW_LAYERS] = {0};
  all[layer] = image.layer;
  make_image(&s, all);
  if (s.bytes) view_sample_put_head(&s.head, s.bytes->data);
  return s.bytes;
}

static void read_sample(viewRecording* r, const json_t* sensor, double time, unsigned layers,
                        Sample* s) {
  const char *name = text_of(sensor, "name"), *schema;
  rutLogMessage message;
  if (find_message(r, name, "", time, &message, &schema)) {
    viewCdr c = view_cdr_of(&message);
    s->head.time = view_cdr_header(&c);
    if (strcmp(schema, "sensor_msgs/msg/PointCloud2") == 0) read_points(&c, s);
    if (strcmp(schema, "sensor_msgs/msg/NavSatFix") == 0) read_fix(&c, s);
    // images of other sizes have a schema of their own, with a number behind the name
    if (strncmp(schema, OWN_CAMERA, sizeof OWN_CAMERA - 1) == 0) {
      read_camera(&c, s, layers, side_of(sensor, "width"), side_of(sensor, "height"));
    }
  }
  const bool camera = strcmp(text_of(sensor, "sample"), "image") == 0;
  if (!s->bytes && camera) read_images(r, name, time, layers, s);
}

// ---- poses ----

// Rotate a vector by a quaternion w x y z.
static void rotate(const double q[4], const double v[3], double out[3]) {
  for (int i = 0; i < 3; i++) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    const double *u = q + 1, tj = u[k] * v[i] - u[i] * v[k], tk = u[i] * v[j] - u[j] * v[i];
    out[i] = v[i] + 2 * (q[0] * (u[j] * v[k] - u[k] * v[j]) + u[j] * tk - u[k] * tj);
  }
}

static void multiply(const double a[4], const double b[4], double out[4]) {
  out[0] = a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3];
  out[1] = a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2];
  out[2] = a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1];
  out[3] = a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0];
}

// Position and quaternion of a vehicle in a frame. False if it is not there.
static bool vehicle_in(const unsigned char* data, size_t size, int vehicle, double pose[7],
                       double* time) {
  viewFrame frame;
  if (!data || !view_frame_read(data, size, &frame)) return false;
  const viewSection* vehicles = &frame.section[VIEW_SECTION_VEHICLES];
  if ((uint32_t)vehicle >= vehicles->count) return false;
  const unsigned char* at = vehicles->at + 4 * (size_t)VIEW_VEHICLE_NUMBERS * (size_t)vehicle;
  for (int i = 0; i < 7; i++) pose[i] = (double)view_get_f32(at + 4 * (size_t)i);
  *time = frame.time;
  return true;
}

// Pose of a vehicle at a time, between the frames around it.
static bool vehicle_at(viewRecording* r, int vehicle, double time, double pose[7]) {
  size_t size;
  double before = 0, after = 0, next[7];
  unsigned char* frame = view_recording_frame(r, time, &size);
  const bool found = vehicle_in(frame, size, vehicle, pose, &before);
  free(frame);
  if (!found) return false;
  const bool held = r->held_time > before;
  if (!vehicle_in(held ? r->held : r->next, held ? r->held_size : r->next_size, vehicle, next,
                  &after)) {
    return true;
  }
  const double t = after > before ? fmin(1, fmax(0, (time - before) / (after - before))) : 0;
  double dot = 0, norm = 0;
  for (int i = 3; i < 7; i++) dot += pose[i] * next[i];
  for (int i = 0; i < 7; i++) {
    const double sign = i >= 3 && dot < 0 ? -1 : 1;
    pose[i] += t * (sign * next[i] - pose[i]);
  }
  for (int i = 3; i < 7; i++) norm += pose[i] * pose[i];
  for (int i = 3; i < 7; i++) pose[i] /= sqrt(norm);
  return true;
}

static void place(viewRecording* r, const json_t* sensor, viewSampleHead* head) {
  double mount[6] = {0}, vehicle[7], point[3], own[4], turned[4];
  const json_t* pose = json_object_get(sensor, "pose");
  for (size_t i = 0; i < 6; i++) mount[i] = json_number_value(json_array_get(pose, i));
  view_sample_set_pose(head, mount);
  const json_t* carrier = json_object_get(sensor, "vehicle");
  if (!json_is_integer(carrier) ||
      !vehicle_at(r, (int)json_integer_value(carrier), head->time, vehicle)) {
    return;
  }
  for (int i = 0; i < 4; i++) own[i] = (double)head->pose[3 + i];
  rotate(vehicle + 3, mount, point);
  multiply(vehicle + 3, own, turned);
  for (int i = 0; i < 3; i++) head->pose[i] = (float)(vehicle[i] + point[i]);
  for (int i = 0; i < 4; i++) head->pose[3 + i] = (float)turned[i];
}

viewBytes* view_replay_sample(viewRecording* r, int sensor, double time, unsigned layers,
                              double* stamp) {
  const json_t* object = sensor_of(r, sensor);
  Sample s = {.head = {.sensor = sensor, .time = -1}};
  if (!object) return NULL;
  read_sample(r, object, time, layers, &s);
  if (!s.bytes) return NULL;
  if (s.head.time == *stamp) {
    view_bytes_drop(s.bytes);
    return NULL;
  }
  *stamp = s.head.time;
  place(r, object, &s.head);
  view_sample_put_head(&s.head, s.bytes->data);
  return s.bytes;
}
