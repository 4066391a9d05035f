// SPDX-License-Identifier: BSD-3-Clause
#include "view/view.h"

#include <signal.h>
#include <stdlib.h>

#include "cli.h"
#include "interrupt.h"
#include "report.h"
#include "rut/host.h"
#include "view/browser.h"
#include "view/live.h"
#include "view/replay.h"
#include "view/server.h"
#include "view/simulation.h"

// Everything that a viewer consists of.
typedef struct View {
  viewHub hub;
  bool has_hub;
  rutSignals* signals;
  viewSlots slots;
  viewLive live;
  viewBytes* table;  // of a study, NULL: there is none
  viewWorkshop* workshop;
  viewServer* server;
  viewSimulation* simulation;
  viewReplay* replay;
  rutInputs* inputs;
  rutLog* log;  // until the simulation has it
  viewRecorder* recorder;
  rutLoggers* loggers;  // likewise
  viewLinks links;
} View;

// For the signal handler.
static volatile sig_atomic_t stopped;
static viewServer* volatile listening;
// Whose orders programs that drive are not to hold up. NULL: there are none.
static viewHub* ordered;

static void interrupt(int signal_number) {
  (void)signal_number;
  stopped = 1;
  if (listening) view_server_wake(listening);
}

// Only the main thread takes signals: threads inherit what is blocked when they are started.
static void block_signals(int how) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGINT);
  sigaddset(&set, SIGTERM);
  pthread_sigmask(how, &set, NULL);
}

static int fail(const char* message) {
  fprintf(stderr, "rut: error: %s\n", message);
  return CLI_IO;
}

static rutStatus open_log(View* view, const cliWorld* world, const viewOptions* options,
                          rutError* err) {
  rutLogDef def = rut_default_log();
  def.spec = world->spec;
  def.seed = (uint64_t)options->seed;
  def.command = "rut view";
  rutStatus status = rut_log_create(world->model, options->record, &def, &view->log, err);
  if (status == RUT_OK) status = rut_log_step(view->log, world->model, world->data, err);
  const viewRecorderDef recorder = {.spec = world->spec,
                                    .model = world->model,
                                    .title = cli_base_name(options->path),
                                    .log = view->log};
  if (status == RUT_OK) {
    status = view_recorder_create(&recorder, world->data, &view->recorder, err);
  }
  if (status == RUT_OK) view->hub.status.recording = cli_base_name(options->record);
  return status;
}

// Logs that the world names.
static rutStatus open_loggers(View* view, cliWorld* world, const viewOptions* options,
                              rutError* err) {
  rutLoggersDef def = rut_default_loggers();
  def.folder = options->output;
  def.seed = (uint64_t)options->seed;
  def.command = "rut view";
  rutStatus status = rut_loggers_create(world->spec, world->model, &def, &view->loggers, err);
  if (status == RUT_OK && !cli_loggers_wanted(world, view->loggers, options->output)) {
    rut_loggers_close(view->loggers, NULL);
    view->loggers = NULL;
  }
  if (status == RUT_OK && view->loggers) {
    status = rut_loggers_step(view->loggers, world->model, world->data, err);
  }
  return status;
}

// The runs that pages can choose.
static rutStatus open_study(View* view, const viewOptions* options, rutError* err) {
  view->table = view_study_json(options->study);
  view->hub.status.study = true;
  if (view->table) return view_workshop_study(view->workshop, options->study, options->run, err);
  *err = (rutError){.status = RUT_ERR_MEMORY, .message = "out of memory"};
  return RUT_ERR_MEMORY;
}

// Hub, signals and workshop of a world.
static int prepare(View* view, cliWorld* world, const viewOptions* options) {
  viewShape shape;
  rutRuts ruts;
  rutError err = {0};
  const double cell = rut_ruts(world->model, world->data, &ruts) ? ruts.cell : 0;
  view_slots_create(&view->slots);
  view->has_hub = view_shape_of(world->model, &shape) && view_hub_create(&shape, cell, &view->hub);
  if (!view->has_hub) return fail("out of memory");
  rutStatus status = rut_signals_create(world->model, &view->signals, &err);
  if (status == RUT_OK && options->inputs) {
    status = rut_inputs_load(world->model, options->inputs, &view->inputs, &err);
    // what holds from the start shall also stand in the first row of the log
    if (status == RUT_OK) status = rut_inputs_apply(view->inputs, world->model, world->data);
  }
  if (status == RUT_OK) status = open_loggers(view, world, options, &err);
  if (status == RUT_OK && options->record) status = open_log(view, world, options, &err);
  if (status == RUT_OK) {
    status = view_workshop_create(world, &view->hub, view->signals, cli_base_name(options->path),
                                  &view->workshop, &err);
  }
  if (status == RUT_OK && options->study) status = open_study(view, options, &err);
  if (status == RUT_OK) {
    const viewRefused refused = view_workshop_refused(view->workshop);
    view_refused_warn(&refused, &world->report);
  }
  return status == RUT_OK ? CLI_GO_ON : cli_report_failure(&world->report, status, &err);
}

// True if somebody wants something of the thread that steps, which may wait for a program.
static bool is_wanted(void) { return stopped || (ordered && view_hub_waits(ordered)); }

// Open what drives from outside, before the workshop has the model. Returns CLI_GO_ON or an exit
// code.
static int open_links(View* view, cliWorld* world, const viewOptions* options) {
  if (!options->links) return CLI_GO_ON;
  const rutRos2Control control = view_links_control(&view->links);
  const cliLinksHost host = {options->verb, &control, is_wanted};
  return cli_links_open(&view->links.links, &host, world, options->links);
}

// Part from what drives, and tell how it went.
static rutStatus close_links(View* view, rutStatus before, rutError* err) {
  cliLinks* links = &view->links.links;
  const rutStatus status = cli_links_leave(links, "done", before == RUT_OK ? err : NULL);
  if (view->simulation) cli_links_print(links, stdout);
  cli_links_close(links);
  return before == RUT_OK ? status : before;
}

// Listen. Returns CLI_GO_ON or an exit code.
static int start_server(View* view, const viewWebsockets* lws, viewBackend backend,
                        const viewOptions* options) {
  char message[512] = "out of memory";
  const viewServerDef server = {.lws = lws,
                                .hub = &view->hub,
                                .backend = backend,
                                .host = options->host,
                                .port = (int)options->port,
                                .origin = options->origin,
                                .origins = options->origins,
                                .ancestor = options->ancestor,
                                .ancestors = options->ancestors,
                                .ends_with_input = options->ends_with_input};
  view->server = view_server_create(&server, message, sizeof message);
  if (!view->server) return fail(message);
  listening = view->server;
  cli_catch_interrupts(interrupt);
  return CLI_GO_ON;
}

// Tell the address, and answer until interrupted.
static int serve(View* view, const viewOptions* options) {
  char address[512];
  view_server_address(view->server, address, sizeof address);
  if (!view_is_loopback(options->host)) {
    fprintf(stderr, "rut: warning: everyone who has the address below may look and drive here\n");
  }
  printf("listening on %s\n", address);
  fflush(stdout);
  block_signals(SIG_UNBLOCK);
  if (options->open) view_open_browser(address);
  if (!view_server_run(view->server, &stopped)) return fail("the server cannot go on");
  // what waits for programs that drive shall end, too
  stopped = 1;
  return CLI_DONE;
}

static int simulate(View* view, const viewOptions* options) {
  const viewSimulationDef def = {.hub = &view->hub,
                                 .workshop = view->workshop,
                                 .slots = &view->slots,
                                 .seed = (uint64_t)options->seed,
                                 .paused = options->paused,
                                 .inputs = view->inputs,
                                 .log = view->log,
                                 .recorder = view->recorder,
                                 .loggers = view->loggers,
                                 .links = &view->links};
  ordered = &view->hub;
  view->simulation = view_simulation_start(&def);
  if (!view->simulation) return fail("out of memory");
  view->log = NULL;
  view->recorder = NULL;
  view->loggers = NULL;
  return CLI_GO_ON;
}

// Threads first: they use what is freed after them.
static rutStatus close_all(View* view, rutError* err) {
  if (view->has_hub) view_hub_end(&view->hub);
  rutStatus status = view_simulation_stop(view->simulation, err);
  ordered = NULL;
  status = close_links(view, status, err);
  view_replay_stop(view->replay);
  view_recorder_close(view->recorder, NULL, NULL, NULL);
  rut_log_close(view->log, NULL);
  rut_loggers_close(view->loggers, NULL);
  view_workshop_destroy(view->workshop);
  listening = NULL;
  view_server_destroy(view->server);
  view_bytes_drop(view->table);
  rut_signals_destroy(view->signals);
  rut_inputs_destroy(view->inputs);
  view_slots_free(&view->slots);
  if (view->has_hub) view_hub_free(&view->hub);
  return status;
}

static const viewWebsockets* load_library(void) {
  char message[512];
  const viewWebsockets* lws = view_websockets_load(message, sizeof message);
  if (!lws) {
    fprintf(stderr, "rut: error: the viewer needs libwebsockets, which is not there: %s\n",
            message);
  }
  return lws;
}

int view_world(cliWorld* world, const viewOptions* options) {
  const viewWebsockets* lws = load_library();
  if (!lws) return CLI_MISSING;
  View* view = calloc(1, sizeof *view);
  if (!view) return fail("out of memory");
  view->links.links = (cliLinks)CLI_NO_LINKS;
  block_signals(SIG_BLOCK);
  int code = open_links(view, world, options);
  if (code == CLI_GO_ON) code = prepare(view, world, options);
  if (code == CLI_GO_ON) {
    view->live = (viewLive){view->workshop, &view->slots, view->signals, view->table};
    code = start_server(view, lws, view_live_backend(&view->live), options);
  }
  if (code == CLI_GO_ON) code = simulate(view, options);
  if (code == CLI_GO_ON) code = serve(view, options);
  rutError err = {0};
  const rutStatus closed = close_all(view, &err);
  // the report of the world has been silent since its parameters may change
  if (closed != RUT_OK && (code == CLI_DONE || code == CLI_IO)) {
    code = cli_tell_failure(closed, &err);
  }
  free(view);
  return code;
}

// ---- logs ----

static int prepare_replay(View* view, const char* const* path, int logs) {
  viewShape shape;
  double cell;
  rutError err = {0};
  view_slots_create(&view->slots);
  const rutStatus status = view_replay_open(path, logs, &view->replay, &err);
  if (status != RUT_OK) return cli_tell_failure(status, &err);
  view->has_hub =
      view_replay_shape(view->replay, &shape, &cell) && view_hub_create(&shape, cell, &view->hub);
  return view->has_hub ? CLI_GO_ON : fail("out of memory");
}

int view_logs(const char* const* path, int logs, const viewOptions* options) {
  const viewWebsockets* lws = load_library();
  if (!lws) return CLI_MISSING;
  View* view = calloc(1, sizeof *view);
  if (!view) return fail("out of memory");
  view->links.links = (cliLinks)CLI_NO_LINKS;
  block_signals(SIG_BLOCK);
  rutError err = {0};
  int code = prepare_replay(view, path, logs);
  if (code == CLI_GO_ON) {
    code = start_server(view, lws, view_replay_backend(view->replay), options);
  }
  if (code == CLI_GO_ON && view_replay_start(view->replay, &view->hub, cli_base_name(path[0]),
                                             options->paused, options->loop, &err) != RUT_OK) {
    code = fail(err.message);
  }
  if (code == CLI_GO_ON) code = serve(view, options);
  close_all(view, &err);
  free(view);
  return code;
}
