// SPDX-License-Identifier: BSD-3-Clause
//
// Many copies of one world at once, for Monte Carlo studies, learning and predictive control. Each
// copy is independent of the others: what it does, bit for bit, is what the world does when it is
// run alone from the same state, seed and commands, whatever its neighbours do, however many they
// are, and with any number of workers.
//
//   rutBatchDef def = rut_default_batch();
//   def.copies = 1024;
//   rut_batch_create(spec, &def, &batch, &error);
//   rutBatchIo io = {.command = {action, n, 1}, .output = {seen, m, 1}};
//   rut_batch_step(batch, 10, &io, &error);  // ten steps of every copy
//
// Vehicles of eight copies step together, one copy to a lane of a vector. What cannot be shared,
// such as sensors, contacts and ruts, belongs to each copy. A copy that cannot share its vehicles
// either steps by itself, in the same call and with the same bits: see rutBatchInfo.
//
// Calls on one batch come from one thread at a time, but rut_batch_stop; rut_batch_step uses the
// batch's workers.
#ifndef RUT_BATCH_H
#define RUT_BATCH_H

#include "rut/rut.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct rutBatch rutBatch;

// ---- making one ----

typedef struct rutBatchDef {
  size_t struct_size;  // set by rut_default_batch
  int copies;          // at least 1
  int workers;         // threads that rut_batch_step may use; 0: as many as the context's
  uint64_t seed;       // from which those of the copies follow: rut_batch_seed
  // Steps after which a copy ends; 0: none does.
  int64_t horizon;
  // Copies that end begin anew at once, with their next seed, and go on; otherwise they stand still
  // until rut_batch_reset.
  bool restart;
  bool apart;  // no copies share lanes: slower, for comparisons
} rutBatchDef;
// One copy, seed 0, no horizon, no restart, in lanes.
RUT_API rutBatchDef rut_default_batch(void);

// Compile a spec and make the copies, each as after rut_data_reset with its first seed. The batch
// keeps no pointer into the spec; its context must outlive it. Errors: those of rut_compile,
// ARGUMENT, MEMORY. Nullable: err.
RUT_API rutStatus rut_batch_create(const rutSpec* spec, const rutBatchDef* def, rutBatch** out,
                                   rutError* err);
RUT_API void rut_batch_destroy(rutBatch* batch);  // Nullable: batch

// Model of the copies: for indices, names and variables, and for states, which are those of a model
// that rut_compile makes of the same spec.
RUT_API const rutModel* rut_batch_model(const rutBatch* batch);
RUT_API int rut_batch_copies(const rutBatch* batch);
// Seed of a copy in an episode, from 0: the number of resets and restarts before it.
RUT_API uint64_t rut_batch_seed(uint64_t seed, int copy, int64_t episode);

// ---- parameters of each copy ----

// Numbers of all copies and columns: that of a copy and a column stands at
// value[copy * copy_stride + column * column_stride]. [copies][columns] has the strides columns and
// 1, [columns][copies] 1 and copies; an array of numpy its strides over 8. The caller owns it.
typedef struct rutBatchArray {
  double* value;  // Nullable where the function says so
  ptrdiff_t copy_stride, column_stride;
} rutBatchArray;

// Give copies parameters of their own: `fields` fields of the spec by their paths
// ("r1/chassis.mass", "sand.cohesion"; see rut_spec_set) and a number [SI] of each for every copy.
// Every copy is reset to its next episode and runs, from then on, with the bits of a world that was
// compiled with these numbers. Columns, limits and rewards stay. Copies share lanes as long as what
// differs has a place for each lane, see docs/manual/batch.md; others step by themselves. Errors:
// as rut_spec_set and rut_compile, and MODEL where elements differ (a variable of the columns is
// missing); the copies are then as before. Nullable: err.
RUT_API rutStatus rut_batch_vary(rutBatch* batch, int fields, const char* const* path,
                                 const rutBatchArray* value, rutError* err);
// Give one copy a world of its own, whatever it differs in, as long as it has the columns and set
// points of the batch. The copy is reset with this seed as its next episode and runs with the bits
// of that world; the others stay as they are. Copies share lanes as after rut_batch_vary; those of
// another structure step by themselves. The batch keeps no pointer into the spec, which is of its
// context. Takes as long as a few steps of all copies, beside the compilation. Errors: those of
// rut_compile, ARGUMENT (no such copy), MODEL (columns or set points are missing), MEMORY; the copy
// is then as before. Nullable: err.
RUT_API rutStatus rut_batch_set_world(rutBatch* batch, int copy, const rutSpec* spec, uint64_t seed,
                                      rutError* err);
// The same with the world that copy `from` has, which is not compiled again. Errors: ARGUMENT (no
// such copy), MEMORY. Nullable: err.
RUT_API rutStatus rut_batch_share_world(rutBatch* batch, int copy, int from, uint64_t seed,
                                        rutError* err);
// Model of one copy: that of the batch, unless it was given another.
RUT_API const rutModel* rut_batch_copy_model(const rutBatch* batch, int copy);

// ---- what goes in and comes out ----

// Columns of commands: the set points of all vehicles, one vehicle after the other, each in the
// order of rut_command.
RUT_API int rut_batch_commands(const rutBatch* batch);

// Choose the columns of outputs: the numbers of `ranges` ranges of variables, one after the other.
// *columns gets their number. Limits and rewards, which refer to columns, are removed. Errors:
// ARGUMENT (no such variables), MEMORY. Nullable: columns, err.
RUT_API rutStatus rut_batch_columns(rutBatch* batch, int ranges, const rutVariableRange* range,
                                    int* columns, rutError* err);

// A copy ends when a column leaves [least, most] after a step, or is no number.
typedef struct rutBatchLimit {
  int column;
  double least, most;
} rutBatchLimit;
// Errors: ARGUMENT (no such column), MEMORY. Nullable: err; limit if n is 0.
RUT_API rutStatus rut_batch_limits(rutBatch* batch, int n, const rutBatchLimit* limit,
                                   rutError* err);

// How a term of the reward grows with a column's distance d from its target.
typedef enum rutBatchShape {
  RUT_BATCH_LINEAR,    // d
  RUT_BATCH_ABSOLUTE,  // |d|
  RUT_BATCH_SQUARE     // d^2
} rutBatchShape;
// Which steps a term counts.
typedef enum rutBatchWhen {
  RUT_BATCH_EACH,  // every step, times its length: an integral over time
  RUT_BATCH_LAST   // the last step of a call of rut_batch_step, or of the copy in it
} rutBatchWhen;
typedef struct rutBatchTerm {
  int column;
  rutBatchShape shape;
  rutBatchWhen when;
  double weight, target;  // it adds weight * shape(column - target)
} rutBatchTerm;
// Errors: ARGUMENT (no such column), MEMORY. Nullable: err; term if n is 0.
RUT_API rutStatus rut_batch_reward(rutBatch* batch, int n, const rutBatchTerm* term, rutError* err);

// For ends and rewards that columns do not tell: called after every step of a copy, from any
// worker, for several copies at a time. It may ask anything of model and data that does not change
// them, adds to *reward, and returns true if the copy ends. NULL: none.
typedef bool rutBatchJudge(const rutModel* model, const rutData* data, int copy, double* reward,
                           void* user);
RUT_API void rut_batch_judge(rutBatch* batch, rutBatchJudge* judge, void* user);

// For set points that follow a course of their own: called before every step of a copy, after the
// commands of the call, in the same way. It may give set points (rut_command, rut_command_ahead,
// rut_inputs_apply) and choose which sensors are watched. NULL: none.
typedef void rutBatchPrepare(const rutModel* model, rutData* data, int copy, void* user);
RUT_API void rut_batch_prepare(rutBatch* batch, rutBatchPrepare* prepare, void* user);

// ---- stepping ----

// Why a copy has ended.
#define RUT_BATCH_END_LIST(X)                                           \
  X(NONE, "it has not")                                                 \
  X(LIMIT, "a column has left its limits")                              \
  X(JUDGE, "the judge says so")                                         \
  X(HORIZON, "it has made the steps of the horizon")                    \
  X(DIVERGED, "its state is not finite; it stands as before that step") \
  X(PAUSED, "rut_batch_pause has stopped it")
#define X(name, doc) RUT_BATCH_##name,
typedef enum rutBatchEnd { RUT_BATCH_END_LIST(X) RUT_BATCH_END_COUNT } rutBatchEnd;
#undef X
// Its name in lower case ("limit"), and what it means. "" if there is none.
RUT_API const char* rut_batch_end_name(rutBatchEnd end);
RUT_API const char* rut_batch_end_doc(rutBatchEnd end);

// Arrays of a call, all Nullable. Rows of copies that stand still are written as well.
typedef struct rutBatchIo {
  // Set points for the steps of this call, [copies][rut_batch_commands]; they are read only. NaN
  // leaves one as it is.
  rutBatchArray command;
  // Columns after the last step; with `restart`, of the new episode.
  rutBatchArray output;
  // Columns after the last step of a copy that ended in this call (the first time it did); rows of
  // others are left.
  rutBatchArray last_output;
  double* reward;      // [copies] sum over the steps of this call; with `restart` of all episodes
  unsigned char* end;  // [copies] rutBatchEnd of those that ended in this call, the first time
} rutBatchIo;

// Advance every copy that has not ended by a number of steps. A copy that ends or diverges does not
// stop the others, nor the call. Allocates nothing. Errors: ARGUMENT (steps < 0, a command that is
// infinite; nothing has moved), STOPPED (rut_batch_stop). Nullable: io, err.
RUT_API rutStatus rut_batch_step(rutBatch* batch, int steps, const rutBatchIo* io, rutError* err);
// Have the call of rut_batch_step or rut_rollout (rut_mppi_update) at hand end with
// RUT_ERR_STOPPED, within two steps of each worker; if there is none, the next one, which then
// makes no step. It holds until a call has returned STOPPED, even one whose last step was made
// already, and ends one call, however often it was called until then; a call with another error
// leaves it to the next. Every copy then stands at a whole number of steps, with the bits of a call
// of so many; how many differs from copy to copy: steps and time of rut_batch_copy tell. Arrays of
// the call are written as by a shorter one, costs are not. The batch may go on, be reset or
// destroyed. From any thread and from signal handlers: it only sets a lock-free flag. The batch
// must exist until it returns.
RUT_API void rut_batch_stop(rutBatch* batch);
// Columns of all copies as they are now; before the first step as well.
RUT_API void rut_batch_read(rutBatch* batch, const rutBatchArray* out);

// ---- single copies ----

// Begin anew: copies by their index, each with a seed. Nullable: copy (all of them, n is then
// ignored), seed (each copy's next one).
RUT_API void rut_batch_reset(rutBatch* batch, int n, const int* copy, const uint64_t* seed);

typedef struct rutBatchCopy {
  rutBatchEnd end;  // why it stands still, NONE if it does not
  int64_t steps;    // since its reset
  double time;      // [s]
  uint64_t seed;    // with which it was reset
  int64_t episode;  // resets and restarts before
  bool in_lanes;    // its vehicles share vectors with other copies
} rutBatchCopy;
// All zero if there is no such copy.
RUT_API rutBatchCopy rut_batch_copy(const rutBatch* batch, int copy);

// A copy as data of rut_batch_copy_model, for every function of rut.h: rut_state_get, rut_state_set
// and rut_state_hash, rut_sensor_output, rut_set_soil, rut_command. Valid until the next call with
// this batch. If its time goes on, or it is given another state, that is where the copy goes on,
// whether it had ended or not: call rut_batch_resume then. NULL if there is no such copy.
RUT_API rutData* rut_batch_data(rutBatch* batch, int copy);
// A copy stands still until it is reset or resumed.
RUT_API void rut_batch_pause(rutBatch* batch, int copy);
// A copy that has ended goes on.
RUT_API void rut_batch_resume(rutBatch* batch, int copy);

// Give copies the state of a run, all parts of it, of rut_batch_model or of a model that was
// compiled from the same spec. Copies with other parameters get what rut_state_adopt carries over.
// They go on from there. Errors: VERSION, MEMORY. Nullable: copy (all of them), err.
RUT_API rutStatus rut_batch_adopt(rutBatch* batch, int n, const int* copy, const rutModel* model,
                                  const rutData* from, rutError* err);

typedef struct rutBatchInfo {
  int copies, workers;
  int variants;     // models that differ
  int tiles;        // of eight copies with one model
  int in_lanes;     // copies whose vehicles share vectors at present
  int matched;      // copies that share a tile with enough others that have not ended either
  bool can_share;   // the world allows it
  bool in_step;     // only for copies of equal age: delays, clocks or schedules count steps
  const char* why;  // the reason that it does not allow it, or that they must be in step; else ""
  size_t memory;    // of the copies, without the models [B]
} rutBatchInfo;
RUT_API rutBatchInfo rut_batch_info(const rutBatch* batch);

// ---- candidates for predictive control ----

// Command sequences from one state, one per copy of a batch, for sampling-based predictive control
// (MPPI, cross-entropy): a batch is made once, with columns, limits and reward; then, at every
// update of the controller, rut_rollout tells what each sequence costs.
typedef struct rutRollout {
  int candidates;  // at most the copies
  int intervals;   // commands hold during each of them
  int steps;       // of an interval
  // Of candidate c in interval k, set point i: command[c * candidate_stride + k * interval_stride +
  // i * column_stride].
  const double* command;
  ptrdiff_t candidate_stride, interval_stride, column_stride;
  double end_cost;  // of a candidate that ends early, beside what it has cost until then
} rutRollout;
// cost[candidates]: minus the reward, terms of RUT_BATCH_LAST counting at the end of the last
// interval, or where the candidate ends. A candidate that diverges costs infinity. The copies stand
// where their sequences end; `restart` does not hold. Errors: as rut_batch_adopt and
// rut_batch_step, ARGUMENT. Nullable: err.
RUT_API rutStatus rut_rollout(rutBatch* batch, const rutModel* model, const rutData* from,
                              const rutRollout* rollout, double* cost, rutError* err);

#ifdef __cplusplus
}
#endif

#endif  // RUT_BATCH_H
