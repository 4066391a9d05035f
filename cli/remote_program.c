// SPDX-License-Identifier: BSD-3-Clause
#include "remote_program.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "cli.h"
#include "report.h"

static void list(cliJson* json, const char* key, const rutRemote* remote,
                 rutRemoteValue (*at)(const rutRemote* remote, int index)) {
  cli_json_array(json, key);
  for (int i = 0; at(remote, i).name[0]; i++) {
    const rutRemoteValue v = at(remote, i);
    cli_json_object(json, NULL);
    cli_json_text(json, "name", v.name);
    cli_json_text(json, "unit", v.unit);
    cli_json_text(json, "doc", v.doc);
    cli_json_end(json);
  }
  cli_json_end(json);
}

static void print_layout(const rutRemote* remote) {
  cliJson json;
  cli_json_init(&json, stdout);
  cli_json_object(&json, NULL);
  cli_json_integer(&json, "layout", rut_remote_layout(remote));
  list(&json, "signals", remote, rut_remote_signal);
  list(&json, "set_points", remote, rut_remote_set_point);
  cli_json_end(&json);
  putchar('\n');
}

static int print_dbc(const cliVerb* verb, cliWorld* world, const rutRemote* remote) {
  rutError err = {0};
  char* text = NULL;
  const rutStatus status = rut_remote_dbc(remote, &text, &err);
  if (status == RUT_ERR_ARGUMENT) return cli_usage_error(verb, "--remote-dbc: %s", err.message);
  if (status != RUT_OK) return cli_report_failure(&world->report, status, &err);
  fputs(text, stdout);
  free(text);
  return CLI_DONE;
}

// That another run was killed, and what it left is gone.
static void tell_replaced(cliReport* report, const rutRemote* remote, const char* link) {
  const uint32_t process = rut_remote_replaced(remote);
  if (process == 0) return;
  char text[400];
  snprintf(text, sizeof text,
           "--remote %.300s: removed the shared memory that a killed run left, process %" PRIu32,
           link, process);
  const rutDiagnostic finding = {
      .level = RUT_WARNING, .file = "", .element = "", .message = text, .hint = ""};
  cli_report_finding(&finding, report);
}

int cli_remote_open(const cliVerb* verb, cliWorld* world, const cliRemoteOptions* option,
                    bool (*stop)(void), rutRemote** out) {
  *out = NULL;
  const bool others = option->vehicle || option->signals.n > 0 || !isnan(option->period) ||
                      !isnan(option->wait) || option->layout || option->dbc;
  if (!option->link) {
    return others ? cli_usage_error(verb, "--remote-... need --remote LINK") : CLI_GO_ON;
  }
  rutRemoteDef def = rut_default_remote();
  def.link = option->link;
  def.stop = stop;
  def.described = option->layout || option->dbc;
  def.vehicle = option->vehicle;
  def.patterns = option->signals.n;
  def.pattern = option->signals.item;
  if (!isnan(option->period)) def.period = option->period;
  if (!isnan(option->wait)) def.wait = option->wait;
  rutError err = {0};
  const rutStatus status = rut_remote_open(world->model, &def, out, &err);
  if (status == RUT_ERR_ARGUMENT) return cli_usage_error(verb, "--remote: %s", err.message);
  if (status != RUT_OK) return cli_report_failure(&world->report, status, &err);
  tell_replaced(&world->report, *out, option->link);
  if (option->dbc) return print_dbc(verb, world, *out);
  if (!option->layout) return CLI_GO_ON;
  print_layout(*out);
  return CLI_DONE;
}

void cli_remote_print(const rutRemote* remote, FILE* out) {
  const rutRemoteReport r = rut_remote_report(remote);
  fprintf(out,
          "remote: %" PRId64 " of %" PRId64
          " packets answered, after %.3g ms on the mean, %.3g ms at most; %" PRId64
          " sent again, %" PRId64 " damaged\n",
          r.answers, r.packets, 1e3 * r.mean, 1e3 * r.longest, r.again, r.damaged);
  int64_t most = 1;
  for (int k = 0; k < RUT_REMOTE_BINS; k++) most = r.bin[k] > most ? r.bin[k] : most;
  for (int k = 0; k < RUT_REMOTE_BINS; k++) {
    if (r.bin[k] == 0) continue;
    const int bar = (int)(40 * r.bin[k] / most);
    fprintf(out, "  < %8.3f ms %8" PRId64 " %.*s\n", 1e3 * RUT_REMOTE_SHORTEST * exp2(k), r.bin[k],
            bar > 0 ? bar : 1, "########################################");
  }
}

void cli_remote_json(cliJson* json, const rutRemote* remote) {
  const rutRemoteReport r = rut_remote_report(remote);
  cli_json_object(json, "remote");
  cli_json_integer(json, "packets", r.packets);
  cli_json_integer(json, "answers", r.answers);
  cli_json_integer(json, "sent_again", r.again);
  cli_json_integer(json, "damaged", r.damaged);
  cli_json_number(json, "mean", r.mean);
  cli_json_number(json, "longest", r.longest);
  cli_json_array(json, "histogram");
  for (int k = 0; k < RUT_REMOTE_BINS; k++) {
    cli_json_object(json, NULL);
    cli_json_number(json, "below", RUT_REMOTE_SHORTEST * exp2(k));
    cli_json_integer(json, "answers", r.bin[k]);
    cli_json_end(json);
  }
  cli_json_end(json);
  cli_json_end(json);
}
