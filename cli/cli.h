// SPDX-License-Identifier: BSD-3-Clause
//
// Shared by all verbs: exit codes and the list of verbs.
#ifndef RUT_CLI_H
#define RUT_CLI_H

#include "options.h"
#include "rut/rut.h"

// What the command returns to the shell. Documented in docs/man/rut.1.
enum {
  CLI_DONE = 0,
  CLI_SHORT = 1,         // a comparison or criterion fell short
  CLI_USAGE = 2,         // the command line is wrong
  CLI_INVALID = 3,       // an input file is invalid
  CLI_DIVERGED = 4,      // the simulation diverged
  CLI_MISSING = 5,       // an optional part is not built in
  CLI_IO = 6,            // a file could not be read or written
  CLI_INTERRUPTED = 130  // SIGINT or SIGTERM; logs are closed properly
};

// Exit code for a failed library call.
int cli_exit_code(rutStatus status);

extern const cliVerb cli_verb_suspension, cli_verb_soil, cli_verb_tyre, cli_verb_run,
    cli_verb_check, cli_verb_convert, cli_verb_doc, cli_verb_validate, cli_verb_bench,
    cli_verb_view, cli_verb_log, cli_verb_plot, cli_verb_replay, cli_verb_sense, cli_verb_video,
    cli_verb_dataset, cli_verb_trial, cli_verb_mobility, cli_verb_sweep, cli_verb_map,
    cli_verb_route, cli_verb_liftoff, cli_verb_plan, cli_verb_fmu;
// All of them, in the order of `rut --help`.
extern const cliVerb* const cli_verb[];
extern const int cli_verbs;

#endif  // RUT_CLI_H
