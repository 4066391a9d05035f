// SPDX-License-Identifier: BSD-3-Clause
//
// Follows a path of straight lines between points by pure pursuit (Coulter, The Robotics Institute,
// CMU-RI-TR-92-01, 1992): the arc that is tangent to the heading and passes through a point of the
// path some way ahead has the curvature 2 sin(angle to it) / distance. On a circle that is the
// circle's own, wherever that point is, so that no error is left. For a point behind the vehicle
// that arc would be wider the straighter behind it is: it turns as if the point stood beside it, at
// the lookahead distance or nearer, until the point is ahead.
#include "base/report.h"
#include "control/skid.h"

#define TRACTION(X) RUT_TRACTION_FIELDS(X, 5, 3, 5)
#define FIELDS(X)                                                                             \
  X(speed, "m/s", 0, 0, 1e3, "Speed on straight ground before the first command.")            \
  X(lookahead_time, "s", 2, 0, 1e3, "Lookahead distance per speed.")                          \
  X(min_lookahead, "m", 5, 1e-3, 1e6, "Least lookahead distance.")                            \
  X(max_lookahead, "m", 25, 1e-3, 1e6, "Largest lookahead distance.")                         \
  X(max_lateral_acceleration, "m/s2", 2, 1e-3, 1e3,                                           \
    "Largest lateral acceleration in curves, which limits the speed.")                        \
  X(max_deceleration, "m/s2", 1.5, 1e-3, 1e3, "Largest deceleration for a curve or the end.") \
  X(min_speed, "m/s", 0.5, 0, 1e3, "Least speed in sharp corners.")                           \
  X(goal_radius, "m", 1, 0, 1e6,                                                              \
    "Distance from the last point at which it brakes to a stop. Past the line through that "  \
    "point across the path it stops within a lookahead distance of it.")

typedef struct Param {
  rutControllerHead head;
  rutTractionParam traction;
  rutSpeedControlParam speed_control;
  rutSkidParam skid;
  FIELDS(RUT_PARAM)
  double steering, closed, points;
} Param;

enum { AUTOMATIC, WHEELS, SIDES };

static const rutField fields[] = {
    RUT_CONTROLLER_ROWS TRACTION(RUT_ROW) RUT_SPEED_CONTROL_FIELDS(
        RUT_ROW) RUT_SPEED_CONTROL_ROWS RUT_SKID_FIELDS(RUT_ROW) FIELDS(RUT_ROW){
        "steering", "", RUT_CHOICE, 1, AUTOMATIC, 0, 2, "automatic|wheels|sides", 0,
        "By steered wheels, or by the wheel speeds of both sides (skid steering); automatic: by "
        "steered wheels if there are any."},
    {"closed", "", RUT_BOOLEAN, 1, 0, 0, 1, "", 0,
     "The path continues from the last point to the first, endlessly."},
    {"points", "m", RUT_POINTS, 0, 0, -1e9, 1e9, "0 0 10 0", RUT_FIELD_REQUIRED,
     "The path: x y of its points in the world."}};

// Least curvature that limits the speed [1/m].
static const double LEAST_CURVATURE = 1e-12;

// Every number about the path is of the vehicle's point that follows it.
static const rutVariable states[] = {
    RUT_VARIABLE(segment, "", "number of the segment that is followed, from 0")
        RUT_VARIABLE(passed, "m", "length of the segments that are done") RUT_STATE_OUTPUT(
            goal_reached, "", "1 once the end of the path is reached, -1 once it is passed by")
            RUT_STATE_OUTPUT(path_progress, "m", "distance covered along the path")
                RUT_STATE_OUTPUT(cross_track_error, "m",
                                 "distance from the path, positive to its left")
                    RUT_STATE_OUTPUT(cross_track_rms, "m", "root mean square of it until the goal")
                        RUT_STATE_OUTPUT(cross_track_max, "m",
                                         "largest magnitude of it until the goal")
                            RUT_VARIABLE(followed, "s", "time until the goal") RUT_VARIABLE(
                                yaw_sum, "rad/s", "skid steering: yaw rate that the integral adds")
                                RUT_STATE_OUTPUT(effective_track, "m",
                                                 "skid steering: difference of the sides' speeds "
                                                 "over yaw rate")};
enum {
  SEGMENT,
  PASSED,
  GOAL_REACHED,
  PROGRESS,
  CROSS_TRACK,
  CROSS_TRACK_RMS,
  CROSS_TRACK_MAX,
  FOLLOWED,
  YAW_SUM,
  EFFECTIVE_TRACK
};

typedef struct Path {
  const double* xy;
  int points, segments, closed;
} Path;

static Path path_of(const Param* p) {
  int numbers;
  Path path = {.closed = p->closed != 0.0};
  path.xy = rut_param_list(p, p->points, &numbers);
  path.points = numbers / 2;
  path.segments = path.closed ? path.points : path.points - 1;
  return path;
}

static rutStatus waypoints_check(const double* param, rutError* err) {
  static const double SAME_PLACE = 1e-6;  // [m]
  const Param* p = (const Param*)param;
  const Path path = path_of(p);
  const int least = path.closed ? 3 : 2;
  if (path.points < least) {
    return rut_error_set(err, RUT_ERR_MODEL, "points has %d points; a path needs %d", path.points,
                         least);
  }
  for (int i = 0; i < path.segments; i++) {
    const double *a = path.xy + 2 * i, *b = path.xy + 2 * ((i + 1) % path.points);
    if (rut_hypot(b[0] - a[0], b[1] - a[1]) > SAME_PLACE) continue;
    return rut_error_set(err, RUT_ERR_MODEL, "points %d and %d are the same place", i + 1,
                         (i + 1) % path.points + 1);
  }
  if (p->max_lookahead >= p->min_lookahead) return RUT_OK;
  return rut_error_set(err, RUT_ERR_MODEL, "max_lookahead (%g m) is less than min_lookahead (%g m)",
                       p->max_lookahead, p->min_lookahead);
}

static const rutVariable commands[] = {RUT_SET_POINT(speed, "m/s", SPEED, "forward speed")};

// Segment i of a path, 0 and up; of a closed one, any number of rounds.
typedef struct Segment {
  double x, y;    // start
  double ex, ey;  // direction, of length 1
  double length;
} Segment;

static Segment segment_of(const Path* path, int i) {
  const double *a = path->xy + 2 * (i % path->points), *b = path->xy + 2 * ((i + 1) % path->points);
  const double dx = b[0] - a[0], dy = b[1] - a[1], length = rut_hypot(dx, dy);
  return (Segment){a[0], a[1], dx / length, dy / length, length};
}

// One lane's place, and where on the path it is.
typedef struct Follower {
  const Param* p;
  const Path* path;
  double x, y, yaw;
  int segment;
  double along;   // distance from the segment's start
  double passed;  // length of the segments before
} Follower;

// Distance of the vehicle from the nearest place of a segment.
static double distance_from(const Follower* f, const Segment* s) {
  const double dx = f->x - s->x, dy = f->y - s->y;
  const double along = rut_clamp(dx * s->ex + dy * s->ey, 0.0, s->length);
  return rut_hypot(dx - along * s->ex, dy - along * s->ey);
}

// Number of segments that are done because the path has turned by 90 degrees or more since, and the
// vehicle is nearer to where it goes on than to where it was: a corner within a lookahead has been
// cut. It may then never cross the line at the end of the segment.
static int cut_corners(const Follower* f, const Segment* s, double radius) {
  static const double TIE = 1e-9;    // [m]; of a path that doubles back upon itself
  static const double RIGHT = 1e-9;  // cosine of a corner of 90 degrees, with its rounding errors
  const double here = distance_from(f, s);
  double gone = s->length - rut_max(f->along, 0.0);
  for (int k = 1; k < f->path->segments && gone <= radius; k++) {
    if (!f->path->closed && f->segment + k >= f->path->segments) break;
    const Segment next = segment_of(f->path, f->segment + k);
    const int turned = s->ex * next.ex + s->ey * next.ey < RIGHT;
    const int near = rut_hypot(f->x - next.x, f->y - next.y) < radius;
    if (turned && near && distance_from(f, &next) <= here + TIE) return k;
    gone += next.length;
  }
  return 0;
}

// A segment is done when the vehicle has crossed the line through its end at right angles to it:
// points that were missed are never turned back for, but for the last. Returns whether the line
// through that is crossed.
static int find_place(Follower* f, double radius) {
  for (int tries = 0; tries <= f->path->segments; tries++) {
    const Segment s = segment_of(f->path, f->segment);
    f->along = (f->x - s.x) * s.ex + (f->y - s.y) * s.ey;
    const int crossed = f->along >= s.length;
    const int done = crossed ? 1 : cut_corners(f, &s, radius);
    if (done == 0) return 0;
    if (!f->path->closed && f->segment == f->path->segments - 1) return 1;
    for (int k = 0; k < done; k++) f->passed += segment_of(f->path, f->segment + k).length;
    f->segment = (f->segment + done) % f->path->segments;
  }
  return 0;
}

// Distance from the nearest place of the segment that is followed and its neighbours, positive on
// the left; *behind gets the length of path up to the nearest place on that segment and the next. A
// path begins with a line that comes from behind: who starts before its first point is on it.
static double cross_track(const Follower* f, double* behind) {
  const int all = f->path->segments, open = !f->path->closed;
  double least = RUT_NO_LIMIT, nearest = RUT_NO_LIMIT, error = 0.0;
  for (int k = -1; k <= 1; k++) {
    const int i = f->segment + k;
    if (open && (i < 0 || i >= all)) continue;
    // before the first round there is nothing behind
    if (k < 0 && f->passed == 0.0) continue;
    const Segment s = segment_of(f->path, (i + all) % all);
    const double dx = f->x - s.x, dy = f->y - s.y;
    const double along =
        rut_clamp(dx * s.ex + dy * s.ey, open && i == 0 ? -RUT_NO_LIMIT : 0.0, s.length);
    const double distance = rut_hypot(dx - along * s.ex, dy - along * s.ey);
    if (distance < least) {
      least = distance;
      error = s.ex * dy - s.ey * dx < 0.0 ? -distance : distance;
    }
    if (k < 0 || distance >= nearest) continue;
    nearest = distance;
    const double start = k > 0 ? segment_of(f->path, f->segment).length : 0.0;
    *behind = f->passed + start + rut_max(along, 0.0);
  }
  return error;
}

// Where the path leaves the circle of a radius about the vehicle, from the present place on. The
// last segment goes on beyond the end, until that is passed. Off the path by more than the radius:
// the nearest point. A path that doubles back is followed for no more than a quarter of the
// circle's length, so that the vehicle does not turn round before it comes to the corner. To a
// corner of 90 degrees and beyond it is never as far.
static void find_target(const Follower* f, double radius, double* tx, double* ty) {
  const int left = f->path->closed ? f->path->segments : f->path->segments - f->segment;
  double rest = 0.5 * RUT_PI * radius;
  for (int k = 0; k < left; k++) {
    const Segment s = segment_of(f->path, f->segment + k);
    const double along = (f->x - s.x) * s.ex + (f->y - s.y) * s.ey;
    const double across = (f->y - s.y) * s.ex - (f->x - s.x) * s.ey;
    const double square = radius * radius - across * across;
    const double leaves = along + (square > 0.0 ? rut_sqrt(square) : 0.0);
    const double from = k == 0 ? rut_max(f->along, 0.0) : 0.0;
    const int missed = !f->path->closed && k == left - 1 && f->along >= s.length;
    const double at = missed ? s.length : rut_clamp(leaves, from, from + rest);
    *tx = s.x + at * s.ex;
    *ty = s.y + at * s.ey;
    if (at < s.length) return;
    rest -= s.length - from;
  }
}

// Curvature [1/m] of the arc that rounds the corner between two segments, as long as half of the
// shorter one and as the lookahead allow. On points of a circle it is the circle's, but for the
// cosine of half an angle.
static double corner(const Segment* a, const Segment* b, double most) {
  static const double SHARPEST = 1.5;  // half of an angle [rad]
  const double sine = a->ex * b->ey - a->ey * b->ex, cosine = a->ex * b->ex + a->ey * b->ey;
  const double half = 0.5 * rut_abs(rut_atan2(sine, cosine));
  const double run = rut_min(0.5 * rut_min(a->length, b->length), most);
  return rut_tan(rut_min(half, SHARPEST)) / run;
}

// Length of path to the end of the segment that is followed; off it by more than the lookahead, or
// past the last point, the distance from there.
static double length_ahead(const Follower* f, const Segment* s, double radius) {
  const double rest = s->length - f->along;
  const double across = (f->y - s->y) * s->ex - (f->x - s->x) * s->ey;
  return rest < 0.0 || rut_abs(across) > radius ? rut_hypot(rest, across) : rest;
}

// Speed from which the vehicle can still slow down for every corner ahead and the end.
static double allowed_speed(const Follower* f, double radius, double cruise) {
  const Param* p = f->p;
  const int left = f->path->closed ? f->path->segments : f->path->segments - f->segment;
  Segment s = segment_of(f->path, f->segment);
  double ahead = length_ahead(f, &s, radius), square = cruise * cruise;
  for (int k = 0; k < left; k++) {
    const int last = !f->path->closed && k == left - 1;
    const Segment next = segment_of(f->path, f->segment + (last ? k : k + 1));
    const double bend = last ? 0.0 : corner(&s, &next, p->min_lookahead);
    const double slow = rut_max(p->min_speed * p->min_speed,
                                p->max_lateral_acceleration / rut_max(bend, LEAST_CURVATURE));
    const double end = last ? 0.0 : slow;
    square = rut_min(square, end + 2.0 * p->max_deceleration * ahead);
    // nothing farther away can lower it
    if (2.0 * p->max_deceleration * ahead > cruise * cruise) break;
    s = next;
    ahead += s.length;
  }
  return rut_sqrt(square);
}

// Curvature of the arc to a point, which is not taken to be nearer than half a lookahead.
static double curvature_to(const Follower* f, double x, double y, double radius) {
  double sine, cosine;
  rut_sincos(f->yaw, &sine, &cosine);
  const double dx = x - f->x, dy = y - f->y;
  const double ahead = cosine * dx + sine * dy, left = cosine * dy - sine * dx;
  const double square = rut_max(dx * dx + dy * dy, 0.25 * radius * radius);
  if (ahead >= 0.0) return 2.0 * left / square;
  return (left < 0.0 ? -2.0 : 2.0) / rut_min(rut_sqrt(square), radius);
}

// Whether the path ends here: 1 near its last point, -1 where the vehicle has passed that by, the
// line through it crossed and no farther than a lookahead; from farther off it turns back.
static double end_of_path(const Follower* f, int past, double radius) {
  if (f->path->closed || f->segment < f->path->segments - 1) return 0.0;
  const double* end = f->path->xy + 2 * (f->path->points - 1);
  const double dx = end[0] - f->x, dy = end[1] - f->y, left = rut_hypot(dx, dy);
  double sine, cosine;
  rut_sincos(f->yaw, &sine, &cosine);
  if (left <= f->p->goal_radius) return 1.0;
  return past && left <= radius && cosine * dx + sine * dy < 0.0 ? -1.0 : 0.0;
}

// Speed and curvature to drive with; 0 and straight ahead once the path has ended.
static void pursue(Follower* f, double cruise, double v, double* ended, double* speed,
                   double* curvature) {
  const Param* p = f->p;
  const double radius =
      rut_clamp(p->lookahead_time * rut_abs(v), p->min_lookahead, p->max_lookahead);
  const int past = find_place(f, radius);
  if (*ended == 0.0) *ended = end_of_path(f, past, radius);
  double tx = f->x, ty = f->y;
  find_target(f, radius, &tx, &ty);
  const double bend = curvature_to(f, tx, ty, radius);
  const double most =
      rut_sqrt(p->max_lateral_acceleration / rut_max(rut_abs(bend), LEAST_CURVATURE));
  const double curve = rut_max(most, p->min_speed);
  const int drives = *ended == 0.0;
  *curvature = drives ? bend : 0.0;
  *speed = drives ? rut_min(allowed_speed(f, radius, rut_max(cruise, 0.0)), curve) : 0.0;
}

// Mean square and largest error until the goal.
static void keep_errors(const Follower* f, double dt, int lanes, double* state) {
  double* const error = &state[CROSS_TRACK * lanes];
  double* const rms = &state[CROSS_TRACK_RMS * lanes];
  double* const largest = &state[CROSS_TRACK_MAX * lanes];
  double* const time = &state[FOLLOWED * lanes];
  double behind = 0.0;
  error[0] = cross_track(f, &behind);
  state[PROGRESS * lanes] = rut_max(behind, state[PROGRESS * lanes]);
  const double sum = rms[0] * rms[0] * time[0] + error[0] * error[0] * dt;
  time[0] += dt;
  rms[0] = rut_sqrt(sum / time[0]);
  largest[0] = rut_max(largest[0], rut_abs(error[0]));
}

static int by_sides(const Param* p, const rutVehicleLayout* layout) {
  return p->steering == SIDES || (p->steering == AUTOMATIC && layout->steer_base <= 0.0);
}

// Place of a lane's point that follows the path: on the line of the axles that do not steer, or in
// the middle of wheels that none steers.
static Follower follower_of(const Param* p, const Path* path, const rutVehicleLayout* layout,
                            const rutControlIn* in, const double* state, int l) {
  const int lanes = in->lanes;
  double middle[2], s, c;
  const int sides = by_sides(p, layout);
  rut_sincos(in->yaw[l], &s, &c);
  rut_skid_middle(layout, middle);
  const double ahead = sides ? middle[0] : layout->steer_x, left = sides ? middle[1] : 0.0;
  return (Follower){.p = p,
                    .path = path,
                    .x = in->position[l] + c * ahead - s * left,
                    .y = in->position[lanes + l] + s * ahead + c * left,
                    .yaw = in->yaw[l],
                    .segment = (int)state[SEGMENT * lanes + l],
                    .passed = state[PASSED * lanes + l]};
}

static void waypoints_update(const void* param, const rutVehicleLayout* layout,
                             const rutControlIn* in, double* state, const rutControlOut* out) {
  const Param* p = param;
  const int lanes = in->lanes;
  const Path path = path_of(p);
  const int sides = by_sides(p, layout);
  double speed[RUT_CONTROL_LANES] = {0}, yaw_rate[RUT_CONTROL_LANES];
  double half_track[RUT_CONTROL_LANES];
  const rutTwist set = {speed, yaw_rate};
  for (int l = 0; l < lanes; l++) {
    double curvature = 0.0;
    Follower f = follower_of(p, &path, layout, in, state, l);
    double ended = state[GOAL_REACHED * lanes + l];
    const int before = ended != 0.0;
    pursue(&f, in->command[l], in->vx[l], &ended, &speed[l], &curvature);
    if (!before) keep_errors(&f, in->dt, lanes, state + l);
    state[SEGMENT * lanes + l] = f.segment;
    state[PASSED * lanes + l] = f.passed;
    state[GOAL_REACHED * lanes + l] = ended;
    yaw_rate[l] = sides ? speed[l] * curvature : in->yaw_rate[l];
    const double angle = sides ? 0.0 : rut_atan(layout->steer_base * curvature);
    out->steer[l] = rut_clamp(angle, -layout->max_steer, layout->max_steer);
    // it is worked out once
    double* track = &state[EFFECTIVE_TRACK * lanes + l];
    if (sides && *track == 0.0) *track = 2.0 * rut_skid_half_track(layout);
    half_track[l] = 0.5 * *track;
  }
  if (sides) {
    const rutSkidLaw law = {&p->traction, &p->speed_control, &p->skid};
    const rutSkidState skid = {.half_track = half_track, .sum = state + YAW_SUM * lanes};
    rut_skid(&law, layout, in, &set, &skid, out);
    return;
  }
  rutTractionParam traction = p->traction;
  traction.yaw_gain = 0.0;
  rut_control_speed(&traction, &p->speed_control, layout, in, &set, out);
}

// The speeds of the sides are those of the motors' own loops.
static void waypoints_follow(const void* param, const rutVehicleLayout* layout,
                             const rutControlIn* in, const rutControlOut* out) {
  const Param* p = param;
  const rutSkidLaw law = {&p->traction, &p->speed_control, &p->skid};
  if (by_sides(p, layout)) rut_skid_follow(&law, layout, in, out);
}

// The loop of the sides' speeds: a gain that is lowered by much leaves the path in corners. Against
// a dead time T, a wheel without load is stable under the gain K [1/s] below K (T + h/2) = pi/2,
// h/2 being the mean delay of a torque that is held over a step.
static bool waypoints_doubts(const void* param, const rutVehicleLayout* layout, double dt,
                             double dead_time, rutError* err) {
  static const double MUCH = 8.0;
  const Param* p = param;
  double middle[2];
  bool steers = false;
  for (int w = 0; w < layout->wheels; w++) steers = steers || layout->steered[w];
  if (p->steering == WHEELS || (p->steering == AUTOMATIC && steers)) return false;
  rut_skid_middle(layout, middle);
  const rutSideCount n = rut_count_sides(layout, middle[1]);
  const double gain = rut_skid_gain(&p->skid, layout, &n, middle[1], dt);
  const double least = p->skid.side_gain / MUCH;
  const double delay = dead_time + 0.5 * dt, most = 0.5 * RUT_PI / delay;
  const double rate = rut_skid_rate(layout, &n, middle[1]);
  if (gain < least) {
    rut_error_set(
        err, RUT_ERR_MODEL,
        "side_gain=\"%g\" is lowered to %.2g 1/s, for wheels not to overshoot within a step "
        "of %g ms: the vehicle leaves its path in corners; right would be at most %.2g ms",
        p->skid.side_gain, gain, 1e3 * dt, 1e3 * dt * gain / least);
    return true;
  }
  if (dead_time == 0.0 || rate * gain < most) return false;
  rut_error_set(
      err, RUT_ERR_MODEL,
      "a dead time of %g ms of the torques makes wheels oscillate that carry little; right "
      "would be side_gain=\"%.2g\", or at most %.2g ms",
      1e3 * dead_time, most / rate, 1e3 * rut_max(0.5 * RUT_PI / (rate * gain) - 0.5 * dt, 0.0));
  return true;
}

// The sides can turn at different speeds only under demands of their own.
static rutStatus waypoints_fits(const void* param, const rutVehicleLayout* layout, int demands,
                                rutError* err) {
  const Param* p = param;
  double middle[2];
  int steers = 0;
  for (int w = 0; w < layout->wheels; w++) steers = steers || layout->steered[w];
  if (p->steering == WHEELS && !steers) {
    return rut_error_set(err, RUT_ERR_MODEL,
                         "steering=\"wheels\" needs wheels that steer, and the vehicle has none");
  }
  if (p->steering == WHEELS || (p->steering == AUTOMATIC && steers)) return RUT_OK;
  rut_skid_middle(layout, middle);
  const rutSideCount n = rut_count_sides(layout, middle[1]);
  if (n.on[RUT_LEFT] == 0 || n.on[RUT_RIGHT] == 0) {
    return rut_error_set(err, RUT_ERR_MODEL,
                         "skid steering needs driven wheels on the left and on the right");
  }
  if (demands >= 2) return RUT_OK;
  return rut_error_set(err, RUT_ERR_MODEL,
                       "the drive turns both sides by one torque, so that it cannot skid-steer; "
                       "take a drive that has a torque for each side, such as direct, or wheels "
                       "that steer");
}

const rutControllerType rut_controller_waypoints = {
    .base = {.abi = RUT_ABI,
             .struct_size = sizeof(rutControllerType),
             .kind = "controller",
             .name = "waypoints",
             .parents = "vehicle",
             .doc = "Drives along a list of points by pure pursuit, slows down for corners, and "
                    "stops at the last. It uses the vehicle's true position.",
             .field = fields,
             .fields = RUT_COUNT_OF(fields),
             .state = states,
             .states = RUT_COUNT_OF(states),
             .check = waypoints_check},
    .command = commands,
    .commands = RUT_COUNT_OF(commands),
    .uses = RUT_USES_MOTION | RUT_USES_POSE,
    .fits = waypoints_fits,
    .update = waypoints_update,
    .follow = waypoints_follow,
    .doubts = waypoints_doubts};
