// SPDX-License-Identifier: BSD-3-Clause
//
// The elements of study files: what varies, what is measured, what passes. host/study.c reads them.
#include "sim/spec/study.h"

#include "math/rut_math.h"

#define NO_LIMIT 1e300

#define REAL(name, unit, def, min, max, doc) \
  { name, unit, RUT_REAL, 1, def, min, max, "", 0, doc }
#define NEEDED(name, doc) \
  { name, "", RUT_REAL, 1, 0, -NO_LIMIT, NO_LIMIT, "", RUT_FIELD_REQUIRED, doc }
#define OPTIONAL(name, unit, doc) REAL(name, unit, RUT_NAN, -NO_LIMIT, NO_LIMIT, doc)
#define INTEGER(name, def, min, max, doc) \
  { name, "", RUT_INTEGER, 1, def, min, max, "", 0, doc }
#define BOOLEAN(name, def, doc) \
  { name, "", RUT_BOOLEAN, 1, def, 0, 1, "", 0, doc }
#define CHOICE(name, words, def, doc) \
  { name, "", RUT_CHOICE, 1, def, 0, 0, words, 0, doc }
#define TEXT(name, doc) \
  { name, "", RUT_TEXT, 1, 0, 0, 0, "", 0, doc }
#define REQUIRED_TEXT(name, doc) \
  { name, "", RUT_TEXT, 1, 0, 0, 0, "", RUT_FIELD_REQUIRED, doc }

#define ELEMENT(symbol, kind_name, type_name, parent_kinds, what) \
  static const rutComponent symbol = {                            \
      RUT_HEAD(rutComponent, kind_name, type_name, parent_kinds, what, symbol##_rows)}

static const rutField study_rows[] = {
    TEXT("description", "title of the study, one line"),
    {"world", "file", RUT_TEXT, 1, 0, 0, 0, "", RUT_FIELD_REQUIRED, "world that is simulated"},
    CHOICE(
        "design", "grid|monte_carlo|latin_hypercube|sobol|saltelli|morris|one_at_a_time", 0,
        "where samples of what has a distribution lie; grid: there is nothing of that kind; "
        "saltelli: for Sobol indices; morris: for elementary effects; one_at_a_time: each at its "
        "10th and 90th percentile, the others at their medians"),
    INTEGER("samples", 100, 1, 1e9,
            "number of samples; of saltelli the base, with n + 2 runs each for n inputs; of morris "
            "trajectories, with n + 1 runs each"),
    INTEGER("levels", 4, 2, 1000, "of morris: points of its grid along each input, an even number"),
    INTEGER("seed", 1, 0, 9e15, "of samples and of the noise in the runs"),
    CHOICE("seeds", "distinct|common", 0,
           "common: run k of every sample's replicas has the same noise, which makes differences "
           "between samples clearer"),
    INTEGER("replicas", 1, 1, 1e6, "runs of each sample, with noise of their own"),
    REAL("duration", "s", RUT_NAN, 0, 1e9, "of a run; default: what the world says"),
    REAL("rate", "Hz", 0, 0, 1e7, "at which signals are measured and watched; 0: after every step"),
    {"inputs", "file", RUT_TEXT, 1, 0, 0, 0, "", 0, "table of set points, as of rut run --inputs"},
    BOOLEAN("interpolate", 0, "set points go from row to row in straight lines"),
};
ELEMENT(study, "study", "", "",
        "The root of a study file, which rut sweep runs: one world many times, with other values "
        "each time.");

// Which fields of the world an input sets.
#define TARGET_ROWS                                                                             \
  TEXT("path",                                                                                  \
       "field of the world as in rut run --set, or several with spaces between; <set>s in the " \
       "input set others"),                                                                     \
      TEXT("unit", "of the numbers here and of the results; default: SI units")
#define LEVELS_ROW                                                                                \
  BOOLEAN("crossed", 1,                                                                           \
          "each of its values is run with every sample; else each sample takes one of them, all " \
          "equally likely")
#define BOUND_ROWS                                                                      \
  OPTIONAL("low", "", "no values below this: the rest of the distribution is cut off"), \
      OPTIONAL("high", "", "nor above this")

static const rutField grid_rows[] = {
    TARGET_ROWS,
    NEEDED("from", "first value"),
    NEEDED("to", "last value"),
    INTEGER("count", 5, 1, 100000, "number of values"),
    CHOICE("scale", "linear|log", 0, "equal differences or equal ratios between them"),
    LEVELS_ROW,
};
ELEMENT(grid, "vary", "grid", "study", "An input of a study: numbers at equal distances.");

static const rutField list_rows[] = {
    TARGET_ROWS,
    REQUIRED_TEXT("values", "values as in a world file, with ; between"),
    LEVELS_ROW,
};
ELEMENT(list, "vary", "list", "study", "An input of a study: one of the values of a list.");

static const rutField choice_rows[] = {
    LEVELS_ROW,
};
ELEMENT(choice, "vary", "choice", "study",
        "An input of a study: one of its <option>s, each of which sets any number of fields.");

static const rutField uniform_rows[] = {
    TARGET_ROWS,
    NEEDED("from", "least value"),
    NEEDED("to", "greatest value"),
};
ELEMENT(uniform, "vary", "uniform", "study", "An input of a study with a uniform distribution.");

static const rutField normal_rows[] = {
    TARGET_ROWS,
    NEEDED("mean", "of the values"),
    NEEDED("deviation", "their standard deviation"),
    BOUND_ROWS,
};
ELEMENT(normal, "vary", "normal", "study", "An input of a study with a normal distribution.");

static const rutField lognormal_rows[] = {
    TARGET_ROWS,
    NEEDED("median", "of the values"),
    NEEDED("sigma", "standard deviation of their natural logarithms"),
    BOUND_ROWS,
};
ELEMENT(lognormal, "vary", "lognormal", "study",
        "An input of a study whose logarithm has a normal distribution.");

static const rutField triangular_rows[] = {
    TARGET_ROWS,
    NEEDED("from", "least value"),
    NEEDED("mode", "most likely value"),
    NEEDED("to", "greatest value"),
};
ELEMENT(triangular, "vary", "triangular", "study",
        "An input of a study with a triangular distribution.");

static const rutField table_rows[] = {
    TARGET_ROWS,
    {"file", "file", RUT_TEXT, 1, 0, 0, 0, "", RUT_FIELD_REQUIRED,
     "CSV table, whose first row has the names of its columns"},
    REQUIRED_TEXT("column", "column with the values"),
    LEVELS_ROW,
};
ELEMENT(
    table, "vary", "table", "study",
    "An input of a study with the values of a table's column. Inputs of one file have the values "
    "of one row.");

static const rutField option_rows[] = {
    TEXT("description", "one line"),
};
ELEMENT(option, "option", "", "vary", "What a choice of a study may be; it holds <set>s.");

static const rutField set_rows[] = {
    REQUIRED_TEXT("path", "field of the world as in rut run --set"),
    REQUIRED_TEXT("value", "its value, as in a world file"),
};
ELEMENT(set, "set", "", "study option vary",
        "A field of the world that all runs set, or an option, or an input: there {} in the value "
        "stands for the input's number or text, without its unit.");

static const rutField correlation_rows[] = {
    REQUIRED_TEXT("between", "names of two inputs with a distribution, with a space between"),
    REAL("coefficient", "", 0, -1, 1,
         "correlation of the normal scores of both, an entry of the correlation matrix"),
};
ELEMENT(correlation, "correlation", "", "study",
        "Correlation of two inputs of a study by a Gaussian copula; others are independent.");

#define SIGNAL_ROW                                                                                 \
  REQUIRED_TEXT("signal",                                                                          \
                "a number of the run, such as hmmwv/roll: an output (rut doc outputs) behind the " \
                "name of its element")
#define WINDOW_ROWS                                          \
  REAL("from", "s", 0, 0, 1e9, "time from which it counts"), \
      REAL("to", "s", 1e9, 0, 1e9, "and up to which")

static const rutField measure_rows[] = {SIGNAL_ROW, WINDOW_ROWS};
#define OF_SIGNAL(symbol, type_name, what) \
  static const rutComponent symbol = {     \
      RUT_HEAD(rutComponent, "measure", type_name, "study", what, measure_rows)}
OF_SIGNAL(last, "last", "A measure of a study: a signal's last value.");
OF_SIGNAL(least, "min", "A measure of a study: a signal's least value.");
OF_SIGNAL(greatest, "max", "A measure of a study: a signal's greatest value.");
OF_SIGNAL(largest, "max_abs", "A measure of a study: the greatest size of a signal.");
OF_SIGNAL(mean, "mean", "A measure of a study: a signal's mean value.");
OF_SIGNAL(rms, "rms", "A measure of a study: a signal's root mean square.");

static const rutField percentile_rows[] = {
    SIGNAL_ROW,
    WINDOW_ROWS,
    REAL("percent", "", 50, 0, 100, "of the samples that are not above it"),
};
ELEMENT(percentile, "measure", "percentile", "study",
        "A measure of a study: a percentile of a signal, linear between samples.");

static const rutField crossing_rows[] = {
    SIGNAL_ROW,
    WINDOW_ROWS,
    NEEDED("level", "that it crosses, in the signal's unit"),
    CHOICE("direction", "rising|falling|either", 2, "in which it crosses"),
};
ELEMENT(crossing, "measure", "crossing", "study",
        "A measure of a study: the time at which a signal first crosses a level, linear between "
        "samples; none if it does not.");

static const rutField metric_rows[] = {
    REQUIRED_TEXT("metric", "a metric of manoeuvres or of the ride, such as lane_clearance"),
    TEXT("vehicle", "default: the first one"),
};
ELEMENT(metric, "measure", "metric", "study",
        "A measure of a study: a metric that rut run tells of a vehicle.");

static const rutField expression_rows[] = {
    REQUIRED_TEXT("value",
                  "expression in the names of inputs that are numbers, of measures before it, and "
                  "end_time"),
    TEXT("unit", "of the result"),
};
ELEMENT(expression, "measure", "expression", "study",
        "A measure of a study: an expression in inputs and other measures.");

static const rutField stop_rows[] = {
    SIGNAL_ROW,
    OPTIONAL("above", "", "the run ends when the signal is above this, in its unit"),
    OPTIONAL("below", "", "or when it is below this"),
    REAL("after", "s", 0, 0, 1e9, "from this time on"),
    BOOLEAN("fails", 0, "a run that ends so does not pass"),
};
ELEMENT(stop, "stop", "", "study", "A condition that ends a run before its duration is over.");

static const rutField pass_rows[] = {
    REQUIRED_TEXT("condition",
                  "expression in inputs, measures and end_time; a run passes if all are true"),
};
ELEMENT(pass, "pass", "", "study", "What a run of a study has to fulfil to pass.");

static const rutComponent* const elements[] = {
    &study, &grid,   &list,       &choice,      &uniform, &normal,     &lognormal, &triangular,
    &table, &option, &set,        &correlation, &last,    &least,      &greatest,  &largest,
    &mean,  &rms,    &percentile, &crossing,    &metric,  &expression, &stop,      &pass,
};

const rutComponent* const* rut_study_schema(int* n) {
  *n = RUT_COUNT_OF(elements);
  return elements;
}
