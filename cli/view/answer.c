// SPDX-License-Identifier: BSD-3-Clause
//
// Answers to HTTP requests: who is admitted, the page, the scene, assets, the ground.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "text.h"
#include "view/page.h"
#include "view/server_parts.h"

// ---- admission ----

static void header(viewServer* server, struct lws* wsi, enum lws_token_indexes which, char* out,
                   int size) {
  if (server->lws->lws_hdr_copy(wsi, out, size, which) < 0) out[0] = '\0';
}

// A header that the library has no number for.
static void own_header(viewServer* server, struct lws* wsi, const char* name, char* out, int size) {
  if (server->lws->lws_hdr_custom_copy(wsi, out, size, name, (int)strlen(name)) < 0) out[0] = '\0';
}

// Pages from elsewhere may not embed ours, nor cause work here.
static bool comes_from_elsewhere(viewServer* server, struct lws* wsi) {
  char site[32], mode[32];
  own_header(server, wsi, "sec-fetch-site:", site, sizeof site);
  own_header(server, wsi, "sec-fetch-mode:", mode, sizeof mode);
  const bool elsewhere = strcmp(site, "cross-site") == 0 || strcmp(site, "same-site") == 0;
  // a link that a person follows is allowed
  return elsewhere && strcmp(mode, "navigate") != 0;
}

// Only the first is told: pages could write to the terminal without end.
static void tell_origin(viewServer* server, const char* origin) {
  if (server->told_origin || !origin[0]) return;
  server->told_origin = true;
  fprintf(stderr,
          "rut: note: a page of %s was refused that speaks Foxglove's protocol; if it is yours,\n"
          "start rut view with --origin and this\n",
          CLI_CLEAN(origin));
}

// foxglove: it asks for Foxglove's protocol, which pages that the user has named may speak.
static const char* refusal(viewServer* server, struct lws* wsi, bool foxglove) {
  char host[256], origin[300], argument[128];
  header(server, wsi, WSI_TOKEN_HOST, host, sizeof host);
  header(server, wsi, WSI_TOKEN_ORIGIN, origin, sizeof origin);
  // a header that is there but too long for the buffer must not count as none
  const bool has_origin = server->lws->lws_hdr_total_length(wsi, WSI_TOKEN_ORIGIN) > 0;
  if (has_origin && !origin[0]) return "refused: bad origin\n";
  const bool named = foxglove && view_access_names(&server->access, host, origin);
  const bool allowed =
      view_access_allows(&server->access, host, origin) && !comes_from_elsewhere(server, wsi);
  if (!named && !allowed) {
    if (foxglove) tell_origin(server, origin);
    return "refused: this is a page of another place\n";
  }
  const char* token = server->lws->lws_get_urlarg_by_name(wsi, "token=", argument, sizeof argument);
  if (view_access_knows(&server->access, token ? token : "")) return NULL;
  return "refused: the address needs the token that rut view printed\n";
}

// The library would take every name in its table, and none, for a stream.
static bool asks_for_stream(viewServer* server, struct lws* wsi, const char* to) {
  char protocol[32], *uri = NULL;
  int length = 0;
  const int method = server->lws->lws_http_get_uri_and_method(wsi, &uri, &length);
  header(server, wsi, WSI_TOKEN_PROTOCOL, protocol, sizeof protocol);
  // it could also change to HTTP/2
  return method == LWSHUMETH_GET && length == 7 && memcmp(uri, "/stream", 7) == 0 && to &&
         strcmp(to, "websocket") == 0 && strcmp(protocol, VIEW_STREAM_PROTOCOL) == 0;
}

// Foxglove names one of its protocols, or both, and "/".
static bool asks_for_foxglove(viewServer* server, struct lws* wsi, const char* to) {
  char protocol[128], *uri = NULL;
  int length = 0;
  const int method = server->lws->lws_http_get_uri_and_method(wsi, &uri, &length);
  header(server, wsi, WSI_TOKEN_PROTOCOL, protocol, sizeof protocol);
  bool any = false, other = false;
  char* rest = NULL;
  for (char* name = strtok_r(protocol, ", ", &rest); name; name = strtok_r(NULL, ", ", &rest)) {
    const bool known =
        strcmp(name, VIEW_FOXGLOVE_SDK) == 0 || strcmp(name, VIEW_FOXGLOVE_WEBSOCKET) == 0;
    any |= known;
    other |= !known;
  }
  // a log is opened by Foxglove itself
  return method == LWSHUMETH_GET && length == 1 && to && strcmp(to, "websocket") == 0 && any &&
         !other && strcmp(server->backend.mode, "live") == 0;
}

bool view_answer_upgrade(viewServer* server, struct lws* wsi, const char* to) {
  viewSession none = {0};
  const bool foxglove = asks_for_foxglove(server, wsi, to);
  const char* why = refusal(server, wsi, foxglove);
  unsigned code = HTTP_STATUS_FORBIDDEN;
  if (!why) {
    const bool here = foxglove || asks_for_stream(server, wsi, to);
    if (here && server->clients < VIEW_CLIENTS) return true;
    why = here ? "there are as many pages as there may be\n" : "there is no stream here\n";
    code = here ? HTTP_STATUS_SERVICE_UNAVAILABLE : HTTP_STATUS_NOT_FOUND;
  }
  view_answer_text(server, wsi, &none, code, why);
  return false;
}

// ---- pages ----

enum { MAX_PACKED = 4 << 20 };  // bytes of an asset that is packed to be sent

static bool wants_packed(viewServer* server, struct lws* wsi) {
  char accepted[256];
  header(server, wsi, WSI_TOKEN_HTTP_ACCEPT_ENCODING, accepted, sizeof accepted);
  return strstr(accepted, "gzip") != NULL;
}

static int not_found(viewServer* server, struct lws* wsi, viewSession* session) {
  return view_answer_text(server, wsi, session, HTTP_STATUS_NOT_FOUND, "there is no such page\n");
}

static int no_memory(viewServer* server, struct lws* wsi, viewSession* session) {
  return view_answer_text(server, wsi, session, HTTP_STATUS_SERVICE_UNAVAILABLE, "out of memory\n");
}

// By the name, which the build has given.
static const char* type_of_page(const char* name) {
  static const struct {
    const char *suffix, *type;
  } types[] = {{".html", "text/html; charset=utf-8"},
               {".js", "text/javascript; charset=utf-8"},
               {".css", "text/css; charset=utf-8"},
               {".png", "image/png"}};
  const char* suffix = strrchr(name, '.');
  for (size_t i = 0; suffix && i < sizeof types / sizeof types[0]; i++) {
    if (strcmp(suffix, types[i].suffix) == 0) return types[i].type;
  }
  return "application/octet-stream";
}

static int answer_page(viewServer* server, struct lws* wsi, viewSession* session,
                       const char* path) {
  for (size_t i = 0; i < view_page_count; i++) {
    const viewPageFile* file = &view_page_files[i];
    if (strcmp(file->path, path) != 0) continue;
    viewForm form = {.type = type_of_page(file->name), .policy = file->policy};
    const size_t size = (size_t)(file->end - file->begin);
    if (wants_packed(server, wsi)) {
      form.packed = true;
      return view_answer_body(server, wsi, session, &form, (viewBody){NULL, file->begin, size});
    }
    if (!server->plain[i]) server->plain[i] = view_bytes_unpack(file->begin, size);
    viewBytes* plain = server->plain[i];
    if (!plain) return no_memory(server, wsi, session);
    return view_answer_body(server, wsi, session, &form,
                            (viewBody){NULL, plain->data, plain->size});
  }
  return not_found(server, wsi, session);
}

// The scene packed, which the caller drops. NULL if that fails.
static viewBytes* pack_scene(viewServer* server, viewBytes* scene) {
  if (server->scene != scene) {
    view_bytes_drop(server->scene);
    view_bytes_drop(server->packed_scene);
    server->scene = view_bytes_share(scene);
    server->packed_scene = view_bytes_pack(scene->data, scene->size);
  }
  return view_bytes_share(server->packed_scene);
}

static int answer_scene(viewServer* server, struct lws* wsi, viewSession* session) {
  view_hub_lock(server->hub);
  viewBytes* scene = view_bytes_share(server->hub->scene);
  view_hub_unlock(server->hub);
  if (!scene) return not_found(server, wsi, session);
  viewBytes* packed = wants_packed(server, wsi) ? pack_scene(server, scene) : NULL;
  viewBytes* sent = packed ? packed : scene;
  if (packed) view_bytes_drop(scene);
  const viewForm form = {.type = "application/json", .packed = packed != NULL};
  return view_answer_body(server, wsi, session, &form, (viewBody){sent, sent->data, sent->size});
}

// The results of a study, which do not change.
static int answer_study(viewServer* server, struct lws* wsi, viewSession* session) {
  viewBytes* table = server->backend.study;
  if (!table) return not_found(server, wsi, session);
  const bool packs = wants_packed(server, wsi);
  if (packs && !server->packed_study) {
    server->packed_study = view_bytes_pack(table->data, table->size);
  }
  const bool packed = packs && server->packed_study;
  viewBytes* sent = view_bytes_share(packed ? server->packed_study : table);
  const viewForm form = {.type = "application/json", .packed = packed};
  return view_answer_body(server, wsi, session, &form, (viewBody){sent, sent->data, sent->size});
}

// Files of a world, which may come from anybody: by what they hold, and never to be looked at as a
// page.
static int answer_asset(viewServer* server, struct lws* wsi, viewSession* session, int index) {
  viewContent content = VIEW_CONTENT_OTHER;
  viewBytes* bytes = server->backend.asset(server->backend.user, index, &content);
  if (!bytes || content == VIEW_CONTENT_OTHER) {
    view_bytes_drop(bytes);
    return not_found(server, wsi, session);
  }
  viewForm form = {.type = view_content_type(content)};
  snprintf(form.file, sizeof form.file, "asset-%d%s", index, view_content_suffix(content));
  // larger ones would keep other pages waiting; images are packed already
  const bool packs = bytes->size <= MAX_PACKED && !view_content_is_image(content);
  viewBytes* packed =
      packs && wants_packed(server, wsi) ? view_bytes_pack(bytes->data, bytes->size) : NULL;
  if (packed) {
    view_bytes_drop(bytes);
    bytes = packed;
    form.packed = true;
  }
  return view_answer_body(server, wsi, session, &form, (viewBody){bytes, bytes->data, bytes->size});
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
    return view_answer_text(server, wsi, session, HTTP_STATUS_BAD_REQUEST,
                            "needs x0, y0, x1, y1 [m], and nx, ny from 2 to 1025\n");
  }
  s->nx = (int)nx;
  s->ny = (int)ny;
  s->soils = soils;
  s->ground = server->backend.ground(server->backend.user);
  s->ground_free = server->backend.ground_free;
  if (!s->ground) return no_memory(server, wsi, session);
  const size_t size = (size_t)s->nx * (size_t)s->ny * (soils ? 1 : sizeof(float));
  const viewForm form = {.type = "application/octet-stream", .file = "ground.bin"};
  return view_answer_body(server, wsi, session, &form, (viewBody){NULL, NULL, size});
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
  if (strcmp(path, "/study.json") == 0) return answer_study(server, wsi, session);
  if (strcmp(path, "/terrain") == 0) return answer_ground(server, wsi, session, false);
  if (strcmp(path, "/soil") == 0) return answer_ground(server, wsi, session, true);
  const int asset = number_behind(path, "/asset/"), slot = number_behind(path, "/state/");
  if (asset >= 0) return answer_asset(server, wsi, session, asset);
  if (slot >= 0 && slot < VIEW_SLOTS) return view_answer_state(server, wsi, session, slot);
  return answer_page(server, wsi, session, path);
}

int view_answer(viewServer* server, struct lws* wsi, viewSession* session) {
  char path[256] = "", *uri = NULL;
  int length = 0;
  view_answer_free(server, session);
  const int method = server->lws->lws_http_get_uri_and_method(wsi, &uri, &length);
  session->head = method == LWSHUMETH_HEAD;
  const char* why = refusal(server, wsi, false);
  if (why) return view_answer_text(server, wsi, session, HTTP_STATUS_FORBIDDEN, why);
  if (uri && length > 0 && length < (int)sizeof path) snprintf(path, sizeof path, "%s", uri);
  if (method == LWSHUMETH_GET || method == LWSHUMETH_HEAD) {
    return answer_get(server, wsi, session, path);
  }
  const int slot = number_behind(path, "/state/");
  if (method == LWSHUMETH_PUT && server->backend.accept && slot >= 0 && slot < VIEW_SLOTS) {
    return view_receive_state(server, wsi, session, slot);
  }
  view_answer_text(server, wsi, session, HTTP_STATUS_METHOD_NOT_ALLOWED,
                   "only GET is answered here\n");
  return -1;
}
