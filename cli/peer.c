// SPDX-License-Identifier: BSD-3-Clause
#include "peer.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "clock.h"
#include "report.h"

// Connect to a Unix socket; a program that was just started may not listen yet.
static int connect_to(const char* path, double timeout, rutError* err) {
  static const struct timespec AGAIN = {0, 10000000};  // 10 ms
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  const double until = cli_clock() + timeout;
  int fault = ENAMETOOLONG;
  const size_t length = strlen(path);
  if (length < sizeof address.sun_path) {
    memcpy(address.sun_path, path, length);
    do {
      // one that lets others wait to be accepted would have connect() wait for ever
      const int file = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
      if (file < 0) {
        fault = errno;
        break;
      }
      if (connect(file, (const struct sockaddr*)&address, sizeof address) == 0) return file;
      fault = errno;
      close(file);
      nanosleep(&AGAIN, NULL);
    } while (cli_clock() < until && (fault == ENOENT || fault == ECONNREFUSED || fault == EAGAIN));
  }
  err->status = RUT_ERR_IO;
  snprintf(err->message, sizeof err->message, "nobody listens on the socket '%.200s': %s", path,
           fault == EAGAIN ? "others wait to be accepted" : strerror(fault));
  return -1;
}

static rutStatus open_record(cliPeer* peer, const char* path, rutError* err) {
  rutStatus status = rut_output_create(path, &peer->record, err);
  if (status != RUT_OK) return status;
  peer->file = fopen(rut_output_part(peer->record), "w");
  if (peer->file) return RUT_OK;
  err->status = RUT_ERR_IO;
  snprintf(err->message, sizeof err->message, "'%.200s' cannot be written: %s", path,
           strerror(errno));
  return RUT_ERR_IO;
}

int cli_peer_open(cliPeer* peer, cliWorld* world, const cliPeerOptions* options) {
  rutError err = {0};
  rutPeerDef def = rut_default_peer();
  def.vehicle = options->vehicle;
  if (options->rate > 0) def.rate = options->rate;
  if (options->timeout > 0) def.timeout = options->timeout;
  if (options->percept.n > 0) {
    def.percepts = options->percept.n;
    def.percept = options->percept.item;
  }
  rutStatus status = RUT_OK;
  if (options->record) status = open_record(peer, options->record, &err);
  if (status == RUT_OK) {
    peer->socket = connect_to(options->path, def.timeout, &err);
    status = err.status;
  }
  def.socket = peer->socket;
  def.record = peer->file;
  if (status == RUT_OK) status = rut_peer_create(world->model, &def, &peer->peer, &err);
  return status == RUT_OK ? CLI_GO_ON : cli_report_failure(&world->report, status, &err);
}

rutStatus cli_peer_close(cliPeer* peer, const char* reason, rutError* err) {
  rut_peer_close(peer->peer, reason);
  if (peer->socket >= 0) close(peer->socket);
  const bool whole = !peer->file || fclose(peer->file) == 0;
  const rutStatus status = rut_output_close(peer->record, whole, err);
  *peer = (cliPeer){.socket = -1};
  if (status != RUT_OK || whole) return status;
  if (err) {
    err->status = RUT_ERR_IO;
    snprintf(err->message, sizeof err->message, "the dialogue cannot be written");
  }
  return RUT_ERR_IO;
}
