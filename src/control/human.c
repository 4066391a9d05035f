// SPDX-License-Identifier: BSD-3-Clause
//
// A model of a human driver: two points of the way steer, one production after the other.
//
// Steering (Salvucci and Gray, "A two-point visual control model of steering", Perception 33, 2004,
// in the discrete form of Salvucci, "Modeling driver behavior in a cognitive architecture", Human
// Factors 48, 2006). With the directions n of a near and f of a far point of the way, seen from the
// vehicle's heading, the angle of the front wheel changes in an update by
//   S (c Df + (1 - c) Dn + k min(|n|, n_max) sign(n) Dt),
// D being changes since the last update and Dt its time. The ratio of far and near gain, 16 to 4,
// is the published one. Its unit is that of a scaled car model, whose gains are unstable with
// delays; S, k and the distances of both points are those for which a vehicle of 3.3 m wheelbase is
// stable with the least peak of its sensitivity at the delay that the driver has learnt. A
// wheelbase L turns by v delta/L, so S goes with L.
//
// Timing is that of ACT-R (Anderson and others, Psychological Review 111, 2004): one production
// after the other, 50 ms each. A cycle looks near, shifts attention and looks far, looks at the
// speed and at the vehicle ahead, then steers and accelerates by what it has seen, which is old by
// then, and the hands answer after a motor delay:
//   0 near | P + A far | 2P + A speed, gap | 3P + A command | 4P + A the next cycle.
//
// Backwards the driver looks over the shoulder: both points lie behind along the way, n and f are
// directions from the opposite of the heading, and what turns that to the left is steering to the
// right.
#include "base/report.h"
#include "base/rng.h"
#include "control/course.h"
#include "math/random.h"
#include "rut/component.h"

#define FIELDS(X)                                                                                 \
  X(speed, "m/s", 0, -1e3, 1e3,                                                                   \
    "Speed that it wants to drive at, before the first command; negative: backwards.")            \
  X(amplitude, "m", 3.5, 0, 1e3, "Of the sine.")                                                  \
  X(wavelength, "m", 150, 1, 1e6, "Of the sine.")                                                 \
  X(start_distance, "m", 50, 0, 1e9, "Distance from the start to the sine.")                      \
  X(fade, "m", 50, 0.1, 1e6, "Distance in which the sine rises to its amplitude.")                \
  X(eye_x, "m", 0, -100, 100, "Place of the eyes or of the camera, forward.")                     \
  X(near_distance, "m", 10, 0.1, 1e3, "Least distance of the near point along the way.")          \
  X(near_time, "s", 1, 0, 100, "Its distance over the speed, where that is farther.")             \
  X(far_distance, "m", 20, 0.1, 1e4, "Least distance of the far point.")                          \
  X(far_time, "s", 3, 0, 100, "Its distance over the speed, where that is farther.")              \
  X(sight, "m", 0, 0, 1e6, "Farthest distance at which it sees the way; 0: no limit.")            \
  X(steering_gain, "", 0, 0, 100,                                                                 \
    "S; 0: the best one for speed, wheelbase and expected_delay, by a table.")                    \
  X(expected_delay, "s", 0.3, 0, 10,                                                              \
    "Delay from what happens to the wheels' answer that it has learnt to drive with.")            \
  X(far_share, "", 0.8, 0, 1, "c: weight of the far point.")                                      \
  X(near_rate, "1/s", 0.03, 0, 100, "k: rate at which it brings the near point ahead.")           \
  X(near_limit, "rad", 0.07, 0, 10, "n_max: largest near angle that counts there.")               \
  X(skill, "", 1, 0, 10, "Factor of the steering gain; a novice has 0.6.")                        \
  X(production_time, "s", 0.05, 1e-3, 10, "P: duration of a production.")                         \
  X(attention_time, "s", 0.055, 0, 10, "A: shift of visual attention to the far point.")          \
  X(motor_time, "s", 0.05, 0, 10, "From a command to the answer of hands and feet.")              \
  X(timing_spread, "", 0, 0, 0.9,                                                                 \
    "Largest share by which a production is shorter or longer, uniform.")                         \
  X(near_noise, "rad", 0.003, 0, 10, "Standard deviation of the near angle that it sees.")        \
  X(far_noise, "rad", 0.001, 0, 10, "The same of the far angle.")                                 \
  X(motor_noise, "rad", 0.002, 0, 10, "Standard deviation of the wheels' angle that it sets.")    \
  X(motor_noise_share, "", 0.02, 0, 10, "The same per angle; both are independent.")              \
  X(lateral_acceleration, "m/s2", 2.5, 0, 1e3,                                                    \
    "To which it slows down for bends; 0: it does not.")                                          \
  X(pedal_acceleration, "m/s2", 6, 0.01, 100,                                                     \
    "Acceleration, and deceleration, that a full pedal means to the driver.")                     \
  X(full_force, "N", 0, 0, 1e9, "Force of full throttle that it expects; 0: half of the weight.") \
  X(full_power, "W", 0, 0, 1e9, "Power of full throttle that it expects; 0: no limit.")           \
  X(brake_force, "N", 0, 0, 1e9, "Force of the full brakes that it expects; 0: the weight.")      \
  X(speed_gain, "s/m", 0.15, 0, 100, "Change of the pedals per change of the speed error.")       \
  X(speed_rate, "1/m", 0.03, 0, 100, "Rate of change of the pedals per speed error.")             \
  X(headway_gain, "1/s", 1.2, 0, 100, "Change of the pedals per change of the time headway.")     \
  X(headway_rate, "1/s2", 0.4, 0, 100, "Their rate of change per error of the time headway.")     \
  X(headway, "s", 1, 0, 100, "Time headway at which it follows another vehicle.")                 \
  X(longest_headway, "s", 4, 0.1, 100, "Time headway beyond which no vehicle is ahead.")          \
  X(full_brake, "", 1, 0, 1, "Part of the vehicle's full brakes that its full brakes are.")

typedef struct Param {
  rutControllerHead head;
  FIELDS(RUT_PARAM)
  double age, course, points;
} Param;

enum { LINE, PATH, SINE };
static const double OLDER = 1.13;  // cycle time of older drivers over that of younger ones

static const rutField fields[] = {
    RUT_CONTROLLER_ROWS FIELDS(RUT_ROW){"age", "", RUT_CHOICE, 1, 0, 0, 1, "younger|older", 0,
                                        "Older drivers have productions that are 13 % longer."},
    {"course", "", RUT_CHOICE, 1, LINE, 0, SINE, "line|path|sine", 0,
     "The way. line: straight on from the place and heading at the start. sine: the same, with a "
     "sine across it. path: along points."},
    {"points", "m", RUT_POINTS, 0, 0, -1e9, 1e9, "", 0,
     "Path through points x y of the world, at least two."}};

static const rutVariable commands[] = {
    RUT_SET_POINT(speed, "m/s", SPEED, "forward speed, negative: backwards")};

// A single number of a sensor that looks ahead.
static const rutVariable inputs[] = {{"range_ahead", "m", "", "",
                                      "free distance ahead, of a range finder", RUT_F64, false,
                                      RUT_MEANS_NOTHING}};

// clang-format off
static const rutVariable states[] = {
    RUT_STATE_OUTPUT(gaze, "", "where it looks: 0 near, 1 far, 2 speed and vehicle ahead, 3 elsewhere")
    RUT_STATE_OUTPUT(near_angle, "rad", "direction of the near point as seen, to the left")
    RUT_STATE_OUTPUT(far_angle, "rad", "direction of the far point as seen, to the left")
    RUT_STATE_OUTPUT(steer_command, "rad", "angle of the front wheel that the hands set")
    RUT_STATE_OUTPUT(pedal_command, "", "pedals: 1 and -1 mean pedal_acceleration")
    RUT_STATE_OUTPUT(target_speed, "m/s", "speed that it wants")
    RUT_STATE_OUTPUT(time_headway, "s", "to the vehicle ahead, as seen")
    RUT_STATE_OUTPUT(cross_track_error, "m", "distance from the way, positive to its left")
    RUT_STATE_OUTPUT(cross_track_rms, "m", "root mean square of that since the start")
    RUT_STATE_OUTPUT(cross_track_max, "m", "largest magnitude of that")
    RUT_STATE_OUTPUT(workload, "", "share of cycles in which the way needed the driver")
    RUT_STATE_OUTPUT(steering_activity, "rad", "sum of all changes of the wheels' angle")
    RUT_STATE_OUTPUT(steering_reversals, "", "turns of the steering by more than 2 degrees at a "
                                             "handwheel with a gear of 20")
    RUT_STATE_OUTPUT(updates, "", "number of commands so far")
    RUT_VARIABLE(begun, "", "1 once place and heading at the start are known")
    RUT_VARIABLE(start_x, "m", "place at the start, world")
    RUT_VARIABLE(start_y, "m", "place at the start, world")
    RUT_VARIABLE(start_cosine, "", "of the heading at the start")
    RUT_VARIABLE(start_sine, "", "of the heading at the start")
    RUT_VARIABLE(along, "", "parameter of the place on the way")
    RUT_VARIABLE(event, "", "what happens next in the cycle")
    RUT_VARIABLE(left, "s", "time until then")
    RUT_VARIABLE(cycle, "", "number of cycles that are complete")
    RUT_VARIABLE(since, "s", "time since the last command")
    RUT_VARIABLE(near_last, "rad", "near angle of the last command")
    RUT_VARIABLE(far_last, "rad", "far angle of the last command")
    RUT_VARIABLE(speed_seen, "m/s", "speed as seen")
    RUT_VARIABLE(error_last, "m/s", "speed error of the last command")
    RUT_VARIABLE(headway_last, "s", "time headway of the last command")
    RUT_VARIABLE(angle, "rad", "of the front wheel that it has decided on")
    RUT_VARIABLE(pedal, "", "that it has decided on")
    RUT_VARIABLE(motor_left, "s", "time until hands and feet answer")
    RUT_VARIABLE(angle_next, "rad", "that the hands will set")
    RUT_VARIABLE(busy, "", "number of cycles that were needed")
    RUT_VARIABLE(extreme, "rad", "angle at the last turn of the steering")
    RUT_VARIABLE(turning, "", "1 while it steers to the left, -1 to the right")
    RUT_VARIABLE(facing, "", "1 while it looks ahead, -1 back over the shoulder, 0 before the first look")
    RUT_VARIABLE(fresh, "", "1 while it has nothing to compare with what it sees")
    RUT_VARIABLE(lever_next, "", "1 where its pedals will drive ahead, -1 backwards")
    RUT_VARIABLE(lever, "", "where they drive, likewise")
    RUT_VARIABLE(square, "m2 s", "integral of the squared distance from the way")
    RUT_VARIABLE(time, "s", "for which it has driven")};
enum { GAZE, NEAR_ANGLE, FAR_ANGLE, STEER_COMMAND, PEDAL_COMMAND, TARGET_SPEED, TIME_HEADWAY, ERROR,
       ERROR_RMS, ERROR_MAX, WORKLOAD, ACTIVITY, REVERSALS, UPDATES, BEGUN, X0, Y0, COSINE, SINE_ROW,
       ALONG, EVENT, LEFT, CYCLE, SINCE, NEAR_LAST, FAR_LAST, SPEED_SEEN, ERROR_LAST, HEADWAY_LAST,
       ANGLE, PEDAL, MOTOR_LEFT, ANGLE_NEXT, BUSY, EXTREME, TURNING, FACING, FRESH,
       LEVER_NEXT, LEVER, SQUARE, TIME };
// clang-format on

// Streams of random numbers, and numbers of a cycle.
enum { NORMAL_STREAM, TIMING_STREAM };
enum { NEAR_NORMAL, FAR_NORMAL, MOTOR_NORMAL, SHARE_NORMAL, NORMALS };

// Events of a cycle.
enum { LOOK_NEAR, LOOK_FAR, LOOK_AHEAD, COMMAND, EVENTS };
enum { GAZE_NEAR, GAZE_FAR, GAZE_AHEAD, GAZE_ELSEWHERE };

static rutStatus human_check(const double* param, rutError* err) {
  const Param* p = (const Param*)param;
  const double cycle = 4 * p->production_time * (1 - p->timing_spread) + p->attention_time;
  int numbers;
  const double* xy = rut_param_list(p, p->points, &numbers);
  if (p->motor_time > cycle) {
    return rut_error_set(
        err, RUT_ERR_MODEL,
        "motor_time %g s is longer than the shortest cycle, %g s: hands answer one "
        "command at a time",
        p->motor_time, cycle);
  }
  return p->course == PATH ? rut_course_check_points(xy, numbers, err) : RUT_OK;
}

// ---- the way ----

static rutCourseAt course_at(const Param* p, double u) {
  if (p->course == PATH) {
    int numbers;
    const double* xy = rut_param_list(p, p->points, &numbers);
    return rut_course_points(xy, numbers / 2, u);
  }
  if (p->course == SINE) {
    return rut_course_sine(
        &(rutCourseSine){p->amplitude, p->wavelength, p->start_distance, p->fade}, u);
  }
  return (rutCourseAt){.x = u, .dx = 1.0};
}

// Parameter of the nearest place, from the last one on: Newton's method.
static double nearest(const Param* p, double x, double y, double u) {
  for (int i = 0; i < 4; i++) u += rut_course_toward(course_at(p, u), x, y);
  return u;
}

// ---- one driver ----

// One lane: parameters, vehicle, and state, whose rows have a stride.
typedef struct Driver {
  const Param* p;
  const rutVehicleLayout* layout;
  double* state;
  int stride;
  double x, y, cosine, sine;  // of the eyes, and of the heading, in the frame of the way
  double velocity;            // forward
  double wanted, range, dt;
  uint64_t random;
} Driver;

static double* of(const Driver* d, int row) { return &d->state[row * d->stride]; }

static double normal(const Driver* d, int index) {
  return rut_normal(d->random, NORMAL_STREAM, (uint64_t)*of(d, CYCLE), (uint32_t)index);
}

// Duration of the production that follows an event [s].
static double production(const Driver* d, int event) {
  const Param* p = d->p;
  const double time = p->production_time * (p->age > 0 ? OLDER : 1);
  if (!(p->timing_spread > 0)) return time;
  const double u = rut_uniform(d->random, TIMING_STREAM, (uint64_t)*of(d, CYCLE), (uint32_t)event);
  return time * (1 + p->timing_spread * (2 * u - 1));
}

// A point of the way that is so far off where it looks [m]: its direction from straight on there,
// positive to the left, and the curvature. Behind the vehicle is that part of the way which comes
// first, or, where the way leads to the back, comes next.
static double direction_of(const Driver* d, double distance, double* curvature) {
  const double along = *of(d, ALONG), facing = *of(d, FACING);
  const rutCourseBend bend = rut_course_bend(course_at(d->p, along));
  const bool leads_back = d->cosine * bend.cosine + d->sine * bend.sine < 0;
  const double on = facing < 0 && !leads_back ? -distance : distance;
  const rutCourseAt at = course_at(d->p, along + on / bend.rate);
  const double x = facing * (at.x - d->x), y = facing * (at.y - d->y);
  *curvature = rut_course_bend(at).curvature;
  return rut_atan2(d->cosine * y - d->sine * x, d->cosine * x + d->sine * y);
}

// Speed towards where it looks, at least 0.
static double speed_of(const Driver* d) { return rut_max(*of(d, FACING) * d->velocity, 0); }

static double near_distance(const Driver* d) {
  return rut_max(d->p->near_distance, d->p->near_time * speed_of(d));
}

static double far_distance(const Driver* d) {
  const double far = rut_max(d->p->far_distance, d->p->far_time * speed_of(d));
  return d->p->sight > 0 ? rut_min(far, d->p->sight) : far;
}

// It looks where it wants to drive; who wants to stand keeps looking there. After a turn of the
// head nothing compares with what was seen before.
static void face(const Driver* d) {
  double* facing = of(d, FACING);
  const double last = *facing, keeps = last < 0 ? -1 : 1;
  *facing = d->wanted < 0 ? -1 : d->wanted > 0 ? 1 : keeps;
  if (*facing != last) *of(d, FRESH) = 1;
}

static void look_near(const Driver* d) {
  double curvature;
  face(d);
  const double seen = direction_of(d, near_distance(d), &curvature);
  *of(d, NEAR_ANGLE) = seen + d->p->near_noise * normal(d, NEAR_NORMAL);
}

static void look_far(const Driver* d) {
  static const double LEAST_CURVATURE = 1e-9;  // [1/m]
  double bend, near_bend;
  const double seen = direction_of(d, far_distance(d), &bend);
  *of(d, FAR_ANGLE) = seen + d->p->far_noise * normal(d, FAR_NORMAL);
  (void)direction_of(d, near_distance(d), &near_bend);
  const double curvature = rut_max(rut_max(rut_abs(bend), rut_abs(near_bend)), LEAST_CURVATURE);
  const double most = rut_sqrt(d->p->lateral_acceleration / curvature);
  *of(d, TARGET_SPEED) =
      d->p->lateral_acceleration > 0 ? rut_clamp(d->wanted, -most, most) : d->wanted;
}

static void look_ahead(const Driver* d) {
  static const double LEAST_SPEED = 0.1;  // [m/s]
  *of(d, SPEED_SEEN) = d->velocity;
  const double headway = d->range / rut_max(speed_of(d), LEAST_SPEED);
  // the sensor looks ahead: nobody tells what is behind
  const bool told = d->range >= 0 && *of(d, FACING) > 0;
  *of(d, TIME_HEADWAY) = told ? rut_min(headway, d->p->longest_headway) : d->p->longest_headway;
}

// ---- commands ----

// S that is stable with the least peak of the sensitivity of a linear bicycle with a pure delay,
// for k = 0.03 1/s and the near and far distances that are the defaults: rows of speed, columns of
// delay.
static double best_gain(double speed, double delay) {
  static const double WHEELBASE = 3.302;  // of that bicycle [m]
  static const double speeds[] = {5, 10, 15, 20, 25}, delays[] = {0.2, 0.3, 0.5, 0.7, 0.9};
  static const double gain[5][5] = {{0.319, 0.319, 0.285, 0.264, 0.236},
                                    {0.256, 0.235, 0.200, 0.169, 0.143},
                                    {0.186, 0.170, 0.144, 0.121, 0.102},
                                    {0.150, 0.141, 0.119, 0.097, 0.081},
                                    {0.133, 0.121, 0.102, 0.085, 0.070}};
  int i = 0, j = 0;
  while (i < 3 && speed > speeds[i + 1]) i++;
  while (j < 3 && delay > delays[j + 1]) j++;
  const double a = rut_clamp((speed - speeds[i]) / (speeds[i + 1] - speeds[i]), 0, 1);
  const double b = rut_clamp((delay - delays[j]) / (delays[j + 1] - delays[j]), 0, 1);
  const double low = gain[i][j] + b * (gain[i][j + 1] - gain[i][j]);
  const double high = gain[i + 1][j] + b * (gain[i + 1][j + 1] - gain[i + 1][j]);
  return (low + a * (high - low)) / WHEELBASE;
}

// Change of a direction, the short way round.
static double turned(double now, double before) {
  const double change = now - before;
  return change - 2 * RUT_PI * rut_floor((change + RUT_PI) / (2 * RUT_PI));
}

static void steer(const Driver* d, double time) {
  const Param* p = d->p;
  const double base = d->layout->steer_base > 0 ? d->layout->steer_base : d->layout->wheelbase;
  const double facing = *of(d, FACING);
  const double own = best_gain(facing * *of(d, SPEED_SEEN), p->expected_delay) * base;
  const double gain = facing * p->skill * (p->steering_gain > 0 ? p->steering_gain : own);
  const double seen = *of(d, NEAR_ANGLE), far = *of(d, FAR_ANGLE);
  const double changes = p->far_share * turned(far, *of(d, FAR_LAST)) +
                         (1 - p->far_share) * turned(seen, *of(d, NEAR_LAST));
  const double brought = p->near_rate * rut_clamp(seen, -p->near_limit, p->near_limit) * time;
  const double most = d->layout->max_steer;
  *of(d, ANGLE) = rut_clamp(*of(d, ANGLE) + gain * (changes + brought), -most, most);
}

// Who wants to stand brakes, whichever way the vehicle rolls; who wants to drive and rolls
// backwards takes the throttle. Who wants to drive backwards brakes until the vehicle all but
// stands.
static double speed_error(const Driver* d) {
  static const double STANDS = 0.3;  // at which it takes the throttle in reverse [m/s]
  const double facing = *of(d, FACING);
  const double wanted = facing * *of(d, TARGET_SPEED), seen = facing * *of(d, SPEED_SEEN);
  const bool against = facing < 0 && seen < -STANDS;
  return wanted > 0 && !against ? wanted - seen : -rut_abs(seen);
}

// Both laws are changes of one pedal: the more careful one counts.
static void accelerate(const Driver* d, double time) {
  const Param* p = d->p;
  const double error = speed_error(d), gap = *of(d, TIME_HEADWAY);
  const double alone = p->speed_gain * (error - *of(d, ERROR_LAST)) + p->speed_rate * error * time;
  const double behind =
      p->headway_gain * (gap - *of(d, HEADWAY_LAST)) + p->headway_rate * (gap - p->headway) * time;
  *of(d, PEDAL) = rut_clamp(*of(d, PEDAL) + rut_min(alone, behind), -1, 1);
}

// Is the way so calm that it may look elsewhere? Salvucci's bounds, with a factor of 1.
static bool is_calm(const Driver* d, double time) {
  static const double NEAR = 0.025, RATE = 0.0125;  // [rad], [rad/s]
  const double seen = *of(d, NEAR_ANGLE), change = turned(seen, *of(d, NEAR_LAST));
  const double far_change = turned(*of(d, FAR_ANGLE), *of(d, FAR_LAST));
  return rut_abs(seen) < NEAR && rut_abs(change) < RATE * time && rut_abs(far_change) < RATE * time;
}

// Steer and accelerate by what was seen. The first command, and the first one after a turn of the
// head, has nothing to compare with: it only takes note of what is there, and of the pedal that
// holds the speed error at bay.
static void command(const Driver* d) {
  const Param* p = d->p;
  const double time = *of(d, SINCE);
  const bool first = *of(d, FRESH) > 0;
  const bool calm = !first && is_calm(d, time);
  if (first) {
    *of(d, PEDAL) = rut_clamp(p->speed_gain * speed_error(d), -1, 1);
  } else {
    steer(d, time);
    accelerate(d, time);
  }
  *of(d, NEAR_LAST) = *of(d, NEAR_ANGLE);
  *of(d, FAR_LAST) = *of(d, FAR_ANGLE);
  *of(d, ERROR_LAST) = speed_error(d);
  *of(d, HEADWAY_LAST) = *of(d, TIME_HEADWAY);
  *of(d, LEVER_NEXT) = *of(d, FACING);
  *of(d, FRESH) = 0;
  *of(d, SINCE) = 0;
  *of(d, UPDATES) += 1;
  *of(d, BUSY) += calm ? 0 : 1;
  *of(d, WORKLOAD) = *of(d, BUSY) / *of(d, UPDATES);
  *of(d, GAZE) = calm ? GAZE_ELSEWHERE : GAZE_AHEAD;
  const double angle = *of(d, ANGLE);
  // the driver feels what the hands do: their errors do not add up
  *of(d, ANGLE_NEXT) = angle + p->motor_noise * normal(d, MOTOR_NORMAL) +
                       p->motor_noise_share * angle * normal(d, SHARE_NORMAL);
  *of(d, MOTOR_LEFT) = p->motor_time;
}

// ---- time ----

static void happen(const Driver* d) {
  const int event = (int)*of(d, EVENT);
  const double until = production(d, event) + (event == LOOK_NEAR ? d->p->attention_time : 0);
  *of(d, LEFT) += until;
  *of(d, EVENT) = (event + 1) % EVENTS;
  if (event == LOOK_NEAR) {
    *of(d, GAZE) = GAZE_NEAR;
    look_near(d);
  } else if (event == LOOK_FAR) {
    *of(d, GAZE) = GAZE_FAR;
    look_far(d);
  } else if (event == LOOK_AHEAD) {
    *of(d, GAZE) = GAZE_AHEAD;
    look_ahead(d);
  } else {
    command(d);
    *of(d, CYCLE) += 1;
  }
}

// Hands and feet.
static void answer(const Driver* d) {
  static const double REVERSAL = 2 * RUT_PI / 180 / 20;  // at the wheels [rad]
  if (!(*of(d, UPDATES) > 0) || *of(d, MOTOR_LEFT) > 0.5 * d->dt) return;
  const double most = d->layout->max_steer, last = *of(d, STEER_COMMAND);
  const double angle = rut_clamp(*of(d, ANGLE_NEXT), -most, most);
  *of(d, STEER_COMMAND) = angle;
  *of(d, PEDAL_COMMAND) = *of(d, PEDAL);
  *of(d, LEVER) = *of(d, LEVER_NEXT);
  *of(d, ACTIVITY) += rut_abs(angle - last);
  // a turn back from the extreme that it steered to
  double *extreme = of(d, EXTREME), *turning = of(d, TURNING);
  const double beyond = angle - *extreme;
  if (beyond * *turning >= 0) *extreme = angle;
  if (*turning == 0 && angle != 0) *turning = rut_sign(angle);
  if (beyond * *turning > -REVERSAL) return;
  *turning = -*turning;
  *extreme = angle;
  *of(d, REVERSALS) += 1;
}

// How well it keeps to the way.
static void judge(const Driver* d) {
  const rutCourseAt at = course_at(d->p, *of(d, ALONG));
  const rutCourseBend bend = rut_course_bend(at);
  const double error = (d->y - at.y) * bend.cosine - (d->x - at.x) * bend.sine;
  *of(d, TIME) += d->dt;
  *of(d, SQUARE) += error * error * d->dt;
  *of(d, ERROR) = error;
  *of(d, ERROR_RMS) = rut_sqrt(*of(d, SQUARE) / *of(d, TIME));
  *of(d, ERROR_MAX) = rut_max(*of(d, ERROR_MAX), rut_abs(error));
}

static void drive(const Driver* d) {
  *of(d, ALONG) = nearest(d->p, d->x, d->y, *of(d, ALONG));
  judge(d);
  // a step that is longer than a production has several of them
  for (int i = 0; i < EVENTS && *of(d, LEFT) <= 0.5 * d->dt; i++) happen(d);
  answer(d);
  *of(d, LEFT) -= d->dt;
  *of(d, SINCE) += d->dt;
  *of(d, MOTOR_LEFT) -= d->dt;
}

// ---- the controller ----

// Frame of the way: the pose at the start, or the world's for a path of points.
static void begin(const Param* p, const rutControlIn* in, double* state, int l) {
  const int lanes = in->lanes;
  if (state[BEGUN * lanes + l] > 0) return;
  double s = 0, c = 1;
  if (p->course != PATH) rut_sincos(in->yaw[l], &s, &c);
  state[BEGUN * lanes + l] = 1;
  state[X0 * lanes + l] = p->course == PATH ? 0 : in->position[l];
  state[Y0 * lanes + l] = p->course == PATH ? 0 : in->position[lanes + l];
  state[COSINE * lanes + l] = c;
  state[SINE_ROW * lanes + l] = s;
}

// Free distance ahead [m], -1: there is nothing, or nobody tells.
static double range_ahead(const rutControlReading* r) {
  if (!r || r->stamp < 0 || r->n < 1 || r->type != RUT_F64) return -1;
  const double range = ((const double*)r->value)[0];
  return range >= 0 ? range : -1;
}

static Driver driver_of(const Param* p, const rutVehicleLayout* layout, const rutControlIn* in,
                        double* state, int l) {
  const int lanes = in->lanes;
  double s, c;
  rut_sincos(in->yaw[l], &s, &c);
  const double x = in->position[l] + p->eye_x * c - state[X0 * lanes + l];
  const double y = in->position[lanes + l] + p->eye_x * s - state[Y0 * lanes + l];
  const double cosine = state[COSINE * lanes + l], sine = state[SINE_ROW * lanes + l];
  return (Driver){.p = p,
                  .layout = layout,
                  .state = state + l,
                  .stride = lanes,
                  .x = cosine * x + sine * y,
                  .y = cosine * y - sine * x,
                  .cosine = cosine * c + sine * s,
                  .sine = cosine * s - sine * c,
                  .velocity = in->vx[l],
                  .wanted = in->command[l],
                  .range = in->reading ? range_ahead(&in->reading[l]) : -1,
                  .dt = in->dt,
                  .random = in->random ? in->random[l] : 0};
}

// Throttle is force over that of full throttle, the brake likewise.
static void push_pedals(const Driver* d, int demands, const rutControlOut* out, int l) {
  static const double LEAST_SPEED = 0.1;  // at which power limits the force [m/s]
  const Param* p = d->p;
  const rutVehicleLayout* layout = d->layout;
  const double weight = layout->mass * layout->gravity, lever = *of(d, LEVER);
  const double most = p->full_force > 0 ? p->full_force : 0.5 * weight;
  const double by_power =
      p->full_power > 0 ? p->full_power / rut_max(lever * d->velocity, LEAST_SPEED) : most;
  const double stop = p->brake_force > 0 ? p->brake_force : weight;
  const double force = layout->mass * p->pedal_acceleration * *of(d, PEDAL_COMMAND);
  const double gain = layout->torque_gain > 0 ? layout->torque_gain : 1;
  // full throttle of a drive that knows none is what makes the full force
  const double full =
      layout->full_demand > 0 ? layout->full_demand : most * layout->radius[0] / gain * demands;
  const double throttle = rut_clamp(force / rut_min(most, by_power), 0, 1);
  for (int i = 0; i < demands; i++)
    out->demand[i * d->stride + l] = lever * throttle * full / demands;
  if (out->brake) out->brake[l] = rut_clamp(-force / stop, 0, 1);
}

static void human_update(const void* param, const rutVehicleLayout* layout, const rutControlIn* in,
                         double* state, const rutControlOut* out) {
  const Param* p = param;
  const int lanes = in->lanes;
  for (int l = 0; l < lanes; l++) {
    begin(p, in, state, l);
    const Driver d = driver_of(p, layout, in, state, l);
    drive(&d);
    push_pedals(&d, in->demands, out, l);
    out->steer[l] = *of(&d, STEER_COMMAND);
  }
}

const rutControllerType rut_controller_human = {
    .base = {.abi = RUT_ABI,
             .struct_size = sizeof(rutControllerType),
             .kind = "controller",
             .name = "human",
             .parents = "vehicle",
             .doc = "A model of a human driver: steers by a near and a far point of the way "
                    "(Salvucci and Gray 2004), follows another vehicle by its time headway "
                    "(Salvucci 2006), with the timing of ACT-R and noise of eyes and hands. For "
                    "vehicles on axles with steered wheels.",
             .field = fields,
             .fields = RUT_COUNT_OF(fields),
             .state = states,
             .states = RUT_COUNT_OF(states),
             .check = human_check},
    .command = commands,
    .commands = RUT_COUNT_OF(commands),
    .input = inputs,
    .inputs = RUT_COUNT_OF(inputs),
    .optional = RUT_COUNT_OF(inputs),
    .uses = RUT_USES_MOTION | RUT_USES_POSE | RUT_USES_RANDOM,
    .suspensions = true,
    .needs_steering = true,
    .update = human_update};
