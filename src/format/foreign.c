// SPDX-License-Identifier: BSD-3-Clause
#include "format/foreign.h"

#include "format/chrono.h"
#include "format/mavs.h"
#include "format/mvsim.h"
#include "format/sdf.h"
#include "format/urdf.h"

bool rut_foreign_add_vehicle(rutContext* context, const rutForeignFile* file,
                             const rutVehiclePlace* to, rutNode* out) {
  const char *text = file->text, *path = file->path;
  const size_t size = file->size;
  if (rut_chrono_recognise(text, size)) {
    const rutChronoOrder order = {text, path, file->parts, file->at.file, size, file->at};
    rut_chrono_add_vehicle(context, &order, to, out);
    return true;
  }
  if (file->parts) {
    rut_report_error(rut_context_reporter(context), RUT_ERR_MODEL, file->at, "vehicle", "",
                     "only vehicles of Project Chrono take 'parts'");
    return true;
  }
  if (rut_mavs_recognise(text, size)) {
    rut_mavs_add_vehicle(context, text, size, path, to, out);
  } else if (rut_urdf_recognise(text, size)) {
    rut_urdf_add_vehicle(context, text, size, path, to, out);
  } else if (rut_sdf_recognise(text, size)) {
    rut_sdf_add_vehicle(context, text, size, path, to, out);
  } else if (rut_mvsim_recognise_vehicle(text, size)) {
    rut_mvsim_add_vehicle(context, path, file->at, to, out);
  } else {
    return false;
  }
  return true;
}
