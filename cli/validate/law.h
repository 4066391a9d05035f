// SPDX-License-Identifier: BSD-3-Clause
//
// Laws on a bench: a component by its public face, given numbers, and the numbers that it must
// answer. A case is a row of text in one of the laws_*.def, which tools/reference_laws.py writes
// from published formulas; it shares no code with the library.
#ifndef RUT_CLI_VALIDATE_LAW_H
#define RUT_CLI_VALIDATE_LAW_H

#include "lab.h"
#include "rut/component.h"

typedef struct cliLawRow {
  const char* bench;     // what is tried: name of a bench below
  const char* type;      // of the component: "fiala"
  const char* settings;  // its fields besides the defaults: "width=0.3 shear=isotropic gears=3,2,1"
  const char* at;        // inputs of the bench besides their defaults: "load=6500 slip=0.1"
  const char* gives;     // outputs: "fx=969.645 fy=0"
} cliLawRow;

enum { CLI_LAW_NUMBERS = 2048 };

// A component and its parameters.
typedef struct cliLaw {
  const rutComponent* type;
  const char* settings;
  double param[CLI_LAW_NUMBERS], derived[CLI_LAW_NUMBERS];
} cliLaw;

// A bench: inputs and outputs by name, one double each.
typedef struct cliBench {
  const char *name, *kind;  // kind of component
  int inputs, outputs;
  const char* const* input;
  const double* preset;  // of the inputs
  const char* const* output;
  // NULL: the outputs are the component's numbers by their names.
  void (*run)(cliLab* lab, const cliLaw* law, const double* in, double* out);
} cliBench;

// Inputs and outputs as lists X(name, default) and X(name): structs of doubles, names, defaults.
#define CLI_BENCH_IN(name, def)      double name;
#define CLI_BENCH_IN_NAME(name, def) #name,
#define CLI_BENCH_IN_DEF(name, def)  def,
#define CLI_BENCH_OUT(name)          double name;
#define CLI_BENCH_OUT_NAME(name)     #name,
// The tables of a bench from its lists In(X), Out(X).
#define CLI_BENCH_TABLES(IN, OUT)                                   \
  static const char* const input_names[] = {IN(CLI_BENCH_IN_NAME)}; \
  static const double input_presets[] = {IN(CLI_BENCH_IN_DEF)};     \
  static const char* const output_names[] = {OUT(CLI_BENCH_OUT_NAME)};
#define CLI_BENCH_NAMES                                                                       \
  .inputs = CLI_COUNT(input_names), .outputs = CLI_COUNT(output_names), .input = input_names, \
  .preset = input_presets, .output = output_names

extern const cliBench cli_bench_tyre, cli_bench_carcass, cli_bench_wheel, cli_bench_seen;
extern const cliBench cli_bench_soil, cli_bench_traction, cli_bench_sink, cli_bench_plate;
extern const cliBench cli_bench_drive, cli_bench_suspension, cli_bench_mechanism;

// What a row came to: the output that is worst, its reference, its name (static), and the error
// that is allowed. Errors are relative to the reference, or to the largest of the row where it is
// 0.
typedef struct cliLawResult {
  double value, reference, tolerance;
  const char* output;
} cliLawResult;

// Run a row; tolerance is relative.
cliLawResult cli_law_run(cliLab* lab, const cliLawRow* row, double tolerance);

#endif  // RUT_CLI_VALIDATE_LAW_H
