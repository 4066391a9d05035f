// SPDX-License-Identifier: BSD-3-Clause
//
// How a spec is stored. Private to src/sim/spec.
#ifndef RUT_SIM_SPEC_STORE_H
#define RUT_SIM_SPEC_STORE_H

#include "sim/spec/fields.h"

// A field that was given, or whose place is known. Fields at their default have no record.
typedef struct rutSpecField {
  int field;  // index of its row
  bool given;
  rutFieldValue value;
  rutPlace place;
} rutSpecField;

// What was given to a node. Nodes that a file repeats share it until one of them is changed.
typedef struct rutSpecGiven {
  int holders;                  // nodes that have it
  const rutPresetInfo* preset;  // fills fields that were not given; NULL for none
  rutPlace preset_place;
  int fields, capacity;
  rutSpecField field[];
} rutSpecGiven;

typedef struct rutSpecNode {
  const rutRegistered* type;  // NULL for a free slot
  char* name;                 // NULL for ""
  rutPlace place;
  int32_t parent, first, last, previous, next;  // slots, -1 for none; next also links free slots
  uint32_t generation;
  int depth;
  rutSpecGiven* given;  // NULL if nothing was
} rutSpecNode;

static inline int rut_spec_fields(const rutSpecNode* node) {
  return node->given ? node->given->fields : 0;
}
static inline const rutPresetInfo* rut_spec_preset(const rutSpecNode* node) {
  return node->given ? node->given->preset : NULL;
}

// What was given to a node, for writing: its own, with room for `more` fields. Pointers to its
// fields do not survive. NULL if out of memory.
rutSpecGiven* rut_spec_open_given(rutSpec* spec, rutSpecNode* node, int more);
// Let a node, to which nothing was given, have what was given to another of its type.
void rut_spec_share_given(rutSpecNode* node, const rutSpecNode* from);
// Take it away from a node.
void rut_spec_drop_given(rutSpec* spec, rutSpecNode* node);

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
  bool random;         // expressions drew random numbers as it was read
  uint64_t old_names;  // bit i: a note has reported the old name i (old_names.h)
};

#endif  // RUT_SIM_SPEC_STORE_H
