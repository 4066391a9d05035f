// SPDX-License-Identifier: BSD-3-Clause
//
// Vehicles with suspensions through the public interface: momentum in the air, one vehicle against
// the same among others, and places where a run may go wrong.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "assert_near.h"
#include "vehicle_world.h"

// ---- momentum ----

#define CART(attributes, axle, inside)                                                         \
  "<vehicle " attributes                                                                       \
  ">"                                                                                          \
  "<chassis mass='50' com='0 0 0.3' inertia='2 3 4' outline='-0.5 -0.2 0.5 -0.2 0.5 0.2 -0.5 " \
  "0.2'/>"                                                                                     \
  "<axle x='0.4' track='0.6' radius='0.2' wheel_mass='2' wheel_inertia='0.05' " axle           \
  "/><axle x='-0.4' track='0.6' radius='0.2' wheel_mass='2' wheel_inertia='0.05' " axle        \
  "/>" inside "</vehicle>"

// In the air the momentum about the pitch axis stays 0: with wheels of inertia J, rotors j that
// turn n times as fast, and the chassis with the wheels' masses I,
//   I q + 4 (J (q + w) + n j w) = 0.
static void momentum_with(const char* integrator, double gear, double rotor, double tolerance) {
  char text[2000];
  snprintf(text, sizeof text,
           "<world gravity='0' timestep='1e-4' integrator='%s'>" CART(
               "position='0 0 50' on_ground='false'", "",
               "<suspension type='massless'/><tyre type='linear'/>"
               "<drive type='dc_motor' gear='%g' rotor_inertia='%g'/>"
               "<controller type='pedals' torque='8'/>") "</world>",
           integrator, gear, rotor);
  World w = open_world(text);
  run_until(&w, 0.2);
  const rutVehicleState s = rut_vehicle_state(w.model, w.data, 0);
  const double spin = rut_wheel_state(w.model, w.data, 0).speed;
  assert_true(spin > 1);
  const double expected = -4 * (0.05 + gear * rotor) * spin / (3 + 4 * 0.05);
  assert_near(s.rate[1], expected, tolerance * fabs(expected));
  rutEnergy e;
  assert_true(rut_vehicle_energy(w.model, w.data, 0, &e));
  assert_near(e.residual, 0, 1e-6 * e.throughput);
  close_world(&w);
}

static void test_gear_reaction(void** state) {
  (void)state;
  momentum_with("rk4", 15, 2e-4, 1e-9);
  momentum_with("rk4", 1, 0.02, 1e-9);
  momentum_with("semi_implicit", 15, 2e-4, 1e-9);
}

// Momentum of the cart about its centre of mass in the world; its wheels have no mass, and so no
// more than their spin.
static void momentum_of(const World* w, double h[3]) {
  const rutVehicleState s = rut_vehicle_state(w->model, w->data, 0);
  const double* o = s.rate;
  double body[3] = {2 * o[0], 3 * o[1], 4 * o[2]};
  for (int i = 0; i < 4; i++) {
    const rutWheelState wheel = rut_wheel_state(w->model, w->data, i);
    const double x = -sin(wheel.steer), y = cos(wheel.steer);
    const double spin = wheel.speed + x * o[0] + y * o[1];
    body[0] += 0.05 * spin * x;
    body[1] += 0.05 * spin * y;
  }
  const double cr = cos(s.roll), sr = sin(s.roll), cp = cos(s.pitch), sp = sin(s.pitch);
  const double cy = cos(s.yaw), sy = sin(s.yaw);
  const double turn[3][3] = {{cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr},
                             {sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr},
                             {-sp, cp * sr, cp * cr}};
  for (int r = 0; r < 3; r++) {
    h[r] = turn[r][0] * body[0] + turn[r][1] * body[1] + turn[r][2] * body[2];
  }
}

// Wheels that spin are gyroscopes: steered in the air they roll the chassis, and momentum stays.
static void test_steering_reaction(void** state) {
  (void)state;
  World w = open_world(
      "<world gravity='0' timestep='1e-4' integrator='rk4'>"
      "<vehicle position='0 0 50' on_ground='false' velocity='20 0 0' steer_rate='2'>"
      "<chassis mass='50' com='0 0 0.3' inertia='2 3 4'/>"
      "<axle x='0.4' track='0.6' radius='0.2' wheel_inertia='0.05' transverse_inertia='1e-12' "
      "max_steer='0.5'/>"
      "<axle x='-0.4' track='0.6' radius='0.2' wheel_inertia='0.05' transverse_inertia='1e-12'/>"
      "<suspension type='massless'/><tyre type='linear'/>"
      "<drive type='open'/><controller type='pedals'/></vehicle></world>");
  double before[3], after[3];
  momentum_of(&w, before);
  assert_near(before[1], 4 * 0.05 * 20 / 0.2, 1e-9);
  const double command[3] = {0, 0, 0.5};
  assert_int_equal(rut_command(w.model, w.data, 0, 3, command), RUT_OK);
  run_until(&w, 1);
  assert_true(rut_wheel_state(w.model, w.data, 0).steer > 0.3);
  assert_true(fabs(rut_vehicle_state(w.model, w.data, 0).rate[0]) > 0.5);
  momentum_of(&w, after);
  for (int i = 0; i < 3; i++) assert_near(after[i], before[i], 1e-5 * before[1]);
  rutEnergy e;
  assert_true(rut_vehicle_energy(w.model, w.data, 0, &e));
  assert_near(e.residual, 0, 1e-4 * e.kinetic);
  close_world(&w);
}

// ---- one vehicle, and the same among others ----

#define GROUND                                                                   \
  "<terrain type='iso8608' class='E' form='area' seed='3' wavelength_max='20'/>" \
  "<soil name='wet' type='magic_formula' surface='wet'/>"                        \
  "<soil name='soft' type='clay' cone_index='600 kPa'/>"                         \
  "<region soil='soft' x_min='-9' x_max='-5' y_min='-60' y_max='60'/>"
#define DRIVEN                                                                            \
  "<suspension type='slider' stiffness='4000' damping='300' bump_travel='0.1' "           \
  "rebound_travel='0.1'/>"                                                                \
  "<tyre type='linear' stiffness='4e4' damping='100'/><drive type='dc_motor' gear='10'/>" \
  "<controller type='pedals' torque='30' steer='0.1'/>"

static void test_same_among_others(void** state) {
  (void)state;
  char text[20000];
  int n = snprintf(text, sizeof text, "<world>" GROUND);
  for (int i = 0; i < 11; i++) {
    n += snprintf(text + n, sizeof text - (size_t)n,
                  CART("position='%g %g 0' contact='arc'", "max_steer='0.3'", DRIVEN),
                  -10 + 0.3 * i, 3.0 * i - 15);
  }
  snprintf(text + n, sizeof text - (size_t)n, "</world>");
  World many = open_world(text);
  assert_int_equal(rut_count(many.model, RUT_VEHICLE), 11);
  for (int i = 0; i < 11; i += 5) {
    snprintf(text, sizeof text,
             "<world>" GROUND CART("position='%g %g 0' contact='arc'", "max_steer='0.3'",
                                   DRIVEN) "</world>",
             -10 + 0.3 * i, 3.0 * i - 15);
    World one = open_world(text);
    rut_data_reset(many.model, many.data, 0);
    run_until(&many, 3);
    run_until(&one, 3);
    const rutVehicleState a = rut_vehicle_state(many.model, many.data, i);
    const rutVehicleState b = rut_vehicle_state(one.model, one.data, 0);
    assert_memory_equal(a.position, b.position, sizeof a.position);
    assert_memory_equal(a.velocity, b.velocity, sizeof a.velocity);
    assert_memory_equal(a.rate, b.rate, sizeof a.rate);
    assert_true(b.position[0] > -10 + 0.3 * i + 1);
    rutEnergy e, f;
    rut_vehicle_energy(many.model, many.data, i, &e);
    rut_vehicle_energy(one.model, one.data, 0, &f);
    assert_memory_equal(&e, &f, sizeof e);
    close_world(&one);
  }
  close_world(&many);
}

// ---- where a run may go wrong ----

static rutVehicleState after(const char* ground, const char* vehicle, double seconds) {
  char text[4000];
  snprintf(text, sizeof text, "<world>%s%s</world>", ground, vehicle);
  World w = open_world(text);
  run_until(&w, seconds);
  const rutVehicleState s = rut_vehicle_state(w.model, w.data, 0);
  for (int i = 0; i < 3; i++) assert_true(isfinite(s.position[i]) && isfinite(s.velocity[i]));
  close_world(&w);
  return s;
}

// Off the edge of the map a vehicle falls freely, turning as it left.
static void test_edge_of_the_map(void** state) {
  (void)state;
  const rutVehicleState s = after("<plane x_min='-5' x_max='5' y_min='-5' y_max='5' z='0'/>",
                                  CART("position='-3 0 0' velocity='6 0 0'", "", DRIVEN), 4);
  assert_true(s.position[0] > 15);
  assert_true(s.position[2] < -15);
}

static void test_fast(void** state) {
  (void)state;
  const rutVehicleState s =
      after(GROUND, CART("position='-29 0 0' velocity='100 0 0' contact='arc'", "", DRIVEN), 0.4);
  assert_true(s.position[0] > 5);
}

// Upside down it lies on its roof, 0.6 m above its reference point, and stays there.
static void test_upside_down(void** state) {
  (void)state;
  const rutVehicleState s = after("",
                                  CART("position='0 0 1.5' roll='175 deg' on_ground='false'", "",
                                       "<suspension type='slider'/><tyre type='linear'/>"),
                                  5);
  assert_near(fabs(s.roll), 3.14159265358979, 1e-3);
  assert_near(s.pitch, 0, 1e-3);
  assert_near(s.position[2], 0.6, 6e-3);
  for (int i = 0; i < 3; i++) assert_near(s.velocity[i], 0, 1e-6);
}

// Weight of the cart, with gravity 9.81, on each of four wheels; its tyres give by load / 4e4 N/m.
#define CART_LOAD (58 * 9.81 / 4)
#define CART_SAG  (CART_LOAD / 4e4)
#define SPRUNG                                                                  \
  "<suspension type='slider' stiffness='4000' damping='300' bump_travel='0.1' " \
  "rebound_travel='0.1'/>"                                                      \
  "<tyre type='linear' stiffness='4e4' damping='100'/>"

static World build_on(const char* head, const char* ground, const char* vehicle) {
  char text[4000];
  snprintf(text, sizeof text, "<world %s>%s%s</world>", head, ground, vehicle);
  return open_world(text);
}

// At rest on its wheels, at the height that the tyres' rates tell.
static void assert_at_rest(const World* w) {
  const rutVehicleState s = rut_vehicle_state(w->model, w->data, 0);
  assert_near(s.position[2], -CART_SAG, 1e-5);
  assert_near(s.roll, 0, 1e-6);
  assert_near(s.pitch, 0, 1e-6);
  for (int i = 0; i < 3; i++) assert_near(s.velocity[i], 0, 1e-6);
  for (int i = 0; i < 4; i++) {
    assert_near(rut_wheel_state(w->model, w->data, i).load, CART_LOAD, 1e-3);
  }
}

// An ASCII grid of level ground, 20 m long and 10 m wide, without data where |x| <= half. Returns
// the element that lays it.
static const char* ground_with_hole(double half, char path[32]) {
  static char element[100];
  snprintf(path, 32, "/tmp/rut_hole_XXXXXX");
  const int handle = mkstemp(path);
  assert_true(handle >= 0);
  FILE* file = fdopen(handle, "w");
  assert_non_null(file);
  fputs("ncols 81\nnrows 41\nxllcenter 0\nyllcenter 0\ncellsize 0.25\nnodata_value -9\n", file);
  for (int i = 0; i < 81 * 41; i++) {
    fputs(fabs(0.25 * (i % 81) - 10) <= half ? "-9\n" : "0\n", file);
  }
  fclose(file);
  snprintf(element, sizeof element, "<elevation_map file='%s'/>", path);
  return element;
}

// Wheels drop a little into a gap of half a metre, and come out at its end, with less speed.
static void test_small_hole(void** state) {
  (void)state;
  char path[32];
  World w = build_on("", ground_with_hole(0, path),
                     CART("position='-3 0 0' velocity='8 0 0'", "", SPRUNG));
  remove(path);
  run_until(&w, 0.35);
  // over the gap its front wheels have nothing to stand on
  assert_near(rut_wheel_state(w.model, w.data, 0).load, 0, 0);
  run_until(&w, 1.5);
  const rutVehicleState s = rut_vehicle_state(w.model, w.data, 0);
  assert_true(s.position[0] > 6 && s.position[0] < -3 + 8 * 1.5);
  assert_true(s.velocity[0] > 7 && s.velocity[0] < 8);
  assert_near(s.position[1], 0, 1e-6);
  assert_near(s.position[2], -CART_SAG, 1e-3);
  rutEnergy e;
  assert_true(rut_vehicle_energy(w.model, w.data, 0, &e));
  assert_near(e.residual, 0, 1e-3 * e.throughput);
  close_world(&w);
}

// Velocity in the world of the cart's centre of mass with its wheels, 8 of 58 kg at 0.2 m less what
// springs of 4 kN/m give where they carry nothing: about it a cart that tumbles turns.
static void com_velocity(const World* w, double v[3]) {
  const double mount[6] = {[2] = (50 * 0.3 + 8 * (0.2 - 50 * 9.81 / 4 / 4000)) / 58};
  rutMotion m;
  assert_true(rut_motion(w->model, w->data, 0, mount, &m));
  const double q = m.attitude[0], *a = m.attitude + 1, *u = m.velocity;
  // v = u + 2 a x (a x u + q u)
  const double t[3] = {a[1] * u[2] - a[2] * u[1] + q * u[0], a[2] * u[0] - a[0] * u[2] + q * u[1],
                       a[0] * u[1] - a[1] * u[0] + q * u[2]};
  v[0] = u[0] + 2 * (a[1] * t[2] - a[2] * t[1]);
  v[1] = u[1] + 2 * (a[2] * t[0] - a[0] * t[2]);
  v[2] = u[2] + 2 * (a[0] * t[1] - a[1] * t[0]);
}

// A large hole swallows the vehicle, which falls freely then, past the ground around the hole.
static void test_large_hole(void** state) {
  (void)state;
  char path[32];
  World w = build_on("", ground_with_hole(2, path),
                     CART("position='-5 0 0' velocity='3 0 0'", "", SPRUNG));
  remove(path);
  run_until(&w, 2);
  double at[3], v[3];
  assert_true(rut_vehicle_state(w.model, w.data, 0).position[2] < -4);
  com_velocity(&w, at);
  run_until(&w, 6);
  com_velocity(&w, v);
  // it came under the ground beyond the hole, x > 2
  assert_true(rut_vehicle_state(w.model, w.data, 0).position[0] > 4);
  // within what the wheels swing on their springs
  assert_near(v[2], at[2] - 9.81 * 4, 0.02);
  assert_near(v[0], at[0], 0.02);
  close_world(&w);
}

// Over the edge of a plane: the front falls, the chassis lies on the edge or slides off it, and
// wheels swing up beside it. Tyres and chassis give back no more than was put into them, and
// nothing is thrown up.
static void test_plane_edge(void** state) {
  (void)state;
  static const double speeds[] = {0.5, 1, 2, 4};
  for (int i = 0; i < 8; i++) {
    char text[1024];
    snprintf(text, sizeof text,
             "<world timestep='%d ms'><soil name='road' type='magic_formula'/><plane/>"
             "<include file='vehicles/%s.xml' %s start='%g 0 0' speed='%g' %s/></world>",
             i % 2 ? 5 : 1, i < 4 ? "hmmwv" : "four_by_four", i % 3 ? "y='-6' yaw='-90'" : "x='6'",
             speeds[i % 4], speeds[i % 4], i < 4 ? "driver='1'" : "gain='5'");
    World w = open_project_world(text);
    rutEnergy e;
    double highest = -1;
    while (rut_time(w.data) < 8) {
      run_until(&w, rut_time(w.data) + 0.05);
      highest = fmax(highest, rut_vehicle_state(w.model, w.data, 0).position[2]);
    }
    // it turns about the edge, nose down: its reference point is never a metre higher than before
    assert_true(highest < 1.6);
    assert_true(rut_vehicle_energy(w.model, w.data, 0, &e));
    assert_true(e.tyre > -1.5e3);
    assert_true(e.hull > -1e3);
    close_world(&w);
  }
}

// Dropped from 50 m it arrives with what it fell through, and comes to rest; no bounce is as high.
static void test_drop(void** state) {
  (void)state;
  World w = build_on("", "", CART("position='0 0 50' on_ground='false'", "", SPRUNG));
  run_until(&w, 3);
  rutVehicleState s = rut_vehicle_state(w.model, w.data, 0);
  assert_near(s.com_velocity[2], -9.81 * 3, 1e-9);
  double highest = 0;
  while (rut_time(w.data) < 12) {
    run_until(&w, rut_time(w.data) + 0.1);
    s = rut_vehicle_state(w.model, w.data, 0);
    if (rut_time(w.data) > 3.5) highest = fmax(highest, s.position[2]);
  }
  assert_true(highest < 10);
  assert_at_rest(&w);
  rutEnergy e;
  assert_true(rut_vehicle_energy(w.model, w.data, 0, &e));
  assert_near(e.residual, 0, 1e-3 * e.throughput);
  close_world(&w);
}

// What starts with its hubs inside the ground is refused. With tyres pressed in by d it gets out as
// high as the energy in them carries, 4 k d^2/2 = m g h, or less.
static void test_start_inside(void** state) {
  (void)state;
  const char deep[] = "<world>" CART("position='0 0 -2' on_ground='false'", "", SPRUNG) "</world>";
  World w = {0};
  rutError err;
  rutSpec* spec = NULL;
  assert_int_equal(rut_context_create(NULL, &w.context, &err), RUT_OK);
  assert_int_equal(rut_spec_parse(w.context, deep, sizeof deep - 1, "t.xml", &spec, &err), RUT_OK);
  assert_int_equal(rut_compile(spec, &w.model, &err), RUT_ERR_MODEL);
  assert_non_null(strstr(err.message, "starts inside the ground: a wheel's hub is 1.8 m below"));
  assert_null(w.model);
  rut_spec_destroy(spec);
  rut_context_destroy(w.context);

  w = build_on("", "",
               "<vehicle position='0 0 -0.15' on_ground='false'>"
               "<chassis mass='50' com='0 0 0.3' z_min='0.2'/>"
               "<axle x='0.4' track='0.6' radius='0.2' wheel_mass='2'/>"
               "<axle x='-0.4' track='0.6' radius='0.2' wheel_mass='2'/>" SPRUNG "</vehicle>");
  double highest = 0;
  while (rut_time(w.data) < 10) {
    run_until(&w, rut_time(w.data) + 0.02);
    highest = fmax(highest, rut_vehicle_state(w.model, w.data, 0).position[2]);
  }
  assert_true(highest > 0.05 && highest + 0.15 < 4 * 0.5 * 4e4 * 0.15 * 0.15 / (58 * 9.81));
  assert_at_rest(&w);
  close_world(&w);
}

// Wheels of 1 m and 5 cm carry the same, and roll with the same speed at their treads.
static void test_unlike_wheels(void** state) {
  (void)state;
  const char* vehicle =
      "<vehicle><chassis mass='50' com='0 0 0.3' outline='-0.5 -0.2 0.5 -0.2 0.5 0.2 -0.5 0.2'/>"
      "<axle x='0.4' track='0.6' radius='1' wheel_mass='2'/>"
      "<axle x='-0.4' track='0.6' radius='0.05' wheel_mass='2'/>" SPRUNG "%s</vehicle>";
  char text[2000];
  snprintf(text, sizeof text, vehicle, "");
  World w = build_on("", "", text);
  run_until(&w, 5);
  assert_at_rest(&w);
  close_world(&w);
  snprintf(text, sizeof text, vehicle,
           "<drive type='dc_motor' gear='10'/><controller type='p_gravity' speed='2'/>");
  w = build_on("", "", text);
  run_until(&w, 10);
  assert_near(rut_vehicle_state(w.model, w.data, 0).velocity[0], 2, 0.1);
  const double large = rut_wheel_state(w.model, w.data, 0).speed;
  const double small = rut_wheel_state(w.model, w.data, 2).speed;
  // the radius that counts lies between that with load and that without
  assert_true(large / small > (0.05 - CART_SAG) / (1 - CART_SAG) && large / small < 0.05 / 1);
  close_world(&w);
}

// Without gravity nothing presses it to the ground and nothing stops it.
static void test_no_gravity(void** state) {
  (void)state;
  World w = build_on("gravity='0'", "", CART("velocity='2 0 0'", "", SPRUNG));
  run_until(&w, 10);
  const rutVehicleState s = rut_vehicle_state(w.model, w.data, 0);
  assert_near(s.position[0], 20, 1e-9);
  assert_near(s.position[2], 0, 1e-9);
  for (int i = 0; i < 3; i++) assert_near(s.rate[i], 0, 1e-12);
  for (int i = 0; i < 4; i++) {
    assert_near(rut_wheel_state(w.model, w.data, i).load, 0, 1e-9);
  }
  close_world(&w);
}

// Wheels that swing with 500 Hz, in steps of 20 ms: the default integrator stands and rolls as with
// soft ones; Runge-Kutta steps say what went wrong.
static void test_stiff_springs_and_long_steps(void** state) {
  (void)state;
  static const char stiff[] =
      "<suspension type='slider' stiffness='4e6' damping='2e4'/>"
      "<tyre type='linear' stiffness='2e7' damping='1e3'/>";
  char vehicle[2000];
  snprintf(vehicle, sizeof vehicle, CART("velocity='%g 0 0'", "", "%s"), 0.0, stiff);
  World w = build_on("timestep='20 ms'", "", vehicle);
  run_until(&w, 5);
  rutVehicleState s = rut_vehicle_state(w.model, w.data, 0);
  for (int i = 0; i < 3; i++) assert_near(s.velocity[i], 0, 1e-9);
  for (int i = 0; i < 4; i++) {
    assert_near(rut_wheel_state(w.model, w.data, i).load, CART_LOAD, 1e-6);
  }
  close_world(&w);

  const char rough[] = "<terrain type='iso8608' class='C'/>";
  snprintf(vehicle, sizeof vehicle, CART("velocity='%g 0 0'", "", "%s"), 5.0, stiff);
  w = build_on("timestep='20 ms'", rough, vehicle);
  run_until(&w, 10);
  s = rut_vehicle_state(w.model, w.data, 0);
  // rolling resistance of 1 % takes 0.1 m/s a second, and bumps take some more
  assert_true(s.velocity[0] > 3 && s.velocity[0] < 5);
  assert_near(s.position[2], 0, 0.1);
  close_world(&w);

  w = build_on("timestep='20 ms' integrator='rk4'", rough, vehicle);
  rutError err = {0};
  while (err.status == RUT_OK && rut_time(w.data) < 10) rut_step(w.model, w.data, &err);
  assert_int_not_equal(err.status, RUT_OK);
  assert_non_null(strstr(err.message, "no longer finite"));
  close_world(&w);
}

// A wheel of 20 cm meets faces up to higher than itself, and so does the chassis: nothing that
// comes at 3 m/s leaves faster, or is thrown up.
static void test_upright_faces(void** state) {
  (void)state;
  static const double heights[] = {0.1, 0.18, 0.2, 0.25, 0.4, 0.7};
  for (int i = 0; i < (int)(sizeof heights / sizeof *heights); i++) {
    char text[3000];
    snprintf(
        text, sizeof text,
        "<world><terrain type='step' height='%g'/>" CART(
            "position='-2 0 0' velocity='3 0 0'", "",
            "<suspension type='slider' stiffness='4000' damping='300' bump_travel='0.1' "
            "rebound_travel='0.1'/><tyre type='linear' stiffness='4e4' damping='100'/>") "</world>",
        heights[i]);
    World w = open_world(text);
    rutError err;
    double highest = 0, fastest = 0;
    while (rut_time(w.data) < 3) {
      assert_int_equal(rut_step(w.model, w.data, &err), RUT_OK);
      const rutVehicleState s = rut_vehicle_state(w.model, w.data, 0);
      const double* v = s.com_velocity;
      fastest = fmax(fastest, sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]));
      highest = fmax(highest, s.position[2]);
    }
    if (!(fastest < 3.1) || !(highest < 0.45)) {
      fail_msg("step of %g m: %g m/s, %g m high", heights[i], fastest, highest);
    }
    close_world(&w);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_gear_reaction),
      cmocka_unit_test(test_steering_reaction),
      cmocka_unit_test(test_same_among_others),
      cmocka_unit_test(test_edge_of_the_map),
      cmocka_unit_test(test_fast),
      cmocka_unit_test(test_upside_down),
      cmocka_unit_test(test_upright_faces),
      cmocka_unit_test(test_small_hole),
      cmocka_unit_test(test_large_hole),
      cmocka_unit_test(test_plane_edge),
      cmocka_unit_test(test_drop),
      cmocka_unit_test(test_start_inside),
      cmocka_unit_test(test_unlike_wheels),
      cmocka_unit_test(test_no_gravity),
      cmocka_unit_test(test_stiff_springs_and_long_steps),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
