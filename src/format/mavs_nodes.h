// SPDX-License-Identifier: BSD-3-Clause
//
// Elements that readers of MAVS's files add to a world, and values of their JSON. Every finding
// names the place in the file.
#ifndef RUT_FORMAT_MAVS_NODES_H
#define RUT_FORMAT_MAVS_NODES_H

#include "format/json.h"
#include "format/reader.h"
#include "rut/component.h"

typedef struct rutMavsMaker {
  rutSpec* spec;
  rutReporter* reporter;
  const char* file;
  int nodes;  // added so far
} rutMavsMaker;

rutPlace rut_mavs_place(const rutMavsMaker* m, const rutJsonValue* value);

// True if a text of which `left` bytes are left begins with a key in its quotes.
bool rut_mavs_key_at(const char* text, size_t left, const char* key);

// ---- elements ----

// Add an element. A null node, which the setters below ignore, after an error.
rutNode rut_mavs_add(rutMavsMaker* m, rutNode parent, const char* kind, const char* type,
                     const char* name, rutPlace place);
void rut_mavs_set(rutMavsMaker* m, rutNode node, const char* field, double value, rutPlace place);
void rut_mavs_set_list(rutMavsMaker* m, rutNode node, const char* field, int n, const double* value,
                       rutPlace place);
void rut_mavs_set_text(rutMavsMaker* m, rutNode node, const char* field, const char* text,
                       rutPlace place);
// A file name as it is seen from where the program runs.
void rut_mavs_set_file(rutMavsMaker* m, rutNode node, const char* field, const char* path,
                       rutPlace place);

// ---- values ----

// Report that a value is wrong, or that a thing is not carried over.
void rut_mavs_error(rutMavsMaker* m, const rutJsonValue* value, const char* label,
                    const char* format, ...) RUT_PRINTF(4, 5);
void rut_mavs_warn(rutMavsMaker* m, const rutJsonValue* value, const char* label,
                   const char* format, ...) RUT_PRINTF(4, 5);
// Child of an object by its key if it has this kind; NULL if it is not there, or with an error.
const rutJsonValue* rut_mavs_find(rutMavsMaker* m, const rutJsonValue* object, const char* label,
                                  const char* key, rutJsonKind kind);
typedef struct rutMavsRange {
  double otherwise, least, most;
} rutMavsRange;
// A number, from `least` to `most`; `otherwise` if it is not there, or with an error.
double rut_mavs_number(rutMavsMaker* m, const rutJsonValue* object, const char* label,
                       const char* key, rutMavsRange range);
bool rut_mavs_flag(rutMavsMaker* m, const rutJsonValue* object, const char* label, const char* key,
                   bool otherwise);
// Text, "" if it is not there, or with an error.
const char* rut_mavs_text(rutMavsMaker* m, const rutJsonValue* object, const char* label,
                          const char* key);
// A list of n numbers, each at most 1e7 in size. False if it is not there or wrong, *out being as
// before.
bool rut_mavs_list(rutMavsMaker* m, const rutJsonValue* object, const char* label, const char* key,
                   int n, double* out);
// The numbers of a list itself.
bool rut_mavs_numbers(rutMavsMaker* m, const rutJsonValue* list, const char* label, int n,
                      double* out);
// Warn about keys that are not in a list of words. Keys that begin with '_' are notes of others.
void rut_mavs_check_keys(rutMavsMaker* m, const rutJsonValue* object, const char* label,
                         const char* const* known, int n);
#define RUT_MAVS_CHECK_KEYS(m, object, label, ...)                          \
  do {                                                                      \
    static const char* const known_keys_[] = {__VA_ARGS__};                 \
    rut_mavs_check_keys(m, object, label, known_keys_,                      \
                        (int)(sizeof known_keys_ / sizeof known_keys_[0])); \
  } while (0)
// Read no more.
void rut_mavs_halt(rutMavsMaker* m);
// True after that, after too many errors, and after too many elements.
bool rut_mavs_halted(const rutMavsMaker* m);

#endif  // RUT_FORMAT_MAVS_NODES_H
