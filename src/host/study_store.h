// SPDX-License-Identifier: BSD-3-Clause
//
// The tables of a database of results, and rows on their way into it.
//
//   study(key, value)            what all runs share
//   input, measure               their names, types, units
//   run(run, ...)                a row for each run; a column for each input and measure
//   timing(run, wall), session   of shards alone: what differs from one execution to the next
#ifndef RUT_HOST_STUDY_STORE_H
#define RUT_HOST_STUDY_STORE_H

#include "host/bytes.h"
#include "host/database.h"
#include "rut/study.h"

#define RUT_STORE_FORMAT "1"
// Columns of table run before and behind those of inputs and measures.
#define RUT_STORE_BEFORE "run INTEGER PRIMARY KEY, point INTEGER, replica INTEGER, seed INTEGER"
#define RUT_STORE_BEHIND                                                                         \
  "ends TEXT, reason TEXT, pass INTEGER, time REAL, steps INTEGER, model_hash TEXT, state_hash " \
  "TEXT, command TEXT"
enum { RUT_STORE_COLUMNS_BEFORE = 4, RUT_STORE_COLUMNS_BEHIND = 8 };

typedef struct rutStore {
  const rutStudy* study;
  rutDatabase* db;
  rutStatement *run, *timing;
  int64_t session;
  rutStudyValue* value;  // [inputs]
} rutStore;

// Create the tables of a study. input and measure: what the rows of these tables tell, in order.
typedef struct rutStoreShape {
  int inputs, measures;
  const rutStudyInput* input;
  const rutStudyMeasure* measure;
} rutStoreShape;
rutStatus rut_store_make(rutDatabase* db, const rutStoreShape* shape, rutError* err);
// Put a key of table study.
rutStatus rut_store_put(rutDatabase* db, const char* key, const char* value, rutError* err);
// Statement that inserts a row of table run.
rutStatus rut_store_insert(rutDatabase* db, const rutStoreShape* shape, rutStatement** out,
                           rutError* err);

// Open the database of a shard for writing, new or to be resumed. Errors: as rut_sweep.
rutStatus rut_store_open(const rutStudy* study, const rutSweepDef* def, rutStore* store,
                         rutError* err);
// Append a result, within a transaction.
rutStatus rut_store_add(rutStore* store, const rutStudyResult* result, rutError* err);
void rut_store_close(rutStore* store);

#endif  // RUT_HOST_STUDY_STORE_H
