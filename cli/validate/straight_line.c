// SPDX-License-Identifier: BSD-3-Clause
//
// Motion along a line: rolling resistance, slopes, damping, sliding.
#include <math.h>

#include "lab.h"

static const double GRAVITY = 9.81;

// A cart of 100 kg on four wheels of 2 kg and 0.2 m radius. Discs have I/R^2 = m/2, so that the
// mass that an accelerating force must move is 104 kg.
#define CART_MASS           100.0
#define CART_EFFECTIVE_MASS 104.0
#define CART_RADIUS         0.2
#define CART_BODY                                                                    \
  "<chassis mass='92' outline='-0.5 -0.4 0.5 -0.4 0.5 0.4 -0.5 0.4'/>"               \
  "<wheel name='rl' position='-0.4 0.4' place='rear_left' mass='2' radius='0.2'/>"   \
  "<wheel name='rr' position='-0.4 -0.4' place='rear_right' mass='2' radius='0.2'/>" \
  "<wheel name='fl' position='0.4 0.4' place='front_left' mass='2' radius='0.2'/>"   \
  "<wheel name='fr' position='0.4 -0.4' place='front_right' mass='2' radius='0.2'/>" \
  "<drive type='direct'/>"

// Ward and Iagnemma's drag N (R1 + R2 v), for A v >> 1, gives dv/dt = -g (R1 + R2 v) m/m_eff, hence
// v = (v0 + R1/R2) exp(-g R2 t m/m_eff) - R1/R2. It begins at 0.5 s, when the wheels roll.
void cli_case_coast_ward(cliLab* lab, double* value, double* reference) {
  const double r1 = 0.0075, r2 = 0.02, ratio = r1 / r2;
  cli_lab_build(lab,
                "<world timestep='0.001'><vehicle name='cart' velocity='5 0'>" CART_BODY
                "<tyre type='ward_iagnemma' bearing_damping='0' drag_onset='50' "
                "drag_constant='%.17g' drag_rate='%.17g'/></vehicle></world>",
                r1, r2);
  cli_lab_run_to(lab, 0.5);
  double start = cli_lab_vehicle(lab, 0).velocity[0], from = cli_lab_time(lab);
  cli_lab_run_to(lab, 2.5);
  double t = cli_lab_time(lab) - from;
  *value = cli_lab_vehicle(lab, 0).velocity[0];
  *reference = (start + ratio) * exp(-GRAVITY * r2 * t * CART_MASS / CART_EFFECTIVE_MASS) - ratio;
}

// Hysteresis of the tyres is a torque C N R on each wheel: v = v0 - C g t m/m_eff.
void cli_case_coast_rolling(cliLab* lab, double* value, double* reference) {
  const double rolling = 0.02;
  cli_lab_build(lab,
                "<world timestep='0.001'><vehicle name='cart' velocity='5 0'>" CART_BODY
                "<tyre type='coulomb' bearing_damping='0' rolling_resistance='%.17g'/>"
                "</vehicle></world>",
                rolling);
  cli_lab_run_to(lab, 0.5);
  double start = cli_lab_vehicle(lab, 0).velocity[0], from = cli_lab_time(lab);
  cli_lab_run_to(lab, 4.5);
  double t = cli_lab_time(lab) - from;
  *value = cli_lab_vehicle(lab, 0).velocity[0];
  *reference = start - rolling * GRAVITY * t * CART_MASS / CART_EFFECTIVE_MASS;
}

// Drive torque and bearing damping balance on every wheel: T = c w, v = R T/c.
void cli_case_steady_speed(cliLab* lab, double* value, double* reference) {
  const double torque = 4, damping = 1;
  cli_lab_build(lab,
                "<world timestep='0.005'><vehicle name='cart'>" CART_BODY
                "<tyre type='coulomb' bearing_damping='%.17g'/>"
                "<controller type='raw' torque_left='%.17g' torque_right='%.17g'/>"
                "</vehicle></world>",
                damping, torque, torque);
  // 30 time constants m_eff R^2/(4 c) of 1.04 s
  cli_lab_run_to(lab, 31);
  *value = cli_lab_vehicle(lab, 0).velocity[0];
  *reference = CART_RADIUS * torque / damping;
}

// Motors as they are by default pull with F = m g at rest, g = 9.80665 m/s2, and with
// F (1 - v/v0) at a speed, v0 = 10 m/s.
static const double DIRECT_PULL = CART_MASS * 9.80665, DIRECT_TOP = 10;

// Nothing resists: v = v0 (1 - exp(-t F/(m_eff v0))).
void cli_case_direct_speed(cliLab* lab, double* value, double* reference) {
  cli_lab_build(lab, "<world timestep='0.001'><vehicle name='cart'>" CART_BODY
                     "<tyre type='coulomb' friction='2' bearing_damping='0'/>"
                     "<controller type='raw' torque_left='1000' torque_right='1000'/>"
                     "</vehicle></world>");
  cli_lab_run_to(lab, 1);
  const double rate = DIRECT_PULL / (CART_EFFECTIVE_MASS * DIRECT_TOP);
  *value = cli_lab_vehicle(lab, 0).velocity[0];
  *reference = DIRECT_TOP * (1 - exp(-rate * cli_lab_time(lab)));
}

// Rolling resistance and bearings against the motors: F (1 - v/v0) = C m g + 4 c v/R^2.
void cli_case_direct_top_speed(cliLab* lab, double* value, double* reference) {
  const double rolling = 0.1, damping = 0.5;
  cli_lab_build(lab,
                "<world timestep='0.005'><vehicle name='cart'>" CART_BODY
                "<tyre type='coulomb' friction='2' bearing_damping='%.17g' "
                "rolling_resistance='%.17g'/>"
                "<controller type='raw' torque_left='1000' torque_right='1000'/>"
                "</vehicle></world>",
                damping, rolling);
  cli_lab_run_to(lab, 30);
  const double bearing = 4 * damping / (CART_RADIUS * CART_RADIUS);
  *value = cli_lab_vehicle(lab, 0).velocity[0];
  *reference = (DIRECT_PULL - rolling * CART_MASS * GRAVITY) / (DIRECT_PULL / DIRECT_TOP + bearing);
}

// Drag proportional to speed and mass on a vehicle that slides without friction: v = v0 exp(-c t).
void cli_case_chassis_damping(cliLab* lab, double* value, double* reference) {
  const double damping = 0.5, duration = 2;
  cli_lab_build(lab,
                "<world timestep='0.001'><vehicle name='sled' velocity='2 0'>"
                "<chassis mass='50' outline='-0.5 -0.4 0.5 -0.4 0.5 0.4 -0.5 0.4' "
                "linear_damping='%.17g'/>"
                "<wheel name='l' position='0 0.4' place='left'/>"
                "<wheel name='r' position='0 -0.4' place='right'/>"
                "<tyre type='coulomb' friction='0' bearing_damping='0'/></vehicle></world>",
                damping);
  cli_lab_run_to(lab, duration);
  *value = cli_lab_vehicle(lab, 0).velocity[0];
  *reference = 2 * exp(-damping * cli_lab_time(lab));
}

// A plane that rises by 15 m on 100 m along x.
#define RAMP "<elevation_map matrix='[0 0; 15 15]' resolution='100' corner='-50 -50'/>"
static const double RAMP_TANGENT = 0.15;

static double distance_between(const double a[3], const double b[3]) {
  return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) +
              (a[2] - b[2]) * (a[2] - b[2]));
}

// Free wheels roll down: a = g sin(s) m/m_eff, distance a t^2/2 along the slope.
void cli_case_ramp_roll(cliLab* lab, double* value, double* reference) {
  cli_lab_build(lab,
                "<world timestep='0.001'>" RAMP "<vehicle name='cart' position='20 0'>" CART_BODY
                "<tyre type='coulomb' bearing_damping='0'/></vehicle></world>");
  cli_lab_step(lab);
  rutVehicleState start = cli_lab_vehicle(lab, 0);
  cli_lab_run_to(lab, 3);
  rutVehicleState end = cli_lab_vehicle(lab, 0);
  double t = cli_lab_time(lab);
  *value = distance_between(start.position, end.position);
  double a = GRAVITY * sin(atan(RAMP_TANGENT)) * CART_MASS / CART_EFFECTIVE_MASS;
  *reference = 0.5 * a * t * t;
}

// A climb costs torque: m_eff a = 4 T/R - m g sin(s).
void cli_case_ramp_climb(cliLab* lab, double* value, double* reference) {
  const double torque = 12;
  cli_lab_build(lab,
                "<world timestep='0.001'>" RAMP "<vehicle name='cart' position='-20 0'>" CART_BODY
                "<tyre type='coulomb' bearing_damping='0'/>"
                "<controller type='raw' torque_left='%.17g' torque_right='%.17g'/>"
                "</vehicle></world>",
                torque, torque);
  cli_lab_run_to(lab, 1);
  double start = cli_lab_vehicle(lab, 0).velocity[0], from = cli_lab_time(lab);
  cli_lab_run_to(lab, 4);
  *value = (cli_lab_vehicle(lab, 0).velocity[0] - start) / (cli_lab_time(lab) - from);
  double force = 4 * torque / CART_RADIUS - CART_MASS * GRAVITY * sin(atan(RAMP_TANGENT));
  *reference = force / CART_EFFECTIVE_MASS;
}

// A vehicle that stands along the contour of a slope stays there: tan(s) is less than the friction
// coefficient.
void cli_case_slope_hold(cliLab* lab, double* value, double* reference) {
  cli_lab_build(lab, "<world timestep='0.005'>" RAMP
                     "<vehicle name='cart' position='0 0' yaw='90 deg'>" CART_BODY
                     "<tyre type='coulomb'/></vehicle></world>");
  cli_lab_run_to(lab, 1);
  rutVehicleState start = cli_lab_vehicle(lab, 0);
  cli_lab_run_to(lab, 61);
  rutVehicleState end = cli_lab_vehicle(lab, 0);
  *value = distance_between(start.position, end.position);
  *reference = 0;
}

// The initial velocity is given in the vehicle's own axes: one that heads north goes north.
void cli_case_initial_velocity(cliLab* lab, double* value, double* reference) {
  cli_lab_build(lab,
                "<world timestep='0.005'>"
                "<vehicle name='cart' position='3 4' yaw='90 deg' velocity='1 0'>" CART_BODY
                "<tyre type='coulomb'/></vehicle></world>");
  rutVehicleState start = cli_lab_vehicle(lab, 0);
  cli_lab_run_to(lab, 1);
  rutVehicleState end = cli_lab_vehicle(lab, 0);
  *value = atan2(end.position[1] - start.position[1], end.position[0] - start.position[0]);
  *reference = acos(-1.0) / 2;
}

// All wheels slide sideways until they stop: distance v^2/(2 mu g). Wheels stand symmetrically, so
// that the vehicle does not turn.
void cli_case_wheel_slide(cliLab* lab, double* value, double* reference) {
  const double friction = 0.6, speed = 5;
  cli_lab_build(lab,
                "<world timestep='0.0001'><vehicle name='cart' velocity='0 %.17g'>" CART_BODY
                "<tyre type='coulomb' friction='%.17g'/></vehicle></world>",
                speed, friction);
  cli_lab_run_to(lab, 1.2 * speed / (friction * GRAVITY));
  rutVehicleState end = cli_lab_vehicle(lab, 0);
  *value = hypot(end.position[0], end.position[1]);
  *reference = speed * speed / (2 * friction * GRAVITY);
}
