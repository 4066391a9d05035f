// SPDX-License-Identifier: BSD-3-Clause
#include "sim/compile/sensor_doubt.h"

static const rutDriveType* drive_of(const rutModel* model, int vehicle, const void** param) {
  const rutGroup* g = &model->group[model->vehicle[vehicle].group];
  *param = g->drive_param;
  return g->drive;
}

static void look_at_currents(const rutDraft* draft, rutNode node, const rutModel* model,
                             const rutSensorRecord* s) {
  if (!(s->type->uses & RUT_USES_CURRENT) || s->vehicle < 0) return;
  const void* param;
  const rutDriveType* drive = drive_of(model, s->vehicle, &param);
  if (drive && drive->current && drive->current(param, NULL, NULL, NULL)) return;
  rut_node_warning(
      draft->spec, node, NULL,
      "the currents are 0: %s. Drives that know them are dc_motor, and direct with a "
      "max_torque and a no_load_speed",
      drive ? "the drive does not know those of its motors" : "the vehicle has no drive");
}

void rut_draft_warn_sensors(const rutDraft* draft, const rutModel* model) {
  for (int i = 0; i < model->sensors; i++) {
    const rutDraftSensor* s = rut_list_at(&draft->sensor, i);
    look_at_currents(draft, s->node, model, &model->sensor[i]);
  }
}
