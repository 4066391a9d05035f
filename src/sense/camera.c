// SPDX-License-Identifier: BSD-3-Clause
//
// Camera. Every pixel is one ray through its middle: what it hits gives depth, class and instance,
// exactly; and the colour, by Lambert's law, from the sun and from a sky of uniform radiance. In
// units of a white surface that faces sun and sky alone, the radiance of a surface with normal n
// and reflectance rho is
//   L = rho ((1 - ambient) max(n . s, 0) V + ambient (1 + n_z) / 2),
// s towards the sun, V whether it sees the sun, and (1 + n_z) / 2 the part of the sky that a
// normals plane sees. The sensor collects a Poisson number of electrons, the mean being full_well
// exposure L; the read noise is normal (EMVA 1288). Values are coded as in sRGB. Motion blur is the
// mean of images at several times.
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

enum {
  PIXELS = RUT_CAMERA_BLOCK_ROWS * RUT_CAMERA_BLOCK_COLUMNS,
  STRIDE = PIXELS + 8,  // numbers from array to array: not all of them in the same lines of a cache
  ARRAYS = 24,
  NUMBERS = ARRAYS + 2 * 3,
  INTS = 6,
  BYTES = 3
};

static size_t scratch_size(const void* param) {
  (void)param;
  return STRIDE * (NUMBERS * sizeof(double) + INTS * sizeof(int) + BYTES) + RUT_CAMERA_PARTS + 1;
}

static rutCameraBlock block_in(void* scratch) {
  rutCameraBlock block = {0};
  double** array[ARRAYS] = {&block.x,
                            &block.y,
                            &block.z,
                            &block.d[0],
                            &block.d[1],
                            &block.d[2],
                            &block.ahead,
                            &block.range,
                            &block.normal[0],
                            &block.normal[1],
                            &block.normal[2],
                            &block.sun,
                            &block.shadow,
                            &block.up,
                            &block.colour[0],
                            &block.colour[1],
                            &block.colour[2],
                            &block.lamplight[0],
                            &block.lamplight[1],
                            &block.lamplight[2],
                            &block.glare[0],
                            &block.glare[1],
                            &block.glare[2],
                            &block.far};
  int** whole[INTS] = {&block.instance, &block.material, &block.pixel,
                       &block.seen,     &block.lit,      &block.body};
  double* at = scratch;
  for (int i = 0; i < ARRAYS; i++, at += STRIDE) *array[i] = at;
  block.noise = at;
  block.signal = at + 3 * STRIDE;
  int* next = (int*)(void*)(at + 6 * STRIDE);
  for (int i = 0; i < INTS; i++, next += STRIDE) *whole[i] = next;
  block.code = (unsigned char*)next;
  block.code_of_part = block.code + BYTES * STRIDE;
  return block;
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

// Optical axes (right, down, ahead) of n rays from `first` on into those of the world; they begin
// at the camera.
RUT_CLONES static void turn_rays(const rutMat3* axes, const double at[3], int first, int n,
                                 const rutCameraBlock* block) {
  const rutMat3 a = *axes;
  const double x = at[0], y = at[1], z = at[2];
  double* restrict px = block->x + first;
  double* restrict py = block->y + first;
  double* restrict pz = block->z + first;
  double* restrict dx = block->d[0] + first;
  double* restrict dy = block->d[1] + first;
  double* restrict dz = block->d[2] + first;
  double* restrict ahead = block->ahead + first;
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

// Rays of the pixels of a row that see anything at all, from `first` on. Returns their number.
static int keep_seen(const rutCameraBlock* block, int first, int pixel) {
  const int* seen = block->seen + first;
  int k = 0;
  for (int i = 0; i < block->columns; i++) {
    block->pixel[first + k] = pixel + i;
    if (k < i) {
      for (int c = 0; c < 3; c++) block->d[c][first + k] = block->d[c][first + i];
    }
    k += seen[i] != 0;
  }
  return k;
}

static void aim_block(const rutCameraParam* p, const rutSensorIn* in, const rutLens* lens,
                      rutCameraBlock* block) {
  block->rays = 0;
  for (int r = 0; r < block->rows; r++) {
    const int number = block->row + r, first = block->rays;
    const double pixel[2] = {block->column + 0.5, number + 0.5};
    double at[3];
    double* const* d = block->d;
    block->axes[r] = pose_at(p, in, number, at);
    block->first[r] = first;
    rut_lens_row(lens, block->columns, pixel,
                 &(rutLensRays){{d[0] + first, d[1] + first, d[2] + first}, block->seen + first});
    block->rays += keep_seen(block, first, number * (int)p->width + block->column);
    turn_rays(&block->axes[r], at, first, block->rays - first, block);
  }
  block->first[block->rows] = block->rays;
}

static void see_block(const rutCameraParam* p, const rutSensorIn* in, const rutCameraBlock* block) {
  const int skipped = p->ignore_parent != 0 ? in->vehicle : -1;
  rutRays rays = rut_camera_rays(block, block->rays, p->max_range, skipped);
  const bool normals = p->render != 0 || p->normals != 0;
  rays.columns = rut_camera_is_whole(block) ? block->columns : 0;
  rutRayHits hits = {
      .range = block->range,
      .normal = {normals ? block->normal[0] : NULL, block->normal[1], block->normal[2]},
      .instance = block->instance,
      .material = block->material,
      .body = p->flow != 0 ? block->body : NULL};
  const bool textured = in->textured && p->render != 0;
  for (int i = 0; textured && i < 3; i++) hits.colour[i] = block->colour[i];
  in->cast(in->host, &rays, &hits);
}

// The mean of the sub-frames, of which this is one, takes the place of the last one's signals.
static void blend(const rutSensorIn* in, const rutCameraBlock* block) {
  for (int k = 0; k < block->rays; k++) {
    float* sum = (float*)in->kept + 3 * (ptrdiff_t)block->pixel[k];
    double* signal = block->signal + 3 * (ptrdiff_t)k;
    for (int i = 0; i < 3; i++) {
      if (in->frame > 0) signal[i] += (double)sum[i];
      sum[i] = (float)signal[i];
      if (in->frame == in->frames - 1) signal[i] /= in->frames;
    }
  }
}

// Index of the first pixel of a row of a block.
static size_t pixel_of(const rutCameraParam* p, const rutCameraBlock* block, int r) {
  return (size_t)(block->row + r) * (size_t)p->width + (size_t)block->column;
}

// Pixels without a ray are black.
static void put_codes(const rutCameraParam* p, const rutCameraBlock* block, unsigned char* image) {
  const size_t columns = (size_t)block->columns;
  const bool whole = rut_camera_is_whole(block);
  rut_camera_code(block, block->code);
  for (int r = 0; r < block->rows; r++) {
    unsigned char* colour = image + 3 * pixel_of(p, block, r);
    if (whole)
      memcpy(colour, block->code + 3 * (size_t)r * columns, 3 * columns);
    else
      memset(colour, 0, 3 * columns);
  }
  for (int k = 0; k < block->rays && !whole; k++) {
    memcpy(image + 3 * (ptrdiff_t)block->pixel[k], block->code + 3 * (ptrdiff_t)k, 3);
  }
}

static void render(const rutCameraParam* p, const rutSensorIn* in, const rutCameraBlock* block,
                   unsigned char* image) {
  rut_camera_shade(p, in, block);
  if (in->frames > 1) blend(in, block);
  if (in->frame < in->frames - 1) return;
  rut_camera_vignette(p, block);
  rut_camera_read_out(p, in, block);
  put_codes(p, block, image);
}

static void draw_depth_noise(const rutCameraParam* p, const rutSensorIn* in,
                             const rutCameraBlock* block) {
  for (int r = 0; r < block->rows; r++) {
    const int first = block->first[r], n = block->first[r + 1] - first;
    const double at = 3 * p->width * p->height + (block->row + r) * p->width + block->before[r];
    in->normals(in->host, (uint32_t)at, n, block->noise + first);
  }
}

// Depths, which replace the distances.
static void measure_depths(const rutCameraParam* p, const rutSensorIn* in,
                           const rutCameraBlock* block) {
  const bool noisy = p->depth_noise > 0 && !in->exact;
  if (noisy) draw_depth_noise(p, in, block);
  const bool along_ray = rut_camera_ray_depth(p);
  for (int k = 0; k < block->rays; k++) {
    double depth = along_ray ? block->range[k] : block->range[k] * block->ahead[k];
    if (noisy) depth = rut_max(depth + p->depth_noise * block->noise[k], 0);
    if (p->depth_step > 0 && !in->exact) {
      depth = p->depth_step * rut_floor(depth / p->depth_step + 0.5);
    }
    block->range[k] = block->range[k] < p->min_range ? -1 : depth;
  }
}

// What a block has seen goes to its place in the images; pixels without a ray see nothing.
static void put_block(const rutCameraParam* p, const rutSensorIn* in, const rutCameraBlock* block,
                      void* const* out) {
  float* depth = out[DEPTH];
  int32_t *seen = out[CLASS], *instance = out[INSTANCE];
  for (int r = 0; r < block->rows && !rut_camera_is_whole(block); r++) {
    const size_t first = pixel_of(p, block, r);
    for (size_t i = first; i < first + (size_t)block->columns; i++) {
      depth[i] = -1;
      seen[i] = instance[i] = -1;
    }
  }
  for (int k = 0; k < block->rays; k++) {
    const int i = block->pixel[k], m = block->material[k];
    depth[i] = m >= 0 ? (float)block->range[k] : -1;
    seen[i] = m >= 0 ? (int32_t)in->material[m].semantic_class : -1;
    instance[i] = m >= 0 ? block->instance[k] : -1;
  }
}

// Bands of rows, of this many pixels each.
enum { PART = 8192, MAX_PARTS = 64 };

static int parts_of(const void* param) {
  const rutCameraParam* p = param;
  return (int)rut_clamp(p->width * p->height / PART, 1, rut_min(p->height, MAX_PARTS));
}

// Bands begin with whole blocks.
static int first_row(const rutCameraParam* p, int part, int parts) {
  if (part == parts) return (int)p->height;
  return (int)p->height * part / parts / RUT_CAMERA_BLOCK_ROWS * RUT_CAMERA_BLOCK_ROWS;
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

// What one block of pixels sees.
static void sample_block(const rutCameraParam* p, const rutSensorIn* in, const rutLens* lens,
                         rutCameraBlock* block, void* const* out) {
  const bool last = in->frame == in->frames - 1;
  aim_block(p, in, lens, block);
  see_block(p, in, block);
  // truth, before rays to the lights take the place of those from the camera
  if (last && p->normals != 0) rut_camera_normals(p, block, out[NORMAL]);
  if (last && p->flow != 0) rut_camera_flow(p, in, lens, block, out[FLOW]);
  if (p->render != 0) render(p, in, block, out[COLOUR]);
  if (!last) return;
  measure_depths(p, in, block);
  put_block(p, in, block, out);
}

// Blocks of a few rows, from the left to the right.
static void sample_rows(const rutCameraParam* p, const rutSensorIn* in, const rutLens* lens,
                        rutCameraBlock* block, void* const* out) {
  const int width = (int)p->width;
  for (int r = 0; r < block->rows; r++) block->before[r] = 0;
  for (int column = 0; column < width; column += RUT_CAMERA_BLOCK_COLUMNS) {
    block->column = column;
    block->columns =
        width - column < RUT_CAMERA_BLOCK_COLUMNS ? width - column : RUT_CAMERA_BLOCK_COLUMNS;
    sample_block(p, in, lens, block, out);
    for (int r = 0; r < block->rows; r++) {
      block->before[r] += block->first[r + 1] - block->first[r];
    }
  }
}

static void sample(const void* param, const rutSensorIn* in, double* state, void* scratch,
                   void* const* out) {
  const rutCameraParam* p = param;
  const rutLens lens = lens_of(p);
  rutCameraBlock block = block_in(scratch);
  block.spread = 1 / lens.focal;
  block.exposure = p->exposure;
  block.gain = p->gain;
  if (p->auto_exposure != 0) rut_camera_divide(p, state[0], &block.exposure, &block.gain);
  const int begin = first_row(p, in->part, in->parts), end = first_row(p, in->part + 1, in->parts);
  if (p->render != 0) {
    rut_camera_codes(block.code_of_part);
  } else {
    const size_t row_size = 3 * (size_t)p->width;
    memset((unsigned char*)out[COLOUR] + (size_t)begin * row_size, 0,
           (size_t)(end - begin) * row_size);
  }
  for (block.row = begin; block.row < end; block.row += RUT_CAMERA_BLOCK_ROWS) {
    block.rows = end - block.row < RUT_CAMERA_BLOCK_ROWS ? end - block.row : RUT_CAMERA_BLOCK_ROWS;
    sample_rows(p, in, &lens, &block, out);
  }
}

static const rutVariable states[] = {
    {.name = "exposure", .unit = "", .shape = "auto_exposure", .doc = "exposure times gain"}};

extern const rutSensorType rut_sensor_camera;
const rutSensorType rut_sensor_camera = {
    .base =
        {RUT_HEAD(
             rutSensorType, "sensor", "camera", "vehicle world",
             "Camera along its x axis, images from the upper left: colour with sun, shadows "
             "and noise, and the depth, semantic class, instance, normal and optical flow of each "
             "pixel.",
             fields),
         .state = states, .states = RUT_COUNT_OF(states), .check = check, RUT_PRESETS(presets)},
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
