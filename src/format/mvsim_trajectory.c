// SPDX-License-Identifier: BSD-3-Clause
//
// <controller class="trajectory">: waypoints with times. In MVSim it sets the vehicle's velocity
// itself; here it gives set points to a twist_ideal, which does.
#include <stdlib.h>
#include <string.h>

#include "format/mvsim_load.h"

enum { MAX_WAYPOINTS = 10000 };

// MVSim's defaults (VehicleDifferential_ControllerTrajectory.cpp) that differ from ours: it loops.
static const rutMvsimRow rows[] = {RUT_MVSIM_ROW_CODE("class"), RUT_MVSIM_ROW_CODE("waypoint"),
                                   RUT_MVSIM_ROW("loop", RUT_MVSIM_BOOLEAN, "closed"),
                                   RUT_MVSIM_ROW_NUMBER("lookahead_distance", "lookahead"),
                                   RUT_MVSIM_ROW_NUMBER("max_angular_speed", "max_yaw_rate")};
static const rutMvsimTable table = RUT_MVSIM_TABLE("controller", rows);

typedef struct Waypoint {
  double t, x, y;
} Waypoint;

static bool read_waypoint(rutMvsim* load, rutMvsimItem item, Waypoint* w) {
  static const char* const names[] = {"t", "x", "y"};
  double* const value[] = {&w->t, &w->x, &w->y};
  *w = (Waypoint){0};
  rut_mvsim_check_attributes(load, item, names, 3);
  for (int i = 0; i < 3; i++) {
    rutPlace place;
    const char* text = rut_mvsim_attribute(load, item, names[i], &place);
    if (text && !rut_mvsim_number(load, text, place, "<waypoint>", value[i])) return false;
  }
  return true;
}

static int by_time(const void* a, const void* b) {
  const double ta = ((const Waypoint*)a)->t, tb = ((const Waypoint*)b)->t;
  return (ta > tb) - (ta < tb);
}

// The waypoints among the items, in the order of their times, as MVSim sorts them. *n gets their
// number. NULL if there are none, or after an error; else the caller frees them with free().
static Waypoint* read_waypoints(rutMvsim* load, const rutMvsimItems* items, rutPlace place,
                                int* n) {
  Waypoint* list = malloc(sizeof *list * (size_t)(items->n + 1));
  *n = 0;
  if (!list) {
    rut_mvsim_no_memory(load);
    return NULL;
  }
  for (int i = 0; i < items->n; i++) {
    if (strcmp(items->item[i].element->name, "waypoint") != 0) continue;
    if (*n == MAX_WAYPOINTS) {
      rut_mvsim_error(load, place, "<controller>", RUT_ERR_CAPACITY, "",
                      "a trajectory has at most %d waypoints", MAX_WAYPOINTS);
      break;
    }
    if (read_waypoint(load, items->item[i], &list[*n])) (*n)++;
  }
  qsort(list, (size_t)*n, sizeof *list, by_time);
  return list;
}

static void set_waypoints(rutMvsim* load, rutNode node, const Waypoint* list, int n,
                          rutPlace place) {
  double* time = malloc(sizeof *time * 3 * (size_t)(n + 1));
  if (!time) {
    rut_mvsim_no_memory(load);
    return;
  }
  double* xy = time + n;
  for (int i = 0; i < n; i++) {
    time[i] = list[i].t;
    xy[2 * i] = list[i].x;
    xy[2 * i + 1] = list[i].y;
  }
  rut_mvsim_set_numbers(load, node, "times", n, time, place);
  rut_mvsim_set_numbers(load, node, "points", 2 * n, xy, place);
  free(time);
}

void rut_mvsim_trajectory(rutMvsim* load, rutMvsimItem item, rutNode vehicle) {
  const rutPlace place = rut_mvsim_place(item);
  const rutNode drive = rut_mvsim_add(load, vehicle, "controller", "twist_ideal", "drive", place);
  const rutNode node = rut_mvsim_add(load, vehicle, "controller", "trajectory", "path", place);
  if (rut_node_is_null(drive) || rut_node_is_null(node)) return;
  rut_mvsim_set_text(load, node, "commands", "drive", place);
  rut_mvsim_set(load, node, "closed", 1, place);
  rut_mvsim_apply_item(load, &table, item, node);
  rutMvsimItems items = {0};
  int n;
  rut_mvsim_children(load, item, &items);
  Waypoint* list = read_waypoints(load, &items, place, &n);
  if (list && n < 2) {
    rut_mvsim_error(load, place, "<controller>", RUT_ERR_MODEL,
                    "<waypoint t=\"0\" x=\"0\" y=\"0\"/>, at least two of them",
                    "a trajectory needs at least 2 waypoints, and there are %d", n);
  } else if (list) {
    set_waypoints(load, node, list, n, place);
  }
  free(list);
  rut_mvsim_items_free(&items);
}
