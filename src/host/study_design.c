// SPDX-License-Identifier: BSD-3-Clause
#include "host/study_design.h"

#include "base/rng.h"
#include "math/normal.h"
#include "math/rut_math.h"
#include "math/sobol.h"

// Streams of random numbers, apart from each other and from those of runs.
enum { STREAM_PLACE = 0x73770001, STREAM_ORDER, STREAM_SHIFT, STREAM_MORRIS };
enum { FEISTEL_ROUNDS = 6 };

static const double TINY = 0x1p-53;  // probabilities stay this far from 0 and 1

int64_t rut_design_points(const rutStudy* study) {
  switch (study->design) {
    case RUT_DESIGN_GRID:
      return 1;
    case RUT_DESIGN_MONTE_CARLO:
    case RUT_DESIGN_LATIN_HYPERCUBE:
    case RUT_DESIGN_SOBOL:
      break;
    case RUT_DESIGN_SALTELLI:
      return study->samples * (study->dimensions + 2);
    case RUT_DESIGN_MORRIS:
      return study->samples * (study->dimensions + 1);
    case RUT_DESIGN_ONE_AT_A_TIME:
      return 1 + 2 * (int64_t)study->dimensions;
  }
  return study->samples;
}

// ---- orders ----

static uint64_t random_bits(uint64_t seed, uint32_t stream, uint64_t sample, uint32_t index) {
  const uint32_t key[2] = {(uint32_t)seed, (uint32_t)(seed >> 32)};
  const uint32_t counter[4] = {index, stream, (uint32_t)sample, (uint32_t)(sample >> 32)};
  uint32_t out[4];
  rut_philox(counter, key, out);
  return (uint64_t)out[0] << 32 | out[1];
}

// The place of k in a random order of n, in constant memory: a Feistel network permutes the next
// power of four, and those that fall outside of n go through it again, until they are inside
// (Black and Rogaway, "Ciphers with arbitrary finite domains", CT-RSA 2002).
static uint64_t shuffled(uint64_t seed, uint32_t order, uint64_t n, uint64_t k) {
  int half = 1;
  while (half < 31 && (UINT64_C(1) << (2 * half)) < n) half++;
  const uint64_t mask = (UINT64_C(1) << half) - 1;
  do {
    uint64_t left = k >> half, right = k & mask;
    for (uint32_t round = 0; round < FEISTEL_ROUNDS; round++) {
      const uint64_t mixed =
          random_bits(seed, STREAM_ORDER, right, order * FEISTEL_ROUNDS + round) & mask;
      const uint64_t next = left ^ mixed;
      left = right;
      right = next;
    }
    k = left << half | right;
  } while (k >= n);
  return k;
}

// ---- points ----

// Middle of a cell of 2^-32, with all digits of the index flipped at random places: a digital
// shift, which keeps the net's equal filling (L'Ecuyer and Lemieux, 2002).
static double sobol(const rutStudy* study, uint64_t index, int dimension) {
  const uint32_t shift = (uint32_t)random_bits(study->seed, STREAM_SHIFT, (uint64_t)dimension, 0);
  return ((double)(rut_sobol((uint32_t)index, dimension) ^ shift) + 0.5) * 0x1p-32;
}

// One stratum each (McKay, Beckman and Conover, Technometrics 21, 1979).
static double latin(const rutStudy* study, int64_t point, int d) {
  const uint64_t n = (uint64_t)study->points;
  const uint64_t cell = shuffled(study->seed, (uint32_t)d, n, (uint64_t)point);
  const double within = rut_uniform(study->seed, STREAM_PLACE, (uint64_t)point, (uint32_t)d);
  return ((double)cell + within) / (double)n;
}

// A, B, and A with one coordinate of B each: d + 2 points of a row of the Sobol sequence in 2 d
// dimensions (Saltelli, Comput. Phys. Commun. 145, 2002).
static double saltelli(const rutStudy* study, int64_t point, int d) {
  const int of = study->dimensions, block = (int)(point % (of + 2));
  const uint64_t row = (uint64_t)(point / (of + 2));
  const bool second = block == 1 || block == d + 2;
  return sobol(study, row, second ? of + d : d);
}

// Trajectories on a grid of p levels: each step changes one input, in a random order, by
// p/(2(p-1)), up or down (Morris, Technometrics 33, 1991). A level is the middle of one of p cells
// of probability, so that normal distributions have finite values there.
static double morris(const rutStudy* study, int64_t point, int d) {
  const int of = study->dimensions, step = (int)(point % (of + 1));
  const uint64_t trajectory = (uint64_t)(point / (of + 1));
  const int half = study->morris_levels / 2;
  const uint64_t bits = random_bits(study->seed, STREAM_MORRIS, trajectory, (uint32_t)d);
  const int start = (int)((bits >> 1) % (uint64_t)half);
  const bool down = bits & 1;
  const uint64_t turn = shuffled(study->seed ^ (trajectory * UINT64_C(0x9E3779B97F4A7C15)),
                                 RUT_STUDY_MAX_INPUTS, (uint64_t)of, (uint64_t)d);
  const bool moved = (int)turn < step;
  const int level = start + (moved != down ? half : 0);
  return (level + 0.5) / study->morris_levels;
}

static double one_at_a_time(int64_t point, int d) {
  static const double LOW = 0.1, HIGH = 0.9;
  if (point == 0 || (point - 1) / 2 != d) return 0.5;
  return (point - 1) % 2 == 0 ? LOW : HIGH;
}

static double coordinate(const rutStudy* study, int64_t point, int d) {
  switch (study->design) {
    case RUT_DESIGN_GRID:
      break;
    case RUT_DESIGN_MONTE_CARLO:
      return rut_uniform(study->seed, STREAM_PLACE, (uint64_t)point, (uint32_t)d);
    case RUT_DESIGN_LATIN_HYPERCUBE:
      return latin(study, point, d);
    case RUT_DESIGN_SOBOL:
      return sobol(study, (uint64_t)point, d);
    case RUT_DESIGN_SALTELLI:
      return saltelli(study, point, d);
    case RUT_DESIGN_MORRIS:
      return morris(study, point, d);
    case RUT_DESIGN_ONE_AT_A_TIME:
      return one_at_a_time(point, d);
  }
  return 0.5;
}

// Gaussian copula: independent normal scores z become L z, whose correlations are those of L L'
// (Nelsen, An Introduction to Copulas, 2006, section 2.5).
static void correlate(const rutStudy* study, double* u) {
  const int n = study->dimensions;
  double z[RUT_STUDY_MAX_INPUTS];
  for (int d = 0; d < n; d++) z[d] = rut_normal_quantile(u[d]);
  for (int d = 0; d < n; d++) {
    const double* row = study->copula + (size_t)d * n;
    double sum = 0;
    for (int k = 0; k <= d; k++) sum += row[k] * z[k];
    // those without a correlation keep their bits
    if (row[d] != 1) u[d] = rut_clamp(rut_normal_cdf(sum), TINY, 1 - TINY);
  }
}

void rut_design_point(const rutStudy* study, int64_t point, double* u) {
  for (int d = 0; d < study->dimensions; d++) {
    u[d] = rut_clamp(coordinate(study, point, d), TINY, 1 - TINY);
  }
  if (study->copula) correlate(study, u);
}
