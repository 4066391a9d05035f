// SPDX-License-Identifier: BSD-3-Clause
//
// rut validate: compare what rut computes with closed forms.
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"
#include "json.h"
#include "rut/host.h"
#include "table.h"
#include "validate/lab.h"

enum { MAX_CASES = 512, MAX_WORKERS = 1024 };

typedef struct ValidateOptions {
  bool json, list;
  int64_t workers;
} ValidateOptions;

static const cliOption options[] = {
    {"json", 'j', CLI_FLAG, "", 0, 0, offsetof(ValidateOptions, json),
     "print the results as a JSON array"},
    {"list", 'l', CLI_FLAG, "", 0, 0, offsetof(ValidateOptions, list),
     "print the names of all cases"},
    {"workers", 'w', CLI_INTEGER, "N", 1, MAX_WORKERS, offsetof(ValidateOptions, workers),
     "cases that run at the same time (default: as many as there are processors)"},
};

typedef struct Result {
  double value, reference, error, tolerance;  // error and tolerance are absolute
  bool pass;
} Result;

// Run a case; errors are printed to out.
static Result run_case(const cliCase* test, FILE* out) {
  Result result = {.value = (double)NAN, .reference = (double)NAN};
  cliLab lab = {0};
  lab.failed = cli_world_open(&lab.world, out, 1, 0) != CLI_GO_ON;
  lab.world.report.quiet = true;
  lab.world.report.color = cli_wants_color(stderr);
  test->run(&lab, &result.value, &result.reference);
  if (lab.failed) {
    fprintf(out, "rut: error: case '%s' could not be run\n", test->name);
    result.value = (double)NAN;
  }
  cli_world_close(&lab.world);
  result.error = fabs(result.value - result.reference);
  result.tolerance = test->relative ? test->tolerance * fabs(result.reference) : test->tolerance;
  result.pass = result.error <= result.tolerance;
  return result;
}

// --- Cases side by side -----------------------------------------------------------------------

typedef struct Trial {
  const cliCase* test;
  Result result;
  char* errors;  // messages of the case, owned; NULL if they were printed at once
} Trial;

// Cases that the workers take one after the other.
typedef struct Queue {
  Trial trial[MAX_CASES];
  int n;
  atomic_int next;
} Queue;

static void* work(void* user) {
  Queue* queue = user;
  for (int i; (i = atomic_fetch_add(&queue->next, 1)) < queue->n;) {
    Trial* trial = &queue->trial[i];
    // errors wait until those of earlier cases are printed
    size_t size = 0;
    FILE* out = open_memstream(&trial->errors, &size);
    trial->result = run_case(trial->test, out ? out : stderr);
    if (out) fclose(out);
  }
  return NULL;
}

// Run all cases, so many at a time, and print their errors in order. A thread that cannot be
// started leaves its share to the others.
static void run_queue(Queue* queue, int64_t workers) {
  pthread_t thread[MAX_WORKERS];
  int threads = 0;
  while (threads < workers - 1 && threads < queue->n - 1 &&
         pthread_create(&thread[threads], NULL, work, queue) == 0) {
    threads++;
  }
  work(queue);
  for (int i = 0; i < threads; i++) pthread_join(thread[i], NULL);
  for (int i = 0; i < queue->n; i++) {
    if (queue->trial[i].errors) fputs(queue->trial[i].errors, stderr);
    free(queue->trial[i].errors);
  }
}

// --- Output -----------------------------------------------------------------------------------

static void json_result(cliJson* json, const cliCase* test, const Result* result) {
  cli_json_object(json, NULL);
  cli_json_text(json, "name", test->name);
  cli_json_text(json, "unit", test->unit);
  cli_json_number(json, "value", result->value);
  cli_json_number(json, "reference", result->reference);
  cli_json_number(json, "error", result->error);
  cli_json_number(json, "tolerance", result->tolerance);
  cli_json_bool(json, "pass", result->pass);
  cli_json_text(json, "source", test->source);
  cli_json_end(json);
}

static void table_result(cliTable* table, const cliCase* test, const Result* result) {
  cli_table_add(table, "%s", result->pass ? "pass" : "FAIL");
  cli_table_add(table, "%s", test->name);
  cli_table_add(table, "%.9g", result->value);
  cli_table_add(table, "%.9g", result->reference);
  cli_table_add(table, "%s", test->unit);
  cli_table_add(table, "%.2g", result->error);
  cli_table_add(table, "%.2g", result->tolerance);
  cli_table_add(table, "%s", test->source);
}

static void table_header(cliTable* table) {
  static const char* const header[] = {"", "case",  "value",     "reference",
                                       "", "error", "tolerance", "source"};
  cli_table_init(table, CLI_COUNT(header));
  for (int i = 0; i < CLI_COUNT(header); i++) cli_table_add(table, "%s", header[i]);
}

// Index of a case, -1 after telling that there is none.
static int find_case(const char* name) {
  const char* known[MAX_CASES];
  int n = 0;
  const cliCase* all = cli_cases(&n);
  for (int i = 0; i < n && i < MAX_CASES; i++) {
    if (strcmp(all[i].name, name) == 0) return i;
    known[i] = all[i].name;
  }
  const char* nearest = rut_nearest(name, (size_t)n, known);
  cli_usage_error(&cli_verb_validate, "there is no case '%s'%s%s%s", name,
                  nearest ? "; did you mean '" : "", nearest ? nearest : "",
                  nearest ? "'?" : ": 'rut validate --list' names them");
  return -1;
}

// Print what came out. Returns the number of cases that failed.
static int print_results(const Queue* queue, bool as_json) {
  int failed = 0;
  cliJson json;
  cliTable table;
  cli_json_init(&json, stdout);
  table_header(&table);
  if (as_json) cli_json_array(&json, NULL);
  for (int i = 0; i < queue->n; i++) {
    const Trial* trial = &queue->trial[i];
    failed += !trial->result.pass;
    if (as_json) json_result(&json, trial->test, &trial->result);
    table_result(&table, trial->test, &trial->result);
  }
  if (as_json) {
    cli_json_end(&json);
  } else {
    cli_table_print(&table, "llrrlrrl", stdout);
    printf("\n%d passed, %d failed\n", queue->n - failed, failed);
  }
  cli_table_free(&table);
  return failed;
}

static int64_t processors(void) {
  long n = sysconf(_SC_NPROCESSORS_ONLN);
  return n < 1 ? 1 : n > MAX_WORKERS ? MAX_WORKERS : n;
}

static int run_validate(int argc, char** argv) {
  ValidateOptions option = {.workers = processors()};
  cliList names;
  int code = cli_parse(&cli_verb_validate, argc, argv, &option, &names);
  if (code != CLI_GO_ON) return code;
  int n = 0;
  const cliCase* all = cli_cases(&n);
  if (option.list) {
    for (int i = 0; i < n; i++) printf("%s\n", all[i].name);
    return CLI_DONE;
  }
  bool chosen[MAX_CASES] = {false};
  for (int i = 0; i < n && names.n == 0; i++) chosen[i] = true;
  for (int i = 0; i < names.n; i++) {
    int found = find_case(names.item[i]);
    if (found < 0) return CLI_USAGE;
    chosen[found] = true;
  }
  Queue queue = {0};
  for (int i = 0; i < n; i++) {
    if (chosen[i]) queue.trial[queue.n++].test = &all[i];
  }
  run_queue(&queue, option.workers);
  return print_results(&queue, option.json) ? CLI_SHORT : CLI_DONE;
}

const cliVerb cli_verb_validate = {
    .name = "validate",
    .arguments = "[NAME...]",
    .min_arguments = 0,
    .max_arguments = CLI_LIST_SIZE,
    .summary = "compare what rut computes with closed forms",
    .details =
        "Each case builds a small world, runs it, and compares one number with a reference that\n"
        "does not come from rut. Exit code 1 if any falls short.",
    .examples =
        "  rut validate\n"
        "  rut validate pendulum_period ramp_roll_down\n"
        "  rut validate --json",
    .option = options,
    .options = CLI_COUNT(options),
    .run = run_validate,
};
