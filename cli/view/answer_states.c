// SPDX-License-Identifier: BSD-3-Clause
//
// Saved states over HTTP: out, and in again.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "view/server_parts.h"

// Bytes that unfinished states may have together, unless there is one only.
enum { MAX_PROMISED = 64 * 1024 * 1024 };

int view_answer_state(viewServer* server, struct lws* wsi, viewSession* session, int slot) {
  viewSlot saved;
  if (!server->backend.slots || !view_slots_get(server->backend.slots, slot, &saved)) {
    return view_answer_text(server, wsi, session, HTTP_STATUS_NOT_FOUND,
                            "this slot holds no state\n");
  }
  viewBytes* bytes = view_bytes_share(saved.bytes);
  view_slot_drop(&saved);
  const uint64_t tag = view_access_tag(&server->access, bytes->data, bytes->size);
  const size_t size = bytes->size + VIEW_TAG_SIZE;
  if (server->largest_state < size) server->largest_state = size;
  viewForm form = {.type = "application/octet-stream"};
  snprintf(form.file, sizeof form.file, "state-%d.bin", slot);
  memcpy(session->tail, &tag, sizeof tag);
  session->tail_size = sizeof tag;
  return view_answer_body(server, wsi, session, &form, (viewBody){bytes, bytes->data, size});
}

// Length of the body that a request announces, 0 if it is none.
static size_t announced(viewServer* server, struct lws* wsi) {
  char text[24];
  const int n = server->lws->lws_hdr_copy(wsi, text, sizeof text, WSI_TOKEN_HTTP_CONTENT_LENGTH);
  const bool digits = n > 0 && n < 16 && strspn(text, "0123456789") == (size_t)n;
  return digits ? (size_t)strtoull(text, NULL, 10) : 0;
}

static int refuse(viewServer* server, struct lws* wsi, viewSession* session, unsigned code,
                  const char* why) {
  view_answer_text(server, wsi, session, code, why);
  return -1;
}

// Only states that were given out may come back, so that none can be larger than those.
int view_receive_state(viewServer* server, struct lws* wsi, viewSession* session, int slot) {
  const size_t size = announced(server, wsi);
  if (size < VIEW_TAG_SIZE || size > server->largest_state) {
    return refuse(server, wsi, session, HTTP_STATUS_REQ_ENTITY_TOO_LARGE,
                  "a state has a length, and is no larger than those that this server has given\n");
  }
  if (server->promised > 0 && server->promised + size > MAX_PROMISED) {
    return refuse(server, wsi, session, HTTP_STATUS_SERVICE_UNAVAILABLE,
                  "too many states come in at once\n");
  }
  // a mere promise takes no memory: the system gives it as bytes come
  session->upload = view_bytes_create(size);
  if (!session->upload) {
    return refuse(server, wsi, session, HTTP_STATUS_SERVICE_UNAVAILABLE, "out of memory\n");
  }
  session->slot = slot;
  session->received = 0;
  session->promised = size;
  server->promised += size;
  view_answer_hurry(server, wsi, session, size);
  return 0;
}

int view_receive_body(viewSession* s, const void* in, size_t size) {
  if (!s->upload || size > s->upload->size - s->received) return -1;
  memcpy(s->upload->data + s->received, in, size);
  s->received += size;
  return 0;
}

// The state that has come in, without its tag; NULL if it is none of this server.
static viewBytes* take_state(viewServer* server, viewSession* s) {
  viewBytes* bytes = s->upload;
  if (!bytes || s->received != bytes->size) return NULL;
  uint64_t tag;
  const size_t size = bytes->size - VIEW_TAG_SIZE;
  memcpy(&tag, bytes->data + size, sizeof tag);
  if (tag != view_access_tag(&server->access, bytes->data, size)) return NULL;
  s->upload = NULL;
  bytes->size = size;
  return bytes;
}

int view_receive_end(viewServer* server, struct lws* wsi, viewSession* s) {
  viewBytes* bytes = take_state(server, s);
  if (!bytes) {
    return view_answer_text(server, wsi, s, HTTP_STATUS_CONFLICT,
                            "this is no state of this session\n");
  }
  if (!server->backend.accept(server->backend.user, s->slot, bytes)) {
    return view_answer_text(server, wsi, s, HTTP_STATUS_CONFLICT,
                            "this state is of another world\n");
  }
  view_hub_lock(server->hub);
  server->hub->status.slots = view_slots_filled(server->backend.slots);
  view_hub_changed(server->hub);
  view_hub_unlock(server->hub);
  return view_answer_text(server, wsi, s, HTTP_STATUS_OK, "kept\n");
}
