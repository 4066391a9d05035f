// SPDX-License-Identifier: BSD-3-Clause
//
// Studies: one world simulated many times with other values, by a study file (rut doc study). A
// study is a pure function from the index of a run to its inputs, seed and results: who runs which
// index, in which order and on which machine does not matter.
//
// Results are kept in SQLite databases, one for each shard. Functions on databases return
// RUT_ERR_MISSING where SQLite was not there when rut was built, or is not now.
#ifndef RUT_STUDY_H
#define RUT_STUDY_H

#include "rut/rut.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---------------------------------------------------------------------------------------------
// The study

typedef struct rutStudy rutStudy;

// Makes the contexts in which worlds are loaded: one for each thread, and one for each run of a
// world that draws random numbers. Called from several threads at once.
typedef struct rutStudyHost {
  rutStatus (*open)(uint64_t seed, rutContext** out, void* user, rutError* err);
  void* user;
} rutStudyHost;

// Read a study file and check it against its world. Errors: those of rut_spec_load; MODEL for what
// is wrong in it, with its place. The caller owns *out; the context must outlive it. Nullable: host
// (contexts are those of rut_context_create without a definition), err.
RUT_API rutStatus rut_study_load(rutContext* context, const char* path, const rutStudyHost* host,
                                 rutStudy** out, rutError* err);
// The same from memory.
RUT_API rutStatus rut_study_parse(rutContext* context, const rutText* text,
                                  const rutStudyHost* host, rutStudy** out, rutError* err);
// Nullable: study.
RUT_API void rut_study_destroy(rutStudy* study);

// Texts are borrowed from the study.
typedef struct rutStudyInfo {
  const char *name, *description;
  const char* world;       // path, as seen from where the study was loaded
  const char* world_name;  // as the study file names it
  const char* design;      // "latin_hypercube"
  const char* text;        // the study as XML, without loops and variables
  // runs = combinations of crossed inputs x points of the design x replicas. Run i has replica i
  // mod replicas; replicas of one point, and points of one combination, follow each other.
  int64_t runs, combinations, points;
  int replicas, inputs, measures, requirements;
  uint64_t seed, model_hash;  // the latter of the world as it is, without the inputs
  double duration;            // of a run [s], NaN: what the world says
  bool random;                // the world draws random numbers: another seed makes another world
} rutStudyInfo;
RUT_API rutStudyInfo rut_study_info(const rutStudy* study);

typedef struct rutStudyInput {
  const char *name, *type;  // "mass", "uniform"
  const char *path, *unit;  // as the study gives them; "" for none
  bool number;              // its values are numbers; else texts
  int dimension;            // of the design, -1 for inputs that are crossed
  int levels;               // values of inputs without a distribution, 0 for others
} rutStudyInput;
RUT_API rutStudyInput rut_study_input(const rutStudy* study, int input);

typedef struct rutStudyMeasure {
  const char *name, *type, *unit;
} rutStudyMeasure;
RUT_API rutStudyMeasure rut_study_measure(const rutStudy* study, int measure);

// The value of an input in a run.
typedef struct rutStudyValue {
  double number;     // in the input's unit; NaN where text stands for it
  const char* text;  // borrowed from the study; NULL for numbers
} rutStudyValue;
// Values of all inputs in a run, of [0, runs). Errors: ARGUMENT (no such run), MEMORY. Nullable:
// err.
RUT_API rutStatus rut_study_values(const rutStudy* study, int64_t run, rutStudyValue* value,
                                   rutError* err);
// Seed of a run, below 2^52.
RUT_API uint64_t rut_study_seed(const rutStudy* study, int64_t run);
// The command that repeats a run alone, with the same bits, where it ended at `time` [s] (NaN: at
// its full duration). Paths are as seen from where the study was loaded, or from the folder of the
// study file. The caller frees it with free(); NULL if there is no such run, or out of memory.
RUT_API char* rut_study_command(const rutStudy* study, int64_t run, double time,
                                bool from_its_folder);
// The world of a run, ready to be compiled, in a context of the caller. That of a random world has
// the run's seed. Errors: ARGUMENT (no such run), MEMORY, those of rut_spec_parse and rut_spec_set:
// inputs that are not possible. The caller owns *out. Nullable: err.
RUT_API rutStatus rut_study_world(const rutStudy* study, int64_t run, rutContext* context,
                                  rutSpec** out, rutError* err);
struct rutInputs;
// Set points over time that the study gives to all runs, for a model of one of them; NULL in *out
// if it has none. Errors: those of rut_inputs_parse (rut/host.h). The caller owns *out. Nullable:
// err.
RUT_API rutStatus rut_study_set_points(const rutStudy* study, const rutModel* model,
                                       struct rutInputs** out, rutError* err);

// ---------------------------------------------------------------------------------------------
// Runs

#define RUT_STUDY_END_LIST(X) \
  X(finished)                 \
  X(stopped)                  \
  X(diverged)                 \
  X(invalid)
// How a run ended: after its duration; by a <stop>; since the state was not finite; or it did not
// begin, since its inputs are not possible.
#define X(name) RUT_STUDY_##name,
typedef enum rutStudyEnd { RUT_STUDY_END_LIST(X) RUT_STUDY_ENDS } rutStudyEnd;
#undef X
// Its name ("finished"), "" if there is none.
RUT_API const char* rut_study_end_name(rutStudyEnd end);

typedef struct rutStudyResult {
  int64_t run, steps;
  uint64_t seed, model_hash, state_hash;
  rutStudyEnd end;
  int pass;          // 1: all requirements are fulfilled, 0: not all; -1: the study has none
  double time;       // simulated [s]
  double wall;       // that it took, in lanes its share of it [s]
  bool in_lanes;     // its vehicles shared vectors with those of other runs
  char reason[256];  // why it ended, "" if it finished
  double* measure;   // [measures], NaN where there is none. The caller's
} rutStudyResult;

// Runs of one thread, with a context and a model of their own.
typedef struct rutStudyRunner rutStudyRunner;
// The caller owns *out; the study must outlive it. Errors: those of rut_spec_load, MEMORY.
// Nullable: err.
RUT_API rutStatus rut_study_runner_create(const rutStudy* study, rutStudyRunner** out,
                                          rutError* err);
// Run n runs by their indices. Runs that diverge or are not possible are results like others. Data
// and models are kept from run to run where their values are equal; runs whose worlds are of equal
// structure share lanes of vectors, with the bits that each has alone. Errors: ARGUMENT (no such
// run), MEMORY, IO. Nullable: err.
RUT_API rutStatus rut_study_run(rutStudyRunner* runner, int n, const int64_t* run,
                                rutStudyResult* out, rutError* err);
// Of up to eight runs that begin together, how many would share lanes. Makes their worlds, but runs
// none of them. Errors: ARGUMENT (more than eight, no such run), MEMORY. Nullable: err.
RUT_API rutStatus rut_study_matched(rutStudyRunner* runner, int n, const int64_t* run, int* matched,
                                    rutError* err);
// Nullable: runner.
RUT_API void rut_study_runner_destroy(rutStudyRunner* runner);

// ---------------------------------------------------------------------------------------------
// Sweeps: all runs of a shard, into a database

// How the database keeps what is not yet complete. WAL needs memory that processes share, which
// file systems over a network do not have.
typedef enum rutSweepJournal {
  RUT_JOURNAL_AUTO,  // rollback on file systems over a network, else WAL
  RUT_JOURNAL_WAL,
  RUT_JOURNAL_ROLLBACK
} rutSweepJournal;

typedef struct rutSweepState {
  int64_t runs;                  // of this shard
  int64_t before;                // in the database at the start
  int64_t done;                  // and by now
  int64_t ends[RUT_STUDY_ENDS];  // of `done`
  int64_t passed, failed;        // of `done`, where there are requirements
  int64_t in_lanes;              // runs since the start that shared lanes with others
  double simulated;              // time of the runs since the start [s]
} rutSweepState;

typedef struct rutSweepDef {
  size_t struct_size;  // set by rut_default_sweep
  const char* path;    // database
  int workers;         // threads
  int shard, shards;   // runs i with i mod shards = shard, of [0, shards)
  bool resume;         // go on with a database that is there; else that is an error
  rutSweepJournal journal;
  // Called about ten times a second, and with each run that did not finish (else NULL). What it
  // tells is in the database. False: finish the runs that have begun and end. Nullable.
  bool (*go_on)(const rutSweepState* state, const rutStudyResult* run, void* user);
  void* user;
} rutSweepDef;
RUT_API rutSweepDef rut_default_sweep(void);

// Run what the database lacks. A run is in it whole or not at all, whenever the process is killed;
// none is run that it has. One process at a time writes a database. Errors: IO (it is there, is
// being written, or is no such database), VERSION (of another study, world, shard or version of
// rut), MISSING, those of rut_study_run. Nullable: err.
RUT_API rutStatus rut_sweep(const rutStudy* study, const rutSweepDef* def, rutSweepState* out,
                            rutError* err);

// ---------------------------------------------------------------------------------------------
// Results

typedef struct rutStudyTable rutStudyTable;

// Read all results of a database. Errors: IO, PARSE (no results of a study), MISSING, MEMORY. The
// caller owns *out. Nullable: err.
RUT_API rutStatus rut_study_table_open(const char* path, rutStudyTable** out, rutError* err);
// Nullable: table.
RUT_API void rut_study_table_close(rutStudyTable* table);

typedef struct rutStudyTableInfo {
  const char *name, *description, *design, *world;  // borrowed, as all texts below
  const char *version, *text;                       // of rut, and the study as XML
  int64_t runs;                                     // of the study
  int64_t rows;                                     // that the table has
  int64_t points;
  int replicas, inputs, measures, requirements, shards;
} rutStudyTableInfo;
RUT_API rutStudyTableInfo rut_study_table_info(const rutStudyTable* table);
RUT_API rutStudyInput rut_study_table_input(const rutStudyTable* table, int input);
RUT_API rutStudyMeasure rut_study_table_measure(const rutStudyTable* table, int measure);

// A row, by its place in [0, rows), in order of runs.
typedef struct rutStudyRow {
  int64_t run, point, steps;
  int replica, pass;
  uint64_t seed;
  rutStudyEnd end;
  double time;
  const char *reason, *command, *model_hash, *state_hash;
  const rutStudyValue* input;  // [inputs]
  const double* measure;       // [measures]
} rutStudyRow;
RUT_API rutStudyRow rut_study_table_row(const rutStudyTable* table, int64_t row);

// Merge databases of shards of one study, in any number and order, into a new one, whose bytes
// follow from the runs in them alone, with one version of SQLite. Runs that are in several must be
// equal. *missing gets the number of runs that none has. Errors: IO, PARSE, VERSION (of different
// studies), MODEL (results of one run differ), MISSING, MEMORY. Nullable: missing, err.
RUT_API rutStatus rut_sweep_merge(int n, const char* const* path, const char* out, int64_t* missing,
                                  rutError* err);
// Write a table as CSV. Errors: IO, MEMORY. Nullable: err.
RUT_API rutStatus rut_study_table_save(const rutStudyTable* table, const char* path, rutError* err);

// ---------------------------------------------------------------------------------------------
// Statistics

// An estimate and the bounds of its 95 % confidence interval.
typedef struct rutEstimate {
  double value, low, high;
} rutEstimate;

// Share of successes in n trials, by Wilson's score interval (E. B. Wilson, J. Am. Stat. Assoc. 22,
// 1927). NaN if n is 0.
RUT_API rutEstimate rut_share_estimate(int64_t successes, int64_t n);
// Mean of n values, as of a normal distribution, by Student's t (Biometrika 6, 1908). NaN if n is
// 0; bounds of NaN if it is 1.
RUT_API rutEstimate rut_mean_estimate(int64_t n, const double* value);
// Percentile of n values, linear between them, with the percentile interval of a bootstrap (Efron,
// 1979) of 1000 resamples. Errors: MEMORY.
RUT_API rutStatus rut_percentile_estimate(int64_t n, const double* value, double percent,
                                          rutEstimate* out);
// Percentile of n values in ascending order, linear between them (definition 7 of Hyndman and Fan,
// Am. Stat. 50, 1996). NaN if n is 0.
RUT_API double rut_percentile(int64_t n, const double* sorted, double percent);

// Sensitivity of a measure to an input.
typedef struct rutSensitivity {
  rutEstimate first, total;  // Sobol indices; NaN without a design saltelli
  rutEstimate effect;        // mu*, mean size of the elementary effects of Morris, for the whole
                             // range of an input; NaN without that design
  double effect_deviation;   // sigma of these effects
  rutEstimate low, high;     // mean of the measure where the input is in its lowest, its highest
                             // fifth, or has its first or last level
  double rank_correlation;   // Spearman's; NaN for texts
} rutSensitivity;
// Sensitivities of a measure to all inputs, by the runs of a table that have it. Errors: ARGUMENT
// (no such measure), MEMORY. Nullable: err.
RUT_API rutStatus rut_study_sensitivity(const rutStudyTable* table, int measure,
                                        rutSensitivity* out, rutError* err);

// Sobol indices from n base points of a model with d inputs, given its values in the design of
// Saltelli: [n][d + 2], each A, B, and A with one column of B. First order after Saltelli et al.
// (Comput. Phys. Commun. 181, 2010, table 2 b), total after Jansen (1999); intervals by a bootstrap
// of the base points. Errors: MEMORY.
RUT_API rutStatus rut_sobol_indices(int64_t n, int d, const double* value, rutEstimate* first,
                                    rutEstimate* total);

#ifdef __cplusplus
}
#endif

#endif  // RUT_STUDY_H
