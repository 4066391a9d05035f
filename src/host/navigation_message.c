// SPDX-License-Identifier: BSD-3-Clause
#include "host/navigation_message.h"

#include "host/log_schema.h"
#include "math/rut_math.h"

static size_t begin(rutBytes* b, const rutNavigationHead* head) {
  const size_t start = rut_cdr_begin(b);
  rut_cdr_time(b, start, head->stamp);
  rut_cdr_text(b, start, head->frame);
  return start;
}

static void put_pose(rutBytes* b, size_t start, double x, double y, double yaw) {
  const double pose[7] = {x, y, 0, 0, 0, rut_sin(0.5 * yaw), rut_cos(0.5 * yaw)};
  rut_cdr_f64(b, start, 7, pose);
}

static void put_path(rutBytes* b, const rutNavigationHead* head, const rutNavigationInfo* info,
                     const rutNavigationView* view) {
  (void)info;
  const size_t start = begin(b, head);
  rut_cdr_u32(b, start, (uint32_t)view->poses);
  for (int i = 0; i < view->poses; i++) {
    const double* p = view->path[i];
    rut_cdr_time(b, start, head->stamp);
    rut_cdr_text(b, start, head->frame);
    put_pose(b, start, p[0], p[1], p[2]);
  }
}

static void put_occupancy(rutBytes* b, const rutNavigationHead* head, const rutNavigationInfo* info,
                          const rutNavigationView* view) {
  static const uint8_t UNKNOWN = 0xff;  // -1
  const int n = info->columns * info->rows;
  const size_t start = begin(b, head);
  rut_cdr_time(b, start, head->stamp);
  rut_cdr_f32(b, start, (float)info->resolution);
  rut_cdr_u32(b, start, (uint32_t)info->columns);
  rut_cdr_u32(b, start, (uint32_t)info->rows);
  put_pose(b, start, view->origin[0], view->origin[1], 0);
  rut_cdr_u32(b, start, (uint32_t)n);
  unsigned char* place = rut_bytes_extend(b, (size_t)n);
  for (int k = 0; place && k < n; k++) {
    // rounded down, so that 100 is where it does not go
    const double cost = (double)view->cost[k];
    place[k] = cost >= 0 ? (uint8_t)(100 * rut_min(cost, 1)) : UNKNOWN;
  }
}

static void put_dimension(rutBytes* b, size_t start, const char* label, int size, int stride) {
  rut_cdr_text(b, start, label);
  rut_cdr_u32(b, start, (uint32_t)size);
  rut_cdr_u32(b, start, (uint32_t)stride);
}

// A matrix column by column. Its rows go along -x and its columns along -y, from the largest x and
// y.
static void put_layer(rutBytes* b, size_t start, const rutNavigationInfo* info,
                      const float* number) {
  const int rows = info->columns, columns = info->rows, n = rows * columns;
  rut_cdr_u32(b, start, 2);
  put_dimension(b, start, "column_index", columns, n);
  put_dimension(b, start, "row_index", rows, rows);
  rut_cdr_u32(b, start, 0);
  rut_cdr_u32(b, start, (uint32_t)n);
  for (int k = n - 1; k >= 0; k--) rut_cdr_f32(b, start, number[k]);
}

static void put_grid_map(rutBytes* b, const rutNavigationHead* head, const rutNavigationInfo* info,
                         const rutNavigationView* view) {
  static const char* const names[] = {"elevation", "cost"};
  const float* const layer[] = {view->height, view->cost};
  const size_t start = begin(b, head);
  const double length[2] = {info->columns * info->resolution, info->rows * info->resolution};
  rut_cdr_f64(b, start, 1, &info->resolution);
  rut_cdr_f64(b, start, 2, length);
  put_pose(b, start, view->origin[0] + 0.5 * length[0], view->origin[1] + 0.5 * length[1], 0);
  rut_cdr_u32(b, start, 2);
  for (int i = 0; i < 2; i++) rut_cdr_text(b, start, names[i]);
  // a cell without a height counts as well
  rut_cdr_u32(b, start, 0);
  rut_cdr_u32(b, start, 2);
  for (int i = 0; i < 2; i++) put_layer(b, start, info, layer[i]);
  rut_bytes_u32(b, 0);  // both indices of the start, of 16 bits each
}

const rutNavigationMessage* rut_navigation_message(int index) {
  static const rutNavigationMessage message[RUT_NAVIGATION_MESSAGES] = {
      {RUT_NAVIGATION_PATH, "plan", "nav_msgs/msg/Path", RUT_MSG_PATH, put_path},
      {RUT_NAVIGATION_COST, "local_costmap/costmap", "nav_msgs/msg/OccupancyGrid",
       RUT_MSG_OCCUPANCY_GRID, put_occupancy},
      {RUT_NAVIGATION_LAYERS, "local_costmap/grid_map", "grid_map_msgs/msg/GridMap",
       RUT_MSG_GRID_MAP, put_grid_map}};
  return &message[index];
}
