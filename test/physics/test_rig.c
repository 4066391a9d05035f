// SPDX-License-Identifier: BSD-3-Clause
//
// A single wheel on a rig (rut/rig.h): against a wheel of a vehicle that moves alike, against
// closed forms of springs, spin and grip, and against numbers of Bekker's and Wong and Reece's laws
// that were integrated apart from this code.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "assert_near.h"
#include "rut/rig.h"
#include "vehicle_world.h"

#define COUNT(list) ((int)(sizeof(list) / sizeof *(list)))

static World open_rig(const rutRigDef* def) {
  World w = {0};
  rutError err = {0};
  assert_int_equal(rut_context_create(NULL, &w.context, NULL), RUT_OK);
  if (rut_rig_model(w.context, def, &w.model, &err) != RUT_OK) fail_msg("%s", err.message);
  w.data = rut_data_create(w.model);
  assert_non_null(w.data);
  return w;
}

static rutRigForces step(const World* w, const rutRigMotion* motion) {
  rutRigForces out;
  rutError err = {0};
  if (rut_rig_step(w->model, w->data, motion, &out, &err) != RUT_OK) fail_msg("%s", err.message);
  return out;
}

static rutRigForces steps(const World* w, const rutRigMotion* motion, int n) {
  rutRigForces out = {0};
  for (int i = 0; i < n; i++) out = step(w, motion);
  return out;
}

// ---- a wheel of a vehicle ----

// A vehicle with one wheel whose chassis keeps its attitude and yaw rate.
typedef struct OneWheel {
  const char *ground, *tyre, *motion;  // elements, and attributes of the vehicle
  double velocity[2], yaw_rate;        // of these
  double part;                         // of forces and spin within which both are the same
} OneWheel;

static void write_world(const OneWheel* one, size_t size, char* text) {
  snprintf(text, size,
           "<world timestep='0.001'>%s<vehicle name='one' %s>"
           "<chassis mass='400' com='0 0 0.4' inertia='1e12 1e12 1e12'/>%s"
           "<axle x='0' track='0' radius='0.4' width='0.3' driven='true'>"
           "<suspension type='slider' stiffness='30000' damping='2000'/></axle>"
           "<drive type='direct' driven='all' max_torque='0'/><controller type='raw'/>"
           "</vehicle></world>",
           one->ground, one->motion, one->tyre);
}

// The motion of the hub in the step that has brought it from one pose to another, as it began with
// a velocity, which becomes that of its end.
static rutRigMotion repeat(const rutWheelPose* before, const rutWheelPose* after, double heading,
                           double velocity[3]) {
  static const double DT = 1e-3;
  rutRigMotion motion = rut_default_rig_motion();
  double world[2][3];
  motion.place[0] = before->position[0];
  motion.place[1] = before->position[1];
  motion.height = before->position[2];
  motion.heading = heading;
  for (int k = 0; k < 3; k++) {
    const double ends = (after->position[k] - before->position[k]) / DT;
    world[0][k] = velocity[k];
    world[1][k] = (ends - velocity[k]) / DT;
    velocity[k] = ends;
  }
  for (int i = 0; i < 2; i++) {
    double* along = i == 0 ? motion.velocity : motion.acceleration;
    along[0] = cos(heading) * world[i][0] + sin(heading) * world[i][1];
    along[1] = cos(heading) * world[i][1] - sin(heading) * world[i][0];
    along[2] = world[i][2];
  }
  return motion;
}

// A step of the vehicle, and of the rig alike. Returns what the rig tells.
static rutRigForces step_both(const OneWheel* one, const World* car, const World* rig, int i,
                              double velocity[3]) {
  rutError err = {0};
  const double part = one->part, spin = rut_wheel_state(car->model, car->data, 0).speed;
  const double yaw = rut_vehicle_state(car->model, car->data, 0).yaw;
  const rutWheelPose before = rut_wheel_pose(car->model, car->data, 0);
  assert_int_equal(rut_step(car->model, car->data, &err), RUT_OK);
  const rutWheelPose after = rut_wheel_pose(car->model, car->data, 0);
  const rutWheelState state = rut_wheel_state(car->model, car->data, 0);
  rutRigMotion motion = repeat(&before, &after, yaw, velocity);
  motion.yaw_rate = one->yaw_rate;
  motion.torque = state.torque;
  // the spin once, then as the torque turns it
  if (i == 0) motion.spin = spin, motion.spin_rate = (state.speed - spin) / 1e-3;
  const rutRigForces got = step(rig, &motion);
  assert_near(cos(yaw) * got.force[0] + sin(yaw) * got.force[1], state.force[0], 4000 * part);
  assert_near(cos(yaw) * got.force[1] - sin(yaw) * got.force[0], state.force[1], 4000 * part);
  assert_near(got.fz, state.load, 4000 * part);
  assert_near(got.spin, state.speed, 10 * part);
  assert_near(got.deflection, state.deflection, 0.01 * part);
  assert_near(got.sinkage, rut_soil_contact(car->model, car->data, 0).sinkage, 0.01 * part);
  const rutVehicleState now = rut_vehicle_state(car->model, car->data, 0);
  const rutVehicleState same = rut_vehicle_state(rig->model, rig->data, 0);
  assert_near(same.yaw, now.yaw, 1e-9);
  assert_near(same.position[0], now.position[0], 1e-9);
  assert_near(same.position[1], now.position[1], 1e-9);
  return got;
}

// The rig repeats the hub's motion as the vehicle's poses tell it, with the wheel's own torque, and
// has the same spin and forces, to a part of them: rounding, which differences of poses over a step
// raise, in soil what its law solves for to a tolerance, and the grain of ruts.
static void compare_with_vehicle(const OneWheel* one) {
  char text[2000];
  write_world(one, sizeof text, text);
  World car = open_world(text), rig = {.context = car.context};
  rutSpec* spec = NULL;
  rutError err = {0};
  rutRigForces got = {0};
  assert_int_equal(rut_spec_parse(car.context, text, strlen(text), "test.xml", &spec, &err),
                   RUT_OK);
  rutRigDef def = rut_default_rig();
  def.world = spec;
  if (rut_rig_model(car.context, &def, &rig.model, &err) != RUT_OK) fail_msg("%s", err.message);
  rig.data = rut_data_create(rig.model);
  const double torque[3] = {300, 300, 0};
  assert_int_equal(rut_command(car.model, car.data, 0, 3, torque), RUT_OK);
  double velocity[3] = {one->velocity[0], one->velocity[1], 0}, most = 0;
  for (int i = 0; i < 1500; i++) {
    got = step_both(one, &car, &rig, i, velocity);
    most = fmax(most, got.fz);
  }
  // it was driven, and has borne the weight
  assert_near(got.torque, 300, 1e-6);
  assert_true(most > 4000);
  rut_data_destroy(rig.data);
  rut_model_destroy(rig.model);
  rut_spec_destroy(spec);
  close_world(&car);
}

static void test_as_on_a_vehicle(void** state) {
  static const OneWheel one[] = {
      {"<soil type='magic_formula' name='road' surface='wet'/>",
       "<tyre type='pac2002'/>",
       "velocity='2 0.1'",
       {2, 0.1},
       0,
       1e-9},
      {"<soil type='magic_formula' name='road' surface='wet'/>",
       "<tyre type='fiala'/>",
       "velocity='2 0.1' yaw_rate='0.1'",
       {2, 0.1},
       0.1,
       1e-8},
      {"<soil type='bekker' name='sand' preset='lete_sand'/><deformable/>",
       "<tyre type='linear' stiffness='200000'/>",
       "velocity='2 0.1'",
       {2, 0.1},
       0,
       2e-4},
      {"<soil type='bekker' name='sand' preset='lete_sand'/>",
       "<tyre type='linear' stiffness='200000'/>",
       "",
       {0, 0},
       0,
       2e-4},
      {"<soil type='bekker' name='clay' preset='clayey_soil_38'/>"
       "<terrain type='sine' amplitude='0.05' wavelength='3'/>",
       "<tyre type='fiala'/>",
       "velocity='2 0.1'",
       {2, 0.1},
       0,
       1e-9}};
  (void)state;
  for (int i = 0; i < COUNT(one); i++) compare_with_vehicle(&one[i]);
}

// ---- the update in six steps ----

// Tyre and road as MAVS prints them: slip over the loaded radius without bound, dry pavement.
static const char PRINTED[] =
    "<world timestep='0.001'><soil type='magic_formula' name='dry' surface='dry' "
    "slip='two_branches' rolling_resistance='0'/><vehicle name='mavs'><chassis mass='400'/>"
    "<tyre type='linear' stiffness='200000' damping='500' crossover='0.09' bearing='0.1'/>"
    "<suspension type='slider'/>"
    "<axle radius='0.4' width='0.3' wheel_inertia='2' rolling_radius='loaded'/></vehicle></world>";

static World open_printed(void) {
  World w = {0};
  rutSpec* spec = NULL;
  rutError err = {0};
  assert_int_equal(rut_context_create(NULL, &w.context, NULL), RUT_OK);
  if (rut_spec_parse(w.context, PRINTED, strlen(PRINTED), "mavs.xml", &spec, &err) != RUT_OK) {
    fail_msg("%s", err.message);
  }
  rutRigDef def = rut_default_rig();
  def.world = spec;
  if (rut_rig_model(w.context, &def, &w.model, &err) != RUT_OK) fail_msg("%s", err.message);
  rut_spec_destroy(spec);
  w.data = rut_data_create(w.model);
  return w;
}

// delta = d/2 - p_z = 0.02 m, N = k delta - c v_up, r_eff = d/2 - delta, s = r_eff w/v - 1 = 0.064,
// F = N sin(1.9 atan(10 s - 0.97 (10 s - atan(10 s)))), alpha = atan(v_perp/v_par), F_perp = N (1 -
// exp(-alpha/gamma)), w + dt/I (Q - r F - beta w). Worked out by hand; the arm of F is the radius
// of the slip, so that no power is lost, where the document has d/2.
static void test_six_steps(void** state) {
  World w = open_printed();
  (void)state;
  rutRigMotion motion = rut_default_rig_motion();
  motion.height = 0.38;
  motion.velocity[0] = 5;
  motion.spin = 14;
  const rutRigForces driven = steps(&w, &motion, 2000);
  assert_near(driven.deflection, 0.02, 1e-12);
  assert_near(driven.rolling_radius, 0.38, 1e-12);
  assert_near(driven.fz, 4000, 1e-9);
  assert_near(driven.fx, 3336.1482, 1e-3);
  // what holds this spin: r F + beta w
  assert_near(driven.torque, 0.38 * 3336.1482 + 1.4, 1e-3);
  assert_near(driven.bearing, 1.4, 1e-12);
  // the spin that a torque of 1000 N m gives, over a short step
  rutRigMotion free = motion;
  free.spin = (double)NAN;
  free.torque = 1000;
  free.dt = 1e-7;
  const rutRigForces freed = step(&w, &free);
  assert_near((freed.spin - 14) / 1e-7, (1000 - 0.38 * 3336.1482 - 1.4) / 2, 0.02);
  // a rising hub takes the damper's force off
  free.velocity[2] = 0.1;
  assert_near(step(&w, &free).fz, 3950, 0.01);
  // across, without longitudinal slip
  motion.spin = 5 / 0.38;
  motion.velocity[1] = 0.5;
  const rutRigForces across = steps(&w, &motion, 2000);
  assert_near(across.slip_angle, 0.09966865, 1e-8);
  assert_near(across.fy, -2678.3712, 2e-3);
  motion.velocity[1] = -0.5;
  assert_near(steps(&w, &motion, 2000).fy, 2678.3712, 2e-3);
  close_world(&w);
}

// ---- hard ground ----

// Force over load is 0.8 sin(atan(10 s)): 0.796030 where the wheel spins or is locked.
static World open_road(double inertia, const char* bearing) {
  static const char* const road[] = {"surface=user", "b=10", "c=1",
                                     "d=0.8",        "e=0",  "rolling_resistance=0"};
  const char* const tyre[] = {"stiffness=200000", "damping=500", bearing};
  rutRigDef def = rut_default_rig();
  def.tyre = "linear";
  def.tyre_setting = tyre;
  def.tyre_settings = COUNT(tyre);
  def.soil = "magic_formula";
  def.soil_setting = road;
  def.soil_settings = COUNT(road);
  def.radius = 0.4;
  def.width = 0.3;
  def.wheel_inertia = inertia;
  return open_rig(&def);
}
static const double SATURATED = 0.7960298;

static void test_spin_up(void** state) {
  (void)state;
  // in the air: w = T t/I, and with a bearing T/beta (1 - exp(-beta t/I))
  rutRigMotion motion = rut_default_rig_motion();
  World w = open_road(3, "bearing=0");
  motion.height = 2;
  motion.torque = 30;
  rutRigForces out = steps(&w, &motion, 1000);
  assert_near(out.spin, 10, 1e-9);
  assert_near(rut_wheel_state(w.model, w.data, 0).angle, 0.5 * 10 * 1.001, 1e-9);
  assert_near(out.fz, 0, 0);
  close_world(&w);
  w = open_road(3, "bearing=2");
  motion.dt = 1e-4;
  const rutRigForces slow = steps(&w, &motion, 19999);
  out = step(&w, &motion);
  assert_close(out.spin, 15 * (1 - exp(-2.0 * 2 / 3)), 1e-4, 0);
  assert_close(3 * (out.spin - slow.spin) / 1e-4, 30 - out.bearing, 1e-8, 0);
  close_world(&w);
  // against a hub that stands, spinning: I w' = T - mu N r, r = R - delta/3
  w = open_road(3, "bearing=0");
  motion = rut_default_rig_motion();
  motion.height = 0.38;
  motion.torque = 2000;
  motion.dt = 1e-5;
  const double before = steps(&w, &motion, 20000).spin;
  out = steps(&w, &motion, 10000);
  const double radius = 0.4 - 0.02 / 3, force = SATURATED * 4000;
  assert_close(out.fx, force, 2e-5, 0);
  assert_close((out.spin - before) / 0.1, (2000 - force * radius) / 3, 1e-4, 0);
  close_world(&w);
}

// A weight that is let go on a spring comes down by twice its deflection at rest, after half a
// period of sqrt(m/k), m = W/g.
static void test_drop(void** state) {
  World w = open_road(3, "damping=0");
  rutRigMotion motion = rut_default_rig_motion();
  double deepest = 0, when = 0;
  (void)state;
  motion.damping = 0;
  motion.dt = 1e-5;
  for (int i = 0; i < 25000; i++) {
    const rutRigForces out = step(&w, &motion);
    if (out.deflection > deepest) when = rut_time(w.data);
    deepest = fmax(deepest, out.deflection);
  }
  assert_close(deepest, 2 * 4000.0 / 200000, 1e-3, 0);
  assert_close(when, acos(-1) * sqrt(4000 / 9.81 / 200000), 1e-3, 0);
  close_world(&w);
}

// A tyre so stiff that the step is long against its bounces carries the load on the mean; a hub
// that is torn away leaves the ground, which does not pull.
static void test_stiff(void** state) {
  World w = open_road(3, "stiffness=1e10");
  rutRigMotion motion = rut_default_rig_motion();
  double mean = 0;
  (void)state;
  steps(&w, &motion, 2000);
  for (int i = 0; i < 1000; i++) mean += step(&w, &motion).fz / 1000;
  assert_close(mean, 4000, 1e-3, 0);
  close_world(&w);
  w = open_road(3, "bearing=0");
  motion.height = 0.399;
  assert_near(step(&w, &motion).fz, 200, 1e-9);
  motion.acceleration[2] = 1e5;
  assert_near(step(&w, &motion).fz, 0, 0);
  close_world(&w);
}

// The load is carried by k delta, a brake locks the wheel, and forces turn with the heading.
static void test_load_and_brake(void** state) {
  World w = open_road(3, "bearing=0");
  rutRigMotion motion = rut_default_rig_motion();
  (void)state;
  motion.load = 6000;
  rutRigForces out = steps(&w, &motion, 5000);
  assert_close(out.fz, 6000, 1e-6, 0);
  assert_near(out.deflection, 6000.0 / 200000, 1e-7);
  assert_near(out.position[2], 0.4 - 0.03, 1e-7);
  assert_near(out.contact_length, 2 * sqrt(0.03 * (0.8 - 0.03)), 1e-6);
  assert_int_equal(out.soil, -1);
  motion.velocity[0] = 5;
  motion.brake = 5000;
  out = steps(&w, &motion, 2000);
  assert_near(out.spin, 0, 0);
  assert_near(out.slip, -1, 0);
  assert_close(out.fx, -SATURATED * 6000, 1e-5, 0);
  assert_near(out.position[0], 10, 1e-9);
  // the moment of the contact's force about the axle is the brake's
  assert_close(out.torque, -SATURATED * 6000 * (0.4 - 0.01), 1e-5, 0);
  // heading to the world's y, the steer angle half of it
  motion.heading = motion.steer = atan(1);
  motion.velocity[0] = motion.velocity[1] = 5 * sqrt(0.5);
  out = steps(&w, &motion, 2000);
  assert_near(out.force[0], 0, 0.01);
  assert_close(out.force[1], -SATURATED * 6000, 1e-5, 0);
  assert_close(out.fx, -SATURATED * 6000, 1e-5, 0);
  assert_near(out.position[0], 10, 1e-9);
  assert_near(out.position[1], 10, 1e-9);
  close_world(&w);
}

// To the left and to the right are alike.
static void test_mirrored(void** state) {
  rutRigForces side[2];
  (void)state;
  for (int i = 0; i < 2; i++) {
    const double sign = i == 0 ? 1 : -1;
    rutRigDef def = rut_default_rig();
    def.tyre = "pac2002";
    World w = open_rig(&def);
    rutRigMotion motion = rut_default_rig_motion();
    motion.velocity[0] = 10;
    motion.velocity[1] = 0.5 * sign;
    motion.inclination = 0.05 * sign;
    side[i] = steps(&w, &motion, 2000);
    close_world(&w);
  }
  assert_true(side[0].fy < -1000);
  assert_near(side[1].fy, -side[0].fy, 1e-6);
  assert_near(side[1].mx, -side[0].mx, 1e-6);
  assert_near(side[1].mz, -side[0].mz, 1e-6);
  assert_near(side[1].fx, side[0].fx, 1e-6);
  assert_near(side[1].fz, side[0].fz, 1e-6);
}

// Pacejka, Tyre and Vehicle Dynamics, 2002, 4.3.2, with the round coefficients of the default, to
// the last digit that was written down. A wheel whose top leans to the right stands on the right of
// its round tread.
static void test_magic_formula(void** state) {
  static const struct {
    double kappa, angle, load, fx, fy, mz;
  } row[] = {{.05, 0, 8500, 6274.3, 0, 0},
             {0, 3, 8500, 0, -3917.0, 196.98},
             {.05, 3, 8500, 5469.7, -3556.9, 114.37},
             {-.2, -8, 12000, -7651.3, 5339.5, 6.3985}};
  (void)state;
  rutRigDef def = rut_default_rig();
  def.tyre = "pac2002";
  def.radius = 0.47;
  def.width = 0.318;
  World w = open_rig(&def);
  rutRigForces out = {0};
  for (int i = 0; i < COUNT(row); i++) {
    rutRigMotion motion = rut_default_rig_motion();
    motion.load = row[i].load;
    motion.damping = 2e4;
    motion.velocity[0] = 16.7;
    motion.velocity[1] = 16.7 * tan(row[i].angle * acos(-1) / 180);
    out.rolling_radius = 0.46;
    for (int n = 0; n < 3000; n++) {
      motion.spin = (1 + row[i].kappa) * 16.7 / out.rolling_radius;
      out = step(&w, &motion);
    }
    assert_near(out.fx + out.resistance, row[i].fx, 0.1);
    assert_near(out.fy, row[i].fy, 0.1);
    assert_near(out.mz, row[i].mz, 0.01);
    assert_near(out.mx, 0, 1e-9);
    // nothing changes the spin
    assert_near(out.torque + out.my - out.loaded_radius * out.fx - out.bearing, 0, 1e-6);
  }
  rutRigMotion motion = rut_default_rig_motion();
  motion.velocity[0] = 16.7;
  motion.inclination = 0.05;
  assert_true(steps(&w, &motion, 2000).mx < -20);
  close_world(&w);
}

// ---- soil ----

// A wheel of R = 0.47 m, b = 0.3175 m, so stiff that it is rigid.
static World open_soil(const char* soil, const char* const* setting, int settings, double cell) {
  static const char* const rigid[] = {"stiffness=1e12", "damping=3e4"};
  rutRigDef def = rut_default_rig();
  def.tyre_setting = rigid;
  def.tyre_settings = COUNT(rigid);
  def.radius = 0.47;
  def.width = 0.3175;
  def.soil = soil;
  def.soil_setting = setting;
  def.soil_settings = settings;
  def.cell = cell;
  return open_rig(&def);
}

// Compaction under a towed rigid wheel without shear, p = k z: b k (R^2/2) (t - sin t cos t)
// carries the load, t being the angle of entry, and b k z^2/2 resists (Bekker 1969).
static void test_bekker_wheel(void** state) {
  static const char* const soil[] = {"exponent=1",          "k_c=0",
                                     "k_phi=2e6",           "cohesion=0",
                                     "friction_angle=0",    "peak_angle=0",
                                     "peak_angle_slip=0",   "rebound=ratio",
                                     "exit_ratio=0",        "slip_sinkage=none",
                                     "dig_in=none",         "rubber_share=0",
                                     "plate=width",         "quadrature=exact",
                                     "rolling_resistance=0"};
  static const double R = 0.47, B = 0.3175, K = 2e6, LOAD = 6500;
  World w = open_soil("bekker", soil, COUNT(soil), 0);
  rutRigMotion motion = rut_default_rig_motion();
  double low = 0, high = 1;
  (void)state;
  for (int i = 0; i < 60; i++) {
    const double t = 0.5 * (low + high), carried = 0.5 * B * K * R * R * (t - sin(t) * cos(t));
    *(carried < LOAD ? &low : &high) = t;
  }
  const double sinkage = R * (1 - cos(low));
  motion.load = LOAD;
  motion.velocity[0] = 2;
  motion.damping = 2e4;
  const rutRigForces out = steps(&w, &motion, 4000);
  assert_close(out.sinkage, sinkage, 1e-4, 0);
  assert_close(out.resistance, 0.5 * B * K * sinkage * sinkage, 2e-4, 0);
  assert_near(out.fx, -out.resistance, 1e-3);
  assert_close(out.my, -out.resistance * (R - sinkage), 1e-4, 0);
  assert_close(out.contact_length, R * sin(low), 1e-3, 0);
  close_world(&w);
}

// Wong and Reece's wheel in dry sand (Janosi and Hanamoto's shear): k_c 0.99e3, k_phi 1528.43e3, n
// 1.1, c 1040 Pa, phi 28 deg, K 0.025 m, a 0.18/0.32, W 6500 N, without rebound; integrated apart
// from this code with 2 x 64 Gauss points, to the last digit that was written down.
static void test_pull_in_sand(void** state) {
  static const struct {
    double slip, sinkage, pull, torque;  // [mm], over the load, over load times radius
  } row[] = {{0, 95.477, .00964, .27233},  {.05, 95.414, .07022, .33382},
             {.1, 95.590, .11024, .37559}, {.2, 96.444, .15446, .42496},
             {.3, 97.773, .17319, .45033}, {.5, 101.453, .17893, .47228},
             {.8, 109.292, .15855, .48223}};
  static const char* const soil[] = {
      "rebound=ratio",  "exit_ratio=0",    "slip_sinkage=none", "dig_in=none",
      "rubber_share=0", "plate=width",     "quadrature=exact",  "rolling_resistance=0",
      "pass_gain=0",    "pass_slip_gain=0"};
  (void)state;
  for (int i = 0; i < COUNT(row); i++) {
    World w = open_soil("dry_sand", soil, COUNT(soil), 0);
    rutRigMotion motion = rut_default_rig_motion();
    motion.load = 6500;
    motion.velocity[0] = 2;
    motion.damping = 2e4;
    motion.spin = 2 / (0.47 * (1 - row[i].slip));
    const rutRigForces out = steps(&w, &motion, 4000);
    assert_near(out.slip, row[i].slip, 1e-7);
    assert_near(1e3 * out.sinkage, row[i].sinkage, 0.0011);
    assert_near(out.fx / 6500, row[i].pull, 1.1e-5);
    assert_near(out.torque / (6500 * 0.47), row[i].torque, 1.1e-5);
    close_world(&w);
  }
}

// Passes of a towed wheel without shear in its own rut, unloading along p_u - k_u (z_u - z), k_u =
// 20 and 200 MN/m^3: peak sinkage [mm] and motion resistance over load, from vertical stress on the
// arcs before and behind the lowest point, computed apart from this code.
static void test_passes(void** state) {
  static const struct {
    const char *soil, *rebound;
    double sinkage[4], resistance[4];
  } row[] = {
      {"dry_sand", "rebound_stiffness=20e6", {79.3, 96.8, 106.7, 113.3}, {.163, .084, .056, .041}},
      {"dry_sand",
       "rebound_stiffness=200e6",
       {87.2, 110.1, 125.0, 136.3},
       {.211, .133, .105, .089}},
      {"lete_sand", "rebound_stiffness=20e6", {11.1, 12.0, 12.2, 12.3}, {.017, .003, .001, .000}}};
  (void)state;
  for (int i = 0; i < COUNT(row); i++) {
    const char* const soil[] = {row[i].rebound,         "slip_sinkage=none", "dig_in=none",
                                "rubber_share=0",       "plate=width",       "quadrature=exact",
                                "rolling_resistance=0", "pass_gain=0",       "pass_slip_gain=0",
                                "cohesion=0",           "friction_angle=0",  "peak_angle=0",
                                "peak_angle_slip=0",    "largest_rebound=1"};
    World w = open_soil(row[i].soil, soil, COUNT(soil), 0.02);
    rutRigMotion motion = rut_default_rig_motion();
    motion.load = 6500;
    motion.velocity[0] = 2;
    motion.damping = 2e4;
    for (int pass = 0; pass < 4; pass++) {
      double sinkage = 0, resistance = 0;
      motion.place[0] = -2;
      for (int n = 0; n < 3500; n++) {
        const rutRigForces out = step(&w, &motion);
        motion.place[0] += 0.002;
        // before it meets the end of the first pass
        if (n < 2000 || n >= 3000) continue;
        sinkage += out.sinkage / 1000;
        resistance -= out.fx / (1000 * 6500.0);
      }
      assert_close(1e3 * sinkage, row[i].sinkage[pass], 0.005, 0);
      assert_near(resistance, row[i].resistance[pass], 0.0025);
    }
    close_world(&w);
  }
}

// ---- state and errors ----

typedef struct Memory {
  int calls;
} Memory;
static void* count_alloc(size_t size, size_t align, void* user) {
  void* memory = NULL;
  ((Memory*)user)->calls++;
  return posix_memalign(&memory, align < sizeof memory ? sizeof memory : align, size) ? NULL
                                                                                      : memory;
}
static void count_free(void* memory, void* user) {
  (void)user;
  free(memory);
}

// A copied state goes on with the same bits, on the soil that it was pressed into; steps take no
// memory.
static void test_state(void** state) {
  Memory memory = {0};
  rutContextDef context = rut_default_context();
  rutError err = {0};
  World w = {0};
  (void)state;
  context.alloc = count_alloc;
  context.free = count_free;
  context.user = &memory;
  assert_int_equal(rut_context_create(&context, &w.context, NULL), RUT_OK);
  rutRigDef def = rut_default_rig();
  def.soil = "lete_sand";
  if (rut_rig_model(w.context, &def, &w.model, &err) != RUT_OK) fail_msg("%s", err.message);
  w.data = rut_data_create(w.model);
  rutRigMotion motion = rut_default_rig_motion();
  motion.velocity[0] = 1;
  motion.torque = 200;
  const int before = memory.calls;
  steps(&w, &motion, 500);
  assert_near(rut_time(w.data), 0.5, 1e-12);
  const size_t size = rut_state_size(w.model, w.data, RUT_STATE_ALL);
  void* saved = malloc(size);
  assert_int_equal(rut_state_get(w.model, w.data, RUT_STATE_ALL, saved, size), RUT_OK);
  const rutRigForces first = steps(&w, &motion, 500);
  assert_int_equal(rut_state_set(w.model, w.data, RUT_STATE_ALL, saved, size), RUT_OK);
  const rutRigForces second = steps(&w, &motion, 500);
  assert_int_equal(memory.calls, before);
  assert_memory_equal(&first, &second, sizeof first);
  rutRuts ruts;
  assert_true(rut_ruts(w.model, w.data, &ruts));
  assert_true(ruts.max_depth > 1e-3);
  // anew on untouched soil
  rut_data_reset(w.model, w.data, 0);
  assert_true(rut_ruts(w.model, w.data, &ruts));
  assert_near(ruts.area, 0, 0);
  const rutRigForces anew = steps(&w, &motion, 1000);
  assert_memory_equal(&first, &anew, sizeof first);
  free(saved);
  close_world(&w);
}

// The soil of the place changes under the wheel, which then sinks; and a model of a world has the
// ground of that.
static void test_soil_changes(void** state) {
  World w = open_context();
  rutSpec* spec = NULL;
  rutError err = {0};
  rutRigDef def = rut_default_rig();
  static const char text[] =
      "<world soil='road'><soil name='road' type='magic_formula'/>"
      "<soil name='sand' type='bekker' preset='dry_sand'/><deformable/>"
      "<terrain type='plane' slope_x='0.1'/><include file='vehicles/hmmwv.xml'/></world>";
  (void)state;
  if (rut_spec_parse(w.context, text, strlen(text), RUT_SOURCE_DIR "/worlds/test.xml", &spec,
                     &err) != RUT_OK) {
    fail_msg("%s", err.message);
  }
  def.world = spec;
  def.axle = 1;
  if (rut_rig_model(w.context, &def, &w.model, &err) != RUT_OK) fail_msg("%s", err.message);
  w.data = rut_data_create(w.model);
  rutRigMotion motion = rut_default_rig_motion();
  motion.load = 6000;
  motion.brake = 1e4;
  const rutRigForces hard = steps(&w, &motion, 4000);
  assert_int_equal(hard.soil, -1);
  // upwards it carries the weight, along the plane it is held
  assert_close(hard.force[2], 6000, 1e-3, 0);
  assert_int_equal(rut_set_soil_under(w.model, w.data, 0, 1, 3), RUT_OK);
  const rutRigForces soft = steps(&w, &motion, 4000);
  assert_int_equal(soft.soil, 1);
  assert_true(soft.sinkage > 0.02 && soft.rut > 0.02);
  assert_near(hard.position[2] - soft.position[2], soft.sinkage, 0.1 * soft.sinkage);
  def.axle = 2;
  rutModel* none = NULL;
  assert_int_equal(rut_rig_model(w.context, &def, &none, &err), RUT_ERR_ARGUMENT);
  assert_non_null(strstr(err.message, "there is no axle 2"));
  def.vehicle = "tank";
  assert_int_equal(rut_rig_model(w.context, &def, &none, &err), RUT_ERR_MODEL);
  assert_non_null(strstr(err.message, "'tank'"));
  rut_spec_destroy(spec);
  close_world(&w);
}

static void refuse(const World* w, const rutRigMotion* motion, const char* name) {
  rutRigForces out;
  rutError err = {0};
  assert_int_equal(rut_rig_step(w->model, w->data, motion, &out, &err), RUT_ERR_ARGUMENT);
  if (!strstr(err.message, name)) fail_msg("'%s' does not name %s", err.message, name);
}

static void refuse_def(const rutRigDef* def, rutStatus status, const char* text) {
  rutContext* context = NULL;
  rutModel* model = NULL;
  rutError err = {0};
  assert_int_equal(rut_context_create(NULL, &context, NULL), RUT_OK);
  assert_int_equal(rut_rig_model(context, def, &model, &err), status);
  assert_null(model);
  if (!strstr(err.message, text)) fail_msg("'%s' does not say '%s'", err.message, text);
  rut_context_destroy(context);
}

static void test_errors(void** state) {
  World w = open_road(1, "bearing=0");
  rutRigMotion motion = rut_default_rig_motion();
  (void)state;
  motion.load = -1;
  refuse(&w, &motion, "load");
  motion = rut_default_rig_motion();
  motion.velocity[1] = (double)NAN;
  refuse(&w, &motion, "velocity[1]");
  motion = rut_default_rig_motion();
  motion.inclination = 1.6;
  refuse(&w, &motion, "inclination");
  motion = rut_default_rig_motion();
  motion.dt = 0;
  refuse(&w, &motion, "dt");
  motion.struct_size = 0;
  refuse(&w, &motion, "rut_default_rig_motion");
  motion = rut_default_rig_motion();
  World car = open_project_world("<world><include file='vehicles/hmmwv.xml'/></world>");
  refuse(&car, &motion, "rut_rig_model");
  const World mixed = {.model = w.model, .data = car.data};
  refuse(&mixed, &motion, "another model");
  close_world(&car);
  close_world(&w);

  rutRigDef def = rut_default_rig();
  def.soil = "lete_sant";
  refuse_def(&def, RUT_ERR_ARGUMENT, "did you mean 'lete_sand'");
  def = rut_default_rig();
  def.tyre = "round";
  refuse_def(&def, RUT_ERR_ARGUMENT, "'round' is no type or preset of tyres");
  def.tyre = "coulomb";
  refuse_def(&def, RUT_ERR_MODEL, "planar");
  def.tyre = "none/at/all.tir";
  refuse_def(&def, RUT_ERR_IO, "all.tir");
  static const char* const wrong[] = {"stifness=3"};
  def = rut_default_rig();
  def.tyre_setting = wrong;
  def.tyre_settings = 1;
  refuse_def(&def, RUT_ERR_ARGUMENT, "stifness");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_as_on_a_vehicle), cmocka_unit_test(test_six_steps),
      cmocka_unit_test(test_spin_up),         cmocka_unit_test(test_load_and_brake),
      cmocka_unit_test(test_mirrored),        cmocka_unit_test(test_drop),
      cmocka_unit_test(test_magic_formula),   cmocka_unit_test(test_stiff),
      cmocka_unit_test(test_bekker_wheel),    cmocka_unit_test(test_pull_in_sand),
      cmocka_unit_test(test_passes),          cmocka_unit_test(test_state),
      cmocka_unit_test(test_soil_changes),    cmocka_unit_test(test_errors),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
