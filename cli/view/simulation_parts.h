// SPDX-License-Identifier: BSD-3-Clause
//
// The thread that steps, for the files that it consists of.
#ifndef RUT_VIEW_SIMULATION_PARTS_H
#define RUT_VIEW_SIMULATION_PARTS_H

#include "rut/navigation.h"
#include "scene/tracks.h"
#include "view/history.h"
#include "view/pace.h"
#include "view/radio.h"
#include "view/simulation.h"
#include "view/video.h"

typedef struct viewCar {
  bool driven;       // by a page
  bool asked;        // for the controllers that a page drives
  bool restore;      // that is to go again, which the workshop was too busy to be told
  int client;        // that drove it last
  double heard;      // when
  viewAsked wanted;  // by who drives it
  viewRadio radio;   // by which that comes
  bool commanded;    // set points were given
  double command[VIEW_COMMANDS];
  int commands;
} viewCar;

enum { VIEW_POSES = 1024 };

// A source whose samples are sent.
typedef struct viewWatched {
  int source;
  unsigned layers;
  double stamp;  // of the last sample that was sent [s]
  double due;    // when the next one may be [s], wall clock
  // Where it was after the last steps: samples become visible later than they were taken.
  double latency;
  double (*pose)[7];          // ring of time and pose; NULL: it has no latency
  int poses;                  // kept so far
  rutNavigation* navigation;  // of a map or a path; NULL: its vehicle tells none
} viewWatched;

struct viewSimulation {
  viewHub* hub;
  viewWorkshop* workshop;
  viewSlots* slots;
  uint64_t seed;
  rutInputs* inputs;  // Nullable: set points over time
  viewRun run;        // of a study that is simulated; owns its inputs
  rutLog* log;        // NULL: none, or it failed
  viewRecorder* recorder;
  rutLoggers* loggers;  // Nullable
  viewLinks* links;
  rutGroundWatch* ground;  // NULL: no memory
  rutError failure;        // of the first log that failed, status RUT_OK: none
  viewBuild now;
  viewBox* first;  // the world as it was at the start
  viewCar* car;
  viewTracks tracks;
  int driven;     // number of cars that pages drive
  int restoring;  // number of cars with `restore`
  bool paused, diverged;
  const char* outcome;  // of the run of a study that is over, NULL: it is not
  int64_t steps_left;   // of a `step`
  viewPace pace;
  uint32_t jumps;
  bool show;             // a frame is due even if nothing has moved
  double frame;          // when the next frame may be made
  double beat;           // when the server was last woken
  double mark;           // simulated time at which ground is marked next
  int batch;             // steps between two looks at the clock
  uint32_t subscribers;  // bit i: page i has subscribed
  // For the curves of each page, of the first model; NULL: it never had any. Accelerations are
  // means between two rows, so that each page needs its own.
  rutSignals* plot[VIEW_CLIENTS];
  viewHistory history;
  rutLog* live;       // for programs that read topics, NULL: none came yet
  bool retell;        // topics are to be told anew
  double topics_due;  // when they may be told next [s]
  viewWatch watch[VIEW_CLIENTS];
  viewWatched* watched;  // [watching] what some page watches
  int watching;
  viewVideo video;
  pthread_t thread;
};

static inline const rutModel* view_simulation_model(const viewSimulation* s) {
  return s->now.box->model;
}

// ---- simulation.c ----

// Tell all pages the present status.
void view_simulation_tell(viewSimulation* s);
// All set points that the table has up to now hold again.
void view_simulation_rewind(viewSimulation* s);
// Time has jumped: pages drop what they have drawn so far.
void view_simulation_jump(viewSimulation* s);
void view_simulation_pause(viewSimulation* s);

// ---- simulation_logs.c ----

// Have room for what pages are told of logs. False if out of memory.
bool view_logs_begin(viewSimulation* s);
// Log the present state. A log that fails is given up, and the run goes on.
void view_logs_step(viewSimulation* s);
// A page asks something of a log.
void view_logs_obey(viewSimulation* s, const viewOrder* order);
// What pages are told next time.
void view_logs_tell(viewSimulation* s);
rutStatus view_logs_end(viewSimulation* s, rutError* err);

// ---- simulation_samples.c ----

// What one page watches has changed.
void view_watch_change(viewSimulation* s, int client, const viewWatch* watch);
// Samples of another run may bear the same time.
void view_watch_restart(viewSimulation* s);
// Pass on samples that are new.
void view_watch_step(viewSimulation* s);
void view_watch_free(viewSimulation* s);
// A sample of a watched source: pages get it, at once or by video.
void view_watch_put(viewSimulation* s, const viewWatched* watched, viewBytes* bytes);

// ---- simulation_navigation.c ----

// Begin to watch a map or a path.
void view_navigation_begin(viewSimulation* s, viewWatched* watched);
// Pass it on if it is new.
void view_navigation_look(viewSimulation* s, viewWatched* watched);

// ---- simulation_video.c ----

// A page begins to drive a vehicle: pages see it by video, if its controller drives from afar and
// no other vehicle is seen so.
void view_video_take(viewSimulation* s, int vehicle);
// It is driven no longer: pictures are live.
void view_video_release(viewSimulation* s, int vehicle);
// After a jump of time pages see it at once.
void view_video_jump(viewSimulation* s);
// After a step, where there is video: send and show pictures.
void view_video_step(viewSimulation* s);

// ---- simulation_topics.c ----

// Tell what is read of the present state; a part of the time at most is spent on it.
void view_topics_step(viewSimulation* s);
// Topics are read by one more program, or by others than before.
void view_topics_change(viewSimulation* s);

// ---- simulation_links.c ----

// Before a step. False if the step is not to be made now: the run was reset, or it waits.
bool view_links_step(viewSimulation* s);
// While no step is made.
void view_links_idle(viewSimulation* s);

// ---- simulation_orders.c ----

void view_simulation_obey(viewSimulation* s, const viewOrder* order);

// ---- simulation_driving.c ----

// Set points of all vehicles that pages drive, for one step.
void view_driving_all(viewSimulation* s);
// Have the workshop take out controllers that stand in, where it was too busy before.
void view_driving_give_back(viewSimulation* s);
// Drivers who have gone silent let go.
void view_driving_let_go(viewSimulation* s, double wall);
// A page drives a vehicle, hands it back, gives set points to the world's controller.
void view_driving_take(viewSimulation* s, const viewOrder* order);
void view_driving_release(viewSimulation* s, const viewOrder* order);
void view_driving_command(viewSimulation* s, const viewOrder* order);
// Time has jumped: nothing is on its way to vehicles.
void view_driving_jump(viewSimulation* s);
void view_driving_free(viewSimulation* s);
// Set points that hold while the world drives.
void view_driving_restore(viewSimulation* s, int vehicle);

#endif  // RUT_VIEW_SIMULATION_PARTS_H
