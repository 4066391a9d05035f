// SPDX-License-Identifier: BSD-3-Clause
//
// rut validate: compare what rut computes with numbers that do not come from rut.
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
#include "validate/seed.h"

enum { MAX_CASES = 2048, MAX_WORKERS = 1024 };

typedef struct ValidateOptions {
  bool json, list, verbose, seed;
  int64_t workers;
} ValidateOptions;

static const cliOption options[] = {
    {"json", 'j', CLI_FLAG, "", 0, 0, offsetof(ValidateOptions, json),
     "print the results as a JSON array"},
    {"list", 'l', CLI_FLAG, "", 0, 0, offsetof(ValidateOptions, list),
     "print the names of all cases"},
    {"verbose", 'v', CLI_FLAG, "", 0, 0, offsetof(ValidateOptions, verbose),
     "print every case, with value, reference, error, tolerance and source"},
    {"seed", 's', CLI_FLAG, "", 0, 0, offsetof(ValidateOptions, seed),
     "print every number, table and figure of the four documents that rut began with, beside ours"},
    {"workers", 'w', CLI_INTEGER, "N", 1, MAX_WORKERS, offsetof(ValidateOptions, workers),
     "cases that run at the same time (default: as many as there are processors)"},
};

typedef struct Result {
  double value, reference, error, tolerance;  // error and tolerance are absolute
  const char* unit;
  bool pass;
} Result;

// Run a case; errors are printed to out.
static Result run_case(const cliCase* test, FILE* out) {
  Result result = {.value = (double)NAN, .reference = (double)NAN};
  cliLab lab = {0};
  lab.failed = cli_world_open(&lab.world, out, 1, 0) != CLI_GO_ON;
  lab.world.report.quiet = true;
  lab.world.report.color = cli_wants_color(stderr);
  result.unit = test->unit;
  result.tolerance = (double)NAN;
  if (test->row) {
    const cliLawResult law = cli_law_run(&lab, test->row, test->tolerance);
    result.value = law.value;
    result.reference = law.reference;
    result.tolerance = law.tolerance;
    result.unit = law.output;
  } else {
    test->run(&lab, &result.value, &result.reference);
  }
  if (lab.failed) {
    fprintf(out, "rut: error: case '%s' could not be run\n", test->name);
    result.value = (double)NAN;
  }
  cli_world_close(&lab.world);
  result.error = fabs(result.value - result.reference);
  if (!test->row) {
    result.tolerance = test->relative ? test->tolerance * fabs(result.reference) : test->tolerance;
  }
  result.pass = result.error <= result.tolerance;
  return result;
}

// --- Cases side by side -----------------------------------------------------------------------

typedef struct Trial {
  const cliCase* test;
  const char* group;
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

static void json_result(cliJson* json, const Trial* trial) {
  const cliCase* test = trial->test;
  const Result* result = &trial->result;
  cli_json_object(json, NULL);
  cli_json_text(json, "name", test->name);
  cli_json_text(json, "group", trial->group);
  cli_json_text(json, "unit", result->unit);
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
  cli_table_add(table, "%s", result->unit);
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
  for (const cliCase* test; n < MAX_CASES && (test = cli_case_at(n, NULL)); n++) {
    if (strcmp(test->name, name) == 0) return n;
    known[n] = test->name;
  }
  const char* nearest = rut_nearest(name, (size_t)n, known);
  cli_usage_error(&cli_verb_validate, "there is no case '%s'%s%s%s", name,
                  nearest ? "; did you mean '" : "", nearest ? nearest : "",
                  nearest ? "'?" : ": 'rut validate --list' names them");
  return -1;
}

// Chooses the cases of a group by its name; false if there is none.
static bool choose_group(const char* name, bool chosen[MAX_CASES]) {
  bool found = false;
  const char* group;
  for (int i = 0; i < MAX_CASES && cli_case_at(i, &group); i++) {
    if (strcmp(group, name) != 0) continue;
    chosen[i] = found = true;
  }
  return found;
}

static void print_json(const Queue* queue) {
  cliJson json;
  cli_json_init(&json, stdout);
  cli_json_array(&json, NULL);
  for (int i = 0; i < queue->n; i++) json_result(&json, &queue->trial[i]);
  cli_json_end(&json);
}

// The cases that failed, or all.
static void print_cases(const Queue* queue, bool all) {
  cliTable table;
  int rows = 0;
  table_header(&table);
  for (int i = 0; i < queue->n; i++) {
    const Trial* trial = &queue->trial[i];
    if (!all && trial->result.pass) continue;
    table_result(&table, trial->test, &trial->result);
    rows++;
  }
  if (rows > 0) cli_table_print(&table, "llrrlrrl", stdout);
  if (rows > 0) printf("\n");
  cli_table_free(&table);
}

// A line for each group: how many pass, and the case that comes nearest to its tolerance.
static void print_groups(const Queue* queue) {
  static const char* const header[] = {"group", "cases", "pass", "nearest", "to its tolerance"};
  cliTable table;
  cli_table_init(&table, CLI_COUNT(header));
  for (int i = 0; i < CLI_COUNT(header); i++) cli_table_add(&table, "%s", header[i]);
  for (int i = 0; i < queue->n;) {
    const char *group = queue->trial[i].group, *nearest = "";
    int cases = 0, passed = 0;
    double most = -1;
    for (; i < queue->n && queue->trial[i].group == group; i++) {
      const Result* r = &queue->trial[i].result;
      const double part = r->tolerance > 0 ? r->error / r->tolerance : (double)!r->pass;
      cases++;
      passed += r->pass;
      // NaN is farthest
      if (part <= most) continue;
      most = part;
      nearest = queue->trial[i].test->name;
    }
    cli_table_add(&table, "%s", group);
    cli_table_add(&table, "%d", cases);
    cli_table_add(&table, "%d", passed);
    cli_table_add(&table, "%.2g", most);
    cli_table_add(&table, "%s", nearest);
  }
  cli_table_print(&table, "lrrrl", stdout);
  printf("\n");
  cli_table_free(&table);
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
  if (option.seed && (option.list || names.n > 0)) {
    return cli_usage_error(&cli_verb_validate, "--seed takes no NAME and no --list");
  }
  if (option.seed) return cli_seed_print(option.json);
  int n = 0;
  while (n < MAX_CASES && cli_case_at(n, NULL)) n++;
  for (int i = 0; option.list && i < n; i++) printf("%s\n", cli_case_at(i, NULL)->name);
  if (option.list) return CLI_DONE;
  bool chosen[MAX_CASES] = {false};
  for (int i = 0; i < n && names.n == 0; i++) chosen[i] = true;
  for (int i = 0; i < names.n; i++) {
    if (choose_group(names.item[i], chosen)) continue;
    int found = find_case(names.item[i]);
    if (found < 0) return CLI_USAGE;
    chosen[found] = true;
  }
  Queue queue = {0};
  for (int i = 0; i < n; i++) {
    if (!chosen[i]) continue;
    Trial* trial = &queue.trial[queue.n++];
    trial->test = cli_case_at(i, &trial->group);
  }
  run_queue(&queue, option.workers);
  int failed = 0;
  for (int i = 0; i < queue.n; i++) failed += !queue.trial[i].result.pass;
  if (option.json) {
    print_json(&queue);
    return failed ? CLI_SHORT : CLI_DONE;
  }
  const bool all = option.verbose || names.n > 0;
  if (!all) print_groups(&queue);
  print_cases(&queue, all);
  printf("%d passed, %d failed\n", queue.n - failed, failed);
  return failed ? CLI_SHORT : CLI_DONE;
}

const cliVerb cli_verb_validate = {
    .name = "validate",
    .arguments = "[NAME...]",
    .min_arguments = 0,
    .max_arguments = CLI_LIST_SIZE,
    .summary = "compare what rut computes with published numbers and closed forms",
    .details =
        "Each case puts a law on a bench, or builds a small world and runs it, and compares with "
        "a\n"
        "number that does not come from rut. Prints a line for each group, and the cases that "
        "fail;\n"
        "every case with its reference and source with --verbose or by NAME, of a case or of a\n"
        "group. Exit code 1 if any "
        "falls short.",
    .examples =
        "  rut validate\n"
        "  rut validate pendulum_period ramp_roll_down\n"
        "  rut validate --verbose | grep fiala\n"
        "  rut validate --json\n"
        "  rut validate --seed",
    .option = options,
    .options = CLI_COUNT(options),
    .run = run_validate,
};
