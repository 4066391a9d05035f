// SPDX-License-Identifier: BSD-3-Clause
//
// What holds bodies together: ropes, rods, springs and pins between vehicles and blocks.
#include <string.h>

#include "scene/scene.h"

static void put_joint(const rutSpec* spec, cliJson* json, rutNode node) {
  int n = 0;
  const char* type = rut_node_type(spec, node);
  cli_json_object(json, NULL);
  cli_json_text(json, "name", rut_node_name(spec, node));
  cli_json_text(json, "type", type);
  cli_json_array(json, "bodies");
  cli_json_text(json, NULL, rut_node_text(spec, node, "body_a"));
  cli_json_text(json, NULL, rut_node_text(spec, node, "body_b"));
  cli_json_end(json);
  cli_json_array(json, "anchors");
  view_json_numbers(json, NULL, 2, rut_node_numbers(spec, node, "anchor_a", &n));
  view_json_numbers(json, NULL, 2, rut_node_numbers(spec, node, "anchor_b", &n));
  cli_json_end(json);
  if (strcmp(type, "distance") == 0) {
    cli_json_number(json, "min", rut_node_number(spec, node, "min_length"));
    cli_json_number(json, "max", rut_node_number(spec, node, "max_length"));
    cli_json_number(json, "stiffness", rut_node_number(spec, node, "stiffness"));
  }
  cli_json_end(json);
}

void view_scene_joints(const viewSceneDef* def, cliJson* json) {
  const rutSpec* spec = def->spec;
  rutNode node = rut_node_first(spec, rut_spec_root(spec), "joint");
  if (rut_node_is_null(node)) return;
  cli_json_array(json, "joints");
  for (; !rut_node_is_null(node); node = rut_node_next(spec, node, "joint")) {
    put_joint(spec, json, node);
  }
  cli_json_end(json);
}
