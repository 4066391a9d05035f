// SPDX-License-Identifier: BSD-3-Clause
//
// Files of SDF: a model by itself, or a world. Models that drive become vehicles; what has no
// joints becomes blocks, fixed where it is static.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "format/element_name.h"
#include "format/sdf.h"
#include "format/sdf_include.h"
#include "geom/polygon.h"

enum { MAX_MODELS = 4096, MAX_CHAIN = 16 };
static const double DEGREE = 0.017453292519943295;
static const double UPRIGHT = 0.9999;  // cosine of what stands upright

typedef struct Maker {
  rutSpec* spec;
  rutReporter* reporter;
  rutNode world;
  const char* file;
  double version;
  const rutXmlElement* root;  // <world>, or <sdf> of models
  int blocks, robots, models;
  int dropped;  // <include>s
} Maker;

// ---- nodes ----

static void check(Maker* m, rutStatus status, rutPlace place, const rutError* err) {
  if (status == RUT_OK) return;
  rut_report_error(m->reporter, status, place, err->element, "", "%s", err->message);
}

static void set(Maker* m, rutNode node, const char* field, int n, const double* value) {
  rutError err = {0};
  const rutPlace place = rut_node_place_of(m->spec, node, NULL);
  check(m, rut_node_set_numbers(m->spec, node, field, n, value, &err), place, &err);
}

// ---- elements ----

static bool is_true(const rutXmlElement* element, const char* name) {
  const char* text = rut_sdf_text(element, name);
  return strcmp(text, "true") == 0 || strcmp(text, "1") == 0;
}

// Of its own, or of a model in it.
static bool has_joint(const rutXmlElement* model) {
  for (const rutXmlElement* child = model->first; child; child = child->next) {
    if (strcmp(child->name, "joint") == 0) return true;
    if (strcmp(child->name, "model") == 0 && has_joint(child)) return true;
  }
  return false;
}

// Where a model is in the world, through those that its pose is relative to.
static rutFramePose pose_of(Maker* m, const rutXmlElement* model, int chain) {
  const rutFramePose own = rut_sdf_model_pose(model, m->file, m->reporter);
  const rutXmlElement* pose = rut_sdf_child(model, "pose");
  const char* to = pose ? rut_sdf_attribute(pose, "relative_to") : "";
  if (!to[0] || strcmp(to, "world") == 0) return own;
  for (const rutXmlElement* other = m->root->first; other && chain < MAX_CHAIN;
       other = other->next) {
    if (other != model && strcmp(rut_sdf_attribute(other, "name"), to) == 0)
      return rut_frame_mul(pose_of(m, other, chain + 1), own);
  }
  rut_report_error(m->reporter, RUT_ERR_MODEL, rut_sdf_place(pose), "pose", "",
                   "there is no frame '%.60s' in the world", to);
  return own;
}

// ---- blocks ----

static rutNode add_block(Maker* m, const rutXmlElement* model, int index, bool fixed) {
  rutError err = {0};
  char stem[64], name[64];
  const rutNode none = {0, 0};
  if (m->reporter->errors >= RUT_READER_MAX_ERRORS) return none;
  rut_element_name(rut_sdf_attribute(model, "name"), SIZE_MAX, stem);
  snprintf(name, sizeof name, index > 0 ? "%.48s_%d" : "%.48s", stem, index + 1);
  const rutNode node = rut_spec_add(m->spec, m->world, "block", "", name, &err);
  if (rut_node_is_null(node)) {
    rut_report_error(m->reporter, err.status, rut_sdf_place(model), "", "", "%s", err.message);
    return node;
  }
  rut_node_place(m->spec, node, NULL, rut_sdf_place(model));
  const double yes = fixed;
  set(m, node, "fixed", 1, &yes);
  m->blocks++;
  return node;
}

static void set_heights(Maker* m, rutNode node, double low, double high) {
  high = rut_max(high, low + 1e-3);
  set(m, node, "z_min", 1, &low);
  set(m, node, "z_max", 1, &high);
}

// Corners of the box around a shape, seen from above.
static void add_corners(const rutUrdfShape* s, double* point, int* n) {
  double half[3];
  for (int k = 0; k < 3; k++) {
    const double* t = s->pose.turn.m;
    half[k] = rut_urdf_reach(s, rut_vec3(t[k], t[3 + k], t[6 + k]));
  }
  for (int i = 0; i < 8; i++) {
    const rutVec3 corner = rut_vec3(i & 1 ? half[0] : -half[0], i & 2 ? half[1] : -half[1],
                                    i & 4 ? half[2] : -half[2]);
    const rutVec3 p = rut_frame_apply(s->pose, corner);
    point[2 * *n] = p.x;
    point[2 * *n + 1] = p.y;
    ++*n;
  }
}

// A shape that is fixed, in the world.
static void make_fixed(Maker* m, const rutXmlElement* model, const rutUrdfShape* s, int index) {
  const double reach = rut_urdf_reach(s, rut_vec3(0, 0, 1));
  if (s->pose.at.z + reach < 1e-3) return;  // ground
  const rutNode node = add_block(m, model, index, true);
  if (rut_node_is_null(node)) return;
  const bool upright = rut_abs(s->pose.turn.m[8]) > UPRIGHT;
  const double at[2] = {s->pose.at.x, s->pose.at.y};
  double point[16], hull[32];
  int n = 0;
  set(m, node, "position", 2, at);
  set_heights(m, node, s->pose.at.z - reach, s->pose.at.z + reach);
  if (s->kind == RUT_URDF_SPHERE || (s->kind == RUT_URDF_CYLINDER && upright)) {
    enum { N = 16 };
    for (int i = 0; i < N; i++) {
      double sine, cosine;
      rut_sincos(2 * RUT_PI * i / N, &sine, &cosine);
      hull[2 * i] = s->size[0] * cosine;
      hull[2 * i + 1] = s->size[0] * sine;
    }
    set(m, node, "outline", 2 * N, hull);
    return;
  }
  add_corners(s, point, &n);
  for (int i = 0; i < n; i++) {
    point[2 * i] -= at[0];
    point[2 * i + 1] -= at[1];
  }
  const int corners = rut_polygon_hull(n, point, hull);
  set(m, node, "outline", 2 * corners, hull);
  if (upright) return;
  rut_report_warning(m->reporter, s->place, "geometry",
                     "guessed: a tilted shape of '%.60s' stands upright, as wide and as high",
                     rut_sdf_attribute(model, "name"));
}

// All shapes of a model that can be pushed, as one.
static void make_movable(Maker* m, const rutXmlElement* model, const rutUrdf* body) {
  double low = RUT_INFINITY, high = -RUT_INFINITY, mass = 0;
  const int most = 8 * body->shapes + 8;
  double* room = calloc(4 * (size_t)most, sizeof *room);
  int n = 0;
  for (int i = 0; room && i < body->shapes; i++) {
    const rutUrdfShape* s = &body->shape[i];
    if (!s->known || !s->collision) continue;
    const double reach = rut_urdf_reach(s, rut_vec3(0, 0, 1));
    add_corners(s, room, &n);
    low = rut_min(low, s->pose.at.z - reach);
    high = rut_max(high, s->pose.at.z + reach);
  }
  for (int i = 0; i < body->links; i++) mass += body->link[i].mass.mass;
  const int corners = n > 0 ? rut_polygon_hull(n, room, room + 2 * (size_t)most) : 0;
  const rutNode node = corners > 2 ? add_block(m, model, 0, false) : (rutNode){0, 0};
  if (!rut_node_is_null(node)) {
    const rutFramePose pose = pose_of(m, model, 0);
    const double at[2] = {pose.at.x, pose.at.y}, yaw = rut_mat3_rpy(pose.turn).z;
    mass = rut_clamp(mass, 1e-6, 1e9);
    set(m, node, "position", 2, at);
    set(m, node, "yaw", 1, &yaw);
    set(m, node, "mass", 1, &mass);
    set(m, node, "outline", 2 * corners, room + 2 * (size_t)most);
    // it stands on the ground, wherever it is let go
    set_heights(m, node, 0, high - low);
  }
  free(room);
}

static void make_blocks(Maker* m, const rutXmlElement* model) {
  rutUrdf body;
  rutStatus status = rut_sdf_read_model(model, m->file, m->version, m->reporter, &body);
  if (status == RUT_OK) status = rut_urdf_settle(&body, m->reporter);
  if (status == RUT_OK) {
    rut_urdf_meshes(&body, m->reporter);
    const bool fixed = is_true(model, "static");
    const rutFramePose pose = pose_of(m, model, 0);
    int index = 0;
    for (int i = 0; fixed && i < body.shapes; i++) {
      rutUrdfShape s = body.shape[i];
      if (!s.known || !s.collision) continue;
      s.pose = rut_frame_mul(pose, s.pose);
      make_fixed(m, model, &s, index++);
    }
    if (!fixed) make_movable(m, model, &body);
  }
  rut_urdf_free(&body);
}

// ---- robots ----

// Whether a model has wheels, nothing being reported.
static bool has_wheels(const Maker* m, const rutXmlElement* model) {
  rutReporter quiet = {.access = m->reporter->access};
  rutUrdf robot;
  rutUrdfWheels wheels;
  bool fine = rut_sdf_read_model(model, m->file, m->version, &quiet, &robot) == RUT_OK &&
              rut_urdf_settle(&robot, &quiet) == RUT_OK;
  if (fine) {
    rut_urdf_meshes(&robot, &quiet);
    fine = rut_urdf_find_wheels(&robot, &quiet, &wheels) == RUT_OK;
  }
  rut_urdf_free(&robot);
  return fine;
}

// Put a robot where a model, or an <include>, says that it is.
static rutNode place_robot(Maker* m, rutUrdf* robot, const rutXmlElement* model, const char* name) {
  rutNode node = {0, 0};
  const rutVehiclePlace to = {.spec = m->spec, .world = m->world, .name = name};
  if (rut_urdf_add_robot(m->reporter, robot, &to, &node) != RUT_OK) return node;
  const rutFramePose pose = pose_of(m, model, 0);
  const double at[2] = {pose.at.x, pose.at.y};
  const double yaw = rut_mat3_rpy(pose.turn).z + (robot->turned ? 0.5 * RUT_PI : 0);
  if (at[0] != 0 || at[1] != 0) set(m, node, "position", 2, at);
  if (yaw != 0) set(m, node, "yaw", 1, &yaw);
  m->robots++;
  return node;
}

static rutNode make_robot(Maker* m, const rutXmlElement* model, const char* name) {
  rutUrdf robot;
  rutNode node = {0, 0};
  if (rut_sdf_read_model(model, m->file, m->version, m->reporter, &robot) == RUT_OK) {
    node = place_robot(m, &robot, model, name);
  }
  rut_urdf_free(&robot);
  return node;
}

// The robot of an included URDF.
static void make_urdf_robot(Maker* m, const rutXmlElement* include) {
  const char* file = rut_sdf_attribute(include, RUT_SDF_URDF);
  const rutPlace place = rut_sdf_place(include);
  char* text = NULL;
  char name[64];
  size_t size = 0;
  rutUrdf robot;
  if (m->models++ >= MAX_MODELS) return;
  if (is_true(include, "static")) {
    rut_report_warning(m->reporter, place, "include", "dropped: '%.200s' is static", file);
    return;
  }
  if (rut_read_file(file, RUT_SDF_MAX_MODEL_BYTES, m->reporter, place, &text, &size) != RUT_OK) {
    return;
  }
  if (rut_urdf_read(text, size, file, m->reporter, &robot) == RUT_OK) {
    rut_element_name(rut_sdf_attribute(include, "name"), SIZE_MAX, name);
    place_robot(m, &robot, include, name[0] ? name : NULL);
  }
  rut_urdf_free(&robot);
  free(text);
}

static void make_model(Maker* m, const rutXmlElement* model) {
  if (m->models++ >= MAX_MODELS) return;
  if (!has_joint(model) || is_true(model, "static")) {
    make_blocks(m, model);
  } else if (has_wheels(m, model)) {
    make_robot(m, model, NULL);
  } else {
    rut_report_warning(m->reporter, rut_sdf_place(model), "model",
                       "dropped: '%.60s' has joints and no wheels on the ground",
                       rut_sdf_attribute(model, "name"));
  }
}

// ---- the world ----

static void read_world(Maker* m) {
  const rutXmlElement* earth = rut_sdf_child(m->root, "spherical_coordinates");
  double gravity[3], degrees;
  if (rut_urdf_numbers(rut_sdf_text(m->root, "gravity"), 3, gravity) && gravity[2] <= 0) {
    const double down = -gravity[2];
    set(m, m->world, "gravity", 1, &down);
  }
  static const char* const names[2][2] = {{"latitude_deg", "latitude"},
                                          {"longitude_deg", "longitude"}};
  for (int i = 0; i < 2; i++) {
    if (!rut_urdf_numbers(rut_sdf_text(earth, names[i][0]), 1, &degrees)) continue;
    const double angle = rut_clamp(degrees, i ? -180 : -90, i ? 180 : 90) * DEGREE;
    set(m, m->world, names[i][1], 1, &angle);
  }
}

static void tell_dropped(Maker* m) {
  for (const rutXmlElement* child = m->root->first; child; child = child->next) {
    if (m->reporter->errors >= RUT_READER_MAX_ERRORS) return;
    if (strcmp(child->name, "actor") != 0 && strcmp(child->name, "population") != 0) continue;
    rut_report_warning(m->reporter, rut_sdf_place(child), child->name,
                       "dropped: rut has no %s like '%.100s'", child->name,
                       rut_sdf_attribute(child, "name"));
  }
}

// The document's <world>, or <sdf> where it has none.
static bool open_document(Maker* m, const rutSdfDocument* document) {
  const rutXmlElement* root = rut_sdf_document_root(document);
  const rutXmlElement* world = rut_sdf_child(root, "world");
  double version;
  m->version = rut_urdf_numbers(rut_sdf_attribute(root, "version"), 1, &version) ? version : 1.4;
  m->root = world ? world : root;
  m->dropped = rut_sdf_document_dropped(document);
  return world != NULL;
}

bool rut_sdf_recognise(const char* text, size_t size) {
  char name[16];
  return rut_xml_first_element(text, size, name, sizeof name) &&
         (strcmp(name, "sdf") == 0 || strcmp(name, "gazebo") == 0);
}

static void read_models(Maker* m, bool world) {
  int models = 0;
  if (world) read_world(m);
  for (const rutXmlElement* child = m->root->first; child; child = child->next) {
    if (m->reporter->errors >= RUT_READER_MAX_ERRORS) return;
    if (world && strcmp(child->name, "include") == 0) make_urdf_robot(m, child);
    if (strcmp(child->name, "model") != 0) continue;
    models++;
    if (world) {
      make_model(m, child);
    } else if (models == 1) {
      make_robot(m, child, NULL);
    }
  }
  if (world) {
    tell_dropped(m);
    rut_report_note(m->reporter, rut_sdf_place(m->root), "world", "kept: %d vehicles and %d blocks",
                    m->robots, m->blocks);
    if (m->dropped == 0 || m->robots + m->blocks > 0) return;
    rut_report_error(m->reporter, RUT_ERR_MODEL, rut_sdf_place(m->root), "world", "",
                     "nothing is left of it: %d of its models are not found", m->dropped);
  } else if (models == 0) {
    rut_report_error(m->reporter, RUT_ERR_MODEL, rut_sdf_place(m->root), "sdf", "",
                     "it has neither <world> nor <model>");
  } else if (models > 1) {
    rut_report_warning(m->reporter, rut_sdf_place(m->root), "sdf",
                       "dropped: %d models behind the first", models - 1);
  }
}

// The first model that drives.
static const rutXmlElement* first_robot(const Maker* m) {
  const rutXmlElement* any = NULL;
  for (const rutXmlElement* child = m->root->first; child; child = child->next) {
    if (strcmp(child->name, "model") != 0) continue;
    if (!any) any = child;
    if (has_joint(child) && !is_true(child, "static")) return child;
  }
  return any;
}

rutStatus rut_sdf_add_vehicle(rutContext* context, const char* text, size_t size, const char* file,
                              const rutVehiclePlace* to, rutNode* out) {
  rutReporter* reporter = rut_context_reporter(context);
  const int before = reporter->errors;
  rutSdfDocument* document = NULL;
  const rutStatus status = rut_sdf_document_open(text, size, file, reporter, &document);
  if (status != RUT_OK) return status;
  Maker m = {.spec = to->spec, .reporter = reporter, .world = to->world, .file = file};
  open_document(&m, document);
  const rutXmlElement* model = first_robot(&m);
  if (model) {
    const rutNode node = make_robot(&m, model, to->name);
    if (out) *out = node;
  } else {
    rut_report_error(reporter, RUT_ERR_MODEL, rut_sdf_place(m.root), "sdf", "",
                     "it has no <model>");
  }
  rut_sdf_document_close(document);
  return reporter->errors == before ? RUT_OK : reporter->first.status;
}

// ---- the format ----

static rutStatus sdf_read(rutContext* context, const char* text, size_t size, const char* name,
                          rutSpec* spec, rutError* err) {
  rutReporter* reporter = rut_context_reporter(context);
  const int before = reporter->errors;
  rutSdfDocument* document = NULL;
  Maker m = {.spec = spec, .reporter = reporter, .world = rut_spec_root(spec), .file = name};
  rut_node_place(spec, m.world, NULL, (rutPlace){name, 1, 1});
  if (rut_spec_allow_beside(spec, name, "models") != RUT_OK) {
    return rut_error_set(err, RUT_ERR_MEMORY, "out of memory");
  }
  if (rut_sdf_document_open(text, size, name, reporter, &document) == RUT_OK) {
    const bool world = open_document(&m, document);
    read_models(&m, world);
    rut_sdf_document_close(document);
  }
  if (reporter->errors == before) return RUT_OK;
  if (err) *err = reporter->first;
  return reporter->first.status;
}

const rutFormatType rut_format_sdf = {
    .base = {.abi = RUT_ABI,
             .struct_size = sizeof(rutFormatType),
             .kind = "format",
             .name = "sdf",
             .parents = "",
             .doc = "Models and worlds of Gazebo (SDF): robots on level ground, with blocks."},
    .recognise = rut_sdf_recognise,
    .read = sdf_read};
