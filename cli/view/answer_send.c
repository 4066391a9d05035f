// SPDX-License-Identifier: BSD-3-Clause
//
// Sending answers to HTTP requests: head, and body piece by piece.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "view/server_parts.h"

enum {
  HEADERS = 2048 + VIEW_ANCESTORS_SIZE,
  PATIENCE = 20,                // for an answer or a body, and longer by [s]
  SLOWEST = 64 * 1024,          // bytes per second
  MAX_HELD = 512 * 1024 * 1024  // bytes of all answers that are on their way
};

static const struct {
  const char *name, *value;
} headers[] = {
    {"x-content-type-options:", "nosniff"},
    {"referrer-policy:", "no-referrer"},
    {"cross-origin-resource-policy:", "same-origin"},
    {"cross-origin-opener-policy:", "same-origin"},
    {"cache-control:", "no-store"},
};
// For all but the page: a browser that shows it as a page lets it do nothing.
static const char inert[] = "default-src 'none'; frame-ancestors 'none'; sandbox";

// ---- head ----

// Where the next header goes. fine: false once one did not fit.
typedef struct Head {
  viewServer* server;
  struct lws* wsi;
  unsigned char *at, *end;
  bool fine;
} Head;

static void put_header(Head* head, const char* name, const char* value) {
  head->fine = head->fine && !head->server->lws->lws_add_http_header_by_name(
                                 head->wsi, (const unsigned char*)name, (const unsigned char*)value,
                                 (int)strlen(value), &head->at, head->end);
}

// What the page may do, and who may show it within theirs. A browser that heeds X-Frame-Options as
// well knows no list there.
static void put_policy(Head* head, const viewForm* form) {
  char text[HEADERS];
  const viewServer* server = head->server;
  if (!form->policy || !server->framed) put_header(head, "x-frame-options:", "DENY");
  if (form->policy) {
    snprintf(text, sizeof text, "%s; frame-ancestors %s", form->policy, server->ancestors);
  }
  put_header(head, "content-security-policy:", form->policy ? text : inert);
}

// Head of an answer; size bytes follow. False if the connection is broken.
static bool send_head(viewServer* server, struct lws* wsi, unsigned code, const viewForm* form,
                      size_t size) {
  const viewWebsockets* lws = server->lws;
  unsigned char* start = server->chunk + LWS_PRE;
  Head head = {server, wsi, start, start + HEADERS, true};
  head.fine = !lws->lws_add_http_common_headers(wsi, code, form->type, size, &head.at, head.end);
  for (size_t i = 0; i < sizeof headers / sizeof headers[0]; i++) {
    put_header(&head, headers[i].name, headers[i].value);
  }
  put_policy(&head, form);
  if (form->packed) put_header(&head, "content-encoding:", "gzip");
  if (form->file[0]) {
    char text[80];
    snprintf(text, sizeof text, "attachment; filename=\"%s\"", form->file);
    put_header(&head, "content-disposition:", text);
  }
  if (code == HTTP_STATUS_SERVICE_UNAVAILABLE) put_header(&head, "retry-after:", "1");
  return head.fine && !lws->lws_finalize_write_http_header(wsi, start, &head.at, head.end);
}

// ---- body ----

static int done(viewServer* server, struct lws* wsi, viewSession* session) {
  view_answer_free(server, session);
  if (server->lws->lws_http_transaction_completed(wsi)) return -1;
  view_server_silent(server, wsi);
  return 0;
}

int view_answer_text(viewServer* server, struct lws* wsi, viewSession* session, unsigned code,
                     const char* text) {
  const size_t size = strlen(text);
  const viewForm form = {.type = "text/plain; charset=utf-8"};
  view_answer_free(server, session);
  if (!send_head(server, wsi, code, &form, size)) return -1;
  if (session->head) return done(server, wsi, session);
  unsigned char* out = server->chunk + LWS_PRE;
  memcpy(out, text, size);
  if (server->lws->lws_write(wsi, out, size, LWS_WRITE_HTTP_FINAL) < 0) return -1;
  return done(server, wsi, session);
}

// Clients that are slow to take an answer, or to send a body, must not hold it for ever.
void view_answer_hurry(viewServer* server, struct lws* wsi, viewSession* session, size_t bytes) {
  const size_t seconds = PATIENCE + bytes / SLOWEST;
  session->deadline = cli_clock() + (double)seconds;
  server->lws->lws_set_timer_usecs(wsi, (lws_usec_t)(seconds + 1) * LWS_USEC_PER_SEC);
}

bool view_answer_is_late(const viewSession* session) {
  return session->deadline > 0 && cli_clock() > session->deadline;
}

int view_answer_body(viewServer* server, struct lws* wsi, viewSession* session,
                     const viewForm* form, viewBody body) {
  viewBytes* bytes = body.bytes;
  if (bytes && server->held > 0 && server->held + bytes->size > MAX_HELD) {
    view_bytes_drop(bytes);
    return view_answer_text(server, wsi, session, HTTP_STATUS_SERVICE_UNAVAILABLE,
                            "too many answers are on their way\n");
  }
  session->bytes = bytes;
  session->held = bytes ? bytes->size : 0;
  server->held += session->held;
  session->data = body.data;
  session->size = body.size;
  session->sent = 0;
  if (!send_head(server, wsi, HTTP_STATUS_OK, form, body.size)) return -1;
  if (session->head || body.size == 0) return done(server, wsi, session);
  view_answer_hurry(server, wsi, session, body.size);
  server->lws->lws_callback_on_writable(wsi);
  return 0;
}

// The next samples; returns how many bytes they are.
static size_t take_samples(viewServer* server, viewSession* s, unsigned char* out, size_t most) {
  const size_t each = s->soils ? 1 : sizeof(float);
  const size_t from = s->sent / each, all = (size_t)s->nx * (size_t)s->ny;
  size_t n = all - from < VIEW_BLOCK ? all - from : VIEW_BLOCK;
  if (n > most / each) n = most / each;
  double x[VIEW_BLOCK], y[VIEW_BLOCK];
  float height[VIEW_BLOCK];
  for (size_t i = 0; i < n; i++) {
    const size_t column = (from + i) % (size_t)s->nx, row = (from + i) / (size_t)s->nx;
    x[i] = s->x0 + (s->x1 - s->x0) * (double)column / (s->nx - 1);
    y[i] = s->y0 + (s->y1 - s->y0) * (double)row / (s->ny - 1);
  }
  if (s->soils) {
    server->backend.soils(s->ground, (int)n, x, y, out);
  } else {
    server->backend.heights(s->ground, (int)n, x, y, height);
    memcpy(out, height, n * sizeof *height);
  }
  return n * each;
}

// The next bytes, first of the data, then of the tail; returns how many they are.
static size_t take_bytes(const viewSession* s, unsigned char* out, size_t most) {
  const size_t body = s->size - s->tail_size;
  const bool in_tail = s->sent >= body;
  const unsigned char* from = in_tail ? s->tail + (s->sent - body) : s->data + s->sent;
  const size_t left = (in_tail ? s->size : body) - s->sent, n = left < most ? left : most;
  memcpy(out, from, n);
  return n;
}

int view_answer_more(viewServer* server, struct lws* wsi, viewSession* s) {
  unsigned char* out = server->chunk + LWS_PRE;
  size_t n = s->size - s->sent < VIEW_CHUNK ? s->size - s->sent : VIEW_CHUNK;
  if (n == 0) return 0;
  n = s->ground ? take_samples(server, s, out, n) : take_bytes(s, out, n);
  s->sent += n;
  const bool last = s->sent >= s->size;
  if (server->lws->lws_write(wsi, out, n, last ? LWS_WRITE_HTTP_FINAL : LWS_WRITE_HTTP) < 0) {
    return -1;
  }
  if (last) return done(server, wsi, s);
  server->lws->lws_callback_on_writable(wsi);
  return 0;
}

void view_answer_free(viewServer* server, viewSession* s) {
  view_bytes_drop(s->bytes);
  view_bytes_drop(s->upload);
  if (s->ground) s->ground_free(s->ground);
  server->held -= s->held;
  server->promised -= s->promised;
  s->bytes = s->upload = NULL;
  s->ground = NULL;
  s->deadline = 0;
  s->size = s->sent = s->tail_size = s->held = s->promised = s->received = 0;
}
