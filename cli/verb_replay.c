// SPDX-License-Identifier: BSD-3-Clause
//
// rut replay: a log in the browser.
#include <stddef.h>

#include "cli.h"
#ifdef RUT_HAVE_VIEWER
#include "view/browser.h"
#include "view/view.h"
#else
#include "report.h"
#endif

typedef struct Options {
  const char *host, *compare;
  int64_t port;
  bool no_open, paused, loop;
} Options;

static const cliOption options[] = {
    {"compare", 'c', CLI_TEXT, "LOG", 0, 0, offsetof(Options, compare),
     "show the vehicles of another log beside it, as ghosts"},
    {"loop", 'l', CLI_FLAG, "", 0, 0, offsetof(Options, loop), "start again at the end"},
    {"paused", 0, CLI_FLAG, "", 0, 0, offsetof(Options, paused), "start paused"},
    {"port", 'p', CLI_INTEGER, "N", 0, 65535, offsetof(Options, port),
     "port to listen on; 0 takes a free one (default 8080)"},
    {"host", 0, CLI_TEXT, "ADDRESS", 0, 0, offsetof(Options, host),
     "address to listen on (default 127.0.0.1: only this machine)"},
    {"no-open", 0, CLI_FLAG, "", 0, 0, offsetof(Options, no_open), "do not open a browser"},
};

#ifdef RUT_HAVE_VIEWER
static int show_log(const Options* option, const char* path) {
  const viewOptions view = {.path = path,
                            .host = option->host,
                            .port = option->port,
                            .open = !option->no_open && view_has_desktop(),
                            .paused = option->paused,
                            .loop = option->loop};
  const char* const log[] = {path, option->compare};
  return view_logs(log, option->compare ? 2 : 1, &view);
}
#else
static int show_log(const Options* option, const char* path) {
  (void)option;
  (void)path;
  return cli_tell_missing_viewer();
}
#endif

static int replay_verb(int argc, char** argv) {
  Options option = {.host = "127.0.0.1", .port = 8080};
  cliList arguments;
  const int code = cli_parse(&cli_verb_replay, argc, argv, &option, &arguments);
  return code == CLI_GO_ON ? show_log(&option, arguments.item[0]) : code;
}

const cliVerb cli_verb_replay = {
    .name = "replay",
    .arguments = "LOG",
    .min_arguments = 1,
    .max_arguments = 1,
    .summary = "show a log in the browser: scrub, loop, compare",
    .details =
        "LOG was written by 'rut run --log' or 'rut view --record'. The page is that of rut view.",
    .examples =
        "  rut replay run.mcap\n"
        "  rut replay run.mcap --compare other.mcap --loop",
    .option = options,
    .options = CLI_COUNT(options),
    .run = replay_verb,
};
