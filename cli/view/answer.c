// SPDX-License-Identifier: BSD-3-Clause
//
// Answers to HTTP requests: the page, the scene, assets, the ground, saved states.
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scene/asset_kind.h"
#include "scene/assets.h"
#include "view/page.h"
#include "view/server_parts.h"

enum {
  HEADERS = 2048,
  MAX_STATE = 1 << 29,  // bytes of a state that comes in
  NAME_SIZE = 4096
};

static const struct {
  const char *name, *value;
} headers[] = {
    {"x-content-type-options:", "nosniff"},
    {"x-frame-options:", "DENY"},
    {"referrer-policy:", "no-referrer"},
    {"cross-origin-resource-policy:", "same-origin"},
    {"cross-origin-opener-policy:", "same-origin"},
    {"cache-control:", "no-store"},
    // the page is one file with its script and style in it
    {"content-security-policy:",
     "default-src 'self'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; "
     "img-src 'self' blob: data:; connect-src 'self' ws: wss: blob: data:; media-src blob:; "
     "worker-src 'self' blob:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"},
};

// ---- sending ----

static int done(viewServer* server, struct lws* wsi, viewSession* session) {
  view_answer_free(session);
  return server->lws->lws_http_transaction_completed(wsi) ? -1 : 0;
}

// Head of an answer; size bytes follow. False if the connection is broken.
static bool put_head(viewServer* server, struct lws* wsi, unsigned code, const char* type,
                     size_t size, bool packed) {
  unsigned char* start = server->chunk + LWS_PRE;
  unsigned char *at = start, *end = start + HEADERS;
  const viewWebsockets* lws = server->lws;
  bool fine = !lws->lws_add_http_common_headers(wsi, code, type, size, &at, end);
  for (size_t i = 0; i < sizeof headers / sizeof headers[0] && fine; i++) {
    fine = !lws->lws_add_http_header_by_name(wsi, (const unsigned char*)headers[i].name,
                                             (const unsigned char*)headers[i].value,
                                             (int)strlen(headers[i].value), &at, end);
  }
  if (fine && packed) {
    fine = !lws->lws_add_http_header_by_name(
        wsi, (const unsigned char*)"content-encoding:", (const unsigned char*)"gzip", 4, &at, end);
  }
  return fine && !lws->lws_finalize_write_http_header(wsi, start, &at, end);
}

// An answer of a few words.
static int answer_text(viewServer* server, struct lws* wsi, viewSession* session, unsigned code,
                       const char* text) {
  const size_t size = strlen(text);
  view_answer_free(session);
  if (!put_head(server, wsi, code, "text/plain; charset=utf-8", size, false)) return -1;
  if (session->head) return done(server, wsi, session);
  unsigned char* out = server->chunk + LWS_PRE;
  memcpy(out, text, size);
  if (server->lws->lws_write(wsi, out, size, LWS_WRITE_HTTP_FINAL) < 0) return -1;
  return done(server, wsi, session);
}

// Bytes, which are taken over; data and size tell which of them. Nullable: bytes.
static int answer_bytes(viewServer* server, struct lws* wsi, viewSession* session, const char* type,
                        viewBytes* bytes, const unsigned char* data, size_t size, bool packed) {
  session->bytes = bytes;
  session->data = data;
  session->size = size;
  session->sent = 0;
  if (!put_head(server, wsi, HTTP_STATUS_OK, type, size, packed)) return -1;
  if (session->head || size == 0) return done(server, wsi, session);
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

int view_answer_more(viewServer* server, struct lws* wsi, viewSession* s) {
  unsigned char* out = server->chunk + LWS_PRE;
  size_t n = s->size - s->sent < VIEW_CHUNK ? s->size - s->sent : VIEW_CHUNK;
  if (n == 0) return 0;
  if (s->ground) {
    n = take_samples(server, s, out, n);
  } else {
    memcpy(out, s->data + s->sent, n);
  }
  s->sent += n;
  const bool last = s->sent >= s->size;
  if (server->lws->lws_write(wsi, out, n, last ? LWS_WRITE_HTTP_FINAL : LWS_WRITE_HTTP) < 0) {
    return -1;
  }
  if (last) return done(server, wsi, s);
  server->lws->lws_callback_on_writable(wsi);
  return 0;
}

void view_answer_free(viewSession* s) {
  view_bytes_drop(s->bytes);
  if (s->ground) s->ground_free(s->ground);
  free(s->upload);
  s->bytes = NULL;
  s->ground = NULL;
  s->upload = NULL;
  s->size = s->sent = s->received = s->capacity = 0;
}

// ---- admission ----

static void header(viewServer* server, struct lws* wsi, enum lws_token_indexes which, char* out,
                   int size) {
  if (server->lws->lws_hdr_copy(wsi, out, size, which) < 0) out[0] = '\0';
}

// A header that the library has no number for.
static void own_header(viewServer* server, struct lws* wsi, const char* name, char* out, int size) {
  if (server->lws->lws_hdr_custom_copy(wsi, out, size, name, (int)strlen(name)) < 0) out[0] = '\0';
}

// Pages of other places may have no part of ours in them, be it only to make us work.
static bool comes_from_elsewhere(viewServer* server, struct lws* wsi) {
  char site[32], mode[32];
  own_header(server, wsi, "sec-fetch-site:", site, sizeof site);
  own_header(server, wsi, "sec-fetch-mode:", mode, sizeof mode);
  const bool elsewhere = strcmp(site, "cross-site") == 0 || strcmp(site, "same-site") == 0;
  // a link that a person follows is none of their doing
  return elsewhere && strcmp(mode, "navigate") != 0;
}

static const char* refusal(viewServer* server, struct lws* wsi) {
  char host[256], origin[300], argument[128];
  header(server, wsi, WSI_TOKEN_HOST, host, sizeof host);
  header(server, wsi, WSI_TOKEN_ORIGIN, origin, sizeof origin);
  // a header that is there but too long for the buffer must not count as none
  const bool has_origin = server->lws->lws_hdr_total_length(wsi, WSI_TOKEN_ORIGIN) > 0;
  if (has_origin && !origin[0]) return "refused: bad origin\n";
  if (!view_access_allows(&server->access, host, origin) || comes_from_elsewhere(server, wsi)) {
    return "refused: this is a page of another place\n";
  }
  const char* token = server->lws->lws_get_urlarg_by_name(wsi, "token=", argument, sizeof argument);
  if (view_access_knows(&server->access, token ? token : "")) return NULL;
  return "refused: the address needs the token that rut view printed\n";
}

bool view_answer_upgrade(viewServer* server, struct lws* wsi) {
  viewSession none = {0};
  const char* why = refusal(server, wsi);
  unsigned code = HTTP_STATUS_FORBIDDEN;
  if (!why) {
    char* uri = NULL;
    int length = 0;
    const int method = server->lws->lws_http_get_uri_and_method(wsi, &uri, &length);
    const bool here = method == LWSHUMETH_GET && length == 7 && memcmp(uri, "/stream", 7) == 0;
    if (here && server->clients < VIEW_CLIENTS) return true;
    why = here ? "there are as many pages as there may be\n" : "there is no stream here\n";
    code = here ? HTTP_STATUS_SERVICE_UNAVAILABLE : HTTP_STATUS_NOT_FOUND;
  }
  answer_text(server, wsi, &none, code, why);
  return false;
}

// ---- pages ----

static bool wants_packed(viewServer* server, struct lws* wsi) {
  char accepted[256];
  header(server, wsi, WSI_TOKEN_HTTP_ACCEPT_ENCODING, accepted, sizeof accepted);
  return strstr(accepted, "gzip") != NULL;
}

static int not_found(viewServer* server, struct lws* wsi, viewSession* session) {
  return answer_text(server, wsi, session, HTTP_STATUS_NOT_FOUND, "there is no such page\n");
}

static int no_memory(viewServer* server, struct lws* wsi, viewSession* session) {
  return answer_text(server, wsi, session, HTTP_STATUS_SERVICE_UNAVAILABLE, "out of memory\n");
}

static int answer_page(viewServer* server, struct lws* wsi, viewSession* session,
                       const char* path) {
  for (size_t i = 0; i < view_page_count; i++) {
    const viewPageFile* file = &view_page_files[i];
    if (strcmp(file->path, path) != 0) continue;
    const char* type = view_content_type(file->name);
    const size_t size = (size_t)(file->end - file->begin);
    if (wants_packed(server, wsi)) {
      return answer_bytes(server, wsi, session, type, NULL, file->begin, size, true);
    }
    viewBytes* plain = view_bytes_unpack(file->begin, size);
    if (!plain) return no_memory(server, wsi, session);
    return answer_bytes(server, wsi, session, type, plain, plain->data, plain->size, false);
  }
  return not_found(server, wsi, session);
}

static int answer_scene(viewServer* server, struct lws* wsi, viewSession* session) {
  view_hub_lock(server->hub);
  viewBytes* scene = view_bytes_share(server->hub->scene);
  view_hub_unlock(server->hub);
  if (!scene) return not_found(server, wsi, session);
  viewBytes* packed = wants_packed(server, wsi) ? view_bytes_pack(scene->data, scene->size) : NULL;
  viewBytes* sent = packed ? packed : scene;
  if (packed) view_bytes_drop(scene);
  return answer_bytes(server, wsi, session, "application/json", sent, sent->data, sent->size,
                      packed != NULL);
}

static int answer_asset(viewServer* server, struct lws* wsi, viewSession* session, int index) {
  char path[NAME_SIZE];
  viewBytes* bytes = NULL;
  if (!server->backend.asset(server->backend.user, index, path, sizeof path, &bytes)) {
    return not_found(server, wsi, session);
  }
  if (!bytes) return not_found(server, wsi, session);
  return answer_bytes(server, wsi, session, view_asset_type(path), bytes, bytes->data, bytes->size,
                      false);
}

// ---- ground ----

static bool argument(viewServer* server, struct lws* wsi, const char* name, double min, double max,
                     double* out) {
  char text[64], *end;
  const char* value = server->lws->lws_get_urlarg_by_name(wsi, name, text, sizeof text);
  if (!value || !*value) return false;
  *out = strtod(value, &end);
  return *end == '\0' && *out >= min && *out <= max;
}

static int answer_ground(viewServer* server, struct lws* wsi, viewSession* session, bool soils) {
  double nx = 0, ny = 0;
  viewSession* s = session;
  const bool fine = argument(server, wsi, "x0=", -1e9, 1e9, &s->x0) &&
                    argument(server, wsi, "y0=", -1e9, 1e9, &s->y0) &&
                    argument(server, wsi, "x1=", -1e9, 1e9, &s->x1) &&
                    argument(server, wsi, "y1=", -1e9, 1e9, &s->y1) &&
                    argument(server, wsi, "nx=", 2, VIEW_SAMPLES, &nx) &&
                    argument(server, wsi, "ny=", 2, VIEW_SAMPLES, &ny);
  if (!fine) {
    return answer_text(server, wsi, session, HTTP_STATUS_BAD_REQUEST,
                       "needs x0, y0, x1, y1 [m], and nx, ny from 2 to 1025\n");
  }
  s->nx = (int)nx;
  s->ny = (int)ny;
  s->soils = soils;
  s->ground = server->backend.ground(server->backend.user);
  s->ground_free = server->backend.ground_free;
  if (!s->ground) return no_memory(server, wsi, session);
  const size_t size = (size_t)s->nx * (size_t)s->ny * (soils ? 1 : sizeof(float));
  return answer_bytes(server, wsi, session, "application/octet-stream", NULL, NULL, size, false);
}

// ---- states ----

static int answer_state(viewServer* server, struct lws* wsi, viewSession* session, int slot) {
  viewSlot saved;
  if (!server->backend.slots || !view_slots_get(server->backend.slots, slot, &saved)) {
    return answer_text(server, wsi, session, HTTP_STATUS_NOT_FOUND, "this slot holds no state\n");
  }
  viewBytes* bytes = view_bytes_create(saved.bytes->size + VIEW_TAG_SIZE);
  if (bytes) {
    const uint64_t tag = view_access_tag(&server->access, saved.bytes->data, saved.bytes->size);
    memcpy(bytes->data, saved.bytes->data, saved.bytes->size);
    memcpy(bytes->data + saved.bytes->size, &tag, sizeof tag);
  }
  view_slot_drop(&saved);
  if (!bytes) return no_memory(server, wsi, session);
  return answer_bytes(server, wsi, session, "application/octet-stream", bytes, bytes->data,
                      bytes->size, false);
}

// A state begins to come in.
static int receive_state(viewServer* server, struct lws* wsi, viewSession* session, int slot) {
  char text[32];
  header(server, wsi, WSI_TOKEN_HTTP_CONTENT_LENGTH, text, sizeof text);
  errno = 0;
  const long long size = strtoll(text, NULL, 10);
  if (!text[0] || errno || size < VIEW_TAG_SIZE || size > MAX_STATE) {
    answer_text(server, wsi, session, HTTP_STATUS_REQ_ENTITY_TOO_LARGE,
                "a state has a length, of at most 512 MiB\n");
    return -1;
  }
  session->slot = slot;
  session->received = 0;
  session->capacity = (size_t)size;
  // grows as bytes come, so that a mere promise takes no memory
  session->upload = NULL;
  return 0;
}

int view_answer_body(viewServer* server, struct lws* wsi, viewSession* s, const void* in,
                     size_t size) {
  (void)server;
  (void)wsi;
  if (s->received + size > s->capacity) return -1;
  // a power of two at a time
  size_t old = 65536, wanted = 65536;
  while (old < s->received) old *= 2;
  while (wanted < s->received + size) wanted *= 2;
  if (!s->upload || wanted != old) {
    unsigned char* larger = realloc(s->upload, wanted);
    if (!larger) return -1;
    s->upload = larger;
  }
  memcpy(s->upload + s->received, in, size);
  s->received += size;
  return 0;
}

int view_answer_body_end(viewServer* server, struct lws* wsi, viewSession* s) {
  if (s->capacity == 0) return not_found(server, wsi, s);
  viewBytes* bytes = NULL;
  if (s->received >= VIEW_TAG_SIZE) {
    uint64_t tag;
    const size_t size = s->received - VIEW_TAG_SIZE;
    memcpy(&tag, s->upload + size, sizeof tag);
    if (tag == view_access_tag(&server->access, s->upload, size)) {
      bytes = view_bytes_of(s->upload, size);
    }
  }
  if (!bytes) {
    return answer_text(server, wsi, s, HTTP_STATUS_CONFLICT, "this is no state of this session\n");
  }
  const bool fits = server->backend.accept(server->backend.user, s->slot, bytes);
  if (!fits) {
    return answer_text(server, wsi, s, HTTP_STATUS_CONFLICT, "this state is of another world\n");
  }
  view_hub_lock(server->hub);
  server->hub->status.slots = view_slots_filled(server->backend.slots);
  view_hub_changed(server->hub);
  view_hub_unlock(server->hub);
  return answer_text(server, wsi, s, HTTP_STATUS_OK, "kept\n");
}

// ---- routes ----

// Number behind a prefix of a path, -1 if there is none.
static int number_behind(const char* path, const char* prefix) {
  const size_t n = strlen(prefix);
  if (strncmp(path, prefix, n) != 0) return -1;
  const char* digits = path + n;
  const size_t length = strspn(digits, "0123456789");
  if (length == 0 || length > 4 || digits[length] != '\0') return -1;
  return atoi(digits);
}

static int answer_get(viewServer* server, struct lws* wsi, viewSession* session, const char* path) {
  if (strcmp(path, "/scene.json") == 0) return answer_scene(server, wsi, session);
  if (strcmp(path, "/terrain") == 0) return answer_ground(server, wsi, session, false);
  if (strcmp(path, "/soil") == 0) return answer_ground(server, wsi, session, true);
  const int asset = number_behind(path, "/asset/"), slot = number_behind(path, "/state/");
  if (asset >= 0) return answer_asset(server, wsi, session, asset);
  if (slot >= 0 && slot < VIEW_SLOTS) return answer_state(server, wsi, session, slot);
  return answer_page(server, wsi, session, path);
}

int view_answer(viewServer* server, struct lws* wsi, viewSession* session) {
  char path[256] = "", *uri = NULL;
  int length = 0;
  view_answer_free(session);
  const int method = server->lws->lws_http_get_uri_and_method(wsi, &uri, &length);
  session->head = method == LWSHUMETH_HEAD;
  const char* why = refusal(server, wsi);
  if (why) return answer_text(server, wsi, session, HTTP_STATUS_FORBIDDEN, why);
  if (uri && length > 0 && length < (int)sizeof path) snprintf(path, sizeof path, "%s", uri);
  if (method == LWSHUMETH_GET || method == LWSHUMETH_HEAD) {
    return answer_get(server, wsi, session, path);
  }
  const int slot = number_behind(path, "/state/");
  if (method == LWSHUMETH_PUT && server->backend.accept && slot >= 0 && slot < VIEW_SLOTS) {
    return receive_state(server, wsi, session, slot);
  }
  answer_text(server, wsi, session, HTTP_STATUS_METHOD_NOT_ALLOWED, "only GET is answered here\n");
  return -1;
}
