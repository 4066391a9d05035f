// SPDX-License-Identifier: BSD-3-Clause
//
// FMI 2.0.4, section 2.2, and FMI 3.0.2, section 2.4: elements and attributes in the order of their
// schemas.
#include "host/fmu_describe.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "math/rut_math.h"

enum { MOST_INTEGER = 2147483647, TYPE_NAME = 1024 };

typedef struct Writer {
  const rutFmu* fmu;
  const rutFmuDescription* what;
  rutBytes* out;
} Writer;

static void put(Writer* w, const char* text) { rut_bytes_put(w->out, text, strlen(text)); }

// A value of an attribute. Control characters, which XML cannot hold, become blanks.
static void put_escaped(Writer* w, const char* text) {
  for (; *text; text++) {
    const unsigned char c = (unsigned char)*text;
    const char* reference = c == '&'   ? "&amp;"
                            : c == '<' ? "&lt;"
                            : c == '>' ? "&gt;"
                            : c == '"' ? "&quot;"
                            : c < 0x20 ? " "
                                       : NULL;
    if (reference) {
      put(w, reference);
    } else {
      rut_bytes_put(w->out, text, 1);
    }
  }
}

static void attribute(Writer* w, const char* name, const char* value) {
  put(w, " ");
  put(w, name);
  put(w, "=\"");
  put_escaped(w, value);
  put(w, "\"");
}

static void number(Writer* w, const char* name, double value) {
  char text[32];
  rut_format_number(value, text);
  attribute(w, name, text);
}

static void integer(Writer* w, const char* name, int value) {
  char text[32];
  snprintf(text, sizeof text, "%d", value);
  attribute(w, name, text);
}

static rutFmuVariable at(const Writer* w, int i) { return rut_fmu_variable(w->fmu, (uint32_t)i); }

// ---- units ----

static void put_unit(Writer* w, const char* unit) {
  static const char* const base[RUT_BASE_UNITS] = {"kg", "m", "s", "A", "K", "mol", "cd", "rad"};
  int power[RUT_BASE_UNITS];
  double factor;
  put(w, "    <Unit");
  attribute(w, "name", unit);
  if (!rut_unit_powers(unit, power, &factor)) {
    put(w, "/>\n");
    return;
  }
  put(w, "><BaseUnit");
  for (int i = 0; i < RUT_BASE_UNITS; i++) {
    if (power[i] != 0) integer(w, base[i], power[i]);
  }
  if (factor != 1) number(w, "factor", factor);
  put(w, "/></Unit>\n");
}

static int by_text(const void* a, const void* b) {
  return strcmp(*(const char* const*)a, *(const char* const*)b);
}

// The different texts among those of all variables that are not empty, sorted.
static const char** distinct(const Writer* w, bool units, int* n) {
  const int all = rut_fmu_variables(w->fmu);
  const char** text = malloc(((size_t)all + 1) * sizeof *text);
  *n = 0;
  for (int i = 0; text && i < all; i++) {
    const rutFmuVariable v = at(w, i);
    const char* t = units ? v.unit : v.words;
    if (t[0]) text[(*n)++] = t;
  }
  if (!text) return NULL;
  qsort(text, (size_t)*n, sizeof *text, by_text);
  int kept = 0;
  for (int i = 0; i < *n; i++) {
    if (kept == 0 || strcmp(text[kept - 1], text[i]) != 0) text[kept++] = text[i];
  }
  *n = kept;
  return text;
}

static void put_units(Writer* w) {
  int n;
  const char** unit = distinct(w, true, &n);
  if (!unit) w->out->failed = true;
  put(w, "  <UnitDefinitions>\n");
  for (int i = 0; unit && i < n; i++) put_unit(w, unit[i]);
  put(w, "  </UnitDefinitions>\n");
  free(unit);
}

// ---- choices ----

// Name of the type of a choice: "hold_or_linear".
static void type_name(const char* words, char name[TYPE_NAME]) {
  size_t used = 0;
  for (; *words && used < TYPE_NAME - 5; words++) {
    if (*words == '|') {
      memcpy(name + used, "_or_", 4);
      used += 4;
    } else {
      name[used++] = *words;
    }
  }
  name[used] = '\0';
}

static void put_items(Writer* w, const char* words) {
  char word[64];
  for (int i = 1; *words; i++) {
    const size_t length = strcspn(words, "|");
    snprintf(word, sizeof word, "%.*s", (int)length, words);
    put(w, "<Item");
    attribute(w, "name", word);
    integer(w, "value", i);
    put(w, "/>");
    words += length + (words[length] == '|');
  }
}

static void put_types(Writer* w) {
  int n;
  const char** words = distinct(w, false, &n);
  if (!words) w->out->failed = true;
  if (words && n > 0) put(w, "  <TypeDefinitions>\n");
  for (int i = 0; words && i < n; i++) {
    char name[TYPE_NAME];
    type_name(words[i], name);
    const bool two = w->what->version == 2;
    put(w, two ? "    <SimpleType" : "    <EnumerationType");
    attribute(w, "name", name);
    put(w, two ? "><Enumeration>" : ">");
    put_items(w, words[i]);
    put(w, two ? "</Enumeration></SimpleType>\n" : "</EnumerationType>\n");
  }
  if (words && n > 0) put(w, "  </TypeDefinitions>\n");
  free(words);
}

// ---- variables ----

static const char* causality(rutFmuRole role) {
  static const char* const word[] = {"independent", "parameter", "input", "output"};
  return word[role];
}

// Attributes of both versions that do not depend on the type.
static void put_head(Writer* w, const rutFmuVariable* v, int i) {
  attribute(w, "name", v->name);
  integer(w, "valueReference", i);
  attribute(w, "description", v->doc);
  attribute(w, "causality", causality(v->role));
  attribute(w, "variability", v->role == RUT_FMU_PARAMETER ? "fixed" : "continuous");
}

static bool is_integer(double x) { return x >= -MOST_INTEGER && x <= MOST_INTEGER; }

static void put_range(Writer* w, const rutFmuVariable* v) {
  const bool real = v->type == RUT_REAL;
  if (real && v->unit[0]) attribute(w, "unit", v->unit);
  if (!real && v->type != RUT_INTEGER) return;
  if (v->min > -RUT_INFINITY && (real || is_integer(v->min))) number(w, "min", v->min);
  if (v->max < RUT_INFINITY && (real || is_integer(v->max))) number(w, "max", v->max);
}

// Whole numbers are written without an exponent.
static void put_start(Writer* w, const rutFmuVariable* v) {
  if (v->role != RUT_FMU_PARAMETER && v->role != RUT_FMU_INPUT) return;
  if (v->type == RUT_BOOLEAN) {
    attribute(w, "start", v->start != 0 ? "true" : "false");
  } else if (v->type == RUT_CHOICE) {
    integer(w, "start", (int)v->start + 1);
  } else if (v->type == RUT_INTEGER) {
    integer(w, "start", (int)v->start);
  } else {
    number(w, "start", v->start);
  }
}

static void put_declared(Writer* w, const rutFmuVariable* v) {
  char name[TYPE_NAME];
  if (v->type != RUT_CHOICE) return;
  type_name(v->words, name);
  attribute(w, "declaredType", name);
}

static const char* element_of(const rutFmuVariable* v, int version) {
  switch (v->type) {
    case RUT_INTEGER:
      return version == 2 ? "Integer" : "Int32";
    case RUT_BOOLEAN:
      return "Boolean";
    case RUT_CHOICE:
      return "Enumeration";
    default:
      return version == 2 ? "Real" : "Float64";
  }
}

static void put_variable(Writer* w, int i) {
  const rutFmuVariable v = at(w, i);
  const int version = w->what->version;
  if (version == 2) {
    put(w, "    <ScalarVariable");
    put_head(w, &v, i);
    put(w, ">");
  } else {
    put(w, "    ");
  }
  put(w, "<");
  put(w, element_of(&v, version));
  if (version == 3) put_head(w, &v, i);
  put_declared(w, &v);
  put_range(w, &v);
  put_start(w, &v);
  put(w, version == 2 ? "/></ScalarVariable>\n" : "/>\n");
}

static void put_unknowns(Writer* w, const char* element) {
  const int n = rut_fmu_variables(w->fmu);
  for (int i = 0; i < n; i++) {
    if (at(w, i).role != RUT_FMU_OUTPUT) continue;
    put(w, w->what->version == 2 ? "      <" : "    <");
    put(w, element);
    // variables of FMI 2 are counted from 1
    integer(w, w->what->version == 2 ? "index" : "valueReference",
            w->what->version == 2 ? i + 1 : i);
    put(w, "/>\n");
  }
}

static void put_structure(Writer* w) {
  bool any = false;
  for (int i = 0; i < rut_fmu_variables(w->fmu); i++) any = any || at(w, i).role == RUT_FMU_OUTPUT;
  put(w, "  <ModelStructure>\n");
  if (any && w->what->version == 2) {
    put(w, "    <Outputs>\n");
    put_unknowns(w, "Unknown");
    put(w, "    </Outputs>\n    <InitialUnknowns>\n");
    put_unknowns(w, "Unknown");
    put(w, "    </InitialUnknowns>\n");
  } else if (any) {
    put_unknowns(w, "Output");
    put_unknowns(w, "InitialUnknown");
  }
  put(w, "  </ModelStructure>\n");
}

// ---- the document ----

static void put_root(Writer* w) {
  const bool two = w->what->version == 2;
  put(w, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<fmiModelDescription");
  attribute(w, "fmiVersion", two ? "2.0" : "3.0");
  attribute(w, "modelName", w->what->name);
  attribute(w, two ? "guid" : "instantiationToken", rut_fmu_token(w->fmu));
  attribute(w, "description", w->what->description);
  attribute(w, "generationTool", "rut " RUT_VERSION_STRING);
  attribute(w, "variableNamingConvention", "flat");
  put(w, ">\n");
}

static void put_kind(Writer* w) {
  const bool two = w->what->version == 2;
  put(w, "  <CoSimulation");
  attribute(w, "modelIdentifier", w->what->identifier);
  attribute(w, "canHandleVariableCommunicationStepSize", "true");
  if (two) attribute(w, "canNotUseMemoryManagementFunctions", "true");
  if (!two) number(w, "fixedInternalStepSize", rut_model_timestep(rut_fmu_model(w->fmu)));
  attribute(w, two ? "canGetAndSetFMUstate" : "canGetAndSetFMUState", "true");
  attribute(w, two ? "canSerializeFMUstate" : "canSerializeFMUState", "true");
  put(w, "/>\n");
}

static void put_experiment(Writer* w) {
  const double duration = w->what->duration;
  put(w, "  <DefaultExperiment");
  attribute(w, "startTime", "0");
  if (duration > 0 && duration < RUT_INFINITY) number(w, "stopTime", duration);
  number(w, "stepSize", rut_model_timestep(rut_fmu_model(w->fmu)));
  put(w, "/>\n");
}

void rut_fmu_describe(const rutFmu* fmu, const rutFmuDescription* description, rutBytes* out) {
  Writer w = {fmu, description, out};
  put_root(&w);
  put_kind(&w);
  put_units(&w);
  put_types(&w);
  put(&w,
      "  <LogCategories><Category name=\"logStatusError\"/><Category name=\"logStatusWarning\"/>"
      "</LogCategories>\n");
  put_experiment(&w);
  put(&w, "  <ModelVariables>\n");
  const int n = rut_fmu_variables(fmu);
  for (int i = 0; i < n; i++) put_variable(&w, i);
  put(&w, "  </ModelVariables>\n");
  put_structure(&w);
  put(&w, "</fmiModelDescription>\n");
}
