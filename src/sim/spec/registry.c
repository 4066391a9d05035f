// SPDX-License-Identifier: BSD-3-Clause
//
// The component types that a context knows: plain elements, built-in types, external ones.
#include "sim/spec/registry.h"

#include <stdio.h>
#include <string.h>

#include "base/sensor_form.h"
#include "base/suggest.h"
#include "base/units.h"
#include "rut/appearance.h"
#include "sim/spec/fields.h"
#include "sim/spec/map.h"
#include "sim/spec/presets.h"
#include "sim/spec/schema.h"
#include "sim/spec/study.h"
#include "sim/spec/variables.h"

#define RUT_TYRE(name)       extern const rutTyreType rut_tyre_##name;
#define RUT_SOIL(name)       extern const rutSoilType rut_soil_##name;
#define RUT_SUSPENSION(name) extern const rutSuspensionType rut_suspension_##name;
#define RUT_TERRAIN(name)    extern const rutTerrainType rut_terrain_##name;
#define RUT_DRIVE(name)      extern const rutDriveType rut_drive_##name;
#define RUT_CONTROLLER(name) extern const rutControllerType rut_controller_##name;
#define RUT_SENSOR(name)     extern const rutSensorType rut_sensor_##name;
#define RUT_FORMAT(name)     extern const rutFormatType rut_format_##name;
#define RUT_APPEARANCE(name) extern const rutAppearanceType rut_appearance_##name;
#define RUT_SCENERY(name)    extern const rutSceneryType rut_scenery_##name;
#include "sim/spec/builtin.def"
#undef RUT_TYRE
#undef RUT_SOIL
#undef RUT_SUSPENSION
#undef RUT_TERRAIN
#undef RUT_DRIVE
#undef RUT_CONTROLLER
#undef RUT_SENSOR
#undef RUT_FORMAT
#undef RUT_APPEARANCE
#undef RUT_SCENERY

#define RUT_TYRE(name)       &rut_tyre_##name.base,
#define RUT_SOIL(name)       &rut_soil_##name.base,
#define RUT_SUSPENSION(name) &rut_suspension_##name.base,
#define RUT_TERRAIN(name)    &rut_terrain_##name.base,
#define RUT_DRIVE(name)      &rut_drive_##name.base,
#define RUT_CONTROLLER(name) &rut_controller_##name.base,
#define RUT_SENSOR(name)     &rut_sensor_##name.base,
#define RUT_FORMAT(name)     &rut_format_##name.base,
#define RUT_APPEARANCE(name) &rut_appearance_##name.base,
#define RUT_SCENERY(name)    &rut_scenery_##name.base,
static const rutComponent* const builtin[] = {
#include "sim/spec/builtin.def"
};

enum { MAX_SUGGESTIONS = 256, MAX_FIELDS = 1024 };

// ---------------------------------------------------------------------------------------------
// Checks of a descriptor

static bool is_identifier(const char* text) {
  if (!text || !text[0] || (text[0] >= '0' && text[0] <= '9')) return false;
  return text[strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")] ==
         '\0';
}

static bool is_among(const char* word, const char* const* list, size_t n) {
  for (size_t i = 0; i < n; ++i) {
    if (strcmp(word, list[i]) == 0) return true;
  }
  return false;
}

// Descriptor sizes of the kinds that have functions of their own.
static size_t descriptor_size(const char* kind) {
  if (strcmp(kind, "tyre") == 0) return sizeof(rutTyreType);
  if (strcmp(kind, "soil") == 0) return sizeof(rutSoilType);
  if (strcmp(kind, "suspension") == 0) return sizeof(rutSuspensionType);
  if (strcmp(kind, "terrain") == 0) return sizeof(rutTerrainType);
  if (strcmp(kind, "drive") == 0) return sizeof(rutDriveType);
  if (strcmp(kind, "controller") == 0) return sizeof(rutControllerType);
  if (strcmp(kind, "sensor") == 0) return sizeof(rutSensorType);
  if (strcmp(kind, "format") == 0) return sizeof(rutFormatType);
  if (strcmp(kind, "appearance") == 0) return sizeof(rutAppearanceType);
  if (strcmp(kind, "scenery") == 0) return sizeof(rutSceneryType);
  return sizeof(rutComponent);
}

static bool is_output(const rutComponent* type, const rutVariable* v, const rutFormOutput* wanted) {
  rutVariableInfo info;
  return strcmp(v->name, wanted->name) == 0 && strcmp(v->unit, wanted->unit) == 0 &&
         v->type == wanted->type &&
         rut_variable_resolve(type, NULL, (rutShapeCounts){0, 0}, v, &info) &&
         (wanted->count == 0 || info.count == wanted->count);
}

// First output that samples of its form must have and a sensor lacks, NULL if none.
static const char* missing_output(const rutSensorType* sensor) {
  int n;
  const rutFormOutput* wanted = rut_form_outputs(sensor->form, &n);
  for (int i = 0; i < n; i++) {
    bool found = wanted[i].optional;
    for (int k = 0; k < sensor->outputs && !found; k++) {
      found = is_output(&sensor->base, &sensor->output[k], &wanted[i]);
    }
    if (!found) return wanted[i].name;
  }
  return NULL;
}

// True if a descriptor has the functions that are not optional. Its size was checked.
static bool has_functions(const rutComponent* type) {
  const void* t = type;
  const rutTyreType* tyre = t;
  const rutSoilType* soil = t;
  const rutSuspensionType* suspension = t;
  const rutTerrainType* terrain = t;
  const rutDriveType* drive = t;
  const rutControllerType* controller = t;
  const rutSensorType* sensor = t;
  const rutFormatType* format = t;
  const rutAppearanceType* appearance = t;
  const rutSceneryType* scenery = t;
  const char* kind = type->kind;
  if (!type->name[0]) return true;  // a plain element
  if (strcmp(kind, "tyre") == 0) {
    return (tyre->force || tyre->carcass) && (tyre->carcass || !tyre->grip) &&
           !tyre->observe == (tyre->outputs == 0);
  }
  if (strcmp(kind, "soil") == 0) {
    return !soil->traction == !!soil->sink && soil->derived >= 0 &&
           (soil->derive || soil->derived == 0);
  }
  if (strcmp(kind, "suspension") == 0) {
    const bool slides = suspension->force && suspension->range;
    const bool moves = suspension->corner && suspension->derive && suspension->bodies;
    return slides != moves && (slides || suspension->constants > 0);
  }
  if (strcmp(kind, "terrain") == 0) {
    return (terrain->height || terrain->covering) && !terrain->plan_size == !terrain->plan;
  }
  if (strcmp(kind, "drive") == 0) {
    return drive->inputs && drive->torque && !drive->shafts == !drive->couple &&
           !drive->observe == (drive->outputs == 0);
  }
  if (strcmp(kind, "controller") == 0) {
    return controller->update && !controller->navigation == !controller->navigation_info;
  }
  if (strcmp(kind, "sensor") == 0) {
    return sensor->sample && sensor->outputs > 0 &&
           !sensor->scan == (sensor->form != RUT_FORM_PLANAR_SCAN) &&
           !sensor->camera == (sensor->form != RUT_FORM_IMAGE);
  }
  if (strcmp(kind, "format") == 0) return format->recognise && format->read;
  if (strcmp(kind, "appearance") == 0) return appearance->body;
  if (strcmp(kind, "scenery") == 0) {
    return scenery->semantic_class && scenery->radius && scenery->parts && scenery->variants > 0 &&
           scenery->variants <= RUT_SCENERY_MAX_VARIANTS && scenery->moving >= 0 &&
           scenery->moving <= RUT_SCENERY_MAX_MOVING &&
           (scenery->moving == 0 || (scenery->moving_mesh && scenery->moving_pose));
  }
  return true;
}

// Fields that the engine reads by their place among the parameters: schedule and pose of sensors,
// extent of terrains, rate and delays of controllers, places of scenery.
static bool has_common_fields(const rutComponent* type) {
  static const rutField sensor[] = {RUT_SENSOR_ROWS(RUT_ROW, RUT_CHOICE_ROW)};
  static const rutField terrain[] = {RUT_TERRAIN_ROWS};
  static const rutField controller[] = {RUT_CONTROLLER_ROWS};
  static const rutField scenery[] = {RUT_SCENERY_ROWS};
  static const struct {
    const char* kind;
    const rutField* field;
    int n;
  } common[] = {{"sensor", sensor, RUT_COUNT_OF(sensor)},
                {"terrain", terrain, RUT_COUNT_OF(terrain)},
                {"controller", controller, RUT_COUNT_OF(controller)},
                {"scenery", scenery, RUT_COUNT_OF(scenery)}};
  const rutField* field = NULL;
  int n = 0;
  for (int i = 0; i < RUT_COUNT_OF(common); i++) {
    if (strcmp(type->kind, common[i].kind) != 0) continue;
    field = common[i].field;
    n = common[i].n;
  }
  if (!type->name[0]) return true;
  for (int i = 0; i < n; i++) {
    if (i >= type->fields || !type->field[i].name) return false;
    if (strcmp(type->field[i].name, field[i].name) != 0) return false;
    if (type->field[i].type != field[i].type) return false;
  }
  return true;
}

static rutStatus check_head(const rutContext* context, const rutComponent* type, rutError* err) {
  // words that native files use for something else
  static const char* const reserved[] = {"parameter", "include", "for", "if", "value"};
  if (type->abi != RUT_ABI) {
    return rut_error_set(err, RUT_ERR_VERSION, "component has ABI %u, this library has %u",
                         type->abi, RUT_ABI);
  }
  if (!is_identifier(type->kind) || is_among(type->kind, reserved, RUT_COUNT_OF(reserved))) {
    return rut_error_set(err, RUT_ERR_ARGUMENT, "'%.60s' cannot be the kind of a component",
                         type->kind ? type->kind : "");
  }
  if (type->struct_size != descriptor_size(type->kind)) {
    return rut_error_set(err, RUT_ERR_VERSION,
                         "descriptor of a %s has %u bytes, this library expects %zu", type->kind,
                         type->struct_size, descriptor_size(type->kind));
  }
  if (!type->name || (type->name[0] && !is_identifier(type->name))) {
    return rut_error_set(err, RUT_ERR_ARGUMENT, "'%.60s' cannot be the name of a %s",
                         type->name ? type->name : "", type->kind);
  }
  if (rut_registry_find(context, type->kind, type->name)) {
    return rut_error_set(err, RUT_ERR_ARGUMENT, "%s '%s' is registered already", type->kind,
                         type->name);
  }
  if (!type->parents || !type->doc || type->fields < 0 || type->fields > MAX_FIELDS ||
      (type->fields && !type->field) || type->states < 0 || !has_functions(type)) {
    return rut_error_set(err, RUT_ERR_ARGUMENT, "descriptor of %s '%s' is incomplete", type->kind,
                         type->name);
  }
  if (!has_common_fields(type)) {
    return rut_error_set(err, RUT_ERR_ARGUMENT,
                         "%s '%s' does not begin with the fields that all of them have", type->kind,
                         type->name);
  }
  return RUT_OK;
}

// Variables of all roles; what is wrong with one goes to err.
static rutStatus check_variables(const rutComponent* type, rutError* err) {
  int commands, outputs, inputs = 0, at = 0;
  const rutVariable* command = rut_component_variables(type, RUT_COMMAND, &commands);
  const rutVariable* output = rut_component_variables(type, RUT_OUTPUT, &outputs);
  const rutVariable* input = NULL;
  if (strcmp(type->kind, "controller") == 0 && type->name[0]) {
    const rutControllerType* controller = (const rutControllerType*)(const void*)type;
    input = controller->input;
    inputs = controller->inputs;
  }
  const struct {
    const char* role;
    int n;
    const rutVariable* variable;
  } list[] = {{"state", type->states, type->state},
              {"command", commands, command},
              {"output", outputs, output},
              {"input", inputs, input}};
  for (int i = 0; i < RUT_COUNT_OF(list); ++i) {
    const char* fault = rut_variables_fault(type, list[i].n, list[i].variable, &at);
    if (!fault) continue;
    const char* name = list[i].variable ? list[i].variable[at].name : NULL;
    return rut_error_set(err, RUT_ERR_ARGUMENT, "%s %d ('%.60s') of %s '%s' %s", list[i].role, at,
                         name ? name : "", type->kind, type->name, fault);
  }
  for (int i = 0; i < outputs && strcmp(type->kind, "tyre") == 0; ++i) {
    if (!output[i].shape || !output[i].shape[0]) continue;
    return rut_error_set(err, RUT_ERR_ARGUMENT, "output %d ('%.60s') of tyre '%s' is an array", i,
                         output[i].name, type->name);
  }
  if (strcmp(type->kind, "sensor") == 0 && type->name[0]) {
    const char* missing = missing_output((const rutSensorType*)(const void*)type);
    if (missing) {
      return rut_error_set(err, RUT_ERR_ARGUMENT,
                           "sensor '%s' has no output '%s' of the type, shape and unit that its "
                           "form wants",
                           type->name, missing);
    }
  }
  if (outputs > RUT_MAX_OUTPUTS || commands > RUT_MAX_COMMANDS || inputs > RUT_MAX_INPUTS) {
    return rut_error_set(err, RUT_ERR_CAPACITY,
                         "%s '%s' has more than %d outputs, %d commands or %d inputs", type->kind,
                         type->name, RUT_MAX_OUTPUTS, RUT_MAX_COMMANDS, RUT_MAX_INPUTS);
  }
  return RUT_OK;
}

static bool unit_is_known(const rutField* field) {
  if (field->type == RUT_TEXT) return true;
  char unit[RUT_MAX_UNIT], text[RUT_MAX_UNIT + 4], message[160];
  const int n = field->flags & RUT_FIELD_MIXED ? field->count : 1;
  for (int i = 0; i < n; ++i) {
    rut_field_unit(field, i, unit);
    snprintf(text, sizeof text, "1 %s", unit);
    double value;
    const char* end;
    if (!unit[0] || strcmp(unit, "1") == 0) continue;
    if (!rut_parse_quantity(text, unit, &value, &end, message) || *end) return false;
  }
  return true;
}

static const char* field_fault(const rutComponent* type, int i) {
  static const char* const reserved[] = {"name", "type"};
  const rutField* field = &type->field[i];
  if (!is_identifier(field->name)) return "has no proper name";
  if (is_among(field->name, reserved, RUT_COUNT_OF(reserved))) return "has a reserved name";
  for (int j = 0; j < i; ++j) {
    if (strcmp(type->field[j].name, field->name) == 0) return "stands there twice";
  }
  if (!field->unit || !field->text || !field->doc) return "has a null text";
  if (field->type < RUT_REAL || field->type > RUT_POINTS) return "has an unknown type";
  if (field->count < 0) return "has a negative count";
  if (strlen(field->unit) >= RUT_MAX_UNIT * 4u || !unit_is_known(field)) return "has a bad unit";
  size_t length;
  const bool index = field->def >= 0 && field->def < RUT_FIELD_MAX_WORDS;
  if (field->type == RUT_CHOICE && !(index && rut_field_word(field, (int)field->def, &length))) {
    return "has a default that is none of its words";
  }
  return NULL;
}

// ---------------------------------------------------------------------------------------------
// Registration

static void free_registered(rutContext* context, rutRegistered* entry) {
  if (!entry) return;
  for (int i = 0; entry->field && i < entry->type->fields; ++i) {
    rut_context_free(context, entry->field[i].number);
    rut_context_free(context, entry->field[i].word);
  }
  rut_context_free(context, entry->field);
  rut_presets_free(context, entry);
  rut_context_free(context, entry);
}

// Parse the default of a vector or points field, split the words of a choice.
static rutStatus prepare_field(rutContext* context, const rutField* field, rutFieldInfo* info,
                               char message[RUT_FIELD_MESSAGE]) {
  if (field->type == RUT_CHOICE) {
    info->word = rut_copy_text(context, field->text);
    if (!info->word) return RUT_ERR_MEMORY;
    info->words = 1;
    for (char* p = info->word; *p; ++p) {
      if (*p != '|') continue;
      *p = '\0';
      info->words++;
    }
  }
  if ((field->type == RUT_VECTOR || field->type == RUT_POINTS) && field->text[0]) {
    rutFieldValue value = {0};
    const rutStatus status = rut_field_parse(context, field, field->text, &value, message);
    if (status != RUT_OK) return status;
    info->number = value.list;
    info->numbers = value.numbers;
  }
  return RUT_OK;
}

static rutStatus prepare(rutContext* context, const rutComponent* type, rutRegistered** out,
                         rutError* err) {
  rutRegistered* entry = rut_context_alloc(context, sizeof *entry, 16);
  if (!entry) return rut_error_set(err, RUT_ERR_MEMORY, "out of memory");
  *entry = (rutRegistered){.type = type};
  const size_t size = (size_t)type->fields * sizeof(rutFieldInfo);
  entry->field = rut_context_alloc(context, size, 16);
  if (entry->field) memset(entry->field, 0, size);
  rutStatus status = entry->field || !size ? RUT_OK : RUT_ERR_MEMORY;
  for (int i = 0; i < type->fields && status == RUT_OK; ++i) {
    char message[RUT_FIELD_MESSAGE] = "";
    status = prepare_field(context, &type->field[i], &entry->field[i], message);
    if (status != RUT_OK && status != RUT_ERR_MEMORY) {
      status = rut_error_set(err, RUT_ERR_ARGUMENT, "default of field '%s' of %s '%s' %s",
                             type->field[i].name, type->kind, type->name, message);
    }
  }
  if (status == RUT_OK) status = rut_presets_prepare(context, entry, err);
  if (status != RUT_OK) {
    free_registered(context, entry);
    if (status == RUT_ERR_MEMORY) rut_error_set(err, status, "out of memory");
    return status;
  }
  *out = entry;
  return RUT_OK;
}

rutStatus rut_register(rutContext* context, const rutComponent* type, rutError* err) {
  rutStatus head = check_head(context, type, err);
  if (head == RUT_OK) head = check_variables(type, err);
  if (head != RUT_OK) return head;
  for (int i = 0; i < type->fields; ++i) {
    const char* fault = field_fault(type, i);
    if (fault) {
      return rut_error_set(err, RUT_ERR_ARGUMENT, "field %d ('%.60s') of %s '%s' %s", i,
                           type->field[i].name ? type->field[i].name : "", type->kind, type->name,
                           fault);
    }
  }
  if (context->n == context->capacity) {
    const int capacity = context->capacity ? 2 * context->capacity : 64;
    rutRegistered** grown =
        rut_context_grow(context, context->registered, (size_t)context->n * sizeof *grown,
                         (size_t)capacity * sizeof *grown);
    if (!grown) return rut_error_set(err, RUT_ERR_MEMORY, "out of memory");
    context->registered = grown;
    context->capacity = capacity;
  }
  rutRegistered* entry = NULL;
  const rutStatus status = prepare(context, type, &entry, err);
  if (status == RUT_OK) context->registered[context->n++] = entry;
  return status;
}

rutStatus rut_registry_fill(rutContext* context, rutError* err) {
  int n;
  const rutComponent* const* schema = rut_schema(&n);
  for (int i = 0; i < n; ++i) {
    const rutStatus status = rut_register(context, schema[i], err);
    if (status != RUT_OK) return status;
  }
  for (int i = 0; i < RUT_COUNT_OF(builtin); ++i) {
    const rutStatus status = rut_register(context, builtin[i], err);
    if (status != RUT_OK) return status;
  }
  schema = rut_study_schema(&n);
  for (int i = 0; i < n; ++i) {
    const rutStatus status = rut_register(context, schema[i], err);
    if (status != RUT_OK) return status;
  }
  schema = rut_map_schema(&n);
  for (int i = 0; i < n; ++i) {
    const rutStatus status = rut_register(context, schema[i], err);
    if (status != RUT_OK) return status;
  }
  return RUT_OK;
}

void rut_registry_clear(rutContext* context) {
  for (int i = 0; i < context->n; ++i) free_registered(context, context->registered[i]);
  rut_context_free(context, context->registered);
  context->registered = NULL;
  context->n = context->capacity = 0;
}

// ---------------------------------------------------------------------------------------------
// Look-up

int rut_component_count(const rutContext* context) { return context->n; }

const rutComponent* rut_component_at(const rutContext* context, int index) {
  return index >= 0 && index < context->n ? context->registered[index]->type : NULL;
}

const rutRegistered* rut_registry_find(const rutContext* context, const char* kind,
                                       const char* name) {
  for (int i = 0; i < context->n; ++i) {
    const rutComponent* type = context->registered[i]->type;
    if (type->kind[0] != kind[0] || type->name[0] != name[0]) continue;
    if (strcmp(type->kind, kind) == 0 && strcmp(type->name, name) == 0) {
      return context->registered[i];
    }
  }
  return NULL;
}

bool rut_registry_has_kind(const rutContext* context, const char* kind, bool* typed) {
  bool found = false;
  *typed = false;
  for (int i = 0; i < context->n; ++i) {
    const rutComponent* type = context->registered[i]->type;
    if (strcmp(type->kind, kind) != 0) continue;
    found = true;
    if (type->name[0]) *typed = true;
  }
  return found;
}

bool rut_component_fits(const rutComponent* type, const char* parent) {
  const size_t length = strlen(parent);
  for (const char* p = type->parents; *p;) {
    p += strspn(p, " ");
    const size_t n = strcspn(p, " ");
    if (n == length && memcmp(p, parent, n) == 0) return true;
    p += n;
  }
  return false;
}

const char* rut_registry_suggest_kind(const rutContext* context, const char* kind,
                                      const char* parent) {
  const char* known[MAX_SUGGESTIONS];
  size_t n = 0;
  for (int i = 0; i < context->n && n < MAX_SUGGESTIONS; ++i) {
    const rutComponent* type = context->registered[i]->type;
    if (!parent || rut_component_fits(type, parent)) known[n++] = type->kind;
  }
  return rut_suggest(kind, known, n);
}

const char* rut_registry_suggest_type(const rutContext* context, const char* kind,
                                      const char* name) {
  const char* known[MAX_SUGGESTIONS];
  size_t n = 0;
  for (int i = 0; i < context->n && n < MAX_SUGGESTIONS; ++i) {
    const rutComponent* type = context->registered[i]->type;
    if (strcmp(type->kind, kind) == 0) known[n++] = type->name;
  }
  return rut_suggest(name, known, n);
}

void rut_registry_list_types(const rutContext* context, const char* kind, char* text, size_t size) {
  size_t used = 0;
  text[0] = '\0';
  for (int i = 0; i < context->n && used < size; ++i) {
    const rutComponent* type = context->registered[i]->type;
    if (strcmp(type->kind, kind) != 0) continue;
    const int n = snprintf(text + used, size - used, "%s%s", used ? ", " : "", type->name);
    used += n > 0 ? (size_t)n : 0;
  }
}
