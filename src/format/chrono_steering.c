// SPDX-License-Identifier: BSD-3-Clause
//
// Steering of Chrono: a Pitman arm with a link, or a rack. Its points are in a frame of its own,
// which stands at a place of the chassis.
#include <string.h>

#include "format/chrono.h"

static const double DEGREE = 0.017453292519943295;

static void add_body(rutChronoPart* part, const char* key, rutFramePose pose, bool vehicle_axes,
                     rutBodyMass* sum) {
  const rutJsonValue* object = rut_chrono_object(part, part->root, key, false);
  if (!object) return;
  const rutJsonValue* com = rut_json_find(object, "COM");
  rutBodyMass body = {.mass = rut_chrono_number(part, object, "Mass", 0, 0)};
  if (com && com->kind == RUT_JSON_NUMBER) {
    // of a rack, along it
    body.com = rut_vec3(0, rut_clamp(com->number, -1e3, 1e3), 0);
  } else {
    rut_chrono_vector(part, object, "COM", &body.com);
  }
  body.inertia = rut_chrono_inertia(part, object);
  const rutSym3 own = body.inertia;
  body = rut_body_mass_moved(body, pose);
  if (vehicle_axes) body.inertia = own;
  *sum = rut_body_mass_sum(*sum, body);
}

static void read_pitman(rutChronoPart* part, rutFramePose pose, rutChronoSteering* out) {
  const rutJsonValue* pivot = rut_chrono_object(part, part->root, "Revolute Joint", true);
  const rutJsonValue* end = rut_chrono_object(part, part->root, "Universal Joint", true);
  rutVec3 from, to, axis;
  if (!pivot || !end) return;
  rut_chrono_vector(part, pivot, "Location", &from);
  rut_chrono_vector(part, end, "Location", &to);
  rut_chrono_vector(part, pivot, "Direction", &axis);
  if (!(rut_vec3_norm(axis) > 1e-6)) axis = rut_vec3(0, 0, 1);
  out->most = rut_chrono_number(part, pivot, "Maximum Angle (deg)", 30, 0) * DEGREE;
  out->arm = rut_mat3_apply(pose.turn, rut_vec3_sub(to, from));
  out->axis = rut_mat3_apply(pose.turn, rut_vec3_unit(axis));
  if (rut_vec3_norm(rut_vec3_cross(out->axis, out->arm)) > 1e-3) {
    out->given = true;
    return;
  }
  rut_json_error(&part->maker, pivot, "Revolute Joint",
                 "the arm's end lies on the axis about which it turns");
}

static void read_rack(rutChronoPart* part, rutChronoSteering* out) {
  const rutJsonValue* pinion = rut_chrono_object(part, part->root, "Pinion", true);
  if (!pinion) return;
  out->rack = rut_chrono_number(part, pinion, "Radius", 0.1, 1e-4);
  out->most = rut_chrono_number(part, pinion, "Maximum Angle (deg)", 30, 0) * DEGREE;
  out->given = true;
}

void rut_chrono_read_steering(rutChronoPart* part, rutFramePose pose, rutChronoSteering* out) {
  const bool axes = rut_json_flag(&part->maker, part->root, "", "Vehicle-Frame Inertia", false);
  *out = (rutChronoSteering){0};
  if (strcmp(part->template_name, "PitmanArm") == 0) {
    read_pitman(part, pose, out);
  } else if (strcmp(part->template_name, "RackPinion") == 0) {
    read_rack(part, out);
  } else {
    rut_json_warn(&part->maker, part->root, "Template",
                  "dropped: rut has no steering '%.60s'; it has PitmanArm and RackPinion",
                  part->template_name);
  }
  out->most = rut_min(out->most, 1.5);
  add_body(part, "Steering Link", pose, axes, &out->mass);
  add_body(part, "Pitman Arm", pose, axes, &out->mass);
}
