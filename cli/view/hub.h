// SPDX-License-Identifier: BSD-3-Clause
//
// What the threads of the viewer share: the server (pages), the simulation (or the replay of a
// log), and the workshop that compiles changed worlds. Nothing here ever waits for a page.
#ifndef RUT_VIEW_HUB_H
#define RUT_VIEW_HUB_H

#include <pthread.h>
#include <stdatomic.h>

#include "scene/bytes.h"
#include "scene/curves.h"
#include "scene/ground_tiles.h"
#include "scene/snapshot.h"
#include "view/message.h"
#include "view/topics.h"

// What a page asks of the thread that steps.
typedef struct viewOrder {
  viewVerb verb;
  int client, vehicle, slot, log;
  rutLoggerOrder request;  // to the log
  int64_t steps;
  double value;
  bool on;
  viewPedals pedals;
  bool twisted;  // drive: by the twist, not by pedals
  viewTwist twist;
  int numbers;  // command: set points; subscribe: signals
  union {
    double number[VIEW_COMMANDS];
    int signal[VIEW_SIGNALS];
    viewWatch watch;
  };
  uint32_t subscription;
} viewOrder;

// A log that the world names.
typedef struct viewLogStatus {
  const char *name, *state;   // borrowed
  char file[VIEW_PATH_SIZE];  // of the present session, without its folder; "": none
  int session;
  int64_t rows;
} viewLogStatus;

// Something about the run that everybody should know, such as a vehicle that left the ground.
typedef struct viewWarning {
  int vehicle;
  bool step;  // that it met, not that it left the ground
  double time;
  char text[VIEW_TEXT_SIZE];
} viewWarning;
enum { VIEW_WARNINGS = 16 };  // the first ones of a run are told

// What all pages are told in a status.
typedef struct viewStatus {
  bool paused;
  double rate;
  double end;             // of a log, NaN: none
  unsigned slots;         // bit i: slot i holds a state
  bool* driven;           // of each vehicle, by a page
  const char* recording;  // log that is written, NULL: none
  viewLogStatus* log;     // [logs]
  int logs;
  bool study;           // there are runs to choose from
  int64_t run;          // that is simulated, -1: none, or another world has been made of it
  const char* outcome;  // of that run, once it is over: "same" state as in the study, or "other"
  viewWarning warning[VIEW_WARNINGS];
  int warnings;
  uint32_t change;  // grows with every change
} viewStatus;

// Something that a page is told once.
typedef enum viewNewsKind { VIEW_NEWS_ERROR, VIEW_NEWS_PARAMETER, VIEW_NEWS_SCENE } viewNewsKind;
typedef struct viewNews {
  viewNewsKind kind;
  int client;  // -1: all of them
  char path[VIEW_PATH_SIZE], text[VIEW_TEXT_SIZE];
} viewNews;

enum { VIEW_NEWS = 64, VIEW_ALL_ORDERS = VIEW_ORDERS + VIEW_CLIENTS /* that pages have gone */ };

typedef struct viewHub {
  viewShape shape;
  viewTiles tiles;
  viewCurves curves[VIEW_CLIENTS];
  viewSamples samples;
  viewTopics topics;
  atomic_int clients;  // pages that are connected

  pthread_mutex_t lock;  // of everything below
  pthread_cond_t wake;   // an order has come, or the end
  viewOrder order[VIEW_ALL_ORDERS];
  int first_order, orders;
  bool poked, ending;
  viewStatus status;
  viewNews news[VIEW_NEWS];
  int first_news, news_count;
  viewBytes* scene;
  viewSnapshot snapshot[3];
  int back, middle, front;  // of the thread that steps, between, of the server
  bool fresh;               // middle is newer than front

  // Wakes the server; may be called by every thread, under lock. Set by the server.
  void (*notify)(void* user);
  void* user;
} viewHub;

// Takes shape over, also when it fails. False if out of memory.
bool view_hub_create(viewShape* shape, double rut_cell, viewHub* hub);
void view_hub_free(viewHub* hub);

// Ask for something. False if too many orders wait.
bool view_hub_order(viewHub* hub, const viewOrder* order);
// Have view_hub_take return at once, or the next time.
void view_hub_poke(viewHub* hub);
// Next order, waiting for it until a time of CLOCK_MONOTONIC [s]. False if there is none.
bool view_hub_take(viewHub* hub, double until, viewOrder* order);
// True once the viewer ends.
bool view_hub_ending(viewHub* hub);
// True if view_hub_take would return at once.
bool view_hub_waits(viewHub* hub);
void view_hub_end(viewHub* hub);

// Tell a page, or all of them.
void view_hub_tell(viewHub* hub, const viewNews* news);
// Tell an error.
void view_hub_error(viewHub* hub, int client, const char* format, ...)
    __attribute__((format(printf, 3, 4)));
bool view_hub_news(viewHub* hub, viewNews* news);

// The snapshot to be filled, and giving it to the server.
viewSnapshot* view_hub_back(viewHub* hub);
void view_hub_publish(viewHub* hub);
// The latest snapshot; *fresh tells whether it is another than at the last call.
const viewSnapshot* view_hub_front(viewHub* hub, bool* fresh);

// Set under lock: view_hub_lock, change hub->status, view_hub_unlock.
void view_hub_lock(viewHub* hub);
void view_hub_unlock(viewHub* hub);
// The status has changed: pages are told. With the lock held.
void view_hub_changed(viewHub* hub);

// Wakes the server, which tells the status now and then.
void view_hub_beat(viewHub* hub);

#endif  // RUT_VIEW_HUB_H
