// SPDX-License-Identifier: BSD-3-Clause
//
// What the parts of the reader of rut's own world files share.
//
// How it fits together:
//   native_xml.c         the format, elements that are nodes, <parameter>, <include> and their like
//   native_documents.c   files, each read once
//   native_attributes.c  expanded values of attributes
//   native_report.c      errors with their place
#ifndef RUT_FORMAT_NATIVE_LOAD_H
#define RUT_FORMAT_NATIVE_LOAD_H

#include "format/expand.h"
#include "format/reader.h"
#include "format/xml.h"
#include "format/xml_fixed.h"

enum {
  RUT_NATIVE_MAX_FILES = 1024,     // different files of one world
  RUT_NATIVE_MAX_TEXT = 256 << 20  // bytes of all files
};

// A file that was read. Kept to the end, so that loops parse an included file once.
typedef struct rutNativeDocument {
  struct rutNativeDocument* next;
  char* key;  // absolute name without links, or the given one where there is no such file
  rutXml* xml;
  char* vehicle;       // text of another program's vehicle or scene file, NULL in those of rut
  size_t size;         // of that text
  bool scene;          // which of the two
  rutXmlFixed* fixed;  // of each element, NULL while none was read a second time
} rutNativeDocument;

typedef struct rutNativeReader {
  rutContext* context;
  rutReporter* reporter;
  rutSpec* spec;
  rutNativeDocument* documents;
  int files, nodes, visits, scenes, includes, iterations, nesting;
  int loops;  // in which an element stands
  size_t bytes;
  bool halted;     // a limit was reached: nothing more is read
  rutError fault;  // of the spec call last made
} rutNativeReader;

// Where an element stands: a file, and the files that include it. Lives on the stack.
typedef struct rutNativeFrame {
  const struct rutNativeFrame* up;
  rutNativeDocument* document;
  const rutXmlElement* include;  // that asked for this file, NULL for the first one
  int depth;
} rutNativeFrame;

// ---- native_report.c ----

rutPlace rut_native_place(const rutNativeFrame* frame, int line, int column);
// What a message calls an element: <wheel name="l">.
void rut_native_label(const rutXmlElement* element, char label[96]);
// After an error go on, unless there were too many.
void rut_native_count_error(rutNativeReader* reader, const rutNativeFrame* frame);
// Report an error once, and read nothing more.
void rut_native_halt(rutNativeReader* reader, const rutNativeFrame* frame,
                     const rutXmlElement* element, const char* message);
// Report what a spec call found, at a place in the file.
void rut_native_report_fault(rutNativeReader* reader, const rutNativeFrame* frame,
                             const rutXmlElement* element, int line, int column);
// Report an error at a place in the file; the message is a format with its arguments.
#define RUT_NATIVE_FAIL(reader, frame, element, line, column, hint, ...)                       \
  do {                                                                                         \
    char label_[96];                                                                           \
    rut_native_label(element, label_);                                                         \
    rut_report_error((reader)->reporter, RUT_ERR_PARSE, rut_native_place(frame, line, column), \
                     label_, hint, __VA_ARGS__);                                               \
    rut_native_count_error(reader, frame);                                                     \
  } while (0)

// ---- native_attributes.c ----

// Refuse attributes that are not among the known ones (a list that ends with "").
void rut_native_check_attributes(rutNativeReader* reader, const rutNativeFrame* frame,
                                 const rutXmlElement* element, const char* const* known);
// Expanded value of an attribute. The caller frees *out. False after an error, also below.
bool rut_native_expand(rutNativeReader* reader, const rutNativeFrame* frame, rutScope* scope,
                       const rutXmlElement* element, const rutXmlAttribute* attribute, char** out);
// Expanded value of an attribute that must be there. The caller frees *out.
bool rut_native_require(rutNativeReader* reader, const rutNativeFrame* frame, rutScope* scope,
                        const rutXmlElement* element, const char* name, char** out);
// The same of a whole number, at most 1e9 in magnitude.
bool rut_native_require_whole(rutNativeReader* reader, const rutNativeFrame* frame, rutScope* scope,
                              const rutXmlElement* element, const char* name, long* out);
// Expanded value of an attribute that may be missing, then "". The caller frees *out.
bool rut_native_optional(rutNativeReader* reader, const rutNativeFrame* frame, rutScope* scope,
                         const rutXmlElement* element, const char* name, char** out);

// ---- native_documents.c ----

void rut_native_free_documents(rutNativeReader* reader);
// Copy of a text. The caller frees it; NULL if out of memory.
char* rut_native_copy_text(const char* text);
// Name that is the same for the same file. The caller frees it; NULL if out of memory.
char* rut_native_file_key(const char* path);
// Name as seen from the folder of another file. The caller frees it; NULL if out of memory.
char* rut_native_join_path(const char* from, const char* name);
// Parse a text and keep it under a key, which is taken over. wrap: as in rut_xml_parse. NULL if the
// file is faulty.
rutNativeDocument* rut_native_keep_document(rutNativeReader* reader, char* key, const char* text,
                                            size_t size, const char* name, bool wrap);
// The file that the attribute `file` of an element names: one of rut, or a scene of MAVS. NULL
// after an error.
rutNativeDocument* rut_native_open_document(rutNativeReader* reader, const rutNativeFrame* frame,
                                            const rutXmlElement* element, const char* path);
// Another program's vehicle file, kept like the others. NULL after an error; *again tells whether
// it was read before.
const rutNativeDocument* rut_native_open_vehicle(rutNativeReader* reader,
                                                 const rutNativeFrame* frame,
                                                 const rutXmlElement* element, const char* path,
                                                 bool* again);

#endif  // RUT_FORMAT_NATIVE_LOAD_H
