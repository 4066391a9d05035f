// SPDX-License-Identifier: BSD-3-Clause
//
// Shards of a study become one database. It is written anew, run by run in their order, so that its
// bytes do not depend on the shards.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/report.h"
#include "host/study_table.h"
#include "host/study_wrong.h"
#include "host/write_file.h"
#include "math/rut_math.h"
#include "rut/host.h"

// ---- what they have in common ----

static rutStatus check_same(const rutStudyTable* a, const rutStudyTable* b, rutError* err) {
  static const char* const what[RUT_TABLE_TEXTS] = {
      "name", "description", "design", "world", "version of rut", "study file", "model"};
  for (int i = 0; i < RUT_TABLE_TEXTS; i++) {
    if (strcmp(a->text[i], b->text[i]) == 0) continue;
    return rut_error_set(err, RUT_ERR_VERSION,
                         "'%.150s' and '%.150s' are of different studies: the %s differs", a->path,
                         b->path, what[i]);
  }
  if (a->info.runs == b->info.runs && a->info.inputs == b->info.inputs &&
      a->info.measures == b->info.measures) {
    return RUT_OK;
  }
  return rut_error_set(err, RUT_ERR_VERSION, "'%.150s' and '%.150s' are of different studies",
                       a->path, b->path);
}

static bool same_number(double a, double b) { return a == b || (isnan(a) && isnan(b)); }

// Whether two rows of one run say the same.
static bool same_row(const rutStudyTable* t, const rutStudyRow* a, const rutStudyRow* b) {
  bool same = a->point == b->point && a->replica == b->replica && a->seed == b->seed &&
              a->end == b->end && a->pass == b->pass && a->steps == b->steps &&
              same_number(a->time, b->time) && strcmp(a->reason, b->reason) == 0 &&
              strcmp(a->model_hash, b->model_hash) == 0 &&
              strcmp(a->state_hash, b->state_hash) == 0 && strcmp(a->command, b->command) == 0;
  for (int i = 0; i < t->info.inputs && same; i++) {
    const rutStudyValue *x = &a->input[i], *y = &b->input[i];
    same = x->text && y->text ? strcmp(x->text, y->text) == 0 : same_number(x->number, y->number);
  }
  for (int i = 0; i < t->info.measures && same; i++) {
    same = same_number(a->measure[i], b->measure[i]);
  }
  return same;
}

// ---- writing ----

static rutStatus put_keys(rutDatabase* db, const rutStudyTable* t, rutError* err) {
  static const char* const keys[RUT_TABLE_TEXTS] = {"name",    "description", "design",    "world",
                                                    "version", "study",       "model_hash"};
  const struct {
    const char* name;
    int64_t value;
  } numbers[] = {{"runs", t->info.runs},
                 {"points", t->info.points},
                 {"replicas", t->info.replicas},
                 {"requirements", t->info.requirements}};
  rutStatus status = rut_store_put(db, "format", RUT_STORE_FORMAT, err);
  for (int i = 0; i < RUT_TABLE_TEXTS && status == RUT_OK; i++) {
    status = rut_store_put(db, keys[i], t->text[i], err);
  }
  for (size_t i = 0; i < sizeof numbers / sizeof numbers[0] && status == RUT_OK; i++) {
    char text[32];
    snprintf(text, sizeof text, "%" PRId64, numbers[i].value);
    status = rut_store_put(db, numbers[i].name, text, err);
  }
  return status;
}

static rutStatus put_row(rutStatement* s, const rutStudyTable* t, const rutStudyRow* r,
                         rutError* err) {
  int at = 0;
  rut_statement_integer(s, at++, r->run);
  rut_statement_integer(s, at++, r->point);
  rut_statement_integer(s, at++, r->replica);
  rut_statement_integer(s, at++, (int64_t)r->seed);
  for (int i = 0; i < t->info.inputs; i++, at++) {
    if (r->input[i].text) rut_statement_text(s, at, r->input[i].text);
    if (!r->input[i].text) rut_statement_number(s, at, r->input[i].number);
  }
  for (int i = 0; i < t->info.measures; i++) rut_statement_number(s, at++, r->measure[i]);
  rut_statement_text(s, at++, rut_study_end_name(r->end));
  rut_statement_text(s, at++, r->reason);
  if (r->pass < 0) rut_statement_null(s, at);
  if (r->pass >= 0) rut_statement_integer(s, at, r->pass);
  at++;
  rut_statement_number(s, at++, r->time);
  rut_statement_integer(s, at++, r->steps);
  rut_statement_text(s, at++, r->model_hash);
  rut_statement_text(s, at++, r->state_hash);
  rut_statement_text(s, at++, r->command);
  bool row;
  return rut_statement_step(s, &row, err);
}

// Rows of all tables in order of their runs, of which several may have one.
static rutStatus put_rows(rutStatement* s, int n, rutStudyTable* const* table, int64_t* count,
                          rutError* err) {
  int64_t* at = calloc((size_t)n, sizeof *at);
  if (!at) return rut_study_no_memory(err);
  rutStatus status = RUT_OK;
  *count = 0;
  while (status == RUT_OK) {
    const rutStudyRow* row = NULL;
    const char* from = "";
    for (int i = 0; i < n; i++) {
      const rutStudyRow* r = at[i] < table[i]->info.rows ? &table[i]->row[at[i]] : NULL;
      if (!r || (row && r->run >= row->run)) continue;
      row = r;
      from = table[i]->path;
    }
    if (!row) break;
    for (int i = 0; i < n && status == RUT_OK; i++) {
      const rutStudyRow* r = at[i] < table[i]->info.rows ? &table[i]->row[at[i]] : NULL;
      if (!r || r->run != row->run) continue;
      at[i]++;
      if (same_row(table[0], row, r)) continue;
      status = rut_error_set(err, RUT_ERR_MODEL,
                             "run %" PRId64 " has different results in '%.150s' and '%.150s'",
                             row->run, from, table[i]->path);
    }
    if (status == RUT_OK) status = put_row(s, table[0], row, err);
    ++*count;
  }
  free(at);
  return status;
}

static rutStatus write(const char* path, int n, rutStudyTable* const* table, int64_t* count,
                       rutError* err) {
  const rutStudyTable* first = table[0];
  const rutStoreShape shape = {first->info.inputs, first->info.measures, first->input,
                               first->measure};
  rutDatabase* db = NULL;
  rutStatement* s = NULL;
  rutStatus status = rut_database_open(path, RUT_DATABASE_WRITE, &db, err);
  // the file is not in its place before it is complete: it needs no journal
  int64_t none;
  if (status == RUT_OK) {
    status = rut_database_ask(db, "PRAGMA journal_mode=OFF", &none, NULL, 0, err);
  }
  if (status == RUT_OK) {
    status = rut_database_run(db, "PRAGMA page_size=4096; PRAGMA synchronous=OFF; BEGIN", err);
  }
  if (status == RUT_OK) status = rut_store_make(db, &shape, err);
  if (status == RUT_OK) status = put_keys(db, first, err);
  if (status == RUT_OK) status = rut_store_insert(db, &shape, &s, err);
  if (status == RUT_OK) status = put_rows(s, n, table, count, err);
  rut_statement_free(s);
  if (status == RUT_OK) status = rut_database_run(db, "COMMIT", err);
  rut_database_close(db);
  return status;
}

rutStatus rut_sweep_merge(int n, const char* const* path, const char* out, int64_t* missing,
                          rutError* err) {
  if (n < 1) return rut_error_set(err, RUT_ERR_ARGUMENT, "there is nothing to merge");
  rutStudyTable** table = calloc((size_t)n, sizeof *table);
  rutOutput* output = NULL;
  int64_t count = 0;
  rutStatus status = table ? RUT_OK : rut_study_no_memory(err);
  for (int i = 0; i < n && status == RUT_OK; i++) {
    status = rut_study_table_open(path[i], &table[i], err);
    if (status == RUT_OK && i > 0) status = check_same(table[0], table[i], err);
  }
  if (status == RUT_OK) status = rut_output_create(out, &output, err);
  if (status == RUT_OK) {
    status = write(rut_output_part(output), n, table, &count, err);
    const rutStatus closed =
        rut_output_close(output, status == RUT_OK, status == RUT_OK ? err : NULL);
    if (status == RUT_OK) status = closed;
  }
  if (missing && status == RUT_OK) *missing = table[0]->info.runs - count;
  for (int i = 0; table && i < n; i++) rut_study_table_close(table[i]);
  free(table);
  return status;
}
