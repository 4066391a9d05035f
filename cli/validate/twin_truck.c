// SPDX-License-Identifier: BSD-3-Clause
//
// A truck on slides, computed a second time in a plain way: bodies that are free but for the
// directions in which they may move, a matrix of all masses that is solved by elimination, forces
// in the world's axes, Runge and Kutta's method for everything at once. The ground is a plane.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "twin.h"

// Double wishbones without mass of L = 900 m, 600 m above each other, whose hubs move as on slides
// but for z^2/2L; springs stand on the lower ball joints.
static void wishbones(int axle, char* text, size_t size) {
  const double y = 0.5 * TRACK[axle], in = y - 900, z = RADIUS[axle], high = z + 300, low = z - 300;
  const double free = 0.7 + cli_twin_share(axle) / SPRING;
  (void)snprintf(
      text, size,
      "<suspension type='double_wishbone' upper_front='0.2 %.17g %.17g' "
      "upper_rear='-0.2 %.17g %.17g' upper_ball='0 %.17g %.17g' lower_front='0.2 %.17g %.17g' "
      "lower_rear='-0.2 %.17g %.17g' lower_ball='0 %.17g %.17g' tie_rod_inner='150 %.17g %.17g' "
      "tie_rod_outer='150 %.17g %.17g' spring_foot='0 %.17g %.17g' spring_top='0 %.17g %.17g' "
      "damper_foot='0 %.17g %.17g' damper_top='0 %.17g %.17g' spring_rate='7e4' "
      "free_length='%.17g' bump_length='0.1' rebound_length='0' compression_damping='6e3' "
      "rebound_damping='6e3' upper_mass='0' lower_mass='0' upright_mass='0' "
      "upper_inertia='0 0 0' lower_inertia='0 0 0' upright_inertia='0 0 0' toe='0.1'/>",
      in, high, in, high, y, high, in, low, in, low, y, low, in, z, y, z, y, low, y, low + 0.7, y,
      low, y, low + 0.7, free);
}

void cli_twin_set_toe(cliTwinFixed* f) {
  f->bars = 0;
  for (int w = 0; w < WHEELS; w++) f->steer[w] = w % 2 ? TOE : -TOE;
  memset(f->kick, 0, sizeof f->kick);
}

void cli_twin_build(cliLab* lab, const char* world, cliTwinKind kind) {
  char own[2][1400] = {"", ""};
  for (int axle = 0; axle < 2 && kind.wishbones; axle++) wishbones(axle, own[axle], sizeof own[0]);
  cli_lab_build(
      lab,
      "<world %s>%s"
      "<terrain type='plane' slope_x='0.12' slope_y='0.07'/>"
      "<vehicle name='v' position='0.3 0.2' yaw='0.4' velocity='7 0.12' yaw_rate='0.15' "
      "contact='%s' %s>"
      "<chassis mass='2100' com='0.1 0 0.75' inertia='700 2500 3000 40 60 -30' drag_area='9' "
      "z_min='0.6' z_max='1.6' outline='-2.2 -0.8 2.2 -0.8 2.2 0.8 -2.2 0.8'/>"
      "%s%s"
      "<axle x='1.5' track='1.8' radius='0.47' width='0.3' wheel_mass='70' wheel_inertia='11' "
      "transverse_inertia='6' max_steer='%s' anti_roll='%s' brake='900'>%s</axle>"
      "<axle x='-1.5' track='1.7' radius='0.45' width='0.24' wheel_mass='55' wheel_inertia='8' "
      "transverse_inertia='5' brake='900'>%s</axle>"
      "<hitch position='-2.5 0.4 0.3' force='3000' ramp='9000'/>"
      "%s<controller type='pedals' torque='600' brake='0.08' steer='%s'/></vehicle></world>",
      world,
      kind.massless ? CLI_COULOMB_SOIL("8", "0.8")
                    : "<soil name='road' type='magic_formula' surface='user' d='0.8'/>",
      kind.contact ? kind.contact : "point", kind.steers ? "steer_rate='0.08'" : "",
      kind.massless    ? "<suspension type='massless' stiffness='9e4' damping='7e3' travel='0.4'/>"
      : kind.wishbones ? ""
                       : "<suspension type='slider' stiffness='7e4' damping='6e3'/>",
      kind.massless ? "<tyre type='linear' relaxation_length='0.4' bearing='3'/>"
      : kind.light  ? "<tyre type='fiala' bearing='3' rolling_resistance='0'/>"
                    : "<tyre type='fiala' bearing='3'/>",
      kind.wishbones ? "0" : "0.5", kind.wishbones ? "0" : "2e4", own[0], own[1],
      kind.drive ? kind.drive : "<drive type='open'/>", kind.wishbones ? "0" : "0.05");
}

// ---- the second truck ----

cliVector cli_twin_inertia(const double q[4], const double j[6], cliVector w) {
  const double back[4] = {q[0], -q[1], -q[2], -q[3]};
  const cliVector a = cli_turned(back, w);
  return cli_turned(q, cli_vec(j[0] * a.v[0] + j[3] * a.v[1] + j[4] * a.v[2],
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

static void add_body(const Body* body, cliTwinEquations* e) {
  for (int i = 0; i < SPEEDS; i++) {
    e->b[i] += cli_dot(body->move[i], body->force) + cli_dot(body->turn[i], body->moment);
    for (int k = 0; k < SPEEDS; k++) {
      e->m[i][k] += body->mass * cli_dot(body->move[i], body->move[k]) +
                    cli_dot(body->turn[i], body->momentum[k]);
    }
  }
}

void cli_twin_eliminate(cliTwinEquations* e) {
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

static cliVector unit(int k) { return cli_vec(k == 0, k == 1, k == 2); }

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
cliVector cli_twin_hub(int w, double slide) {
  const int axle = w / 2;
  return cli_vec((axle ? -AHEAD : AHEAD) - COM_X, (w % 2 ? -0.5 : 0.5) * TRACK[axle],
                 RADIUS[axle] - COM_Z + slide);
}

// A rotor whose energy is j ((n q + p)^2 - p^2)/2, q being the spin and p = w . a: momenta j n (n q
// + p) of the spin, j n q a of the chassis.
static void add_rotor(double gear, double q, cliVector axis, cliVector turn, int spin,
                      cliTwinEquations* e) {
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
double cli_twin_share(int axle) {
  const double front = (AHEAD + COM_X) / BASE;
  return 0.5 * (axle ? 1 - front : front) * MASS * CLI_GRAVITY;
}

static void move_patch(const cliTwin* t, double rise, cliTwinPatch* p) {
  const cliVector turn = cli_vec_of(t->turn),
                  swing = cli_add(turn, -cli_dot(turn, p->axis), p->axis);
  p->speed =
      cli_plus(cli_plus(cli_vec_of(t->speed), cli_cross(turn, p->arm)), cli_times(rise, p->up));
  const cliVector patch = cli_plus(p->speed, cli_cross(swing, p->lever));
  p->rise = rise;
  p->vx = cli_dot(patch, p->ahead);
  p->vy = cli_dot(patch, p->left);
  p->sinks = -cli_dot(patch, p->n);
}

cliTwinPatch cli_twin_patch(const cliTwin* t, const cliTwinFixed* f, int w) {
  const int axle = w / 2;
  const double radius = RADIUS[axle], crown = 0.5 * WIDTH[axle], steer = f->steer[w];
  const double size = sqrt(1 + SLOPE[0] * SLOPE[0] + SLOPE[1] * SLOPE[1]);
  const double* q = t->attitude;
  cliTwinPatch p = {.up = cli_turned(q, cli_vec(0, 0, 1)),
                    .axis = cli_turned(q, cli_vec(-sin(steer), cos(steer), 0)),
                    .n = cli_times(1 / size, cli_vec(-SLOPE[0], -SLOPE[1], 1)),
                    .slide = t->slide[w]};
  p.sine = cli_dot(p.n, p.axis);
  const double in = sqrt(1 - p.sine * p.sine), stands = (radius - crown) * in + crown;
  if (f->massless) {
    const cliVector free = cli_plus(cli_vec_of(t->place), cli_turned(q, cli_twin_hub(w, 0)));
    p.slide = (stands - cli_dot(p.n, free)) / cli_dot(p.n, p.up);
  }
  p.arm = cli_turned(q, cli_twin_hub(w, p.slide));
  p.pressed = stands - cli_dot(p.n, cli_plus(cli_vec_of(t->place), p.arm));
  p.ahead = cli_times(1 / in, cli_cross(p.axis, p.n));
  p.left = cli_cross(p.n, p.ahead);
  // from the hub down to the middle of the tread's round, and on to the ground
  const cliVector middle = cli_times(-(radius - crown) / in, cli_add(p.n, -p.sine, p.axis));
  p.lever = cli_add(middle, -(crown - p.pressed), p.n);
  p.whole = t->spin[w] + cli_dot(cli_vec_of(t->turn), p.axis);
  p.reach = radius - p.pressed / 3;
  move_patch(t, f->massless ? 0 : t->rise[w], &p);
  // without mass it follows the ground
  if (f->massless) move_patch(t, p.sinks / cli_dot(p.n, p.up), &p);
  return p;
}

// spring: of the suspension.
static cliTwinGround push_of(const cliTwin* t, const cliTwinFixed* f, int w, const cliTwinPatch* p,
                             double spring, cliTwin* rate) {
  const double swift = fmax(fmax(fabs(p->reach * p->whole), fabs(p->vx)), 0.5 * fabs(p->vy));
  const double length_x = f->massless ? RELAXATION : SLIP / PATCH[0];
  const double length_y = f->massless ? RELAXATION : CORNER / PATCH[1];
  cliTwinGround g = {
      .slides = {swift / length_x * t->patch_x[w], swift / length_y * t->patch_y[w]}};
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

static double slide_of(const cliTwin* t, const cliTwinFixed* f, int w) {
  return f->massless ? cli_twin_patch(t, f, w).slide : t->slide[w];
}

double cli_twin_spring(const cliTwin* t, const cliTwinFixed* f, int w, const cliTwinPatch* p) {
  const double bar = f->bars * BAR[w / 2] * (p->slide - slide_of(t, f, w ^ 1));
  if (f->massless) return SOFT * p->slide + SOFT_DAMPER * p->rise + bar;
  return cli_twin_share(w / 2) + SPRING * p->slide + DAMPER * p->rise + bar;
}

static void tell(const cliTwin* t, int w, const cliTwinPatch* p, const cliTwinGround* g,
                 cliTwinFixed* f) {
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
static void add_works(const cliTwin* t, int w, const cliTwinPatch* p, const cliTwinGround* g,
                      double spring, cliTwin* rate) {
  const double spin = t->spin[w], drive = 0.25 * TORQUE;
  rate->work[DRIVE] += drive * spin;
  rate->work[BRAKES] += PEDAL * BRAKE * fabs(spin);
  rate->work[BEARINGS] += BEARING * spin * spin;
  rate->work[DAMPERS] += spring * p->rise;
  const double slips = g->fx * g->slides[0] - g->fy * g->slides[1];
  const cliVector twist = cli_add(cli_times(g->moment, p->n), -g->moment * p->sine, p->axis);
  const double rubs = slips - cli_dot(twist, cli_vec_of(t->turn));
  const double deflects =
      g->load * p->sinks + g->fx * (p->reach * p->whole - p->vx) - g->fy * p->vy - slips;
  const double rolls = g->drag * cli_dot(p->speed, p->ahead);
  rate->work[SLIPS] += rubs;
  rate->work[TYRES] += deflects;
  rate->work[ROLLS] += rolls;
  rate->slip_work[w] = rubs;
  rate->tyre_work[w] = rubs + deflects + rolls;
}

void cli_twin_add_forces(const cliTwin* t, const cliTwinFixed* f, int w, const cliTwinPatch* p,
                         const cliTwinPush* push, cliTwinEquations* e) {
  const int axle = w / 2, rise = 6 + w, spin = 6 + WHEELS + w;
  const double hung = f->massless ? 0 : HUNG[axle], j = SPIN[axle], across = ACROSS[axle];
  const cliVector turn = cli_vec_of(t->turn);
  const cliTwinGround* g = &push->ground;
  const cliVector at = cli_plus(cli_times(g->load, p->n),
                                cli_plus(cli_times(g->fx, p->ahead), cli_times(g->fy, p->left)));
  cliVector moment = cli_plus(cli_cross(p->lever, at), cli_times(g->moment, p->n));
  // about the axis the force along acts at the rolling radius
  moment = cli_add(moment, -cli_dot(moment, p->axis) - p->reach * g->fx, p->axis);
  Body body = {.mass = hung};
  for (int k = 0; k < 3; k++) {
    body.move[k] = unit(k);
    body.move[3 + k] = cli_cross(unit(k), p->arm);
    body.turn[3 + k] = unit(k);
  }
  if (!f->massless) body.move[rise] = p->up;
  body.turn[spin] = p->axis;
  const double more = j - across;
  for (int k = 3; k < SPEEDS; k++) {
    const cliVector r = body.turn[k];
    body.momentum[k] = cli_add(cli_times(across, r), more * cli_dot(r, p->axis), p->axis);
  }
  const cliVector bias = cli_plus(cli_cross(turn, cli_cross(turn, p->arm)),
                                  cli_times(2 * p->rise, cli_cross(turn, p->up)));
  const cliVector turns = cli_add(turn, t->spin[w], p->axis);
  const cliVector held = cli_add(cli_times(across, turns), more * cli_dot(turns, p->axis), p->axis);
  const cliVector bends = cli_times(t->spin[w], cli_cross(turn, p->axis));
  const cliVector turned =
      cli_add(cli_times(across, bends), more * cli_dot(bends, p->axis), p->axis);
  const cliVector force = cli_add(at, -g->drag, p->ahead);
  body.force = cli_add(force, -hung, cli_plus(cli_vec(0, 0, CLI_GRAVITY), bias));
  body.moment = cli_add(cli_add(moment, -1, cli_cross(turns, held)), -1, turned);
  add_body(&body, e);
  add_rotor(f->gear, t->spin[w], p->axis, turn, spin, e);
  if (f->massless) {
    e->m[rise][rise] = 1;
  } else {
    e->b[rise] -= push->spring;
  }
  e->b[spin] += push->torque;
}

void cli_twin_add_wheel(const cliTwin* t, cliTwinFixed* f, int w, cliTwin* rate,
                        cliTwinEquations* e) {
  const cliTwinPatch p = cli_twin_patch(t, f, w);
  const double spring = cli_twin_spring(t, f, w, &p);
  const cliTwinPush push = {
      push_of(t, f, w, &p, spring, rate), spring,
      0.25 * TORQUE - copysign(PEDAL * BRAKE, t->spin[w]) - BEARING * t->spin[w]};
  const cliTwinGround* g = &push.ground;
  tell(t, w, &p, g, f);
  f->force[w] = cli_plus(cli_times(g->load, p.n),
                         cli_plus(cli_times(g->fx - g->drag, p.ahead), cli_times(g->fy, p.left)));
  cli_twin_add_forces(t, f, w, &p, &push, e);
  add_works(t, w, &p, g, spring, rate);
}

// What a wheel takes that is turned at a rate: the change of its momentum, which the chassis feels,
// and of its energy, its spin against the chassis being kept. With the axis a, its change a' per
// angle and p = w . a: of h = J (q + p) a - J_t p a and (J (q + p)^2 - J_t p^2)/2.
static cliVector turn_wheel(const cliTwin* t, const cliTwinFixed* f, int w, cliTwin* rate) {
  const double s = sin(f->steer[w]), c = cos(f->steer[w]), j = SPIN[0], across = ACROSS[0];
  const cliVector axis = cli_turned(t->attitude, cli_vec(-s, c, 0));
  const cliVector moves = cli_turned(t->attitude, cli_vec(-c, -s, 0)), turn = cli_vec_of(t->turn);
  const double p = cli_dot(turn, axis), more = cli_dot(turn, moves);
  const double along = j * (t->spin[w] + p) - across * p + ROTOR * f->gear * t->spin[w];
  rate->work[STEERS] -= f->rate * along * more;
  return cli_times(-f->rate,
                   cli_plus(cli_times(along, moves), cli_times((j - across) * more, axis)));
}

void cli_twin_add_chassis(const cliTwin* t, const cliTwinFixed* f, cliTwin* rate,
                          cliTwinEquations* e) {
  const double* q = t->attitude;
  const cliVector turn = cli_vec_of(t->turn), v = cli_vec_of(t->speed);
  Body body = {.mass = MASS};
  for (int k = 0; k < 3; k++) {
    body.move[k] = unit(k);
    body.turn[3 + k] = unit(k);
    body.momentum[3 + k] = cli_twin_inertia(q, INERTIA, unit(k));
  }
  const cliVector air = cli_times(-0.5 * AIR * DRAG_AREA * sqrt(cli_dot(v, v)), v);
  const cliVector ahead = cli_turned(q, cli_vec(1, 0, 0));
  const double level = hypot(ahead.v[0], ahead.v[1]), pull = fmin(PULL, RAMP * f->time);
  const cliVector hitch = cli_times(-pull / level, cli_vec(ahead.v[0], ahead.v[1], 0));
  const cliVector arm = cli_turned(q, cli_vec(HITCH[0] - COM_X, HITCH[1], HITCH[2] - COM_Z));
  cliVector kick = f->time < f->step ? cli_turned(q, cli_vec_of(f->kick)) : cli_vec(0, 0, 0);
  for (int w = 0; w < 2 && f->rate > 0; w++) kick = cli_plus(kick, turn_wheel(t, f, w, rate));
  body.force = cli_plus(cli_plus(air, hitch), cli_vec(0, 0, -MASS * CLI_GRAVITY));
  body.moment = cli_plus(cli_plus(cli_cross(arm, hitch), kick),
                         cli_cross(cli_twin_inertia(q, INERTIA, turn), turn));
  add_body(&body, e);
  rate->work[AIRS] -= cli_dot(air, v);
  rate->work[HITCHES] -= cli_dot(hitch, cli_plus(v, cli_cross(turn, arm)));
  rate->work[STEERS] -= cli_dot(kick, turn);
}

static void find_rates(const cliTwin* t, cliTwinFixed* f, cliTwin* rate) {
  cliTwinEquations e = {0};
  memset(rate, 0, sizeof *rate);
  for (int w = 0; w < 2 && f->rate > 0; w++) f->steer[w] = f->rate * f->time;
  cli_twin_add_chassis(t, f, rate, &e);
  for (int w = 0; w < WHEELS; w++) cli_twin_add_wheel(t, f, w, rate, &e);
  cli_twin_eliminate(&e);
  // q' = w q/2
  const cliVector u = cli_vec_of(t->attitude + 1), turn = cli_vec_of(t->turn);
  const cliVector half =
      cli_plus(cli_times(0.5 * t->attitude[0], turn), cli_times(0.5, cli_cross(turn, u)));
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

void cli_twin_step(cliTwin* t, cliTwinFixed* f, double from, double h) {
  static const double NODE[4] = {0, 0.5, 0.5, 1}, WEIGHT[4] = {1, 2, 2, 1};
  cliTwin at = *t, rate = {0}, sum = *t;
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
void cli_twin_start(const cliLab* lab, double step, double gear, cliTwin* t, cliTwinFixed* f) {
  const double com[6] = {COM_X, 0, COM_Z};
  rutJointState joint[4 * WHEELS];
  rutMotion m = {0};
  *t = (cliTwin){.attitude = {1}};
  *f = (cliTwinFixed){.step = step, .gear = gear, .bars = 1};
  if (lab->failed) return;
  rut_motion(lab->world.model, lab->world.data, 0, com, &m);
  const int joints = rut_vehicle_joints(lab->world.model, lab->world.data, 0, 4 * WHEELS, joint);
  const cliVector v = cli_turned(m.attitude, cli_vec_of(m.velocity));
  const cliVector turn = cli_turned(m.attitude, cli_vec_of(m.angular_velocity));
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
