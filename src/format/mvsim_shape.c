// SPDX-License-Identifier: BSD-3-Clause
//
// Shapes: outlines given by points, visuals, and outlines of the meshes that visuals name.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/model_path.h"
#include "format/mvsim_load.h"
#include "geom/polygon.h"
#include "math/rut_math.h"

enum {
  MAX_MESHES = 512,      // different mesh files of one world
  MAX_OUTLINE_SUM = 512  // corners of all visuals of one object
};
#define MAX_MESH_WORK 2e9  // points moved for outlines, over one load

// ---- points ----

static bool has_area(int n, const double* point) {
  double* copy = malloc(((size_t)n * 4 + 2) * sizeof *copy);
  if (!copy) return true;
  memcpy(copy, point, (size_t)n * 2 * sizeof *copy);
  double* hull = copy + 2 * n;
  const int corners = rut_polygon_hull(n, copy, hull);
  const bool area = corners >= 3 && rut_polygon_area(corners, hull) > 1e-12;
  free(copy);
  return area;
}

// Read every <pt> of a list. Returns how many, -1 after an error.
static int read_points(rutMvsim* load, const rutMvsimItems* items, double* point) {
  int n = 0;
  bool ok = true;
  for (int i = 0; i < items->n; i++) {
    const rutMvsimItem item = items->item[i];
    const rutPlace place = rut_mvsim_place(item);
    if (strcmp(item.element->name, "pt") != 0) {
      static const char* const known[] = {"pt"};
      const rutMvsimUnused unused = {"shape", item.element->name, false, known, 1};
      rut_mvsim_unused(load, place, unused);
      continue;
    }
    if (n == RUT_MVSIM_MAX_POINTS) {
      rut_mvsim_error(load, place, "<shape>", RUT_ERR_MODEL, "", "a shape has at most %d points",
                      RUT_MVSIM_MAX_POINTS);
      return -1;
    }
    const char* text = rut_mvsim_text(load, item);
    if (!text || rut_mvsim_numbers(load, text, place, "<pt>", (rutMvsimForm){"x y", 2, 2},
                                   point + 2 * n) < 0) {
      ok = false;
    } else {
      n++;
    }
  }
  return ok ? n : -1;
}

int rut_mvsim_shape(rutMvsim* load, rutMvsimItem shape, bool closed, double** point) {
  *point = NULL;
  rutMvsimItems items = {0};
  rut_mvsim_children(load, shape, &items);
  double* list = malloc(((size_t)items.n + 1) * 2 * sizeof *list);
  if (!list) {
    rut_mvsim_items_free(&items);
    rut_mvsim_no_memory(load);
    return -1;
  }
  int n = read_points(load, &items, list);
  rut_mvsim_items_free(&items);
  if (n >= 0 && closed && (n < 3 || !has_area(n, list))) {
    rut_mvsim_error(load, rut_mvsim_place(shape), "<shape>", RUT_ERR_MODEL, "",
                    "a shape needs three or more points '<pt>x y</pt>' that are not on one line");
    n = -1;
  }
  if (n < 0) {
    free(list);
    return -1;
  }
  *point = list;
  return n;
}

// ---- visuals ----

static const rutMvsimRow visual_rows[] = {
    RUT_MVSIM_ROW_CODE("model_uri"),
    RUT_MVSIM_ROW_NUMBER("model_scale", "scale"),
    RUT_MVSIM_ROW_PART("model_offset_x", "offset", 0, 3),
    RUT_MVSIM_ROW_PART("model_offset_y", "offset", 1, 3),
    RUT_MVSIM_ROW_PART("model_offset_z", "offset", 2, 3),
    RUT_MVSIM_ROW_DEGREES("model_yaw", "yaw"),
    RUT_MVSIM_ROW_DEGREES("model_pitch", "pitch"),
    RUT_MVSIM_ROW_DEGREES("model_roll", "roll"),
    RUT_MVSIM_ROW("model_color", RUT_MVSIM_COLOR, "color"),
    RUT_MVSIM_ROW("model_cull_faces", RUT_MVSIM_TEXT, "cull_face"),
    RUT_MVSIM_ROW_NUMBER("model_split_size", "split_size"),
    RUT_MVSIM_ROW("enabled", RUT_MVSIM_BOOLEAN, "enabled"),
    RUT_MVSIM_ROW_UNUSED("show_bounding_box"),
    RUT_MVSIM_ROW_CODE("name"),
};
static const rutMvsimTable visual_table = RUT_MVSIM_TABLE("visual", visual_rows);

// Text of a child; NULL if absent, empty or wrong. *place stays unless there is one.
static const char* child_text(rutMvsim* load, rutMvsimItem parent, const char* tag,
                              rutPlace* place) {
  rutMvsimItems items = {0};
  rut_mvsim_children(load, parent, &items);
  const rutMvsimItem item = rut_mvsim_first(&items, tag);
  rut_mvsim_items_free(&items);
  if (!item.element) return NULL;
  *place = rut_mvsim_place(item);
  const char* text = rut_mvsim_text(load, item);
  return text && text[0] ? text : NULL;
}

// Number of the first child with a tag, or what holds without one.
static double child_number(rutMvsim* load, const rutMvsimItems* items, const char* tag,
                           double otherwise) {
  const rutMvsimItem item = rut_mvsim_first(items, tag);
  if (!item.element) return otherwise;
  const char* text = rut_mvsim_text(load, item);
  double value = otherwise;
  char label[RUT_MVSIM_LABEL];
  rut_mvsim_label(item, label);
  if (text) rut_mvsim_number(load, text, rut_mvsim_place(item), label, &value);
  return value;
}

void rut_mvsim_visual(rutMvsim* load, rutMvsimItem visual, rutNode parent, double scale) {
  rutPlace place = rut_mvsim_place(visual);
  const char* uri = child_text(load, visual, "model_uri", &place);
  if (!uri) {
    rut_mvsim_warn(load, place, "<visual>", NULL, "<visual> without a <model_uri> is not used");
    return;
  }
  rutPlace name_place = place;
  const char* name = child_text(load, visual, "name", &name_place);
  rutNode node = {0};
  if (name) {
    // MVSim lets several visuals share a name; only the first keeps it
    node = rut_spec_add(load->spec, parent, "visual", "", name, NULL);
    if (!rut_node_is_null(node)) rut_node_place(load->spec, node, NULL, rut_mvsim_place(visual));
  }
  if (rut_node_is_null(node)) {
    node = rut_mvsim_add(load, parent, "visual", "", "", rut_mvsim_place(visual));
  }
  if (rut_node_is_null(node)) return;
  char path[RUT_MVSIM_PATH];
  rut_mvsim_resolve(visual.file, uri, path);
  rut_mvsim_set_text(load, node, "model", path, place);
  rut_mvsim_apply_item(load, &visual_table, visual, node);
  if (scale != 1) {
    const double own = rut_node_number(load->spec, node, "scale");
    rut_mvsim_set(load, node, "scale", own * scale, place);
  }
}

// ---- meshes ----

const rutMvsimMesh* rut_mvsim_mesh(rutMvsim* load, const char* path, rutPlace place) {
  for (int i = 0; i < load->meshes; i++) {
    if (strcmp(load->mesh[i].path, path) == 0) return &load->mesh[i];
  }
  if (load->meshes == MAX_MESHES) {
    rut_mvsim_error(load, place, "<model_uri>", RUT_ERR_CAPACITY, "",
                    "a world uses at most %d mesh files", MAX_MESHES);
    return NULL;
  }
  rutMvsimMesh* grown = realloc(load->mesh, (size_t)(load->meshes + 1) * sizeof *grown);
  const size_t length = strlen(path) + 1;
  char* copy = malloc(length);
  if (grown) load->mesh = grown;
  if (!grown || !copy) {
    free(copy);
    rut_mvsim_no_memory(load);
    return NULL;
  }
  memcpy(copy, path, length);
  rutMvsimMesh* mesh = &load->mesh[load->meshes++];
  *mesh = (rutMvsimMesh){.path = copy};
  // a mesh that cannot be read is a warning at most: MVSim's worlds name many that are elsewhere
  rutReporter quiet = {.access = load->reporter->access};
  char* real = NULL;
  mesh->refused = !rut_access_allows(load->reporter->access, path, &real) && real;
  free(real);
  char* bytes = NULL;
  size_t size = 0;
  const int fault = rut_input_read(quiet.access, path, RUT_MESH_MAX_BYTES, &bytes, &size);
  mesh->remote = fault == RUT_INPUT_REMOTE;
  if (fault) {
    rut_input_explain(fault, path, RUT_MESH_MAX_BYTES, mesh->fault, mesh->hint);
    if (fault == ENOENT) rut_model_hint(path, mesh->hint);
  } else {
    mesh->ok = rut_mesh_decode(bytes, size, path, &load->mesh_time, &quiet, &mesh->mesh) == RUT_OK;
    snprintf(mesh->fault, sizeof mesh->fault, "%s", quiet.first.message);
  }
  free(bytes);
  return mesh;
}

// The mesh of a <visual>; NULL, with a warning, if it cannot be had.
static const rutMvsimMesh* visual_mesh(rutMvsim* load, rutMvsimItem visual, const char* instead) {
  rutPlace place = rut_mvsim_place(visual);
  const char* uri = child_text(load, visual, "model_uri", &place);
  if (!uri) return NULL;
  char path[RUT_MVSIM_PATH];
  rut_mvsim_resolve(visual.file, uri, path);
  const rutMvsimMesh* mesh = rut_mvsim_mesh(load, path, place);
  if (mesh && mesh->refused) {
    // a shape that is there but may not be read shall not be replaced by another
    rut_mvsim_error(load, place, "<model_uri>", RUT_ERR_IO, mesh->hint, "%s", mesh->fault);
  } else if (mesh && !mesh->ok) {
    rut_mvsim_warn(load, place, "<model_uri>", uri, "%s: %s%s%s", mesh->fault, instead,
                   mesh->hint[0] ? "; " : "", mesh->hint);
  }
  return mesh && mesh->ok ? mesh : NULL;
}

// Where a <visual> puts its model.
static rutMeshPose visual_pose(rutMvsim* load, rutMvsimItem visual, double scale) {
  rutMvsimItems items = {0};
  rut_mvsim_children(load, visual, &items);
  const rutMeshPose pose = {
      .scale = scale * child_number(load, &items, "model_scale", 1),
      .offset = {child_number(load, &items, "model_offset_x", 0),
                 child_number(load, &items, "model_offset_y", 0),
                 child_number(load, &items, "model_offset_z", 0)},
      .yaw = RUT_MVSIM_DEGREE * child_number(load, &items, "model_yaw", 0),
      .pitch = RUT_MVSIM_DEGREE * child_number(load, &items, "model_pitch", 0),
      .roll = RUT_MVSIM_DEGREE * child_number(load, &items, "model_roll", 0),
  };
  rut_mvsim_items_free(&items);
  return pose;
}

// Outline of one visual. False if there is none.
static bool visual_outline(rutMvsim* load, rutMvsimItem visual, const rutMvsimSlice* slice,
                           rutMeshOutline* out) {
  const rutMvsimMesh* mesh = visual_mesh(load, visual, slice->instead);
  if (!mesh || load->halted) return false;
  load->mesh_points += mesh->mesh.points;
  if (load->mesh_points > MAX_MESH_WORK) {
    rut_mvsim_error(load, rut_mvsim_place(visual), "<visual>", RUT_ERR_CAPACITY, "",
                    "too many large meshes are used as shapes");
    return false;
  }
  rutMesh moved = mesh->mesh;
  const size_t bytes = (size_t)moved.points * 3 * sizeof *moved.point;
  moved.point = malloc(bytes + 1);
  if (!moved.point) {
    rut_mvsim_no_memory(load);
    return false;
  }
  memcpy(moved.point, mesh->mesh.point, bytes);
  rut_mesh_transform(&moved, visual_pose(load, visual, slice->scale));
  rutStatus status =
      rut_mesh_outline(&moved, slice->z_min, slice->z_max, mesh->path, load->reporter, out);
  if (status == RUT_OK && out->n == 0) {
    status = rut_mesh_outline(&moved, -(double)INFINITY, (double)INFINITY, mesh->path,
                              load->reporter, out);
  }
  free(moved.point);
  if (status == RUT_OK && out->n == 0) {
    rut_mvsim_warn(load, rut_mvsim_place(visual), "<visual>", NULL,
                   "the model encloses no area: %s", slice->instead);
  }
  return status == RUT_OK && out->n >= 3;
}

const char* rut_mvsim_model_name(rutMvsim* load, const rutMvsimItems* items, rutPlace* place) {
  const rutMvsimItem visual = rut_mvsim_first(items, "visual");
  return visual.element ? child_text(load, visual, "model_uri", place) : NULL;
}

void rut_mvsim_outline(rutMvsim* load, const rutMvsimItems* items, const rutMvsimSlice* slice,
                       rutMeshOutline* out) {
  *out = (rutMeshOutline){0};
  double point[2 * MAX_OUTLINE_SUM], hull[2 * (MAX_OUTLINE_SUM + 1)];
  int n = 0, visuals = 0;
  double low = (double)INFINITY, high = -(double)INFINITY;
  for (int i = 0; i < items->n && n + RUT_OUTLINE_MAX <= MAX_OUTLINE_SUM; i++) {
    const rutMvsimItem item = items->item[i];
    rutMeshOutline one;
    if (strcmp(item.element->name, "visual") != 0) continue;
    visuals++;
    if (!visual_outline(load, item, slice, &one)) continue;
    memcpy(point + 2 * n, one.point, (size_t)one.n * 2 * sizeof *point);
    n += one.n;
    low = rut_min(low, one.z_min);
    high = rut_max(high, one.z_max);
  }
  if (!visuals) {
    const rutMvsimItem item = rut_mvsim_first(items, "shape_from_visual");
    if (item.element) {
      rut_mvsim_warn(load, rut_mvsim_place(item), "<shape_from_visual>", NULL,
                     "there is no <visual> to take the shape from: %s", slice->instead);
    }
  }
  if (n < 3) return;
  const int corners = rut_polygon_hull(n, point, hull);
  if (corners < 3) return;
  out->n = rut_polygon_simplify(corners, hull, RUT_OUTLINE_MAX);
  memcpy(out->point, hull, (size_t)out->n * 2 * sizeof *hull);
  out->z_min = low;
  out->z_max = high;
}
