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
#include "world.h"

// A world that is ready to run.
typedef struct viewBuild {
  viewBox* box;
  rutData* data;
  viewDriver* driver;  // of each vehicle
  bool* substituted;   // vehicles with a controller that stands in
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
