// SPDX-License-Identifier: BSD-3-Clause
//
// Frames of SDF (http://sdformat.org/tutorials?tut=pose_frame_semantics). A pose is relative to the
// frame that it names, else: of links, frames and models in a model to this model, of joints to
// their child link, of frames that are attached to others to these. The pose of a model is that of
// its placement frame, if it names one: with its pose X and that of the frame in it, Y, the model
// is at X Y^-1.
#include <stdio.h>
#include <string.h>

#include "base/units.h"
#include "format/sdf.h"
#include "math/quat.h"

enum { MAX_NAME = 512 };
static const rutFramePose NOWHERE = {{{1, 0, 0, 0, 1, 0, 0, 0, 1}}, {0, 0, 0}};
static const double DEGREE = 0.017453292519943295;

#define FAIL(sdf, element, hint, ...)                                                             \
  rut_report_error((sdf)->reporter, RUT_ERR_MODEL, rut_sdf_place(element), (element)->name, hint, \
                   __VA_ARGS__)

// ---- elements ----

const rutXmlElement* rut_sdf_child(const rutXmlElement* element, const char* name) {
  const rutXmlElement* child = element ? element->first : NULL;
  while (child && strcmp(child->name, name) != 0) child = child->next;
  return child;
}

const char* rut_sdf_text(const rutXmlElement* element, const char* name) {
  const rutXmlElement* child = rut_sdf_child(element, name);
  return child ? child->text : "";
}

const char* rut_sdf_attribute(const rutXmlElement* element, const char* name) {
  const rutXmlAttribute* attribute = rut_xml_attribute(element, name);
  return attribute ? attribute->value : "";
}

rutPlace rut_sdf_place(const rutXmlElement* element) {
  return (rutPlace){element->file, element->line, element->column};
}

bool rut_sdf_numbers(rutSdf* sdf, const rutXmlElement* element, const char* name, int n,
                     double* out) {
  const rutXmlElement* child = rut_sdf_child(element, name);
  double value[8];
  if (!child) return true;
  if (!rut_urdf_numbers(child->text, n, value)) {
    FAIL(sdf, child, "", "must be %d number%s of at most 1e9, not '%.60s'", n, n == 1 ? "" : "s",
         child->text);
    return false;
  }
  memcpy(out, value, (size_t)n * sizeof *out);
  return true;
}

rutFramePose rut_sdf_pose(rutSdf* sdf, const rutXmlElement* element) {
  const rutXmlElement* child = rut_sdf_child(element, "pose");
  rutFramePose pose = {rut_mat3_identity(), {0, 0, 0}};
  double value[7] = {0};
  if (!child || child->text[0] == '\0') return pose;
  const bool quaternion = strcmp(rut_sdf_attribute(child, "rotation_format"), "quat_xyzw") == 0;
  if (!rut_sdf_numbers(sdf, element, "pose", quaternion ? 7 : 6, value)) return pose;
  pose.at = rut_vec3_of(value);
  if (quaternion) {
    const double* q = value + 3;
    const double norm = rut_sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    if (norm > 1e-6) {
      pose.turn = rut_quat_matrix(rut_quat(q[3] / norm, q[0] / norm, q[1] / norm, q[2] / norm));
    } else {
      FAIL(sdf, child, "", "a quaternion must not be 0");
    }
    return pose;
  }
  const char* degrees = rut_sdf_attribute(child, "degrees");
  const double unit = strcmp(degrees, "true") == 0 || strcmp(degrees, "1") == 0 ? DEGREE : 1;
  pose.turn = rut_mat3_of_rpy(unit * value[3], unit * value[4], unit * value[5]);
  return pose;
}

// ---- the list ----

static bool kind_of(const char* name, rutSdfKind* kind) {
  static const char* const names[] = {"model", "link", "joint", "frame"};
  for (int i = 0; i < RUT_COUNT_OF(names); i++) {
    if (strcmp(name, names[i]) != 0) continue;
    *kind = (rutSdfKind)i;
    return true;
  }
  return false;
}

// The name of something in a model, seen from the outermost one. False if it is too long.
static bool whole_name(const rutSdf* sdf, int scope, const char* name, char out[MAX_NAME]) {
  const char* around = sdf->frame[scope].name;
  const int n = snprintf(out, MAX_NAME, "%s%s%s", around, around[0] ? "::" : "", name);
  return n >= 0 && n < MAX_NAME;
}

static int search(const rutSdf* sdf, const char* name) {
  int i = sdf->frames - 1;
  while (i >= 0 && strcmp(sdf->frame[i].name, name) != 0) i--;
  return i;
}

static int add_frame(rutSdf* sdf, const rutXmlElement* element, rutSdfKind kind, int scope) {
  const char* name = rut_sdf_attribute(element, "name");
  char whole[MAX_NAME] = "";
  if (sdf->frames == RUT_SDF_MAX_FRAMES) {
    FAIL(sdf, element, "", "a model has at most %d links, joints and frames", RUT_SDF_MAX_FRAMES);
    return -1;
  }
  const bool outermost = sdf->frames == 0;
  if (!outermost && !name[0]) {
    FAIL(sdf, element, "", "needs 'name'");
    return -1;
  }
  if (!outermost && !whole_name(sdf, scope, name, whole)) {
    FAIL(sdf, element, "", "its name is too long");
    return -1;
  }
  if (!outermost && search(sdf, whole) >= 0) {
    FAIL(sdf, element, "", "there are two of the name '%.60s'", whole);
    return -1;
  }
  const char* kept = rut_urdf_keep(sdf->robot, whole, strlen(whole));
  if (!kept) {
    FAIL(sdf, element, "", "its names are too long");
    return -1;
  }
  sdf->frame[sdf->frames] =
      (rutSdfFrame){.kind = kind, .name = kept, .element = element, .scope = scope, .link = -1};
  return sdf->frames++;
}

void rut_sdf_list(rutSdf* sdf, const rutXmlElement* model) {
  if (add_frame(sdf, model, RUT_SDF_MODEL, 0) < 0) return;
  // models that are found on the way are looked into in turn
  for (int scope = 0; scope < sdf->frames; scope++) {
    if (sdf->frame[scope].kind != RUT_SDF_MODEL) continue;
    const rutXmlElement* child = sdf->frame[scope].element->first;
    for (; child; child = child->next) {
      rutSdfKind kind;
      if (sdf->reporter->errors >= RUT_READER_MAX_ERRORS) return;
      if (kind_of(child->name, &kind)) add_frame(sdf, child, kind, scope);
    }
  }
}

int rut_sdf_find(const rutSdf* sdf, int scope, const char* name) {
  char whole[MAX_NAME];
  if (strcmp(name, "__model__") == 0) return scope;
  return whole_name(sdf, scope, name, whole) && name[0] ? search(sdf, whole) : -1;
}

// ---- where they are ----

// What a pose is relative to. -1 after an error.
static int base_of(rutSdf* sdf, const rutSdfFrame* frame) {
  const rutXmlElement* pose = rut_sdf_child(frame->element, "pose");
  const rutXmlElement* at = pose ? pose : frame->element;
  const char* relative = pose ? rut_sdf_attribute(pose, "relative_to") : "";
  if (!relative[0] && frame->kind == RUT_SDF_JOINT) {
    relative = rut_sdf_text(frame->element, "child");
    at = frame->element;
  }
  if (!relative[0] && frame->kind == RUT_SDF_FRAME) {
    relative = rut_sdf_attribute(frame->element, "attached_to");
  }
  if (!relative[0]) return frame->scope;
  const int base = rut_sdf_find(sdf, frame->scope, relative);
  if (base >= 0) return base;
  // it may be in a model that was not found, as was told
  if (rut_sdf_child(sdf->frame[frame->scope].element, "include")) return frame->scope;
  FAIL(sdf, at, "", "there is no frame '%.60s'", relative);
  return base;
}

static rutFramePose own_pose(rutSdf* sdf, int index);

// Where a frame is in another one to which its pose leads. Identity after an error.
static rutFramePose pose_within(rutSdf* sdf, int index, int outer) {
  rutFramePose pose = NOWHERE;
  for (int step = 0; index != outer; step++) {
    const rutSdfFrame* frame = &sdf->frame[index];
    if (index == 0 || step > sdf->frames) {
      FAIL(sdf, sdf->frame[outer].element, "", "the pose of its placement frame is not inside it");
      return NOWHERE;
    }
    pose = rut_frame_mul(own_pose(sdf, index), pose);
    index = base_of(sdf, frame);
    if (index < 0) return NOWHERE;
  }
  return pose;
}

// Its pose in what that is relative to. Identity after an error.
static rutFramePose own_pose(rutSdf* sdf, int index) {
  rutSdfFrame* frame = &sdf->frame[index];
  const char* name = rut_sdf_attribute(frame->element, "placement_frame");
  if (frame->own_state == 2) return frame->own;
  if (frame->own_state == 1) {
    FAIL(sdf, frame->element, "", "placement frames go round in a circle at '%.60s'", frame->name);
    return NOWHERE;
  }
  frame->own_state = 1;
  frame->own = rut_sdf_pose(sdf, frame->element);
  if (name[0] && strcmp(name, "__model__") != 0) {
    const int scope = frame->kind == RUT_SDF_MODEL ? index : frame->scope;
    const int placed = rut_sdf_find(sdf, scope, name);
    if (placed >= 0) {
      frame->own = rut_frame_mul(frame->own, rut_frame_inverse(pose_within(sdf, placed, index)));
    } else {
      FAIL(sdf, frame->element, "", "there is no frame '%.60s' in it, its placement frame", name);
    }
  }
  frame->own_state = 2;
  return frame->own;
}

rutFramePose rut_sdf_place_frame(rutSdf* sdf, int index) {
  rutSdfFrame* frame = &sdf->frame[index];
  if (frame->state == 2) return frame->pose;
  if (frame->state == 1) {
    FAIL(sdf, frame->element, "", "poses go round in a circle at '%.60s'", frame->name);
    frame->state = 2;
    return frame->pose;
  }
  frame->state = 1;
  frame->pose = NOWHERE;
  // the outermost model is where the vehicle is
  const int base = index == 0 ? -1 : base_of(sdf, frame);
  if (base >= 0) {
    const rutFramePose around = rut_sdf_place_frame(sdf, base);
    frame->pose = rut_frame_mul(around, own_pose(sdf, index));
  }
  frame->state = 2;
  return frame->pose;
}

rutFramePose rut_sdf_outer_pose(rutSdf* sdf) { return own_pose(sdf, 0); }

static int first_link(const rutSdf* sdf, int scope) {
  for (int i = 0; i < sdf->frames; i++) {
    if (sdf->frame[i].kind == RUT_SDF_LINK && sdf->frame[i].scope == scope) return i;
  }
  return -1;
}

int rut_sdf_link_of(const rutSdf* sdf, int index) {
  for (int step = 0; index >= 0 && step <= sdf->frames; step++) {
    const rutSdfFrame* frame = &sdf->frame[index];
    const char* to = "";
    if (frame->kind == RUT_SDF_LINK) return index;
    if (frame->kind == RUT_SDF_FRAME) to = rut_sdf_attribute(frame->element, "attached_to");
    if (frame->kind == RUT_SDF_JOINT) to = rut_sdf_text(frame->element, "child");
    if (frame->kind == RUT_SDF_MODEL) return first_link(sdf, index);
    index = to[0] ? rut_sdf_find(sdf, frame->scope, to) : frame->scope;
  }
  return -1;
}
