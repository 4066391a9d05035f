// SPDX-License-Identifier: BSD-3-Clause
//
// How a spec is stored. Private to spec.c and spec_save.c.
#ifndef RUT_SIM_SPEC_NODES_H
#define RUT_SIM_SPEC_NODES_H

#include "sim/context.h"
#include "sim/spec.h"
#include "sim/spec_fields.h"

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
  rutSpecNode* node;
  int slots, capacity, live;
  int32_t free_slot;  // first of a list, -1 for none
  char** file;        // file names of places, each once
  int files, file_capacity;
  int32_t* named;  // open hash table of named nodes: slot, -1 empty, -2 removed
  int named_capacity, named_used;
};

// Node of a handle, NULL if it is null or stale.
rutSpecNode* rut_spec_node(const rutSpec* spec, rutNode node);
// Record of a field, NULL if there is none.
rutSpecField* rut_spec_field(const rutSpecNode* node, int field);

#endif  // RUT_SIM_SPEC_NODES_H
