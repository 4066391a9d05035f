// SPDX-License-Identifier: BSD-3-Clause
#include "host/study_inputs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/csv_column.h"
#include "base/units.h"
#include "host/study_sample.h"
#include "host/study_wrong.h"
#include "math/normal.h"
#include "math/rut_math.h"
#include "rut/descriptor.h"

const char* const rut_vary_names[RUT_VARY_TYPES] = {"grid",   "list",      "choice",     "uniform",
                                                    "normal", "lognormal", "triangular", "table"};

enum { CHECKED_LEVELS = 1000 };

bool rut_study_name_fits(const char* name) {
  // columns of the results, and words of SQL and of expressions that would be read otherwise
  static const char* const reserved[] = {
      "run",  "sample", "point",      "replica",    "seed",    "end_time", "reason", "pass",
      "time", "steps",  "model_hash", "state_hash", "command", "ends",     "pi",     "e",
      "and",  "or",     "not",        "rowid",      "oid",     "_rowid_"};
  static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
  if (!name[0] || (name[0] >= '0' && name[0] <= '9') || strlen(name) > 60) return false;
  for (int i = 0; i < RUT_COUNT_OF(reserved); i++) {
    if (strcmp(name, reserved[i]) == 0) return false;
  }
  return name[strspn(name, letters)] == '\0';
}

// ---- names ----

// The element's name, or that of the field which it sets.
static rutStatus read_name(const rutStudy* study, rutVary* v, rutError* err) {
  const char* name = rut_node_name(study->spec, v->node);
  if (!name[0]) {
    const size_t length = strcspn(v->path, " \t\r\n");
    size_t start = length;
    while (start > 0 && v->path[start - 1] != '.' && v->path[start - 1] != '/') start--;
    char field[64];
    snprintf(field, sizeof field, "%.*s", (int)(length - start), v->path + start);
    v->name = rut_study_copy(field);
  } else {
    v->name = rut_study_copy(name);
  }
  if (!v->name) return rut_study_no_memory(err);
  if (!rut_study_name_fits(v->name)) {
    return rut_study_wrong(study, v->node, NULL, err,
                           "'%.60s' cannot name an input: write name=\"...\" with letters, digits "
                           "and _; columns of the results, such as 'seed', have their own names",
                           v->name);
  }
  for (const rutVary* other = study->vary; other < v; other++) {
    if (strcmp(other->name, v->name) != 0) continue;
    return rut_study_wrong(study, v->node, NULL, err,
                           "two inputs are called '%.60s': give this one another name=\"...\"",
                           v->name);
  }
  return RUT_OK;
}

// ---- levels ----

static rutStatus make_levels(rutLevels* out, int n, bool settings, rutError* err) {
  out->number = calloc((size_t)n, sizeof *out->number);
  out->text = calloc((size_t)n, sizeof *out->text);
  if (settings) out->setting = calloc((size_t)n, sizeof *out->setting);
  if (!out->number || !out->text || (settings && !out->setting)) return rut_study_no_memory(err);
  out->n = n;
  return RUT_OK;
}

static rutStatus read_grid(const rutStudy* study, rutVary* v, rutError* err) {
  const rutSpec* spec = study->spec;
  const double from = rut_node_number(spec, v->node, "from");
  const double to = rut_node_number(spec, v->node, "to");
  const int n = (int)rut_node_number(spec, v->node, "count");
  const bool ratios = rut_node_number(spec, v->node, "scale") != 0;
  if (ratios && !(from > 0 && to > 0)) {
    return rut_study_wrong(study, v->node, "scale", err,
                           "scale=\"log\" needs 'from' and 'to' above 0, not %g and %g", from, to);
  }
  rutStatus status = make_levels(&v->levels, n, false, err);
  for (int i = 0; i < n && status == RUT_OK; i++) {
    const double part = n > 1 ? (double)i / (n - 1) : 0;
    double value = from + part * (to - from);
    if (ratios) value = from * rut_exp(part * rut_log(to / from));
    v->levels.number[i] = i == n - 1 && n > 1 ? to : value;
  }
  return status;
}

// Texts are numbers if all of them are.
static void read_numbers(rutVary* v) {
  v->number = true;
  for (int i = 0; i < v->levels.n; i++) {
    const char* end;
    const char* text = v->levels.text[i];
    v->number = v->number && rut_parse_number(text, &v->levels.number[i], &end) &&
                end[strspn(end, " \t\r\n")] == '\0';
  }
  for (int i = 0; i < v->levels.n; i++) {
    if (!v->number) v->levels.number[i] = RUT_NAN;
    if (!v->number) continue;
    free(v->levels.text[i]);
    v->levels.text[i] = NULL;
  }
}

static rutStatus check_unit(const rutStudy* study, const rutVary* v, rutError* err) {
  if (v->number || !v->unit[0]) return RUT_OK;
  return rut_study_wrong(study, v->node, "unit", err,
                         "not all values are numbers: write their units behind them");
}

static rutStatus read_list(const rutStudy* study, rutVary* v, rutError* err) {
  const char* text = rut_node_text(study->spec, v->node, "values");
  int n = 1;
  for (const char* c = text; *c; c++) n += *c == ';';
  rutStatus status = make_levels(&v->levels, n, false, err);
  for (int i = 0; i < n && status == RUT_OK; i++) {
    text += strspn(text, " \t\r\n");
    size_t length = strcspn(text, ";");
    const char* next = text + length + (text[length] == ';');
    while (length > 0 && strchr(" \t\r\n", text[length - 1])) length--;
    if (length == 0) {
      return rut_study_wrong(study, v->node, "values", err, "value %d is empty", i + 1);
    }
    v->levels.text[i] = malloc(length + 1);
    if (!v->levels.text[i]) return rut_study_no_memory(err);
    snprintf(v->levels.text[i], length + 1, "%s", text);
    text = next;
  }
  if (status == RUT_OK) read_numbers(v);
  return status == RUT_OK ? check_unit(study, v, err) : status;
}

static rutStatus read_table(const rutStudy* study, rutVary* v, rutError* err) {
  const char* file = rut_node_text(study->spec, v->node, "file");
  const char* column = rut_node_text(study->spec, v->node, "column");
  void* bytes;
  size_t size;
  rutError fault = {0};
  if (rut_spec_read_file(study->spec, file, RUT_STUDY_MAX_FILE, &bytes, &size, &fault) != RUT_OK) {
    return rut_study_wrong(study, v->node, "file", err, "%.400s", fault.message);
  }
  rutCsvColumn cells;
  char message[160];
  const char* wrong =
      rut_csv_column_read(bytes, size, column, RUT_STUDY_MAX_LEVELS, &cells, message);
  free(bytes);
  rutStatus status = RUT_OK;
  if (wrong) status = rut_study_wrong(study, v->node, "column", err, "%s", wrong);
  if (status == RUT_OK) status = make_levels(&v->levels, cells.n, false, err);
  for (int i = 0; i < cells.n && status == RUT_OK; i++) {
    v->levels.text[i] = cells.cell[i];
    cells.cell[i] = NULL;
  }
  rut_csv_column_free(&cells);
  v->file = rut_study_copy(file);
  if (status == RUT_OK && !v->file) status = rut_study_no_memory(err);
  if (status == RUT_OK) read_numbers(v);
  return status == RUT_OK ? check_unit(study, v, err) : status;
}

// "path=value" of each <set> in an element.
static rutStatus read_settings(const rutStudy* study, rutNode parent, rutSettings* out,
                               rutError* err) {
  for (rutNode node = rut_node_first(study->spec, parent, "set"); !rut_node_is_null(node);
       node = rut_node_next(study->spec, node, "set")) {
    const char* path = rut_node_text(study->spec, node, "path");
    const char* value = rut_node_text(study->spec, node, "value");
    if (!path[0] || strchr(path, '=')) {
      return rut_study_wrong(study, node, "path", err,
                             "<set> needs path=\"...\", a field as in rut run --set");
    }
    if (out->n == RUT_STUDY_MAX_SETS) {
      return rut_study_wrong(study, node, NULL, err, "more than %d settings", RUT_STUDY_MAX_SETS);
    }
    char** grown = realloc(out->text, (size_t)(out->n + 1) * sizeof *grown);
    if (grown) out->text = grown;
    const size_t size = strlen(path) + strlen(value) + 2;
    char* text = grown ? malloc(size) : NULL;
    if (!text) return rut_study_no_memory(err);
    snprintf(text, size, "%s=%s", path, value);
    out->text[out->n++] = text;
  }
  return RUT_OK;
}

static rutStatus read_choice(const rutStudy* study, rutVary* v, rutError* err) {
  int n = 0;
  for (rutNode node = rut_node_first(study->spec, v->node, "option"); !rut_node_is_null(node);
       node = rut_node_next(study->spec, node, "option")) {
    n++;
  }
  if (n == 0) {
    return rut_study_wrong(study, v->node, NULL, err,
                           "a choice needs options: <option name=\"...\"><set path=\"...\" "
                           "value=\"...\"/></option>");
  }
  rutStatus status = make_levels(&v->levels, n, true, err);
  int i = 0;
  for (rutNode node = rut_node_first(study->spec, v->node, "option");
       !rut_node_is_null(node) && status == RUT_OK;
       node = rut_node_next(study->spec, node, "option"), i++) {
    const char* name = rut_node_name(study->spec, node);
    if (!name[0]) return rut_study_wrong(study, node, NULL, err, "an option needs name=\"...\"");
    v->levels.number[i] = RUT_NAN;
    v->levels.text[i] = rut_study_copy(name);
    if (!v->levels.text[i]) return rut_study_no_memory(err);
    status = read_settings(study, node, &v->levels.setting[i], err);
  }
  return status;
}

// ---- distributions ----

static double number(const rutStudy* study, const rutVary* v, const char* field) {
  return rut_node_number(study->spec, v->node, field);
}

// Cut a distribution whose normal score of a value is a function of it.
static rutStatus cut(const rutStudy* study, rutVary* v, rutError* err) {
  const double low = number(study, v, "low"), high = number(study, v, "high");
  const bool log = v->type == RUT_VARY_LOGNORMAL;
  const double bound[2] = {low, high};
  double* probability[2] = {&v->low, &v->high};
  for (int i = 0; i < 2; i++) {
    if (isnan(bound[i])) continue;
    double score = (bound[i] - v->a) / v->b;
    if (log) score = bound[i] > 0 ? rut_log(bound[i] / v->a) / v->b : -RUT_INFINITY;
    *probability[i] = score > -RUT_INFINITY ? rut_normal_cdf(score) : 0;
  }
  if (!isnan(low)) v->least = low;
  if (!isnan(high)) v->most = high;
  if (v->high - v->low > 1e-9) return RUT_OK;
  return rut_study_wrong(study, v->node, isnan(low) ? "high" : "low", err,
                         "nearly nothing of the distribution lies between its bounds");
}

static rutStatus read_distribution(const rutStudy* study, rutVary* v, rutError* err) {
  static const char* const rows[RUT_VARY_TYPES][3] = {
      [RUT_VARY_UNIFORM] = {"from", "to", NULL},
      [RUT_VARY_NORMAL] = {"mean", "deviation"},
      [RUT_VARY_LOGNORMAL] = {"median", "sigma"},
      [RUT_VARY_TRIANGULAR] = {"from", "mode", "to"}};
  double* parameter[3] = {&v->a, &v->b, &v->c};
  for (int i = 0; i < 3 && rows[v->type][i]; i++)
    *parameter[i] = number(study, v, rows[v->type][i]);
  v->high = 1;
  const bool scaled = v->type == RUT_VARY_NORMAL || v->type == RUT_VARY_LOGNORMAL;
  if (scaled && !(v->b > 0)) {
    return rut_study_wrong(study, v->node, rows[v->type][1], err, "%s must be above 0, not %g",
                           rows[v->type][1], v->b);
  }
  if (v->type == RUT_VARY_LOGNORMAL && !(v->a > 0)) {
    return rut_study_wrong(study, v->node, "median", err, "median must be above 0, not %g", v->a);
  }
  if (v->type == RUT_VARY_UNIFORM && !(v->b > v->a)) {
    return rut_study_wrong(study, v->node, "to", err, "'to' must be above 'from', %g", v->a);
  }
  if (v->type == RUT_VARY_TRIANGULAR && !(v->c > v->a && v->b >= v->a && v->b <= v->c)) {
    return rut_study_wrong(study, v->node, "mode", err,
                           "'to' must be above 'from', and 'mode' between them");
  }
  return scaled ? cut(study, v, err) : RUT_OK;
}

// ---- an input ----

static rutStatus read_values(const rutStudy* study, rutVary* v, rutError* err) {
  v->number = true;
  switch (v->type) {
    case RUT_VARY_GRID:
      return read_grid(study, v, err);
    case RUT_VARY_LIST:
      return read_list(study, v, err);
    case RUT_VARY_CHOICE:
      v->number = false;
      return read_choice(study, v, err);
    case RUT_VARY_TABLE:
      return read_table(study, v, err);
    case RUT_VARY_UNIFORM:
    case RUT_VARY_NORMAL:
    case RUT_VARY_LOGNORMAL:
    case RUT_VARY_TRIANGULAR:
    case RUT_VARY_TYPES:
      break;
  }
  return read_distribution(study, v, err);
}

// Place among the factors or the dimensions; tables of one file share theirs.
static rutStatus place(rutStudy* study, rutVary* v, rutError* err) {
  for (const rutVary* other = study->vary; v->file && other < v; other++) {
    if (!other->file || strcmp(other->file, v->file) != 0) continue;
    if (other->crossed != v->crossed || other->levels.n != v->levels.n) {
      return rut_study_wrong(study, v->node, "crossed", err,
                             "inputs of one table have the values of one row: '%.60s' has another "
                             "'crossed' or other rows",
                             other->name);
    }
    v->place = other->place;
    return RUT_OK;
  }
  if (v->crossed) {
    v->place = study->factors;
    study->factor_levels[study->factors++] = v->levels.n;
  } else {
    v->place = study->dimensions++;
  }
  return RUT_OK;
}

static rutStatus read_input(rutStudy* study, rutVary* v, rutError* err) {
  const char* type = rut_node_type(study->spec, v->node);
  while (v->type < RUT_VARY_TYPES - 1 && strcmp(rut_vary_names[v->type], type) != 0) v->type++;
  const bool choice = v->type == RUT_VARY_CHOICE;
  v->least = -RUT_INFINITY;
  v->most = RUT_INFINITY;
  v->path = rut_study_copy(choice ? "" : rut_node_text(study->spec, v->node, "path"));
  v->unit = rut_study_copy(choice ? "" : rut_node_text(study->spec, v->node, "unit"));
  if (!v->path || !v->unit) return rut_study_no_memory(err);
  if (strchr(v->path, '=')) {
    return rut_study_wrong(study, v->node, "path", err, "a path has no '=' in it");
  }
  rutStatus status = read_name(study, v, err);
  if (status == RUT_OK) status = read_settings(study, v->node, &v->own, err);
  if (status == RUT_OK) status = read_values(study, v, err);
  if (status != RUT_OK) return status;
  v->crossed = v->levels.n > 0 && rut_node_number(study->spec, v->node, "crossed") != 0;
  return place(study, v, err);
}

// ---- correlation ----

static int find_dimension(const rutStudy* study, const char* name, size_t length) {
  for (int i = 0; i < study->inputs; i++) {
    const rutVary* v = &study->vary[i];
    if (strlen(v->name) == length && strncmp(v->name, name, length) == 0) {
      return v->levels.n > 0 ? -1 : v->place;
    }
  }
  return -1;
}

// Cholesky's decomposition in place, of which the lower triangle remains. False if the matrix is
// not positive definite.
static bool decompose(int n, double* m) {
  for (int j = 0; j < n; j++) {
    double pivot = m[j * n + j];
    for (int k = 0; k < j; k++) pivot -= m[j * n + k] * m[j * n + k];
    if (!(pivot > 1e-12)) return false;
    m[j * n + j] = rut_sqrt(pivot);
    for (int i = j + 1; i < n; i++) {
      double sum = m[i * n + j];
      for (int k = 0; k < j; k++) sum -= m[i * n + k] * m[j * n + k];
      m[i * n + j] = sum / m[j * n + j];
      m[j * n + i] = 0;
    }
  }
  return true;
}

static rutStatus read_correlation(const rutStudy* study, rutNode node, rutError* err) {
  const char* text = rut_node_text(study->spec, node, "between");
  int pair[2] = {-1, -1}, n = 0;
  while (*(text += strspn(text, " \t\r\n")) != '\0') {
    const size_t length = strcspn(text, " \t\r\n");
    const int found = find_dimension(study, text, length);
    if (found < 0) {
      return rut_study_wrong(study, node, "between", err, "'%.*s' is no input with a distribution",
                             (int)length, text);
    }
    if (n < 2) pair[n] = found;
    n++;
    text += length;
  }
  if (n != 2 || pair[0] == pair[1]) {
    return rut_study_wrong(study, node, "between", err, "a correlation is between two inputs");
  }
  const double coefficient = rut_node_number(study->spec, node, "coefficient");
  const size_t size = (size_t)study->dimensions;
  study->copula[(size_t)pair[0] * size + (size_t)pair[1]] = coefficient;
  study->copula[(size_t)pair[1] * size + (size_t)pair[0]] = coefficient;
  return RUT_OK;
}

static rutStatus read_correlations(rutStudy* study, rutError* err) {
  const rutNode root = rut_spec_root(study->spec);
  rutNode node = rut_node_first(study->spec, root, "correlation"), last = node;
  if (rut_node_is_null(node)) return RUT_OK;
  if (study->design == RUT_DESIGN_SALTELLI || study->design == RUT_DESIGN_MORRIS) {
    return rut_study_wrong(study, node, NULL, err,
                           "indices of saltelli and effects of morris are those of independent "
                           "inputs: take monte_carlo, latin_hypercube or sobol");
  }
  const int n = study->dimensions;
  study->copula = calloc((size_t)n * (size_t)n + 1, sizeof *study->copula);
  if (!study->copula) return rut_study_no_memory(err);
  for (int i = 0; i < n; i++) study->copula[i * n + i] = 1;
  rutStatus status = RUT_OK;
  for (; !rut_node_is_null(node) && status == RUT_OK;
       node = rut_node_next(study->spec, node, "correlation")) {
    status = read_correlation(study, node, err);
    last = node;
  }
  if (status == RUT_OK && !decompose(n, study->copula)) {
    status = rut_study_wrong(study, last, "coefficient", err,
                             "these correlations contradict each other: their matrix is not "
                             "positive definite");
  }
  return status;
}

// ---- all of them ----

rutStatus rut_study_read_inputs(rutStudy* study, rutError* err) {
  const rutNode root = rut_spec_root(study->spec);
  int n = 0;
  for (rutNode node = rut_node_first(study->spec, root, "vary"); !rut_node_is_null(node);
       node = rut_node_next(study->spec, node, "vary")) {
    if (++n <= RUT_STUDY_MAX_INPUTS) continue;
    return rut_study_wrong(study, node, NULL, err, "a study has at most %d inputs",
                           RUT_STUDY_MAX_INPUTS);
  }
  study->vary = calloc((size_t)n + 1, sizeof *study->vary);
  if (!study->vary) return rut_study_no_memory(err);
  rutStatus status = read_settings(study, root, &study->fixed, err);
  for (rutNode node = rut_node_first(study->spec, root, "vary");
       !rut_node_is_null(node) && status == RUT_OK;
       node = rut_node_next(study->spec, node, "vary")) {
    rutVary* v = &study->vary[study->inputs++];
    v->node = node;
    status = read_input(study, v, err);
  }
  return status == RUT_OK ? read_correlations(study, err) : status;
}

// ---- checks against the world ----

static rutStatus try_value(const rutStudy* study, const rutVary* v, rutSpec* world, int level,
                           rutError* err) {
  const double middle = v->type == RUT_VARY_UNIFORM      ? 0.5 * (v->a + v->b)
                        : v->type == RUT_VARY_TRIANGULAR ? v->b
                                                         : rut_clamp(v->a, v->least, v->most);
  const bool levels = v->levels.n > 0;
  const rutStudyValue value = {levels ? v->levels.number[level] : middle,
                               levels ? v->levels.text[level] : NULL};
  rutBytes settings = {0};
  rut_study_put_value(v, value, &settings);
  rutStatus status = settings.failed ? rut_study_no_memory(err) : RUT_OK;
  for (size_t at = 0; at < settings.used && status == RUT_OK;) {
    const char* setting = (const char*)settings.data + at;
    rutError fault = {0};
    status = rut_study_set(world, setting, &fault);
    if (status == RUT_ERR_MEMORY) rut_study_no_memory(err);
    if (status != RUT_OK && status != RUT_ERR_MEMORY) {
      status = rut_study_wrong(study, v->node, "path", err, "%.480s", fault.message);
    }
    at += strlen(setting) + 1;
  }
  rut_bytes_free(&settings);
  return status;
}

// Each <set> of an element.
static rutStatus try_settings(const rutStudy* study, rutNode parent, rutSpec* world,
                              rutError* err) {
  for (rutNode node = rut_node_first(study->spec, parent, "set"); !rut_node_is_null(node);
       node = rut_node_next(study->spec, node, "set")) {
    rutError fault = {0};
    const rutStatus status = rut_spec_set(world, rut_node_text(study->spec, node, "path"),
                                          rut_node_text(study->spec, node, "value"), &fault);
    if (status == RUT_ERR_MEMORY) return rut_study_no_memory(err);
    if (status != RUT_OK) {
      return rut_study_wrong(study, node, "value", err, "%.400s", fault.message);
    }
  }
  return RUT_OK;
}

rutStatus rut_study_check_inputs(const rutStudy* study, const rutSpec* world, rutError* err) {
  rutSpec* copy = NULL;
  rutStatus status = rut_spec_copy(world, &copy, err);
  if (status == RUT_OK) status = try_settings(study, rut_spec_root(study->spec), copy, err);
  for (int i = 0; i < study->inputs && status == RUT_OK; i++) {
    const rutVary* v = &study->vary[i];
    if (v->levels.setting) {
      for (rutNode node = rut_node_first(study->spec, v->node, "option");
           !rut_node_is_null(node) && status == RUT_OK;
           node = rut_node_next(study->spec, node, "option")) {
        status = try_settings(study, node, copy, err);
      }
      continue;
    }
    const int n = v->levels.n == 0 ? 1 : v->levels.n;
    for (int k = 0; k < n && k < CHECKED_LEVELS && status == RUT_OK; k++) {
      status = try_value(study, v, copy, k, err);
    }
  }
  rut_spec_destroy(copy);
  return status;
}

// ---- end ----

static void free_settings(rutSettings* settings) {
  for (int i = 0; i < settings->n; i++) free(settings->text[i]);
  free(settings->text);
}

void rut_study_free_inputs(rutStudy* study) {
  for (int i = 0; i < study->inputs; i++) {
    rutVary* v = &study->vary[i];
    for (int k = 0; k < v->levels.n; k++) {
      free(v->levels.text[k]);
      if (v->levels.setting) free_settings(&v->levels.setting[k]);
    }
    free_settings(&v->own);
    free(v->levels.number);
    free(v->levels.text);
    free(v->levels.setting);
    free(v->name);
    free(v->path);
    free(v->unit);
    free(v->file);
  }
  free(study->vary);
  free(study->copula);
  free_settings(&study->fixed);
}
