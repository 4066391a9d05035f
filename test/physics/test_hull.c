// SPDX-License-Identifier: BSD-3-Clause
//
// The chassis of vehicles on axles against the ground, through the public interface: posts, ridges,
// ledges and crests are met where they are, belly and roof rub with Coulomb's friction, and nothing
// passes through or gains energy. References are places that geometry tells, conservation laws and
// closed forms.
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
#include "repetitions.h"
#include "vehicle_world.h"

#define PI 3.14159265358979323846
#define G  9.80665

// As deep as the hull's spring lets things come: millimetres at rest, some more in a crash [m].
#define SPRING 0.02

static uint32_t seed = 3;
static double between(double low, double high) {
  seed = seed * 1664525u + 1013904223u;
  return low + (high - low) * ((seed >> 8) + 0.5) / 16777216.0;
}

// A point of the world in a vehicle's own axes.
static void local(const World* w, int vehicle, const double point[3], double out[3]) {
  rutMotion m;
  assert_true(rut_motion(w->model, w->data, vehicle, NULL, &m));
  const double q = m.attitude[0], a[3] = {-m.attitude[1], -m.attitude[2], -m.attitude[3]};
  const double u[3] = {point[0] - m.position[0], point[1] - m.position[1],
                       point[2] - m.position[2]};
  const double t[3] = {a[1] * u[2] - a[2] * u[1] + q * u[0], a[2] * u[0] - a[0] * u[2] + q * u[1],
                       a[0] * u[1] - a[1] * u[0] + q * u[2]};
  out[0] = u[0] + 2 * (a[1] * t[2] - a[2] * t[1]);
  out[1] = u[1] + 2 * (a[2] * t[0] - a[0] * t[2]);
  out[2] = u[2] + 2 * (a[0] * t[1] - a[1] * t[0]);
}

// Depth of a point in the box of a chassis x_min x_max y_min y_max z_min z_max; negative outside.
static double depth_in(const World* w, int vehicle, const double box[6], double x, double y,
                       double z) {
  double p[3], least = INFINITY;
  local(w, vehicle, (double[]){x, y, z}, p);
  for (int i = 0; i < 3; i++) least = fmin(least, fmin(p[i] - box[2 * i], box[2 * i + 1] - p[i]));
  return least;
}

static const double hmmwv_box[6] = {-2.35, 2.35, -1, 1, -0.12, 1.25};

static void assert_balance(const World* w, int vehicle, double part) {
  rutEnergy e;
  assert_true(rut_vehicle_energy(w->model, w->data, vehicle, &e));
  assert_near(e.residual, 0, part * e.throughput);
}

// ---- obstacles ----

// A post of 3 m before a bumper between the wheels: it stops the vehicle, and none of it gets
// inside by more than the spring gives.
static void test_post(void** state) {
  (void)state;
  World w = open_project_world(
      "<world timestep='1 ms'><soil name='road' type='magic_formula'/>"
      "<terrain type='step' position='10 0' height='3 m' x_max='0.3 m' y_min='0.2' y_max='0.5'/>"
      "<include file='vehicles/hmmwv.xml' x='7' speed='2.9' start='2.9 0 0'/></world>");
  double deepest = -1, fastest = 0;
  while (rut_time(w.data) < 3) {
    step_world(&w);
    for (int i = 0; i < 31 * 16; i++) {
      const double y = 0.2 + 0.3 * (i % 16) / 15.0, z = 0.1 * (i / 16);
      deepest = fmax(deepest, depth_in(&w, 0, hmmwv_box, 10, y, z));
    }
    fastest = fmin(fastest, rut_vehicle_state(w.model, w.data, 0).velocity[0]);
  }
  const rutVehicleState s = rut_vehicle_state(w.model, w.data, 0);
  rutEnergy e;
  assert_true(rut_vehicle_energy(w.model, w.data, 0, &e));
  assert_true(deepest > 0 && deepest < 2 * SPRING);
  assert_true(s.position[0] < 10 - 2.35 + SPRING);
  assert_true(fastest > -0.5);
  assert_true(e.hull > 5e3);
  assert_balance(&w, 0, 1e-3);
  close_world(&w);
}

// Without weight a cart meets a narrow post at y = 0.15, 1 m/s: its force goes through the post, so
// that the angular momentum about that stays, I w + m ((x - x_p) v_y - (y - y_p) v_x), I with the
// wheels about the whole's centre. A fence of 3 mm at 20 m/s lets nothing through.
static void test_momentum_at_a_post(void** state) {
  (void)state;
  World w = open_world(
      "<world gravity='0' timestep='1 ms'>"
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
  // it arrives at 1.5 s; later it turns into the post again
  run_until(&w, 1.7);
  const rutVehicleState s = rut_vehicle_state(w.model, w.data, 0);
  const double inertia = 4 + 4 * (0.02 + 2 * (0.2 * 0.2 + 0.1 * 0.1)), *v = s.com_velocity;
  const double about = 58 * ((s.position[0] - 2) * v[1] - (s.position[1] - 0.15) * v[0]);
  assert_true(58 * (1 - v[0]) > 30);
  assert_near(inertia * s.rate[2] + about, 58 * 0.15, 0.02 * 58 * 0.15);
  assert_balance(&w, 0, 1e-3);
  close_world(&w);

  w = open_project_world(
      "<world timestep='1 ms'><soil name='road' type='magic_formula'/>"
      "<terrain type='step' position='10.013 0' height='1 m' x_max='3 mm'/>"
      "<include file='vehicles/hmmwv.xml' x='6' speed='20'/></world>");
  double farthest = 0;
  while (rut_time(w.data) < 1) {
    step_world(&w);
    farthest = fmax(farthest, rut_vehicle_state(w.model, w.data, 0).position[0]);
  }
  // m v^2/2 of a spring of the weight over 5 mm, ten times as stiff on a patch of 1 m2, and no
  // damper
  assert_true(farthest < 10.013 - 2.35 + 20 * sqrt(0.005 / (10 * 9.81)));
  close_world(&w);
}

// A ridge of 45 degrees and 0.7 m under the belly: it never is inside, and the vehicle stays on it
// with its wheels spinning.
static void test_ridge(void** state) {
  (void)state;
  World w = open_project_world(
      "<world timestep='1 ms'><soil name='road' type='magic_formula'/>"
      "<terrain type='ditch' position='5.013 0' depth='-0.7 m' width='0 m' bank='0.7 m'/>"
      "<include file='vehicles/hmmwv.xml' speed='3' driver='1'/></world>");
  double deepest = -1;
  while (rut_time(w.data) < 6) {
    step_world(&w);
    for (int i = 0; i <= 20; i++)
      deepest = fmax(deepest, depth_in(&w, 0, hmmwv_box, 5.013, -1 + 0.1 * i, 0.7));
  }
  const rutVehicleState s = rut_vehicle_state(w.model, w.data, 0);
  assert_true(deepest > 0 && deepest < SPRING);
  assert_true(fabs(s.position[0] - 5.013) < 1.2);
  assert_near(s.velocity[0], 0, 1e-2);
  // it stands in the air at three wheels or more, or turns them
  double spin = 0;
  for (int i = 0; i < 4; i++) spin = fmax(spin, fabs(rut_wheel_state(w.model, w.data, i).speed));
  assert_true(spin > 3);
  assert_balance(&w, 0, 1e-3);
  close_world(&w);
}

// Off a step of 4 m at 2 m/s: its edge slides along belly and rear, never inside.
static void test_ledge(void** state) {
  (void)state;
  World w = open_project_world(
      "<world timestep='1 ms'><soil name='road' type='magic_formula'/>"
      "<terrain type='step' position='6 0' height='-4 m'/>"
      "<include file='vehicles/hmmwv.xml' speed='2' driver='1'/></world>");
  double deepest = -1, lowest = 0;
  while (rut_time(w.data) < 6) {
    step_world(&w);
    for (int i = 0; i <= 20; i++)
      deepest = fmax(deepest, depth_in(&w, 0, hmmwv_box, 6, -1 + 0.1 * i, 0));
    lowest = fmin(lowest, rut_vehicle_state(w.model, w.data, 0).position[2]);
  }
  assert_true(deepest > 0 && deepest < SPRING);
  assert_true(lowest < -1);
  assert_balance(&w, 0, 2e-3);
  close_world(&w);
}

// Wheels of 0.47 m, 3.302 m apart, on two planes that rise to a crest between them, and a belly
// 0.41 m above the line under the wheels: by plane geometry it touches from -tan(B) L/2 + r/cos(B)
// - r + 0.41 = 0 on, that is B = 14.447 degrees (break-over angle 28.894).
static double carried_by_wheels(double degrees) {
  char text[2000];
  snprintf(text, sizeof text,
           "<world timestep='1 ms'><terrain type='ditch' depth='-2' width='0' bank='%.9f'/>"
           "<vehicle position='0 0 %.9f' on_ground='false'><chassis mass='1000' com='0 0 0.8' "
           "outline='-2 -0.9 2 -0.9 2 0.9 -2 0.9' z_min='0.41' z_max='1.4'/>"
           "<axle x='1.651' track='1.6' radius='0.47' width='0.02' wheel_mass='20'/>"
           "<axle x='-1.651' track='1.6' radius='0.47' width='0.02' wheel_mass='20'/>"
           "<suspension type='massless' stiffness='1e8' damping='1e6' travel='0.01'/>"
           "<tyre type='linear' stiffness='1e8' damping='1e5'/></vehicle></world>",
           2 / tan(degrees * PI / 180),
           2 - 1.651 * tan(degrees * PI / 180) + 0.47 / cos(degrees * PI / 180) - 0.47 + 1e-3);
  World w = open_world(text);
  run_until(&w, 2);
  double load = 0;
  for (int i = 0; i < 4; i++) load += rut_wheel_state(w.model, w.data, i).load;
  close_world(&w);
  return load;
}

static void test_break_over(void** state) {
  (void)state;
  const double above = carried_by_wheels(14.447 - 0.2), below = carried_by_wheels(14.447 + 0.2);
  // wheels that carry all press along the planes' normals, and friction may hold some
  assert_true(above > 0.9 * 1000 * G);
  assert_true(below < 0.9 * above);
}

// ---- friction ----

// On its roof with friction mu it slides v^2/(2 mu g) and stays there.
static void test_slide(void** state) {
  (void)state;
  static const double mu[] = {0.2, 0.5};
  for (int i = 0; i < repetitions(2, 1); i++) {
    char text[2000];
    snprintf(text, sizeof text,
             "<world timestep='1 ms' gravity='9.80665'>"
             "<vehicle position='0 0 0.6' roll='180 deg' on_ground='false' velocity='5 0 0'>"
             "<chassis mass='50' com='0 0 0.3' inertia='2 3 4' friction='%g' "
             "outline='-0.5 -0.2 0.5 -0.2 0.5 0.2 -0.5 0.2' z_min='0.2'/>"
             "<axle x='0.4' track='0.6' radius='0.2' wheel_mass='2'/>"
             "<axle x='-0.4' track='0.6' radius='0.2' wheel_mass='2'/>"
             "<suspension type='slider' stiffness='4e4' damping='300'/><tyre type='linear'/>"
             "</vehicle></world>",
             mu[i]);
    World w = open_world(text);
    run_until(&w, 0.5);
    const double v = rut_vehicle_state(w.model, w.data, 0).com_velocity[0];
    run_until(&w, 1);
    const double slower = rut_vehicle_state(w.model, w.data, 0).com_velocity[0];
    assert_near(slower, v - 0.5 * mu[i] * G, 0.02 * 0.5 * mu[i] * G);
    run_until(&w, 5);
    const rutVehicleState s = rut_vehicle_state(w.model, w.data, 0);
    assert_near(s.position[0], 25 / (2 * mu[i] * G), 0.02 * 25 / (2 * mu[i] * G));
    assert_near(s.velocity[0], 0, 1e-6);
    assert_near(fabs(s.roll), PI, 0.02);
    assert_balance(&w, 0, 1e-3);
    close_world(&w);
  }
}

// On a slope below its angle of friction it stays, above it slides with g (sin - mu cos).
static void test_slope(void** state) {
  (void)state;
  static const double slope[] = {0.2, 0.5};  // rise per run, friction 0.3
  for (int i = 0; i < repetitions(2, 1); i++) {
    const double angle = atan(slope[i]);
    char text[2000];
    snprintf(text, sizeof text,
             "<world timestep='1 ms' gravity='9.80665'><terrain type='plane' slope_x='%g'/>"
             "<vehicle position='%g 0 %g' roll='180 deg' pitch='%g' on_ground='false'>"
             "<chassis mass='50' com='0 0 0.3' inertia='2 3 4' friction='0.3' "
             "outline='-0.5 -0.2 0.5 -0.2 0.5 0.2 -0.5 0.2' z_min='0.2'/>"
             "<axle x='0.4' track='0.6' radius='0.2' wheel_mass='2'/>"
             "<axle x='-0.4' track='0.6' radius='0.2' wheel_mass='2'/>"
             "<suspension type='slider' stiffness='4e4' damping='300'/><tyre type='linear'/>"
             "</vehicle></world>",
             slope[i], -0.6 * sin(angle), 0.6 * cos(angle), -angle);
    World w = open_world(text);
    run_until(&w, 1);
    rutVehicleState s = rut_vehicle_state(w.model, w.data, 0);
    const double before = hypot(s.com_velocity[0], s.com_velocity[2]);
    run_until(&w, 1.5);
    s = rut_vehicle_state(w.model, w.data, 0);
    const double gain = hypot(s.com_velocity[0], s.com_velocity[2]) - before;
    const double expected = i == 0 ? 0 : 0.5 * G * (sin(angle) - 0.3 * cos(angle));
    assert_near(gain, expected, i == 0 ? 1e-6 : 0.02 * expected);
    if (i == 0) assert_near(before, 0, 1e-4);
    close_world(&w);
  }
}

// ---- soil ----

// A level belly of 2.0 x 1.2 m that is pulled over soil by a hitch, its wheels in the air: what it
// drags is the lesser of c A + N tan(phi) and c/2 A + N tan(2 phi/3), and what its front compacts,
// 1.2 k z^(n+1)/(n+1) with z = (N/(k A))^(1/n). Clay at 38 % moisture and dry sand (Wong 2010) and
// snow: newtons of drag, and of compaction (snow 55, 171, 527; the others below 50).
typedef struct Ground {
  const char* soil;
  double drag[3], compaction[3], within;  // [N]
} Ground;

// Pull at which the belly moves: the resistance as it slides at some speed.
static double belly_drag(const char* soil, double load, double start, double* sinkage) {
  char text[3000];
  snprintf(text, sizeof text,
           "<world timestep='1 ms' gravity='9.80665'><soil name='ground' type='bekker' %s/>"
           "<vehicle position='0 0 %.6f' on_ground='false' velocity='20 0 0'>"
           "<chassis mass='%.9f' com='0 0 0.2' outline='-1 -0.6 1 -0.6 1 0.6 -1 0.6' z_min='0' "
           "z_max='1' inertia='1e5 1e5 1e5'/>"
           "<axle x='0.5' z='0.8' track='0.4' radius='0.1' width='0.02' wheel_mass='0.01'/>"
           "<axle x='-0.5' z='0.8' track='0.4' radius='0.1' width='0.02' wheel_mass='0.01'/>"
           "<suspension type='slider' stiffness='1e4' damping='100'/><tyre type='linear'/>"
           "</vehicle></world>",
           soil, -start, load / G);
  World w = open_world(text);
  run_until(&w, 1);
  double v[2], x[2];
  for (int i = 0; i < 2; i++) {
    const rutVehicleState s = rut_vehicle_state(w.model, w.data, 0);
    v[i] = s.com_velocity[0];
    x[i] = s.position[2];
    if (i == 0) run_until(&w, 1.2);
  }
  *sinkage = -0.5 * (x[0] + x[1]);
  assert_true(v[1] > 0.2);
  assert_balance(&w, 0, 2e-3);
  close_world(&w);
  return load / G * (v[0] - v[1]) / 0.2;
}

static void test_belly_on_soil(void** state) {
  (void)state;
  static const double load[] = {5e3, 10e3, 20e3}, depth[] = {0.058, 0.089, 0.137};
  static const Ground ground[] = {
      {"k_c='13190' k_phi='692150' exponent='0.5' cohesion='4140' friction_angle='13 deg'",
       {5730, 6500, 8030},
       {0, 0, 0},
       50},
      {"k_c='990' k_phi='1528430' exponent='1.1' cohesion='1040' friction_angle='28 deg'",
       {2950, 4640, 8040},
       {0, 0, 0},
       50},
      {"k_c='4370' k_phi='196720' exponent='1.6' cohesion='1030' friction_angle='19.7 deg'",
       {2410, 3580, 5930},
       {55, 171, 527},
       0},
  };
  for (int g = 0; g < 3; g++) {
    for (int i = 0; i < repetitions(3, 1); i++) {
      char soil[300];
      double sinkage;
      snprintf(soil, sizeof soil, "%s adhesion_ratio='0.5' adhesion_angle_ratio='0.6666667'",
               ground[g].soil);
      const double drag = belly_drag(soil, load[i], g == 2 ? depth[i] : 0, &sinkage);
      const double expected = ground[g].drag[i] + ground[g].compaction[i];
      if (!(fabs(drag - expected) < 0.03 * expected + ground[g].within))
        fail_msg("soil %d at %g N: drag %g N, not %g N", g, load[i], drag, expected);
      // it rises slowly from where the fall had pressed it
      if (g == 2) assert_true(sinkage > 0.98 * depth[i] && sinkage < 1.5 * depth[i]);
    }
  }
}

// A belly of 2.0 x 1.2 m and 20 kN that falls by 0.3 m into ground that keeps ruts.
static World drop_belly(const char* soil) {
  char text[3000];
  snprintf(text, sizeof text,
           "<world timestep='0.2 ms' gravity='9.80665'><soil name='ground' type='bekker' %s/>"
           "<deformable cell='5 cm'/>"
           "<vehicle position='0 0 0.3' on_ground='false'>"
           "<chassis mass='%.9f' com='0 0 0.2' outline='-1 -0.6 1 -0.6 1 0.6 -1 0.6' z_min='0' "
           "z_max='1' inertia='1e3 1e3 1e3'/>"
           "<axle x='0.5' z='0.8' track='0.4' radius='0.1' width='0.02' wheel_mass='0.01'/>"
           "<axle x='-0.5' z='0.8' track='0.4' radius='0.1' width='0.02' wheel_mass='0.01'/>"
           "<suspension type='slider' stiffness='1e4' damping='100'/><tyre type='linear'/>"
           "</vehicle></world>",
           soil, 20e3 / G);
  return open_world(text);
}

// Clay at 38 % moisture: it is pressed until k A z^(n+1)/(n+1) = m g (0.3 + z), comes up along the
// line of slope k_u, and stays; the print is as wide as the belly and as deep as clay springs back
// to.
static void test_belly_leaves_a_print(void** state) {
  const double k = 13190 / 1.2 + 692150, area = 2.4, load = 20e3, k_u = 200e6;
  double low = 0, high = 1;
  (void)state;
  for (int i = 0; i < 60; i++) {
    const double z = 0.5 * (low + high);
    if (load * (0.3 + z) > k * area * pow(z, 1.5) / 1.5)
      low = z;
    else
      high = z;
  }
  World w = drop_belly(
      "k_c='13190' k_phi='692150' exponent='0.5' cohesion='4140' "
      "friction_angle='13 deg'");
  rutRuts ruts;
  rutRutCell cell;
  size_t cursor = 0;
  run_until(&w, 1.5);
  assert_true(rut_ruts(w.model, w.data, &ruts));
  assert_int_equal(rut_ruts_next(w.model, w.data, &cursor, 1, &cell), 1);
  const rutVehicleState s = rut_vehicle_state(w.model, w.data, 0);
  const double most = k * sqrt(cell.pressed), back = most / k_u;
  print_message("pressed %.2f mm, of %.2f; rut %.3f, at %.3f mm\n", 1e3 * cell.pressed, 1e3 * low,
                1e3 * ruts.max_depth, -1e3 * s.position[2]);
  // of the step
  assert_near(cell.pressed, low, 0.03 * low);
  assert_near(ruts.area, area, 1e-9);
  assert_near(ruts.max_depth, cell.pressed - back, 1e-6);
  assert_near(ruts.volume, area * ruts.max_depth, 1e-6);
  assert_near(-s.position[2], cell.pressed - back * (1 - load / area / most), 1e-6);
  assert_near(s.com_velocity[2], 0, 1e-6);
  assert_balance(&w, 0, 1e-6);
  close_world(&w);
}

// Snow over a hard layer carries the belly there, whatever it would have by Bekker's numbers; so
// does frost under a thaw.
static void test_belly_on_layers(void** state) {
  static const char* const soil[] = {
      "curve='limited' layer_stiffness='5e3' layer_depth='0.12' largest_rebound='0.02'",
      "curve='frozen' k_c='0' k_phi='20e3' exponent='0.7' frost_depth='0.12' "
      "largest_rebound='0.02'"};
  (void)state;
  // (under sanitizers one belly that falls into soil is enough)
  for (int i = 0; i < repetitions(2, 0); i++) {
    World w = drop_belly(soil[i]);
    run_until(&w, 1.5);
    const double z = -rut_vehicle_state(w.model, w.data, 0).position[2];
    print_message("%s: %.1f mm\n", soil[i], 1e3 * z);
    // what is hard takes 0.1 GN/m3 d^2/2 per area, at most all of the fall
    const double into = sqrt(2 * 20e3 * 0.43 / (2.4 * 1e8));
    assert_true(z > 0.98 * 0.12 && z < 0.12 + into);
    assert_balance(&w, 0, 1e-3);
    close_world(&w);
  }
}

// ---- what never happens ----

// Falls in any attitude on rough ground with steps and posts: energy never grows, nothing passes.
// (The residual of the balance is mostly that of a body that tumbles freely.)
static void test_drops(void** state) {
  (void)state;
  for (int i = 0; i < repetitions(100, 4); i++) {
    char text[3000];
    const double x = between(-3, 3), y = between(-3, 3), height = between(1.5, 4);
    snprintf(
        text, sizeof text,
        "<world timestep='2 ms'><terrain type='fractal' form='area' wavelength_max='4' rms='0.1' "
        "seed='%d'/><terrain type='step' position='%g %g' yaw='%g' height='0.4'/>"
        "<terrain type='step' position='%g %g' height='0.8' x_max='0.2' y_min='0' y_max='0.2'/>"
        "<vehicle position='%g %g %g' roll='%g' pitch='%g' yaw='%g' on_ground='false' "
        "velocity='%g %g %g'>"
        "<chassis mass='50' com='0 0 0.3' inertia='2 3 4' friction='%g' "
        "outline='-0.5 -0.2 0.5 -0.2 0.5 0.2 -0.5 0.2' z_min='0.15'/>"
        "<axle x='0.2' z='0.35' track='0.2' radius='0.05' width='0.02' wheel_mass='2'/>"
        "<axle x='-0.2' z='0.35' track='0.2' radius='0.05' width='0.02' wheel_mass='2'/>"
        "<suspension type='slider' stiffness='4000' damping='300'/>"
        "<tyre type='linear' stiffness='4e4' damping='300'/></vehicle></world>",
        i, between(-1, 1), between(-1, 1), between(-3, 3), between(-1, 1), between(-1, 1), x, y,
        height, between(-3, 3), between(-1.5, 1.5), between(-3, 3), between(-4, 4), between(-4, 4),
        between(-4, 0), between(0, 0.8));
    World w = open_world(text);
    rutEnergy e;
    assert_true(rut_vehicle_energy(w.model, w.data, 0, &e));
    const double start = e.kinetic + e.potential;
    double most = -INFINITY, lowest = INFINITY;
    while (rut_time(w.data) < 3) {
      step_world(&w);
      assert_true(rut_vehicle_energy(w.model, w.data, 0, &e));
      most = fmax(most, e.kinetic + e.potential);
      lowest = fmin(lowest, rut_vehicle_state(w.model, w.data, 0).position[2]);
    }
    if (!(most < start + 1) || !(lowest > -1.2) || !(e.hull > -1) ||
        !(fabs(e.residual) < 0.01 * e.throughput)) {
      fail_msg("drop %d: %g J of %g J, lowest at %g m, hull took %g J, residual %g of %g", i, most,
               start, lowest, e.hull, e.residual, e.throughput);
    }
    close_world(&w);
  }
}

#define TUMBLER                                                                                \
  "<vehicle position='%g %g 1.2' roll='%g' pitch='0.4' on_ground='false' velocity='3 0 0'>"    \
  "<chassis mass='50' com='0 0 0.3' inertia='2 3 4' outline='-0.5 -0.2 0.5 -0.2 0.5 0.2 -0.5 " \
  "0.2' z_min='0.15'/>"                                                                        \
  "<axle x='0.4' track='0.6' radius='0.2' wheel_mass='2'/>"                                    \
  "<axle x='-0.4' track='0.6' radius='0.2' wheel_mass='2'/>"                                   \
  "<suspension type='slider' stiffness='4000' damping='300'/><tyre type='linear'/></vehicle>"
#define TUMBLING_GROUND                                            \
  "<world><terrain type='sine' amplitude='0.1' wavelength='1.7'/>" \
  "<terrain type='step' position='1 0' height='0.3' yaw='0.3'/>"

// Alone, among seven equal ones, and for any number of workers it tumbles with the same bits.
static void test_same_among_others(void** state) {
  (void)state;
  char text[8000];
  int n = snprintf(text, sizeof text, TUMBLING_GROUND);
  for (int i = 0; i < 8; i++)
    n += snprintf(text + n, sizeof text - (size_t)n, TUMBLER, 0.1 * i, 4.0 * i, 0.5 + 0.3 * i);
  snprintf(text + n, sizeof text - (size_t)n, "</world>");
  World many = open_world(text);
  run_until(&many, 3);
  for (int i = 0; i < 8; i++) {
    snprintf(text, sizeof text, TUMBLING_GROUND TUMBLER "</world>", 0.1 * i, 4.0 * i,
             0.5 + 0.3 * i);
    World one = open_world(text);
    run_until(&one, 3);
    const rutVehicleState a = rut_vehicle_state(many.model, many.data, i);
    const rutVehicleState b = rut_vehicle_state(one.model, one.data, 0);
    assert_memory_equal(a.position, b.position, sizeof a.position);
    assert_memory_equal(a.rate, b.rate, sizeof a.rate);
    rutEnergy e;
    rut_vehicle_energy(one.model, one.data, 0, &e);
    assert_true(e.hull > 100);
    close_world(&one);
  }
  close_world(&many);
}

// ---- <hull> ----

// A body of two pieces, high in the middle: a post passes between them that a box would hit. A
// keel, given by its corners, is met.
static void test_pieces(void** state) {
  (void)state;
  static const char* const hull[] = {
      "",
      "<hull outline='-0.5 -0.2 0.5 -0.2 0.5 -0.1 -0.5 -0.1'/>"
      "<hull outline='-0.5 0.1 0.5 0.1 0.5 0.2 -0.5 0.2'/>"
      "<hull outline='-0.5 -0.2 0.5 -0.2 0.5 0.2 -0.5 0.2' z_min='0.5'/>",
      "<hull outline='-0.5 -0.2 0.5 -0.2 0.5 0.2 -0.5 0.2' z_min='0.5'/>"
      "<hull corners='-0.5 -0.05 0.5  0.5 -0.05 0.5  0.5 0.05 0.5  -0.5 0.05 0.5  -0.5 0 0.3  "
      "0.5 0 0.3'/>"};
  static const bool passes[] = {false, true, false};
  for (int i = 0; i < 3; i++) {
    char text[2500];
    snprintf(text, sizeof text,
             "<world timestep='1 ms'>"
             "<terrain type='step' position='1 0' height='0.4' x_max='0.05' y_min='-0.03' "
             "y_max='0.03'/>"
             "<vehicle velocity='2 0 0'><chassis mass='50' com='0 0 0.3' inertia='2 3 4' "
             "outline='-0.5 -0.2 0.5 -0.2 0.5 0.2 -0.5 0.2' z_min='0.15'/>%s"
             "<axle x='0.4' track='0.6' radius='0.2' wheel_mass='2'/>"
             "<axle x='-0.4' track='0.6' radius='0.2' wheel_mass='2'/>"
             "<suspension type='slider' stiffness='4000' damping='300'/><tyre type='linear'/>"
             "</vehicle></world>",
             hull[i]);
    World w = open_world(text);
    run_until(&w, 2);
    const double x = rut_vehicle_state(w.model, w.data, 0).position[0];
    if ((x > 2) != passes[i]) fail_msg("hull %d: at %g m", i, x);
    close_world(&w);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_post),
      cmocka_unit_test(test_momentum_at_a_post),
      cmocka_unit_test(test_ridge),
      cmocka_unit_test(test_ledge),
      cmocka_unit_test(test_break_over),
      cmocka_unit_test(test_slide),
      cmocka_unit_test(test_slope),
      cmocka_unit_test(test_belly_on_soil),
      cmocka_unit_test(test_belly_leaves_a_print),
      cmocka_unit_test(test_belly_on_layers),
      cmocka_unit_test(test_drops),
      cmocka_unit_test(test_same_among_others),
      cmocka_unit_test(test_pieces),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
