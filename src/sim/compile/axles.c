// SPDX-License-Identifier: BSD-3-Clause
//
// From <vehicle> with <axle> elements to a chassis on suspensions.
#include "sim/compile/axles.h"

#include <stdio.h>
#include <string.h>

#include "geom/polygon.h"
#include "math/quat.h"
#include "math/rut_math.h"
#include "math/solve3.h"
#include "sim/compile/corners.h"
#include "sim/compile/ground.h"
#include "sim/compile/hull.h"
#include "sim/compile/inflation.h"
#include "sim/compile/read.h"
#include "sim/compile/soil.h"
#include "sim/compile/stability.h"

// Defaults of wheels: moment of inertia over m r^2 (0.5 of a disc, 1 of a ring), and section height
// of the tyre over the radius.
static const double WHEEL_INERTIA = 0.7, SECTION = 0.4;

// The component of a kind for an axle, its own or else the vehicle's: its index among the parts.
static int axle_component(rutDraft* draft, rutNode axle, const char* kind,
                          const rutDraftComponent* of_vehicle, rutDraftSpatial* s) {
  rutDraftComponent own = {0};
  rut_draft_component(draft, axle, kind, &own);
  if (!own.type) own = *of_vehicle;
  const rutNode vehicle = rut_node_parent(draft->spec, axle);
  const bool named = !rut_node_is_null(rut_node_first(draft->spec, axle, kind)) ||
                     !rut_node_is_null(rut_node_first(draft->spec, vehicle, kind));
  // its fault was reported
  if (!own.type && named) return 0;
  if (!own.type) {
    char hint[80];
    const bool tyre = strcmp(kind, "tyre") == 0;
    snprintf(hint, sizeof hint, "add <%s type=\"%s\"/> to either", kind,
             tyre ? "linear" : "slider");
    rut_node_error(draft->spec, axle, NULL, RUT_ERR_MODEL, hint,
                   "has no <%s>, and neither has its vehicle", kind);
    return 0;
  }
  for (int i = 0; i < s->parts; i++) {
    // numbers that are not given (NaN) are equal as well, as bytes
    // NOLINTNEXTLINE(bugprone-suspicious-memory-comparison,cert-exp42-c,cert-flp37-c)
    if (s->part[i].type == own.type && memcmp(s->part[i].param, own.param, sizeof own.param) == 0)
      return i;
  }
  if (s->parts == RUT_MAX_PARTS) {
    rut_node_error(draft->spec, axle, NULL, RUT_ERR_CAPACITY, "",
                   "a vehicle has at most %d suspensions and tyres that differ", RUT_MAX_PARTS);
    return 0;
  }
  s->part[s->parts] = own;
  return s->parts++;
}

static void check_components(rutDraft* draft, rutNode axle, const rutDraftSpatial* s, int a) {
  const rutTyreType* tyre = (const rutTyreType*)s->part[s->tyre[a]].type;
  if (tyre && !tyre->carcass) {
    rut_node_error(draft->spec, axle, NULL, RUT_ERR_MODEL, "take <tyre type=\"linear\"/>",
                   "the tyre '%s' is made for planar vehicles", tyre->base.name);
  }
}

static int place_of_wheel(int axle, int axles, int side) {
  if (axles == 1) return side > 0 ? LEFT : RIGHT;
  if (axle == 0) return side > 0 ? FRONT_LEFT : FRONT_RIGHT;
  if (axle == axles - 1) return side > 0 ? REAR_LEFT : REAR_RIGHT;
  return OTHER;
}

static void add_wheel(rutDraft* draft, rutNode node, int axle, int axles, int side,
                      rutDraftClass* c) {
  const rutSpec* spec = draft->spec;
  rutDraftSpatial* s = &c->spatial;
  const int w = c->wheels++;
  const double m = rut_node_number(spec, node, "wheel_mass");
  const double r = rut_node_number(spec, node, "radius"), b = rut_node_number(spec, node, "width");
  const double track = rut_node_number(spec, node, "track");
  const double z = rut_node_number(spec, node, "z");
  const double spin = rut_node_number(spec, node, "wheel_inertia");
  const double transverse = rut_node_number(spec, node, "transverse_inertia");
  const double section = rut_node_number(spec, node, "section_height");
  s->axle[w] = axle;
  c->x[w] = rut_node_number(spec, node, "x");
  c->y[w] = 0.5 * side * track;
  s->z[w] = z == z ? z : r;
  c->radius[w] = r;
  c->width[w] = b;
  c->wheel_mass[w] = m;
  c->inertia[w] = spin > 0 ? spin : WHEEL_INERTIA * m * r * r;
  s->wheel.transverse[w] = transverse > 0 ? transverse : m * (3 * r * r + b * b) / 12;
  s->wheel.section[w] = section > 0 ? section : SECTION * r;
  // effective: a third of the deflection
  s->wheel.rolls[w] = rut_node_number(spec, node, "rolling_radius") != 0 ? 1 : 1.0 / 3;
  s->wheel.brake[w] = rut_node_number(spec, node, "brake");
  s->wheel.max_steer[w] = rut_node_number(spec, node, "max_steer");
  s->wheel.roll_rate[w] = rut_node_number(spec, node, "anti_roll");
  c->steered[w] = s->wheel.max_steer[w] > 0;
  c->driven[w] = rut_node_number(spec, node, "driven") != 0;
  if (c->driven[w]) s->wheel.geared[w] = rut_draft_drive_inertia(c, &s->wheel.reaction[w]);
  c->place[w] = side == 0 ? OTHER : place_of_wheel(axle, axles, side);
  const rutDraftComponent* own = &s->part[s->suspension[axle]];
  const rutSuspensionType* suspension = (const rutSuspensionType*)own->type;
  if (suspension && suspension->range) {
    suspension->range(own->param, &s->wheel.lowest[w], &s->wheel.highest[w]);
    s->massless[w] = suspension->massless;
  }
  s->mechanism[w] = suspension && suspension->corner;
  if (s->mechanism[w]) {
    // its wheels are steered by the linkage
    s->mechanisms++;
    s->wheel.steer_gain[w] = s->wheel.max_steer[w] > 0 ? 1 : 0;
    s->steer_lock = rut_max(s->steer_lock, s->wheel.max_steer[w]);
    s->wheel.max_steer[w] = 0;
  }
  // both wheels of an axle stand side by side
  s->partner[w] = side == 0 ? w : (side > 0 ? w + 1 : w - 1);
  // once for both wheels
  if (side < 0) return;
  if (!(c->inertia[w] > 0)) {
    rut_node_error(spec, node, "wheel_mass", RUT_ERR_MODEL, "give it a mass or a wheel_inertia",
                   "a wheel without inertia cannot spin");
  }
  if (!s->massless[w] && !(m > 0)) {
    rut_node_error(spec, node, "wheel_mass", RUT_ERR_MODEL,
                   "or take <suspension type=\"massless\">", "a wheel on a slider needs a mass");
  }
  if (s->massless[w] && rut_draft_some_soil_sinks(draft)) {
    rut_node_error(spec, rut_node_first(spec, node, "suspension"), NULL, RUT_ERR_MODEL,
                   "take <suspension type=\"slider\">, or hard ground",
                   "massless wheels stand where they touch the ground, and cannot sink into soil");
  }
}

// Axles from front to rear, whatever their order in the file.
static int list_axles(rutDraft* draft, rutNode node, rutNode axle[RUT_MAX_AXLES]) {
  int n = 0;
  for (rutNode a = rut_node_first(draft->spec, node, "axle"); !rut_node_is_null(a);
       a = rut_node_next(draft->spec, a, "axle")) {
    if (n == RUT_MAX_AXLES) {
      rut_node_error(draft->spec, a, NULL, RUT_ERR_CAPACITY, "", "a vehicle has at most %d axles",
                     RUT_MAX_AXLES);
      break;
    }
    const double x = rut_node_number(draft->spec, a, "x");
    int at = n++;
    for (; at > 0 && rut_node_number(draft->spec, axle[at - 1], "x") < x; at--) {
      axle[at] = axle[at - 1];
    }
    axle[at] = a;
  }
  return n;
}

static void read_axles(rutDraft* draft, rutNode node, rutDraftClass* c) {
  rutNode axle[RUT_MAX_AXLES];
  rutDraftSpatial* s = &c->spatial;
  rutDraftComponent suspension = {0}, tyre = {0};
  rut_draft_component(draft, node, "suspension", &suspension);
  rut_draft_component(draft, node, "tyre", &tyre);
  s->axles = list_axles(draft, node, axle);
  for (int a = 0; a < s->axles; a++) {
    s->suspension[a] = axle_component(draft, axle[a], "suspension", &suspension, s);
    s->tyre[a] = axle_component(draft, axle[a], "tyre", &tyre, s);
    if (draft->reporter->errors) return;
    check_components(draft, axle[a], s, a);
    const int pair = rut_node_number(draft->spec, axle[a], "track") > 0;
    if (pair) {
      add_wheel(draft, axle[a], a, s->axles, 1, c);
      add_wheel(draft, axle[a], a, s->axles, -1, c);
    } else {
      add_wheel(draft, axle[a], a, s->axles, 0, c);
    }
  }
}

static void read_mass(rutDraft* draft, rutNode chassis, rutDraftClass* c) {
  rutDraftSpatial* s = &c->spatial;
  const rutSpec* spec = draft->spec;
  const bool given = !rut_node_is_null(chassis);
  s->chassis_mass = given ? rut_node_number(spec, chassis, "mass") : 15;
  double box[4], unused;
  rut_polygon_bounds(c->outline.n, c->outline.xy, box);
  rut_polygon_mass(c->outline.n, c->outline.xy, s->chassis_mass, s->com, &unused);
  s->com[2] = 0.5 * (c->z_min + c->z_max);
  const double lx = box[2] - box[0], ly = box[3] - box[1], lz = c->z_max - c->z_min;
  const double m = s->chassis_mass / 12;
  s->inertia[0] = m * (ly * ly + lz * lz);
  s->inertia[1] = m * (lx * lx + lz * lz);
  s->inertia[2] = m * (lx * lx + ly * ly);
  if (!given) return;
  s->drag_area = rut_node_number(spec, chassis, "drag_area");
  s->flooding = rut_node_number(spec, chassis, "flooding");
  s->water_drag = rut_node_number(spec, chassis, "water_drag");
  int n = 0;
  const double* com = rut_node_numbers(spec, chassis, "com", &n);
  for (int i = 0; i < n && i < 3; i++) s->com[i] = com[i];
  const double* inertia = rut_node_numbers(spec, chassis, "inertia", &n);
  if (n == 0) return;
  if (n != 3 && n != 6) {
    rut_node_error(spec, chassis, "inertia", RUT_ERR_MODEL, "",
                   "'inertia' must have 3 or 6 numbers, not %d", n);
    return;
  }
  for (int i = 0; i < n; i++) s->inertia[i] = inertia[i];
  const double *moment = s->inertia, all = moment[0] + moment[1] + moment[2];
  if (!(moment[0] > 0 && moment[1] > 0 && moment[2] > 0)) {
    rut_node_error(spec, chassis, "inertia", RUT_ERR_MODEL, "",
                   "the moments of inertia must be positive");
    return;
  }
  rut_draft_check_tensor(draft, chassis, s->inertia);
  // integrals of y^2 + z^2, x^2 + z^2 and x^2 + y^2
  const double largest = rut_max(rut_max(moment[0], moment[1]), moment[2]);
  if (largest <= (all - largest) * (1 + 1e-6)) return;
  rut_node_error(
      spec, chassis, "inertia", RUT_ERR_MODEL, "",
      "no body has this inertia: the moment of %g kg m2 exceeds the sum of the other two", largest);
}

static void read_hitch(const rutSpec* spec, rutNode hitch, rutDraftSpatial* s) {
  if (rut_node_is_null(hitch)) return;
  int n = 0;
  const double* position = rut_node_numbers(spec, hitch, "position", &n);
  for (int i = 0; i < n && i < 3; i++) s->hitch[i] = position[i] - s->com[i];
  s->hitch_force = rut_node_number(spec, hitch, "force");
  s->hitch_ramp = rut_node_number(spec, hitch, "ramp");
  s->hitch_start = rut_node_number(spec, hitch, "start");
}

typedef struct rutSpringRates {
  double stiffness, damping;  // [N/m], [N s/m]
} rutSpringRates;

static void tyre_rates(const rutDraftClass* c, int w, double pressed, rutSpringRates* tyre) {
  const rutDraftComponent* below = rut_tyre_of(&c->spatial, w);
  const double none = 0;
  double out[8] = {0}, room[RUT_MAX_PARAMS];
  ((const rutTyreType*)below->type)
      ->carcass(
          rut_draft_inflated(below, room), 1, &pressed, &none, &c->radius[w],
          &(rutCarcassOut){&out[0], &out[1], &out[2], &out[3], &out[4], &out[5], &out[6], &out[7]});
  *tyre = (rutSpringRates){out[1], out[2]};
}

// Rates of a wheel's spring and tyre at a little deflection.
static void wheel_rates(const rutDraftClass* c, int w, rutSpringRates* spring,
                        rutSpringRates* tyre) {
  const rutDraftSpatial* s = &c->spatial;
  const rutDraftComponent* above = rut_suspension_of(s, w);
  const double none = 0, moved = s->massless[w] ? 1e-3 * s->wheel.highest[w] : 0;
  double out[4] = {0};
  ((const rutSuspensionType*)above->type)
      ->force(above->param, 1, &moved, &none, &none,
              &(rutSuspensionOut){&out[0], &out[1], &out[2], &out[3]});
  *spring = (rutSpringRates){out[1], out[2]};
  tyre_rates(c, w, 1e-6 * c->radius[w], tyre);
}

// Loads under a chassis that is level: each wheel carries its rate times a + b x + c y, such that
// weight and moments about the chassis's centre of mass balance.
static void share_load(rutDraft* draft, rutDraftClass* c) {
  rutDraftSpatial* s = &c->spatial;
  double a[3][3] = {{0}}, b[3] = {s->chassis_mass * draft->gravity, 0, 0}, x[3];
  double rate[RUT_MAX_WHEELS], gives[RUT_MAX_WHEELS], total = 0;
  for (int w = 0; w < c->wheels; w++) {
    rutSpringRates spring, tyre;
    wheel_rates(c, w, &spring, &tyre);
    // spring and tyre one above the other; a massless wheel's tyre does not give
    const double above = spring.stiffness, below = tyre.stiffness;
    rate[w] = s->massless[w] || !(below > 0) ? above : above * below / (above + below);
    gives[w] = s->massless[w] ? above : below;
    s->wheel.stiffness[w] = rut_max(below, 1e-3);
    total += rate[w];
  }
  for (int w = 0; w < c->wheels; w++) {
    // without springs the stiffnesses are taken as equal
    rate[w] = total > 0 ? rate[w] * c->wheels / total : 1;
    const double v[3] = {1, c->x[w] - s->com[0], c->y[w] - s->com[1]};
    for (int i = 0; i < 3; i++) {
      for (int k = 0; k < 3; k++) a[i][k] += rate[w] * v[i] * v[k];
    }
  }
  rut_solve3(a, b, x);
  double sag = 0, weight = 0;
  for (int w = 0; w < c->wheels; w++) {
    const double level = x[0] + x[1] * (c->x[w] - s->com[0]) + x[2] * (c->y[w] - s->com[1]);
    const double load = rate[w] * level, wheel = s->massless[w] ? 0 : c->wheel_mass[w];
    const double down = load + wheel * draft->gravity;
    s->wheel.preload[w] = s->massless[w] ? 0 : load;
    c->share[w] = wheel + load / rut_max(draft->gravity, 1e-9);
    const double sunk = gives[w] > 0 ? down / gives[w] : 0;
    s->wheel.deflection[w] = s->massless[w] ? 0 : sunk;
    // lightly loaded wheels hardly determine the height
    sag += sunk * rut_max(down, 0);
    weight += rut_max(down, 0);
  }
  s->sag = weight > 0 ? sag / weight : 0;
}

// Centre of mass in plan and yaw inertia about it, as the vehicle stands.
static void find_middle(rutDraftClass* c) {
  const rutDraftSpatial* s = &c->spatial;
  double moment[2] = {s->chassis_mass * s->com[0], s->chassis_mass * s->com[1]};
  double x[RUT_MAX_WHEELS], y[RUT_MAX_WHEELS];
  for (int w = 0; w < c->wheels; w++) {
    const double wheel = s->massless[w] ? 0 : c->wheel_mass[w], arms = s->wheel.corner_mass[w];
    x[w] = s->mechanism[w] ? s->com[0] + s->hub_x[w] : c->x[w];
    y[w] = s->mechanism[w] ? s->com[1] + s->hub_y[w] : c->y[w];
    moment[0] += wheel * x[w] + (arms * s->com[0] + s->first_x[w]);
    moment[1] += wheel * y[w] + (arms * s->com[1] + s->first_y[w]);
  }
  c->com[0] = moment[0] / c->mass;
  c->com[1] = moment[1] / c->mass;
  const double dx = c->com[0] - s->com[0], dy = c->com[1] - s->com[1], d2 = dx * dx + dy * dy;
  c->yaw_inertia = s->inertia[2] + s->chassis_mass * d2;
  for (int w = 0; w < c->wheels; w++) {
    const double wheel = s->massless[w] ? 0 : c->wheel_mass[w], arms = s->wheel.corner_mass[w];
    const double rx = x[w] - c->com[0], ry = y[w] - c->com[1];
    c->yaw_inertia += s->wheel.transverse[w] + wheel * (rx * rx + ry * ry);
    c->yaw_inertia += s->second_z[w] - 2 * (dx * s->first_x[w] + dy * s->first_y[w]) + arms * d2;
  }
}

// The tightest turn without slip: that at which the first wheel is at its stop, the inner one of an
// axle, or the linkage at its own.
static void find_smallest_turn(rutDraftClass* c) {
  static const double MOST_ANGLE = 1.5;  // [rad]
  rutDraftSpatial* s = &c->spatial;
  double most = 1e300;
  for (int w = 0; w < c->wheels; w++) {
    const double t = rut_tan(rut_min(s->wheel.max_steer[w], MOST_ANGLE));
    const double x = rut_abs(c->x[w] - s->steer_x), y = rut_abs(c->y[w]);
    if (t > 0 && x > 0) most = rut_min(most, t / (x + y * t));
  }
  if (s->steer_full > 0 && s->steer_base > 0) {
    most = rut_min(most, rut_tan(rut_min(s->steer_full, MOST_ANGLE)) / s->steer_base);
  }
  s->steer_curvature = most < 1e300 ? most : 0;
}

// All axles meet on one line when the vehicle turns: that of the axles that do not steer, or half
// way between all that do.
static void find_steering(rutDraftClass* c) {
  rutDraftSpatial* s = &c->spatial;
  double fixed = 0, all = 0, foremost = -1e300, rearmost = 1e300;
  int n = 0;
  for (int w = 0; w < c->wheels; w++) {
    all += c->x[w] / c->wheels;
    if (c->steered[w]) {
      foremost = rut_max(foremost, c->x[w]);
      rearmost = rut_min(rearmost, c->x[w]);
      c->max_steer = rut_max(c->max_steer, s->wheel.max_steer[w]);
      continue;
    }
    fixed += c->x[w];
    n++;
  }
  s->steer_x = n > 0 ? fixed / n : all;
  // a vehicle that steers behind turns as one with a front wheel as far ahead would
  const bool steers = foremost > -1e299, ahead = foremost > s->steer_x;
  s->steer_base = steers ? (ahead ? foremost - s->steer_x : s->steer_x - rearmost) : 0;
  find_smallest_turn(c);
}

// Longest stable Runge-Kutta step of a mass on a spring and damper: step times rate of decay must
// stay below 2.78 and step times angular frequency below 2.83.
static double explicit_step(rutSpringRates on, double mass) {
  const double decay = on.damping / mass, frequency = rut_sqrt(on.stiffness / mass);
  return 2.5 / rut_max(rut_max(decay, frequency), 1e-9);
}

// Vertical stiffness and damping at a wheel's hub, and the mass that moves with it; of mechanisms
// as they stand.
static double unsprung(const rutDraftClass* c, int w, rutSpringRates* spring,
                       rutSpringRates* tyre) {
  const rutDraftSpatial* s = &c->spatial;
  if (!s->mechanism[w]) {
    wheel_rates(c, w, spring, tyre);
    return c->wheel_mass[w];
  }
  *spring = (rutSpringRates){s->hub_stiffness[w], s->hub_damping[w]};
  tyre_rates(c, w, rut_max(s->wheel.deflection[w], 1e-6 * c->radius[w]), tyre);
  return s->hub_mass[w];
}

// Deflection of a wheel's tyre under a load, and its stiffness then.
static double deflection_under(const rutDraftClass* c, int w, double load, double* stiffness) {
  const rutDraftComponent* tyre = rut_tyre_of(&c->spatial, w);
  double low = 0, high = 0.9 * c->radius[w], none = 0, out[8] = {0}, room[RUT_MAX_PARAMS];
  const double* param = rut_draft_inflated(tyre, room);
  const rutCarcassOut to = {&out[0], &out[1], &out[2], &out[3], &out[4], &out[5], &out[6], &out[7]};
  for (int i = 0; i < 60; i++) {
    const double middle = 0.5 * (low + high);
    ((const rutTyreType*)tyre->type)->carcass(param, 1, &middle, &none, &c->radius[w], &to);
    if (out[0] < load) {
      low = middle;
    } else {
      high = middle;
    }
  }
  *stiffness = out[1];
  return high;
}

double rut_draft_unsprung(const rutDraftClass* c, int w, double* spring, double* tyre) {
  rutSpringRates above, below;
  const double mass = unsprung(c, w, &above, &below);
  *spring = above.stiffness;
  *tyre = below.stiffness;
  return mass;
}

// Is every wheel between spring and tyre, and the chassis on its springs (heave, pitch and roll)?
static void check_explicit(rutDraft* draft, rutNode node, const rutDraftClass* c) {
  const rutDraftSpatial* s = &c->spatial;
  double shortest = 1e300;
  rutSpringRates chassis[3] = {{0}};
  const double inertia[3] = {s->chassis_mass, s->inertia[1], s->inertia[0]};
  if (!draft->rk4) return;
  for (int w = 0; w < c->wheels; w++) {
    rutSpringRates spring, tyre;
    const double mass = unsprung(c, w, &spring, &tyre);
    const double x = c->x[w] - s->com[0], y = c->y[w] - s->com[1], lever[3] = {1, x * x, y * y};
    for (int i = 0; i < 3; i++) {
      chassis[i].stiffness += lever[i] * spring.stiffness;
      chassis[i].damping += lever[i] * spring.damping;
    }
    if (s->massless[w]) continue;
    const rutSpringRates both = {spring.stiffness + tyre.stiffness, spring.damping + tyre.damping};
    shortest = rut_min(shortest, explicit_step(both, mass));
  }
  for (int i = 0; i < 3; i++) shortest = rut_min(shortest, explicit_step(chassis[i], inertia[i]));
  if (draft->dt > shortest) {
    rut_node_warning(draft->spec, node, NULL,
                     "its springs and dampers are too stiff for its masses in Runge-Kutta steps of "
                     "%g s: take at most %.2g s, or the default integrator",
                     draft->dt, shortest);
  }
}

static void check_balance(rutDraft* draft, rutNode node, const rutDraftClass* c) {
  double least = 1e300, x_min = 1e300, x_max = -1e300;
  for (int w = 0; w < c->wheels; w++) {
    least = rut_min(least, c->share[w]);
    x_min = rut_min(x_min, c->x[w]);
    x_max = rut_max(x_max, c->x[w]);
  }
  if (x_max - x_min > 1e-9 && least < 0) {
    rut_node_warning(draft->spec, node, NULL,
                     "its centre of mass lies outside of its wheels: it will fall over");
  }
}

// How the vehicle stands on level ground, for one that follows the ground without dynamics.
static void describe_rest(const rutDraft* draft, rutDraftClass* c, int w) {
  rutDraftSpatial* s = &c->spatial;
  rutDraftWheels* to = &s->wheel;
  rutSpringRates spring, tyre;
  const double load = c->share[w] * draft->gravity;
  unsprung(c, w, &spring, &tyre);
  to->rest_load[w] = load;
  to->rest_deflection[w] = s->massless[w] ? 0 : deflection_under(c, w, load, &tyre.stiffness);
  // one above the other; a massless wheel's tyre does not give
  const double above = rut_max(spring.stiffness, 1e-3), below = rut_max(tyre.stiffness, 1e-3);
  to->rest_share[w] = s->massless[w] ? 1 : below / (above + below);
  to->rest_rate[w] = to->rest_share[w] * above;
  to->rest_coordinate[w] = to->settled[w] + (s->massless[w] ? load / above : 0);
}

// Distance of a wheel's cams, from the length of its contact under the static load: a belt lies
// flat over less than the chord of a circle that is pressed in as much.
static double cam_distance(const rutDraftSpatial* s, int w, double radius) {
  static const double SHARE = 0.8, FLAT = 0.7;
  const double pressed = rut_min(s->wheel.rest_deflection[w], 0.2 * radius);
  return SHARE * 2 * FLAT * rut_sqrt(rut_max(pressed * (2 * radius - pressed), 0));
}

// The rest of what the class has of each wheel.
static void finish_wheels(const rutDraft* draft, rutNode node, rutDraftClass* c) {
  rutDraftSpatial* s = &c->spatial;
  const double given = rut_node_number(draft->spec, node, "cam_distance");
  for (int w = 0; w < c->wheels; w++) {
    rutDraftWheels* to = &s->wheel;
    to->radius[w] = c->radius[w];
    to->width[w] = c->width[w];
    // the tread is round across: by half the width, or as far as the wheel allows
    to->crown[w] = rut_min(0.5 * c->width[w], c->radius[w]);
    to->x[w] = c->x[w] - s->com[0];
    to->y[w] = c->y[w] - s->com[1];
    to->z[w] = s->z[w] - s->com[2];
    to->slides[w] = s->massless[w] ? 0 : 1;
    to->rolls[w] = s->massless[w] ? 0 : to->rolls[w];
    to->wheel_mass[w] = s->massless[w] ? 0 : c->wheel_mass[w];
    to->spin[w] = c->inertia[w];
    to->driven[w] = c->driven[w] ? 1 : 0;
    to->side[w] = s->partner[w] == w ? 0 : (s->partner[w] > w ? 1 : -1);
    describe_rest(draft, c, w);
    to->cam_distance[w] = given == given ? given : cam_distance(s, w, c->radius[w]);
  }
  // slides are steered without a linkage, and so without its column
  if (!(s->mechanisms && s->steer_lock > 0)) s->steer_stiffness = 0;
}

// A linkage has inertia, and what asks it to jump asks for any energy: where no rate is given it
// has that of MAVS's steering actuators, of the size of the fastest that drivers do (720 deg/s at
// the hand wheel in NHTSA's fishhook). Wheels on slides have none about their upright axis.
static double steer_rate(double given, bool linkage) {
  static const double OF_LINKAGE = 0.25 * RUT_PI, NONE = 1e3;  // [rad/s]
  if (given > 0) return given;
  return linkage ? OF_LINKAGE : NONE;
}

void rut_draft_axles(rutDraft* draft, rutNode node, rutDraftClass* c) {
  rutDraftSpatial* s = &c->spatial;
  const rutSpec* spec = draft->spec;
  const rutNode chassis = rut_node_first(spec, node, "chassis");
  read_axles(draft, node, c);
  if (draft->reporter->errors) return;
  s->search = (int)rut_node_number(spec, node, "contact");
  s->slices = (int)rut_node_number(spec, node, "contact_slices");
  s->refine = rut_node_number(spec, node, "contact_refine") != 0;
  s->width_slices = (int)rut_node_number(spec, node, "width_slices");
  s->cam_length = rut_node_number(spec, node, "cam_length");
  s->cam_height = rut_node_number(spec, node, "cam_height");
  s->cam_order = rut_node_number(spec, node, "cam_order");
  s->side_stiffness = rut_node_number(spec, node, "side_stiffness");
  s->side_damping = rut_node_number(spec, node, "side_damping");
  s->side_friction = rut_node_number(spec, node, "side_friction");
  s->steer_rate = steer_rate(rut_node_number(spec, node, "steer_rate"), s->mechanisms > 0);
  s->steer_response = rut_node_number(spec, node, "steer_response");
  s->steer_stiffness = rut_node_number(spec, node, "steer_stiffness");
  s->steer_damping = rut_node_number(spec, node, "steer_damping");
  s->steer_inertia = rut_node_number(spec, node, "steer_inertia");
  read_mass(draft, chassis, c);
  read_hitch(spec, rut_node_first(spec, node, "hitch"), s);
  rut_draft_inflation(draft, node, s);
  rut_draft_stability(draft, node, c);
  rut_draft_hull(draft, node, c);
  c->mass = s->chassis_mass;
  for (int w = 0; w < c->wheels; w++) c->mass += s->massless[w] ? 0 : c->wheel_mass[w];
  if (s->mechanisms == 0) {
    share_load(draft, c);
  } else if (s->mechanisms == c->wheels) {
    rut_draft_settle_corners(draft, node, c);
  } else {
    rut_node_error(spec, node, NULL, RUT_ERR_MODEL, "",
                   "has wheels on slides and wheels on mechanisms; all must be of one sort");
    return;
  }
  if (draft->reporter->errors) return;
  find_middle(c);
  find_steering(c);
  check_balance(draft, node, c);
  check_explicit(draft, node, c);
  finish_wheels(draft, node, c);
  // rows of coordinates are laid out when the number of lanes is known
  c->bodies = 0;
}

// A tyre that is pressed in beyond its hub would throw the vehicle out.
static void check_start(rutDraft* draft, const rutDraftVehicle* v, const rutDraftClass* c) {
  const double* start = v->record.start;
  const rutMat3 turn = rut_quat_matrix(rut_quat_of_rpy(start[3], start[4], start[5]));
  double deepest = 0;
  for (int w = 0; w < c->wheels; w++) {
    const rutVec3 hub = rut_mat3_apply(turn, rut_vec3(c->x[w], c->y[w], c->spatial.z[w]));
    const double z = start[2] + hub.z;
    double height;
    const bool ground =
        rut_draft_finds_ground(draft, start[0] + hub.x, start[1] + hub.y, z, &height);
    if (ground || draft->source.n == 0) deepest = rut_max(deepest, height - z);
  }
  if (!(deepest > 0)) return;
  rut_node_error(draft->spec, v->node, "position", RUT_ERR_MODEL,
                 "raise it, or leave on_ground=\"false\" out",
                 "it starts inside the ground: a wheel's hub is %.3g m below", deepest);
}

void rut_draft_check_starts(rutDraft* draft) {
  for (int i = 0; i < draft->vehicle.n && !draft->reporter->errors; i++) {
    const rutDraftVehicle* v = rut_list_at(&draft->vehicle, i);
    if (v->group < 0) continue;
    const rutDraftClass* c = rut_list_at(&draft->group, v->group);
    if (c->spatial.axles && !v->record.on_ground) check_start(draft, v, c);
  }
}
