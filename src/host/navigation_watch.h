// SPDX-License-Identifier: BSD-3-Clause
//
// Tells when the map or the path of a vehicle's navigation has changed.
#ifndef RUT_HOST_NAVIGATION_WATCH_H
#define RUT_HOST_NAVIGATION_WATCH_H

#include "rut/navigation.h"

typedef struct rutNavigationWatch {
  rutNavigation* of;
  rutNavigationInfo info;  // its controller's name is not to be used
  double map_stamp, path_stamp;
  int poses;          // of the last path
  double (*path)[3];  // owned
} rutNavigationWatch;

// Watch what a vehicle publishes. To be ended in any case. False, and nothing is to be watched, if
// it publishes nothing; *status gets errors: MEMORY.
bool rut_navigation_watch_begin(rutNavigationWatch* watch, const rutModel* model, int vehicle,
                                rutStatus* status, rutError* err);
void rut_navigation_watch_end(rutNavigationWatch* watch);
// What is new and published, RUT_NAVIGATION_PATH, ...; *view gets it, borrowed until the next call.
unsigned rut_navigation_watch_update(rutNavigationWatch* watch, const rutModel* model,
                                     const rutData* data, const rutNavigationView** view);

#endif  // RUT_HOST_NAVIGATION_WATCH_H
