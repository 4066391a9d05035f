// SPDX-License-Identifier: BSD-3-Clause
#include "view/samples.h"

#include <stdlib.h>

bool view_samples_create(int sources, viewSamples* s) {
  *s = (viewSamples){.sources = sources, .slot = calloc((size_t)sources + 1, sizeof *s->slot)};
  pthread_mutex_init(&s->lock, NULL);
  return s->slot != NULL;
}

void view_samples_free(viewSamples* s) {
  for (int i = 0; s->slot && i < s->sources; i++) view_bytes_drop(s->slot[i].bytes);
  free(s->slot);
  s->slot = NULL;
  pthread_mutex_destroy(&s->lock);
}

void view_samples_put(viewSamples* s, int source, viewBytes* bytes) {
  pthread_mutex_lock(&s->lock);
  viewBytes* old = s->slot[source].bytes;
  s->slot[source].bytes = bytes;
  if (bytes) s->slot[source].version++;
  pthread_mutex_unlock(&s->lock);
  view_bytes_drop(old);
}

viewBytes* view_samples_take(viewSamples* s, int source, uint32_t* version) {
  viewBytes* bytes = NULL;
  pthread_mutex_lock(&s->lock);
  const viewSampleSlot* slot = &s->slot[source];
  if (slot->bytes && slot->version != *version) {
    bytes = view_bytes_share(slot->bytes);
    *version = slot->version;
  }
  pthread_mutex_unlock(&s->lock);
  return bytes;
}

bool view_samples_has(viewSamples* s, int source, uint32_t version) {
  pthread_mutex_lock(&s->lock);
  const bool any = s->slot[source].bytes && s->slot[source].version != version;
  pthread_mutex_unlock(&s->lock);
  return any;
}

unsigned view_watch_layers(const viewWatch watch[VIEW_CLIENTS], int source) {
  unsigned layers = 0;
  for (int i = 0; i < VIEW_CLIENTS; i++) {
    for (int k = 0; k < watch[i].sources; k++) {
      if (watch[i].source[k] == source) layers |= watch[i].layers | VIEW_WATCHES;
    }
  }
  return layers;
}
