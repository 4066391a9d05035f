// SPDX-License-Identifier: BSD-3-Clause
//
// A driver: holds a speed with throttle and brakes, steers along a course, and knows the usual
// manoeuvres of a proving ground.
//
// Steering. The driver looks ahead by what the vehicle's answer takes: the curvature of the course
// there is asked for, and on top of it what brings the vehicle back, so that the offset e obeys
// e'' + 2 e'/d + e/d^2 = 0 along the way, d being the way of `correction_time`. The direction is
// that of travel, not of the nose, and the curvature that was asked for and not driven is summed
// up: neither sideslip nor understeer leaves an offset. Sideslip is seen with a lag: wheels that
// turn push the chassis aside at once, and a rigid linkage would answer that in the next step.
//
// Speed. Throttle is the force that is asked for over that of full throttle, which is constant at
// first and later falls as power over speed.
#include "base/report.h"
#include "control/clock.h"
#include "control/course.h"
#include "control/traction.h"

#define FIELDS(X)                                                                                \
  X(speed, "m/s", 0, 0, 1e3, "Speed to hold before the first command.")                          \
  X(steering, "", 0, -1, 1, "Share of full lock, likewise, left; added to that of the course.")  \
  X(brake, "", 0, 0, 1, "Share of the full brake torque, likewise; added to its own.")           \
  X(start_time, "s", 0, 0, 1e9, "Time at which a step steer, full throttle or braking begins.")  \
  X(start_distance, "m", 20, 0, 1e9, "Distance from the start to the first lane or the circle.") \
  X(steer, "", 0.2, 0, 1, "Amplitude of the step steer, as a share of full lock.")               \
  X(steer_time, "s", 0.2, 0, 1e3, "Duration of the step steer.")                                 \
  X(braking, "", 1, 0, 1, "Share of the full brake torque when braking.")                        \
  X(radius, "m", 30, 0.1, 1e6, "Of the circle.")                                                 \
  X(length, "m", 4.93, 0.1, 100, "Of the vehicle, for the lanes.")                               \
  X(width, "m", 2.16, 0.1, 100, "Of the vehicle, for the lanes.")                                \
  X(preview_time, "s", 0.35, 0, 10, "Preview time: how far ahead it looks.")                     \
  X(correction_time, "s", 0.6, 0.01, 100, "Time in which it corrects a lateral offset.")         \
  X(min_correction, "m", 4, 0.1, 1e3, "Least distance in which it does so.")                     \
  X(sideslip_time, "s", 0.02, 0, 10, "Time constant with which it sees sideslip.")               \
  X(understeer, "rad s2/m", 0, -1, 1,                                                            \
    "Expected understeer gradient: steering angle per lateral acceleration.")                    \
  X(curvature_gain, "1/s", 1.5, 0, 100, "Rate at which it adapts its steering to the vehicle.")  \
  X(speed_gain, "1/s", 1.5, 0, 100, "Demanded acceleration per speed error.")                    \
  X(speed_integral, "1/s2", 0.3, 0, 100, "The same, per speed error and time.")                  \
  X(full_force, "N", 0, 0, 1e9,                                                                  \
    "Sum of the wheel forces at full throttle; 0: half of the weight.")                          \
  X(full_power, "W", 0, 0, 1e9, "Power at full throttle; 0: no limit.")                          \
  X(resistance, "", 0.015, 0, 1, "Expected motion resistance over the weight.")                  \
  X(drag, "N s2/m2", 0, 0, 1e3, "Expected aerodynamic drag over the speed squared.")             \
  X(brake_force, "N", 0, 0, 1e9, "Force of the full brakes; 0: the weight.")

typedef struct Param {
  rutControllerHead head;
  FIELDS(RUT_PARAM)
  double manoeuvre, side, points;
} Param;

#define MANOEUVRES                                                                               \
  "none|straight|step_steer|circle|double_lane_change_nato|double_lane_change_iso|acceleration|" \
  "braking|path|fishhook"
enum { NONE, STRAIGHT, STEP_STEER, CIRCLE, NATO, ISO, ACCELERATION, BRAKING, PATH, FISHHOOK };

static const rutField fields[] = {
    RUT_CONTROLLER_ROWS FIELDS(RUT_ROW){
        "manoeuvre", "", RUT_CHOICE, 1, NONE, 0, FISHHOOK, MANOEUVRES, 0,
        "What it does. none: steers as commanded. All else begins at its place and heading at the "
        "start. straight: holds the line. step_steer, acceleration (full throttle), braking: at "
        "start_time. circle, double_lane_change_nato (AVTP 03-160W), double_lane_change_iso (ISO "
        "3888-1): from start_distance on. path: along points. fishhook (NHTSA): at start_time it "
        "takes "
        "its foot off, steers within steer_time, and to the other side, twice as far, once roll "
        "stops "
        "growing; holds that for 3 s."},
    {"side", "", RUT_CHOICE, 1, 0, 0, 1, "left|right", 0, "Side to which it steers first."},
    {"points", "m", RUT_POINTS, 0, 0, -1e9, 1e9, "", 0,
     "Path through points x y of the world, at least two."}};

static const rutVariable states[] = {
    RUT_VARIABLE(time, "s", "of the world")
        RUT_VARIABLE(begun, "", "1 once place and heading at the start are known")
            RUT_VARIABLE(start_x, "m", "place at the start, world")
                RUT_VARIABLE(start_y, "m", "place at the start, world") RUT_VARIABLE(
                    start_cosine, "", "of the heading at the start")
                    RUT_VARIABLE(start_sine, "", "of the heading at the start") RUT_VARIABLE(
                        along, "", "parameter of the place on the course")
                        RUT_VARIABLE(speed_sum, "m", "integral of the speed error")
                            RUT_VARIABLE(curvature_sum, "1/m", "integral of the curvature error")
                                RUT_VARIABLE(sideslip, "", "tangent of the sideslip that it sees")};
enum { TIME, BEGUN, X0, Y0, COSINE, SINE, ALONG, SPEED_SUM, BEND_SUM, SIDESLIP };
// Of a fishhook, which follows no course: time since it steers back, and the last roll angle.
enum { BACK = ALONG, LAST_ROLL = BEND_SUM };

// Speed errors up to this are summed up [m/s].
static const double SUM_WINDOW = 0.3;

static rutStatus driver_check(const double* param, rutError* err) {
  const Param* p = (const Param*)param;
  int numbers;
  const double* xy = rut_param_list(p, p->points, &numbers);
  return p->manoeuvre == PATH ? rut_course_check_points(xy, numbers, err) : RUT_OK;
}

static const rutVariable commands[] = {
    RUT_SET_POINT(speed, "m/s", SPEED, "forward speed, below 0 in reverse, but in a manoeuvre")
        RUT_VARIABLE(steering, "", "share of full lock, -1 to 1, positive to the left")
            RUT_VARIABLE(brake, "", "share of full brake torque, 0 to 1")};

// ---- course ----

static rutCourseAt course_at(const Param* p, double u) {
  const double side = p->side > 0.0 ? -1.0 : 1.0;
  const int manoeuvre = (int)p->manoeuvre;
  if (manoeuvre == CIRCLE) return rut_course_circle(p->start_distance, p->radius, side, u);
  if (manoeuvre == NATO || manoeuvre == ISO) {
    const rutCourseLanes lanes =
        rut_course_lanes(manoeuvre == ISO, p->start_distance, p->length, p->width);
    return rut_course_change(&lanes, side, u);
  }
  if (manoeuvre == PATH) {
    int numbers;
    const double* xy = rut_param_list(p, p->points, &numbers);
    return rut_course_points(xy, numbers / 2, u);
  }
  return (rutCourseAt){.x = u, .dx = 1.0};
}

// Parameter of the nearest place on the course, from the last one on: Newton's method.
static double nearest(const Param* p, double x, double y, double u) {
  for (int i = 0; i < 4; i++) u += rut_course_toward(course_at(p, u), x, y);
  return u;
}

// One lane: how it moves, in the frame of the course.
typedef struct Motion {
  double x, y, yaw_cosine, yaw_sine;  // direction of travel
  double speed, yaw_rate, dt;
} Motion;

// Curvature that brings the vehicle along the course.
static double curvature_of(const Param* p, const Motion* m, double* along) {
  *along = nearest(p, m->x, m->y, *along);
  const rutCourseAt at = course_at(p, *along);
  const rutCourseBend here = rut_course_bend(at);
  const double ahead = p->preview_time * rut_max(m->speed, 0.0) / here.rate;
  const rutCourseBend there = rut_course_bend(course_at(p, *along + ahead));
  const double offset = (m->y - at.y) * here.cosine - (m->x - at.x) * here.sine;
  const double sine = m->yaw_sine * here.cosine - m->yaw_cosine * here.sine;
  const double cosine = m->yaw_cosine * here.cosine + m->yaw_sine * here.sine;
  const double turned = rut_atan2(sine, cosine);
  const double way = rut_max(p->correction_time * rut_abs(m->speed), p->min_correction);
  const double back = -rut_clamp(offset, -way, way) / (way * way) - 2.0 * turned / way;
  return there.curvature + back;
}

// Steering angle for a curvature, with what it has learnt.
static double angle_for(const Param* p, const rutVehicleLayout* layout, const Motion* m,
                        double wanted, double* sum) {
  const double base = layout->steer_base, v = rut_max(m->speed, 0.0);
  const double expected = p->understeer * v * v * wanted;
  const double angle = rut_atan(base * (wanted + *sum)) + expected;
  const int free = rut_abs(angle) < layout->max_steer && m->speed > 1.0;
  const double driven = m->yaw_rate / rut_max(m->speed, 1.0);
  *sum += free ? m->dt * p->curvature_gain * (wanted - driven) : 0.0;
  return rut_clamp(angle, -layout->max_steer, layout->max_steer);
}

// ---- speed ----

// Part of full throttle, negative in reverse, and of the full brakes.
typedef struct Pedals {
  double throttle, brake;
} Pedals;

static Pedals pedals_for(const Param* p, const rutVehicleLayout* layout, const Motion* m,
                         double speed, double pitch, double* sum) {
  static const double LEAST_SPEED = 0.1;  // at which power limits the force [m/s]
  static const double STANDING = 0.05;    // [m/s]
  const double weight = layout->mass * layout->gravity, v = m->speed;
  const double error = speed - v, most = p->full_force > 0.0 ? p->full_force : 0.5 * weight;
  const double by_power =
      p->full_power > 0.0 ? p->full_power / rut_max(rut_abs(v), LEAST_SPEED) : most;
  const double full = rut_min(most, by_power);
  const double stop = p->brake_force > 0.0 ? p->brake_force : weight;
  const double asked = layout->mass * (p->speed_gain * error + p->speed_integral * *sum);
  // a nose that points up asks for the weight along the slope
  const double known =
      p->resistance * weight * rut_sign(speed) + p->drag * v * rut_abs(v) - weight * rut_sin(pitch);
  const double force = asked + known;
  // what full throttle or brakes cannot reach, or are still far from, must not sum up
  const int free = force < full && force > -stop && rut_abs(error) < SUM_WINDOW;
  *sum += free ? m->dt * error : 0.0;
  const int standing = speed <= 0.0 && rut_abs(v) < STANDING;
  return (Pedals){.throttle = standing ? 0.0 : rut_clamp(force / full, 0.0, 1.0),
                  .brake = standing ? 1.0 : rut_clamp(-force / stop, 0.0, 1.0)};
}

// Reverse is the mirror image of driving forward; a manoeuvre knows none. What still rolls the
// other way brakes first, and who wants to stand brakes, whichever way it rolls.
static Pedals pedals_both_ways(const Param* p, const rutVehicleLayout* layout, const Motion* m,
                               double speed, double pitch, double* sum) {
  static const double ROLLS = 0.2, STANDING = 0.05;  // [m/s]
  const bool reverses = speed < 0.0 && (int)p->manoeuvre == NONE;
  const bool back = reverses || (speed == 0.0 && m->speed < -STANDING);
  if (!back) return pedals_for(p, layout, m, speed, pitch, sum);
  if (m->speed > ROLLS) return pedals_for(p, layout, m, 0.0, pitch, sum);
  Motion mirrored = *m;
  double own = reverses ? -*sum : 0.0;
  mirrored.speed = -m->speed;
  const Pedals pedals = pedals_for(p, layout, &mirrored, -speed, -pitch, &own);
  // neither what has been summed up nor a slope drives one back who wants to stand
  if (!reverses) return (Pedals){.brake = pedals.brake};
  *sum = -own;
  return (Pedals){.throttle = 0.0 - pedals.throttle, .brake = pedals.brake};
}

// ---- all together ----

// Tangent of the sideslip, below walking pace that at walking pace.
static double sideslip_of(const rutControlIn* in, int l) {
  return in->vy[l] / rut_max(in->vx[l], 1.0);
}

static Motion motion_of(const rutControlIn* in, const double* state, int lanes, int l) {
  double s, c;
  rut_sincos(in->yaw[l], &s, &c);
  const double x0 = state[X0 * lanes + l], y0 = state[Y0 * lanes + l];
  const double cosine = state[COSINE * lanes + l], sine = state[SINE * lanes + l];
  const double x = in->position[l] - x0, y = in->position[lanes + l] - y0;
  const double slip = state[SIDESLIP * lanes + l];
  const double size = 1.0 / rut_hypot(1.0, slip);
  const double cx = (c - s * slip) * size, cy = (s + c * slip) * size;
  return (Motion){.x = cosine * x + sine * y,
                  .y = cosine * y - sine * x,
                  .yaw_cosine = cosine * cx + sine * cy,
                  .yaw_sine = cosine * cy - sine * cx,
                  .speed = in->vx[l],
                  .yaw_rate = in->yaw_rate[l],
                  .dt = in->dt};
}

// Frame of the course: the pose at the start, or the world's for a path of points.
static void begin(const Param* p, const rutControlIn* in, double* state, int lanes, int l) {
  if (state[BEGUN * lanes + l] > 0.0) return;
  const int world = (int)p->manoeuvre == PATH;
  double s = 0.0, c = 1.0;
  if (!world) rut_sincos(in->yaw[l], &s, &c);
  state[BEGUN * lanes + l] = 1.0;
  state[X0 * lanes + l] = world ? 0.0 : in->position[l];
  state[Y0 * lanes + l] = world ? 0.0 : in->position[lanes + l];
  state[COSINE * lanes + l] = c;
  state[SINE * lanes + l] = s;
  state[SIDESLIP * lanes + l] = sideslip_of(in, l);
}

// Pedals of the manoeuvres that use them outright.
static Pedals override(const Param* p, double time, Pedals held) {
  static const double SAME_TIME = 1e-9;  // [s]
  const int manoeuvre = (int)p->manoeuvre, on = time >= p->start_time - SAME_TIME;
  if (manoeuvre == ACCELERATION) {
    return on ? (Pedals){.throttle = 1.0} : (Pedals){.brake = 1.0};
  }
  if (manoeuvre == BRAKING && on) return (Pedals){.brake = p->braking};
  if (manoeuvre == FISHHOOK && on) return (Pedals){0};
  return held;
}

// NHTSA's fishhook (49 CFR 575.106): a ramp to the amplitude, which holds while the vehicle rolls
// on, then at the same rate to the opposite one, 3 s there, and back within 2 s.
static double fishhook(const Param* p, double time, double roll, double dt, double* back,
                       double* last) {
  static const double STILL = 1.5 * RUT_PI / 180;  // rate of roll that counts as none [rad/s]
  static const double HOLDS = 3, RETURNS = 2;      // [s]
  static const double LEAST_TIME = 1e-9;           // [s]
  const double first = time - p->start_time, rise = rut_max(p->steer_time, LEAST_TIME);
  const double rate = rut_abs(roll - *last) / dt;
  const int settled = first >= rise && (*back > 0 || rate < STILL);
  *last = roll;
  *back += settled ? dt : 0.0;
  const double turned = rut_clamp(first / rise, 0.0, 1.0) - rut_min(*back / rise, 2.0);
  const double over = (*back - 2.0 * rise - HOLDS) / RETURNS;
  return p->steer * turned * (1.0 - rut_clamp(over, 0.0, 1.0));
}

static double steering_of(const Param* p, const rutVehicleLayout* layout, const Motion* m,
                          double time, double* along, double* sum) {
  static const double LEAST_TIME = 1e-9;  // [s]
  const int manoeuvre = (int)p->manoeuvre;
  if (manoeuvre == NONE) return 0.0;
  if (manoeuvre == STEP_STEER && time >= p->start_time) {
    const double part = rut_min((time - p->start_time) / rut_max(p->steer_time, LEAST_TIME), 1.0);
    return (p->side > 0.0 ? -1.0 : 1.0) * part * p->steer * layout->max_steer;
  }
  return angle_for(p, layout, m, curvature_of(p, m, along), sum);
}

static void driver_update(const void* param, const rutVehicleLayout* layout, const rutControlIn* in,
                          double* state, const rutControlOut* out) {
  const Param* p = param;
  const int lanes = in->lanes;
  const double gain = layout->torque_gain > 0.0 ? layout->torque_gain : 1.0;
  const double force = p->full_force > 0.0 ? p->full_force : 0.5 * layout->mass * layout->gravity;
  // full throttle of a drive that knows none is what makes the full force
  const double full = layout->full_demand > 0.0 ? layout->full_demand
                                                : force * layout->radius[0] / gain * in->demands;
  for (int l = 0; l < lanes; l++) {
    begin(p, in, state, lanes, l);
    const double time = rut_control_clock(in, l, state[TIME * lanes + l]);
    double* sideslip = &state[SIDESLIP * lanes + l];
    *sideslip += (sideslip_of(in, l) - *sideslip) * in->dt / (p->sideslip_time + in->dt);
    const Motion m = motion_of(in, state, lanes, l);
    const Pedals held = pedals_both_ways(p, layout, &m, in->command[l], in->pitch[l],
                                         &state[SPEED_SUM * lanes + l]);
    const Pedals pedals = override(p, time, held);
    double *along = &state[ALONG * lanes + l], *bend = &state[BEND_SUM * lanes + l];
    double steer = in->command[lanes + l] * layout->max_steer;
    if ((int)p->manoeuvre == FISHHOOK) {
      const double part = fishhook(p, time, in->roll[l], in->dt, along, bend);
      steer += (p->side > 0.0 ? -part : part) * layout->max_steer;
    } else {
      steer += steering_of(p, layout, &m, time, along, bend);
    }
    for (int i = 0; i < in->demands; i++)
      out->demand[i * lanes + l] = pedals.throttle * full / in->demands;
    if (out->brake) {
      out->brake[l] = rut_clamp(rut_max(pedals.brake, in->command[2 * lanes + l]), 0.0, 1.0);
    }
    out->steer[l] = rut_clamp(steer, -layout->max_steer, layout->max_steer);
    state[TIME * lanes + l] = time + in->dt;
  }
}

const rutControllerType rut_controller_driver = {
    .base = {.abi = RUT_ABI,
             .struct_size = sizeof(rutControllerType),
             .kind = "controller",
             .name = "driver",
             .parents = "vehicle",
             .doc = "A driver who holds a speed with throttle and brakes and steers along a path "
                    "of points or a standard manoeuvre. For vehicles on "
                    "axles with steered wheels and brakes.",
             .field = fields,
             .fields = RUT_COUNT_OF(fields),
             .state = states,
             .states = RUT_COUNT_OF(states),
             .check = driver_check},
    .command = commands,
    .commands = RUT_COUNT_OF(commands),
    .uses = RUT_USES_MOTION | RUT_USES_POSE | RUT_USES_TIME,
    .suspensions = true,
    .update = driver_update};
