// SPDX-License-Identifier: BSD-3-Clause
//
// Suspensions of Chrono that rut has no mechanism for. They become slides, whose rates follow from
// how the arm or the axle moves with the wheel.
#include <string.h>

#include "format/chrono.h"

// The one place of a spring or damper that is not at the chassis. "" if there is none.
static const char* foot_of(const rutJsonValue* object) {
  for (const rutJsonValue* c = object ? object->first : NULL; c; c = c->next) {
    if (strncmp(c->key, "Location ", 9) == 0 && strcmp(c->key, "Location Chassis") != 0) {
      return c->key;
    }
  }
  return "";
}

// Springs of an object; of several the stiffest stands for all, with the sum of their rates.
static void read_springs(rutChronoPart* part, rutVec3 at, rutChronoSuspension* out) {
  double most = 0, sum = 0;
  int n = 0;
  const rutJsonValue* chosen = NULL;
  for (const rutJsonValue* c = part->root->first; c; c = c->next) {
    if (c->kind != RUT_JSON_OBJECT || !foot_of(c)[0]) continue;
    const double rate = rut_chrono_number(part, c, "Spring Coefficient", 0, 0);
    if (!(rate > 0) && !rut_json_find(c, "Spring Curve Data")) continue;
    n++;
    sum += rate;
    if (chosen && rate <= most) continue;
    chosen = c;
    most = rate;
  }
  if (!chosen) return;
  rut_chrono_read_spring(part, chosen, (rutChronoEnds){"Location Chassis", foot_of(chosen)}, at,
                         &out->spring);
  if (n == 1) return;
  out->spring.rate = sum;
  rut_json_warn(&part->maker, chosen, chosen->key,
                "guessed: one spring with the rates of all %d stands where this one does", n);
}

static void read_dampers(rutChronoPart* part, rutVec3 at, rutChronoSuspension* out) {
  for (const rutJsonValue* c = part->root->first; c; c = c->next) {
    if (c->kind != RUT_JSON_OBJECT || !foot_of(c)[0]) continue;
    const bool damps = rut_chrono_number(part, c, "Damping Coefficient", 0, 0) > 0 ||
                       rut_json_find(c, "Damping Curve Data") || rut_json_find(c, "Map Data");
    if (!damps) continue;
    if (!out->damper.given) {
      rut_chrono_read_damper(part, c, (rutChronoEnds){"Location Chassis", foot_of(c)}, at,
                             &out->damper);
    } else {
      rut_json_warn(&part->maker, c, c->key, "dropped: a second damper of a wheel");
    }
  }
}

// Masses of what is beside the spindle. What both wheels share counts half for each; the axle, its
// knuckle and its upright move with the wheel, other links half.
static void read_masses(rutChronoPart* part, rutChronoSuspension* out) {
  static const char* const moving[] = {"Axle Tube", "Tube", "Axle Housing", "Tierod", "Bell Crank"};
  static const char* const shared[] = {"Trackbar", "Draglink", "Transverse Beam"};
  for (const rutJsonValue* c = part->root->first; c; c = c->next) {
    if (c->kind != RUT_JSON_OBJECT || strcmp(c->key, "Spindle") == 0) continue;
    const double mass = rut_chrono_number(part, c, "Mass", 0, 0);
    const bool turns = strcmp(c->key, "Knuckle") == 0 || strcmp(c->key, "Upright") == 0;
    double with_wheel = turns ? mass : 0.5 * mass, with_chassis = turns ? 0 : 0.5 * mass;
    for (int i = 0; i < RUT_COUNT_OF(moving); i++) {
      if (strcmp(c->key, moving[i]) == 0) with_chassis = 0;
    }
    for (int i = 0; i < RUT_COUNT_OF(shared); i++) {
      if (strcmp(c->key, shared[i]) == 0) with_wheel = with_chassis = 0.25 * mass;
    }
    out->link_mass += with_wheel;
    out->chassis_mass += with_chassis;
  }
}

static rutVec3 place(rutChronoPart* part, const rutJsonValue* object, const char* key, rutVec3 at) {
  rutVec3 p;
  if (!rut_chrono_vector(part, object, key, &p) && !rut_json_find(object, key)) {
    rut_json_error(&part->maker, object, object->key, "has no '%s'", key);
  }
  return rut_vec3_add(p, at);
}

// How the wheel moves, as the keys of the file tell.
static void read_motion(rutChronoPart* part, rutVec3 at, rutChronoSuspension* out) {
  static const char* const links[2] = {"Upper Link", "Lower Link"};
  const rutJsonValue* arm = rut_chrono_object(part, part->root, "Trailing Arm", false);
  const rutJsonValue* swing = rut_chrono_object(part, part->root, "Control Arm", false);
  out->form = RUT_CHRONO_STRAIGHT;
  if (arm && rut_json_find(arm, "Location Chassis Outer")) {
    out->form = RUT_CHRONO_HINGE;
    out->lower.front = place(part, arm, "Location Chassis Outer", at);
    out->lower.rear = place(part, arm, "Location Chassis Inner", at);
  } else if (arm) {
    out->form = RUT_CHRONO_TRAILING;
    out->trailing_chassis = place(part, arm, "Location Chassis", at);
    for (int i = 0; i < 2; i++) {
      const rutJsonValue* link = rut_chrono_object(part, part->root, links[i], true);
      if (!link) return;
      out->link_chassis[i] = place(part, link, "Location Chassis", at);
      out->link_axle[i] = place(part, link, "Location Arm", at);
    }
  } else if (swing) {
    out->form = RUT_CHRONO_HINGE;
    out->lower.front = place(part, swing, "Location Chassis Front", at);
    out->lower.rear = place(part, swing, "Location Chassis Back", at);
  } else if (strcmp(part->template_name, "RigidPinnedAxle") == 0) {
    out->form = RUT_CHRONO_RIGID;
  }
}

bool rut_chrono_read_other(rutChronoPart* part, rutVec3 at, rutChronoSuspension* out) {
  const int before = part->maker.reporter->errors;
  read_motion(part, at, out);
  if (out->form != RUT_CHRONO_RIGID) {
    read_springs(part, at, out);
    read_dampers(part, at, out);
    if (!out->spring.given && part->maker.reporter->errors == before) {
      rut_json_error(&part->maker, part->root, "Template",
                     "rut has no suspension '%.60s', and it has no object with 'Spring "
                     "Coefficient' and a 'Location' that would tell its rate",
                     part->template_name);
    }
  }
  read_masses(part, out);
  if (part->maker.reporter->errors > before) return false;
  static const char* const how[] = {[RUT_CHRONO_RIGID] = "does not swing about its pin",
                                    [RUT_CHRONO_HINGE] = "turns with its arm",
                                    [RUT_CHRONO_TRAILING] = "moves as its arm and links let it",
                                    [RUT_CHRONO_STRAIGHT] = "rises straight"};
  rut_json_warn(&part->maker, part->root, "Template",
                "guessed: rut has no suspension '%.60s'. The wheel %s, and has the rates of its "
                "springs by that",
                part->template_name, how[out->form]);
  return true;
}
