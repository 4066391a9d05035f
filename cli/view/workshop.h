// SPDX-License-Identifier: BSD-3-Clause
//
// Changes of the world while it runs. A thread of its own compiles the changed spec, so that the
// simulation goes on meanwhile; it then takes the new model over between two steps.
#ifndef RUT_VIEW_WORKSHOP_H
#define RUT_VIEW_WORKSHOP_H

#include "rut/host.h"
#include "scene/assets.h"
#include "scene/driver.h"
#include "view/box.h"
#include "view/hub.h"
#include "view/study.h"
#include "world.h"

// A world that is ready to run.
typedef struct viewBuild {
  viewBox* box;
  rutData* data;
  viewDriver* driver;  // of each vehicle
  bool* substituted;   // vehicles with a controller that stands in
  int64_t run;         // of the study, -1: none, or it was changed
  bool begins;         // time begins anew with it, as `start` says; else it goes on
  viewRun start;
} viewBuild;

void view_build_free(viewBuild* build);

typedef struct viewWorkshop viewWorkshop;

// Takes over spec and model of the world, whose context it goes on to use, and shows the scene to
// the hub. signals lives as long as the workshop. The caller owns *out.
rutStatus view_workshop_create(cliWorld* world, viewHub* hub, const rutSignals* signals,
                               const char* title, viewWorkshop** out, rutError* err);
// Nullable: workshop.
void view_workshop_destroy(viewWorkshop* workshop);

// Ask for a change; false if too many wait. The page is told of failure.
bool view_workshop_set(viewWorkshop* workshop, int client, const char* path, const char* value);
// Runs of a study can be simulated again from now on; the world is that of `run`. Before the first
// view_workshop_take. The study outlives the workshop.
rutStatus view_workshop_study(viewWorkshop* workshop, viewStudy* study, int64_t run, rutError* err);
// Begin a run of the study; false if too many changes wait. The page is told of failure.
bool view_workshop_run(viewWorkshop* workshop, int client, int64_t run);
// Put a controller that stands in into a vehicle, or take it out again.
bool view_workshop_substitute(viewWorkshop* workshop, int client, int vehicle, bool on);
// The newest world, once: false if there is none newer than the last.
bool view_workshop_take(viewWorkshop* workshop, viewBuild* build);

// What /asset/N gives, which the caller drops, and what it is. NULL if there is no such asset.
viewBytes* view_workshop_asset(viewWorkshop* workshop, int index, viewContent* content);
// Files that the world names as meshes and that are not shown.
viewRefused view_workshop_refused(viewWorkshop* workshop);
// The world that requests about the ground are answered from. The caller drops it.
viewBox* view_workshop_box(viewWorkshop* workshop);

#endif  // RUT_VIEW_WORKSHOP_H
