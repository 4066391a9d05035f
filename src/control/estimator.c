// SPDX-License-Identifier: BSD-3-Clause
//
// Where the vehicle is, as its sensors tell: the filter of rut/estimator.h on samples of an
// inertial unit, fixes of a receiver, and wheel odometry. It stands above the controller that
// drives and gives it nothing; others take its outputs as their inputs.
#include "rut/estimator.h"

#include <string.h>

#include "math/quat.h"
#include "rut/component.h"

#define FIELDS(X)                                                                                  \
  X(yaw, "rad", 0, -10, 10, "Heading at the start, as it is known.")                               \
  X(yaw_deviation, "rad", 0.05, 0, 10, "Standard deviation of that.")                              \
  X(start_acceleration, "m/s2", 0.5, 0, 100,                                                       \
    "Standard deviation of the acceleration of the first sample, which finds roll and pitch.")     \
  X(position_deviation, "m", 10, 0, 1e6,                                                           \
    "Standard deviation of the position before the first fix.")                                    \
  X(force_noise, "m/s2/sqrt(Hz)", 5.9e-4, 0, 10, "Of the accelerometers: velocity random walk.")   \
  X(rate_noise, "rad/s/sqrt(Hz)", 1.2e-4, 0, 10, "Of the gyroscopes: angle random walk.")          \
  X(force_bias, "m/s2", 0.05, 0, 100, "Standard deviation of their biases at the start.")          \
  X(rate_bias, "rad/s", 3.5e-3, 0, 10, "The same of the gyroscopes.")                              \
  X(force_walk, "m/s3/sqrt(s)", 1e-4, 0, 10, "Random walk of the biases of the accelerometers.")   \
  X(rate_walk, "rad/s/sqrt(s)", 1e-5, 0, 10, "The same of the gyroscopes.")                        \
  X(least_deviation, "m", 0.02, 1e-6, 1e3, "Least standard deviation of a fix that it believes.")  \
  X(fix_noise, "m", 0.1, 0, 1e3,                                                                   \
    "White part of the receiver's errors; the rest of the deviation that it tells changes "        \
    "slowly, "                                                                                     \
    "and is added to what the estimator tells. 0: all of it is white.")                            \
  X(velocity_deviation, "m/s", 0.1, 0, 1e3, "Of the receiver's velocity; 0: not used.")            \
  X(wheel_deviation, "m/s", 0.05, 0, 1e3, "Of the speed of wheel odometry; 0: not used.")          \
  X(wheel_time, "s", 2, 0, 1e6, "Correlation time of that: of slip, of uneven ground.")            \
  X(sideways_deviation, "m/s", 0.3, 0, 1e3,                                                        \
    "Of the velocity across and up at the middle of the odometry's wheels (of steered ones where " \
    "the axes of all wheels meet), which is taken for 0; 0: not used.")                            \
  X(sideways_time, "s", 2, 0, 1e6, "Correlation time of that: of sideslip in a bend.")             \
  X(sideways_compliance, "rad s2/m", 0, -1, 1,                                                     \
    "Slip angle of these wheels per lateral acceleration, which is expected: "                     \
    "to the outside of a bend, forward and in reverse.")                                           \
  X(unit_x, "m", 0, -1e3, 1e3, "Place of the inertial unit, forward of the reference point.")      \
  X(unit_y, "m", 0, -1e3, 1e3, "The same to the left.")                                            \
  X(unit_z, "m", 0, -1e3, 1e3, "The same up; its axes are those of the vehicle.")                  \
  X(antenna_x, "m", 0, -1e3, 1e3, "Place of the antenna, likewise, forward.")                      \
  X(antenna_y, "m", 0, -1e3, 1e3, "To the left.")                                                  \
  X(antenna_z, "m", 0, -1e3, 1e3, "Up.")

typedef struct Param {
  rutControllerHead head;
  FIELDS(RUT_PARAM)
  double late_fixes, history, refusals;
} Param;

static const rutField fields[] = {
    RUT_CONTROLLER_ROWS FIELDS(RUT_ROW){
        "late_fixes", "", RUT_BOOLEAN, 1, 0, 0, 1, "", 0,
        "Fixes count at the time at which they were measured, not when they arrive."},
    {"history", "", RUT_INTEGER, 1, 128, 1, 4096, "", 0,
     "Samples of the inertial unit that it keeps for that: fixes that are older are not used."},
    {"refusals", "", RUT_INTEGER, 1, 10, 0, 1e6, "", 0,
     "So many fixes in a row that fit too badly, and it is lost: it begins anew at the last of "
     "them. 0: never."}};

#define NUMBERS(name, unit, shape, doc) \
  { #name, unit, shape, "", doc, RUT_F64, false, RUT_MEANS_NOTHING }
#define NUMBER(name, unit, doc) NUMBERS(name, unit, "", doc)

static const rutVariable inputs[] = {
    NUMBERS(specific_force, "m/s2", "3", "of an inertial unit"),
    NUMBERS(angular_velocity, "rad/s", "3", "of the same"),
    NUMBERS(position, "m", "3", "of a receiver of satellites, in the world"),
    NUMBERS(velocity, "m/s", "3", "of the same"),
    NUMBERS(standard_deviation, "m", "3", "of its position"),
    NUMBER(fix, "", "of the same: 0 is none"),
};
enum { FORCE, RATE, POSITION, VELOCITY, DEVIATION, FIX };

// What the filter keeps, and the times of the last samples.
static const rutVariable states[] = {
    NUMBERS(position, "m", "3", "of the inertial unit"),
    NUMBERS(velocity, "m/s", "3", "of the same"),
    NUMBERS(attitude, "", "4", "quaternion"),
    NUMBERS(force_bias, "m/s2", "3", "of the accelerometers"),
    NUMBERS(rate_bias, "rad/s", "3", "of the gyroscopes"),
    NUMBER(wheel_scale, "", "of the wheels"),
    NUMBERS(covariance, "", "256", "of the errors"),
    NUMBERS(angular_velocity, "rad/s", "3", "of the last sample"),
    NUMBER(begun, "", "1 after the first sample"),
    NUMBER(unit_time, "s", "of the last sample of the unit"),
    NUMBER(fix_time, "s", "of the last fix"),
    NUMBER(fixes, "", "that were used"),
    NUMBER(refused, "", "that did not pass the gate"),
    NUMBER(slow_variance, "m2", "of slow errors of the last fix, east and north together"),
    NUMBER(refused_in_a_row, "", "fixes up to the last one"),
    NUMBERS(
        past, "", "late_fixes 280",
        "the filter at the last fix, as above, its time, place and number of samples, and 1 once "
        "it has begun"),
    NUMBERS(samples, "", "late_fixes history 10",
            "since then: time, what is left of the duration, all of it, specific force, rate, and "
            "speed of the wheels"),
};
enum { FILTER_NUMBERS = 3 + 3 + 4 + 3 + 3 + 1 + RUT_ERRORS * RUT_ERRORS + 3 };
enum { BEGUN = FILTER_NUMBERS, UNIT_TIME, FIX_TIME, FIXES, REFUSED, SLOW, IN_A_ROW, PAST };
// Of what is kept for late fixes.
enum { PAST_TIME = PAST + FILTER_NUMBERS, PAST_FIRST, PAST_COUNT, PAST_BEGUN, SAMPLES };
enum { SAMPLE_NUMBERS = sizeof(rutEstimatorSample) / sizeof(double) };
_Static_assert(SAMPLES - PAST == 280 && SAMPLE_NUMBERS == 10, "the rows of `past` and `samples`");

static const rutVariable outputs[] = {
    NUMBER(estimated_x, "m", "east, of the reference point"),
    NUMBER(estimated_y, "m", "north"),
    NUMBER(estimated_z, "m", "up"),
    NUMBER(estimated_roll, "rad", "positive to the right"),
    NUMBER(estimated_pitch, "rad", "positive nose down"),
    NUMBER(estimated_yaw, "rad", "counter-clockwise from east"),
    NUMBER(estimated_speed, "m/s", "forward"),
    NUMBER(position_deviation, "m", "standard deviation of east and north together"),
    NUMBER(yaw_deviation, "rad", "standard deviation of the heading"),
    NUMBER(fixes_used, "", "so far"),
    NUMBER(fixes_refused, "", "so far, as they fit too badly"),
    NUMBER(lost, "", "1 from the last of `refusals` such fixes in a row until one fits"),
};

// ---- the filter in rows of lanes ----

// The members of the filter's state, one after the other.
static int list_members(rutEstimator* e, double* member[8], int numbers[8]) {
  double* const at[] = {e->position,  e->velocity,     e->attitude,          e->force_bias,
                        e->rate_bias, &e->wheel_scale, &e->covariance[0][0], e->angular_velocity};
  static const int counts[] = {3, 3, 4, 3, 3, 1, RUT_ERRORS * RUT_ERRORS, 3};
  memcpy(member, at, sizeof at);
  memcpy(numbers, counts, sizeof counts);
  return RUT_COUNT_OF(counts);
}

static void load(rutEstimator* e, const double* state, int lanes, int l) {
  double* member[8];
  int numbers[8], row = 0;
  const int n = list_members(e, member, numbers);
  for (int i = 0; i < n; i++) {
    for (int k = 0; k < numbers[i]; k++) member[i][k] = state[row++ * lanes + l];
  }
}

static void store(rutEstimator* e, double* state, int lanes, int l) {
  double* member[8];
  int numbers[8], row = 0;
  const int n = list_members(e, member, numbers);
  for (int i = 0; i < n; i++) {
    for (int k = 0; k < numbers[i]; k++) state[row++ * lanes + l] = member[i][k];
  }
}

// What is kept for late fixes, its samples in memory of the update.
static void load_past(rutEstimatorPast* past, const double* state, int lanes, int l) {
  load(&past->then, state + (ptrdiff_t)PAST * lanes, lanes, l);
  past->time = state[PAST_TIME * lanes + l];
  past->first = (int)state[PAST_FIRST * lanes + l];
  past->count = (int)state[PAST_COUNT * lanes + l];
  double* own = (double*)(void*)past->sample;
  for (int i = 0; i < past->room * SAMPLE_NUMBERS; i++) own[i] = state[(SAMPLES + i) * lanes + l];
}

static void store_past(rutEstimatorPast* past, double* state, int lanes, int l) {
  store(&past->then, state + (ptrdiff_t)PAST * lanes, lanes, l);
  state[PAST_TIME * lanes + l] = past->time;
  state[PAST_FIRST * lanes + l] = past->first;
  state[PAST_COUNT * lanes + l] = past->count;
  const double* own = (const double*)(const void*)past->sample;
  for (int i = 0; i < past->room * SAMPLE_NUMBERS; i++) state[(SAMPLES + i) * lanes + l] = own[i];
}

static rutEstimatorDef def_of(const Param* p, double gravity) {
  rutEstimatorDef def = rut_default_estimator();
  def.gravity = gravity;
  def.force_noise = p->force_noise;
  def.rate_noise = p->rate_noise;
  def.force_walk = p->force_walk;
  def.rate_walk = p->rate_walk;
  def.deviation[0] = p->position_deviation;
  def.deviation[3] = p->force_bias;
  def.deviation[4] = p->rate_bias;
  return def;
}

// ---- an update ----

// Numbers of a reading; false if there is none, or it is the one of `last`.
static bool take(const rutControlReading* reading, double last, int n, double* out) {
  const double* value = reading->value;
  if (reading->stamp < 0 || !(reading->stamp > last) || reading->n < n) return false;
  for (int i = 0; i < n; i++) out[i] = value[(ptrdiff_t)i * reading->stride];
  return true;
}

// An error with a correlation time t that comes every dt counts as white noise of the same spectral
// density at low frequencies, 2 t/dt times the variance.
static double as_white(double deviation, double time, double dt) {
  return deviation * rut_sqrt(rut_max(1, 2 * time / rut_max(dt, RUT_LEAST_DIVISOR)));
}

// What the horizontal acceleration of a unit may be by its specific force f, besides gravity:
// f^2 = g^2 + a^2. What a bias of the accelerometers makes of that does not count.
static double excess_acceleration(const Param* p, double gravity, const double f[3]) {
  const double square = f[0] * f[0] + f[1] * f[1] + f[2] * f[2];
  const double excess = rut_abs(square - gravity * gravity) - 2 * gravity * p->force_bias;
  return rut_sqrt(rut_max(excess, 0));
}

// Speed of the vehicle forward: wheels of the odometry that are steered roll along their planes.
static double forward_speed(const rutVehicleLayout* layout, const rutControlIn* in, int l) {
  const int lanes = in->lanes, left = layout->left, right = layout->right;
  if (left < 0 || right < 0 || !(layout->steered[left] || layout->steered[right])) {
    return in->odo_speed[l];
  }
  return in->odo_speed[l] *
         rut_cos(0.5 * (in->steer[left * lanes + l] + in->steer[right * lanes + l]));
}

// Where a vehicle with wheels of the odometry rolls straight on: in the middle of these. Steered
// ones do not: their axes meet those of the others on a line across the vehicle, which does.
static double straight_x(const rutVehicleLayout* layout) {
  const int left = layout->left, right = layout->right;
  if (left < 0 || right < 0 || layout->steered[left] || layout->steered[right]) {
    return layout->steer_x;
  }
  return 0.5 * (layout->x[left] + layout->x[right]);
}

// A sample of the unit: the first one levels the filter. Returns the time that it covers, 0 for
// none. `speed` is that of the wheels forward.
static double take_sample(const Param* p, const rutControlIn* in, double speed, double* state,
                          int l, rutEstimator* e) {
  const int lanes = in->lanes;
  double *begun = &state[BEGUN * lanes + l], *last = &state[UNIT_TIME * lanes + l];
  const rutControlReading* force = &in->reading[FORCE * lanes + l];
  double f[3], w[3], dt = 0;
  const double before = *begun > 0 ? *last : -1;
  if (!take(force, before, 3, f) || !take(&in->reading[RATE * lanes + l], before, 3, w))
    return false;
  if (*begun > 0) {
    dt = force->stamp - *last;
    rut_estimator_predict(e, f, w, dt);
  } else {
    // it may roll already: its wheels tell how fast, and what the gyroscopes tell may be a turn
    const double none[3] = {0};
    const double a = rut_hypot(p->start_acceleration, excess_acceleration(p, e->def.gravity, f));
    rut_estimator_level(e, f, none, p->yaw, p->yaw_deviation, a);
    const rutQuat q = rut_quat(e->attitude[0], e->attitude[1], e->attitude[2], e->attitude[3]);
    rut_vec3_put(rut_quat_rotate(q, rut_vec3(speed, 0, 0)), e->velocity);
  }
  *begun = 1;
  *last = force->stamp;
  return dt;
}

// A fix as it has arrived.
typedef struct Fix {
  double time;  // at which it was measured [s]
  double position[3], velocity[3], deviation[3];
  bool moves;  // its velocity is known
} Fix;

// A new fix that is one. False if there is none.
static bool read_fix(const Param* p, const rutControlIn* in, double* state, int l, Fix* fix) {
  const int lanes = in->lanes;
  double *last = &state[FIX_TIME * lanes + l], kind;
  const rutControlReading* reading = &in->reading[POSITION * lanes + l];
  const bool there = take(reading, *last, 3, fix->position) &&
                     take(&in->reading[DEVIATION * lanes + l], *last, 3, fix->deviation) &&
                     take(&in->reading[FIX * lanes + l], *last, 1, &kind);
  if (!there) return false;
  fix->moves = take(&in->reading[VELOCITY * lanes + l], *last, 3, fix->velocity);
  fix->time = *last = reading->stamp;
  if (!(kind > 0)) return false;
  const double east = fix->deviation[0], north = fix->deviation[1];
  state[SLOW * lanes + l] = p->fix_noise > 0 ? east * east + north * north : 0;
  for (int i = 0; i < 3; i++) {
    if (p->fix_noise > 0) fix->deviation[i] = p->fix_noise;
    fix->deviation[i] = rut_max(fix->deviation[i], p->least_deviation);
  }
  return true;
}

// What wheels tell with a sample or a fix.
typedef struct Wheels {
  const Param* p;
  const rutVehicleLayout* layout;
  double speed;  // forward [m/s]
} Wheels;

// Lost: begins anew at a fix. The way of the antenna tells the heading, as the line that does not
// slide sideways moves along it; too slow for that, and without that velocity, it stays.
static void start_again(const Wheels* w, const Fix* fix, const double antenna[3], rutEstimator* e) {
  static const double SLOWEST = 3, UNKNOWN = 0.5, TILT = 0.25;  // [m/s], [rad], [rad]
  const Param* p = w->p;
  rutQuat q = rut_quat(e->attitude[0], e->attitude[1], e->attitude[2], e->attitude[3]);
  rutVec3 rpy = rut_quat_rpy(q), velocity = rut_quat_rotate(q, rut_vec3(w->speed, 0, 0));
  double deviation = UNKNOWN;
  const bool moves = fix->moves && p->velocity_deviation > 0;
  if (moves) velocity = rut_vec3_of(fix->velocity);
  const double speed = rut_hypot(velocity.x, velocity.y);
  if (moves && speed >= SLOWEST) {
    const double across = e->angular_velocity[2] * (p->antenna_x - straight_x(w->layout));
    rpy.z = rut_atan2(velocity.y, velocity.x) - rut_atan2(across, w->speed < 0 ? -speed : speed);
    deviation = rut_hypot(p->velocity_deviation, p->sideways_deviation) / speed;
  }
  q = rut_quat_of_rpy(rpy.x, rpy.y, rpy.z);
  double position[3], moved[3];
  rut_vec3_put(rut_vec3_sub(rut_vec3_of(fix->position), rut_quat_rotate(q, rut_vec3_of(antenna))),
               position);
  rut_vec3_put(velocity, moved);
  rut_estimator_restart(e, position, moved, rpy.z, deviation, TILT);
}

// Takes a fix, and what it tells of the velocity. `in_a_row` are the fixes before it that did not
// pass the gate. Returns whether it did.
static bool take_fix(const Wheels* w, const Fix* fix, double* in_a_row, rutEstimator* e) {
  const Param* p = w->p;
  const double antenna[3] = {p->antenna_x - p->unit_x, p->antenna_y - p->unit_y,
                             p->antenna_z - p->unit_z};
  rutEstimatorFit fit;
  rut_estimator_fix(e, antenna, fix->position, fix->deviation, &fit);
  const bool used = fit.used;
  *in_a_row = used ? 0 : *in_a_row + 1;
  if (p->refusals > 0 && *in_a_row >= p->refusals) {
    start_again(w, fix, antenna, e);
    rut_estimator_fix(e, antenna, fix->position, fix->deviation, NULL);
  }
  if (!fix->moves || !(p->velocity_deviation > 0)) return used;
  double deviation[3];
  for (int i = 0; i < 3; i++) deviation[i] = p->velocity_deviation;
  rut_estimator_velocity(e, antenna, fix->velocity, deviation, NULL);
  return used;
}

// `speed` is that of the wheels forward.
static void take_wheels(const Param* p, const rutVehicleLayout* layout, double speed, double dt,
                        rutEstimator* e) {
  if (layout->left < 0 || layout->right < 0) return;
  const double place[3] = {straight_x(layout) - p->unit_x, -p->unit_y, -p->unit_z};
  if (p->wheel_deviation > 0) {
    const double along = as_white(p->wheel_deviation, p->wheel_time, dt);
    rut_estimator_wheels(e, place, speed, along, NULL);
  }
  // slip of wheels that carry the vehicle through a bend: atan(vy/|v|) = -k a_y, either way
  const double across = speed * e->angular_velocity[2];
  const double sideways = -p->sideways_compliance * across * rut_abs(speed);
  const double one = as_white(p->sideways_deviation, p->sideways_time, dt);
  const double deviation[2] = {one, one};
  rut_estimator_rolling(e, place, sideways, deviation, NULL);
}

static void take_end(rutEstimator* e, const rutEstimatorSample* sample, void* user) {
  const Wheels* w = user;
  take_wheels(w->p, w->layout, sample->speed, sample->span, e);
}

// A sample, which the filter has taken, and a fix, which counts where it was measured.
static void take_late(const Wheels* w, const rutControlIn* in, double* state, int l, double dt,
                      rutEstimator* e) {
  const int lanes = in->lanes;
  const bool begins = !(state[PAST_BEGUN * lanes + l] > 0);
  Fix fix;
  const bool arrives = read_fix(w->p, in, state, l, &fix);
  if (!begins && !arrives && !(dt > 0)) return;
  rutEstimatorPast past = {.then = *e,
                           .time = state[UNIT_TIME * lanes + l],
                           .sample = (rutEstimatorSample*)(void*)in->scratch,
                           .room = (int)w->p->history,
                           .measure = take_end,
                           .user = (void*)(uintptr_t)w};
  if (!begins) load_past(&past, state, lanes, l);
  state[PAST_BEGUN * lanes + l] = 1;
  if (dt > 0 && !begins) {
    rutEstimatorSample s = {
        .time = state[UNIT_TIME * lanes + l], .dt = dt, .span = dt, .speed = w->speed};
    take(&in->reading[FORCE * lanes + l], -1, 3, s.specific_force);
    take(&in->reading[RATE * lanes + l], -1, 3, s.angular_velocity);
    rut_estimator_keep(&past, &s);
  }
  if (arrives) {
    const bool old = !rut_estimator_go_back(&past, fix.time);
    const bool used = !old && take_fix(w, &fix, &state[IN_A_ROW * lanes + l], &past.then);
    state[(used ? FIXES : REFUSED) * lanes + l] += 1;
    if (!old) rut_estimator_catch_up(&past, e);
  }
  store_past(&past, state, lanes, l);
}

static void tell(const Param* p, const rutEstimator* e, const rutControlOut* out,
                 const double* state, int lanes, int l) {
  const rutQuat q = rut_quat(e->attitude[0], e->attitude[1], e->attitude[2], e->attitude[3]);
  const rutMat3 turn = rut_quat_matrix(q);
  const rutVec3 unit = rut_vec3(p->unit_x, p->unit_y, p->unit_z);
  const rutVec3 at = rut_vec3_sub(rut_vec3_of(e->position), rut_mat3_apply(turn, unit));
  const rutVec3 rpy = rut_quat_rpy(q);
  const rutVec3 own = rut_mat3_apply_transposed(turn, rut_vec3_of(e->velocity));
  const rutVec3 round = rut_vec3_cross(rut_vec3_of(e->angular_velocity), unit);
  // the vertical axis, about which errors of attitude turn the heading
  double yaw = 0;
  for (int i = 0; i < 3; i++) {
    for (int k = 0; k < 3; k++) {
      yaw += turn.m[6 + i] * turn.m[6 + k] *
             e->covariance[RUT_ERROR_ATTITUDE + i][RUT_ERROR_ATTITUDE + k];
    }
  }
  const double position = e->covariance[0][0] + e->covariance[1][1] + state[SLOW * lanes + l];
  const double told[] = {at.x,
                         at.y,
                         at.z,
                         rpy.x,
                         rpy.y,
                         rpy.z,
                         own.x - round.x,
                         rut_sqrt(rut_max(position, 0)),
                         rut_sqrt(rut_max(yaw, 0)),
                         state[FIXES * lanes + l],
                         state[REFUSED * lanes + l],
                         p->refusals > 0 && state[IN_A_ROW * lanes + l] >= p->refusals};
  for (int i = 0; i < RUT_COUNT_OF(told); i++) out->output[i * lanes + l] = told[i];
}

static int estimator_scratch(const void* param, const rutVehicleLayout* layout) {
  const Param* p = param;
  (void)layout;
  return p->late_fixes != 0 ? (int)p->history * SAMPLE_NUMBERS : 0;
}

static void estimator_update(const void* param, const rutVehicleLayout* layout,
                             const rutControlIn* in, double* state, const rutControlOut* out) {
  const Param* p = param;
  const int lanes = in->lanes;
  const bool late = p->late_fixes != 0;
  for (int l = 0; l < lanes; l++) {
    rutEstimator e;
    const rutEstimatorDef def = def_of(p, layout->gravity);
    if (rut_estimator_begin(&e, &def, NULL) != RUT_OK) continue;
    if (state[BEGUN * lanes + l] > 0) load(&e, state, lanes, l);
    const Wheels wheels = {p, layout, forward_speed(layout, in, l)};
    const double dt = take_sample(p, in, wheels.speed, state, l, &e);
    if (!(state[BEGUN * lanes + l] > 0)) continue;
    Fix fix;
    if (!late && read_fix(p, in, state, l, &fix)) {
      const bool used = take_fix(&wheels, &fix, &state[IN_A_ROW * lanes + l], &e);
      state[(used ? FIXES : REFUSED) * lanes + l] += 1;
    }
    if (dt > 0) take_wheels(p, layout, wheels.speed, dt, &e);
    if (late) take_late(&wheels, in, state, l, dt, &e);
    store(&e, state, lanes, l);
    tell(p, &e, out, state, lanes, l);
  }
}

const rutControllerType rut_controller_estimator = {
    .base = {.abi = RUT_ABI,
             .struct_size = sizeof(rutControllerType),
             .kind = "controller",
             .name = "estimator",
             .parents = "vehicle",
             .doc = "Estimates position, attitude, speed and biases from an inertial unit, a "
                    "receiver of satellites and wheel odometry by an error-state Kalman filter "
                    "(Sola 2017). It commands nothing; its outputs are inputs of others.",
             .field = fields,
             .fields = RUT_COUNT_OF(fields),
             .state = states,
             .states = RUT_COUNT_OF(states)},
    .output = outputs,
    .outputs = RUT_COUNT_OF(outputs),
    .input = inputs,
    .inputs = RUT_COUNT_OF(inputs),
    .observes = true,
    .scratch = estimator_scratch,
    .update = estimator_update};
