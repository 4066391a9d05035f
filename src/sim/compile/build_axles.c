// SPDX-License-Identifier: BSD-3-Clause
//
//
#include "sim/compile/build_axles.h"

#include <string.h>

#include "math/rut_math.h"
#include "sim/compile/build.h"
#include "sim/compile/corners.h"
#include "sim/compile/hull.h"
#include "sim/compile/inflation.h"

// Per-wheel numbers as an array over wheels and lanes; the padding repeats the last wheel.
static const double* widen(rutArena* arena, const double* value, int wheels, int lanes, int pad) {
  double* to = RUT_TAKE(arena, double, pad* lanes);
  for (int i = 0; to && i < pad * lanes; i++) {
    const int w = i / lanes;
    to[i] = value[w < wheels ? w : wheels - 1];
  }
  return to;
}

// Rows with one number each, in all lanes.
static const double* fill_lanes(rutArena* arena, const double* value, int rows, int lanes) {
  double* to = RUT_TAKE(arena, double, rows* lanes);
  for (int i = 0; to && i < rows * lanes; i++) to[i] = value[i / lanes];
  return to;
}

// Axles next to each other that have the same component make one run, or each its own. The last
// run takes the padding.
typedef struct RunsOf {
  const int* of_axle;  // part of each
  bool each;
} RunsOf;
static rutWheelRun* build_runs(const rutDraftClass* c, RunsOf of, int lanes, int pad,
                               rutArena* arena, int* count) {
  const rutDraftSpatial* s = &c->spatial;
  const int* of_axle = of.of_axle;
  rutWheelRun run[RUT_MAX_WHEELS];
  int runs = 0;
  for (int w = 0; w < c->wheels; w++) {
    const int part = of_axle[s->axle[w]];
    const rutDraftComponent* own = &s->part[part];
    const bool next = w > 0 && of.each && s->axle[w] != s->axle[w - 1];
    if (w == 0 || next || of_axle[s->axle[w - 1]] != part) {
      const double* given = RUT_COPY(arena, own->param, RUT_MAX_PARAMS);
      run[runs++] = (rutWheelRun){w * lanes, 0, own->type, given, given, 0, 0};
    }
    run[runs - 1].count += lanes;
  }
  run[runs - 1].count += (pad - c->wheels) * lanes;
  rutWheelRun* kept = RUT_TAKE(arena, rutWheelRun, runs);
  if (kept) memcpy(kept, run, (size_t)runs * sizeof *run);
  *count = runs;
  return kept;
}

// The same of tyres, at their pressure.
static const rutWheelRun* build_tyres(const rutDraftClass* c, int lanes, int pad, rutArena* arena,
                                      int* count) {
  const rutDraftSpatial* s = &c->spatial;
  const bool each = s->inflate_rate > 0;
  rutWheelRun* run = build_runs(c, (RunsOf){s->tyre, each}, lanes, pad, arena, count);
  for (int i = 0, w = 0; i < *count; i++) {
    double room[RUT_MAX_PARAMS];
    const int axle = s->axle[w];
    const rutDraftComponent* own = rut_tyre_of(s, w);
    const double* param = RUT_COPY(arena, rut_draft_inflated(own, room), RUT_MAX_PARAMS);
    while (w < c->wheels && (each ? s->axle[w] == axle : rut_tyre_of(s, w) == own)) w++;
    if (!run) continue;
    run[i].param = param;
    run[i].pressure = rut_draft_pressure(own);
    run[i].axle = axle;
  }
  return run;
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
    if (!goes_on) run[runs++] = (rutWheelRun){w * lanes, 0, type, NULL, NULL, 0, 0};
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
  const double* before = NULL;  // those of the entry before, of wheel `of`
  for (int i = 0, of = -1; i < blocks * N; i++) {
    const int w = lanes > 1 ? i / N : i;
    double range[2], *at = constant + i / N * N * most + i % N;
    if (w < c->wheels && s->mechanism[w]) last = w;
    for (int k = 0; of == last && k < most; k++) at[k * N] = before[k * N];
    if (of != last) rut_draft_derive_corner(NULL, (rutNode){0}, c, last, at, range);
    of = last;
    before = at;
  }
  return constant;
}

// Masses and centres of mass of the vehicle in each lane.
static void build_masses(const rutDraftClass* c, double gravity, rutArena* arena,
                         rutVehicleClass* s) {
  const rutDraftSpatial* d = &c->spatial;
  const double mean_mass = c->mass / c->wheels, mean_weight = c->mass * gravity / c->wheels;
  double total_com[3] = {0, 0, 0};
  for (int w = 0; w < c->wheels; w++) {
    const double part = (d->wheel.wheel_mass[w] + d->wheel.corner_mass[w]) / c->mass;
    total_com[0] += part * d->wheel.x[w];
    total_com[1] += part * d->wheel.y[w];
    total_com[2] += part * d->wheel.z[w];
  }
  s->com = fill_lanes(arena, d->com, 3, s->lanes);
  s->hitch = fill_lanes(arena, d->hitch, 3, s->lanes);
  s->total_mass = fill_lanes(arena, &c->mass, 1, s->lanes);
  s->total_com = fill_lanes(arena, total_com, 3, s->lanes);
  s->mean_mass = fill_lanes(arena, &mean_mass, 1, s->body.n);
  s->mean_weight = fill_lanes(arena, &mean_weight, 1, s->body.n);
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

// Tandem cams of all wheels.
static void build_cams(const rutDraftClass* c, rutArena* arena, rutVehicleClass* s) {
  const rutDraftSpatial* d = &c->spatial;
  rutCam* cam = RUT_TAKE(arena, rutCam, c->wheels);
  double* power = RUT_TAKE(arena, double, c->wheels* RUT_CAM_PLACES);
  s->cam = cam;
  s->cam_power = power;
  s->cam_rows = d->width_slices > 1 ? d->width_slices : 5;
  for (int w = 0; cam && power && w < c->wheels; w++) {
    const double r = c->radius[w];
    cam[w] =
        rut_cam_of(r, d->cam_length * r, d->cam_height * r, d->cam_order, d->wheel.cam_distance[w]);
    rut_cam_powers(&cam[w], power + (size_t)w * RUT_CAM_PLACES);
  }
}

// Part of a rectangle x_min, x_max, y_min, y_max that is inside the outline, by samples.
static double part_inside(const rutOutline* outline, const double box[4]) {
  enum { ALONG = 8 };
  int inside = 0;
  for (int i = 0; i < ALONG * ALONG; i++) {
    const double u = (i % ALONG + 0.5) / ALONG, v = (i / ALONG + 0.5) / ALONG;
    inside += rut_polygon_contains(outline->n, outline->xy, box[0] + u * (box[1] - box[0]),
                                   box[2] + v * (box[3] - box[2]));
  }
  return (double)inside / (ALONG * ALONG);
}

// Columns of the hull, for its part below a level of water.
static void hull_columns(const rutDraftClass* c, rutArena* arena, rutVehicleClass* s) {
  enum { ALONG = 8, ACROSS = 4 };
  const double* com = c->spatial.com;
  double box[4];
  rut_polygon_bounds(c->outline.n, c->outline.xy, box);
  const double length = box[2] - box[0], width = box[3] - box[1];
  double* column = RUT_TAKE(arena, double, 3 * ALONG * ACROSS);
  s->columns = ALONG * ACROSS;
  s->column = column;
  s->bottom = c->z_min - com[2];
  s->top = c->z_max - com[2];
  s->column_side = rut_min(length / ALONG, width / ACROSS);
  s->wet_front = width / (ALONG * ACROSS);
  s->wet_side = length / (ALONG * ACROSS);
  if (!column) return;
  double sum = 0;
  for (int i = 0; i < ALONG * ACROSS; i++) {
    const double x = box[0] + length * (i / ACROSS) / ALONG,
                 y = box[1] + width * (i % ACROSS) / ACROSS;
    const double cell[4] = {x, x + length / ALONG, y, y + width / ACROSS};
    column[3 * i] = 0.5 * (cell[0] + cell[1]) - com[0];
    column[3 * i + 1] = 0.5 * (cell[2] + cell[3]) - com[1];
    column[3 * i + 2] = part_inside(&c->outline, cell);
    sum += column[3 * i + 2];
  }
  // together they have the outline's area
  const double each = rut_abs(rut_polygon_area(c->outline.n, c->outline.xy)) / sum;
  for (int i = 0; i < ALONG * ACROSS; i++) column[3 * i + 2] *= each;
}

rutVehicleClass* rut_build_axles(const rutDraft* draft, const rutDraftClass* c,
                                 const rutGroup* group, bool soft, rutArena* arena) {
  const rutDraftSpatial* d = &c->spatial;
  const int lanes = group->lanes, shafts = group->shafts;
  const int wheels = c->wheels, pad = group->pad;
  rutVehicleClass s = {.wheels = wheels,
                       .lanes = lanes,
                       .pad = pad,
                       .positions = RUT_CHASSIS_POSITIONS + 2 * pad,
                       .speeds = RUT_CHASSIS_SPEEDS + 2 * pad,
                       .search = (rutContactSearch)d->search,
                       .slices = d->slices,
                       .refine = d->refine,
                       .width_slices = d->width_slices};
  s.body = (rutSliders){.wheels = wheels,
                        .lanes = lanes,
                        .n = pad * lanes,
                        .mass = fill_lanes(arena, &d->chassis_mass, 1, lanes),
                        .inertia = fill_lanes(arena, d->inertia, 6, lanes)};
  build_masses(c, draft->gravity, arena, &s);
#define X(name, unit, doc) s.body.name = widen(arena, d->wheel.name, wheels, lanes, pad);
  RUT_CARRIER_CONSTANTS(X)
#undef X
#define X(name, unit, doc) s.name = widen(arena, d->wheel.name, wheels, lanes, pad);
  RUT_WHEEL_CONSTANTS(X)
#undef X
#define X(name, unit, doc) s.name = d->name;
  RUT_VEHICLE_CONSTANTS(X)
#undef X
  s.corners = d->mechanisms > 0 || shafts > 0;
  s.shafts = shafts;
  s.mechanism = build_mechanisms(c, lanes, pad, arena, &s.mechanisms);
  s.constant = build_constants(c, lanes, pad, arena, &s.constants);
  s.sine = build_slices(d->slices, arena);
  s.partner = build_partners(c, lanes, pad, arena);
  s.suspension = build_runs(c, (RunsOf){d->suspension, false}, lanes, pad, arena, &s.suspensions);
  s.tyre = build_tyres(c, lanes, pad, arena, &s.tyres);
  s.pressures = d->inflate_rate > 0 ? d->axles : 0;
  for (int w = 0; w < pad; w++) {
    const int own = w < wheels ? w : wheels - 1;
    s.grips += ((const rutTyreType*)rut_tyre_of(d, own)->type)->grip ? lanes : 0;
  }
  s.twists = s.grips > 0 || soft;
  for (int w = 0; w < wheels; w++) {
    s.massless = s.massless || d->massless[w];
    s.anti_roll = s.anti_roll || d->wheel.roll_rate[w] > 0;
  }
  build_cams(c, arena, &s);
  s.envelops = !s.massless && (s.search == RUT_CONTACT_CAMS || s.search == RUT_CONTACT_AUTO);
  rut_build_hull(c, draft->gravity, draft->rk4 ? draft->dt : 0, arena, &s);
  hull_columns(c, arena, &s);
  rutVehicleClass* kept = RUT_TAKE(arena, rutVehicleClass, 1);
  if (kept) *kept = s;
  return kept;
}
