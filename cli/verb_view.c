// SPDX-License-Identifier: BSD-3-Clause
//
// rut view: a world in the browser, live.
#include <math.h>
#include <stddef.h>
#include <stdio.h>

#include "cli.h"
#include "links.h"
#include "plot_study.h"
#include "view/afar.h"
#include "world.h"
#ifdef RUT_HAVE_VIEWER
#include "view/access.h"
#include "view/browser.h"
#include "view/view.h"
#else
#include "report.h"
#endif

typedef struct Options {
  cliList set, plugin, origin, ancestor;
  cliAllowed allowed;
  const char *host, *record, *output, *inputs;
  const char* study;
  int64_t port, seed, workers, run;
  bool no_open, paused, ends_with_input;
  viewAfar afar;
  cliLinksOptions links;
} Options;

static const cliOption options[] = {
    {"port", 'p', CLI_INTEGER, "N", 0, 65535, offsetof(Options, port),
     "port to listen on; 0 takes a free one (default 8080)"},
    {"host", 0, CLI_TEXT, "ADDRESS", 0, 0, offsetof(Options, host),
     "address to listen on (default 127.0.0.1: only this machine)"},
    {"origin", 0, CLI_TEXTS, "ORIGIN", 0, 0, offsetof(Options, origin),
     "let pages of this origin, such as https://app.foxglove.dev, speak Foxglove's protocol with "
     "the run; may be repeated"},
    {"frame-ancestors", 0, CLI_TEXTS, "ORIGIN", 0, 0, offsetof(Options, ancestor),
     "let pages of this origin, such as http://localhost:8888 or http://localhost:*, show this "
     "page "
     "within theirs; may be repeated"},
    {"end-with-input", 0, CLI_FLAG, "", 0, 0, offsetof(Options, ends_with_input),
     "end when the standard input ends, so with the program that started it"},
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
    VIEW_AFAR_ROWS(Options, afar),
    CLI_ALLOW_OPTIONS(Options, allowed),
    CLI_LINKS_OPTIONS(Options, links),
    {"study", 0, CLI_TEXT, "FILE", 0, 0, offsetof(Options, study),
     "the study file of a database (default: NAME.xml beside it)"},
    {"run", 0, CLI_INTEGER, "N", 0, 9e15, offsetof(Options, run),
     "the run of a study to begin with (default: the first)"},
    {"seed", 0, CLI_INTEGER, "N", 0, 9e15, offsetof(Options, seed),
     "seed of all noise (default 0)"},
    {"workers", 'w', CLI_INTEGER, "N", 1, 1024, offsetof(Options, workers),
     "threads; the result is the same for any number (default 1)"},
};

#ifdef RUT_HAVE_VIEWER
// Open a world, or one of a study's. Returns CLI_GO_ON or an exit code.
static int open_world(cliWorld* world, const Options* option, uint64_t seed) {
  int code = cli_world_open(world, stderr, option->workers, seed);
  world->report.named = option->inputs;
  if (code == CLI_GO_ON) rut_context_show_ground(world->context);
  if (code == CLI_GO_ON && option->inputs) rut_context_note_input(world->context, option->inputs);
  if (code == CLI_GO_ON) code = cli_world_allow(world, &option->allowed);
  if (code == CLI_GO_ON) code = cli_world_plugins(world, &option->plugin);
  if (code == CLI_GO_ON) cli_links_allow(&option->links, world->context);
  return code;
}

static viewOptions options_of(const Options* option, const char* path) {
  return (viewOptions){.path = path,
                       .host = option->host,
                       .record = option->record,
                       .output = option->output,
                       .inputs = option->inputs,
                       .verb = &cli_verb_view,
                       .links = &option->links,
                       .port = option->port,
                       .origin = (const char* const*)option->origin.item,
                       .origins = option->origin.n,
                       .ancestor = (const char* const*)option->ancestor.item,
                       .ancestors = option->ancestor.n,
                       .ends_with_input = option->ends_with_input,
                       .seed = option->seed,
                       .open = !option->no_open && view_has_desktop(),
                       .paused = option->paused};
}

static int show_world(const Options* option, const char* path) {
  const viewOptions view = options_of(option, path);
  cliWorld world;
  int code = open_world(&world, option, (uint64_t)option->seed);
  if (code == CLI_GO_ON) code = cli_world_load(&world, path, &option->set);
  if (code == CLI_GO_ON) code = view_afar_give(&world, &option->afar);
  if (code == CLI_GO_ON) code = cli_world_compile(&world);
  if (code == CLI_GO_ON) code = cli_world_start(&world, (uint64_t)option->seed);
  if (code == CLI_GO_ON) code = view_world(&world, &view);
  cli_world_close(&world);
  return code;
}

// A context for the run of a random world.
static rutStatus open_context(uint64_t seed, rutContext** out, void* user, rutError* err) {
  const Options* option = user;
  const rutStatus status =
      cli_context_create(&option->allowed, &option->plugin, (int)option->workers, seed, out, err);
  if (status == RUT_OK) rut_context_show_ground(*out);
  return status;
}

// Options that a study gives itself. Returns CLI_GO_ON or an exit code.
static int check_study_options(const Options* option) {
  const char* wrong = option->set.n > 0 ? "--set" : option->inputs ? "--inputs" : NULL;
  if (!wrong) wrong = cli_links_asked(&option->links);
  if (!wrong) wrong = view_afar_asked(&option->afar);
  if (!wrong && option->seed != 0) wrong = "--seed";
  if (!wrong) return CLI_GO_ON;
  return cli_usage_error(&cli_verb_view, "%s does not go with a study: its rows say what a run is",
                         wrong);
}

// One run of a study, from which others can be chosen.
static int show_study(const Options* option, const char* path) {
  rutError err = {0};
  rutStatus status = RUT_OK;
  cliWorld world = {.context = NULL};
  viewOptions view = options_of(option, path);
  const rutStudyHost host = {open_context, (void*)(uintptr_t)option};
  int code = check_study_options(option);
  if (code != CLI_GO_ON) return code;
  code = open_world(&world, option, 0);
  if (code == CLI_GO_ON) {
    const viewStudyDef def = {path, option->study, world.context, &host};
    status = view_study_open(&def, &view.study, &err);
    view.run = option->run;
    if (status == RUT_OK && view.run < 0) view.run = view_study_first(view.study);
    if (status == RUT_OK) status = view_study_world(view.study, view.run, &world.spec, &err);
    if (status != RUT_OK) code = cli_report_failure(&world.report, status, &err);
    if (status != RUT_OK && !view.study && !option->study) {
      fprintf(stderr, "rut: note: where the study file is not beside %s, name it with --study\n",
              path);
    }
  }
  if (code == CLI_GO_ON) code = cli_world_compile(&world);
  if (code == CLI_GO_ON) {
    code = cli_world_start(&world, view_study_seed(view.study, view.run));
  }
  if (code == CLI_GO_ON) code = view_world(&world, &view);
  // specs go before the contexts that the study holds
  cli_world_unload(&world);
  view_study_close(view.study);
  cli_world_close(&world);
  return code;
}

static int check_origins(const Options* option) {
  for (int i = 0; i < option->origin.n; i++) {
    const char* fault = view_origin_fault(option->origin.item[i]);
    if (!fault) continue;
    return cli_usage_error(&cli_verb_view, "--origin %s: %s", option->origin.item[i], fault);
  }
  return CLI_GO_ON;
}

static int check_ancestors(const Options* option) {
  for (int i = 0; i < option->ancestor.n; i++) {
    const char* fault = view_ancestor_fault(option->ancestor.item[i]);
    if (!fault) continue;
    return cli_usage_error(&cli_verb_view, "--frame-ancestors %s: %s", option->ancestor.item[i],
                           fault);
  }
  char all[VIEW_ANCESTORS_SIZE];
  const char* const* ancestor = (const char* const*)option->ancestor.item;
  if (view_ancestors(ancestor, option->ancestor.n, all)) return CLI_GO_ON;
  return cli_usage_error(&cli_verb_view, "--frame-ancestors: all of them have at most %d letters",
                         VIEW_ANCESTORS_SIZE - 1);
}

static int show(const Options* option, const char* path) {
  int code = check_origins(option);
  if (code == CLI_GO_ON) code = check_ancestors(option);
  if (code == CLI_GO_ON) code = view_afar_check(&cli_verb_view, &option->afar);
  if (code != CLI_GO_ON) return code;
  if (cli_is_study(path)) return show_study(option, path);
  const bool of_study = option->study || option->run >= 0;
  if (!of_study) return show_world(option, path);
  return cli_usage_error(&cli_verb_view, "--study and --run need the database of a study");
}
#else
static int show(const Options* option, const char* path) {
  (void)option;
  (void)path;
  return cli_tell_missing_viewer();
}
#endif

static int view_verb(int argc, char** argv) {
  Options option = {
      .host = "127.0.0.1", .port = 8080, .workers = 1, .run = -1, .links = CLI_LINKS_DEFAULTS};
  cliList arguments;
  int code = cli_parse(&cli_verb_view, argc, argv, &option, &arguments);
  if (code == CLI_GO_ON && option.links.ros2.lockstep) {
    return cli_usage_error(&cli_verb_view, "a page waits for nobody: rut run has --ros2-lockstep");
  }
  if (code == CLI_GO_ON) code = cli_links_check(&cli_verb_view, &option.links);
  return code == CLI_GO_ON ? show(&option, arguments.item[0]) : code;
}

const cliVerb cli_verb_view = {
    .name = "view",
    .arguments = "WORLD|STUDY.db",
    .min_arguments = 1,
    .max_arguments = 1,
    .summary = "show a world in the browser, live, and drive in it",
    .details =
        "The page and its stream are served on one port of this machine; ctrl-C ends it. With\n"
        "--host other machines may look and drive; the printed address then has a token. Of a "
        "study\n"
        "(rut sweep) the page has a table, whose runs are simulated again. Foxglove connects to "
        "the\n"
        "same address with ws:// in place of http://.",
    .examples =
        "  rut view worlds/demo.xml\n"
        "  rut view world.xml --port 0 --no-open\n"
        "  rut view world.xml --paused --set 'rover/tyre.friction=0.3'\n"
        "  rut view world.xml --latency 300ms --frame-rate 10\n"
        "  rut view world.xml --host 0.0.0.0\n"
        "  rut view world.xml --origin https://app.foxglove.dev\n"
        "  rut view worlds/ros2.xml --ros2\n"
        "  rut view lane_change.db --study worlds/studies/lane_change.xml",
    .option = options,
    .options = CLI_COUNT(options),
    .run = view_verb,
};
