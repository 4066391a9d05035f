// SPDX-License-Identifier: BSD-3-Clause
//
// A single wheel on a rig (rut/rig.h): where it touches a slope, in which axes it tells forces,
// what turns it, and how a load presses it down.
#include "rut/rig.h"

#include <math.h>

#include "momentum.h"
#include "spatial.h"
#include "touching.h"

static const double NAN_HERE = (double)NAN;

// A rig of a wheel of the radius 0.4 m and the width 0.3 m.
typedef struct Rig {
  const char *tyre, *soil, *ground;  // types, elements of a world
} Rig;

static void open_rig(cliLab* lab, const Rig* rig) {
  cli_lab_build(lab,
                "<world timestep='0.001'>%s%s<vehicle name='one'><chassis mass='400'/>"
                "<suspension type='slider'/>%s"
                "<axle x='0' track='0' radius='0.4' width='0.3' wheel_mass='20' "
                "wheel_inertia='2'/></vehicle></world>",
                rig->soil, rig->ground, rig->tyre);
  if (lab->failed) return;
  rutRigDef def = rut_default_rig();
  rutError err = {0};
  def.world = lab->world.spec;
  rut_data_destroy(lab->world.data);
  rut_model_destroy(lab->world.model);
  lab->world.data = NULL;
  lab->world.model = NULL;
  if (rut_rig_model(lab->world.context, &def, &lab->world.model, &err) == RUT_OK) {
    lab->world.data = rut_data_create(lab->world.model);
  }
  lab->failed = !lab->world.data;
}

static rutRigForces step(cliLab* lab, const rutRigMotion* motion) {
  rutRigForces out = {0};
  rutError err = {0};
  if (!lab->failed &&
      rut_rig_step(lab->world.model, lab->world.data, motion, &out, &err) != RUT_OK) {
    lab->failed = true;
  }
  return out;
}

static rutRigForces steps(cliLab* lab, const rutRigMotion* motion, int n) {
  rutRigForces out = {0};
  for (int i = 0; i < n && !lab->failed; i++) out = step(lab, motion);
  return out;
}

static cliVector unit(cliVector a) { return cli_add((cliVector){{0}}, 1 / sqrt(cli_dot(a, a)), a); }

#define SLOPE "<terrain type='plane' slope_x='0.2' slope_y='-0.1'/>"
#define ROAD  "<soil type='magic_formula' name='road' surface='dry'/>"

// A wheel that leans, steered, under way on a slope.
static rutRigMotion leaning(void) {
  rutRigMotion m = rut_default_rig_motion();
  m.place[0] = 3;
  m.place[1] = 2;
  m.height = 0.2 * 3 - 0.1 * 2 + 0.385;
  m.heading = 0.6;
  m.yaw_rate = 0.3;
  m.steer = 0.2;
  m.inclination = 0.15;
  m.velocity[0] = 5;
  m.velocity[1] = 0.7;
  m.velocity[2] = 0.1;
  m.acceleration[0] = 0.8;
  m.acceleration[1] = -0.5;
  m.acceleration[2] = 0.3;
  m.spin = 14;
  m.spin_rate = 3;
  return m;
}

// The axis of the wheel: to the left of its heading, its left end up where its top leans to the
// right.
static cliVector axis_of(const rutRigMotion* m) {
  const double a = m->heading + m->steer, g = m->inclination;
  return (cliVector){{-sin(a) * cos(g), cos(a) * cos(g), sin(g)}};
}

// Contact: from the hub within the wheel's plane, across its line on the ground, down to it. Forces
// along that line, to the left of it on the ground, and along its normal, are the force.
void cli_case_rig_axes(cliLab* lab, double* value, double* reference) {
  static const char* const tyre[] = {"linear", "fiala", "pac2002"};
  for (int i = 0; i < 3; i++) {
    char text[100];
    snprintf(text, sizeof text, "<tyre type='%s'/>", tyre[i]);
    open_rig(lab, &(Rig){text, ROAD, SLOPE});
    const rutRigMotion m = leaning();
    const rutRigForces out = step(lab, &m);
    const cliVector n = unit((cliVector){{-0.2, 0.1, 1}}), axis = axis_of(&m);
    const cliVector x = unit(cli_cross(axis, n)), y = cli_cross(n, x);
    const cliVector down = unit(cli_cross(x, axis));
    const cliVector hub = {{m.place[0], m.place[1], m.height}};
    const double above = m.height - (0.2 * m.place[0] - 0.1 * m.place[1]);
    const double far = above * n.v[2] / fabs(cli_dot(down, n));
    const cliVector contact = cli_add(hub, cli_dot(down, n) < 0 ? far : -far, down);
    cliVector force = cli_add((cliVector){{0}}, out.fx, x);
    force = cli_add(cli_add(force, out.fy, y), out.fz, n);
    for (int k = 0; k < 3; k++) {
      cli_worst_relative(out.force[k], force.v[k], value, reference);
      cli_worst_relative(out.contact[k], contact.v[k], value, reference);
    }
    cli_worst_relative(out.loaded_radius, far, value, reference);
    // m w' = torque + M_y - r F_x - bearing
    const double turns = out.torque + out.my - out.loaded_radius * out.fx - out.bearing;
    cli_worst_relative(turns, 2 * m.spin_rate, value, reference);
    cli_worst_relative(out.spin, m.spin + 1e-3 * m.spin_rate, value, reference);
  }
}

// Place and velocity at the end of a step, in the world.
void cli_case_rig_moves(cliLab* lab, double* value, double* reference) {
  open_rig(lab, &(Rig){"<tyre type='fiala'/>", ROAD, SLOPE});
  rutRigMotion m = leaning();
  m.dt = 0.002;
  const rutRigForces out = step(lab, &m);
  const double c = cos(m.heading), s = sin(m.heading);
  double v[3];
  for (int k = 0; k < 3; k++) v[k] = m.velocity[k] + m.dt * m.acceleration[k];
  const double end[3] = {c * v[0] - s * v[1], s * v[0] + c * v[1], v[2]};
  const double from[3] = {m.place[0], m.place[1], m.height};
  for (int k = 0; k < 3; k++) {
    cli_worst_relative(out.velocity[k], end[k], value, reference);
    cli_worst_relative(out.position[k], from[k] + m.dt * end[k], value, reference);
  }
}

// A load L on a linear tyre, whose damper and that of the guide both act at the end of the step:
// (L/g) a = k d - c_t v - L - c v, v and d at that end.
void cli_case_rig_load(cliLab* lab, double* value, double* reference) {
  const double load = 5000, mass = load / CLI_GRAVITY, k = 2e5, inner = 900, outer = 700, h = 1e-3;
  open_rig(lab, &(Rig){"<tyre type='linear' stiffness='2e5' damping='900'/>",
                       "<soil type='magic_formula' name='road' surface='user' d='0' "
                       "rolling_resistance='0'/>",
                       ""});
  rutRigMotion m = rut_default_rig_motion();
  m.load = load;
  m.damping = outer;
  rutRigForces out = steps(lab, &m, 20);
  for (int i = 0; i < 60 && !lab->failed; i++) {
    const double depth = 0.4 - out.position[2], up = out.velocity[2];
    out = step(lab, &m);
    // (m + h (c + c_t) + h^2 k) a = k d - L - (c + c_t + h k) v
    const double soft = mass + h * (inner + outer) + h * h * k;
    const double a = (k * depth - load - (inner + outer + h * k) * up) / soft;
    cli_worst_relative(out.fz, mass * a + load + outer * (up + h * a), value, reference);
    cli_worst_relative(1 + out.velocity[2], 1 + up + h * a, value, reference);
  }
}

// A torque turns it: I (w - w0)/h = T + M_y - r F_x - bearing; a brake takes as much.
void cli_case_rig_spin(cliLab* lab, double* value, double* reference) {
  open_rig(lab, &(Rig){"<tyre type='fiala'/>", ROAD, SLOPE});
  rutRigMotion m = leaning();
  const rutRigForces first = steps(lab, &m, 50);
  m.spin = NAN_HERE;
  m.spin_rate = 0;
  double before = first.spin;
  for (int i = 0; i < 4; i++) {
    m.torque = i < 2 ? 600 : 0;
    m.brake = i < 2 ? 0 : 300;
    const rutRigForces out = step(lab, &m);
    const double turns = out.torque + out.my - out.loaded_radius * out.fx - out.bearing;
    cli_worst_relative(out.torque, i < 2 ? 600 : -300, value, reference);
    cli_worst_relative(turns, 2 * (out.spin - before) / 1e-3, value, reference);
    before = out.spin;
  }
}

// Its slip, and the direction of the contact's velocity.
void cli_case_rig_slip(cliLab* lab, double* value, double* reference) {
  open_rig(lab, &(Rig){"<tyre type='linear' stiffness='2e5'/>", ROAD, ""});
  rutRigMotion m = rut_default_rig_motion();
  m.height = 0.385;
  m.heading = 0.5;
  m.steer = 0.1;
  m.velocity[0] = 6;
  m.velocity[1] = -0.4;
  m.spin = 14;
  const rutRigForces out = steps(lab, &m, 10);
  const double c = cos(m.steer), s = sin(m.steer);
  const double ahead = 6 * c - 0.4 * s, aside = -6 * s - 0.4 * c, rolls = 14 * (0.4 - 0.015 / 3);
  cli_worst_relative(out.slip, (rolls - ahead) / fmax(rolls, ahead), value, reference);
  cli_worst_relative(out.slip_angle, atan2(aside, ahead), value, reference);
  cli_worst_relative(out.rolling_radius, 0.4 - 0.015 / 3, value, reference);
  cli_worst_relative(out.deflection, 0.015, value, reference);
  cli_worst_relative(out.fz, 3000, value, reference);
}

// Rolls at a depth for a distance along x, from a place, at the speed of its rim.
static rutRigForces roll(cliLab* lab, double x, double y, double depth, double distance) {
  rutRigMotion m = rut_default_rig_motion();
  rutRigForces out = {0};
  m.velocity[0] = 2;
  m.spin = 5;
  m.height = 2;
  const int steps = (int)(distance / 0.002 + 0.5);
  for (int i = 0; i < steps; i++) {
    m.place[0] = x + 0.002 * i;
    m.place[1] = y;
    out = step(lab, &m);
    m.height = 0.4 - depth;
  }
  return out;
}

// A wheel on the wall of a rut of 8 cm, by a shoulder of a quarter of its width b, climbs it by N
// H/(3/4 b), or the wall yields, at D_1 (c h + D_2 gamma h^2/2) over the chord of the wheel
// (Hegedus), less that of the centimetre by which the wheel is below the rut.
void cli_case_rut_wall(cliLab* lab, double* value, double* reference) {
  static const double cohesion[] = {1e6, 2e3}, phi[] = {0, 0.5235987755982988};
  static const double height[] = {0.09, 0.01}, weight = 16e3;
  for (int i = 0; i < 2; i++) {
    char soil[300];
    snprintf(soil, sizeof soil,
             "<soil type='bekker' k_c='0' k_phi='1e6' exponent='1' cohesion='%.17g' "
             "friction_angle='%.17g' unit_weight='16e3' slip_sinkage='none' dig_in='none'/>",
             cohesion[i], phi[i]);
    open_rig(lab, &(Rig){"<tyre type='linear' stiffness='1e12'/>", soil,
                         "<deformable displaced='0' repose_angle='0'/>"});
    roll(lab, 0, 0, 0.08, 1.5);
    const rutRigForces out = roll(lab, 0.5, 0.12, 0.09, 0.6);
    const double edge = atan(1) - 0.5 * phi[i], cot = 1 / tan(edge);
    const double d1 = cot + tan(edge + phi[i]), d2 = cot + cot * cot * tan(phi[i]);
    double most = 0;
    for (int k = 0; k < 2; k++) {
      const double h = height[k], reach = sqrt(h * (0.8 - h));
      const double bears = d1 * (4.0 / 3 * cohesion[i] + 8.0 / 15 * d2 * weight * h) * h * reach;
      most += k == 0 ? bears : -bears;
    }
    cli_worst_relative(-out.fy, fmin(out.fz * 0.08 / (0.75 * 0.3), most), value, reference);
  }
}
