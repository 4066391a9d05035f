// SPDX-License-Identifier: BSD-3-Clause
#include "vehicle/hull.h"

#include <string.h>

// Ground up to so far above a point is looked for [m].
static const double LOOK_UP = 0.25;
// How deep a point that touched nothing in the last step may be in ground, beside what it has moved
// into it. One that is deeper came from below, past the edge of a plane [m].
static const double FIRST_DEPTH = 0.01;
// Displacement of a point that touches and has not moved, 0 being that of one that does not [m].
static const double UNMOVED = 1e-300;

enum { BLOCK = 8, PADDED_HULL = (RUT_MAX_HULL + BLOCK - 1) / BLOCK * BLOCK };

// Where the chassis's points are in the world, and the ground under them.
typedef struct Hull {
  double x[PADDED_HULL], y[PADDED_HULL], z[PADDED_HULL];
  double ground[PADDED_HULL], slope_x[PADDED_HULL], slope_y[PADDED_HULL];
} Hull;

static void place_hull(const rutEnvironment* world, const rutVehicleClass* vehicle, rutVec3 at,
                       const rutMat3* r, Hull* hull) {
  double below[PADDED_HULL];
  const int n = (vehicle->hull + BLOCK - 1) / BLOCK * BLOCK;
  for (int i = 0; i < n; i++) {
    const rutVec3 arm = rut_vec3_of(vehicle->hull_point + 3 * (i < vehicle->hull ? i : 0));
    const rutVec3 p = rut_vec3_add(at, rut_mat3_apply(*r, arm));
    hull->x[i] = p.x;
    hull->y[i] = p.y;
    hull->z[i] = p.z;
    below[i] = p.z + LOOK_UP;
  }
  rut_ground_surface(world->ground, world->lift, &(rutGroundPoints){n, hull->x, hull->y}, below,
                     &(rutGroundSurface){hull->ground, hull->slope_x, hull->slope_y});
}

// Add -W times the acceleration of a point at `arm` to the chassis's equations: along the unit
// vector `normal` W is `stiff`, across it `slack`.
RUT_INLINE void soften_hull(double* w, int lanes, rutVec3 arm, rutVec3 normal, double stiff,
                            double slack) {
  const double d = stiff - slack;
  const rutVec3 n = normal, bx = rut_vec3(slack + d * n.x * n.x, d * n.x * n.y, d * n.x * n.z),
                by = rut_vec3(bx.y, slack + d * n.y * n.y, d * n.y * n.z),
                bz = rut_vec3(bx.z, by.z, slack + d * n.z * n.z);
  const rutVec3 cx = rut_vec3_cross(arm, bx), cy = rut_vec3_cross(arm, by),
                cz = rut_vec3_cross(arm, bz);
  const rutVec3 tx = rut_vec3_cross(arm, rut_vec3(cx.x, cy.x, cz.x));
  const rutVec3 ty = rut_vec3_cross(arm, rut_vec3(cx.y, cy.y, cz.y));
  const rutVec3 tz = rut_vec3_cross(arm, rut_vec3(cx.z, cy.z, cz.z));
  const double row[RUT_SLIDERS_BODY] = {bx.x, by.y, bz.z, bx.y, bx.z, by.z, cx.x,
                                        cy.x, cz.x, cx.y, cy.y, cz.y, cx.z, cy.z,
                                        cz.z, tx.x, ty.y, tz.z, tx.y, tx.z, ty.z};
  for (int i = 0; i < RUT_SLIDERS_BODY; i++) w[i * lanes] += row[i];
}

// A point of the chassis of one lane: how far it has moved since it came to rest on the ground,
// [3][lane]; where it is in the ground, its arm (chassis) and velocity (world), how deep it is and
// along which normal.
typedef struct Touch {
  int point, lane;
  double* shift;
  rutVec3 arm, speed;
  double depth;
  rutVec3 normal;
} Touch;

static bool is_free(const double* shift, int lanes) {
  return shift[0] == 0 && shift[lanes] == 0 && shift[2 * lanes] == 0;
}

// One point that is in the ground: spring and damper, and friction, a spring and damper to the
// place where the point came to rest, until they yield. All as they are at the end of the step at
// the present speeds, with what the accelerations change in W.
static void press_point(const rutVehicleClass* vehicle, const rutStageMotion* motion, double dt,
                        const rutMat3* r, Touch at, const rutChassis* chassis) {
  const int lanes = vehicle->lanes, l = at.lane;
  const double h = motion->implicit, rate = vehicle->hull_stiffness, depth = at.depth;
  double* shift = at.shift;
  const rutVec3 normal = at.normal, arm = at.arm, speed = at.speed;
  const double closing = -rut_vec3_dot(speed, normal);
  const double load = rut_max(rate * (depth + h * closing) + vehicle->hull_damping * closing, 0);
  const rutVec3 slide = rut_vec3_add_scaled(speed, closing, normal);
  const rutVec3 moved = rut_vec3_add_scaled(rut_load_vec3(shift, lanes, 0), dt, slide);
  const rutVec3 along = rut_vec3_add_scaled(moved, -rut_vec3_dot(moved, normal), normal);
  const rutVec3 wanted =
      rut_vec3_add_scaled(rut_vec3_scale(along, rate), vehicle->hull_grip, slide);
  const double size = rut_vec3_norm(wanted), most = vehicle->hull_friction * load;
  const double yield = size > most ? most / size : 1;
  if (motion->commit) {
    rut_store_vec3(shift, lanes, 0, rut_vec3_scale(along, yield));
    if (is_free(shift, lanes)) shift[2 * lanes] = UNMOVED;
  }
  const rutVec3 total = rut_vec3_add_scaled(rut_vec3_scale(normal, load), -yield, wanted);
  const rutVec3 body = rut_mat3_apply_transposed(*r, total), turn = rut_vec3_cross(arm, body);
  const double add[6] = {body.x, body.y, body.z, turn.x, turn.y, turn.z};
  for (int c = 0; c < 6; c++) chassis->hull_force[c * lanes + l] += add[c];
  const double stiff = load > 0 ? h * vehicle->hull_damping + h * h * rate : 0;
  soften_hull(chassis->hull_soft + l, lanes, arm, rut_mat3_apply_transposed(*r, normal), stiff,
              yield * (h * vehicle->hull_grip + h * h * rate));
}

// A corner that has come in through an upright face is nearer to free air sideways than upwards:
// then it is as deep as it is far from there, towards the middle of the chassis.
static void meet_face(const rutEnvironment* world, const Hull* hull, rutVec3 middle, Touch* at) {
  enum { HALVINGS = 20 };
  static const double LEAST_RUN = 1e-6;  // from the chassis's middle [m]
  const int i = at->point;
  const double dx = middle.x - hull->x[i], dy = middle.y - hull->y[i], run = rut_hypot(dx, dy);
  if (run < LEAST_RUN) return;
  const double ex = dx / run, ey = dy / run, below = hull->z[i] + LOOK_UP;
  double inside = 0, outside = rut_min(at->depth, run);
  for (int pass = 0; pass <= HALVINGS; pass++) {
    const double distance = pass == 0 ? outside : 0.5 * (inside + outside);
    const double x = hull->x[i] + distance * ex, y = hull->y[i] + distance * ey;
    double z, sx, sy;
    rut_ground_surface(world->ground, world->lift, &(rutGroundPoints){1, &x, &y}, &below,
                       &(rutGroundSurface){&z, &sx, &sy});
    const bool free = !(z > hull->z[i]);
    if (pass == 0 && !free) return;
    *(free ? &outside : &inside) = distance;
  }
  at->depth = outside;
  at->normal = rut_vec3(ex, ey, 0);
}

// Depth of a point in the surface that has been found over it. True if it is in it.
static bool is_inside(const rutEnvironment* world, const Hull* hull, int corners, rutVec3 middle,
                      Touch* at) {
  const int i = at->point;
  const double gx = hull->slope_x[i], gy = hull->slope_y[i];
  const double inverse = 1 / rut_sqrt(1 + gx * gx + gy * gy);
  at->depth = (hull->ground[i] - hull->z[i]) * inverse;
  at->normal = rut_vec3(-gx * inverse, -gy * inverse, inverse);
  if (!(at->depth > 0)) return false;
  if (i < corners) meet_face(world, hull, middle, at);
  return true;
}

// Whether a point can have come to where it is in the ground from above. What a vehicle is put on
// carries it, however deep it is in it.
static bool is_from_above(const rutEnvironment* world, int lanes, const Touch* at) {
  if (world->step == 0 || !is_free(at->shift, lanes)) return true;
  const bool closes = rut_vec3_dot(at->speed, at->normal) < 0;
  const double moved = closes ? world->dt * rut_vec3_norm(at->speed) : 0;
  return at->depth <= FIRST_DEPTH + moved;
}

// The ground that a point is in; that which it has come under lets it pass, and what lies below
// counts.
static bool find_touch(const rutEnvironment* world, const rutVehicleClass* vehicle,
                       const rutStageMotion* motion, const rutMat3* r, Hull* hull, Touch* at) {
  const int i = at->point, lanes = vehicle->lanes, l = at->lane;
  const rutVec3 middle = rut_load_vec3(motion->q, lanes, l);
  // the last two are the middles of belly and roof
  const int corners = vehicle->hull - 2;
  if (!is_inside(world, hull, corners, middle, at)) return false;
  const rutVec3 omega = rut_load_vec3(motion->v, lanes, l);
  const rutVec3 linear = rut_load_vec3(motion->v + 3 * lanes, lanes, l);
  at->arm = rut_vec3_of(vehicle->hull_point + 3 * i);
  at->speed = rut_mat3_apply(*r, rut_vec3_add(linear, rut_vec3_cross(omega, at->arm)));
  if (is_from_above(world, lanes, at)) return true;
  const double below = hull->z[i] - RUT_GROUND_STEP;
  rut_ground_surface(world->ground, world->lift, &(rutGroundPoints){1, &hull->x[i], &hull->y[i]},
                     &below,
                     &(rutGroundSurface){&hull->ground[i], &hull->slope_x[i], &hull->slope_y[i]});
  return is_inside(world, hull, corners, middle, at) && is_from_above(world, lanes, at);
}

bool rut_hull_touch(const rutEnvironment* world, const rutVehicleBatch* batch,
                    const rutStageMotion* motion, const rutChassis* chassis) {
  const rutVehicleClass* vehicle = batch->vehicle;
  const int lanes = vehicle->lanes;
  const double* q = motion->q;
  bool touches = false;
  for (int l = 0; l < lanes; l++) {
    const rutMat3 r = rut_load_mat3(chassis->motion, lanes, l);
    // a box around the chassis tells that it is clear of all ground
    const double reach = rut_abs(r.m[6]) * vehicle->hull_size[0] +
                         rut_abs(r.m[7]) * vehicle->hull_size[1] +
                         rut_max(r.m[8] * vehicle->hull_size[2], -r.m[8] * vehicle->hull_size[3]);
    if (q[2 * lanes + l] - reach > world->highest_ground) continue;
    Hull hull;
    place_hull(world, vehicle, rut_load_vec3(q, lanes, l), &r, &hull);
    double* held = RUT_SPATIAL_STATE(batch, hull) + l;
    for (int i = 0; i < vehicle->hull; i++) {
      Touch at = {.point = i, .lane = l, .shift = held + 3 * i * lanes};
      if (!find_touch(world, vehicle, motion, &r, &hull, &at)) {
        if (motion->commit) at.shift[0] = at.shift[lanes] = at.shift[2 * lanes] = 0;
        continue;
      }
      if (!touches) {
        memset(chassis->hull_force, 0, (size_t)(6 * lanes) * sizeof *chassis->hull_force);
        memset(chassis->hull_soft, 0,
               (size_t)(RUT_SLIDERS_BODY * lanes) * sizeof *chassis->hull_soft);
      }
      touches = true;
      press_point(vehicle, motion, world->dt, &r, at, chassis);
    }
  }
  for (int i = 0; touches && i < 3 * lanes; i++) {
    chassis->force[i] += chassis->hull_force[i];
    chassis->moment[i] += chassis->hull_force[3 * lanes + i];
  }
  return touches;
}

void rut_hull_power(const rutStageMotion* motion, int lanes, const rutChassis* chassis) {
  // rows of W's lower triangle, (acceleration, alpha), as rut_sliders_accelerate takes them
  static const int entry[6][6] = {{0, 3, 4, 6, 9, 12},     {3, 1, 5, 7, 10, 13},
                                  {4, 5, 2, 8, 11, 14},    {6, 7, 8, 15, 18, 19},
                                  {9, 10, 11, 18, 16, 20}, {12, 13, 14, 19, 20, 17}};
  const double* v = motion->v;
  for (int l = 0; l < lanes; l++) {
    double a[6], speed[6];
    for (int i = 0; i < 3; i++) {
      a[i] = chassis->acceleration[i * lanes + l];
      a[3 + i] = chassis->alpha[i * lanes + l];
      speed[i] = v[(3 + i) * lanes + l];
      speed[3 + i] = v[i * lanes + l];
    }
    for (int i = 0; i < 6; i++) {
      double force = chassis->hull_force[i * lanes + l];
      for (int c = 0; c < 6; c++) force -= chassis->hull_soft[entry[i][c] * lanes + l] * a[c];
      chassis->hull_power[l] += force * (speed[i] + 0.5 * motion->implicit * a[i]);
    }
  }
}
