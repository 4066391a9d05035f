// SPDX-License-Identifier: BSD-3-Clause
#include "law.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const cliBench* const benches[] = {
    &cli_bench_tyre, &cli_bench_carcass, &cli_bench_wheel, &cli_bench_soil, &cli_bench_traction,
    &cli_bench_sink, &cli_bench_plate, &cli_bench_drive, &cli_bench_suspension,
    &cli_bench_mechanism, &cli_bench_seen,
    // of tables of numbers: outputs are the fields themselves
    &(const cliBench){.name = "tyre_fields", .kind = "tyre"},
    &(const cliBench){.name = "soil_fields", .kind = "soil"},
    &(const cliBench){.name = "drive_fields", .kind = "drive"},
    &(const cliBench){.name = "suspension_fields", .kind = "suspension"}};

static void complain(cliLab* lab, const char* what, size_t length, const char* text) {
  if (!lab->failed) {
    fprintf(stderr, "rut: error: %s '%.*s' of a case\n", what, (int)length, text);
  }
  lab->failed = true;
}

// ---- rows of text ----

// Next "name=value" of a text; false at its end.
typedef struct Pair {
  const char *name, *value;
  size_t name_length, value_length;
} Pair;

static bool next_pair(const char** text, Pair* pair) {
  const char* at = *text + strspn(*text, " ");
  if (*at == '\0') return false;
  pair->name = at;
  pair->name_length = strcspn(at, "= ");
  at += pair->name_length;
  pair->value = *at == '=' ? at + 1 : at;
  pair->value_length = strcspn(pair->value, " ");
  *text = pair->value + pair->value_length;
  return true;
}

static bool is(const char* word, const char* text, size_t length) {
  return strlen(word) == length && strncmp(word, text, length) == 0;
}

// ---- parameters ----

// Index of a word in "a|b|c"; -1: it is none.
static int choice_of(const char* words, const char* word, size_t length) {
  for (int i = 0; *words; i++) {
    const size_t n = strcspn(words, "|");
    if (n == length && strncmp(words, word, n) == 0) return i;
    words += n + (words[n] == '|');
  }
  return -1;
}

// Numbers of a list behind the fields; returns the place behind it.
static int put_list(cliLaw* law, int field, int place, const char* text, size_t length) {
  int n = 0;
  const char* end = text + length;
  law->param[field] = place;
  while (text < end) {
    char* after;
    const double value = strtod(text, &after);
    if (after == text) break;
    law->param[place + ++n] = value;
    text = after + strspn(after, ", ");
  }
  law->param[place] = n;
  return place + n + 1;
}

static int put_field(cliLab* lab, cliLaw* law, int field, int place, const char* text,
                     size_t length) {
  const rutField* f = &law->type->field[field];
  if (f->type == RUT_VECTOR || f->type == RUT_POINTS) {
    return put_list(law, field, place, text, length);
  }
  const int word = f->type == RUT_CHOICE ? choice_of(f->text, text, length) : -1;
  law->param[field] = word >= 0 ? word : strtod(text, NULL);
  if (f->type == RUT_CHOICE && word < 0) complain(lab, "no such word", length, text);
  return place;
}

static const rutComponent* find_type(const cliLab* lab, const char* kind, const char* name) {
  for (int i = 0; i < rut_component_count(lab->world.context); i++) {
    const rutComponent* c = rut_component_at(lab->world.context, i);
    if (strcmp(c->kind, kind) == 0 && strcmp(c->name, name) == 0) return c;
  }
  return NULL;
}

// Place of a field among the parameters; -1: there is none.
static int field_of(const cliLaw* law, const Pair* pair) {
  for (int i = 0; i < law->type->fields; i++) {
    if (is(law->type->field[i].name, pair->name, pair->name_length)) return i;
  }
  return -1;
}

// The component with its defaults, then the settings.
static void open_law(cliLab* lab, const char* kind, const cliLawRow* row, cliLaw* law) {
  *law = (cliLaw){.type = find_type(lab, kind, row->type), .settings = row->settings};
  if (!law->type) {
    complain(lab, "no such component", strlen(row->type), row->type);
    return;
  }
  const rutComponent* type = law->type;
  int place = type->fields;
  for (int i = 0; i < type->fields; i++) {
    const rutField* f = &type->field[i];
    const bool list = f->type == RUT_VECTOR || f->type == RUT_POINTS;
    law->param[i] = f->type == RUT_TEXT ? (double)NAN : f->def;
    if (list)
      place = put_list(law, i, place, f->text ? f->text : "", strlen(f->text ? f->text : ""));
  }
  const char* text = row->settings;
  for (Pair pair; next_pair(&text, &pair);) {
    const int field = field_of(law, &pair);
    // soils are built from their text, with presets
    if (field < 0 && is("preset", pair.name, pair.name_length)) continue;
    if (field < 0) {
      complain(lab, "no such field", pair.name_length, pair.name);
      return;
    }
    place = put_field(lab, law, field, place, pair.value, pair.value_length);
  }
  // at the pressure that it names
  const rutTyreType* tyre = (const rutTyreType*)(const void*)type;
  if (strcmp(kind, "tyre") == 0 && tyre->inflate) tyre->inflate(law->param, (double)NAN);
}

// ---- cases ----

enum { MOST = 128 };

static int index_of(cliLab* lab, int n, const char* const* name, const Pair* pair) {
  for (int i = 0; i < n; i++) {
    if (is(name[i], pair->name, pair->name_length)) return i;
  }
  complain(lab, "no such number", pair->name_length, pair->name);
  return -1;
}

static double largest_of(const char* text) {
  double most = 0;
  for (Pair pair; next_pair(&text, &pair);) most = fmax(most, fabs(strtod(pair.value, NULL)));
  return most;
}

// The worst of what a row gives. A bench without outputs shows the fields of the component.
static cliLawResult compare(cliLab* lab, const cliBench* bench, const cliLaw* law,
                            const char* gives, const double* numbers) {
  const double* out = bench->run ? numbers : law->param;
  const double most = largest_of(gives);
  cliLawResult worst = {(double)NAN, (double)NAN, 0, ""};
  double worst_error = -1;
  for (Pair pair; next_pair(&gives, &pair);) {
    const int k =
        bench->run ? index_of(lab, bench->outputs, bench->output, &pair) : field_of(law, &pair);
    if (k < 0) {
      complain(lab, "no such number", pair.name_length, pair.name);
      return worst;
    }
    const double expected = strtod(pair.value, NULL);
    const double size = expected != 0 ? fabs(expected) : (most > 0 ? most : 1);
    const double error = fabs(out[k] - expected) / size;
    // NaN is worst
    if (error <= worst_error || isnan(worst_error)) continue;
    worst_error = error;
    worst = (cliLawResult){out[k], expected, size,
                           bench->run ? bench->output[k] : law->type->field[k].name};
  }
  return worst;
}

cliLawResult cli_law_run(cliLab* lab, const cliLawRow* row, double tolerance) {
  const cliLawResult none = {(double)NAN, (double)NAN, 0, ""};
  double in[MOST] = {0}, out[MOST] = {0};
  const cliBench* bench = NULL;
  for (int i = 0; i < CLI_COUNT(benches); i++) {
    if (strcmp(benches[i]->name, row->bench) == 0) bench = benches[i];
  }
  cliLaw* law = malloc(sizeof *law);
  if (!bench || !law) {
    complain(lab, "no bench", strlen(row->bench), row->bench);
    free(law);
    return none;
  }
  open_law(lab, bench->kind, row, law);
  if (bench->inputs > 0) memcpy(in, bench->preset, (size_t)bench->inputs * sizeof *in);
  const char* at = row->at;
  for (Pair pair; !lab->failed && next_pair(&at, &pair);) {
    const int k = index_of(lab, bench->inputs, bench->input, &pair);
    if (k >= 0) in[k] = strtod(pair.value, NULL);
  }
  if (!lab->failed && bench->run) bench->run(lab, law, in, out);
  cliLawResult result = lab->failed ? none : compare(lab, bench, law, row->gives, out);
  free(law);
  result.tolerance *= tolerance;
  return result;
}
