// SPDX-License-Identifier: BSD-3-Clause
//
// Results of a study, read from a database; tables as CSV.
#include "host/study_table.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/report.h"
#include "base/units.h"
#include "host/bytes.h"
#include "host/study_wrong.h"
#include "host/write_file.h"
#include "math/rut_math.h"

static const int64_t MOST_ROWS = 100000000;

static rutStatus no_results(const char* path, const char* what, rutError* err) {
  rut_error_set(err, RUT_ERR_PARSE, "it holds no results of a study: %s", what);
  if (err) snprintf(err->file, sizeof err->file, "%.250s", path);
  return RUT_ERR_PARSE;
}

// ---- table study ----

// Value of a key; NULL if out of memory, "" if there is none.
static char* read_key(rutDatabase* db, const char* key, rutStatus* status, rutError* err) {
  rutStatement* s = NULL;
  bool row = false;
  char* copy = NULL;
  if (*status == RUT_OK) {
    *status = rut_database_prepare(db, "SELECT value FROM study WHERE key = ?", &s, err);
  }
  if (*status == RUT_OK) {
    rut_statement_text(s, 0, key);
    *status = rut_statement_step(s, &row, err);
  }
  if (*status == RUT_OK) {
    copy = rut_study_copy(row ? rut_statement_get_text(s, 0) : "");
    if (!copy) *status = rut_study_no_memory(err);
  }
  rut_statement_free(s);
  return copy;
}

static int64_t read_whole(rutDatabase* db, const char* key, rutStatus* status, rutError* err) {
  char* text = read_key(db, key, status, err);
  const int64_t value = text ? strtoll(text, NULL, 10) : 0;
  free(text);
  return value;
}

static rutStatus read_keys(rutStudyTable* t, rutDatabase* db, rutError* err) {
  rutStatus status = RUT_OK;
  char* format = read_key(db, "format", &status, err);
  if (status == RUT_OK && strcmp(format, RUT_STORE_FORMAT) != 0) {
    status = no_results(t->path, format[0] ? "its format is of another version" : "no format", err);
  }
  free(format);
  static const char* const keys[RUT_TABLE_TEXTS] = {"name",    "description", "design",    "world",
                                                    "version", "study",       "model_hash"};
  for (int i = 0; i < RUT_TABLE_TEXTS; i++) t->text[i] = read_key(db, keys[i], &status, err);
  t->info.runs = read_whole(db, "runs", &status, err);
  t->info.points = read_whole(db, "points", &status, err);
  t->info.replicas = (int)read_whole(db, "replicas", &status, err);
  t->info.requirements = (int)read_whole(db, "requirements", &status, err);
  t->info.shards = (int)read_whole(db, "shards", &status, err);
  if (status != RUT_OK) return status;
  if (t->info.runs < 0 || t->info.points < 1 || t->info.replicas < 1) {
    return no_results(t->path, "its numbers of runs make no sense", err);
  }
  t->info.name = t->text[0];
  t->info.description = t->text[1];
  t->info.design = t->text[2];
  t->info.world = t->text[3];
  t->info.version = t->text[4];
  t->info.text = t->text[5];
  return RUT_OK;
}

// ---- inputs and measures ----

static rutStatus read_inputs(rutStudyTable* t, rutDatabase* db, rutError* err) {
  int64_t n = 0;
  rutStatement* s = NULL;
  rutStatus status = rut_database_ask(db, "SELECT count(*) FROM input", &n, NULL, 0, err);
  if (status == RUT_OK && n > RUT_STUDY_MAX_INPUTS) {
    return no_results(t->path, "it has too many inputs", err);
  }
  if (status == RUT_OK) {
    status = rut_database_prepare(
        db, "SELECT name, type, path, unit, number, dimension, levels FROM input ORDER BY place",
        &s, err);
  }
  for (bool row = true; status == RUT_OK && t->info.inputs < n;) {
    status = rut_statement_step(s, &row, err);
    if (status != RUT_OK || !row) break;
    char** text = &t->input_text[4 * t->info.inputs];
    for (int i = 0; i < 4; i++) text[i] = rut_study_copy(rut_statement_get_text(s, i));
    if (!text[0] || !text[1] || !text[2] || !text[3]) status = rut_study_no_memory(err);
    t->input[t->info.inputs++] = (rutStudyInput){.name = text[0],
                                                 .type = text[1],
                                                 .path = text[2],
                                                 .unit = text[3],
                                                 .number = rut_statement_get_integer(s, 4) != 0,
                                                 .dimension = (int)rut_statement_get_integer(s, 5),
                                                 .levels = (int)rut_statement_get_integer(s, 6)};
  }
  rut_statement_free(s);
  return status;
}

static rutStatus read_measures(rutStudyTable* t, rutDatabase* db, rutError* err) {
  int64_t n = 0;
  rutStatement* s = NULL;
  rutStatus status = rut_database_ask(db, "SELECT count(*) FROM measure", &n, NULL, 0, err);
  if (status == RUT_OK && n > RUT_STUDY_MAX_MEASURES) {
    return no_results(t->path, "it has too many measures", err);
  }
  if (status == RUT_OK) {
    status =
        rut_database_prepare(db, "SELECT name, type, unit FROM measure ORDER BY place", &s, err);
  }
  for (bool row = true; status == RUT_OK && t->info.measures < n;) {
    status = rut_statement_step(s, &row, err);
    if (status != RUT_OK || !row) break;
    char** text = &t->measure_text[3 * t->info.measures];
    for (int i = 0; i < 3; i++) text[i] = rut_study_copy(rut_statement_get_text(s, i));
    if (!text[0] || !text[1] || !text[2]) status = rut_study_no_memory(err);
    t->measure[t->info.measures++] = (rutStudyMeasure){text[0], text[1], text[2]};
  }
  rut_statement_free(s);
  return status;
}

// ---- rows ----

static rutStatus allocate(rutStudyTable* t, int64_t rows, rutError* err) {
  const size_t n = (size_t)rows + 1;
  t->row = calloc(n, sizeof *t->row);
  t->value = calloc(n * (size_t)(t->info.inputs + 1), sizeof *t->value);
  t->result = calloc(n * (size_t)(t->info.measures + 1), sizeof *t->result);
  return t->row && t->value && t->result ? RUT_OK : rut_study_no_memory(err);
}

// A text of a row, kept by the table.
static const char* keep(const rutStatement* s, int column, rutStatus* status, rutError* err) {
  char* copy = rut_study_copy(rut_statement_get_text(s, column));
  if (!copy) *status = rut_study_no_memory(err);
  return copy;
}

static rutStatus read_row(rutStudyTable* t, const rutStatement* s, rutError* err) {
  const int inputs = t->info.inputs, measures = t->info.measures;
  rutStudyValue* value = t->value + t->info.rows * (inputs + 1);
  double* result = t->result + t->info.rows * (measures + 1);
  rutStudyRow* r = &t->row[t->info.rows];
  rutStatus status = RUT_OK;
  int at = 0;
  *r = (rutStudyRow){.input = value, .measure = result};
  t->info.rows++;
  r->run = rut_statement_get_integer(s, at++);
  r->point = rut_statement_get_integer(s, at++);
  r->replica = (int)rut_statement_get_integer(s, at++);
  r->seed = (uint64_t)rut_statement_get_integer(s, at++);
  for (int i = 0; i < inputs; i++, at++) {
    value[i] = (rutStudyValue){RUT_NAN, NULL};
    if (t->input[i].number) value[i].number = rut_statement_get_number(s, at);
    if (!t->input[i].number) value[i].text = keep(s, at, &status, err);
  }
  for (int i = 0; i < measures; i++) result[i] = rut_statement_get_number(s, at++);
  const char* end = rut_statement_get_text(s, at++);
  while (r->end < RUT_STUDY_ENDS - 1 && strcmp(rut_study_end_name(r->end), end) != 0) r->end++;
  r->reason = keep(s, at++, &status, err);
  r->pass = rut_statement_is_null(s, at) ? -1 : rut_statement_get_integer(s, at) != 0;
  at++;
  r->time = rut_statement_get_number(s, at++);
  r->steps = rut_statement_get_integer(s, at++);
  r->model_hash = keep(s, at++, &status, err);
  r->state_hash = keep(s, at++, &status, err);
  r->command = keep(s, at++, &status, err);
  return status;
}

static rutStatus read_rows(rutStudyTable* t, rutDatabase* db, rutError* err) {
  int64_t rows = 0;
  rutStatement* s = NULL;
  rutStatus status = rut_database_ask(db, "SELECT count(*) FROM run", &rows, NULL, 0, err);
  if (status == RUT_OK && rows > MOST_ROWS) return no_results(t->path, "it has too many rows", err);
  if (status == RUT_OK) status = allocate(t, rows, err);
  if (status == RUT_OK)
    status = rut_database_prepare(db, "SELECT * FROM run ORDER BY run", &s, err);
  const int columns =
      RUT_STORE_COLUMNS_BEFORE + t->info.inputs + t->info.measures + RUT_STORE_COLUMNS_BEHIND;
  if (status == RUT_OK && rut_statement_columns(s) != columns) {
    status = no_results(t->path, "its columns are not those of its inputs and measures", err);
  }
  // a run that is written meanwhile is left out
  for (bool row = true; status == RUT_OK && t->info.rows < rows;) {
    status = rut_statement_step(s, &row, err);
    if (status != RUT_OK || !row) break;
    status = read_row(t, s, err);
  }
  rut_statement_free(s);
  return status;
}

// ---- the table ----

static rutStatus read_table(rutStudyTable* t, rutError* err) {
  int64_t tables = 0;
  rutDatabase* db = NULL;
  struct stat info;
  if (stat(t->path, &info) != 0 || !S_ISREG(info.st_mode)) {
    return rut_error_set(err, RUT_ERR_IO, "there is no file '%.200s'", t->path);
  }
  rutStatus status = rut_database_open(t->path, RUT_DATABASE_READ, &db, err);
  // a stranger's schema calls nothing; all of it as of one moment
  if (status == RUT_OK) status = rut_database_run(db, "PRAGMA trusted_schema=OFF", err);
  if (status == RUT_OK) status = rut_database_run(db, "BEGIN", err);
  if (status == RUT_OK) {
    status = rut_database_ask(
        db,
        "SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name IN ('study', 'input', "
        "'measure', 'run')",
        &tables, NULL, 0, err);
  }
  if (status == RUT_OK && tables != 4) status = no_results(t->path, "tables are missing", err);
  if (status == RUT_OK) status = read_keys(t, db, err);
  if (status == RUT_OK) status = read_inputs(t, db, err);
  if (status == RUT_OK) status = read_measures(t, db, err);
  if (status == RUT_OK) status = read_rows(t, db, err);
  rut_database_close(db);
  return status;
}

rutStatus rut_study_table_open(const char* path, rutStudyTable** out, rutError* err) {
  *out = NULL;
  rutStudyTable* t = calloc(1, sizeof *t);
  if (!t) return rut_study_no_memory(err);
  t->path = rut_study_copy(path);
  const rutStatus status = t->path ? read_table(t, err) : rut_study_no_memory(err);
  if (status != RUT_OK) {
    rut_study_table_close(t);
    return status;
  }
  *out = t;
  return RUT_OK;
}

static void free_row(const rutStudyTable* t, const rutStudyRow* r) {
  for (int i = 0; i < t->info.inputs; i++) free((char*)r->input[i].text);
  free((char*)r->reason);
  free((char*)r->model_hash);
  free((char*)r->state_hash);
  free((char*)r->command);
}

void rut_study_table_close(rutStudyTable* t) {
  if (!t) return;
  for (int64_t i = 0; i < t->info.rows; i++) free_row(t, &t->row[i]);
  for (int i = 0; i < RUT_TABLE_TEXTS; i++) free(t->text[i]);
  for (int i = 0; i < 4 * t->info.inputs; i++) free(t->input_text[i]);
  for (int i = 0; i < 3 * t->info.measures; i++) free(t->measure_text[i]);
  free(t->row);
  free(t->value);
  free(t->result);
  free(t->path);
  free(t);
}

rutStudyTableInfo rut_study_table_info(const rutStudyTable* t) { return t->info; }

rutStudyInput rut_study_table_input(const rutStudyTable* t, int input) {
  if (input >= 0 && input < t->info.inputs) return t->input[input];
  return (rutStudyInput){.name = "", .type = "", .path = "", .unit = "", .dimension = -1};
}

rutStudyMeasure rut_study_table_measure(const rutStudyTable* t, int measure) {
  if (measure >= 0 && measure < t->info.measures) return t->measure[measure];
  return (rutStudyMeasure){"", "", ""};
}

rutStudyRow rut_study_table_row(const rutStudyTable* t, int64_t row) {
  if (row >= 0 && row < t->info.rows) return t->row[row];
  return (rutStudyRow){
      .run = -1, .pass = -1, .reason = "", .command = "", .model_hash = "", .state_hash = ""};
}

// ---- as CSV ----

static void put(rutBytes* out, const char* text) { rut_bytes_put(out, text, strlen(text)); }

// A cell; quoted where RFC 4180 asks for it.
static void put_text(rutBytes* out, const char* text) {
  if (text[strcspn(text, ",\"\r\n")] == '\0') {
    put(out, text);
    return;
  }
  put(out, "\"");
  for (; *text; text++) {
    if (*text == '"') put(out, "\"");
    rut_bytes_u8(out, (uint8_t)*text);
  }
  put(out, "\"");
}

static void put_number(rutBytes* out, double value) {
  char text[RUT_NUMBER_SIZE];
  if (isnan(value)) return;
  rut_format_number(value, text);
  put(out, text);
}

static void put_row(const rutStudyTable* t, const rutStudyRow* r, rutBytes* out) {
  char text[96];
  snprintf(text, sizeof text, "%" PRId64 ",%" PRId64 ",%d,%" PRIu64, r->run, r->point, r->replica,
           r->seed);
  put(out, text);
  for (int i = 0; i < t->info.inputs; i++) {
    put(out, ",");
    if (r->input[i].text) put_text(out, r->input[i].text);
    if (!r->input[i].text) put_number(out, r->input[i].number);
  }
  for (int i = 0; i < t->info.measures; i++) {
    put(out, ",");
    put_number(out, r->measure[i]);
  }
  put(out, ",");
  put(out, rut_study_end_name(r->end));
  put(out, ",");
  put_text(out, r->reason);
  put(out, r->pass < 0 ? "," : r->pass ? ",1" : ",0");
  put(out, ",");
  put_number(out, r->time);
  snprintf(text, sizeof text, ",%" PRId64 ",%.16s,%.16s\n", r->steps, r->model_hash, r->state_hash);
  put(out, text);
}

rutStatus rut_study_table_save(const rutStudyTable* t, const char* path, rutError* err) {
  rutBytes out = {0};
  put(&out, "run,point,replica,seed");
  for (int i = 0; i < t->info.inputs; i++) {
    put(&out, ",");
    put_text(&out, t->input[i].name);
  }
  for (int i = 0; i < t->info.measures; i++) {
    put(&out, ",");
    put_text(&out, t->measure[i].name);
  }
  put(&out, ",ends,reason,pass,time,steps,model_hash,state_hash\n");
  for (int64_t i = 0; i < t->info.rows; i++) put_row(t, &t->row[i], &out);
  const rutStatus status = rut_output_save(NULL, &out, path, err);
  rut_bytes_free(&out);
  return status;
}
