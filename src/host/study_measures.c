// SPDX-License-Identifier: BSD-3-Clause
#include "host/study_measures.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/suggest.h"
#include "host/study_inputs.h"
#include "host/study_wrong.h"
#include "math/rut_math.h"
#include "rut/descriptor.h"
#include "rut/host.h"

const char* const rut_measure_names[RUT_MEASURE_TYPES] = {
    "last", "min",        "max",      "max_abs", "mean",
    "rms",  "percentile", "crossing", "metric",  "expression"};

enum { MAX_METRICS = 256 };

static const char* text_of(const rutStudy* study, rutNode node, const char* field) {
  return rut_node_text(study->spec, node, field);
}

// ---- names in expressions ----

enum { MAX_NAMES = RUT_STUDY_MAX_INPUTS + RUT_STUDY_MAX_MEASURES + 1 };

typedef struct Names {
  const char* name[MAX_NAMES];
  double value[MAX_NAMES];
  int n;
} Names;

static void add_name(Names* names, const char* name, double value) {
  names->name[names->n] = name;
  names->value[names->n++] = value;
}

// Inputs that are numbers; input NULL: some value.
static void add_inputs(Names* names, const rutStudy* study, const rutStudyValue* input) {
  static const double SOME = 0.7368;
  for (int i = 0; i < study->inputs; i++) {
    if (!study->vary[i].number) continue;
    add_name(names, study->vary[i].name, input ? input[i].number : SOME);
  }
}

// Whether an expression can be read. A result that is not finite, with values that mean nothing, is
// no fault.
static rutStatus check_expression(const rutStudy* study, rutNode node, const char* field,
                                  const Names* names, rutError* err) {
  double value;
  rutError fault = {0};
  const char* text = text_of(study, node, field);
  const rutStatus status =
      rut_expression(text, names->n, names->name, names->value, &value, &fault);
  if (status == RUT_OK || strstr(fault.message, "not a finite number")) return RUT_OK;
  return rut_study_wrong(study, node, field, err, "%.400s", fault.message);
}

// NaN where the result is not finite.
static double evaluate(const char* text, const Names* names) {
  double value;
  const rutStatus status = rut_expression(text, names->n, names->name, names->value, &value, NULL);
  return status == RUT_OK ? value : RUT_NAN;
}

int rut_study_conclude(const rutStudy* study, const rutStudyValue* input, double end_time,
                       double* measure) {
  Names names = {.n = 0};
  add_inputs(&names, study, input);
  add_name(&names, "end_time", end_time);
  for (int i = 0; i < study->measures; i++) {
    const rutMeasure* m = &study->measure[i];
    if (m->type == RUT_MEASURE_EXPRESSION) measure[i] = evaluate(m->source, &names);
    add_name(&names, m->name, measure[i]);
  }
  if (study->passes == 0) return -1;
  for (int i = 0; i < study->passes; i++) {
    const double truth = evaluate(study->pass[i].condition, &names);
    if (isnan(truth) || truth == 0) return 0;
  }
  return 1;
}

// ---- elements ----

static rutStatus check_name(const rutStudy* study, const rutMeasure* m, rutError* err) {
  const char* name = rut_node_name(study->spec, m->node);
  if (!name[0]) return rut_study_wrong(study, m->node, NULL, err, "a measure needs name=\"...\"");
  if (!rut_study_name_fits(name)) {
    return rut_study_wrong(study, m->node, NULL, err,
                           "'%.60s' cannot name a measure: take letters, digits and _; columns of "
                           "the results, such as 'seed', have their own names",
                           name);
  }
  bool taken = false;
  for (int i = 0; i < study->inputs; i++) taken = taken || strcmp(study->vary[i].name, name) == 0;
  for (const rutMeasure* o = study->measure; o < m; o++)
    taken = taken || strcmp(o->name, name) == 0;
  if (!taken) return RUT_OK;
  return rut_study_wrong(study, m->node, NULL, err, "another input or measure is called '%.60s'",
                         name);
}

static rutStatus read_measure(const rutStudy* study, rutMeasure* m, rutError* err) {
  const rutSpec* spec = study->spec;
  const char* type = rut_node_type(spec, m->node);
  while (m->type < RUT_MEASURE_TYPES - 1 && strcmp(rut_measure_names[m->type], type) != 0)
    m->type++;
  const char* field = m->type == RUT_MEASURE_METRIC       ? "metric"
                      : m->type == RUT_MEASURE_EXPRESSION ? "value"
                                                          : "signal";
  const rutStatus status = check_name(study, m, err);
  m->name = rut_study_copy(rut_node_name(spec, m->node));
  m->source = rut_study_copy(text_of(study, m->node, field));
  m->unit =
      rut_study_copy(m->type == RUT_MEASURE_EXPRESSION ? text_of(study, m->node, "unit") : "");
  m->vehicle =
      rut_study_copy(m->type == RUT_MEASURE_METRIC ? text_of(study, m->node, "vehicle") : "");
  if (!m->name || !m->source || !m->unit || !m->vehicle) return rut_study_no_memory(err);
  if (m->type < RUT_MEASURE_METRIC) {
    m->from = rut_node_number(spec, m->node, "from");
    m->to = rut_node_number(spec, m->node, "to");
  }
  if (m->type == RUT_MEASURE_PERCENTILE) m->percent = rut_node_number(spec, m->node, "percent");
  if (m->type == RUT_MEASURE_CROSSING) {
    m->level = rut_node_number(spec, m->node, "level");
    m->direction = (int)rut_node_number(spec, m->node, "direction");
  }
  return status;
}

// Number of elements of a kind, of at most `most`.
static rutStatus count(const rutStudy* study, const char* kind, int most, int* n, rutError* err) {
  const rutNode root = rut_spec_root(study->spec);
  *n = 0;
  for (rutNode node = rut_node_first(study->spec, root, kind); !rut_node_is_null(node);
       node = rut_node_next(study->spec, node, kind)) {
    if (++*n <= most) continue;
    return rut_study_wrong(study, node, NULL, err, "a study has at most %d elements <%s>", most,
                           kind);
  }
  return RUT_OK;
}

static rutStatus read_stops(rutStudy* study, rutError* err) {
  const rutNode root = rut_spec_root(study->spec);
  for (rutNode node = rut_node_first(study->spec, root, "stop"); !rut_node_is_null(node);
       node = rut_node_next(study->spec, node, "stop")) {
    rutStop* stop = &study->stop[study->stops++];
    stop->node = node;
    stop->above = rut_node_number(study->spec, node, "above");
    stop->below = rut_node_number(study->spec, node, "below");
    stop->after = rut_node_number(study->spec, node, "after");
    stop->fails = rut_node_number(study->spec, node, "fails") != 0;
    stop->signal = rut_study_copy(text_of(study, node, "signal"));
    if (!stop->signal) return rut_study_no_memory(err);
    study->requirements += stop->fails;
    if (isnan(stop->above) && isnan(stop->below)) {
      return rut_study_wrong(study, node, NULL, err, "a <stop> needs 'above' or 'below'");
    }
  }
  return RUT_OK;
}

// Expressions may use what stands before them; conditions may use all.
static rutStatus check_expressions(rutStudy* study, rutError* err) {
  Names names = {.n = 0};
  add_inputs(&names, study, NULL);
  add_name(&names, "end_time", 1);
  rutStatus status = RUT_OK;
  for (int i = 0; i < study->measures && status == RUT_OK; i++) {
    const rutMeasure* m = &study->measure[i];
    if (m->type == RUT_MEASURE_EXPRESSION) {
      status = check_expression(study, m->node, "value", &names, err);
    }
    add_name(&names, m->name, 0.7368);
  }
  for (int i = 0; i < study->passes && status == RUT_OK; i++) {
    status = check_expression(study, study->pass[i].node, "condition", &names, err);
  }
  return status;
}

rutStatus rut_study_read_measures(rutStudy* study, rutError* err) {
  int measures, stops, passes;
  rutStatus status = count(study, "measure", RUT_STUDY_MAX_MEASURES, &measures, err);
  if (status == RUT_OK) status = count(study, "stop", RUT_STUDY_MAX_STOPS, &stops, err);
  if (status == RUT_OK) status = count(study, "pass", RUT_STUDY_MAX_PASSES, &passes, err);
  if (status != RUT_OK) return status;
  study->measure = calloc((size_t)measures + 1, sizeof *study->measure);
  study->stop = calloc((size_t)stops + 1, sizeof *study->stop);
  study->pass = calloc((size_t)passes + 1, sizeof *study->pass);
  if (!study->measure || !study->stop || !study->pass) return rut_study_no_memory(err);
  const rutNode root = rut_spec_root(study->spec);
  for (rutNode node = rut_node_first(study->spec, root, "measure");
       !rut_node_is_null(node) && status == RUT_OK;
       node = rut_node_next(study->spec, node, "measure")) {
    rutMeasure* m = &study->measure[study->measures++];
    m->node = node;
    status = read_measure(study, m, err);
  }
  if (status == RUT_OK) status = read_stops(study, err);
  for (rutNode node = rut_node_first(study->spec, root, "pass");
       !rut_node_is_null(node) && status == RUT_OK;
       node = rut_node_next(study->spec, node, "pass")) {
    rutPass* pass = &study->pass[study->passes++];
    pass->node = node;
    study->requirements++;
    pass->condition = rut_study_copy(text_of(study, node, "condition"));
    if (!pass->condition) return rut_study_no_memory(err);
  }
  return status == RUT_OK ? check_expressions(study, err) : status;
}

// ---- checks against the world ----

static rutStatus check_signal(const rutStudy* study, rutNode node, const rutSignals* signals,
                              const char* name, char** unit, rutError* err) {
  const int signal = rut_signals_find(signals, name);
  if (signal >= 0 && !unit) return RUT_OK;
  if (signal >= 0) {
    free(*unit);
    *unit = rut_study_copy(rut_signals_at(signals, signal).unit);
    return *unit ? RUT_OK : rut_study_no_memory(err);
  }
  const char* near = rut_signals_nearest(signals, name);
  return rut_study_wrong(study, node, "signal", err, "no signal is called '%.150s'%s%.150s%s", name,
                         near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
}

static int find_vehicle(const rutModel* model, const char* name) {
  if (name[0]) return rut_find(model, RUT_VEHICLE, name);
  return rut_count(model, RUT_VEHICLE) > 0 ? 0 : -1;
}

static rutStatus check_metric(const rutStudy* study, rutMeasure* m, const rutMetrics* metrics,
                              const rutModel* model, rutError* err) {
  const int vehicle = find_vehicle(model, m->vehicle);
  if (vehicle < 0) {
    return rut_study_wrong(study, m->node, "vehicle", err, "there is no vehicle '%.60s'",
                           m->vehicle);
  }
  rutMetric known[MAX_METRICS];
  const char* names[MAX_METRICS];
  const int all = rut_metrics_known(metrics, model, vehicle, MAX_METRICS, known);
  const int n = all < MAX_METRICS ? all : MAX_METRICS;
  for (int i = 0; i < n; i++) {
    names[i] = known[i].name;
    if (strcmp(known[i].name, m->source) != 0) continue;
    free(m->unit);
    m->unit = rut_study_copy(known[i].unit);
    return m->unit ? RUT_OK : rut_study_no_memory(err);
  }
  if (n == 0) {
    return rut_study_wrong(study, m->node, "metric", err,
                           "'%.60s' has no metrics, since it is not on axles",
                           rut_name(model, RUT_VEHICLE, vehicle));
  }
  const char* near = rut_suggest(m->source, names, (size_t)n);
  return rut_study_wrong(study, m->node, "metric", err, "'%.60s' has no metric '%.60s'%s%.60s%s",
                         rut_name(model, RUT_VEHICLE, vehicle), m->source,
                         near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
}

static rutStatus check_metrics(rutStudy* study, const rutSpec* spec, const rutModel* model,
                               const rutData* data, rutError* err) {
  rutMetrics* metrics = NULL;
  rutStatus status = rut_metrics_create(spec, model, data, 1, &metrics, err);
  for (int i = 0; i < rut_count(model, RUT_VEHICLE) && status == RUT_OK; i++) {
    status = rut_metrics_watch(metrics, model, data, i, err);
    if (status == RUT_ERR_ARGUMENT) status = RUT_OK;  // a planar vehicle
  }
  for (int i = 0; i < study->measures && status == RUT_OK; i++) {
    rutMeasure* m = &study->measure[i];
    if (m->type == RUT_MEASURE_METRIC) status = check_metric(study, m, metrics, model, err);
  }
  rut_metrics_destroy(metrics);
  return status;
}

rutStatus rut_study_check_measures(rutStudy* study, const rutSpec* spec, const rutModel* model,
                                   const rutData* data, rutError* err) {
  rutSignals* signals = NULL;
  rutStatus status = rut_signals_create(model, &signals, err);
  bool metrics = false;
  for (int i = 0; i < study->measures && status == RUT_OK; i++) {
    rutMeasure* m = &study->measure[i];
    metrics = metrics || m->type == RUT_MEASURE_METRIC;
    if (m->type >= RUT_MEASURE_METRIC) continue;
    status = check_signal(study, m->node, signals, m->source, &m->unit, err);
    if (status == RUT_OK && m->type == RUT_MEASURE_CROSSING) {
      free(m->unit);
      m->unit = rut_study_copy("s");
      if (!m->unit) status = rut_study_no_memory(err);
    }
  }
  for (int i = 0; i < study->stops && status == RUT_OK; i++) {
    status = check_signal(study, study->stop[i].node, signals, study->stop[i].signal, NULL, err);
  }
  rut_signals_destroy(signals);
  if (status == RUT_OK && metrics) status = check_metrics(study, spec, model, data, err);
  return status;
}

// ---- end ----

void rut_study_free_measures(rutStudy* study) {
  for (int i = 0; i < study->measures; i++) {
    rutMeasure* m = &study->measure[i];
    free(m->name);
    free(m->unit);
    free(m->source);
    free(m->vehicle);
  }
  for (int i = 0; i < study->stops; i++) free(study->stop[i].signal);
  for (int i = 0; i < study->passes; i++) free(study->pass[i].condition);
  free(study->measure);
  free(study->stop);
  free(study->pass);
}
