// SPDX-License-Identifier: BSD-3-Clause
//
// Random planar vehicles in their first step: four unlike wheels, heavy to spin, of which some roll
// and some slide, driven by torques, or by stiff speed loops that look at the end of the step and
// have a largest torque. They start from rest with wheels at angles, or straight ahead at speed,
// with drag on hubs and in bearings. Which wheels slide and which loops are at their limits is
// found by trying all.
#include <math.h>
#include <string.h>

#include "spatial.h"
#include "touching.h"

enum { WHEELS = 4, LOOPS = 2, UNKNOWNS = 3 + WHEELS + LOOPS, VEHICLES = 150 };
static const double STEP = 0.01, RADIUS = 0.15, WIDTH = 0.05;

typedef struct Wheel {
  double x, y, yaw, mass, inertia;
} Wheel;

typedef struct Random {
  Wheel wheel[WHEELS];
  double mass, inertia, com[2], friction;
  double torque[LOOPS];                          // of the left and the right wheels
  double gain, most, speed, yaw_rate;            // of loops; gain 0: torques
  double ahead, bearing, onset, constant, rate;  // speed; coefficients of drag
  double push[WHEELS], moves[3], given[2];       // along the wheels, accelerations, torques
} Random;

// A number between low and high.
static double draw(unsigned long long* state, double low, double high) {
  *state = *state * 6364136223846793005ULL + 1442695040888963407ULL;
  return low + (high - low) * ((double)(*state >> 11) * 0x1p-53);
}

static void draw_vehicle(unsigned long long* state, bool loops, bool moves, Random* r) {
  static const double PLACE[WHEELS][2] = {{-0.5, 0.3}, {-0.5, -0.3}, {0.5, 0.3}, {0.5, -0.3}};
  memset(r, 0, sizeof *r);
  for (int i = 0; i < WHEELS; i++) {
    Wheel* w = &r->wheel[i];
    w->x = PLACE[i][0] + draw(state, -0.1, 0.1);
    w->y = PLACE[i][1] + draw(state, -0.05, 0.05);
    w->yaw = loops || moves ? 0 : draw(state, -0.6, 0.6);
    w->mass = draw(state, 1, 6);
    w->inertia = pow(10, draw(state, -2, 0.7));
  }
  r->mass = draw(state, 10, 60);
  r->inertia = draw(state, 1, 8);
  for (int k = 0; k < 2; k++) r->com[k] = draw(state, -0.1, 0.1);
  r->friction = draw(state, 0.2, 0.9);
  for (int k = 0; k < LOOPS; k++) r->torque[k] = draw(state, -40, 40);
  r->gain = loops ? draw(state, 20, 400) : 0;
  r->most = draw(state, 1, 40);
  r->speed = draw(state, -0.6, 0.6);
  r->yaw_rate = draw(state, -1.5, 1.5);
  if (!moves) return;
  r->ahead = draw(state, -2, 2);
  r->speed += r->ahead;
  r->bearing = draw(state, 0, 0.5);
  r->onset = draw(state, 1, 20);
  r->constant = draw(state, 0.01, 0.1);
  r->rate = draw(state, 0.01, 0.1);
}

static void build(cliLab* lab, const Random* r) {
  char wheels[2048], drive[400];
  size_t at = 0;
  for (int i = 0; i < WHEELS; i++) {
    static const char* const place[WHEELS] = {"rear_left", "rear_right", "front_left",
                                              "front_right"};
    const Wheel* w = &r->wheel[i];
    at += (size_t)snprintf(wheels + at, sizeof wheels - at,
                           "<wheel place='%s' position='%.17g %.17g' yaw='%.17g' mass='%.17g' "
                           "inertia='%.17g' radius='0.15' width='0.05'/>",
                           place[i], w->x, w->y, w->yaw, w->mass, w->inertia);
  }
  if (r->gain > 0) {
    (void)snprintf(drive, sizeof drive,
                   "<drive type='direct' max_torque='0' no_load_speed='0'/><controller "
                   "type='twist_pid' proportional_gain='%.17g' max_torque='%.17g' speed='%.17g' "
                   "yaw_rate='%.17g'/>",
                   r->gain, r->most, r->speed, r->yaw_rate);
  } else {
    (void)snprintf(drive, sizeof drive,
                   "<drive type='direct' max_torque='0'/><controller type='raw' "
                   "torque_left='%.17g' torque_right='%.17g'/>",
                   r->torque[0], r->torque[1]);
  }
  cli_lab_build(lab,
                "<world timestep='%.17g'><vehicle name='v' wheel_coupling='implicit' "
                "velocity='%.17g 0'>"
                "<chassis mass='%.17g' com='%.17g %.17g' yaw_inertia='%.17g' "
                "outline='-0.6 -0.3 0.6 -0.3 0.6 0.3 -0.6 0.3'/>%s"
                "<tyre type='ward_iagnemma' friction='%.17g' bearing_damping='%.17g' "
                "drag_onset='%.17g' drag_constant='%.17g' drag_rate='%.17g'/>%s</vehicle></world>",
                STEP, r->ahead, r->mass, r->com[0], r->com[1], r->inertia, wheels, r->friction,
                r->bearing, r->onset, r->constant, r->rate, drive);
}

// Centre of mass, mass, and moment of inertia about it.
static void middle_of(const Random* r, double com[2], double* mass, double* inertia) {
  *mass = r->mass;
  for (int i = 0; i < WHEELS; i++) *mass += r->wheel[i].mass;
  for (int k = 0; k < 2; k++) com[k] = r->mass * r->com[k] / *mass;
  for (int i = 0; i < WHEELS; i++) {
    com[0] += r->wheel[i].mass * r->wheel[i].x / *mass;
    com[1] += r->wheel[i].mass * r->wheel[i].y / *mass;
  }
  *inertia = r->inertia + r->mass * (pow(r->com[0] - com[0], 2) + pow(r->com[1] - com[1], 2));
  for (int i = 0; i < WHEELS; i++) {
    const Wheel* w = &r->wheel[i];
    *inertia += w->mass * (pow(w->x - com[0], 2) + pow(w->y - com[1], 2) +
                           (3 * RADIUS * RADIUS + WIDTH * WIDTH) / 12);
  }
}

// Linear equations m x = b of accelerations, forces along the wheels and torques of the sides.
typedef struct Equations {
  double m[UNKNOWNS][UNKNOWNS + 1];
} Equations;

static bool eliminate(Equations* e, double x[UNKNOWNS]) {
  for (int k = 0; k < UNKNOWNS; k++) {
    int best = k;
    for (int i = k + 1; i < UNKNOWNS; i++) {
      if (fabs(e->m[i][k]) > fabs(e->m[best][k])) best = i;
    }
    if (e->m[best][k] == 0) return false;
    for (int j = 0; j <= UNKNOWNS; j++) {
      const double held = e->m[k][j];
      e->m[k][j] = e->m[best][j];
      e->m[best][j] = held;
    }
    for (int i = 0; i < UNKNOWNS; i++) {
      const double part = e->m[i][k] / e->m[k][k];
      for (int j = k; j <= UNKNOWNS && i != k; j++) e->m[i][j] -= part * e->m[k][j];
    }
  }
  for (int k = 0; k < UNKNOWNS; k++) x[k] = e->m[k][UNKNOWNS] / e->m[k][k];
  return true;
}

// What is tried: 1 or -1 of wheels and loops at their limits, 0 of others.
typedef struct Pattern {
  int slides[WHEELS], stops[LOOPS];
} Pattern;

static Pattern pattern_of(int code) {
  Pattern p;
  for (int i = 0; i < WHEELS; i++, code /= 3) p.slides[i] = code % 3 - 1;
  for (int k = 0; k < LOOPS; k++, code /= 3) p.stops[k] = code % 3 - 1;
  return p;
}

static double bearing_of(const Random* r) { return -r->bearing * r->ahead / RADIUS; }

// Speed of wheel i at the end of the step, by its torque and force.
static double spin_of(const Random* r, int i, double torque, double push) {
  return r->ahead / RADIUS + STEP / r->wheel[i].inertia * (torque + bearing_of(r) - RADIUS * push);
}

// What a loop is asked for.
static double set_of(const Random* r, int k) {
  return r->speed + (k ? 1 : -1) * 0.5 * r->yaw_rate * (r->wheel[0].y - r->wheel[1].y);
}

// A loop's torque is K (v - r w) with the speed w of its rear wheel at the end of the step, up to
// its limit.

static void add_loops(const Random* r, const Pattern* p, Equations* e) {
  for (int k = 0; k < LOOPS; k++) {
    double* row = e->m[3 + WHEELS + k];
    const double per = r->gain * RADIUS * STEP / r->wheel[k].inertia;
    row[3 + WHEELS + k] = 1;
    if (!(r->gain > 0)) {
      row[UNKNOWNS] = r->torque[k];
    } else if (p->stops[k]) {
      row[UNKNOWNS] = p->stops[k] * r->most;
    } else {
      row[3 + WHEELS + k] += per;
      row[3 + k] = -per * RADIUS;
      row[UNKNOWNS] = r->gain * (set_of(r, k) - RADIUS * spin_of(r, k, 0, 0));
    }
  }
}

static double load_of(const Random* r, int i) {
  return (0.25 * r->mass + r->wheel[i].mass) * CLI_GRAVITY;
}
static double limit_of(const Random* r, int i) { return r->friction * load_of(r, i); }

// Ward and Iagnemma's drag, N (R1 (1 - exp(-A v)) + R2 v).
static double drag_of(const Random* r, int i) {
  const double v = fabs(r->ahead), part = r->constant * (1 - exp(-r->onset * v)) + r->rate * v;
  return -copysign(load_of(r, i) * part, r->ahead);
}

static void directions(const Random* r, double j[WHEELS][3], double* mass, double* inertia) {
  double com[2];
  middle_of(r, com, mass, inertia);
  for (int i = 0; i < WHEELS; i++) {
    const Wheel* w = &r->wheel[i];
    j[i][0] = cos(w->yaw);
    j[i][1] = sin(w->yaw);
    j[i][2] = (w->x - com[0]) * j[i][1] - (w->y - com[1]) * j[i][0];
  }
}

// True if what the pattern gives is what it supposes.
static bool holds(const Random* r, const Pattern* p, const double x[UNKNOWNS],
                  double j[WHEELS][3]) {
  for (int i = 0; i < WHEELS; i++) {
    // what would keep it rolling
    const double spins = j[i][0] * x[0] + j[i][1] * x[1] + j[i][2] * x[2];
    const double keeps =
        (x[3 + WHEELS + i % 2] + bearing_of(r) - r->wheel[i].inertia * spins / RADIUS) / RADIUS;
    const double limit = limit_of(r, i);
    if (p->slides[i] == 0 ? fabs(x[3 + i]) > limit : p->slides[i] * keeps < limit) return false;
  }
  for (int k = 0; k < LOOPS && r->gain > 0; k++) {
    const double asks =
        r->gain * (set_of(r, k) - RADIUS * spin_of(r, k, x[3 + WHEELS + k], x[3 + k]));

    if (p->stops[k] == 0 ? fabs(asks) > r->most : p->stops[k] * asks < r->most) return false;
  }
  return true;
}

// M a = sum (F + D) J, and F = (T - c w - I J a/r)/r of a wheel that rolls.
static bool solve(Random* r) {
  double j[WHEELS][3], mass, inertia, x[UNKNOWNS];
  directions(r, j, &mass, &inertia);
  for (int code = 0; code < 729; code++) {
    const Pattern p = pattern_of(code);
    if (!(r->gain > 0) && (p.stops[0] || p.stops[1])) continue;
    Equations e = {{{0}}};
    for (int k = 0; k < 3; k++) {
      e.m[k][k] = k < 2 ? mass : inertia;
      for (int i = 0; i < WHEELS; i++) {
        e.m[k][3 + i] = -j[i][k];
        e.m[k][UNKNOWNS] += j[i][k] * drag_of(r, i);
      }
    }
    for (int i = 0; i < WHEELS; i++) {
      double* row = e.m[3 + i];
      row[3 + i] = 1;
      row[UNKNOWNS] = p.slides[i] * limit_of(r, i);
      if (p.slides[i]) continue;
      row[UNKNOWNS] = bearing_of(r) / RADIUS;
      row[3 + WHEELS + i % 2] = -1 / RADIUS;

      for (int k = 0; k < 3; k++) row[k] = r->wheel[i].inertia / (RADIUS * RADIUS) * j[i][k];
    }
    add_loops(r, &p, &e);
    if (!eliminate(&e, x) || !holds(r, &p, x, j)) continue;
    memcpy(r->moves, x, sizeof r->moves);
    memcpy(r->push, x + 3, sizeof r->push);
    memcpy(r->given, x + 3 + WHEELS, sizeof r->given);
    return true;
  }
  return false;
}

static void compare(cliLab* lab, bool loops, bool moves, double* value, double* reference) {
  unsigned long long state = (loops ? 11 : 5) + (moves ? 100 : 0);
  for (int n = 0; n < VEHICLES; n++) {
    Random r;
    draw_vehicle(&state, loops, moves, &r);
    build(lab, &r);
    if (!solve(&r)) *value = (double)NAN;
    cli_lab_step(lab);
    const rutVehicleState s = cli_lab_vehicle(lab, 0);
    cli_worst_absolute(s.com_velocity[0], r.ahead + r.moves[0] * STEP, value, reference);
    cli_worst_absolute(s.com_velocity[1], r.moves[1] * STEP, value, reference);
    cli_worst_absolute(s.rate[2], r.moves[2] * STEP, value, reference);
    for (int i = 0; i < WHEELS; i++) {
      const rutWheelState w = cli_lab_wheel(lab, i);
      const double torque = r.given[i % 2];
      cli_worst_absolute(0.1 * w.torque, 0.1 * torque, value, reference);
      cli_worst_absolute(1e-2 * w.speed, 1e-2 * spin_of(&r, i, torque, r.push[i]), value,
                         reference);
    }
  }
}

void cli_case_first_random(cliLab* lab, double* value, double* reference) {
  compare(lab, false, false, value, reference);
}
void cli_case_first_random_loops(cliLab* lab, double* value, double* reference) {
  compare(lab, true, false, value, reference);
}
void cli_case_first_random_moving(cliLab* lab, double* value, double* reference) {
  compare(lab, false, true, value, reference);
  compare(lab, true, true, value, reference);
}
