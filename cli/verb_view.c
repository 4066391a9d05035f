// SPDX-License-Identifier: BSD-3-Clause
//
// rut view: a world in the browser, live.
#include <stddef.h>

#include "cli.h"
#include "world.h"
#ifdef RUT_HAVE_VIEWER
#include "view/browser.h"
#include "view/view.h"
#else
#include "report.h"
#endif

typedef struct Options {
  cliList set, plugin;
  cliAllowed allowed;
  const char *host, *record, *output, *inputs;
  int64_t port, seed, workers;
  bool no_open, paused;
} Options;

static const cliOption options[] = {
    {"port", 'p', CLI_INTEGER, "N", 0, 65535, offsetof(Options, port),
     "port to listen on; 0 takes a free one (default 8080)"},
    {"host", 0, CLI_TEXT, "ADDRESS", 0, 0, offsetof(Options, host),
     "address to listen on (default 127.0.0.1: only this machine)"},
    {"no-open", 0, CLI_FLAG, "", 0, 0, offsetof(Options, no_open), "do not open a browser"},
    {"paused", 0, CLI_FLAG, "", 0, 0, offsetof(Options, paused), "start paused"},
    {"inputs", 'i', CLI_TEXT, "FILE.csv", 0, 0, offsetof(Options, inputs),
     "set points over time; the header names the columns: t,vehicle,speed,..."},
    {"record", 'r', CLI_TEXT, "LOG", 0, 0, offsetof(Options, record),
     "write a log of the run (MCAP)"},
    {"output", 'o', CLI_TEXT, "DIR", 0, 0, offsetof(Options, output),
     "write the logs that the world names into this folder, replacing none"},
    {"set", 's', CLI_TEXTS, "PATH=VALUE", 0, 0, offsetof(Options, set),
     "change a field of the world; may be repeated"},
    {"plugin", 0, CLI_TEXTS, "FILE.so", 0, 0, offsetof(Options, plugin),
     "load component types from a shared library; may be repeated"},
    CLI_ALLOW_OPTIONS(Options, allowed),
    {"seed", 0, CLI_INTEGER, "N", 0, 9e15, offsetof(Options, seed),
     "seed of all noise (default 0)"},
    {"workers", 'w', CLI_INTEGER, "N", 1, 1024, offsetof(Options, workers),
     "threads; the result is the same for any number (default 1)"},
};

#ifdef RUT_HAVE_VIEWER
static int show_world(const Options* option, const char* path) {
  const viewOptions view = {.path = path,
                            .host = option->host,
                            .record = option->record,
                            .output = option->output,
                            .inputs = option->inputs,
                            .port = option->port,
                            .seed = option->seed,
                            .open = !option->no_open && view_has_desktop(),
                            .paused = option->paused};
  cliWorld world;
  int code = cli_world_open(&world, stderr, option->workers, (uint64_t)option->seed);
  world.report.named = option->inputs;
  if (code == CLI_GO_ON && option->inputs) rut_context_note_input(world.context, option->inputs);
  if (code == CLI_GO_ON) code = cli_world_allow(&world, &option->allowed);
  if (code == CLI_GO_ON) code = cli_world_plugins(&world, &option->plugin);
  if (code == CLI_GO_ON) code = cli_world_load(&world, path, &option->set);
  if (code == CLI_GO_ON) code = cli_world_compile(&world);
  if (code == CLI_GO_ON) code = cli_world_start(&world, (uint64_t)option->seed);
  if (code == CLI_GO_ON) code = view_world(&world, &view);
  cli_world_close(&world);
  return code;
}
#else
static int show_world(const Options* option, const char* path) {
  (void)option;
  (void)path;
  return cli_tell_missing_viewer();
}
#endif

static int view_verb(int argc, char** argv) {
  Options option = {.host = "127.0.0.1", .port = 8080, .workers = 1};
  cliList arguments;
  const int code = cli_parse(&cli_verb_view, argc, argv, &option, &arguments);
  return code == CLI_GO_ON ? show_world(&option, arguments.item[0]) : code;
}

const cliVerb cli_verb_view = {
    .name = "view",
    .arguments = "WORLD",
    .min_arguments = 1,
    .max_arguments = 1,
    .summary = "show a world in the browser, live, and drive in it",
    .details =
        "The page and its stream are served on one port of this machine; ctrl-C ends it. With\n"
        "--host other machines may look and drive; the printed address then has a token.",
    .examples =
        "  rut view worlds/demo.xml\n"
        "  rut view world.xml --port 0 --no-open\n"
        "  rut view world.xml --paused --set 'rover/tyre.friction=0.3'\n"
        "  rut view world.xml --host 0.0.0.0",
    .option = options,
    .options = CLI_COUNT(options),
    .run = view_verb,
};
