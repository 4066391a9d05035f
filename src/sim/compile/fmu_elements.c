// SPDX-License-Identifier: BSD-3-Clause
#include "sim/compile/fmu_elements.h"

#include <string.h>

#include "sim/compile/build_names.h"
#include "sim/compile/read.h"

void rut_draft_check_fmu_elements(const rutDraft* draft, rutNode node) {
  static const char* const kind[] = {"fmu_input", "fmu_output", "fmu_torque", "fmu_parameter"};
  const rutComponent* type = rut_node_component(draft->spec, node);
  for (int i = 0; i < type->fields; i++) {
    if (type->field[i].flags & RUT_FIELD_CODE) return;
  }
  for (int i = 0; i < RUT_COUNT_OF(kind); i++) {
    const rutNode child = rut_node_first(draft->spec, node, kind[i]);
    if (rut_node_is_null(child)) continue;
    rut_node_error(draft->spec, child, NULL, RUT_ERR_MODEL, "",
                   "%s runs no FMU: only <%s type=\"fmu\"> has such elements", type->name,
                   type->kind);
  }
}

// Index of a wheel by its name in the vehicle, -1 if there is none.
static int find_wheel(const rutDraft* draft, rutNode vehicle, const rutDraftClass* c,
                      const char* name) {
  for (int w = 0; w < c->wheels; w++) {
    char own[RUT_SPEC_MAX_NAME + 1];
    rut_draft_wheel_name(draft, vehicle, c, w, own);
    if (strcmp(own, name) == 0) return w;
  }
  return -1;
}

void rut_draft_check_fmu_drive(const rutDraft* draft, rutNode vehicle, const rutDraftClass* c) {
  const rutSpec* spec = draft->spec;
  const rutNode drive = rut_node_first(spec, vehicle, "drive");
  if (!c->drive.type) return;
  rut_draft_check_fmu_elements(draft, drive);
  for (rutNode t = rut_node_first(spec, drive, "fmu_torque"); !rut_node_is_null(t);
       t = rut_node_next(spec, t, "fmu_torque")) {
    const char* name = rut_node_text(spec, t, "wheel");
    const int w = find_wheel(draft, vehicle, c, name);
    if (w >= 0 && c->driven[w]) continue;
    rut_node_error(spec, t, "wheel", RUT_ERR_MODEL, "",
                   w < 0 ? "the vehicle has no wheel '%.100s'" : "the wheel '%.100s' is not driven",
                   name);
  }
}
