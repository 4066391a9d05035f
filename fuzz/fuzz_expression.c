// SPDX-License-Identifier: BSD-3-Clause
//
// Any text as a number with a unit, as an expression, and as a value with variables.
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "format/expand.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

static void try_number(const char* text) {
  double value, again;
  const char* end;
  char message[160], printed[32];
  if (!rut_parse_quantity(text, "N m s/rad", &value, &end, message)) return;
  if (end < text || end > text + strlen(text)) abort();
  rut_format_number(value, printed);
  if (!rut_parse_number(printed, &again, &end) || memcmp(&value, &again, sizeof value)) abort();
}

static void try_expansion(const char* text) {
  rutScope* scope = rut_scope_create(NULL, 1);
  rutReporter reporter;
  memset(&reporter, 0, sizeof reporter);
  const rutPlace place = {"fuzz.xml", 1, 1};
  double value;
  size_t fault;
  char message[128];
  char* out = NULL;
  if (scope && rut_scope_set(scope, "a", "3") == RUT_OK &&
      rut_scope_set(scope, "b", text) == RUT_OK) {
    rut_evaluate(scope, text, &value, &fault, message);
    rut_expand(scope, text, &reporter, place, "<fuzz>", &out);
  }
  free(out);
  rut_scope_destroy(scope);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  char* text = malloc(size + 1);
  if (!text) return 0;
  if (size) memcpy(text, data, size);
  text[size] = '\0';
  try_number(text);
  try_expansion(text);
  free(text);
  return 0;
}
