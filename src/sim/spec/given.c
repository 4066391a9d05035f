// SPDX-License-Identifier: BSD-3-Clause
//
// What was given to nodes, which nodes that a file repeats share until one of them is changed.
#include <string.h>

#include "sim/spec/nodes.h"
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
