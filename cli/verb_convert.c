// SPDX-License-Identifier: BSD-3-Clause
//
// rut convert: other programs' world files to rut's own format.
#include "cli.h"
#include "vehicle_file.h"
#include "world.h"

typedef struct ConvertOptions {
  const char* output;
  cliList set, plugin;
  cliAllowed allowed;
  bool quiet;
} ConvertOptions;

static const cliOption options[] = {
    {"output", 'o', CLI_TEXT, "FILE", 0, 0, offsetof(ConvertOptions, output),
     "the file to write (required)"},
    {"set", 's', CLI_TEXTS, "PATH=VALUE", 0, 0, offsetof(ConvertOptions, set),
     "change a field of the world; may be repeated"},
    {"plugin", 0, CLI_TEXTS, "FILE.so", 0, 0, offsetof(ConvertOptions, plugin),
     "load component types from a shared library; may be repeated"},
    CLI_ALLOW_OPTIONS(ConvertOptions, allowed),
    {"quiet", 'q', CLI_FLAG, "", 0, 0, offsetof(ConvertOptions, quiet),
     "print errors only, no warnings"},
};

static int convert_world(int argc, char** argv) {
  ConvertOptions option = {0};
  cliList arguments;
  int code = cli_parse(&cli_verb_convert, argc, argv, &option, &arguments);
  if (code != CLI_GO_ON) return code;
  if (!option.output) {
    return cli_usage_error(&cli_verb_convert, "the file to write is missing: -o FILE");
  }
  cliWorld world;
  code = cli_world_open(&world, stderr, 1, 0);
  world.report.quiet = option.quiet;
  if (code == CLI_GO_ON) code = cli_world_allow(&world, &option.allowed);
  if (code == CLI_GO_ON) code = cli_world_plugins(&world, &option.plugin);
  if (code == CLI_GO_ON) {
    code = arguments.n > 1 ? cli_parts_load(&world, &arguments, &option.set)
                           : cli_world_load(&world, arguments.item[0], &option.set);
  }
  if (code == CLI_GO_ON && rut_context_has_read(world.context, option.output)) {
    rutError err = {.status = RUT_ERR_IO};
    snprintf(err.message, sizeof err.message,
             "'%.300s' cannot be written: it was read as an input, and would be lost",
             option.output);
    code = cli_report_failure(&world.report, RUT_ERR_IO, &err);
  }
  if (code == CLI_GO_ON) {
    rutError err = {0};
    rutStatus status = rut_spec_save(world.spec, option.output, &err);
    code = status == RUT_OK ? CLI_DONE : cli_report_failure(&world.report, status, &err);
  }
  cli_world_close(&world);
  return code;
}

const cliVerb cli_verb_convert = {
    .name = "convert",
    .arguments = "WORLD [PART...]",
    .min_arguments = 1,
    .max_arguments = 8,
    .summary = "write a world file of another program in rut's own format",
    .details =
        "Variables, loops and included files are expanded. The written file compiles to the same\n"
        "model, bit by bit. A vehicle of Project Chrono takes further files: a tyre, an engine, a\n"
        "transmission.",
    .examples =
        "  rut convert demo.world.xml -o demo.xml\n"
        "  rut convert Vehicle.json TMeasyTire.json -o vehicle.xml\n"
        "  rut convert world.xml --set 'r1/chassis.mass=20 kg' -o heavier.xml",
    .option = options,
    .options = CLI_COUNT(options),
    .run = convert_world,
};
