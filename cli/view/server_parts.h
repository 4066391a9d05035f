// SPDX-License-Identifier: BSD-3-Clause
//
// What the files of the server share: server.c, answer*.c (HTTP) and stream*.c (WebSocket).
#ifndef RUT_VIEW_SERVER_PARTS_H
#define RUT_VIEW_SERVER_PARTS_H

#include "scene/frame.h"
#include "view/foxglove.h"
#include "view/incoming.h"
#include "view/server.h"

enum { VIEW_CLIENT_NEWS = 32, VIEW_CHUNK = 65536, VIEW_BLOCK = 4096, VIEW_CONNECTIONS = 256 };

#define VIEW_STREAM_PROTOCOL "rut.1"
#define VIEW_INPUT_PROTOCOL  "rut.input"
#define VIEW_END_PROTOCOL    "rut.end"

// A page at the stream.
typedef struct viewClient {
  struct lws* wsi;    // NULL: free
  struct lws* input;  // reads its socket, NULL: nothing more is read
  viewReader reader;
  viewIncoming incoming;
  int close_code;  // it is to be closed with, 0: it is not
  bool pong;       // the last ping is to be answered
  unsigned char ping[VIEW_CONTROL_SIZE];
  size_t ping_size;
  viewNews news[VIEW_CLIENT_NEWS];
  int first_news, news_count;
  uint32_t status;                   // last one that was told
  double status_time;                // when
  uint64_t frame;                    // last one that was sent
  bool more;                         // ground is left over
  bool framed;                       // a frame was sent since the last sample
  bool told;                         // a text was sent since the last frame
  viewWatch watch;                   // whose samples it wants
  uint32_t sample[VIEW_SOURCES];     // last version of each that was sent
  int sampled;                       // whose turn it is
  double sample_begun, sample_next;  // when the last was written, and when the next may be
  viewFoxglove* foxglove;            // NULL: it is a page
  uint32_t subscribed;               // counts all that this place in the table ever subscribed
} viewClient;

struct viewServer {
  const viewWebsockets* lws;
  viewHub* hub;
  viewBackend backend;
  viewAccess access;
  bool told_origin;                     // that a page was refused
  bool framed;                          // pages of others may show ours
  char ancestors[VIEW_ANCESTORS_SIZE];  // which: the sources of frame-ancestors
  bool over;                            // the input has ended with which it ends
  char session[40];                     // tells this server from others, for Foxglove
  struct lws_context* context;
  struct lws_vhost* vhost;
  viewClient client[VIEW_CLIENTS];
  int clients;
  int connections, silent_count;
  struct lws* silent[VIEW_CONNECTIONS];  // that ask for nothing now, oldest first
  size_t held, promised;  // bytes of answers on their way, and of states that come in
  size_t largest_state;   // that was given
  const viewSnapshot* snapshot;
  uint64_t frame;  // counts snapshots
  unsigned char *buffer, *chunk;
  size_t capacity;
  viewBytes** plain;                // files of the page, unpacked once one was asked for
  viewBytes *scene, *packed_scene;  // the last one that was packed
  viewBytes* packed_study;          // NULL: not asked for yet
  viewMessage message;
};

// One connection. Zeroed by the library.
typedef struct viewSession {
  viewClient* client;  // NULL: HTTP
  viewBytes* bytes;    // that are sent, or NULL
  const unsigned char* data;
  unsigned char tail[VIEW_TAG_SIZE];  // comes behind the data
  size_t tail_size, size, sent;       // size: of both
  size_t held, promised;              // share in those of the server
  double deadline;                    // for both, 0: none
  bool head;                          // no body is wanted
  // samples of the ground
  void* ground;  // NULL: none are sent
  void (*ground_free)(void* ground);
  bool soils;
  double x0, y0, x1, y1;
  int nx, ny;
  // a state that comes in
  viewBytes* upload;
  size_t received;
  int slot;
} viewSession;

// How an answer comes.
typedef struct viewForm {
  const char* type;
  const char* policy;  // that of the page (viewPageFile), NULL: that of mere data
  char file[48];       // name to save it under, never to be shown; "": none
  bool packed;         // with gzip
} viewForm;

// ---- server.c ----

// A connection has its answer, and asks for nothing more for now.
void view_server_silent(viewServer* server, struct lws* wsi);

// ---- answer.c ----

int view_answer(viewServer* server, struct lws* wsi, viewSession* session);
// True if a connection may become a stream; else it was refused. Nullable: to, the protocol that it
// asks for.
bool view_answer_upgrade(viewServer* server, struct lws* wsi, const char* to);

// ---- answer_send.c ----

// An answer of a few words.
int view_answer_text(viewServer* server, struct lws* wsi, viewSession* session, unsigned code,
                     const char* text);
// What an answer holds.
typedef struct viewBody {
  viewBytes* bytes;           // that data lies in, taken over; NULL: data outlives the answer
  const unsigned char* data;  // NULL: samples of the ground
  size_t size;                // in all, with the session's tail
} viewBody;
int view_answer_body(viewServer* server, struct lws* wsi, viewSession* session,
                     const viewForm* form, viewBody body);
int view_answer_more(viewServer* server, struct lws* wsi, viewSession* session);
void view_answer_free(viewServer* server, viewSession* session);
// Give the connection time for so many bytes that go, or come.
void view_answer_hurry(viewServer* server, struct lws* wsi, viewSession* session, size_t bytes);
// True if they have not gone, or come, in that time.
bool view_answer_is_late(const viewSession* session);

// ---- answer_states.c ----

int view_answer_state(viewServer* server, struct lws* wsi, viewSession* session, int slot);
// A state begins to come in; some of it has come; all of it.
int view_receive_state(viewServer* server, struct lws* wsi, viewSession* session, int slot);
int view_receive_body(viewSession* session, const void* in, size_t size);
int view_receive_end(viewServer* server, struct lws* wsi, viewSession* session);

// ---- stream.c ----

// foxglove: it speaks Foxglove's protocol, not that of pages.
bool view_stream_open(viewServer* server, struct lws* wsi, viewSession* session, bool foxglove);
int view_stream_write(viewServer* server, viewSession* session);
void view_stream_close(viewServer* server, viewSession* session);
// There may be something to write.
void view_stream_wake(viewServer* server);
viewSource view_stream_source(const viewServer* server);
void view_stream_tell_error(viewServer* server, viewClient* client, const char* message);

// ---- stream_input.c ----

// Read what a page sends from now on. False if that cannot be.
bool view_input_open(viewServer* server, viewClient* client);
// Some of it has come. Negative: the input is to be closed.
int view_input_read(viewServer* server, struct lws* input);
// The input is closed.
void view_input_close(viewServer* server, struct lws* input);

// ---- stream_messages.c ----

// Do what a message asks.
void view_input_message(viewServer* server, viewClient* client, const char* text, size_t size);

#endif  // RUT_VIEW_SERVER_PARTS_H
