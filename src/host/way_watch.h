// SPDX-License-Identifier: BSD-3-Clause
//
// Vehicles whose controller says that there is no way to its goal, and that there is one again:
// those with an output goal_state, which is 4 then.
#ifndef RUT_HOST_WAY_WATCH_H
#define RUT_HOST_WAY_WATCH_H

#include "rut/rut.h"

typedef struct rutWayWatch rutWayWatch;
typedef struct rutWayEvent {
  int vehicle;
  bool found;          // a way, after there was none
  double time;         // at most 0.02 s after it was said [s]
  double position[3];  // of the vehicle's reference point [m]
} rutWayEvent;
typedef void (*rutWayHandler)(const rutWayEvent* event, void* user);

// NULL if out of memory.
rutWayWatch* rut_way_watch_create(void);
// Report each change. Call it after every step. Free where no vehicle has such an output. Errors:
// MEMORY. Nullable: event.
rutStatus rut_way_watch_update(rutWayWatch* watch, const rutModel* model, const rutData* data,
                               rutWayHandler event, void* user);
// An event as text, at most size bytes with the zero.
void rut_way_event_text(const rutModel* model, const rutWayEvent* event, char* text, size_t size);
// Nullable: watch.
void rut_way_watch_destroy(rutWayWatch* watch);

#endif  // RUT_HOST_WAY_WATCH_H
