// SPDX-License-Identifier: BSD-3-Clause
#include "scene/replaced.h"

#include <string.h>

#include "rut/component.h"

static const rutControllerType* type_of(const rutSpec* spec, rutNode controller) {
  return (const rutControllerType*)rut_node_component(spec, controller);
}

static rutNode find_named(const rutSpec* spec, rutNode vehicle, const char* name) {
  rutNode node = rut_node_first(spec, vehicle, "controller");
  while (!rut_node_is_null(node) && strcmp(rut_node_name(spec, node), name) != 0) {
    node = rut_node_next(spec, node, "controller");
  }
  return node;
}

const char* view_person_blended(const rutSpec* spec, rutNode vehicle) {
  rutNode node = rut_node_first(spec, vehicle, "controller");
  for (; !rut_node_is_null(node); node = rut_node_next(spec, node, "controller")) {
    const rutControllerType* type = type_of(spec, node);
    if (type->blends > 0) return rut_node_text(spec, node, type->blend[0]);
  }
  return "";
}

// Of a blend the person and all that command it, else all that drive or command.
static bool is_replaced(const rutSpec* spec, rutNode vehicle, rutNode controller) {
  enum { DEEPEST = 16 };
  const char* person = view_person_blended(spec, vehicle);
  if (!person[0]) return !type_of(spec, controller)->observes;
  rutNode node = controller;
  for (int i = 0; i < DEEPEST && !rut_node_is_null(node); i++) {
    if (strcmp(rut_node_name(spec, node), person) == 0) return true;
    const char* over = rut_node_text(spec, node, "commands");
    if (!over[0]) return false;
    node = find_named(spec, vehicle, over);
  }
  return false;
}

static bool is_commanded(const rutSpec* spec, rutNode vehicle, rutNode controller) {
  const char* name = rut_node_name(spec, controller);
  rutNode node = rut_node_first(spec, vehicle, "controller");
  for (; name[0] && !rut_node_is_null(node); node = rut_node_next(spec, node, "controller")) {
    if (strcmp(rut_node_text(spec, node, "commands"), name) == 0) return true;
  }
  return false;
}

rutNode view_replaced_outermost(const rutSpec* spec, rutNode vehicle) {
  rutNode node = rut_node_first(spec, vehicle, "controller");
  while (!rut_node_is_null(node) &&
         (!is_replaced(spec, vehicle, node) || is_commanded(spec, vehicle, node))) {
    node = rut_node_next(spec, node, "controller");
  }
  return node;
}

rutNode view_replaced_afar(const rutSpec* spec, rutNode vehicle) {
  rutNode node = rut_node_first(spec, vehicle, "controller");
  while (!rut_node_is_null(node) &&
         (!is_replaced(spec, vehicle, node) ||
          rut_node_is_null(rut_node_first(spec, node, "teleoperation")))) {
    node = rut_node_next(spec, node, "controller");
  }
  return node;
}

// One that commands nobody drives, unless it only observes.
rutNode view_replaced_driver(const rutSpec* spec, rutNode vehicle) {
  const char* person = view_person_blended(spec, vehicle);
  if (person[0]) return find_named(spec, vehicle, person);
  rutNode node = rut_node_first(spec, vehicle, "controller");
  while (!rut_node_is_null(node) &&
         (type_of(spec, node)->observes || rut_node_text(spec, node, "commands")[0])) {
    node = rut_node_next(spec, node, "controller");
  }
  return node;
}
