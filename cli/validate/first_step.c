// SPDX-License-Identifier: BSD-3-Clause
//
// Planar vehicles in their first step from rest, when no wheel has slipped yet: what torques do is
// a system of three equations, whatever the wheels' places, masses and angles.
#include <math.h>
#include <string.h>

#include "spatial.h"
#include "touching.h"

typedef struct Wheel {
  double x, y, yaw, mass, inertia, torque;
} Wheel;

// A speed loop: torque of wheel i share[i] K (v - r w), with the mean speed w of two wheels at the
// end of the step.
typedef struct Loop {
  double gain, speed, share[4];
  int looks[2];
} Loop;

enum { WHEELS = 4 };
static const double STEP = 0.01, RADIUS = 0.15, CHASSIS = 40, INERTIA = 6, AT[2] = {0.1, -0.05};

// Whether wheels follow the body within the step, loops that drive them, and what the ground gives
// across each wheel [N]. Nullable: loop, across.
typedef struct Way {
  bool follows;
  const Loop* loop;
  int loops;
  const double* across;
} Way;

// a of 3 equations m a = b, by elimination.
static void solve(double m[3][3], double b[3], double a[3]) {
  for (int k = 0; k < 3; k++) {
    for (int i = k + 1; i < 3; i++) {
      const double part = m[i][k] / m[k][k];
      for (int j = k; j < 3; j++) m[i][j] -= part * m[k][j];
      b[i] -= part * b[k];
    }
  }
  for (int k = 2; k >= 0; k--) {
    a[k] = b[k];
    for (int j = k + 1; j < 3; j++) a[k] -= m[k][j] * a[j];
    a[k] /= m[k][k];
  }
}

// Largest force of a wheel: each carries itself and as much of the chassis.
static double grip_of(const Wheel* w) { return 0.9 * (0.25 * CHASSIS + w->mass) * CLI_GRAVITY; }

static double total_mass(const Wheel* w) {
  double mass = CHASSIS;
  for (int i = 0; i < WHEELS; i++) mass += w[i].mass;
  return mass;
}

// Centre of mass, and moment of inertia about it.
static double middle_of(const Wheel* w, double com[2]) {
  const double mass = total_mass(w);
  for (int k = 0; k < 2; k++) com[k] = CHASSIS * AT[k] / mass;
  for (int i = 0; i < WHEELS; i++) {
    com[0] += w[i].mass * w[i].x / mass;
    com[1] += w[i].mass * w[i].y / mass;
  }
  double inertia = INERTIA + CHASSIS * (pow(AT[0] - com[0], 2) + pow(AT[1] - com[1], 2));
  for (int i = 0; i < WHEELS; i++) {
    const double x = w[i].x - com[0], y = w[i].y - com[1];
    inertia += w[i].mass * (x * x + y * y + (3 * RADIUS * RADIUS + 0.05 * 0.05) / 12);
  }
  return inertia;
}

// Accelerations of the centre of mass and of the yaw. Wheel i pushes with (T - I a_w)/r along its
// direction J, a_w = J a/r its spin where it follows the body within the step (implicit coupling),
// or with T/r. What it gives across acts along (-sin, cos), with the lever x cos + y sin.
static void accelerate(const Wheel* w, Way way, double a[3]) {
  double com[2];
  const double mass = total_mass(w), inertia = middle_of(w, com);
  double m[3][3] = {{mass, 0, 0}, {0, mass, 0}, {0, 0, 0}}, b[3] = {0, 0, 0}, lever[WHEELS][3];
  for (int i = 0; i < WHEELS; i++) {
    const double x = w[i].x - com[0], y = w[i].y - com[1], c = cos(w[i].yaw), s = sin(w[i].yaw);
    const double j[3] = {c, s, x * s - y * c};
    memcpy(lever[i], j, sizeof j);
    const double beside[3] = {-s, c, x * c + y * s};
    const double force = w[i].torque / RADIUS, limit = grip_of(&w[i]);
    const bool slides = fabs(force) > 2 * limit;
    for (int k = 0; k < 3; k++) {
      b[k] += j[k] * (slides ? copysign(limit, force) : force);
      b[k] += way.across ? beside[k] * way.across[i] : 0;
      const double carried = way.follows && !slides ? w[i].inertia / (RADIUS * RADIUS) : 0;
      for (int n = 0; n < 3; n++) m[k][n] += carried * j[k] * j[n];
    }
  }
  m[2][2] += inertia;
  for (int q = 0; q < way.loops * WHEELS; q++) {
    const Loop* l = &way.loop[q / WHEELS];
    const double* j = lever[q % WHEELS];
    const double pull = l->share[q % WHEELS] * l->gain / RADIUS;
    for (int k = 0; k < 3; k++) {
      b[k] += j[k] * pull * l->speed;
      for (int n = 0; n < 3; n++) {
        const double seen = 0.5 * (lever[l->looks[0]][n] + lever[l->looks[1]][n]);
        m[k][n] += j[k] * pull * STEP * seen;
      }
    }
  }
  solve(m, b, a);
}

static void build(cliLab* lab, const Wheel* w, const char* vehicle, const char* steered,
                  const char* drive) {
  cli_lab_build(lab,
                "<world timestep='%.17g'><vehicle name='v' %s>"
                "<chassis mass='40' com='0.1 -0.05' yaw_inertia='6' "
                "outline='-0.6 -0.3 0.6 -0.3 0.6 0.3 -0.6 0.3'/>"
                "<wheel place='rear_left' position='%.17g %.17g' yaw='%.17g' mass='%.17g' "
                "inertia='%.17g' radius='0.15' width='0.05'/>"
                "<wheel place='rear_right' position='%.17g %.17g' yaw='%.17g' mass='%.17g' "
                "inertia='%.17g' radius='0.15' width='0.05'/>"
                "<wheel place='front_left' position='%.17g %.17g' yaw='%.17g' mass='%.17g' "
                "inertia='%.17g' radius='0.15' width='0.05' %s/>"
                "<wheel place='front_right' position='%.17g %.17g' yaw='%.17g' mass='%.17g' "
                "inertia='%.17g' radius='0.15' width='0.05' %s/>"
                "<tyre type='coulomb' friction='0.9' bearing_damping='0'/>%s</vehicle></world>",
                STEP, vehicle, w[0].x, w[0].y, w[0].yaw, w[0].mass, w[0].inertia, w[1].x, w[1].y,
                w[1].yaw, w[1].mass, w[1].inertia, w[2].x, w[2].y, w[2].yaw, w[2].mass,
                w[2].inertia, steered, w[3].x, w[3].y, w[3].yaw, w[3].mass, w[3].inertia, steered,
                drive);
}

static void compare_loops(cliLab* lab, const Wheel* w, Way way, double* value, double* reference) {
  double a[3];
  accelerate(w, way, a);
  cli_lab_step(lab);
  const rutVehicleState s = cli_lab_vehicle(lab, 0);
  cli_worst_relative(s.com_velocity[0], a[0] * STEP, value, reference);
  if (a[1] != 0) cli_worst_relative(s.com_velocity[1], a[1] * STEP, value, reference);
  cli_worst_relative(s.rate[2], a[2] * STEP, value, reference);
}

static void compare(cliLab* lab, const Wheel* w, bool follows, double* value, double* reference) {
  compare_loops(lab, w, (Way){follows, NULL, 0, NULL}, value, reference);
}

#define COUPLING(follows) ((follows) ? "wheel_coupling='implicit'" : "wheel_coupling='explicit'")
#define RAW               "<drive type='direct'/><controller type='raw' torque_left='1.2' torque_right='0.7'/>"

// Wheels mounted at angles, of unlike mass and inertia.
static void mounted(cliLab* lab, bool follows, double* value, double* reference) {
  const Wheel w[WHEELS] = {{-0.5, 0.3, 0.4, 2, 0.05, 1.2},
                           {-0.5, -0.3, 0, 4, 0.3, 0.7},
                           {0.5, 0.35, -0.3, 3, 0.12, 1.2},
                           {0.45, -0.3, 0.15, 5, 0.2, 0.7}};
  build(lab, w, COUPLING(follows), "", RAW);
  compare(lab, w, follows, value, reference);
}
void cli_case_first_implicit(cliLab* lab, double* value, double* reference) {
  mounted(lab, true, value, reference);
}
void cli_case_first_explicit(cliLab* lab, double* value, double* reference) {
  mounted(lab, false, value, reference);
}

// All straight ahead.
void cli_case_first_straight(cliLab* lab, double* value, double* reference) {
  const Wheel w[WHEELS] = {{-0.5, 0.3, 0, 2, 0.05, 1.2},
                           {-0.4, -0.3, 0, 4, 0.3, 0.7},
                           {0.5, 0.35, 0, 3, 0.12, 1.2},
                           {0.45, -0.25, 0, 5, 0.2, 0.7}};
  for (int follows = 0; follows < 2; follows++) {
    build(lab, w, COUPLING(follows), "", RAW);
    compare(lab, w, follows, value, reference);
  }
}

// Front wheels steered: cot a = cot d -+ T/2L.
void cli_case_first_steered(cliLab* lab, double* value, double* reference) {
  const double steer = 0.35, cot = 1 / tan(steer);
  for (int follows = 0; follows < 2; follows++) {
    const Wheel w[WHEELS] = {{-0.5, 0.3, 0, 2, 0.05, 1.2},
                             {-0.5, -0.3, 0, 4, 0.3, 0.7},
                             {0.5, 0.3, atan(1 / (cot - 0.3)), 3, 0.12, 1.2},
                             {0.5, -0.3, atan(1 / (cot + 0.3)), 5, 0.2, 0.7}};
    Wheel unturned[WHEELS];
    for (int i = 0; i < WHEELS; i++) {
      unturned[i] = w[i];
      unturned[i].yaw = 0;
    }
    build(lab, unturned, COUPLING(follows), "steered='true'",
          "<drive type='direct' driven='all'/><controller type='raw' steer='0.35'/>");
    // they stand turned before there is a torque
    cli_lab_step(lab);
    cli_lab_command(lab, 3, (const double[]){1.2, 0.7, steer});
    compare(lab, w, follows, value, reference);
  }
}

// Stiff speed loops of both sides: each looks at what its wheel will have.
void cli_case_first_loops(cliLab* lab, double* value, double* reference) {
  const Wheel w[WHEELS] = {{-0.5, 0.3, 0, 2, 0.05, 0},
                           {-0.5, -0.3, 0, 4, 0.3, 0},
                           {0.5, 0.3, 0, 3, 0.12, 0},
                           {0.5, -0.3, 0, 5, 0.2, 0}};
  const Loop loop[] = {{200, 0.05 - 0.3 * 0.1, {1, 0, 1, 0}, {0, 0}},
                       {200, 0.05 + 0.3 * 0.1, {0, 1, 0, 1}, {1, 1}}};
  build(lab, w, COUPLING(true), "",
        "<drive type='direct' max_torque='0' no_load_speed='0'/><controller type='twist_pid' "
        "proportional_gain='200' max_torque='0' speed='0.05' yaw_rate='0.1'/>");
  compare_loops(lab, w, (Way){true, loop, 2, NULL}, value, reference);
}

// One engine, which looks at the mean of two wheels.
void cli_case_first_engine(cliLab* lab, double* value, double* reference) {
  const Wheel w[WHEELS] = {{-0.5, 0.3, 0, 2, 0.05, 0},
                           {-0.5, -0.3, 0, 4, 0.3, 0},
                           {0.5, 0.3, 0, 3, 0.12, 0},
                           {0.5, -0.3, 0, 5, 0.2, 0}};
  const Loop loop = {300, 0.05, {0.7 * 0.5, 0.7 * 0.5, 0.3 * 0.6, 0.3 * 0.4}, {0, 1}};
  build(lab, w, COUPLING(true), "steered='true'",
        "<drive type='open' front_rear_split='0.3' front_left_right_split='0.6'/>"
        "<controller type='front_steer_pid' proportional_gain='300' max_torque='0' "
        "speed='0.05'/>");
  compare_loops(lab, w, (Way){true, &loop, 1, NULL}, value, reference);
}

// At speed 1 m/s, with drag in the bearings, on ground that is ice where the region is.
static const double FAST = 1, DRAG = 0.02;
static const Wheel fast[WHEELS] = {{-0.5, 0.3, 0, 2, 0.05, 0},
                                   {-0.5, -0.3, 0, 4, 0.3, 0},
                                   {0.5, 0.3, 0, 3, 0.12, 0},
                                   {0.5, -0.3, 0, 5, 0.2, 0}};

static void build_fast(cliLab* lab, const char* region, const char* steered, const char* drive) {
  cli_lab_build(lab,
                "<world timestep='%.17g'><region %s/><vehicle name='v' wheel_coupling='implicit' "
                "velocity='1 0'><chassis mass='40' com='0.1 -0.05' yaw_inertia='6' "
                "outline='-0.6 -0.3 0.6 -0.3 0.6 0.3 -0.6 0.3'/>"
                "<wheel place='rear_left' position='-0.5 0.3' mass='2' inertia='0.05' "
                "radius='0.15' width='0.05'/>"
                "<wheel place='rear_right' position='-0.5 -0.3' mass='4' inertia='0.3' "
                "radius='0.15' width='0.05'/>"
                "<wheel place='front_left' position='0.5 0.3' mass='3' inertia='0.12' "
                "radius='0.15' width='0.05' %s/>"
                "<wheel place='front_right' position='0.5 -0.3' mass='5' inertia='0.2' "
                "radius='0.15' width='0.05' %s/>"
                "<tyre type='coulomb' friction='0.9' bearing_damping='0.02'/>%s</vehicle></world>",
                STEP, region, steered, steered, drive);
}

// Largest push on ice: each carries itself and as much of the chassis.
static double slippery(int wheel, double ice) {
  return ice * (0.25 * CHASSIS + fast[wheel].mass) * CLI_GRAVITY;
}

// Equations m a = base + T more of the motion a, wheels on ice pushing with their limits, others
// with (T share - c w - I J a/r)/r; J of wheel i: (1, 0, -y).
typedef struct Motion {
  double m[3][3], base[3], more[3];
} Motion;

static Motion motion_of(const double share[WHEELS], const bool slides[WHEELS], double ice) {
  double com[2];
  const double inertia = middle_of(fast, com), mass = total_mass(fast);
  Motion e = {{{mass, 0, 0}, {0, mass, 0}, {0, 0, inertia}}, {0}, {0}};
  for (int i = 0; i < WHEELS; i++) {
    const double j[3] = {1, 0, com[1] - fast[i].y}, carried = fast[i].inertia / (RADIUS * RADIUS);
    const double idle = -DRAG * FAST / (RADIUS * RADIUS);
    for (int k = 0; k < 3; k++) {
      e.base[k] += j[k] * (slides[i] ? slippery(i, ice) : idle);
      e.more[k] += j[k] * (slides[i] ? 0 : share[i] / RADIUS);
      for (int n = 0; n < 3 && !slides[i]; n++) e.m[k][n] += carried * j[k] * j[n];
    }
  }
  return e;
}

// Spin at the end of the step of a wheel that slides on ice, without torque.
static double idle_spin(int wheel, double ice) {
  const double spin = FAST / RADIUS;
  return spin - STEP / fast[wheel].inertia * (DRAG * spin + RADIUS * slippery(wheel, ice));
}

// Loops of both sides that look at rear wheels on ice, which spin: w1 = w + h (T - c w - r L)/I,
// T = K (v - r w1). The front ones, with the same torques, roll.
void cli_case_first_spin(cliLab* lab, double* value, double* reference) {
  const double gain = 200, set = 1.08, ice = 0.05, none[WHEELS] = {0};
  const bool slides[WHEELS] = {true, true, false, false};
  double torque[2], a[3];
  build_fast(lab, "x_min='-50' x_max='0' y_min='-50' y_max='50' friction='0.05'", "",
             "<drive type='direct' max_torque='0' no_load_speed='0'/>"
             "<controller type='twist_pid' proportional_gain='200' max_torque='0' speed='1.08' "
             "yaw_rate='0'/>");
  Motion e = motion_of(none, slides, ice);
  double com[2];
  (void)middle_of(fast, com);
  for (int i = 0; i < 2; i++) {
    const double per = STEP / fast[i].inertia, idle = idle_spin(i, ice);
    torque[i] = gain * (set - RADIUS * idle) / (1 + gain * RADIUS * per);
    // of the front wheel on its side
    e.base[0] += torque[i] / RADIUS;
    e.base[2] += torque[i] / RADIUS * (com[1] - fast[2 + i].y);
  }
  solve(e.m, e.base, a);
  cli_lab_step(lab);
  const rutVehicleState s = cli_lab_vehicle(lab, 0);
  cli_worst_relative(s.com_velocity[0], FAST + a[0] * STEP, value, reference);
  cli_worst_relative(s.rate[2], a[2] * STEP, value, reference);
  for (int i = 0; i < 2; i++) {
    const double spun = idle_spin(i, ice) + STEP / fast[i].inertia * torque[i];
    cli_worst_relative(cli_lab_wheel(lab, i).speed, spun, value, reference);
    cli_worst_relative(cli_lab_wheel(lab, i).torque, torque[i], value, reference);
    cli_worst_relative(cli_lab_wheel(lab, 2 + i).torque, torque[i], value, reference);
  }
}

// An engine that looks at the mean of two wheels, of which the left one spins on ice, as all left
// ones do: T = K (v - r (w0 + w1)/2), w1 = (v + h J a)/r, both linear in T.
void cli_case_first_spin_engine(cliLab* lab, double* value, double* reference) {
  const double gain = 300, set = 1.2, ice = 0.03;
  const double share[WHEELS] = {0.7 * 0.5, 0.7 * 0.5, 0.3 * 0.6, 0.3 * 0.4};
  const bool slides[WHEELS] = {true, false, true, false};
  double com[2], a[2][3];
  build_fast(lab, "x_min='-50' x_max='50' y_min='0' y_max='50' friction='0.03'", "steered='true'",
             "<drive type='open' front_rear_split='0.3' front_left_right_split='0.6'/>"
             "<controller type='front_steer_pid' proportional_gain='300' max_torque='0' "
             "speed='1.2'/>");
  Motion e = motion_of(share, slides, ice), same = e;
  (void)middle_of(fast, com);
  solve(e.m, e.base, a[0]);
  solve(same.m, same.more, a[1]);
  // r (w0 + w1) = idle + spins T
  const double y = com[1] - fast[1].y;
  const double idle = RADIUS * idle_spin(0, ice) + FAST + STEP * (a[0][0] + y * a[0][2]);
  const double spins = RADIUS * STEP / fast[0].inertia * share[0] + STEP * (a[1][0] + y * a[1][2]);
  const double torque = gain * (set - 0.5 * idle) / (1 + 0.5 * gain * spins);
  cli_lab_step(lab);
  const rutVehicleState s = cli_lab_vehicle(lab, 0);
  cli_worst_relative(s.com_velocity[0], FAST + STEP * (a[0][0] + a[1][0] * torque), value,
                     reference);
  cli_worst_relative(s.rate[2], STEP * (a[0][2] + a[1][2] * torque), value, reference);
  for (int i = 0; i < WHEELS; i++) {
    cli_worst_relative(cli_lab_wheel(lab, i).torque, share[i] * torque, value, reference);
  }
}

// Wheels that slide beside some that roll.
void cli_case_first_slide(cliLab* lab, double* value, double* reference) {
  const Wheel w[WHEELS] = {{-0.5, 0.3, 0.4, 2, 0.05, -90},
                           {-0.5, -0.3, 0, 4, 0.3, 0.7},
                           {0.5, 0.35, -0.3, 3, 0.12, -90},
                           {0.45, -0.3, 0.15, 5, 0.2, 0.7}};
  build(lab, w, COUPLING(true), "",
        "<drive type='direct' max_torque='0'/>"
        "<controller type='raw' torque_left='-90' torque_right='0.7'/>");
  compare(lab, w, true, value, reference);
}

// Wheels of unlike mass at angles, drifting to the left at 1 m/s: each holds with mu N across.
void cli_case_first_drift(cliLab* lab, double* value, double* reference) {
  const double drift = 1;
  const Wheel w[WHEELS] = {{-0.5, 0.3, 0.4, 2, 0.05, 1.2},
                           {-0.5, -0.3, 0, 4, 0.3, 0.7},
                           {0.5, 0.35, -0.3, 3, 0.12, 1.2},
                           {0.45, -0.3, 0.15, 5, 0.2, 0.7}};
  double across[WHEELS], a[3];
  for (int i = 0; i < WHEELS; i++) across[i] = -grip_of(&w[i]);
  for (int follows = 0; follows < 2; follows++) {
    accelerate(w, (Way){follows, NULL, 0, across}, a);
    build(lab, w,
          follows ? "wheel_coupling='implicit' velocity='0 1'"
                  : "wheel_coupling='explicit' velocity='0 1'",
          "", RAW);
    cli_lab_step(lab);
    const rutVehicleState s = cli_lab_vehicle(lab, 0);
    cli_worst_relative(s.com_velocity[0], a[0] * STEP, value, reference);
    cli_worst_relative(s.com_velocity[1], drift + a[1] * STEP, value, reference);
    cli_worst_relative(s.rate[2], a[2] * STEP, value, reference);
  }
}

// The same with front wheels that are steered: of their drift v the part v sin a is along them, and
// spins them up.
void cli_case_first_drift_steered(cliLab* lab, double* value, double* reference) {
  const double drift = 0.3, cot = 1 / tan(0.35);
  Wheel w[WHEELS] = {{-0.5, 0.3, 0, 2, 0.05, 1.2},
                     {-0.5, -0.3, 0, 4, 0.3, 0.7},
                     {0.5, 0.3, atan(1 / (cot - 0.3)), 3, 0.12, 1.2},
                     {0.5, -0.3, atan(1 / (cot + 0.3)), 5, 0.2, 0.7}};
  Wheel unturned[WHEELS];
  double across[WHEELS], a[3];
  for (int i = 0; i < WHEELS; i++) {
    unturned[i] = w[i];
    unturned[i].yaw = 0;
    across[i] = -grip_of(&w[i]);
    w[i].torque -= w[i].inertia * sin(w[i].yaw) * drift / (RADIUS * STEP);
  }
  for (int follows = 0; follows < 2; follows++) {
    accelerate(w, (Way){follows, NULL, 0, across}, a);
    build(lab, unturned,
          follows ? "wheel_coupling='implicit' velocity='0 0.3'"
                  : "wheel_coupling='explicit' velocity='0 0.3'",
          "steered='true'",
          "<drive type='direct' driven='all'/><controller type='raw' steer='0.35' "
          "torque_left='1.2' torque_right='0.7'/>");
    cli_lab_step(lab);
    const rutVehicleState s = cli_lab_vehicle(lab, 0);
    cli_worst_relative(s.com_velocity[0], a[0] * STEP, value, reference);
    cli_worst_relative(s.com_velocity[1], drift + a[1] * STEP, value, reference);
    cli_worst_relative(s.rate[2], a[2] * STEP, value, reference);
  }
}
