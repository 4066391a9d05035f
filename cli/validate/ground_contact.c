// SPDX-License-Identifier: BSD-3-Clause
//
// Bodies that touch the ground and each other in space: blocks, the chassis, the sides of tyres;
// what water carries; wheels that dig in.
#include <math.h>
#include <stdio.h>

#include "spatial.h"
#include "touching.h"

static const double PI = 3.14159265358979323846;

// ---- blocks ----

static rutBlockMotion block_motion(const cliLab* lab, int block) {
  rutBlockMotion m = {0};
  if (!lab->failed) rut_block_motion(lab->world.model, lab->world.data, block, &m);
  return m;
}

static double length(const double v[3]) { return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]); }

// A block on a plane that rises along x.
static void build_slope(cliLab* lab, double angle, const char* block) {
  cli_lab_build(lab,
                "<world timestep='0.001'><terrain type='plane' slope_x='%.17g'/>"
                "<block name='b' motion='space' %s pitch='%.17g'/></world>",
                tan(angle), block, -angle);
}

// A box slides down with g (sin s - mu cos s).
void cli_case_space_slide(cliLab* lab, double* value, double* reference) {
  const double angle = 0.5, mu = 0.3;
  build_slope(lab, angle, "shape='box' size='0.8 0.6 0.3' ground_friction='0.3'");
  cli_lab_run_to(lab, 0.2);
  const double before = length(block_motion(lab, 0).velocity);
  cli_lab_run_to(lab, 0.7);
  *value = (length(block_motion(lab, 0).velocity) - before) / 0.5;
  *reference = CLI_GRAVITY * (sin(angle) - mu * cos(angle));
}

// A sphere rolls down with 5/7 g sin s; here the change of its spin times the radius.
void cli_case_space_roll(cliLab* lab, double* value, double* reference) {
  const double angle = 0.2, radius = 0.3;
  build_slope(lab, angle, "shape='sphere' radius='0.3' ground_friction='0.8'");
  cli_lab_run_to(lab, 0.3);
  const double before = length(block_motion(lab, 0).angular_velocity);
  cli_lab_run_to(lab, 1.3);
  *value = radius * (length(block_motion(lab, 0).angular_velocity) - before);
  *reference = 5.0 / 7 * CLI_GRAVITY * sin(angle);
}

// A cylinder on its side rolls down with 2/3 g sin s.
void cli_case_space_roll_cylinder(cliLab* lab, double* value, double* reference) {
  const double angle = 0.2, radius = 0.3;
  cli_lab_build(lab,
                "<world timestep='0.001'><terrain type='plane' slope_x='%.17g'/>"
                "<block name='b' motion='space' shape='cylinder' radius='0.3' length='1.2' "
                "ground_friction='0.8' position='0 0.6' roll='90 deg'/></world>",
                tan(angle));
  cli_lab_run_to(lab, 0.3);
  const double before = length(block_motion(lab, 0).angular_velocity);
  cli_lab_run_to(lab, 1.3);
  *value = radius * (length(block_motion(lab, 0).angular_velocity) - before);
  *reference = 2.0 / 3 * CLI_GRAVITY * sin(angle);
}

// A box that falls from h rises to e^2 h.
void cli_case_space_bounce(cliLab* lab, double* value, double* reference) {
  const double height = 1.3, restitution = 0.6;
  cli_lab_build(lab,
                "<world timestep='0.0005'><block name='b' motion='space' shape='box' "
                "size='0.4 0.4 0.4' restitution='%.17g' position='0 0 %.17g'/></world>",
                restitution, height);
  double top = 0;
  bool bounced = false;
  while (cli_lab_time(lab) < 1.2 && !lab->failed) {
    cli_lab_step(lab);
    const rutBlockMotion m = block_motion(lab, 0);
    bounced = bounced || m.velocity[2] > 0;
    top = bounced ? fmax(top, m.position[2]) : 0;
  }
  *value = top;
  *reference = restitution * restitution * height;
}

// A small ball meets a resting box at a distance d from its middle line, at a speed v. Of the
// impulse J = (1 + e) v/(1/m1 + 1/m2 + d^2/I) the box turns with J d/I and moves with J/m2.
static rutBlockMotion hit_aside(cliLab* lab, double d) {
  cli_lab_build(
      lab,
      "<world timestep='0.001' gravity='0'>"
      "<block name='ball' motion='space' shape='sphere' radius='0.1' mass='2' friction='0' "
      "restitution='0.5' position='-1 %.17g 5.3' velocity='4 0'/>"
      "<block name='box' motion='space' shape='box' size='0.4 1.2 0.8' mass='6' friction='0' "
      "restitution='0.5' position='0 0 5'/></world>",
      d);
  cli_lab_run_to(lab, 0.5);
  return block_motion(lab, 1);
}
static double impulse_aside(double d, double inertia) {
  return 1.5 * 4 / (1.0 / 2 + 1.0 / 6 + d * d / inertia);
}

void cli_case_space_impact(cliLab* lab, double* value, double* reference) {
  // the middle of the ball is at the height of that of the box
  const rutBlockMotion m = hit_aside(lab, 0);
  *value = m.velocity[0];
  *reference = impulse_aside(0, 1) / 6;
}

void cli_case_space_impact_spin(cliLab* lab, double* value, double* reference) {
  const double d = 0.35, inertia = 6 * (0.4 * 0.4 + 1.2 * 1.2) / 12;
  *value = hit_aside(lab, d).angular_velocity[2];
  *reference = -impulse_aside(d, inertia) * d / inertia;
}

// Components of a vector of the world along a block's axes.
static void to_block(const double q[4], const double v[3], double out[3]) {
  const double t[3] = {2 * (q[2] * v[2] - q[3] * v[1]), 2 * (q[3] * v[0] - q[1] * v[2]),
                       2 * (q[1] * v[1] - q[2] * v[0])};
  out[0] = v[0] - q[0] * t[0] + q[2] * t[2] - q[3] * t[1];
  out[1] = v[1] - q[0] * t[1] + q[3] * t[0] - q[1] * t[2];
  out[2] = v[2] - q[0] * t[2] + q[1] * t[1] - q[2] * t[0];
}

// A ball hits the upright face of a prism over a right triangle of the sides a and b, at d from its
// centre of mass. With u = d x n and J = (1 + e) v/(1/m1 + 1/m2 + u . I^-1 u) the angular momentum
// is J u. About the middle of a right triangle, per mass: b^2/18, a^2/18 and the product a b/36,
// which turns it about all axes.
void cli_case_space_impact_tilt(cliLab* lab, double* value, double* reference) {
  const double a = 1.2, b = 0.9, h = 0.8, m = 6, ball = 2, d[2] = {0.1, 0.25}, speed = 4;
  cli_lab_build(
      lab,
      "<world timestep='0.001' gravity='0'>"
      "<block name='ball' motion='space' shape='sphere' radius='0.1' mass='2' friction='0' "
      "restitution='0.5' position='-1 0.1 5.55' velocity='4 0'/>"
      "<block name='prism' motion='space' outline='-0.4 -0.3, 0.8 -0.3, -0.4 0.6' z_min='0' "
      "z_max='0.8' mass='6' friction='0' restitution='0.5' position='0 0 5'/></world>");
  cli_lab_run_to(lab, 0.4);
  const double xx = m * (b * b / 18 + h * h / 12), yy = m * (a * a / 18 + h * h / 12),
               xy = m * a * b / 36, zz = m * (a * a + b * b) / 18, det = xx * yy - xy * xy;
  const double yielding = d[1] * d[1] * xx / det + d[0] * d[0] / zz;
  const rutBlockMotion found = block_motion(lab, 1);
  double w[3];
  to_block(found.quaternion, found.angular_velocity, w);
  const double momentum[3] = {xx * w[0] + xy * w[1], xy * w[0] + yy * w[1], zz * w[2]};
  *value = length(momentum);
  *reference = 1.5 * speed / (1 / ball + 1 / m + yielding) * hypot(d[0], d[1]);
}

// A cart without weight and a block in its way stick together: m1 v/(m1 + m2). The places at which
// they meet are at the height of both centres of mass.
void cli_case_space_vehicle(cliLab* lab, double* value, double* reference) {
  cli_lab_build(
      lab,
      "<world timestep='0.001' gravity='0'>"
      "<block name='box' motion='space' shape='box' size='0.6 0.6 0.6' mass='20' friction='0' "
      "restitution='0' position='2 0 1'/>"
      "<vehicle position='0 0 1' on_ground='false' velocity='2 0 0'>"
      "<chassis mass='40' com='0 0 0.3' inertia='2 3 4' restitution='0' friction='0' "
      "outline='-0.5 -0.2 0.5 -0.2 0.5 0.2 -0.5 0.2' z_min='0.1' z_max='0.5'/>"
      "<axle x='0.2' track='0.2' radius='0.1' z='0.3' wheel_mass='0.001' wheel_inertia='1e-5' "
      "transverse_inertia='1e-5'/>"
      "<axle x='-0.2' track='0.2' radius='0.1' z='0.3' wheel_mass='0.001' wheel_inertia='1e-5' "
      "transverse_inertia='1e-5'/>"
      "<suspension type='slider' stiffness='1e3' damping='30'/><tyre type='linear'/>"
      "</vehicle></world>");
  cli_lab_run_to(lab, 1.2);
  *value = block_motion(lab, 0).velocity[0];
  *reference = 40 * 2.0 / (40 + 20);
}

// A HMMWV in the air, its wishbones, arms and wheels with it, hits a box beside its middle; both
// give all back: the energy of both together stays.
static double energy_of_both(const cliLab* lab, double mass, double inertia) {
  const rutEnergy e = cli_lab_energy(lab);
  const rutBlockMotion m = block_motion(lab, 0);
  const double v = length(m.velocity), w = length(m.angular_velocity);
  return e.kinetic + e.damper + e.tyre + e.bearing - e.drive +
         0.5 * (mass * v * v + inertia * w * w);
}
static void hit_wishbones(cliLab* lab, const char* pedals, double time, double* value,
                          double* reference) {
  const double mass = 400;
  char ball[200];
  (void)snprintf(ball, sizeof ball,
                 "<block name='box' motion='space' shape='sphere' radius='0.4' mass='400' "
                 "friction='0' restitution='1' position='%.17g 0.5 2.2'/>",
                 2.95 + 5 * time);
  cli_hmmwv_build(lab, &(cliHmmwv){.world = "timestep='0.0005' gravity='0' integrator='rk4'",
                                   .ground = ball,
                                   .start = "position='0 0 2' on_ground='false' velocity='5 0 0'",
                                   .chassis = "friction='0' restitution='1'",
                                   .pedals = pedals,
                                   .undamped = true});
  cli_lab_run_to(lab, time);
  *reference = energy_of_both(lab, mass, 0);
  cli_lab_run_to(lab, time + 0.25);
  *value = length(block_motion(lab, 0).velocity) > 1 ? energy_of_both(lab, mass, 0) : 0;
}
void cli_case_space_wishbones(cliLab* lab, double* value, double* reference) {
  hit_wishbones(lab, NULL, 0.05, value, reference);
}
// The same with front wheels that are steered.
void cli_case_space_wishbones_steered(cliLab* lab, double* value, double* reference) {
  hit_wishbones(lab, "steering='1'", 1.0, value, reference);
}

// ---- the chassis ----

// A cart on its roof slides and stops after v^2/(2 mu g).
void cli_case_roof_slide(cliLab* lab, double* value, double* reference) {
  const double mu = 0.5, speed = 5;
  cli_lab_build(lab,
                "<world timestep='0.001'>"
                "<vehicle position='0 0 0.6' roll='180 deg' on_ground='false' velocity='5 0 0'>"
                "<chassis mass='50' com='0 0 0.3' inertia='2 3 4' friction='0.5' "
                "outline='-0.5 -0.2 0.5 -0.2 0.5 0.2 -0.5 0.2' z_min='0.2'/>"
                "<axle x='0.4' track='0.6' radius='0.2' wheel_mass='2'/>"
                "<axle x='-0.4' track='0.6' radius='0.2' wheel_mass='2'/>"
                "<suspension type='slider' stiffness='4e4' damping='300'/><tyre type='linear'/>"
                "</vehicle></world>");
  cli_lab_run_to(lab, 3);
  *value = cli_lab_vehicle(lab, 0).position[0];
  *reference = speed * speed / (2 * mu * CLI_GRAVITY);
}

// A cart without weight meets a narrow post beside its middle: the force goes through the post, so
// that the angular momentum about it stays, I w + m ((x - x_p) v_y - (y - y_p) v_x).
void cli_case_post_momentum(cliLab* lab, double* value, double* reference) {
  const double post = 0.15, mass = 58;
  cli_lab_build(
      lab,
      "<world gravity='0' timestep='0.001'>"
      "<terrain type='step' position='2 0' height='3' x_max='0.1' y_min='0.149' y_max='0.151'/>"
      "<vehicle position='0 0 1' on_ground='false' velocity='1 0 0'>"
      "<chassis mass='50' com='0 0 0.3' inertia='2 3 4' friction='0' "
      "outline='-0.5 -0.2 0.5 -0.2 0.5 0.2 -0.5 0.2' z_min='0.05' z_max='0.522'/>"
      "<axle x='0.2' track='0.2' radius='0.1' z='0.2' wheel_mass='2' wheel_inertia='0.05' "
      "transverse_inertia='0.02'/>"
      "<axle x='-0.2' track='0.2' radius='0.1' z='0.2' wheel_mass='2' wheel_inertia='0.05' "
      "transverse_inertia='0.02'/>"
      "<suspension type='slider' stiffness='1e5' damping='3000'/><tyre type='linear'/>"
      "</vehicle></world>");
  cli_lab_run_to(lab, 1.7);
  const rutVehicleState s = cli_lab_vehicle(lab, 0);
  const double inertia = 4 + 4 * (0.02 + 2 * (0.2 * 0.2 + 0.1 * 0.1)), *v = s.com_velocity;
  *value =
      inertia * s.rate[2] + mass * ((s.position[0] - 2) * v[1] - (s.position[1] - post) * v[0]);
  *reference = mass * post;
}

// ---- wheels ----

// A vehicle glides sideways over ice into a kerb. The sides of two tyres of side_stiffness times
// the radial stiffness are a spring, without damping or friction, until it has come back: after
// half of a period, pi sqrt(m/2k).
static void glide_into_kerb(cliLab* lab, double* deepest, double* back) {
  cli_lab_build(
      lab,
      "<world timestep='0.0001'><soil type='magic_formula' surface='user' name='ice' d='0' "
      "rolling_resistance='0'/>"
      "<terrain type='step' position='0 1.1 m' yaw='90 deg' height='0.3 m'/>"
      "<vehicle velocity='0 0.5 0' rolling_start='false' side_stiffness='0.5' "
      "side_damping='0' side_friction='0'>"
      "<chassis mass='960' com='0 0 0.3' inertia='1e6 1e6 1e6' z_min='0.6' z_max='1.5' "
      "outline='-2 -0.6, 2 -0.6, 2 0.6, -2 0.6'/>"
      "<suspension type='slider' stiffness='1e6' damping='1e5'/>"
      "<tyre type='linear' stiffness='2e5' damping='1e4'/>"
      "<axle x='1.5' track='1.8' radius='0.4' width='0.3' section_height='0.2' "
      "wheel_mass='10'/><axle x='-1.5' track='1.8' radius='0.4' width='0.3' "
      "section_height='0.2' wheel_mass='10'/></vehicle></world>");
  *deepest = *back = 0;
  while (cli_lab_time(lab) < 1 && !lab->failed && !(*back > 0)) {
    cli_lab_step(lab);
    const rutVehicleState s = cli_lab_vehicle(lab, 0);
    *deepest = fmax(*deepest, s.position[1]);
    if (s.com_velocity[1] < -0.1 && s.position[1] < 0.05) *back = -s.com_velocity[1];
  }
}

// The outer face of the tyre is 1.05 m beside the middle, the kerb 1.1 m: from there by v
// sqrt(m/2k).
void cli_case_side_depth(cliLab* lab, double* value, double* reference) {
  double deepest, back;
  glide_into_kerb(lab, &deepest, &back);
  *value = deepest - 0.05;
  *reference = 0.5 * sqrt(1000 / (2 * 0.5 * 2e5));
}

// An elastic side gives back the speed.
void cli_case_side_return(cliLab* lab, double* value, double* reference) {
  double deepest, back;
  glide_into_kerb(lab, &deepest, &back);
  *value = back;
  *reference = 0.5;
}

// A vehicle glides over ice into a wall, wheels first: the springs and dampers of two tyres, a
// tenth of the critical damping of each wheel m_w. Of M x'' + 2 c x' + 2 k x = 0 the deepest place
// is v/w exp(-z/s acos(z)), z = c/sqrt(2 k M), s = sqrt(1 - z^2), w = sqrt(2 k/M).
void cli_case_tyre_wall(cliLab* lab, double* value, double* reference) {
  const double speed = 0.5, mass = 1000, stiffness = 2e5, wheel = 10;
  cli_lab_build(
      lab,
      "<world timestep='0.0001'><soil type='magic_formula' surface='user' name='ice' d='0' "
      "rolling_resistance='0'/><block name='wall' fixed='true' shape='box' "
      "size='1 6 2' position='2.5 0' friction='0'/>"
      "<vehicle velocity='0.5 0 0' rolling_start='false'>"
      "<chassis mass='960' com='0 0 0.4' inertia='1e6 1e6 1e6' z_min='0.6' z_max='1.5' "
      "outline='-1.7 -0.6, 1.7 -0.6, 1.7 0.6, -1.7 0.6' drag_area='0'/>"
      "<suspension type='slider' stiffness='1e6' damping='1e5'/>"
      "<tyre type='linear' stiffness='2e5' damping='1e4'/>"
      "<axle x='1.5' track='1.8' radius='0.4' width='0.3' section_height='0.2' "
      "wheel_mass='10'/><axle x='-1.5' track='1.8' radius='0.4' width='0.3' "
      "section_height='0.2' wheel_mass='10'/></vehicle></world>");
  double deepest = 0;
  while (cli_lab_time(lab) < 0.6 && !lab->failed) {
    cli_lab_step(lab);
    deepest = fmax(deepest, cli_lab_vehicle(lab, 0).position[0] - 0.1);
  }
  const double c = 0.2 * sqrt(stiffness * wheel), w = sqrt(2 * stiffness / mass);
  const double z = c / sqrt(2 * stiffness * mass), s = sqrt(1 - z * z);
  *value = deepest;
  *reference = speed / w * exp(-z / s * acos(z));
}

static rutWheelPose centre(const cliLab* lab) {
  if (lab->failed) return (rutWheelPose){0};
  return rut_wheel_pose(lab->world.model, lab->world.data, 0);
}

// A cam of half the length a and the height b, a superellipse of order c, first touches a step of
// height h at a (1 - (1 - h/b)^c)^(1/c) before its middle. Both cams of a row in one place: where
// the hub has risen by a tenth of a millimetre.
void cli_case_cam_onset(cliLab* lab, double* value, double* reference) {
  const double radius = 0.47, height = 0.03, order = 1.8, step = 1;
  cli_lab_build(
      lab,
      "<world timestep='0.0005'><soil type='magic_formula' surface='user' name='road' d='0.8' "
      "rolling_resistance='0'/><terrain type='step' position='1 0' height='0.03'/>"
      "<vehicle position='-1.1 0' velocity='0.2 0 0' contact='cams' cam_distance='0'>"
      "<chassis mass='900' com='0 0 0.6' inertia='300 900 900' z_min='0.5' z_max='1' "
      "outline='-1.8 -0.5, 1.8 -0.5, 1.8 0.5, -1.8 0.5'/>"
      "<suspension type='slider' stiffness='2e4' damping='2e3'/>"
      "<tyre type='linear' stiffness='1e8' damping='1e5' bearing='0'/>"
      "<axle x='1.5' track='1.6' radius='0.47' width='0.3' wheel_mass='10'/>"
      "<axle x='-1.5' track='1.6' radius='0.47' width='0.3' wheel_mass='10'/>"
      "</vehicle></world>");
  cli_lab_run_to(lab, 0.3);
  const double level = centre(lab).position[2];
  while (cli_lab_time(lab) < 3 && !lab->failed && centre(lab).position[2] < level + 1e-4) {
    cli_lab_step(lab);
  }
  *value = step - centre(lab).position[0];
  *reference = 1.0325 * radius * pow(1 - pow(1 - height / radius, order), 1 / order);
}

// Wheels that spin under a vehicle that is held dig in: a layer h slides with v_s under a contact
// of length l, which takes h v_s/l out of the place a second.
static void dig(cliLab* lab, const char* tyre, double* value, double* reference) {
  const double layer = 0.02, radius = 0.47;
  cli_lab_build(lab,
                "<world timestep='0.001'><soil name='s' type='bekker' preset='dry_sand' "
                "slip_sinkage='none' slip_layer='0.02 m'/><vehicle name='truck'>"
                "<chassis mass='2090 kg' com='0.12 0 0.85' z_min='1 m' z_max='1.7 m' "
                "outline='-2.1 -0.9, 2.3 -0.9, 2.3 0.9, -2.1 0.9'/>"
                "<suspension type='slider' stiffness='80 kN/m' damping='8 kN s/m' "
                "rebound_travel='0.15 m'/><tyre type='linear' %s/>"
                "<axle x='1.4' track='1.6' radius='0.47' width='0.3' wheel_mass='62 kg'/>"
                "<axle x='-1.4' track='1.6' radius='0.47' width='0.3' wheel_mass='62 kg'/>"
                "<hitch position='-2.1 0 0' force='60 kN'/>"
                "<drive type='powertrain' centre_differential='locked' "
                "front_differential='locked' rear_differential='locked'/>"
                "<controller type='throttle' throttle='0.6'/></vehicle></world>",
                tyre);
  double dug = 0;
  while (cli_lab_time(lab) < 1.4995 && !lab->failed) {
    const rutSoilContact c = rut_soil_contact(lab->world.model, lab->world.data, 0);
    const rutWheelState s = cli_lab_wheel(lab, 0);
    // a flat tyre has as much contact behind the lowest point as is flat
    const double flat = fmax(s.deflection, 0), z = c.sinkage - c.dug + flat;
    const double l =
        sqrt(fmax(z * (2 * radius - z), 0)) + sqrt(fmax(flat * (2 * radius - flat), 0));
    const double forward = s.hub_velocity[0];
    const double slides = fabs((radius - flat / 3) * s.speed - forward);
    cli_lab_step(lab);
    // what rolls on leaves part of its pit behind
    if (c.soil >= 0 && l > 0.05) {
      dug += 1e-3 * (0.5 * layer * slides - dug * fabs(forward)) / l;
    }
  }
  *value = lab->failed ? 0 : rut_soil_contact(lab->world.model, lab->world.data, 0).dug;
  *reference = dug;
}
void cli_case_dig_rate(cliLab* lab, double* value, double* reference) {
  dig(lab, "stiffness='1e10 N/m' damping='0'", value, reference);
}
void cli_case_dig_rate_soft(cliLab* lab, double* value, double* reference) {
  dig(lab, "stiffness='300 kN/m' damping='500'", value, reference);
}

// ---- water ----

// A closed box of 4.6 m x 2.1 m on four wheels of 0.2 m x 0.2 m in 4 m of water, 2560 kg.
typedef struct Boat {
  double height, speed;
  double aside;  // of the centre of mass [m]
  double drift;  // speed to the left
} Boat;
static void build_boat(cliLab* lab, Boat b) {
  cli_lab_build(
      lab,
      "<world timestep='0.001'><plane x_min='-200' x_max='200' y_min='-200' y_max='200'/>"
      "<soil type='magic_formula' name='road' surface='user' d='0.8'/>"
      "<scenery type='water' length='300' width='300' depth='4'>"
      "<place position='0 0'/></scenery>"
      "<vehicle position='0 0 %.17g' velocity='%.17g %.17g'>"
      "<chassis mass='2400' com='0 %.17g 0.2' inertia='800 2500 3000' flooding='0' "
      "water_drag='1.1' outline='2.3 1.05, 2.3 -1.05, -2.3 -1.05, -2.3 1.05' z_min='0' "
      "z_max='1.2'/>"
      "<axle x='1.5' z='0' track='1.8' radius='0.2' width='0.2' wheel_mass='40' "
      "wheel_inertia='3'/><axle x='-1.5' z='0' track='1.8' radius='0.2' width='0.2' "
      "wheel_mass='40' wheel_inertia='3'/>"
      "<suspension type='slider' stiffness='50000' damping='4000'/>"
      "<tyre type='fiala'/><drive type='direct'/><controller type='raw'/></vehicle></world>",
      b.height, b.speed, b.drift, b.aside);
}

// Depth of the hull below the level: mass over density less the wheels' volume, over the area.
static double draught(void) { return (2560.0 / 1000 - 4 * PI * 0.2 * 0.2 * 0.2) / (4.6 * 2.1); }

void cli_case_wading_draught(cliLab* lab, double* value, double* reference) {
  build_boat(lab, (Boat){4 - draught() + 0.01, 0, 0, 0});
  cli_lab_run_to(lab, 10);
  // it bobs about its draught
  double sum = 0;
  int steps = 0;
  for (; steps < 20000 && !lab->failed; steps++) {
    cli_lab_step(lab);
    sum += 4 - cli_lab_vehicle(lab, 0).position[2];
  }
  *value = steps ? sum / steps : 0;
  *reference = draught();
}

// m v' = -rho C A v^2/2: 1/v = 1/v0 + rho C A t/(2 m), of the hull and of the wheels, whose
// coefficient is 1.
void cli_case_wading_drag(cliLab* lab, double* value, double* reference) {
  build_boat(lab, (Boat){4 - draught(), 0.5, 0, 0});
  cli_lab_run_to(lab, 2);
  const double before = cli_lab_vehicle(lab, 0).velocity[0];
  cli_lab_run_to(lab, 12);
  *value = cli_lab_vehicle(lab, 0).velocity[0];
  const double area = 1.1 * 2.1 * draught() + 4 * 0.2 * 0.4;
  *reference = 1 / (1 / before + 1000 * area * 10 / (2 * 2560));
}

// The same across: the hull's side, and those of the wheels.
void cli_case_wading_drift(cliLab* lab, double* value, double* reference) {
  build_boat(lab, (Boat){4 - draught(), 0, 0, 0.2});
  cli_lab_run_to(lab, 2);
  const double before = cli_lab_vehicle(lab, 0).com_velocity[1];
  cli_lab_run_to(lab, 8);
  *value = cli_lab_vehicle(lab, 0).com_velocity[1];
  const double area = 1.1 * 4.6 * draught() + 4 * 0.4 * 0.4;
  *reference = 1 / (1 / before + 1000 * area * 6 / (2 * 2560));
}

// A boat whose centre of mass is aside by e heels by m e over the moment that rights it, rho V_h
// T/2 + rho L b^3/12 - m z_G from its bottom, where its wheels are; of columns across, n, the
// second term is less by 1/n^2.
void cli_case_wading_heel(cliLab* lab, double* value, double* reference) {
  const double aside = 0.02, mass = 2400, b = 2.1, length = 4.6, depth = draught();
  build_boat(lab, (Boat){4 - draught(), 0, aside, 0});
  cli_lab_run_to(lab, 20);
  double sum = 0;
  int steps = 0;
  for (; steps < 20000 && !lab->failed; steps++) {
    cli_lab_step(lab);
    sum += cli_lab_vehicle(lab, 0).roll;
  }
  const double righting = 1000 * (length * b * depth * depth / 2 + length * b * b * b / 12);
  *value = steps ? -sum / steps : 0;
  *reference = atan(mass * aside / (righting - mass * 0.2));
}

// A boat that falls into the water and bobs: work is gain and losses, over the work of the fall.
// Steps h of the default integrator keep E - m g h v/2, as in the air.
void cli_case_wading_balance(cliLab* lab, double* value, double* reference) {
  const double drop = 0.3;
  build_boat(lab, (Boat){4 - draught() + drop, 0, 0, 0});
  cli_lab_run_to(lab, 1);
  *value = cli_lab_energy(lab).residual / (2560 * CLI_GRAVITY * drop);
  *reference = -0.5 * 0.001 * cli_lab_vehicle(lab, 0).com_velocity[2] / drop;
}
