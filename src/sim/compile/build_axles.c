// SPDX-License-Identifier: BSD-3-Clause
//
// Constants of vehicles with suspensions, and the soils of a world, in the model's block.
#include <string.h>

#include "math/rut_math.h"
#include "sim/compile/draft.h"

extern const rutSoilType rut_soil_magic_formula;

// Per-wheel numbers as an array over wheels and lanes; the padding repeats the last wheel.
static const double* widen(rutArena* arena, const double* value, int wheels, int lanes, int pad) {
  double* to = RUT_TAKE(arena, double, pad* lanes);
  for (int i = 0; to && i < pad * lanes; i++) {
    const int w = i / lanes;
    to[i] = value[w < wheels ? w : wheels - 1];
  }
  return to;
}

// Axles next to each other that have the same component make one run. The last run takes the
// padding.
static const rutWheelRun* build_runs(const rutDraftClass* c, const int* of_axle, int lanes, int pad,
                                     rutArena* arena, int* count) {
  const rutDraftSpatial* s = &c->spatial;
  rutWheelRun run[RUT_MAX_WHEELS];
  int runs = 0;
  for (int w = 0; w < c->wheels; w++) {
    const int part = of_axle[s->axle[w]];
    const rutDraftComponent* own = &s->part[part];
    if (w == 0 || of_axle[s->axle[w - 1]] != part) {
      const double* param = RUT_TAKE(arena, double, RUT_MAX_PARAMS);
      if (param) memcpy((double*)(uintptr_t)param, own->param, sizeof own->param);
      run[runs++] = (rutWheelRun){w * lanes, 0, own->type, param};
    }
    run[runs - 1].count += lanes;
  }
  run[runs - 1].count += (pad - c->wheels) * lanes;
  rutWheelRun* kept = RUT_TAKE(arena, rutWheelRun, runs);
  if (kept) memcpy(kept, run, (size_t)runs * sizeof *run);
  *count = runs;
  return kept;
}

static const int* build_partners(const rutDraftClass* c, int lanes, int pad, rutArena* arena) {
  int* partner = RUT_TAKE(arena, int, pad* lanes);
  for (int i = 0; partner && i < pad * lanes; i++) {
    const int w = i / lanes;
    partner[i] = w < c->wheels ? c->spatial.partner[w] * lanes + i % lanes : i;
  }
  return partner;
}

// Wheels next to each other on mechanisms of one type, whatever their parameters.
static const rutWheelRun* build_mechanisms(const rutDraftClass* c, int lanes, int pad,
                                           rutArena* arena, int* count) {
  const rutDraftSpatial* s = &c->spatial;
  rutWheelRun run[RUT_MAX_WHEELS];
  int runs = 0;
  for (int w = 0; w < c->wheels; w++) {
    const rutComponent* type = rut_suspension_of(s, w)->type;
    if (!s->mechanism[w]) continue;
    const bool goes_on = runs && run[runs - 1].type == type &&
                         run[runs - 1].first + run[runs - 1].count == w * lanes;
    if (!goes_on) run[runs++] = (rutWheelRun){w * lanes, 0, type, NULL};
    run[runs - 1].count += lanes;
    if (w == c->wheels - 1) run[runs - 1].count += (pad - c->wheels) * lanes;
  }
  rutWheelRun* kept = RUT_TAKE(arena, rutWheelRun, runs);
  if (kept) memcpy(kept, run, (size_t)runs * sizeof *run);
  *count = runs;
  return kept;
}

// Constants of all mechanisms. A part of four wheels is worked through whole, so that entries of
// other wheels hold those of one that is there.
static const double* build_constants(const rutDraftClass* c, int lanes, int pad, rutArena* arena,
                                     int* constants) {
  enum { N = RUT_CORNER_WIDTH };
  const rutDraftSpatial* s = &c->spatial;
  int most = 0, last = -1;
  for (int w = c->wheels - 1; w >= 0; w--) {
    if (!s->mechanism[w]) continue;
    const rutSuspensionType* type = (const rutSuspensionType*)rut_suspension_of(s, w)->type;
    most = type->constants > most ? type->constants : most;
    last = w;
  }
  *constants = most;
  const int blocks = lanes > 1 ? pad : pad / N;
  double* constant = RUT_TAKE(arena, double, most* N* blocks);
  if (!constant || last < 0) return constant;
  for (int i = 0; i < blocks * N; i++) {
    const int w = lanes > 1 ? i / N : i;
    double range[2], *at = constant + i / N * N * most + i % N;
    if (w < c->wheels && s->mechanism[w]) last = w;
    rut_draft_derive_corner(NULL, (rutNode){0}, c, last, at, range);
  }
  return constant;
}

// Sines of equal angles over the lower half of a wheel.
static const double* build_slices(int slices, rutArena* arena) {
  double* sine = RUT_TAKE(arena, double, slices);
  for (int j = 0; sine && j < slices; j++) {
    double cosine;
    rut_sincos(RUT_PI * ((j + 0.5) / slices - 0.5), &sine[j], &cosine);
  }
  return sine;
}

// Where the chassis touches the ground it sinks in by a few millimetres under its weight, or by as
// much as explicit steps of dt need to be stable (0: they are not explicit).
static void hull_contact(const rutDraftClass* c, double gravity, double dt, rutVehicleClass* s) {
  static const double SINKAGE = 0.005;  // [m]
  static const double STABLE = 0.3;     // part of what a step may change
  const int points = c->spatial.hull;
  s->hull_friction = c->friction;
  s->hull_stiffness = c->mass * rut_max(gravity, 1) / (SINKAGE * 2);
  // critical for a quarter of the mass on one point
  s->hull_damping = rut_sqrt(s->hull_stiffness * c->mass);
  s->hull_grip = s->hull_damping;
  s->hull = points;
  for (int i = 0; i < points; i++) {
    const double* p = c->spatial.hull_point + (size_t)(3 * i);
    const double size[4] = {rut_abs(p[0]), rut_abs(p[1]), -p[2], p[2]};
    for (int k = 0; k < 4; k++) s->hull_size[k] = rut_max(s->hull_size[k], size[k]);
  }
  if (!(dt > 0)) return;
  double yields = 0;  // acceleration of all points together per force on each
  const double* j = c->spatial.inertia;
  for (int i = 0; i < points; i++) {
    const double* p = c->spatial.hull_point + (size_t)(3 * i);
    const double arm = p[0] * p[0] + p[1] * p[1] + p[2] * p[2];
    yields += 1 / c->mass + arm / rut_min(j[0], rut_min(j[1], j[2]));
  }
  s->hull_stiffness = rut_min(s->hull_stiffness, STABLE / (dt * dt * yields));
  s->hull_damping = s->hull_grip = rut_min(s->hull_damping, STABLE / (dt * yields));
}

rutVehicleClass* rut_build_axles(const rutDraftClass* c, double gravity, double explicit_step,
                                 int lanes, int shafts, bool soft, rutArena* arena) {
  const rutDraftSpatial* d = &c->spatial;
  const int wheels = c->wheels, pad = rut_wheel_pad(wheels, lanes);
  double crown[RUT_MAX_WHEELS], x[RUT_MAX_WHEELS], z[RUT_MAX_WHEELS], slides[RUT_MAX_WHEELS];
  double y[RUT_MAX_WHEELS], mass[RUT_MAX_WHEELS], driven[RUT_MAX_WHEELS], side[RUT_MAX_WHEELS];
  int massless = 0, anti_roll = 0;
  for (int w = 0; w < wheels; w++) {
    // the tread is round across: by half the width, or as far as the wheel allows
    crown[w] = rut_min(0.5 * c->width[w], c->radius[w]);
    x[w] = c->x[w] - d->com[0];
    y[w] = c->y[w] - d->com[1];
    z[w] = d->z[w] - d->com[2];
    slides[w] = d->massless[w] ? 0 : 1;
    driven[w] = c->driven[w] ? 1 : 0;
    side[w] = d->partner[w] == w ? 0 : (d->partner[w] > w ? 1 : -1);
    mass[w] = d->massless[w] ? 0 : c->wheel_mass[w];
    massless = massless || d->massless[w];
    anti_roll = anti_roll || d->anti_roll[w] > 0;
  }
  rutVehicleClass s = {.wheels = wheels,
                       .lanes = lanes,
                       .pad = pad,
                       .positions = RUT_CHASSIS_POSITIONS + 2 * pad,
                       .speeds = RUT_CHASSIS_SPEEDS + 2 * pad,
                       .drag_area = d->drag_area,
                       .hitch = {d->hitch[0], d->hitch[1], d->hitch[2]},
                       .hitch_force = d->hitch_force,
                       .hitch_ramp = d->hitch_ramp,
                       .hitch_start = d->hitch_start,
                       .total_mass = c->mass,
                       .steer_rate = d->steer_rate,
                       .steer_x = d->steer_x,
                       .steer_base = d->steer_base,
                       .massless = massless,
                       .anti_roll = anti_roll,
                       .search = (rutContactSearch)d->search,
                       .slices = d->slices,
                       .refine = d->refine,
                       .width_slices = d->width_slices};
#define WIDE(values) widen(arena, values, wheels, lanes, pad)
  s.body =
      (rutSliders){.wheels = wheels, .lanes = lanes, .n = pad * lanes, .mass = d->chassis_mass};
  s.body.x = WIDE(x);
  s.body.y = WIDE(y);
  s.body.z = WIDE(z);
  s.body.slides = WIDE(slides);
  s.body.wheel_mass = WIDE(mass);
  s.body.spin = WIDE(c->inertia);
  s.body.transverse = WIDE(d->transverse);
  memcpy(s.body.inertia, d->inertia, sizeof d->inertia);
  memcpy(s.com, d->com, sizeof s.com);
  s.radius = WIDE(c->radius);
  s.crown = WIDE(crown);
  s.width = WIDE(c->width);
  s.section = WIDE(d->section);
  s.driven = WIDE(driven);
  s.geared = WIDE(d->geared);
  s.reaction = WIDE(d->reaction);
  s.brake = WIDE(d->brake);
  s.max_steer = WIDE(d->max_steer);
  s.preload = WIDE(d->preload);
  s.stiffness = WIDE(d->stiffness);
  s.deflection = WIDE(d->deflection);
  s.lowest = WIDE(d->lowest);
  s.highest = WIDE(d->highest);
  s.roll_rate = WIDE(d->anti_roll);
  s.side = WIDE(side);
  s.corner_mass = WIDE(d->corner_mass);
  s.steer_gain = WIDE(d->steer_gain);
  s.settled = WIDE(d->settled);
#undef WIDE
  s.corners = d->mechanisms > 0 || shafts > 0;
  s.shafts = shafts;
  s.steer_lock = d->steer_lock;
  s.steer_full = d->steer_full;
  s.steer_response = d->steer_response;
  s.steer_stiffness = d->mechanisms && d->steer_lock > 0 ? d->steer_stiffness : 0;
  s.steer_damping = d->steer_damping;
  s.steer_inertia = d->steer_inertia;
  s.mechanism = build_mechanisms(c, lanes, pad, arena, &s.mechanisms);
  s.constant = build_constants(c, lanes, pad, arena, &s.constants);
  s.sine = build_slices(d->slices, arena);
  s.partner = build_partners(c, lanes, pad, arena);
  s.suspension = build_runs(c, d->suspension, lanes, pad, arena, &s.suspensions);
  s.tyre = build_runs(c, d->tyre, lanes, pad, arena, &s.tyres);
  for (int w = 0; w < pad; w++) {
    const int own = w < wheels ? w : wheels - 1;
    s.grips += ((const rutTyreType*)rut_tyre_of(d, own)->type)->grip ? lanes : 0;
  }
  s.twists = s.grips > 0 || soft;
  for (int w = 0; w < wheels; w++) {
    const double part = (mass[w] + d->corner_mass[w]) / c->mass;
    s.total_com[0] += part * x[w];
    s.total_com[1] += part * y[w];
    s.total_com[2] += part * z[w];
  }
  double* hull = RUT_TAKE(arena, double, 3 * d->hull);
  if (hull) memcpy(hull, d->hull_point, (size_t)(3 * d->hull) * sizeof *hull);
  s.hull_point = hull;
  hull_contact(c, gravity, explicit_step, &s);
  rutVehicleClass* kept = RUT_TAKE(arena, rutVehicleClass, 1);
  if (kept) *kept = s;
  return kept;
}

static rutSoilRecord build_soil(const rutSoilType* type, const double* param, rutArena* arena) {
  double* kept = RUT_TAKE(arena, double, RUT_MAX_PARAMS);
  double* derived = RUT_TAKE(arena, double, type->derived);
  if (kept) memcpy(kept, param, RUT_MAX_PARAMS * sizeof *kept);
  if (derived && type->derive) type->derive(param, derived);
  return (rutSoilRecord){type, kept, derived};
}

// The world's soils in the order of the file, behind the one of places without any: dry and hard.
const rutSoilRecord* rut_build_soils(const rutDraft* draft, rutArena* arena, int* count) {
  *count = draft->soil.n + 1;
  rutSoilRecord* soil = RUT_TAKE(arena, rutSoilRecord, *count);
  double standard[RUT_MAX_PARAMS] = {0};
  const rutComponent* hard = &rut_soil_magic_formula.base;
  for (int i = 0; i < hard->fields; i++) standard[i] = hard->field[i].def;
  rutSoilRecord built = build_soil(&rut_soil_magic_formula, standard, arena);
  if (soil) soil[0] = built;
  for (int i = 0; i < draft->soil.n; i++) {
    const rutDraftComponent* d = &((const rutDraftSoil*)rut_list_at(&draft->soil, i))->component;
    built = build_soil((const rutSoilType*)d->type, d->param, arena);
    if (soil) soil[i + 1] = built;
  }
  return soil;
}
