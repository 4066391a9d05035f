// SPDX-License-Identifier: BSD-3-Clause
#include "host/log_definition.h"

#include <stdio.h>
#include <stdlib.h>

static void put_string(rutBytes* b, const char* text) { rut_bytes_put(b, text, strlen(text)); }

// Name of a field in ROS: small letters, digits and underscores.
static void put_field_name(rutBytes* b, const char* name) {
  for (const char* c = name; *c; c++) {
    const bool plain = (*c >= 'a' && *c <= 'z') || (*c >= '0' && *c <= '9');
    const char small = *c >= 'A' && *c <= 'Z' ? (char)(*c - 'A' + 'a') : '_';
    rut_bytes_u8(b, (uint8_t)(plain ? *c : small));
  }
}

void rut_log_put_field(rutBytes* b, const char* type, int count, const char* name, const char* unit,
                       const char* doc) {
  char size[16] = "";
  if (count > 0) snprintf(size, sizeof size, "[%d]", count);
  put_string(b, type);
  put_string(b, size);
  put_string(b, " ");
  put_field_name(b, name);
  put_string(b, "  # ");
  if (unit[0]) {
    put_string(b, "[");
    put_string(b, unit);
    put_string(b, "] ");
  }
  put_string(b, doc);
  put_string(b, "\n");
}

void rut_log_definitions_free(rutLogDefinitions* known) {
  for (int i = 0; i < known->n; i++) free(known->list[i].text);
  free(known->list);
  *known = (rutLogDefinitions){0};
}

rutStatus rut_log_define(rutLog* log, rutLogDefinitions* known, const char* word, rutBytes* text,
                         int* schema, rutError* err) {
  if (text->failed) {
    rut_bytes_free(text);
    return rut_log_no_memory(err);
  }
  char* own = (char*)text->data;
  int of_word = 0;
  for (int i = 0; i < known->n; i++) {
    if (strcmp(known->list[i].word, word) != 0) continue;
    of_word++;
    if (strcmp(known->list[i].text, own) != 0) continue;
    free(own);
    *schema = known->list[i].schema;
    return RUT_OK;
  }
  rutLogDefinition* grown = realloc(known->list, ((size_t)known->n + 1) * sizeof *grown);
  if (!grown) {
    free(own);
    return rut_log_no_memory(err);
  }
  known->list = grown;
  rutLogDefinition* added = &known->list[known->n++];
  *added = (rutLogDefinition){.text = own};
  snprintf(added->word, sizeof added->word, "%s", word);
  char name[64];
  snprintf(name, sizeof name, "rut/msg/%s", word);
  if (of_word > 0) snprintf(name, sizeof name, "rut/msg/%s%d", word, of_word + 1);
  const rutStatus status = rut_log_add_schema(log, name, own, err);
  added->schema = *schema = log->schemas;
  return status;
}

rutStatus rut_log_add_schema(rutLog* log, const char* name, const char* text, rutError* err) {
  log->schemas++;
  return rut_mcap_schema(log->writer, name, "ros2msg", text, err);
}

rutStatus rut_log_add_channel(rutLog* log, int schema, const char* element, const char* tail,
                              rutError* err) {
  const rutMcapPair pair[] = {{"offered_qos_profiles", ""}, {"element", element}};
  rutBytes topic = {0};
  put_string(&topic, "/");
  put_string(&topic, element);
  put_string(&topic, tail);
  rut_bytes_u8(&topic, 0);
  log->channels++;
  const rutMcapChannelDef def = {.schema = schema,
                                 .topic = (const char*)topic.data,
                                 .encoding = "cdr",
                                 .pairs = 2,
                                 .pair = pair};
  const rutStatus status =
      topic.failed ? rut_log_no_memory(err) : rut_mcap_channel(log->writer, &def, err);
  rut_bytes_free(&topic);
  return status;
}
