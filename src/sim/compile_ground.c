// SPDX-License-Identifier: BSD-3-Clause
//
// From <elevation_map>, <plane> and <region> to ground sources and regions.
#include <stdlib.h>
#include <string.h>

#include "format/image.h"
#include "format/matrix.h"
#include "format/points.h"
#include "format/xml.h"
#include "math/rut_math.h"
#include "sim/draft.h"

enum { MAX_FILE = 256 << 20 };
static const double HIGHEST = 1e6;  // [m] of the ground, up and down

static void element_of(const rutDraft* draft, rutNode node, char element[RUT_ELEMENT_TEXT]) {
  rut_node_element(draft->spec, node, element);
}

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
  element_of(draft, node, element);
  const char* text = rut_node_text(draft->spec, node, "matrix");
  rutStatus status =
      rut_matrix_parse(text, strlen(text), rut_node_place_of(draft->spec, node, "matrix"), element,
                       draft->reporter, out);
  if (status != RUT_OK) return RUT_ERR_MODEL;
  double scale = rut_node_number(draft->spec, node, "matrix_scale");
  for (int i = 0; i < out->rows * out->cols; i++) out->value[i] *= scale;
  return RUT_OK;
}

static bool smooth(rutDraft* draft, rutNode node, rutMatrix* heights) {
  const char* text = rut_node_text(draft->spec, node, "kernel");
  if (!text[0]) return true;
  char element[RUT_ELEMENT_TEXT];
  element_of(draft, node, element);
  rutPlace place = rut_node_place_of(draft->spec, node, "kernel");
  rutMatrix kernel = {0}, out = {0};
  rutStatus status = rut_matrix_parse(text, strlen(text), place, element, draft->reporter, &kernel);
  if (status == RUT_OK) {
    status = rut_matrix_smooth(heights, &kernel, place, element, draft->reporter, &out);
  }
  rut_matrix_free(&kernel);
  if (status != RUT_OK) return false;
  rut_matrix_free(heights);
  *heights = out;
  return true;
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

// Heights whose squares and differences stay finite, and no more of them than memory should hold.
static bool check_heights(rutDraft* draft, rutNode node, const rutMatrix* heights) {
  const int n = heights->rows * heights->cols;
  draft->heights += (size_t)n;
  if (draft->heights > RUT_MAX_HEIGHTS) {
    rut_node_error(draft->spec, node, NULL, RUT_ERR_CAPACITY, "",
                   "the elevation maps of this world have more than %d heights", RUT_MAX_HEIGHTS);
    return false;
  }
  for (int i = 0; i < n; i++) {
    if (rut_abs(heights->value[i]) <= HIGHEST) continue;
    rut_node_error(draft->spec, node, NULL, RUT_ERR_MODEL, "",
                   "height %.9g m in row %d, column %d is beyond %g m", heights->value[i],
                   i / heights->cols + 1, i % heights->cols + 1, HIGHEST);
    return false;
  }
  return true;
}

// Turn a matrix with rows along x into a field of the draft.
static void add_field(rutDraft* draft, rutNode node, const rutMatrix* heights,
                      const double* from_points) {
  if (heights->rows < 2 || heights->cols < 2) {
    rut_node_error(draft->spec, node, NULL, RUT_ERR_MODEL, "",
                   "an elevation map needs at least 2 x 2 heights");
    return;
  }
  if (!check_heights(draft, node, heights)) return;
  rutDraftSource* s = rut_draft_push(draft, &draft->source);
  if (!s) return;
  size_t bytes = (size_t)heights->rows * (size_t)heights->cols * sizeof(double);
  s->height = rut_context_alloc(draft->context, bytes, 64);
  if (!s->height) {
    rut_node_error(draft->spec, node, NULL, RUT_ERR_MEMORY, "", "out of memory");
    draft->source.n--;
    return;
  }
  rut_height_field_from_rows(heights->rows, heights->cols, heights->value, 1, 0, s->height);
  double spacing = rut_node_number(draft->spec, node, "resolution");
  double origin[2] = {-0.5 * spacing * (heights->rows - 1), -0.5 * spacing * (heights->cols - 1)};
  if (from_points) memcpy(origin, from_points, sizeof origin);
  int n = 0;
  const double* corner = rut_node_numbers(draft->spec, node, "corner", &n);
  if (n == 2 && rut_node_has(draft->spec, node, "corner")) memcpy(origin, corner, sizeof origin);
  rut_height_field_init(&s->field, heights->rows, heights->cols, spacing, origin,
                        RUT_SURFACE_BILINEAR, s->height);
  s->source.kind = RUT_GROUND_FIELD;
}

static void read_elevation(rutDraft* draft, rutNode node) {
  const char* fields[3] = {"image", "matrix", "points"};
  int given = 0, which = -1;
  for (int i = 0; i < 3; i++) {
    if (rut_node_text(draft->spec, node, fields[i])[0]) {
      given++;
      which = i;
    }
  }
  if (given != 1) {
    rut_node_error(draft->spec, node, NULL, RUT_ERR_MODEL, "",
                   "give exactly one of image, matrix and points");
    return;
  }
  rutMatrix heights = {0};
  rutStatus status = RUT_OK;
  if (which == 0) status = read_image(draft, node, &heights);
  if (which == 1) status = read_matrix(draft, node, &heights);
  double first[2] = {0, 0};
  if (which == 2) status = read_points(draft, node, &heights, first);
  rut_draft_map_failed(draft, node, fields[which], status);
  if (status == RUT_OK && smooth(draft, node, &heights)) {
    add_field(draft, node, &heights, which == 2 ? first : NULL);
  }
  rut_matrix_free(&heights);
}

// A box from low to high along one axis. False, with an error, if they are the wrong way round.
static bool check_extent(rutDraft* draft, rutNode node, const char* low, const char* high) {
  if (rut_node_number(draft->spec, node, low) < rut_node_number(draft->spec, node, high))
    return true;
  rut_node_error(draft->spec, node, rut_node_has(draft->spec, node, high) ? high : low,
                 RUT_ERR_MODEL, "", "'%s' must be above '%s'", high, low);
  return false;
}

static void read_plane(rutDraft* draft, rutNode node) {
  const rutSpec* spec = draft->spec;
  if (!check_extent(draft, node, "x_min", "x_max") ||
      !check_extent(draft, node, "y_min", "y_max")) {
    return;
  }
  rutDraftSource* s = rut_draft_push(draft, &draft->source);
  if (!s) return;
  double pose[6];
  rut_draft_pose(draft, node, pose, NULL);
  s->source = (rutGroundSource){
      .kind = RUT_GROUND_PLANE,
      .x = pose[0],
      .y = pose[1],
      .z = pose[2] + rut_node_number(spec, node, "z"),
      .x_min = rut_node_number(spec, node, "x_min"),
      .x_max = rut_node_number(spec, node, "x_max"),
      .y_min = rut_node_number(spec, node, "y_min"),
      .y_max = rut_node_number(spec, node, "y_max"),
  };
  rut_sincos(pose[5], &s->source.sin_yaw, &s->source.cos_yaw);
  rut_draft_keyframes(draft, node, &s->keyframe);
}

static void read_region(rutDraft* draft, rutNode node) {
  const char* low[3] = {"x_min", "y_min", "z_min"};
  const char* high[3] = {"x_max", "y_max", "z_max"};
  rutRegion* r = rut_draft_push(draft, &draft->region);
  if (!r) return;
  for (int i = 0; i < 3; i++) {
    check_extent(draft, node, low[i], high[i]);
    r->min[i] = rut_node_number(draft->spec, node, low[i]);
    r->max[i] = rut_node_number(draft->spec, node, high[i]);
  }
  r->friction = rut_node_number(draft->spec, node, "friction");
  r->rolling_resistance = rut_node_number(draft->spec, node, "rolling_resistance");
}

void rut_draft_ground(rutDraft* draft) {
  static const struct {
    const char* kind;
    void (*read)(rutDraft*, rutNode);
  } readers[] = {{"elevation_map", read_elevation}, {"plane", read_plane}, {"region", read_region}};
  for (int i = 0; i < RUT_COUNT_OF(readers); i++) {
    for (rutNode node = rut_node_first(draft->spec, rut_spec_root(draft->spec), readers[i].kind);
         !rut_node_is_null(node); node = rut_node_next(draft->spec, node, readers[i].kind)) {
      const bool enough = draft->heights > RUT_MAX_HEIGHTS;
      if (draft->reporter->errors >= RUT_MAX_FILE_ERRORS || enough) return;
      readers[i].read(draft, node);
    }
  }
}
