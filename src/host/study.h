// SPDX-License-Identifier: BSD-3-Clause
//
// A study as read from its file. study_load.c fills it; everything else only reads it.
#ifndef RUT_HOST_STUDY_H
#define RUT_HOST_STUDY_H

#include "rut/study.h"

enum {
  RUT_STUDY_MAX_INPUTS = 128,  // also inputs without a distribution
  RUT_STUDY_MAX_MEASURES = 512,
  RUT_STUDY_MAX_STOPS = 64,
  RUT_STUDY_MAX_PASSES = 64,
  RUT_STUDY_MAX_SETS = 1024,  // of an option, or of the study
  RUT_STUDY_MAX_LEVELS = 1000000,
  RUT_STUDY_MAX_FILE = 64 << 20
};

typedef enum rutDesign {
  RUT_DESIGN_GRID,
  RUT_DESIGN_MONTE_CARLO,
  RUT_DESIGN_LATIN_HYPERCUBE,
  RUT_DESIGN_SOBOL,
  RUT_DESIGN_SALTELLI,
  RUT_DESIGN_MORRIS,
  RUT_DESIGN_ONE_AT_A_TIME
} rutDesign;

typedef enum rutVaryType {
  RUT_VARY_GRID,
  RUT_VARY_LIST,
  RUT_VARY_CHOICE,
  RUT_VARY_UNIFORM,
  RUT_VARY_NORMAL,
  RUT_VARY_LOGNORMAL,
  RUT_VARY_TRIANGULAR,
  RUT_VARY_TABLE,
  RUT_VARY_TYPES
} rutVaryType;

// "path=value" pairs. Texts are owned.
typedef struct rutSettings {
  char** text;
  int n;
} rutSettings;

// Values of an input without a distribution: numbers, texts, or settings of each.
typedef struct rutLevels {
  double* number;        // [n], NaN for texts
  char** text;           // [n], NULL for numbers
  rutSettings* setting;  // [n], of a choice; else NULL
  int n;
} rutLevels;

typedef struct rutVary {
  char *name, *path, *unit;  // owned
  rutVaryType type;
  rutNode node;
  bool crossed, number;
  int place;           // of its factor, or of its dimension
  double a, b, c;      // parameters of its distribution, in the order of the rows
  double least, most;  // values at which it is cut, infinite for none
  double low, high;    // their probabilities
  rutLevels levels;
  rutSettings own;  // of its <set>s, with {} for the value
  char* file;       // of a table, owned
} rutVary;

typedef enum rutMeasureType {
  RUT_MEASURE_LAST,
  RUT_MEASURE_MIN,
  RUT_MEASURE_MAX,
  RUT_MEASURE_MAX_ABS,
  RUT_MEASURE_MEAN,
  RUT_MEASURE_RMS,
  RUT_MEASURE_PERCENTILE,
  RUT_MEASURE_CROSSING,
  RUT_MEASURE_METRIC,
  RUT_MEASURE_EXPRESSION,
  RUT_MEASURE_TYPES
} rutMeasureType;

typedef struct rutMeasure {
  char *name, *unit;  // owned
  char* source;       // signal, metric or expression; owned
  char* vehicle;      // of a metric, "" for the first; owned
  rutMeasureType type;
  rutNode node;
  double from, to, percent, level;
  int direction;  // of a crossing: 0 rising, 1 falling, 2 either
} rutMeasure;

typedef struct rutStop {
  char* signal;  // owned
  rutNode node;
  double above, below, after;
  bool fails;
} rutStop;

typedef struct rutPass {
  char* condition;  // owned
  rutNode node;
} rutPass;

struct rutStudy {
  rutContext* context;
  rutStudyHost host;
  rutSpec* spec;
  char *name, *text, *path;         // owned
  size_t folder;                    // length of the path's folders, with the last slash
  const char *description, *world;  // in the spec
  char* world_text;
  size_t world_size;
  bool world_random;  // another seed makes another world
  uint64_t model_hash;
  rutDesign design;
  int64_t samples, points, combinations, runs;
  int morris_levels, replicas;
  uint64_t seed;
  bool common_seeds, interpolate;
  double duration, rate;
  const char* inputs_path;  // "" for none
  char* inputs_text;        // of that file, owned
  size_t inputs_size;
  rutSettings fixed;
  rutVary* vary;
  int inputs, dimensions, factors;
  int factor_levels[RUT_STUDY_MAX_INPUTS];
  double* copula;  // lower triangle L of the correlation matrix L L', [dimensions][dimensions];
                   // NULL where there is none
  rutMeasure* measure;
  int measures;
  rutStop* stop;
  int stops;
  rutPass* pass;
  int passes, requirements;  // the latter with stops that fail
};

// Words of the rows that are choices, in the order of the enumerations.
extern const char* const rut_vary_names[RUT_VARY_TYPES];
extern const char* const rut_measure_names[RUT_MEASURE_TYPES];

#endif  // RUT_HOST_STUDY_H
