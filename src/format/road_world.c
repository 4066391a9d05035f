// SPDX-License-Identifier: BSD-3-Clause
#include "format/road_world.h"

#include "math/rut_math.h"

static void check(const rutRoadWorld* w, rutStatus status, const rutError* err) {
  if (status == RUT_OK) return;
  rut_report_error(w->reporter, status, w->place, err->element, "", "%s", err->message);
}

rutNode rut_road_add(const rutRoadWorld* w, rutNode parent, const char* kind, const char* type,
                     const char* name) {
  rutError err = {0};
  const rutNode node = rut_spec_add(w->spec, parent, kind, type, name, &err);
  if (rut_node_is_null(node)) {
    rut_report_error(w->reporter, err.status, w->place, kind, "", "%s", err.message);
  } else {
    rut_node_place(w->spec, node, NULL, w->place);
  }
  return node;
}

void rut_road_set_list(const rutRoadWorld* w, rutNode node, const char* field, int n,
                       const double* value) {
  rutError err = {0};
  if (rut_node_is_null(node)) return;
  check(w, rut_node_set_numbers(w->spec, node, field, n, value, &err), &err);
}

void rut_road_set(const rutRoadWorld* w, rutNode node, const char* field, double value) {
  rut_road_set_list(w, node, field, 1, &value);
}

void rut_road_set_text(const rutRoadWorld* w, rutNode node, const char* field, const char* text) {
  rutError err = {0};
  if (rut_node_is_null(node)) return;
  check(w, rut_node_set(w->spec, node, field, text, &err), &err);
}

rutNode rut_road_add_terrain(const rutRoadWorld* w, const char* type, const char* file) {
  const rutNode node = rut_road_add(w, rut_spec_root(w->spec), "terrain", type, "road");
  if (rut_node_is_null(node)) return node;
  // without a place the name is not seen from the folder of a file
  rut_node_place(w->spec, node, "file", (rutPlace){0});
  rut_road_set_text(w, node, "file", file);
  rut_node_place(w->spec, node, "file", w->place);
  return node;
}

static void add_wheel(const rutRoadWorld* w, rutNode vehicle, const char* place,
                      const double position[2], bool steered) {
  const rutNode wheel = rut_road_add(w, vehicle, "wheel", "", place);
  rut_road_set_text(w, wheel, "place", place);
  rut_road_set_list(w, wheel, "position", 2, position);
  rut_road_set(w, wheel, "mass", 15);
  rut_road_set(w, wheel, "radius", 0.31);
  rut_road_set(w, wheel, "width", 0.2);
  rut_road_set(w, wheel, "steered", steered);
}

void rut_road_add_car(const rutRoadWorld* w, const rutPathPoints* path, double speed) {
  static const double HALF_TRACK = 0.75, WHEELBASE = 2.6;
  static const double outline[] = {-0.8, -0.88, 3.3, -0.88, 3.5,  -0.5,
                                   3.5,  0.5,   3.3, 0.88,  -0.8, 0.88};
  const rutNode car = rut_road_add(w, rut_spec_root(w->spec), "vehicle", "", "car");
  const double yaw = rut_atan2(path->xy[3] - path->xy[1], path->xy[2] - path->xy[0]);
  rut_road_set_list(w, car, "position", 2, path->xy);
  rut_road_set(w, car, "yaw", yaw);
  rut_road_set(w, car, "max_steer", 0.6);
  const rutNode chassis = rut_road_add(w, car, "chassis", "", "");
  rut_road_set(w, chassis, "mass", 1300);
  rut_road_set(w, chassis, "z_min", 0.2);
  rut_road_set(w, chassis, "z_max", 1.45);
  rut_road_set_list(w, chassis, "outline", RUT_COUNT_OF(outline), outline);
  add_wheel(w, car, "rear_left", (const double[]){0, HALF_TRACK}, false);
  add_wheel(w, car, "rear_right", (const double[]){0, -HALF_TRACK}, false);
  add_wheel(w, car, "front_left", (const double[]){WHEELBASE, HALF_TRACK}, true);
  add_wheel(w, car, "front_right", (const double[]){WHEELBASE, -HALF_TRACK}, true);
  const rutNode tyre = rut_road_add(w, car, "tyre", "coulomb", "");
  rut_road_set(w, tyre, "friction", 0.9);
  rut_road_set(w, tyre, "rolling_resistance", 0.012);
  const rutNode drive = rut_road_add(w, car, "drive", "open", "");
  rut_road_set_text(w, drive, "driven", "rear");
  const rutNode driver = rut_road_add(w, car, "controller", "waypoints", "");
  rut_road_set(w, driver, "speed", speed);
  rut_road_set_list(w, driver, "points", 2 * path->n, path->xy);
}
