// SPDX-License-Identifier: BSD-3-Clause
//
// The table of a map: threads simulate its points, a database keeps them.
//
//   map(key, value)                                        what the points depend on
//   point(point, speed, deceleration, margin, offset)      a row for each
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "base/report.h"
#include "host/database.h"
#include "host/map_point.h"
#include "math/rut_math.h"
#include "rut/host.h"

enum { MOST_WORKERS = 1024 };

rutMapWork rut_default_map_work(void) {
  return (rutMapWork){.struct_size = sizeof(rutMapWork), .workers = 1, .shards = 1};
}

// ---- databases ----

static rutStatus make(rutDatabase* db, const char* signature, int points, rutError* err) {
  rutStatement* s = NULL;
  bool row;
  char count[16];
  snprintf(count, sizeof count, "%d", points);
  const char* const keys[][2] = {{"table", signature}, {"points", count}};
  rutStatus status = rut_database_run(
      db,
      "BEGIN IMMEDIATE;"
      "CREATE TABLE map(key TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;"
      "CREATE TABLE point(point INTEGER PRIMARY KEY, speed REAL, deceleration REAL, margin REAL, "
      "offset REAL)",
      err);
  if (status == RUT_OK) {
    status = rut_database_prepare(db, "INSERT INTO map VALUES(?, ?)", &s, err);
  }
  for (int i = 0; i < 2 && status == RUT_OK; i++) {
    rut_statement_text(s, 0, keys[i][0]);
    rut_statement_text(s, 1, keys[i][1]);
    status = rut_statement_step(s, &row, err);
  }
  rut_statement_free(s);
  return status == RUT_OK ? rut_database_run(db, "COMMIT", err) : status;
}

// Text of a key; the caller frees it. NULL, with err filled, if this is no database of a map.
static char* read_key(rutDatabase* db, const char* path, const char* key, rutError* err) {
  rutStatement* s = NULL;
  bool row = false;
  char* out = NULL;
  rutError cause = {0};
  rutStatus status = rut_database_prepare(db, "SELECT value FROM map WHERE key = ?", &s, &cause);
  if (status == RUT_OK) {
    rut_statement_text(s, 0, key);
    status = rut_statement_step(s, &row, &cause);
  }
  if (status == RUT_OK && row) {
    const char* text = rut_statement_get_text(s, 0);
    const size_t size = strlen(text) + 1;
    out = malloc(size);
    if (out) memcpy(out, text, size);
  }
  rut_statement_free(s);
  if (!out) {
    rut_error_set(err, RUT_ERR_IO, "'%.200s' is not a database of rut map%s%.200s", path,
                  cause.message[0] ? ": " : "", cause.message);
  }
  return out;
}

// The first line that differs, of both.
static void first_difference(const char* a, const char* b, const char** of_a, const char** of_b) {
  while (*a && *b) {
    const size_t n = strcspn(a, "\n"), m = strcspn(b, "\n");
    if (n != m || strncmp(a, b, n) != 0) break;
    a += n + (a[n] == '\n');
    b += m + (b[m] == '\n');
  }
  *of_a = a;
  *of_b = b;
}

static rutStatus compare(rutDatabase* db, const char* path, const char* signature, rutError* err) {
  char* told = read_key(db, path, "table", err);
  if (!told) return RUT_ERR_IO;
  rutStatus status = RUT_OK;
  if (strcmp(told, signature) != 0) {
    const char *has, *wanted;
    first_difference(told, signature, &has, &wanted);
    status = rut_error_set(err, RUT_ERR_VERSION,
                           "'%.150s' has the table of another map: '%.*s' where this one has "
                           "'%.*s'; move it away, or give another --table",
                           path, (int)rut_min(60, (double)strcspn(has, "\n")), has,
                           (int)rut_min(60, (double)strcspn(wanted, "\n")), wanted);
  }
  free(told);
  return status;
}

static bool same(double a, double b) { return a == b || (isnan(a) && isnan(b)); }

static bool same_point(const rutMapPoint* a, const rutMapPoint* b) {
  return same(a->speed, b->speed) && same(a->deceleration, b->deceleration) &&
         same(a->margin, b->margin) && same(a->offset, b->offset);
}

// Points of a database into an array. Those that are there already must be the same.
static rutStatus read_points(rutDatabase* db, const char* path, int points, rutMapPoint* point,
                             rutError* err) {
  rutStatement* s = NULL;
  rutStatus status = rut_database_prepare(
      db, "SELECT point, speed, deceleration, margin, offset FROM point", &s, err);
  for (bool row = true; status == RUT_OK;) {
    status = rut_statement_step(s, &row, err);
    if (status != RUT_OK || !row) break;
    const int64_t i = rut_statement_get_integer(s, 0);
    const rutMapPoint p = {rut_statement_get_number(s, 1), rut_statement_get_number(s, 2),
                           rut_statement_get_number(s, 3), rut_statement_get_number(s, 4)};
    if (i < 0 || i >= points || isnan(p.speed)) {
      status = rut_error_set(err, RUT_ERR_VERSION, "'%.200s' has a point %lld, which is wrong",
                             path, (long long)i);
    } else if (!isnan(point[i].speed) && !same_point(&p, &point[i])) {
      status = rut_error_set(err, RUT_ERR_VERSION,
                             "'%.200s' has another result of point %lld than a file before it",
                             path, (long long)i);
    } else {
      point[i] = p;
    }
  }
  rut_statement_free(s);
  return status;
}

static rutStatus prepare_insert(rutDatabase* db, rutStatement** out, rutError* err) {
  return rut_database_prepare(db, "INSERT INTO point VALUES(?, ?, ?, ?, ?)", out, err);
}

static rutStatus insert(rutStatement* s, int point, const rutMapPoint* p, rutError* err) {
  bool row;
  rut_statement_integer(s, 0, point);
  rut_statement_number(s, 1, p->speed);
  rut_statement_number(s, 2, p->deceleration);
  rut_statement_number(s, 3, p->margin);
  rut_statement_number(s, 4, p->offset);
  return rut_statement_step(s, &row, err);
}

rutStatus rut_map_open_table(rutMap* map, const char* path, rutError* err) {
  rutDatabase* db = NULL;
  rutStatus status = rut_database_open(path, RUT_DATABASE_READ, &db, err);
  if (status == RUT_OK) status = compare(db, path, map->signature, err);
  if (status == RUT_OK) status = read_points(db, path, map->points, map->point, err);
  rut_database_close(db);
  return status;
}

// ---- simulation ----

typedef struct Work {
  rutMap* map;
  const rutMapWork* def;
  rutDatabase* db;
  rutStatement* insert;
  pthread_mutex_t lock;
  pthread_cond_t ended;
  int next, working;
  bool stop;
  rutError err;  // of a thread
} Work;

// The next point of the shard that is not known, -1 for none. The lock is held.
static int take(Work* w) {
  while (!w->stop && w->next < w->map->points) {
    const int i = w->next++;
    if (i % w->def->shards == w->def->shard && isnan(w->map->point[i].speed)) return i;
  }
  return -1;
}

static rutStatus work(Work* w, rutError* err) {
  rutMapRunner runner;
  rutStatus status = rut_map_runner_open(w->map, &runner, err);
  while (status == RUT_OK) {
    pthread_mutex_lock(&w->lock);
    const int i = take(w);
    pthread_mutex_unlock(&w->lock);
    if (i < 0) break;
    rutMapPoint p = {RUT_NAN, RUT_NAN, RUT_NAN, RUT_NAN};
    status = rut_map_run(&runner, i, &p, err);
    if (status != RUT_OK) break;
    pthread_mutex_lock(&w->lock);
    w->map->point[i] = p;
    status = insert(w->insert, i, &p, err);
    pthread_mutex_unlock(&w->lock);
  }
  rut_map_runner_close(&runner);
  return status;
}

static void* thread(void* argument) {
  Work* w = argument;
  rutError err = {0};
  const rutStatus status = work(w, &err);
  pthread_mutex_lock(&w->lock);
  if (status != RUT_OK) {
    err.status = status;
    if (w->err.status == RUT_OK) w->err = err;
    w->stop = true;
  }
  w->working--;
  pthread_cond_signal(&w->ended);
  pthread_mutex_unlock(&w->lock);
  return NULL;
}

// Tell the caller until all threads have ended.
static void watch(Work* w) {
  static const long PERIOD = 200000000;  // [ns]
  for (bool more = true; more;) {
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += PERIOD;
    if (until.tv_nsec >= 1000000000L) {
      until.tv_nsec -= 1000000000L;
      until.tv_sec++;
    }
    pthread_mutex_lock(&w->lock);
    if (w->working > 0) pthread_cond_timedwait(&w->ended, &w->lock, &until);
    more = w->working > 0;
    const rutMapInfo info = rut_map_info(w->map);
    pthread_mutex_unlock(&w->lock);
    if (w->def->go_on && !w->def->go_on(info.done, info.points, w->def->user)) {
      pthread_mutex_lock(&w->lock);
      w->stop = true;
      pthread_mutex_unlock(&w->lock);
    }
  }
}

static rutStatus run_all(Work* w, rutError* err) {
  const int workers = w->def->workers < 1 ? 1 : w->def->workers;
  pthread_t id[MOST_WORKERS];
  int started = 0;
  pthread_mutex_init(&w->lock, NULL);
  pthread_cond_init(&w->ended, NULL);
  pthread_mutex_lock(&w->lock);
  for (; started < workers && started < MOST_WORKERS; started++) {
    if (pthread_create(&id[started], NULL, thread, w) != 0) break;
    w->working++;
  }
  pthread_mutex_unlock(&w->lock);
  watch(w);
  for (int i = 0; i < started; i++) pthread_join(id[i], NULL);
  pthread_mutex_destroy(&w->lock);
  pthread_cond_destroy(&w->ended);
  if (started == 0) return rut_error_set(err, RUT_ERR_MEMORY, "no thread could be started");
  if (w->err.status != RUT_OK && err) *err = w->err;
  return w->err.status;
}

static rutStatus open_shard(Work* w, rutError* err) {
  struct stat info;
  const char* path = w->def->path;
  const bool there = lstat(path, &info) == 0 && info.st_size > 0;
  if (lstat(path, &info) == 0 && !S_ISREG(info.st_mode)) {
    return rut_error_set(err, RUT_ERR_IO, "'%.200s' is no regular file", path);
  }
  if (there && !w->def->resume) {
    return rut_error_set(err, RUT_ERR_IO, "'%.200s' is there already: --resume goes on with it",
                         path);
  }
  rutStatus status = rut_database_open(path, RUT_DATABASE_WRITE, &w->db, err);
  if (status == RUT_OK) {
    status = there ? compare(w->db, path, w->map->signature, err)
                   : make(w->db, w->map->signature, w->map->points, err);
  }
  if (status == RUT_OK && there) {
    status = read_points(w->db, path, w->map->points, w->map->point, err);
  }
  return status == RUT_OK ? prepare_insert(w->db, &w->insert, err) : status;
}

rutStatus rut_map_simulate(rutMap* map, const rutMapWork* def, rutError* err) {
  if (!def->path || def->shards < 1 || def->shard < 0 || def->shard >= def->shards) {
    return rut_error_set(err, RUT_ERR_ARGUMENT, "no path, or no such shard");
  }
  Work w = {.map = map, .def = def};
  rutStatus status = open_shard(&w, err);
  if (status == RUT_OK) status = run_all(&w, err);
  rut_statement_free(w.insert);
  rut_database_close(w.db);
  return status;
}

// ---- merge ----

// All files into one array, whose size the first one tells.
static rutStatus gather(int files, const char* const* file, char** signature, int* points,
                        rutMapPoint** point, rutError* err) {
  enum { MOST_POINTS = 1 << 24 };
  rutStatus status = RUT_OK;
  for (int k = 0; k < files && status == RUT_OK; k++) {
    rutDatabase* db = NULL;
    status = rut_database_open(file[k], RUT_DATABASE_READ, &db, err);
    if (status == RUT_OK && k == 0) {
      *signature = read_key(db, file[k], "table", err);
      char* count = *signature ? read_key(db, file[k], "points", err) : NULL;
      *points = count ? (int)rut_clamp((double)strtol(count, NULL, 10), 0, MOST_POINTS) : 0;
      *point = calloc((size_t)*points + 1, sizeof **point);
      if (!count) status = RUT_ERR_IO;
      if (count && !*point) status = rut_error_set(err, RUT_ERR_MEMORY, "no memory for a merge");
      for (int i = 0; *point && i < *points; i++) (*point)[i].speed = RUT_NAN;
      free(count);
    }
    if (status == RUT_OK) status = compare(db, file[k], *signature, err);
    if (status == RUT_OK) status = read_points(db, file[k], *points, *point, err);
    rut_database_close(db);
  }
  return status;
}

static rutStatus write_all(const char* path, const char* signature, int points,
                           const rutMapPoint* point, int* missing, rutError* err) {
  rutDatabase* db = NULL;
  rutStatement* s = NULL;
  rutStatus status = rut_database_open(path, RUT_DATABASE_WRITE, &db, err);
  if (status == RUT_OK) status = make(db, signature, points, err);
  if (status == RUT_OK) status = rut_database_run(db, "BEGIN IMMEDIATE", err);
  if (status == RUT_OK) status = prepare_insert(db, &s, err);
  *missing = 0;
  for (int i = 0; i < points && status == RUT_OK; i++) {
    if (isnan(point[i].speed)) {
      ++*missing;
    } else {
      status = insert(s, i, &point[i], err);
    }
  }
  rut_statement_free(s);
  if (status == RUT_OK) status = rut_database_run(db, "COMMIT", err);
  rut_database_close(db);
  return status;
}

rutStatus rut_map_merge(int files, const char* const* file, const char* path, int* missing,
                        rutError* err) {
  char* signature = NULL;
  rutMapPoint* point = NULL;
  int points = 0;
  *missing = 0;
  if (files < 1) return rut_error_set(err, RUT_ERR_ARGUMENT, "nothing to merge");
  rutStatus status = gather(files, file, &signature, &points, &point, err);
  rutOutput* output = NULL;
  if (status == RUT_OK) status = rut_output_create(path, &output, err);
  if (status == RUT_OK) {
    status = write_all(rut_output_part(output), signature, points, point, missing, err);
    const rutStatus closed =
        rut_output_close(output, status == RUT_OK, status == RUT_OK ? err : NULL);
    if (status == RUT_OK) status = closed;
  }
  free(signature);
  free(point);
  return status;
}
