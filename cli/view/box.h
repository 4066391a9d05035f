// SPDX-License-Identifier: BSD-3-Clause
//
// A compiled world with several owners: the simulation, saved states, and answers about its ground.
#ifndef RUT_VIEW_BOX_H
#define RUT_VIEW_BOX_H

#include <pthread.h>
#include <stdatomic.h>

#include "rut/rut.h"

typedef struct viewBox {
  atomic_int owners;
  rutModel* model;
  pthread_mutex_t lock;  // of ground
  rutData* ground;       // at the start of the run, for its heights; made when first asked for
} viewBox;

// Takes the model over, also when it fails. NULL if out of memory.
viewBox* view_box_create(rutModel* model);
viewBox* view_box_share(viewBox* box);
// Nullable: box.
void view_box_drop(viewBox* box);
// Data at the start of the run, which only the caller's thread may use. NULL if out of memory.
rutData* view_box_ground(viewBox* box);

#endif  // RUT_VIEW_BOX_H
