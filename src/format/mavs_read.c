// SPDX-License-Identifier: BSD-3-Clause
//
// JSON to the numbers of a MAVS vehicle. Every key that MAVS knows is in a table here; any other
// gets a warning.
#include <stdio.h>
#include <string.h>

#include "base/suggest.h"
#include "format/mavs.h"
#include "format/reader.h"

typedef enum Use {
  NUMBER,
  ELSEWHERE,  // read by its own function
  UNUSED      // known to MAVS
} Use;

typedef struct Row {
  const char* key;
  Use use;
  rutMavsLack lack;
  double otherwise, least, greatest;
  size_t at;        // of the rutMavsNumber in what is read
  const char* why;  // it is not used
} Row;

#define NUMBER_ROW(type, member, key, lack, otherwise, least, greatest) \
  {key, NUMBER, RUT_MAVS_##lack, otherwise, least, greatest, offsetof(type, member), ""},
#define ELSEWHERE_ROW(key)   {key, ELSEWHERE, RUT_MAVS_SILENT, 0, 0, 0, 0, ""},
#define UNUSED_ROW(key, why) {key, UNUSED, RUT_MAVS_SILENT, 0, 0, 0, 0, why},
#define OF_VEHICLE(...)      NUMBER_ROW(rutMavsVehicle, __VA_ARGS__)
#define OF_AXLE(...)         NUMBER_ROW(rutMavsAxle, __VA_ARGS__)

// clang-format off
static const Row root_rows[] = {
    ELSEWHERE_ROW("Chassis") ELSEWHERE_ROW("Powertrain") ELSEWHERE_ROW("Axles")
    ELSEWHERE_ROW("Skid Steered") ELSEWHERE_ROW("Mesh") ELSEWHERE_ROW("Initial Pose")
    ELSEWHERE_ROW("Radial Spring Tire Model")
    UNUSED_ROW("Tire Mesh", "wheels are drawn as cylinders")
    UNUSED_ROW("Trailer", "the vehicle drives without it")
    UNUSED_ROW("Using Veg Forces", "there is no vegetation")};
static const Row chassis_rows[] = {
    RUT_MAVS_CHASSIS(OF_VEHICLE) ELSEWHERE_ROW("Dimensions")
    UNUSED_ROW("CG Longitudinal Offset", "axles are placed from the centre of mass")
    UNUSED_ROW("Collisions", "vehicles always collide")};
static const Row powertrain_rows[] = {RUT_MAVS_POWERTRAIN(OF_VEHICLE)};
static const Row axle_rows[] = {
    RUT_MAVS_AXLE(OF_AXLE)
    ELSEWHERE_ROW("Steered") ELSEWHERE_ROW("Powered") ELSEWHERE_ROW("Tire")};
static const Row tyre_rows[] = {RUT_MAVS_TYRE(OF_AXLE)};
static const Row mesh_rows[] = {
    ELSEWHERE_ROW("File") ELSEWHERE_ROW("Rotate Y to Z") ELSEWHERE_ROW("Rotate X to Y")
    ELSEWHERE_ROW("Rotate Y to X") ELSEWHERE_ROW("Offset") ELSEWHERE_ROW("Scale")};
static const Row pose_rows[] = {ELSEWHERE_ROW("Position") ELSEWHERE_ROW("Orientation")};
static const Row radial_rows[] = {
    ELSEWHERE_ROW("Num Slices")
    UNUSED_ROW("Theta Step", "the nearest ground along the arc of a wheel is found exactly")};
// clang-format on

typedef struct Table {
  const char* name;  // of the object, for messages
  const Row* row;
  int rows;
} Table;
#define TABLE(name, rows) \
  { name, rows, RUT_COUNT_OF(rows) }
enum { MAX_ROWS = 16 };

typedef struct Reader {
  const char* file;
  rutReporter* reporter;
} Reader;

static rutPlace place_of(const Reader* r, const rutJsonValue* value) {
  return (rutPlace){r->file, value->line, value->column};
}

#define FAIL(reader, value, label, ...)                                                   \
  rut_report_error((reader)->reporter, RUT_ERR_PARSE, place_of(reader, value), label, "", \
                   __VA_ARGS__)

// ---- values ----

static bool is_kind(const Reader* r, const rutJsonValue* value, rutJsonKind kind,
                    const char* label) {
  if (value->kind == kind) return true;
  FAIL(r, value, label, "'%.60s' must be %s, not %s", value->key, rut_json_kind_text(kind),
       rut_json_kind_text(value->kind));
  return false;
}

static void read_flag(const Reader* r, const rutJsonValue* object, const char* label,
                      const char* key, bool* out) {
  const rutJsonValue* value = rut_json_find(object, key);
  if (value && is_kind(r, value, RUT_JSON_BOOLEAN, label)) *out = value->number != 0;
}

// A list of n numbers. False if it is not there or wrong, *out being as before.
static bool read_list(const Reader* r, const rutJsonValue* object, const char* label,
                      const char* key, int n, double* out) {
  const rutJsonValue* value = rut_json_find(object, key);
  if (!value || !is_kind(r, value, RUT_JSON_ARRAY, label)) return false;
  bool numbers = value->children == n;
  for (const rutJsonValue* item = value->first; item; item = item->next) {
    numbers = numbers && item->kind == RUT_JSON_NUMBER;
  }
  if (!numbers) {
    FAIL(r, value, label, "'%.60s' must be a list of %d numbers", key, n);
    return false;
  }
  for (const rutJsonValue* item = value->first; item; item = item->next) *out++ = item->number;
  return true;
}

static void read_number(const Reader* r, const rutJsonValue* object, const char* label,
                        const Row* row, rutMavsNumber* out) {
  const rutJsonValue* value = rut_json_find(object, row->key);
  *out = (rutMavsNumber){row->otherwise, value != NULL, place_of(r, value ? value : object)};
  if (!value) {
    if (row->lack == RUT_MAVS_ERROR) FAIL(r, object, label, "needs '%s'", row->key);
    if (row->lack == RUT_MAVS_WARN) {
      rut_report_warning(r->reporter, out->place, label,
                         "'%s' is missing: %g is taken, as MAVS does", row->key, row->otherwise);
    }
    return;
  }
  if (!is_kind(r, value, RUT_JSON_NUMBER, label)) return;
  if (value->number >= row->least && value->number <= row->greatest) {
    out->value = value->number;
    return;
  }
  FAIL(r, value, label, "'%s' is %g; it may be %g to %g", row->key, value->number, row->least,
       row->greatest);
}

// Warn about keys that are not in a table, or that it says are not used.
static void check_keys(const Reader* r, const rutJsonValue* object, const Table* table,
                       const char* label) {
  const char* known[MAX_ROWS];
  for (int i = 0; i < table->rows; i++) known[i] = table->row[i].key;
  for (const rutJsonValue* value = object->first; value; value = value->next) {
    int i = 0;
    while (i < table->rows && strcmp(known[i], value->key) != 0) i++;
    const rutPlace place = place_of(r, value);
    if (i < table->rows) {
      if (table->row[i].use != UNUSED) continue;
      rut_report_warning(r->reporter, place, label, "'%s' is not used by rut: %s", value->key,
                         table->row[i].why);
      continue;
    }
    const char* near = rut_suggest(value->key, known, (size_t)table->rows);
    if (near) {
      rut_report_warning(r->reporter, place, label,
                         "'%.60s' is not used by rut (did you mean '%s'?)", value->key, near);
    } else {
      rut_report_warning(r->reporter, place, label, "'%.60s' is not used by rut", value->key);
    }
  }
}

// Numbers of an object by a table, into the struct at `to`.
static void read_table(const Reader* r, const rutJsonValue* object, const Table* table,
                       const char* label, void* to) {
  for (int i = 0; i < table->rows; i++) {
    const Row* row = &table->row[i];
    if (row->use != NUMBER) continue;
    read_number(r, object, label, row, (rutMavsNumber*)(void*)((char*)to + row->at));
  }
  check_keys(r, object, table, label);
}

// An object by its key, NULL with an error if it is something else, or if it must be there.
static const rutJsonValue* find_object(const Reader* r, const rutJsonValue* parent,
                                       const char* label, const char* key, bool required) {
  const rutJsonValue* value = rut_json_find(parent, key);
  if (!value && required) FAIL(r, parent, label, "needs '%s'", key);
  return value && is_kind(r, value, RUT_JSON_OBJECT, label) ? value : NULL;
}

// ---- the parts of a file ----

static void read_chassis(const Reader* r, const rutJsonValue* root, rutMavsVehicle* v) {
  static const Table table = TABLE("Chassis", chassis_rows);
  const rutJsonValue* chassis = find_object(r, root, "", "Chassis", true);
  if (!chassis) return;
  v->chassis = v->size_place = place_of(r, chassis);
  read_table(r, chassis, &table, "Chassis", v);
  if (!rut_json_find(chassis, "Dimensions")) FAIL(r, chassis, "Chassis", "needs 'Dimensions'");
  if (!read_list(r, chassis, "Chassis", "Dimensions", 3, v->size)) return;
  v->size_place = place_of(r, rut_json_find(chassis, "Dimensions"));
  for (int i = 0; i < 3; i++) {
    if (v->size[i] >= 1e-3 && v->size[i] <= 1e3) continue;
    rut_report_error(r->reporter, RUT_ERR_MODEL, v->size_place, "Chassis", "",
                     "'Dimensions' must be 1 mm to 1 km each, not %g", v->size[i]);
    return;
  }
}

static void read_powertrain(const Reader* r, const rutJsonValue* root, rutMavsVehicle* v) {
  static const Table table = TABLE("Powertrain", powertrain_rows);
  static const rutJsonValue nothing = {.kind = RUT_JSON_OBJECT, .key = "", .text = ""};
  const rutJsonValue* powertrain = find_object(r, root, "", "Powertrain", false);
  v->powertrain = place_of(r, powertrain ? powertrain : root);
  read_table(r, powertrain ? powertrain : &nothing, &table, "Powertrain", v);
}

static void read_axle(const Reader* r, const rutJsonValue* item, int index, rutMavsAxle* axle) {
  static const Table table = TABLE("Axles", axle_rows), tyres = TABLE("Tire", tyre_rows);
  char label[32], tyre_label[40];
  snprintf(label, sizeof label, "Axles[%d]", index);
  snprintf(tyre_label, sizeof tyre_label, "%s.Tire", label);
  axle->place = place_of(r, item);
  axle->steered = axle->powered = true;
  if (item->kind != RUT_JSON_OBJECT) {
    FAIL(r, item, label, "an axle must be an object, not %s", rut_json_kind_text(item->kind));
    return;
  }
  read_table(r, item, &table, label, axle);
  read_flag(r, item, label, "Steered", &axle->steered);
  read_flag(r, item, label, "Powered", &axle->powered);
  const rutJsonValue* tyre = find_object(r, item, label, "Tire", true);
  if (tyre) read_table(r, tyre, &tyres, tyre_label, axle);
}

static void read_axles(const Reader* r, const rutJsonValue* root, rutMavsVehicle* v) {
  const rutJsonValue* axles = rut_json_find(root, "Axles");
  if (!axles) FAIL(r, root, "", "needs 'Axles'");
  if (!axles || !is_kind(r, axles, RUT_JSON_ARRAY, "")) return;
  if (axles->children < 2 || axles->children > RUT_MAVS_MAX_AXLES) {
    rut_report_error(r->reporter, RUT_ERR_MODEL, place_of(r, axles), "Axles", "",
                     "a vehicle has 2 to %d axles, not %d", RUT_MAVS_MAX_AXLES, axles->children);
    return;
  }
  for (const rutJsonValue* item = axles->first; item; item = item->next) {
    if (r->reporter->errors >= RUT_READER_MAX_ERRORS) return;
    read_axle(r, item, v->axles, &v->axle[v->axles]);
    v->axles++;
  }
}

static void read_mesh(const Reader* r, const rutJsonValue* root, rutMavsVehicle* v) {
  static const Table table = TABLE("Mesh", mesh_rows);
  rutMavsMesh* m = &v->mesh;
  *m = (rutMavsMesh){.scale = {1, 1, 1}};
  const rutJsonValue* mesh = find_object(r, root, "", "Mesh", false);
  if (!mesh) return;
  check_keys(r, mesh, &table, "Mesh");
  const rutJsonValue* file = rut_json_find(mesh, "File");
  if (!file || !is_kind(r, file, RUT_JSON_STRING, "Mesh")) return;
  m->place = place_of(r, file);
  m->file = file->text;
  read_list(r, mesh, "Mesh", "Offset", 3, m->offset);
  read_list(r, mesh, "Mesh", "Scale", 3, m->scale);
  read_flag(r, mesh, "Mesh", "Rotate X to Y", &m->x_to_y);
  read_flag(r, mesh, "Mesh", "Rotate Y to X", &m->y_to_x);
  read_flag(r, mesh, "Mesh", "Rotate Y to Z", &m->y_to_z);
}

static void read_pose(const Reader* r, const rutJsonValue* root, rutMavsVehicle* v) {
  static const Table table = TABLE("Initial Pose", pose_rows);
  v->orientation[0] = 1;
  const rutJsonValue* pose = find_object(r, root, "", "Initial Pose", false);
  v->pose = place_of(r, pose ? pose : root);
  if (!pose) return;
  check_keys(r, pose, &table, "Initial Pose");
  read_list(r, pose, "Initial Pose", "Position", 3, v->position);
  read_list(r, pose, "Initial Pose", "Orientation", 4, v->orientation);
}

static void read_discs(const Reader* r, const rutJsonValue* root, rutMavsVehicle* v) {
  static const Table table = TABLE("Radial Spring Tire Model", radial_rows);
  const rutJsonValue* model = find_object(r, root, "", table.name, false);
  if (!model) return;
  check_keys(r, model, &table, table.name);
  const rutJsonValue* slices = rut_json_find(model, "Num Slices");
  if (!slices || !is_kind(r, slices, RUT_JSON_NUMBER, table.name)) return;
  v->discs_place = place_of(r, slices);
  if (slices->number >= 1 && slices->number <= 16) {
    v->discs = (int)slices->number;
    return;
  }
  FAIL(r, slices, table.name, "'Num Slices' is %g; it may be 1 to 16", slices->number);
}

void rut_mavs_read(const rutJsonValue* root, const char* file, rutReporter* reporter,
                   rutMavsVehicle* out) {
  static const Table table = TABLE("", root_rows);
  const Reader r = {file, reporter};
  *out = (rutMavsVehicle){.place = place_of(&r, root)};
  if (root->kind != RUT_JSON_OBJECT) {
    FAIL(&r, root, "", "a vehicle file of MAVS is an object, not %s",
         rut_json_kind_text(root->kind));
    return;
  }
  check_keys(&r, root, &table, "");
  read_flag(&r, root, "", "Skid Steered", &out->skid_steered);
  read_chassis(&r, root, out);
  read_powertrain(&r, root, out);
  read_axles(&r, root, out);
  read_mesh(&r, root, out);
  read_pose(&r, root, out);
  read_discs(&r, root, out);
}

bool rut_mavs_recognise(const char* text, size_t size) {
  // keys of no other vehicle format
  static const char* const keys[] = {"\"Sprung Mass\"", "\"Unsprung Mass\"", "\"Powertrain\"",
                                     "\"Longitudinal Offset\""};
  size_t at = size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
  while (at < size && strchr(" \t\r\n", text[at]) && text[at]) at++;
  if (at == size || text[at] != '{') return false;
  for (size_t i = at; i < size; i++) {
    if (text[i] != '"') continue;
    for (int k = 0; k < RUT_COUNT_OF(keys); k++) {
      const size_t n = strlen(keys[k]);
      if (size - i >= n && memcmp(text + i, keys[k], n) == 0) return true;
    }
  }
  return false;
}
