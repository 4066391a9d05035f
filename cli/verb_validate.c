// SPDX-License-Identifier: BSD-3-Clause
//
// rut validate: compare what rut computes with closed forms.
#include <math.h>
#include <string.h>

#include "cli.h"
#include "json.h"
#include "rut/host.h"
#include "table.h"
#include "validate/lab.h"

enum { MAX_CASES = 512 };

typedef struct ValidateOptions {
  bool json, list;
} ValidateOptions;

static const cliOption options[] = {
    {"json", 'j', CLI_FLAG, "", 0, 0, offsetof(ValidateOptions, json),
     "print the results as a JSON array"},
    {"list", 'l', CLI_FLAG, "", 0, 0, offsetof(ValidateOptions, list),
     "print the names of all cases"},
};

typedef struct Result {
  double value, reference, error, tolerance;  // error and tolerance are absolute
  bool pass;
} Result;

static Result run_case(const cliCase* test) {
  Result result = {.value = (double)NAN, .reference = (double)NAN};
  cliLab lab = {0};
  lab.failed = cli_world_open(&lab.world, stderr, 1, 0) != CLI_GO_ON;
  lab.world.report.quiet = true;
  test->run(&lab, &result.value, &result.reference);
  if (lab.failed) {
    fprintf(stderr, "rut: error: case '%s' could not be run\n", test->name);
    result.value = (double)NAN;
  }
  cli_world_close(&lab.world);
  result.error = fabs(result.value - result.reference);
  result.tolerance = test->relative ? test->tolerance * fabs(result.reference) : test->tolerance;
  result.pass = result.error <= result.tolerance;
  return result;
}

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

// Run the chosen cases and print them. Returns the number that failed.
static int run_cases(const bool* chosen, bool as_json) {
  int n = 0, ran = 0, failed = 0;
  const cliCase* all = cli_cases(&n);
  cliJson json;
  cliTable table;
  cli_json_init(&json, stdout);
  table_header(&table);
  if (as_json) cli_json_array(&json, NULL);
  for (int i = 0; i < n; i++) {
    if (!chosen[i]) continue;
    Result result = run_case(&all[i]);
    ran++;
    failed += !result.pass;
    if (as_json) json_result(&json, &all[i], &result);
    table_result(&table, &all[i], &result);
  }
  if (as_json) {
    cli_json_end(&json);
  } else {
    cli_table_print(&table, "llrrlrrl", stdout);
    printf("\n%d passed, %d failed\n", ran - failed, failed);
  }
  cli_table_free(&table);
  return failed;
}

static int run_validate(int argc, char** argv) {
  ValidateOptions option = {0};
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
  return run_cases(chosen, option.json) ? CLI_SHORT : CLI_DONE;
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
