// SPDX-License-Identifier: BSD-3-Clause
//
// Copies of specs, node by node.
#include "sim/spec/nodes.h"
#include "sim/spec/spec.h"
#include "sim/spec/store.h"

static rutStatus copy_value(const rutSpec* from, rutNode a, rutSpec* to, rutNode b,
                            const rutField* field, rutError* err) {
  const char* name = field->name;
  int n = 0;
  switch (field->type) {
    case RUT_REAL:
    case RUT_INTEGER:
    case RUT_BOOLEAN:
      return rut_node_set_number(to, b, name, rut_node_number(from, a, name), err);
    case RUT_VECTOR:
    case RUT_POINTS: {
      const double* value = rut_node_numbers(from, a, name, &n);
      return rut_node_set_numbers(to, b, name, n, value, err);
    }
    case RUT_CHOICE:
    case RUT_TEXT:
      break;
  }
  return rut_node_set(to, b, name, rut_node_text(from, a, name), err);
}

static rutStatus copy_fields(const rutSpec* from, rutNode a, rutSpec* to, rutNode b,
                             rutError* err) {
  const rutSpecNode* n = rut_spec_node(from, a);
  const rutComponent* type = n ? n->type->type : NULL;
  rutStatus status = RUT_OK;
  rut_node_place(to, b, NULL, rut_node_place_of(from, a, NULL));
  if (n && n->given && n->given->preset) {
    rut_node_place(to, b, "preset", n->given->preset_place);
    status = rut_node_set(to, b, "preset", n->given->preset->preset->name, err);
  }
  for (int i = 0; type && i < type->fields && status == RUT_OK; i++) {
    const char* name = type->field[i].name;
    const rutSpecField* record = rut_spec_field(n, i);
    if (!record || !record->given) continue;
    status = copy_value(from, a, to, b, &type->field[i], err);
    // afterwards: file names are relative to the working folder already
    rut_node_place(to, b, name, rut_node_place_of(from, a, name));
  }
  return status;
}

static rutStatus copy_children(const rutSpec* from, rutNode a, rutSpec* to, rutNode b,
                               rutError* err) {
  rutStatus status = copy_fields(from, a, to, b, err);
  for (rutNode child = rut_node_first(from, a, NULL); !rut_node_is_null(child) && status == RUT_OK;
       child = rut_node_next(from, child, NULL)) {
    const rutNode copy = rut_spec_add(to, b, rut_node_kind(from, child), rut_node_type(from, child),
                                      rut_node_name(from, child), err);
    if (rut_node_is_null(copy)) return err->status != RUT_OK ? err->status : RUT_ERR_MEMORY;
    status = copy_children(from, child, to, copy, err);
  }
  return status;
}

rutStatus rut_spec_copy(const rutSpec* spec, rutSpec** out, rutError* err) {
  *out = NULL;
  rutSpec* copy = NULL;
  rutError fault = {0};
  rutStatus status =
      rut_spec_create_root(spec->context, rut_node_kind(spec, rut_spec_root(spec)), &copy, &fault);
  if (status == RUT_OK && rut_access_copy(&copy->access, &spec->access) != 0) {
    status = rut_error_set(&fault, RUT_ERR_MEMORY, "out of memory");
  }
  if (status == RUT_OK) {
    status = copy_children(spec, rut_spec_root(spec), copy, rut_spec_root(copy), &fault);
  }
  if (status == RUT_OK) {
    copy->random = spec->random;
    *out = copy;
    return RUT_OK;
  }
  rut_spec_destroy(copy);
  if (err) *err = fault;
  return status;
}
