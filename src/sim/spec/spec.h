// SPDX-License-Identifier: BSD-3-Clause
//
// The spec tree as the compiler sees it: its context, its nodes in bulk, messages at a node.
#ifndef RUT_SIM_SPEC_SPEC_H
#define RUT_SIM_SPEC_SPEC_H

#include "sim/spec/context.h"

enum {
  RUT_SPEC_MAX_FILE = 64 << 20,  // bytes of a world file
  RUT_SPEC_MAX_NODES = 1 << 22,  // nodes of one spec
  RUT_SPEC_MAX_NAME = 255,       // bytes of a name
  RUT_ELEMENT_TEXT = 96          // buffer of rut_node_element, as in rutError
};

// Context that the spec was made with. It is not const: the compiler allocates and reports there.
rutContext* rut_spec_context(const rutSpec* spec);
// What the world may reach.
const rutAccess* rut_spec_access(const rutSpec* spec);
// Number of live nodes, the root included.
int rut_spec_size(const rutSpec* spec);
// Number of children of a kind. Nullable: kind (all of them).
int rut_node_count(const rutSpec* spec, rutNode parent, const char* kind);
// True if two handles name the same node.
bool rut_node_equal(rutNode a, rutNode b);

// Index of a field in rut_node_component(...)->field, -1 if the node has no such field.
int rut_node_field(const rutSpec* spec, rutNode node, const char* field);
// Parameters of a component: one double per field, in the order of its rows. Scalars [SI], choices
// as index, booleans 0 or 1; NaN for text. Numbers of vector and points fields follow, each list
// after its count, and the field holds the index of that count. Writes at most `capacity` doubles;
// returns how many there are. Nullable param if capacity is 0.
int rut_node_params(const rutSpec* spec, rutNode node, int capacity, double* param);

// What a message calls a node: <wheel name="l">.
void rut_node_element(const rutSpec* spec, rutNode node, char text[RUT_ELEMENT_TEXT]);
// Report an error at a field (its place if it was given, else that of the node) or at the node
// (field NULL). Returns status. Nullable: field. hint may be "".
rutStatus rut_node_error(const rutSpec* spec, rutNode node, const char* field, rutStatus status,
                         const char* hint, const char* format, ...) RUT_PRINTF(6, 7);
// The same for a warning.
void rut_node_warning(const rutSpec* spec, rutNode node, const char* field, const char* format, ...)
    RUT_PRINTF(4, 5);
// Report every required field that is missing and every rule of a component's `check` that is
// broken, in the whole tree. Returns the status of the first one.
rutStatus rut_spec_check(const rutSpec* spec);
// Report every file that the world names and may not read; a warning where it is only to be shown.
// Returns the status of the first error.
rutStatus rut_spec_check_files(const rutSpec* spec);

#endif  // RUT_SIM_SPEC_SPEC_H
