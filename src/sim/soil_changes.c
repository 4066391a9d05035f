// SPDX-License-Identifier: BSD-3-Clause
#include "sim/soil_changes.h"

#include <string.h>

#include "math/rut_math.h"
#include "sim/query.h"

enum { CORNERS = 32 };  // of the polygon that stands for a circle

struct rutSoilChanges {
  rutSoilChangeList list;
  rutGround ground;
  rutRegion* region;  // those of the model, then a region for each place
  double* corner;     // [places][CORNERS][2]
};

rutSoilChanges* rut_soil_changes_take(const rutModel* model, rutArena* arena) {
  rutSoilChanges* p = RUT_TAKE(arena, rutSoilChanges, 1);
  rutRegion* region = RUT_TAKE(arena, rutRegion, model->ground->regions + RUT_SOIL_CHANGES);
  double* corner = RUT_TAKE(arena, double, RUT_SOIL_CHANGES* CORNERS * 2);
  if (!p) return NULL;
  p->region = region;
  p->corner = corner;
  return p;
}

rutSoilChangeList* rut_soil_change_list(rutSoilChanges* places) { return &places->list; }

// Outline of a place and the box around it.
static rutRegion region_of(const rutSoilChange* place, double* corner) {
  static const double FAR = 1e12;
  const rutSoilArea* a = &place->area;
  rutRegion r = {.min = {FAR, FAR, -FAR},
                 .max = {-FAR, -FAR, FAR},
                 .friction = RUT_NAN,
                 .rolling_resistance = RUT_NAN,
                 .strength = RUT_NAN,
                 .soil = (int)place->soil,
                 .corners = a->radius > 0 ? CORNERS : 4,
                 .xy = corner};
  double s, c;
  rut_sincos(a->yaw, &s, &c);
  for (int i = 0; i < r.corners; i++) {
    double x = 0.5 * a->length * (i == 0 || i == 3 ? 1 : -1), y = 0.5 * a->width * (i < 2 ? 1 : -1);
    if (a->radius > 0) {
      // of the same area as the circle
      const double turn = 2 * RUT_PI / CORNERS;
      const double radius = a->radius * rut_sqrt(turn / rut_sin(turn));
      rut_sincos(i * turn, &y, &x);
      x *= radius;
      y *= radius;
    }
    corner[2 * i] = a->x + c * x - s * y;
    corner[2 * i + 1] = a->y + s * x + c * y;
    for (int k = 0; k < 2; k++) {
      r.min[k] = rut_min(r.min[k], corner[2 * i + k]);
      r.max[k] = rut_max(r.max[k], corner[2 * i + k]);
    }
  }
  return r;
}

void rut_soil_changes_lay(const rutModel* model, rutData* data) {
  rutSoilChanges* p = data->soil_changes;
  const int own = model->ground->regions;
  data->ground = model->ground;
  if (p->list.n == 0) return;
  if (own > 0) memcpy(p->region, model->ground->region, (size_t)own * sizeof *p->region);
  for (int i = 0; i < p->list.n; i++) {
    p->region[own + i] = region_of(&p->list.place[i], p->corner + (size_t)i * CORNERS * 2);
  }
  p->ground = *model->ground;
  p->ground.region = p->region;
  p->ground.regions = own + (int)p->list.n;
  data->ground = &p->ground;
}

void rut_soil_changes_reset(const rutModel* model, rutData* data) {
  memset(&data->soil_changes->list, 0, sizeof data->soil_changes->list);
  rut_soil_changes_lay(model, data);
}

static bool is_area(const rutSoilArea* a) {
  const double all = a->x + a->y + a->length + a->width + a->radius + a->yaw;
  if (!(all - all == 0) || a->radius < 0 || a->length < 0 || a->width < 0) return false;
  return a->radius > 0 || (a->length > 0 && a->width > 0);
}

static bool is_same(const rutSoilArea* a, const rutSoilArea* b) {
  return a->x == b->x && a->y == b->y && a->length == b->length && a->width == b->width &&
         a->yaw == b->yaw && a->radius == b->radius;
}

rutStatus rut_set_soil(const rutModel* model, rutData* data, int soil, const rutSoilArea* area) {
  if (!rut_data_is_of(data, model) || soil < -1 || soil >= rut_count(model, RUT_SOIL) ||
      !is_area(area)) {
    return RUT_ERR_ARGUMENT;
  }
  rutSoilChangeList* list = rut_soil_change_list(data->soil_changes);
  rutSoilChange place;
  memset(&place, 0, sizeof place);
  place.area = *area;
  place.soil = soil < 0 ? model->ground->soil : soil + 1;
  // the same place with another soil takes the room of the former
  int n = 0;
  for (int i = 0; i < list->n; i++) {
    if (!is_same(&list->place[i].area, area)) list->place[n++] = list->place[i];
  }
  if (n == RUT_SOIL_CHANGES) return RUT_ERR_CAPACITY;
  list->place[n++] = place;
  list->n = n;
  memset(list->place + n, 0, (size_t)(RUT_SOIL_CHANGES - n) * sizeof *list->place);
  rut_soil_changes_lay(model, data);
  return RUT_OK;
}

rutStatus rut_set_soil_under(const rutModel* model, rutData* data, int wheel, int soil,
                             double radius) {
  if (wheel < 0 || wheel >= rut_count(model, RUT_WHEEL) || !rut_data_is_of(data, model)) {
    return RUT_ERR_ARGUMENT;
  }
  const rutWheelPose w = rut_wheel_pose(model, data, wheel);
  const rutSoilArea area = {.x = w.position[0], .y = w.position[1], .radius = radius};
  return rut_set_soil(model, data, soil, &area);
}
