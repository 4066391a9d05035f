// SPDX-License-Identifier: BSD-3-Clause
#include "host/fmu_instance.h"

#include <stdlib.h>
#include <string.h>

#include "base/report.h"
#include "math/rut_math.h"

// Part of a step by which times may be off: those of importing programs are sums of steps.
static const double WHOLE = 1e-6;

// ---- making one ----

static void tell(const rutDiagnostic* finding, void* user) {
  const rutFmu* fmu = user;
  char text[1024], place[320] = "";
  if (!fmu->report) return;
  if (finding->line > 0) {
    snprintf(place, sizeof place, "%.255s:%d:%d: ", finding->file, finding->line, finding->column);
  }
  snprintf(text, sizeof text, "%s%s%s%.500s%s%.200s", place, finding->element,
           finding->element[0] ? " " : "", finding->message, finding->hint[0] ? "; " : "",
           finding->hint);
  fmu->report(finding->level, text, fmu->user);
}

static rutStatus load(rutFmu* fmu, const rutFmuFolder* folder, rutError* err) {
  char path[4096];
  rutStatus status = rut_fmu_settings_read(folder->path, &fmu->settings, err);
  if (status != RUT_OK) return status;
  if (folder->token && strcmp(folder->token, fmu->settings.token) != 0) {
    return rut_error_set(err, RUT_ERR_VERSION,
                         "this FMU has the token '%s', and not '%.100s': its description is that "
                         "of another",
                         fmu->settings.token, folder->token);
  }
  rutContextDef def = rut_default_context();
  def.report = tell;
  def.user = fmu;
  status = rut_context_create(&def, &fmu->context, err);
  snprintf(path, sizeof path, "%s/%s", folder->path, RUT_FMU_WORLD);
  if (status == RUT_OK) status = rut_spec_load(fmu->context, path, &fmu->spec, err);
  return status;
}

static rutStatus make_variables(rutFmu* fmu, rutError* err) {
  rutStatus status = rut_compile(fmu->spec, &fmu->first, err);
  if (status == RUT_OK) status = rut_signals_create(fmu->first, &fmu->signals, err);
  if (status == RUT_OK) {
    status =
        rut_fmu_list(fmu->spec, fmu->first, fmu->signals, &fmu->settings.choice, &fmu->list, err);
  }
  if (status != RUT_OK) return status;
  const size_t n = (size_t)fmu->list.n;
  fmu->value = calloc(n, sizeof *fmu->value);
  fmu->given = calloc(n, sizeof *fmu->given);
  fmu->data = rut_data_create(fmu->first);
  if (fmu->value && fmu->given && fmu->data) return RUT_OK;
  return rut_error_set(err, RUT_ERR_MEMORY, "no memory for an instance");
}

static void take_defaults(rutFmu* fmu) {
  for (int i = 0; i < fmu->list.n; i++) {
    fmu->value[i] = fmu->list.entry[i].seen.start;
    fmu->given[i] = false;
  }
}

rutStatus rut_fmu_open(const rutFmuFolder* folder, rutFmu** out, rutError* err) {
  *out = NULL;
  rutFmu* fmu = calloc(1, sizeof *fmu);
  if (!fmu) return rut_error_set(err, RUT_ERR_MEMORY, "no memory for an instance");
  fmu->report = folder->report;
  fmu->user = folder->user;
  rutStatus status = load(fmu, folder, err);
  if (status == RUT_OK) status = make_variables(fmu, err);
  if (status != RUT_OK) {
    rut_fmu_close(fmu);
    return status;
  }
  take_defaults(fmu);
  *out = fmu;
  return RUT_OK;
}

void rut_fmu_close(rutFmu* fmu) {
  if (!fmu) return;
  rut_fmu_list_free(&fmu->list);
  rut_signals_destroy(fmu->signals);
  if (fmu->data) rut_data_destroy(fmu->data);
  if (fmu->changed) rut_model_destroy(fmu->changed);
  if (fmu->first) rut_model_destroy(fmu->first);
  if (fmu->spec) rut_spec_destroy(fmu->spec);
  rut_context_destroy(fmu->context);
  rut_fmu_settings_free(&fmu->settings);
  free(fmu->value);
  free(fmu->given);
  free(fmu);
}

const char* rut_fmu_token(const rutFmu* fmu) { return fmu->settings.token; }

const rutModel* rut_fmu_model(const rutFmu* fmu) {
  return fmu->changed ? fmu->changed : fmu->first;
}

int rut_fmu_variables(const rutFmu* fmu) { return fmu->list.n; }

rutFmuVariable rut_fmu_variable(const rutFmu* fmu, uint32_t index) {
  if (index < (uint32_t)fmu->list.n) return fmu->list.entry[index].seen;
  return (rutFmuVariable){.name = "", .unit = "", .doc = "", .words = ""};
}

// ---- parameters ----

// Words of a choice, "a|b|c": the one at an index.
static void word_at(const char* words, int index, char word[64]) {
  for (; index > 0 && strchr(words, '|'); index--) words = strchr(words, '|') + 1;
  snprintf(word, 64, "%.*s", (int)strcspn(words, "|"), words);
}

static rutStatus set_element(rutSpec* spec, rutNode node, const rutFmuEntry* e, double value,
                             rutError* err) {
  const char* field = e->seen.row->name;
  int n = 0;
  const double* old = rut_node_numbers(spec, node, field, &n);
  if (!old || e->place.element >= n) {
    return rut_error_set(err, RUT_ERR_ARGUMENT, "the list has no such number any more");
  }
  double* all = malloc((size_t)n * sizeof *all);
  if (!all) return rut_error_set(err, RUT_ERR_MEMORY, "out of memory");
  memcpy(all, old, (size_t)n * sizeof *all);
  all[e->place.element] = value;
  const rutStatus status = rut_node_set_numbers(spec, node, field, n, all, err);
  free(all);
  return status;
}

// Set a parameter in a copy of the world.
static rutStatus set_field(rutSpec* spec, const rutFmuEntry* e, double value, rutError* err) {
  char word[64];
  rutError cause = {0};
  const rutNode node = rut_spec_find(spec, e->place.path);
  rutStatus status;
  if (e->place.element >= 0) {
    status = set_element(spec, node, e, value, &cause);
  } else if (e->seen.type == RUT_CHOICE) {
    word_at(e->seen.words, (int)value, word);
    status = rut_node_set(spec, node, e->seen.row->name, word, &cause);
  } else {
    status = rut_node_set_number(spec, node, e->seen.row->name, value, &cause);
  }
  if (status == RUT_OK) return RUT_OK;
  return rut_error_set(err, status, "parameter '%.150s': %.330s", e->name, cause.message);
}

static bool is_default(const rutFmu* fmu, int i) {
  return fmu->value[i] == fmu->list.entry[i].seen.start;
}

// Fields that have another value than in the file.
static int changed_fields(const rutFmu* fmu) {
  int n = 0;
  for (int i = 0; i < fmu->list.n; i++) {
    n += fmu->list.entry[i].seen.row && !is_default(fmu, i);
  }
  return n;
}

// The model of the world with the present parameters.
static rutStatus compile_changed(rutFmu* fmu, rutModel** out, rutError* err) {
  rutSpec* spec = NULL;
  *out = NULL;
  rutStatus status = rut_spec_copy(fmu->spec, &spec, err);
  for (int i = 0; i < fmu->list.n && status == RUT_OK; i++) {
    const rutFmuEntry* e = &fmu->list.entry[i];
    if (e->seen.row && !is_default(fmu, i)) status = set_field(spec, e, fmu->value[i], err);
  }
  if (status == RUT_OK) status = rut_compile(spec, out, err);
  if (spec) rut_spec_destroy(spec);
  return status;
}

rutStatus rut_fmu_settle(rutFmu* fmu, rutError* err) {
  if (!fmu->stale) return RUT_OK;
  rutModel* model = NULL;
  rutStatus status = changed_fields(fmu) > 0 ? compile_changed(fmu, &model, err) : RUT_OK;
  if (status != RUT_OK) return status;
  rutData* data = rut_data_create(model ? model : fmu->first);
  if (!data) {
    if (model) rut_model_destroy(model);
    return rut_error_set(err, RUT_ERR_MEMORY, "no memory for the state");
  }
  rut_data_destroy(fmu->data);
  if (fmu->changed) rut_model_destroy(fmu->changed);
  fmu->changed = model;
  fmu->data = data;
  fmu->stale = false;
  return RUT_OK;
}

// ---- values ----

static rutStatus no_variable(const rutFmu* fmu, uint32_t index, rutError* err) {
  return rut_error_set(err, RUT_ERR_ARGUMENT, "there is no variable %lu; the last one is %d",
                       (unsigned long)index, fmu->list.n - 1);
}

// Set points of the vehicle of an input; returns their number, 0 if it has none any more.
static double* set_points(const rutFmu* fmu, const rutFmuEntry* e, int* n) {
  const rutModel* model = rut_fmu_model(fmu);
  *n = rut_vehicle_info(model, e->place.vehicle).commands;
  double* all = calloc((size_t)*n + 1, sizeof *all);
  if (all) *n = rut_command_state(model, fmu->data, e->place.vehicle, *n, all);
  return all;
}

static rutStatus give_input(rutFmu* fmu, const rutFmuEntry* e, double value, rutError* err) {
  int n;
  double* all = set_points(fmu, e, &n);
  if (!all) return rut_error_set(err, RUT_ERR_MEMORY, "out of memory");
  rutStatus status = RUT_ERR_ARGUMENT;
  if (e->place.index < n) {
    all[e->place.index] = value;
    status = rut_command(rut_fmu_model(fmu), fmu->data, e->place.vehicle, n, all);
  }
  free(all);
  if (status == RUT_OK) return RUT_OK;
  return rut_error_set(err, status, "input '%.200s' cannot be %g%s", e->name, value,
                       value - value != 0 ? ": it is not finite" : "");
}

static rutStatus set_parameter(rutFmu* fmu, int i, double value, rutError* err) {
  const rutFmuVariable* v = &fmu->list.entry[i].seen;
  if (value == fmu->value[i]) return RUT_OK;
  if (fmu->running) {
    return rut_error_set(err, RUT_ERR_ARGUMENT, "parameter '%.200s' is fixed once the run begins",
                         v->name);
  }
  int words = 1;
  for (const char* c = v->words; *c; c++) words += *c == '|';
  const double most = v->type == RUT_CHOICE ? words - 1 : v->type == RUT_BOOLEAN ? 1 : RUT_INFINITY;
  const double least = v->type == RUT_REAL || v->type == RUT_INTEGER ? -RUT_INFINITY : 0;
  const bool whole = v->type == RUT_REAL || value == rut_floor(value);
  if (value - value != 0 || !whole || value < rut_max(least, v->min) ||
      value > rut_min(most, v->max)) {
    return rut_error_set(err, RUT_ERR_ARGUMENT,
                         "parameter '%.200s' cannot be %g: it is %s from %g to %g", v->name, value,
                         v->type == RUT_REAL ? "a number" : "a whole number",
                         rut_max(least, v->min), rut_min(most, v->max));
  }
  fmu->value[i] = value;
  fmu->stale = true;
  return RUT_OK;
}

rutStatus rut_fmu_set(rutFmu* fmu, int n, const uint32_t* index, const double* value,
                      rutError* err) {
  rutStatus status = RUT_OK;
  for (int i = 0; i < n && status == RUT_OK; i++) {
    if (index[i] >= (uint32_t)fmu->list.n) return no_variable(fmu, index[i], err);
    const rutFmuEntry* e = &fmu->list.entry[index[i]];
    if (e->seen.role == RUT_FMU_PARAMETER) {
      status = set_parameter(fmu, (int)index[i], value[i], err);
    } else if (e->seen.role != RUT_FMU_INPUT) {
      status = rut_error_set(err, RUT_ERR_ARGUMENT, "'%.200s' is no input", e->name);
    } else if (fmu->running) {
      status = give_input(fmu, e, value[i], err);
    } else {
      fmu->value[index[i]] = value[i];
      fmu->given[index[i]] = true;
    }
  }
  return status;
}

static double present_input(const rutFmu* fmu, const rutFmuEntry* e) {
  int n;
  double* all = set_points(fmu, e, &n);
  const double value = all && e->place.index < n ? all[e->place.index] : RUT_NAN;
  free(all);
  return value;
}

rutStatus rut_fmu_get(rutFmu* fmu, int n, const uint32_t* index, double* value, rutError* err) {
  int outputs = 0;
  for (int i = 0; i < n; i++) {
    if (index[i] >= (uint32_t)fmu->list.n) return no_variable(fmu, index[i], err);
    outputs += fmu->list.entry[index[i]].seen.role == RUT_FMU_OUTPUT;
  }
  // only outputs need the model, and all of them are read together
  if (outputs > 0) {
    const rutStatus status = rut_fmu_settle(fmu, err);
    int* signal = malloc((size_t)n * sizeof *signal);
    if (status != RUT_OK || !signal) {
      free(signal);
      return status != RUT_OK ? status : rut_error_set(err, RUT_ERR_MEMORY, "out of memory");
    }
    for (int i = 0; i < n; i++) {
      const rutFmuEntry* e = &fmu->list.entry[index[i]];
      signal[i] = e->seen.role == RUT_FMU_OUTPUT ? e->place.index : -1;
    }
    rut_signals_read(fmu->signals, rut_fmu_model(fmu), fmu->data, n, signal, value);
    free(signal);
  }
  for (int i = 0; i < n; i++) {
    const rutFmuEntry* e = &fmu->list.entry[index[i]];
    if (e->seen.role == RUT_FMU_TIME) value[i] = rut_fmu_time(fmu);
    if (e->seen.role == RUT_FMU_PARAMETER) value[i] = fmu->value[index[i]];
    if (e->seen.role == RUT_FMU_INPUT) {
      value[i] = fmu->running ? present_input(fmu, e) : fmu->value[index[i]];
    }
  }
  return RUT_OK;
}

// ---- the run ----

double rut_fmu_time(const rutFmu* fmu) {
  return fmu->running ? fmu->start + rut_time(fmu->data) : 0;
}

static uint64_t seed_of(const rutFmu* fmu) {
  for (int i = 0; i < fmu->list.n; i++) {
    const rutFmuVariable* v = &fmu->list.entry[i].seen;
    if (v->role == RUT_FMU_PARAMETER && !v->row) return (uint64_t)fmu->value[i];
  }
  return 0;
}

rutStatus rut_fmu_start(rutFmu* fmu, double start, rutError* err) {
  if (fmu->running) return rut_error_set(err, RUT_ERR_ARGUMENT, "the run has begun before");
  if (start - start != 0) {
    return rut_error_set(err, RUT_ERR_ARGUMENT, "a run cannot begin at %g s", start);
  }
  rutStatus status = rut_fmu_settle(fmu, err);
  if (status != RUT_OK) return status;
  const rutModel* model = rut_fmu_model(fmu);
  rut_data_reset(model, fmu->data, seed_of(fmu));
  for (int i = 0; i < fmu->list.n && status == RUT_OK; i++) {
    if (fmu->given[i]) status = give_input(fmu, &fmu->list.entry[i], fmu->value[i], err);
  }
  if (status != RUT_OK) return status;
  fmu->start = start;
  fmu->running = true;
  rut_signals_mark(fmu->signals, model, fmu->data);
  return RUT_OK;
}

rutStatus rut_fmu_step(rutFmu* fmu, double time, double step, rutError* err) {
  if (!fmu->running) return rut_error_set(err, RUT_ERR_ARGUMENT, "the run has not begun");
  const rutModel* model = rut_fmu_model(fmu);
  const double dt = rut_model_timestep(model), now = rut_fmu_time(fmu);
  if (!(rut_abs(time - now) <= WHOLE * dt + 1e-12 * rut_abs(now))) {
    return rut_error_set(err, RUT_ERR_ARGUMENT, "a step from t = %.9g s, and it is %.9g s", time,
                         now);
  }
  const double steps = (time - now + step) / dt, whole = rut_floor(steps + 0.5);
  if (!(whole >= 1 && whole < 1e12) ||
      rut_abs(steps - whole) > WHOLE * whole + 1e-9 * rut_abs(now)) {
    return rut_error_set(err, RUT_ERR_ARGUMENT,
                         "a step of %.9g s is no whole number of the world's steps of %.9g s", step,
                         dt);
  }
  rutStatus status = RUT_OK;
  for (int64_t i = 0; i < (int64_t)whole && status == RUT_OK; i++) {
    status = rut_step(model, fmu->data, err);
  }
  rut_signals_mark(fmu->signals, model, fmu->data);
  return status;
}

rutStatus rut_fmu_reset(rutFmu* fmu, rutError* err) {
  fmu->stale = fmu->stale || changed_fields(fmu) > 0;
  take_defaults(fmu);
  fmu->running = false;
  fmu->start = 0;
  const rutStatus status = rut_fmu_settle(fmu, err);
  if (status != RUT_OK) return status;
  rut_data_reset(rut_fmu_model(fmu), fmu->data, seed_of(fmu));
  // times go back: what means are taken from is forgotten
  rut_signals_destroy(fmu->signals);
  return rut_signals_create(fmu->first, &fmu->signals, err);
}
