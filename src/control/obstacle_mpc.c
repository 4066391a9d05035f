// SPDX-License-Identifier: BSD-3-Clause
//
// Drives to a goal among obstacles that a planar laser scanner sees, at the limit of the vehicle:
// the decisions of rut/avoidance.h. It stands above a controller that takes a speed, a share of
// full lock and of the brakes, such as `driver`.
//
// Delays. A decision acts after the delays of measurements, outputs and actuators. The state at
// which it acts is predicted with the vehicle's model from the measured one, under the commands
// that are on their way; the scan stands where the vehicle was when it was taken.
#include "rut/avoidance.h"

#include <stddef.h>
#include <string.h>

#include "base/report.h"
#include "control/clock.h"
#include "control/recovery.h"
#include "math/rut_math.h"
#include "rut/component.h"

#define FIELDS(X)                                                                                \
  X(goal_x, "m", 100, -1e9, 1e9, "Goal, in the world.")                                          \
  X(goal_y, "m", 0, -1e9, 1e9, "The same.")                                                      \
  X(goal_radius, "m", 3, 0, 1e6, "Distance from it at which it is reached.")                     \
  X(speed, "m/s", 0, 0, 60, "Largest speed, before the first command; 0: it stops.")             \
  X(decision_period, "s", 0.02, 1e-3, 10, "Between two decisions; between them it follows one.") \
  X(actuation_delay, "s", 0, 0, 1, "Dead time of steering and drive that it expects.")           \
  X(fov, "rad", RUT_PI, 0.1, 2 * RUT_PI, "Of the scanner.")                                      \
  X(sensor_x, "m", 0, -100, 100, "Place of the scanner, forward of the reference point.")        \
  X(sensor_range, "m", 100, 5, 1e4, "How far it sees.")                                          \
  X(clearance, "m", 1.9, 0.1, 100,                                                               \
    "Least distance of both axles' middles from obstacles: half of the width, and a margin.")    \
  X(horizon, "s", 3, 0.5, 10, "How far it plans at its speed: at least 12 m, at most 4.32 s.")   \
  X(candidates, "", 3, 1, 8, "Openings that are tried in a decision.")                           \
  X(iterations, "", 5, 1, 100, "Of the optimal control for each, at most.")                      \
  X(retries, "", 3, 0, 100, "Decisions without a way in a row that it drives on as before.")     \
  X(speed_lead, "s", 0.67, 0, 10, "Time by which the speed that it asks for is ahead.")          \
  X(front, "m", 1.5775, 0.1, 100, "Front axle from the centre of mass, the reference point.")    \
  X(rear, "m", 1.7245, 0.1, 100, "Rear axle from it.")                                           \
  X(inertia, "kg m2", 4110.1, 1, 1e9, "About the vertical axis.")                                \
  X(load_x, "N s2/m", 806, 0, 1e9, "Load that axles exchange per longitudinal acceleration.")    \
  X(load_front, "N s2/m", 675, 0, 1e9, "Load that front wheels exchange per lateral one.")       \
  X(load_rear, "N s2/m", 1076, 0, 1e9, "The same at the rear.")                                  \
  X(friction, "", 0.73957, 0.05, 2, "Peak of the tyres' lateral force over a load of 35 kN.")    \
  X(front_stiffness, "N/rad", 0, 0, 1e9,                                                         \
    "Lateral force per slip angle of both front tyres together, under their loads at rest; 0: "  \
    "that of the vehicle's own tyres, of which it is then what they have on their own road.")    \
  X(rear_stiffness, "N/rad", 0, 0, 1e9, "The same of the rear tyres.")                           \
  X(least_load, "N", 1000, 0, 1e6, "Of a wheel, that it keeps.")                                 \
  X(steer_rate, "rad/s", 10 * RUT_PI / 180, 1e-3, 10, "Largest rate of the steering angle.")     \
  X(max_acceleration, "m/s2", 1.5, 0.01, 100, "Largest acceleration.")                           \
  X(max_deceleration, "m/s2", 4, 0.01, 100, "Largest deceleration.")                             \
  X(max_power, "W", 62e3, 1, 1e9, "Of the engine at the wheels.")                                \
  X(resistance, "m/s2", 0.3, 0, 100, "Deceleration by rolling and air that it expects.")         \
  X(nose, "m", 2.28, 0.1, 100, "How far the vehicle reaches ahead of its reference point.")      \
  X(tail, "m", 2.42, 0.1, 100, "And behind it.")                                                 \
  X(width, "m", 2.16, 0.1, 100, "Of the vehicle.")                                               \
  X(back_up, "m", 8, 0, 15, "Way that it backs up along its own track where it has no way on.")  \
  X(reverse_speed, "m/s", 1, 0.05, 10, "Largest speed there.")

typedef struct Param {
  rutControllerHead head;
  FIELDS(RUT_PARAM)
  double tries, stop_in_sight, publish, limit_speeds, limit_angles, limit_table;
} Param;

static const rutField fields[] = {
    RUT_CONTROLLER_ROWS FIELDS(RUT_ROW){
        "tries", "", RUT_INTEGER, 1, 3, 0, 100, "", 0,
        "How often it backs up and tries again without coming nearer to its goal, before it says "
        "that there is no way."},
    {"stop_in_sight", "", RUT_BOOLEAN, 1, 1, 0, 1, "", 0,
     "Its plans end with a speed from which it can stop within what it sees."},
    {"publish", "", RUT_CHOICE, 1, 0, 0, 1, "none|path", 0,
     "What logs and topics of ROS 2 get: its plan with each decision, as a path of its centre of "
     "mass."},
    {"limit_speeds", "m/s", RUT_VECTOR, 0, 0, 0, 1e3, "", 0,
     "Speeds of a table of steering angles to stay below, ascending; none: 'least_load' alone "
     "decides."},
    {"limit_angles", "rad", RUT_VECTOR, 0, 0, 0, 2, "", 0,
     "These angles, as `rut liftoff` finds them."},
    {"limit_table", "file", RUT_TEXT, 1, 0, 0, 0, "", 0,
     "Such a table as a file of `rut liftoff --output`, in place of both: its safe angles at "
     "'steer_rate', without braking, on level ground."}};

static const rutVariable commands[] = {RUT_SET_POINT(speed, "m/s", SPEED, "largest speed")};

#define NUMBERS(name, shape, doc) \
  { #name, "", shape, "", doc, RUT_F64, false, RUT_MEANS_NOTHING }

// What it remembers: instants of decisions with pose and commands, and the plan that it follows.
enum { PAST = 32, PAST_NUMBERS = 6, N = RUT_AVOIDANCE_NODES, NX = RUT_AVOIDANCE_STATES };
// Of its path: those of a plan, or at least two for each piece of the way back.
enum { MOST_POSES = 2 * RUT_GOAL_PIECES };
enum { PLAN_NUMBERS = (N + 1) * (1 + NX) + N * RUT_AVOIDANCE_CONTROLS + 3 };
static const rutVariable states[] = {
    NUMBERS(past, "32 6",
            "time, place, yaw, steering angle and acceleration of the last decisions"),
    NUMBERS(plan, "251", "times, states and controls of the plan, and its opening"),
    RUT_VARIABLE(time, "s", "of the world") RUT_VARIABLE(due, "s", "next decision")
        RUT_VARIABLE(decisions, "", "so far") RUT_VARIABLE(begun, "s", "when the plan began")
            RUT_VARIABLE(failures, "", "decisions without a way in a row")
                RUT_VARIABLE(arrived, "", "1 once the goal is reached")
                    RUT_VARIABLE(asked, "rad", "steering angle that it asks for")
    // rutRecovery
    RUT_VARIABLE(backing, "", "1 while it backs up, 2 while it stops after that")
        RUT_VARIABLE(backing_since, "s", "since when")
            RUT_VARIABLE(rounds, "", "of backing up without coming nearer to the goal")
                RUT_VARIABLE(closest, "m", "least distance of places without a way from the goal")
                    RUT_VARIABLE(stood, "s", "time of standing")
                        RUT_VARIABLE(free_back, "m", "way back until something comes near")
                            RUT_VARIABLE(tracked, "", "poses of the track")
                                RUT_VARIABLE(seen, "", "points that stood near, so far") NUMBERS(
                                    back_start, "3", "x, y, yaw of the start of the way back"),
    NUMBERS(back_pieces, "", "of the way back"),
    NUMBERS(back_lengths, "48", "of its pieces, negative [m]"),
    NUMBERS(back_curvatures, "48", "of its pieces [1/m]"),
    NUMBERS(back_piece, "", "that is driven"),
    NUMBERS(back_along, "", "driven of it [m]"),
    NUMBERS(track, "96", "x, y, yaw of poses of the own track, the newest last"),
    NUMBERS(near_points, "96 2", "the last of these points"),
};
enum {
  PLAN = PAST * PAST_NUMBERS,
  TIME = PLAN + PLAN_NUMBERS,
  DUE,
  DECISIONS,
  BEGUN,
  FAILURES,
  ARRIVED,
  ASKED,
  BACKING,
  RECOVERY = BACKING,
  TRACKED = BACKING + offsetof(rutRecovery, tracked) / sizeof(double),
  STOOD = BACKING + offsetof(rutRecovery, stood) / sizeof(double),
  RECOVERY_NUMBERS = sizeof(rutRecovery) / sizeof(double),
  KEPT = 8  // of these variables, which change seldom
};

_Static_assert((int)RECOVERY_NUMBERS == 398, "the rows above are those of rutRecovery");

static const rutVariable inputs[] = {{.name = "range", .unit = "m", .doc = "of a planar scanner"}};

static const rutVariable outputs[] = {
    RUT_VARIABLE(speed, "m/s", "set point") RUT_VARIABLE(steering, "", "share of full lock, left")
        RUT_VARIABLE(brake, "", "share of the full brakes") RUT_VARIABLE(
            avoidance_status, "",
            "of the last decision: 0 it drives, 1 arrived, 2 dead end, 3 infeasible")
            RUT_VARIABLE(avoidance_iterations, "", "of all candidates of the last decision")
                RUT_VARIABLE(avoidance_cost, "", "of its plan") RUT_VARIABLE(
                    avoidance_margin, "m",
                    "least distance of its axles from obstacles, less the clearance")
                    RUT_VARIABLE(avoidance_load, "N", "least load of a wheel in it") RUT_VARIABLE(
                        avoidance_opening, "", "that it takes, by the length of ways; -1: straight")
                        RUT_VARIABLE(goal_state, "",
                                     "0: sees nothing yet, 1: drives, 2: stops, as it has no way, "
                                     "3: has arrived, 4: stands, as it has none, 5: backs up")};
enum { SPEED, STEERING, BRAKE, STATUS, ITERATIONS, COST, MARGIN, LOAD, OPENING, GOAL_STATE };
enum { SEES_NOTHING, DRIVES, STOPS, HAS_ARRIVED, NO_WAY, BACKS_UP };

// Below this it stands, or will in a moment [m/s].
static const double STANDING = 1;

// A table of smaller angles would not let it steer [rad].
static const double LEAST_ANGLE = 1e-4;

static rutStatus obstacle_check(const double* param, rutError* err) {
  const Param* p = (const Param*)param;
  int n, angles;
  const double* speed = rut_param_list(p, p->limit_speeds, &n);
  const double* angle = rut_param_list(p, p->limit_angles, &angles);
  if (n != angles || n > RUT_AVOIDANCE_MOST_LIMITS) {
    return rut_error_set(err, RUT_ERR_MODEL,
                         "there are %d limit_speeds and %d limit_angles; as many, and at most %d, "
                         "are right",
                         n, angles, RUT_AVOIDANCE_MOST_LIMITS);
  }
  for (int i = 1; i < n; i++) {
    if (speed[i] > speed[i - 1]) continue;
    return rut_error_set(err, RUT_ERR_MODEL, "limit_speeds must ascend; %g m/s follows %g m/s",
                         speed[i], speed[i - 1]);
  }
  for (int i = 0; i < n; i++) {
    if (angle[i] >= LEAST_ANGLE) continue;
    return rut_error_set(err, RUT_ERR_MODEL, "limit_angles are at least %g rad, not %g",
                         LEAST_ANGLE, angle[i]);
  }
  const double delay = p->head.input_delay + p->head.output_delay + p->actuation_delay;
  const double most = (PAST - 2) * p->decision_period;
  if (delay <= most) return RUT_OK;
  return rut_error_set(err, RUT_ERR_MODEL, "delays of %g s are more than %d decision periods: %g s",
                       delay, PAST - 2, most);
}

// ---- what it knows ----

// The model is for speeds above this one [m/s].
static const double SLOWEST = 4;

// Stiffness of an axle's tyres as a factor of that which the model has under the load at rest; 1
// where it is not known.
static double stiffness_of(const rutAvoidanceVehicle* v, double given, double own, double load) {
  const double stiffness = given > 0 ? given : own;
  const double ratio = 0.5 * load / (v->stiffness_load * v->nominal);
  const double model = 2 * v->stiffness * v->nominal * (2 * ratio / (1 + ratio * ratio));
  return stiffness > 0 && model > 0 ? stiffness / model : 1;
}

static rutAvoidanceVehicle vehicle_of(const Param* p, const rutVehicleLayout* layout, double most) {
  rutAvoidanceVehicle v = rut_default_avoidance_vehicle();
  v.mass = layout->mass;
  v.gravity = layout->gravity;
  v.inertia = p->inertia;
  v.front = p->front;
  v.rear = p->rear;
  v.load_x = p->load_x;
  v.load_front = p->load_front;
  v.load_rear = p->load_rear;
  v.friction = p->friction;
  const double weight = v.mass * v.gravity, base = v.front + v.rear;
  v.front_stiffness =
      stiffness_of(&v, p->front_stiffness, layout->front_cornering, weight * v.rear / base);
  v.rear_stiffness =
      stiffness_of(&v, p->rear_stiffness, layout->rear_cornering, weight * v.front / base);
  v.least_load = p->least_load;
  v.steer_rate = p->steer_rate;
  v.max_steer = layout->max_steer;
  v.max_acceleration = p->max_acceleration;
  v.max_deceleration = p->max_deceleration;
  v.power = p->max_power;
  v.resistance = p->resistance;
  v.top_speed = rut_max(most, SLOWEST);
  const double* speed = rut_param_list(p, p->limit_speeds, &v.limits);
  memcpy(v.limit_speed, speed, (size_t)v.limits * sizeof *speed);
  const double* angle = rut_param_list(p, p->limit_angles, &v.limits);
  memcpy(v.limit_steer, angle, (size_t)v.limits * sizeof *angle);
  return v;
}

static rutAvoidanceSettings settings_of(const Param* p) {
  rutAvoidanceSettings s = rut_default_avoidance();
  s.clearance = p->clearance;
  s.goal_radius = p->goal_radius;
  s.horizon = p->horizon;
  s.candidates = (int)p->candidates;
  s.iterations = (int)p->iterations;
  s.stop_in_sight = p->stop_in_sight > 0;
  return s;
}

// Rows of one lane.
typedef struct Rows {
  double* at;
  int lanes;
} Rows;

static double* row(const Rows* r, int i) { return &r->at[(ptrdiff_t)i * r->lanes]; }

// Number k of decision i before the last one, 0 being the last.
static double* past(const Rows* r, int i, int k) {
  const int made = (int)*row(r, DECISIONS);
  return row(r, (made - 1 - i + PAST) % PAST * PAST_NUMBERS + k);
}
static int past_count(const Rows* r) {
  const int made = (int)*row(r, DECISIONS);
  return made < PAST ? made : PAST;
}

// The pose at a time, from those of decisions. Later than the last of them it moves on along the
// arc of the last two: with an input_delay a scan is newer than what is known of the motion.
static void pose_at(const Rows* r, double time, double pose[3]) {
  const int n = past_count(r);
  int i = 0;
  while (i < n - 2 && *past(r, i + 1, 0) > time) i++;
  const int before = n > 1 ? i + 1 : 0;
  const double t0 = *past(r, before, 0), t1 = *past(r, i, 0);
  const double part = t1 > t0 ? rut_max((time - t0) / (t1 - t0), 0) : 1;
  double change[3];
  for (int k = 0; k < 3; k++) change[k] = *past(r, i, 1 + k) - *past(r, before, 1 + k);
  // yaw is of one turn
  change[2] -= 2 * RUT_PI * rut_floor(change[2] / (2 * RUT_PI) + 0.5);
  for (int k = 0; k < 3; k++) pose[k] = *past(r, before, 1 + k) + rut_min(part, 1) * change[k];
  if (!(part > 1)) return;
  // the chord of what follows, turned by half of what the yaw changes over both
  const double beyond = part - 1;
  double sine, cosine;
  rut_sincos(0.5 * part * change[2], &sine, &cosine);
  pose[0] += beyond * (cosine * change[0] - sine * change[1]);
  pose[1] += beyond * (sine * change[0] + cosine * change[1]);
  pose[2] += beyond * change[2];
}

// The command in force at a time. What is kept of a decision is what it asked for last, just before
// the next one.
static bool command_at(const Rows* r, double time, double period, double out[2]) {
  const int n = past_count(r);
  for (int i = 0; i < n; i++) {
    const double since = time - *past(r, i, 0);
    if (since < -1e-9) continue;
    const double before = *past(r, i + 1 < n ? i + 1 : i, 4), own = *past(r, i, 4);
    out[0] = before + rut_clamp(since / period, 0, 1) * (own - before);
    out[1] = *past(r, i, 5);
    return true;
  }
  return false;
}

// ---- the plan in rows ----

static void move_plan(const Rows* r, rutAvoidancePlan* plan, bool keep) {
  double* const part[] = {plan->time, &plan->state[0][0], &plan->control[0][0], plan->at};
  static const int numbers[] = {N + 1, (N + 1) * NX, N * RUT_AVOIDANCE_CONTROLS, 2};
  int at = PLAN;
  for (int i = 0; i < RUT_COUNT_OF(part); i++) {
    for (int k = 0; k < numbers[i]; k++, at++) {
      if (keep) {
        *row(r, at) = part[i][k];
      } else {
        part[i][k] = *row(r, at);
      }
    }
  }
  if (keep) *row(r, at) = plan->opening;
  if (!keep) plan->opening = (int)*row(r, at);
  if (!keep) plan->end = RUT_AVOIDANCE_DRIVES;
}

// A number of the plan's states at a time of it.
static double planned(const Rows* r, int state, double time) {
  int k = 0;
  while (k < N - 1 && *row(r, PLAN + k + 1) <= time) k++;
  const double t0 = *row(r, PLAN + k), t1 = *row(r, PLAN + k + 1);
  const double part = rut_clamp((time - t0) / rut_max(t1 - t0, RUT_LEAST_DIVISOR), 0, 1);
  const int first = PLAN + N + 1 + k * NX + state;
  return *row(r, first) + part * (*row(r, first + NX) - *row(r, first));
}

// ---- backing out ----

static void move_recovery(const Rows* r, rutRecovery* own, bool keep) {
  double* number = (double*)(void*)own;
  for (int i = 0; i < RECOVERY_NUMBERS; i++) {
    if (keep) {
      *row(r, RECOVERY + i) = number[i];
    } else {
      number[i] = *row(r, RECOVERY + i);
    }
  }
}

static rutRecoveryCar car_of(const Param* p, const rutVehicleLayout* layout) {
  const double base = p->front + p->rear;
  return (rutRecoveryCar){.footprint = {p->nose + p->rear, p->tail - p->rear, p->width},
                          .base = base,
                          .radius = base / rut_tan(rut_max(layout->max_steer, LEAST_ANGLE)),
                          .steer_rate = p->steer_rate,
                          .speed = p->reverse_speed,
                          .way = p->back_up,
                          .tries = p->tries};
}

// Pose of the middle of the rear axle.
static rutPlanPose axle_at(const Param* p, const rutControlIn* in, int l) {
  double sine, cosine;
  rut_sincos(in->yaw[l], &sine, &cosine);
  return (rutPlanPose){in->position[l] - p->rear * cosine,
                       in->position[in->lanes + l] - p->rear * sine, in->yaw[l]};
}

// After a decision: what may be needed to back out, and whether it does that now. True if rows that
// change seldom have changed.
static bool recover(const Param* p, const rutVehicleLayout* layout, const rutControlIn* in,
                    const Rows* r, const rutAvoidanceScan* scan, int l) {
  if (!(p->tries > 0)) return false;
  const rutRecoveryCar car = car_of(p, layout);
  const rutPlanPose pose = axle_at(p, in, l);
  const rutRecoveryPoints points = {scan->point, scan->points};
  rutRecovery own;
  move_recovery(r, &own, false);
  bool news = own.backing > 0;
  if (own.backing > 0) {
    rut_recovery_look(&own, &car, &pose, points);
  } else {
    news = rut_recovery_keep(&own, &car, &pose, points);
    const double distance =
        rut_hypot(p->goal_x - in->position[l], p->goal_y - in->position[in->lanes + l]);
    if (*row(r, FAILURES) > p->retries && in->command[l] > 0) {
      rut_recovery_begin(&own, &car, &pose, points, distance, *row(r, TIME));
    }
    // another way is a new one
    if (own.backing > 0) *row(r, BEGUN) = -1;
    news = news || own.backing > 0;
  }
  move_recovery(r, &own, true);
  return news;
}

// Back along the own track; without a set point of the speed it stands meanwhile.
static void back_up(const Param* p, const rutVehicleLayout* layout, const rutControlIn* in,
                    const Rows* r, int l, double asked[3]) {
  const rutRecoveryCar car = car_of(p, layout);
  const rutPlanPose pose = axle_at(p, in, l);
  rutRecoveryAsked to = {0, *row(r, ASKED), 1};
  rutRecovery own;
  move_recovery(r, &own, false);
  if (in->command[l] > 0) {
    rut_recovery_drive(&own, &car, &pose, in->vx[l], in->dt, &to);
  } else {
    own.stood = 0;
  }
  move_recovery(r, &own, true);
  asked[0] = to.speed;
  asked[1] = to.steer;
  asked[2] = to.brake;
}

// ---- a decision ----

// Memory of a decision, in the scratch that all lanes use in turn.
enum { MOST_POINTS = 2048 };
typedef struct Memory {
  double point[MOST_POINTS][2];
  rutAvoidancePlan plan, last;
} Memory;

static int obstacle_scratch(const void* param, const rutVehicleLayout* layout) {
  (void)param;
  (void)layout;
  return (int)((sizeof(Memory) + rut_avoidance_size() + sizeof(double) - 1) / sizeof(double));
}

static void measure(const rutVehicleLayout* layout, const rutControlIn* in, int l, double* x) {
  const int lanes = in->lanes;
  const int left = layout->front_left, right = layout->front_right;
  const double own[RUT_AVOIDANCE_STATES] = {
      in->position[l],
      in->position[lanes + l],
      in->yaw[l],
      in->vy[l],
      in->yaw_rate[l],
      left >= 0 && right >= 0 ? 0.5 * (in->steer[left * lanes + l] + in->steer[right * lanes + l])
                              : 0,
      in->vx[l]};
  memcpy(x, own, sizeof own);
}

// Where the vehicle is when the decision acts. Without any delay its wheels stand as it was asked
// for: measured angles differ from that by toe, lash and compliance, and a command that begins with
// them drifts with the difference.
static void predict(const Param* p, const rutAvoidanceVehicle* v, const Rows* r, double* x) {
  static const double STEP = 0.01;  // [s]
  const double now = *row(r, TIME), from = now - p->head.input_delay;
  const double acts = p->head.output_delay + p->actuation_delay;
  const double lasts = p->head.input_delay + acts;
  double left = lasts;
  while (left > 1e-9) {
    const double dt = rut_min(left, STEP), time = from + (lasts - left);
    double command[2], control[RUT_AVOIDANCE_CONTROLS] = {0};
    if (command_at(r, time - lasts, p->decision_period, command)) {
      const double rate = (command[0] - x[RUT_AVOIDANCE_STEER]) / dt;
      control[0] = rut_clamp(rate, -v->steer_rate, v->steer_rate);
      control[1] = command[1];
    }
    rut_avoidance_step(v, x, control, dt, x, NULL);
    left -= dt;
  }
  if (!(lasts > 0) && *row(r, DECISIONS) > 0) x[RUT_AVOIDANCE_STEER] = *row(r, ASKED);
}

// Points of the scan in the world.
static rutAvoidanceScan take_scan(const Param* p, const Rows* r, const rutControlReading* reading,
                                  double (*point)[2]) {
  rutAvoidanceScan scan = {(const double(*)[2])point, 0, p->sensor_range, 0, 0};
  double pose[3], s, c;
  // a sum of steps may be behind a stamp by rounding
  const double newest = *past(r, 0, 0) + p->head.input_delay;
  pose_at(r, rut_min(reading->stamp, newest), pose);
  rut_sincos(pose[2], &s, &c);
  scan.from = pose[2] - 0.5 * p->fov;
  scan.to = pose[2] + 0.5 * p->fov;
  const int skip = 1 + (reading->n - 1) / MOST_POINTS;
  const double increment = reading->n > 1 ? p->fov / (reading->n - 1) : 0;
  for (int i = 0; i < reading->n; i += skip) {
    const double range = ((const double*)reading->value)[(ptrdiff_t)i * reading->stride];
    if (!(range >= 0 && range < p->sensor_range)) continue;
    double sine, cosine;
    rut_sincos(scan.from + i * increment, &sine, &cosine);
    point[scan.points][0] = pose[0] + p->sensor_x * c + range * cosine;
    point[scan.points++][1] = pose[1] + p->sensor_x * s + range * sine;
  }
  return scan;
}

// Write this decision's pose and command, the last one, into the past.
static void note(const Rows* r, const Param* p, const double* x) {
  const double held = *row(r, DECISIONS) > 0 ? *past(r, 0, 4) : x[RUT_AVOIDANCE_STEER];
  const double own[PAST_NUMBERS] = {*row(r, TIME) - p->head.input_delay, x[0], x[1], x[2], held, 0};
  *row(r, DECISIONS) += 1;
  for (int i = 0; i < PAST_NUMBERS; i++) *past(r, 0, i) = own[i];
}

static void tell(const rutAvoidancePlan* plan, const rutControlOut* out, int lanes, int l) {
  const double told[] = {plan->end,    plan->iterations, plan->cost,
                         plan->margin, plan->load,       plan->opening};
  for (int i = 0; i < RUT_COUNT_OF(told); i++) out->output[(STATUS + i) * lanes + l] = told[i];
}

// While it backs up nothing is decided; it looks.
static void look(const Param* p, const rutVehicleLayout* layout, const rutControlIn* in,
                 const Rows* r, int l) {
  Memory* m = (Memory*)in->scratch;
  double here[RUT_AVOIDANCE_STATES];
  measure(layout, in, l, here);
  note(r, p, here);
  const rutAvoidanceScan scan = take_scan(p, r, &in->reading[l], m->point);
  recover(p, layout, in, r, &scan, l);
}

// True if rows that change seldom have changed.
static bool decide(const Param* p, const rutVehicleLayout* layout, const rutControlIn* in,
                   const Rows* r, const rutControlOut* out, int l) {
  Memory* m = (Memory*)in->scratch;
  double x[RUT_AVOIDANCE_STATES];
  const double goal[2] = {p->goal_x, p->goal_y};
  const rutAvoidanceVehicle v = vehicle_of(p, layout, in->command[l]);
  const rutAvoidanceSettings settings = settings_of(p);
  measure(layout, in, l, x);
  predict(p, &v, r, x);
  double here[RUT_AVOIDANCE_STATES];
  measure(layout, in, l, here);
  note(r, p, here);
  const rutAvoidanceScan scan = take_scan(p, r, &in->reading[l], m->point);
  const bool planned_before = *row(r, BEGUN) >= 0 && *row(r, DECISIONS) > 1;
  if (planned_before) {
    memset(&m->last, 0, sizeof m->last);
    move_plan(r, &m->last, false);
  }
  const rutAvoidanceQuestion question = {&v, &settings, &scan,
                                         x,  goal,      planned_before ? &m->last : NULL};
  // speeds beyond the model's are what they are: it slows down first
  // what it cannot decide about, such as a world without gravity, is told as a plan that is none
  (void)rut_avoidance_decide(&question, m + 1, rut_avoidance_size(), &m->plan, NULL);
  tell(&m->plan, out, in->lanes, l);
  if (m->plan.end == RUT_AVOIDANCE_ARRIVED) *row(r, ARRIVED) = 1;
  const bool drives = m->plan.end == RUT_AVOIDANCE_DRIVES;
  *row(r, FAILURES) = drives ? 0 : *row(r, FAILURES) + 1;
  if (drives) *row(r, BEGUN) = *row(r, TIME);
  if (drives) move_plan(r, &m->plan, true);
  return recover(p, layout, in, r, &scan, l);
}

// ---- what it asks for ----

// Deceleration that leaves the rear inner wheel its least load in the turn that the vehicle is in;
// negative where the turn alone takes more.
static double spare_of(const Param* p, const rutVehicleLayout* layout, const rutControlIn* in,
                       int l) {
  const double weight = layout->mass * layout->gravity;
  const double still = 0.5 * weight * p->front / (p->front + p->rear);
  const double turn = p->load_rear * rut_abs(in->vx[l] * in->yaw_rate[l]);
  return 2 * (still - turn - p->least_load) / rut_max(p->load_x, 1);
}

static double stop_of(const Param* p, double spare) {
  static const double LEAST = 0.5;  // [m/s2]
  return rut_clamp(spare, LEAST, rut_max(p->max_deceleration, LEAST));
}

// What it asks for while it stops: the speed falls by that deceleration, the wheels keep their
// angle, since to straighten up may lead into what was being avoided, unless the rear inner one is
// about to lift; at the goal they straighten.
static void stop(const Param* p, const rutVehicleLayout* layout, const rutControlIn* in,
                 const Rows* r, int l, double asked[3]) {
  const double spare = spare_of(p, layout, in, l), slow = stop_of(p, spare);
  const double turn = *row(r, ARRIVED) > 0 || spare < 0 ? p->steer_rate * in->dt : 0;
  const double speed = rut_max(in->vx[l], STANDING), last = *row(r, ASKED);
  const double against = -0.5 * (p->front + p->rear) * in->yaw_rate[l] / speed;
  asked[0] = rut_max(in->vx[l] - slow * p->speed_lead, 0);
  asked[1] = last + rut_clamp(against - last, -turn, turn);
  asked[2] = in->vx[l] < STANDING ? 1 : 0;
}

static int goal_state_of(const Param* p, const rutControlIn* in, const Rows* r, bool follows,
                         int l) {
  if (*row(r, ARRIVED) > 0) return HAS_ARRIVED;
  if (*row(r, DECISIONS) < 1) return SEES_NOTHING;
  if (*row(r, BACKING) > 0) return BACKS_UP;
  if (follows) return DRIVES;
  const bool hopes = p->tries > 0 && *row(r, TRACKED) > 1;
  return rut_abs(in->vx[l]) < STANDING && !hopes ? NO_WAY : STOPS;
}

static void ask(const Param* p, const rutVehicleLayout* layout, const rutControlIn* in,
                const Rows* r, const rutControlOut* out, int l) {
  const double time = *row(r, TIME) - *row(r, BEGUN);
  const bool follows = *row(r, BEGUN) >= 0 && *row(r, FAILURES) <= p->retries;
  const double most = in->command[l];
  const bool stops = *row(r, ARRIVED) > 0 || !follows || !(most > 0);
  const int lanes = in->lanes;
  double asked[3] = {0}, slow = 0;
  if (*row(r, BACKING) > 0) {
    back_up(p, layout, in, r, l, asked);
  } else if (stops) {
    stop(p, layout, in, r, l, asked);
    slow = -stop_of(p, spare_of(p, layout, in, l));
  } else {
    static const double SHORT = 0.1;  // [s]
    asked[0] = planned(r, RUT_AVOIDANCE_SPEED, time + p->speed_lead);
    // a plan for the slowest speed is driven more slowly
    if (most < SLOWEST) asked[0] = rut_min(asked[0], most);
    asked[1] = planned(r, RUT_AVOIDANCE_STEER, time);
    slow = (planned(r, RUT_AVOIDANCE_SPEED, time + SHORT) - planned(r, RUT_AVOIDANCE_SPEED, time)) /
           SHORT;
  }
  out->output[SPEED * lanes + l] = asked[0];
  out->output[STEERING * lanes + l] =
      rut_clamp(asked[1] / rut_max(layout->max_steer, RUT_LEAST_DIVISOR), -1, 1);
  out->output[BRAKE * lanes + l] = asked[2];
  out->output[GOAL_STATE * lanes + l] = goal_state_of(p, in, r, follows, l);
  *row(r, ASKED) = asked[1];
  // what is on its way, for the next prediction
  if (*row(r, DECISIONS) < 1) return;
  *past(r, 0, 4) = asked[1];
  *past(r, 0, 5) = slow;
}

static void obstacle_update(const void* param, const rutVehicleLayout* layout,
                            const rutControlIn* in, double* state, const rutControlOut* out) {
  static const double SAME_TIME = 1e-9;    // [s]
  static const double STOOD_BELOW = 0.05;  // [m/s]
  const Param* p = param;
  for (int l = 0; l < in->lanes; l++) {
    const Rows r = {state + l, in->lanes};
    *row(&r, TIME) = rut_control_clock(in, l, *row(&r, TIME));
    if (*row(&r, DECISIONS) < 1 && *row(&r, FAILURES) == 0) *row(&r, BEGUN) = -1;
    // before the first scan it stands
    const bool sees = in->reading[l].stamp >= 0;
    const bool due = *row(&r, TIME) >= *row(&r, DUE) - SAME_TIME;
    const bool backs = *row(&r, BACKING) > 0;
    if (backs) *out->changed = true;
    if (due && sees && !(*row(&r, ARRIVED) > 0)) {
      if (backs) look(p, layout, in, &r, l);
      if (!backs && decide(p, layout, in, &r, out, l)) *out->changed = true;
      *row(&r, DUE) = *row(&r, TIME) + p->decision_period;
    }
    *row(&r, STOOD) = rut_abs(in->vx[l]) < STOOD_BELOW ? *row(&r, STOOD) + in->dt : 0;
    ask(p, layout, in, &r, out, l);
    *row(&r, TIME) += in->dt;
  }
}

// ---- what others are told ----

static void obstacle_navigation_info(const void* param, rutNavigationInfo* out) {
  const Param* p = param;
  out->poses = MOST_POSES;
  out->publish = p->publish > 0 ? RUT_NAVIGATION_PATH : 0;
}

static void obstacle_navigation(const void* param, const rutVehicleLayout* layout,
                                const double* state, int stride, double* scratch,
                                rutNavigationView* out) {
  (void)layout;
  (void)scratch;
  const Param* p = param;
  const Rows r = {(double*)(uintptr_t)state, stride};
  const bool arrived = *row(&r, ARRIVED) > 0;
  const bool backs = *row(&r, BACKING) > 0;
  const bool drives = *row(&r, DECISIONS) > 0 && *row(&r, BEGUN) >= 0 && !arrived && !backs &&
                      *row(&r, FAILURES) <= p->retries;
  out->has_goal = !arrived;
  memcpy(out->goal, (const double[3]){p->goal_x, p->goal_y, RUT_NAN}, sizeof out->goal);
  out->path_stamp = backs ? *row(&r, BACKING + 1) : drives ? *row(&r, BEGUN) : -1;
  if (!out->path) return;
  if (backs) {
    rutRecovery own;
    move_recovery(&r, &own, false);
    out->poses = rut_goal_path_poses(&own.path, 0.5 * RUT_GOAL_TRACK_STEP, MOST_POSES, out->path);
    for (int k = 0; k < out->poses; k++) {
      double* at = out->path[k];
      at[0] += p->rear * rut_cos(at[2]);
      at[1] += p->rear * rut_sin(at[2]);
    }
    return;
  }
  out->poses = drives ? N + 1 : 0;
  for (int k = 0; k < out->poses; k++) {
    const int first = PLAN + N + 1 + k * NX;
    for (int i = 0; i < 3; i++) out->path[k][i] = *row(&r, first + i);
  }
}

const rutControllerType rut_controller_obstacle_mpc = {
    .base = {.abi = RUT_ABI,
             .struct_size = sizeof(rutControllerType),
             .kind = "controller",
             .name = "obstacle_mpc",
             .parents = "vehicle",
             .doc =
                 "Drives to a goal among obstacles that a planar scanner sees, by predictive "
                 "control in stages (Liu, Jayakumar, Stein and Ersal): openings, and for each the "
                 "manoeuvre of least time that keeps every wheel on the ground. It gives speed, "
                 "steering and brake to a controller such as 'driver', and stops where there is "
                 "no way, which is an event.",
             .field = fields,
             .fields = RUT_COUNT_OF(fields),
             .state = states,
             .states = RUT_COUNT_OF(states),
             .check = obstacle_check},
    .command = commands,
    .commands = RUT_COUNT_OF(commands),
    .output = outputs,
    .outputs = RUT_COUNT_OF(outputs),
    .input = inputs,
    .inputs = RUT_COUNT_OF(inputs),
    .uses = RUT_USES_MOTION | RUT_USES_POSE | RUT_USES_TYRES | RUT_USES_TIME,
    .kept = KEPT,
    .suspensions = true,
    .supervises = true,
    .needs_steering = true,
    .scratch = obstacle_scratch,
    .update = obstacle_update,
    .navigation_info = obstacle_navigation_info,
    .navigation = obstacle_navigation};
