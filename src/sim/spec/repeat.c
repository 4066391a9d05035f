// SPDX-License-Identifier: BSD-3-Clause
//
// Nodes that are like others: a hundred thousand robots have the text of one robot read once, and
// hold its numbers once.
#include "sim/spec/repeat.h"

#include <string.h>

#include "sim/spec/nodes.h"
#include "sim/spec/spec.h"
#include "sim/spec/store.h"

static rutNode repeat(rutSpec* spec, rutNode parent, rutNode node, rutError* err) {
  const rutSpecNode* from = rut_spec_node(spec, node);
  const rutNode made = rut_spec_add_type(spec, parent, from->type, rut_node_name(spec, node), err);
  rutSpecNode* to = rut_spec_node(spec, made);
  if (!to) return made;
  from = rut_spec_node(spec, node);  // nodes may have moved
  to->place = from->place;
  rut_spec_share_given(to, from);
  for (rutNode child = rut_node_first(spec, node, NULL); !rut_node_is_null(child);
       child = rut_node_next(spec, child, NULL)) {
    const rutNode copy = repeat(spec, made, child, err);
    if (rut_node_is_null(copy)) return copy;
  }
  return made;
}

rutNode rut_spec_repeat(rutSpec* spec, rutNode parent, rutNode node, rutError* err) {
  const rutNode none = {0, 0};
  if (!rut_spec_node(spec, parent) || !rut_spec_node(spec, node)) {
    rut_error_set(err, RUT_ERR_ARGUMENT, "a node to be repeated, or its parent, was removed");
    return none;
  }
  return repeat(spec, parent, node, err);
}

static bool same_value(const rutField* field, const rutFieldValue* a, const rutFieldValue* b) {
  if (field->type == RUT_TEXT) return strcmp(a->text, b->text) == 0;
  if (field->type != RUT_VECTOR && field->type != RUT_POINTS) {
    // 0 and -0 may give different bits
    // NOLINTNEXTLINE(bugprone-suspicious-memory-comparison,cert-exp42-c,cert-flp37-c)
    return memcmp(&a->number, &b->number, sizeof a->number) == 0;
  }
  const size_t size = (size_t)a->numbers * sizeof *a->list;
  return a->numbers == b->numbers && (size == 0 || memcmp(a->list, b->list, size) == 0);
}

static bool is_among(const char* name, const char* const* list) {
  for (; list && *list; ++list) {
    if (strcmp(name, *list) == 0) return true;
  }
  return false;
}

// Whether all that was given to one, but for some fields, was given to the other as well.
static bool gives_as_well(const rutSpecNode* a, const rutSpecNode* b, const char* const* but) {
  const rutComponent* type = a->type->type;
  for (int i = 0; i < rut_spec_fields(a); ++i) {
    const rutSpecField* one = &a->given->field[i];
    if (!one->given || is_among(type->field[one->field].name, but)) continue;
    const rutSpecField* other = rut_spec_field(b, one->field);
    if (!other || !other->given) return false;
    if (!same_value(&type->field[one->field], &one->value, &other->value)) return false;
  }
  return true;
}

static bool same_text(const char* a, const char* b) { return strcmp(a ? a : "", b ? b : "") == 0; }

static bool is_alike(const rutSpec* spec, const rutSpecNode* a, const rutSpecNode* b, bool top,
                     const char* const* but) {
  if (a->type != b->type || rut_spec_preset(a) != rut_spec_preset(b)) return false;
  if (!top && !same_text(a->name, b->name)) return false;
  if (a->given != b->given && (!gives_as_well(a, b, but) || !gives_as_well(b, a, but))) {
    return false;
  }
  int32_t i = a->first, k = b->first;
  for (; i >= 0 && k >= 0; i = spec->node[i].next, k = spec->node[k].next) {
    if (!is_alike(spec, &spec->node[i], &spec->node[k], false, NULL)) return false;
  }
  return i < 0 && k < 0;
}

const void* rut_node_given(const rutSpec* spec, rutNode node) {
  const rutSpecNode* n = rut_spec_node(spec, node);
  return n ? n->given : NULL;
}

bool rut_node_is_alike(const rutSpec* spec, rutNode a, rutNode b, const char* const* but) {
  const rutSpecNode *one = rut_spec_node(spec, a), *other = rut_spec_node(spec, b);
  return one && other && is_alike(spec, one, other, true, but);
}
