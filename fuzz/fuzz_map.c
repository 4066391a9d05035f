// SPDX-License-Identifier: BSD-3-Clause
//
// Any bytes as a map of mobility of a small elevation model: its cells are looked at, without a
// table.
#define _XOPEN_SOURCE 700  // for mkdtemp
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rut/map.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

enum { MOST_ROWS = 8 };

static const char heights[] =
    "ncols 4\nnrows 3\nxllcorner 0\nyllcorner 0\ncellsize 10\nNODATA_value -9999\n"
    "0 1 2 3\n0 1 -9999 3\n0 2 4 9\n";
static const char coarse[] =
    "ncols 2\nnrows 2\nxllcorner 5\nyllcorner -10\ncellsize 25\nNODATA_value -9999\n"
    "1 -9999\n3 1\n";
static const char vehicle[] =
    "<vehicle name='v'><chassis mass='2000' com='0 0 0.8' z_min='0.4' z_max='1.5' "
    "outline='-2 -0.8 2 -0.8 2 0.8 -2 0.8'/><suspension type='slider' stiffness='8e4' "
    "damping='8e3'/><tyre type='fiala'/><axle x='1.4' track='1.6' radius='0.45' width='0.3' "
    "wheel_mass='60' brake='2000' max_steer='0.5'/><axle x='-1.4' track='1.6' radius='0.45' "
    "width='0.3' "
    "wheel_mass='60' brake='2000'/><drive type='direct' driven='all' max_torque='1000' "
    "no_load_speed='60'/><controller type='throttle'/></vehicle>";

static void write_all(const char* folder, const char* name, const void* bytes, size_t size) {
  char path[128];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE* out = fopen(path, "wb");
  if (!out || (size && fwrite(bytes, size, 1, out) != 1) || fclose(out) != 0) abort();
}

// A folder that stays for the whole run.
static const char* place(void) {
  static char folder[64];
  if (folder[0]) return folder;
  snprintf(folder, sizeof folder, "/tmp/rut_fuzz_map_XXXXXX");
  if (!mkdtemp(folder)) abort();
  write_all(folder, "h.asc", heights, sizeof heights - 1);
  write_all(folder, "c.asc", coarse, sizeof coarse - 1);
  write_all(folder, "v.xml", vehicle, sizeof vehicle - 1);
  return folder;
}

static void look(const rutMap* map) {
  const rutMapInfo info = rut_map_info(map);
  if (info.rows < 3 || info.cols < 3 || info.points < 1 || info.done > info.points) abort();
  for (int i = 0; i < RUT_MAP_LAYERS; i++) {
    const rutMapLayerInfo layer = rut_map_layer(map, i);
    if (layer.outside + layer.missing > (int64_t)info.rows * info.cols) abort();
  }
  for (int row = 0; row < info.rows && row < MOST_ROWS; row++) {
    for (int way = 0; way < RUT_MAP_WAYS; way++) {
      rutMapLimit limit[RUT_MAP_HEADINGS];
      rut_map_cell(map, (rutMapWay)way, 0.5, row, row % info.cols, limit);
      for (int k = 0; k < RUT_MAP_HEADINGS; k++) {
        if (!(limit[k].speed >= 0) || !isfinite(limit[k].speed)) abort();
        if (!rut_map_reason_name(limit[k].reason)[0]) abort();
      }
    }
  }
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static rutContext* context = NULL;
  if (!context && rut_context_create(NULL, &context, NULL) != RUT_OK) return 0;
  // most bytes are no map at all: the same inside of one as well
  static const char before[] = "<map dem='h.asc' vehicle='v.xml'>", after[] = "</map>";
  char* text = malloc(size + sizeof before + sizeof after);
  for (int wrapped = 0; text && wrapped < 2; wrapped++) {
    char path[128];
    size_t length = 0;
    if (wrapped) memcpy(text, before, length = sizeof before - 1);
    if (size) memcpy(text + length, data, size);
    length += size;
    if (wrapped) memcpy(text + length, after, sizeof after - 1);
    if (wrapped) length += sizeof after - 1;
    write_all(place(), "m.xml", text, length);
    snprintf(path, sizeof path, "%s/m.xml", place());
    rutMap* map = NULL;
    rutError err;
    memset(&err, 0, sizeof err);
    const rutStatus status = rut_map_load(context, path, NULL, &map, &err);
    if ((status == RUT_OK) != (map != NULL) || status != err.status) abort();
    if (map) look(map);
    rut_map_destroy(map);
  }
  free(text);
  return 0;
}
