// SPDX-License-Identifier: BSD-3-Clause
#include "view/slots.h"

#include <string.h>

void view_slots_create(viewSlots* s) {
  memset(s, 0, sizeof *s);
  pthread_mutex_init(&s->lock, NULL);
}

void view_slot_drop(viewSlot* slot) {
  view_bytes_drop(slot->bytes);
  view_box_drop(slot->box);
  *slot = (viewSlot){0};
}

void view_slots_free(viewSlots* s) {
  for (int i = 0; i < VIEW_SLOTS; i++) view_slot_drop(&s->slot[i]);
  pthread_mutex_destroy(&s->lock);
}

void view_slots_put(viewSlots* s, int index, viewBytes* bytes, viewBox* box) {
  pthread_mutex_lock(&s->lock);
  viewSlot old = s->slot[index];
  s->slot[index] = (viewSlot){bytes, box};
  pthread_mutex_unlock(&s->lock);
  view_slot_drop(&old);
}

bool view_slots_get(viewSlots* s, int index, viewSlot* out) {
  pthread_mutex_lock(&s->lock);
  const viewSlot* slot = &s->slot[index];
  const bool any = slot->bytes != NULL;
  if (any) *out = (viewSlot){view_bytes_share(slot->bytes), view_box_share(slot->box)};
  pthread_mutex_unlock(&s->lock);
  return any;
}

unsigned view_slots_filled(viewSlots* s) {
  unsigned filled = 0;
  pthread_mutex_lock(&s->lock);
  for (int i = 0; i < VIEW_SLOTS; i++) filled |= (s->slot[i].bytes ? 1u : 0u) << i;
  pthread_mutex_unlock(&s->lock);
  return filled;
}

static bool fits(viewBox* box, const viewBytes* bytes) {
  rutData* data = rut_data_create(box->model);
  const bool fine =
      data && rut_state_set(box->model, data, RUT_STATE_ALL, bytes->data, bytes->size) == RUT_OK;
  rut_data_destroy(data);
  return fine;
}

bool view_slots_accept(viewSlots* s, int index, viewBytes* bytes, viewBox* box) {
  if (fits(box, bytes)) {
    view_slots_put(s, index, bytes, view_box_share(box));
    return true;
  }
  for (int i = 0; i < VIEW_SLOTS; i++) {
    viewSlot other;
    if (!view_slots_get(s, i, &other)) continue;
    const bool fine = other.box != box && fits(other.box, bytes);
    if (fine) view_slots_put(s, index, bytes, view_box_share(other.box));
    view_slot_drop(&other);
    if (fine) return true;
  }
  view_bytes_drop(bytes);
  return false;
}
