// SPDX-License-Identifier: BSD-3-Clause
//
// Local maps and planned paths in a log, as nav_msgs and grid_map_msgs have them.
#ifndef RUT_HOST_LOG_NAVIGATION_H
#define RUT_HOST_LOG_NAVIGATION_H

#include "host/log_parts.h"
#include "host/navigation_message.h"
#include "host/navigation_watch.h"

typedef struct rutLogNavigation {
  rutNavigationWatch watch;
  bool watches;  // its vehicle publishes something
  int channel[RUT_NAVIGATION_MESSAGES];
} rutLogNavigation;

// Schemas and channels. Errors: IO, MEMORY.
rutStatus rut_log_begin_navigation(rutLog* log, const rutModel* model, rutError* err);
void rut_log_navigation_free(rutLog* log);
// Hand what is new to the thread. False if out of memory.
bool rut_log_take_navigation(rutLog* log, const rutModel* model, const rutData* data);
// Messages of it, in the thread. Errors: IO, MEMORY.
rutStatus rut_log_put_navigation(rutLog* log, const rutLogItem* item, const void* bytes,
                                 rutError* err);

#endif  // RUT_HOST_LOG_NAVIGATION_H
