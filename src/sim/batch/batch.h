// SPDX-License-Identifier: BSD-3-Clause
//
// Inside of rut/batch.h: copies, the models that they have, and the units in which they are
// stepped.
#ifndef RUT_SIM_BATCH_BATCH_H
#define RUT_SIM_BATCH_BATCH_H

#include <stdatomic.h>

#include "rut/batch.h"
#include "sim/lanes.h"

// With fewer copies than that a step of a tile costs more than steps of each.
enum { RUT_BATCH_LEAST_SHARED = 4 };

// A model of some copies: that of the spec, or that with parameters of their own.
typedef struct rutBatchVariant {
  rutModel* model;
  rutLanes* lanes;
} rutBatchVariant;

typedef struct rutBatchMember {
  rutData* data;
  unsigned char* scratch;  // of the data itself
  int variant;
  int unit, lane;  // where it belongs
  bool in_lane;
  rutBatchEnd end;
  uint64_t seed;
  int64_t episode;
  // of the call
  int64_t left;  // steps that are still to be made
  bool fresh;    // set points of the call are to be given (anew)
  rutBatchEnd ended;
  double reward;
} rutBatchMember;

// Copies of one variant that are stepped by one worker: up to eight, one to a lane.
typedef struct rutBatchUnit {
  int copy[RUT_MBD_LANES];  // -1: none
  int copies;
  bool shares;  // it has a tile
  rutTile tile;
} rutBatchUnit;

// Variables that are computed together, read at once, and where their numbers go.
typedef struct rutBatchRead {
  rutVariableRange range;
  int numbers, at;
} rutBatchRead;

// What a call asks of the copies.
typedef struct rutBatchCall {
  int copies;             // the first ones; the others stand still
  int intervals;          // in which commands hold
  int64_t steps;          // of each
  const double* command;  // Nullable; strides from copy to copy, interval to interval, column to
                          // column
  ptrdiff_t copy_stride, interval_stride, column_stride;
  bool restart;
  const rutBatchIo* io;  // Nullable: the other arrays
} rutBatchCall;

// Ruts of a run that copies were given, which they share until they change them.
typedef struct rutBatchRuts {
  struct rutBatchRuts* next;
  rutSoftBase* base;  // behind it in memory
  size_t bytes;       // of both
} rutBatchRuts;

struct rutBatch {
  rutContext* context;
  rutSpec* spec;  // a copy, for rut_batch_vary
  rutBatchDef def;
  int variants;
  rutBatchVariant* variant;  // [variants]; the first is that of the spec
  rutBatchMember* copy;      // [def.copies]
  int units;
  rutBatchUnit* unit;
  void* unit_memory;  // tables of the tiles
  size_t unit_bytes;
  rutThreadPool* pool;
  unsigned char* memory;  // [workers][worker_bytes]: scratch of a worker, columns, what is read
  size_t worker_bytes, scratch_bytes;
  int commands;
  // Columns: the numbers of these ranges, each one of those that are read.
  int ranges, columns;
  rutVariableRange* range;
  int* numbers;  // [ranges] columns of each
  int reads, read_numbers;
  rutBatchRead* read;
  int* source;  // [columns] place among what is read
  int limits, terms;
  rutBatchLimit* limit;
  rutBatchTerm* term;
  bool looks;  // columns are read after every step
  rutBatchJudge* judge;
  void* user;  // of it
  rutBatchPrepare* prepare;
  void* prepare_user;
  rutBatchRuts* ruts;  // that copies share
  atomic_int stop;     // the call at hand, or the next, is to end
};

// Copies that stand outside their lanes, with scratch of their own.
void rut_batch_take_out(rutBatch* batch, int copy);
// Memory of the workers: scratch, and room for columns. False if there is none; all is then as
// before.
bool rut_batch_make_room(rutBatch* batch);
// Units for the copies as their variants are now, and the workers' memory for them. False if out of
// memory; the batch is then as before. All copies are outside their lanes.
bool rut_batch_lay_units(rutBatch* batch);
// Does a model have the variables of the columns, and the set points, of that of the spec?
bool rut_batch_fits(const rutBatch* batch, const rutModel* model);
// A copy outside its lane begins its next episode, or one with this seed.
void rut_batch_begin(rutBatch* batch, int copy);
void rut_batch_begin_with(rutBatch* batch, int copy, uint64_t seed);
// A run whose state copies get: those in the list, or else the first n.
typedef struct rutBatchSource {
  const rutModel* model;
  const rutData* data;
} rutBatchSource;
rutStatus rut_batch_adopt_all(rutBatch* batch, int n, const int* copy, rutBatchSource from,
                              rutError* err);
// Free the ruts that no copy has any more.
void rut_batch_drop_ruts(rutBatch* batch);
// Numbers of a range of variables, -1 if there is no such range.
int rut_batch_count_numbers(const rutModel* model, const rutVariableRange* range);
// Columns of a copy, in its lane or outside; out has room for what is read behind them.
void rut_batch_columns_of(const rutBatch* batch, int copy, double* out);
// What a call asks; every copy's `ended` and `reward` tell what came of it. Errors: STOPPED.
rutStatus rut_batch_run(rutBatch* batch, const rutBatchCall* call, rutError* err);

#endif  // RUT_SIM_BATCH_BATCH_H
