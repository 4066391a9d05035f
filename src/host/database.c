// SPDX-License-Identifier: BSD-3-Clause
#include "host/database.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/dynamic.h"
#include "base/report.h"
#include "math/rut_math.h"

#ifdef RUT_HAVE_SQLITE
#include <sqlite3.h>

// Functions of the library, by their names without "sqlite3_".
#define FUNCTIONS(X)  \
  X(open_v2)          \
  X(close_v2)         \
  X(exec)             \
  X(errmsg)           \
  X(extended_errcode) \
  X(busy_timeout)     \
  X(prepare_v2)       \
  X(finalize)         \
  X(step)             \
  X(reset)            \
  X(bind_int64)       \
  X(bind_double)      \
  X(bind_text)        \
  X(bind_null)        \
  X(column_count)     \
  X(column_type)      \
  X(column_int64)     \
  X(column_double)    \
  X(column_text)

typedef struct Library {
#define X(name) __typeof__(&sqlite3_##name) name;
  FUNCTIONS(X)
#undef X
} Library;

struct rutDatabase {
  Library call;
  sqlite3* handle;
  char path[512];
};

struct rutStatement {
  rutDatabase* db;
  sqlite3_stmt* handle;
};

enum { WAIT = 20000 };  // for others that read or write [ms]

static rutStatus fault(const rutDatabase* db, rutError* err) {
  const int code = db->call.extended_errcode(db->handle) & 0xff;
  const rutStatus status = code == SQLITE_NOMEM ? RUT_ERR_MEMORY : RUT_ERR_IO;
  rut_error_set(err, status, "SQLite says: %.300s", db->call.errmsg(db->handle));
  if (err) snprintf(err->file, sizeof err->file, "%.250s", db->path);
  return status;
}

static bool load(Library* library) {
  const rutSymbol symbols[] = {
#define X(name) {"sqlite3_" #name, &library->name},
      FUNCTIONS(X)
#undef X
  };
  return rut_dynamic_load(RUT_SQLITE_LIBRARY, symbols, sizeof symbols / sizeof symbols[0]);
}

rutStatus rut_database_open(const char* path, rutDatabaseMode mode, rutDatabase** out,
                            rutError* err) {
  *out = NULL;
  rutDatabase* db = calloc(1, sizeof *db);
  if (!db) return rut_error_set(err, RUT_ERR_MEMORY, "no memory for a database");
  if (!load(&db->call)) {
    free(db);
    return rut_error_set(err, RUT_ERR_MISSING,
                         "results of studies need SQLite: apt-get install libsqlite3-0");
  }
  snprintf(db->path, sizeof db->path, "%s", path);
  const int flags =
      mode == RUT_DATABASE_READ ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
  const int code = db->call.open_v2(path, &db->handle, flags | SQLITE_OPEN_NOMUTEX, NULL);
  if (code != SQLITE_OK) {
    const rutStatus status =
        db->handle ? fault(db, err) : rut_error_set(err, RUT_ERR_MEMORY, "no memory for SQLite");
    rut_database_close(db);
    return status;
  }
  db->call.busy_timeout(db->handle, WAIT);
  *out = db;
  return RUT_OK;
}

void rut_database_close(rutDatabase* db) {
  if (!db) return;
  db->call.close_v2(db->handle);
  free(db);
}

rutStatus rut_database_run(rutDatabase* db, const char* sql, rutError* err) {
  return db->call.exec(db->handle, sql, NULL, NULL, NULL) == SQLITE_OK ? RUT_OK : fault(db, err);
}

rutStatus rut_database_prepare(rutDatabase* db, const char* sql, rutStatement** out,
                               rutError* err) {
  *out = NULL;
  rutStatement* s = calloc(1, sizeof *s);
  if (!s) return rut_error_set(err, RUT_ERR_MEMORY, "no memory for a database");
  s->db = db;
  if (db->call.prepare_v2(db->handle, sql, -1, &s->handle, NULL) != SQLITE_OK) {
    free(s);
    return fault(db, err);
  }
  *out = s;
  return RUT_OK;
}

void rut_statement_free(rutStatement* s) {
  if (!s) return;
  s->db->call.finalize(s->handle);
  free(s);
}

void rut_statement_integer(rutStatement* s, int at, int64_t value) {
  s->db->call.bind_int64(s->handle, at + 1, value);
}

void rut_statement_number(rutStatement* s, int at, double value) {
  s->db->call.bind_double(s->handle, at + 1, value);
}

void rut_statement_text(rutStatement* s, int at, const char* value) {
  s->db->call.bind_text(s->handle, at + 1, value, -1, SQLITE_TRANSIENT);
}

void rut_statement_null(rutStatement* s, int at) { s->db->call.bind_null(s->handle, at + 1); }

rutStatus rut_statement_step(rutStatement* s, bool* row, rutError* err) {
  const int code = s->db->call.step(s->handle);
  *row = code == SQLITE_ROW;
  if (*row) return RUT_OK;
  const rutStatus status = code == SQLITE_DONE ? RUT_OK : fault(s->db, err);
  s->db->call.reset(s->handle);
  return status;
}

int rut_statement_columns(const rutStatement* s) { return s->db->call.column_count(s->handle); }

bool rut_statement_is_null(const rutStatement* s, int column) {
  return s->db->call.column_type(s->handle, column) == SQLITE_NULL;
}

int64_t rut_statement_get_integer(const rutStatement* s, int column) {
  return s->db->call.column_int64(s->handle, column);
}

double rut_statement_get_number(const rutStatement* s, int column) {
  return rut_statement_is_null(s, column) ? RUT_NAN : s->db->call.column_double(s->handle, column);
}

const char* rut_statement_get_text(const rutStatement* s, int column) {
  const unsigned char* text = s->db->call.column_text(s->handle, column);
  return text ? (const char*)text : "";
}

#else

struct rutDatabase {
  int none;
};

struct rutStatement {
  int none;
};

static rutStatus missing(rutError* err) {
  return rut_error_set(err, RUT_ERR_MISSING,
                       "results of studies need SQLite, without which this rut was built: apt-get "
                       "install libsqlite3-dev, and build again");
}

rutStatus rut_database_open(const char* path, rutDatabaseMode mode, rutDatabase** out,
                            rutError* err) {
  (void)path;
  (void)mode;
  *out = NULL;
  return missing(err);
}
void rut_database_close(rutDatabase* db) { (void)db; }
rutStatus rut_database_run(rutDatabase* db, const char* sql, rutError* err) {
  (void)db;
  (void)sql;
  return missing(err);
}
rutStatus rut_database_prepare(rutDatabase* db, const char* sql, rutStatement** out,
                               rutError* err) {
  (void)db;
  (void)sql;
  *out = NULL;
  return missing(err);
}
void rut_statement_free(rutStatement* s) { (void)s; }
void rut_statement_integer(rutStatement* s, int at, int64_t value) {
  (void)s;
  (void)at;
  (void)value;
}
void rut_statement_number(rutStatement* s, int at, double value) {
  (void)s;
  (void)at;
  (void)value;
}
void rut_statement_text(rutStatement* s, int at, const char* value) {
  (void)s;
  (void)at;
  (void)value;
}
void rut_statement_null(rutStatement* s, int at) {
  (void)s;
  (void)at;
}
rutStatus rut_statement_step(rutStatement* s, bool* row, rutError* err) {
  (void)s;
  *row = false;
  return missing(err);
}
int rut_statement_columns(const rutStatement* s) {
  (void)s;
  return 0;
}
bool rut_statement_is_null(const rutStatement* s, int column) {
  (void)s;
  (void)column;
  return true;
}
int64_t rut_statement_get_integer(const rutStatement* s, int column) {
  (void)s;
  (void)column;
  return 0;
}
double rut_statement_get_number(const rutStatement* s, int column) {
  (void)s;
  (void)column;
  return RUT_NAN;
}
const char* rut_statement_get_text(const rutStatement* s, int column) {
  (void)s;
  (void)column;
  return "";
}
#endif

rutStatus rut_database_ask(rutDatabase* db, const char* sql, int64_t* number, char* text,
                           size_t size, rutError* err) {
  rutStatement* s = NULL;
  bool row = false;
  *number = 0;
  if (text) text[0] = '\0';
  rutStatus status = rut_database_prepare(db, sql, &s, err);
  if (status == RUT_OK && s) status = rut_statement_step(s, &row, err);
  if (status == RUT_OK && row) {
    *number = rut_statement_get_integer(s, 0);
    if (text) snprintf(text, size, "%s", rut_statement_get_text(s, 0));
  }
  rut_statement_free(s);
  return status;
}
