// SPDX-License-Identifier: BSD-3-Clause
#include "sim/compile/elevation.h"

#include <stdlib.h>
#include <string.h>

#include "base/input.h"
#include "format/expand.h"
#include "format/image.h"
#include "format/mesh.h"
#include "format/points.h"
#include "format/raster.h"
#include "format/xml.h"
#include "math/rut_math.h"
#include "sim/compile/read.h"

enum { MAX_FILE = 256 << 20 };

// Heights of an image. Errors are reported.
static rutStatus read_image(rutDraft* draft, rutNode node, rutMatrix* out) {
  const char* path = rut_node_text(draft->spec, node, "image");
  rutPlace place = rut_node_place_of(draft->spec, node, "image");
  char* bytes = NULL;
  size_t size = 0;
  rutStatus status = rut_read_file(path, MAX_FILE, draft->reporter, place, &bytes, &size);
  if (status != RUT_OK) return status;
  rutImage image = {0};
  status = rut_image_decode(bytes, size, path, draft->reporter, &image);
  free(bytes);
  if (status != RUT_OK) return status;
  status =
      rut_image_heights(&image, rut_node_number(draft->spec, node, "z_min"),
                        rut_node_number(draft->spec, node, "z_max"), path, draft->reporter, out);
  rut_image_free(&image);
  return status;
}

static rutStatus read_matrix(rutDraft* draft, rutNode node, rutMatrix* out) {
  char element[RUT_ELEMENT_TEXT];
  rut_node_element(draft->spec, node, element);
  const char* text = rut_node_text(draft->spec, node, "matrix");
  rutStatus status =
      rut_matrix_parse(text, strlen(text), rut_node_place_of(draft->spec, node, "matrix"), element,
                       draft->reporter, out);
  if (status != RUT_OK) return RUT_ERR_MODEL;
  double scale = rut_node_number(draft->spec, node, "matrix_scale");
  for (int i = 0; i < out->rows * out->cols; i++) out->value[i] *= scale;
  return RUT_OK;
}

// Heights of scattered points; corner gets the place of the first node.
static rutStatus read_points(rutDraft* draft, rutNode node, rutMatrix* out, double corner[2]) {
  const char* path = rut_node_text(draft->spec, node, "points");
  rutPlace place = rut_node_place_of(draft->spec, node, "points");
  char* text = NULL;
  size_t size = 0;
  rutStatus status = rut_read_file(path, MAX_FILE, draft->reporter, place, &text, &size);
  if (status != RUT_OK) return status;
  rutPoints points = {0};
  status = rut_points_parse(text, size, path, 3, draft->reporter, &points);
  free(text);
  int n = 0;
  const double* offset = rut_node_numbers(draft->spec, node, "offset", &n);
  for (int i = 0; status == RUT_OK && n == 3 && i < 3 * points.n; i++)
    points.xyz[i] += offset[i % 3];
  if (status == RUT_OK) {
    status = rut_points_resample(&points, rut_node_number(draft->spec, node, "resolution"), place,
                                 draft->reporter, out, corner);
  }
  rut_points_free(&points);
  return status;
}

// Where a file with a place of its own lies, which the world does not need to keep.
static void tell_place(const rutDraft* draft, rutNode node, const rutRaster* r, bool centred) {
  char element[RUT_ELEMENT_TEXT];
  rut_node_element(draft->spec, node, element);
  rut_report_note(draft->reporter, rut_node_place_of(draft->spec, node, "file"), element,
                  "the file covers %.10g to %.10g east and %.10g to %.10g north%s%.100s%s; it is "
                  "%s",
                  r->corner[0], r->corner[0] + (r->values.cols - 1) * r->spacing, r->corner[1],
                  r->corner[1] + (r->values.rows - 1) * r->spacing, r->projection[0] ? " (" : "",
                  r->projection, r->projection[0] ? ")" : "",
                  centred ? "centred on the world's origin" : "placed by its corner");
}

// Any raster of format/raster.h.
static rutStatus read_raster(rutDraft* draft, rutNode node, rutElevation* out) {
  const rutSpec* spec = draft->spec;
  rutRaster r;
  rutStatus status = rut_raster_load(rut_node_text(spec, node, "file"),
                                     rut_node_place_of(spec, node, "file"), draft->reporter, &r);
  if (status != RUT_OK) return status;
  if (!rut_draft_raster_spacing(draft, node, &r, &out->spacing)) {
    rut_raster_free(&r);
    return RUT_ERR_MODEL;
  }
  const double low = rut_node_number(spec, node, "z_min");
  const double high = rut_node_number(spec, node, "z_max");
  const double scale =
      r.white > 0 ? (high - low) / r.white : rut_node_number(spec, node, "matrix_scale");
  const double offset = r.white > 0 ? low : 0;
  const size_t count = (size_t)r.values.rows * (size_t)r.values.cols;
  for (size_t i = 0; i < count; i++) r.values.value[i] = offset + scale * r.values.value[i];
  if (r.placed) tell_place(draft, node, &r, !rut_node_has(spec, node, "corner"));
  out->north_up = r.placed;
  out->heights = r.values;
  r.values = (rutMatrix){0};
  rut_raster_free(&r);
  return RUT_OK;
}

// Put a mesh where the element says.
static void place_mesh(const rutSpec* spec, rutNode node, rutMesh* mesh) {
  int n = 0;
  const double* factor = rut_node_numbers(spec, node, "mesh_scale", &n);
  for (int i = 0; n == 3 && i < 3 * mesh->points; i++) mesh->point[i] *= factor[i % 3];
  rutMeshPose pose = {.scale = 1,
                      .yaw = rut_node_number(spec, node, "yaw"),
                      .pitch = rut_node_number(spec, node, "pitch"),
                      .roll = rut_node_number(spec, node, "roll")};
  const double* offset = rut_node_numbers(spec, node, "offset", &n);
  for (int i = 0; i < 3 && i < n; i++) pose.offset[i] = offset[i];
  rut_mesh_transform(mesh, pose);
}

static rutStatus read_mesh(rutDraft* draft, rutNode node, rutElevation* out) {
  const rutSpec* spec = draft->spec;
  const char* path = rut_node_text(spec, node, "mesh");
  const rutPlace place = rut_node_place_of(spec, node, "mesh");
  rutMesh mesh = {0};
  rutMeshTime time = {RUT_MESH_SECONDS};
  char message[RUT_INPUT_TEXT], hint[RUT_INPUT_TEXT];
  const int errors = draft->reporter->errors;
  const int fault = rut_mesh_read(draft->reporter->access, path, &time, draft->reporter, &mesh);
  if (fault) {
    rut_input_explain(fault, path, RUT_MESH_MAX_BYTES, message, hint);
    return rut_report_error(draft->reporter, RUT_ERR_IO, place, "", hint, "%s", message);
  }
  rutMeshHeights heights = {0};
  rutStatus status = draft->reporter->errors > errors ? RUT_ERR_PARSE : RUT_OK;
  if (status == RUT_OK) {
    place_mesh(spec, node, &mesh);
    const bool given = rut_node_has(spec, node, "resolution");
    const bool covers = rut_node_number(spec, node, "overhangs") > 0;
    status =
        rut_mesh_heights(&mesh, given ? out->spacing : 0, covers, place, draft->reporter, &heights);
  }
  rut_mesh_free(&mesh);
  if (status != RUT_OK) return status;
  out->heights = heights.height;
  out->spacing = heights.spacing;
  memcpy(out->corner, heights.corner, sizeof out->corner);
  return RUT_OK;
}

// Nodes along the side of a formula that gives no resolution.
enum { FORMULA_NODES = 500 };
// Most letters that may be read for the heights of a formula, so that none takes long.
static const double MOST_LETTERS = 4e9;

// One height of a formula. False, with an error, if there is none.
static bool evaluate_height(rutDraft* draft, rutNode node, const char* formula, const double at[2],
                            double* height) {
  static const char* const names[] = {"x", "y"};
  char message[128];
  size_t fault;
  const rutNumbers numbers = {2, names, at};
  if (rut_evaluate_of(&numbers, formula, height, &fault, message) == RUT_OK) return true;
  rut_node_error(draft->spec, node, "formula", RUT_ERR_MODEL,
                 "write a height in metres of x and y, such as '0.3*sin(x)*cos(y/2)'",
                 "in the formula after '%.*s', at x = %g, y = %g: %s",
                 (int)rut_min((double)fault, 60), formula, at[0], at[1], message);
  return false;
}

// Heights of a formula at nodes around the middle, or from the corner on.
static rutStatus read_formula(rutDraft* draft, rutNode node, rutElevation* out) {
  const rutSpec* spec = draft->spec;
  const char* formula = rut_node_text(spec, node, "formula");
  int n = 0;
  const double* size = rut_node_numbers(spec, node, "size", &n);
  if (n != 2 || !(size[0] > 0) || !(size[1] > 0)) {
    rut_node_error(spec, node, "size", RUT_ERR_MODEL, "", "give two lengths above 0");
    return RUT_ERR_MODEL;
  }
  if (!rut_node_has(spec, node, "resolution")) {
    out->spacing = rut_max(size[0], size[1]) / FORMULA_NODES;
  }
  const double rows = rut_floor(size[0] / out->spacing + 0.5) + 1;
  const double cols = rut_floor(size[1] / out->spacing + 0.5) + 1;
  if (!(rows * cols * (double)strlen(formula) <= MOST_LETTERS && rows * cols <= RUT_MAX_HEIGHTS)) {
    rut_node_error(spec, node, "formula", RUT_ERR_CAPACITY, "give a larger resolution",
                   "%g x %g heights of a formula take too long", rows, cols);
    return RUT_ERR_CAPACITY;
  }
  for (int i = 0; i < 2; i++) out->corner[i] = -0.5 * out->spacing * ((i == 0 ? rows : cols) - 1);
  const double* corner = rut_node_numbers(spec, node, "corner", &n);
  if (n == 2 && rut_node_has(spec, node, "corner")) memcpy(out->corner, corner, 2 * sizeof *corner);
  double* height = malloc((size_t)(rows * cols) * sizeof *height);
  if (!height) {
    rut_node_error(spec, node, NULL, RUT_ERR_MEMORY, "", "out of memory");
    return RUT_ERR_MEMORY;
  }
  bool fine = true;
  for (int i = 0; fine && i < (int)rows; i++) {
    for (int j = 0; fine && j < (int)cols; j++) {
      const double at[2] = {out->corner[0] + i * out->spacing, out->corner[1] + j * out->spacing};
      fine =
          evaluate_height(draft, node, formula, at, &height[(size_t)i * (size_t)cols + (size_t)j]);
    }
  }
  out->heights = (rutMatrix){(int)rows, (int)cols, height};
  return fine ? RUT_OK : RUT_ERR_MODEL;
}

bool rut_draft_elevation(rutDraft* draft, rutNode node, rutElevation* out) {
  enum { IMAGE, MATRIX, POINTS, RASTER, MESH, FORMULA, SOURCES };
  static const char* const fields[SOURCES] = {"image", "matrix", "points",
                                              "file",  "mesh",   "formula"};
  int given = 0, which = -1;
  for (int i = 0; i < SOURCES; i++) {
    if (rut_node_text(draft->spec, node, fields[i])[0]) {
      given++;
      which = i;
    }
  }
  if (given != 1) {
    rut_node_error(draft->spec, node, NULL, RUT_ERR_MODEL, "",
                   "give exactly one of image, matrix, points, file, mesh and formula");
    return false;
  }
  rutElevation map = {.spacing = rut_node_number(draft->spec, node, "resolution"),
                      .placed = which == POINTS || which == MESH || which == FORMULA};
  rutStatus status = RUT_OK;
  if (which == IMAGE) status = read_image(draft, node, &map.heights);
  if (which == MATRIX) status = read_matrix(draft, node, &map.heights);
  if (which == POINTS) status = read_points(draft, node, &map.heights, map.corner);
  if (which == RASTER) status = read_raster(draft, node, &map);
  if (which == MESH) status = read_mesh(draft, node, &map);
  if (which == FORMULA) status = read_formula(draft, node, &map);
  if (which != FORMULA) rut_draft_map_failed(draft, node, fields[which], status);
  if (status != RUT_OK) {
    rut_matrix_free(&map.heights);
    return false;
  }
  const int rows = (int)rut_node_number(draft->spec, node, "rows");
  if (rows != 0 && !map.placed) map.north_up = rows >= 2;
  if (rows == 3 && map.north_up) rut_matrix_flip(&map.heights);
  *out = map;
  return true;
}
