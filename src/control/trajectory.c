// SPDX-License-Identifier: BSD-3-Clause
//
// Follows a trajectory: points with times, joined by straight lines on which the speed is constant.
// The reference point moves by the clock, whatever the vehicle does; the vehicle drives at the
// reference's speed towards the point of the path that lies a lookahead distance ahead of it, on
// the arc of pure pursuit (Coulter, The Robotics Institute, CMU-RI-TR-92-01, 1992): its curvature
// is 2 y/d^2 with d the distance to the point and y its distance to the left. Where the yaw rate
// would be too large the vehicle slows down and keeps the curvature. The law is that of MVSim's
// controller "trajectory".
#include "base/report.h"
#include "control/skid.h"

// The set point `pace` slows the reference's clock down, or stops it.
#define FIELDS(X)                                                       \
  X(lookahead, "m", 0.5, 1e-3, 1e6,                                     \
    "Length of path from the reference to the point that "              \
    "the vehicle drives towards.")                                      \
  X(max_yaw_rate, "rad/s", 2, 0, 1e3, "Largest yaw rate; 0: no limit.") \
  X(pace, "", 1, 0, 100, "Pace of the reference's clock before the first command: 0 waits.")

typedef struct Param {
  rutControllerHead head;
  FIELDS(RUT_PARAM)
  double closed, times, points;
} Param;

static const rutField fields[] = {RUT_CONTROLLER_ROWS FIELDS(RUT_ROW){
                                      "closed", "", RUT_BOOLEAN, 1, 0, 0, 1, "", 0,
                                      "At the last point it continues from the first, endlessly."},
                                  {"times", "s", RUT_VECTOR, 0, 0, -1e9, 1e9, "0 10",
                                   RUT_FIELD_REQUIRED, "Times of the points, increasing."},
                                  {"points", "m", RUT_POINTS, 0, 0, -1e9, 1e9, "0 0 10 0",
                                   RUT_FIELD_REQUIRED, "x y of the points in the world."}};

static const rutVariable commands[] = {
    RUT_VARIABLE(pace, "", "pace of the reference's clock: 1 as its times say, 0 waits")};

static const rutVariable states[] = {
    RUT_VARIABLE(begun, "", "1 after the first update") RUT_STATE_OUTPUT(
        clock, "s", "the reference's time: at the first update that of the world, times the pace")};
enum { BEGUN, CLOCK };

static const rutVariable outputs[] = {
    RUT_VARIABLE(speed, "m/s", "set point") RUT_VARIABLE(yaw_rate, "rad/s", "set point")
        RUT_VARIABLE(reference_error, "m", "distance of the vehicle from its reference")};
enum { SPEED, YAW_RATE, REFERENCE_ERROR };

static const double MAX_SPEED = 1000;  // [m/s]

typedef struct Trajectory {
  const double *time, *xy;
  int points;
  bool closed;
} Trajectory;

static Trajectory trajectory_of(const Param* p) {
  int times, numbers;
  Trajectory t = {.closed = p->closed != 0.0};
  t.time = rut_param_list(p, p->times, &times);
  t.xy = rut_param_list(p, p->points, &numbers);
  t.points = numbers / 2;
  return t;
}

static double length_of(const Trajectory* t, int i) {
  return rut_hypot(t->xy[2 * i + 2] - t->xy[2 * i], t->xy[2 * i + 3] - t->xy[2 * i + 1]);
}

static rutStatus trajectory_check(const double* param, rutError* err) {
  const Param* p = (const Param*)param;
  const Trajectory t = trajectory_of(p);
  int times;
  rut_param_list(p, p->times, &times);
  if (t.points < 2) {
    return rut_error_set(err, RUT_ERR_MODEL, "points has %d points; a trajectory needs 2",
                         t.points);
  }
  if (times != t.points) {
    return rut_error_set(err, RUT_ERR_MODEL, "there are %d times for %d points", times, t.points);
  }
  for (int i = 1; i < times; i++) {
    if (!(t.time[i] > t.time[i - 1])) {
      return rut_error_set(err, RUT_ERR_MODEL, "time %d (%g s) is not after time %d (%g s)", i + 1,
                           t.time[i], i, t.time[i - 1]);
    }
    const double speed = length_of(&t, i - 1) / (t.time[i] - t.time[i - 1]);
    if (speed <= MAX_SPEED) continue;
    return rut_error_set(err, RUT_ERR_MODEL,
                         "from point %d to point %d it would go at %g m/s, more than %g m/s", i,
                         i + 1, speed, MAX_SPEED);
  }
  return RUT_OK;
}

// A place on the path.
typedef struct Place {
  int segment;
  double along;  // from the segment's start [m]
  double x, y;
} Place;

static Place place_on(const Trajectory* t, int segment, double along) {
  const double* a = t->xy + 2 * segment;
  const double length = length_of(t, segment);
  const double share = length > 0.0 ? along / length : 0.0;
  return (Place){segment, along, a[0] + share * (a[2] - a[0]), a[1] + share * (a[3] - a[1])};
}

// Where the reference is at a time, and how fast it goes there.
static Place reference_at(const Trajectory* t, double time, double* speed) {
  const double first = t->time[0], last = t->time[t->points - 1];
  double at = rut_clamp(time, first, last);
  if (t->closed) {
    const double rounds = rut_floor((time - first) / (last - first));
    at = rut_clamp(time - rounds * (last - first), first, last);
  }
  int i = 0;
  while (i < t->points - 2 && at > t->time[i + 1]) i++;
  const double length = length_of(t, i), lasts = t->time[i + 1] - t->time[i];
  *speed = length / lasts;
  return place_on(t, i, length * rut_clamp((at - t->time[i]) / lasts, 0.0, 1.0));
}

// A place farther along the path: of a closed one in the next round, else at most its end.
static Place place_ahead(const Trajectory* t, Place from, double distance) {
  const int all = t->points - 1;
  double rest = distance + from.along;
  double length = 0.0;
  for (int i = 0; i < all; i++) length += length_of(t, i);
  if (length <= 0.0) return from;
  int i = from.segment;
  // a lookahead of many rounds ends where its remainder does
  if (t->closed && rest > length) rest -= length * rut_floor(rest / length);
  while (rest > length_of(t, i)) {
    if (!t->closed && i == all - 1) return place_on(t, i, length_of(t, i));
    rest -= length_of(t, i);
    i = (i + 1) % all;
  }
  return place_on(t, i, rest);
}

// Curvature [1/m] of the arc from a vehicle at (x, y), yaw to a place: 0 where it stands there.
static double curvature_to(const Place* target, double x, double y, double yaw) {
  static const double THERE = 1e-6;  // [m2]
  double sine, cosine;
  rut_sincos(yaw, &sine, &cosine);
  const double dx = target->x - x, dy = target->y - y, square = dx * dx + dy * dy;
  return square < THERE ? 0.0 : 2.0 * (cosine * dy - sine * dx) / square;
}

static void trajectory_update(const void* param, const rutVehicleLayout* layout,
                              const rutControlIn* in, double* state, const rutControlOut* out) {
  const Param* p = param;
  const Trajectory t = trajectory_of(p);
  const int lanes = in->lanes;
  (void)layout;
  for (int l = 0; l < lanes; l++) {
    double* clock = &state[CLOCK * lanes + l];
    const double pace = rut_max(in->command[l], 0.0);
    // the reference is where it would be at this pace since the world began
    const bool begins = state[BEGUN * lanes + l] == 0.0;
    *clock = begins ? pace * in->time[l] : *clock + pace * in->dt;
    state[BEGUN * lanes + l] = 1.0;
    const double x = in->position[l], y = in->position[lanes + l];
    double speed;
    const Place reference = reference_at(&t, *clock, &speed);
    const Place target = place_ahead(&t, reference, p->lookahead);
    const bool moves = *clock >= t.time[0] && *clock < t.time[t.points - 1];
    speed *= t.closed || moves ? pace : 0.0;
    double yaw_rate = speed * curvature_to(&target, x, y, in->yaw[l]);
    const double excess = p->max_yaw_rate > 0.0 ? rut_abs(yaw_rate) / p->max_yaw_rate : 0.0;
    if (excess > 1.0) {
      speed /= excess;
      yaw_rate /= excess;
    }
    out->output[SPEED * lanes + l] = speed;
    out->output[YAW_RATE * lanes + l] = yaw_rate;
    out->output[REFERENCE_ERROR * lanes + l] = rut_hypot(reference.x - x, reference.y - y);
  }
}

const rutControllerType rut_controller_trajectory = {
    .base = {.abi = RUT_ABI,
             .struct_size = sizeof(rutControllerType),
             .kind = "controller",
             .name = "trajectory",
             .parents = "vehicle",
             .doc = "Gives another controller the speed and yaw rate that follow points with "
                    "times. It uses the vehicle's true position.",
             .field = fields,
             .fields = RUT_COUNT_OF(fields),
             .state = states,
             .states = RUT_COUNT_OF(states),
             .check = trajectory_check},
    .command = commands,
    .commands = RUT_COUNT_OF(commands),
    .output = outputs,
    .outputs = RUT_COUNT_OF(outputs),
    .uses = RUT_USES_POSE | RUT_USES_TIME,
    .supervises = true,
    .update = trajectory_update};
