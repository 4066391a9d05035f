// SPDX-License-Identifier: BSD-3-Clause
#include "video/moments.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { POSE = 6, WHEEL = 3 };
static const char* const pose_names[POSE] = {"x", "y", "z", "roll", "pitch", "yaw"};
static const char* const wheel_names[WHEEL] = {"angle", "steer", "travel"};

// Numbers of a moment, one after the other: vehicles, wheels, blocks, joints. NaN: not known.
typedef struct Moments {
  const cliMomentsDef* def;
  int wheel, block, joint, numbers;  // where these begin; all of them
  double *before, *after, *now;      // [numbers] in the last two rows, and between them
  bool* turns;                       // [numbers] angles that may wrap
  int signals;
  int *signal, *place;    // [signals] of the log, and its number
  double earlier, later;  // times of the two rows; NaN before the first
  int64_t next;           // moment
  bool ended;
} Moments;

// ---- which signals ----

static void add_signal(Moments* m, const rutLogFile* file, int place, const char* element,
                       const char* name, bool turns) {
  char full[1024];
  snprintf(full, sizeof full, "%.900s/%s", element, name);
  const int signal = rut_log_signal_find(file, full);
  if (signal < 0) return;
  m->signal[m->signals] = signal;
  m->place[m->signals++] = place;
  m->turns[place] = turns;
}

static void add_pose(Moments* m, const rutLogFile* file, int place, const char* element) {
  for (int k = 0; k < POSE; k++) {
    add_signal(m, file, place + k, element, pose_names[k], k >= 3);
  }
}

static void add_joints(Moments* m, const rutLogFile* file, const rutModel* model) {
  int place = m->joint;
  for (int i = 0; i < rut_count(model, RUT_MECHANISM); i++) {
    int positions, speeds;
    rut_mechanism_size(model, i, &positions, &speeds);
    for (int k = 0; k < positions; k++) {
      char name[16];
      snprintf(name, sizeof name, "q%d", k);
      add_signal(m, file, place++, rut_name(model, RUT_MECHANISM, i), name, false);
    }
  }
}

static void add_all(Moments* m, const rutLogFile* file, const rutModel* model) {
  for (int i = 0; i < rut_count(model, RUT_VEHICLE); i++) {
    add_pose(m, file, POSE * i, rut_name(model, RUT_VEHICLE, i));
  }
  for (int i = 0; i < rut_count(model, RUT_WHEEL); i++) {
    for (int k = 0; k < WHEEL; k++) {
      const char* name = rut_name(model, RUT_WHEEL, i);
      add_signal(m, file, m->wheel + WHEEL * i + k, name, wheel_names[k], false);
    }
  }
  for (int i = 0; i < rut_count(model, RUT_BLOCK); i++) {
    if (rut_block_moves(model, i)) {
      add_pose(m, file, m->block + POSE * i, rut_name(model, RUT_BLOCK, i));
    }
  }
  add_joints(m, file, model);
}

// ---- life ----

static void moments_free(Moments* m) {
  free(m->before);
  free(m->after);
  free(m->now);
  free(m->turns);
  free(m->signal);
  free(m->place);
}

static double* unknown(int n) {
  double* number = malloc(((size_t)n + 1) * sizeof *number);
  for (int i = 0; number && i < n; i++) number[i] = (double)NAN;
  return number;
}

static bool moments_create(Moments* m, const rutModel* model) {
  m->wheel = POSE * rut_count(model, RUT_VEHICLE);
  m->block = m->wheel + WHEEL * rut_count(model, RUT_WHEEL);
  m->joint = m->numbers = m->block + POSE * rut_count(model, RUT_BLOCK);
  for (int i = 0; i < rut_count(model, RUT_MECHANISM); i++) {
    int positions, speeds;
    rut_mechanism_size(model, i, &positions, &speeds);
    m->numbers += positions;
  }
  const size_t n = (size_t)m->numbers + 1;
  m->before = unknown(m->numbers);
  m->after = unknown(m->numbers);
  m->now = unknown(m->numbers);
  m->turns = calloc(n, sizeof *m->turns);
  m->signal = calloc(n, sizeof *m->signal);
  m->place = calloc(n, sizeof *m->place);
  return m->before && m->after && m->now && m->turns && m->signal && m->place;
}

// ---- between two rows ----

static void put_between(Moments* m, double part) {
  static const double TURN = 6.283185307179586;
  for (int i = 0; i < m->numbers; i++) {
    const double a = m->before[i], b = m->after[i];
    double change = b - a;
    if (m->turns[i]) change -= TURN * round(change / TURN);
    // at the rows themselves the numbers are theirs, also where the other row has none
    m->now[i] = part >= 1 ? b : part <= 0 ? a : a + part * change;
  }
}

// All moments up to the later row.
static void show(Moments* m) {
  static const double SAME = 1e-9;  // [s]
  while (!m->ended) {
    const double time = (double)m->next / m->def->rate;
    if (time > m->def->to + SAME) m->ended = true;
    if (m->ended || !(time <= m->later + SAME)) return;
    m->next++;
    const bool first = isnan(m->earlier);
    // what is before the first row is not known
    if (first && time < m->later - SAME) continue;
    const bool at_row = first || fabs(time - m->later) <= SAME;
    put_between(m, at_row ? 1 : (time - m->earlier) / (m->later - m->earlier));
    const rutMoment moment = {.time = time,
                              .vehicle = m->now,
                              .wheel = m->now + m->wheel,
                              .block = m->now + m->block,
                              .joint = m->now + m->joint};
    m->ended = !m->def->seen(&moment, m->def->user);
  }
}

static void take(int which, double time, double value, void* user) {
  Moments* m = user;
  if (m->ended) return;
  if (!isnan(m->later) && time > m->later) {
    show(m);
    memcpy(m->before, m->after, (size_t)m->numbers * sizeof *m->before);
    m->earlier = m->later;
  }
  m->later = time;
  m->after[m->place[which]] = value;
}

static bool has_pose(const Moments* m, int vehicle) {
  int found = 0;
  for (int i = 0; i < m->signals; i++) {
    found += m->place[i] >= POSE * vehicle && m->place[i] < POSE * (vehicle + 1);
  }
  return found == POSE;
}

// The row before `from` is read as well: moments follow it at once.
static rutStatus read_all(Moments* m, rutLogFile* file, rutError* err) {
  static const double BEFORE = 1;  // [s] rows are no further apart
  const double from = isnan(m->def->from) ? -1e300 : m->def->from - BEFORE;
  const rutLogSelection selection = {
      .n = m->signals, .index = m->signal, .from = from, .to = m->def->to + BEFORE};
  const rutStatus status = rut_log_read_signals(file, &selection, take, m, err);
  if (status == RUT_OK && !isnan(m->later)) show(m);
  return status;
}

rutStatus cli_moments_read(rutLogFile* file, const rutModel* model, int needed,
                           const cliMomentsDef* def, rutError* err) {
  Moments m = {.def = def, .earlier = (double)NAN, .later = (double)NAN, .next = 1};
  rutStatus status = RUT_OK;
  if (def->from > 0) m.next = (int64_t)fmax(1, ceil(def->from * def->rate - 1e-6));
  if (!moments_create(&m, model)) {
    status = RUT_ERR_MEMORY;
    *err = (rutError){.status = status, .message = "no memory for the poses of a log"};
  }
  if (status == RUT_OK) {
    add_all(&m, file, model);
    if (has_pose(&m, needed)) {
      status = read_all(&m, file, err);
    } else {
      const char* name = rut_name(model, RUT_VEHICLE, needed);
      *err = (rutError){.status = status = RUT_ERR_ARGUMENT};
      snprintf(err->message, sizeof err->message,
               "the log does not tell where '%.200s' was: its signals %.200s/x, y, z, roll, pitch "
               "and yaw are needed",
               name, name);
    }
  }
  moments_free(&m);
  return status;
}
