// SPDX-License-Identifier: BSD-3-Clause
//
// Rays in batches. A cast against something shortens the rays that hit it, so that several casts in
// turn give the nearest hit of all.
#ifndef RUT_GEOM_RAYS_H
#define RUT_GEOM_RAYS_H

#include <stdbool.h>

#include "math/rut_math.h"

typedef struct rutRayBatch {
  int n;
  const double* origin[3];     // x[n], y[n], z[n] in the world [m]
  const double* direction[3];  // the same of unit vectors
  double max_range;            // hits farther away do not count [m], may be infinite
  bool any;                    // what a ray hits first is not asked, only whether it hits anything
  int columns;                 // of an image whose pixels the rays are, row after row; 0: none
} rutRayBatch;

typedef enum rutRayTarget {
  RUT_RAY_NOTHING,
  RUT_RAY_GROUND,  // index: ground source, -1 for the level ground of a world without any
  RUT_RAY_PRISM,   // index: prism of the contact model, see rut_contact_owner
  RUT_RAY_GRID,    // index: occupancy grid
  RUT_RAY_BODY     // index: instance of a mesh or solid; of one mesh, 0
} rutRayTarget;

// What the rays have hit so far.
typedef struct rutRayResult {
  double* range;          // [n] distance [m], INFINITY where nothing is hit
  double* normal[3];      // x[n], y[n], z[n] of the outward unit normal there. Nullable: [0]
  unsigned char* target;  // [n] rutRayTarget. Nullable, with index
  int* index;             // [n]
  int* triangle;          // [n] of the mesh, -1: none. Nullable
  double* weight[2];      // [n] of the triangle's second and third corner there. Nullable: [0]
} rutRayResult;

// Nothing is hit yet.
static inline void rut_rays_begin(const rutRayBatch* rays, const rutRayResult* out) {
  const int n = rays->n;
  for (int i = 0; i < n; i++) out->range[i] = RUT_INFINITY;
  for (int k = 0; out->normal[0] && k < 3; k++) {
    for (int i = 0; i < n; i++) out->normal[k][i] = 0;
  }
  for (int i = 0; out->target && i < n; i++) out->target[i] = RUT_RAY_NOTHING;
  for (int i = 0; out->target && i < n; i++) out->index[i] = -1;
  for (int i = 0; out->triangle && i < n; i++) out->triangle[i] = -1;
}

// One ray of a batch.
typedef struct rutRay {
  double o[3], d[3], inverse[3];  // inverse: of d, 0 where that is 0
  double limit;                   // hits nearer than this count [m]
  bool any;                       // as of a batch
} rutRay;

// The axis along which a ray goes farthest.
RUT_INLINE int rut_ray_longest(double dx, double dy, double dz) {
  const double x = rut_abs(dx), y = rut_abs(dy), z = rut_abs(dz);
  const int y_or_z = y >= z ? 1 : 2;
  return ((x >= y) & (x >= z)) ? 0 : y_or_z;
}

// Components of a direction that are smaller than this count as 0: they lead nowhere, and their
// inverse would overflow.
#define RUT_RAY_NO_MOTION 1e-150
// Factor to the next number, so that a hit at a limit itself is nearer than it.
#define RUT_RAY_INCLUSIVE (1 + 0x1p-52)

RUT_INLINE double rut_ray_motion(double d) { return rut_abs(d) > RUT_RAY_NO_MOTION ? d : 0; }
RUT_INLINE double rut_ray_inverse(double motion) {
  return (motion != 0 ? 1.0 : 0.0) / (motion != 0 ? motion : 1);
}
RUT_INLINE void rut_ray_aim(rutRay* ray, int axis, double d) {
  ray->d[axis] = rut_ray_motion(d);
  ray->inverse[axis] = rut_ray_inverse(ray->d[axis]);
}

// False if a number is not finite; such rays hit nothing. A hit at max_range itself still counts.
RUT_INLINE bool rut_ray_of(const rutRayBatch* rays, const rutRayResult* out, int i, rutRay* ray) {
  double sum = 0;
  for (int k = 0; k < 3; k++) {
    const double d = rays->direction[k][i];
    ray->o[k] = rays->origin[k][i];
    rut_ray_aim(ray, k, d);
    sum += ray->o[k] + d;
  }
  ray->limit = rut_min(out->range[i], rays->max_range * RUT_RAY_INCLUSIVE);
  ray->any = rays->any;
  return rut_is_finite(sum);
}

// A ray of which nothing more is asked.
RUT_INLINE bool rut_ray_is_settled(const rutRayBatch* rays, const rutRayResult* out, int i) {
  return rays->any && out->range[i] < RUT_INFINITY;
}
// Limit of a ray after a hit: nothing is nearer than -1.
RUT_INLINE double rut_ray_limit_after(bool any, double range) { return any ? -1 : range; }

RUT_INLINE void rut_ray_put(const rutRayResult* out, int i, double range, const double normal[3],
                            rutRayTarget target, int index) {
  out->range[i] = range;
  for (int k = 0; out->normal[0] && k < 3; k++) out->normal[k][i] = normal[k];
  if (out->triangle) out->triangle[i] = -1;
  if (!out->target) return;
  out->target[i] = (unsigned char)target;
  out->index[i] = index;
}

// Where in a mesh it is, after rut_ray_put.
RUT_INLINE void rut_ray_put_triangle(const rutRayResult* out, int i, int triangle,
                                     const double weight[2]) {
  if (!out->triangle) return;
  out->triangle[i] = triangle;
  for (int k = 0; out->weight[0] && k < 2; k++) out->weight[k][i] = weight[k];
}

// Where the ray is at t along one axis; also for t = INFINITY.
RUT_INLINE double rut_ray_at(const rutRay* ray, int axis, double t) {
  return ray->d[axis] != 0 ? ray->o[axis] + t * ray->d[axis] : ray->o[axis];
}

// A ray along one axis. inverse: of d, 0 where that is 0.
typedef struct rutRayAxis {
  double o, d, inverse;
} rutRayAxis;

// Cut [*t0, *t1] to where a ray is in [low, high] along one axis; then *t0 > *t1 if it never is.
// Without branches, for loops over lanes.
RUT_INLINE void rut_ray_cut(rutRayAxis a, double low, double high, double* t0, double* t1) {
  const double first = ((a.d > 0 ? low : high) - a.o) * a.inverse;
  const double last = ((a.d > 0 ? high : low) - a.o) * a.inverse;
  const int within = (a.o >= low) & (a.o <= high);
  const double always = within ? RUT_INFINITY : -RUT_INFINITY;
  const double from = a.d != 0 ? first : -RUT_INFINITY, to = a.d != 0 ? last : always;
  *t0 = from > *t0 ? from : *t0;
  *t1 = to < *t1 ? to : *t1;
}
RUT_INLINE void rut_ray_clip(const rutRay* ray, int axis, double low, double high, double* t0,
                             double* t1) {
  const rutRayAxis a = {ray->o[axis], ray->d[axis], ray->inverse[axis]};
  rut_ray_cut(a, low, high, t0, t1);
}

#endif  // RUT_GEOM_RAYS_H
