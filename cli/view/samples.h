// SPDX-License-Identifier: BSD-3-Clause
//
// The newest samples of the sensors that pages watch. The thread that steps puts them, that of the
// server takes them; a page that is slow misses some.
#ifndef RUT_VIEW_SAMPLES_H
#define RUT_VIEW_SAMPLES_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "scene/bytes.h"
#include "scene/limits.h"

typedef struct viewSampleSlot {
  viewBytes* bytes;  // NULL: none yet
  uint32_t version;  // grows with every sample; 0: none yet
} viewSampleSlot;

typedef struct viewSamples {
  pthread_mutex_t lock;
  viewSampleSlot* slot;  // of each sensor
  int sensors;
} viewSamples;

// False if out of memory.
bool view_samples_create(int sensors, viewSamples* samples);
void view_samples_free(viewSamples* samples);
// Take a sample over; NULL: there is none any more.
void view_samples_put(viewSamples* samples, int sensor, viewBytes* bytes);
// The sample of a sensor if its version is another than *version, which it gets; the caller drops
// it. Else NULL.
viewBytes* view_samples_take(viewSamples* samples, int sensor, uint32_t* version);
// True if there is one of another version.
bool view_samples_has(viewSamples* samples, int sensor, uint32_t version);

// Which sensors pages watch.
typedef struct viewWatch {
  int sensors;
  int sensor[VIEW_WATCHED];
  unsigned layers;  // of images
} viewWatch;

// Layers that pages want of a sensor, 0: nobody watches it; VIEW_WATCHES of others than cameras.
enum { VIEW_WATCHES = 1u << 16 };
unsigned view_watch_layers(const viewWatch watch[VIEW_CLIENTS], int sensor);

#endif  // RUT_VIEW_SAMPLES_H
