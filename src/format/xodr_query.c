// SPDX-License-Identifier: BSD-3-Clause
//
// Lookups in a road network: reference lines, profiles and borders of lanes at a place.
#include <string.h>

#include "format/xodr.h"
#include "math/rut_math.h"

const rutXodrRoad* rut_xodr_road(const rutXodr* file, int i) {
  return (const rutXodrRoad*)file->road.item + i;
}
const rutRoadCurve* rut_xodr_curve(const rutXodr* file, int i) {
  return (const rutRoadCurve*)file->curve.item + i;
}
const rutRoadCubic* rut_xodr_cubic(const rutXodr* file, int i) {
  return (const rutRoadCubic*)file->cubic.item + i;
}
const rutXodrSection* rut_xodr_section(const rutXodr* file, int i) {
  return (const rutXodrSection*)file->section.item + i;
}
const rutXodrLane* rut_xodr_lane(const rutXodr* file, int i) {
  return (const rutXodrLane*)file->lane.item + i;
}

int rut_xodr_find(const rutXodr* file, const char* id) {
  for (int i = 0; i < file->road.n; i++) {
    if (strcmp(rut_xodr_road(file, i)->id, id) == 0) return i;
  }
  return -1;
}

rutRoadCubic rut_xodr_cubic_at(const rutXodr* file, rutXodrRange range, double s) {
  int low = -1, high = range.n;
  while (high - low > 1) {
    const int middle = low + (high - low) / 2;
    if (rut_xodr_cubic(file, range.first + middle)->s <= s)
      low = middle;
    else
      high = middle;
  }
  if (low < 0) return (rutRoadCubic){.s = s};
  return *rut_xodr_cubic(file, range.first + low);
}

rutRoadPlace rut_xodr_line_at(const rutXodr* file, const rutXodrRoad* road, double s) {
  int low = 0, high = road->curve.n;
  while (high - low > 1) {
    const int middle = low + (high - low) / 2;
    if (rut_xodr_curve(file, road->curve.first + middle)->s <= s)
      low = middle;
    else
      high = middle;
  }
  const rutRoadCurve* c = rut_xodr_curve(file, road->curve.first + low);
  return rut_road_curve_at(c, rut_clamp(s - c->s, 0, c->length));
}

int rut_xodr_section_at(const rutXodr* file, const rutXodrRoad* road, double s) {
  int low = 0, high = road->section.n;
  while (high - low > 1) {
    const int middle = low + (high - low) / 2;
    if (rut_xodr_section(file, road->section.first + middle)->s <= s)
      low = middle;
    else
      high = middle;
  }
  return road->section.n > 0 ? road->section.first + low : -1;
}

int rut_xodr_find_lane(const rutXodr* file, const rutXodrSection* section, int id) {
  for (int i = 0; i < section->lane.n; i++) {
    if (rut_xodr_lane(file, section->lane.first + i)->id == id) return section->lane.first + i;
  }
  return -1;
}

void rut_xodr_borders(const rutXodr* file, const rutXodrRoad* road, const rutXodrSection* section,
                      int lane, double s, rutRoadCubic border[2]) {
  const rutRoadCubic offset = rut_xodr_cubic_at(file, road->offset, s);
  const rutRoadCubic middle = rut_road_cubic_moved(&offset, s);
  const int side = lane > 0 ? 1 : -1;
  border[0] = border[1] = middle;
  for (int id = side; lane != 0 && side * id <= side * lane; id += side) {
    const int at = rut_xodr_find_lane(file, section, id);
    border[0] = border[1];
    if (at < 0) continue;
    const rutXodrLane* l = rut_xodr_lane(file, at);
    if (l->width.n > 0) {
      const rutRoadCubic width = rut_xodr_cubic_at(file, l->width, s);
      border[1] = rut_road_cubic_sum(&border[0], &width, side);
    } else if (l->border.n > 0) {
      // the outer border by itself, from the middle of the lanes
      const rutRoadCubic out = rut_xodr_cubic_at(file, l->border, s);
      border[1] = rut_road_cubic_sum(&middle, &out, out.a * side < 0 ? -1 : 1);
    }
  }
}
