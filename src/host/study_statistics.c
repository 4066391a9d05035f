// SPDX-License-Identifier: BSD-3-Clause
//
// Statistics of results, with confidence intervals.
#include <stdlib.h>
#include <string.h>

#include "base/report.h"
#include "base/rng.h"
#include "host/study_table.h"
#include "host/study_wrong.h"
#include "math/rut_math.h"

enum { STREAM_RESAMPLE = 0x73770020 };
static const double Z95 = 1.959963984540054;  // normal quantile of 0.975
static const double TAIL = 2.5;               // percent below a 95 % interval
static const double MOST_DRAWS = 2e7;         // of one bootstrap: fewer resamples where n is large

static int resamples(int64_t n) {
  const double most = MOST_DRAWS / (double)(n > 0 ? n : 1);
  return (int)rut_clamp(most, 200, 1000);
}

// Number `i` of a resample of n.
static int64_t draw(int resample, int64_t i, int64_t n) {
  return (int64_t)(rut_uniform(1, STREAM_RESAMPLE, (uint64_t)resample, (uint32_t)i) * (double)n);
}

static int compare(const void* a, const void* b) {
  const double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

// Percentile interval of estimates from resamples, which are sorted.
static rutEstimate interval(double value, int n, double* estimate) {
  qsort(estimate, (size_t)n, sizeof *estimate, compare);
  return (rutEstimate){value, rut_percentile(n, estimate, TAIL),
                       rut_percentile(n, estimate, 100 - TAIL)};
}

static const rutEstimate unknown = {RUT_NAN, RUT_NAN, RUT_NAN};

// ---- shares and percentiles ----

rutEstimate rut_share_estimate(int64_t successes, int64_t n) {
  if (n <= 0) return unknown;
  const double p = (double)successes / (double)n, zz = Z95 * Z95 / (double)n;
  const double middle = (p + 0.5 * zz) / (1 + zz);
  const double half = Z95 / (1 + zz) * rut_sqrt(p * (1 - p) / (double)n + 0.25 * zz / (double)n);
  return (rutEstimate){p, successes == 0 ? 0 : middle - half, successes == n ? 1 : middle + half};
}

// Student's t that 97.5 % are below: closed forms of one and two degrees of freedom, then the
// series of M. Abramowitz and I. Stegun, Handbook of Mathematical Functions (1964), 26.7.5, within
// 0.2 %.
static double student(int64_t freedom) {
  const double z = Z95, zz = z * z, f = 1 / (double)freedom;
  if (freedom == 1) return rut_sin(0.475 * RUT_PI) / rut_cos(0.475 * RUT_PI);
  if (freedom == 2) return 0.95 * rut_sqrt(2 / (1 - 0.95 * 0.95));
  const double a = (zz + 1) / 4, b = ((5 * zz + 16) * zz + 3) / 96;
  const double c = (((3 * zz + 19) * zz + 17) * zz - 15) / 384;
  const double d = ((((79 * zz + 776) * zz + 1482) * zz - 1920) * zz - 945) / 92160;
  return z * (1 + f * (a + f * (b + f * (c + f * d))));
}

// From the sum of the squares of what n values differ from their mean.
static rutEstimate mean_interval(int64_t n, double mean, double square) {
  if (n < 2) return (rutEstimate){mean, RUT_NAN, RUT_NAN};
  const double half = student(n - 1) * rut_sqrt(square / (double)(n - 1) / (double)n);
  return (rutEstimate){mean, mean - half, mean + half};
}

rutEstimate rut_mean_estimate(int64_t n, const double* value) {
  double mean = 0, square = 0;
  if (n <= 0) return unknown;
  for (int64_t k = 0; k < n; k++) mean += value[k] / (double)n;
  for (int64_t k = 0; k < n; k++) square += (value[k] - mean) * (value[k] - mean);
  return mean_interval(n, mean, square);
}

double rut_percentile(int64_t n, const double* sorted, double percent) {
  if (n <= 0) return RUT_NAN;
  const double at = 0.01 * percent * (double)(n - 1);
  const int64_t low = (int64_t)rut_clamp(rut_floor(at), 0, (double)(n - 1));
  const int64_t high = low + 1 < n ? low + 1 : low;
  return sorted[low] + (at - (double)low) * (sorted[high] - sorted[low]);
}

// Value of rank k in a resample, of which count[i] tells how often value i was drawn.
static double ranked(const double* sorted, const int* count, int64_t n, double at) {
  const int64_t low = (int64_t)rut_floor(at);
  double first = sorted[n - 1];
  int64_t below = 0;
  for (int64_t i = 0; i < n; i++) {
    below += count[i];
    if (below > low) {
      first = sorted[i];
      if (below > low + 1 || low + 1 >= n) return first;
      for (int64_t k = i + 1; k < n; k++) {
        if (count[k] > 0) return first + (at - (double)low) * (sorted[k] - first);
      }
      return first;
    }
  }
  return first;
}

rutStatus rut_percentile_estimate(int64_t n, const double* value, double percent,
                                  rutEstimate* out) {
  *out = unknown;
  if (n <= 0) return RUT_OK;
  const int times = resamples(n);
  double* sorted = malloc((size_t)n * sizeof *sorted);
  int* count = malloc((size_t)n * sizeof *count);
  double* estimate = malloc((size_t)times * sizeof *estimate);
  const bool ready = sorted && count && estimate;
  if (ready) {
    memcpy(sorted, value, (size_t)n * sizeof *sorted);
    qsort(sorted, (size_t)n, sizeof *sorted, compare);
    const double at = rut_clamp(0.01 * percent, 0, 1) * (double)(n - 1);
    for (int b = 0; b < times; b++) {
      memset(count, 0, (size_t)n * sizeof *count);
      for (int64_t i = 0; i < n; i++) count[draw(b, i, n)]++;
      estimate[b] = ranked(sorted, count, n, at);
    }
    *out = interval(rut_percentile(n, sorted, percent), times, estimate);
  }
  free(sorted);
  free(count);
  free(estimate);
  return ready ? RUT_OK : RUT_ERR_MEMORY;
}

// ---- Sobol indices ----

// Sums over chosen rows of the design [n][d + 2], from which both indices of an input follow.
typedef struct Moments {
  double mean, square;  // of A and B
  double first, total;  // of the products
} Moments;

static void add_row(Moments* m, const double* row, int input) {
  const double a = row[0], b = row[1], mixed = row[2 + input];
  m->mean += a + b;
  m->square += a * a + b * b;
  m->first += b * (mixed - a);
  m->total += (a - mixed) * (a - mixed);
}

static void indices(const Moments* m, int64_t n, double* first, double* total) {
  const double mean = m->mean / (2.0 * (double)n);
  const double variance = m->square / (2.0 * (double)n) - mean * mean;
  *first = m->first / (double)n / variance;
  *total = m->total / (2.0 * (double)n) / variance;
}

rutStatus rut_sobol_indices(int64_t n, int d, const double* value, rutEstimate* first,
                            rutEstimate* total) {
  for (int i = 0; i < d; i++) first[i] = total[i] = unknown;
  if (n < 2) return RUT_OK;
  const int columns = d + 2, times = resamples(n);
  double* centred = malloc((size_t)n * (size_t)columns * sizeof *centred);
  double* estimate = malloc(2 * (size_t)times * sizeof *estimate);
  const bool ready = centred && estimate;
  double mean = 0;
  for (int64_t k = 0; k < n; k++) mean += 0.5 * (value[k * columns] + value[k * columns + 1]);
  mean /= (double)n;
  // the products have less variance around the mean
  for (int64_t k = 0; ready && k < n * columns; k++) centred[k] = value[k] - mean;
  for (int i = 0; ready && i < d; i++) {
    Moments all = {0};
    for (int64_t k = 0; k < n; k++) add_row(&all, centred + k * columns, i);
    for (int b = 0; b < times; b++) {
      Moments m = {0};
      for (int64_t k = 0; k < n; k++) add_row(&m, centred + draw(b, k, n) * columns, i);
      indices(&m, n, &estimate[b], &estimate[times + b]);
    }
    indices(&all, n, &first[i].value, &total[i].value);
    first[i] = interval(first[i].value, times, estimate);
    total[i] = interval(total[i].value, times, estimate + times);
  }
  free(centred);
  free(estimate);
  return ready ? RUT_OK : RUT_ERR_MEMORY;
}

// ---- a table's cells ----

// Mean over replicas of a measure at each point of the design, of each combination; NaN where a
// point has none.
typedef struct Cells {
  int64_t n;
  double* mean;
  const rutStudyRow** row;  // one of its rows
} Cells;

static rutStatus gather(const rutStudyTable* t, int measure, Cells* out, rutError* err) {
  static const double MOST = 1e8;
  const int replicas = t->info.replicas;
  *out = (Cells){.n = t->info.runs / replicas};
  if ((double)out->n > MOST) {
    return rut_error_set(err, RUT_ERR_CAPACITY, "the study is too large for indices");
  }
  out->mean = calloc((size_t)out->n + 1, sizeof *out->mean);
  out->row = calloc((size_t)out->n + 1, sizeof *out->row);
  int* count = calloc((size_t)out->n + 1, sizeof *count);
  const bool ready = out->mean && out->row && count;
  for (int64_t i = 0; ready && i < t->info.rows; i++) {
    const rutStudyRow* r = &t->row[i];
    const int64_t cell = r->run / replicas;
    if (r->run < 0 || cell >= out->n || isnan(r->measure[measure])) continue;
    out->mean[cell] += r->measure[measure];
    out->row[cell] = r;
    count[cell]++;
  }
  for (int64_t i = 0; ready && i < out->n; i++) {
    out->mean[i] = count[i] > 0 ? out->mean[i] / count[i] : RUT_NAN;
  }
  free(count);
  return ready ? RUT_OK : rut_study_no_memory(err);
}

static void free_cells(Cells* cells) {
  free(cells->mean);
  free(cells->row);
}

static int dimensions_of(const rutStudyTable* t) {
  int n = 0;
  for (int i = 0; i < t->info.inputs; i++) {
    if (t->input[i].dimension >= n) n = t->input[i].dimension + 1;
  }
  return n;
}

// ---- Saltelli ----

static rutStatus find_indices(const rutStudyTable* t, const Cells* cells, rutSensitivity* out,
                              rutError* err) {
  const int d = dimensions_of(t);
  const int64_t most = cells->n / (d + 2);
  double* value = malloc(((size_t)most * (size_t)(d + 2) + 1) * sizeof *value);
  rutEstimate* index = calloc(2 * (size_t)d + 1, sizeof *index);
  rutStatus status = value && index ? RUT_OK : rut_study_no_memory(err);
  int64_t n = 0;
  // rows whose runs are all there
  for (int64_t k = 0; status == RUT_OK && k < most; k++) {
    const double* row = cells->mean + k * (d + 2);
    bool whole = true;
    for (int i = 0; i < d + 2; i++) whole = whole && !isnan(row[i]);
    if (whole) memcpy(value + (d + 2) * n++, row, (size_t)(d + 2) * sizeof *value);
  }
  if (status == RUT_OK) status = rut_sobol_indices(n, d, value, index, index + d);
  for (int i = 0; status == RUT_OK && i < t->info.inputs; i++) {
    const int k = t->input[i].dimension;
    if (k < 0) continue;
    out[i].first = index[k];
    out[i].total = index[d + k];
  }
  free(value);
  free(index);
  return status;
}

// ---- Morris ----

// Change of an input from one row to the next: 1 up, -1 down, 0 none. A text that changes counts as
// up.
static int change(const rutStudyTable* t, int input, const rutStudyRow* a, const rutStudyRow* b) {
  const rutStudyValue *x = &a->input[input], *y = &b->input[input];
  if (!t->input[input].number) return x->text && y->text && strcmp(x->text, y->text) != 0;
  return (y->number > x->number) - (y->number < x->number);
}

static rutEstimate mean_size(const double* effect, int n, double* estimate, int times) {
  double sum = 0;
  for (int k = 0; k < n; k++) sum += rut_abs(effect[k]);
  for (int b = 0; b < times; b++) {
    double resampled = 0;
    for (int k = 0; k < n; k++) resampled += rut_abs(effect[draw(b, k, n)]);
    estimate[b] = resampled / n;
  }
  return interval(sum / n, times, estimate);
}

static double deviation(const double* x, int64_t n) {
  double mean = 0, square = 0;
  for (int64_t k = 0; k < n; k++) mean += x[k] / (double)n;
  for (int64_t k = 0; k < n; k++) square += (x[k] - mean) * (x[k] - mean);
  return n > 1 ? rut_sqrt(square / (double)(n - 1)) : RUT_NAN;
}

// A step goes over half of an input's probability: twice its effect is that of the whole range.
static rutStatus find_effects(const rutStudyTable* t, const Cells* cells, rutSensitivity* out,
                              rutError* err) {
  const int d = dimensions_of(t), times = 1000;
  double* effect = malloc(((size_t)cells->n + 1) * sizeof *effect);
  double* estimate = malloc((size_t)times * sizeof *estimate);
  const bool ready = effect && estimate;
  for (int i = 0; ready && i < t->info.inputs; i++) {
    int n = 0;
    for (int64_t k = 0; t->input[i].dimension >= 0 && k + 1 < cells->n; k++) {
      const bool same_trajectory = k / (d + 1) == (k + 1) / (d + 1);
      if (!same_trajectory || !cells->row[k] || !cells->row[k + 1]) continue;
      const int way = change(t, i, cells->row[k], cells->row[k + 1]);
      if (way != 0) effect[n++] = 2 * way * (cells->mean[k + 1] - cells->mean[k]);
    }
    if (n == 0) continue;
    out[i].effect = mean_size(effect, n, estimate, times);
    out[i].effect_deviation = deviation(effect, n);
  }
  free(effect);
  free(estimate);
  return ready ? RUT_OK : rut_study_no_memory(err);
}

// ---- lowest and highest values ----

typedef struct Pair {
  double x, y, rank;
  const char* text;
} Pair;

static int by_x(const void* a, const void* b) {
  const Pair *p = a, *q = b;
  if (p->text && q->text) return strcmp(p->text, q->text);
  return (p->x > q->x) - (p->x < q->x);
}

static int by_y(const void* a, const void* b) {
  const Pair *p = a, *q = b;
  return (p->y > q->y) - (p->y < q->y);
}

static rutEstimate mean_of(const Pair* pair, int64_t n) {
  double mean = 0, square = 0;
  if (n <= 0) return unknown;
  for (int64_t k = 0; k < n; k++) mean += pair[k].y / (double)n;
  for (int64_t k = 0; k < n; k++) square += (pair[k].y - mean) * (pair[k].y - mean);
  return mean_interval(n, mean, square);
}

// End of the pairs from k on that have one value of the input.
static int64_t same_until(const Pair* pair, int64_t n, int64_t k) {
  const int64_t from = k;
  while (k < n && by_x(&pair[from], &pair[k]) == 0) k++;
  return k;
}

// pairs are in order of the input.
static void find_ends(const rutStudyTable* t, int input, const Pair* pair, int64_t n,
                      rutSensitivity* out) {
  const rutStudyInput* in = &t->input[input];
  const bool levels = in->levels > 0 || strcmp(t->info.design, "one_at_a_time") == 0;
  if (!in->number) {
    // of texts, those with the lowest and highest mean
    for (int64_t k = 0; k < n;) {
      const int64_t end = same_until(pair, n, k);
      const rutEstimate mean = mean_of(pair + k, end - k);
      if (!(mean.value >= out->low.value)) out->low = mean;
      if (!(mean.value <= out->high.value)) out->high = mean;
      k = end;
    }
    return;
  }
  int64_t low = (n + 4) / 5, high = low;
  if (levels) {
    low = same_until(pair, n, 0);
    high = 1;
    while (high < n && pair[n - 1 - high].x == pair[n - 1].x) high++;
  }
  out->low = mean_of(pair, low);
  out->high = mean_of(pair + n - high, high);
}

// Ranks, in the middle of equal values, of pairs in order.
static void rank(Pair* pair, int64_t n, bool of_x) {
  for (int64_t k = 0; k < n;) {
    int64_t end = k;
    while (end < n && (of_x ? pair[end].x == pair[k].x : pair[end].y == pair[k].y)) end++;
    for (int64_t i = k; i < end; i++) {
      const double middle = 0.5 * (double)(k + end - 1);
      if (of_x) pair[i].rank = middle;
      if (!of_x) pair[i].x = middle;  // x is not needed any more
    }
    k = end;
  }
}

// Spearman's: the correlation of the ranks. pairs are in order of the input.
static double rank_correlation(Pair* pair, int64_t n) {
  rank(pair, n, true);
  qsort(pair, (size_t)n, sizeof *pair, by_y);
  rank(pair, n, false);
  const double middle = 0.5 * (double)(n - 1);
  double xx = 0, yy = 0, xy = 0;
  for (int64_t k = 0; k < n; k++) {
    const double x = pair[k].rank - middle, y = pair[k].x - middle;
    xx += x * x;
    yy += y * y;
    xy += x * y;
  }
  return xx > 0 && yy > 0 ? xy / rut_sqrt(xx * yy) : RUT_NAN;
}

static rutStatus compare_ends(const rutStudyTable* t, int measure, rutSensitivity* out,
                              rutError* err) {
  Pair* pair = malloc(((size_t)t->info.rows + 1) * sizeof *pair);
  if (!pair) return rut_study_no_memory(err);
  for (int i = 0; i < t->info.inputs; i++) {
    int64_t n = 0;
    for (int64_t k = 0; k < t->info.rows; k++) {
      const rutStudyRow* r = &t->row[k];
      if (isnan(r->measure[measure])) continue;
      if (t->input[i].number && isnan(r->input[i].number)) continue;
      pair[n++] = (Pair){.x = r->input[i].number,
                         .y = r->measure[measure],
                         .text = t->input[i].number ? NULL : r->input[i].text};
    }
    qsort(pair, (size_t)n, sizeof *pair, by_x);
    find_ends(t, i, pair, n, &out[i]);
    if (t->input[i].number) out[i].rank_correlation = rank_correlation(pair, n);
  }
  free(pair);
  return RUT_OK;
}

rutStatus rut_study_sensitivity(const rutStudyTable* t, int measure, rutSensitivity* out,
                                rutError* err) {
  if (measure < 0 || measure >= t->info.measures) {
    return rut_error_set(err, RUT_ERR_ARGUMENT, "there is no measure %d", measure);
  }
  for (int i = 0; i < t->info.inputs; i++) {
    out[i] = (rutSensitivity){unknown, unknown, unknown, RUT_NAN, unknown, unknown, RUT_NAN};
  }
  const bool saltelli = strcmp(t->info.design, "saltelli") == 0;
  const bool morris = strcmp(t->info.design, "morris") == 0;
  rutStatus status = compare_ends(t, measure, out, err);
  Cells cells = {0};
  if (status == RUT_OK && (saltelli || morris)) status = gather(t, measure, &cells, err);
  if (status == RUT_OK && saltelli) status = find_indices(t, &cells, out, err);
  if (status == RUT_OK && morris) status = find_effects(t, &cells, out, err);
  free_cells(&cells);
  return status;
}
