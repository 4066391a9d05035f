// SPDX-License-Identifier: BSD-3-Clause
//
// The thread that steps a world at the pace that is asked for, and does what pages ask between two
// steps. It waits for nobody.
#ifndef RUT_VIEW_SIMULATION_H
#define RUT_VIEW_SIMULATION_H

#include "rut/ros2.h"
#include "scene/recorder.h"
#include "view/slots.h"
#include "view/workshop.h"

typedef struct viewSimulation viewSimulation;

// A node of ROS 2 that the simulation is.
typedef struct viewRos2 {
  rutRos2* ros2;               // NULL: it is none, or it failed; its owner closes it
  viewSimulation* simulation;  // once it was started
  bool reset;                  // some node has asked for it
} viewRos2;
// What nodes ask; link must outlive the node.
rutRos2Control view_ros2_control(viewRos2* link);

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
  viewRos2* ros2;       // outlives the simulation
} viewSimulationDef;

// Start it; logs and recorder are taken over then. NULL if there is no memory, or no thread.
viewSimulation* view_simulation_start(const viewSimulationDef* def);
// End it, after view_hub_end, and its log. Errors: those of the log, also of one that was given up
// while it ran. Nullable: simulation, err.
rutStatus view_simulation_stop(viewSimulation* simulation, rutError* err);

#endif  // RUT_VIEW_SIMULATION_H
