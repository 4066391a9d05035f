// SPDX-License-Identifier: BSD-3-Clause
//
// Transforms of meshes, and their outlines from above.
#include <stdlib.h>
#include <string.h>

#include "format/mesh.h"
#include "geom/polygon.h"
#include "math/rut_math.h"

void rut_mesh_transform(rutMesh* mesh, rutMeshPose pose) {
  double sy, cy, sp, cp, sr, cr;
  rut_sincos(pose.yaw, &sy, &cy);
  rut_sincos(pose.pitch, &sp, &cp);
  rut_sincos(pose.roll, &sr, &cr);
  const double rotation[3][3] = {
      {cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr},
      {sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr},
      {-sp, cp * sr, cp * cr},
  };
  for (size_t i = 0; i < (size_t)mesh->points; i++) {
    double* p = mesh->point + 3 * i;
    double x = pose.scale * p[0], y = pose.scale * p[1], z = pose.scale * p[2];
    for (int k = 0; k < 3; k++) {
      p[k] = rotation[k][0] * x + rotation[k][1] * y + rotation[k][2] * z + pose.offset[k];
    }
  }
}

// Points of the cut mesh in the plane, gathered for the hull.
typedef struct Gather {
  double low, high;
  double* xy;
  int n, capacity;
  double z_min, z_max;
  bool failed;  // out of memory
} Gather;

// When the buffer is full, its hull takes the place of its points: that keeps it small.
static void compact(Gather* g) {
  double* hull = malloc(2 * sizeof *hull * ((size_t)g->n + 1));
  if (!hull) {
    g->failed = true;
    return;
  }
  int n = rut_polygon_hull(g->n, g->xy, hull);
  memcpy(g->xy, hull, 2 * sizeof *hull * (size_t)n);
  free(hull);
  g->n = n;
  if (2 * n < g->capacity) return;
  double* grown = realloc(g->xy, 4 * sizeof *grown * (size_t)g->capacity);
  if (!grown) {
    g->failed = true;
    return;
  }
  g->xy = grown;
  g->capacity *= 2;
}

static void add_point(Gather* g, double x, double y, double z) {
  if (g->failed || !(rut_is_finite(x) && rut_is_finite(y) && rut_is_finite(z))) return;
  if (g->n == g->capacity) compact(g);
  if (g->failed) return;
  g->xy[2 * g->n] = x;
  g->xy[2 * g->n + 1] = y;
  g->n++;
  g->z_min = rut_min(g->z_min, z);
  g->z_max = rut_max(g->z_max, z);
}

// Where an edge crosses the plane at height z.
static void add_crossing(Gather* g, const double* a, const double* b, double z) {
  if (!((a[2] < z && b[2] > z) || (a[2] > z && b[2] < z))) return;
  double t = (z - a[2]) / (b[2] - a[2]);
  add_point(g, a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1]), z);
}

static void add_edge(Gather* g, const double* a, const double* b) {
  if (a[2] >= g->low && a[2] <= g->high) add_point(g, a[0], a[1], a[2]);
  add_crossing(g, a, b, g->low);
  add_crossing(g, a, b, g->high);
}

static void gather_mesh(const rutMesh* mesh, Gather* g) {
  // the corners of a cut triangle are its corners in the band and the crossings of its edges
  for (size_t i = 0; i < (size_t)mesh->triangles; i++) {
    const int* corner = mesh->triangle + 3 * i;
    for (int k = 0; k < 3; k++) {
      add_edge(g, mesh->point + 3 * (size_t)corner[k],
               mesh->point + 3 * (size_t)corner[(k + 1) % 3]);
    }
  }
  for (size_t i = 0; i < (size_t)mesh->lines; i++) {
    const double* a = mesh->point + 3 * (size_t)mesh->line[2 * i];
    const double* b = mesh->point + 3 * (size_t)mesh->line[2 * i + 1];
    add_edge(g, a, b);
    if (b[2] >= g->low && b[2] <= g->high) add_point(g, b[0], b[1], b[2]);
  }
  if (mesh->triangles > 0 || mesh->lines > 0) return;
  for (size_t i = 0; i < (size_t)mesh->points; i++) {
    const double* p = mesh->point + 3 * i;
    if (p[2] >= g->low && p[2] <= g->high) add_point(g, p[0], p[1], p[2]);
  }
}

rutStatus rut_mesh_outline(const rutMesh* mesh, double z_min, double z_max, const char* name,
                           rutReporter* reporter, rutMeshOutline* out) {
  enum { FIRST_CAPACITY = 4096 };
  *out = (rutMeshOutline){0};
  Gather g = {.low = z_min,
              .high = z_max,
              .capacity = FIRST_CAPACITY,
              .z_min = HUGE_VAL,
              .z_max = -HUGE_VAL};
  g.xy = malloc(2 * sizeof *g.xy * FIRST_CAPACITY);
  double* hull = NULL;
  if (g.xy) {
    gather_mesh(mesh, &g);
    hull = malloc(2 * sizeof *hull * ((size_t)g.n + 1));
  }
  if (!g.xy || !hull || g.failed) {
    free(g.xy);
    free(hull);
    return rut_report_error(reporter, RUT_ERR_MEMORY, (rutPlace){name, 0, 0}, "", "",
                            "no memory for the outline of a mesh");
  }
  int n = rut_polygon_hull(g.n, g.xy, hull);
  if (n >= 3) {
    out->n = rut_polygon_simplify(n, hull, RUT_OUTLINE_MAX);
    memcpy(out->point, hull, 2 * sizeof *hull * (size_t)out->n);
    out->z_min = g.z_min;
    out->z_max = g.z_max;
  }
  free(g.xy);
  free(hull);
  return RUT_OK;
}
