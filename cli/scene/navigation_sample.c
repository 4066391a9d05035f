// SPDX-License-Identifier: BSD-3-Clause
#include "scene/navigation_sample.h"

#include <math.h>
#include <string.h>

#include "scene/little_endian.h"
#include "scene/sample.h"

enum { NUMBERS = 24 };  // bytes of the three numbers behind the head

static viewBytes* begin(const viewSampleHead* head, size_t each, const double number[3]) {
  const size_t items =
      (size_t)head->width * (size_t)(head->kind == VIEW_SAMPLE_MAP ? head->height : 1);
  viewBytes* bytes = view_bytes_create(VIEW_SAMPLE_HEAD + NUMBERS + (items * each + 7) / 8 * 8);
  if (!bytes) return NULL;
  memset(bytes->data, 0, bytes->size);
  view_sample_put_head(head, bytes->data);
  for (size_t i = 0; i < 3; i++) view_put_f64(bytes->data + VIEW_SAMPLE_HEAD + 8 * i, number[i]);
  return bytes;
}

viewBytes* view_map_begin(const viewMap* map, unsigned char** cells) {
  const double number[3] = {map->origin[0], map->origin[1], map->resolution};
  if (map->columns < 1 || map->rows < 1 || map->columns > VIEW_MAP_SIDE ||
      map->rows > VIEW_MAP_SIDE) {
    return NULL;
  }
  const viewSampleHead head = {.kind = VIEW_SAMPLE_MAP,
                               .sensor = map->vehicle,
                               .time = map->time,
                               .pose = {[3] = 1},
                               .width = map->columns,
                               .height = map->rows};
  viewBytes* bytes = begin(&head, 1, number);
  *cells = bytes ? bytes->data + VIEW_SAMPLE_HEAD + NUMBERS : NULL;
  return bytes;
}

unsigned char view_map_cell(double cost) {
  if (isnan(cost)) return VIEW_CELL_UNKNOWN;
  return (unsigned char)(VIEW_CELL_BLOCKED * fmin(fmax(cost, 0), 1));
}

viewBytes* view_path_begin(const viewPath* path, unsigned char** poses) {
  if (path->poses < 0 || path->poses > VIEW_PATH_POSES) return NULL;
  const viewSampleHead head = {.kind = VIEW_SAMPLE_PATH,
                               .sensor = path->vehicle,
                               .time = path->time,
                               .pose = {[3] = 1},
                               .width = path->poses};
  viewBytes* bytes = begin(&head, VIEW_POSE_SIZE, path->goal);
  *poses = bytes ? bytes->data + VIEW_SAMPLE_HEAD + NUMBERS : NULL;
  return bytes;
}

void view_path_put(unsigned char* poses, int index, const double pose[3]) {
  unsigned char* at = poses + (size_t)index * VIEW_POSE_SIZE;
  for (size_t i = 0; i < 3; i++) view_put_f32(at + 4 * i, (float)pose[i]);
}

viewBytes* view_map_encode(const rutNavigationInfo* info, const rutNavigationView* view,
                           int vehicle) {
  const viewMap map = {.vehicle = vehicle,
                       .time = view->map_stamp,
                       .columns = info->columns,
                       .rows = info->rows,
                       .origin = {view->origin[0], view->origin[1]},
                       .resolution = info->resolution};
  unsigned char* cells;
  viewBytes* bytes = view_map_begin(&map, &cells);
  const int n = bytes ? map.columns * map.rows : 0;
  for (int k = 0; k < n; k++) cells[k] = view_map_cell((double)view->cost[k]);
  return bytes;
}

viewBytes* view_path_encode(const rutNavigationView* view, int vehicle, double time) {
  viewPath path = {.vehicle = vehicle, .time = time, .poses = view->poses};
  for (int i = 0; i < 3; i++) path.goal[i] = view->has_goal ? view->goal[i] : (double)NAN;
  unsigned char* poses;
  viewBytes* bytes = view_path_begin(&path, &poses);
  for (int i = 0; bytes && i < path.poses; i++) view_path_put(poses, i, view->path[i]);
  return bytes;
}
