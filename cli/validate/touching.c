// SPDX-License-Identifier: BSD-3-Clause
//
// Blocks that meet: in the plane, on pins with limits, and in space.
#include "touching.h"

#include <math.h>

#include "spatial.h"

typedef struct Planar {
  double at[3], speed[3];  // x, y, yaw [m], [rad] and their rates
} Planar;

static Planar planar(const cliLab* lab, const char* name) {
  Planar p = {{0}, {0}};
  double pose[6] = {0};
  if (lab->failed) return p;
  rut_block_state(lab->world.model, lab->world.data, rut_find(lab->world.model, RUT_BLOCK, name),
                  pose, p.speed);
  p.at[0] = pose[0];
  p.at[1] = pose[1];
  p.at[2] = pose[5];
  return p;
}

static rutBlockMotion spatial(const cliLab* lab, int block) {
  rutBlockMotion m = {0};
  if (!lab->failed) rut_block_motion(lab->world.model, lab->world.data, block, &m);
  return m;
}

// ---- in the plane ----

#define ICE "ground_friction='0' "

// A square of the side s whose corner, in front of its centre of mass, hits a wall while it glides
// along it: J = (1 + e) m v across, mu J along, which also turns it by mu J s/(sqrt(2) I).
void cli_case_planar_oblique(cliLab* lab, double* value, double* reference) {
  const double mass = 4, s = 0.5, mu = 0.1, e = 0.4, v[2] = {2, 1.5};
  cli_lab_build(
      lab,
      "<world timestep='0.0005'><block name='wall' fixed='true' shape='box' "
      "size='1 8 1' position='2 0' friction='0.1' restitution='0.4'/>"
      "<block name='b' shape='box' size='0.5 0.5 0.5' mass='4' position='0 0' "
      "yaw='45 deg' velocity='2.4748737342 -0.3535533906' friction='0.1' restitution='0.4' " ICE
      "/></world>");
  cli_lab_run_to(lab, 0.8);
  const Planar b = planar(lab, "b");
  const double impulse = mu * (1 + e) * mass * v[0], arm = s / sqrt(2), inertia = mass * s * s / 6;
  cli_worst_relative(b.speed[0], -e * v[0], value, reference);
  cli_worst_relative(b.speed[1], v[1] - impulse / mass, value, reference);
  cli_worst_relative(b.speed[2], -impulse * arm / inertia, value, reference);
}

// A box meets a corner beside its middle, without friction: J = (1 + e) v/(1/m1 + 1/m2 + d^2/I).
void cli_case_planar_aside(cliLab* lab, double* value, double* reference) {
  const double m1 = 3, m2 = 1, e = 0.5, v = 2, d = 0.4;
  cli_lab_build(lab,
                "<world timestep='0.0005'><block name='a' shape='box' size='1 1 1' mass='3' "
                "position='-1 0' velocity='2 0' friction='0' restitution='0.5' " ICE
                "/><block name='b' shape='box' size='0.4 0.4 1' mass='1' position='1 0.4' "
                "yaw='45 deg' friction='0' restitution='0.5' " ICE "/></world>");
  cli_lab_run_to(lab, 1);
  const double i1 = m1 / 6;
  const double impulse = (1 + e) * v / (1 / m1 + 1 / m2 + d * d / i1);
  const Planar a = planar(lab, "a"), b = planar(lab, "b");
  cli_worst_relative(a.speed[0], v - impulse / m1, value, reference);
  cli_worst_relative(a.speed[2], d * impulse / i1, value, reference);
  cli_worst_relative(b.speed[0], impulse / m2, value, reference);
}

// Faces that meet d beside the middle of the second box, inelastic: they stay together, so that
// both turn with w and v_a = v_b + d w; m_a v_a + m_b v_b = m_a v and (I_a + I_b) w = d m_b v_b.
void cli_case_planar_flush(cliLab* lab, double* value, double* reference) {
  const double m1 = 3, m2 = 1, v = 2, d = 0.4, both = m1 / 6 + m2 / 6;
  cli_lab_build(lab,
                "<world timestep='0.0005'><block name='a' shape='box' size='1 1 1' mass='3' "
                "position='-1 0' velocity='2 0' friction='0' restitution='0' " ICE
                "/><block name='b' shape='box' size='1 1 1' mass='1' position='0.3 0.4' "
                "friction='0' restitution='0' " ICE "/></world>");
  cli_lab_run_to(lab, 0.151);
  const double vb = m1 * v / (m1 + m2 + m1 * d * d * m2 / both), w = d * m2 * vb / both;
  const Planar a = planar(lab, "a"), b = planar(lab, "b");
  cli_worst_relative(a.speed[0], vb + d * w, value, reference);
  cli_worst_relative(b.speed[0], vb, value, reference);
  cli_worst_relative(a.speed[2], w, value, reference);
  cli_worst_relative(b.speed[2], w, value, reference);
}

// A square that turns on the ground is held by mu m g times the mean distance of its area from its
// middle, (sqrt 2 + ln(1 + sqrt 2))/6 of its side.
void cli_case_planar_spin(cliLab* lab, double* value, double* reference) {
  const double mu = 0.3, s = 0.8, rate = 9, time = 0.4;
  cli_lab_build(lab,
                "<world timestep='0.001'><block name='b' shape='box' size='0.8 0.8 0.5' mass='7' "
                "position='0 0' yaw_rate='9' ground_friction='0.3'/></world>");
  const double before = planar(lab, "b").speed[2];
  cli_lab_run_to(lab, time);
  const double arm = (sqrt(2) + log(1 + sqrt(2))) / 6 * s;
  *value = before > 0 ? planar(lab, "b").speed[2] : 0;
  *reference = rate - mu * CLI_GRAVITY * arm / (s * s / 6) * time;
}

// Where two blocks stand in each other they come apart about their common centre of mass.
void cli_case_planar_overlap(cliLab* lab, double* value, double* reference) {
  cli_lab_build(lab,
                "<world timestep='0.001'><block name='a' shape='box' size='1 1 1' mass='3' "
                "position='0 0' friction='0' " ICE
                "/><block name='b' shape='box' size='1 1 1' mass='1' position='0.9 0' "
                "friction='0' " ICE "/></world>");
  cli_lab_run_to(lab, 2);
  const Planar a = planar(lab, "a"), b = planar(lab, "b");
  cli_worst_relative(b.at[0] - a.at[0], 1, value, reference);
  cli_worst_relative(0.75 * a.at[0] + 0.25 * b.at[0] + 1, 1.225, value, reference);
}

// One block meets two that touch, all elastic: momentum stays, and no energy is gained.
void cli_case_planar_row(cliLab* lab, double* value, double* reference) {
  static const char* const name[] = {"a", "b", "c"};
  cli_lab_build(lab,
                "<world timestep='0.001'><block name='a' shape='box' size='1 1 1' mass='3' "
                "position='-1.5 0' velocity='2 0' friction='0' restitution='1' " ICE
                "/><block name='b' shape='box' size='1 1 1' mass='1' position='0 0' friction='0' "
                "restitution='1' " ICE
                "/><block name='c' shape='box' size='1 1 1' mass='2' position='1 0' friction='0' "
                "restitution='1' " ICE "/></world>");
  const double mass[] = {3, 1, 2};
  double momentum = 0, energy = 0;
  cli_lab_run_to(lab, 1);
  for (int i = 0; i < 3; i++) {
    const double v = planar(lab, name[i]).speed[0];
    momentum += mass[i] * v;
    energy += 0.5 * mass[i] * v * v;
  }
  cli_worst_relative(momentum, 6, value, reference);
  if (!(energy <= 6 * (1 + 1e-9))) *value = energy;
}

// A pin with limits, its anchors in the middle of both: at the limit both go on with the common
// rate I_b w/(I_a + I_b), and stay there.
static void turn_to_limit(cliLab* lab, double rate) {
  cli_lab_build(lab,
                "<world timestep='0.0005'><block name='a' mass='2' position='0 0' " ICE
                "outline='-0.5 -0.5 0.5 -0.5 0.5 0.5 -0.5 0.5' friction='0'/>"
                "<block name='b' mass='3' position='0 0' yaw_rate='%.17g' " ICE
                "outline='-0.2 -0.2 0.2 -0.2 0.2 0.2 -0.2 0.2' friction='0'/>"
                "<joint type='revolute' body_a='a' body_b='b' limited='true' lower='-0.5' "
                "upper='0.7'/></world>",
                rate);
  cli_lab_run_to(lab, 1);
}
void cli_case_pin_limit(cliLab* lab, double* value, double* reference) {
  const double ia = 2.0 / 6, ib = 3 * 0.16 / 6;
  for (int way = -1; way <= 1; way += 2) {
    turn_to_limit(lab, 2.0 * way);
    const Planar a = planar(lab, "a"), b = planar(lab, "b");
    cli_worst_relative(b.at[2] - a.at[2], way > 0 ? 0.7 : -0.5, value, reference);
    cli_worst_relative(a.speed[2], ib * 2.0 * way / (ia + ib), value, reference);
    cli_worst_relative(b.speed[2], ib * 2.0 * way / (ia + ib), value, reference);
  }
}

// Joints that begin beyond their limits are put right at once, each body by its inverse mass or
// inertia: two about their common middle by 0.1 rad, and a rope from 1.5 to 1.4 m.
void cli_case_link_corrects(cliLab* lab, double* value, double* reference) {
  const double ia = 2.0 / 6, ib = 3 * 0.16 / 6;
  cli_lab_build(lab, "<world timestep='0.0005'><block name='a' mass='2' position='0 0' " ICE
                     "outline='-0.5 -0.5 0.5 -0.5 0.5 0.5 -0.5 0.5' friction='0'/>"
                     "<block name='b' mass='3' position='0 0' " ICE
                     "outline='-0.2 -0.2 0.2 -0.2 0.2 0.2 -0.2 0.2' friction='0'/>"
                     "<joint type='revolute' body_a='a' body_b='b' limited='true' lower='0.1' "
                     "upper='0.7'/>"
                     "<block name='c' mass='2' position='0 10' " ICE
                     "outline='-0.1 -0.1 0.1 -0.1 0.1 0.1 -0.1 0.1' friction='0'/>"
                     "<block name='d' mass='3' position='0.9 11.2' " ICE
                     "outline='-0.1 -0.1 0.1 -0.1 0.1 0.1 -0.1 0.1' friction='0'/>"
                     "<joint type='distance' body_a='c' body_b='d' max_length='1.4'/></world>");
  cli_lab_step(lab);
  const Planar a = planar(lab, "a"), b = planar(lab, "b"), c = planar(lab, "c"),
               d = planar(lab, "d");
  cli_worst_absolute(a.at[2], -0.1 * ib / (ia + ib), value, reference);
  cli_worst_absolute(b.at[2], 0.1 * ia / (ia + ib), value, reference);
  cli_worst_absolute(c.at[0], 0.1 * 0.6 * 3 / 5, value, reference);
  cli_worst_absolute(c.at[1], 10 + 0.1 * 0.8 * 3 / 5, value, reference);
  cli_worst_absolute(d.at[0], 0.9 - 0.1 * 0.6 * 2 / 5, value, reference);
  cli_worst_absolute(d.at[1], 11.2 - 0.1 * 0.8 * 2 / 5, value, reference);
}

// Two blocks on a pin beside both middles turn without losing energy.
void cli_case_pin_energy(cliLab* lab, double* value, double* reference) {
  cli_lab_build(lab,
                "<world timestep='0.001'><block name='a' mass='2' position='0 0' "
                "velocity='0 3' yaw_rate='2' " ICE
                "outline='-0.1 -0.1 0.1 -0.1 0.1 0.1 -0.1 0.1' friction='0'/>"
                "<block name='b' mass='3' position='1 0' velocity='0 -1' " ICE
                "outline='-0.2 -0.2 0.2 -0.2 0.2 0.2 -0.2 0.2' friction='0'/>"
                "<joint type='revolute' body_a='a' body_b='b' anchor_a='0.4 0.2' "
                "anchor_b='-0.6 0.2'/></world>");
  double energy[2];
  for (int k = 0; k < 2; k++) {
    cli_lab_run_to(lab, k ? 3 : 0.1);
    const Planar a = planar(lab, "a"), b = planar(lab, "b");
    energy[k] = 0.5 * 2 * (pow(a.speed[0], 2) + pow(a.speed[1], 2)) +
                0.5 * 2 * 0.04 / 6 * pow(a.speed[2], 2) +
                0.5 * 3 * (pow(b.speed[0], 2) + pow(b.speed[1], 2)) +
                0.5 * 3 * 0.16 / 6 * pow(b.speed[2], 2);
  }
  *value = energy[1];
  *reference = energy[0];
}

// ---- in space ----

// Balls of the masses m and 2 m that meet beside their middles: J = (1 + e) v cos a/(1/m1 + 1/m2)
// along the line between them, with sin a the offset over both radii.
void cli_case_space_balls(cliLab* lab, double* value, double* reference) {
  const double offset = 0.15, v = 3, e = 0.5, sine = offset / 0.5, cosine = sqrt(1 - sine * sine);
  cli_lab_build(lab,
                "<world timestep='0.0002' gravity='0'>"
                "<block name='a' motion='space' shape='sphere' radius='0.2' mass='2' friction='0' "
                "restitution='0.5' position='-1 0.15 5' velocity='3 0'/>"
                "<block name='b' motion='space' shape='sphere' radius='0.3' mass='4' friction='0' "
                "restitution='0.5' position='0 0 4.9'/></world>");
  cli_lab_run_to(lab, 0.5);
  const rutBlockMotion a = spatial(lab, 0), b = spatial(lab, 1);
  const double impulse = (1 + e) * v * cosine / (1.0 / 2 + 1.0 / 4);
  cli_worst_relative(b.velocity[0], impulse * cosine / 4, value, reference);
  cli_worst_relative(b.velocity[1], -impulse * sine / 4, value, reference);
  cli_worst_relative(a.velocity[0], v - impulse * cosine / 2, value, reference);
  cli_worst_relative(a.velocity[1], impulse * sine / 2, value, reference);
}

// A ball that comes down aslant and slides on the ground: mu (1 + e) v_z taken from its speed, and
// 5/2 of that over its radius as spin.
void cli_case_space_oblique(cliLab* lab, double* value, double* reference) {
  const double mu = 0.1, e = 0.5, radius = 0.2, drop = 0.5, speed = 3;
  cli_lab_build(lab,
                "<world timestep='0.0002'><block name='b' motion='space' shape='sphere' "
                "radius='0.2' mass='2' ground_friction='0.1' restitution='0.5' "
                "position='0 0 0.5' velocity='3 1'/></world>");
  // just after; its frame stands at its foot, which turns about its middle
  cli_lab_run_to(lab, 0.3205);
  const rutBlockMotion b = spatial(lab, 0);
  const double along = b.velocity[0] + radius * b.angular_velocity[1];
  const double across = b.velocity[1] - radius * b.angular_velocity[0];
  const double taken = mu * (1 + e) * sqrt(2 * CLI_GRAVITY * drop), level = hypot(speed, 1);
  cli_worst_relative(along, speed * (1 - taken / level), value, reference);
  cli_worst_relative(across, 1 - taken / level, value, reference);
  cli_worst_relative(b.angular_velocity[1], 2.5 * taken / radius * speed / level, value, reference);
  cli_worst_relative(b.angular_velocity[0], -2.5 * taken / radius / level, value, reference);
}

// A box that slides on a table is held by mu g; both have the same coefficient.
void cli_case_space_table(cliLab* lab, double* value, double* reference) {
  const double mu = 0.4;
  cli_lab_build(lab,
                "<world timestep='0.001'><block name='b' motion='space' shape='box' "
                "size='0.4 0.3 0.2' mass='5' friction='0.4' restitution='0' position='0 0 1' "
                "velocity='3 1.5'/><block name='table' fixed='true' shape='box' "
                "size='6 6 1' friction='0.4' restitution='0' position='0 0 0'/></world>");
  cli_lab_run_to(lab, 0.2);
  const rutBlockMotion before = spatial(lab, 0);
  cli_lab_run_to(lab, 0.5);
  const rutBlockMotion after = spatial(lab, 0);
  const double loss = mu * CLI_GRAVITY * 0.3, size = hypot(3, 1.5);
  cli_worst_relative(before.velocity[0] - after.velocity[0], loss * 3 / size, value, reference);
  cli_worst_relative(before.velocity[1] - after.velocity[1], loss * 1.5 / size, value, reference);
  cli_worst_relative(after.position[2], 1, value, reference);
}

// A cylinder that stands slides on its end as far as a box, and does not fall over.
void cli_case_space_cylinder(cliLab* lab, double* value, double* reference) {
  const double mu = 0.25, speed = 2;
  cli_lab_build(lab,
                "<world timestep='0.001'><block name='b' motion='space' shape='cylinder' "
                "radius='0.3' length='0.4' ground_friction='0.25' restitution='0' "
                "velocity='2 0'/></world>");
  cli_lab_run_to(lab, 1.5);
  cli_worst_relative(spatial(lab, 0).position[0], speed * speed / (2 * mu * CLI_GRAVITY), value,
                     reference);
}

// A box lies with its face on a block that is narrower than it; its corners are in the air.
void cli_case_space_post(cliLab* lab, double* value, double* reference) {
  cli_lab_build(lab,
                "<world timestep='0.001'><terrain type='step' position='-0.2 0' height='0.3' "
                "x_max='0.4' y_min='-0.2' y_max='0.2'/><block name='b' motion='space' shape='box' "
                "size='1 1 0.2' mass='5' restitution='0' position='0 0 0.35'/></world>");
  cli_lab_run_to(lab, 1);
  const rutBlockMotion b = spatial(lab, 0);
  cli_worst_absolute(b.position[2], 0.3, value, reference);
}

// A box that is sunk into the ground comes out of it, without speed.
void cli_case_space_sunk(cliLab* lab, double* value, double* reference) {
  cli_lab_build(lab,
                "<world timestep='0.001'><block name='b' motion='space' shape='box' "
                "size='1 1 0.4' mass='5' restitution='0' position='0 0 -0.1'/></world>");
  double most = 0;
  while (cli_lab_time(lab) < 1.5 && !lab->failed) {
    cli_lab_step(lab);
    most = fmax(most, spatial(lab, 0).velocity[2]);
  }
  cli_worst_absolute(spatial(lab, 0).position[2], 0, value, reference);
  cli_worst_absolute(0.1 * most, 0, value, reference);
}

// A planar vehicle that nothing holds pushes a block in space along: m1 v/(m1 + m2).
void cli_case_space_planar(cliLab* lab, double* value, double* reference) {
  cli_lab_build(lab,
                "<world timestep='0.0005'><block name='box' motion='space' shape='box' "
                "size='0.5 1 0.5' mass='6' friction='0' ground_friction='0' restitution='0' "
                "position='1.2 0'/><vehicle velocity='2 0'><chassis mass='10' friction='0' "
                "restitution='0' outline='-0.4 -0.3 0.4 -0.3 0.4 0.3 -0.4 0.3' z_max='0.5'/>"
                "<wheel place='left' position='0 0.2' mass='1' inertia='1e-6' radius='0.1'/>"
                "<wheel place='right' position='0 -0.2' mass='1' inertia='1e-6' radius='0.1'/>"
                "<tyre type='coulomb' friction='0' bearing_damping='0'/><drive type='direct'/>"
                "<controller type='raw'/></vehicle></world>");
  cli_lab_run_to(lab, 1);
  cli_worst_relative(spatial(lab, 0).velocity[0], 12.0 * 2 / 18, value, reference);
  cli_worst_relative(cli_lab_vehicle(lab, 0).velocity[0], 12.0 * 2 / 18, value, reference);
}

// A plank tips over a step's edge once its middle is beyond it, and not before.
void cli_case_space_ledge(cliLab* lab, double* value, double* reference) {
  double tilt[2] = {0, 0};
  for (int k = 0; k < 2; k++) {
    cli_lab_build(lab,
                  "<world timestep='0.001'><terrain type='step' position='-3 0' height='1' "
                  "x_max='3'/><block name='b' motion='space' shape='box' size='2 0.4 0.1' "
                  "mass='5' restitution='0' position='%.17g 0 1'/></world>",
                  k ? 0.05 : -0.05);
    cli_lab_run_to(lab, 0.8);
    const rutBlockMotion b = spatial(lab, 0);
    tilt[k] = 2 * asin(fmin(fabs(b.quaternion[2]), 1));
  }
  *value = tilt[0] < 0.02 && tilt[1] > 0.1 ? 1 : 0;
  *reference = 1;
}

// ---- a vehicle on tyres that are let down ----

// The rear axle lets air out, the front one takes more; each has its own rate and set point.
static void change_pressures(cliLab* lab, double time, double pressure[2], double drop[2]) {
  cli_lab_build(
      lab,
      "<world timestep='0.002'><vehicle><chassis mass='1000' com='0 0 0.5' z_min='0.4' z_max='1.4' "
      "inertia='400 900 900' outline='-1.7 -0.6, 1.7 -0.6, 1.7 0.6, -1.7 0.6'/>"
      "<inflation axles='each' inflate_rate='20e3' deflate_rate='50e3' least='80e3'/>"
      "<suspension type='slider' stiffness='5e4' damping='8e3'/>"
      "<tyre type='linear' stiffness='2e5' damping='2e3' nominal_pressure='250e3' "
      "pressure_stiffness='0.6'/>"
      "<axle x='1' track='1.6' radius='0.4' width='0.3' wheel_mass='20'/>"
      "<axle x='-1' track='1.6' radius='0.4' width='0.3' wheel_mass='20'/></vehicle></world>");
  if (lab->failed) return;
  cli_lab_run_to(lab, 1);
  (void)rut_set_tyre_pressure(lab->world.model, lab->world.data, 0, 0, 280e3);
  (void)rut_set_tyre_pressure(lab->world.model, lab->world.data, 0, 1, 60e3);
  cli_lab_run_to(lab, 1 + time);
  for (int a = 0; a < 2; a++) {
    const rutWheelPose p = rut_wheel_pose(lab->world.model, lab->world.data, 2 * a);
    drop[a] = 0.4 - p.position[2];
    pressure[a] = rut_tyre_pressure(lab->world.model, lab->world.data, 2 * a);
  }
}
void cli_case_inflation_height(cliLab* lab, double* value, double* reference) {
  double pressure[2] = {0}, drop[2] = {0};
  change_pressures(lab, 6, pressure, drop);
  const double load = (1000 + 80) * CLI_GRAVITY / 4;
  cli_worst_relative(drop[0], load / (2e5 * (1 + 0.6 * (280.0 / 250 - 1))), value, reference);
  cli_worst_relative(drop[1], load / (2e5 * (1 + 0.6 * (80.0 / 250 - 1))), value, reference);
}

// On the way: 20 and 50 kPa/s from 250 kPa.
void cli_case_inflation_rate(cliLab* lab, double* value, double* reference) {
  double pressure[2] = {0}, drop[2] = {0};
  change_pressures(lab, 1, pressure, drop);
  cli_worst_relative(pressure[0], 270e3, value, reference);
  cli_worst_relative(pressure[1], 200e3, value, reference);
}

// ---- a vehicle in the air ----

// Without weight in still air each speed falls by 1/(1 + rho C A v t/(2 m)).
void cli_case_air_drag(cliLab* lab, double* value, double* reference) {
  const double speed[3] = {20, -12, 9}, area = 3, mass = 80 + 4 * 1e-3, time = 2;
  cli_lab_build(lab,
                "<world timestep='0.001' gravity='0' integrator='rk4'>"
                "<vehicle position='0 0 100' on_ground='false' velocity='20 -12 9'>"
                "<chassis mass='80' com='0 0 0.3' inertia='40 50 60' drag_area='3' "
                "outline='-1 -0.5 1 -0.5 1 0.5 -1 0.5' z_min='0' z_max='1'/>"
                "<axle x='0.5' track='0.4' radius='0.1' width='0.02' wheel_mass='1e-3'/>"
                "<axle x='-0.5' track='0.4' radius='0.1' width='0.02' wheel_mass='1e-3'/>"
                "<suspension type='slider' stiffness='10' damping='0.05'/><tyre type='linear'/>"
                "</vehicle></world>");
  cli_lab_run_to(lab, time);
  const double size = sqrt(20 * 20 + 12 * 12 + 9 * 9);
  const double part = 1 / (1 + 0.5 * 1.225 * area * size * time / mass);
  const rutVehicleState s = cli_lab_vehicle(lab, 0);
  for (int i = 0; i < 3; i++) {
    cli_worst_relative(s.com_velocity[i], part * speed[i], value, reference);
  }
}

// A hitch pulls against the heading, level, at its place: F/m, and F times its arms over the
// inertias of a body that hardly turns.
void cli_case_hitch_pull(cliLab* lab, double* value, double* reference) {
  const double force = 300, yaw = 0.7, mass = 80.004, arm[2] = {0.4, -0.35}, time = 0.01;
  cli_lab_build(lab,
                "<world timestep='0.0005' gravity='0' integrator='rk4'>"
                "<vehicle position='0 0 100' yaw='0.7' on_ground='false' "
                "velocity='9 2 1'><chassis mass='80' com='0 0 0.3' "
                "inertia='40 50 60' drag_area='0' outline='-1 -0.5 1 -0.5 1 0.5 -1 0.5' "
                "z_min='0' z_max='1'/><hitch position='-1 0.4 -0.05' force='300'/>"
                "<axle x='0.5' track='0.4' radius='0.1' width='0.02' wheel_mass='1e-3'/>"
                "<axle x='-0.5' track='0.4' radius='0.1' width='0.02' wheel_mass='1e-3'/>"
                "<suspension type='slider' stiffness='10' damping='0.05'/><tyre type='linear'/>"
                "</vehicle></world>");
  const rutVehicleState before = cli_lab_vehicle(lab, 0);
  cli_lab_run_to(lab, time);
  const rutVehicleState s = cli_lab_vehicle(lab, 0);
  const double lost = force / mass * time;
  cli_worst_relative(before.com_velocity[0] - s.com_velocity[0], lost * cos(yaw), value, reference);
  cli_worst_relative(before.com_velocity[1] - s.com_velocity[1], lost * sin(yaw), value, reference);
  cli_worst_relative(s.rate[2], force * arm[0] * time / 60, value, reference);
  cli_worst_relative(s.rate[1], -force * arm[1] * time / 50, value, reference);
}
