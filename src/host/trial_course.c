// SPDX-License-Identifier: BSD-3-Clause
//
// Courses of trials.
#include "host/trial_course.h"

#include "math/rut_math.h"

#define DEGREES(x) ((x)*RUT_PI / 180)
#define INCHES(x)  ((x)*0.0254)

static const double CREEP = 0.3;       // speed at which obstacles are crossed [m/s]
static const double EAGER = 100;       // driver's gain there, who uses all force [1/s]
static const double MOST_POWER = 6;    // absorbed by a driver [W]
static const double MOST_SHOCK = 2.5;  // on a driver [g]
static const double SLOWER = 0.9;      // share of a speed that holds it
static const double GRIP = 3;          // friction of a tilt table with edges for the wheels

rutStatus rut_trial_lay(rutTrialCase* on, double friction, rutError* err) {
  const rutTrialDef* def = on->def;
  if (def->soil) return rut_track_soil(&on->track, def->soil, def->settings, def->setting, err);
  return rut_track_road(&on->track, friction, err);
}

// Where an obstacle begins before a vehicle that has `room` to it.
static double ahead(const rutTrack* t, double room) { return t->front + t->radius + room; }

// Numbers of a shape.
#define NUMBERS(...) \
  (const rutTrackNumber[RUT_TRACK_NUMBERS]) { __VA_ARGS__ }

static rutTrialEnd goes_on(rutTrialCase* on, const rutTrialPlan* plan, const rutVehicleState* s) {
  (void)on;
  (void)plan;
  (void)s;
  return RUT_TRIAL_PASSED;
}

// Drive across something from `place` to `end`, slowly.
static void cross(const rutTrack* t, double place, double end, double speed, rutTrialPlan* plan) {
  plan->place = place;
  plan->goal = end + t->radius;
  plan->drive.speed = speed;
  plan->drive.gain = EAGER;
  plan->drive.edges = true;
  plan->duration = 10 + 3 * (plan->goal - t->rear) / speed;
}

static rutTrialEnd touches(rutTrialCase* on, const rutTrialPlan* plan, const rutVehicleState* s) {
  static const double SCRATCH = 0.1;  // work that counts as touching [J]
  (void)plan;
  (void)s;
  rutEnergy energy;
  const bool known = rut_vehicle_energy(on->track.model, on->track.data, 0, &energy);
  return known && rut_abs(energy.hull) > SCRATCH ? RUT_TRIAL_TOUCHED : RUT_TRIAL_PASSED;
}

// ---- obstacles ----

static rutStatus half_round(rutTrialCase* on, double speed, rutTrialPlan* plan, rutError* err) {
  const double radius = on->parameter, place = ahead(&on->track, radius + 4 + 1.5 * speed);
  plan->place = place;
  plan->goal = place + radius + on->track.radius + 1 + speed;
  plan->drive.speed = plan->value = speed;
  plan->duration = 5 + 2 * (plan->goal - on->track.rear) / speed;
  return rut_track_shape(&on->track, "half_round", place, NUMBERS({"radius", radius}), err);
}

static rutTrialEnd feel_shock(rutTrialCase* on, const rutTrialPlan* plan,
                              const rutVehicleState* s) {
  const rutRideMeasures m = rut_ride_measures(on->track.seat.ride);
  // way before the obstacle on which the speed counts [m], and its share that is enough
  static const double LAST = 0.3, ENOUGH = 0.8;
  const double left =
      plan->place - on->parameter - s->position[0] - on->track.front - on->track.radius;
  const bool before = left > 0 && left < LAST;
  on->measure = m.shock;
  if (m.shock > MOST_SHOCK * on->track.seat.gravity) return RUT_TRIAL_JOLTED;
  return before && s->velocity[0] < ENOUGH * plan->value ? RUT_TRIAL_TOO_SLOW : RUT_TRIAL_PASSED;
}

static rutStatus step(rutTrialCase* on, double height, rutTrialPlan* plan, rutError* err) {
  const double place = ahead(&on->track, 0.2);
  cross(&on->track, place, place, on->parameter, plan);
  return rut_track_shape(&on->track, "step", place, NUMBERS({"height", height}), err);
}

// How many axles are over it.
static rutTrialEnd count_axles(rutTrialCase* on, const rutTrialPlan* plan,
                               const rutVehicleState* s) {
  const rutTrack* t = &on->track;
  (void)s;
  double over = 0;
  for (int i = 0; i < t->wheels; i++) {
    over += rut_wheel_pose(t->model, t->data, i).position[0] > plan->place;
  }
  on->measure = over;
  return RUT_TRIAL_PASSED;
}

// How far a wheel has dropped.
static rutTrialEnd measure_drop(rutTrialCase* on, const rutTrialPlan* plan,
                                const rutVehicleState* s) {
  const rutTrack* t = &on->track;
  (void)plan;
  (void)s;
  double least = t->radius;
  for (int i = 0; i < t->wheels; i++) {
    least = rut_min(least, rut_wheel_pose(t->model, t->data, i).position[2]);
  }
  on->measure = isnan(on->measure) ? 0 : on->measure;
  on->measure = rut_max(on->measure, t->radius - least);
  return RUT_TRIAL_PASSED;
}

static rutStatus gap(rutTrialCase* on, double width, rutTrialPlan* plan, rutError* err) {
  static const double DEEP = 3;  // radii
  const double place = ahead(&on->track, 0.2);
  cross(&on->track, place, place + width, on->parameter, plan);
  return rut_track_shape(&on->track, "ditch", place + 0.5 * width,
                         NUMBERS({"depth", DEEP * on->track.radius}, {"width", width}, {"bank", 0}),
                         err);
}

// Walls longer than the vehicle, so that one axle climbs while the other still descends.
static rutStatus v_ditch(rutTrialCase* on, double angle, rutTrialPlan* plan, rutError* err) {
  const double place = ahead(&on->track, 0.2), bank = 1.2 * on->track.length;
  cross(&on->track, place, place + 2 * bank, CREEP, plan);
  return rut_track_shape(&on->track, "ditch", place + bank,
                         NUMBERS({"depth", bank * rut_tan(angle)}, {"width", 0}, {"bank", bank}),
                         err);
}

// Up and down again, each at half of the angle; the ways are longer than the vehicle.
static rutStatus ridge(rutTrialCase* on, double angle, rutTrialPlan* plan, rutError* err) {
  const rutTrack* t = &on->track;
  const double way = 1.5 * t->length, place = ahead(t, 0.2), slope = rut_tan(0.5 * angle);
  static const double bend[3] = {1, -2, 1};
  rutStatus status = RUT_OK;
  for (int i = 0; i < 3 && status == RUT_OK; i++) {
    status = rut_track_shape(&on->track, "plane", place + i * way,
                             NUMBERS({"slope_x", bend[i] * slope}, {"x_min", 0}), err);
  }
  // across as soon as the last axle is over the crest
  cross(t, place, place + way, CREEP, plan);
  return status;
}

// ---- slopes ----

// A side slope that grows from level ground over a way so long that the vehicle follows at rest.
static const double LEVEL = 3, TWIST = 25, BEHIND = 10;  // lengths of the ways [m]
static rutStatus lean(rutTrialCase* on, double angle, double speed, rutTrialPlan* plan,
                      rutError* err) {
  const double place = ahead(&on->track, LEVEL);
  plan->place = place + TWIST;
  plan->drive.speed = speed;
  plan->goal = plan->place + BEHIND;
  plan->duration = 5 + 2 * (plan->goal - on->track.rear) / speed;
  return rut_track_shape(&on->track, "plane", place,
                         NUMBERS({"slope_y", rut_tan(angle)}, {"x_min", 0}, {"edge", TWIST}), err);
}

static rutStatus tilt(rutTrialCase* on, double angle, rutTrialPlan* plan, rutError* err) {
  static const double SLOWLY = 2;  // [m/s]
  const rutStatus status = rut_track_road(&on->track, GRIP, err);
  return status == RUT_OK ? lean(on, angle, SLOWLY, plan, err) : status;
}

static rutTrialEnd tilted(rutTrialCase* on, const rutTrialPlan* plan) {
  (void)plan;
  // the uphill side is the left one
  on->measure = rut_track_load(&on->track, 1) / rut_track_load(&on->track, 0);
  return RUT_TRIAL_PASSED;
}

static rutStatus side_slope(rutTrialCase* on, double angle, rutTrialPlan* plan, rutError* err) {
  return lean(on, angle, on->parameter, plan, err);
}

static rutTrialEnd hold_line(rutTrialCase* on, const rutTrialPlan* plan, const rutVehicleState* s) {
  static const double LANE = 0.5;  // [m]
  (void)plan;
  on->measure = isnan(on->measure) ? 0 : on->measure;
  on->measure = rut_max(on->measure, rut_abs(s->position[1]));
  return on->measure > LANE ? RUT_TRIAL_SLID : RUT_TRIAL_PASSED;
}

static rutStatus grade(rutTrialCase* on, double angle, rutTrialPlan* plan, rutError* err) {
  const rutTrack* t = &on->track;
  plan->drive = (rutTrackDrive){.manoeuvre = "acceleration", .speed = 1};
  plan->goal = t->front + 1;  // the last axle in the track of the first one
  plan->duration = 30;
  return rut_track_shape(&on->track, "plane", 0, NUMBERS({"slope_x", rut_tan(angle)}), err);
}

// ---- speeds ----

static rutStatus lane_change(rutTrialCase* on, double speed, rutTrialPlan* plan, rutError* err) {
  static const double START = 20;
  const double length = rut_node_number(on->track.spec, on->track.driver, "length");
  (void)err;
  plan->drive =
      (rutTrackDrive){.manoeuvre = "double_lane_change_nato", .speed = speed, .start = START};
  plan->value = speed;
  plan->goal = START + 15 + 2 * (length + 24) + 25 + 15;
  plan->duration = 5 + 1.5 * (plan->goal - on->track.rear) / speed;
  return RUT_OK;
}

static rutTrialEnd keep_lane(rutTrialCase* on, const rutTrialPlan* plan, const rutVehicleState* s) {
  enum { EVERY = 20 };
  if (s->velocity[0] < 0.8 * SLOWER * plan->value) return RUT_TRIAL_TOO_SLOW;
  if (rut_steps(on->track.data) % EVERY != 0) return RUT_TRIAL_PASSED;
  const double clearance = rut_track_metric(&on->track, "lane_clearance");
  if (!isnan(clearance)) on->measure = clearance;
  return clearance < 0 ? RUT_TRIAL_LEFT_LANE : RUT_TRIAL_PASSED;
}

static rutStatus circle(rutTrialCase* on, double speed, rutTrialPlan* plan, rutError* err) {
  static const double START = 10, TURNS = 1.5;
  (void)err;
  plan->drive = (rutTrackDrive){
      .manoeuvre = "circle", .speed = speed, .start = START, .radius = on->parameter};
  plan->value = speed;
  plan->duration = (START + TURNS * 2 * RUT_PI * on->parameter) / speed;
  return RUT_OK;
}

static rutTrialEnd keep_circle(rutTrialCase* on, const rutTrialPlan* plan,
                               const rutVehicleState* s) {
  enum { EVERY = 20 };
  if (rut_steps(on->track.data) % EVERY != 0) return RUT_TRIAL_PASSED;
  const double wide = rut_track_metric(&on->track, "radius_error_max");
  if (wide > 0.1 * on->parameter) return RUT_TRIAL_SLID;
  return s->velocity[0] < 0.8 * SLOWER * plan->value ? RUT_TRIAL_TOO_SLOW : RUT_TRIAL_PASSED;
}

static rutTrialEnd end_circle(rutTrialCase* on, const rutTrialPlan* plan) {
  (void)plan;
  on->measure = rut_track_metric(&on->track, "steady_lateral_acceleration");
  return RUT_TRIAL_PASSED;
}

// ---- roughness ----

// Root mean square of the heights along y = 0 over a moving average of 60 ft, of what is compiled.
static double roughness(const rutTrack* t) {
  enum { POINTS = 3600, HALF = 183 };  // of 60 ft
  static const double SPACING = 0.05;
  double z[POINTS], sum = 0, squares = 0;
  for (int i = 0; i < POINTS; i++) {
    z[i] = rut_terrain_height(t->model, t->data, SPACING * i, 0, 1e3);
  }
  for (int i = 0; i < 2 * HALF + 1; i++) sum += z[i];
  for (int i = HALF; i < POINTS - HALF; i++) {
    const double off = z[i] - sum / (2 * HALF + 1);
    squares += off * off / (POINTS - 2 * HALF);
    if (i + HALF + 1 < POINTS) sum += z[i + HALF + 1] - z[i - HALF];
  }
  return rut_sqrt(squares);
}

// Ground whose density falls with the wave number squared, as that of ISO 8608.
static rutStatus rough(rutTrialCase* on, double rms, rutError* err) {
  rut_track_clear(&on->track);
  return rut_track_shape(
      &on->track, "fractal", 0,
      NUMBERS({"hurst", 0.5}, {"rms", rms}, {"form", 0}, {"seed", on->def->seed}), err);
}

static rutStatus ride(rutTrialCase* on, double speed, rutTrialPlan* plan, rutError* err) {
  static const double RUN_UP = 2, LEAST = 10, WAY = 100;  // [s], [s], [m]
  plan->drive.speed = plan->value = speed;
  plan->duration = RUN_UP + rut_max(LEAST, rut_min(WAY / speed, 60));
  plan->place = RUN_UP;
  // heights are proportional to the rms of all waves: what is left of 1 m tells what gives the rms
  rutStatus status = rough(on, 1, err);
  if (status == RUT_OK) status = rut_track_begin(&on->track, &plan->drive, plan->duration, err);
  if (status != RUT_OK) return status;
  const double left = roughness(&on->track);
  rut_track_end(&on->track);
  return rough(on, on->parameter / left, err);
}

static rutTrialEnd feel_power(rutTrialCase* on, const rutTrialPlan* plan,
                              const rutVehicleState* s) {
  const double time = rut_time(on->track.data), dt = rut_model_timestep(on->track.model);
  (void)s;
  if (rut_abs(time - plan->place) <= 0.5 * dt) {
    rut_ride_begin(on->track.seat.ride);
    on->furthest = s->position[0];
  }
  return RUT_TRIAL_PASSED;
}

static rutTrialEnd absorb(rutTrialCase* on, const rutTrialPlan* plan) {
  const rutRideMeasures m = rut_ride_measures(on->track.seat.ride);
  const double way = rut_track_state(&on->track).position[0] - on->furthest;
  on->measure = m.absorbed_power;
  if (m.absorbed_power > MOST_POWER) return RUT_TRIAL_SHAKEN;
  return way < SLOWER * plan->value * m.duration ? RUT_TRIAL_TOO_SLOW : RUT_TRIAL_PASSED;
}

// ---- the table ----

static const double radii[] = {INCHES(4), INCHES(6), INCHES(8), INCHES(10), INCHES(12)};
static const double roughnesses[] = {INCHES(0.3), INCHES(0.6), INCHES(1),
                                     INCHES(1.5), INCHES(2),   INCHES(3)};
static const double creeps[] = {0.3}, side_speeds[] = {3}, circles[] = {30};
#define VALUES(array) .value = (array), .values = (int)(sizeof(array) / sizeof((array)[0]))
#define NO_PARAMETER  .parameter = "", .parameter_unit = ""

static const rutTrialCourse courses[] = {
    {{"tilt", "tilt table: largest side slope on which it stands", "angle", "rad", DEGREES(5),
      DEGREES(80), DEGREES(5), DEGREES(0.05), NO_PARAMETER, .measure = "uphill_load",
      .measure_unit = ""},
     false,
     tilt,
     goes_on,
     tilted},
    {{"side_slope", "largest side slope along which it holds its line within 0.5 m", "angle", "rad",
      DEGREES(2.5), DEGREES(70), DEGREES(2.5), DEGREES(0.1), .parameter = "speed",
      .parameter_unit = "m/s", VALUES(side_speeds), .measure = "offset", .measure_unit = "m"},
     false,
     side_slope,
     hold_line,
     NULL},
    {{"grade", "steepest slope that it climbs, from walking pace", "angle", "rad", DEGREES(2.5),
      DEGREES(70), DEGREES(2.5), DEGREES(0.1), NO_PARAMETER, .measure = "", .measure_unit = ""},
     false,
     grade,
     goes_on,
     NULL},
    {{"step", "highest vertical wall that it climbs", "height", "m", 0.02, 3, 0.04, 1e-3,
      .parameter = "speed", .parameter_unit = "m/s", VALUES(creeps), .measure = "wheels_over",
      .measure_unit = ""},
     false,
     step,
     count_axles,
     NULL},
    {{"gap", "widest gap between upright walls that it crosses", "width", "m", 0.05, 10, 0.1, 0.005,
      .parameter = "speed", .parameter_unit = "m/s", VALUES(creeps), .measure = "drop",
      .measure_unit = "m"},
     false,
     gap,
     measure_drop,
     NULL},
    {{"ditch", "steepest V-ditch that it crosses without touching", "angle", "rad", DEGREES(5),
      DEGREES(60), DEGREES(2.5), DEGREES(0.1), NO_PARAMETER, .measure = "", .measure_unit = ""},
     false,
     v_ditch,
     touches,
     NULL},
    {{"ridge", "sharpest ridge that it crosses without touching: break-over angle", "angle", "rad",
      DEGREES(5), DEGREES(120), DEGREES(2.5), DEGREES(0.1), NO_PARAMETER, .measure = "",
      .measure_unit = ""},
     false,
     ridge,
     touches,
     NULL},
    {{"half_round", "highest speed over a half-round at which the driver feels 2.5 g", "speed",
      "m/s", 2, 40, 1, 0.05, .parameter = "radius", .parameter_unit = "m", VALUES(radii),
      .measure = "shock", .measure_unit = "m/s2"},
     false,
     half_round,
     feel_shock,
     NULL},
    {{"ride", "highest speed over rough ground at which the driver absorbs 6 W", "speed", "m/s", 1,
      40, 2, 0.1, .parameter = "rms", .parameter_unit = "m", VALUES(roughnesses),
      .measure = "absorbed_power", .measure_unit = "W"},
     false,
     ride,
     feel_power,
     absorb},
    {{"lane_change", "highest speed of the NATO double lane change (AVTP 03-160W)", "speed", "m/s",
      3, 60, 3, 0.1, NO_PARAMETER, .measure = "lane_clearance", .measure_unit = "m"},
     true,
     lane_change,
     keep_lane,
     NULL},
    {{"circle", "highest speed on a circle: dynamic stability", "speed", "m/s", 2, 60, 2, 0.05,
      .parameter = "radius", .parameter_unit = "m", VALUES(circles),
      .measure = "lateral_acceleration", .measure_unit = "m/s2"},
     true,
     circle,
     keep_circle,
     end_circle},
};

const rutTrialCourse* rut_trial_courses(int* n) {
  *n = (int)(sizeof courses / sizeof courses[0]);
  return courses;
}
