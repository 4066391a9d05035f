// SPDX-License-Identifier: BSD-3-Clause
//
// Parameters of the camera, and the arrays that it works with.
#ifndef RUT_SENSE_CAMERA_ROWS_H
#define RUT_SENSE_CAMERA_ROWS_H

#include "math/quat.h"
#include "rut/sensor.h"

enum { RUT_CAMERA_MAX_SIDE = 4096 };

#define RUT_CAMERA_ROWS(REAL, WHOLE, FLAG, CHOICE)                                                 \
  RUT_SENSOR_ROWS(REAL, CHOICE)                                                                    \
  WHOLE(width, "", 320, 1, RUT_CAMERA_MAX_SIDE, "pixels in a row")                                 \
  WHOLE(height, "", 240, 1, RUT_CAMERA_MAX_SIDE, "rows")                                           \
  CHOICE(lens, "perspective|equidistant|equisolid|stereographic", 0, "projection of the lens")     \
  REAL(fov, "rad", 60 * RUT_PI / 180, 1e-3, 2 * RUT_PI, "angle of view across the width")          \
  REAL(offset_x, "", 0, -RUT_CAMERA_MAX_SIDE, RUT_CAMERA_MAX_SIDE,                                 \
       "principal point right of the middle [pixel]")                                              \
  REAL(offset_y, "", 0, -RUT_CAMERA_MAX_SIDE, RUT_CAMERA_MAX_SIDE,                                 \
       "principal point below the middle [pixel]")                                                 \
  REAL(k1, "", 0, -10, 10, "radial distortion of the perspective lens, as in OpenCV")              \
  REAL(k2, "", 0, -10, 10, "of the fourth power")                                                  \
  REAL(k3, "", 0, -10, 10, "of the sixth power")                                                   \
  REAL(p1, "", 0, -10, 10, "tangential distortion")                                                \
  REAL(p2, "", 0, -10, 10, "the other tangential distortion")                                      \
  REAL(min_range, "m", 0, 0, 1e6, "what is nearer has no depth")                                   \
  REAL(max_range, "m", 1000, 0, 1e6, "farthest distance that is seen")                             \
  CHOICE(depth_along, "lens|axis|ray", 0,                                                          \
         "what the depth is measured along; lens: the optical axis for perspective lenses, the "   \
         "ray to what is seen for others, which see beside and behind themselves")                 \
  REAL(depth_noise, "m", 0, 0, 1e3, "standard deviation of each depth")                            \
  REAL(depth_step, "m", 0, 0, 10, "resolution of the depth, 0: not quantised")                     \
  REAL(row_time, "s", 0, 0, 1,                                                                     \
       "rolling shutter: time from row to row; the middle row is at "                              \
       "the time of the sample")                                                                   \
  FLAG(render, 1, "makes the colour image, not only depth, class and instance")                    \
  REAL(exposure, "", 0.8, 0, 1e6, "signal of a white surface in full light, over the largest")     \
  REAL(full_well, "", 10000, 1, 1e9, "electrons of the largest signal")                            \
  REAL(read_noise, "", 3, 0, 1e6, "standard deviation of the read noise [electrons]")              \
  REAL(gain, "", 1, 1e-6, 1e6, "amplification of signal and noise")                                \
  FLAG(auto_exposure, 0, "exposure and gain follow the light; they begin at exposure")             \
  REAL(exposure_target, "", 0.18, 1e-3, 1, "auto: geometric mean of the luminances in the image")  \
  REAL(exposure_lag, "s", 0.5, 0, 1e3, "auto: time constant")                                      \
  REAL(exposure_max, "", 50, 1e-6, 1e9, "auto: largest exposure, beyond which the gain grows")     \
  REAL(gain_max, "", 30, 1, 1e6, "auto: largest gain")                                             \
  CHOICE(vignetting, "none|cos4|polynomial", 0, "how the image darkens towards its edges")         \
  REAL(v2, "", 0, -10, 10,                                                                         \
       "polynomial vignetting: factor of r^2, r being 1 in the farthest corner")                   \
  REAL(v4, "", 0, -10, 10, "of r^4")                                                               \
  REAL(v6, "", 0, -10, 10, "of r^6")                                                               \
  RUT_WEATHER_ROWS(REAL, FLAG)                                                                     \
  RUT_DUST_ROWS(REAL)                                                                              \
  REAL(air_height, "m", 300, 0, 1e6, "height of this air above the camera, for the sky behind it") \
  REAL(exposure_time, "s", 0, 0, 1, "motion blur over this time before the sample; 0: none")       \
  WHOLE(sub_frames, "", 8, 2, 64, "images that a blurred one is the mean of")                      \
  CHOICE(log_colour, "raw|png|none|jpeg", 0,                                                       \
         "how logs have its colours; jpeg: as png where there is no gd library")                   \
  CHOICE(log_depth, "float|millimetres|none", 0, "how logs have its depths")                       \
  FLAG(log_labels, 1, "logs have its classes and instances")                                       \
  FLAG(normals, 0, "makes the image of surface normals")                                           \
  FLAG(flow, 0, "makes the image of optical flow")                                                 \
  FLAG(ignore_parent, 1, "does not see the vehicle that carries it")

enum { RUT_CAMERA_DEPTH_OF_LENS, RUT_CAMERA_DEPTH_AXIS, RUT_CAMERA_DEPTH_RAY };
enum { RUT_CAMERA_NO_VIGNETTING, RUT_CAMERA_COS4, RUT_CAMERA_POLYNOMIAL };

typedef struct rutCameraParam {
  RUT_CAMERA_ROWS(RUT_PARAM, RUT_PARAM, RUT_PARAM, RUT_PARAM)
} rutCameraParam;

// Pixels of a block: side by side in a few rows, so that rays that are cast at once are near each
// other.
enum { RUT_CAMERA_BLOCK_ROWS = 4, RUT_CAMERA_BLOCK_COLUMNS = 128 };

// A block of pixels: rays from the camera, row after row, what they hit, rays from there to the
// sun. Pixels of which the lens sees nothing have no ray.
typedef struct rutCameraBlock {
  double *x, *y, *z, *d[3], *ahead;  // ahead: cosine of the angle from the optical axis
  double *range, *normal[3];
  double* up;              // z of the rays from the camera
  double *sun, *shadow;    // cosine of the sun's incidence, 0 in shadow; ranges of rays to the sun
  double* colour[3];       // reflectances of what they hit, only where something has textures
  double* lamplight[3];    // illuminance by lamps where they hit [lx], only in worlds with lamps
  double* glare[3];        // of lamps and retroreflectors, as luminance times pi [lx]
  double* far;             // distances of a lamp [m]
  double *noise, *signal;  // [3 n] signal: over the largest one
  int *instance, *material, *pixel;  // pixel: of each ray, counted in the image
  int *seen, *lit;                   // by pixels: the lens sees anything; rays that face the sun
  int* body;                         // as in rutRayHits
  unsigned char* code;               // [3 n]
  unsigned char* code_of_part;       // see rut_camera_codes
  int row, column, rows, columns;    // in the image
  int rays;                          // of all rows
  int first[RUT_CAMERA_BLOCK_ROWS + 1];  // the first ray of each row, then the number of rays
  int before[RUT_CAMERA_BLOCK_ROWS];     // rays of each row to the left of the block
  rutMat3 axes[RUT_CAMERA_BLOCK_ROWS];   // of the camera, as each row is read out
  double exposure, gain;                 // of this sample
  double spread;                         // angle from ray to ray in the middle of the image [rad]
} rutCameraBlock;

// Each pixel of the block has a ray.
static inline bool rut_camera_is_whole(const rutCameraBlock* block) {
  return block->rays == block->rows * block->columns;
}

// The first n rays.
static inline rutRays rut_camera_rays(const rutCameraBlock* block, int n, double max_range,
                                      int skip_vehicle) {
  return (rutRays){.n = n,
                   .x = block->x,
                   .y = block->y,
                   .z = block->z,
                   .dx = block->d[0],
                   .dy = block->d[1],
                   .dz = block->d[2],
                   .max_range = max_range,
                   .bodies = true,
                   .ground = true,
                   .skip_vehicle = skip_vehicle,
                   .spread = block->spread};
}

// Whether its depths are distances along the rays, not along the optical axis.
static inline bool rut_camera_ray_depth(const rutCameraParam* p) {
  if (p->depth_along != RUT_CAMERA_DEPTH_OF_LENS) return p->depth_along == RUT_CAMERA_DEPTH_RAY;
  return p->lens != RUT_LENS_PERSPECTIVE;
}

// Axes (columns: ahead, left, up) of a camera in motion.
static inline rutMat3 rut_camera_axes(const rutMotion* motion) {
  const double* q = motion->attitude;
  return rut_quat_matrix(rut_quat(q[0], q[1], q[2], q[3]));
}
// Time at which a row is read out, after that of the sample [s].
static inline double rut_camera_late(const rutCameraParam* p, double row) {
  return p->row_time * (row - 0.5 * (p->height - 1));
}

#endif  // RUT_SENSE_CAMERA_ROWS_H
