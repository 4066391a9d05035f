// SPDX-License-Identifier: BSD-3-Clause
//
// Nodes of a spec: handles, fields, messages at a node.
#ifndef RUT_SIM_SPEC_NODES_H
#define RUT_SIM_SPEC_NODES_H

#include "sim/spec/context.h"

enum {
  RUT_SPEC_MAX_FILE = 64 << 20,  // bytes of a world file
  RUT_SPEC_MAX_NODES = 1 << 24,  // nodes of one spec
  RUT_SPEC_MAX_NAME = 255,       // bytes of a name
  RUT_SPEC_MAX_KNOWN = 256,      // names looked through for a suggestion
  RUT_ELEMENT_TEXT = 96          // buffer of rut_node_element, as in rutError
};

// What the world may reach.
const rutAccess* rut_spec_access(const rutSpec* spec);
// Number of children of a kind. Nullable: kind (all of them).
int rut_node_count(const rutSpec* spec, rutNode parent, const char* kind);

// Index of a field in rut_node_component(...)->field, -1 if the node has no such field.
int rut_node_field(const rutSpec* spec, rutNode node, const char* field);
// What a message calls a node: <wheel name="l">.
void rut_node_element(const rutSpec* spec, rutNode node, char text[RUT_ELEMENT_TEXT]);
// Report an error at a field (its place if it was given, else that of the node) or at the node
// (field NULL). Returns status. Nullable: field. hint may be "".
rutStatus rut_node_error(const rutSpec* spec, rutNode node, const char* field, rutStatus status,
                         const char* hint, const char* format, ...) RUT_PRINTF(6, 7);
// The same for a warning.
void rut_node_warning(const rutSpec* spec, rutNode node, const char* field, const char* format, ...)
    RUT_PRINTF(4, 5);
// The same for a note.
void rut_node_note(const rutSpec* spec, rutNode node, const char* field, const char* format, ...)
    RUT_PRINTF(4, 5);

// ---- private to src/sim/spec ----

typedef struct rutSpecField rutSpecField;
typedef struct rutSpecNode rutSpecNode;
typedef struct rutFieldValue rutFieldValue;

// Handle of the node in a slot.
rutNode rut_spec_handle(const rutSpec* spec, int32_t slot);
// Node of a handle, NULL if it is null or stale.
rutSpecNode* rut_spec_node(const rutSpec* spec, rutNode node);
// Record of a field, NULL if there is none.
rutSpecField* rut_spec_field(const rutSpecNode* node, int field);
// Value of a field that was given, or comes from the node's preset; NULL if it has its default.
const rutFieldValue* rut_spec_value(const rutSpecNode* node, int field);
// Field of a component whose name is nearest to a misspelt one, NULL if none is near.
const char* rut_spec_suggest_field(const rutComponent* type, const char* name);
// Fill the caller's error about a node; the report is left to whoever called the public function.
rutStatus rut_spec_fail(const rutSpec* spec, rutNode node, const char* field, rutError* err,
                        rutStatus status, const char* format, ...) RUT_PRINTF(6, 7);
rutStatus rut_spec_fail_memory(const rutSpec* spec, rutError* err);

#endif  // RUT_SIM_SPEC_NODES_H
