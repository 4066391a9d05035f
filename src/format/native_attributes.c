// SPDX-License-Identifier: BSD-3-Clause
//
// Expanded values of attributes in rut's own world files.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/suggest.h"
#include "base/units.h"
#include "format/native_load.h"

void rut_native_check_attributes(rutNativeReader* reader, const rutNativeFrame* frame,
                                 const rutXmlElement* element, const char* const* known) {
  size_t n = 0;
  while (known[n][0]) ++n;
  for (int i = 0; i < element->attributes; ++i) {
    const rutXmlAttribute* attribute = &element->attribute[i];
    size_t k = 0;
    while (k < n && strcmp(known[k], attribute->name) != 0) ++k;
    if (k < n) continue;
    const char* nearest = rut_suggest(attribute->name, known, n);
    char hint[80] = "";
    if (nearest) snprintf(hint, sizeof hint, "did you mean '%s'?", nearest);
    RUT_NATIVE_FAIL(reader, frame, element, attribute->line, attribute->column, hint,
                    "<%s> has no attribute '%.60s'", element->name, attribute->name);
  }
}

bool rut_native_expand(rutNativeReader* reader, const rutNativeFrame* frame, rutScope* scope,
                       const rutXmlElement* element, const rutXmlAttribute* attribute, char** out) {
  char label[96] = "";
  // text without expressions has no faults to name
  if (strchr(attribute->value, '$')) rut_native_label(element, label);
  const rutStatus status =
      rut_expand(scope, attribute->value, reader->reporter,
                 rut_native_place(frame, attribute->line, attribute->column), label, out);
  if (status == RUT_ERR_MEMORY) reader->halted = true;
  if (status != RUT_OK) rut_native_count_error(reader, frame);
  return status == RUT_OK;
}

bool rut_native_require(rutNativeReader* reader, const rutNativeFrame* frame, rutScope* scope,
                        const rutXmlElement* element, const char* name, char** out) {
  const rutXmlAttribute* attribute = rut_xml_attribute(element, name);
  if (attribute) return rut_native_expand(reader, frame, scope, element, attribute, out);
  RUT_NATIVE_FAIL(reader, frame, element, element->line, element->column, "",
                  "<%s> needs the attribute '%s'", element->name, name);
  return false;
}

bool rut_native_require_whole(rutNativeReader* reader, const rutNativeFrame* frame, rutScope* scope,
                              const rutXmlElement* element, const char* name, long* out) {
  char* text;
  if (!rut_native_require(reader, frame, scope, element, name, &text)) return false;
  double value = 0;
  const char* end;
  bool whole = rut_parse_number(text, &value, &end) && end[strspn(end, " \t\r\n")] == '\0';
  whole = whole && value >= -1e9 && value <= 1e9 && value == (double)(long)value;
  const rutXmlAttribute* attribute = rut_xml_attribute(element, name);
  if (!whole) {
    RUT_NATIVE_FAIL(reader, frame, element, attribute->line, attribute->column, "",
                    "'%s' of <%s> must be a whole number, not '%.60s'", name, element->name, text);
  }
  free(text);
  *out = whole ? (long)value : 0;
  return whole;
}

bool rut_native_optional(rutNativeReader* reader, const rutNativeFrame* frame, rutScope* scope,
                         const rutXmlElement* element, const char* name, char** out) {
  const rutXmlAttribute* attribute = rut_xml_attribute(element, name);
  if (attribute) return rut_native_expand(reader, frame, scope, element, attribute, out);
  *out = rut_native_copy_text("");
  if (!*out) rut_native_halt(reader, frame, element, "out of memory");
  return *out != NULL;
}
