// SPDX-License-Identifier: BSD-3-Clause
#include "vehicle/wading.h"

#include <string.h>

static const double DENSITY = 1000;      // of water [kg/m3]
static const double CYLINDER_DRAG = 1;   // drag coefficient of a wheel, across its axis and along
static const double LEAST_HEIGHT = 0.1;  // of a column that lies, in sides of it

// One vehicle.
typedef struct Wader {
  const rutVehicleClass* vehicle;
  const rutWaters* waters;
  double gravity;
  int lane;
  rutMat3 r;
  rutVec3 at, speed, omega;  // world; chassis axes
  rutVec3 up;                // chassis axes
} Wader;

// Share of a height that is below a level; the height runs from `low` up.
static double part_below(double level, double low, double height) {
  return rut_clamp((level - low) / height, 0, 1);
}

static rutVec3 drag_of(rutVec3 speed, const double area[3], double coefficient) {
  const double half = -0.5 * DENSITY * coefficient;
  return rut_vec3(half * area[0] * rut_abs(speed.x) * speed.x,
                  half * area[1] * rut_abs(speed.y) * speed.y,
                  half * area[2] * rut_abs(speed.z) * speed.z);
}

// Force of the water on a column of the hull, and its arm from the centre of mass. False: it is
// dry.
static bool wet_column(const Wader* w, const double column[3], rutVec3* arm, rutVec3* force) {
  const rutVehicleClass* c = w->vehicle;
  const double length = c->top - c->bottom, upright = w->r.m[8];
  const rutVec3 middle = rut_vec3(column[0], column[1], 0.5 * (c->top + c->bottom));
  const rutVec3 place = rut_vec3_add(w->at, rut_mat3_apply(w->r, middle));
  const double height = rut_max(rut_abs(upright) * length, LEAST_HEIGHT * c->column_side);
  if (place.z - 0.5 * height >= w->waters->highest) return false;
  const double level = rut_water_level(w->waters, place.x, place.y);
  const double part = part_below(level, place.z - 0.5 * height, height);
  if (part <= 0) return false;
  // the wet end is the one that is down
  const double shift = 0.5 * (1 - part) * length * (upright >= 0 ? -1 : 1);
  *arm = rut_vec3(middle.x, middle.y, middle.z + shift);
  const double carried = DENSITY * w->gravity * (1 - c->flooding) * part * length * column[2];
  const rutVec3 speed = rut_vec3_add(w->speed, rut_vec3_cross(w->omega, *arm));
  const double area[3] = {part * length * c->wet_front, part * length * c->wet_side, column[2]};
  *force = rut_vec3_add_scaled(drag_of(speed, area, c->water_drag), carried, w->up);
  return true;
}

static bool wade_hull(const Wader* w, double* hull) {
  const int lanes = w->vehicle->lanes;
  bool wet = false;
  for (int i = 0; i < w->vehicle->columns; i++) {
    rutVec3 arm, force;
    if (!wet_column(w, w->vehicle->column + 3 * i, &arm, &force)) continue;
    wet = true;
    const rutVec3 turn = rut_vec3_cross(arm, force);
    const double add[6] = {force.x, force.y, force.z, turn.x, turn.y, turn.z};
    for (int k = 0; k < 6; k++) hull[k * lanes + w->lane] += add[k];
  }
  return wet;
}

// Volume of an upright wheel below a level that is `depth` above its lowest point: that of a
// segment of its circle.
static double wheel_volume(double radius, double width, double depth) {
  const double d = rut_clamp(depth, 0, 2 * radius), rise = radius - d;
  const double segment =
      radius * radius * rut_acos(rise / radius) - rise * rut_sqrt(rut_max(d * (2 * radius - d), 0));
  return width * segment;
}

// Force of the water on a wheel whose hub is in e at i.
static rutVec3 wade_wheel(const Wader* w, rutWheels e, int i) {
  const rutVehicleClass* c = w->vehicle;
  const int at = e.first + i;
  const double radius = c->radius[at], width = c->width[at], low = W(hz)[i] - radius;
  if (low >= w->waters->highest) return rut_vec3(0, 0, 0);
  const double level = rut_water_level(w->waters, W(hx)[i], W(hy)[i]);
  const double part = part_below(level, low, 2 * radius);
  if (part <= 0) return rut_vec3(0, 0, 0);
  const double carried = DENSITY * w->gravity * wheel_volume(radius, width, level - low);
  const double wet = 2 * radius * part,
               area[3] = {width * wet, 2 * radius * wet, 2 * radius * width};
  const rutVec3 speed = rut_vec3(W(vhx)[i], W(vhy)[i], W(vhz)[i]);
  return rut_vec3_add_scaled(drag_of(speed, area, CYLINDER_DRAG), carried, w->up);
}

static bool wade_wheels(const Wader* w, rutTiles all, rutWading* wading) {
  const int entries = w->vehicle->wheels * w->vehicle->lanes;
  bool wet = false;
  for (int t = 0; t < all.tiles; t++) {
    const rutWheels e = rut_tile(all, t);
    for (int i = 0; i < e.n && e.first + i < entries; i++) {
      if ((e.first + i) % e.lanes != w->lane) continue;
      const rutVec3 force = wade_wheel(w, e, i);
      wet = wet || force.x != 0 || force.y != 0 || force.z != 0;
      double* to = wading->hub + e.first + i;
      to[0] = force.x;
      to[wading->entries] = force.y;
      to[2 * wading->entries] = force.z;
    }
  }
  return wet;
}

// Whether all of a vehicle is above all water.
static bool is_dry(const Wader* w) {
  const rutVehicleClass* c = w->vehicle;
  double reach = rut_max(rut_abs(c->bottom), rut_abs(c->top)) +
                 rut_abs(w->r.m[6]) * c->hull_size[0] + rut_abs(w->r.m[7]) * c->hull_size[1];
  for (int i = 0; i < c->wheels; i++) {
    const int at = i * c->lanes + w->lane;
    reach = rut_max(reach, 2 * c->radius[at] + rut_abs(c->body.z[at]) + rut_abs(c->body.x[at]) +
                               rut_abs(c->body.y[at]));
  }
  return w->at.z - reach >= w->waters->highest;
}

bool rut_wade(const rutEnvironment* world, const rutVehicleBatch* batch,
              const rutStageMotion* motion, const rutChassis* chassis, rutTiles all,
              rutWading* wading) {
  const rutVehicleClass* vehicle = batch->vehicle;
  const int lanes = vehicle->lanes;
  bool wet = false;
  wading->entries = vehicle->body.n;
  memset(wading->hull, 0, (size_t)(6 * lanes) * sizeof *wading->hull);
  memset(wading->hub, 0, (size_t)(3 * wading->entries) * sizeof *wading->hub);
  for (int l = 0; l < lanes; l++) {
    Wader w = {.vehicle = rut_class_of(vehicle, l),
               .waters = world->waters,
               .gravity = world->gravity,
               .lane = l,
               .r = rut_load_mat3(chassis->motion, lanes, l),
               .at = rut_load_vec3(motion->q, lanes, l),
               .omega = rut_load_vec3(motion->v, lanes, l),
               .speed = rut_load_vec3(motion->v + 3 * lanes, lanes, l)};
    w.up = rut_vec3(w.r.m[6], w.r.m[7], w.r.m[8]);
    if (is_dry(&w)) continue;
    const bool hull = wade_hull(&w, wading->hull), wheels = wade_wheels(&w, all, wading);
    wet = wet || hull || wheels;
  }
  for (int i = 0; wet && i < 3 * lanes; i++) {
    chassis->force[i] += wading->hull[i];
    chassis->moment[i] += wading->hull[3 * lanes + i];
  }
  return wet;
}

void rut_wading_power(const rutVehicleBatch* batch, const rutStageMotion* motion,
                      const rutChassis* chassis, rutTiles all, const rutWading* wading) {
  const int lanes = batch->vehicle->lanes, entries = batch->vehicle->wheels * lanes;
  const double *v = motion->v, middle = 0.5 * motion->implicit;
  double* power = chassis->power + RUT_ENERGY_water * lanes;
  for (int i = 0; i < 3 * lanes; i++) {
    const double move = v[3 * lanes + i] + middle * chassis->acceleration[i];
    const double turn = v[i] + middle * chassis->alpha[i];
    power[i % lanes] -= wading->hull[i] * move + wading->hull[3 * lanes + i] * turn;
  }
  for (int t = 0; t < all.tiles; t++) {
    const rutWheels e = rut_tile(all, t);
    for (int i = 0; i < e.n && e.first + i < entries; i++) {
      const double* f = wading->hub + e.first + i;
      power[(e.first + i) % lanes] -= f[0] * (W(vhx)[i] + middle * W(hub_x)[i]) +
                                      f[wading->entries] * (W(vhy)[i] + middle * W(hub_y)[i]) +
                                      f[2 * wading->entries] * (W(vhz)[i] + middle * W(hub_z)[i]);
    }
  }
}
