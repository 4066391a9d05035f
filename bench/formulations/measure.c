// SPDX-License-Identifier: BSD-3-Clause
#include "measure.h"

#include <stdlib.h>
#include <time.h>
#if defined(__GLIBC__)
#include <malloc.h>
#endif

#include "formulations.h"

static const formMethod* const methods[FORM_METHODS] = {&form_embedded, &form_augmented_by_corner,
                                                        &form_augmented_together,
                                                        &form_absolute_ldl, &form_absolute_klu};

static double clock_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}
// What looking at the clock costs: the smallest of many.
static double clock_cost(void) {
  double least = 1e9;
  for (int i = 0; i < 1000; i++) {
    const double start = clock_ns();
    least = rut_min(least, clock_ns() - start);
  }
  return least;
}
static double heap_bytes(void) {
#if defined(__GLIBC__)
  const struct mallinfo2 info = mallinfo2();
  return (double)(info.uordblks + info.hblkhd);
#else
  return 0;
#endif
}

// One run of the drive.
typedef struct Drive {
  const formMethod* method;
  void* self;
  const formVehicle* vehicle;
  double step;
  int steps;
} Drive;

static void start_drive(const Drive* d) {
  formForces f;
  const formState s = form_start();
  const formSteer steer = form_drive(0, &f);
  d->method->set(d->self, &s, &steer);
}

static void push_drive(const Drive* d, formForces* f) {
  formHubs hubs;
  d->method->hubs(d->self, &hubs);
  form_road(d->vehicle, &hubs, f);
  d->method->apply(d->self, f);
}

// Wall time of the whole drive [ns].
static double run_drive(const Drive* d) {
  const formMethod* m = d->method;
  start_drive(d);
  const double begin = clock_ns();
  for (int i = 0; i < d->steps; i++) {
    formForces f;
    const formSteer steer = form_drive(i * d->step, &f);
    m->update(d->self, &steer);
    push_drive(d, &f);
    m->accelerate(d->self);
    m->integrate(d->self, d->step);
  }
  return clock_ns() - begin;
}

// Time of every evaluation; returns the mean time of the forces.
static double time_drive(const Drive* d, double cost, double* evaluation) {
  const formMethod* m = d->method;
  double forces = 0;
  start_drive(d);
  for (int i = 0; i < d->steps; i++) {
    formForces f;
    const formSteer steer = form_drive(i * d->step, &f);
    const double t0 = clock_ns();
    m->update(d->self, &steer);
    const double t1 = clock_ns();
    push_drive(d, &f);
    const double t2 = clock_ns();
    m->accelerate(d->self);
    const double t3 = clock_ns();
    m->integrate(d->self, d->step);
    evaluation[i] = t1 - t0 + t3 - t2 - 2 * cost;
    forces += t2 - t1 - cost;
  }
  return forces / d->steps;
}

static int by_size(const void* a, const void* b) {
  const double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

static void keep_best(int n, double* evaluation, double forces, formFigures* out) {
  double sum = 0;
  for (int i = 0; i < n; i++) sum += evaluation[i];
  qsort(evaluation, (size_t)n, sizeof *evaluation, by_size);
  if (out->median > 0 && evaluation[n / 2] >= out->median) return;
  out->median = evaluation[n / 2];
  out->mean = sum / n;
  out->p99 = evaluation[n * 99 / 100];
  out->forces = forces;
}

// One turn of a formulation: a drive as a whole, and one with a clock at every evaluation.
static void measure_turn(const Drive* d, double* evaluation, formFigures* out) {
  const double duration = d->steps * d->step, second = 1e-6 * run_drive(d) / duration;
  out->second = out->second > 0 ? rut_min(out->second, second) : second;
  keep_best(d->steps, evaluation, time_drive(d, clock_cost(), evaluation), out);
}

static void look_back(const Drive* d, rutVec3 first, formFigures* out) {
  formForces f;
  formState end;
  const formSteer steer = form_drive(d->steps * d->step, &f);
  d->method->update(d->self, &steer);
  d->method->get(d->self, &end);
  out->drift = d->method->closure(d->self);
  out->apart = rut_vec3_norm(rut_vec3_sub(end.position, first));
}

static void describe(const formMethod* m, formFigures* out) {
  *out = (formFigures){.name = m->name,
                       .doc = m->doc,
                       .coordinates = m->coordinates,
                       .constraints = m->constraints,
                       .equations = m->equations};
}

bool form_measure(double duration, double step, int runs, formFigures out[FORM_METHODS]) {
  formVehicle vehicle;
  formState end;
  Drive d[FORM_METHODS];
  const int steps = (int)(duration / step + 0.5);
  double* evaluation = malloc((size_t)steps * sizeof *evaluation);
  bool good = evaluation != NULL;
  form_hmmwv(&vehicle);
  for (int i = 0; i < FORM_METHODS; i++) {
    d[i] = (Drive){methods[i], methods[i]->make(&vehicle), &vehicle, step, steps};
    describe(methods[i], &out[i]);
    out[i].available = d[i].self != NULL;
    // the first three need no library
    good = good && (i >= 3 || out[i].available);
  }
  for (int i = 0; good && i < FORM_METHODS; i++) {
    if (!d[i].self) continue;
    run_drive(&d[i]);  // pages, caches and factors are there from now on
    const double heap = heap_bytes();
    run_drive(&d[i]);
    out[i].heap = heap_bytes() - heap;
    if (i == 0) methods[0]->get(d[0].self, &end);
    look_back(&d[i], end.position, &out[i]);
  }
  // in turns, so that what else the machine does falls on all alike
  for (int r = 0; good && r < runs; r++) {
    for (int i = 0; i < FORM_METHODS; i++) {
      if (d[i].self) measure_turn(&d[i], evaluation, &out[i]);
    }
  }
  for (int i = 0; i < FORM_METHODS; i++) {
    if (d[i].self) methods[i]->destroy(d[i].self);
  }
  free(evaluation);
  return good;
}
