// SPDX-License-Identifier: BSD-3-Clause
//
// Vehicles on axles under twist_ideal: the motion is closed forms on circles, slopes and steps; at
// rest they stand as dynamics has them.
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

#define GRAVITY 9.81

// Two tons on four sprung wheels, 3 m between the axles, 2 m across; no steering unless given.
#define CHASSIS(height)                   \
  "<chassis mass='2000' com='0 0 " height \
  "' z_min='0.4' z_max='1.4' outline='"   \
  "-2 -0.9, 2 -0.9, 2 0.9, -2 0.9'/>"
#define VEHICLE(attributes, front, inside) VEHICLE_AS_HIGH("0.9", attributes, front, inside)
#define VEHICLE_AS_HIGH(height, attributes, front, inside) \
  "<vehicle name='a' " attributes ">" CHASSIS(height)                                         \
  "<suspension type='slider' stiffness='60000' damping='6000'/>"                              \
  "<tyre type='linear' stiffness='400000' damping='2000'/>"                                   \
  "<axle x='1.5' track='2' radius='0.5' width='0.3' wheel_mass='60' brake='9000' " front      \
  "/><axle x='-1.5' track='2' radius='0.5' width='0.3' wheel_mass='60' brake='9000'/>" inside \
  "</vehicle>"
#define IDEAL(set_points) "<controller type='twist_ideal' " set_points "/>"
#define WORLD(inside)     "<world timestep='2 ms'>" inside "</world>"
#define HELD              "<drive type='open'/><controller type='pedals' brake='1'/>"

static rutVehicleState state_of(const World* w) { return rut_vehicle_state(w->model, w->data, 0); }

// A motion of constant twist (v, 0, rate) for a time goes to (v/rate) (sin, 1 - cos) of the turn.
static void assert_on_circle(const World* w, double v, double rate) {
  const double turn = rate * rut_time(w->data), radius = v / rate;
  const rutVehicleState s = state_of(w);
  assert_near(s.position[0], radius * sin(turn), 1e-9);
  assert_near(s.position[1], radius * (1 - cos(turn)), 1e-9);
  assert_near(s.yaw, turn, 1e-9);
  assert_near(s.velocity[0], v, 1e-12);
  assert_near(s.velocity[1], 0, 1e-12);
  assert_near(s.rate[2], rate, 1e-12);
}

static void test_circle(void** state) {
  (void)state;
  World w = open_world(WORLD(VEHICLE("", "", IDEAL("speed='3' yaw_rate='0.5'"))));
  run_until(&w, 20);
  assert_on_circle(&w, 3, 0.5);
  // Centripetal acceleration to the left and weight: v w, and further out by y, (v - w y) w. The
  // mean of a step is sin(a)/a of it, in axes half a step back.
  rutMotion m;
  const double mount[6] = {0, 1, 0, 0, 0, 0};
  assert_true(rut_motion(w.model, w.data, 0, NULL, &m));
  assert_near(m.proper_acceleration[0], 0, 1e-3);
  assert_near(m.proper_acceleration[1], 1.5, 1e-6);
  assert_near(m.proper_acceleration[2], GRAVITY, 1e-9);
  assert_near(m.angular_velocity[2], 0.5, 1e-12);
  assert_true(rut_motion(w.model, w.data, 0, mount, &m));
  assert_near(m.proper_acceleration[1], 1.25, 1e-6);
  assert_near(m.velocity[0], 2.5, 1e-12);
  close_world(&w);
}

// A planar vehicle goes on the same circle whatever its tyres would have it do, with any step and
// either integrator, its centre of mass beside the reference point.
static void test_planar_circle(void** state) {
  static const char* const worlds[] = {"timestep='1 ms'", "timestep='5 ms'", "timestep='20 ms'",
                                       "timestep='20 ms' integrator='rk4'"};
  (void)state;
  for (int i = 0; i < 4; i++) {
    char text[1500];
    (void)snprintf(
        text, sizeof text,
        "<world %s><vehicle name='a'><chassis mass='30' com='0.2 0.05' outline='-0.6 -0.25 0.6 "
        "-0.25 "
        "0.6 0.25 -0.6 0.25'/><wheel place='rear_left' position='-0.2 0.3'/>"
        "<wheel place='rear_right' position='-0.2 -0.3'/><wheel place='front_left' position='0.2 "
        "0.3'/><wheel place='front_right' position='0.2 -0.3'/><tyre type='coulomb' "
        "friction='0.7'/>"
        "<controller type='twist_ideal' speed='1.5' yaw_rate='0.5'/></vehicle></world>",
        worlds[i]);
    World w = open_world(text);
    step_world(&w);
    assert_on_circle(&w, 1.5, 0.5);
    run_until(&w, 6);
    assert_on_circle(&w, 1.5, 0.5);
    close_world(&w);
  }
}

// In front of a wall it stands.
static void test_planar_wall(void** state) {
  (void)state;
  World w = open_world(
      "<world><block name='wall' fixed='true' position='2 0' outline='0 -3, 1 -3, 1 3, 0 3'/>"
      "<vehicle name='a'><chassis mass='30' outline='-0.5 -0.25 0.5 -0.25 0.5 0.25 -0.5 0.25'/>"
      "<wheel place='left' position='0 0.3'/><wheel place='right' position='0 -0.3'/>"
      "<tyre type='coulomb'/><controller type='twist_ideal' speed='1'/></vehicle></world>");
  run_until(&w, 5);
  assert_near(state_of(&w).position[0], 1.5, 0.03);
  assert_near(state_of(&w).velocity[0], 0, 1e-9);
  close_world(&w);
}

// Wheels roll on the ground under them: hub speed over the rolling radius, the radius less a third
// of the deflection. Loads balance weight and centripetal force.
static void test_wheels(void** state) {
  (void)state;
  World w = open_world(WORLD(VEHICLE("", "", IDEAL("speed='3' yaw_rate='0.5'"))));
  run_until(&w, 1);
  double load[4], lateral = 0;
  for (int i = 0; i < 4; i++) {
    const rutWheelState s = rut_wheel_state(w.model, w.data, i);
    const double y = i % 2 ? -1 : 1;
    assert_near(s.speed, (3 - 0.5 * y) / (0.5 - s.deflection / 3), 1e-9);
    assert_near(s.hub_velocity[0], 3 - 0.5 * y, 1e-9);
    load[i] = s.load;
    lateral += s.force[1];
  }
  const double mass = 2240, inward = mass * 1.5;
  assert_near(load[0] + load[1] + load[2] + load[3], mass * GRAVITY, 1e-6);
  assert_near(lateral, inward, 1e-6);
  // about the middle of the track, at the height of the centre of mass: the chassis's, which has
  // sunk in with the tyres, and the wheels' at the height of the hubs
  const double sunk = mass * GRAVITY / 4 / 400e3;
  const double moment = 1.5 * (2000 * (0.9 - sunk) + 240 * (0.5 - sunk));
  assert_close(load[1] + load[3] - load[0] - load[2], moment, 2e-3, 1);
  close_world(&w);
}

// Ackermann: cot of the angles of inner and outer wheel are (R - y)/L. No wheel turns further than
// it can: the inner one stands at its stop on the smallest circle.
static void test_steering(void** state) {
  (void)state;
  World w = open_world(WORLD(VEHICLE("", "max_steer='0.6'", IDEAL("speed='3' yaw_rate='0.5'"))));
  run_until(&w, 4);
  const rutVehicleState s = state_of(&w);
  // the fixed axle, 1.5 m behind, does not move sideways
  assert_near(s.velocity[0], 3, 1e-12);
  assert_near(s.velocity[1], 0.5 * 1.5, 1e-12);
  assert_near(rut_wheel_state(w.model, w.data, 0).steer, atan2(3, 6 - 1), 1e-12);
  assert_near(rut_wheel_state(w.model, w.data, 1).steer, atan2(3, 6 + 1), 1e-12);
  assert_near(rut_wheel_state(w.model, w.data, 2).steer, 0, 0);
  const double tight[3] = {2, 0, -5}, back[3] = {-2, 0, -0.2}, turn[3] = {0, 0, 1};
  assert_int_equal(rut_command(w.model, w.data, 0, 3, tight), RUT_OK);
  step_world(&w);
  assert_near(rut_wheel_state(w.model, w.data, 1).steer, -0.6, 1e-12);
  assert_near(state_of(&w).rate[2], -2 / (3 / tan(0.6) + 1), 1e-12);
  // backwards to the right of its way: the wheels point to the left
  assert_int_equal(rut_command(w.model, w.data, 0, 3, back), RUT_OK);
  step_world(&w);
  assert_near(rut_wheel_state(w.model, w.data, 0).steer, atan2(3, 10 - 1), 1e-12);
  // it cannot turn where it stands
  assert_int_equal(rut_command(w.model, w.data, 0, 3, turn), RUT_OK);
  step_world(&w);
  assert_near(state_of(&w).rate[2], 0, 0);
  close_world(&w);
}

// A linkage turns the wheels of a HMMWV; its path is the circle all the same.
static void test_linkage(void** state) {
  (void)state;
  World w = open_hmmwv("timestep='1 ms'", "ideal='1'");
  const double twist[3] = {4, 0, 0.4};
  assert_int_equal(rut_command(w.model, w.data, 0, 3, twist), RUT_OK);
  run_until(&w, 10);
  const double behind = 1.653405, turn = 4.0, radius = 10;
  const rutVehicleState s = state_of(&w);
  assert_near(s.velocity[1], 0.4 * behind, 1e-9);
  assert_near(s.position[0], radius * sin(turn) + behind * cos(turn) - behind, 1e-4);
  assert_near(s.position[1], radius * (1 - cos(turn)) + behind * sin(turn), 1e-4);
  const double inner = rut_wheel_state(w.model, w.data, 0).steer;
  const double outer = rut_wheel_state(w.model, w.data, 1).steer;
  assert_near(0.5 * (inner + outer), atan(3.302 / radius), 0.02);
  assert_true(inner > outer && outer > 0.2);
  close_world(&w);
}

// Whatever ground they stand on, it carries them as it does with all of the dynamics.
static void assert_stands_as(const char* ideal, const char* held, double height, double angle) {
  World a = open_project_world(ideal), b = open_project_world(held);
  step_world(&a);
  run_until(&b, 8);
  const rutVehicleState k = state_of(&a), d = state_of(&b);
  // held by brakes, it may have crept along while it settled
  const double crept = fabs(d.position[0] - k.position[0]) + fabs(d.position[1] - k.position[1]);
  assert_near(k.position[2], d.position[2], height + crept);
  assert_near(k.roll, d.roll, angle);
  assert_near(k.pitch, d.pitch, angle);
  for (int i = 0; i < 4; i++) {
    const rutWheelState at = rut_wheel_state(a.model, a.data, i);
    const rutWheelState rest = rut_wheel_state(b.model, b.data, i);
    assert_near(at.deflection, rest.deflection, height);
    assert_near(at.travel, rest.travel, 2 * height);
    assert_close(at.load, rest.load, 0.02, 1);
  }
  // and as it starts it does not jump
  rutMotion m;
  assert_true(rut_motion(a.model, a.data, 0, NULL, &m));
  assert_near(m.velocity[2], 0, 1e-6);
  close_world(&a);
  close_world(&b);
}

static void test_rest(void** state) {
  (void)state;
  assert_stands_as(WORLD(VEHICLE("", "", IDEAL(""))), WORLD(VEHICLE("", "", HELD)), 1e-4, 1e-4);
  assert_stands_as(WORLD("<include file='vehicles/hmmwv.xml' ideal='1'/>"),
                   WORLD("<include file='vehicles/hmmwv.xml' brake='1'/>"), 2e-4, 1e-4);
}

#define SLOPE(x, y) "<terrain type='plane' slope_x='" x "' slope_y='" y "'/>"
#define BUMP        "<terrain type='step' position='-5 0' y_min='0' y_max='3' height='0.05'/>"

static void test_rest_on_slopes(void** state) {
  (void)state;
  assert_stands_as(WORLD(SLOPE("0.2", "-0.1") VEHICLE("", "", IDEAL(""))),
                   WORLD(SLOPE("0.2", "-0.1") VEHICLE("", "", HELD)), 2e-3, 2e-3);
  // left wheels on a kerb
  assert_stands_as(WORLD(BUMP VEHICLE("", "", IDEAL(""))), WORLD(BUMP VEHICLE("", "", HELD)), 1e-3,
                   1e-3);
}

// Up a slope: sideways nothing, g sin along it and g cos across it, and it rises by v sin. The work
// is that against gravity, without losses.
static void assert_climbs(double slope, double within) {
  char text[2048];
  assert_true(
      snprintf(text, sizeof text,
               WORLD("<terrain type='plane' slope_x='%g'/>" VEHICLE("", "", IDEAL("speed='5'"))),
               slope) < (int)sizeof text);
  World w = open_world(text);
  const double angle = atan(slope);
  rutMotion m;
  rutEnergy e;
  step_world(&w);
  const double start = state_of(&w).position[2];
  run_until(&w, 4.002);
  assert_true(rut_motion(w.model, w.data, 0, NULL, &m));
  // the chassis leans back on its springs by the moment of its weight about the contacts; the
  // centre of mass lies (2000 x 0.9 + 240 x 0.5)/2240 m high, less what the tyres are pressed in
  const double leans = -state_of(&w).pitch - angle;
  const double rate = 1 / (1 / 60e3 + 1 / 400e3);
  assert_near(state_of(&w).position[2] - start, 5 / cos(leans) * 4 * sin(angle), 1e-6);
  const double height = 1920.0 / 2240 - 2240 * GRAVITY / 4 / 400e3;
  const double moment = 2240 * GRAVITY * sin(angle + leans) * height;
  assert_close(leans, moment / (4 * rate * 1.5 * 1.5), within, 1e-3);
  assert_near(m.proper_acceleration[0], GRAVITY * sin(angle + leans), 1e-6);
  assert_near(m.proper_acceleration[1], 0, 1e-9);
  assert_near(m.proper_acceleration[2], GRAVITY * cos(angle + leans), 1e-6);
  assert_true(rut_vehicle_energy(w.model, w.data, 0, &e));
  const double kinetic = 0.5 * 2240 * 25, spinning = 4 * 0.5 * 0.7 * 60 * 25;
  assert_close(e.drive, 2240 * GRAVITY * 5 * 4.002 * sin(angle) + kinetic + spinning, 0.01, 1);
  assert_near(e.residual, 0, 1e-6);
  assert_near(e.slip + e.rolling + e.tyre + e.damper, 0, 0);
  // all of the work has become energy of motion and height
  assert_close(e.throughput, e.drive, 1e-12, 0);
  close_world(&w);
}

static void test_slope(void** state) {
  (void)state;
  assert_climbs(0.2, 5e-3);
  assert_climbs(1, 0.05);
}

// A slope of 79 degrees, up, across and between: a vehicle whose weight hangs low stands along it.
static void test_steep_slopes(void** state) {
  (void)state;
  static const char* const slopes[] = {SLOPE("5", "0"), SLOPE("0", "5"), SLOPE("-3", "4")};
  for (int i = 0; i < 3; i++) {
    char text[2048];
    (void)snprintf(text, sizeof text,
                   WORLD("%s" VEHICLE_AS_HIGH("-0.3", "", "", IDEAL("speed='3'"))), slopes[i]);
    World w = open_world(text);
    run_until(&w, 2);
    const rutVehicleState s = state_of(&w);
    // the z axis of the chassis is the normal, but for what the springs give way
    assert_near(cos(s.roll) * cos(s.pitch), 1 / sqrt(26), 0.02);
    assert_near(sqrt(s.velocity[0] * s.velocity[0] + s.velocity[2] * s.velocity[2]), 3, 0.2);
    close_world(&w);
  }
}

// Faster round a bend than it could stand, v rate h > g b/2: the outer wheels carry all of the
// weight, and no more.
static void test_tipping(void** state) {
  (void)state;
  World w = open_world(WORLD(VEHICLE("", "", IDEAL("speed='20' yaw_rate='1'"))));
  run_until(&w, 2);
  double load[4];
  for (int i = 0; i < 4; i++) load[i] = rut_wheel_state(w.model, w.data, i).load;
  assert_near(load[0] + load[2], 0, 0);
  assert_close(load[1] + load[3], 2240 * GRAVITY, 1e-9, 0);
  close_world(&w);
}

// Over a kerb of 0.1 m: with the front wheels up the middle of the chassis is half as high, nose up
// by 0.1 over the wheelbase. A wheel rolls over the edge: with the edge d ahead of a hub of radius
// r the hub stands sqrt(r^2 - d^2) above it.
static void test_kerb(void** state) {
  (void)state;
  World w = open_world(WORLD(
      "<terrain type='step' position='3 0' height='0.1'/>" VEHICLE("", "", IDEAL("speed='1'"))));
  step_world(&w);
  const double level = state_of(&w).position[2];
  const double below = rut_wheel_pose(w.model, w.data, 0).position[2];
  double highest = 0;
  while (state_of(&w).position[0] < 3) {
    step_world(&w);
    highest = fmax(highest, fabs(state_of(&w).velocity[2]));
  }
  // it climbs no faster than the edge lifts a wheel: d/(r - 0.1) of the speed, half of it in the
  // middle
  assert_true(highest > 0.2 && highest < 0.8);
  assert_near(state_of(&w).position[2] - level, 0.05, 1e-3);
  assert_near(state_of(&w).pitch, -atan(0.1 / 3), 2e-3);
  while (state_of(&w).position[0] < 5) step_world(&w);
  assert_near(state_of(&w).position[2] - level, 0.1, 1e-4);
  assert_near(state_of(&w).pitch, 0, 1e-3);
  assert_near(rut_wheel_pose(w.model, w.data, 0).position[2] - below, 0.1, 1e-4);
  close_world(&w);
}

// On the way up a stiff wheel's hub is on the circle about the edge.
static void test_edge(void** state) {
  (void)state;
  World w =
      open_world(WORLD("<terrain type='step' position='3 0' height='0.1'/>"
                       "<vehicle name='a'>" CHASSIS(
                           "0.9") "<suspension type='slider' stiffness='60000'/>"
                                  "<tyre type='linear' stiffness='1e9'/>"
                                  "<axle x='1.5' track='2' radius='0.5' wheel_mass='60'/>"
                                  "<axle x='-1.5' track='2' radius='0.5' wheel_mass='60'/>" IDEAL(
                                      "speed='0.5'") "</vehicle>"));
  step_world(&w);
  int found = 0;
  while (state_of(&w).position[0] < 1.4) {
    step_world(&w);
    const rutWheelPose hub = rut_wheel_pose(w.model, w.data, 0);
    const double d = 3 - hub.position[0];
    if (d > 0.28 || d < 0.01) continue;
    assert_near(hub.position[2] - 0.1, sqrt(0.25 - d * d), 1.5e-3);
    found++;
  }
  assert_true(found > 100);
  close_world(&w);
}

// A wheel over a hole does not pull the chassis down; its spring lets it hang. The other three
// carry what three points carry.
static void test_hole(void** state) {
  (void)state;
  World w = open_world(
      WORLD("<terrain type='ditch' position='1.5 1' depth='3' width='2' y_min='-0.6' y_max='0.6'/>"
            "<vehicle name='a'><chassis mass='2000' com='-0.5 0 0.9' z_min='0.4' z_max='1.4' "
            "outline='-2 -0.9, 2 -0.9, 2 0.9, -2 0.9'/>"
            "<suspension type='slider' stiffness='60000'/><tyre type='linear' stiffness='400000'/>"
            "<axle x='1.5' track='2' radius='0.5' wheel_mass='0.01'/>"
            "<axle x='-1.5' track='2' radius='0.5' wheel_mass='0.01'/>" IDEAL("") "</vehicle>"));
  step_world(&w);
  const rutVehicleState s = state_of(&w);
  const double weight = 2000.04 * GRAVITY;
  assert_true(fabs(s.pitch) < 0.15 && fabs(s.roll) < 0.15);
  assert_near(s.position[0], 0, 1e-9);
  assert_near(s.yaw, 0, 1e-9);
  // Upwards in the vehicle's axes, as it leans: moments of the weight, at 0.9 m less what the tyres
  // are pressed in, about the rear axle and the middle.
  const double up[3] = {-sin(s.pitch), sin(s.roll) * cos(s.pitch), cos(s.roll) * cos(s.pitch)};
  const double height = 0.9 - weight / 3 / 400e3;
  const double front = weight * (1.0 * up[2] - height * up[0]) / 3;
  const double left = weight * (up[2] - height * up[1]) / 2;
  assert_near(rut_wheel_state(w.model, w.data, 0).load, 0, 0);
  assert_close(rut_wheel_state(w.model, w.data, 1).load, front, 0.01, 1);
  assert_close(rut_wheel_state(w.model, w.data, 2).load, left, 0.01, 1);
  assert_close(rut_wheel_state(w.model, w.data, 3).load, weight * up[2] - front - left, 0.03, 1);
  close_world(&w);
}

// Over a gap between two planes that both axles fall into one after the other: the wheels that find
// ground carry all of the weight, wheels fall by half of their radius of 0.5 m at least, but their
// hubs not below the ground, and both axles climb out again.
static void assert_crosses(double dt, double speed) {
  char text[2048];
  assert_true(snprintf(text, sizeof text,
                       "<world timestep='%g'><plane x_min='-20' x_max='-0.7' y_min='-5' y_max='5'/>"
                       "<plane x_min='0.7' x_max='20' y_min='-5' y_max='5'/>" VEHICLE(
                           "position='%g 0 0'", "", IDEAL("speed='%g'")) "</world>",
                       dt, -3 * speed, speed) < (int)sizeof text);
  World w = open_world(text);
  step_world(&w);
  const double level = state_of(&w).position[2];
  double lowest = 1;
  while (rut_time(w.data) < 6 / fabs(speed) * 2) {
    step_world(&w);
    double load = 0;
    for (int i = 0; i < 4; i++) {
      load += rut_wheel_state(w.model, w.data, i).load;
      lowest = fmin(lowest, rut_wheel_pose(w.model, w.data, i).position[2]);
    }
    // that across the chassis, which leans by less than 8 degrees
    assert_true(load > 2240 * GRAVITY * cos(0.14));
    assert_true(load < 2240 * GRAVITY * (1 + 1e-9));
  }
  assert_true(lowest > 0 && lowest < 0.25);
  assert_near(state_of(&w).position[2], level, 1e-6);
  assert_near(state_of(&w).pitch, 0, 1e-6);
  close_world(&w);
}

static void test_gap(void** state) {
  (void)state;
  assert_crosses(0.001, 2);
  assert_crosses(0.005, 2);
  assert_crosses(0.02, 2);
  assert_crosses(0.005, -2);
  assert_crosses(0.001, 1);
}

// A wall holds it up as long as it is there.
static void test_wall(void** state) {
  (void)state;
  World w = open_world(
      WORLD("<block name='wall' position='6 0 0' fixed='true' outline='0 -5, 1 -5, 1 5, 0 5' "
            "z_max='2'/>" VEHICLE("", "", IDEAL("speed='2'"))));
  run_until(&w, 4);
  const rutVehicleState s = state_of(&w);
  assert_near(s.position[0], 4, 0.02);
  assert_true(s.collision);
  assert_near(s.velocity[0], 0, 1e-9);
  const double back[3] = {-1, 0, 0};
  assert_int_equal(rut_command(w.model, w.data, 0, 3, back), RUT_OK);
  run_until(&w, 6);
  assert_near(state_of(&w).position[0], 2, 0.05);
  close_world(&w);
}

// One among nine has the bits that it has alone; a state that is restored goes on as it did.
static void test_bits(void** state) {
  static const char* const vehicle =
      "<include file='vehicles/hmmwv.xml' name='v%d' y='%d' ideal='1'/>";
  char text[4000] = "<world><terrain type='iso8608' class='D' form='area'/>";
  (void)state;
  for (int i = 0; i < 9; i++) sprintf(text + strlen(text), vehicle, i, 10 * i);
  strcat(text, "</world>");
  World many = open_project_world(text);
  sprintf(text, "<world><terrain type='iso8608' class='D' form='area'/>");
  sprintf(text + strlen(text), vehicle, 3, 30);
  strcat(text, "</world>");
  World one = open_project_world(text);
  for (int i = 0; i < 9; i++) {
    const double twist[3] = {1 + i, 0, 0.1 * (i - 2)};
    assert_int_equal(rut_command(many.model, many.data, i, 3, twist), RUT_OK);
    if (i == 3) assert_int_equal(rut_command(one.model, one.data, 0, 3, twist), RUT_OK);
  }
  run_until(&many, 0.5);
  run_until(&one, 0.5);
  const size_t size = rut_state_size(one.model, one.data, RUT_STATE_ALL);
  void* kept = malloc(size);
  assert_int_equal(rut_state_get(one.model, one.data, RUT_STATE_ALL, kept, size), RUT_OK);
  run_until(&many, 1);
  run_until(&one, 1);
  const rutVehicleState a = state_of(&one), b = rut_vehicle_state(many.model, many.data, 3);
  assert_memory_equal(a.position, b.position, sizeof a.position);
  assert_memory_equal(a.velocity, b.velocity, sizeof a.velocity);
  const uint64_t hash = rut_state_hash(one.model, one.data);
  assert_int_equal(rut_state_set(one.model, one.data, RUT_STATE_ALL, kept, size), RUT_OK);
  run_until(&one, 1);
  assert_true(rut_state_hash(one.model, one.data) == hash);
  free(kept);
  close_world(&one);
  close_world(&many);
}

// Memory that is handed out may hold anything: six wheels leave places for two more that no wheel
// fills.
static void* filled_alloc(size_t size, size_t align, void* user) {
  void* block = aligned_alloc(align < 16 ? 16 : align, (size + 63) & ~(size_t)63);
  if (block) memset(block, *(const int*)user, size);
  return block;
}
static void filled_free(void* block, void* user) {
  (void)user;
  free(block);
}

static uint64_t hash_with_memory(int filling) {
  rutContextDef def = rut_default_context();
  def.alloc = filled_alloc;
  def.free = filled_free;
  def.user = &filling;
  World w = {0};
  assert_int_equal(rut_context_create(&def, &w.context, NULL), RUT_OK);
  load_world(&w,
             "<world><terrain type='iso8608' class='D' form='area'/><vehicle name='a'>" CHASSIS("0.9")
             "<suspension type='slider'/><tyre type='linear'/>"
             "<axle x='1.5' track='2' radius='0.5' wheel_mass='60'/>"
             "<axle x='0' track='2' radius='0.5' wheel_mass='60'/>"
             "<axle x='-1.5' track='2' radius='0.5' wheel_mass='60'/>" IDEAL(
                 "speed='3' yaw_rate='0.5'") "</vehicle></world>",
             "test.xml", NULL, NULL);
  run_until(&w, 0.2);
  const uint64_t hash = rut_state_hash(w.model, w.data);
  close_world(&w);
  return hash;
}

static void test_memory(void** state) {
  (void)state;
  const uint64_t zero = hash_with_memory(0);
  assert_true(hash_with_memory(0x3f) == zero);
  assert_true(hash_with_memory(0xff) == zero);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_circle),      cmocka_unit_test(test_planar_circle),
      cmocka_unit_test(test_planar_wall), cmocka_unit_test(test_wheels),
      cmocka_unit_test(test_steering),    cmocka_unit_test(test_linkage),
      cmocka_unit_test(test_rest),        cmocka_unit_test(test_rest_on_slopes),
      cmocka_unit_test(test_slope),       cmocka_unit_test(test_steep_slopes),
      cmocka_unit_test(test_tipping),     cmocka_unit_test(test_kerb),
      cmocka_unit_test(test_edge),        cmocka_unit_test(test_hole),
      cmocka_unit_test(test_wall),        cmocka_unit_test(test_gap),
      cmocka_unit_test(test_bits),        cmocka_unit_test(test_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
