// SPDX-License-Identifier: BSD-3-Clause
//
// Errors in rut's own world files, with their place.
#include <string.h>

#include "format/native_load.h"

rutPlace rut_native_place(const rutNativeFrame* frame, int line, int column) {
  return (rutPlace){rut_xml_file(frame->document->xml), line, column};
}

// Write the first bytes of a text, at most n of them; returns their end.
static char* add_start(char* to, const char* text, size_t n) {
  const size_t size = strnlen(text, n);
  memcpy(to, text, size);
  return to + size;
}

void rut_native_label(const rutXmlElement* element, char label[96]) {
  const rutXmlAttribute* name = rut_xml_attribute(element, "name");
  label[0] = '<';
  char* end = add_start(label + 1, element->name, name ? 24 : 60);
  if (name) {
    end = add_start(end, " name=\"", 7);
    end = add_start(end, name->value, 50);
    end = add_start(end, "\"", 1);
  }
  memcpy(end, ">", 2);
}

void rut_native_count_error(rutNativeReader* reader, const rutNativeFrame* frame) {
  if (reader->halted || reader->reporter->errors < RUT_READER_MAX_ERRORS) return;
  reader->halted = true;
  rut_report_error(reader->reporter, RUT_ERR_PARSE, rut_native_place(frame, 0, 0), "", "",
                   "too many errors; the rest of the file was not read");
}

void rut_native_halt(rutNativeReader* reader, const rutNativeFrame* frame,
                     const rutXmlElement* element, const char* message) {
  if (reader->halted) return;
  RUT_NATIVE_FAIL(reader, frame, element, element->line, element->column, "", "%s", message);
  reader->halted = true;
}

void rut_native_report_fault(rutNativeReader* reader, const rutNativeFrame* frame,
                             const rutXmlElement* element, int line, int column) {
  char label[96];
  rut_native_label(element, label);
  rut_report_error(reader->reporter, reader->fault.status, rut_native_place(frame, line, column),
                   label, "", "%s", reader->fault.message);
  if (reader->fault.status == RUT_ERR_MEMORY) reader->halted = true;
  rut_native_count_error(reader, frame);
}
