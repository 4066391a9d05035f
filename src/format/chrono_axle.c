// SPDX-License-Identifier: BSD-3-Clause
//
// A suspension of Chrono to a <suspension>: to a mechanism with the same points, or to a slide with
// the force at the wheel that springs and links give, by virtual work at the design position.
#include "format/chrono_axle.h"

static const double STOP_RATE = 2e6;   // of rut's stops, where lengths are given without a table
static const double RIGID_RATE = 1e6;  // of a wheel at the chassis [N/m]
static const double RIGID_DAMPING = 2e4;
static const double TRAVEL = 0.25;  // where no stop is given [m]
static const double LEAST_TRAVEL = 0.01;
// Chrono's bump and rebound stops: penetration [m] and force [N]
static const double stops[] = {0,    0,    0.002, 200,  0.01, 1000,  0.02, 2500,
                               0.03, 4500, 0.04,  7500, 0.05, 12500, 0.06, 125000};

typedef struct Maker {
  rutChronoPart* part;
  rutNode node;
  rutPlace place;
} Maker;

static void set(const Maker* m, const char* field, double value) {
  rut_json_set(&m->part->maker, m->node, field, value, m->place);
}

static void set_vector(const Maker* m, const char* field, rutVec3 v) {
  const double value[3] = {v.x, v.y, v.z};
  rut_json_set_list(&m->part->maker, m->node, field, 3, value, m->place);
}

// ---- masses ----

double rut_chrono_wheel_mass(const rutChronoAxle* axle) {
  return axle->suspension.spindle_mass + axle->wheel_mass;
}

// Half of what hangs between chassis and upright moves with the wheel.
static double arm_share(const rutChronoSuspension* s) {
  return 0.5 * (s->upper.mass + s->lower.mass + s->tie_mass);
}

double rut_chrono_slide_mass(const rutChronoAxle* axle) {
  const rutChronoSuspension* s = &axle->suspension;
  return rut_chrono_wheel_mass(axle) + s->upright_mass + s->link_mass + arm_share(s);
}

// ---- mechanisms ----

// A point from the axle.
static void set_point(const Maker* m, const rutChronoAxle* axle, const char* field, rutVec3 p) {
  set_vector(m, field, rut_vec3(p.x - axle->suspension.hub.x, p.y, p.z));
}

// The sense of a linkage that steers the left wheel to the left: how the upright turns about its
// kingpin as the tie rod's inner end moves by `move`.
static double steers_left(const rutChronoSuspension* s, rutVec3 move) {
  const rutVec3 kingpin = rut_vec3_unit(rut_vec3_sub(s->upper.ball, s->lower.ball));
  const rutVec3 rod = rut_vec3_sub(s->tie_outer, s->tie_inner);
  const rutVec3 swing = rut_vec3_cross(kingpin, rut_vec3_sub(s->tie_outer, s->lower.ball));
  const double turn = rut_vec3_dot(move, rod) * rut_vec3_dot(swing, rod);
  return (kingpin.z < 0 ? -turn : turn) < 0 ? -1 : 1;
}

static void set_steering(const Maker* m, const rutChronoSuspension* s,
                         const rutChronoSteering* steering) {
  if (steering->rack > 0) {
    // rut's rack moves to the right
    set(m, "rack", steers_left(s, rut_vec3(0, -1, 0)) * steering->rack);
    return;
  }
  const rutVec3 move = rut_vec3_cross(steering->axis, steering->arm);
  set_vector(m, "steering_arm", steering->arm);
  set_vector(m, "steering_axis", rut_vec3_scale(steering->axis, steers_left(s, move)));
}

static void set_spring(const Maker* m, const rutChronoSpring* spring) {
  if (spring->curve.n > 0) {
    rutChronoCurve force = spring->curve;
    // of compression, pushing; Chrono's is of elongation, pulling
    for (int i = 0; i < force.n; i++) force.y[i] -= spring->preload;
    rut_chrono_set_curve(m->part, m->node, "spring", &force, -1, -1);
    set(m, "free_length", rut_clamp(spring->free_length, 0, 1e3));
  } else {
    set(m, "spring_rate", spring->rate);
    const double more = spring->rate > 0 ? spring->preload / spring->rate : 0;
    set(m, "free_length", rut_clamp(spring->free_length + more, 0, 1e3));
  }
  set(m, "bump_length", rut_clamp(spring->shortest, 0, 1e3));
  set(m, "rebound_length", rut_clamp(spring->longest, 0, 1e3));
  if (!(spring->longest > 0)) return;
  rut_json_set_list(&m->part->maker, m->node, "stop", RUT_COUNT_OF(stops), stops, m->place);
}

static void set_damper(const Maker* m, const rutChronoDamper* damper) {
  set(m, "compression_damping", rut_min(damper->compression, 1e9));
  set(m, "rebound_damping", rut_min(damper->rebound, 1e9));
  if (!(damper->zone_long > 0)) return;
  set(m, "zone_short", rut_clamp(damper->zone_short, 0, 1e3));
  set(m, "zone_long", rut_clamp(damper->zone_long, 0, 1e3));
  set(m, "zone_compression_damping", rut_min(damper->zone_compression, 1e9));
  set(m, "zone_rebound_damping", rut_min(damper->zone_rebound, 1e9));
}

static void set_arm(const Maker* m, const rutChronoAxle* axle, bool upper,
                    const rutChronoArm* arm) {
  set_point(m, axle, upper ? "upper_front" : "lower_front", arm->front);
  set_point(m, axle, upper ? "upper_rear" : "lower_rear", arm->rear);
  set_point(m, axle, upper ? "upper_ball" : "lower_ball", arm->ball);
  set_point(m, axle, upper ? "upper_com" : "lower_com", arm->com);
  set_vector(m, upper ? "upper_inertia" : "lower_inertia", arm->inertia);
  set(m, upper ? "upper_mass" : "lower_mass", arm->mass);
}

void rut_chrono_make_wishbone(rutChronoFrame* frame, rutChronoAxle* axle, rutNode node) {
  const rutChronoSuspension* s = &axle->suspension;
  Maker m = {.part = s->part, .place = rut_chrono_place(s->part, NULL)};
  m.node = rut_json_add(&m.part->maker, node, "suspension", "double_wishbone", "", m.place);
  if (rut_node_is_null(m.node)) return;
  set_arm(&m, axle, true, &s->upper);
  set_arm(&m, axle, false, &s->lower);
  set_point(&m, axle, "upright_com", s->upright_com);
  set_vector(&m, "upright_inertia", s->upright_inertia);
  set(&m, "upright_mass", s->upright_mass);
  set_point(&m, axle, "tie_rod_inner", s->tie_inner);
  set_point(&m, axle, "tie_rod_outer", s->tie_outer);
  set(&m, "tie_rod_mass", s->tie_mass);
  if (s->toe != 0) set(&m, "toe", s->toe);
  if (s->camber != 0) set(&m, "camber", s->camber);
  set_point(&m, axle, "spring_top", s->spring.top);
  set_point(&m, axle, "spring_foot", s->spring.foot);
  set_point(&m, axle, "damper_top", s->damper.top);
  set_point(&m, axle, "damper_foot", s->damper.foot);
  set_spring(&m, &s->spring);
  set_damper(&m, &s->damper);
  if (axle->steering >= 0) set_steering(&m, s, &frame->steering[axle->steering]);
}

// ---- slides ----

// Force at the wheel, up on the chassis, at a travel of the hub up from the design position.
static double wheel_force(const rutChronoSuspension* s, double ratio, double travel) {
  const rutChronoSpring* spring = &s->spring;
  if (!spring->given) return RIGID_RATE * travel;
  const double length = rut_vec3_norm(rut_vec3_sub(spring->top, spring->foot)) + ratio * travel;
  const double over = length - spring->free_length;
  const double pull =
      spring->curve.n > 0 ? rut_chrono_curve_at(&spring->curve, over) : spring->rate * over;
  double force = spring->preload - pull;
  if (spring->longest > 0) {
    force +=
        STOP_RATE * (rut_max(spring->shortest - length, 0) - rut_max(length - spring->longest, 0));
  }
  return -force * ratio;
}

void rut_chrono_settle(rutChronoFrame* frame) {
  static const double STEP = 1e-5, MOST = 0.4, LIMIT = 0.05;
  const double weight = frame->body.mass * frame->gravity;
  const rutVec3 com = frame->body.com;
  double z = 0, slope = 0;
  for (int pass = 0; pass < 100; pass++) {
    double f = -weight, moment = 0, a = 0, b = 0, c = 0;
    for (int i = 0; i < frame->axles; i++) {
      rutChronoAxle* axle = &frame->axle[i];
      const double x = axle->suspension.hub.x - com.x;
      const double ratio = rut_chrono_ratios(&axle->suspension).spring;
      const double s = axle->settle = rut_clamp(z + slope * x, -MOST, MOST);
      const double force = 2 * wheel_force(&axle->suspension, ratio, s);
      const double rate = (2 * wheel_force(&axle->suspension, ratio, s + STEP) - force) / STEP;
      f += force;
      moment += force * x;
      a += rate;
      b += rate * x;
      c += rate * x * x;
    }
    const double square = a * c - b * b;
    // a single axle, or none that is stiff, stays
    if (!(square > 1e-6 * rut_abs(a * c)) || !(a > 0)) return;
    z += rut_clamp(-(c * f - b * moment) / square, -LIMIT, LIMIT);
    slope += rut_clamp(-(a * moment - b * f) / square, -LIMIT, LIMIT);
  }
}

static void set_stops(const Maker* m, const rutChronoSuspension* s, double ratio, double settle) {
  const rutChronoSpring* spring = &s->spring;
  double up = TRAVEL, down = TRAVEL;
  if (spring->given && spring->longest > 0 && ratio < -1e-3) {
    const double length = rut_vec3_norm(rut_vec3_sub(spring->top, spring->foot));
    up = (spring->shortest - length) / ratio - settle;
    down = settle - (spring->longest - length) / ratio;
  }
  set(m, "bump_travel", rut_clamp(up, LEAST_TRAVEL, 1e3));
  set(m, "rebound_travel", rut_clamp(down, LEAST_TRAVEL, 1e3));
  set(m, "stop_stiffness", STOP_RATE);
}

void rut_chrono_make_slide(rutChronoFrame* frame, rutChronoAxle* axle, rutNode node) {
  const rutChronoSuspension* s = &axle->suspension;
  const rutChronoRatios ratio = rut_chrono_ratios(s);
  (void)frame;
  Maker m = {.part = s->part, .place = rut_chrono_place(s->part, NULL)};
  m.node = rut_json_add(&m.part->maker, node, "suspension", "slider", "", m.place);
  if (rut_node_is_null(m.node)) return;
  const double square = ratio.damper * ratio.damper;
  double rate = ratio.spring * ratio.spring * s->spring.rate;
  if (!s->spring.given) rate = RIGID_RATE;
  if (s->spring.curve.n > 0 && ratio.spring < -1e-3) {
    rutChronoCurve force = s->spring.curve;
    const double length = rut_vec3_norm(rut_vec3_sub(s->spring.top, s->spring.foot));
    const double rest = rut_chrono_curve_at(
        &s->spring.curve, length + ratio.spring * axle->settle - s->spring.free_length);
    for (int i = 0; i < force.n; i++) {
      force.x[i] += s->spring.free_length - length - ratio.spring * axle->settle;
      force.y[i] -= rest;
    }
    rut_chrono_set_curve(m.part, m.node, "spring", &force, 1 / ratio.spring, ratio.spring);
  } else {
    set(&m, "stiffness", rut_max(rate, 1));
  }
  set(&m, "damping",
      s->damper.given ? rut_min(square * s->damper.compression, 1e9) : RIGID_DAMPING);
  if (s->damper.given && s->damper.rebound > 0) {
    set(&m, "rebound_damping", rut_min(square * s->damper.rebound, 1e9));
  }
  set_stops(&m, s, ratio.spring, axle->settle);
}
