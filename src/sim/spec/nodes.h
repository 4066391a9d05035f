// SPDX-License-Identifier: BSD-3-Clause
//
// How a spec is stored. Private to src/sim/spec.
#ifndef RUT_SIM_SPEC_NODES_H
#define RUT_SIM_SPEC_NODES_H

#include "sim/spec/context.h"
#include "sim/spec/fields.h"
#include "sim/spec/spec.h"

enum { RUT_SPEC_MAX_KNOWN = 256 };  // names looked through for a suggestion

// A field that was given, or whose place is known. Fields at their default have no record.
typedef struct rutSpecField {
  int field;  // index of its row
  bool given;
  rutFieldValue value;
  rutPlace place;
} rutSpecField;

typedef struct rutSpecNode {
  const rutRegistered* type;  // NULL for a free slot
  char* name;                 // NULL for ""
  rutPlace place;
  int32_t parent, first, last, previous, next;  // slots, -1 for none; next also links free slots
  uint32_t generation;
  int depth;
  rutSpecField* field;
  int fields, capacity;
} rutSpecNode;

struct rutSpec {
  rutContext* context;
  rutAccess access;  // below that of the context
  rutSpecNode* node;
  int slots, capacity, live;
  int32_t free_slot;  // first of a list, -1 for none
  char** file;        // file names of places, each once
  int files, file_capacity;
  int32_t* named;  // open hash table of named nodes: slot, -1 empty, -2 removed
  int named_capacity, named_used;
};

// Handle of the node in a slot.
rutNode rut_spec_handle(const rutSpec* spec, int32_t slot);
// Node of a handle, NULL if it is null or stale.
rutSpecNode* rut_spec_node(const rutSpec* spec, rutNode node);
// First child of that name, of any kind; null if there is none.
rutNode rut_spec_child(const rutSpec* spec, rutNode parent, const char* name, size_t length);
// Record of a field, NULL if there is none.
rutSpecField* rut_spec_field(const rutSpecNode* node, int field);
// Field of a component whose name is nearest to a misspelt one, NULL if none is near.
const char* rut_spec_suggest_field(const rutComponent* type, const char* name);
// Give a node another name, unless a sibling of its kind has it.
rutStatus rut_spec_rename(rutSpec* spec, rutNode node, const char* name, rutError* err);

// Fill the caller's error about a node; the report is left to whoever called the public function.
rutStatus rut_spec_fail(const rutSpec* spec, rutNode node, const char* field, rutError* err,
                        rutStatus status, const char* format, ...) RUT_PRINTF(6, 7);
rutStatus rut_spec_fail_memory(const rutSpec* spec, rutError* err);

#endif  // RUT_SIM_SPEC_NODES_H
