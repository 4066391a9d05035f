// SPDX-License-Identifier: BSD-3-Clause
//
// Follows a path of straight lines between points by pure pursuit (Coulter, The Robotics Institute,
// CMU-RI-TR-92-01, 1992): the arc that is tangent to the heading and passes through a point of the
// path some way ahead has the curvature 2 sin(angle to it) / distance. On a circle that is the
// circle's own, wherever that point is, so that no error is left.
#include "base/report.h"
#include "control/traction.h"

#define TRACTION(X) RUT_TRACTION_FIELDS(X, 5, 3, 5)
#define FIELDS(X)                                                                                 \
  X(speed, "m/s", 0, 0, 1e3, "Speed on straight ground before the first command.")                \
  X(lookahead_time, "s", 2, 0, 1e3, "Distance of the point that is steered to, per speed.")       \
  X(min_lookahead, "m", 5, 1e-3, 1e6, "Least such distance.")                                     \
  X(max_lookahead, "m", 25, 1e-3, 1e6, "Largest such distance.")                                  \
  X(max_lateral_acceleration, "m/s2", 2, 1e-3, 1e3, "In curves; the speed is lowered for it.")    \
  X(max_deceleration, "m/s2", 1.5, 1e-3, 1e3, "With which it slows down for a curve or the end.") \
  X(min_speed, "m/s", 0.5, 0, 1e3, "Speed that sharp corners still allow.")                       \
  X(goal_radius, "m", 1, 0, 1e6, "Distance from the last point at which the brakes are put on.")

typedef struct Param {
  rutControllerHead head;
  rutTractionParam traction;
  rutSpeedControlParam speed_control;
  FIELDS(RUT_PARAM)
  double steering, closed, points;
} Param;

enum { AUTOMATIC, WHEELS, SIDES };

static const rutField fields[] = {
    RUT_CONTROLLER_ROWS TRACTION(RUT_ROW) RUT_SPEED_CONTROL_FIELDS(
        RUT_ROW) RUT_SPEED_CONTROL_ROWS FIELDS(RUT_ROW){
        "steering", "", RUT_CHOICE, 1, AUTOMATIC, 0, 2, "automatic|wheels|sides", 0,
        "By steered wheels, or by the speeds of the sides (skid steering); automatic: by wheels "
        "where any are steered."},
    {"closed", "", RUT_BOOLEAN, 1, 0, 0, 1, "", 0,
     "From the last point on to the first, for ever."},
    {"points", "m", RUT_POINTS, 0, 0, -1e9, 1e9, "0 0 10 0", RUT_FIELD_REQUIRED,
     "The path: x y of its points in the world."}};

static const rutVariable states[] = {
    RUT_VARIABLE(segment, "", "number of the segment that is followed, from 0")
        RUT_VARIABLE(arrived, "", "1 once the end is reached")};
enum { SEGMENT, ARRIVED };

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
  const Param* p = (const Param*)param;
  const Path path = path_of(p);
  const int least = path.closed ? 3 : 2;
  if (path.points < least) {
    return rut_error_set(err, RUT_ERR_MODEL, "points has %d points; a path needs %d", path.points,
                         least);
  }
  for (int i = 0; i < path.segments; i++) {
    const double *a = path.xy + 2 * i, *b = path.xy + 2 * ((i + 1) % path.points);
    if (rut_hypot(b[0] - a[0], b[1] - a[1]) > 1e-6) continue;
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
  double along;  // distance from the segment's start
} Follower;

// A segment is done when the vehicle has crossed the line through its end at right angles to it:
// points that were missed are never turned back for.
static int find_place(Follower* f) {
  for (int tries = 0; tries <= f->path->segments; tries++) {
    const Segment s = segment_of(f->path, f->segment);
    f->along = (f->x - s.x) * s.ex + (f->y - s.y) * s.ey;
    if (f->along < s.length) return 0;
    if (!f->path->closed && f->segment == f->path->segments - 1) return 1;
    f->segment = (f->segment + 1) % f->path->segments;
  }
  return 0;
}

// Where the path leaves the circle of a radius about the vehicle, from the present place on. The
// last segment goes on beyond the end. Off the path by more than the radius: the nearest point.
static void find_target(const Follower* f, double radius, double* tx, double* ty) {
  const int left = f->path->closed ? f->path->segments : f->path->segments - f->segment;
  for (int k = 0; k < left; k++) {
    const Segment s = segment_of(f->path, f->segment + k);
    const double along = (f->x - s.x) * s.ex + (f->y - s.y) * s.ey;
    const double across = (f->y - s.y) * s.ex - (f->x - s.x) * s.ey;
    const double square = radius * radius - across * across;
    const double leaves = along + (square > 0.0 ? rut_sqrt(square) : 0.0);
    const double from = k == 0 ? rut_max(f->along, 0.0) : 0.0;
    const double at = rut_max(leaves, from);
    *tx = s.x + at * s.ex;
    *ty = s.y + at * s.ey;
    if (at < s.length) return;
  }
}

// Curvature [1/m] of the arc that rounds the corner between two segments, as long as half of the
// shorter one and as the lookahead allow. On points of a circle it is the circle's, but for the
// cosine of half an angle.
static double corner(const Segment* a, const Segment* b, double most) {
  const double sine = a->ex * b->ey - a->ey * b->ex, cosine = a->ex * b->ex + a->ey * b->ey;
  const double half = 0.5 * rut_abs(rut_atan2(sine, cosine));
  const double run = rut_min(0.5 * rut_min(a->length, b->length), most);
  return rut_tan(rut_min(half, 1.5)) / run;
}

// Speed from which the vehicle can still slow down for every corner ahead and the end.
static double allowed_speed(const Follower* f, double cruise) {
  const Param* p = f->p;
  const int left = f->path->closed ? f->path->segments : f->path->segments - f->segment;
  Segment s = segment_of(f->path, f->segment);
  double ahead = s.length - f->along, square = cruise * cruise;
  for (int k = 0; k < left; k++) {
    const int last = !f->path->closed && k == left - 1;
    const Segment next = segment_of(f->path, f->segment + (last ? k : k + 1));
    const double bend = last ? 0.0 : corner(&s, &next, p->min_lookahead);
    const double slow =
        rut_max(p->min_speed * p->min_speed, p->max_lateral_acceleration / rut_max(bend, 1e-12));
    const double end = last ? 0.0 : slow;
    square = rut_min(square, end + 2.0 * p->max_deceleration * ahead);
    // nothing farther away can lower it
    if (2.0 * p->max_deceleration * ahead > cruise * cruise) break;
    s = next;
    ahead += s.length;
  }
  return rut_sqrt(square);
}

// Speed and curvature to drive with; 0 and straight ahead once the end is reached.
static void pursue(Follower* f, double cruise, double v, int* arrived, double* speed,
                   double* curvature) {
  const Param* p = f->p;
  const int past = find_place(f);
  const double* end = f->path->xy + 2 * (f->path->points - 1);
  const int last = !f->path->closed && f->segment == f->path->segments - 1;
  const int near = rut_hypot(end[0] - f->x, end[1] - f->y) <= p->goal_radius;
  *arrived = *arrived || past || (last && near);
  const double radius =
      rut_clamp(p->lookahead_time * rut_abs(v), p->min_lookahead, p->max_lookahead);
  double tx = f->x, ty = f->y, sine, cosine;
  find_target(f, radius, &tx, &ty);
  rut_sincos(f->yaw, &sine, &cosine);
  const double dx = tx - f->x, dy = ty - f->y, square = dx * dx + dy * dy;
  const double left = cosine * dy - sine * dx;
  const double bend = square > 1e-12 ? 2.0 * left / square : 0.0;
  const double most = rut_sqrt(p->max_lateral_acceleration / rut_max(rut_abs(bend), 1e-12));
  const double curve = rut_max(most, p->min_speed);
  *curvature = *arrived ? 0.0 : bend;
  *speed = *arrived ? 0.0 : rut_min(allowed_speed(f, rut_max(cruise, 0.0)), curve);
}

static void waypoints_update(const void* param, const rutVehicleLayout* layout, int lanes,
                             int inputs, const rutControlIn* in, double* state,
                             const rutControlOut* out) {
  const Param* p = param;
  const Path path = path_of(p);
  const int sides = p->steering == SIDES || (p->steering == AUTOMATIC && layout->steer_base <= 0.0);
  double speed[RUT_CONTROL_LANES] = {0}, yaw_rate[RUT_CONTROL_LANES];
  rutTractionParam traction = p->traction;
  for (int l = 0; l < lanes; l++) {
    double curvature = 0.0, s, c;
    rut_sincos(in->yaw[l], &s, &c);
    Follower f = {.p = p,
                  .path = &path,
                  .x = in->position[l] + c * layout->steer_x,
                  .y = in->position[lanes + l] + s * layout->steer_x,
                  .yaw = in->yaw[l],
                  .segment = (int)state[SEGMENT * lanes + l]};
    int arrived = state[ARRIVED * lanes + l] > 0.0;
    pursue(&f, in->command[l], in->vx[l], &arrived, &speed[l], &curvature);
    state[SEGMENT * lanes + l] = f.segment;
    state[ARRIVED * lanes + l] = arrived;
    yaw_rate[l] = sides ? speed[l] * curvature : in->yaw_rate[l];
    const double angle = sides ? 0.0 : rut_atan(layout->steer_base * curvature);
    out->steer[l] = rut_clamp(angle, -layout->max_steer, layout->max_steer);
  }
  traction.yaw_gain = sides ? p->traction.yaw_gain : 0.0;
  rut_control_speed(&traction, &p->speed_control, layout, lanes, inputs, in, speed, yaw_rate, out);
}

const rutControllerType rut_controller_waypoints = {
    .base = {.abi = RUT_ABI,
             .struct_size = sizeof(rutControllerType),
             .kind = "controller",
             .name = "waypoints",
             .parents = "vehicle",
             .doc = "Drives along a list of points by pure pursuit, slows down for corners, and "
                    "stops at the last. For vehicles on axles, whose place it is told.",
             .field = fields,
             .fields = RUT_COUNT_OF(fields),
             .state = states,
             .states = RUT_COUNT_OF(states),
             .check = waypoints_check},
    .command = commands,
    .commands = RUT_COUNT_OF(commands),
    .uses = RUT_USES_MOTION | RUT_USES_POSE,
    .suspensions = true,
    .update = waypoints_update};
