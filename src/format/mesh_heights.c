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
  // [n[0]][n[1]] the lowest upper side and the highest under side at each node; NULL: not wanted
  double *floor, *roof;
  double turn;  // 1, or -1 if the triangles of the upper side run clockwise, seen from above
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

static void note_side(Grid* g, ptrdiff_t node, bool upper, double z) {
  if (upper) g->floor[node] = rut_min(g->floor[node], z);
  if (!upper) g->roof[node] = rut_max(g->roof[node], z);
}

// 1 if the triangles of the upper side run counter-clockwise, seen from above, else -1: by the
// areas that all cover together, or, of a closed mesh, by its volume.
static double upper_turn(const rutMesh* mesh) {
  static const double CLOSED = 0.01;  // of the areas' sizes: what is left of those of a closed mesh
  double area = 0, size = 0, volume = 0;
  for (int i = 0; i < mesh->triangles; i++) {
    const int* t = mesh->triangle + (size_t)3 * (size_t)i;
    const double *a = mesh->point + 3 * (size_t)t[0], *b = mesh->point + 3 * (size_t)t[1],
                 *c = mesh->point + 3 * (size_t)t[2];
    const double twice = cross(a, b, c[0], c[1]);
    area += twice;
    size += rut_abs(twice);
    // below a triangle, down to z = 0, times 6
    volume += twice * (a[2] + b[2] + c[2]);
  }
  return (rut_abs(area) > CLOSED * size ? area : volume) < 0 ? -1 : 1;
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
      if (g->floor) note_side(g, here - g->z, sign * g->turn > 0, z);
    }
  }
  return true;
}

// A grid over the extent of a mesh. Errors are reported.
static rutStatus lay_grid(const rutMesh* mesh, double resolution, rutPlace place,
                          rutReporter* reporter, Grid* g) {
  double low[2], high[2];
  if (mesh->triangles == 0 || !plan_box(mesh, low, high)) {
    return rut_report_error(reporter, RUT_ERR_PARSE, place, "", "",
                            "the mesh has no triangles with an area, seen from above");
  }
  const double x = high[0] - low[0], y = high[1] - low[1];
  *g = (Grid){.corner = {low[0], low[1]}, .spacing = resolution, .turn = upper_turn(mesh)};
  if (!(resolution > 0)) g->spacing = fitting_spacing(mesh, rut_max(x, y), rut_min(x, y));
  // a border that is a whole number of cells away has nodes, whatever is lost in rounding
  const double rows = rut_floor(x / g->spacing + 1e-6) + 1,
               cols = rut_floor(y / g->spacing + 1e-6) + 1;
  if (!(rows * cols <= RUT_MATRIX_MAX_VALUES)) {
    return rut_report_error(reporter, RUT_ERR_CAPACITY, place, "", "give a larger resolution",
                            "%g x %g heights of the mesh are more than %d", rows, cols,
                            RUT_MATRIX_MAX_VALUES);
  }
  g->n[0] = (int)rows;
  g->n[1] = (int)cols;
  return RUT_OK;
}

static bool allocate(Grid* g, bool covers) {
  const size_t nodes = (size_t)g->n[0] * (size_t)g->n[1];
  if (nodes == 0) return false;
  g->z = malloc(nodes * sizeof *g->z);
  if (!covers) {
    g->floor = malloc(nodes * sizeof *g->floor);
    g->roof = malloc(nodes * sizeof *g->roof);
  }
  if (!g->z || (!covers && (!g->floor || !g->roof))) return false;
  for (size_t i = 0; i < nodes; i++) {
    g->z[i] = RUT_NAN;
    if (covers) continue;
    g->floor[i] = RUT_INFINITY;
    g->roof[i] = -RUT_INFINITY;
  }
  return true;
}

// Air under a roof that is higher than this is an overhang [spacings].
static const double LEAST_AIR = 0.1;

static rutStatus refuse_overhangs(const Grid* g, rutPlace place, rutReporter* reporter) {
  for (int i = 0; i < g->n[0]; i++) {
    for (int j = 0; j < g->n[1]; j++) {
      const size_t node = (size_t)i * (size_t)g->n[1] + (size_t)j;
      const double air = g->roof[node] - g->floor[node];
      if (!(air > LEAST_AIR * g->spacing)) continue;
      return rut_report_error(reporter, RUT_ERR_PARSE, place, "",
                              "leave what hangs over out of the mesh, or take its top as the "
                              "ground with overhangs=\"cover\"",
                              "the mesh overhangs itself at x = %g, y = %g: between %g and %g m "
                              "there is air below it, which ground cannot have",
                              g->corner[0] + i * g->spacing, g->corner[1] + j * g->spacing,
                              g->floor[node], g->roof[node]);
    }
  }
  return RUT_OK;
}

static rutStatus raise_all(const rutMesh* mesh, rutPlace place, rutReporter* reporter, Grid* g) {
  for (int i = 0; i < mesh->triangles; i++) {
    const int* t = mesh->triangle + (size_t)3 * (size_t)i;
    const double* p[3];
    for (int k = 0; k < 3; k++) p[k] = mesh->point + (size_t)3 * (size_t)t[k];
    if (raise_triangle(g, p[0], p[1], p[2])) continue;
    return rut_report_error(reporter, RUT_ERR_CAPACITY, place, "", "give a larger resolution",
                            "the mesh has too many triangles one above the other");
  }
  return RUT_OK;
}

rutStatus rut_mesh_heights(const rutMesh* mesh, double resolution, bool covers, rutPlace place,
                           rutReporter* reporter, rutMeshHeights* out) {
  *out = (rutMeshHeights){0};
  Grid g = {0};
  rutStatus status = lay_grid(mesh, resolution, place, reporter, &g);
  if (status != RUT_OK) return status;
  status = allocate(&g, covers)
               ? raise_all(mesh, place, reporter, &g)
               : rut_report_error(reporter, RUT_ERR_MEMORY, place, "", "", "out of memory");
  if (status == RUT_OK && !covers) status = refuse_overhangs(&g, place, reporter);
  free(g.floor);
  free(g.roof);
  if (status != RUT_OK) {
    free(g.z);
    return status;
  }
  *out = (rutMeshHeights){{g.n[0], g.n[1], g.z}, {g.corner[0], g.corner[1]}, g.spacing};
  return RUT_OK;
}
