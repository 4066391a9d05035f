// SPDX-License-Identifier: BSD-3-Clause
//
// Camera. Every pixel is one ray through its middle: what it hits gives depth, class and instance,
// exactly; and the colour, by Lambert's law, from the sun and from a sky of uniform radiance. In
// units of a white surface that faces sun and sky alone, the radiance of a surface with normal n
// and reflectance rho is
//   L = rho ((1 - ambient) max(n . s, 0) V + ambient (1 + n_z) / 2),
// s towards the sun, V whether it sees the sun, and (1 + n_z) / 2 the part of the sky that a tilted
// plane sees. The sensor collects a Poisson number of electrons, the mean being
// full_well exposure L; the read noise is normal (EMVA 1288). Values are coded as in sRGB. Motion
// blur is the mean of images at several times.
#include <string.h>

#include "base/report.h"
#include "geom/lens.h"
#include "math/lanes.h"
#include "math/quat.h"
#include "sense/camera_codes.h"
#include "sense/camera_light.h"
#include "sense/camera_signal.h"
#include "sense/camera_truth.h"

static const rutField fields[] = {
    RUT_CAMERA_ROWS(RUT_ROW, RUT_WHOLE_ROW, RUT_FLAG_ROW, RUT_CHOICE_ROW)};

// Angles of view of flat images are 2 atan(w/2f), w being the width of the sensor.
static const rutPresetValue mavs[] = {{"width", "604"}, {"height", "484"}, {"fov", "49.33 deg"}};
static const rutPresetValue mvsim[] = {{"width", "640"}, {"height", "480"}, {"fov", "77.32 deg"}};
static const rutPresetValue zed2i[] = {{"width", "2208"},    {"height", "1242"},
                                       {"fov", "115.2 deg"}, {"full_well", "5000"},
                                       {"read_noise", "3"},  {"period", "66.7 ms"}};
static const rutPresetValue oak_d[] = {{"width", "1280"},   {"height", "800"},
                                       {"fov", "78.5 deg"}, {"full_well", "8000"},
                                       {"read_noise", "4"}, {"period", "33.3 ms"}};
static const rutPresetValue machine_vision[] = {{"width", "2048"},     {"height", "1536"},
                                                {"fov", "61.0 deg"},   {"full_well", "10500"},
                                                {"read_noise", "2.3"}, {"period", "50 ms"}};
static const rutPresetValue automotive[] = {
    {"width", "1928"},   {"height", "1208"},    {"fov", "60.1 deg"},  {"full_well", "11000"},
    {"read_noise", "3"}, {"period", "33.3 ms"}, {"row_time", "25 us"}};
static const rutPresetValue fisheye[] = {
    {"width", "810"}, {"height", "540"}, {"lens", "equidistant"}, {"fov", "161.3 deg"}};
// Built into MAVS (camera_models.h): pixels, width of the sensor over the focal length.
static const rutPresetValue mavs_machine_vision[] = {
    {"width", "224"}, {"height", "224"}, {"fov", "53.13 deg"}};
static const rutPresetValue mavs_low_res[] = {
    {"width", "384"}, {"height", "384"}, {"fov", "53.13 deg"}};
static const rutPresetValue flea3_4mm[] = {
    {"width", "1280"}, {"height", "1024"}, {"fov", "80.60 deg"}};
static const rutPresetValue xcd_v60[] = {{"width", "640"}, {"height", "480"}, {"fov", "37.85 deg"}};
static const rutPresetValue mavs_hd1080[] = {
    {"width", "1620"}, {"height", "1080"}, {"fov", "102.68 deg"}};
static const rutPresetValue sf3325[] = {
    {"width", "1928"}, {"height", "1208"}, {"fov", "60.09 deg"}};
static const rutPresetValue phantom4[] = {
    {"width", "1216"}, {"height", "912"}, {"fov", "39.89 deg"}};
static const rutPreset presets[] = {
    RUT_PRESET("mavs_machine_vision", "MAVS's MachineVision: 3.5 x 3.5 mm behind 3.5 mm",
               mavs_machine_vision),
    RUT_PRESET("mavs_low_res", "MAVS's LowRes: 3.5 x 3.5 mm behind 3.5 mm", mavs_low_res),
    RUT_PRESET("flea3_4mm", "Flea3 as in MAVS: 6.784 x 5.427 mm behind 4 mm", flea3_4mm),
    RUT_PRESET("xcd_v60", "Sony XCD-V60 as in MAVS: 2.4 x 1.8 mm behind 3.5 mm", xcd_v60),
    RUT_PRESET("mavs_hd1080", "MAVS's HD1080: 22.5 x 15 mm behind 9 mm", mavs_hd1080),
    RUT_PRESET("sf3325", "Sekonix SF3325-100 as in MAVS: 5.784 x 3.624 mm behind 5 mm", sf3325),
    RUT_PRESET("phantom4", "DJI Phantom 4 as in MAVS: 20.32 x 15.24 mm behind 28 mm", phantom4),
    RUT_PRESET("mavs", "MAVS's default camera: 3.215 x 2.576 mm behind 3.5 mm", mavs),
    RUT_PRESET("mvsim", "MVSim's default camera: a focal length of 400 pixels", mvsim),
    RUT_PRESET("zed2i", "Stereolabs ZED 2i, one eye, as in MAVS: 2 um pixels behind 1.4 mm", zed2i),
    RUT_PRESET("oak_d", "Luxonis OAK-D, a grey camera, as in MAVS: 3 um pixels behind 2.35 mm",
               oak_d),
    RUT_PRESET("machine_vision", "class of Sony IMX252: 3.45 um pixels behind 6 mm",
               machine_vision),
    RUT_PRESET("automotive", "class of onsemi AR0231: 3 um pixels behind 5 mm, rolling shutter",
               automotive),
    RUT_PRESET("fisheye", "MAVS's fisheye: 22.5 mm behind 8 mm, equidistant", fisheye)};

static const rutVariable outputs[] = {
    {.name = "colour",
     .unit = "",
     .shape = "height width 3",
     .doc = "red, green and blue of each pixel, sRGB",
     .type = RUT_U8},
    {.name = "depth",
     .unit = "m",
     .shape = "height width",
     .doc = "distance, -1 where nothing is seen: along the optical axis, or along the ray as "
            "depth_along says",
     .type = RUT_F32},
    {.name = "class",
     .unit = "",
     .shape = "height width",
     .doc = "semantic class, -1 where nothing is seen",
     .type = RUT_I32},
    {.name = "instance",
     .unit = "",
     .shape = "height width",
     .doc = "index of what is seen, -1 where that is nothing",
     .type = RUT_I32},
    {.name = "normal",
     .unit = "",
     .shape = "height*normals width 3",
     .doc = "unit normal of what is seen, to the right, down and along the optical axis, 0 0 0 "
            "where that is nothing; with normals=\"true\"",
     .type = RUT_F32},
    {.name = "flow",
     .unit = "",
     .shape = "height*flow width 2",
     .doc = "pixels by which what is seen has moved in the image since the last sample, to the "
            "right and down, NaN where that is not known; with flow=\"true\"",
     .type = RUT_F32}};
enum { COLOUR, DEPTH, CLASS, INSTANCE, NORMAL, FLOW };

enum { ROW_ARRAYS = 14, ROW_NUMBERS = ROW_ARRAYS + 2 * 3, ROW_INTS = 6, ROW_BYTES = 3 };

// Numbers from array to array, at least a row: not all of them in the same lines of a cache.
static size_t stride_of(const rutCameraParam* p) { return ((size_t)p->width / 16 + 1) * 16 + 8; }

static size_t scratch_size(const void* param) {
  const size_t n = stride_of(param);
  return n * (ROW_NUMBERS * sizeof(double) + ROW_INTS * sizeof(int) + ROW_BYTES) +
         RUT_CAMERA_PARTS + 1;
}

static rutCameraRow row_of(const rutCameraParam* p, void* scratch) {
  const size_t n = stride_of(p);
  rutCameraRow row;
  double** array[ROW_ARRAYS] = {&row.x,         &row.y,         &row.z,         &row.d[0],
                                &row.d[1],      &row.d[2],      &row.ahead,     &row.range,
                                &row.normal[0], &row.normal[1], &row.normal[2], &row.sun,
                                &row.shadow,    &row.up};
  int** whole[ROW_INTS] = {&row.instance, &row.material, &row.pixel,
                           &row.seen,     &row.lit,      &row.body};
  double* at = scratch;
  for (int i = 0; i < ROW_ARRAYS; i++, at += n) *array[i] = at;
  row.noise = at;
  row.signal = at + 3 * n;
  int* next = (int*)(void*)(at + 6 * n);
  for (int i = 0; i < ROW_INTS; i++, next += n) *whole[i] = next;
  row.code = (unsigned char*)next;
  row.code_of_part = row.code + ROW_BYTES * n;
  row.rays = 0;
  return row;
}

static rutLens lens_of(const rutCameraParam* p) {
  const rutLensModel model = (rutLensModel)p->lens;
  rutLens lens = {.model = model,
                  .focal = rut_lens_focal(model, p->width, p->fov),
                  .cx = 0.5 * p->width + p->offset_x,
                  .cy = 0.5 * p->height + p->offset_y,
                  .k1 = p->k1,
                  .k2 = p->k2,
                  .p1 = p->p1,
                  .p2 = p->p2,
                  .k3 = p->k3};
  rut_lens_init(&lens);
  return lens;
}

static void geometry(const void* param, rutCameraGeometry* out) {
  const rutCameraParam* p = param;
  const rutLens lens = lens_of(p);
  *out = (rutCameraGeometry){.width = (int)p->width,
                             .height = (int)p->height,
                             .lens = lens.model,
                             .focal = lens.focal,
                             .cx = lens.cx,
                             .cy = lens.cy,
                             .distortion = {p->k1, p->k2, p->p1, p->p2, p->k3},
                             .fold = lens.fold,
                             .max_range = p->max_range,
                             .row_time = p->row_time,
                             .ray_depth = rut_camera_ray_depth(p)};
}

// Whether a corner, where rays are farthest from the axis, sees beside or behind the camera.
static bool sees_beside(const rutCameraParam* p) {
  const rutLens lens = lens_of(p);
  for (int i = 0; i < 4; i++) {
    const double corner[2] = {i % 2 * p->width, i / 2 * p->height};
    double ray[3];
    if (!rut_lens_ray(&lens, corner, ray) || !(ray[2] > 0)) return true;
  }
  return false;
}

static rutStatus check(const double* param, rutError* err) {
  const rutCameraParam* p = (const rutCameraParam*)(const void*)param;
  if (p->exposure_time > p->period) {
    return rut_error_set(err, RUT_ERR_MODEL, "'exposure_time' must not be longer than 'period'");
  }
  if (p->depth_along == RUT_CAMERA_DEPTH_AXIS && sees_beside(p)) {
    return rut_error_set(err, RUT_ERR_MODEL,
                         "depths along the axis are negative beside and behind a camera that sees "
                         "90 degrees from its axis: 'depth_along' must be 'ray'");
  }
  const bool flat = p->lens == RUT_LENS_PERSPECTIVE || p->lens == RUT_LENS_STEREOGRAPHIC;
  const double most = p->lens == RUT_LENS_PERSPECTIVE ? RUT_PI : 2 * RUT_PI;
  if (!flat || p->fov < most) return RUT_OK;
  return rut_error_set(err, RUT_ERR_MODEL,
                       "'fov' of this lens must be below %.0f degrees, since its image has no end",
                       most * 180 / RUT_PI);
}

// Place and axes (columns: ahead, left, up) of the camera as a row is read out.
static rutMat3 pose_at(const rutCameraParam* p, const rutSensorIn* in, int row, double at[3]) {
  if (!(p->row_time > 0)) {
    memcpy(at, in->pose, 3 * sizeof *at);
    return rut_mat3_of_rpy(in->pose[3], in->pose[4], in->pose[5]);
  }
  rutMotion motion;
  in->motion_at(in->host, in->time + rut_camera_late(p, row), &motion);
  memcpy(at, motion.position, 3 * sizeof *at);
  return rut_camera_axes(&motion);
}

// Optical axes (right, down, ahead) into those of the world; rays begin at the camera.
RUT_CLONES static void turn_rays(const rutMat3* axes, const double at[3], int n,
                                 const rutCameraRow* row) {
  const rutMat3 a = *axes;
  const double x = at[0], y = at[1], z = at[2];
  double* restrict px = row->x;
  double* restrict py = row->y;
  double* restrict pz = row->z;
  double* restrict dx = row->d[0];
  double* restrict dy = row->d[1];
  double* restrict dz = row->d[2];
  double* restrict ahead = row->ahead;
  RUT_FOR_LANES(i, n) {
    const rutVec3 d = rut_mat3_apply(a, rut_vec3(dz[i], -dx[i], -dy[i]));
    ahead[i] = dz[i];
    px[i] = x;
    py[i] = y;
    pz[i] = z;
    dx[i] = d.x;
    dy[i] = d.y;
    dz[i] = d.z;
  }
}

// Rays of the pixels that see anything at all.
static void aim_row(const rutCameraParam* p, const rutSensorIn* in, const rutLens* lens, int number,
                    rutCameraRow* row) {
  const int n = (int)p->width;
  const double first[2] = {0.5, number + 0.5};
  double at[3];
  const rutMat3 axes = pose_at(p, in, number, at);
  rut_lens_row(lens, n, first, &(rutLensRays){{row->d[0], row->d[1], row->d[2]}, row->seen});
  turn_rays(&axes, at, n, row);
  int k = 0;
  for (int i = 0; i < n; i++) {
    row->pixel[k] = i;
    if (k < i) {
      for (int c = 0; c < 3; c++) row->d[c][k] = row->d[c][i];
      row->ahead[k] = row->ahead[i];
    }
    k += row->seen[i] != 0;
  }
  row->rays = k;
  row->axes = axes;
}

static void see_row(const rutCameraParam* p, const rutSensorIn* in, const rutCameraRow* row) {
  const int skipped = p->ignore_parent != 0 ? in->vehicle : -1;
  const rutRays rays = rut_camera_rays(row, row->rays, p->max_range, skipped);
  in->cast(in->host, &rays,
           &(rutRayHits){.range = row->range,
                         .normal = {row->normal[0], row->normal[1], row->normal[2]},
                         .instance = row->instance,
                         .material = row->material,
                         .body = p->flow != 0 ? row->body : NULL});
}

// The mean of the sub-frames, of which this is one, takes the place of the last one's signals.
static void blend_row(const rutCameraParam* p, const rutSensorIn* in, int number,
                      const rutCameraRow* row) {
  float* kept = (float*)in->kept + (size_t)number * 3 * (size_t)p->width;
  for (int k = 0; k < row->rays; k++) {
    float* sum = kept + 3 * (ptrdiff_t)row->pixel[k];
    double* signal = row->signal + 3 * (ptrdiff_t)k;
    for (int i = 0; i < 3; i++) {
      if (in->frame > 0) signal[i] += (double)sum[i];
      sum[i] = (float)signal[i];
      if (in->frame == in->frames - 1) signal[i] /= in->frames;
    }
  }
}

// Pixels without a ray are black.
static void render_row(const rutCameraParam* p, const rutSensorIn* in, int number,
                       const rutCameraRow* row, unsigned char* colour) {
  const int width = (int)p->width;
  const bool all = row->rays == width;
  rut_camera_shade(p, in, row);
  if (in->frames > 1) blend_row(p, in, number, row);
  if (in->frame < in->frames - 1) return;
  rut_camera_vignette(p, number, row);
  rut_camera_read_out(p, in, number, row);
  rut_camera_code(row, all ? colour : row->code);
  if (all) return;
  memset(colour, 0, 3 * (size_t)width);
  for (int k = 0; k < row->rays; k++) memcpy(colour + 3 * row->pixel[k], row->code + 3 * k, 3);
}

// Depths, which replace the distances.
static void measure_depths(const rutCameraParam* p, const rutSensorIn* in, int number,
                           const rutCameraRow* row) {
  const bool noisy = p->depth_noise > 0 && !in->exact;
  const uint32_t first = (uint32_t)(3 * p->width * p->height + number * p->width);
  if (noisy) in->normals(in->host, first, row->rays, row->noise);
  const bool along_ray = rut_camera_ray_depth(p);
  for (int k = 0; k < row->rays; k++) {
    double depth = along_ray ? row->range[k] : row->range[k] * row->ahead[k];
    if (noisy) depth = rut_max(depth + p->depth_noise * row->noise[k], 0);
    if (p->depth_step > 0 && !in->exact) {
      depth = p->depth_step * rut_floor(depth / p->depth_step + 0.5);
    }
    row->range[k] = row->range[k] < p->min_range ? -1 : depth;
  }
}

// What a row has seen goes to its place in the images; pixels without a ray see nothing.
static void put_row(const rutCameraParam* p, const rutSensorIn* in, int number,
                    const rutCameraRow* row, void* const* out) {
  const int width = (int)p->width;
  const size_t first = (size_t)number * (size_t)width;
  float* depth = (float*)out[DEPTH] + first;
  int32_t *seen = (int32_t*)out[CLASS] + first, *instance = (int32_t*)out[INSTANCE] + first;
  for (int i = 0; i < width && row->rays < width; i++) {
    depth[i] = -1;
    seen[i] = instance[i] = -1;
  }
  for (int k = 0; k < row->rays; k++) {
    const int i = row->pixel[k], m = row->material[k];
    depth[i] = m >= 0 ? (float)row->range[k] : -1;
    seen[i] = m >= 0 ? (int32_t)in->material[m].semantic_class : -1;
    instance[i] = m >= 0 ? row->instance[k] : -1;
  }
}

// Bands of rows, of this many pixels each.
enum { PART = 8192, MAX_PARTS = 64 };

static int parts_of(const void* param) {
  const rutCameraParam* p = param;
  return (int)rut_clamp(p->width * p->height / PART, 1, rut_min(p->height, MAX_PARTS));
}

static int first_row(const rutCameraParam* p, int part, int parts) {
  return (int)p->height * part / parts;
}

static bool has_past(const void* param) { return ((const rutCameraParam*)param)->flow != 0; }

static int frames_of(const void* param, double* span) {
  const rutCameraParam* p = param;
  const int frames = p->exposure_time > 0 && p->render != 0 ? (int)p->sub_frames : 1;
  *span = p->exposure_time * (frames - 1) / frames;
  return frames;
}

static size_t kept_size(const void* param) {
  const rutCameraParam* p = param;
  return 3 * (size_t)p->width * (size_t)p->height * sizeof(float);
}

static void start(const void* param, const rutSensorIn* in, double* state) {
  const rutCameraParam* p = param;
  (void)in;
  if (p->auto_exposure != 0) state[0] = p->exposure * p->gain;
}

static void finish(const void* param, const rutSensorIn* in, double* state, void* const* out) {
  const rutCameraParam* p = param;
  (void)in;
  if (p->auto_exposure == 0 || p->render == 0) return;
  state[0] = rut_camera_meter(p, out[COLOUR], state[0]);
}

// Truth of a row, before rays to the lights take the place of those from the camera.
static void put_truth(const rutCameraParam* p, const rutSensorIn* in, const rutLens* lens,
                      int number, const rutCameraRow* row, void* const* out) {
  const size_t first = (size_t)number * (size_t)p->width;
  if (p->normals != 0) rut_camera_normals(p, row, (float*)out[NORMAL] + 3 * first);
  if (p->flow != 0) rut_camera_flow(p, in, lens, row, number, (float*)out[FLOW] + 2 * first);
}

static void sample(const void* param, const rutSensorIn* in, double* state, void* scratch,
                   void* const* out) {
  const rutCameraParam* p = param;
  const rutLens lens = lens_of(p);
  rutCameraRow row = row_of(p, scratch);
  row.exposure = p->exposure;
  row.gain = p->gain;
  if (p->auto_exposure != 0) rut_camera_divide(p, state[0], &row.exposure, &row.gain);
  if (p->render != 0) rut_camera_codes(row.code_of_part);
  const size_t row_size = 3 * (size_t)p->width;
  const bool last = in->frame == in->frames - 1;
  const int end = first_row(p, in->part + 1, in->parts);
  for (int number = first_row(p, in->part, in->parts); number < end; number++) {
    aim_row(p, in, &lens, number, &row);
    see_row(p, in, &row);
    if (last) put_truth(p, in, &lens, number, &row, out);
    unsigned char* coloured = (unsigned char*)out[COLOUR] + (size_t)number * row_size;
    if (p->render != 0)
      render_row(p, in, number, &row, coloured);
    else
      memset(coloured, 0, row_size);
    if (!last) continue;
    measure_depths(p, in, number, &row);
    put_row(p, in, number, &row, out);
  }
}

static const rutVariable states[] = {
    {.name = "exposure", .unit = "", .shape = "auto_exposure", .doc = "exposure times gain"}};

extern const rutSensorType rut_sensor_camera;
const rutSensorType rut_sensor_camera = {
    .base =
        {.abi = RUT_ABI,
         .struct_size = sizeof(rutSensorType),
         .kind = "sensor",
         .name = "camera",
         .parents = "vehicle world",
         .doc =
             "Camera along its x axis, images from the upper left: colour with sun, shadows "
             "and noise, and the depth, semantic class, instance, normal and optical flow of each "
             "pixel.",
         .field = fields,
         .fields = RUT_COUNT_OF(fields),
         .state = states,
         .states = RUT_COUNT_OF(states),
         .check = check,
         RUT_PRESETS(presets)},
    .output = outputs,
    .outputs = RUT_COUNT_OF(outputs),
    .gaps = 1u << DEPTH | 1u << CLASS | 1u << INSTANCE,
    .uses = RUT_USES_MOTION | RUT_USES_LOOKS,
    .form = RUT_FORM_IMAGE,
    .camera = geometry,
    .scratch = scratch_size,
    .start = start,
    .sample = sample,
    .parts = parts_of,
    .finish = finish,
    .frames = frames_of,
    .kept = kept_size,
    .past = has_past,
};
