// SPDX-License-Identifier: BSD-3-Clause
//
// rut fmu: worlds as functional mock-up units.
#include <stdio.h>
#include <string.h>

#include "cli.h"
#include "rut/fmu.h"
#include "world.h"

typedef struct FmuOptions {
  const char *output, *step, *name;
  int64_t version, seed;
  cliList set, outputs, parameters;
  cliAllowed allowed;
  bool quiet;
} FmuOptions;

static const cliOption options[] = {
    {"output", 'o', CLI_TEXT, "FILE.fmu", 0, 0, offsetof(FmuOptions, output),
     "the file to write (required)"},
    {"fmi", 0, CLI_INTEGER, "2|3", 2, 3, offsetof(FmuOptions, version),
     "version of the standard (default 3)"},
    {"step", 0, CLI_TEXT, "S", 0, 0, offsetof(FmuOptions, step),
     "timestep, of which steps of the FMU are multiples (default: the world's)"},
    {"set", 's', CLI_TEXTS, "PATH=VALUE", 0, 0, offsetof(FmuOptions, set),
     "change a field of the world; may be repeated"},
    {"outputs", 0, CLI_TEXTS, "GLOB", 0, 0, offsetof(FmuOptions, outputs),
     "signals that are outputs, such as '*/speed' (default: all that a log takes); may be "
     "repeated"},
    {"parameters", 0, CLI_TEXTS, "GLOB", 0, 0, offsetof(FmuOptions, parameters),
     "fields that are parameters, such as '*/chassis.*' (default: all numbers); may be repeated"},
    {"name", 0, CLI_TEXT, "NAME", 0, 0, offsetof(FmuOptions, name),
     "name of the model (default: that of the file)"},
    {"seed", 0, CLI_INTEGER, "N", 0, 2147483647, offsetof(FmuOptions, seed),
     "seed of all noise, which is a parameter as well (default 0)"},
    CLI_ALLOW_OPTIONS(FmuOptions, allowed),
    {"quiet", 'q', CLI_FLAG, "", 0, 0, offsetof(FmuOptions, quiet),
     "print errors only, no warnings"},
};

static int export_world(cliWorld* world, const FmuOptions* option) {
  rutError err = {0};
  rutStatus status = RUT_OK;
  if (option->step) {
    status = rut_spec_set(world->spec, "timestep", option->step, &err);
    if (status != RUT_OK) {
      return cli_usage_error(&cli_verb_fmu, "--step: '%s' is no time such as 1ms", option->step);
    }
  }
  rutFmuDef def = rut_default_fmu();
  if (option->version) def.version = (int)option->version;
  def.name = option->name;
  const char* description = rut_node_text(world->spec, rut_spec_root(world->spec), "description");
  if (description[0]) def.description = description;
  def.seed = (uint64_t)option->seed;
  def.outputs = option->outputs.n;
  def.output = option->outputs.item;
  def.parameters = option->parameters.n;
  def.parameter = option->parameters.item;
  status = rut_fmu_export(world->spec, &def, option->output, &err);
  return status == RUT_OK ? CLI_DONE : cli_report_failure(&world->report, status, &err);
}

static int run_fmu(int argc, char** argv) {
  FmuOptions option = {0};
  cliList arguments;
  int code = cli_parse(&cli_verb_fmu, argc, argv, &option, &arguments);
  if (code != CLI_GO_ON) return code;
  if (strcmp(arguments.item[0], "export") != 0) {
    return cli_usage_error(&cli_verb_fmu, "'%s' is not what can be done: export",
                           arguments.item[0]);
  }
  if (!option.output) {
    return cli_usage_error(&cli_verb_fmu, "the file to write is missing: -o FILE.fmu");
  }
  cliWorld world;
  code = cli_world_open(&world, stderr, 1, 0);
  world.report.quiet = option.quiet;
  if (code == CLI_GO_ON) code = cli_world_allow(&world, &option.allowed);
  if (code == CLI_GO_ON) code = cli_world_load(&world, arguments.item[1], &option.set);
  if (code == CLI_GO_ON && rut_context_has_read(world.context, option.output)) {
    rutError err = {.status = RUT_ERR_IO};
    snprintf(err.message, sizeof err.message,
             "'%.300s' cannot be written: it was read as an input, and would be lost",
             option.output);
    code = cli_report_failure(&world.report, RUT_ERR_IO, &err);
  }
  if (code == CLI_GO_ON) code = export_world(&world, &option);
  cli_world_close(&world);
  return code;
}

const cliVerb cli_verb_fmu = {
    .name = "fmu",
    .arguments = "export WORLD",
    .min_arguments = 2,
    .max_arguments = 2,
    .summary = "write a world as an FMU, for Simulink, OpenModelica, FMPy, ...",
    .details =
        "Set points of vehicles are inputs, signals outputs, and numbers of the world parameters,\n"
        "by the names of --log-signals and --set. An FMU (functional mock-up unit, co-simulation)\n"
        "holds the world, its files, and rut itself; its runs have the bits of rut run.",
    .examples =
        "  rut fmu export worlds/demo.xml -o demo.fmu\n"
        "  rut fmu export worlds/hmmwv.xml -o hmmwv.fmu --fmi 2 --outputs 'hmmwv/*'",
    .option = options,
    .options = CLI_COUNT(options),
    .run = run_fmu,
};
