// SPDX-License-Identifier: BSD-3-Clause
//
// Samples of sensors as messages of the stream (docs/manual/stream.md): points of lidars, images of
// cameras, satellite fixes.
#ifndef RUT_SCENE_SAMPLE_H
#define RUT_SCENE_SAMPLE_H

#include "rut/rut.h"
#include "scene/bytes.h"

enum {
  VIEW_POINT_SIZE = 16,  // bytes of a point
  VIEW_FIX_SIZE = 40,    // of a satellite fix
  VIEW_LAYERS = 6        // of an image
};
enum { VIEW_SAMPLE_MAGIC = 0x53545552, VIEW_SAMPLE_VERSION = 1, VIEW_SAMPLE_HEAD = 64 };

typedef enum viewSampleKind {
  VIEW_SAMPLE_NONE,  // the sensor is not sent so
  VIEW_SAMPLE_POINTS,
  VIEW_SAMPLE_IMAGE,
  VIEW_SAMPLE_FIX,
  VIEW_SAMPLE_MAP,  // of no sensor, as the next: scene/navigation_sample.h
  VIEW_SAMPLE_PATH
} viewSampleKind;

// Numbers of the layers of an image, whose bits are 1 << number. Points have at most the labels,
// class and instance.
enum {
  VIEW_LAYER_COLOUR,
  VIEW_LAYER_DEPTH,
  VIEW_LAYER_CLASS,
  VIEW_LAYER_INSTANCE,
  VIEW_LAYER_NORMAL,
  VIEW_LAYER_FLOW
};
enum { VIEW_ALL_LAYERS = (1 << VIEW_LAYERS) - 1 };

// Name of a layer by its number: "colour"; NULL behind the last.
static inline const char* view_layer_name(int layer) {
  static const char* const name[VIEW_LAYERS] = {"colour",   "depth",  "class",
                                                "instance", "normal", "flow"};
  return layer < VIEW_LAYERS ? name[layer] : NULL;
}

viewSampleKind view_sample_kind(const rutModel* model, int sensor);
// Layers that a sensor gives, as bits.
unsigned view_sample_layers(const rutModel* model, int sensor);
// Width and height of an image, 0 for other samples.
void view_sample_size(const rutModel* model, int sensor, int size[2]);
// Time of the visible sample, -1 before the first [s].
double view_sample_time(const rutModel* model, const rutData* data, int sensor);

// What all messages begin with.
typedef struct viewSampleHead {
  viewSampleKind kind;
  int sensor;  // of a map or path: the vehicle
  double time;
  float pose[7];  // of the sensor then: x y z, quaternion w x y z, world
  int width, height;
  unsigned layers;
} viewSampleHead;
void view_sample_set_pose(viewSampleHead* head, const double pose[6]);
void view_sample_put_head(const viewSampleHead* head, unsigned char* out);
// Bytes of a layer with so many pixels, or points.
size_t view_layer_size(int layer, size_t pixels);
// A class or instance: 65535 for what is none.
void view_put_label(unsigned char* at, int32_t number);

// Message of the visible sample; of an image those layers that are asked for. NULL if there is no
// sample yet, no such sensor, or no memory.
viewBytes* view_sample_encode(const rutModel* model, const rutData* data, int sensor,
                              const double pose[6], unsigned layers);

#endif  // RUT_SCENE_SAMPLE_H
