// SPDX-License-Identifier: BSD-3-Clause
//
// <block>: obstacles, with a shape given by points, by a primitive, or by the mesh that is drawn;
// and <joint> between bodies.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "format/mvsim_load.h"
#include "math/rut_math.h"

// ---- names ----

static uint64_t name_hash(const char* name) {
  return rut_hash(RUT_HASH_START, name, strlen(name) + 1);
}

bool rut_mvsim_has_body(const rutMvsim* load, const char* name) {
  return rut_mvsim_set_has(&load->bodies, name_hash(name));
}

const char* rut_mvsim_body_name(rutMvsim* load, rutMvsimItem item, bool vehicle) {
  rutPlace place = rut_mvsim_place(item);
  const char* name = NULL;
  if (rut_xml_attribute(item.element, "name")) {
    name = rut_mvsim_attribute(load, item, "name", &place);
    if (!name) return NULL;
  }
  if (!name || !name[0]) {
    char* made = malloc(32);
    if (made && vehicle) snprintf(made, 32, "veh%d", ++load->unnamed_vehicles);
    if (made && !vehicle) snprintf(made, 32, "block%03d", ++load->unnamed_blocks);
    name = rut_mvsim_keep(load, made);
    if (!name) return NULL;
  }
  bool added;
  if (!rut_mvsim_set_add(&load->bodies, name_hash(name), &added)) {
    rut_mvsim_no_memory(load);
    return NULL;
  }
  if (added) return name;
  char label[RUT_MVSIM_LABEL];
  rut_mvsim_label(item, label);
  rut_mvsim_error(load, place, label, RUT_ERR_MODEL, "names must differ",
                  "there is another vehicle or block named '%.80s'", name);
  return NULL;
}

// ---- shapes ----

static const rutMvsimRow block_rows[] = {
    RUT_MVSIM_ROW_NUMBER("mass", "mass"),
    RUT_MVSIM_ROW_NUMBER("zmin", "z_min"),
    RUT_MVSIM_ROW_NUMBER("zmax", "z_max"),
    RUT_MVSIM_ROW_NUMBER("ground_friction", "ground_friction"),
    RUT_MVSIM_ROW_NUMBER("lateral_friction", "friction"),
    RUT_MVSIM_ROW_NUMBER("restitution", "restitution"),
    RUT_MVSIM_ROW("color", RUT_MVSIM_COLOR, "color"),
    RUT_MVSIM_ROW("intangible", RUT_MVSIM_BOOLEAN, "intangible"),
    RUT_MVSIM_ROW("static", RUT_MVSIM_BOOLEAN, "fixed"),
    RUT_MVSIM_ROW_NUMBER("linear_damping", "linear_damping"),
    RUT_MVSIM_ROW_NUMBER("angular_damping", "angular_damping"),
    RUT_MVSIM_ROW_CODE("visual_scale"),
    RUT_MVSIM_ROW_CODE("shape"),
    RUT_MVSIM_ROW_CODE("shape_from_visual"),
    RUT_MVSIM_ROW_CODE("geometry"),
    RUT_MVSIM_ROW_CODE("visual"),
    RUT_MVSIM_ROW_CODE("init_pose"),
    RUT_MVSIM_ROW_CODE("init_pose3d"),
    RUT_MVSIM_ROW_CODE("init_vel"),
    RUT_MVSIM_ROW_CODE("skip_elevation_adjust"),
    RUT_MVSIM_ROW_CODE("publish"),
    RUT_MVSIM_ROW_CODE("animation"),
};
static const rutMvsimTable block_table = RUT_MVSIM_TABLE("block", block_rows);

static void set_height(rutMvsim* load, rutNode node, const char* field, double z, rutPlace place) {
  if (!rut_node_has(load->spec, node, field)) rut_mvsim_set(load, node, field, z, place);
}

// Set an outline, and heights from the ground up where the file gave none.
static void set_prism(rutMvsim* load, rutNode node, int n, const double* point, double height,
                      rutPlace place) {
  rut_mvsim_set_text(load, node, "shape", "polygon", place);
  rut_mvsim_set_numbers(load, node, "outline", 2 * n, point, place);
  set_height(load, node, "z_min", 0, place);
  set_height(load, node, "z_max", height, place);
}

// MVSim's square of 1 m, also in the place of meshes that are not at hand.
static void set_default_shape(rutMvsim* load, rutNode node, rutPlace place) {
  static const double square[8] = {-0.5, -0.5, -0.5, 0.5, 0.5, 0.5, 0.5, -0.5};
  set_prism(load, node, 4, square, 1, place);
}

static void read_points_shape(rutMvsim* load, rutMvsimItem shape, rutNode node) {
  double* point = NULL;
  const int n = rut_mvsim_shape(load, shape, true, &point);
  if (n > 0) set_prism(load, node, n, point, 1, rut_mvsim_place(shape));
  free(point);
}

// ---- primitives ----

static const char* const geometry_names[] = {"cylinder", "sphere", "box", "ramp",
                                             "semi_cylinder_bump"};
enum { CYLINDER, SPHERE, BOX, RAMP, BUMP };

// Numbers of a <geometry>, in the order of geometry_sizes; 0 where absent.
typedef struct Geometry {
  int type;
  double radius, length, lx, ly, lz, vertices;
} Geometry;

static bool read_geometry(rutMvsim* load, rutMvsimItem item, Geometry* out) {
  static const char* const known[] = {"type", "radius", "length", "lx", "ly", "lz", "vertex_count"};
  const rutPlace place = rut_mvsim_place(item);
  *out = (Geometry){0};
  double* const value[] = {NULL,     &out->radius, &out->length,  &out->lx,
                           &out->ly, &out->lz,     &out->vertices};
  const int type =
      rut_mvsim_word(load, item, "type", geometry_names, RUT_COUNT_OF(geometry_names), -2);
  if (type == -2) {
    rut_mvsim_error(load, place, "<geometry>", RUT_ERR_MODEL, "write <geometry type=\"box\" ... />",
                    "the attribute 'type' is missing");
  }
  if (type < 0) return false;
  out->type = type;
  rut_mvsim_check_attributes(load, item, known, RUT_COUNT_OF(known));
  for (int i = 1; i < RUT_COUNT_OF(known); i++) {
    rutPlace at;
    const char* text = rut_mvsim_attribute(load, item, known[i], &at);
    if (text && !rut_mvsim_number(load, text, at, "<geometry>", value[i])) return false;
  }
  const bool round = type == CYLINDER || type == SPHERE;
  const char* missing = NULL;
  if (round && !(out->radius > 0)) missing = "radius";
  if (type == CYLINDER && !(out->length > 0)) missing = "length";
  if (!round && !(out->lx > 0)) missing = "lx";
  if (!round && !(out->ly > 0)) missing = "ly";
  if (!round && !(out->lz > 0)) missing = "lz";
  if (missing) {
    rut_mvsim_error(load, place, "<geometry>", RUT_ERR_MODEL, "",
                    "a %s needs the attribute '%s', above 0", geometry_names[type], missing);
  }
  return !missing;
}

static void set_geometry(rutMvsim* load, const Geometry* g, rutNode node, rutPlace place) {
  const double size[3] = {g->lx, g->ly, g->lz};
  if (g->type == BOX) {
    // MVSim's box has a corner at its origin
    const double corner[8] = {0, 0, g->lx, 0, g->lx, g->ly, 0, g->ly};
    set_prism(load, node, 4, corner, g->lz, place);
    return;
  }
  if (g->type == RAMP || g->type == BUMP) {
    rut_mvsim_set_text(load, node, "shape", g->type == RAMP ? "ramp" : "bump", place);
    rut_mvsim_set_numbers(load, node, "size", 3, size, place);
    return;
  }
  rut_mvsim_set_text(load, node, "shape", g->type == SPHERE ? "sphere" : "cylinder", place);
  rut_mvsim_set(load, node, "radius", g->radius, place);
  if (g->vertices > 0) {
    // rut's outlines have 16 corners at most
    const double corners = g->vertices < 3 ? 3 : g->vertices > 16 ? 16 : (double)(int)g->vertices;
    rut_mvsim_set(load, node, "vertices", corners, place);
  }
  if (g->type == CYLINDER) {
    rut_mvsim_set(load, node, "length", g->length, place);
  } else {
    // its middle is the origin
    set_height(load, node, "z_min", -g->radius, place);
    set_height(load, node, "z_max", g->radius, place);
  }
}

// ---- shape from meshes ----

static double visual_scale(rutMvsim* load, const rutMvsimItems* items) {
  const rutMvsimItem item = rut_mvsim_first(items, "visual_scale");
  double scale = 1;
  if (!item.element) return scale;
  const char* text = rut_mvsim_text(load, item);
  const rutPlace place = rut_mvsim_place(item);
  if (text && rut_mvsim_number(load, text, place, "<visual_scale>", &scale) && !(scale > 0)) {
    rut_mvsim_error(load, place, "<visual_scale>", RUT_ERR_PARSE, "", "'%.60s' is not above 0",
                    text);
    scale = 1;
  }
  return scale;
}

// Only what stands between zmin and zmax counts, as in MVSim.
static void set_mesh_shape(rutMvsim* load, const rutMvsimItems* items, double scale,
                           rutMvsimItem from_visual, rutNode node) {
  const rutPlace place = rut_mvsim_place(from_visual);
  const bool has_min = rut_node_has(load->spec, node, "z_min");
  const bool has_max = rut_node_has(load->spec, node, "z_max");
  const rutMvsimSlice slice = {
      .scale = scale,
      .z_min = has_min ? rut_node_number(load->spec, node, "z_min") : -(double)INFINITY,
      .z_max = has_max ? rut_node_number(load->spec, node, "z_max") : (double)INFINITY,
      .instead = "a box of 1 m stands in its place"};
  rutMeshOutline outline;
  rut_mvsim_outline(load, items, &slice, &outline);
  if (outline.n < 3) {
    set_default_shape(load, node, place);
    rutPlace model_place = place;
    const char* model = rut_mvsim_model_name(load, items, &model_place);
    if (model) rut_mvsim_set_text(load, node, "stand_in_for", model, model_place);
    return;
  }
  rut_mvsim_set_text(load, node, "shape", "polygon", place);
  rut_mvsim_set_numbers(load, node, "outline", 2 * outline.n, outline.point, place);
  rut_mvsim_set(load, node, "z_min", outline.z_min, place);
  rut_mvsim_set(load, node, "z_max", outline.z_max, place);
}

// Set the shape. Returns how far its middle is ahead of its origin [m].
static double read_shape(rutMvsim* load, const rutMvsimItems* items, double scale, rutNode node,
                         rutPlace place) {
  const rutMvsimItem shape = rut_mvsim_first(items, "shape");
  const rutMvsimItem geometry = rut_mvsim_first(items, "geometry");
  const rutMvsimItem from_visual = rut_mvsim_first(items, "shape_from_visual");
  if (shape.element) {
    read_points_shape(load, shape, node);
  } else if (geometry.element) {
    Geometry g;
    if (!read_geometry(load, geometry, &g)) return 0;
    set_geometry(load, &g, node, rut_mvsim_place(geometry));
    // MVSim's ramp begins at its origin, ours has it in the middle
    return g.type == RAMP ? 0.5 * g.lx : 0;
  } else if (from_visual.element) {
    set_mesh_shape(load, items, scale, from_visual, node);
  } else {
    set_default_shape(load, node, place);
  }
  return 0;
}

// ---- the block ----

static void read_parts(rutMvsim* load, rutMvsimItem item, const rutMvsimItems* items,
                       rutNode node) {
  const rutPlace place = rut_mvsim_place(item);
  rut_mvsim_set(load, node, "linear_damping", 0.1, place);
  rut_mvsim_set(load, node, "angular_damping", 0.1, place);
  rut_mvsim_apply(load, &block_table, items, node);
  const double scale = visual_scale(load, items);
  const double ahead = read_shape(load, items, scale, node, place);
  if (!rut_mvsim_pose(load, items, node, true, ahead)) {
    char label[RUT_MVSIM_LABEL];
    rut_mvsim_label(item, label);
    rut_mvsim_error(load, place, label, RUT_ERR_MODEL, "write <init_pose>x y yaw</init_pose>",
                    "the tag <init_pose> is missing");
  }
  rut_mvsim_velocity(load, items, node);
  rut_mvsim_animation(load, items, node);
  rut_mvsim_publish(load, items);
  for (int i = 0; i < items->n && !load->halted; i++) {
    if (strcmp(items->item[i].element->name, "visual") == 0) {
      rut_mvsim_visual(load, items->item[i], node, scale);
    }
  }
}

void rut_mvsim_read_block(rutMvsim* load, rutMvsimItem item) {
  static const char* const attributes[] = {"name", "class"};
  rut_mvsim_check_attributes(load, item, attributes, 2);
  const char* name = rut_mvsim_body_name(load, item, false);
  if (!name) return;
  load->inside = true;
  rut_scope_set(load->variables, "NAME", name);
  rutMvsimItems items = {0};
  if (rut_mvsim_collect(load, item, "block:class", &items) && !load->halted) {
    const rutNode node = rut_mvsim_add(load, load->world, "block", "", name, rut_mvsim_place(item));
    if (!rut_node_is_null(node)) read_parts(load, item, &items, node);
  }
  rut_mvsim_items_free(&items);
  rut_scope_set(load->variables, "NAME", "");
  load->inside = false;
}

// ---- joints ----

static const rutMvsimRow distance_rows[] = {
    RUT_MVSIM_ROW_CODE("type"),
    RUT_MVSIM_ROW_CODE("body_a"),
    RUT_MVSIM_ROW_CODE("body_b"),
    RUT_MVSIM_ROW_CODE("anchor_a"),
    RUT_MVSIM_ROW_CODE("anchor_b"),
    RUT_MVSIM_ROW_NUMBER("max_length", "max_length"),
    RUT_MVSIM_ROW_NUMBER("min_length", "min_length"),
    RUT_MVSIM_ROW_NUMBER("stiffness", "stiffness"),
    RUT_MVSIM_ROW_NUMBER("damping", "damping"),
};
static const rutMvsimRow revolute_rows[] = {
    RUT_MVSIM_ROW_CODE("type"),
    RUT_MVSIM_ROW_CODE("body_a"),
    RUT_MVSIM_ROW_CODE("body_b"),
    RUT_MVSIM_ROW_CODE("anchor_a"),
    RUT_MVSIM_ROW_CODE("anchor_b"),
    RUT_MVSIM_ROW("enable_limit", RUT_MVSIM_BOOLEAN, "limited"),
    RUT_MVSIM_ROW_DEGREES("lower_angle_deg", "lower"),
    RUT_MVSIM_ROW_DEGREES("upper_angle_deg", "upper"),
};
static const rutMvsimTable distance_table = RUT_MVSIM_TABLE("joint", distance_rows);
static const rutMvsimTable revolute_table = RUT_MVSIM_TABLE("joint", revolute_rows);

// Required attribute of a joint; NULL after an error.
static const char* joint_attribute(rutMvsim* load, rutMvsimItem item, const char* name,
                                   rutPlace* place) {
  *place = rut_mvsim_place(item);
  if (rut_xml_attribute(item.element, name)) return rut_mvsim_attribute(load, item, name, place);
  rut_mvsim_error(load, *place, "<joint>", RUT_ERR_MODEL, "", "the attribute '%s' is missing",
                  name);
  return NULL;
}

// Read one end, such as body_a and anchor_a.
static void read_end(rutMvsim* load, rutMvsimItem item, rutNode node, const char* body_field,
                     const char* anchor_field) {
  rutPlace place;
  const char* body = joint_attribute(load, item, body_field, &place);
  if (body && !rut_mvsim_has_body(load, body)) {
    rut_mvsim_error(load, place, "<joint>", RUT_ERR_MODEL, "define it before the joint",
                    "there is no vehicle or block named '%.80s'", body);
  } else if (body) {
    rut_mvsim_set_text(load, node, body_field, body, place);
  }
  const char* anchor = joint_attribute(load, item, anchor_field, &place);
  double xy[2];
  if (anchor &&
      rut_mvsim_numbers(load, anchor, place, "<joint>", (rutMvsimForm){"x y", 2, 2}, xy) > 0) {
    rut_mvsim_set_numbers(load, node, anchor_field, 2, xy, place);
  }
}

void rut_mvsim_read_joint(rutMvsim* load, rutMvsimItem item) {
  static const char* const types[] = {"distance", "rope", "revolute", "pin"};
  const rutPlace place = rut_mvsim_place(item);
  const int type = rut_mvsim_word(load, item, "type", types, 4, -2);
  if (type == -2) {
    rut_mvsim_error(load, place, "<joint>", RUT_ERR_MODEL, "write <joint type=\"revolute\" ... />",
                    "the attribute 'type' is missing");
  }
  if (type < 0) return;
  const bool distance = type < 2;
  const rutNode node =
      rut_mvsim_add(load, load->world, "joint", distance ? "distance" : "revolute", "", place);
  if (rut_node_is_null(node)) return;
  rut_mvsim_apply_item(load, distance ? &distance_table : &revolute_table, item, node);
  read_end(load, item, node, "body_a", "anchor_a");
  read_end(load, item, node, "body_b", "anchor_b");
}
