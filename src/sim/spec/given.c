// SPDX-License-Identifier: BSD-3-Clause
//
// What was given to nodes, which nodes that a file repeats share: a hundred thousand robots have
// the text of one robot read once, and hold its numbers once.
#include <string.h>

#include "sim/spec/nodes.h"
#include "sim/spec/repeat.h"
#include "sim/spec/spec.h"
#include "sim/spec/store.h"

static size_t size_of(int capacity) {
  return sizeof(rutSpecGiven) + (size_t)capacity * sizeof(rutSpecField);
}

void rut_spec_drop_given(rutSpec* spec, rutSpecNode* node) {
  rutSpecGiven* given = node->given;
  node->given = NULL;
  if (!given || --given->holders > 0) return;
  for (int i = 0; i < given->fields; ++i) rut_field_free(spec->context, &given->field[i].value);
  rut_context_free(spec->context, given);
}

void rut_spec_share_given(rutSpecNode* node, const rutSpecNode* from) {
  node->given = from->given;
  if (node->given) node->given->holders++;
}

// Copy of a value; false if out of memory.
static bool copy_value(rutContext* context, const rutFieldValue* from, rutFieldValue* to) {
  *to = (rutFieldValue){.number = from->number, .numbers = from->numbers};
  if (from->list) {
    const size_t size = (size_t)from->numbers * sizeof *to->list;
    to->list = rut_context_alloc(context, size, 16);
    if (to->list) memcpy(to->list, from->list, size);
  }
  if (from->text) to->text = rut_copy_text(context, from->text);
  return !to->list == !from->list && !to->text == !from->text;
}

// Copy for one node. NULL if out of memory.
static rutSpecGiven* copy_given(rutSpec* spec, const rutSpecGiven* from, int capacity) {
  rutSpecGiven* to = rut_context_alloc(spec->context, size_of(capacity), 16);
  if (!to) return NULL;
  *to = (rutSpecGiven){.holders = 1,
                       .preset = from->preset,
                       .preset_place = from->preset_place,
                       .capacity = capacity};
  for (int i = 0; i < from->fields; ++i) {
    to->field[i] = from->field[i];
    to->fields++;
    if (copy_value(spec->context, &from->field[i].value, &to->field[i].value)) continue;
    rutSpecNode half = {.given = to};
    rut_spec_drop_given(spec, &half);
    return NULL;
  }
  return to;
}

rutSpecGiven* rut_spec_open_given(rutSpec* spec, rutSpecNode* node, int more) {
  static const rutSpecGiven nothing = {0};
  rutSpecGiven* given = node->given;
  const int wanted = (given ? given->fields : 0) + more;
  if (!given || given->holders > 1) {
    rutSpecGiven* own = copy_given(spec, given ? given : &nothing, wanted > 2 ? wanted : 2);
    if (!own) return NULL;
    rut_spec_drop_given(spec, node);
    node->given = own;
  } else if (wanted > given->capacity) {
    const int capacity = 2 * given->capacity;
    given = rut_context_grow(spec->context, given, size_of(given->fields), size_of(capacity));
    if (!given) return NULL;
    given->capacity = capacity;
    node->given = given;
  }
  return node->given;
}

// ---------------------------------------------------------------------------------------------
// Nodes that repeat others

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
