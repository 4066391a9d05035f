// SPDX-License-Identifier: BSD-3-Clause
//
// A vehicle of Chrono to a <vehicle> on axles.
#include <stdio.h>
#include <string.h>

#include "format/chrono_axle.h"
#include "format/element_name.h"

static const double DEGREE = 0.017453292519943295;
static const double DEFAULT_RADIUS = 0.4, DEFAULT_WIDTH = 0.25;  // of tyres that are not known [m]
static const double OVERHANG = 0.25;    // of the outline beyond the tyres [m]
static const double BELLY = 0.2;        // of it below the hubs, over the radius
static const double BODY_HEIGHT = 1.4;  // [m]

typedef struct Maker {
  rutChronoFrame f;
  rutNode vehicle;
  rutPlace place;
  int before;   // errors
  double lift;  // of rut's reference point below Chrono's: on slides it is on the ground [m]
} Maker;

// ---- chassis ----

static void add_component(rutChronoPart* part, const rutJsonValue* item, rutBodyMass* sum) {
  const rutJsonValue* frame = rut_chrono_object(part, item, "Centroidal Frame", true);
  if (!frame) return;
  rutBodyMass body = {.mass = rut_chrono_number(part, item, "Mass", 0, 0),
                      .inertia = rut_chrono_inertia(part, item)};
  body = rut_body_mass_moved(body, rut_chrono_pose(part, frame));
  if (rut_json_flag(&part->maker, item, "Components", "Void", false)) {
    body.mass = -body.mass;
    body.inertia = (rutSym3){-body.inertia.xx, -body.inertia.yy, -body.inertia.zz,
                             -body.inertia.xy, -body.inertia.xz, -body.inertia.yz};
  }
  *sum = rut_body_mass_sum(*sum, body);
}

static void read_chassis(Maker* m) {
  rutChrono* chrono = m->f.chrono;
  rutChronoPart* v = chrono->vehicle;
  const rutJsonValue* object = rut_chrono_object(v, v->root, "Chassis", true);
  const rutJsonValue* file = object ? rut_json_find(object, "Input File") : NULL;
  if (!object) return;
  if (!file) {
    rut_json_error(&v->maker, object, "Chassis", "has no 'Input File'");
    return;
  }
  rutChronoPart* part = rut_chrono_open(chrono, v, file, "Chassis");
  if (!part) return;
  const rutJsonValue* list =
      rut_json_child(&part->maker, part->root, "", "Components", RUT_JSON_ARRAY);
  for (const rutJsonValue* item = list ? list->first : NULL; item; item = item->next) {
    if (item->kind == RUT_JSON_OBJECT) add_component(part, item, &m->f.body);
  }
  const rutSym3 j = m->f.body.inertia;
  if (!(m->f.body.mass > 1e-3) || !(j.xx > 0) || !(j.yy > 0) || !(j.zz > 0)) {
    rut_json_error(&part->maker, part->root, "Components",
                   "the chassis has a mass of %.4g kg: it needs components with masses and moments "
                   "of inertia above 0",
                   m->f.body.mass);
  }
}

// ---- axles ----

static rutChronoPart* open_key(Maker* m, const rutJsonValue* object, const char* key,
                               const char* type) {
  const rutJsonValue* value = rut_json_find(object, key);
  return value ? rut_chrono_open(m->f.chrono, m->f.chrono->vehicle, value, type) : NULL;
}

static void add_wheel(rutChronoPart* part, rutChronoAxle* axle) {
  rutVec3 j;
  if (!part) return;
  rut_chrono_vector(part, part->root, "Inertia", &j);
  axle->wheel_mass += rut_chrono_number(part, part->root, "Mass", 0, 0);
  axle->wheel_inertia = rut_vec3_add(axle->wheel_inertia, j);
}

static void read_wheels(Maker* m, rutChronoAxle* axle) {
  rutChronoPart* v = m->f.chrono->vehicle;
  rutChronoPart* wheel = open_key(m, axle->json, "Left Wheel Input File", "Wheel");
  int tyres = 1;
  if (wheel) {
    add_wheel(wheel, axle);
  } else {
    static const char* const keys[] = {"Left Inside Wheel Input File",
                                       "Left Outside Wheel Input File"};
    tyres = 0;
    for (int i = 0; i < 2; i++) {
      wheel = open_key(m, axle->json, keys[i], "Wheel");
      add_wheel(wheel, axle);
      tyres += wheel != NULL;
    }
    if (tyres == 2) {
      rut_json_warn(
          &v->maker, axle->json, "Axles",
          "guessed: one wheel with one tyre stands for twin wheels, with the mass of both");
    }
    if (tyres == 0) {
      rut_json_warn(&v->maker, axle->json, "Axles", "guessed: no file of a wheel, it has no rim");
      tyres = 1;
    }
  }
  if (!axle->tyre) return;
  rut_chrono_read_tyre(axle->tyre, v, &axle->size);
  axle->wheel_mass += tyres * axle->size.mass;
  axle->wheel_inertia =
      rut_vec3_add(axle->wheel_inertia, rut_vec3_scale(axle->size.inertia, tyres));
}

// Anti-roll bar: torsion spring of k [N m/rad] between arms of a length l: k (s - s')/l^2.
static void read_anti_roll(Maker* m, rutChronoAxle* axle) {
  rutChronoPart* part = open_key(m, axle->json, "Antirollbar Input File", "Antirollbar");
  if (!part) return;
  const rutJsonValue* arm = rut_chrono_object(part, part->root, "Arm", true);
  const rutJsonValue* spring = rut_chrono_object(part, part->root, "RSD", true);
  const double length = rut_chrono_number(part, arm, "Length", 0.5, 0.01);
  const double rate = rut_chrono_number(part, spring, "Spring Coefficient", 0, 0);
  axle->anti_roll = rate / (length * length);
  rut_json_warn(&part->maker, part->root, "Antirollbar",
                "guessed: its force at a wheel is %.5g N per metre of difference in travel, as if "
                "its droplinks stood at the hubs; its damping and its arms' masses are dropped",
                axle->anti_roll);
}

// Whether something stands on a chassis behind the front one.
static bool is_behind(Maker* m, const rutJsonValue* json) {
  rutChronoPart* v = m->f.chrono->vehicle;
  const rutJsonValue* rear = rut_json_find(v->root, "Rear Chassis");
  return rear && rear->first && json->kind == RUT_JSON_OBJECT &&
         rut_chrono_number(v, json, "Chassis Index", -1, -1) >= 0;
}

static void read_axle(Maker* m, const rutJsonValue* json, int index) {
  rutChrono* chrono = m->f.chrono;
  rutChronoPart* v = chrono->vehicle;
  if (m->f.axles == RUT_CHRONO_MAX_AXLES) {
    rut_json_error(&v->maker, json, "Axles", "a vehicle has at most %d axles",
                   RUT_CHRONO_MAX_AXLES);
    return;
  }
  if (json->kind != RUT_JSON_OBJECT || !rut_json_find(json, "Suspension Input File")) {
    rut_json_error(&v->maker, json, "Axles", "an axle is an object with 'Suspension Input File'");
    return;
  }
  rutChronoAxle* axle = &m->f.axle[m->f.axles++];
  *axle = (rutChronoAxle){.json = json, .index = index, .steering = -1};
  rut_chrono_vector(v, json, "Suspension Location", &axle->at);
  rutChronoPart* part = open_key(m, json, "Suspension Input File", "Suspension");
  if (part) rut_chrono_read_suspension(part, axle->at, &axle->suspension);
  const double steering = rut_chrono_number(v, json, "Steering Index", -1, -1);
  axle->steering = (int)rut_clamp(steering, -1, RUT_CHRONO_MAX_AXLES);
  axle->tyre = chrono->tyre ? NULL : open_key(m, json, "Tire Input File", "Tire");
  rutChronoPart* brake = open_key(m, json, "Left Brake Input File", "Brake");
  if (brake)
    axle->brake = rut_min(rut_chrono_number(brake, brake->root, "Maximum Torque", 0, 0), 1e9);
  read_anti_roll(m, axle);
}

// Tyres that the vehicle does not name.
static void find_tyres(Maker* m) {
  static const char* const names[] = {"TMeasyTire", "FialaTire", "Pac02Tire", "TMsimpleTire",
                                      "RigidTire"};
  rutChrono* chrono = m->f.chrono;
  bool lacks = false;
  for (int i = 0; i < m->f.axles; i++) lacks = lacks || !m->f.axle[i].tyre;
  if (lacks && !chrono->tyre) {
    chrono->tyre = rut_chrono_beside(chrono, "tire", "Tire", names, RUT_COUNT_OF(names));
  }
  if (lacks && !chrono->tyre) {
    rut_json_warn(&chrono->vehicle->maker, chrono->vehicle->root, "Axles",
                  "guessed: no file of a tyre is known: it has rut's own of %g m radius. Name one "
                  "in 'parts'",
                  DEFAULT_RADIUS);
  }
  for (int i = 0; i < m->f.axles; i++) {
    rutChronoAxle* axle = &m->f.axle[i];
    if (!axle->tyre) axle->tyre = chrono->tyre;
    read_wheels(m, axle);
    if (!(axle->size.radius > 0.01)) axle->size.radius = DEFAULT_RADIUS;
    if (!(axle->size.width > 0.001)) axle->size.width = DEFAULT_WIDTH;
  }
}

static void read_axles(Maker* m) {
  rutChronoPart* v = m->f.chrono->vehicle;
  const rutJsonValue* list = rut_json_child(&v->maker, v->root, "", "Axles", RUT_JSON_ARRAY);
  if (!list || !list->first) {
    rut_json_error(&v->maker, v->root, "Axles", "a vehicle has a list of 'Axles'");
    return;
  }
  int index = 0, behind = 0;
  for (const rutJsonValue* item = list->first; item; item = item->next, index++) {
    if (rut_json_halted(&v->maker)) return;
    if (is_behind(m, item)) {
      behind++;
      rut_json_warn(&v->maker, item, "Axles",
                    "dropped: axle %d stands on a rear chassis; the front one drives alone", index);
    } else {
      read_axle(m, item, index);
    }
  }
  if (behind > 0 && m->f.axles < 2) {
    rut_json_error(&v->maker, list, "Axles",
                   "the vehicle is articulated, and rut's have one body: %d of its %d axles on the "
                   "front chassis do not let that stand alone",
                   m->f.axles, index);
    return;
  }
  find_tyres(m);
}

// ---- steering and driveline ----

static void read_steerings(Maker* m) {
  rutChronoPart* v = m->f.chrono->vehicle;
  const rutJsonValue* list = rut_json_find(v->root, "Steering Subsystems");
  m->f.max_steer =
      rut_min(rut_chrono_number(v, v->root, "Maximum Steering Angle (deg)", 0, 0) * DEGREE, 1.5);
  for (const rutJsonValue* item = list ? list->first : NULL; item; item = item->next) {
    if (m->f.steerings == RUT_CHRONO_MAX_AXLES || item->kind != RUT_JSON_OBJECT) break;
    rutChronoPart* part = open_key(m, item, "Input File", "Steering");
    rutChronoSteering* steering = &m->f.steering[m->f.steerings++];
    if (!part) continue;
    rut_chrono_read_steering(part, rut_chrono_pose(v, item), steering);
    if (!is_behind(m, item)) m->f.body = rut_body_mass_sum(m->f.body, steering->mass);
  }
  for (int i = 0; i < m->f.axles; i++) {
    rutChronoAxle* axle = &m->f.axle[i];
    if (axle->steering < m->f.steerings) continue;
    rut_json_error(&v->maker, axle->json, "Steering Index",
                   "there is no steering subsystem %d: %d are listed", axle->steering,
                   m->f.steerings);
    axle->steering = -1;
  }
}

// The axle of a number in the file, NULL if it was dropped.
static rutChronoAxle* axle_of(Maker* m, int index) {
  for (int i = 0; i < m->f.axles; i++) {
    if (m->f.axle[i].index == index) return &m->f.axle[i];
  }
  return NULL;
}

static void read_driveline(Maker* m, rutChronoTrain* train) {
  rutChronoPart* v = m->f.chrono->vehicle;
  const rutJsonValue* object = rut_chrono_object(v, v->root, "Driveline", false);
  *train = (rutChronoTrain){0};
  if (!object) return;
  train->driveline = open_key(m, object, "Input File", "Driveline");
  const rutJsonValue* list =
      rut_json_child(&v->maker, object, "Driveline", "Suspension Indexes", RUT_JSON_ARRAY);
  double middle = 0;
  for (int i = 0; i < m->f.axles; i++) middle += m->f.axle[i].suspension.hub.x / m->f.axles;
  const rutJsonValue* axles = rut_json_find(v->root, "Axles");
  bool any = false;
  for (const rutJsonValue* item = list ? list->first : NULL; item; item = item->next) {
    if (item->kind != RUT_JSON_NUMBER || !(item->number >= 0 && item->number < axles->children)) {
      rut_json_error(&v->maker, item, "Suspension Indexes", "an index is 0 to %d",
                     axles->children - 1);
      continue;
    }
    rutChronoAxle* axle = axle_of(m, (int)item->number);
    if (!axle) continue;
    any = axle->driven = true;
    train->half_shaft = rut_min(axle->suspension.axle_inertia, 1e4);
    if (axle->suspension.hub.x > middle) {
      train->front = true;
    } else {
      train->rear = true;
    }
  }
  if (any || !list || !list->first) return;
  rut_json_warn(&v->maker, list, "Driveline", "dropped: all driven axles are on a rear chassis");
  train->driveline = NULL;
}

// ---- which form ----

// All suspensions as wishbones, or none.
static void choose_form(Maker* m) {
  rutChronoSuspension wishbone[RUT_CHRONO_MAX_AXLES];
  rutChronoPart* v = m->f.chrono->vehicle;
  m->f.mechanisms = true;
  for (int i = 0; i < m->f.axles; i++) {
    const rutChronoAxle* axle = &m->f.axle[i];
    wishbone[i] = axle->suspension;
    const bool linked = axle->steering < 0 || m->f.steering[axle->steering].given;
    if (rut_chrono_as_wishbone(&wishbone[i]) && linked) continue;
    m->f.mechanisms = false;
    rut_json_warn(
        &v->maker, axle->json, "Axles",
        "guessed: rut has no mechanism like '%.60s': all axles are on slides, with the "
        "rates that their springs and dampers have at the wheels at the design position%s",
        axle->suspension.part->template_name,
        axle->suspension.form == RUT_CHRONO_SOLID
            ? "; a solid axle rolls as stiffly as its springs at the wheels would"
            : "");
  }
  for (int i = 0; i < m->f.axles; i++) {
    rutChronoAxle* axle = &m->f.axle[i];
    rutChronoSuspension* s = &axle->suspension;
    if (m->f.mechanisms) {
      if (s->form != RUT_CHRONO_WISHBONE) {
        rut_json_warn(&s->part->maker, s->part->root, "Template",
                      "guessed: a double wishbone that guides the wheel alike near the design "
                      "position stands for '%.60s'",
                      s->part->template_name);
      }
      *s = wishbone[i];
    }
    // what stays with the chassis: struts, half of the links of slides
    const double links =
        m->f.mechanisms ? 0 : s->chassis_mass + 0.5 * (s->upper.mass + s->lower.mass + s->tie_mass);
    const rutBodyMass more = {.mass = 2 * (s->strut_mass + links),
                              .com = rut_vec3(s->hub.x, 0, s->hub.z)};
    m->f.body = rut_body_mass_sum(m->f.body, more);
  }
  if (!m->f.mechanisms) rut_chrono_settle(&m->f);
}

// ---- the elements ----

static void set(Maker* m, rutNode node, const char* field, double value) {
  rut_json_set(&m->f.chrono->vehicle->maker, node, field, value, m->place);
}

static void set_list(Maker* m, rutNode node, const char* field, int n, const double* value) {
  rut_json_set_list(&m->f.chrono->vehicle->maker, node, field, n, value, m->place);
}

static double hub_height(const Maker* m, const rutChronoAxle* axle) {
  return axle->suspension.hub.z + m->lift + (m->f.mechanisms ? 0 : axle->settle);
}

// Mechanisms find by themselves how they stand.
static void find_ground(Maker* m) {
  double sum = 0;
  for (int i = 0; i < m->f.axles && !m->f.mechanisms; i++) {
    sum += m->f.axle[i].size.radius - hub_height(m, &m->f.axle[i]);
  }
  m->lift = sum / m->f.axles;
}

static void make_chassis(Maker* m) {
  const rutBodyMass* b = &m->f.body;
  double front = -1e9, rear = 1e9, side = 0, low = 1e9;
  for (int i = 0; i < m->f.axles; i++) {
    const rutChronoAxle* axle = &m->f.axle[i];
    front = rut_max(front, axle->suspension.hub.x + axle->size.radius + OVERHANG);
    rear = rut_min(rear, axle->suspension.hub.x - axle->size.radius - OVERHANG);
    side = rut_max(side, axle->suspension.hub.y);
    low = rut_min(low, hub_height(m, axle) - BELLY * axle->size.radius);
  }
  const rutNode node =
      rut_json_add(&m->f.chrono->vehicle->maker, m->vehicle, "chassis", "", "", m->place);
  const double outline[8] = {front, side, front, -side, rear, -side, rear, side};
  const double com[3] = {b->com.x, b->com.y, b->com.z + m->lift};
  const rutSym3 j = b->inertia;
  const double inertia[6] = {j.xx, j.yy, j.zz, j.xy, j.xz, j.yz};
  set(m, node, "mass", b->mass);
  set_list(m, node, "com", 3, com);
  set_list(m, node, "inertia", 6, inertia);
  set_list(m, node, "outline", 8, outline);
  set(m, node, "z_min", low);
  set(m, node, "z_max", low + BODY_HEIGHT);
}

static bool same_tyres(const Maker* m) {
  bool same = true;
  for (int i = 1; i < m->f.axles; i++) same = same && m->f.axle[i].tyre == m->f.axle[0].tyre;
  return same;
}

static void make_axle(Maker* m, rutChronoAxle* axle, double load) {
  rutChronoPart* v = m->f.chrono->vehicle;
  const rutChronoSuspension* s = &axle->suspension;
  const rutPlace place = rut_chrono_place(v, axle->json);
  const rutNode node = rut_json_add(&v->maker, m->vehicle, "axle", "", "", place);
  if (rut_node_is_null(node)) return;
  const double mass = m->f.mechanisms ? rut_chrono_wheel_mass(axle) : rut_chrono_slide_mass(axle);
  const rutVec3 j = rut_vec3_add(s->spindle_inertia, axle->wheel_inertia);
  const double shaft = axle->driven ? s->axle_inertia - m->f.half_shaft : s->axle_inertia;
  set(m, node, "x", s->hub.x);
  set(m, node, "z", hub_height(m, axle));
  set(m, node, "track", rut_max(2 * s->hub.y, 0));
  set(m, node, "radius", axle->size.radius);
  set(m, node, "width", axle->size.width);
  if (axle->size.section > 0) set(m, node, "section_height", axle->size.section);
  set(m, node, "wheel_mass", rut_min(mass, 1e6));
  if (j.y + shaft > 0) set(m, node, "wheel_inertia", j.y + shaft);
  if (j.x > 0) set(m, node, "transverse_inertia", j.x);
  set(m, node, "brake", axle->brake);
  if (axle->anti_roll > 0) set(m, node, "anti_roll", axle->anti_roll);
  rut_json_set_text(&v->maker, node, "driven", axle->driven ? "true" : "false", place);
  if (axle->steering >= 0) {
    const double link = m->f.steering[axle->steering].most;
    set(m, node, "max_steer", m->f.mechanisms ? link : m->f.max_steer > 0 ? m->f.max_steer : link);
  }
  if (m->f.mechanisms) {
    rut_chrono_make_wishbone(&m->f, axle, node);
  } else {
    rut_chrono_make_slide(&m->f, axle, node);
  }
  if (!same_tyres(m)) rut_chrono_make_tyre(m->f.chrono, axle->tyre, node, load);
}

static void tell(Maker* m, double mass) {
  static const char* const dropped[] = {"Rear Chassis", "Subchassis"};
  rutChronoPart* v = m->f.chrono->vehicle;
  for (int i = 0; i < RUT_COUNT_OF(dropped); i++) {
    const rutJsonValue* value = rut_json_find(v->root, dropped[i]);
    if (value) {
      rut_json_warn(&v->maker, value, dropped[i], "dropped: rut's vehicles have one body: its '%s'",
                    dropped[i]);
    }
  }
  rut_report_note(v->maker.reporter, m->place, "",
                  "dropped: visualization, bushings and output of its parts");
  rut_report_note(v->maker.reporter, m->place, "",
                  "kept: %.7g kg on %d axles %s, %d of them driven, in %d parts", mass, m->f.axles,
                  m->f.mechanisms ? "with double wishbones" : "on slides",
                  m->f.axle[0].driven + (m->f.axles > 1 ? m->f.axle[1].driven : 0) +
                      (m->f.axles > 2 ? m->f.axle[2].driven : 0),
                  m->f.chrono->parts);
}

static double total_mass(const Maker* m) {
  double mass = m->f.body.mass;
  for (int i = 0; i < m->f.axles; i++) {
    const rutChronoSuspension* s = &m->f.axle[i].suspension;
    const double arms = s->upper.mass + s->lower.mass + s->tie_mass + s->upright_mass;
    mass += 2 * (m->f.mechanisms ? rut_chrono_wheel_mass(&m->f.axle[i]) + arms
                                 : rut_chrono_slide_mass(&m->f.axle[i]));
  }
  return mass;
}

static void make_vehicle(Maker* m, const rutVehiclePlace* to, const char* name) {
  rutChronoTrain train;
  rutChrono* chrono = m->f.chrono;
  rutReporter* reporter = chrono->vehicle->maker.reporter;
  read_chassis(m);
  read_axles(m);
  if (reporter->errors == m->before && m->f.axles > 0) read_steerings(m);
  if (reporter->errors > m->before || m->f.axles == 0) return;
  read_driveline(m, &train);
  m->f.half_shaft = train.half_shaft;
  choose_form(m);
  if (reporter->errors > m->before) return;
  m->vehicle = rut_json_add(&chrono->vehicle->maker, to->world, "vehicle", "", name, m->place);
  if (rut_node_is_null(m->vehicle)) return;
  // the lock of a linkage is that of its axle
  set(m, m->vehicle, "max_steer", m->f.mechanisms ? 0 : m->f.max_steer);
  find_ground(m);
  make_chassis(m);
  const double mass = total_mass(m), load = mass * m->f.gravity / (2 * m->f.axles);
  for (int i = 0; i < m->f.axles; i++) make_axle(m, &m->f.axle[i], load);
  if (same_tyres(m)) rut_chrono_make_tyre(chrono, m->f.axle[0].tyre, m->vehicle, load);
  if (rut_chrono_make_drive(chrono, m->vehicle, &train)) {
    rut_json_add(&chrono->vehicle->maker, m->vehicle, "controller", "throttle", "", m->place);
  }
  tell(m, mass);
}

// ---- files ----

rutStatus rut_chrono_add_vehicle(rutContext* context, const rutChronoOrder* order,
                                 const rutVehiclePlace* to, rutNode* out) {
  rutReporter* reporter = rut_context_reporter(context);
  const int before = reporter->errors;
  rutChrono chrono;
  char name[64];
  const rutStatus status =
      rut_chrono_begin(&chrono, to->spec, reporter, order->text, order->size, order->path);
  chrono.context = context;
  if (status == RUT_OK) {
    Maker m = {.f = {.chrono = &chrono}, .before = before};
    m.place = rut_chrono_place(chrono.vehicle, NULL);
    m.f.gravity = rut_node_number(to->spec, rut_spec_root(to->spec), "gravity");
    if (order->parts) rut_chrono_take_parts(&chrono, order->parts, order->from, order->place);
    rut_element_name_of_file(order->path, name);
    if (reporter->errors == before) make_vehicle(&m, to, to->name ? to->name : name);
    if (out) *out = m.vehicle;
  }
  rut_chrono_free(&chrono);
  return reporter->errors == before ? RUT_OK : reporter->first.status;
}

// ---- the format ----

// A world with this vehicle alone, on level ground.
static rutStatus chrono_read(rutContext* context, const char* text, size_t size, const char* name,
                             rutSpec* spec, rutError* err) {
  // folders of Chrono's data that stand beside that of the vehicle
  static const char* const beside[] = {"chassis",     "suspension", "steering", "driveline",
                                       "powertrain",  "tire",       "wheel",    "brake",
                                       "antirollbar", "subchassis"};
  const rutNode world = rut_spec_root(spec);
  const rutPlace start = {name, 1, 1};
  rutReporter* reporter = rut_context_reporter(context);
  rutStatus status = RUT_OK;
  rut_node_place(spec, world, NULL, start);
  for (int i = 0; i < RUT_COUNT_OF(beside) && status == RUT_OK; i++) {
    status = rut_spec_allow_beside(spec, name, beside[i]);
  }
  if (status != RUT_OK) return rut_error_set(err, status, "out of memory");
  const rutVehiclePlace to = {.spec = spec, .world = world};
  const rutChronoOrder order = {.text = text, .size = size, .path = name, .place = start};
  const double step = 1e-3;
  rut_node_set_numbers(spec, world, "timestep", 1, &step, NULL);
  status = rut_chrono_add_vehicle(context, &order, &to, NULL);
  if (status != RUT_OK && err) *err = reporter->first;
  return status;
}

const rutFormatType rut_format_chrono = {
    .base = {.abi = RUT_ABI,
             .struct_size = sizeof(rutFormatType),
             .kind = "format",
             .name = "chrono",
             .parents = "",
             .doc = "Wheeled vehicles of Project Chrono (JSON): a world with this vehicle on level "
                    "ground."},
    .recognise = rut_chrono_recognise,
    .read = chrono_read};
