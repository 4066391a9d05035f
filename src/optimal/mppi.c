// SPDX-License-Identifier: BSD-3-Clause
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/report.h"
#include "math/random.h"
#include "math/rut_math.h"
#include "rut/mpc.h"

enum { MOST_CANDIDATES = 1000000, MOST_INTERVALS = 100000, MOST_COMMANDS = 4096, BISECTIONS = 40 };

struct rutMppi {
  rutMppiDef def;
  double *deviation, *low, *high;  // [commands]
  double* mean;                    // [intervals][commands]
  double* candidate;               // [candidates][intervals][commands]
  double *cost, *paid, *weight;    // [candidates]: as told, with variations, and what follows
  uint64_t updates;
};

rutMppiDef rut_default_mppi(void) {
  return (rutMppiDef){.struct_size = sizeof(rutMppiDef),
                      .candidates = 64,
                      .intervals = 20,
                      .steps = 10,
                      .temperature = 1,
                      .correlation = 0.7};
}

// ---- memory ----

static void lay_out(rutMppi* m, rutArena* arena, rutMppi** at) {
  const rutMppiDef def = m->def;
  const size_t commands = (size_t)def.commands, numbers = commands * (size_t)def.intervals;
  *at = RUT_TAKE(arena, rutMppi, 1);
  m->deviation = RUT_TAKE(arena, double, commands);
  m->low = RUT_TAKE(arena, double, commands);
  m->high = RUT_TAKE(arena, double, commands);
  m->mean = RUT_TAKE(arena, double, numbers);
  m->candidate = RUT_TAKE(arena, double, numbers*(size_t)def.candidates);
  m->cost = RUT_TAKE(arena, double, (size_t)def.candidates);
  m->paid = RUT_TAKE(arena, double, (size_t)def.candidates);
  m->weight = RUT_TAKE(arena, double, (size_t)def.candidates);
}

static rutStatus check(const rutMppiDef* def, rutError* err) {
  if (def->struct_size != sizeof *def) {
    return rut_error_set(err, RUT_ERR_VERSION, "this rutMppiDef is of another version");
  }
  const bool sizes = def->candidates >= 1 && def->candidates <= MOST_CANDIDATES &&
                     def->intervals >= 1 && def->intervals <= MOST_INTERVALS &&
                     def->commands >= 1 && def->commands <= MOST_COMMANDS && def->steps >= 1;
  if (!sizes || !def->deviation) {
    return rut_error_set(
        err, RUT_ERR_ARGUMENT,
        "candidates, intervals, commands and steps are 1 or more, with a deviation "
        "of each command");
  }
  const bool numbers = (def->share > 0 ? def->share < 1 : def->temperature > 0) &&
                       def->correlation >= 0 && def->correlation < 1 && def->exploration >= 0 &&
                       def->exploration <= 1;
  if (!numbers) {
    return rut_error_set(
        err, RUT_ERR_ARGUMENT,
        "temperature is positive, share and correlation are from 0 to less than 1, "
        "exploration from 0 to 1");
  }
  for (int i = 0; i < def->commands; i++) {
    const bool crossed = def->low && def->high && !(def->low[i] <= def->high[i]);
    if (def->deviation[i] >= 0 && rut_is_finite(def->deviation[i]) && !crossed) continue;
    return rut_error_set(err, RUT_ERR_ARGUMENT,
                         "command %d: deviations are 0 or more, and limits do not cross", i);
  }
  return RUT_OK;
}

rutStatus rut_mppi_create(const rutMppiDef* def, rutMppi** out, rutError* err) {
  const rutStatus status = check(def, err);
  if (status != RUT_OK) return status;
  rutMppi m = {.def = *def}, *made = NULL;
  rutArena arena = {0};
  lay_out(&m, &arena, &made);
  const size_t size = arena.used;
  unsigned char* block = size < PTRDIFF_MAX ? calloc(1, size) : NULL;
  if (!block) return rut_error_set(err, RUT_ERR_MEMORY, "out of memory");
  arena = (rutArena){.base = block, .size = size};
  lay_out(&m, &arena, &made);
  for (int i = 0; i < def->commands; i++) {
    m.deviation[i] = def->deviation[i];
    m.low[i] = def->low ? def->low[i] : -RUT_NO_LIMIT;
    m.high[i] = def->high ? def->high[i] : RUT_NO_LIMIT;
  }
  for (int i = 0; i < def->intervals * def->commands; i++) {
    m.mean[i] = rut_clamp(0, m.low[i % def->commands], m.high[i % def->commands]);
  }
  // the arrays are those of the block now, not the caller's
  m.def.deviation = m.deviation;
  m.def.low = m.low;
  m.def.high = m.high;
  *made = m;
  *out = made;
  return RUT_OK;
}

void rut_mppi_destroy(rutMppi* mppi) { free(mppi); }

double* rut_mppi_mean(rutMppi* mppi) { return mppi->mean; }
double* rut_mppi_costs(rutMppi* mppi) { return mppi->cost; }
rutMppiDef rut_mppi_def(const rutMppi* mppi) { return mppi->def; }

void rut_mppi_shift(rutMppi* mppi, int intervals) {
  const int n = mppi->def.intervals, commands = mppi->def.commands;
  for (int k = 0; k < n && intervals > 0; k++) {
    const int from = k < n - intervals ? k + intervals : n - 1;
    memmove(mppi->mean + (ptrdiff_t)k * commands, mppi->mean + (ptrdiff_t)from * commands,
            (size_t)commands * sizeof *mppi->mean);
  }
}

// ---- candidates ----

const double* rut_mppi_sample(rutMppi* mppi) {
  const rutMppiDef* def = &mppi->def;
  const int numbers = def->intervals * def->commands;
  const double rho = def->correlation, fresh = rut_sqrt(1 - rho * rho);
  for (int c = 0; c < def->candidates; c++) {
    double* own = mppi->candidate + (ptrdiff_t)c * numbers;
    if (c == 0) {
      memcpy(own, mppi->mean, (size_t)numbers * sizeof *own);
      continue;
    }
    rut_normals(def->seed, 0, mppi->updates << 32 | (uint64_t)c, 0, numbers, own);
    // variations of neighbouring intervals resemble each other, of unit variance
    for (int i = def->commands; i < numbers; i++) {
      own[i] = rho * own[i - def->commands] + fresh * own[i];
    }
    for (int i = 0; i < numbers; i++) {
      const int k = i % def->commands;
      const double varied = mppi->mean[i] + mppi->deviation[k] * own[i];
      own[i] = rut_clamp(varied, mppi->low[k], mppi->high[k]);
    }
  }
  return mppi->candidate;
}

// ---- weights ----

static double least_of(int n, const double* cost) {
  double least = RUT_INFINITY;
  for (int i = 0; i < n; i++) {
    if (cost[i] < least) least = cost[i];
  }
  return least;
}

double rut_mppi_weigh(int n, const double* cost, double temperature, double* weight) {
  const double least = least_of(n, cost);
  double sum = 0, squares = 0;
  for (int i = 0; i < n; i++) {
    const bool counts = rut_is_finite(cost[i]) && rut_is_finite(least);
    weight[i] = counts ? rut_exp(-(cost[i] - least) / temperature) : 0;
    sum += weight[i];
  }
  for (int i = 0; i < n && sum > 0; i++) {
    weight[i] /= sum;
    squares += weight[i] * weight[i];
  }
  return squares > 0 ? 1 / squares : 0;
}

// The temperature at which so many candidates count, by halving a range of its logarithm: the
// number grows with temperature.
static double find_temperature(const rutMppi* m, int n, double wanted) {
  const double least = least_of(n, m->paid);
  double most = 0;
  for (int i = 0; i < n; i++) {
    if (rut_is_finite(m->paid[i])) most = rut_max(most, m->paid[i] - least);
  }
  if (!(most > 0)) return 1;
  double low = 1e-6 * most, high = 1e3 * most;
  for (int i = 0; i < BISECTIONS; i++) {
    const double middle = rut_sqrt(low) * rut_sqrt(high);
    if (rut_mppi_weigh(n, m->paid, middle, m->weight) < wanted) {
      low = middle;
    } else {
      high = middle;
    }
  }
  return high;
}

// A number of a sequence of unit variance and correlation rho, without what follows from the
// interval before: independent numbers of unit variance.
static double whitened(double now, double before, double rho, double fresh) {
  return (now - rho * before) / fresh;
}

// What variations cost beside what they do: temperature (1 - exploration) mean' Sigma^-1 e. The
// inverse is that of a chain: the sum of products of whitened elements.
static double cost_of_variation(const rutMppi* m, int candidate) {
  const int commands = m->def.commands, numbers = m->def.intervals * commands;
  const double *mean = m->mean, *own = m->candidate + (ptrdiff_t)candidate * numbers;
  const double rho = m->def.correlation, fresh = rut_sqrt(1 - rho * rho);
  double sum = 0;
  for (int i = 0; i < numbers; i++) {
    const double deviation = m->deviation[i % commands];
    if (!(deviation > 0)) continue;
    double level = mean[i], varied = own[i] - mean[i];
    if (i >= commands) {
      const int before = i - commands;
      level = whitened(level, mean[before], rho, fresh);
      varied = whitened(varied, own[before] - mean[before], rho, fresh);
    }
    sum += level * varied / (deviation * deviation);
  }
  return (1 - m->def.exploration) * m->def.temperature * sum;
}

void rut_mppi_learn(rutMppi* mppi, const double* cost, rutMppiResult* result) {
  rutMppi* m = mppi;
  const int n = m->def.candidates, numbers = m->def.intervals * m->def.commands;
  // where the temperature follows the costs, variations cost nothing by themselves
  const bool follows = m->def.share > 0;
  for (int c = 0; c < n; c++) m->paid[c] = cost[c] + (follows ? 0 : cost_of_variation(m, c));
  rutMppiResult r = {.mean = cost[0], .temperature = m->def.temperature};
  r.least = least_of(n, cost);
  if (follows) r.temperature = find_temperature(m, n, m->def.share * n);
  r.effective = rut_mppi_weigh(n, m->paid, r.temperature, m->weight);
  m->updates++;
  if (result) *result = r;
  if (!(r.effective > 0)) return;
  for (int i = 0; i < numbers; i++) {
    double moved = 0;
    for (int c = 0; c < n; c++) {
      moved += m->weight[c] * (m->candidate[(ptrdiff_t)c * numbers + i] - m->mean[i]);
    }
    m->mean[i] += moved;
  }
}
