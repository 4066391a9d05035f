// SPDX-License-Identifier: BSD-3-Clause
#include "sim/spec/presets.h"

#include <stdio.h>
#include <string.h>

#include "base/suggest.h"
#include "sim/spec/nodes.h"
#include "sim/spec/store.h"

static const char attribute[] = "preset";

// ---------------------------------------------------------------------------------------------
// Values, when a type is registered

static int find_field(const rutComponent* type, const char* name) {
  for (int i = 0; i < type->fields; i++) {
    if (strcmp(type->field[i].name, name) == 0) return i;
  }
  return -1;
}

static rutStatus fault(rutError* err, const rutComponent* type, const rutPreset* preset,
                       const char* field, const char* message) {
  return rut_error_set(err, RUT_ERR_ARGUMENT, "preset '%.60s' of %s '%s': '%.60s' %s", preset->name,
                       type->kind, type->name, field, message);
}

static bool is_twice(const rutPresetInfo* info, int values) {
  for (int i = 0; i < values - 1; i++) {
    if (info->value[i].field == info->value[values - 1].field) return true;
  }
  return false;
}

static rutStatus prepare_value(rutContext* context, const rutComponent* type, rutPresetInfo* info,
                               int i, rutError* err) {
  const rutPresetValue* given = &info->preset->value[i];
  rutPresetField* value = &info->value[i];
  value->field = find_field(type, given->field);
  if (value->field < 0) return fault(err, type, info->preset, given->field, "is no field");
  const rutField* row = &type->field[value->field];
  if (is_twice(info, i + 1)) return fault(err, type, info->preset, given->field, "stands twice");
  if (row->type == RUT_TEXT && strcmp(row->unit, "file") == 0) {
    return fault(err, type, info->preset, given->field, "names a file");
  }
  char message[RUT_FIELD_MESSAGE];
  const rutStatus status = rut_field_parse(context, row, given->value, &value->value, message);
  if (status == RUT_ERR_MEMORY) return rut_error_set(err, status, "out of memory");
  return status == RUT_OK ? RUT_OK : fault(err, type, info->preset, given->field, message);
}

static rutStatus check_name(const rutComponent* type, int index, rutError* err) {
  const rutPreset* preset = &type->preset[index];
  bool good = preset->name && preset->name[0] && preset->doc && preset->values > 0 && preset->value;
  good =
      good && preset->name[strspn(preset->name, "abcdefghijklmnopqrstuvwxyz0123456789_")] == '\0';
  for (int i = 0; i < index && good; i++) good = strcmp(type->preset[i].name, preset->name) != 0;
  if (good) return RUT_OK;
  return rut_error_set(err, RUT_ERR_ARGUMENT,
                       "preset %d ('%.60s') of %s '%s' has no proper name of its own, or is "
                       "incomplete",
                       index, preset->name ? preset->name : "", type->kind, type->name);
}

rutStatus rut_presets_prepare(rutContext* context, rutRegistered* entry, rutError* err) {
  const rutComponent* type = entry->type;
  if (type->presets == 0) return RUT_OK;
  if (type->presets < 0 || !type->preset || find_field(type, attribute) >= 0) {
    return rut_error_set(err, RUT_ERR_ARGUMENT, "presets of %s '%s' are incomplete", type->kind,
                         type->name);
  }
  const size_t size = (size_t)type->presets * sizeof *entry->preset;
  entry->preset = rut_context_alloc(context, size, 16);
  if (!entry->preset) return rut_error_set(err, RUT_ERR_MEMORY, "out of memory");
  memset(entry->preset, 0, size);
  for (int i = 0; i < type->presets; i++) {
    rutPresetInfo* info = &entry->preset[i];
    rutStatus status = check_name(type, i, err);
    if (status != RUT_OK) return status;
    const size_t bytes = (size_t)type->preset[i].values * sizeof *info->value;
    info->value = rut_context_alloc(context, bytes, 16);
    if (!info->value) return rut_error_set(err, RUT_ERR_MEMORY, "out of memory");
    memset(info->value, 0, bytes);
    info->preset = &type->preset[i];
    for (int k = 0; k < info->preset->values && status == RUT_OK; k++) {
      status = prepare_value(context, type, info, k, err);
    }
    if (status != RUT_OK) return status;
  }
  return RUT_OK;
}

void rut_presets_free(rutContext* context, rutRegistered* entry) {
  for (int i = 0; entry->preset && i < entry->type->presets; i++) {
    rutPresetInfo* info = &entry->preset[i];
    for (int k = 0; info->value && k < info->preset->values; k++) {
      rut_field_free(context, &info->value[k].value);
    }
    rut_context_free(context, info->value);
  }
  rut_context_free(context, entry->preset);
}

// ---------------------------------------------------------------------------------------------
// The attribute

bool rut_is_preset(const rutComponent* type, const char* field) {
  return strcmp(field, attribute) == 0 && find_field(type, attribute) < 0;
}

// "a, b, c", or "a, b, ..." where they do not fit.
static void list_names(const rutComponent* type, char* text, size_t size) {
  static const char more[] = ", ...";
  size_t used = 0;
  text[0] = '\0';
  for (int i = 0; i < type->presets; i++) {
    const char* name = type->preset[i].name;
    const size_t left = size - used, wanted = strlen(name) + sizeof ", " + sizeof more;
    if (wanted > left) {
      snprintf(text + used, left, "%s", more);
      return;
    }
    used += (size_t)snprintf(text + used, left, "%s%s", used ? ", " : "", name);
  }
}

static rutStatus unknown_preset(const rutSpec* spec, rutNode node, const char* name,
                                rutError* err) {
  const rutComponent* type = rut_node_component(spec, node);
  char all[256];
  if (type->presets == 0) {
    char element[RUT_ELEMENT_TEXT];
    rut_node_element(spec, node, element);
    return rut_spec_fail(spec, node, attribute, err, RUT_ERR_PARSE, "%s has no presets", element);
  }
  const char* known[RUT_SPEC_MAX_KNOWN];
  size_t n = 0;
  for (int i = 0; i < type->presets && n < RUT_SPEC_MAX_KNOWN; i++) {
    known[n++] = type->preset[i].name;
  }
  list_names(type, all, sizeof all);
  const char* nearest = rut_suggest(name, known, n);
  return rut_spec_fail(spec, node, attribute, err, RUT_ERR_PARSE,
                       nearest ? "'preset' must be one of %s, not '%.60s'; did you mean '%s'?"
                               : "'preset' must be one of %s, not '%.60s'%s",
                       all, name, nearest ? nearest : "");
}

rutStatus rut_preset_choose(rutSpec* spec, rutNode node, const char* name, rutError* err) {
  rutSpecNode* n = rut_spec_node(spec, node);
  if (!n) return rut_error_set(err, RUT_ERR_ARGUMENT, "the node of 'preset' was removed");
  const rutPresetInfo* found = NULL;
  for (int i = 0; i < n->type->type->presets; i++) {
    if (strcmp(n->type->preset[i].preset->name, name) == 0) found = &n->type->preset[i];
  }
  if (!found && name[0]) return unknown_preset(spec, node, name, err);
  rutSpecGiven* given = rut_spec_open_given(spec, n, 0);
  if (!given) return rut_spec_fail_memory(spec, err);
  given->preset = found;
  return RUT_OK;
}
