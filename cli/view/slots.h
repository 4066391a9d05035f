// SPDX-License-Identifier: BSD-3-Clause
//
// Saved states, each with the compiled world that it belongs to.
#ifndef RUT_VIEW_SLOTS_H
#define RUT_VIEW_SLOTS_H

#include "scene/bytes.h"
#include "scene/limits.h"
#include "view/box.h"

typedef struct viewSlot {
  viewBytes* bytes;  // NULL: empty
  viewBox* box;
} viewSlot;

typedef struct viewSlots {
  pthread_mutex_t lock;
  viewSlot slot[VIEW_SLOTS];
} viewSlots;

void view_slots_create(viewSlots* slots);
void view_slots_free(viewSlots* slots);
// Keep a state; bytes and box are taken over.
void view_slots_put(viewSlots* slots, int index, viewBytes* bytes, viewBox* box);
// A state, which the caller drops. False if there is none.
bool view_slots_get(viewSlots* slots, int index, viewSlot* out);
void view_slot_drop(viewSlot* slot);
// Bit i: slot i holds a state.
unsigned view_slots_filled(viewSlots* slots);

// The state that bytes from outside hold, of the given world or of one that a slot holds. False if
// they fit none. Takes bytes over.
bool view_slots_accept(viewSlots* slots, int index, viewBytes* bytes, viewBox* box);

#endif  // RUT_VIEW_SLOTS_H
