// SPDX-License-Identifier: BSD-3-Clause
#include "host/log_definition.h"

#include <stdio.h>
#include <stdlib.h>

#include "host/definition.h"

static void put_string(rutBytes* b, const char* text) { rut_bytes_put(b, text, strlen(text)); }

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
  char type[RUT_WORD_SIZE];
  rut_define_type(word, type);
  int of_type = 0;
  for (int i = 0; i < known->n; i++) {
    if (strcmp(known->list[i].type, type) != 0) continue;
    of_type++;
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
  memcpy(added->type, type, sizeof type);
  char name[64];
  snprintf(name, sizeof name, "rut/msg/%s", type);
  if (of_type > 0) snprintf(name, sizeof name, "rut/msg/%s%d", type, of_type + 1);
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
