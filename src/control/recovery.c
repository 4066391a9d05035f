// SPDX-License-Identifier: BSD-3-Clause
#include "control/recovery.h"

// Of `backing`.
enum { GOES = 1, STOPS };

static const double LEAST = 0.4;       // way that is worth it [m]
static const double NEAR = 0.15;       // to the end of the way, standing [m]
static const double STANDS = 0.05;     // [m/s]
static const double MARGIN = 0.3;      // by which something is no longer near [m]
static const double GRAZES = 0.05;     // by which what is near may come nearer [m]
static const double APART = 0.25;      // between poses that are looked at [m]
static const double BESIDE = 3;        // distance up to which points are remembered [m]
static const double SAME_POINT = 0.4;  // [m]

// Distance of a point from the vehicle, below 0 within [m].
static double distance_of(const rutPlanFootprint* f, const rutPlanPose* pose, double sine,
                          double cosine, const double at[2]) {
  const double dx = at[0] - pose->x, dy = at[1] - pose->y;
  const double x = cosine * dx + sine * dy, y = cosine * dy - sine * dx;
  const double along = rut_max(x - f->front, -f->rear - x);
  const double across = rut_abs(y) - 0.5 * f->width;
  if (along <= 0 || across <= 0) return rut_max(along, across);
  return rut_hypot(along, across);
}

// Of the nearest of some points, at most `most`.
static double nearest_of(const rutPlanFootprint* f, const rutPlanPose* pose, int n,
                         const double (*at)[2], double most) {
  double sine, cosine;
  rut_sincos(pose->yaw, &sine, &cosine);
  for (int i = 0; i < n; i++) most = rut_min(most, distance_of(f, pose, sine, cosine, at[i]));
  return most;
}

static int remembered(const rutRecovery* r) {
  return r->seen < RUT_RECOVERY_POINTS ? (int)r->seen : RUT_RECOVERY_POINTS;
}

// Clearance of a pose from what is seen and remembered, at most MARGIN.
static double clearance_of(const rutRecovery* r, const rutRecoveryCar* car, const rutPlanPose* pose,
                           rutRecoveryPoints points) {
  const double own = nearest_of(&car->footprint, pose, remembered(r),
                                (const double(*)[2])(const void*)r->point, MARGIN);
  return nearest_of(&car->footprint, pose, points.n, points.at, own);
}

bool rut_recovery_keep(rutRecovery* r, const rutRecoveryCar* car, const rutPlanPose* pose,
                       rutRecoveryPoints points) {
  bool news = rut_goal_track_keep(r->track, &r->tracked, pose);
  double sine, cosine;
  rut_sincos(pose->yaw, &sine, &cosine);
  for (int i = 0; i < points.n; i++) {
    const double* at = points.at[i];
    if (distance_of(&car->footprint, pose, sine, cosine, at) > BESIDE) continue;
    bool known = false;
    for (int k = remembered(r) - 1; k >= 0 && !known; k--) {
      known = rut_hypot(r->point[2 * k] - at[0], r->point[2 * k + 1] - at[1]) < SAME_POINT;
    }
    if (known) continue;
    double* to = &r->point[2 * ((int)r->seen % RUT_RECOVERY_POINTS)];
    to[0] = at[0];
    to[1] = at[1];
    r->seen += 1;
    news = true;
  }
  return news;
}

bool rut_recovery_hopes(const rutRecovery* r, const rutRecoveryCar* car) {
  return car->tries > 0 && r->tracked > 1;
}

void rut_recovery_look(rutRecovery* r, const rutRecoveryCar* car, const rutPlanPose* pose,
                       rutRecoveryPoints points) {
  const double left = rut_goal_path_left(&r->path, false);
  const double now = clearance_of(r, car, pose, points) - GRAZES;
  r->free = RUT_NO_LIMIT;
  for (int k = 1; k * APART < left + APART; k++) {
    const rutPlanPose at = rut_goal_path_ahead(&r->path, rut_min(k * APART, left));
    if (clearance_of(r, car, &at, points) >= now) continue;
    r->free = (k - 1) * APART;
    return;
  }
}

void rut_recovery_begin(rutRecovery* r, const rutRecoveryCar* car, const rutPlanPose* pose,
                        rutRecoveryPoints points, double distance, double time) {
  static const double PATIENCE = 0.5;  // of standing without a way [s]
  if (!rut_recovery_hopes(r, car) || r->stood < PATIENCE) return;
  const double nearer = car->footprint.front + car->footprint.rear;
  if (r->closest == 0 || distance < r->closest - nearer) {
    r->closest = distance;
    r->rounds = 0;
  }
  const rutGoalBack back = rut_goal_track_back(r->track, r->tracked, pose, car->way, car->radius);
  r->path = back.path;
  rut_recovery_look(r, car, pose, points);
  if (r->rounds >= car->tries || rut_min(back.length, r->free) < LEAST) {
    r->tracked = 0;
    return;
  }
  r->tracked -= back.used;
  r->rounds += 1;
  r->since = time;
  r->backing = GOES;
  r->stood = 0;
}

// Speed at which it can stop on what is left of its way.
static double speed_on(const rutRecoveryCar* car, double left) {
  static const double SLOWS = 0.3;   // [m/s2]
  static const double CREEPS = 0.2;  // [m/s]
  return rut_min(car->speed, rut_max(rut_sqrt(2 * SLOWS * left), CREEPS));
}

void rut_recovery_drive(rutRecovery* r, const rutRecoveryCar* car, const rutPlanPose* pose,
                        double speed, double dt, rutRecoveryAsked* asked) {
  static const double RESTS = 0.3;       // time of standing after which it has stopped [s]
  static const double LOST = 0.5;        // off its way [m]
  static const double TURNED = 0.03;     // error of the wheels with which it sets off [rad]
  static const double PATIENCE = 3;      // of standing against its will [s]
  static const double CORRECTION = 0.7;  // way in which offsets die, over the vehicle's length
  const bool stands = rut_abs(speed) < STANDS;
  const double length = car->footprint.front + car->footprint.rear;
  const rutGoalError error = rut_goal_path_find(&r->path, pose, stands, NEAR);
  const double bend = rut_clamp(rut_goal_curvature(&r->path, error, CORRECTION * length),
                                -1 / car->radius, 1 / car->radius);
  r->free = rut_max(r->free - rut_abs(speed) * dt, 0);
  const double left = rut_min(rut_goal_path_left(&r->path, false), r->free);
  const double turn = rut_atan(car->base * bend) - asked->steer, most = car->steer_rate * dt;
  const bool ends = left < 0.3 * NEAR || (stands && left < NEAR);
  const bool stuck = r->stood > PATIENCE;
  asked->speed = 0;
  asked->brake = 1;
  if (stuck) r->tracked = 0;
  if (r->backing == STOPS) {
    if (r->stood > RESTS) r->backing = 0;
    return;
  }
  if (ends || stuck || rut_abs(error.offset) > LOST) {
    r->backing = STOPS;
    r->stood = 0;
    return;
  }
  asked->steer += rut_clamp(turn, -most, most);
  // its wheels turn first
  if (stands && rut_abs(turn) > TURNED + most) {
    r->stood = 0;
    return;
  }
  asked->speed = -speed_on(car, left);
  asked->brake = 0;
}
