// SPDX-License-Identifier: BSD-3-Clause
#include "sim/compile/read.h"

#include <string.h>

#include "format/raster.h"
#include "geom/polygon.h"
#include "math/rut_math.h"
#include "sim/compile/tyre_file.h"
#include "sim/spec/values.h"

bool rut_draft_outline(rutDraft* draft, rutNode node, const char* field, rutOutline* outline) {
  int n = 0;
  const double* given = rut_node_numbers(draft->spec, node, field, &n);
  int points = n / 2;
  if (points < 3 || points > 100000) {
    rut_node_error(draft->spec, node, field, RUT_ERR_MODEL, "",
                   "an outline needs 3 to 100000 points, not %d", points);
    return false;
  }
  size_t bytes = (size_t)(2 * points + 2) * sizeof(double);
  double* scratch = rut_context_alloc(draft->context, 2 * bytes, 16);
  if (!scratch) {
    rut_node_error(draft->spec, node, field, RUT_ERR_MEMORY, "", "out of memory");
    return false;
  }
  double* hull = scratch + 2 * points + 2;
  memcpy(scratch, given, (size_t)(2 * points) * sizeof(double));
  int corners = rut_polygon_hull(points, scratch, hull);
  if (corners > RUT_MAX_CORNERS) corners = rut_polygon_simplify(corners, hull, RUT_MAX_CORNERS);
  bool ok = corners >= 3 && rut_polygon_area(corners, hull) > 1e-9;
  if (ok) {
    outline->n = corners;
    memcpy(outline->xy, hull, (size_t)(2 * corners) * sizeof(double));
  } else {
    rut_node_error(draft->spec, node, field, RUT_ERR_MODEL, "",
                   "the outline has no area: its points lie on one line");
  }
  rut_context_free(draft->context, scratch);
  return ok;
}

bool rut_draft_params(rutDraft* draft, rutNode node, double param[RUT_MAX_PARAMS]) {
  memset(param, 0, RUT_MAX_PARAMS * sizeof *param);
  if (rut_node_params(draft->spec, node, RUT_MAX_PARAMS, param) <= RUT_MAX_PARAMS) return true;
  rut_node_error(draft->spec, node, NULL, RUT_ERR_CAPACITY, "", "has more than %d numbers",
                 RUT_MAX_PARAMS);
  return false;
}

void rut_draft_check_single(rutDraft* draft, rutNode parent, const char* kind) {
  const rutNode first = rut_node_first(draft->spec, parent, kind);
  if (rut_node_is_null(first)) return;
  const rutNode second = rut_node_next(draft->spec, first, kind);
  if (rut_node_is_null(second)) return;
  rut_node_error(draft->spec, second, NULL, RUT_ERR_MODEL, "", "only one <%s> is allowed here",
                 kind);
}

void rut_draft_component(rutDraft* draft, rutNode parent, const char* kind,
                         rutDraftComponent* component) {
  rutNode node = rut_node_first(draft->spec, parent, kind);
  if (rut_node_is_null(node)) return;
  if (!rut_draft_params(draft, node, component->param)) return;
  if (!rut_draft_tyre_file(draft, node, component->param)) return;
  component->type = rut_node_component(draft->spec, node);
  rut_draft_check_single(draft, parent, kind);
}

void rut_draft_check_count(const rutDraft* draft, rutNode node, const char* field, int least,
                           int most) {
  int n = 0;
  rut_node_numbers(draft->spec, node, field, &n);
  if (!rut_node_has(draft->spec, node, field) || (n >= least && n <= most)) return;
  rut_node_error(draft->spec, node, field, RUT_ERR_MODEL, "",
                 "'%s' must have %d or %d numbers, not %d", field, least, most, n);
}

void rut_draft_pose(const rutDraft* draft, rutNode node, double pose[6], bool* has_z) {
  int n = 0;
  const double* position = rut_node_numbers(draft->spec, node, "position", &n);
  for (int i = 0; i < 3; i++) pose[i] = i < n ? position[i] : 0;
  rut_draft_check_count(draft, node, "position", 2, 3);
  pose[3] = rut_node_number(draft->spec, node, "roll");
  pose[4] = rut_node_number(draft->spec, node, "pitch");
  pose[5] = rut_node_number(draft->spec, node, "yaw");
  if (has_z) *has_z = n > 2;
}

void rut_draft_keyframes(rutDraft* draft, rutNode node, rutList* list) {
  list->item_size = sizeof(rutKeyframe);
  double last = -1;
  for (rutNode k = rut_node_first(draft->spec, node, "keyframe"); !rut_node_is_null(k);
       k = rut_node_next(draft->spec, k, "keyframe")) {
    rutKeyframe* frame = rut_draft_push(draft, list);
    if (!frame) return;
    frame->time = rut_node_number(draft->spec, k, "time");
    rut_draft_pose(draft, k, frame->pose, NULL);
    if (frame->time <= last) {
      rut_node_error(draft->spec, k, "time", RUT_ERR_MODEL, "",
                     "keyframes must be in order of time");
    }
    last = frame->time;
  }
}

bool rut_draft_extent(rutDraft* draft, rutNode node, const char* low, const char* high) {
  if (rut_node_number(draft->spec, node, low) < rut_node_number(draft->spec, node, high))
    return true;
  rut_node_error(draft->spec, node, rut_node_has(draft->spec, node, high) ? high : low,
                 RUT_ERR_MODEL, "", "'%s' must be above '%s'", high, low);
  return false;
}

void rut_draft_check_tensor(rutDraft* draft, rutNode node, const double inertia[6]) {
  const double xx = inertia[0], yy = inertia[1], zz = inertia[2];
  const double xy = inertia[3], xz = inertia[4], yz = inertia[5];
  const double most = rut_max(rut_max(xx, yy), zz), slack = -1e-9;
  bool ok = xx >= 0 && yy >= 0 && zz >= 0;
  ok = ok && xx * yy - xy * xy >= slack * most * most && xx * zz - xz * xz >= slack * most * most &&
       yy * zz - yz * yz >= slack * most * most;
  const double determinant =
      xx * (yy * zz - yz * yz) - xy * (xy * zz - yz * xz) + xz * (xy * yz - yy * xz);
  if (ok && determinant >= slack * most * most * most) return;
  rut_node_error(draft->spec, node, "inertia", RUT_ERR_MODEL, "the order is xx yy zz xy xz yz",
                 "no body has this inertia: a principal moment would be negative");
}

bool rut_draft_raster_spacing(rutDraft* draft, rutNode node, const rutRaster* raster,
                              double* spacing) {
  *spacing = rut_node_number(draft->spec, node, "resolution");
  if (!raster->placed || rut_node_has(draft->spec, node, "resolution")) return true;
  *spacing = raster->spacing;
  if (!raster->metric) {
    rut_node_error(draft->spec, node, "file", RUT_ERR_MODEL, "resolution=\"10 m\"",
                   "the file counts in degrees or feet: give the resolution in metres");
    return false;
  }
  if (*spacing >= 1e-6 && *spacing <= 1e6) return true;
  rut_node_error(draft->spec, node, "file", RUT_ERR_MODEL, "give the resolution",
                 "the file has its values %g m apart, which must be 1e-06 m to 1e+06 m", *spacing);
  return false;
}

void rut_draft_map_failed(rutDraft* draft, rutNode node, const char* field, rutStatus status) {
  // errors in the world itself have their place already
  if (status == RUT_OK || status == RUT_ERR_MODEL || status == RUT_ERR_IO) return;
  rut_node_error(draft->spec, node, field, status, "", "'%.300s' cannot be used as a map",
                 rut_node_text(draft->spec, node, field));
}

double rut_draft_drive_inertia(const rutDraftClass* c, double* momentum) {
  const rutDriveType* drive = (const rutDriveType*)c->drive.type;
  *momentum = 0;
  return drive && drive->inertia ? drive->inertia(c->drive.param, momentum) : 0;
}
