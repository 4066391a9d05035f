// SPDX-License-Identifier: BSD-3-Clause
//
// The tree of links: where all stand while joints are at 0, and what fixed joints make one body.
#include <stdio.h>
#include <string.h>

#include "base/input.h"
#include "format/mesh.h"
#include "format/sdf_include.h"
#include "format/urdf.h"

enum { MAX_MESHES = 64, MAX_NAME = 1024 };

// ---- masses ----

rutBodyMass rut_urdf_group_mass(const rutUrdf* robot, int group) {
  rutBodyMass sum = {0};
  for (int i = 0; i < robot->links; i++) {
    if (robot->link[i].group == group) sum = rut_body_mass_sum(sum, robot->link[i].mass);
  }
  return sum;
}

// ---- the tree ----

int rut_urdf_link(const rutUrdf* robot, const char* name) {
  int i = robot->links - 1;
  while (i >= 0 && strcmp(robot->link[i].name, name) != 0) i--;
  return i;
}

int rut_urdf_joint(const rutUrdf* robot, const char* name) {
  int i = robot->joints - 1;
  while (i >= 0 && strcmp(robot->joint[i].name, name) != 0) i--;
  return i;
}

static void join(rutUrdf* robot, int index, rutReporter* reporter) {
  rutUrdfJoint* joint = &robot->joint[index];
  joint->parent = rut_urdf_link(robot, joint->parent_name);
  joint->child = rut_urdf_link(robot, joint->child_name);
  if (joint->parent < 0 || joint->child < 0) {
    rut_report_error(reporter, RUT_ERR_MODEL, joint->place, "joint", "", "there is no link '%.60s'",
                     joint->parent < 0 ? joint->parent_name : joint->child_name);
  } else if (robot->link[joint->child].joint >= 0) {
    rut_report_error(reporter, RUT_ERR_MODEL, joint->place, "joint", "",
                     "the link '%.60s' hangs on another joint already, '%.60s'", joint->child_name,
                     robot->joint[robot->link[joint->child].joint].name);
  } else {
    robot->link[joint->child].joint = index;
  }
}

static void find_root(rutUrdf* robot, rutReporter* reporter) {
  robot->root = -1;
  for (int i = 0; i < robot->links; i++) {
    const rutUrdfLink* link = &robot->link[i];
    if (link->joint >= 0) continue;
    if (robot->root >= 0) {
      rut_report_error(reporter, RUT_ERR_MODEL, link->place, "link", "",
                       "'%.60s' and '%.60s' both hang on no joint: a robot is one tree", link->name,
                       robot->link[robot->root].name);
      return;
    }
    robot->root = i;
  }
}

// Links in an order in which each comes after its parent. Returns their number: less than all if
// joints go round in a circle.
static int order_links(const rutUrdf* robot, int order[RUT_URDF_MAX_LINKS]) {
  static const int NONE = -1;
  int first[RUT_URDF_MAX_LINKS], next[RUT_URDF_MAX_LINKS], n = 0;
  for (int i = 0; i < robot->links; i++) first[i] = NONE;
  for (int i = robot->joints - 1; i >= 0; i--) {
    const int parent = robot->joint[i].parent;
    next[i] = first[parent];
    first[parent] = i;
  }
  order[n++] = robot->root;
  for (int i = 0; i < n; i++) {
    for (int j = first[order[i]]; j != NONE; j = next[j]) order[n++] = robot->joint[j].child;
  }
  return n;
}

rutStatus rut_urdf_settle(rutUrdf* robot, rutReporter* reporter) {
  const int before = reporter->errors;
  for (int i = 0; i < robot->joints && reporter->errors < RUT_READER_MAX_ERRORS; i++) {
    join(robot, i, reporter);
  }
  if (reporter->errors == before) find_root(robot, reporter);
  int order[RUT_URDF_MAX_LINKS];
  if (reporter->errors == before && (robot->root < 0 || order_links(robot, order) < robot->links)) {
    rut_report_error(reporter, RUT_ERR_MODEL, robot->place, "robot", "",
                     "its joints go round in a circle: a robot is one tree");
  }
  if (reporter->errors > before) return reporter->first.status;
  for (int i = 0; i < robot->links; i++) {
    rutUrdfLink* link = &robot->link[order[i]];
    link->group = order[i];
    link->pose = (rutFramePose){rut_mat3_identity(), rut_vec3(0, 0, 0)};
    if (link->joint >= 0) {
      rutUrdfJoint* joint = &robot->joint[link->joint];
      const rutUrdfLink* parent = &robot->link[joint->parent];
      link->pose = rut_frame_mul(parent->pose, joint->pose);
      joint->axis = rut_mat3_apply(link->pose.turn, joint->axis);
      if (joint->motion == RUT_URDF_FIXED) link->group = parent->group;
    }
    link->mass = rut_body_mass_moved(link->mass, link->pose);
  }
  for (int i = 0; i < robot->shapes; i++) {
    rutUrdfShape* shape = &robot->shape[i];
    shape->pose = rut_frame_mul(robot->link[shape->link].pose, shape->pose);
  }
  return RUT_OK;
}

// ---- shapes ----

double rut_urdf_reach(const rutUrdfShape* s, rutVec3 along) {
  const rutVec3 d = rut_mat3_apply_transposed(s->pose.turn, along);
  if (s->kind == RUT_URDF_SPHERE) return s->size[0];
  if (s->kind == RUT_URDF_CYLINDER) {
    return s->size[0] * rut_sqrt(d.x * d.x + d.y * d.y) + 0.5 * s->size[1] * rut_abs(d.z);
  }
  return 0.5 * (s->size[0] * rut_abs(d.x) + s->size[1] * rut_abs(d.y) + s->size[2] * rut_abs(d.z));
}

// The box of a mesh in place of its factors of scale.
static void take_box(rutUrdfShape* shape, const rutMesh* mesh) {
  double low[3], high[3], middle[3];
  for (int k = 0; k < 3; k++) low[k] = high[k] = mesh->point[k];
  for (int i = 1; i < mesh->points; i++) {
    for (int k = 0; k < 3; k++) {
      low[k] = rut_min(low[k], mesh->point[3 * i + k]);
      high[k] = rut_max(high[k], mesh->point[3 * i + k]);
    }
  }
  for (int k = 0; k < 3; k++) {
    middle[k] = 0.5 * (low[k] + high[k]) * shape->size[k];
    shape->size[k] = rut_abs((high[k] - low[k]) * shape->size[k]);
  }
  shape->pose.at = rut_frame_apply(shape->pose, rut_vec3_of(middle));
  shape->known = true;
}

// File of a mesh: relative names are in the folder of the file that has it, others and URIs as they
// are.
static void path_of(const rutUrdfShape* shape, const rutAccess* access, char path[MAX_NAME]) {
  static const char SCHEME[] = "file://";
  const char *name = shape->file, *from = shape->place.file;
  const char* slash = strrchr(from, '/');
  const int folder = slash ? (int)(slash - from) + 1 : 0;
  if (strncmp(name, SCHEME, sizeof SCHEME - 1) == 0) name += sizeof SCHEME - 1;
  rutSdfModelFile found;
  // models beside the file that names them
  if (strstr(name, "://") && strncmp(name, "http", 4) != 0 &&
      rut_sdf_find_model(access, name, from, &found)) {
    snprintf(path, MAX_NAME, "%s", found.path);
    return;
  }
  const bool whole = name[0] == '/' || strstr(name, "://");
  snprintf(path, MAX_NAME, "%.*s%s", whole ? 0 : folder, from, name);
}

// The bounding box of a mesh. False, with what is wrong, if it cannot be read.
static bool read_box(rutUrdfShape* shape, const rutAccess* access, rutMeshTime* time,
                     char why[RUT_INPUT_TEXT]) {
  char path[MAX_NAME], hint[RUT_INPUT_TEXT];
  path_of(shape, access, path);
  rutReporter quiet = {.access = access};
  rutMesh mesh = {0};
  const int fault = rut_mesh_read(access, path, time, &quiet, &mesh);
  const bool there = fault == 0 && quiet.errors == 0 && mesh.points > 0;
  if (there) {
    take_box(shape, &mesh);
  } else if (fault) {
    rut_input_explain(fault, path, RUT_MESH_MAX_BYTES, why, hint);
  } else {
    snprintf(why, RUT_INPUT_TEXT, "%.400s",
             quiet.errors ? quiet.first.message : "it has no points");
  }
  rut_mesh_free(&mesh);
  return there;
}

void rut_urdf_meshes(rutUrdf* robot, rutReporter* reporter) {
  rutMeshTime time = {RUT_MESH_SECONDS};
  int missing = 0, read = 0;
  const rutUrdfShape* first = NULL;
  char why[RUT_INPUT_TEXT] = "", first_why[RUT_INPUT_TEXT] = "";
  bool has[RUT_URDF_MAX_LINKS] = {false};
  for (int i = 0; i < robot->shapes; i++) {
    if (robot->shape[i].collision) has[robot->shape[i].link] = true;
  }
  for (int i = 0; i < robot->shapes; i++) {
    rutUrdfShape* shape = &robot->shape[i];
    if (shape->known || (!shape->collision && has[shape->link])) continue;
    snprintf(why, sizeof why, "a robot has at most %d meshes", MAX_MESHES);
    if (read++ < MAX_MESHES && read_box(shape, reporter->access, &time, why)) continue;
    missing++;
    if (first) continue;
    first = shape;
    memcpy(first_why, why, sizeof why);
  }
  if (missing == 0) return;
  rut_report_note(
      reporter, first->place, "mesh",
      "dropped: %d mesh%s that cannot be read, '%.200s' the first (%.200s): what has no "
      "other shape is left out; --models DIR names a folder in which they are",
      missing, missing == 1 ? "" : "es", first->file, first_why);
}
