// SPDX-License-Identifier: BSD-3-Clause
//
// Camera. Every pixel is one ray through its middle: what it hits gives depth, class and instance,
// exactly; and the colour, by Lambert's law, from the sun and from a sky of uniform radiance. In
// units of a white surface that faces sun and sky alone, the radiance of a surface with normal n
// and reflectance rho is
//   L = rho ((1 - ambient) max(n . s, 0) V + ambient (1 + n_z) / 2),
// s towards the sun, V whether it sees the sun, and (1 + n_z) / 2 the part of the sky that a tilted
// plane sees. The sensor collects a Poisson number of electrons, the mean being
// full_well exposure L; the read noise is normal (EMVA 1288). Values are coded as in sRGB.
#include <string.h>

#include "base/report.h"
#include "geom/lens.h"
#include "math/quat.h"
#include "rut/sensor.h"

enum { MAX_SIDE = 4096 };

#define FIELDS(REAL, WHOLE, FLAG, CHOICE)                                                      \
  RUT_SENSOR_ROWS(REAL, CHOICE)                                                                \
  WHOLE(width, "", 320, 1, MAX_SIDE, "pixels in a row")                                        \
  WHOLE(height, "", 240, 1, MAX_SIDE, "rows")                                                  \
  CHOICE(lens, "perspective|equidistant|equisolid|stereographic", 0, "projection of the lens") \
  REAL(fov, "rad", 60 * RUT_PI / 180, 1e-3, 2 * RUT_PI, "angle of view across the width")      \
  REAL(offset_x, "", 0, -MAX_SIDE, MAX_SIDE, "principal point right of the middle [pixel]")    \
  REAL(offset_y, "", 0, -MAX_SIDE, MAX_SIDE, "principal point below the middle [pixel]")       \
  REAL(k1, "", 0, -10, 10, "radial distortion of the perspective lens, as in OpenCV")          \
  REAL(k2, "", 0, -10, 10, "of the fourth power")                                              \
  REAL(k3, "", 0, -10, 10, "of the sixth power")                                               \
  REAL(p1, "", 0, -10, 10, "tangential distortion")                                            \
  REAL(p2, "", 0, -10, 10, "the other tangential distortion")                                  \
  REAL(max_range, "m", 1000, 0, 1e6, "farthest distance that is seen")                         \
  REAL(row_time, "s", 0, 0, 1,                                                                 \
       "rolling shutter: time from row to row; the middle row is at "                          \
       "the time of the sample")                                                               \
  FLAG(render, 1, "makes the colour image, not only depth, class and instance")                \
  REAL(exposure, "", 0.8, 0, 1e6, "signal of a white surface in full light, over the largest") \
  REAL(full_well, "", 10000, 1, 1e9, "electrons of the largest signal")                        \
  REAL(read_noise, "", 3, 0, 1e6, "standard deviation of the read noise [electrons]")          \
  FLAG(ignore_parent, 1, "does not see the vehicle that carries it")

typedef struct CameraParam {
  FIELDS(RUT_PARAM, RUT_PARAM, RUT_PARAM, RUT_PARAM)
} CameraParam;

static const rutField fields[] = {FIELDS(RUT_ROW, RUT_WHOLE_ROW, RUT_FLAG_ROW, RUT_CHOICE_ROW)};

static const rutVariable outputs[] = {
    {.name = "colour",
     .unit = "",
     .shape = "height width 3",
     .doc = "red, green and blue of each pixel, sRGB",
     .type = RUT_U8},
    {.name = "depth",
     .unit = "m",
     .shape = "height width",
     .doc = "distance along the optical axis, -1 where nothing is seen",
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
     .type = RUT_I32}};
enum { COLOUR, DEPTH, CLASS, INSTANCE };

// Radiance of the sky over its mean in red, green and blue: a colour temperature of about 10000 K.
static const double SKY[3] = {0.82, 0.98, 1.20};
// Rays to the sun begin at this distance from a surface [m], so that it does not hide itself.
static const double CLEARANCE = 1e-4;

// One row of pixels: rays from the camera, what they hit, rays from there to the sun.
typedef struct Row {
  double *x, *y, *z, *d[3], *ahead;  // ahead: cosine of the angle from the optical axis
  double *range, *normal[3], *sun, *noise;
  double* signal;                    // [3 n] over the largest one
  int *instance, *material, *pixel;  // pixel: of each ray
  int rays;
} Row;

enum { ROW_NUMBERS = 12 + 2 * 3, ROW_INTS = 3 };

static size_t scratch_size(const void* param) {
  const size_t n = (size_t)((const CameraParam*)param)->width;
  return n * (ROW_NUMBERS * sizeof(double) + ROW_INTS * sizeof(int));
}

static Row row_of(const CameraParam* p, void* scratch) {
  const size_t n = (size_t)p->width;
  double* at = scratch;
  double* part[12];
  for (int i = 0; i < RUT_COUNT_OF(part); i++, at += n) part[i] = at;
  Row row = {.x = part[0],
             .y = part[1],
             .z = part[2],
             .d = {part[3], part[4], part[5]},
             .ahead = part[6],
             .range = part[7],
             .normal = {part[8], part[9], part[10]},
             .sun = part[11],
             .noise = at,
             .signal = at + 3 * n};
  row.instance = (int*)(void*)(at + 6 * n);
  row.material = row.instance + n;
  row.pixel = row.material + n;
  return row;
}

static rutLens lens_of(const CameraParam* p) {
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
  const CameraParam* p = param;
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
                             .row_time = p->row_time};
}

static rutStatus check(const double* param, rutError* err) {
  const CameraParam* p = (const CameraParam*)(const void*)param;
  const bool flat = p->lens == RUT_LENS_PERSPECTIVE || p->lens == RUT_LENS_STEREOGRAPHIC;
  const double most = p->lens == RUT_LENS_PERSPECTIVE ? RUT_PI : 2 * RUT_PI;
  if (!flat || p->fov < most) return RUT_OK;
  return rut_error_set(err, RUT_ERR_MODEL,
                       "'fov' of this lens must be below %.0f degrees, since its image has no end",
                       most * 180 / RUT_PI);
}

// Place and axes (columns: ahead, left, up) of the camera as a row is read out.
static rutMat3 pose_at(const CameraParam* p, const rutSensorIn* in, int row, double at[3]) {
  if (!(p->row_time > 0)) {
    memcpy(at, in->pose, 3 * sizeof *at);
    return rut_mat3_of_rpy(in->pose[3], in->pose[4], in->pose[5]);
  }
  rutMotion motion;
  const double late = p->row_time * (row - 0.5 * (p->height - 1));
  in->motion_at(in->host, in->time + late, &motion);
  memcpy(at, motion.position, 3 * sizeof *at);
  const double* q = motion.attitude;
  return rut_quat_matrix(rut_quat(q[0], q[1], q[2], q[3]));
}

// Rays of the pixels that see anything at all.
static void aim_row(const CameraParam* p, const rutSensorIn* in, const rutLens* lens, int number,
                    Row* row) {
  double at[3];
  const rutMat3 axes = pose_at(p, in, number, at);
  row->rays = 0;
  for (int i = 0; i < (int)p->width; i++) {
    const double pixel[2] = {i + 0.5, number + 0.5};
    double optical[3];
    if (!rut_lens_ray(lens, pixel, optical)) continue;
    const rutVec3 d = rut_mat3_apply(axes, rut_vec3(optical[2], -optical[0], -optical[1]));
    const int k = row->rays++;
    row->x[k] = at[0];
    row->y[k] = at[1];
    row->z[k] = at[2];
    row->d[0][k] = d.x;
    row->d[1][k] = d.y;
    row->d[2][k] = d.z;
    row->ahead[k] = optical[2];
    row->pixel[k] = i;
  }
}

static rutRays rays_of(const Row* row, double max_range, int skip_vehicle) {
  return (rutRays){.n = row->rays,
                   .x = row->x,
                   .y = row->y,
                   .z = row->z,
                   .dx = row->d[0],
                   .dy = row->d[1],
                   .dz = row->d[2],
                   .max_range = max_range,
                   .bodies = true,
                   .ground = true,
                   .skip_vehicle = skip_vehicle};
}

static void see_row(const CameraParam* p, const rutSensorIn* in, const Row* row) {
  const int skipped = p->ignore_parent != 0 ? in->vehicle : -1;
  const rutRays rays = rays_of(row, p->max_range, skipped);
  in->cast(in->host, &rays,
           &(rutRayHits){.range = row->range,
                         .normal = {row->normal[0], row->normal[1], row->normal[2]},
                         .instance = row->instance,
                         .material = row->material});
}

static double surface_normal_along(const Row* row, int k, const double v[3]) {
  return row->normal[0][k] * v[0] + row->normal[1][k] * v[1] + row->normal[2][k] * v[2];
}

// sun[k] gets 1 where what ray k hits sees the sun. The rays end there and go on to the sun; those
// of surfaces that face away are left as they are.
static void look_at_sun(const CameraParam* p, const rutSensorIn* in, Row* row) {
  const double* s = in->light->sun;
  for (int k = 0; k < row->rays; k++) {
    const bool hit = row->material[k] >= 0;
    const double r = hit ? row->range[k] : 0, away = hit ? CLEARANCE : 0;
    row->x[k] += r * row->d[0][k] + away * row->normal[0][k];
    row->y[k] += r * row->d[1][k] + away * row->normal[1][k];
    row->z[k] += r * row->d[2][k] + away * row->normal[2][k];
    for (int i = 0; i < 3; i++) row->d[i][k] = s[i];
    row->sun[k] = -1;
  }
  if (!in->light->shadows) return;
  const rutRays rays = rays_of(row, p->max_range, -1);
  in->cast(in->host, &rays, &(rutRayHits){.range = row->sun});
}

// Signals of a row over the largest one, without noise.
static void shade_row(const CameraParam* p, const rutSensorIn* in, Row* row) {
  const rutLight* light = in->light;
  look_at_sun(p, in, row);
  for (int k = 0; k < row->rays; k++) {
    const double direct = row->sun[k] < 0 ? surface_normal_along(row, k, light->sun) : 0;
    const double sky = light->ambient * 0.5 * (1 + row->normal[2][k]);
    const double lit = (1 - light->ambient) * rut_max(direct, 0);
    const rutMaterial* m = row->material[k] >= 0 ? &in->material[row->material[k]] : NULL;
    for (int c = 0; c < 3; c++) {
      const double surface = m ? m->colour[c] * (lit * light->colour[c] + sky * SKY[c]) : 0;
      row->signal[3 * k + c] = p->exposure * (m ? surface : light->ambient * SKY[c]);
    }
  }
}

// Shot noise is taken as normal, of the Poisson distribution's variance.
static void add_noise(const CameraParam* p, const rutSensorIn* in, int number, const Row* row) {
  const int n = 3 * row->rays;
  if (in->exact) return;
  in->normals(in->host, (uint32_t)number * 3 * (uint32_t)p->width, n, row->noise);
  for (int i = 0; i < n; i++) {
    const double electrons = row->signal[i] * p->full_well;
    const double spread = rut_sqrt(electrons + p->read_noise * p->read_noise);
    row->signal[i] += spread * row->noise[i] / p->full_well;
  }
}

// IEC 61966-2-1.
static unsigned char code_of(double signal) {
  const double x = rut_clamp(signal, 0, 1);
  const double coded = x <= 0.0031308 ? 12.92 * x : 1.055 * rut_pow(x, 1 / 2.4) - 0.055;
  return (unsigned char)(255 * coded + 0.5);
}

// What a row has seen goes to its place in the images; pixels without a ray see nothing.
static void put_row(const CameraParam* p, const rutSensorIn* in, int number, const Row* row,
                    void* const* out) {
  const int width = (int)p->width;
  const size_t first = (size_t)number * (size_t)width;
  unsigned char* colour = (unsigned char*)out[COLOUR] + 3 * first;
  float* depth = (float*)out[DEPTH] + first;
  int32_t *seen = (int32_t*)out[CLASS] + first, *instance = (int32_t*)out[INSTANCE] + first;
  memset(colour, 0, 3 * (size_t)width);
  for (int i = 0; i < width; i++) {
    depth[i] = -1;
    seen[i] = instance[i] = -1;
  }
  for (int k = 0; k < row->rays; k++) {
    const int i = row->pixel[k];
    for (int c = 0; c < 3 && p->render != 0; c++)
      colour[3 * i + c] = code_of(row->signal[3 * k + c]);
    if (row->material[k] < 0) continue;
    depth[i] = (float)(row->range[k] * row->ahead[k]);
    seen[i] = (int32_t)in->material[row->material[k]].semantic_class;
    instance[i] = row->instance[k];
  }
}

static void sample(const void* param, const rutSensorIn* in, double* state, void* scratch,
                   void* const* out) {
  const CameraParam* p = param;
  const rutLens lens = lens_of(p);
  Row row = row_of(p, scratch);
  (void)state;
  for (int number = 0; number < (int)p->height; number++) {
    aim_row(p, in, &lens, number, &row);
    see_row(p, in, &row);
    if (p->render != 0) {
      shade_row(p, in, &row);
      add_noise(p, in, number, &row);
    }
    put_row(p, in, number, &row, out);
  }
}

extern const rutSensorType rut_sensor_camera;
const rutSensorType rut_sensor_camera = {
    .base = {.abi = RUT_ABI,
             .struct_size = sizeof(rutSensorType),
             .kind = "sensor",
             .name = "camera",
             .parents = "vehicle world",
             .doc = "Camera along its x axis, images from the upper left: colour with sun, shadows "
                    "and noise, and the depth, semantic class and instance of each pixel.",
             .field = fields,
             .fields = RUT_COUNT_OF(fields),
             .check = check},
    .output = outputs,
    .outputs = RUT_COUNT_OF(outputs),
    .uses = RUT_USES_MOTION,
    .form = RUT_FORM_IMAGE,
    .camera = geometry,
    .scratch = scratch_size,
    .sample = sample,
};
