// SPDX-License-Identifier: BSD-3-Clause
//
// What a replay finds in a stranger's log: the scene as JSON, a zero, and a frame; or, behind "m"
// or "p", the message of a map or of a path, or, behind "i" and the digit of a layer, of an image.
#include <jansson.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "host/mcap_write.h"
#include "scene/little_endian.h"
#include "scene/recorder.h"
#include "scene/sample.h"
#include "view/replay_navigation.h"
#include "view/replay_samples.h"
#include "view/replay_scene.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

static char path[64];

static void remove_log(void) { unlink(path); }

// A log of one frame, as rut writes it.
static bool write_log(const uint8_t* scene, size_t scene_size, const uint8_t* frame, size_t size) {
  rutMcapWriter* w = NULL;
  if (rut_mcap_create(NULL, path, "ros2", "fuzz", &w, NULL) != RUT_OK) return false;
  rut_mcap_schema(w, "rut/msg/Frame", "ros2msg", "uint8[] data\n", NULL);
  const rutMcapChannelDef frames = {.schema = 1, .topic = VIEW_FRAME_TOPIC, .encoding = "cdr"};
  const rutMcapChannelDef ground = {.schema = 1, .topic = VIEW_GROUND_TOPIC, .encoding = "cdr"};
  rut_mcap_channel(w, &frames, NULL);
  rut_mcap_channel(w, &ground, NULL);
  for (int channel = 0; channel < 2; channel++) {
    rutBytes* bytes = rut_mcap_message(w, channel, 1000);
    rut_bytes_u32(bytes, 0x100);  // CDR, little-endian
    rut_bytes_u32(bytes, (uint32_t)size);
    rut_bytes_put(bytes, frame, size);
    rut_mcap_message_end(w);
  }
  const rutMcapAttachmentDef file = {.name = VIEW_SCENE_FILE,
                                     .media_type = "application/json",
                                     .bytes = scene,
                                     .size = scene_size};
  rut_mcap_attachment(w, &file, NULL);
  return rut_mcap_close(w, NULL) == RUT_OK;
}

// What is sent of it has as many bytes as its numbers say.
static void read_navigation(bool map, const uint8_t* data, size_t size) {
  enum { BODY = VIEW_SAMPLE_HEAD + 24 };
  const rutLogMessage message = {.bytes = data, .size = size};
  viewBytes* bytes = map ? view_replay_map(&message, 3) : view_replay_path(&message, 3);
  if (!bytes) return;
  const size_t width = view_get_u32(bytes->data + 12), height = view_get_u32(bytes->data + 52);
  const size_t items = map ? width * height : VIEW_POSE_SIZE * width;
  if (bytes->size != BODY + (items + 7) / 8 * 8 || view_get_u32(bytes->data + 8) != 3) abort();
  for (size_t i = 0; map && i < items; i++) {
    const unsigned char cell = bytes->data[BODY + i];
    if (cell > VIEW_CELL_BLOCKED && cell != VIEW_CELL_UNKNOWN) abort();
  }
  view_bytes_drop(bytes);
}

// An image has as many bytes as its layer needs, none of them from outside of the message.
static void read_image(int layer, const uint8_t* data, size_t size) {
  // of its own, so that sanitizers see where it ends
  uint8_t* own = malloc(size);
  if (own) memcpy(own, data, size);
  const rutLogMessage message = {.bytes = own, .size = own ? size : 0};
  viewBytes* bytes = view_replay_image(&message, 0, layer);
  if (bytes) {
    const size_t pixels = (size_t)view_get_u32(bytes->data + 12) * view_get_u32(bytes->data + 52);
    if (bytes->size != VIEW_SAMPLE_HEAD + view_layer_size(layer, pixels)) abort();
    uint64_t sum = 0;
    for (size_t i = 0; i < bytes->size; i++) sum += bytes->data[i];
    if (sum == 1) abort();  // every byte has been read: those that nobody wrote would be noticed
    view_bytes_drop(bytes);
  }
  free(own);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size > 2 && data[0] == 'i') {
    read_image(data[1] % VIEW_LAYERS, data + 2, size - 2);
    return 0;
  }
  if (size > 0 && (data[0] == 'm' || data[0] == 'p')) {
    read_navigation(data[0] == 'm', data + 1, size - 1);
    return 0;
  }
  if (!path[0]) {
    snprintf(path, sizeof path, "/tmp/rut_fuzz_%ld.mcap", (long)getpid());
    atexit(remove_log);
  }
  const uint8_t* zero = memchr(data, 0, size);
  if (!zero) return 0;
  const size_t scene_size = (size_t)(zero - data);
  if (!write_log(data, scene_size, zero + 1, size - scene_size - 1)) return 0;
  viewRecording log;
  rutError err;
  if (view_recording_open(path, &log, &err) != RUT_OK) return 0;
  // beside itself, as a ghost
  const viewRecording both[] = {log, log};
  const viewReplayCatalogue catalogue = view_replay_catalogue(both, 2);
  view_bytes_drop(view_replay_scene(both, 2, &catalogue, "fuzz"));
  view_recording_height(&log, log.extent[0], log.extent[1]);
  view_recording_soil(&log, log.extent[2], log.extent[3]);
  view_recording_advance(&log, 1, NULL, NULL);
  view_recording_close(&log);
  return 0;
}
