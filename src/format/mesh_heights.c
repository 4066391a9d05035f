// SPDX-License-Identifier: BSD-3-Clause
//
// Meshes as ground: the highest of their triangles at each node of a grid.
#include <stdlib.h>

#include "format/mesh.h"
#include "math/rut_math.h"

// Nodes along the longer and the shorter side where no resolution is given.
enum { MOST_ALONG = 1024, LEAST_ACROSS = 64 };
#define MAX_TESTS 1e9   // of nodes against triangles, so that no mesh takes long
#define EDGE      1e-9  // of a triangle's area: nodes this near to its border are in it

static double ceiling(double x) { return -rut_floor(-x); }

typedef struct Grid {
  double corner[2], spacing;
  int n[2];
  double* z;  // [n[0]][n[1]]
  double tests;
} Grid;

// Box of the points that triangles use. False if it has no area.
static bool plan_box(const rutMesh* mesh, double low[2], double high[2]) {
  for (int k = 0; k < 2; k++) {
    low[k] = RUT_INFINITY;
    high[k] = -RUT_INFINITY;
  }
  for (int i = 0; i < 3 * mesh->triangles; i++) {
    const double* p = mesh->point + (size_t)3 * (size_t)mesh->triangle[i];
    for (int k = 0; k < 2; k++) {
      low[k] = rut_min(low[k], p[k]);
      high[k] = rut_max(high[k], p[k]);
    }
  }
  return high[0] > low[0] && high[1] > low[1];
}

// Half of the mean side of the triangles, if they lay side by side.
static double fitting_spacing(const rutMesh* mesh, double length, double width) {
  const double side = rut_sqrt(2 * length * width / mesh->triangles);
  const double most = width / LEAST_ACROSS, least = length / MOST_ALONG;
  const double wanted = rut_max(rut_min(0.5 * side, most), least);
  return length / ceiling(length / wanted);
}

static double cross(const double* a, const double* b, double x, double y) {
  return (b[0] - a[0]) * (y - a[1]) - (b[1] - a[1]) * (x - a[0]);
}

// Raise the nodes below a triangle to it. False if that takes too long.
static bool raise_triangle(Grid* g, const double* a, const double* b, const double* c) {
  const double twice = cross(a, b, c[0], c[1]), edge = EDGE * rut_abs(twice);
  int from[2], to[2];
  for (int k = 0; k < 2; k++) {
    const double low = rut_min(a[k], rut_min(b[k], c[k])) - g->corner[k];
    const double high = rut_max(a[k], rut_max(b[k], c[k])) - g->corner[k];
    from[k] = (int)rut_max(ceiling(low / g->spacing - 1e-6), 0);
    to[k] = (int)rut_min(rut_floor(high / g->spacing + 1e-6), g->n[k] - 1);
  }
  if (to[0] < from[0] || to[1] < from[1]) return true;
  g->tests += ((double)to[0] - from[0] + 1) * ((double)to[1] - from[1] + 1);
  if (g->tests > MAX_TESTS) return false;
  // upright ones have no area from above
  if (!(rut_abs(twice) > 0)) return true;
  const double sign = twice > 0 ? 1 : -1;
  for (int i = from[0]; i <= to[0]; i++) {
    for (int j = from[1]; j <= to[1]; j++) {
      const double x = g->corner[0] + i * g->spacing, y = g->corner[1] + j * g->spacing;
      const double u = cross(b, c, x, y), v = cross(c, a, x, y), w = cross(a, b, x, y);
      if (sign * u < -edge || sign * v < -edge || sign * w < -edge) continue;
      const double z = (u * a[2] + v * b[2] + w * c[2]) / twice;
      double* here = &g->z[(size_t)i * (size_t)g->n[1] + (size_t)j];
      if (!(z <= *here)) *here = z;
    }
  }
  return true;
}

rutStatus rut_mesh_heights(const rutMesh* mesh, double resolution, rutPlace place,
                           rutReporter* reporter, rutMeshHeights* out) {
  double low[2], high[2];
  *out = (rutMeshHeights){0};
  if (mesh->triangles == 0 || !plan_box(mesh, low, high)) {
    return rut_report_error(reporter, RUT_ERR_PARSE, place, "", "",
                            "the mesh has no triangles with an area, seen from above");
  }
  const double x = high[0] - low[0], y = high[1] - low[1];
  Grid g = {.corner = {low[0], low[1]}, .spacing = resolution};
  if (!(resolution > 0)) g.spacing = fitting_spacing(mesh, rut_max(x, y), rut_min(x, y));
  // a border that is a whole number of cells away has nodes, whatever is lost in rounding
  const double rows = rut_floor(x / g.spacing + 1e-6) + 1,
               cols = rut_floor(y / g.spacing + 1e-6) + 1;
  if (!(rows * cols <= RUT_MATRIX_MAX_VALUES)) {
    return rut_report_error(reporter, RUT_ERR_CAPACITY, place, "", "give a larger resolution",
                            "%g x %g heights of the mesh are more than %d", rows, cols,
                            RUT_MATRIX_MAX_VALUES);
  }
  g.n[0] = (int)rows;
  g.n[1] = (int)cols;
  const size_t nodes = (size_t)g.n[0] * (size_t)g.n[1];
  g.z = malloc(nodes * sizeof *g.z);
  if (!g.z) return rut_report_error(reporter, RUT_ERR_MEMORY, place, "", "", "out of memory");
  for (size_t i = 0; i < nodes; i++) g.z[i] = RUT_NAN;
  for (int i = 0; i < mesh->triangles; i++) {
    const int* t = mesh->triangle + (size_t)3 * (size_t)i;
    const double* p[3];
    for (int k = 0; k < 3; k++) p[k] = mesh->point + (size_t)3 * (size_t)t[k];
    if (raise_triangle(&g, p[0], p[1], p[2])) continue;
    free(g.z);
    return rut_report_error(reporter, RUT_ERR_CAPACITY, place, "", "give a larger resolution",
                            "the mesh has too many triangles one above the other");
  }
  *out = (rutMeshHeights){{g.n[0], g.n[1], g.z}, {g.corner[0], g.corner[1]}, g.spacing};
  return RUT_OK;
}
