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

typedef struct rutSpecNode {
  const rutRegistered* type;  // NULL for a free slot
  char* name;                 // NULL for ""
  rutPlace place;
  int32_t parent, first, last, previous, next;  // slots, -1 for none; next also links free slots
  uint32_t generation;
  int depth;
  rutSpecField* field;
  int fields, capacity;
  const rutPresetInfo* preset;  // fills fields that were not given; NULL for none
  rutPlace preset_place;
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
  bool random;         // expressions drew random numbers as it was read
  uint64_t old_names;  // bit i: a note has reported the old name i (old_names.h)
};

#endif  // RUT_SIM_SPEC_STORE_H
