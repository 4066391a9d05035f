// SPDX-License-Identifier: BSD-3-Clause
//
// What a log reads after a step: the chosen signals, and those needed for poses.
#include <stdlib.h>

#include "host/log_parts.h"
#include "host/signals.h"

// Sort the chosen signals by the rates of their rows.
static rutStatus choose(rutLog* log, const rutLogOpening* opening, rutError* err) {
  const size_t all = (size_t)rut_signals_count(log->signals);
  int* chosen = malloc((all + 1) * sizeof *chosen);
  bool fine = chosen;
  for (int i = 0; i < RUT_LOG_RATES; i++) {
    rutLogRows* rows = &log->rows[i];
    rows->index = malloc((all + 1) * sizeof *rows->index);
    rows->topic = malloc((all + 1) * sizeof *rows->topic);
    fine = fine && rows->index && rows->topic;
  }
  const rutLogDef* def = opening->def;
  const int* index = opening->signals ? opening->index : chosen;
  const bool by_name = opening->signals || def->patterns > 0;
  int n = opening->n;
  rutStatus status = fine ? RUT_OK : rut_log_no_memory(err);
  if (fine && !opening->signals) {
    const rutSignalChoice all_elements = {
        .prefix = "", .patterns = def->patterns, .pattern = def->pattern};
    status = rut_signals_choose(log->signals, &all_elements, &n, chosen, err);
  }
  for (int i = 0; i < n && status == RUT_OK; i++) {
    // samples have messages of their own
    if (rut_signals_sampled(log->signals, index[i])) {
      if (by_name) log->sampled[rut_signals_element(log->signals, index[i])] = true;
      continue;
    }
    const bool seldom = rut_signals_reading(log->signals, index[i]) == RUT_READ_RARELY;
    rutLogRows* rows = &log->rows[seldom ? RUT_LOG_ENERGY : RUT_LOG_STATE];
    rows->index[rows->n++] = index[i];
  }
  free(chosen);
  return status;
}

// Signals of an element by the last parts of their names, -1 where there is none. False if out of
// memory.
static bool index_of(const rutLog* log, const char* element, int n, const char* const* leaf,
                     int* out) {
  rutBytes name = {0};
  for (int i = 0; i < n; i++) {
    name.used = 0;
    rut_bytes_put(&name, element, strlen(element));
    rut_bytes_u8(&name, '/');
    rut_bytes_put(&name, leaf[i], strlen(leaf[i]) + 1);
    out[i] = name.failed ? -1 : rut_signals_find(log->signals, (const char*)name.data);
  }
  const bool fine = !name.failed;
  rut_bytes_free(&name);
  return fine;
}

static void put_name(rutBytes* names, const char* name) {
  rut_bytes_put(names, name, strlen(name) + 1);
}

// Names of all frames, copied since models come and go.
static rutStatus list_frames(rutLog* log, const rutModel* model, const rutLogDef* def,
                             rutError* err) {
  rutBytes names = {0};
  log->vehicles = rut_count(model, RUT_VEHICLE);
  log->wheels = rut_count(model, RUT_WHEEL);
  log->sensors = rut_count(model, RUT_SENSOR);
  for (int i = 0; i < log->vehicles; i++) put_name(&names, rut_name(model, RUT_VEHICLE, i));
  for (int i = 0; i < rut_count(model, RUT_BLOCK); i++) {
    if (!rut_block_moves(model, i)) continue;
    put_name(&names, rut_name(model, RUT_BLOCK, i));
    log->blocks++;
  }
  for (int i = 0; i < log->wheels; i++) put_name(&names, rut_name(model, RUT_WHEEL, i));
  for (int i = 0; i < log->sensors; i++) put_name(&names, rut_name(model, RUT_SENSOR, i));
  const size_t frames =
      (size_t)log->vehicles + (size_t)log->blocks + (size_t)log->wheels + (size_t)log->sensors;
  log->frames = (char*)names.data;
  log->frame = malloc((frames + 1) * sizeof *log->frame);
  log->sampled = malloc((size_t)log->sensors + 1);
  if (names.failed || !log->frame || !log->sampled) return rut_log_no_memory(err);
  memset(log->sampled, def->samples, (size_t)log->sensors);
  const char* rest = log->frames;
  for (size_t i = 0; i < frames; i++) log->frame[i] = rut_log_next_text(&rest);
  return RUT_OK;
}

// The signals needed for poses.
static rutStatus find_poses(rutLog* log, rutError* err) {
  static const char* const body[RUT_LOG_BODY] = {"x", "y", "z", "roll", "pitch", "yaw"};
  static const char* const odometry[RUT_LOG_ODOMETRY] = {"odometry_x", "odometry_y", "odometry_yaw",
                                                         "odometry_speed", "odometry_yaw_rate"};
  const int bodies = log->vehicles + log->blocks;
  log->pose_signals = bodies * RUT_LOG_BODY + log->vehicles * RUT_LOG_ODOMETRY;
  log->pose_index = malloc(((size_t)log->pose_signals + 1) * sizeof *log->pose_index);
  if (!log->pose_index) return rut_log_no_memory(err);
  int* out = log->pose_index;
  bool fine = true;
  for (int i = 0; i < bodies; i++, out += RUT_LOG_BODY) {
    fine = fine && index_of(log, log->frame[i], RUT_LOG_BODY, body, out);
  }
  for (int i = 0; i < log->vehicles; i++, out += RUT_LOG_ODOMETRY) {
    fine = fine && index_of(log, log->frame[i], RUT_LOG_ODOMETRY, odometry, out);
  }
  return fine ? RUT_OK : rut_log_no_memory(err);
}

static int by_value(const void* a, const void* b) {
  const int x = *(const int*)a, y = *(const int*)b;
  return (x > y) - (x < y);
}

static int place_of(const rutLog* log, int signal) {
  const int* found =
      bsearch(&signal, log->both_index, (size_t)log->both_signals, sizeof signal, by_value);
  return found ? (int)(found - log->both_index) : 0;
}

// Join the signals of states and poses.
static rutStatus join_signals(rutLog* log, rutError* err) {
  const rutLogRows* rows = &log->rows[RUT_LOG_STATE];
  const size_t states = (size_t)rows->n, poses = (size_t)log->pose_signals, n = states + poses;
  log->both_index = malloc((n + 1) * sizeof *log->both_index);
  log->state_at = malloc((states + 1) * sizeof *log->state_at);
  log->pose_at = malloc((poses + 1) * sizeof *log->pose_at);
  log->state_row = malloc((states + 1) * sizeof *log->state_row);
  log->pose_row = malloc((poses + 1) * sizeof *log->pose_row);
  if (!log->both_index || !log->state_at || !log->pose_at || !log->state_row || !log->pose_row) {
    return rut_log_no_memory(err);
  }
  memcpy(log->both_index, rows->index, states * sizeof *log->both_index);
  memcpy(log->both_index + states, log->pose_index, poses * sizeof *log->both_index);
  qsort(log->both_index, n, sizeof *log->both_index, by_value);
  for (size_t i = 0; i < n; i++) {
    const int kept = log->both_signals;
    if (kept > 0 && log->both_index[kept - 1] == log->both_index[i]) continue;
    log->both_index[log->both_signals++] = log->both_index[i];
  }
  for (size_t i = 0; i < states; i++) log->state_at[i] = place_of(log, rows->index[i]);
  for (size_t i = 0; i < poses; i++) log->pose_at[i] = place_of(log, log->pose_index[i]);
  return RUT_OK;
}

rutStatus rut_log_plan(rutLog* log, const rutModel* model, const rutLogOpening* opening,
                       rutError* err) {
  rutStatus status = RUT_OK;
  log->signals = opening->signals;
  log->borrowed_signals = opening->signals;
  if (!log->signals) status = rut_signals_create(model, &log->signals, err);
  if (status == RUT_OK) status = list_frames(log, model, opening->def, err);
  if (status == RUT_OK) status = choose(log, opening, err);
  if (status == RUT_OK) status = find_poses(log, err);
  if (status == RUT_OK) status = join_signals(log, err);
  return status;
}
