// SPDX-License-Identifier: BSD-3-Clause
//
// Drives to goals without a map, by what its lidar sees at present: TangentBug (Kamon, Rimon and
// Rivlin, "TangentBug: a range-sensor-based navigation algorithm", International Journal of
// Robotics Research 17(9), 1998). It moves towards the goal, or to the edge of what is in the way
// by which the goal is nearest; where all edges are further from the goal than the vehicle it
// follows the boundary, until it sees a place that is nearer to the goal than all of the boundary
// that it has seen. Where it has come around without one there is no way. A vehicle is a disc for
// it; one that cannot turn where it stands backs up with the opposite lock. It is the baseline of
// drive_to_goal, and gives set points to the controller that drives.
#include "base/report.h"
#include "control/clock.h"
#include "control/goal_fields.h"
#include "math/quat.h"
#include "rut/component.h"
#include "rut/plan.h"

#define DEGREE (RUT_PI / 180)
#define FIELDS(X)                                                                               \
  RUT_GOAL_BODY_FIELDS(X)                                                                       \
  X(turning_radius, "m", 0, 0, 100,                                                             \
    "Smallest one; 0: that of full lock, or, without steered wheels, a quarter of its length.") \
  X(margin, "m", 0.4, 0, 10, "Distance that it keeps from obstacles.")                          \
  X(max_step, "m", 0.3, 1e-3, 10,                                                               \
    "Height above the ground under the vehicle that is no obstacle.")                           \
  X(overhead, "m", 2.5, 0.01, 100, "Height above it at which obstacles are above the vehicle.") \
  RUT_GOAL_LIDAR_FIELDS(X, 20)                                                                  \
  RUT_GOAL_PACE_FIELDS(X)                                                                       \
  X(back_up, "m", 3, 0, 100, "Way that it backs up where it cannot turn.")                      \
  X(patience, "s", 60, 1, 1e6,                                                                  \
    "Time without getting further from a place than that and its length after which it says "   \
    "that there is no way.")

typedef struct Param {
  rutControllerHead head;
  FIELDS(RUT_PARAM)
  double goals;
} Param;

static const rutField fields[] = {
    RUT_CONTROLLER_ROWS FIELDS(RUT_ROW){"goals", "m", RUT_POINTS, 0, 0, -1e9, 1e9, "10 0",
                                        RUT_FIELD_REQUIRED, "x y of the goals, in turn."}};

#define INPUT(name, unit, doc) \
  { #name, unit, "", "", doc, RUT_F64, false, RUT_MEANS_NOTHING }
static const rutVariable inputs[] = {INPUT(x, "m", "of the points of a lidar, in its frame"),
                                     INPUT(y, "m", "of the same"), INPUT(z, "m", "of the same")};
enum { POINTS_X, POINTS_Y, POINTS_Z };

// What is kept between updates. All numbers are doubles, so that it is rows of a state.
typedef struct State {
  double time, mode, goal;
  double scan_time;            // of the last scan, -1: none
  double side;                 // on which it passes a boundary: 1 it turns left, -1 right
  double followed;             // least distance of that boundary from the goal [m]
  double beside;               // it has come to the boundary
  double begun[3], gone;       // place and heading where it began to follow it, and the way since
  double target[2];            // where it moves to [m]
  double clear, clear_behind;  // way that is free along the present course, and behind [m]
  double backing;              // way that is left to back up [m]
  double straight;          // 1 or -1 while it moves straight ahead or back out of a narrow place
  double rested[2], since;  // place about which it has been since a time
  double set_speed, curvature;
} State;

static const rutVariable states[] = {
    RUT_VARIABLE(elapsed, "s", "time of the world") RUT_VARIABLE(
        mode, "",
        "see goal_state, and 5: "
        "it leaves a boundary") RUT_VARIABLE(at_goal, "",
                                             "number of the goal") RUT_VARIABLE(scan_time, "s",
                                                                                "of the last scan")
        RUT_VARIABLE(side, "", "1 if it turns left at a boundary, -1 right") RUT_VARIABLE(
            followed, "m", "least distance of the boundary from the goal")
            RUT_VARIABLE(beside, "", "1 once it has come to the boundary") RUT_VARIABLE(
                begun_x, "m", "where it began to follow it") RUT_VARIABLE(begun_y, "m", "the same")
                RUT_VARIABLE(begun_yaw, "rad", "the heading there") RUT_VARIABLE(
                    gone, "m", "way since then") RUT_VARIABLE(target_x, "m", "where it moves to")
                    RUT_VARIABLE(target_y, "m", "the same") RUT_VARIABLE(
                        clear, "m", "free way ahead") RUT_VARIABLE(clear_behind, "m",
                                                                   "free way behind")
                        RUT_VARIABLE(backing, "m", "way that is left to back up") RUT_VARIABLE(
                            straight, "",
                            "1 or -1 while it moves straight ahead or back "
                            "out of a narrow place")
                            RUT_VARIABLE(rested_x, "m", "place about which it has been for a while")
                                RUT_VARIABLE(rested_y, "m", "the same")
                                    RUT_VARIABLE(rested_since, "s", "since when")
                                        RUT_VARIABLE(set_speed, "m/s", "last one")
                                            RUT_VARIABLE(set_curvature, "1/m", "last one")};
enum { MEMORY = sizeof(State) / sizeof(double) };
_Static_assert((int)MEMORY == (int)(sizeof states / sizeof *states), "the rows are those of State");

static const rutVariable commands[] = {RUT_SET_POINT(speed, "m/s", SPEED, "highest speed")};
static const rutVariable outputs[] = {
    RUT_VARIABLE(speed, "m/s", "set point of the forward speed") RUT_VARIABLE(
        steer, "rad", "set point of the angle of the equivalent single front wheel")
        RUT_VARIABLE(yaw_rate, "rad/s", "set point of the yaw rate") RUT_VARIABLE(
            goal_state, "",
            "0: sees nothing yet, 1: moves to the goal, 2: follows a boundary, 3: has arrived, 4: "
            "there is no way") RUT_VARIABLE(goal_distance, "m", "to the goal, straight")
            RUT_VARIABLE(obstacle_distance, "m", "free way along its course")};
enum { SEES_NOTHING, TO_GOAL, FOLLOWS, ARRIVED, NO_WAY, LEAVES };

enum { N = 360 };  // directions
static const double PART = 2 * RUT_PI / N;
static const double STANDS = 0.05;  // speed of a vehicle that stands [m/s]
static const double OLD_SCAN = 1;   // [s]
static const double BESIDE = 0.05;  // least distance beside the vehicle [m]

// A vehicle in an update. Directions are those of the world, from its middle.
typedef struct Bug {
  const Param* p;
  State* m;
  double *near, *free;       // [N] to what is seen, and as far as the disc can move [m]
  double *sine, *cosine;     // [N] of the directions
  double x, y, yaw, speed;   // of the middle
  double own, disc;          // radius of the vehicle, and of the disc that keeps the margin
  double goal[2], distance;  // the goal, and how far it is [m]
  double radius;             // smallest of turns [m]
  double dt, most;           // the step, and the highest speed
} Bug;

static rutStatus bug_check(const double* param, rutError* err) {
  const Param* p = (const Param*)param;
  int numbers;
  const double* xy = rut_param_list(p, p->goals, &numbers);
  if (numbers < 2) return rut_error_set(err, RUT_ERR_MODEL, "goals names no place");
  for (int i = 0; i < numbers; i++) {
    if (!rut_is_finite(xy[i])) return rut_error_set(err, RUT_ERR_MODEL, "a goal is not finite");
  }
  const double least = 0.5 * p->width + p->margin;
  if (p->range > 2 * least) return RUT_OK;
  return rut_error_set(err, RUT_ERR_MODEL,
                       "range (%g m) is too short for a vehicle that takes %g m with its margin: "
                       "right would be more than twice that",
                       p->range, least);
}

static int bug_scratch(const void* param, const rutVehicleLayout* layout) {
  (void)param, (void)layout;
  return 4 * N;
}

// ---- what it sees ----

static int direction_of(double angle) {
  const int i = (int)rut_floor(angle / PART + 0.5) % N;
  return i < 0 ? i + N : i;
}

static double wrap(double angle) {
  return angle - 2 * RUT_PI * rut_floor(angle / (2 * RUT_PI) + 0.5);
}

static double number_at(const rutControlReading* r, int i) {
  const ptrdiff_t at = (ptrdiff_t)i * r->stride;
  if (r->type == RUT_F32) return (double)((const float*)r->value)[at];
  return r->type == RUT_F64 ? ((const double*)r->value)[at] : RUT_NAN;
}

// The nearest obstacle in each direction.
static void see(const Bug* b, const rutControlIn* in, int l) {
  const Param* p = b->p;
  const int lanes = in->lanes;
  const rutControlReading* r = &in->reading[l];
  const rutQuat own = rut_quat_of_rpy(in->roll[l], in->pitch[l], in->yaw[l]);
  const rutQuat mount = rut_quat_of_rpy(0, p->lidar_pitch, p->lidar_yaw);
  const rutVec3 arm = rut_quat_rotate(own, rut_vec3(p->lidar_x, p->lidar_y, p->lidar_z));
  const rutMat3 turn = rut_quat_matrix(rut_quat_mul(own, mount));
  const double ahead_x = in->position[l] - b->x, ahead_y = in->position[lanes + l] - b->y;
  for (int i = 0; i < N; i++) b->near[i] = p->range;
  for (int k = 0; k < r->n; k++) {
    const rutVec3 point =
        rut_vec3(number_at(&r[POINTS_X * lanes], k), number_at(&r[POINTS_Y * lanes], k),
                 number_at(&r[POINTS_Z * lanes], k));
    if (!rut_is_finite(point.x)) continue;
    const rutVec3 at = rut_vec3_add(arm, rut_mat3_apply(turn, point));
    const double x = at.x + ahead_x, y = at.y + ahead_y;
    if (!(at.z > p->max_step) || !(at.z < p->overhead)) continue;
    double* near = &b->near[direction_of(rut_atan2(y, x))];
    *near = rut_min(*near, rut_hypot(x, y));
  }
}

// As far as a disc can move in each direction: up to where it touches the first obstacle. Of what
// is near it keeps less distance, so that it gets away from it, but never less than its own width.
static void find_free(const Bug* b) {
  static const double NEAR = 0.8;  // of the distance that the disc takes at most
  for (int i = 0; i < N; i++) {
    rut_sincos(i * PART, &b->sine[i], &b->cosine[i]);
    b->free[i] = b->p->range;
  }
  for (int j = 0; j < N; j++) {
    const double r = b->near[j], least = b->own + BESIDE;
    if (r >= b->p->range) continue;
    const double disc = r < b->disc ? rut_max(NEAR * r, least) : b->disc;
    for (int k = -N / 4 + 1; k < N / 4; k++) {
      const int turn = (k + N) % N, i = (j + turn) % N;
      const double aside = r * b->sine[turn], square = disc * disc - aside * aside;
      if (square <= 0) continue;
      b->free[i] = rut_min(b->free[i], rut_max(r * b->cosine[turn] - rut_sqrt(square), 0));
    }
  }
}

static double to_goal(const Bug* b, double x, double y) {
  return rut_hypot(b->goal[0] - x, b->goal[1] - y);
}

// ---- where it goes ----

static void aim(const Bug* b, int direction, double way) {
  b->m->target[0] = b->x + way * b->cosine[direction];
  b->m->target[1] = b->y + way * b->sine[direction];
}

static int goal_direction(const Bug* b) {
  return direction_of(rut_atan2(b->goal[1] - b->y, b->goal[0] - b->x));
}

// An edge of what it sees: a direction in which it can move further than beside it.
typedef struct Edge {
  int direction;
  double way;    // to it [m]
  double price;  // way by it to the goal [m]
} Edge;

// The edge by which the goal is nearest. closer: only edges nearer to the goal than the vehicle.
// Where it has aimed at one before, others are dearer. False if there is none.
static bool best_edge(const Bug* b, bool closer, Edge* best) {
  static const double OTHER = 2;  // how much [m]
  const double jump = b->disc;
  const double before = rut_atan2(b->m->target[1] - b->y, b->m->target[0] - b->x);
  bool found = false;
  for (int i = 0; i < N; i++) {
    const double beside = rut_min(b->free[(i + 1) % N], b->free[(i + N - 1) % N]);
    if (b->free[i] - beside < jump) continue;
    const double way = rut_min(b->free[i], beside + b->disc);
    const double rest = to_goal(b, b->x + way * b->cosine[i], b->y + way * b->sine[i]);
    const double turn = rut_abs(wrap(i * PART - before));
    const double price = way + rest + (turn > RUT_PI / 3 ? OTHER : 0);
    if ((closer && rest >= b->distance) || (found && price >= best->price)) continue;
    *best = (Edge){i, way, price};
    found = true;
  }
  return found;
}

// The goal can be seen, or nothing is in the way as far as it looks.
static bool is_open(const Bug* b) {
  return b->free[goal_direction(b)] >= rut_min(b->distance - b->p->goal_radius, b->p->range);
}

// Direction of the nearest part of the boundary: until it is beside it that towards the goal, then
// what is nearest on its side.
static int wall_direction(const Bug* b) {
  const double side = b->m->side;
  int nearest = goal_direction(b);
  if (b->m->beside == 0) return nearest;
  double least = RUT_INFINITY;
  for (int i = 0; i < N; i++) {
    const double turn = side * wrap(i * PART - b->yaw);
    if (turn > RUT_PI / 4 || b->near[i] >= least) continue;
    least = b->near[i];
    nearest = i;
  }
  return nearest;
}

// Least distance from the goal of the boundary that can be seen: of what has no gap for the disc.
static double boundary_distance(const Bug* b, int wall) {
  enum { HOLES = 4 };  // directions between two beams
  double least = b->distance;
  for (int way = -1; way <= 1; way += 2) {
    double last = b->near[wall];
    int holes = 0;
    for (int k = 0; k < N / 2; k++) {
      const int i = (wall + way * k + N) % N;
      const double r = b->near[i];
      if (r >= b->p->range && ++holes <= HOLES) continue;
      if (r >= b->p->range || (last < b->p->range && rut_abs(r - last) > 2 * b->disc)) break;
      holes = 0;
      least = rut_min(least, to_goal(b, b->x + r * b->cosine[i], b->y + r * b->sine[i]));
      last = r;
    }
  }
  return least;
}

// The place that it can reach straight that is nearest to the goal.
static double reach(const Bug* b, Edge* out) {
  double least = RUT_INFINITY;
  for (int i = 0; i < N; i++) {
    const double dx = b->goal[0] - b->x, dy = b->goal[1] - b->y;
    const double along = rut_clamp(dx * b->cosine[i] + dy * b->sine[i], 0, b->free[i]);
    const double rest = to_goal(b, b->x + along * b->cosine[i], b->y + along * b->sine[i]);
    if (rest >= least) continue;
    least = rest;
    *out = (Edge){i, along, rest};
  }
  return least;
}

static void begin_to_follow(const Bug* b) {
  State* m = b->m;
  Edge edge = {0};
  const int goal = goal_direction(b);
  const bool any = best_edge(b, false, &edge);
  m->mode = FOLLOWS;
  m->beside = 0;
  m->side = any && wrap((edge.direction - goal) * PART) < 0 ? -1 : 1;
  m->followed = boundary_distance(b, goal);
}

// Along the boundary: the first direction from it in which there is room.
static void follow_boundary(const Bug* b) {
  static const double AROUND = 3;      // way after which it may have come around [turning radii]
  static const double LOOK_AHEAD = 2;  // [disc radii]
  State* m = b->m;
  const int wall = wall_direction(b);
  const double near = 2 * b->disc;
  // what counts is how it goes along the boundary, not how it arrived
  if (m->beside == 0 || m->gone < near) {
    m->begun[0] = b->x;
    m->begun[1] = b->y;
    m->begun[2] = b->yaw;
  }
  if (m->beside == 0) {
    m->gone = 0;
    m->beside = b->near[wall] < near ? 1 : 0;
  }
  m->followed = rut_min(m->followed, boundary_distance(b, wall));
  const bool back = rut_hypot(b->x - m->begun[0], b->y - m->begun[1]) < near;
  const bool same = rut_abs(wrap(b->yaw - m->begun[2])) < RUT_PI / 4;
  if (back && same && m->gone > 2 * RUT_PI * b->disc + AROUND * b->radius) m->mode = NO_WAY;
  int direction = wall;
  for (int k = 0; k < N; k++) {
    direction = ((wall + (int)m->side * k) % N + N) % N;
    if (b->free[direction] >= LOOK_AHEAD * b->disc) break;
  }
  aim(b, direction, rut_min(b->free[direction], 2 * LOOK_AHEAD * b->disc));
}

// As far as the vehicle can move in a direction, with half of its margin; along what is nearer than
// that with none, and where it goes straight with hardly any.
static double way_along(const Bug* b, double angle) {
  static const double HARDLY = 0.02;  // [m]
  const double room = b->own + 0.5 * b->p->margin, narrow = 0.5 * b->p->width;
  const double near = b->m->straight != 0 ? narrow + HARDLY : 0;
  double way = b->p->range;
  for (int j = 0; j < N; j++) {
    const int turn = direction_of(j * PART - angle);
    const double half = near > 0 ? near : b->near[j] > room ? room : narrow;
    const double aside = b->near[j] * b->sine[turn], along = b->near[j] * b->cosine[turn];
    const double square = half * half - aside * aside;
    if (along <= 0 || square <= 0) continue;
    way = rut_min(way, rut_max(along - rut_sqrt(square), 0));
  }
  return way;
}

// There is no room for the disc in any direction: then it moves straight, along its own heading, in
// which it is no wider than it has to be; first where it is free for longer.
static void keep_straight(const Bug* b) {
  State* m = b->m;
  double most = 0, nearest = b->p->range;
  for (int i = 0; i < N; i++) {
    most = rut_max(most, b->free[i]);
    nearest = rut_min(nearest, b->near[i]);
  }
  // until it can turn
  if (most > 0 && nearest >= b->own + BESIDE) m->straight = 0;
  if (most > 0 || m->straight != 0) return;
  m->straight = 1;
  if (way_along(b, b->yaw) < way_along(b, b->yaw + RUT_PI)) m->straight = -1;
}

// What it does until the next scan.
static void decide(const Bug* b) {
  static const double NEARER = 0.2;  // that a place is than the boundary [m]
  State* m = b->m;
  Edge edge = {0};
  if (m->mode == SEES_NOTHING) m->mode = TO_GOAL;
  if (m->mode == FOLLOWS || m->mode == LEAVES) {
    const bool leaves = reach(b, &edge) < m->followed - NEARER;
    m->mode = leaves ? LEAVES : FOLLOWS;
    if (leaves) aim(b, edge.direction, edge.way);
    if (leaves && b->distance < m->followed) m->mode = TO_GOAL;
  }
  if (m->mode == TO_GOAL) {
    if (is_open(b)) {
      m->target[0] = b->goal[0];
      m->target[1] = b->goal[1];
    } else if (best_edge(b, true, &edge)) {
      aim(b, edge.direction, edge.way);
    } else {
      begin_to_follow(b);
    }
  }
  if (m->mode == FOLLOWS) follow_boundary(b);
  keep_straight(b);
}

// ---- driving ----

static double turn_to_target(const Bug* b) {
  const State* m = b->m;
  return wrap(rut_atan2(m->target[1] - b->y, m->target[0] - b->x) - b->yaw);
}

// Curvature towards the target; with full lock to what is behind.
static double curvature_to(const Bug* b) {
  static const double LOOKAHEAD_TIME = 0.8;  // [s]
  const double turn = turn_to_target(b), most = 1 / b->radius;
  if (rut_abs(turn) > 0.5 * RUT_PI) return turn < 0 ? -most : most;
  const double length = b->p->front + b->p->rear;
  const double ahead = rut_clamp(LOOKAHEAD_TIME * b->speed, 0.6 * length, 2 * length);
  return rut_clamp(2 * rut_sin(turn) / ahead, -most, most);
}

// Free way along the chord of the course up to where it can stop, and behind.
static void find_clear(const Bug* b) {
  State* m = b->m;
  const double stop = 0.5 * b->speed * b->speed / b->p->deceleration + b->disc;
  m->clear = way_along(b, b->yaw + 0.5 * stop * m->curvature);
  m->clear_behind = way_along(b, b->yaw + RUT_PI);
}

// Out of a narrow place, as far as there is room before the vehicle's end.
static double narrow_speed(const Bug* b) {
  static const double CREEP = 0.3;  // [m/s]
  const Param* p = b->p;
  const State* m = b->m;
  const double end = rut_max(0.5 * (p->front + p->rear - p->width), 0) + BESIDE;
  const double left = (m->straight > 0 ? m->clear : m->clear_behind) - end;
  const double most = rut_min(CREEP, m->straight > 0 ? b->most : p->reverse_speed);
  return m->straight * rut_min(most, rut_plan_sight_speed(rut_max(left, 0), p->deceleration, 0));
}

static double wanted_speed(const Bug* b) {
  static const double CREEP = 0.3;  // way, and speed to the goal [m], [m/s]
  static const double SLOW = 0.2;   // of the speed, where it turns away
  const Param* p = b->p;
  State* m = b->m;
  const double spare = rut_max(0.5 * (p->front + p->rear) - b->own, 0);
  if (m->straight != 0) return narrow_speed(b);
  if (m->backing > 0 && m->clear_behind > spare) return -rut_min(b->most, p->reverse_speed);
  m->backing = 0;
  if (m->clear > spare + CREEP || rut_abs(b->speed) > STANDS) {
    const double sight =
        rut_plan_sight_speed(rut_max(m->clear - spare, 0), p->deceleration, p->reaction);
    const double bend = rut_max(rut_abs(m->curvature), 1e-9);
    const double goal = rut_plan_sight_speed(b->distance, p->deceleration, p->reaction);
    // not past what it has to turn to first
    const double most = b->most * rut_max(rut_cos(turn_to_target(b)), SLOW);
    return rut_min(rut_min(most, rut_min(sight, rut_max(goal, CREEP))),
                   rut_sqrt(p->lateral_acceleration / bend));
  }
  // it stands before something: back, so that it turns towards the target
  if (m->clear_behind > spare + CREEP) m->backing = p->back_up;
  return 0;
}

static void drive(const Bug* b) {
  State* m = b->m;
  const Param* p = b->p;
  const bool blind = m->scan_time < 0 || m->time > m->scan_time + OLD_SCAN;
  const bool rests = m->mode == ARRIVED || m->mode == NO_WAY || m->mode == SEES_NOTHING || blind;
  const double towards = curvature_to(b);
  const double speed = rests ? 0 : wanted_speed(b);
  if (!rests) {
    m->curvature = m->backing > 0 ? (towards < 0 ? 1 : -1) / b->radius : towards;
    if (m->straight != 0) m->curvature = 0;
  }
  const double driven = rut_abs(b->speed) * b->dt;
  m->gone += driven;
  m->clear = rut_max(m->clear - driven, 0);
  m->clear_behind -= b->speed < 0 ? driven : 0;
  m->backing = rut_max(m->backing - (b->speed < 0 ? driven : 0), 0);
  const bool away = speed * m->set_speed > 0 && rut_abs(speed) > rut_abs(m->set_speed);
  const double rise = p->acceleration * b->dt, fall = 2 * p->deceleration * b->dt;
  const double change = away || m->set_speed == 0 ? rise : fall;
  m->set_speed += rut_clamp(speed - m->set_speed, -change, change);
}

// A vehicle that does not get away from a place for long has no way.
static void lose_patience(const Bug* b) {
  State* m = b->m;
  const double most = b->p->back_up + b->p->front + b->p->rear;
  const bool drives = m->mode == TO_GOAL || m->mode == FOLLOWS || m->mode == LEAVES;
  if (!drives || !(b->most > 0) || rut_hypot(b->x - m->rested[0], b->y - m->rested[1]) > most) {
    m->rested[0] = b->x;
    m->rested[1] = b->y;
    m->since = m->time;
  }
  if (drives && m->time - m->since > b->p->patience) m->mode = NO_WAY;
}

// The next goal, where it is at one; at the last it stops.
static void arrive(Bug* b) {
  int numbers;
  State* m = b->m;
  const double* xy = rut_param_list(b->p, b->p->goals, &numbers);
  for (;;) {
    const int goal = (int)m->goal;
    b->goal[0] = xy[2 * goal];
    b->goal[1] = xy[2 * goal + 1];
    b->distance = to_goal(b, b->x, b->y);
    if (m->mode == ARRIVED || b->distance > b->p->goal_radius) return;
    if (goal + 1 == numbers / 2) {
      m->mode = ARRIVED;
      return;
    }
    m->goal += 1;
    m->mode = TO_GOAL;
  }
}

// ---- an update ----

static void update_one(Bug* b, const rutControlIn* in, int l) {
  const int lanes = in->lanes;
  State* m = b->m;
  const rutControlReading* r = &in->reading[l];
  const bool whole = r[POINTS_Y * lanes].n == r->n && r[POINTS_Z * lanes].n == r->n;
  const bool begins = m->time == 0;
  m->time = rut_control_clock(in, l, m->time);
  if (begins) {
    m->scan_time = -1;
    m->since = m->time;
  }
  arrive(b);
  if (r->stamp >= 0 && whole && r->stamp > m->scan_time && m->mode != ARRIVED) {
    m->scan_time = r->stamp;
    see(b, in, l);
    find_free(b);
    if (m->mode != NO_WAY && m->backing == 0) decide(b);
    find_clear(b);
  }
  lose_patience(b);
  drive(b);
  m->time += b->dt;
}

static double radius_of(const Param* p, const rutVehicleLayout* layout) {
  if (p->turning_radius > 0) return p->turning_radius;
  const bool steers = layout->steer_base > 0 && layout->max_steer > 0;
  const double full = steers ? layout->steer_base / rut_tan(layout->max_steer) : 0;
  return rut_max(steers ? full : 0.25 * (p->front + p->rear), 0.01);
}

// Of a vehicle that turns where it stands the corners count, of others the width.
static double own_radius(const Param* p, const rutVehicleLayout* layout) {
  const bool steers = layout->steer_base > 0 && layout->max_steer > 0;
  return steers ? 0.5 * p->width : 0.5 * rut_hypot(p->front + p->rear, p->width);
}

static void tell(const Bug* b, const rutVehicleLayout* layout, const rutControlOut* out, int lanes,
                 int l) {
  const State* m = b->m;
  const double told[] = {m->set_speed,
                         rut_atan(layout->steer_base * m->curvature),
                         m->set_speed * m->curvature,
                         m->mode == LEAVES ? FOLLOWS : m->mode,
                         b->distance,
                         m->clear};
  for (int i = 0; i < RUT_COUNT_OF(told); i++) out->output[i * lanes + l] = told[i];
}

static void bug_update(const void* param, const rutVehicleLayout* layout, const rutControlIn* in,
                       double* state, const rutControlOut* out) {
  const Param* p = param;
  const int lanes = in->lanes;
  double* memory = in->scratch;
  // scratch of all lanes is there for each of them in turn
  Bug b = {.p = p,
           .near = memory,
           .free = memory + N,
           .sine = memory + 2 * N,
           .cosine = memory + 3 * N,
           .own = own_radius(p, layout),
           .disc = own_radius(p, layout) + p->margin,
           .radius = radius_of(p, layout),
           .dt = in->dt};
  const double middle = 0.5 * (p->front - p->rear);
  for (int l = 0; l < lanes; l++) {
    State m;
    double sine, cosine, *own = (double*)(void*)&m;
    for (int i = 0; i < MEMORY; i++) own[i] = state[i * lanes + l];
    rut_sincos(in->yaw[l], &sine, &cosine);
    b.m = &m;
    b.yaw = in->yaw[l];
    b.speed = in->vx[l];
    b.x = in->position[l] + cosine * middle;
    b.y = in->position[lanes + l] + sine * middle;
    b.most = rut_max(in->command[l], 0);
    update_one(&b, in, l);
    tell(&b, layout, out, lanes, l);
    for (int i = 0; i < MEMORY; i++) state[i * lanes + l] = own[i];
  }
}

const rutControllerType rut_controller_bug = {
    .base = {.abi = RUT_ABI,
             .struct_size = sizeof(rutControllerType),
             .kind = "controller",
             .name = "bug",
             .parents = "vehicle",
             .doc =
                 "Drives to goals without a map, by what its lidar sees at present: to the goal, "
                 "to the edge of what is in the way, or along a boundary (TangentBug). It gives "
                 "set points to the controller that it commands.",
             .field = fields,
             .fields = RUT_COUNT_OF(fields),
             .state = states,
             .states = RUT_COUNT_OF(states),
             .check = bug_check},
    .command = commands,
    .commands = RUT_COUNT_OF(commands),
    .output = outputs,
    .outputs = RUT_COUNT_OF(outputs),
    .input = inputs,
    .inputs = RUT_COUNT_OF(inputs),
    .uses = RUT_USES_MOTION | RUT_USES_POSE | RUT_USES_TIME,
    .supervises = true,
    .scratch = bug_scratch,
    .update = bug_update};
