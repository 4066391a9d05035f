// SPDX-License-Identifier: BSD-3-Clause
//
// Roads, their markings and pavements: they lie on the ground, and the page paints them on it.
#include <math.h>
#include <string.h>

#include "scene/scene.h"

bool view_is_road(const rutModel* model, const rutSceneryInfo* piece) {
  rutInstanceInfo element;
  return rut_instance_info(model, piece->instance, &element) &&
         (strcmp(element.kind, "road") == 0 || strcmp(element.kind, "terrain") == 0);
}

void view_scene_roads(const viewSceneDef* def, cliJson* json) {
  rutSceneryInfo info;
  rutSceneryPrism prism;
  cli_json_array(json, "roads");
  for (int i = 0; rut_scenery_info(def->model, i, &info); i++) {
    if (!view_is_road(def->model, &info)) continue;
    for (int k = 0; rut_scenery_prism(def->model, i, k, &prism); k++) {
      cli_json_object(json, NULL);
      cli_json_text(json, "class", info.type);
      view_json_outline(json, prism.corners, prism.xy);
      view_json_reflectance(json, prism.colour);
      cli_json_end(json);
    }
  }
  cli_json_end(json);
}
