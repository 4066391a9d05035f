// SPDX-License-Identifier: BSD-3-Clause
//
// The command: finds the verb and runs it.
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "cli.h"
#include "rut/host.h"

const cliVerb* const cli_verb[] = {
    &cli_verb_run,        &cli_verb_view,    &cli_verb_replay,   &cli_verb_check,
    &cli_verb_convert,    &cli_verb_doc,     &cli_verb_validate, &cli_verb_bench,
    &cli_verb_suspension, &cli_verb_soil,    &cli_verb_tyre,     &cli_verb_log,
    &cli_verb_plot,       &cli_verb_sense,   &cli_verb_video,    &cli_verb_dataset,
    &cli_verb_trial,      &cli_verb_liftoff, &cli_verb_mobility, &cli_verb_sweep,
    &cli_verb_map,        &cli_verb_route,   &cli_verb_plan,     &cli_verb_fmu,
};
const int cli_verbs = CLI_COUNT(cli_verb);

int cli_exit_code(rutStatus status) {
  switch (status) {
    case RUT_OK:
      return CLI_DONE;
    case RUT_ERR_ARGUMENT:
      return CLI_USAGE;
    case RUT_ERR_DIVERGED:
      return CLI_DIVERGED;
    case RUT_ERR_MISSING:
      return CLI_MISSING;
    case RUT_ERR_IO:
    case RUT_ERR_MEMORY:
      return CLI_IO;
    case RUT_ERR_PARSE:
    case RUT_ERR_MODEL:
    case RUT_ERR_CAPACITY:
    case RUT_ERR_VERSION:
    case RUT_ERR_STOPPED:
      break;
  }
  return CLI_INVALID;
}

static void print_help(void) {
  printf(
      "rut: simulates unmanned ground vehicles\n\n"
      "Usage: rut VERB [OPTIONS] [ARGUMENTS]\n\nVerbs:\n");
  for (int i = 0; i < CLI_COUNT(cli_verb); i++) {
    printf("  %-12s%s\n", cli_verb[i]->name, cli_verb[i]->summary);
  }
  printf(
      "\n'rut VERB --help' explains a verb. 'rut --version' prints the version.\n\n"
      "Examples:\n"
      "  rut check world.xml                 is everything in this file right?\n"
      "  rut run world.xml                   simulate it, and see what each vehicle did\n"
      "  rut run world.xml --csv log         the same, with a table of every step\n"
      "  rut doc tyre                        which tyres there are, and their parameters\n");
}

static int unknown_verb(const char* word) {
  const char* known[CLI_COUNT(cli_verb)];
  for (int i = 0; i < CLI_COUNT(cli_verb); i++) known[i] = cli_verb[i]->name;
  const char* nearest = rut_nearest(word, CLI_COUNT(cli_verb), known);
  const char* what = word[0] == '-' ? "option" : "verb";
  if (!nearest) return cli_usage_error(NULL, "unknown %s '%s'", what, word);
  return cli_usage_error(NULL, "unknown %s '%s'; did you mean '%s'?", what, word, nearest);
}

static int run_verb(int argc, char** argv) {
  if (argc < 2) {
    print_help();
    return CLI_USAGE;
  }
  const char* word = argv[1];
  if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) {
    print_help();
    return CLI_DONE;
  }
  if (strcmp(word, "--version") == 0) {
    printf("rut %s\n", RUT_VERSION_STRING);
    return CLI_DONE;
  }
  for (int i = 0; i < CLI_COUNT(cli_verb); i++) {
    if (strcmp(word, cli_verb[i]->name) == 0) return cli_verb[i]->run(argc - 2, argv + 2);
  }
  return unknown_verb(word);
}

int main(int argc, char** argv) {
  // a file size limit then makes the write fail, which is reported
  signal(SIGXFSZ, SIG_IGN);
  int code = run_verb(argc, argv);
  // a full disk shows when the last of the output is written
  if (fflush(stdout) != 0 || ferror(stdout)) {
    fprintf(stderr, "rut: error: cannot write the output\n");
    if (code == CLI_DONE || code == CLI_SHORT) code = CLI_IO;
  }
  return code;
}
