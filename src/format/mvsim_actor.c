// SPDX-License-Identifier: BSD-3-Clause
//
// <actor>: people who walk along waypoints, and those who stand. MVSim draws them as animated
// meshes; here they look like rut's own people.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "format/mvsim_load.h"
#include "math/rut_math.h"

enum { MAX_WAYPOINTS = 10000 };

// The animations are clips of MVSim's meshes.
static const rutMvsimRow actor_rows[] = {
    RUT_MVSIM_ROW_CODE("walking_speed"),    RUT_MVSIM_ROW_CODE("running_speed"),
    RUT_MVSIM_ROW_CODE("turning_rate"),     RUT_MVSIM_ROW_CODE("height"),
    RUT_MVSIM_ROW_CODE("collision_radius"), RUT_MVSIM_ROW_CODE("collision_height"),
    RUT_MVSIM_ROW_CODE("animation_idle"),   RUT_MVSIM_ROW_CODE("animation_walk"),
    RUT_MVSIM_ROW_CODE("animation_run"),    RUT_MVSIM_ROW_CODE("path"),
    RUT_MVSIM_ROW_CODE("visual"),           RUT_MVSIM_ROW_CODE("init_pose"),
    RUT_MVSIM_ROW_CODE("init_pose3d"),      RUT_MVSIM_ROW_CODE("skip_elevation_adjust"),
    RUT_MVSIM_ROW_CODE("publish"),          RUT_MVSIM_ROW_UNUSED("init_vel"),
    RUT_MVSIM_ROW_UNUSED("animation"),
};
static const rutMvsimTable actor_table = RUT_MVSIM_TABLE("actor", actor_rows);

typedef struct Waypoint {
  rutPlace place;
  double x, y, pause;
  double speed;  // on the way there, 0: it never leaves the point before
} Waypoint;

typedef struct Actor {
  rutMvsim* load;
  const char* name;
  rutPlace place, path_place;
  double walking, running, turning, height;  // [m/s], [deg/s], [m]
  bool has_pose, loop;
  double pose[3];   // x y [m], yaw [deg]
  Waypoint* point;  // heap
  int points, capacity;
} Actor;

// ---- values ----

// A number of the first item with a tag, from `least` to `most`, into *out if there is one.
static void read_number(Actor* a, const rutMvsimItems* items, const char* tag, double least,
                        double most, double* out) {
  const rutMvsimItem item = rut_mvsim_first(items, tag);
  char label[RUT_MVSIM_LABEL];
  double value;
  const char* text = item.element ? rut_mvsim_text(a->load, item) : NULL;
  if (!text) return;
  const rutPlace place = rut_mvsim_place(item);
  rut_mvsim_label(item, label);
  if (!rut_mvsim_number(a->load, text, place, label, &value)) return;
  if (value >= least && value <= most) {
    *out = value;
    return;
  }
  rut_mvsim_error(a->load, place, label, RUT_ERR_MODEL, "", "%g is out of range: %g to %g", value,
                  least, most);
}

// Numbers of an item as a pose: x y yaw, or x y z yaw pitch roll. False after an error.
static bool read_pose(Actor* a, rutMvsimItem item, double pose[3]) {
  double p[6];
  char label[RUT_MVSIM_LABEL];
  const rutPlace place = rut_mvsim_place(item);
  const char* text = rut_mvsim_text(a->load, item);
  if (!text) return false;
  rut_mvsim_label(item, label);
  const rutMvsimForm form = {"x y yaw, or x y z yaw pitch roll", 3, 6};
  const int n = rut_mvsim_numbers(a->load, text, place, label, form, p);
  if (n < 0) return false;
  if (n != 3 && n != 6) {
    rut_mvsim_error(a->load, place, label, RUT_ERR_PARSE, "",
                    "must be the numbers 'x y yaw' or 'x y z yaw pitch roll', not %d numbers", n);
    return false;
  }
  if (n == 6 && p[2] != 0) {
    rut_mvsim_warn(a->load, place, label, "actor height",
                   "people walk on the ground: the height of %g m is not used", p[2]);
  }
  pose[0] = p[0];
  pose[1] = p[1];
  pose[2] = n == 3 ? p[2] : p[3];
  return true;
}

static void read_start(Actor* a, const rutMvsimItems* items) {
  rutMvsimItem item = rut_mvsim_first(items, "init_pose");
  if (!item.element) item = rut_mvsim_first(items, "init_pose3d");
  a->has_pose = item.element && read_pose(a, item, a->pose);
}

// ---- the path ----

static bool add_point(Actor* a, Waypoint point) {
  if (a->points == MAX_WAYPOINTS) {
    rut_mvsim_error(a->load, point.place, "<path>", RUT_ERR_CAPACITY, "",
                    "a path has at most %d waypoints", MAX_WAYPOINTS);
    return false;
  }
  if (a->points == a->capacity) {
    const int capacity = 2 * a->capacity + 16;
    Waypoint* grown = realloc(a->point, (size_t)capacity * sizeof *grown);
    if (!grown) {
      rut_mvsim_no_memory(a->load);
      return false;
    }
    a->point = grown;
    a->capacity = capacity;
  }
  a->point[a->points++] = point;
  return true;
}

static void read_waypoint(Actor* a, rutMvsimItem item) {
  static const char* const attributes[] = {"pause", "animation"};
  Waypoint w = {.place = rut_mvsim_place(item)};
  double pose[3];
  rut_mvsim_check_attributes(a->load, item, attributes, 2);
  rutPlace place;
  const char* pause = rut_mvsim_attribute(a->load, item, "pause", &place);
  const char* animation = rut_mvsim_attribute(a->load, item, "animation", NULL);
  if (!read_pose(a, item, pose)) return;
  if (pause && !rut_mvsim_number(a->load, pause, place, "<waypoint>", &w.pause)) return;
  if (!(w.pause >= 0 && w.pause <= 1e6)) {
    rut_mvsim_error(a->load, place, "<waypoint>", RUT_ERR_MODEL, "",
                    "a pause of %g s is out of range: 0 to 1e6", w.pause);
    return;
  }
  w.x = pose[0];
  w.y = pose[1];
  // other words are names of clips, which are walked, as in MVSim
  w.speed = a->walking;
  if (animation && strcmp(animation, "run") == 0) w.speed = a->running;
  if (animation && strcmp(animation, "idle") == 0) w.speed = 0;
  add_point(a, w);
}

static void read_path(Actor* a, rutMvsimItem path) {
  static const char* const attributes[] = {"loop"};
  static const char* const known[] = {"waypoint"};
  rutPlace place;
  rut_mvsim_check_attributes(a->load, path, attributes, 1);
  const char* loop = rut_mvsim_attribute(a->load, path, "loop", &place);
  if (loop) rut_mvsim_boolean(a->load, loop, place, "<path>", &a->loop);
  rutMvsimItems items = {0};
  rut_mvsim_children(a->load, path, &items);
  for (int i = 0; i < items.n && !a->load->halted; i++) {
    const char* tag = items.item[i].element->name;
    if (strcmp(tag, "waypoint") == 0) {
      read_waypoint(a, items.item[i]);
    } else {
      rut_mvsim_unused(a->load, rut_mvsim_place(items.item[i]),
                       (rutMvsimUnused){"path", tag, false, known, 1});
    }
  }
  rut_mvsim_items_free(&items);
}

// MVSim begins at the initial pose, and an actor that is idle on the way to a point stays where it
// is for ever.
static void complete_path(Actor* a) {
  if (a->points == 0) return;
  const Waypoint first = a->point[0];
  const bool apart = a->has_pose && rut_hypot(first.x - a->pose[0], first.y - a->pose[1]) > 0.01;
  if (apart && !a->loop && add_point(a, first)) {
    memmove(a->point + 1, a->point, (size_t)(a->points - 1) * sizeof *a->point);
    a->point[0] = (Waypoint){a->place, a->pose[0], a->pose[1], 0, a->walking};
  } else if (apart) {
    rut_mvsim_warn(a->load, first.place, "<path>", NULL,
                   "'%.80s' starts at the first waypoint of its loop, not at <init_pose>", a->name);
  }
  for (int i = 1; i < a->points; i++) {
    if (a->point[i].speed > 0) continue;
    a->loop = false;
    a->points = i;
  }
}

// ---- nodes ----

// True if there are two places to walk between.
static bool walks(const Actor* a) {
  for (int i = 1; i < a->points; i++) {
    if (a->point[i].x != a->point[0].x || a->point[i].y != a->point[0].y) return true;
  }
  return false;
}

static void add_look(Actor* a, rutNode parent) {
  const rutNode look = rut_mvsim_add(a->load, parent, "scenery", "person", "", a->place);
  if (!rut_node_is_null(look)) rut_mvsim_set(a->load, look, "height", a->height, a->place);
}

static void add_walker(Actor* a) {
  rutMvsim* load = a->load;
  const rutNode node = rut_mvsim_add(load, load->world, "actor", "", a->name, a->place);
  double* xy = malloc((size_t)a->points * 2 * sizeof *xy);
  if (!xy) rut_mvsim_no_memory(load);
  if (xy && !rut_node_is_null(node)) {
    for (int i = 0; i < a->points; i++) {
      xy[2 * i] = a->point[i].x;
      xy[2 * i + 1] = a->point[i].y;
    }
    rut_mvsim_set_numbers(load, node, "path", 2 * a->points, xy, a->path_place);
    rut_mvsim_set(load, node, "speed", a->walking, a->place);
    rut_mvsim_set(load, node, "turn_rate", a->turning * RUT_MVSIM_DEGREE, a->place);
    rut_mvsim_set_text(load, node, "end", a->loop ? "loop" : "stop", a->path_place);
    for (int i = 0; i < a->points; i++) {
      const Waypoint* w = &a->point[i];
      const bool runs = w->speed > 0 && w->speed != a->walking;
      if (w->pause == 0 && !runs) continue;
      const rutNode stop = rut_mvsim_add(load, node, "waypoint", "", "", w->place);
      if (rut_node_is_null(stop)) break;
      rut_mvsim_set(load, stop, "point", i, w->place);
      if (w->pause > 0) rut_mvsim_set(load, stop, "pause", w->pause, w->place);
      if (runs) rut_mvsim_set(load, stop, "speed", w->speed, w->place);
    }
    add_look(a, node);
  }
  free(xy);
}

// Someone who stands at the place of the first waypoint, or at the initial pose.
static void add_stander(Actor* a) {
  rutMvsim* load = a->load;
  const double at[2] = {a->points > 0 ? a->point[0].x : a->pose[0],
                        a->points > 0 ? a->point[0].y : a->pose[1]};
  const rutNode node = rut_mvsim_add(load, load->world, "scenery", "person", a->name, a->place);
  if (rut_node_is_null(node)) return;
  rut_mvsim_set(load, node, "height", a->height, a->place);
  const rutNode place = rut_mvsim_add(load, node, "place", "", "", a->place);
  if (rut_node_is_null(place)) return;
  rut_mvsim_set_numbers(load, place, "position", 2, at, a->place);
  rut_mvsim_set(load, place, "yaw", a->pose[2] * RUT_MVSIM_DEGREE, a->place);
}

static void read_parts(Actor* a, const rutMvsimItems* items) {
  rut_mvsim_apply(a->load, &actor_table, items, a->load->world);
  read_number(a, items, "walking_speed", 1e-3, 1e3, &a->walking);
  read_number(a, items, "running_speed", 1e-3, 1e3, &a->running);
  read_number(a, items, "turning_rate", 0.1, 5e4, &a->turning);
  read_number(a, items, "height", 0.3, 3, &a->height);
  rut_mvsim_publish(a->load, items);
  read_start(a, items);
  const rutMvsimItem path = rut_mvsim_first(items, "path");
  a->path_place = path.element ? rut_mvsim_place(path) : a->place;
  if (path.element) read_path(a, path);
  complete_path(a);
}

void rut_mvsim_read_actor(rutMvsim* load, rutMvsimItem item) {
  static const char* const attributes[] = {"name", "class"};
  rut_mvsim_check_attributes(load, item, attributes, 2);
  char made[24];
  snprintf(made, sizeof made, "actor%03d", ++load->unnamed_actors);
  const char* name = rut_mvsim_attribute(load, item, "name", NULL);
  if (!name || !name[0]) name = made;
  // MVSim's own values
  Actor a = {.load = load,
             .name = name,
             .place = rut_mvsim_place(item),
             .walking = 1.4,
             .running = 3.5,
             .turning = 120,
             .height = 1.75};
  load->inside = true;
  rut_scope_set(load->variables, "NAME", name);
  rutMvsimItems items = {0};
  if (rut_mvsim_collect(load, item, "actor:class", &items) && !load->halted) {
    read_parts(&a, &items);
    if (walks(&a)) {
      add_walker(&a);
    } else {
      add_stander(&a);
    }
  }
  rut_mvsim_items_free(&items);
  free(a.point);
  rut_scope_set(load->variables, "NAME", "");
  load->inside = false;
}
