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

// Whether wheels follow the body within the step, and loops that drive them.
typedef struct Way {
  bool follows;
  const Loop* loop;
  int loops;
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

static double total_mass(const Wheel* w) {
  double mass = CHASSIS;
  for (int i = 0; i < WHEELS; i++) mass += w[i].mass;
  return mass;
}

// Accelerations of the centre of mass and of the yaw. Wheel i pushes with (T - I a_w)/r along its
// direction J, a_w = J a/r its spin where it follows the body within the step (implicit coupling),
// or with T/r. `most`: largest force of a wheel.
static void accelerate(const Wheel* w, bool follows, const Loop* loop, int loops, double a[3]) {
  const double mass = total_mass(w);
  double com[2] = {CHASSIS * AT[0], CHASSIS * AT[1]};
  for (int i = 0; i < WHEELS; i++) {
    com[0] += w[i].mass * w[i].x;
    com[1] += w[i].mass * w[i].y;
  }
  com[0] /= mass;
  com[1] /= mass;
  double inertia = INERTIA + CHASSIS * (pow(AT[0] - com[0], 2) + pow(AT[1] - com[1], 2));
  double m[3][3] = {{mass, 0, 0}, {0, mass, 0}, {0, 0, 0}}, b[3] = {0, 0, 0}, lever[WHEELS][3];
  for (int i = 0; i < WHEELS; i++) {
    const double x = w[i].x - com[0], y = w[i].y - com[1], c = cos(w[i].yaw), s = sin(w[i].yaw);
    const double j[3] = {c, s, x * s - y * c};
    memcpy(lever[i], j, sizeof j);
    inertia += w[i].mass * (x * x + y * y + (3 * RADIUS * RADIUS + 0.05 * 0.05) / 12);
    // each carries itself and as much of the chassis
    const double force = w[i].torque / RADIUS,
                 limit = 0.9 * (0.25 * CHASSIS + w[i].mass) * CLI_GRAVITY;
    const bool slides = fabs(force) > 2 * limit;
    for (int k = 0; k < 3; k++) {
      b[k] += j[k] * (slides ? copysign(limit, force) : force);
      const double carried = follows && !slides ? w[i].inertia / (RADIUS * RADIUS) : 0;
      for (int n = 0; n < 3; n++) m[k][n] += carried * j[k] * j[n];
    }
  }
  m[2][2] += inertia;
  for (int q = 0; q < loops * WHEELS; q++) {
    const Loop* l = &loop[q / WHEELS];
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

static void build(cliLab* lab, const Wheel* w, const char* coupling, const char* steered,
                  const char* drive) {
  cli_lab_build(lab,
                "<world timestep='%.17g'><vehicle name='v' wheel_coupling='%s'>"
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
                STEP, coupling, w[0].x, w[0].y, w[0].yaw, w[0].mass, w[0].inertia, w[1].x, w[1].y,
                w[1].yaw, w[1].mass, w[1].inertia, w[2].x, w[2].y, w[2].yaw, w[2].mass,
                w[2].inertia, steered, w[3].x, w[3].y, w[3].yaw, w[3].mass, w[3].inertia, steered,
                drive);
}

static void compare_loops(cliLab* lab, const Wheel* w, Way way, double* value, double* reference) {
  double a[3];
  accelerate(w, way.follows, way.loop, way.loops, a);
  cli_lab_step(lab);
  const rutVehicleState s = cli_lab_vehicle(lab, 0);
  cli_worst_relative(s.com_velocity[0], a[0] * STEP, value, reference);
  if (a[1] != 0) cli_worst_relative(s.com_velocity[1], a[1] * STEP, value, reference);
  cli_worst_relative(s.rate[2], a[2] * STEP, value, reference);
}

static void compare(cliLab* lab, const Wheel* w, bool follows, double* value, double* reference) {
  compare_loops(lab, w, (Way){follows, NULL, 0}, value, reference);
}

#define RAW "<drive type='direct'/><controller type='raw' torque_left='1.2' torque_right='0.7'/>"

// Wheels mounted at angles, of unlike mass and inertia.
static void mounted(cliLab* lab, bool follows, double* value, double* reference) {
  const Wheel w[WHEELS] = {{-0.5, 0.3, 0.4, 2, 0.05, 1.2},
                           {-0.5, -0.3, 0, 4, 0.3, 0.7},
                           {0.5, 0.35, -0.3, 3, 0.12, 1.2},
                           {0.45, -0.3, 0.15, 5, 0.2, 0.7}};
  build(lab, w, follows ? "implicit" : "explicit", "", RAW);
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
    build(lab, w, follows ? "implicit" : "explicit", "", RAW);
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
    build(lab, unturned, follows ? "implicit" : "explicit", "steered='true'",
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
  build(lab, w, "implicit", "",
        "<drive type='direct' max_torque='0' no_load_speed='0'/><controller type='twist_pid' "
        "proportional_gain='200' max_torque='0' speed='0.05' yaw_rate='0.1'/>");
  compare_loops(lab, w, (Way){true, loop, 2}, value, reference);
}

// One engine, which looks at the mean of two wheels.
void cli_case_first_engine(cliLab* lab, double* value, double* reference) {
  const Wheel w[WHEELS] = {{-0.5, 0.3, 0, 2, 0.05, 0},
                           {-0.5, -0.3, 0, 4, 0.3, 0},
                           {0.5, 0.3, 0, 3, 0.12, 0},
                           {0.5, -0.3, 0, 5, 0.2, 0}};
  const Loop loop = {300, 0.05, {0.7 * 0.5, 0.7 * 0.5, 0.3 * 0.6, 0.3 * 0.4}, {0, 1}};
  build(lab, w, "implicit", "steered='true'",
        "<drive type='open' front_rear_split='0.3' front_left_right_split='0.6'/>"
        "<controller type='front_steer_pid' proportional_gain='300' max_torque='0' "
        "speed='0.05'/>");
  compare_loops(lab, w, (Way){true, &loop, 1}, value, reference);
}

// At speed, with drag in the bearings, loops of both sides that look at rear wheels which spin on
// ice, on which the push is L: w1 = w + h (T - c w - r L)/I, T = K (v - r w1). The front ones, with
// the same torques, roll.
void cli_case_first_spin(cliLab* lab, double* value, double* reference) {
  const Wheel w[WHEELS] = {{-0.5, 0.3, 0, 2, 0.05, 0},
                           {-0.5, -0.3, 0, 4, 0.3, 0},
                           {0.5, 0.3, 0, 3, 0.12, 0},
                           {0.5, -0.3, 0, 5, 0.2, 0}};
  const double gain = 200, speed = 1, set = 1.08, drag = 0.02, ice = 0.05;
  cli_lab_build(lab,
                "<world timestep='%.17g'><region x_min='-50' x_max='0' y_min='-50' y_max='50' "
                "friction='0.05'/><vehicle name='v' wheel_coupling='implicit' velocity='1 0'>"
                "<chassis mass='40' com='0.1 -0.05' yaw_inertia='6' "
                "outline='-0.6 -0.3 0.6 -0.3 0.6 0.3 -0.6 0.3'/>"
                "<wheel place='rear_left' position='-0.5 0.3' mass='2' inertia='0.05' "
                "radius='0.15' width='0.05'/>"
                "<wheel place='rear_right' position='-0.5 -0.3' mass='4' inertia='0.3' "
                "radius='0.15' width='0.05'/>"
                "<wheel place='front_left' position='0.5 0.3' mass='3' inertia='0.12' "
                "radius='0.15' width='0.05'/>"
                "<wheel place='front_right' position='0.5 -0.3' mass='5' inertia='0.2' "
                "radius='0.15' width='0.05'/>"
                "<tyre type='coulomb' friction='0.9' bearing_damping='0.02'/>"
                "<drive type='direct' max_torque='0' no_load_speed='0'/>"
                "<controller type='twist_pid' proportional_gain='200' max_torque='0' speed='1.08' "
                "yaw_rate='0'/></vehicle></world>",
                STEP);
  const double mass = total_mass(w);
  double com[2] = {CHASSIS * AT[0], CHASSIS * AT[1]}, inertia = INERTIA;
  for (int i = 0; i < WHEELS; i++) {
    com[0] += w[i].mass * w[i].x;
    com[1] += w[i].mass * w[i].y;
  }
  inertia += CHASSIS * (pow(AT[0] - com[0] / mass, 2) + pow(AT[1] - com[1] / mass, 2));
  double m[3][3] = {{mass, 0, 0}, {0, mass, 0}, {0, 0, 0}}, b[3] = {0}, a[3], spun[2], torque[2];
  for (int i = 0; i < WHEELS; i++) {
    const double x = w[i].x - com[0] / mass, y = w[i].y - com[1] / mass, spin = speed / RADIUS;
    const double limit = ice * (0.25 * CHASSIS + w[i].mass) * CLI_GRAVITY, own = -drag * spin;
    inertia += w[i].mass * (x * x + y * y + (3 * RADIUS * RADIUS + 0.05 * 0.05) / 12);
    if (i < 2) {
      const double idle = spin + STEP / w[i].inertia * (own - RADIUS * limit);
      torque[i] = gain * (set - RADIUS * idle) / (1 + gain * RADIUS * STEP / w[i].inertia);
      spun[i] = idle + STEP / w[i].inertia * torque[i];
    }
    const double rolled = (torque[i % 2] + own) / RADIUS, push = i < 2 ? limit : rolled;
    const double carried = i < 2 ? 0 : w[i].inertia / (RADIUS * RADIUS), j[3] = {1, 0, -y};
    for (int k = 0; k < 3; k++) {
      b[k] += j[k] * push;
      for (int n = 0; n < 3; n++) m[k][n] += carried * j[k] * j[n];
    }
  }
  m[2][2] += inertia;
  solve(m, b, a);
  cli_lab_step(lab);
  const rutVehicleState s = cli_lab_vehicle(lab, 0);
  cli_worst_relative(s.com_velocity[0], speed + a[0] * STEP, value, reference);
  cli_worst_relative(s.rate[2], a[2] * STEP, value, reference);
  for (int i = 0; i < 2; i++) {
    cli_worst_relative(cli_lab_wheel(lab, i).speed, spun[i], value, reference);
    cli_worst_relative(cli_lab_wheel(lab, i).torque, torque[i], value, reference);
    cli_worst_relative(cli_lab_wheel(lab, 2 + i).torque, torque[i], value, reference);
  }
}

// At speed an engine that looks at the mean of two wheels, of which the left one spins on ice, as
// all left ones do: T = K (v - r (w0 + w1)/2), w1 = (v + h J a)/r, both linear in T.
void cli_case_first_spin_engine(cliLab* lab, double* value, double* reference) {
  const Wheel w[WHEELS] = {{-0.5, 0.3, 0, 2, 0.05, 0},
                           {-0.5, -0.3, 0, 4, 0.3, 0},
                           {0.5, 0.3, 0, 3, 0.12, 0},
                           {0.5, -0.3, 0, 5, 0.2, 0}};
  const double gain = 300, speed = 1, set = 1.2, drag = 0.02, ice = 0.03;
  const double share[WHEELS] = {0.7 * 0.5, 0.7 * 0.5, 0.3 * 0.6, 0.3 * 0.4};
  cli_lab_build(lab,
                "<world timestep='%.17g'><region x_min='-50' x_max='50' y_min='0' y_max='50' "
                "friction='0.03'/><vehicle name='v' wheel_coupling='implicit' velocity='1 0'>"
                "<chassis mass='40' com='0.1 -0.05' yaw_inertia='6' "
                "outline='-0.6 -0.3 0.6 -0.3 0.6 0.3 -0.6 0.3'/>"
                "<wheel place='rear_left' position='-0.5 0.3' mass='2' inertia='0.05' "
                "radius='0.15' width='0.05'/>"
                "<wheel place='rear_right' position='-0.5 -0.3' mass='4' inertia='0.3' "
                "radius='0.15' width='0.05'/>"
                "<wheel place='front_left' position='0.5 0.3' mass='3' inertia='0.12' "
                "radius='0.15' width='0.05' steered='true'/>"
                "<wheel place='front_right' position='0.5 -0.3' mass='5' inertia='0.2' "
                "radius='0.15' width='0.05' steered='true'/>"
                "<tyre type='coulomb' friction='0.9' bearing_damping='0.02'/>"
                "<drive type='open' front_rear_split='0.3' front_left_right_split='0.6'/>"
                "<controller type='front_steer_pid' proportional_gain='300' max_torque='0' "
                "speed='1.2'/></vehicle></world>",
                STEP);
  const double mass = total_mass(w);
  double com[2] = {CHASSIS * AT[0], CHASSIS * AT[1]}, inertia = INERTIA;
  for (int i = 0; i < WHEELS; i++) {
    com[0] += w[i].mass * w[i].x;
    com[1] += w[i].mass * w[i].y;
  }
  inertia += CHASSIS * (pow(AT[0] - com[0] / mass, 2) + pow(AT[1] - com[1] / mass, 2));
  double m[2][3][3] = {{{mass, 0, 0}, {0, mass, 0}, {0, 0, 0}}}, b[2][3] = {{0}}, a[2][3];
  double looked[3] = {0};
  for (int i = 0; i < WHEELS; i++) {
    const double x = w[i].x - com[0] / mass, y = w[i].y - com[1] / mass, own = -drag * speed / RADIUS;
    const bool slides = i % 2 == 0;
    const double limit = ice * (0.25 * CHASSIS + w[i].mass) * CLI_GRAVITY, j[3] = {1, 0, -y};
    inertia += w[i].mass * (x * x + y * y + (3 * RADIUS * RADIUS + 0.05 * 0.05) / 12);
    for (int k = 0; k < 3; k++) {
      b[0][k] += j[k] * (slides ? limit : own / RADIUS);
      b[1][k] += j[k] * (slides ? 0 : share[i] / RADIUS);
      if (i == 1) looked[k] = j[k];
      for (int n = 0; n < 3 && !slides; n++) m[0][k][n] += w[i].inertia / (RADIUS * RADIUS) * j[k] * j[n];
    }
  }
  m[0][2][2] += inertia;
  memcpy(m[1], m[0], sizeof m[1]);
  for (int k = 0; k < 2; k++) solve(m[k], b[k], a[k]);
  // r w0 = idle + spins T, r w1 = v + h J (a0 + a1 T)
  const double limit = ice * (0.25 * CHASSIS + w[0].mass) * CLI_GRAVITY, per = STEP / w[0].inertia;
  double idle = speed - RADIUS * per * (drag * speed / RADIUS + RADIUS * limit) + speed;
  double spins = RADIUS * per * share[0];
  for (int k = 0; k < 3; k++) {
    idle += STEP * looked[k] * a[0][k];
    spins += STEP * looked[k] * a[1][k];
  }
  const double torque = gain * (set - 0.5 * idle) / (1 + 0.5 * gain * spins);
  cli_lab_step(lab);
  const rutVehicleState s = cli_lab_vehicle(lab, 0);
  cli_worst_relative(s.com_velocity[0], speed + STEP * (a[0][0] + a[1][0] * torque), value,
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
  build(lab, w, "implicit", "",
        "<drive type='direct' max_torque='0'/>"
        "<controller type='raw' torque_left='-90' torque_right='0.7'/>");
  compare(lab, w, true, value, reference);
}
