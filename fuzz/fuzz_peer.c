// SPDX-License-Identifier: BSD-3-Clause
//
// What a program says that drives a vehicle from outside: single lines, and a whole dialogue.
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "host/peer_line.h"
#include "rut/peer.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

static const char world[] =
    "<world timestep='10 ms'><vehicle name='a'><chassis mass='20'/>"
    "<wheel place='left' position='0 0.3'/><wheel place='right' position='0 -0.3'/>"
    "<drive type='direct'/><controller type='twist_pid'/></vehicle></world>";
// As many bytes as any socket holds at once.
enum { SOCKET_SIZE = 16384 };

static rutModel* make_model(void) {
  rutContext* context = NULL;
  rutSpec* spec = NULL;
  rutModel* model = NULL;
  if (rut_context_create(NULL, &context, NULL) != RUT_OK ||
      rut_spec_parse(context, world, sizeof world - 1, "w.xml", &spec, NULL) != RUT_OK ||
      rut_compile(spec, &model, NULL) != RUT_OK) {
    abort();
  }
  rut_spec_destroy(spec);
  return model;
}

// Every line: what is taken is finite and has an end, what is not has a place in the line.
static void parse_lines(const char* text, size_t size) {
  for (size_t at = 0; at < size;) {
    const char* feed = memchr(text + at, '\n', size - at);
    const size_t n = feed ? (size_t)(feed - (text + at)) : size - at;
    rutPeerLine line;
    rutError err = {0};
    if (rut_peer_parse(text + at, n, &line, &err) == RUT_OK) {
      for (int i = 0; i < line.members; i++) {
        const rutPeerMember* m = &line.member[i];
        if (!isfinite(m->number) || rut_peer_find(&line, m->key) != m) abort();
        if (!memchr(m->text, 0, sizeof m->text)) abort();
      }
    } else if (err.status != RUT_ERR_PARSE || !err.message[0] || err.column < 1 ||
               (size_t)err.column > n + 1) {
      abort();
    }
    at += n + 1;
  }
}

// The dialogue ends with an error, with a good-bye, or when the peer has said all.
static void talk(const rutModel* model, rutData* state, int socket) {
  rutPeerDef def = rut_default_peer();
  rutPeer* peer = NULL;
  rutError err = {0};
  def.socket = socket;
  def.rate = 0;
  rutStatus status = rut_peer_create(model, &def, &peer, &err);
  if ((status == RUT_OK) != (peer != NULL)) abort();
  for (int i = 0; i < 20 && status == RUT_OK; i++) {
    status = rut_peer_step(peer, model, state, &err);
    if (status == RUT_OK && rut_step(model, state, NULL) != RUT_OK) break;
  }
  if (status != RUT_OK && (!err.message[0] || err.line < 1)) abort();
  rut_peer_close(peer, "done");
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static rutModel* model = NULL;  // one for the whole run
  static rutData* state = NULL;
  if (!model) model = make_model();
  if (!state) state = rut_data_create(model);
  if (!state) return 0;
  parse_lines((const char*)data, size);
  int ends[2];
  const size_t n = size < SOCKET_SIZE ? size : SOCKET_SIZE;
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) return 0;
  if (n > 0 && write(ends[1], data, n) != (ssize_t)n) abort();
  shutdown(ends[1], SHUT_WR);
  rut_data_reset(model, state, 0);
  talk(model, state, ends[0]);
  close(ends[0]);
  close(ends[1]);
  return 0;
}
