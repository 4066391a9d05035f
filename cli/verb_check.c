// SPDX-License-Identifier: BSD-3-Clause
//
// rut check: report all errors of world files.
#include "cli.h"
#include "json.h"
#include "rut/host.h"
#include "world.h"

typedef struct CheckOptions {
  bool json, quiet;
  cliList plugin;
  cliAllowed allowed;
} CheckOptions;

static const cliOption options[] = {
    {"json", 'j', CLI_FLAG, "", 0, 0, offsetof(CheckOptions, json),
     "print the findings as a JSON array"},
    {"quiet", 'q', CLI_FLAG, "", 0, 0, offsetof(CheckOptions, quiet),
     "print errors only, no warnings"},
    {"plugin", 0, CLI_TEXTS, "FILE.so", 0, 0, offsetof(CheckOptions, plugin),
     "load component types from a shared library; may be repeated"},
    CLI_ALLOW_OPTIONS(CheckOptions, allowed),
};

static void print_json(const cliReport* report) {
  static const char* const level[] = {"note", "warning", "error"};
  cliJson json;
  cli_json_init(&json, stdout);
  cli_json_array(&json, NULL);
  for (int i = 0; i < report->findings; i++) {
    const cliFinding* finding = &report->finding[i];
    cli_json_object(&json, NULL);
    cli_json_text(&json, "level", level[finding->level]);
    cli_json_text(&json, "file", finding->file);
    cli_json_integer(&json, "line", finding->line);
    cli_json_integer(&json, "column", finding->column);
    cli_json_text(&json, "element", finding->element);
    cli_json_text(&json, "message", finding->message);
    cli_json_text(&json, "hint", finding->hint);
    cli_json_end(&json);
  }
  cli_json_end(&json);
}

// Whether there is what the world's logs name. Returns CLI_GO_ON or an exit code.
static int check_logs(cliWorld* world) {
  rutError err = {0};
  rutLoggers* loggers;
  const rutStatus status = rut_loggers_create(world->spec, world->model, NULL, &loggers, &err);
  rut_loggers_close(loggers, NULL);
  return status == RUT_OK ? CLI_GO_ON : cli_report_failure(&world->report, status, &err);
}

static int check_worlds(int argc, char** argv) {
  CheckOptions option = {0};
  cliList files;
  int code = cli_parse(&cli_verb_check, argc, argv, &option, &files);
  if (code != CLI_GO_ON) return code;
  cliWorld world;
  code = cli_world_open(&world, stdout, 1, 0);
  world.report.quiet = option.quiet;
  if (code == CLI_GO_ON) code = cli_world_allow(&world, &option.allowed);
  if (code == CLI_GO_ON) code = cli_world_plugins(&world, &option.plugin);
  world.report.silent = option.json;
  int worst = CLI_DONE;
  for (int i = 0; i < files.n && code == CLI_GO_ON; i++) {
    int result = cli_world_load(&world, files.item[i], NULL);
    // rules across elements need a model, and memory limits need data
    if (result == CLI_GO_ON) result = cli_world_compile(&world);
    if (result == CLI_GO_ON) result = cli_world_start(&world, 0);
    if (result == CLI_GO_ON) result = check_logs(&world);
    if (result != CLI_GO_ON && worst != CLI_INVALID) worst = result;
    cli_world_unload(&world);
  }
  if (code == CLI_GO_ON) {
    code = worst == CLI_DONE && world.report.errors ? CLI_INVALID : worst;
    if (option.json) {
      print_json(&world.report);
    } else {
      int errors = world.report.errors, warnings = world.report.warnings;
      printf("%d error%s, %d warning%s\n", errors, errors == 1 ? "" : "s", warnings,
             warnings == 1 ? "" : "s");
    }
  }
  cli_world_close(&world);
  return code;
}

const cliVerb cli_verb_check = {
    .name = "check",
    .arguments = "WORLD...",
    .min_arguments = 1,
    .max_arguments = CLI_LIST_SIZE,
    .summary = "report all errors of world files",
    .details =
        "Reads and compiles each file, and prints every finding with its place. Exit code 3 if\n"
        "there are errors.",
    .examples =
        "  rut check world.xml\n"
        "  rut check worlds/*.xml --quiet",
    .option = options,
    .options = CLI_COUNT(options),
    .run = check_worlds,
};
