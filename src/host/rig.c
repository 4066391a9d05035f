// SPDX-License-Identifier: BSD-3-Clause
//
// The model of a rig for a single wheel: a tyre of a world or of its own, and the ground under it.
#include "rut/rig.h"

#include <stdio.h>
#include <string.h>

#include "base/report.h"
#include "host/track.h"
#include "math/rut_math.h"
#include "rut/component.h"

rutRigDef rut_default_rig(void) {
  return (rutRigDef){.struct_size = sizeof(rutRigDef),
                     .radius = RUT_NAN,
                     .width = RUT_NAN,
                     .section_height = RUT_NAN,
                     .wheel_mass = RUT_NAN,
                     .wheel_inertia = RUT_NAN,
                     .cell = RUT_NAN,
                     .timestep = RUT_NAN};
}

// The rig while it is built.
typedef struct Bench {
  const rutRigDef* def;
  rutContext* context;
  rutSpec* spec;  // owned
  rutNode vehicle, axle;
  int wheel;  // of the vehicle as it is in the world, that of the axle
} Bench;

static bool is_given(double number) { return number == number; }

static bool ends_in_tir(const char* text) {
  const size_t n = strlen(text);
  if (n < 4 || text[n - 4] != '.') return false;
  return (text[n - 3] | 32) == 't' && (text[n - 2] | 32) == 'i' && (text[n - 1] | 32) == 'r';
}

// ---- world ----

// Remove the children of a node whose kinds are not listed; the list ends with NULL.
static void keep_children(rutSpec* spec, rutNode parent, const char* const* kinds) {
  rutNode node = rut_node_first(spec, parent, NULL);
  while (!rut_node_is_null(node)) {
    const rutNode next = rut_node_next(spec, node, NULL);
    bool kept = false;
    for (int i = 0; kinds[i]; i++) kept = kept || strcmp(rut_node_kind(spec, node), kinds[i]) == 0;
    if (!kept) rut_spec_remove(spec, node);
    node = next;
  }
}

static rutStatus pick_vehicle(Bench* b, rutError* err) {
  const char* name = b->def->vehicle;
  rutSpec* spec = b->spec;
  rutNode node = rut_node_first(spec, rut_spec_root(spec), "vehicle");
  while (!rut_node_is_null(node)) {
    const rutNode next = rut_node_next(spec, node, "vehicle");
    const bool on_axles = !rut_node_is_null(rut_node_first(spec, node, "axle"));
    const bool fits = name && name[0] ? strcmp(rut_node_name(spec, node), name) == 0 : on_axles;
    if (rut_node_is_null(b->vehicle) && fits) {
      b->vehicle = node;
    } else {
      rut_spec_remove(spec, node);
    }
    node = next;
  }
  if (!rut_node_is_null(b->vehicle)) return RUT_OK;
  const bool named = name && name[0];
  return rut_error_set(err, RUT_ERR_MODEL, "no vehicle%s%.60s%s in this world",
                       named ? " called '" : " on axles", named ? name : "", named ? "'" : "");
}

// The axle that is asked for, and its first wheel.
static rutStatus pick_axle(Bench* b, rutError* err) {
  const rutSpec* spec = b->spec;
  int n = 0;
  for (rutNode axle = rut_node_first(spec, b->vehicle, "axle"); !rut_node_is_null(axle); n++) {
    if (n == b->def->axle) b->axle = axle;
    if (n < b->def->axle) b->wheel += rut_node_number(spec, axle, "track") > 0 ? 2 : 1;
    axle = rut_node_next(spec, axle, "axle");
  }
  if (!rut_node_is_null(b->axle)) return RUT_OK;
  return rut_error_set(err, n > 0 ? RUT_ERR_ARGUMENT : RUT_ERR_MODEL,
                       "'%.60s' has %d axles; there is no axle %d, counted from 0",
                       rut_node_name(spec, b->vehicle), n, b->def->axle);
}

static rutStatus take_world(Bench* b, rutError* err) {
  static const char* const ground[] = {"vehicle", "material",     "soil",       "terrain",
                                       "plane",   "region",       "soil_map",   "elevation_map",
                                       "road",    "georeference", "deformable", NULL};
  static const char* const parts[] = {"chassis", "axle", "tyre", "suspension", NULL};
  rutStatus status = rut_spec_copy(b->def->world, &b->spec, err);
  if (status != RUT_OK) return status;
  keep_children(b->spec, rut_spec_root(b->spec), ground);
  status = pick_vehicle(b, err);
  if (status != RUT_OK) return status;
  keep_children(b->spec, b->vehicle, parts);
  return pick_axle(b, err);
}

// Without a world: an axle, beside the tyre's file if it has one.
static rutStatus make_world(Bench* b, rutError* err) {
  static const char text[] =
      "<world><vehicle name='rig'><chassis mass='400'/><tyre type='linear'/>"
      "<suspension type='slider'/><axle/>"
      "</vehicle></world>";
  const char* tyre = b->def->tyre;
  const char* beside = tyre && ends_in_tir(tyre) ? tyre : "rig.xml";
  const rutStatus status = rut_spec_parse(b->context, text, strlen(text), beside, &b->spec, err);
  if (status != RUT_OK) return status;
  b->vehicle = rut_node_first(b->spec, rut_spec_root(b->spec), "vehicle");
  b->axle = rut_node_first(b->spec, b->vehicle, "axle");
  return RUT_OK;
}

// ---- tyre ----

// A type of tyre, or a type that has such a preset.
static const rutComponent* find_tyre(const rutContext* context, const char* name, bool* preset) {
  *preset = false;
  for (int i = 0; i < rut_component_count(context); i++) {
    const rutComponent* type = rut_component_at(context, i);
    if (strcmp(type->kind, "tyre") != 0) continue;
    if (strcmp(type->name, name) == 0) return type;
    for (int k = 0; k < type->presets; k++) {
      *preset = strcmp(type->preset[k].name, name) == 0;
      if (*preset) return type;
    }
  }
  return NULL;
}

static rutStatus set_fields(rutSpec* spec, rutNode node, const char* what, int n,
                            const char* const* setting, rutError* err) {
  for (int i = 0; i < n; i++) {
    char field[64];
    const char* sign = strchr(setting[i], '=');
    const size_t length = sign ? (size_t)(sign - setting[i]) : 0;
    if (length == 0 || length >= sizeof field) {
      return rut_error_set(err, RUT_ERR_ARGUMENT, "'%.60s' is no FIELD=VALUE", setting[i]);
    }
    memcpy(field, setting[i], length);
    field[length] = '\0';
    rutError cause = {0};
    if (rut_node_set(spec, node, field, sign + 1, &cause) != RUT_OK) {
      return rut_error_set(err, RUT_ERR_ARGUMENT, "setting '%.100s' of tyre '%.60s': %.300s",
                           setting[i], what, cause.message);
    }
  }
  return RUT_OK;
}

static void remove_tyres(rutSpec* spec, rutNode parent) {
  rutNode node = rut_node_first(spec, parent, "tyre");
  while (!rut_node_is_null(node)) {
    const rutNode next = rut_node_next(spec, node, "tyre");
    rut_spec_remove(spec, node);
    node = next;
  }
}

static rutNode own_tyre(const Bench* b) {
  const rutNode node = rut_node_first(b->spec, b->axle, "tyre");
  return rut_node_is_null(node) ? rut_node_first(b->spec, b->vehicle, "tyre") : node;
}

// The tyre that is asked for by name in place of those that there are.
static rutStatus mount_named(Bench* b, const char* name, rutError* err) {
  const bool file = ends_in_tir(name);
  bool preset = false;
  const rutComponent* type = find_tyre(b->context, file ? "pac2002" : name, &preset);
  if (!type) {
    return rut_error_set(err, RUT_ERR_ARGUMENT,
                         "'%.60s' is no type or preset of tyres, and no file that ends in .tir",
                         name);
  }
  remove_tyres(b->spec, b->vehicle);
  remove_tyres(b->spec, b->axle);
  const rutNode node = rut_spec_add(b->spec, b->vehicle, "tyre", type->name, "", err);
  if (rut_node_is_null(node)) return RUT_ERR_ARGUMENT;
  if (preset) return rut_node_set(b->spec, node, "preset", name, err);
  return file ? rut_node_set(b->spec, node, "file", name, err) : RUT_OK;
}

static rutStatus mount_tyre(Bench* b, rutError* err) {
  const rutRigDef* def = b->def;
  const char* name = def->tyre && def->tyre[0] ? def->tyre : NULL;
  const rutStatus status = name ? mount_named(b, name, err) : RUT_OK;
  if (status != RUT_OK || def->tyre_settings == 0) return status;
  const rutNode node = own_tyre(b);
  if (rut_node_is_null(node)) return rut_error_set(err, RUT_ERR_MODEL, "this wheel has no tyre");
  return set_fields(b->spec, node, name ? name : rut_node_type(b->spec, node), def->tyre_settings,
                    def->tyre_setting, err);
}

// ---- ground ----

static rutStatus lay_ground(Bench* b, rutError* err) {
  static const char* const kept[] = {"vehicle", "material", NULL};
  const rutRigDef* def = b->def;
  const bool own = def->soil && def->soil[0];
  rutTrack track = {.spec = b->spec};
  if (!own && def->world) return RUT_OK;
  keep_children(b->spec, rut_spec_root(b->spec), kept);
  if (!own) return rut_track_road(&track, 0.8, err);
  return rut_track_soil(&track, def->soil, def->soil_settings, def->soil_setting, err);
}

static rutStatus keep_ruts(const Bench* b, rutError* err) {
  static const double CELL = 0.05;
  rutSpec* spec = b->spec;
  const rutNode root = rut_spec_root(spec);
  rutNode node = rut_node_first(spec, root, "deformable");
  const bool own = b->def->soil && b->def->soil[0], told = is_given(b->def->cell);
  if (told && b->def->cell == 0) {
    if (!rut_node_is_null(node)) rut_spec_remove(spec, node);
    return RUT_OK;
  }
  if (!told && !own) return RUT_OK;
  if (rut_node_is_null(node)) node = rut_spec_add(spec, root, "deformable", "", "", err);
  if (rut_node_is_null(node)) return RUT_ERR_MODEL;
  const double width = rut_node_number(spec, b->axle, "width");
  return rut_node_set_number(spec, node, "cell", told ? b->def->cell : rut_min(CELL, 0.5 * width),
                             err);
}

// ---- the wheel alone ----

typedef struct Number {
  const char* field;
  double value;
} Number;

static rutStatus set_numbers(rutSpec* spec, rutNode node, int n, const Number* number,
                             rutError* err) {
  rutStatus status = RUT_OK;
  for (int i = 0; i < n && status == RUT_OK; i++) {
    if (!is_given(number[i].value)) continue;
    status = rut_node_set_number(spec, node, number[i].field, number[i].value, err);
  }
  return status;
}
#define SET_NUMBERS(spec, node, number, err) \
  set_numbers(spec, node, (int)(sizeof(number) / sizeof *(number)), number, err)

static rutStatus size_wheel(const Bench* b, rutError* err) {
  const rutRigDef* def = b->def;
  const Number of_axle[] = {{"radius", def->radius},
                            {"width", def->width},
                            {"section_height", def->section_height},
                            {"wheel_mass", def->wheel_mass},
                            {"wheel_inertia", def->wheel_inertia}};
  return SET_NUMBERS(b->spec, b->axle, of_axle, err);
}

// What the world's vehicle, or the tyre's file, says: the load at rest, which tells where the cams
// of its wheels are; the size of the tyre.
static rutStatus ask_vehicle(const Bench* b, rutTyreInfo* info, rutError* err) {
  rutModel* model = NULL;
  rutNode node = rut_spec_add(b->spec, b->vehicle, "drive", "direct", "", err);
  const rutNode drive = node;
  if (!rut_node_is_null(node)) {
    node = rut_spec_add(b->spec, b->vehicle, "controller", "raw", "", err);
  }
  if (rut_node_is_null(node)) return RUT_ERR_MODEL;
  const rutStatus status = rut_compile(b->spec, &model, err);
  if (status == RUT_OK) *info = rut_tyre_info(model, b->wheel);
  if (model) rut_model_destroy(model);
  rut_spec_remove(b->spec, node);
  rut_spec_remove(b->spec, drive);
  return status;
}

// Of the vehicle the axle alone, without what hangs it.
static void leave_axle(const Bench* b) {
  static const char* const parts[] = {"chassis", "axle", "tyre", NULL};
  static const char* const of_axle[] = {"tyre", NULL};
  rutNode node = rut_node_first(b->spec, b->vehicle, "axle");
  while (!rut_node_is_null(node)) {
    const rutNode next = rut_node_next(b->spec, node, "axle");
    if (node.index != b->axle.index) rut_spec_remove(b->spec, node);
    node = next;
  }
  keep_children(b->spec, b->vehicle, parts);
  keep_children(b->spec, b->axle, of_axle);
}

// One wheel in the middle, at rest at the origin.
static rutStatus centre_wheel(const Bench* b, rutError* err) {
  static const double origin[2] = {0};
  static const Number axle[] = {{"x", 0},
                                {"track", 0},
                                {"max_steer", 0},
                                {"anti_roll", 0},
                                {"brake", 1e9}};  // as much as rutRigMotion may ask
  static const Number vehicle[] = {{"yaw", 0},
                                   {"pitch", 0},
                                   {"roll", 0},
                                   {"yaw_rate", 0},
                                   {"steer_rate", 0},
                                   {"steer_response", 0},
                                   {"steer_stiffness", 0},
                                   {"steer_damping", 0},
                                   {"steer_inertia", 0}};
  rutSpec* spec = b->spec;
  rutStatus status = SET_NUMBERS(spec, b->axle, axle, err);
  if (status == RUT_OK) status = SET_NUMBERS(spec, b->vehicle, vehicle, err);
  if (status == RUT_OK) status = rut_node_set(spec, b->axle, "driven", "true", err);
  if (status == RUT_OK) {
    status = rut_node_set_numbers(spec, b->vehicle, "position", 2, origin, err);
  }
  if (status != RUT_OK) return status;
  return rut_node_set_numbers(spec, b->vehicle, "velocity", 2, origin, err);
}

// On a slide under a chassis that has the weight which the wheel carried in the world.
static rutStatus hang_wheel(const Bench* b, double rest_load, rutError* err) {
  static const char* const added[][2] = {
      {"suspension", "slider"}, {"drive", "direct"}, {"controller", "raw"}};
  rutSpec* spec = b->spec;
  for (int i = 0; i < 3; i++) {
    const rutNode node = rut_spec_add(spec, b->vehicle, added[i][0], added[i][1], "", err);
    if (rut_node_is_null(node)) return RUT_ERR_MODEL;
  }
  const double gravity = rut_node_number(spec, rut_spec_root(spec), "gravity");
  const double wheel = rut_node_number(spec, b->axle, "wheel_mass");
  const double carried = gravity > 0 ? rest_load / gravity - wheel : 0;
  const double place[3] = {0, 0, rut_node_number(spec, b->axle, "radius")};
  const rutNode chassis = rut_node_first(spec, b->vehicle, "chassis");
  if (rut_node_is_null(chassis)) return RUT_OK;
  const rutStatus status = rut_node_set_numbers(spec, chassis, "com", 3, place, err);
  if (status != RUT_OK || !(carried > 0)) return status;
  return rut_node_set_number(spec, chassis, "mass", carried, err);
}

static rutStatus set_clock(const Bench* b, rutError* err) {
  static const double STEP = 1e-3;
  const rutNode root = rut_spec_root(b->spec);
  const double of_world = rut_node_number(b->spec, root, "timestep");
  const double usual = of_world > 0 ? of_world : STEP;
  const double step = is_given(b->def->timestep) ? b->def->timestep : usual;
  if (!(step > 0)) {
    return rut_error_set(err, RUT_ERR_ARGUMENT, "timestep = %g is not positive", step);
  }
  rutStatus status = rut_node_set_number(b->spec, root, "timestep", step, err);
  if (status == RUT_OK) status = rut_node_set(b->spec, root, "integrator", "semi_implicit", err);
  return status == RUT_OK ? rut_node_set(b->spec, root, "step", "given", err) : status;
}

static rutStatus build(Bench* b, rutError* err) {
  rutTyreInfo info = {.type = ""};
  rutStatus status = b->def->world ? take_world(b, err) : make_world(b, err);
  if (status == RUT_OK) status = mount_tyre(b, err);
  if (status == RUT_OK) status = size_wheel(b, err);
  if (status == RUT_OK) status = ask_vehicle(b, &info, err);
  const bool measured = !b->def->world && info.measured_radius > 0;
  if (status == RUT_OK && measured) {
    const double radius = is_given(b->def->radius) ? b->def->radius : info.measured_radius;
    const double width = is_given(b->def->width) ? b->def->width : info.measured_width;
    const Number size[] = {{"radius", radius}, {"width", width > 0 ? width : RUT_NAN}};
    status = SET_NUMBERS(b->spec, b->axle, size, err);
  }
  if (status == RUT_OK) leave_axle(b);
  if (status == RUT_OK) status = centre_wheel(b, err);
  if (status == RUT_OK) status = hang_wheel(b, info.rest_load, err);
  if (status == RUT_OK) status = lay_ground(b, err);
  if (status == RUT_OK) status = keep_ruts(b, err);
  return status == RUT_OK ? set_clock(b, err) : status;
}

rutStatus rut_rig_model(rutContext* context, const rutRigDef* def, rutModel** out, rutError* err) {
  *out = NULL;
  if (def->struct_size != sizeof *def) {
    return rut_error_set(err, RUT_ERR_ARGUMENT, "a rutRigDef begins as rut_default_rig makes it");
  }
  Bench b = {.def = def, .context = def->world ? rut_spec_context(def->world) : context};
  rutStatus status = build(&b, err);
  if (status == RUT_OK) status = rut_compile(b.spec, out, err);
  if (b.spec) rut_spec_destroy(b.spec);
  return status;
}
