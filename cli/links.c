// SPDX-License-Identifier: BSD-3-Clause
#include "links.h"

#include "cli.h"
#include "report.h"

static const double FMU_TIMEOUT = 30;  // [s]

int cli_links_check(const cliVerb* verb, const cliLinksOptions* options) {
  const cliPeerOptions* peer = &options->peer;
  const bool others =
      peer->vehicle || peer->percept.n > 0 || peer->rate > 0 || peer->timeout > 0 || peer->record;
  if (peer->path || !others) return CLI_GO_ON;
  return cli_usage_error(verb, "--peer-... needs --peer SOCKET");
}

const char* cli_links_asked(const cliLinksOptions* options) {
  if (options->remote.link) return "--remote";
  if (options->peer.path) return "--peer";
  if (options->allow_fmu) return "--allow-fmu";
  return options->ros2.on ? "--ros2" : NULL;
}

void cli_links_allow(const cliLinksOptions* options, rutContext* context) {
  if (options->allow_fmu) rut_context_allow_code(context);
}

static int open_fmus(cliLinks* links, cliWorld* world, const cliLinksOptions* options) {
  rutError err = {0};
  const double timeout = options->fmu_timeout > 0 ? options->fmu_timeout : FMU_TIMEOUT;
  const rutStatus status =
      rut_fmu_drivers_open(world->spec, world->model, timeout, &links->fmus, &err);
  return status == RUT_OK ? CLI_GO_ON : cli_report_failure(&world->report, status, &err);
}

int cli_links_open(cliLinks* links, const cliLinksHost* host, cliWorld* world,
                   const cliLinksOptions* options) {
  int code = cli_remote_open(host->verb, world, &options->remote, host->stop, &links->remote);
  if (code == CLI_GO_ON) {
    code =
        cli_ros2_open(host->verb, world, &options->ros2, host->control, host->stop, &links->ros2);
  }
  if (code == CLI_GO_ON && options->peer.path) {
    code = cli_peer_open(&links->peer, world, &options->peer);
  }
  if (code == CLI_GO_ON && options->allow_fmu) code = open_fmus(links, world, options);
  return code;
}

rutStatus cli_links_step(cliLinks* links, const rutModel* model, rutData* data, rutError* err) {
  rutStatus status = RUT_OK;
  if (links->remote) {
    links->failed = CLI_REMOTE;
    status = rut_remote_step(links->remote, model, data, err);
    // the others have their turn when this one has had its
    if (cli_links_put_off(links)) return status;
  }
  if (status == RUT_OK && links->ros2) {
    links->failed = CLI_ROS2;
    status = rut_ros2_step(links->ros2, model, data, err);
  }
  if (status == RUT_OK && links->peer.peer) {
    links->failed = CLI_PEER;
    status = rut_peer_step(links->peer.peer, model, data, err);
  }
  if (status == RUT_OK && links->fmus) {
    links->failed = CLI_FMU;
    status = rut_fmu_drivers_step(links->fmus, model, data, err);
  }
  return status;
}

bool cli_links_put_off(const cliLinks* links) {
  return links->remote && rut_remote_waits(links->remote);
}

rutStatus cli_links_idle(cliLinks* links, const rutModel* model, rutData* data, double seconds,
                         rutError* err) {
  links->failed = CLI_ROS2;
  return links->ros2 ? rut_ros2_idle(links->ros2, model, data, seconds, err) : RUT_OK;
}

const char* cli_links_failed(const cliLinks* links) {
  static const char* const name[] = {"the program of --remote", "ROS 2", "the program of --peer",
                                     "an FMU"};
  return name[links->failed];
}

rutStatus cli_links_leave(cliLinks* links, const char* reason, rutError* err) {
  return cli_peer_close(&links->peer, reason, err);
}

void cli_links_print(const cliLinks* links, FILE* out) {
  if (links->remote) cli_remote_print(links->remote, out);
  if (links->ros2) cli_ros2_print(links->ros2, out);
}

void cli_links_json(cliJson* json, const cliLinks* links) {
  if (links->remote) cli_remote_json(json, links->remote);
  if (links->ros2) cli_ros2_json(json, links->ros2);
}

void cli_links_close(cliLinks* links) {
  cli_peer_close(&links->peer, "error", NULL);
  rut_remote_close(links->remote);
  rut_fmu_drivers_close(links->fmus);
  rut_ros2_close(links->ros2);
  *links = (cliLinks)CLI_NO_LINKS;
}
