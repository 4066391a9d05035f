// SPDX-License-Identifier: BSD-3-Clause
//
// The newest samples of what pages watch: sensors, maps and paths of vehicles that find their way.
// The thread that steps puts them, that of the server takes them; a page that is slow misses some.
#ifndef RUT_VIEW_SAMPLES_H
#define RUT_VIEW_SAMPLES_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "scene/bytes.h"
#include "scene/limits.h"
#include "scene/snapshot.h"

typedef struct viewSampleSlot {
  viewBytes* bytes;  // NULL: none yet
  uint32_t version;  // grows with every sample; 0: none yet
} viewSampleSlot;

typedef struct viewSamples {
  pthread_mutex_t lock;
  viewSampleSlot* slot;  // of each source
  int sources;
} viewSamples;

// False if out of memory.
bool view_samples_create(int sources, viewSamples* samples);
void view_samples_free(viewSamples* samples);
// Take a sample over; NULL: there is none any more.
void view_samples_put(viewSamples* samples, int source, viewBytes* bytes);
// The sample of a source if its version is another than *version, which it gets; the caller drops
// it. Else NULL.
viewBytes* view_samples_take(viewSamples* samples, int source, uint32_t* version);
// True if there is one of another version.
bool view_samples_has(viewSamples* samples, int source, uint32_t version);

// What pages watch, by the numbers of sources.
typedef struct viewWatch {
  int sources;
  int source[VIEW_SOURCES];
  unsigned layers;  // of images
} viewWatch;

// Layers that pages want of a source, 0: nobody watches it; VIEW_WATCHES of others than cameras.
enum { VIEW_WATCHES = 1u << 16 };
unsigned view_watch_layers(const viewWatch watch[VIEW_CLIENTS], int source);

#endif  // RUT_VIEW_SAMPLES_H
