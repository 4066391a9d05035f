// SPDX-License-Identifier: BSD-3-Clause
//
// The thread that steps a world at the pace that is asked for, and does what pages ask between two
// steps. It waits for programs that drive in step with it, and for nobody else.
#ifndef RUT_VIEW_SIMULATION_H
#define RUT_VIEW_SIMULATION_H

#include "links.h"
#include "scene/recorder.h"
#include "view/slots.h"
#include "view/workshop.h"

typedef struct viewSimulation viewSimulation;

// Programs that drive, and the simulation that has them.
typedef struct viewLinks {
  cliLinks links;              // those that fail are given up; its owner closes them
  viewSimulation* simulation;  // once it was started
  bool reset;                  // some node of ROS 2 has asked for it
} viewLinks;
// What nodes ask; link must outlive the node.
rutRos2Control view_links_control(viewLinks* link);

typedef struct viewSimulationDef {
  viewHub* hub;
  viewWorkshop* workshop;
  viewSlots* slots;
  uint64_t seed;
  bool paused;        // at the start
  rutInputs* inputs;  // Nullable; outlives the simulation
  rutLog* log;        // Nullable: both; step and close them
  viewRecorder* recorder;
  rutLoggers* loggers;  // Nullable: logs that the world names; step and close them
  viewLinks* links;     // outlives the simulation
} viewSimulationDef;

// Start it; logs and recorder are taken over then. NULL if there is no memory, or no thread.
viewSimulation* view_simulation_start(const viewSimulationDef* def);
// End it, after view_hub_end, and its log. Errors: those of the log, also of one that was given up
// while it ran. Nullable: simulation, err.
rutStatus view_simulation_stop(viewSimulation* simulation, rutError* err);

#endif  // RUT_VIEW_SIMULATION_H
