// SPDX-License-Identifier: BSD-3-Clause
//
// Vehicles with suspensions at rest: loads, slopes, limits of grip and of balance.
#include <math.h>

#include "spatial.h"

// HMMWV (Michigan's three-degree-of-freedom set), springs next to rigid.
#define HMMWV_BODY .mass = 2688.7, .track = 1.82, .inertia = {1080, 4110.1, 4110.1}
#define HMMWV      HMMWV_BODY, .front = 1.5775, .rear = 1.7245

static const double HMMWV_MASS = 2688.7, HMMWV_FRONT = 1.5775, HMMWV_REAR = 1.7245;
static const double HMMWV_LENGTH = 1.5775 + 1.7245, HMMWV_TRACK = 1.82;

// Axle loads m g b/L and m g a/L: 13775.2 and 12601.0 N.
void cli_case_static_loads(cliLab* lab, double* value, double* reference) {
  const cliRig rig = {HMMWV, .height = 0.75, .stiffness = 1e11};
  cli_rig_build(lab, &rig);
  cli_lab_run_to(lab, 1);
  const double weight = HMMWV_MASS * CLI_GRAVITY / HMMWV_LENGTH;
  cli_worst_relative(cli_axle_load(lab, 0), weight * HMMWV_REAR, value, reference);
  cli_worst_relative(cli_axle_load(lab, 1), weight * HMMWV_FRONT, value, reference);
}

// Left side of a vehicle whose centre of mass is y = 0.15 m left of the middle: it leans on its
// springs by phi = m g y/(K - m g h), K = k T^2, and the side carries m g (1/2 + (y + h phi)/T).
void cli_case_static_offset(cliLab* lab, double* value, double* reference) {
  const double left = 0.15, spring = 1e8;
  const cliRig rig = {HMMWV, .left = left, .height = 0.75, .stiffness = spring};
  cli_rig_build(lab, &rig);
  // the contact patches sway for a while
  cli_lab_run_to(lab, 20);
  const double weight = HMMWV_MASS * CLI_GRAVITY;
  const double sum =
      cli_lab_wheel(lab, CLI_FRONT_LEFT).load + cli_lab_wheel(lab, CLI_REAR_LEFT).load;
  *value = sum;
  const double lever = weight * rig.height;
  const double lean = weight * left / (spring * HMMWV_TRACK * HMMWV_TRACK - lever);
  *reference = weight * (0.5 + (left + rig.height * lean) / HMMWV_TRACK);
}

#define BRAKED "<drive type='open'/><controller type='pedals' brake='1'/>"
#define BRAKE  "brake='1e6'"

// Place of a point of the chassis along a slope and above it [m].
typedef struct OnSlope {
  double along, above;
} OnSlope;

static OnSlope on_slope(rutVehicleState state, double slope, double x, double z) {
  const double px = state.position[0] + x * cos(state.pitch) + z * sin(state.pitch);
  const double pz = state.position[2] - x * sin(state.pitch) + z * cos(state.pitch);
  const double c = cos(slope), s = sin(slope);
  return (OnSlope){px * c + pz * s, pz * c - px * s};
}

// Uphill with brakes on: F_f = m g (b cos s - h sin s)/L, with the distances that the springs
// leave.
void cli_case_slope_loads(cliLab* lab, double* value, double* reference) {
  const double s = atan(0.2);
  const cliRig rig = {HMMWV,
                      .height = 0.75,
                      .stiffness = 1e7,
                      .ground = CLI_STEEP_SOIL("1") "<terrain type='plane' slope_x='0.2'/>",
                      .front_axle = BRAKE,
                      .rear_axle = BRAKE,
                      .drive = BRAKED};
  cli_rig_build(lab, &rig);
  cli_lab_run_to(lab, 5);
  const rutVehicleState state = cli_lab_vehicle(lab, 0);
  const double weight = HMMWV_MASS * CLI_GRAVITY;
  const double front_z = CLI_RIG_RADIUS + cli_lab_wheel(lab, CLI_FRONT_LEFT).travel;
  const double rear_z = CLI_RIG_RADIUS + cli_lab_wheel(lab, CLI_REAR_LEFT).travel;
  const OnSlope com = on_slope(state, s, 0, rig.height);
  const double a = on_slope(state, s, HMMWV_FRONT, front_z).along - com.along;
  const double b = com.along - on_slope(state, s, -HMMWV_REAR, rear_z).along;
  cli_worst_relative(cli_axle_load(lab, 0), weight * (b * cos(s) - com.above * sin(s)) / (a + b),
                     value, reference);
  cli_worst_relative(cli_axle_load(lab, 1), weight * (a * cos(s) + com.above * sin(s)) / (a + b),
                     value, reference);
}

// Along the contour of a slope on springs k: phi = m g h sin s/(K - m g h) against the slope, with
// K = k T^2 of four springs. Wheels on slides along the chassis's z axis put the roll centre on the
// ground. Bars add (a_f + a_r) T^2 to K.
static void roll_on_slope(cliLab* lab, const char* front, const char* rear, double bars,
                          double* value, double* reference) {
  const double slope = 0.005, spring = 60e3, s = atan(slope);
  const cliRig rig = {HMMWV_BODY,
                      .front = 1.65,
                      .rear = 1.65,
                      .height = 0.85,
                      .stiffness = spring,
                      .ground =
                          "<soil name='s' type='magic_formula' rolling_resistance='0'/>"
                          "<terrain type='plane' slope_y='0.005'/>",
                      .front_axle = front,
                      .rear_axle = rear,
                      .front_tyre = "<tyre type='linear'/>",
                      .rear_tyre = "<tyre type='linear'/>",
                      .drive = BRAKED};
  cli_rig_build(lab, &rig);
  cli_lab_run_to(lab, 30);
  const rutVehicleState state = cli_lab_vehicle(lab, 0);
  const double height = rig.height + state.position[2] - slope * state.position[1];
  const double lever = HMMWV_MASS * CLI_GRAVITY * height;
  *value = state.roll - s;
  *reference = lever * sin(s) / ((spring + bars) * HMMWV_TRACK * HMMWV_TRACK - lever);
}

void cli_case_roll_slope(cliLab* lab, double* value, double* reference) {
  roll_on_slope(lab, BRAKE, BRAKE, 0, value, reference);
}

void cli_case_roll_bars(cliLab* lab, double* value, double* reference) {
  roll_on_slope(lab, BRAKE " anti_roll='40e3'", BRAKE " anti_roll='15e3'", 55e3, value, reference);
}

// ---- thresholds ----

typedef struct Slope {
  const char *ground, *front, *rear;  // soil and terrain with a format for the slope; axles
  double height;
} Slope;

static void build_on_slope(cliLab* lab, double angle, const Slope* slope, const char* direction) {
  char ground[600];
  snprintf(ground, sizeof ground, "%s<terrain type='plane' %s='%.17g'/>", slope->ground, direction,
           tan(angle));
  const cliRig rig = {HMMWV,
                      .height = slope->height,
                      .stiffness = 1e7,
                      .damping = 2e4,
                      .ground = ground,
                      .front_axle = slope->front,
                      .rear_axle = slope->rear,
                      .drive = BRAKED};
  cli_rig_build(lab, &rig);
}

static bool slides_back(cliLab* lab, double angle, const void* data) {
  build_on_slope(lab, angle, data, "slope_x");
  cli_lab_run_to(lab, 3);
  return fabs(cli_lab_vehicle(lab, 0).velocity[0]) > 0.01;
}

static double largest_grade(cliLab* lab, const char* front, const char* rear, double expected) {
  const Slope slope = {CLI_STEEP_SOIL("0.6"), front, rear, 0.75};
  return cli_bisect_angle(lab, expected - 0.02, expected + 0.02,
                          (cliAngleTest){slides_back, &slope});
}

// What brakes hold is what driven axles climb: all wheels tan s = mu.
void cli_case_grade_all(cliLab* lab, double* value, double* reference) {
  *reference = atan(0.6);
  *value = largest_grade(lab, BRAKE, BRAKE, *reference);
}

// Rear axle only: tan s = mu a/(L - mu h).
void cli_case_grade_rear(cliLab* lab, double* value, double* reference) {
  *reference = atan(0.6 * HMMWV_FRONT / (HMMWV_LENGTH - 0.6 * 0.75));
  *value = largest_grade(lab, "", BRAKE, *reference);
}

// Front axle only: tan s = mu b/(L + mu h).
void cli_case_grade_front(cliLab* lab, double* value, double* reference) {
  *reference = atan(0.6 * HMMWV_REAR / (HMMWV_LENGTH + 0.6 * 0.75));
  *value = largest_grade(lab, BRAKE, "", *reference);
}

// Angle at which the wheels uphill lift off. Their part of the weight's normal component falls with
// the tangent of the slope on a straight line, which two slopes below the limit tell.
static double lift_off(cliLab* lab, const Slope* slope, const char* direction, double limit,
                       int wheel_a, int wheel_b) {
  double part[2], grade[2];
  for (int i = 0; i < 2; i++) {
    grade[i] = tan(limit) * (i ? 0.9 : 0.5);
    build_on_slope(lab, atan(grade[i]), slope, direction);
    cli_lab_run_to(lab, 3);
    part[i] = (cli_lab_wheel(lab, wheel_a).load + cli_lab_wheel(lab, wheel_b).load) *
              sqrt(1 + grade[i] * grade[i]);
  }
  return atan(grade[0] + part[0] * (grade[1] - grade[0]) / (part[0] - part[1]));
}

// Backwards over the rear wheels: tan s = b/h.
void cli_case_tip_over(cliLab* lab, double* value, double* reference) {
  const Slope slope = {CLI_COULOMB_SOIL("100", "2"), BRAKE, BRAKE, 1.8};
  *reference = atan(HMMWV_REAR / slope.height);
  *value = lift_off(lab, &slope, "slope_x", *reference, CLI_FRONT_LEFT, CLI_FRONT_RIGHT);
}

// Tilt table: tan s = T/2h, 50.5 deg.
void cli_case_tilt_table(cliLab* lab, double* value, double* reference) {
  const Slope slope = {CLI_COULOMB_SOIL("100", "2"), BRAKE, BRAKE, 0.75};
  *reference = atan(0.5 * HMMWV_TRACK / slope.height);
  *value = lift_off(lab, &slope, "slope_y", *reference, CLI_FRONT_LEFT, CLI_REAR_LEFT);
}

// ---- hold and slide ----

// A car on springs and tyres with mass.
#define CAR_ON(ground, brake)                                                             \
  "<world timestep='0.001'>" ground                                                       \
  "<vehicle name='car'>"                                                                  \
  "<chassis mass='2000' com='0 0 0.8' outline='-2 -0.9 2 -0.9 2 0.9 -2 0.9' z_min='0.4' " \
  "z_max='1.4'/><suspension type='slider' stiffness='60 kN/m' damping='6 kN s/m'/>"       \
  "<tyre type='linear' stiffness='400 kN/m' damping='2 kN s/m'/>"                         \
  "<axle x='1.6' track='1.8' radius='0.45' width='0.3' wheel_mass='60' brake='3 kN m'/>"  \
  "<axle x='-1.6' track='1.8' radius='0.45' width='0.3' wheel_mass='60' brake='3 kN m'/>" \
  "<drive type='open'/><controller type='pedals' brake='" brake "'/></vehicle></world>"

static double distance(const double a[3], const double b[3]) {
  return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) +
              (a[2] - b[2]) * (a[2] - b[2]));
}

// Brakes on a 20 % slope: after the springs have settled nothing moves for 60 s.
void cli_case_hold_creep(cliLab* lab, double* value, double* reference) {
  cli_lab_build(lab, CAR_ON("<terrain type='plane' slope_x='0.2'/>", "1"));
  cli_lab_run_to(lab, 10);
  const rutVehicleState start = cli_lab_vehicle(lab, 0);
  cli_lab_run_to(lab, 70);
  const rutVehicleState end = cli_lab_vehicle(lab, 0);
  *value = distance(start.position, end.position);
  *reference = 0;
}

void cli_case_hold_speed(cliLab* lab, double* value, double* reference) {
  cli_lab_build(lab, CAR_ON("<terrain type='plane' slope_x='0.2'/>", "1"));
  cli_lab_run_to(lab, 10);
  while (!lab->failed && cli_lab_time(lab) < 70) {
    cli_lab_step(lab);
    const double* v = cli_lab_vehicle(lab, 0).velocity;
    cli_worst_absolute(sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]), 0, value, reference);
  }
}

// Until then the contact patches stretch to the slip s at which they carry the load, mu(s) = tan s:
// the vehicle moves down by s times the relaxation length. Here mu = B s/sqrt(1 + (B s)^2).
void cli_case_hold_shift(cliLab* lab, double* value, double* reference) {
  const double grade = 0.2, relaxation = 0.01, b = 20;
  const cliRig rig = {HMMWV,
                      .height = 0.5,
                      .stiffness = 1e7,
                      .ground =
                          "<soil name='s' type='magic_formula' surface='user' b='20' c='1' "
                          "d='1' e='0' rolling_resistance='0'/>"
                          "<terrain type='plane' slope_x='0.2'/>",
                      .front_axle = BRAKE,
                      .rear_axle = BRAKE,
                      .drive = BRAKED};
  cli_rig_build(lab, &rig);
  const rutVehicleState start = cli_lab_vehicle(lab, 0);
  cli_lab_run_to(lab, 20);
  *value = distance(start.position, cli_lab_vehicle(lab, 0).position);
  *reference = relaxation * grade / (b * sqrt(1 - grade * grade));
}

// Locked wheels on a slope steeper than friction holds: a = g (sin s - mu cos s), mu at full slip.
void cli_case_slide_down(cliLab* lab, double* value, double* reference) {
  const double grade = 0.8, s = atan(grade);
  // 0.7 times what the dry curve has at slip 1: sin(C atan(B - E (B - atan B)))
  const double b = 10, c = 1.9, e = 0.97;
  const double sliding = 0.7 * sin(c * atan(b - e * (b - atan(b))));
  const cliRig rig = {HMMWV,
                      .height = 0.5,
                      .timestep = 0.0005,
                      .ground =
                          "<soil name='s' type='magic_formula' rolling_resistance='0'/>"
                          "<region x_min='-1000' x_max='1000' y_min='-10' y_max='10' "
                          "friction='0.7'/>"
                          "<terrain type='plane' slope_x='0.8'/>",
                      .front_axle = BRAKE,
                      .rear_axle = BRAKE,
                      .front_tyre = "<tyre type='linear'/>",
                      .rear_tyre = "<tyre type='linear'/>",
                      .drive = BRAKED};
  cli_rig_build(lab, &rig);
  cli_lab_run_to(lab, 2.5);
  const double from = cli_lab_time(lab), before = cli_lab_vehicle(lab, 0).velocity[0];
  cli_lab_run_to(lab, 4);
  *value = (before - cli_lab_vehicle(lab, 0).velocity[0]) / (cli_lab_time(lab) - from);
  *reference = CLI_GRAVITY * (sin(s) - sliding * cos(s));
}

// Without any input on level ground nothing moves.
void cli_case_at_rest(cliLab* lab, double* value, double* reference) {
  cli_lab_build(lab, CAR_ON("", "0"));
  const rutVehicleState start = cli_lab_vehicle(lab, 0);
  cli_lab_run_to(lab, 10);
  *value = distance(start.position, cli_lab_vehicle(lab, 0).position);
  *reference = 0;
}
