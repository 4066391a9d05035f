// SPDX-License-Identifier: BSD-3-Clause
#include "format/xml_fixed.h"

#include <string.h>

#include "rut/component.h"

static bool find_out(const rutXmlElement* element, rutXmlFixed* table) {
  static const char* const orders[] = {"for", "if", "include", "parameter"};
  for (int i = 0; i < RUT_COUNT_OF(orders); ++i) {
    if (strcmp(element->name, orders[i]) == 0) return false;
  }
  for (int i = 0; i < element->attributes; ++i) {
    const rutXmlAttribute* attribute = &element->attribute[i];
    if (strchr(attribute->value, '$')) return false;
    // vehicles and paths of other programs
    if (strcmp(attribute->name, "file") == 0) return false;
  }
  for (const rutXmlElement* child = element->first; child; child = child->next) {
    if (!rut_xml_is_fixed(child, table)) return false;
  }
  return true;
}

bool rut_xml_is_fixed(const rutXmlElement* element, rutXmlFixed* table) {
  rutXmlFixed* known = &table[element->index];
  if (!known->fixed) known->fixed = find_out(element, table) ? 1 : -1;
  return known->fixed > 0;
}
