// SPDX-License-Identifier: BSD-3-Clause
#include "host/study_store.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/report.h"
#include "host/file_system.h"
#include "math/rut_math.h"

// ---- tables ----

static void put(rutBytes* sql, const char* text) { rut_bytes_put(sql, text, strlen(text)); }

// A name in SQL. Names of inputs and measures are words; those of a foreign file may be anything.
static void put_name(rutBytes* sql, const char* name) {
  put(sql, ", \"");
  for (; *name; name++) {
    if (*name == '"') put(sql, "\"");
    rut_bytes_u8(sql, (uint8_t)*name);
  }
  put(sql, "\"");
}

static rutStatus run_sql(rutDatabase* db, rutBytes* sql, rutError* err) {
  rut_bytes_u8(sql, 0);
  rutStatus status = RUT_ERR_MEMORY;
  if (sql->failed) {
    rut_error_set(err, status, "no memory for a database");
  } else {
    status = rut_database_run(db, (const char*)sql->data, err);
  }
  rut_bytes_free(sql);
  return status;
}

static rutStatus describe_inputs(rutDatabase* db, const rutStoreShape* shape, rutError* err) {
  rutStatement* s = NULL;
  bool row;
  rutStatus status =
      rut_database_prepare(db, "INSERT INTO input VALUES(?, ?, ?, ?, ?, ?, ?, ?)", &s, err);
  for (int i = 0; i < shape->inputs && status == RUT_OK; i++) {
    const rutStudyInput* in = &shape->input[i];
    rut_statement_integer(s, 0, i);
    rut_statement_text(s, 1, in->name);
    rut_statement_text(s, 2, in->type);
    rut_statement_text(s, 3, in->path);
    rut_statement_text(s, 4, in->unit);
    rut_statement_integer(s, 5, in->number);
    rut_statement_integer(s, 6, in->dimension);
    rut_statement_integer(s, 7, in->levels);
    status = rut_statement_step(s, &row, err);
  }
  rut_statement_free(s);
  return status;
}

static rutStatus describe_measures(rutDatabase* db, const rutStoreShape* shape, rutError* err) {
  rutStatement* s = NULL;
  bool row;
  rutStatus status = rut_database_prepare(db, "INSERT INTO measure VALUES(?, ?, ?, ?)", &s, err);
  for (int i = 0; i < shape->measures && status == RUT_OK; i++) {
    const rutStudyMeasure* m = &shape->measure[i];
    rut_statement_integer(s, 0, i);
    rut_statement_text(s, 1, m->name);
    rut_statement_text(s, 2, m->type);
    rut_statement_text(s, 3, m->unit);
    status = rut_statement_step(s, &row, err);
  }
  rut_statement_free(s);
  return status;
}

rutStatus rut_store_make(rutDatabase* db, const rutStoreShape* shape, rutError* err) {
  rutStatus status = rut_database_run(
      db,
      "CREATE TABLE study(key TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;"
      "CREATE TABLE input(place INTEGER PRIMARY KEY, name TEXT, type TEXT, path TEXT, unit TEXT, "
      "number INTEGER, dimension INTEGER, levels INTEGER);"
      "CREATE TABLE measure(place INTEGER PRIMARY KEY, name TEXT, type TEXT, unit TEXT)",
      err);
  rutBytes sql = {0};
  put(&sql, "CREATE TABLE run(" RUT_STORE_BEFORE);
  for (int i = 0; i < shape->inputs; i++) {
    put_name(&sql, shape->input[i].name);
    put(&sql, shape->input[i].number ? " REAL" : " TEXT");
  }
  for (int i = 0; i < shape->measures; i++) {
    put_name(&sql, shape->measure[i].name);
    put(&sql, " REAL");
  }
  put(&sql, ", " RUT_STORE_BEHIND ")");
  if (status == RUT_OK) {
    status = run_sql(db, &sql, err);
  } else {
    rut_bytes_free(&sql);
  }
  if (status == RUT_OK) status = describe_inputs(db, shape, err);
  return status == RUT_OK ? describe_measures(db, shape, err) : status;
}

rutStatus rut_store_put(rutDatabase* db, const char* key, const char* value, rutError* err) {
  rutStatement* s = NULL;
  bool row;
  rutStatus status = rut_database_prepare(db, "INSERT INTO study VALUES(?, ?)", &s, err);
  if (status == RUT_OK) {
    rut_statement_text(s, 0, key);
    rut_statement_text(s, 1, value);
    status = rut_statement_step(s, &row, err);
  }
  rut_statement_free(s);
  return status;
}

rutStatus rut_store_insert(rutDatabase* db, const rutStoreShape* shape, rutStatement** out,
                           rutError* err) {
  rutBytes sql = {0};
  put(&sql, "INSERT INTO run VALUES(?");
  const int columns =
      RUT_STORE_COLUMNS_BEFORE + shape->inputs + shape->measures + RUT_STORE_COLUMNS_BEHIND;
  for (int i = 1; i < columns; i++) put(&sql, ", ?");
  put(&sql, ")");
  rut_bytes_u8(&sql, 0);
  const rutStatus status = sql.failed
                               ? rut_error_set(err, RUT_ERR_MEMORY, "no memory for a database")
                               : rut_database_prepare(db, (const char*)sql.data, out, err);
  rut_bytes_free(&sql);
  return status;
}

// ---- what a study is known by ----

typedef struct Key {
  const char* name;
  char text[48];          // of numbers
  const char* long_text;  // of texts; NULL for numbers
} Key;

enum { KEYS = 14 };

// What shards of a study have in common, and then the shard.
static void list_keys(const rutStudy* study, const rutSweepDef* def, Key key[KEYS]) {
  const rutStudyInfo info = rut_study_info(study);
  const struct {
    const char *name, *text;
  } texts[] = {{"format", RUT_STORE_FORMAT}, {"version", RUT_VERSION_STRING},
               {"name", info.name},          {"description", info.description},
               {"design", info.design},      {"world", info.world_name},
               {"study", info.text}};
  int n = 0;
  for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
    key[n++] = (Key){.name = texts[i].name, .long_text = texts[i].text};
  }
  const struct {
    const char* name;
    int64_t number;
  } numbers[] = {{"runs", info.runs},         {"points", info.points},
                 {"replicas", info.replicas}, {"requirements", info.requirements},
                 {"shard", def->shard},       {"shards", def->shards}};
  for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
    key[n] = (Key){.name = numbers[i].name};
    snprintf(key[n++].text, sizeof key[0].text, "%" PRId64, numbers[i].number);
  }
  key[n] = (Key){.name = "model_hash"};
  snprintf(key[n++].text, sizeof key[0].text, "%016" PRIx64, info.model_hash);
}

static const char* text_of(const Key* key) { return key->long_text ? key->long_text : key->text; }

// ---- a new database ----

static rutStatus describe(const rutStudy* study, rutStoreShape* shape, rutError* err) {
  const rutStudyInfo info = rut_study_info(study);
  rutStudyInput* input = calloc((size_t)info.inputs + 1, sizeof *input);
  rutStudyMeasure* measure = calloc((size_t)info.measures + 1, sizeof *measure);
  *shape = (rutStoreShape){info.inputs, info.measures, input, measure};
  if (!input || !measure) {
    rut_error_set(err, RUT_ERR_MEMORY, "no memory for a database");
    return RUT_ERR_MEMORY;
  }
  for (int i = 0; i < info.inputs; i++) input[i] = rut_study_input(study, i);
  for (int i = 0; i < info.measures; i++) measure[i] = rut_study_measure(study, i);
  return RUT_OK;
}

static void free_shape(rutStoreShape* shape) {
  free((void*)shape->input);
  free((void*)shape->measure);
}

static rutStatus make(rutStore* store, const rutSweepDef* def, const rutStoreShape* shape,
                      rutError* err) {
  Key key[KEYS];
  list_keys(store->study, def, key);
  rutStatus status = rut_database_run(store->db, "BEGIN IMMEDIATE", err);
  if (status == RUT_OK) status = rut_store_make(store->db, shape, err);
  if (status == RUT_OK) {
    status = rut_database_run(
        store->db,
        "CREATE TABLE timing(run INTEGER PRIMARY KEY, wall REAL, session INTEGER);"
        "CREATE TABLE session(session INTEGER PRIMARY KEY, host TEXT, process INTEGER, start TEXT, "
        "workers INTEGER)",
        err);
  }
  for (int i = 0; i < KEYS && status == RUT_OK; i++) {
    status = rut_store_put(store->db, key[i].name, text_of(&key[i]), err);
  }
  if (status == RUT_OK) status = rut_database_run(store->db, "COMMIT", err);
  return status;
}

// ---- one that is there ----

static rutStatus compare(const rutStore* store, const rutSweepDef* def, rutError* err) {
  Key key[KEYS];
  list_keys(store->study, def, key);
  rutStatement* s = NULL;
  rutStatus status =
      rut_database_prepare(store->db, "SELECT value FROM study WHERE key = ?", &s, err);
  for (int i = 0; i < KEYS && status == RUT_OK; i++) {
    bool row = false;
    rut_statement_text(s, 0, key[i].name);
    status = rut_statement_step(s, &row, err);
    if (status != RUT_OK) break;
    if (!row || strcmp(rut_statement_get_text(s, 0), text_of(&key[i])) != 0) {
      status = rut_error_set(err, RUT_ERR_VERSION,
                             "'%.150s' has results of another study: its '%s' %s%.60s%s; move it "
                             "away, or give another --output",
                             def->path, key[i].name, key[i].long_text ? "differs" : "is '",
                             key[i].long_text || !row ? "" : rut_statement_get_text(s, 0),
                             key[i].long_text ? "" : "'");
    }
    if (row) rut_statement_step(s, &row, NULL);
  }
  rut_statement_free(s);
  return status;
}

static rutStatus begin_session(rutStore* store, const rutSweepDef* def, rutError* err) {
  char host[128] = "", start[40] = "";
  const time_t now = time(NULL);
  struct tm utc;
  gethostname(host, sizeof host - 1);
  if (gmtime_r(&now, &utc)) strftime(start, sizeof start, "%Y-%m-%dT%H:%M:%SZ", &utc);
  rutStatement* s = NULL;
  bool row;
  rutStatus status =
      rut_database_prepare(store->db, "INSERT INTO session VALUES(NULL, ?, ?, ?, ?)", &s, err);
  if (status == RUT_OK) {
    rut_statement_text(s, 0, host);
    rut_statement_integer(s, 1, getpid());
    rut_statement_text(s, 2, start);
    rut_statement_integer(s, 3, def->workers);
    status = rut_statement_step(s, &row, err);
  }
  rut_statement_free(s);
  if (status != RUT_OK) return status;
  return rut_database_ask(store->db, "SELECT max(session) FROM session", &store->session, NULL, 0,
                          err);
}

// Whether something stands at the path, and whether that is a file that may be written.
static rutStatus look(const rutStudy* study, const rutSweepDef* def, rutError* err) {
  struct stat info;
  (void)study;
  if (lstat(def->path, &info) != 0) return RUT_OK;
  if (!S_ISREG(info.st_mode)) {
    return rut_error_set(err, RUT_ERR_IO, "'%.200s' is no regular file", def->path);
  }
  if (info.st_size > 0 && !def->resume) {
    return rut_error_set(err, RUT_ERR_IO, "'%.200s' is there already: --resume goes on with it",
                         def->path);
  }
  return RUT_OK;
}

static rutStatus set_journal(rutDatabase* db, const rutSweepDef* def, rutError* err) {
  const bool wal = def->journal == RUT_JOURNAL_WAL ||
                   (def->journal == RUT_JOURNAL_AUTO && !rut_file_is_shared(def->path));
  int64_t none;
  char mode[32];
  rutStatus status =
      rut_database_ask(db, wal ? "PRAGMA journal_mode=WAL" : "PRAGMA journal_mode=DELETE", &none,
                       mode, sizeof mode, err);
  // each commit is on the disk before it is told
  if (status == RUT_OK) status = rut_database_run(db, "PRAGMA synchronous=FULL", err);
  return status;
}

rutStatus rut_store_open(const rutStudy* study, const rutSweepDef* def, rutStore* store,
                         rutError* err) {
  *store = (rutStore){.study = study};
  rutStoreShape shape = {0};
  int64_t tables = 0;
  rutStatus status = look(study, def, err);
  if (status == RUT_OK) status = rut_database_open(def->path, RUT_DATABASE_WRITE, &store->db, err);
  if (status == RUT_OK) status = set_journal(store->db, def, err);
  if (status == RUT_OK) {
    status =
        rut_database_ask(store->db, "SELECT count(*) FROM sqlite_master", &tables, NULL, 0, err);
  }
  if (status == RUT_OK) status = describe(study, &shape, err);
  if (status == RUT_OK)
    status = tables == 0 ? make(store, def, &shape, err) : compare(store, def, err);
  if (status == RUT_OK) status = begin_session(store, def, err);
  if (status == RUT_OK) status = rut_store_insert(store->db, &shape, &store->run, err);
  if (status == RUT_OK) {
    status =
        rut_database_prepare(store->db, "INSERT INTO timing VALUES(?, ?, ?)", &store->timing, err);
  }
  store->value = calloc((size_t)shape.inputs + 1, sizeof *store->value);
  if (status == RUT_OK && !store->value) {
    status = rut_error_set(err, RUT_ERR_MEMORY, "no memory for a database");
  }
  free_shape(&shape);
  if (status != RUT_OK) rut_store_close(store);
  return status;
}

void rut_store_close(rutStore* store) {
  rut_statement_free(store->run);
  rut_statement_free(store->timing);
  // one file that can be read anywhere, also where nobody may write; readers may hold it as it is
  if (store->db)
    rut_database_run(store->db, "PRAGMA busy_timeout=0; PRAGMA journal_mode=DELETE", NULL);
  rut_database_close(store->db);
  free(store->value);
  *store = (rutStore){0};
}

// ---- rows ----

static void bind_inputs(rutStore* store, int at, int64_t run) {
  const rutStudyInfo info = rut_study_info(store->study);
  rut_study_values(store->study, run, store->value, NULL);
  for (int i = 0; i < info.inputs; i++) {
    if (store->value[i].text) {
      rut_statement_text(store->run, at + i, store->value[i].text);
    } else {
      rut_statement_number(store->run, at + i, store->value[i].number);
    }
  }
}

static void bind_hash(rutStatement* s, int at, uint64_t hash) {
  char text[24];
  snprintf(text, sizeof text, "%016" PRIx64, hash);
  rut_statement_text(s, at, text);
}

rutStatus rut_store_add(rutStore* store, const rutStudyResult* r, rutError* err) {
  const rutStudyInfo info = rut_study_info(store->study);
  rutStatement* s = store->run;
  // a run that was stopped ends there when it is repeated, too
  const double end = r->end == RUT_STUDY_stopped ? r->time : RUT_NAN;
  char* command = rut_study_command(store->study, r->run, end, true);
  if (!command) return rut_error_set(err, RUT_ERR_MEMORY, "no memory for a database");
  rut_statement_integer(s, 0, r->run);
  rut_statement_integer(s, 1, r->run / info.replicas % info.points);
  rut_statement_integer(s, 2, r->run % info.replicas);
  rut_statement_integer(s, 3, (int64_t)r->seed);
  int at = RUT_STORE_COLUMNS_BEFORE;
  bind_inputs(store, at, r->run);
  at += info.inputs;
  for (int i = 0; i < info.measures; i++) rut_statement_number(s, at++, r->measure[i]);
  rut_statement_text(s, at++, rut_study_end_name(r->end));
  rut_statement_text(s, at++, r->reason);
  if (r->pass < 0) {
    rut_statement_null(s, at++);
  } else {
    rut_statement_integer(s, at++, r->pass);
  }
  rut_statement_number(s, at++, r->time);
  rut_statement_integer(s, at++, r->steps);
  bind_hash(s, at++, r->model_hash);
  bind_hash(s, at++, r->state_hash);
  rut_statement_text(s, at++, command);
  free(command);
  bool row;
  rutStatus status = rut_statement_step(s, &row, err);
  if (status != RUT_OK) return status;
  rut_statement_integer(store->timing, 0, r->run);
  rut_statement_number(store->timing, 1, r->wall);
  rut_statement_integer(store->timing, 2, store->session);
  return rut_statement_step(store->timing, &row, err);
}
