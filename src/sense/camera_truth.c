// SPDX-License-Identifier: BSD-3-Clause
#include "sense/camera_truth.h"

// Numbers of a block in an image that has so many per pixel become `value`.
static void fill(const rutCameraParam* p, const rutCameraBlock* block, int numbers, float value,
                 float* image) {
  for (int r = 0; r < block->rows; r++) {
    const ptrdiff_t pixel = (ptrdiff_t)(block->row + r) * (int)p->width + block->column;
    float* at = image + numbers * pixel;
    for (int i = 0; i < numbers * block->columns; i++) at[i] = value;
  }
}

static void put_normal(const rutCameraBlock* block, const rutMat3* axes, int k, float* image) {
  const rutVec3 n = rut_vec3(block->normal[0][k], block->normal[1][k], block->normal[2][k]);
  const rutVec3 d = rut_vec3(block->d[0][k], block->d[1][k], block->d[2][k]);
  const double side = rut_vec3_dot(n, d) > 0 ? -1 : 1;  // open meshes are seen from behind, too
  const rutVec3 own = rut_vec3_scale(rut_mat3_apply_transposed(*axes, n), side);
  float* out = image + 3 * (ptrdiff_t)block->pixel[k];
  out[0] = (float)-own.y;
  out[1] = (float)-own.z;
  out[2] = (float)own.x;
}

void rut_camera_normals(const rutCameraParam* p, const rutCameraBlock* block, float* image) {
  fill(p, block, 3, 0, image);
  for (int r = 0; r < block->rows; r++) {
    for (int k = block->first[r]; k < block->first[r + 1]; k++) {
      if (block->material[k] >= 0) put_normal(block, &block->axes[r], k, image);
    }
  }
}

// Place in the image of the last sample, at the motion of the camera then, of a point or, if far,
// of a direction.
static bool project(const rutLens* lens, const rutMotion* then, rutVec3 at, bool far,
                    double pixel[2]) {
  const rutMat3 axes = rut_camera_axes(then);
  const rutVec3 from = far ? at : rut_vec3_sub(at, rut_vec3_of(then->position));
  const rutVec3 own = rut_mat3_apply_transposed(axes, from);
  return rut_lens_project(lens, (double[3]){-own.y, -own.z, own.x}, pixel);
}

// With a rolling shutter the row that showed it then decides when that was: by iteration, whose
// error shrinks with the rows that things move by per row.
static bool find_past(const rutCameraParam* p, const rutSensorIn* in, const rutLens* lens,
                      rutVec3 at, bool far, double pixel[2]) {
  enum { ITERATIONS = 6 };
  const int iterations = p->row_time > 0 ? ITERATIONS : 1;
  bool seen = true;
  for (int i = 0; i < iterations && seen; i++) {
    rutMotion then;
    const double late = rut_camera_late(p, rut_clamp(pixel[1] - 0.5, 0, p->height - 1));
    seen = in->past_motion(in->host, late, &then) && project(lens, &then, at, far, pixel);
  }
  return seen;
}

void rut_camera_flow(const rutCameraParam* p, const rutSensorIn* in, const rutLens* lens,
                     const rutCameraBlock* block, float* image) {
  const int width = (int)p->width;
  fill(p, block, 2, (float)RUT_NAN, image);
  for (int k = 0; k < block->rays; k++) {
    const bool far = block->material[k] < 0;
    const rutVec3 d = rut_vec3(block->d[0][k], block->d[1][k], block->d[2][k]);
    rutVec3 at = d;
    if (!far) {
      double now[3], then[3];
      rut_vec3_put(
          rut_vec3_add_scaled(rut_vec3(block->x[k], block->y[k], block->z[k]), block->range[k], d),
          now);
      in->past_point(in->host, block->body[k], now, then);
      at = rut_vec3_of(then);
    }
    const int i = block->pixel[k];
    const double x = i % width + 0.5, y = i / width + 0.5;
    double pixel[2] = {x, y};
    if (!find_past(p, in, lens, at, far, pixel)) continue;
    float* out = image + 2 * (ptrdiff_t)i;
    out[0] = (float)(x - pixel[0]);
    out[1] = (float)(y - pixel[1]);
  }
}
