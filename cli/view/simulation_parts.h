// SPDX-License-Identifier: BSD-3-Clause
//
// The thread that steps, for the files that it consists of.
#ifndef RUT_VIEW_SIMULATION_PARTS_H
#define RUT_VIEW_SIMULATION_PARTS_H

#include "scene/tracks.h"
#include "view/pace.h"
#include "view/simulation.h"

typedef struct viewCar {
  bool driven;   // by a page
  bool asked;    // for a controller that stands in
  int client;    // that drove it last
  double heard;  // when
  viewPedals pedals;
  bool commanded;  // set points were given
  double command[VIEW_COMMANDS];
  int commands;
} viewCar;

// The curves of one page. Accelerations are means between two rows, so each page has its own.
typedef struct viewPlot {
  rutSignals* signals;
  int index[VIEW_SIGNALS];  // in signals, of what is subscribed
} viewPlot;

struct viewSimulation {
  viewHub* hub;
  viewWorkshop* workshop;
  viewSlots* slots;
  const rutSignals* signals;
  uint64_t seed;
  rutInputs* inputs;  // Nullable: set points over time
  rutLog* log;        // NULL: none, or it failed
  viewRecorder* recorder;
  viewBuild now;
  viewCar* car;
  viewTracks tracks;
  int driven;  // number of cars that pages drive
  bool paused, diverged;
  int64_t steps_left;  // of a `step`
  viewPace pace;
  uint32_t jumps;
  bool show;             // a frame is due even if nothing has moved
  double frame;          // when the next frame may be made
  double beat;           // when the server was last woken
  double mark;           // simulated time at which ground is marked next
  int tiles;             // that wait to be measured
  int batch;             // steps between two looks at the clock
  uint32_t subscribers;  // bit i: page i has subscribed
  viewPlot plot[VIEW_CLIENTS];
  pthread_t thread;
};

static inline const rutModel* view_simulation_model(const viewSimulation* s) {
  return s->now.box->model;
}

// ---- simulation.c ----

// Tell all pages the present status.
void view_simulation_tell(viewSimulation* s);
// The next step begins with all set points that the table has for it.
void view_simulation_rewind(viewSimulation* s);
// Time has jumped: pages drop what they have drawn so far.
void view_simulation_jump(viewSimulation* s);
void view_simulation_pause(viewSimulation* s);

// ---- simulation_orders.c ----

void view_simulation_obey(viewSimulation* s, const viewOrder* order);
// Find what a page has subscribed in the present model, or forget it.
void view_simulation_find_signals(viewSimulation* s, int client);

// ---- simulation_driving.c ----

// Set points of all vehicles that pages drive, for one step.
void view_driving_all(viewSimulation* s);
// Drivers who have gone silent let go.
void view_driving_let_go(viewSimulation* s, double wall);
// A page drives a vehicle, hands it back, gives set points to the world's controller.
void view_driving_take(viewSimulation* s, const viewOrder* order);
void view_driving_release(viewSimulation* s, const viewOrder* order);
void view_driving_command(viewSimulation* s, const viewOrder* order);
// Set points that hold while the world drives.
void view_driving_restore(viewSimulation* s, int vehicle);

#endif  // RUT_VIEW_SIMULATION_PARTS_H
