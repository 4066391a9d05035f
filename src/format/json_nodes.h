// SPDX-License-Identifier: BSD-3-Clause
//
// Elements that readers of JSON files add to a world, and values of that JSON. Every finding
// names the place in the file.
#ifndef RUT_FORMAT_JSON_NODES_H
#define RUT_FORMAT_JSON_NODES_H

#include "format/json.h"
#include "format/reader.h"
#include "rut/component.h"

typedef struct rutJsonMaker {
  rutSpec* spec;
  rutReporter* reporter;
  const char* file;
  int nodes;  // added so far
} rutJsonMaker;

rutPlace rut_json_place(const rutJsonMaker* m, const rutJsonValue* value);

// True if a text of which `left` bytes are left begins with a key in its quotes.
bool rut_json_key_at(const char* text, size_t left, const char* key);

// ---- elements ----

// Add an element. A null node, which the setters below ignore, after an error.
rutNode rut_json_add(rutJsonMaker* m, rutNode parent, const char* kind, const char* type,
                     const char* name, rutPlace place);
void rut_json_set(rutJsonMaker* m, rutNode node, const char* field, double value, rutPlace place);
void rut_json_set_list(rutJsonMaker* m, rutNode node, const char* field, int n, const double* value,
                       rutPlace place);
void rut_json_set_text(rutJsonMaker* m, rutNode node, const char* field, const char* text,
                       rutPlace place);
// A file name as it is seen from where the program runs.
void rut_json_set_file(rutJsonMaker* m, rutNode node, const char* field, const char* path,
                       rutPlace place);

// ---- values ----

// Report that a value is wrong, or that a thing is not carried over.
void rut_json_error(rutJsonMaker* m, const rutJsonValue* value, const char* label,
                    const char* format, ...) RUT_PRINTF(4, 5);
void rut_json_warn(rutJsonMaker* m, const rutJsonValue* value, const char* label,
                   const char* format, ...) RUT_PRINTF(4, 5);
// Child of an object by its key if it has this kind; NULL if it is not there, or with an error.
const rutJsonValue* rut_json_child(rutJsonMaker* m, const rutJsonValue* object, const char* label,
                                   const char* key, rutJsonKind kind);
typedef struct rutJsonRange {
  double otherwise, least, most;
} rutJsonRange;
// A number, from `least` to `most`; `otherwise` if it is not there, or with an error.
double rut_json_number(rutJsonMaker* m, const rutJsonValue* object, const char* label,
                       const char* key, rutJsonRange range);
bool rut_json_flag(rutJsonMaker* m, const rutJsonValue* object, const char* label, const char* key,
                   bool otherwise);
// Text, "" if it is not there, or with an error.
const char* rut_json_text(rutJsonMaker* m, const rutJsonValue* object, const char* label,
                          const char* key);
// A list of n numbers, each at most 1e7 in size. False if it is not there or wrong, *out being as
// before.
bool rut_json_list(rutJsonMaker* m, const rutJsonValue* object, const char* label, const char* key,
                   int n, double* out);
// The numbers of a list itself.
bool rut_json_numbers(rutJsonMaker* m, const rutJsonValue* list, const char* label, int n,
                      double* out);
// Warn about keys that are not in a list of words. Keys that begin with '_' are notes of others.
void rut_json_check_keys(rutJsonMaker* m, const rutJsonValue* object, const char* label,
                         const char* const* known, int n);
#define RUT_JSON_CHECK_KEYS(m, object, label, ...)                          \
  do {                                                                      \
    static const char* const known_keys_[] = {__VA_ARGS__};                 \
    rut_json_check_keys(m, object, label, known_keys_,                      \
                        (int)(sizeof known_keys_ / sizeof known_keys_[0])); \
  } while (0)
// Read no more.
void rut_json_halt(rutJsonMaker* m);
// True after that, after too many errors, and after too many elements.
bool rut_json_halted(const rutJsonMaker* m);

#endif  // RUT_FORMAT_JSON_NODES_H
