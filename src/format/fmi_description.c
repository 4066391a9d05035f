// SPDX-License-Identifier: BSD-3-Clause
#include "format/fmi_description.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "format/xml.h"

enum { MOST_BYTES = 64 << 20, MOST_NAME = 1024 };

static const char file_name[] = "modelDescription.xml";

typedef struct Reader {
  rutReporter reporter;
  rutFmiDescription* out;
} Reader;

static rutStatus wrong(Reader* r, const rutXmlElement* e, rutStatus status, const char* message,
                       const char* word) {
  const rutPlace place = {file_name, e->line, e->column};
  char element[96];
  snprintf(element, sizeof element, "<%.80s>", e->name);
  return rut_report_error(&r->reporter, status, place, element, "", message, word);
}

static const char* value_of(const rutXmlElement* e, const char* name) {
  const rutXmlAttribute* a = rut_xml_attribute(e, name);
  return a ? a->value : "";
}

static const rutXmlElement* child(const rutXmlElement* e, const char* name) {
  const rutXmlElement* c = e->first;
  while (c && strcmp(c->name, name) != 0) c = c->next;
  return c;
}

// ---- the root ----

// The identifier becomes the name of a file that is loaded.
static bool is_c_name(const char* text) {
  const size_t n = strlen(text);
  if (n == 0 || n >= sizeof((rutFmiDescription*)0)->identifier) return false;
  if (text[0] >= '0' && text[0] <= '9') return false;
  static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
  return strspn(text, plain) == n;
}

static rutStatus read_root(Reader* r, const rutXmlElement* root) {
  rutFmiDescription* out = r->out;
  if (strcmp(root->name, "fmiModelDescription") != 0) {
    return wrong(r, root, RUT_ERR_PARSE, "this is no <fmiModelDescription>%s", "");
  }
  const char* version = value_of(root, "fmiVersion");
  out->version = strcmp(version, "2.0") == 0 ? 2 : strncmp(version, "3.0", 3) == 0 ? 3 : 0;
  if (out->version == 0) {
    return wrong(r, root, RUT_ERR_VERSION, "FMI '%.40s' is neither 2.0 nor 3.0", version);
  }
  const char* token = value_of(root, out->version == 2 ? "guid" : "instantiationToken");
  if (!token[0] || strlen(token) >= sizeof out->token) {
    return wrong(r, root, RUT_ERR_PARSE, "the guid or token '%.60s' is none", token);
  }
  snprintf(out->token, sizeof out->token, "%s", token);
  const rutXmlElement* kind = child(root, "CoSimulation");
  if (!kind) return wrong(r, root, RUT_ERR_PARSE, "this FMU is not for co-simulation%s", "");
  const char* identifier = value_of(kind, "modelIdentifier");
  if (!is_c_name(identifier)) {
    return wrong(r, kind, RUT_ERR_PARSE, "modelIdentifier '%.60s' is no name of C", identifier);
  }
  snprintf(out->identifier, sizeof out->identifier, "%s", identifier);
  return RUT_OK;
}

// ---- variables ----

typedef struct Word {
  const char* text;
  int value;
} Word;

static int find_word(const Word* word, size_t n, const char* text, int otherwise) {
  for (size_t i = 0; i < n; i++) {
    if (strcmp(word[i].text, text) == 0) return word[i].value;
  }
  return otherwise;
}

static const Word types_2[] = {{"Real", RUT_FMI_FLOAT64},
                               {"Integer", RUT_FMI_INT32},
                               {"Enumeration", RUT_FMI_INT32},
                               {"Boolean", RUT_FMI_BOOLEAN},
                               {"String", RUT_FMI_STRING}};
static const Word types_3[] = {
    {"Float64", RUT_FMI_FLOAT64}, {"Float32", RUT_FMI_FLOAT32},   {"Int8", RUT_FMI_INT8},
    {"UInt8", RUT_FMI_UINT8},     {"Int16", RUT_FMI_INT16},       {"UInt16", RUT_FMI_UINT16},
    {"Int32", RUT_FMI_INT32},     {"UInt32", RUT_FMI_UINT32},     {"Int64", RUT_FMI_INT64},
    {"UInt64", RUT_FMI_UINT64},   {"Enumeration", RUT_FMI_INT64}, {"Boolean", RUT_FMI_BOOLEAN},
    {"String", RUT_FMI_STRING},   {"Binary", RUT_FMI_OTHER},      {"Clock", RUT_FMI_OTHER}};
static const Word causalities[] = {{"parameter", RUT_FMI_PARAMETER},
                                   {"structuralParameter", RUT_FMI_PARAMETER},
                                   {"input", RUT_FMI_INPUT},
                                   {"output", RUT_FMI_OUTPUT},
                                   {"independent", RUT_FMI_INDEPENDENT}};
#define COUNT(words) (sizeof(words) / sizeof((words)[0]))

static bool read_reference(const char* text, uint32_t* reference) {
  uint64_t value = 0;
  const size_t n = strlen(text);
  if (n == 0 || n > 10 || strspn(text, "0123456789") != n) return false;
  for (; *text; text++) value = 10 * value + (uint64_t)(*text - '0');
  *reference = (uint32_t)value;
  return value <= UINT32_MAX;
}

// Type of a variable: of FMI 3 its element's name, of FMI 2 that of its first known child; -1 if
// there is none.
static int type_of(const Reader* r, const rutXmlElement* e) {
  if (r->out->version == 3) return find_word(types_3, COUNT(types_3), e->name, -1);
  if (strcmp(e->name, "ScalarVariable") != 0) return -1;
  int type = -1;
  for (const rutXmlElement* c = e->first; c && type < 0; c = c->next) {
    type = find_word(types_2, COUNT(types_2), c->name, -1);
  }
  return type;
}

static rutStatus read_variable(Reader* r, const rutXmlElement* e) {
  rutFmiVariable* v = &r->out->variable[r->out->n];
  const char* name = value_of(e, "name");
  const size_t length = strlen(name);
  const int type = type_of(r, e);
  if (type < 0) return wrong(r, e, RUT_ERR_PARSE, "this is no variable of FMI%s", "");
  if (length == 0 || length > MOST_NAME) {
    return wrong(r, e, RUT_ERR_PARSE, "the name '%.60s' is none", name);
  }
  *v = (rutFmiVariable){.type = (rutFmiType)type, .array = child(e, "Dimension") != NULL};
  if (!read_reference(value_of(e, "valueReference"), &v->reference)) {
    return wrong(r, e, RUT_ERR_PARSE, "valueReference '%.40s' is no number",
                 value_of(e, "valueReference"));
  }
  v->causality = (rutFmiCausality)find_word(causalities, COUNT(causalities),
                                            value_of(e, "causality"), RUT_FMI_LOCAL);
  v->name = malloc(length + 1);
  if (!v->name) return wrong(r, e, RUT_ERR_MEMORY, "no memory for '%.60s'", name);
  memcpy(v->name, name, length + 1);
  r->out->n++;
  return RUT_OK;
}

static rutStatus read_variables(Reader* r, const rutXmlElement* root) {
  const rutXmlElement* list = child(root, "ModelVariables");
  int n = 0;
  for (const rutXmlElement* e = list ? list->first : NULL; e; e = e->next) n++;
  r->out->variable = calloc((size_t)n + 1, sizeof *r->out->variable);
  if (!r->out->variable) return wrong(r, root, RUT_ERR_MEMORY, "no memory for variables%s", "");
  rutStatus status = RUT_OK;
  for (const rutXmlElement* e = list ? list->first : NULL; e && status == RUT_OK; e = e->next) {
    status = read_variable(r, e);
  }
  return status;
}

rutStatus rut_fmi_description_parse(const char* text, size_t size, rutFmiDescription* out,
                                    rutError* err) {
  *out = (rutFmiDescription){0};
  Reader r = {.out = out};
  rutXml* xml = NULL;
  if (size > MOST_BYTES) {
    return rut_error_set(err, RUT_ERR_PARSE, "modelDescription.xml is larger than %d bytes",
                         MOST_BYTES);
  }
  rutStatus status = rut_xml_parse(text, size, file_name, false, &r.reporter, &xml);
  if (status == RUT_OK) {
    const rutXmlElement* root = rut_xml_root(xml);
    status = read_root(&r, root);
    if (status == RUT_OK) status = read_variables(&r, root);
  }
  if (xml) rut_xml_destroy(xml);
  if (status != RUT_OK && err) *err = r.reporter.first;
  return status;
}

void rut_fmi_description_free(rutFmiDescription* description) {
  for (int i = 0; i < description->n; i++) free(description->variable[i].name);
  free(description->variable);
  *description = (rutFmiDescription){0};
}

int rut_fmi_description_find(const rutFmiDescription* description, const char* name) {
  for (int i = 0; i < description->n; i++) {
    if (strcmp(description->variable[i].name, name) == 0) return i;
  }
  return -1;
}
