// SPDX-License-Identifier: BSD-3-Clause
//
// What MVSim's vehicles, blocks and some elements have in common: where they start, how they move.
#include <stdlib.h>
#include <string.h>

#include "format/mvsim_load.h"
#include "math/rut_math.h"

// Numbers of the first item with a tag. Returns how many, 0 if there is none, -1 after an error.
static int read_numbers(rutMvsim* load, const rutMvsimItems* items, const char* tag,
                        rutMvsimForm form, double* out, rutMvsimItem* found) {
  *found = rut_mvsim_first(items, tag);
  if (!found->element) return 0;
  const char* text = rut_mvsim_text(load, *found);
  char label[RUT_MVSIM_LABEL];
  rut_mvsim_label(*found, label);
  if (!text) return -1;
  return rut_mvsim_numbers(load, text, rut_mvsim_place(*found), label, form, out);
}

// <skip_elevation_adjust/> counts when it is there; one that says false does not.
static bool skips_elevation(rutMvsim* load, const rutMvsimItems* items) {
  const rutMvsimItem item = rut_mvsim_first(items, "skip_elevation_adjust");
  if (!item.element) return false;
  const char* text = rut_mvsim_text(load, item);
  bool skip = true;
  if (text && text[0]) {
    rut_mvsim_boolean(load, text, rut_mvsim_place(item), "<skip_elevation_adjust>", &skip);
  }
  return skip;
}

bool rut_mvsim_pose(rutMvsim* load, const rutMvsimItems* items, rutNode node, bool ground,
                    double along) {
  double p[6] = {0, 0, 0, 0, 0, 0};  // x y z yaw pitch roll
  rutMvsimItem item;
  double flat[3] = {0, 0, 0};
  int given = read_numbers(load, items, "init_pose", (rutMvsimForm){"x y yaw", 3, 3}, flat, &item);
  const bool level = given != 0;
  if (level) {
    p[0] = flat[0];
    p[1] = flat[1];
    p[3] = flat[2];
  } else {
    const rutMvsimForm form = {"x y z yaw pitch roll", 6, 6};
    given = read_numbers(load, items, "init_pose3d", form, p, &item);
  }
  if (given <= 0) return given < 0;  // a wrong one was reported already
  const rutPlace place = rut_mvsim_place(item);
  for (int i = 3; i < 6; i++) p[i] *= RUT_MVSIM_DEGREE;
  double s, c;
  rut_sincos(p[3], &s, &c);
  const double position[3] = {p[0] + c * along, p[1] + s * along, p[2]};
  const bool skip = ground && skips_elevation(load, items);
  rut_mvsim_set_numbers(load, node, "position", level && !skip ? 2 : 3, position, place);
  rut_mvsim_set(load, node, "yaw", p[3], place);
  if (!level) {
    rut_mvsim_set(load, node, "pitch", p[4], place);
    rut_mvsim_set(load, node, "roll", p[5], place);
  }
  if (skip) rut_mvsim_set(load, node, "on_ground", 0, place);
  return true;
}

void rut_mvsim_velocity(rutMvsim* load, const rutMvsimItems* items, rutNode node) {
  rutMvsimItem item;
  double v[3];
  const rutMvsimForm form = {"vx vy yaw_rate", 3, 3};
  if (read_numbers(load, items, "init_vel", form, v, &item) <= 0) return;
  const rutPlace place = rut_mvsim_place(item);
  rut_mvsim_set_numbers(load, node, "velocity", 2, v, place);
  rut_mvsim_set(load, node, "yaw_rate", v[2] * RUT_MVSIM_DEGREE, place);
}

// ---- keyframes ----

enum { MAX_KEYFRAMES = 10000 };

typedef struct Keyframe {
  double time, pose[6];  // x y z yaw pitch roll [m, rad]
  rutPlace place;
} Keyframe;

// Read one <time_pose> or <time_pose3d>. False after an error.
static bool read_keyframe(rutMvsim* load, rutMvsimItem item, bool spatial, Keyframe* out) {
  const char* text = rut_mvsim_text(load, item);
  double v[7];
  if (!text) return false;
  *out = (Keyframe){.place = rut_mvsim_place(item)};
  const int n = spatial ? 7 : 4;
  const rutMvsimForm form = {spatial ? "t x y z yaw pitch roll" : "t x y yaw", n, n};
  char label[RUT_MVSIM_LABEL];
  rut_mvsim_label(item, label);
  if (rut_mvsim_numbers(load, text, out->place, label, form, v) < 0) return false;
  out->time = v[0];
  for (int i = 1; i < n; i++) out->pose[spatial || i < 3 ? i - 1 : 3] = v[i];
  for (int i = 3; i < 6; i++) out->pose[i] *= RUT_MVSIM_DEGREE;
  return true;
}

// Insert in the order of time: MVSim keeps poses sorted, whatever their order in the file.
static void insert(Keyframe* list, int n, Keyframe frame) {
  int i = n;
  for (; i > 0 && list[i - 1].time > frame.time; i--) list[i] = list[i - 1];
  list[i] = frame;
}

static int read_keyframes(rutMvsim* load, const rutMvsimItems* items, Keyframe* list) {
  int n = 0;
  for (int i = 0; i < items->n && !load->halted; i++) {
    const rutMvsimItem item = items->item[i];
    const char* tag = item.element->name;
    const bool spatial = strcmp(tag, "time_pose3d") == 0;
    if (!spatial && strcmp(tag, "time_pose") != 0) {
      static const char* const known[] = {"time_pose", "time_pose3d"};
      rut_mvsim_unused(load, rut_mvsim_place(item),
                       (rutMvsimUnused){"animation", tag, false, known, 2});
      continue;
    }
    Keyframe frame;
    if (n == MAX_KEYFRAMES) {
      rut_mvsim_error(load, rut_mvsim_place(item), "<animation>", RUT_ERR_CAPACITY, "",
                      "an animation has at most %d poses", MAX_KEYFRAMES);
    } else if (read_keyframe(load, item, spatial, &frame)) {
      insert(list, n++, frame);
    }
  }
  return n;
}

void rut_mvsim_animation(rutMvsim* load, const rutMvsimItems* items, rutNode node) {
  static const char* const types[] = {"keyframes"};
  const rutMvsimItem item = rut_mvsim_first(items, "animation");
  if (!item.element || rut_node_is_null(node)) return;
  const rutPlace place = rut_mvsim_place(item);
  const int type = rut_mvsim_word(load, item, "type", types, 1, -2);
  if (type == -2) {
    rut_mvsim_error(load, place, "<animation>", RUT_ERR_MODEL,
                    "write <animation type=\"keyframes\">", "the attribute 'type' is missing");
  }
  if (type < 0) return;
  rutMvsimItems children = {0};
  rut_mvsim_children(load, item, &children);
  Keyframe* list = malloc(((size_t)children.n + 1) * sizeof *list);
  if (!list) {
    rut_mvsim_items_free(&children);
    rut_mvsim_no_memory(load);
    return;
  }
  const int n = read_keyframes(load, &children, list);
  for (int i = 0; i < n; i++) {
    const Keyframe* k = &list[i];
    const rutNode frame = rut_mvsim_add(load, node, "keyframe", "", "", k->place);
    rut_mvsim_set(load, frame, "time", k->time, k->place);
    rut_mvsim_set_numbers(load, frame, "position", 3, k->pose, k->place);
    rut_mvsim_set(load, frame, "yaw", k->pose[3], k->place);
    rut_mvsim_set(load, frame, "pitch", k->pose[4], k->place);
    rut_mvsim_set(load, frame, "roll", k->pose[5], k->place);
  }
  free(list);
  rut_mvsim_items_free(&children);
}

void rut_mvsim_publish(rutMvsim* load, const rutMvsimItems* items) {
  for (int i = 0; i < items->n; i++) {
    const rutMvsimItem item = items->item[i];
    if (strcmp(item.element->name, "publish") != 0) continue;
    bool enabled = true;
    rutPlace place = rut_mvsim_place(item);
    const char* text = rut_mvsim_attribute(load, item, "enabled", &place);
    if (text && !rut_mvsim_boolean(load, text, place, "<publish>", &enabled)) continue;
    if (enabled) {
      rut_mvsim_warn(load, rut_mvsim_place(item), "<publish>", "publish",
                     "publish is not supported yet: nothing is sent");
    }
  }
}

// ---- mounts of sensors ----

// <pose> into p, which is x y z yaw pitch roll. Six numbers were meant for <pose_3d>; MVSim takes
// the first three as x y yaw.
static void read_flat_pose(rutMvsim* load, const char* text, rutPlace place, const char* label,
                           double p[6]) {
  double v[6] = {0};
  const int n = rut_mvsim_numbers(load, text, place, label, (rutMvsimForm){"x y yaw", 3, 6}, v);
  if (n == 3) {
    p[0] = v[0];
    p[1] = v[1];
    p[3] = v[2];
  } else if (n == 6) {
    memcpy(p, v, sizeof v);
    rut_report_note(load->reporter, place, label,
                    "a <pose> of six numbers is taken as <pose_3d>: x y z yaw pitch roll (MVSim "
                    "takes the first three as x y yaw)");
  } else if (n > 0) {
    rut_mvsim_error(load, place, label, RUT_ERR_PARSE, "or x y z yaw pitch roll in <pose_3d>",
                    "must be the numbers 'x y yaw', not '%.60s'", text);
  }
}

rutPlace rut_mvsim_mount(rutMvsim* load, const rutMvsimItems* items, rutPlace place, double z,
                         double p[6]) {
  const double level[6] = {0, 0, z, 0, 0, 0};
  memcpy(p, level, sizeof level);
  for (int i = 0; i < items->n; i++) {
    const rutMvsimItem item = items->item[i];
    const char* tag = item.element->name;
    const bool flat = strcmp(tag, "pose") == 0, spatial = strcmp(tag, "pose_3d") == 0;
    if (!flat && !spatial && strcmp(tag, "height") != 0) continue;
    const char* text = rut_mvsim_text(load, item);
    char label[RUT_MVSIM_LABEL];
    rut_mvsim_label(item, label);
    place = rut_mvsim_place(item);
    if (!text) continue;
    if (spatial) {
      rut_mvsim_numbers(load, text, place, label, (rutMvsimForm){"x y z yaw pitch roll", 6, 6}, p);
    } else if (flat) {
      read_flat_pose(load, text, place, label, p);
    } else {
      rut_mvsim_number(load, text, place, label, &p[2]);
    }
  }
  return place;
}

void rut_mvsim_mount_visuals(rutMvsim* load, const rutMvsimItems* items, rutNode node) {
  for (int i = 0; i < items->n; i++) {
    if (strcmp(items->item[i].element->name, "visual") == 0) {
      rut_mvsim_visual(load, items->item[i], node, 1);
    }
  }
}
