// SPDX-License-Identifier: BSD-3-Clause
//
// What the ground gives to contact patches: surfaces and soils by their traction, tyres that have a
// law of their own for hard ground, and soil that gives way under its load.
#include <string.h>

#include "sim/step.h"
#include "vehicle/view.h"

// A row of the tile at hand; e and n, its size, are at hand wherever it is used.
#define W(name) RUT_WHEEL_ROW(e, n, name)

#define SPATIAL(member) (batch + (size_t)group->row.spatial.member * (size_t)group->lanes)

enum { TRACTIONS = 7 };  // rows of a rutTractionOut
// A tyre in soil gives at least so much, so that it has a stiffness [m].
static const double LEAST = 1e-9;

// ---- which soil ----

// Which way a wheel travels: that of its hub, or of its rim where that is faster.
static double leads(double rolls, double moves) {
  return (rut_abs(rolls) > rut_abs(moves) ? rolls : moves) < 0 ? -1 : 1;
}

// Where the wheels meet soil that keeps ruts: horizontal direction of travel, length of the contact
// ahead of the lowest point, and what is left there of earlier passes.
static void read_ruts(const rutStepView* e, int n, const double* spin) {
  const rutSpatial* s = e->spatial;
  double x[RUT_WHEEL_TILE], y[RUT_WHEEL_TILE];
  for (int i = 0; i < n; i++) {
    const double size = 1 / rut_sqrt(rut_max(W(fx)[i] * W(fx)[i] + W(fy)[i] * W(fy)[i], 1e-12));
    const double radius = s->radius[e->first + i];
    const double moves = size * (W(vhx)[i] * W(ay)[i] - W(vhy)[i] * W(ax)[i]);
    const double back = leads(radius * spin[e->first + i], moves);
    const double depth = rut_clamp(W(deflection)[i], 0, radius);
    W(dir_x)[i] = back * size * W(fx)[i];
    W(dir_y)[i] = back * size * W(fy)[i];
    W(ahead)[i] = rut_sqrt(depth * (2 * radius - depth));
    x[i] = W(hx)[i] + W(r0)[i] * W(dx)[i] + W(r1)[i] * W(dy)[i] + W(r2)[i] * W(dz)[i];
    y[i] = W(hy)[i] + W(r3)[i] * W(dx)[i] + W(r4)[i] * W(dy)[i] + W(r5)[i] * W(dz)[i];
  }
  const rutSoftPatches at = {x, y, W(dir_x), W(dir_y), W(ahead), s->width + e->first};
  rut_soft_read(e->soft, n, &at, W(trodden), W(raised));
}

// What a wheel meets of ruts. Its own print lies round a wheel that stands, while a rut lies flat
// before it: what it reads there is its own until it has come as far as its contact is long.
static void tell_own_print(const rutStepView* e, int n) {
  const rutGroup* group = e->group;
  double* batch = e->batch;
  const double *floor = SPATIAL(floor) + e->first, *trodden = SPATIAL(trodden) + e->first;
  const double *print = SPATIAL(print) + e->first, *since = SPATIAL(since) + e->first;
  for (int i = 0; i < n; i++) {
    const double rut = W(trodden)[i], come = rut_abs(since[i]) / rut_max(W(ahead)[i], LEAST);
    const double apart = print[i] > rut ? rut_min(come, 1) : 1;
    const double lift = floor[i] < RUT_NO_GROUND ? apart * (trodden[i] - rut) : 0;
    W(apart)[i] = apart;
    W(earlier)[i] = rut;
    W(trodden)[i] = apart * rut;
    W(own)[i] = rut_max(print[i] - lift, 0);
  }
}

// Depth of wheels in soil that gives way, and what the tyre takes of it as the last step left it.
static void split_depth(const rutStepView* e, int n, const double* spin) {
  const rutGroup* group = e->group;
  double* batch = e->batch;
  const int at = e->first, *kind = e->scratch->soil;
  const double* sinkage = SPATIAL(sinkage) + at;
  double some = 0;
  for (int i = 0; i < n; i++) {
    W(sinks)[i] = e->model->soil[kind[i]].type->sink ? 1 : 0;
    W(raised)[i] = W(trodden)[i] = W(ahead)[i] = 0;
    W(climb)[i] = W(sinks)[i] * SPATIAL(climb)[at + i];
    some += W(sinks)[i];
  }
  if (e->soft && some > 0) read_ruts(e, n, spin);
  tell_own_print(e, n);
  for (int i = 0; i < n; i++) {
    W(depth)[i] = W(deflection)[i] + W(raised)[i];
    if (W(sinks)[i] > 0) W(squeeze)[i] = rut_max(W(depth)[i] - sinkage[i], LEAST);
  }
}

void rut_wheel_soils(const rutStepView* e, int n, const double* spin) {
  const rutSpatialScratch* k = e->scratch;
  const rutGround* ground = e->model->ground;
  if (ground->regions == 0 && ground->maps == 0) {
    for (int i = 0; i < n; i++) {
      k->soil[i] = ground->soil;
      W(strength)[i] = W(friction)[i] = RUT_NAN;
    }
  } else {
    rut_ground_place(ground, n, W(hx), W(hy), W(hz), k->soil, W(strength), W(friction));
  }
  for (int i = 0; i < n; i++) {
    W(squeeze)[i] = W(deflection)[i];
    W(climb)[i] = 0;
  }
  if (e->model->soft_soils) split_depth(e, n, spin);
}

void rut_wheel_touch_soil(const rutStepView* e, int n) {
  static const double HAIR = 1e-6;  // [N]
  for (int i = 0; i < n; i++) {
    const bool in = W(sinks)[i] > 0 && W(depth)[i] > 0;
    // the damper's part is the soil's matter
    W(tyre_load)[i] = W(load)[i] - W(tyre_c)[i] * W(rate)[i];
    if (in) W(load)[i] = rut_max(W(load)[i], HAIR);
  }
}

// ---- traction ----

typedef struct Gathered {
  double out[TRACTIONS][RUT_WHEEL_TILE];
} Gathered;

// Wheels of a tile on soils of different kinds: every soil that some of them stand on.
static void mixed_traction(const rutStepView* e, int n, const rutTractionIn* in,
                           const rutTractionOut* out) {
  const int* kind = e->scratch->soil;
  double* result[TRACTIONS] = {out->mu_x, out->mu_y,       out->secant_x, out->secant_y,
                               out->use,  out->resistance, out->peak};
  Gathered g;
  const rutTractionOut part = {g.out[0], g.out[1], g.out[2], g.out[3],
                               g.out[4], g.out[5], g.out[6]};
  for (int done = 0; done < n; done++) {
    const int soil = kind[done];
    const rutSoilRecord* r = &e->model->soil[soil];
    bool seen = false;
    for (int i = 0; i < done; i++) seen = seen || kind[i] == soil;
    if (seen || !r->type->traction) continue;
    r->type->traction(r->param, r->derived, n, in, &part);
    for (int i = done; i < n; i++) {
      if (kind[i] != soil) continue;
      for (int c = 0; c < TRACTIONS; c++) result[c][i] = g.out[c][i];
    }
  }
}

static void soil_traction(const rutStepView* e, int n) {
  const rutSpatialScratch* k = e->scratch;
  const int at = e->first;
  const rutSpatial* s = e->spatial;
  const rutTractionIn in = {W(slip_x),     W(slip_y),       W(load),      W(sunk),     W(diameter),
                            s->width + at, s->section + at, W(crossover), W(strength), W(friction)};
  const rutTractionOut out = {W(mu_x), W(mu_y),       W(secant_x), W(secant_y),
                              W(use),  W(resistance), W(peak)};
  bool same = true;
  for (int i = 1; i < n; i++) same = same && k->soil[i] == k->soil[0];
  const rutSoilRecord* r = &e->model->soil[k->soil[0]];
  if (same && r->type->traction) {
    r->type->traction(r->param, r->derived, n, &in, &out);
  } else {
    mixed_traction(e, n, &in, &out);
  }
}

// ---- soil that gives way ----

static void travel(const rutStepView* e, int n) {
  for (int i = 0; i < n; i++) {
    W(direction)[i] = leads(W(rolling_radius)[i] * W(spin)[i], W(vx)[i]);
  }
}

// Slope of the ground that earlier passes left, on the way of a wheel that rolls over it. What it
// presses back is at right angles to it: a wheel that comes up is held back, one that goes down
// pushed on. Of soil that gives way itself the law says what lifting a wheel takes.
static double floor_slope(const rutStepView* e, int n, int i, double before) {
  static const double SLOW = 0.05, STEEP = 1;
  const double way = e->model->dt * rut_max(rut_abs(W(vx)[i]), SLOW);
  const double slope = (W(raised)[i] - W(earlier)[i] - before) / way;
  return W(apart)[i] * (1 - W(sticking)[i]) * rut_clamp(slope, -STEEP, STEEP);
}

// What wheels leave behind in this step.
static void leave_rut(const rutStepView* e, int n) {
  const rutGroup* group = e->group;
  double* batch = e->batch;
  const int at = e->first;
  const rutSpatial* s = e->spatial;
  for (int i = 0; i < n; i++) {
    const bool in = W(sinks)[i] > 0 && W(load)[i] > 0;
    const double before = SPATIAL(floor)[at + i], since = SPATIAL(since)[at + i];
    const double goes = W(direction)[i] * W(way)[i];
    SPATIAL(climb)[at + i] = in && before < RUT_NO_GROUND ? floor_slope(e, n, i, before) : 0;
    SPATIAL(floor)[at + i] = in ? W(raised)[i] - W(earlier)[i] : RUT_NO_GROUND;
    SPATIAL(trodden)[at + i] = in ? W(earlier)[i] : 0;
    if (W(sinks)[i] > 0) W(squeeze)[i] = rut_max(W(depth)[i] - W(sunk_in)[i], 0);
    // a tyre that carries nothing is round
    SPATIAL(sinkage)[at + i] = in ? W(sunk_in)[i] : rut_max(W(sinks)[i] * W(depth)[i], 0);
    SPATIAL(print)[at + i] = W(sinks)[i] > 0 ? W(own)[i] : 0;
    SPATIAL(since)[at + i] = since * goes < 0 ? 0 : since + goes;
    if (in) SPATIAL(grade)[at + i] = W(resistance)[i];
    if (!e->press) continue;
    rutSoftPress* to = &e->press[at + i];
    const double x = W(r0)[i] * W(dx)[i] + W(r1)[i] * W(dy)[i] + W(r2)[i] * W(dz)[i];
    const double y = W(r3)[i] * W(dx)[i] + W(r4)[i] * W(dy)[i] + W(r5)[i] * W(dz)[i];
    const double way = rut_hypot(W(vhx)[i], W(vhy)[i]) * e->model->dt;
    *to = (rutSoftPress){.x = W(hx)[i] + x,
                         .y = W(hy)[i] + y,
                         .dir_x = W(dir_x)[i],
                         .dir_y = W(dir_y)[i],
                         .behind = 2 * way,
                         .width = in ? s->width[at + i] : 0,
                         .pressed = W(pressed)[i] - W(raised)[i],
                         .rut = W(rut)[i] - W(raised)[i]};
  }
}

enum { SUNK = 16 };  // rows of a rutSinkOut

// Loads, traction and sinkage of the wheels of one soil.
static void sink_into(const rutStepView* e, int n, int soil) {
  const rutSoilRecord* r = &e->model->soil[soil];
  const rutGroup* group = e->group;
  const double* batch = e->batch;
  const int at = e->first, *kind = e->scratch->soil;
  double beside[SUNK][RUT_WHEEL_TILE], carried[RUT_WHEEL_TILE], sunk[RUT_WHEEL_TILE];
  double direction[RUT_WHEEL_TILE];
  for (int i = 0; i < n; i++) {
    carried[i] = rut_max(W(tyre_load)[i], 0);
    sunk[i] = W(depth)[i] - W(squeeze)[i];
    // a wheel that stands travels nowhere
    direction[i] = W(direction)[i] * (1 - W(sticking)[i]);
  }
  const rutSinkIn in = {.dt = e->model->dt,
                        .slip_x = W(slip_x),
                        .slip_y = W(slip_y),
                        .direction = direction,
                        .depth = W(depth),
                        .rate = W(rate),
                        .radius = e->spatial->radius + at,
                        .width = e->spatial->width + at,
                        .tyre_load = carried,
                        .tyre_stiffness = W(tyre_k),
                        .tyre_damping = W(tyre_c),
                        .sinkage = sunk,
                        .pressed = W(trodden),
                        .print = W(own),
                        .way = W(way),
                        .grade = SPATIAL(grade) + at};
  const rutSinkOut out = {beside[0],  beside[1],  beside[2],  beside[3], beside[4],  beside[5],
                          beside[6],  beside[7],  beside[8],  beside[9], beside[10], beside[11],
                          beside[12], beside[13], beside[14], beside[15]};
  r->type->sink(r->param, r->derived, n, &in, &out);
  double* row[SUNK] = {W(load), W(tyre_k),      W(tyre_c),   W(sunk_in),  W(rut), W(pressed),
                       W(mu_x), W(mu_y),        W(secant_x), W(secant_y), W(use), W(resistance),
                       W(peak), W(overturning), W(aligning), W(own)};
  for (int i = 0; i < n; i++) {
    if (kind[i] != soil) continue;
    for (int c = 0; c < SUNK; c++) row[c][i] = beside[c][i];
    // at the end of the step
    const double ahead = W(load)[i] + e->implicit * W(tyre_k)[i] * W(rate)[i];
    W(load)[i] = W(load)[i] > 0 ? rut_max(ahead, 0) : 0;
  }
}

static void sink_in(const rutStepView* e, int n) {
  const int* kind = e->scratch->soil;
  travel(e, n);
  for (int i = 0; i < n; i++) W(way)[i] = rut_hypot(W(vx)[i], W(vy)[i]) * e->model->dt;
  for (int done = 0; done < n; done++) {
    bool seen = !(W(sinks)[done] > 0);
    for (int i = 0; i < done; i++) seen = seen || kind[i] == kind[done];
    if (!seen) sink_into(e, n, kind[done]);
  }
  if (e->commit) leave_rut(e, n);
}

// ---- tyres with a law of their own ----

// Which way each wheel travels, how it leans, and the friction of hard surfaces. How many of a tile
// are on hard ground.
static int face_road(const rutStepView* e, int n, double hard[RUT_WHEEL_TILE]) {
  const int* kind = e->scratch->soil;
  int roads = 0;
  for (int i = 0; i < n; i++) {
    const rutSoilRecord* r = &e->model->soil[kind[i]];
    hard[i] = r->type->friction ? 1 : 0;
    roads += r->type->friction != NULL;
    const bool own = W(friction)[i] != W(friction)[i];
    if (own && r->type->friction) W(friction)[i] = r->type->friction(r->param);
  }
  travel(e, n);
  for (int i = 0; i < n; i++) {
    const double lean = rut_clamp(W(lean)[i], -1, 1);
    W(camber)[i] = rut_atan2(lean, rut_sqrt(rut_max(1 - lean * lean, 0)));
  }
  return roads;
}

// Wheels from..to of a tile, which share a tyre.
static void grip_run(const rutStepView* e, int n, const rutWheelRun* run, int from, int to,
                     const double* hard) {
  const rutTyreType* type = (const rutTyreType*)run->type;
  const int at = e->first + from, count = to - from;
  double beside[TRACTIONS + 2][RUT_WHEEL_TILE];
  int own = 0;
  for (int i = from; i < to; i++) own += hard[i] > 0;
  if (own == 0) return;
  double* row[TRACTIONS + 2] = {W(mu_x) + from,     W(mu_y) + from,        W(secant_x) + from,
                                W(secant_y) + from, W(use) + from,         W(resistance) + from,
                                W(peak) + from,     W(overturning) + from, W(aligning) + from};
  double* to_row[TRACTIONS + 2];
  for (int c = 0; c < TRACTIONS + 2; c++) to_row[c] = own == count ? row[c] : beside[c];
  const rutTyreGripIn in = {.slip_x = W(slip_x) + from,
                            .slip_y = W(slip_y) + from,
                            .direction = W(direction) + from,
                            .load = W(load) + from,
                            .deflection = W(sunk) + from,
                            .radius = e->spatial->radius + at,
                            .camber = W(camber) + from,
                            .speed = W(vx) + from,
                            .friction = W(friction) + from,
                            .side = e->spatial->side + at};
  const rutTyreGripOut out = {to_row[0], to_row[1], to_row[2], to_row[3], to_row[4],
                              to_row[5], to_row[6], to_row[7], to_row[8]};
  type->grip(run->param, count, &in, &out);
  if (own == count) return;
  for (int i = 0; i < count; i++) {
    if (!(hard[from + i] > 0)) continue;
    for (int c = 0; c < TRACTIONS + 2; c++) row[c][i] = beside[c][i];
  }
}

static void tyre_grip(const rutStepView* e, int n, const double* hard) {
  const rutSpatial* s = e->spatial;
  for (int r = 0; r < s->tyres; r++) {
    const rutWheelRun* run = &s->tyre[r];
    const int first = run->first - e->first, last = first + run->count;
    const int from = first > 0 ? first : 0, to = last < n ? last : n;
    if (from < to && ((const rutTyreType*)run->type)->grip) grip_run(e, n, run, from, to, hard);
  }
}

void rut_wheel_traction(const rutStepView* e, int n) {
  const rutSpatial* s = e->spatial;
  double hard[RUT_WHEEL_TILE];
  if (!s->twists) {
    soil_traction(e, n);
    return;
  }
  for (int i = 0; i < n; i++) W(overturning)[i] = W(aligning)[i] = 0;
  // nothing is left to the soil where all tyres know better
  const int roads = s->grips ? face_road(e, n, hard) : 0;
  if (roads < n || s->grips < s->body.n) soil_traction(e, n);
  if (roads > 0) tyre_grip(e, n, hard);
  if (e->model->soft_soils) sink_in(e, n);
}
