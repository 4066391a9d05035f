// SPDX-License-Identifier: BSD-3-Clause
//
// Elements that say the same each time they are read: nothing in them is expanded, and nothing is
// read from another file. What loops and includes make of them is made once and repeated.
#ifndef RUT_FORMAT_XML_FIXED_H
#define RUT_FORMAT_XML_FIXED_H

#include "format/xml.h"

typedef struct rutXmlFixed {
  signed char fixed;  // 1: it says the same each time, -1: it does not, 0: not asked yet
  rutNode node;       // made of it, null if none was
  int nodes, visits;  // that were made of it and what stands in it, and elements looked at
} rutXmlFixed;

// Whether an element says the same each time. table: [rut_xml_elements], zeroed at first.
bool rut_xml_is_fixed(const rutXmlElement* element, rutXmlFixed* table);

#endif  // RUT_FORMAT_XML_FIXED_H
