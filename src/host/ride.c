// SPDX-License-Identifier: BSD-3-Clause
//
// Filters of human response, as sections of order 2: (n0 + n1 s + n2 s^2)/(d0 + d1 s + d2 s^2),
// discretised by the bilinear transform s = c (1 - 1/z)/(1 + 1/z). c makes the frequency that
// characterises a section exact. Samples further apart than FINEST are interpolated.
#include "rut/ride.h"

#include <stdlib.h>

#include "base/report.h"
#include "math/rut_math.h"

enum { SECTIONS = 4, AXES = 3 };
static const double FINEST = 1e-3;  // [s]
static const double WINDOW = 1;     // of the running root mean square [s]
static const double FOOT = 0.3048;  // [m]
static const double SHOCKS = 30;    // frequency below which shocks count [Hz]

// ---- the laws ----

typedef struct Section {
  double n[3], d[3];  // ascending powers of s
  double exact;       // frequency at which the discrete section equals this one [rad/s]
} Section;

typedef struct Law {
  Section section[SECTIONS];
  int sections;
} Law;

// 14.5 s (s + 44)/((s + 63)(s^2 + 24 s + 750)) of ft/s2, exact at its resonance.
static Law absorbed_power(void) {
  const double resonance = rut_sqrt(750);
  return (Law){.sections = 2,
               .section = {{{0, 14.5 / FOOT, 0}, {63, 1, 0}, resonance},
                           {{44, 1, 0}, {750, 24, 1}, resonance}}};
}

// Numbers of ISO 2631-1:1997, table A.1: frequencies [Hz] and resonant quality factors. f5 = 0: no
// upward step.
typedef struct Iso {
  double f1, f2, f3, f4, q4, f5, q5, f6, q6;
} Iso;
static const Iso iso_k = {0.4, 100, 12.5, 12.5, 0.63, 2.37, 0.91, 3.35, 0.91};
static const Iso iso_d = {0.4, 100, 2, 2, 0.63, 0, 0, 0, 0};

static Law iso_2631(const Iso* f) {
  const double turn = 2 * RUT_PI, root = rut_sqrt(2);
  const double w1 = turn * f->f1, w2 = turn * f->f2, w3 = turn * f->f3, w4 = turn * f->f4;
  const double w5 = turn * f->f5, w6 = turn * f->f6;
  Law law = {.sections = 3,
             .section = {{{0, 0, 1}, {w1 * w1, root * w1, 1}, w1},
                         {{w2 * w2, 0, 0}, {w2 * w2, root * w2, 1}, w2},
                         {{1, 1 / w3, 0}, {1, 1 / (f->q4 * w4), 1 / (w4 * w4)}, w4}}};
  if (f->f5 > 0) {
    const double up = (w5 / w6) * (w5 / w6);
    law.section[law.sections++] = (Section){
        {up, up / (f->q5 * w5), up / (w5 * w5)}, {1, 1 / (f->q6 * w6), 1 / (w6 * w6)}, w6};
  }
  return law;
}

static Law law_of(rutRideWeight weight) {
  switch (weight) {
    case RUT_RIDE_ABSORBED_POWER:
      return absorbed_power();
    case RUT_RIDE_WK:
      return iso_2631(&iso_k);
    case RUT_RIDE_WD:
      return iso_2631(&iso_d);
    default:
      return (Law){.sections = 1, .section = {{{0}, {1}, 1}}};
  }
}

static Law shocks(void) {
  const double w = 2 * RUT_PI * SHOCKS;
  Law law = {.sections = 2};
  for (int i = 0; i < law.sections; i++) {
    const double damping = 2 * rut_cos(RUT_PI * (2 * i + 1) / 8);
    law.section[i] = (Section){{w * w, 0, 0}, {w * w, damping * w, 1}, w};
  }
  return law;
}

// |p(i w)| of p0 + p1 s + p2 s^2.
static double absolute(const double p[3], double w) {
  return rut_hypot(p[0] - p[2] * w * w, p[1] * w);
}

double rut_ride_gain(rutRideWeight weight, double frequency) {
  const Law law = law_of(weight);
  const double w = 2 * RUT_PI * frequency;
  if (!(frequency > 0) || !isfinite(frequency)) return 0;
  double gain = 1;
  for (int i = 0; i < law.sections; i++) {
    gain *= absolute(law.section[i].n, w) / absolute(law.section[i].d, w);
  }
  return gain;
}

// ---- the filters ----

// A section on samples, in transposed form.
typedef struct Stage {
  double b[3], a[2], held[2];
} Stage;

typedef struct Filter {
  Stage stage[SECTIONS];
  int stages;
} Filter;

static Stage discrete(const Section* s, double dt) {
  // far above what samples show the frequency that is exact stays below theirs
  const double half = rut_min(0.5 * s->exact * dt, 0.4 * RUT_PI);
  const double c = 2 * half / (dt * rut_tan(half)), cc = c * c;
  const double norm = 1 / (s->d[0] + s->d[1] * c + s->d[2] * cc);
  return (Stage){
      .b = {(s->n[0] + s->n[1] * c + s->n[2] * cc) * norm, 2 * (s->n[0] - s->n[2] * cc) * norm,
            (s->n[0] - s->n[1] * c + s->n[2] * cc) * norm},
      .a = {2 * (s->d[0] - s->d[2] * cc) * norm, (s->d[0] - s->d[1] * c + s->d[2] * cc) * norm}};
}

static Filter filter_of(Law law, double dt) {
  Filter f = {.stages = law.sections};
  for (int i = 0; i < law.sections; i++) f.stage[i] = discrete(&law.section[i], dt);
  return f;
}

static double pass(Filter* f, double x) {
  for (int i = 0; i < f->stages; i++) {
    Stage* s = &f->stage[i];
    const double y = s->b[0] * x + s->held[0];
    s->held[0] = s->b[1] * x - s->a[0] * y + s->held[1];
    s->held[1] = s->b[2] * x - s->a[1] * y;
    x = y;
  }
  return x;
}

// ---- measures ----

typedef struct Axis {
  Filter filter;
  double before;                // last acceleration [m/s2]
  double squares, fourths;      // integrals over time
  double peak, recent, steady;  // recent: integral of squares over the window; steady: its largest
  double* past;                 // integrals of squares over each sample of the window
} Axis;

struct rutRide {
  double dt;
  int parts;  // of a sample
  int window, next;
  double duration, power, shock;
  Filter absorbed, low;  // low: of shocks
  Axis axis[AXES];
};

rutStatus rut_ride_create(double dt, rutRide** out, rutError* err) {
  *out = NULL;
  if (!(dt >= 1e-7 && dt <= 1)) {
    return rut_error_set(err, RUT_ERR_ARGUMENT, "samples come every 1e-7 to 1 s, not %g s", dt);
  }
  rutRide* r = calloc(1, sizeof *r);
  const int window = (int)rut_max(rut_floor(WINDOW / dt + 0.5), 1);
  double* past = calloc((size_t)window * AXES, sizeof *past);
  if (!r || !past) {
    free(r);
    free(past);
    return rut_error_set(err, RUT_ERR_MEMORY, "no memory for the filters of a seat");
  }
  r->dt = dt;
  r->parts = (int)rut_max(-rut_floor(1e-6 - dt / FINEST), 1);
  r->window = window;
  const double part = dt / r->parts;
  r->absorbed = filter_of(law_of(RUT_RIDE_ABSORBED_POWER), part);
  r->low = filter_of(shocks(), part);
  for (int k = 0; k < AXES; k++) {
    r->axis[k].filter = filter_of(law_of(k == AXES - 1 ? RUT_RIDE_WK : RUT_RIDE_WD), part);
    r->axis[k].past = past + (ptrdiff_t)k * window;
  }
  *out = r;
  return RUT_OK;
}

void rut_ride_destroy(rutRide* r) {
  if (!r) return;
  free(r->axis[0].past);
  free(r);
}

static void add_axis(rutRide* r, Axis* axis, double value) {
  const double dt = r->dt / r->parts;
  double squares = 0;
  for (int i = 1; i <= r->parts; i++) {
    const double x = axis->before + (value - axis->before) * i / r->parts;
    const double y = pass(&axis->filter, x), square = y * y;
    squares += square * dt;
    axis->fourths += square * square * dt;
    axis->peak = rut_max(axis->peak, rut_abs(y));
  }
  axis->squares += squares;
  axis->recent = rut_max(axis->recent + squares - axis->past[r->next], 0);
  axis->past[r->next] = squares;
  axis->steady = rut_max(axis->steady, axis->recent);
}

static void add_vertical(rutRide* r, double before, double value) {
  for (int i = 1; i <= r->parts; i++) {
    const double x = before + (value - before) * i / r->parts, y = pass(&r->absorbed, x);
    r->power += y * y * r->dt / r->parts;
    r->shock = rut_max(r->shock, pass(&r->low, x));
  }
}

void rut_ride_add(rutRide* r, const double acceleration[3]) {
  for (int k = 0; k < AXES; k++) {
    Axis* axis = &r->axis[k];
    const double value = isfinite(acceleration[k]) ? acceleration[k] : 0;
    if (k == AXES - 1) add_vertical(r, axis->before, value);
    add_axis(r, axis, value);
    axis->before = value;
  }
  r->next = (r->next + 1) % r->window;
  r->duration += r->dt;
}

void rut_ride_begin(rutRide* r) {
  r->duration = r->power = r->shock = 0;
  for (int k = 0; k < AXES; k++) {
    Axis* axis = &r->axis[k];
    axis->squares = axis->fourths = axis->peak = axis->recent = axis->steady = 0;
    for (int i = 0; i < r->window; i++) axis->past[i] = 0;
  }
}

rutRideMeasures rut_ride_measures(const rutRide* r) {
  rutRideMeasures m = {.duration = r->duration};
  if (!(r->duration > 0)) return m;
  m.absorbed_power = r->power / r->duration;
  m.shock = r->shock;
  double sum[2] = {0};
  for (int k = 0; k < AXES; k++) {
    const Axis* axis = &r->axis[k];
    const double square = axis->squares / r->duration, factor = k < 2 ? 1.4 : 1;
    m.weighted[k] = rut_sqrt(square);
    m.peak[k] = axis->peak;
    m.crest[k] = square > 0 ? axis->peak / m.weighted[k] : 0;
    // a run shorter than the window is steady over what there is of it
    m.mtvv[k] = rut_sqrt(axis->steady / rut_min(r->window * r->dt, r->duration));
    m.vdv[k] = rut_sqrt(rut_sqrt(axis->fourths));
    sum[0] += factor * factor * square;
    sum[1] += square;
  }
  m.health = rut_sqrt(sum[0]);
  m.comfort = rut_sqrt(sum[1]);
  return m;
}
