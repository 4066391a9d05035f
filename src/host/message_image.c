// SPDX-License-Identifier: BSD-3-Clause
//
// sensor_msgs/msg/Image of what a camera sees: colours; depth by REP 118 (metres with infinity, or
// millimetres with 0, where nothing is seen); class and instance, -1 where nothing is seen; normals
// and optical flow, if the camera makes them.
#include "host/log_schema.h"
#include "host/message_camera.h"
#include "host/picture_file.h"
#include "math/rut_math.h"

static void put_head(rutBytes* b, size_t start, const rutCameraGeometry* camera,
                     const char* encoding, int pixel) {
  static const uint8_t little_endian = 0;
  const uint32_t step = (uint32_t)(camera->width * pixel);
  rut_cdr_u32(b, start, (uint32_t)camera->height);
  rut_cdr_u32(b, start, (uint32_t)camera->width);
  rut_cdr_text(b, start, encoding);
  rut_cdr_numbers(b, start, 1, 1, &little_endian);
  rut_cdr_u32(b, start, step);
  rut_cdr_u32(b, start, step * (uint32_t)camera->height);
}

static void put_colour(rutBytes* b, size_t start, const rutSensorMessageIn* in) {
  put_head(b, start, &in->camera, "rgb8", 3);
  rut_bytes_put(b, in->output[RUT_CAMERA_COLOUR], (size_t)in->count[RUT_CAMERA_COLOUR]);
}

static void put_depth(rutBytes* b, size_t start, const rutSensorMessageIn* in) {
  const bool metres = in->parameter[RUT_CAMERA_LOG_DEPTH] == RUT_LOG_METRES;
  const float* depth = in->output[RUT_CAMERA_DEPTH];
  put_head(b, start, &in->camera, metres ? "32FC1" : "16UC1", metres ? 4 : 2);
  for (int i = 0; i < in->count[RUT_CAMERA_DEPTH]; i++) {
    if (metres) {
      rut_cdr_f32(b, start, depth[i] < 0 ? (float)RUT_INFINITY : depth[i]);
    } else {
      rut_bytes_u16(b, rut_picture_millimetres(depth[i]));
    }
  }
}

static void put_numbers(rutBytes* b, size_t start, const rutSensorMessageIn* in, int output) {
  put_head(b, start, &in->camera, "32SC1", 4);
  rut_cdr_numbers(b, start, 4, in->count[output], in->output[output]);
}

static void put_class(rutBytes* b, size_t start, const rutSensorMessageIn* in) {
  put_numbers(b, start, in, RUT_CAMERA_CLASS);
}

static void put_instance(rutBytes* b, size_t start, const rutSensorMessageIn* in) {
  put_numbers(b, start, in, RUT_CAMERA_INSTANCE);
}

static void put_floats(rutBytes* b, size_t start, const rutSensorMessageIn* in, int output,
                       const char* encoding, int numbers) {
  put_head(b, start, &in->camera, encoding, 4 * numbers);
  rut_cdr_numbers(b, start, 4, in->count[output], in->output[output]);
}

static void put_normal(rutBytes* b, size_t start, const rutSensorMessageIn* in) {
  put_floats(b, start, in, RUT_CAMERA_NORMAL, "32FC3", 3);
}

static void put_flow(rutBytes* b, size_t start, const rutSensorMessageIn* in) {
  put_floats(b, start, in, RUT_CAMERA_FLOW, "32FC2", 2);
}

static bool logs_normals(const rutSensorMessageIn* in) {
  return in->parameter[RUT_CAMERA_NORMALS] != 0;
}

static bool logs_flow(const rutSensorMessageIn* in) {
  return in->parameter[RUT_CAMERA_HAS_FLOW] != 0;
}

static bool logs_colour(const rutSensorMessageIn* in) {
  return in->parameter[RUT_CAMERA_RENDER] != 0 &&
         in->parameter[RUT_CAMERA_LOG_COLOUR] == RUT_LOG_RAW;
}

static bool logs_depth(const rutSensorMessageIn* in) {
  return in->parameter[RUT_CAMERA_LOG_DEPTH] != RUT_LOG_NO_DEPTH;
}

static bool logs_labels(const rutSensorMessageIn* in) {
  return in->parameter[RUT_CAMERA_LOG_LABELS] != 0;
}

#define IMAGE                                                                           \
  .schema = "sensor_msgs/msg/Image",                                                    \
  .definition =                                                                         \
      "std_msgs/Header header\n"                                                        \
      "uint32 height\n"                                                                 \
      "uint32 width\n"                                                                  \
      "string encoding  # rgb8, 32FC1 [m], 16UC1 [mm], 32SC1 (numbers), 32FC3, 32FC2\n" \
      "uint8 is_bigendian\n"                                                            \
      "uint32 step  # bytes of a row\n"                                                 \
      "uint8[] data\n" RUT_MSG_HEADER,                                                  \
  .frame = "_optical"

static const rutSensorMessage flows = {IMAGE, .tail = "/flow/image_raw", .wanted = logs_flow,
                                       .put = put_flow};
static const rutSensorMessage normals = {IMAGE, .tail = "/normal/image_raw", .wanted = logs_normals,
                                         .put = put_normal, .next = &flows};
static const rutSensorMessage instances = {IMAGE, .tail = "/instance/image_raw",
                                           .wanted = logs_labels, .put = put_instance,
                                           .next = &normals};
static const rutSensorMessage classes = {IMAGE, .tail = "/class/image_raw", .wanted = logs_labels,
                                         .put = put_class, .next = &instances};
static const rutSensorMessage depths = {IMAGE, .tail = "/depth/image_raw", .wanted = logs_depth,
                                        .put = put_depth, .next = &classes};
static const rutSensorMessage colours = {IMAGE, .tail = "/image_raw", .wanted = logs_colour,
                                         .put = put_colour, .next = &depths};

// ---- compressed ----

static void put_compressed(rutBytes* b, size_t start, const rutSensorMessageIn* in) {
  rutPicture picture = {.width = in->camera.width, .height = in->camera.height};
  rutBytes data = {0};
  // it is only read
  memcpy(&picture.pixel, &in->output[RUT_CAMERA_COLOUR], sizeof picture.pixel);
  const bool jpeg = in->parameter[RUT_CAMERA_LOG_COLOUR] == RUT_LOG_JPEG &&
                    rut_picture_put_jpeg(&picture, &data, NULL) == RUT_OK;
  if (!jpeg) rut_picture_put_png(&picture, &data);
  rut_cdr_text(b, start, jpeg ? "jpeg" : "png");
  rut_cdr_u32(b, start, (uint32_t)data.used);
  rut_bytes_put(b, data.data, data.used);
  b->failed |= data.failed;
  rut_bytes_free(&data);
}

static bool logs_compressed(const rutSensorMessageIn* in) {
  const double how = in->parameter[RUT_CAMERA_LOG_COLOUR];
  return in->parameter[RUT_CAMERA_RENDER] != 0 && (how == RUT_LOG_PNG || how == RUT_LOG_JPEG);
}

static const rutSensorMessage compressed = {.schema = "sensor_msgs/msg/CompressedImage",
                                            .definition =
                                                "std_msgs/Header header\n"
                                                "string format  # png, jpeg\n"
                                                "uint8[] data\n" RUT_MSG_HEADER,
                                            .tail = "/image_raw/compressed",
                                            .frame = "_optical",
                                            .wanted = logs_compressed,
                                            .put = put_compressed,
                                            .next = &colours};

// ---- projection ----

// Fisheyes are told by the polynomial of Kannala and Brandt (2006),
//   r/f = t (1 + k1 t^2 + k2 t^4 + k3 t^6 + k4 t^8),
// t being the angle from the axis; these are the series of 2 sin(t/2), to 4e-9 at 90 degrees, and
// of 2 tan(t/2), to 0.1 % there.
static int distortion_of(const rutCameraGeometry* camera, double d[5]) {
  static const double fisheye[][4] = {
      [RUT_LENS_EQUIDISTANT] = {0, 0, 0, 0},
      [RUT_LENS_EQUISOLID] = {-1.0 / 24, 1.0 / 1920, -1.0 / 322560, 1.0 / 92897280},
      [RUT_LENS_STEREOGRAPHIC] = {1.0 / 12, 1.0 / 120, 17.0 / 20160, 31.0 / 362880}};
  const bool flat = camera->lens == RUT_LENS_PERSPECTIVE;
  const int n = flat ? 5 : 4;
  memcpy(d, flat ? camera->distortion : fisheye[camera->lens], (size_t)n * sizeof *d);
  return n;
}

// The middle of the first pixel is at (0, 0) there, and at (0.5, 0.5) here.
static void put_info(rutBytes* b, size_t start, const rutSensorMessageIn* in) {
  static const uint8_t no = 0;
  const rutCameraGeometry* c = &in->camera;
  const double f = c->focal, x = c->cx - 0.5, y = c->cy - 0.5;
  const double k[9] = {f, 0, x, 0, f, y, 0, 0, 1}, r[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  const double p[12] = {f, 0, x, 0, 0, f, y, 0, 0, 0, 1, 0};
  double d[5];
  const int n = distortion_of(c, d);
  rut_cdr_u32(b, start, (uint32_t)c->height);
  rut_cdr_u32(b, start, (uint32_t)c->width);
  rut_cdr_text(b, start, n == 5 ? "plumb_bob" : "equidistant");
  rut_cdr_u32(b, start, (uint32_t)n);
  rut_cdr_f64(b, start, n, d);
  rut_cdr_f64(b, start, 9, k);
  rut_cdr_f64(b, start, 9, r);
  rut_cdr_f64(b, start, 12, p);
  for (int i = 0; i < 6; i++) rut_cdr_u32(b, start, 0);
  rut_cdr_numbers(b, start, 1, 1, &no);
}

extern const rutSensorMessage rut_message_image;
const rutSensorMessage rut_message_image = {
    .schema = "sensor_msgs/msg/CameraInfo",
    .definition =
        "std_msgs/Header header\n"
        "uint32 height\n"
        "uint32 width\n"
        "string distortion_model\n"
        "float64[] d\n"
        "float64[9] k  # of the raw image; pixel centres are whole numbers\n"
        "float64[9] r\n"
        "float64[12] p  # of the rectified image\n"
        "uint32 binning_x\n"
        "uint32 binning_y\n"
        "sensor_msgs/RegionOfInterest roi\n" RUT_MSG_HEADER
        "================================================================================\n"
        "MSG: sensor_msgs/RegionOfInterest\n"
        "uint32 x_offset\nuint32 y_offset\nuint32 height\nuint32 width\nbool do_rectify\n",
    .parameter = {"render", "log_colour", "log_depth", "log_labels", "normals", "flow"},
    .tail = "/camera_info",
    .frame = "_optical",
    .put = put_info,
    .next = &compressed};
