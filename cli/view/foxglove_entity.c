// SPDX-License-Identifier: BSD-3-Clause
#include "view/foxglove_entity.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char* const parts[] = {"arrows", "cubes", "spheres",   "cylinders",
                                    "lines",  "texts", "triangles", "models"};

// Finer than anybody looks, and shorter [m].
static double rounded(double value) { return round(value * 1e4) / 1e4; }

static void put_time(cliJson* json, const char* key, int64_t time) {
  cli_json_object(json, key);
  cli_json_integer(json, "sec", time / 1000000000);
  cli_json_integer(json, "nsec", time % 1000000000);
  cli_json_end(json);
}

static void put_empty(cliJson* json, const char* key) {
  cli_json_array(json, key);
  cli_json_end(json);
}

bool view_foxglove_update_begin(viewFoxgloveUpdate* u, bool anew, int64_t time) {
  *u = (viewFoxgloveUpdate){.time = time};
  u->out = open_memstream(&u->text, &u->size);
  if (!u->out) return false;
  cli_json_init(&u->json, u->out);
  cli_json_object(&u->json, NULL);
  cli_json_array(&u->json, "deletions");
  if (anew) {
    enum { ALL = 1 };
    cli_json_object(&u->json, NULL);
    put_time(&u->json, "timestamp", time);
    cli_json_integer(&u->json, "type", ALL);
    cli_json_text(&u->json, "id", "");
    cli_json_end(&u->json);
  }
  cli_json_end(&u->json);
  cli_json_array(&u->json, "entities");
  return true;
}

viewBytes* view_foxglove_update_end(viewFoxgloveUpdate* u) {
  cli_json_end(&u->json);
  cli_json_end(&u->json);
  const bool fine = !ferror(u->out);
  viewBytes* bytes = NULL;
  if (fclose(u->out) == 0 && fine) bytes = view_bytes_of(u->text, u->size);
  free(u->text);
  return bytes;
}

void view_foxglove_entity_begin(viewFoxgloveUpdate* u, const viewFoxgloveEntity* entity) {
  cliJson* json = &u->json;
  cli_json_object(json, NULL);
  put_time(json, "timestamp", u->time);
  cli_json_text(json, "frame_id", entity->frame);
  cli_json_text(json, "id", entity->id);
  put_time(json, "lifetime", 0);
  cli_json_bool(json, "frame_locked", true);
  put_empty(json, "metadata");
  for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
    if (strcmp(parts[i], entity->part) != 0) put_empty(json, parts[i]);
  }
  cli_json_array(json, entity->part);
}

void view_foxglove_entity_end(viewFoxgloveUpdate* u) {
  cli_json_end(&u->json);
  cli_json_end(&u->json);
}

void view_foxglove_vector(viewFoxgloveUpdate* u, const char* key, double x, double y, double z) {
  cli_json_object(&u->json, key);
  cli_json_number(&u->json, "x", rounded(x));
  cli_json_number(&u->json, "y", rounded(y));
  cli_json_number(&u->json, "z", rounded(z));
  cli_json_end(&u->json);
}

void view_foxglove_pose(viewFoxgloveUpdate* u, const viewFoxglovePose* pose) {
  static const char* const axis[] = {"w", "x", "y", "z"};
  cli_json_object(&u->json, "pose");
  view_foxglove_vector(u, "position", pose->at[0], pose->at[1], pose->at[2]);
  cli_json_object(&u->json, "orientation");
  for (int i = 0; i < 4; i++) cli_json_number(&u->json, axis[i], pose->turn[i]);
  cli_json_end(&u->json);
  cli_json_end(&u->json);
}

void view_foxglove_color(viewFoxgloveUpdate* u, const float color[3]) {
  static const char* const name[] = {"r", "g", "b"};
  cli_json_object(&u->json, "color");
  for (int i = 0; i < 3; i++) cli_json_number(&u->json, name[i], rounded((double)color[i]));
  cli_json_number(&u->json, "a", 1);
  cli_json_end(&u->json);
}
