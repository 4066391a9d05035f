// SPDX-License-Identifier: BSD-3-Clause
//
// A small read-only XML tree that remembers line and column of every element and attribute. Built
// on libxml2's SAX parser; entities beyond the five of XML and character references are errors, no
// network, no DTD.
#ifndef RUT_FORMAT_XML_H
#define RUT_FORMAT_XML_H

#include "base/report.h"

typedef struct rutXmlAttribute {
  const char *name, *value;
  int line, column;  // of the attribute's name
} rutXmlAttribute;

typedef struct rutXmlElement {
  const char* name;  // with its prefix: "vehicle:class"
  const char* text;  // concatenated character data, trimmed; "" if none
  const char* file;  // as rut_xml_file
  int line, column;  // of the '<'
  int attributes;
  const rutXmlAttribute* attribute;
  struct rutXmlElement *parent, *first, *next;  // children in document order
  int index;                                    // how many began before it
} rutXmlElement;

typedef struct rutXml rutXml;

enum {
  RUT_XML_MAX_DEPTH = 128,
  RUT_XML_MAX_SIZE = 64 << 20,  // bytes of one document
  RUT_XML_MAX_ELEMENTS = 1 << 20
};

// Parse a document. file is used in messages and copied. If wrap is true the text may have several
// top-level elements (an include file); root is then an unnamed element that holds them.
// Errors: PARSE (reported with line and column), MEMORY.
rutStatus rut_xml_parse(const char* text, size_t size, const char* file, bool wrap,
                        rutReporter* reporter, rutXml** out);
void rut_xml_destroy(rutXml* xml);
const rutXmlElement* rut_xml_root(const rutXml* xml);
const char* rut_xml_file(const rutXml* xml);
// Number of elements.
int rut_xml_elements(const rutXml* xml);
// Attribute by name, NULL if absent.
const rutXmlAttribute* rut_xml_attribute(const rutXmlElement* element, const char* name);
// Name of the first element of a text, cut to fit; false if the text is no XML. Reads no further.
bool rut_xml_first_element(const char* text, size_t size, char* name, size_t name_size);
// Read a whole file into memory with a NUL after it; the caller frees *text with free(). Reports
// errors at `place` (the <include> that named the file). Refuses more than `limit` bytes, and what
// the reporter's access does not allow.
rutStatus rut_read_file(const char* path, size_t limit, rutReporter* reporter, rutPlace place,
                        char** text, size_t* size);
// Read the first bytes of a regular file; returns their number, at most `size`, 0 if there is none.
size_t rut_read_head(const char* path, char* bytes, size_t size);

#endif  // RUT_FORMAT_XML_H
