// SPDX-License-Identifier: BSD-3-Clause
//
// A truck on slides, computed a second time in a plain way: bodies that are free but for the
// directions in which they may move, a matrix of all masses that is solved by elimination, forces
// in the world's axes, Runge and Kutta's method for everything at once. The ground is a plane.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "momentum.h"
#include "spatial.h"
#include "touching.h"

enum { WHEELS = 4, SPEEDS = 6 + 2 * WHEELS };

// What is told of the truck, by the text of the world below as well.
static const double MASS = 2100, INERTIA[6] = {700, 2500, 3000, 40, 60, -30}, DRAG_AREA = 9;
static const double COM_X = 0.1, COM_Z = 0.75, BASE = 3, AHEAD = 1.5;
static const double TRACK[2] = {1.8, 1.7}, RADIUS[2] = {0.47, 0.45}, WIDTH[2] = {0.3, 0.24};
static const double HUNG[2] = {70, 55}, SPIN[2] = {11, 8}, ACROSS[2] = {6, 5}, BAR[2] = {2e4, 0};
static const double SPRING = 7e4, DAMPER = 6e3, TORQUE = 600, BRAKE = 900, PEDAL = 0.08;
static const double PULL = 3000, RAMP = 9000, HITCH[3] = {-2.5, 0.4, 0.3}, AIR = 1.225;
static const double STEER = 0.05, SLOPE[2] = {0.12, 0.07};
// Of the tyre, as Fiala has it.
static const double SLIP = 193929, CORNER = 50000, MU_MOST = 0.9835, MU_LEAST = 0.5568,
                    TRAIL = 0.318, ROLL = 0.015, STIFF = 580e3, CARCASS = 75, BEARING = 3,
                    PATCH[2] = {185004, 164448}, PATCH_TIME = 0.002;

// Rotors of motors turn GEAR times as fast as the wheels, about parallel axes on the chassis, which
// has their inertia.
static const double GEAR = 8, ROTOR = 0.03;
#define MOTORS                                                               \
  "<drive type='dc_motor' torque_constant='0.5' resistance='1e-3' gear='8' " \
  "rotor_inertia='0.03' max_current='1e6' battery_voltage='1e4' "            \
  "battery_current='1e6' coulomb_friction='1e-9' static_friction='1e-9' "    \
  "bristle_damping='0' command='wheel'/>"

// The same on other ways to look for the ground, with other drives; NULL: points, differentials. Or
// its wheels have no mass.
typedef struct Kind {
  const char *contact, *drive;
  bool massless;
  bool steers;  // slowly, from straight on
} Kind;
static const double STEER_RATE = 0.08;

// Springs without preload, and friction by D B s/sqrt(1 + (B s)^2) of the slip s.
static const double SOFT = 9e4, SOFT_DAMPER = 7e3, FRICTION = 0.8, RISE = 8, RELAXATION = 0.4;

static void build_on(cliLab* lab, const char* world, Kind kind) {
  cli_lab_build(
      lab,
      "<world %s>%s"
      "<terrain type='plane' slope_x='0.12' slope_y='0.07'/>"
      "<vehicle name='v' position='0.3 0.2' yaw='0.4' velocity='7 0.12' yaw_rate='0.15' "
      "contact='%s' %s>"
      "<chassis mass='2100' com='0.1 0 0.75' inertia='700 2500 3000 40 60 -30' drag_area='9' "
      "z_min='0.6' z_max='1.6' outline='-2.2 -0.8 2.2 -0.8 2.2 0.8 -2.2 0.8'/>"
      "%s"
      "<axle x='1.5' track='1.8' radius='0.47' width='0.3' wheel_mass='70' wheel_inertia='11' "
      "transverse_inertia='6' max_steer='0.5' anti_roll='2e4' brake='900'/>"
      "<axle x='-1.5' track='1.7' radius='0.45' width='0.24' wheel_mass='55' wheel_inertia='8' "
      "transverse_inertia='5' brake='900'/>"
      "<hitch position='-2.5 0.4 0.3' force='3000' ramp='9000'/>"
      "%s<controller type='pedals' torque='600' brake='0.08' steer='0.05'/></vehicle></world>",
      world,
      kind.massless ? CLI_COULOMB_SOIL("8", "0.8")
                    : "<soil name='road' type='magic_formula' surface='user' d='0.8'/>",
      kind.contact ? kind.contact : "point", kind.steers ? "steer_rate='0.08'" : "",
      kind.massless ? "<suspension type='massless' stiffness='9e4' damping='7e3' travel='0.4'/>"
                      "<tyre type='linear' relaxation_length='0.4' bearing='3'/>"
                    : "<suspension type='slider' stiffness='7e4' damping='6e3'/>"
                      "<tyre type='fiala' bearing='3'/>",
      kind.drive ? kind.drive : "<drive type='open'/>");
}

// ---- the second truck ----

// Works of the terms of the balance.
enum { DRIVE, BRAKES, DAMPERS, BEARINGS, TYRES, SLIPS, ROLLS, AIRS, HITCHES, STEERS, WORKS };

typedef struct Truck {
  double place[3], attitude[4];             // of the chassis's centre of mass
  double speed[3], turn[3];                 // world
  double slide[WHEELS], rise[WHEELS];       // [m], [m/s]
  double spin[WHEELS];                      // against the chassis [rad/s]
  double patch_x[WHEELS], patch_y[WHEELS];  // deflections [m]
  double slip_work[WHEELS], tyre_work[WHEELS];
  double work[WORKS];
} Truck;
enum { NUMBERS = sizeof(Truck) / sizeof(double) };

// What does not change.
typedef struct Fixed {
  double step, time;     // of rut; of the stage
  double steer[WHEELS];  // angles
  double kick[3];        // moment of the steering on the chassis in the first step, its axes
  double rate;           // of the steering angles [rad/s]
  double gear;           // of rotors; 0: none
  bool massless;
  double slide[WHEELS];  // found last, of wheels without mass
  // found last: normal force, the ground's on the wheel, velocity of the hub, all in the world;
  // what tyres and their patches hold
  double load[WHEELS], elastic[WHEELS];
  double along[WHEELS], across[WHEELS], aligning[WHEELS], inclination[WHEELS], pressed[WHEELS];
  cliVector force[WHEELS], hub[WHEELS];
} Fixed;

static cliVector vec(double x, double y, double z) { return (cliVector){{x, y, z}}; }
static cliVector of(const double v[3]) { return vec(v[0], v[1], v[2]); }
static cliVector times(double s, cliVector a) { return cli_add(vec(0, 0, 0), s, a); }
static cliVector plus(cliVector a, cliVector b) { return cli_add(a, 1, b); }

// Inertia times a vector, in the world.
static cliVector inertia_of(const double q[4], const double j[6], cliVector w) {
  const double back[4] = {q[0], -q[1], -q[2], -q[3]};
  const cliVector a = cli_turned(back, w);
  return cli_turned(q, vec(j[0] * a.v[0] + j[3] * a.v[1] + j[4] * a.v[2],
                           j[3] * a.v[0] + j[1] * a.v[1] + j[5] * a.v[2],
                           j[4] * a.v[0] + j[5] * a.v[1] + j[2] * a.v[2]));
}

// A body: how its centre moves and how it turns per speed, its inertia, and what acts on it less
// what it takes at no acceleration.
typedef struct Body {
  double mass;
  cliVector move[SPEEDS], turn[SPEEDS];
  cliVector momentum[SPEEDS];  // angular, per speed
  cliVector force, moment;
} Body;

typedef struct Equations {
  double m[SPEEDS][SPEEDS], b[SPEEDS];
} Equations;

static void add_body(const Body* body, Equations* e) {
  for (int i = 0; i < SPEEDS; i++) {
    e->b[i] += cli_dot(body->move[i], body->force) + cli_dot(body->turn[i], body->moment);
    for (int k = 0; k < SPEEDS; k++) {
      e->m[i][k] += body->mass * cli_dot(body->move[i], body->move[k]) +
                    cli_dot(body->turn[i], body->momentum[k]);
    }
  }
}

static void eliminate(Equations* e) {
  for (int k = 0; k < SPEEDS; k++) {
    for (int i = k + 1; i < SPEEDS; i++) {
      const double part = e->m[i][k] / e->m[k][k];
      for (int j = k; j < SPEEDS; j++) e->m[i][j] -= part * e->m[k][j];
      e->b[i] -= part * e->b[k];
    }
  }
  for (int k = SPEEDS - 1; k >= 0; k--) {
    for (int j = k + 1; j < SPEEDS; j++) e->b[k] -= e->m[k][j] * e->b[j];
    e->b[k] /= e->m[k][k];
  }
}

static cliVector unit(int k) { return vec(k == 0, k == 1, k == 2); }

// Fiala's forces over load at slips of the tread, and the trail's moment.
static void fiala(double kappa, double tangent, double load, double out[3]) {
  out[0] = out[1] = out[2] = 0;
  if (!(load > 0)) return;
  const double slip = fmin(hypot(kappa, tangent), 1), mu = MU_MOST - (MU_MOST - MU_LEAST) * slip;
  const double most = mu * load, bend = 0.5 * most / SLIP;
  const double along =
      fabs(kappa) <= bend ? SLIP * fabs(kappa) : most - most * most / (4 * fabs(kappa) * SLIP);
  const double rest = fmax(1 - CORNER * fabs(tangent) / (3 * most), 0);
  const double across = most * (1 - rest * rest * rest), size = hypot(along, across);
  const double part = size > most ? most / size : 1;
  out[0] = copysign(part * along, kappa);
  out[1] = -copysign(part * across, tangent);
  out[2] = copysign(part * most * TRAIL * (1 - rest) * rest * rest * rest, tangent);
}

// Place of the hub from the centre of mass, in the chassis's axes.
static cliVector hub_of(int w, double slide) {
  const int axle = w / 2;
  return vec((axle ? -AHEAD : AHEAD) - COM_X, (w % 2 ? -0.5 : 0.5) * TRACK[axle],
             RADIUS[axle] - COM_Z + slide);
}

// A rotor whose energy is j ((n q + p)^2 - p^2)/2, q being the spin and p = w . a: momenta j n (n q
// + p) of the spin, j n q a of the chassis.
static void add_rotor(double gear, double q, cliVector axis, cliVector turn, int spin,
                      Equations* e) {
  const double j = ROTOR * gear;
  const cliVector bends = cli_cross(turn, axis);
  e->m[spin][spin] += j * gear;
  for (int k = 0; k < 3; k++) {
    e->m[spin][3 + k] += j * axis.v[k];
    e->m[3 + k][spin] += j * axis.v[k];
    e->b[3 + k] -= j * q * bends.v[k];
  }
}

// Of the chassis's weight on a spring.
static double share_of(int axle) {
  const double front = (AHEAD + COM_X) / BASE;
  return 0.5 * (axle ? 1 - front : front) * MASS * CLI_GRAVITY;
}

// Where a wheel is, and how its patch moves.
typedef struct Patch {
  cliVector arm, up, axis, speed;   // hub from the centre of mass, slide, axis, velocity of the hub
  cliVector n, ahead, left, lever;  // of the ground; patch from the hub
  double sine, pressed, sinks;      // depth of the tread and its rate
  double vx, vy, whole, reach;      // patch without the spin; spin in the world, rolling radius
  double slide, rise;
} Patch;

static void move_patch(const Truck* t, double rise, Patch* p) {
  const cliVector turn = of(t->turn), swing = cli_add(turn, -cli_dot(turn, p->axis), p->axis);
  p->speed = plus(plus(of(t->speed), cli_cross(turn, p->arm)), times(rise, p->up));
  const cliVector patch = plus(p->speed, cli_cross(swing, p->lever));
  p->rise = rise;
  p->vx = cli_dot(patch, p->ahead);
  p->vy = cli_dot(patch, p->left);
  p->sinks = -cli_dot(patch, p->n);
}

static Patch patch_of(const Truck* t, const Fixed* f, int w) {
  const int axle = w / 2;
  const double radius = RADIUS[axle], crown = 0.5 * WIDTH[axle], steer = f->steer[w];
  const double size = sqrt(1 + SLOPE[0] * SLOPE[0] + SLOPE[1] * SLOPE[1]);
  const double* q = t->attitude;
  Patch p = {.up = cli_turned(q, vec(0, 0, 1)),
             .axis = cli_turned(q, vec(-sin(steer), cos(steer), 0)),
             .n = times(1 / size, vec(-SLOPE[0], -SLOPE[1], 1)),
             .slide = t->slide[w]};
  p.sine = cli_dot(p.n, p.axis);
  const double in = sqrt(1 - p.sine * p.sine), stands = (radius - crown) * in + crown;
  if (f->massless) {
    const cliVector free = plus(of(t->place), cli_turned(q, hub_of(w, 0)));
    p.slide = (stands - cli_dot(p.n, free)) / cli_dot(p.n, p.up);
  }
  p.arm = cli_turned(q, hub_of(w, p.slide));
  p.pressed = stands - cli_dot(p.n, plus(of(t->place), p.arm));
  p.ahead = times(1 / in, cli_cross(p.axis, p.n));
  p.left = cli_cross(p.n, p.ahead);
  // from the hub down to the middle of the tread's round, and on to the ground
  const cliVector middle = times(-(radius - crown) / in, cli_add(p.n, -p.sine, p.axis));
  p.lever = cli_add(middle, -(crown - p.pressed), p.n);
  p.whole = t->spin[w] + cli_dot(of(t->turn), p.axis);
  p.reach = radius - p.pressed / 3;
  move_patch(t, f->massless ? 0 : t->rise[w], &p);
  // without mass it follows the ground
  if (f->massless) move_patch(t, p.sinks / cli_dot(p.n, p.up), &p);
  return p;
}

// What the ground gives a wheel: normal force, along, across, about the normal, motion resistance;
// sliding speeds, along and across.
typedef struct Ground {
  double load, fx, fy, moment, drag, slides[2];
} Ground;

// spring: of the suspension.
static Ground push_of(const Truck* t, const Fixed* f, int w, const Patch* p, double spring,
                      Truck* rate) {
  const double swift = fmax(fmax(fabs(p->reach * p->whole), fabs(p->vx)), 0.5 * fabs(p->vy));
  const double length_x = f->massless ? RELAXATION : SLIP / PATCH[0];
  const double length_y = f->massless ? RELAXATION : CORNER / PATCH[1];
  Ground g = {.slides = {swift / length_x * t->patch_x[w], swift / length_y * t->patch_y[w]}};
  rate->patch_x[w] = p->reach * p->whole - p->vx - g.slides[0];
  rate->patch_y[w] = p->vy - g.slides[1];
  const double slip_x = (t->patch_x[w] + PATCH_TIME * rate->patch_x[w]) / length_x;
  const double slip_y = (t->patch_y[w] + PATCH_TIME * rate->patch_y[w]) / length_y;
  if (f->massless) {
    // the spring along the slide is balanced
    const double grip =
        FRICTION * RISE / sqrt(1 + RISE * RISE * (slip_x * slip_x + slip_y * slip_y));
    const double mu_x = grip * slip_x, mu_y = -grip * slip_y;
    g.load = spring / (cli_dot(p->n, p->up) + mu_x * cli_dot(p->ahead, p->up) +
                       mu_y * cli_dot(p->left, p->up));
    g.fx = mu_x * g.load;
    g.fy = mu_y * g.load;
    return g;
  }
  g.load = fmax(STIFF * p->pressed + CARCASS * p->sinks, 0);
  const double over = 1 - fmax(slip_x, 0);
  double ground[3];
  fiala(slip_x / over, slip_y / over, g.load, ground);
  g.fx = ground[0];
  g.fy = ground[1];
  g.moment = ground[2];
  g.drag = g.load * ROLL / RADIUS[w / 2];
  return g;
}

static double slide_of(const Truck* t, const Fixed* f, int w) {
  return f->massless ? patch_of(t, f, w).slide : t->slide[w];
}

static double spring_of(const Truck* t, const Fixed* f, int w, const Patch* p) {
  const double bar = BAR[w / 2] * (p->slide - slide_of(t, f, w ^ 1));
  if (f->massless) return SOFT * p->slide + SOFT_DAMPER * p->rise + bar;
  return share_of(w / 2) + SPRING * p->slide + DAMPER * p->rise + bar;
}

static void tell(const Truck* t, int w, const Patch* p, const Ground* g, Fixed* f) {
  f->load[w] = g->load;
  f->hub[w] = p->speed;
  f->along[w] = g->fx - g->drag;
  f->across[w] = g->fy;
  f->aligning[w] = g->moment;
  f->inclination[w] = asin(p->sine);
  f->pressed[w] = p->pressed;
  f->slide[w] = p->slide;
  f->elastic[w] = 0.5 * (STIFF * p->pressed * p->pressed + fabs(g->fx * t->patch_x[w]) +
                         fabs(g->fy * t->patch_y[w]));
}

// Works of a wheel's terms, each a force times a speed.
static void add_works(const Truck* t, int w, const Patch* p, const Ground* g, double spring,
                      Truck* rate) {
  const double spin = t->spin[w], drive = 0.25 * TORQUE;
  rate->work[DRIVE] += drive * spin;
  rate->work[BRAKES] += PEDAL * BRAKE * fabs(spin);
  rate->work[BEARINGS] += BEARING * spin * spin;
  rate->work[DAMPERS] += spring * p->rise;
  const double slips = g->fx * g->slides[0] - g->fy * g->slides[1];
  const cliVector twist = cli_add(times(g->moment, p->n), -g->moment * p->sine, p->axis);
  const double rubs = slips - cli_dot(twist, of(t->turn));
  const double deflects =
      g->load * p->sinks + g->fx * (p->reach * p->whole - p->vx) - g->fy * p->vy - slips;
  const double rolls = g->drag * cli_dot(p->speed, p->ahead);
  rate->work[SLIPS] += rubs;
  rate->work[TYRES] += deflects;
  rate->work[ROLLS] += rolls;
  rate->slip_work[w] = rubs;
  rate->tyre_work[w] = rubs + deflects + rolls;
}

// A wheel: its motion and forces, as rows of the equations, the rates of its patch and its works.
static void add_wheel(const Truck* t, Fixed* f, int w, Truck* rate, Equations* e) {
  const int axle = w / 2, rise = 6 + w, spin = 6 + WHEELS + w;
  const double hung = f->massless ? 0 : HUNG[axle], j = SPIN[axle], across = ACROSS[axle];
  const cliVector turn = of(t->turn);
  const Patch p = patch_of(t, f, w);
  const double spring = spring_of(t, f, w, &p);
  const Ground g = push_of(t, f, w, &p, spring, rate);
  const cliVector push = plus(times(g.load, p.n), plus(times(g.fx, p.ahead), times(g.fy, p.left)));
  tell(t, w, &p, &g, f);
  f->force[w] = cli_add(push, -g.drag, p.ahead);
  cliVector moment = plus(cli_cross(p.lever, push), times(g.moment, p.n));
  // about the axis the force along acts at the rolling radius
  moment = cli_add(moment, -cli_dot(moment, p.axis) - p.reach * g.fx, p.axis);
  Body body = {.mass = hung};
  for (int k = 0; k < 3; k++) {
    body.move[k] = unit(k);
    body.move[3 + k] = cli_cross(unit(k), p.arm);
    body.turn[3 + k] = unit(k);
  }
  if (!f->massless) body.move[rise] = p.up;
  body.turn[spin] = p.axis;
  const double more = j - across;
  for (int k = 3; k < SPEEDS; k++) {
    const cliVector r = body.turn[k];
    body.momentum[k] = cli_add(times(across, r), more * cli_dot(r, p.axis), p.axis);
  }
  const cliVector bias =
      plus(cli_cross(turn, cli_cross(turn, p.arm)), times(2 * p.rise, cli_cross(turn, p.up)));
  const cliVector turns = cli_add(turn, t->spin[w], p.axis);
  const cliVector held = cli_add(times(across, turns), more * cli_dot(turns, p.axis), p.axis);
  const cliVector bends = times(t->spin[w], cli_cross(turn, p.axis));
  const cliVector turned = cli_add(times(across, bends), more * cli_dot(bends, p.axis), p.axis);
  body.force = cli_add(f->force[w], -hung, plus(vec(0, 0, CLI_GRAVITY), bias));
  body.moment = cli_add(cli_add(moment, -1, cli_cross(turns, held)), -1, turned);
  add_body(&body, e);
  add_rotor(f->gear, t->spin[w], p.axis, turn, spin, e);
  if (f->massless) {
    e->m[rise][rise] = 1;
  } else {
    e->b[rise] -= spring;
  }
  e->b[spin] += 0.25 * TORQUE - copysign(PEDAL * BRAKE, t->spin[w]) - BEARING * t->spin[w];
  add_works(t, w, &p, &g, spring, rate);
}

// What a wheel takes that is turned at a rate: the change of its momentum, which the chassis feels,
// and of its energy, its spin against the chassis being kept. With the axis a, its change a' per
// angle and p = w . a: of h = J (q + p) a - J_t p a and (J (q + p)^2 - J_t p^2)/2.
static cliVector turn_wheel(const Truck* t, const Fixed* f, int w, Truck* rate) {
  const double s = sin(f->steer[w]), c = cos(f->steer[w]), j = SPIN[0], across = ACROSS[0];
  const cliVector axis = cli_turned(t->attitude, vec(-s, c, 0));
  const cliVector moves = cli_turned(t->attitude, vec(-c, -s, 0)), turn = of(t->turn);
  const double p = cli_dot(turn, axis), more = cli_dot(turn, moves);
  const double along = j * (t->spin[w] + p) - across * p + ROTOR * f->gear * t->spin[w];
  rate->work[STEERS] -= f->rate * along * more;
  return times(-f->rate, plus(times(along, moves), times((j - across) * more, axis)));
}

static void add_chassis(const Truck* t, const Fixed* f, Truck* rate, Equations* e) {
  const double* q = t->attitude;
  const cliVector turn = of(t->turn), v = of(t->speed);
  Body body = {.mass = MASS};
  for (int k = 0; k < 3; k++) {
    body.move[k] = unit(k);
    body.turn[3 + k] = unit(k);
    body.momentum[3 + k] = inertia_of(q, INERTIA, unit(k));
  }
  const cliVector air = times(-0.5 * AIR * DRAG_AREA * sqrt(cli_dot(v, v)), v);
  const cliVector ahead = cli_turned(q, vec(1, 0, 0));
  const double level = hypot(ahead.v[0], ahead.v[1]), pull = fmin(PULL, RAMP * f->time);
  const cliVector hitch = times(-pull / level, vec(ahead.v[0], ahead.v[1], 0));
  const cliVector arm = cli_turned(q, vec(HITCH[0] - COM_X, HITCH[1], HITCH[2] - COM_Z));
  cliVector kick = f->time < f->step ? cli_turned(q, of(f->kick)) : vec(0, 0, 0);
  for (int w = 0; w < 2 && f->rate > 0; w++) kick = plus(kick, turn_wheel(t, f, w, rate));
  body.force = plus(plus(air, hitch), vec(0, 0, -MASS * CLI_GRAVITY));
  body.moment =
      plus(plus(cli_cross(arm, hitch), kick), cli_cross(inertia_of(q, INERTIA, turn), turn));
  add_body(&body, e);
  rate->work[AIRS] -= cli_dot(air, v);
  rate->work[HITCHES] -= cli_dot(hitch, plus(v, cli_cross(turn, arm)));
  rate->work[STEERS] -= cli_dot(kick, turn);
}

static void find_rates(const Truck* t, Fixed* f, Truck* rate) {
  Equations e = {0};
  memset(rate, 0, sizeof *rate);
  for (int w = 0; w < 2 && f->rate > 0; w++) f->steer[w] = f->rate * f->time;
  add_chassis(t, f, rate, &e);
  for (int w = 0; w < WHEELS; w++) add_wheel(t, f, w, rate, &e);
  eliminate(&e);
  // q' = w q/2
  const cliVector u = of(t->attitude + 1), turn = of(t->turn);
  const cliVector half = plus(times(0.5 * t->attitude[0], turn), times(0.5, cli_cross(turn, u)));
  rate->attitude[0] = -0.5 * cli_dot(turn, u);
  for (int k = 0; k < 3; k++) {
    rate->attitude[1 + k] = half.v[k];
    rate->place[k] = t->speed[k];
    rate->speed[k] = e.b[k];
    rate->turn[k] = e.b[3 + k];
  }
  for (int w = 0; w < WHEELS; w++) {
    rate->slide[w] = t->rise[w];
    rate->rise[w] = e.b[6 + w];
    rate->spin[w] = e.b[6 + WHEELS + w];
  }
}

static void runge_kutta(Truck* t, Fixed* f, double from, double h) {
  static const double NODE[4] = {0, 0.5, 0.5, 1}, WEIGHT[4] = {1, 2, 2, 1};
  Truck at = *t, rate = {0}, sum = *t;
  const double *start = (const double*)t, *slope = (const double*)&rate;
  double *place = (double*)&at, *total = (double*)&sum;
  for (int stage = 0; stage < 4; stage++) {
    for (int i = 0; i < NUMBERS; i++) place[i] = start[i] + h * NODE[stage] * slope[i];
    // the kick lasts for the whole first step
    f->time = from + h * (stage == 3 ? 1 - 1e-9 : NODE[stage]);
    find_rates(&at, f, &rate);
    for (int i = 0; i < NUMBERS; i++) total[i] += h * WEIGHT[stage] / 6 * slope[i];
  }
  *t = sum;
}

// As rut's stands at the start.
static void start(const cliLab* lab, double step, double gear, Truck* t, Fixed* f) {
  const double com[6] = {COM_X, 0, COM_Z};
  rutJointState joint[4 * WHEELS];
  rutMotion m = {0};
  *t = (Truck){.attitude = {1}};
  *f = (Fixed){.step = step, .gear = gear};
  if (lab->failed) return;
  rut_motion(lab->world.model, lab->world.data, 0, com, &m);
  const int joints = rut_vehicle_joints(lab->world.model, lab->world.data, 0, 4 * WHEELS, joint);
  const cliVector v = cli_turned(m.attitude, of(m.velocity));
  const cliVector turn = cli_turned(m.attitude, of(m.angular_velocity));
  for (int k = 0; k < 3; k++) {
    t->place[k] = m.position[k];
    t->speed[k] = v.v[k];
    t->turn[k] = turn.v[k];
  }
  memcpy(t->attitude, m.attitude, sizeof t->attitude);
  for (int i = 0; i < joints; i++) {
    const int w = joint[i].wheel;
    if (strcmp(joint[i].part, "suspension") == 0) {
      t->slide[w] = joint[i].position;
      t->rise[w] = joint[i].velocity;
    }
    if (strcmp(joint[i].part, "wheel") == 0) t->spin[w] = joint[i].velocity;
  }
  // cot a = cot d -+ T/2L; wheels that turn pass the change of their momentum to the chassis
  for (int w = 0; w < 2; w++) {
    f->steer[w] = atan(1 / (1 / tan(STEER) - (w ? -0.5 : 0.5) * TRACK[0] / BASE));
    const double momentum = (SPIN[0] + ROTOR * gear) * t->spin[w] / step;
    f->kick[0] += momentum * sin(f->steer[w]);
    f->kick[1] += momentum * (1 - cos(f->steer[w]));
  }
}

// ---- comparisons ----

static const double TIME = 0.5, STEP = 0.0005;

static void run_on(cliLab* lab, Kind kind, Truck* t, Fixed* f) {
  build_on(lab, "timestep='0.0005' integrator='rk4'", kind);
  start(lab, STEP, kind.drive ? GEAR : 0, t, f);
  f->massless = kind.massless;
  if (kind.steers) {
    f->rate = STEER_RATE;
    memset(f->steer, 0, sizeof f->steer);
    memset(f->kick, 0, sizeof f->kick);
  }
  for (int i = 0; i * STEP < TIME - 0.5 * STEP; i++) {
    cli_lab_step(lab);
    runge_kutta(t, f, i * STEP, STEP);
  }
}

static void run_both(cliLab* lab, Truck* t, Fixed* f) { run_on(lab, (Kind){0}, t, f); }

static void compare_motion(const cliLab* lab, const Truck* t, double* value, double* reference) {
  const double com[6] = {COM_X, 0, COM_Z};
  rutMotion m = {.attitude = {1}};
  if (!lab->failed) rut_motion(lab->world.model, lab->world.data, 0, com, &m);
  const cliVector v = cli_turned(m.attitude, of(m.velocity));
  const cliVector turn = cli_turned(m.attitude, of(m.angular_velocity));
  double same = 0;
  for (int k = 0; k < 4; k++) same += m.attitude[k] * t->attitude[k];
  for (int k = 0; k < 3; k++) {
    cli_worst_absolute(m.position[k], t->place[k], value, reference);
    cli_worst_absolute(v.v[k], t->speed[k], value, reference);
    cli_worst_absolute(turn.v[k], t->turn[k], value, reference);
  }
  for (int k = 0; k < 4; k++) {
    cli_worst_absolute(copysign(1, same) * m.attitude[k], t->attitude[k], value, reference);
  }
}

static void twin_motion(cliLab* lab, double* value, double* reference) {
  Truck t;
  Fixed f;
  run_both(lab, &t, &f);
  compare_motion(lab, &t, value, reference);
}

// On a plane it does not matter how the ground is looked for.
static void twin_arc(cliLab* lab, double* value, double* reference) {
  Truck t;
  Fixed f;
  run_on(lab, (Kind){.contact = "arc"}, &t, &f);
  compare_motion(lab, &t, value, reference);
}
static void twin_cams(cliLab* lab, double* value, double* reference) {
  Truck t;
  Fixed f;
  run_on(lab, (Kind){.contact = "cams"}, &t, &f);
  compare_motion(lab, &t, value, reference);
}

// What it tells of its wheels: forces in the world and along its axes, velocities of hubs.
static void twin_told(cliLab* lab, double* value, double* reference) {
  Truck t;
  Fixed f;
  run_both(lab, &t, &f);
  if (lab->failed) return;
  const double back[4] = {t.attitude[0], -t.attitude[1], -t.attitude[2], -t.attitude[3]};
  for (int w = 0; w < WHEELS; w++) {
    const rutWheelState s = cli_lab_wheel(lab, w);
    const rutWheelPose p = rut_wheel_pose(lab->world.model, lab->world.data, w);
    const cliVector own = cli_turned(back, f.force[w]), hub = cli_turned(back, f.hub[w]);
    const cliVector arm = cli_turned(t.attitude, hub_of(w, t.slide[w]));
    cli_worst_absolute(s.torque, 0.25 * TORQUE, value, reference);
    for (int k = 0; k < 3; k++) {
      cli_worst_absolute(1e-4 * p.force[k], 1e-4 * f.force[w].v[k], value, reference);
      cli_worst_absolute(p.position[k], t.place[k] + arm.v[k], value, reference);
    }
    for (int k = 0; k < 2; k++) {
      cli_worst_absolute(1e-4 * s.force[k], 1e-4 * own.v[k], value, reference);
      cli_worst_absolute(s.hub_velocity[k], hub.v[k], value, reference);
    }
    cli_worst_absolute(s.travel, t.slide[w], value, reference);
  }
}

// Of motion and of height.
static void mechanical(const Truck* t, const Fixed* f, double* kinetic, double* potential) {
  const cliVector v = of(t->speed), turn = of(t->turn);
  double twice = MASS * cli_dot(v, v) + cli_dot(turn, inertia_of(t->attitude, INERTIA, turn));
  double height = MASS * t->place[2];
  for (int w = 0; w < WHEELS; w++) {
    const int axle = w / 2;
    const cliVector arm = cli_turned(t->attitude, hub_of(w, t->slide[w]));
    const cliVector axis = cli_turned(t->attitude, vec(-sin(f->steer[w]), cos(f->steer[w]), 0));
    const cliVector rises = cli_turned(t->attitude, vec(0, 0, t->rise[w]));
    const cliVector hub = plus(plus(v, cli_cross(turn, arm)), rises);
    const double along = cli_dot(turn, axis), whole = along + t->spin[w];
    twice += HUNG[axle] * cli_dot(hub, hub) + SPIN[axle] * whole * whole +
             ACROSS[axle] * (cli_dot(turn, turn) - along * along) +
             ROTOR * f->gear * t->spin[w] * (f->gear * t->spin[w] + 2 * along);
    height += HUNG[axle] * (t->place[2] + arm.v[2]);
  }
  *kinetic = 0.5 * twice;
  *potential = CLI_GRAVITY * height;
}

// Energies at present, in kJ: of motion, height and springs; what their balance misses, and how
// much passed through it.
static void compare_energy(cliLab* lab, Kind kind, double* value, double* reference) {
  Truck t;
  Fixed f;
  double kinetic[2], potential[2], elastic = 0, passed = 0;
  build_on(lab, "timestep='0.0005' integrator='rk4'", kind);
  start(lab, STEP, kind.drive ? GEAR : 0, &t, &f);
  mechanical(&t, &f, &kinetic[0], &potential[0]);
  run_on(lab, kind, &t, &f);
  mechanical(&t, &f, &kinetic[1], &potential[1]);
  const rutEnergy e = cli_lab_energy(lab);
  for (int w = 0; w < WHEELS; w++) {
    const double twist = t.slide[w] - t.slide[w ^ 1], s = t.slide[w];
    elastic += f.elastic[w] + share_of(w / 2) * s + 0.5 * SPRING * s * s +
               0.25 * BAR[w / 2] * twist * twist;
  }
  double lost = 0;
  for (int i = 0; i < WORKS; i++) {
    lost += i == DRIVE ? -t.work[i] : t.work[i];
    passed += fabs(t.work[i]);
  }
  const double gain = kinetic[1] + potential[1] - kinetic[0] - potential[0];
  passed += fabs(kinetic[1] - kinetic[0]) + fabs(potential[1] - potential[0]);
  cli_worst_absolute(1e-3 * e.kinetic, 1e-3 * kinetic[1], value, reference);
  cli_worst_absolute(1e-3 * e.potential, 1e-3 * potential[1], value, reference);
  cli_worst_absolute(1e-3 * e.start, 1e-3 * (kinetic[0] + potential[0]), value, reference);
  cli_worst_absolute(1e-3 * e.elastic, 1e-3 * elastic, value, reference);
  cli_worst_absolute(1e-3 * e.residual, 1e-3 * (-lost - gain), value, reference);
  cli_worst_absolute(1e-3 * e.throughput, 5e-4 * passed, value, reference);
}

// A number that a wheel puts out.
static double output_of(const cliLab* lab, int w, const char* name) {
  const rutModel* model = lab->world.model;
  double number = (double)NAN;
  for (int i = 0; !lab->failed && i < rut_variables(model, RUT_WHEEL, w, RUT_OUTPUT); i++) {
    if (strcmp(rut_variable(model, RUT_WHEEL, w, RUT_OUTPUT, i).name, name) != 0) continue;
    const rutVariableRange one = {RUT_WHEEL, w, RUT_OUTPUT, i, 1};
    (void)rut_variables_read(model, lab->world.data, &one, 1, &number);
  }
  return number;
}

static void compare_outputs(cliLab* lab, Kind kind, double* value, double* reference) {
  Truck t;
  Fixed f;
  run_on(lab, kind, &t, &f);
  for (int w = 0; w < WHEELS; w++) {
    const struct {
      const char* name;
      double unit, number;
    } told[] = {{"tyre_force_x", 1e4, f.along[w]},
                {"tyre_force_y", 1e4, f.across[w]},
                {"load", 1e4, f.load[w]},
                {"aligning_moment", 1e3, f.aligning[w]},
                {"inclination_angle", 1, f.inclination[w]},
                {"deflection", 0.1, f.pressed[w]},
                {"slip_work", 1e3, t.slip_work[w]},
                {"tyre_work", 1e3, t.tyre_work[w]}};
    for (int i = 0; i < CLI_COUNT(told); i++) {
      cli_worst_absolute(output_of(lab, w, told[i].name) / told[i].unit,
                         told[i].number / told[i].unit, value, reference);
    }
  }
}

static void twin_outputs(cliLab* lab, double* value, double* reference) {
  compare_outputs(lab, (Kind){0}, value, reference);
}

static void twin_energy(cliLab* lab, double* value, double* reference) {
  compare_energy(lab, (Kind){0}, value, reference);
}
static void twin_geared_energy(cliLab* lab, double* value, double* reference) {
  compare_energy(lab, (Kind){.drive = MOTORS}, value, reference);
}
static void twin_geared(cliLab* lab, double* value, double* reference) {
  Truck t;
  Fixed f;
  run_on(lab, (Kind){.drive = MOTORS}, &t, &f);
  compare_motion(lab, &t, value, reference);
  for (int w = 0; w < WHEELS; w++) {
    cli_worst_absolute(1e-4 * cli_lab_wheel(lab, w).load, 1e-4 * f.load[w], value, reference);
  }
}

// Slides and spins, and the loads of the last stage.
static void twin_wheels(cliLab* lab, double* value, double* reference) {
  Truck t;
  Fixed f;
  rutJointState joint[4 * WHEELS];
  run_both(lab, &t, &f);
  if (lab->failed) return;
  const int joints = rut_vehicle_joints(lab->world.model, lab->world.data, 0, 4 * WHEELS, joint);
  for (int i = 0; i < joints; i++) {
    const int w = joint[i].wheel;
    if (strcmp(joint[i].part, "suspension") == 0) {
      cli_worst_absolute(joint[i].position, t.slide[w], value, reference);
      cli_worst_absolute(joint[i].velocity, t.rise[w], value, reference);
    }
    if (strcmp(joint[i].part, "wheel") == 0) {
      cli_worst_absolute(joint[i].velocity, t.spin[w], value, reference);
    }
  }
  for (int w = 0; w < WHEELS; w++) {
    const rutWheelState s = cli_lab_wheel(lab, w);
    cli_worst_absolute(1e-4 * s.load, 1e-4 * f.load[w], value, reference);
  }
}

// Wheels without mass.
static void twin_massless(cliLab* lab, double* value, double* reference) {
  Truck t;
  Fixed f;
  run_on(lab, (Kind){.massless = true}, &t, &f);
  compare_motion(lab, &t, value, reference);
  for (int w = 0; w < WHEELS; w++) {
    const rutWheelState s = cli_lab_wheel(lab, w);
    cli_worst_absolute(1e-4 * s.load, 1e-4 * f.load[w], value, reference);
    cli_worst_absolute(s.speed, t.spin[w], value, reference);
    cli_worst_absolute(s.travel, f.slide[w], value, reference);
  }
}

// Every term of the balance, in kJ.
static void compare_works(cliLab* lab, Kind kind, double* value, double* reference) {
  Truck t;
  Fixed f;
  run_on(lab, kind, &t, &f);
  const rutEnergy e = cli_lab_energy(lab);
  const double told[WORKS] = {e.drive, e.brake,   e.damper, e.bearing,  e.tyre,
                              e.slip,  e.rolling, e.air,    e.obstacle, e.steering};
  for (int i = 0; i < WORKS; i++) {
    cli_worst_absolute(1e-3 * told[i], 1e-3 * t.work[i], value, reference);
  }
}

static void twin_works(cliLab* lab, double* value, double* reference) {
  compare_works(lab, (Kind){0}, value, reference);
}
static void twin_steers(cliLab* lab, double* value, double* reference) {
  Truck t;
  Fixed f;
  const Kind kind = {.steers = true, .drive = MOTORS};
  run_on(lab, kind, &t, &f);
  compare_motion(lab, &t, value, reference);
  compare_works(lab, kind, value, reference);
}
static void twin_massless_works(cliLab* lab, double* value, double* reference) {
  compare_works(lab, (Kind){.massless = true}, value, reference);
}

// The default integrator, of first order: twice what it has at half of a step, less what it has at
// a whole one.
static void twin_default(cliLab* lab, double* value, double* reference) {
  Truck t[2];
  Fixed f;
  for (int half = 0; half < 2; half++) {
    build_on(lab, half ? "timestep='0.00025'" : "timestep='0.0005'", (Kind){0});
    cli_lab_run_to(lab, TIME);
    start(lab, STEP, 0, &t[half], &f);
  }
  const double *whole = (const double*)&t[0], *halves = (const double*)&t[1];
  Truck twice = t[1];
  for (int i = 0; i < NUMBERS; i++) ((double*)&twice)[i] = 2 * halves[i] - whole[i];
  Truck own;
  run_both(lab, &own, &f);
  for (int k = 0; k < 3; k++) {
    cli_worst_absolute(twice.place[k], own.place[k], value, reference);
    cli_worst_absolute(twice.speed[k], own.speed[k], value, reference);
    cli_worst_absolute(twice.turn[k], own.turn[k], value, reference);
  }
  for (int w = 0; w < WHEELS; w++) {
    cli_worst_absolute(twice.spin[w], own.spin[w], value, reference);
    cli_worst_absolute(twice.slide[w], own.slide[w], value, reference);
  }
}

// ---- a truck that is hit ----

static void build_floating(cliLab* lab, const char* ball) {
  cli_lab_build(
      lab,
      "<world timestep='1e-6' gravity='0'>%s"
      "<vehicle name='v' position='0 0 20' yaw='0.4' pitch='0.2' roll='0.3' on_ground='false' "
      "velocity='1 0.5 -0.2' yaw_rate='0.3' rolling_start='false'>"
      "<chassis mass='2100' com='0.1 0 0.75' inertia='700 2500 3000 40 60 -30' z_min='0.6' "
      "z_max='1.6' outline='-2.2 -0.8 2.2 -0.8 2.2 0.8 -2.2 0.8' friction='0' "
      "restitution='0.5'/><suspension type='slider' stiffness='7e4' damping='6e3'/>"
      "<tyre type='fiala'/>"
      "<axle x='1.5' track='1.8' radius='0.47' width='0.3' wheel_mass='70' wheel_inertia='11' "
      "transverse_inertia='6' max_steer='0.5'/>"
      "<axle x='-1.5' track='1.7' radius='0.45' width='0.24' wheel_mass='55' wheel_inertia='8' "
      "transverse_inertia='5'/>" MOTORS
      "<controller type='pedals' steer='0.05'/></vehicle></world>",
      ball);
}

// Speeds of truck t: of the chassis, of slides, of spins.
static void speeds_of(const Truck* t, double v[SPEEDS]) {
  for (int k = 0; k < 3; k++) {
    v[k] = t->speed[k];
    v[3 + k] = t->turn[k];
  }
  for (int w = 0; w < WHEELS; w++) {
    v[6 + w] = t->rise[w];
    v[6 + WHEELS + w] = t->spin[w];
  }
}

static rutBlockMotion ball_of(const cliLab* lab) {
  rutBlockMotion m = {.quaternion = {1}};
  if (!lab->failed) rut_block_motion(lab->world.model, lab->world.data, 0, &m);
  return m;
}

// A ball flies into its left side.
static const double BALL = 300, BALL_RADIUS = 0.25, BALL_SPEED = 3;
static void throw_ball(cliLab* lab) {
  const double place[6] = {0.7, 0.8, 1.1};
  rutMotion m = {.attitude = {1}};
  char text[400];
  build_floating(lab, "");
  if (!lab->failed) rut_motion(lab->world.model, lab->world.data, 0, place, &m);
  const cliVector in = cli_turned(m.attitude, vec(0, -1, 0)), v = times(BALL_SPEED, in);
  // it comes when the wheels are steered
  const cliVector middle = cli_add(of(m.position), -(BALL_RADIUS + 3e-4), in);
  (void)snprintf(text, sizeof text,
                 "<block name='ball' motion='space' shape='sphere' radius='0.25' mass='300' "
                 "friction='0' restitution='0.5' on_ground='false' position='%.17g %.17g %.17g' "
                 "velocity='%.17g %.17g' vertical_velocity='%.17g'/>",
                 middle.v[0], middle.v[1], middle.v[2] - BALL_RADIUS, v.v[0], v.v[1], v.v[2]);
  build_floating(lab, text);
}

// Without friction the speeds change by M^-1 J n, with n = (1 + e) v/(J M^-1 J^T + 1/m).
static void compare_hit(const Truck* before, const Truck* after, Fixed* f,
                        const rutBlockMotion ball[2], double* value, double* reference) {
  const double e = 0.5;
  const cliVector in = cli_turned(before->attitude, vec(0, -1, 0)), v = of(ball[0].velocity);
  const cliVector middle = plus(of(ball[0].position), vec(0, 0, BALL_RADIUS));
  const cliVector arm = cli_add(cli_add(middle, BALL_RADIUS, in), -1, of(before->place));
  const cliVector turn = cli_cross(arm, in);
  double was[SPEEDS], is[SPEEDS], push[SPEEDS] = {0}, approach = -cli_dot(v, in), yields = 1 / BALL;
  for (int k = 0; k < 3; k++) {
    push[k] = in.v[k];
    push[3 + k] = turn.v[k];
  }
  Equations masses = {0};
  Truck rate = {0};
  add_chassis(before, f, &rate, &masses);
  for (int w = 0; w < WHEELS; w++) add_wheel(before, f, w, &rate, &masses);
  memcpy(masses.b, push, sizeof push);
  eliminate(&masses);
  speeds_of(before, was);
  speeds_of(after, is);
  for (int k = 0; k < SPEEDS; k++) {
    approach += push[k] * was[k];
    yields += push[k] * masses.b[k];
  }
  const double impulse = -(1 + e) * approach / yields;
  for (int k = 0; k < SPEEDS; k++) {
    cli_worst_absolute(is[k] - was[k], impulse * masses.b[k], value, reference);
  }
  cli_worst_absolute(cli_dot(of(ball[1].velocity), in), cli_dot(v, in) - impulse / BALL, value,
                     reference);
}

static void twin_hit(cliLab* lab, double* value, double* reference) {
  enum { STEPS = 200 };
  Truck t[2];
  Fixed f;
  rutBlockMotion ball[2];
  throw_ball(lab);
  start(lab, 1e-6, GEAR, &t[1], &f);
  ball[1] = ball_of(lab);
  for (int i = 0; i < STEPS; i++) {
    t[0] = t[1];
    ball[0] = ball[1];
    cli_lab_step(lab);
    start(lab, 1e-6, GEAR, &t[1], &f);
    ball[1] = ball_of(lab);
    if (fabs(ball[1].velocity[0] - ball[0].velocity[0]) > 1e-3) break;
  }
  compare_hit(&t[0], &t[1], &f, ball, value, reference);
}

const cliCase cli_cases_twice[CLI_CASES_TWICE] = {
    {"twin_motion", "m, m/s", false, 1e-9, "Newton's and Euler's equations of all bodies",
     twin_motion, NULL},
    {"twin_wheels", "m, rad/s, N", false, 1e-9, "the same: slides, spins, loads of 10 kN",
     twin_wheels, NULL},
    {"twin_works", "kJ", false, 1e-9, "the same: ten terms of the balance", twin_works, NULL},
    {"twin_arc", "m, m/s", false, 1e-9, "the same; the nearest place along the wheels", twin_arc,
     NULL},
    {"twin_cams", "m, m/s", false, 3.6e-6, "the same; cams", twin_cams, NULL},
    {"twin_told", "m, m/s, N", false, 1e-9, "the same: forces on the wheels of 10 kN, their hubs",
     twin_told, NULL},
    {"twin_energy", "kJ", false, 1e-9, "the same: sum m v^2/2 + w I w/2, m g z, springs",
     twin_energy, NULL},
    {"twin_geared", "m, m/s, N", false, 1e-9, "the same, motors geared to the wheels", twin_geared,
     NULL},
    {"twin_geared_energy", "kJ", false, 1e-9, "and their energy, j ((n q + p)^2 - p^2)/2",
     twin_geared_energy, NULL},
    {"twin_outputs", "N, rad, kJ", false, 1e-9, "forces in wheel axes, M_z, works of each wheel",
     twin_outputs, NULL},
    {"twin_steers", "m, m/s, kJ", false, 1e-9, "the same while it is steered", twin_steers, NULL},
    {"twin_massless", "m, m/s, N", false, 1e-9, "wheels without mass", twin_massless, NULL},
    {"twin_massless_works", "kJ", false, 1e-9, "ten terms of their balance", twin_massless_works,
     NULL},
    {"twin_default", "m, m/s", false, 7.5e-5, "the same, at steps extrapolated to 0", twin_default,
     NULL},
    {"twin_hit", "m/s, rad/s", false, 5.1e-7, "M^-1 J n of an impact", twin_hit, NULL},
};
