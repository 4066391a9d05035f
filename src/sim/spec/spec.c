// SPDX-License-Identifier: BSD-3-Clause
//
// Tree of a spec: making and removing nodes, and their names.
#include "sim/spec/spec.h"

#include <string.h>

#include "base/hash.h"
#include "sim/spec/nodes.h"
#include "sim/spec/registry.h"
#include "sim/spec/store.h"

enum {
  MAX_DEPTH = 120,  // of nodes; below that of an XML document, so that what is saved can be read
  NONE = -1,
  REMOVED = -2
};

static const rutNode null_node = {0, 0};

// ---------------------------------------------------------------------------------------------
// Names: no two siblings of one kind share one

static uint32_t name_key(int32_t parent, const char* name, size_t length) {
  uint64_t hash = rut_hash(RUT_HASH_START, &parent, sizeof parent);
  hash = rut_hash(hash, name, length);
  return (uint32_t)(hash ^ (hash >> 32));
}

// Slot of the node of that name, NONE if there is none. *free gets where it would be noted.
static int32_t find_named(const rutSpec* spec, int32_t parent, const char* kind, const char* name,
                          int* free) {
  *free = NONE;
  if (spec->named_capacity == 0) return NONE;
  const unsigned mask = (unsigned)spec->named_capacity - 1;
  for (unsigned i = name_key(parent, name, strlen(name));; ++i) {
    const int at = (int)(i & mask);
    const int32_t slot = spec->named[at];
    if (slot == NONE) {
      if (*free < 0) *free = at;
      return NONE;
    }
    if (slot == REMOVED) {
      if (*free < 0) *free = at;
      continue;
    }
    const rutSpecNode* node = &spec->node[slot];
    if (node->parent == parent && strcmp(node->type->type->kind, kind) == 0 &&
        strcmp(node->name, name) == 0) {
      return slot;
    }
  }
}

// True if one of two siblings stands before the other. Only those of one name are asked about, of
// which there are few.
static bool comes_before(const rutSpec* spec, int32_t slot, int32_t other) {
  for (slot = spec->node[slot].next; slot >= 0; slot = spec->node[slot].next) {
    if (slot == other) return true;
  }
  return false;
}

rutNode rut_spec_child(const rutSpec* spec, rutNode parent, const char* name, size_t length) {
  const int32_t above = parent.index - 1;
  const unsigned mask = (unsigned)spec->named_capacity - 1;
  int32_t found = NONE;
  if (spec->named_capacity == 0 || !rut_spec_node(spec, parent)) return null_node;
  for (unsigned i = name_key(above, name, length); spec->named[i & mask] != NONE; ++i) {
    const int32_t slot = spec->named[i & mask];
    if (slot == REMOVED) continue;
    const rutSpecNode* node = &spec->node[slot];
    if (node->parent != above || strncmp(node->name, name, length) != 0 || node->name[length]) {
      continue;
    }
    if (found < 0 || comes_before(spec, slot, found)) found = slot;
  }
  return rut_spec_handle(spec, found);
}

static void note_name(rutSpec* spec, int32_t slot) {
  const rutSpecNode* node = &spec->node[slot];
  if (!node->name) return;
  int at;
  find_named(spec, node->parent, node->type->type->kind, node->name, &at);
  if (spec->named[at] == NONE) spec->named_used++;
  spec->named[at] = slot;
}

static void forget_name(rutSpec* spec, int32_t slot) {
  if (!spec->node[slot].name || spec->named_capacity == 0) return;
  const rutSpecNode* node = &spec->node[slot];
  const unsigned mask = (unsigned)spec->named_capacity - 1;
  for (unsigned i = name_key(node->parent, node->name, strlen(node->name));; ++i) {
    if (spec->named[i & mask] == NONE) return;
    if (spec->named[i & mask] != slot) continue;
    spec->named[i & mask] = REMOVED;
    return;
  }
}

// Keep half the table empty, so that every search ends soon. False if out of memory.
static bool reserve_name(rutSpec* spec) {
  if (2 * (spec->named_used + 1) <= spec->named_capacity) return true;
  int capacity = 64;
  while (capacity < 4 * (spec->live + 1)) capacity *= 2;
  int32_t* table = rut_context_alloc(spec->context, (size_t)capacity * sizeof *table, 16);
  if (!table) return false;
  for (int i = 0; i < capacity; ++i) table[i] = NONE;
  rut_context_free(spec->context, spec->named);
  spec->named = table;
  spec->named_capacity = capacity;
  spec->named_used = 0;
  for (int32_t slot = 0; slot < spec->slots; ++slot) {
    if (spec->node[slot].type) note_name(spec, slot);
  }
  return true;
}

// Give a node of a kind under a parent a name. The caller has taken an older name away.
static rutStatus check_name(const rutSpec* spec, rutNode at, int32_t parent, const char* kind,
                            const char* name, rutError* err) {
  const size_t length = strlen(name);
  if (length > RUT_SPEC_MAX_NAME) {
    return rut_spec_fail(spec, at, NULL, err, RUT_ERR_PARSE,
                         "name of <%s> is longer than %d bytes: "
                         "'%.40s...'",
                         kind, RUT_SPEC_MAX_NAME, name);
  }
  for (size_t i = 0; i < length; ++i) {
    if ((unsigned char)name[i] < 0x20 || name[i] == 0x7f) {
      return rut_spec_fail(spec, at, NULL, err, RUT_ERR_PARSE,
                           "name of <%s> has a control character", kind);
    }
  }
  int free;
  const int32_t same = find_named(spec, parent, kind, name, &free);
  if (same < 0) return RUT_OK;
  const rutPlace place = spec->node[same].place;
  if (place.line) {
    return rut_spec_fail(spec, at, NULL, err, RUT_ERR_PARSE,
                         "there is another <%s name=\"%.100s\">, at %.200s:%d:%d", kind, name,
                         place.file ? place.file : "", place.line, place.column);
  }
  return rut_spec_fail(spec, at, NULL, err, RUT_ERR_PARSE, "there is another <%s name=\"%.100s\">",
                       kind, name);
}

// ---------------------------------------------------------------------------------------------
// Tree

// Slot for a new node, NONE if out of memory.
static int32_t take_slot(rutSpec* spec) {
  if (spec->free_slot >= 0) {
    const int32_t slot = spec->free_slot;
    spec->free_slot = spec->node[slot].next;
    return slot;
  }
  if (spec->slots == spec->capacity) {
    const int capacity = spec->capacity ? 2 * spec->capacity : 32;
    rutSpecNode* grown =
        rut_context_grow(spec->context, spec->node, (size_t)spec->slots * sizeof *grown,
                         (size_t)capacity * sizeof *grown);
    if (!grown) return NONE;
    spec->node = grown;
    spec->capacity = capacity;
  }
  spec->node[spec->slots] = (rutSpecNode){.generation = 1};
  return spec->slots++;
}

static void link_last(rutSpec* spec, int32_t parent, int32_t slot) {
  rutSpecNode* above = &spec->node[parent];
  spec->node[slot].previous = above->last;
  if (above->last >= 0) {
    spec->node[above->last].next = slot;
  } else {
    above->first = slot;
  }
  above->last = slot;
}

static rutNode new_node(rutSpec* spec, int32_t parent, const rutRegistered* type, const char* name,
                        rutError* err) {
  char* copy = name[0] ? rut_copy_text(spec->context, name) : NULL;
  const bool ready = (copy || !name[0]) && reserve_name(spec);
  const int32_t slot = ready ? take_slot(spec) : NONE;
  if (slot < 0) {
    rut_context_free(spec->context, copy);
    rut_spec_fail_memory(spec, err);
    return null_node;
  }
  spec->node[slot] = (rutSpecNode){
      .type = type,
      .name = copy,
      .parent = parent,
      .first = NONE,
      .last = NONE,
      .previous = NONE,
      .next = NONE,
      .generation = spec->node[slot].generation,
      .depth = parent >= 0 ? spec->node[parent].depth + 1 : 1,
  };
  if (parent >= 0) link_last(spec, parent, slot);
  note_name(spec, slot);
  spec->live++;
  return rut_spec_handle(spec, slot);
}

rutStatus rut_spec_create(rutContext* context, rutSpec** out, rutError* err) {
  return rut_spec_create_root(context, "world", out, err);
}

rutStatus rut_spec_create_root(rutContext* context, const char* kind, rutSpec** out,
                               rutError* err) {
  *out = NULL;
  const rutRegistered* root = rut_registry_find(context, kind, "");
  if (!root || root->type->parents[0]) {
    return rut_error_set(err, RUT_ERR_ARGUMENT, "no file begins with <%.60s>", kind);
  }
  rutSpec* spec = rut_context_alloc(context, sizeof *spec, 16);
  if (!spec) return rut_error_set(err, RUT_ERR_MEMORY, "out of memory");
  // a program that makes a world itself may name what it likes
  const rutAccess access = {.up = &context->access, .any = true};
  *spec = (rutSpec){.context = context, .access = access, .free_slot = NONE};
  if (rut_node_is_null(new_node(spec, NONE, root, "", err))) {
    rut_spec_destroy(spec);
    return RUT_ERR_MEMORY;
  }
  *out = spec;
  return RUT_OK;
}

static void free_content(rutSpec* spec, rutSpecNode* node) {
  rut_spec_drop_given(spec, node);
  rut_context_free(spec->context, node->name);
}

void rut_spec_destroy(rutSpec* spec) {
  if (!spec) return;
  for (int i = 0; i < spec->slots; ++i) {
    if (spec->node[i].type) free_content(spec, &spec->node[i]);
  }
  for (int i = 0; i < spec->files; ++i) rut_context_free(spec->context, spec->file[i]);
  rut_access_free(&spec->access);
  rut_context_free(spec->context, spec->file);
  rut_context_free(spec->context, spec->node);
  rut_context_free(spec->context, spec->named);
  rut_context_free(spec->context, spec);
}

// Field of that name of a node's component, for hints.
static bool is_field(const rutComponent* type, const char* name) {
  for (int i = 0; i < type->fields; ++i) {
    if (strcmp(type->field[i].name, name) == 0) return true;
  }
  return strcmp(name, "name") == 0;
}

static rutStatus unknown_kind(const rutSpec* spec, rutNode parent, const rutComponent* above,
                              const char* kind, rutError* err) {
  char element[RUT_ELEMENT_TEXT];
  rut_node_element(spec, parent, element);
  if (is_field(above, kind)) {
    return rut_spec_fail(
        spec, parent, NULL, err, RUT_ERR_PARSE,
        "unknown element <%.60s> in %s; '%.60s' is an attribute: write <%s %.60s=\"...\">", kind,
        element, kind, above->kind, kind);
  }
  const char* nearest = rut_registry_suggest_kind(spec->context, kind, above->kind);
  const char* attribute = nearest ? NULL : rut_spec_suggest_field(above, kind);
  if (attribute) {
    return rut_spec_fail(spec, parent, NULL, err, RUT_ERR_PARSE,
                         "unknown element <%.60s> in %s; did you mean the attribute '%s'?", kind,
                         element, attribute);
  }
  if (!nearest) nearest = rut_registry_suggest_kind(spec->context, kind, NULL);
  if (nearest) {
    return rut_spec_fail(spec, parent, NULL, err, RUT_ERR_PARSE,
                         "unknown element <%.60s> in %s; did you mean <%s>?", kind, element,
                         nearest);
  }
  return rut_spec_fail(spec, parent, NULL, err, RUT_ERR_PARSE, "unknown element <%.60s> in %s",
                       kind, element);
}

static rutStatus unknown_type(const rutSpec* spec, rutNode parent, const char* kind,
                              const char* type, bool typed, rutError* err) {
  char all[256];
  rut_registry_list_types(spec->context, kind, all, sizeof all);
  if (!type[0]) {
    return rut_spec_fail(spec, parent, NULL, err, RUT_ERR_PARSE, "<%s> needs a type, one of: %s",
                         kind, all);
  }
  if (!typed) {
    return rut_spec_fail(spec, parent, NULL, err, RUT_ERR_PARSE,
                         "<%s> has no types: leave type=\"%.60s\" out", kind, type);
  }
  const char* nearest = rut_registry_suggest_type(spec->context, kind, type);
  if (nearest) {
    return rut_spec_fail(spec, parent, NULL, err, RUT_ERR_PARSE,
                         "unknown type '%.60s' of <%s>; did you mean '%s'?", type, kind, nearest);
  }
  return rut_spec_fail(spec, parent, NULL, err, RUT_ERR_PARSE,
                       "unknown type '%.60s' of <%s>; it must be one of: %s", type, kind, all);
}

static rutStatus check_parent(const rutSpec* spec, rutNode parent, const rutSpecNode* above,
                              const rutComponent* type, rutError* err) {
  if (!rut_component_fits(type, above->type->type->kind)) {
    char element[RUT_ELEMENT_TEXT];
    rut_node_element(spec, parent, element);
    return rut_spec_fail(spec, parent, NULL, err, RUT_ERR_PARSE,
                         type->parents[0] ? "<%s> cannot stand in %s; it belongs in: %s"
                                          : "<%s> cannot stand in %s%s",
                         type->kind, element, type->parents);
  }
  if (above->depth >= MAX_DEPTH) {
    return rut_spec_fail(spec, parent, NULL, err, RUT_ERR_CAPACITY,
                         "elements are nested more than %d deep", MAX_DEPTH);
  }
  if (spec->live >= RUT_SPEC_MAX_NODES) {
    return rut_spec_fail(spec, parent, NULL, err, RUT_ERR_CAPACITY,
                         "there are more than %d elements", RUT_SPEC_MAX_NODES);
  }
  return RUT_OK;
}

rutNode rut_spec_add_type(rutSpec* spec, rutNode parent, const rutRegistered* type,
                          const char* name, rutError* err) {
  if (check_parent(spec, parent, rut_spec_node(spec, parent), type->type, err) != RUT_OK ||
      check_name(spec, parent, parent.index - 1, type->type->kind, name, err) != RUT_OK) {
    return null_node;
  }
  return new_node(spec, parent.index - 1, type, name, err);
}

rutNode rut_spec_add(rutSpec* spec, rutNode parent, const char* kind, const char* type,
                     const char* name, rutError* err) {
  const rutSpecNode* above = rut_spec_node(spec, parent);
  if (!above) {
    rut_error_set(err, RUT_ERR_ARGUMENT, "parent of a new <%.60s> is null or was removed", kind);
    return null_node;
  }
  const rutRegistered* found = rut_registry_find(spec->context, kind, type);
  if (!found) {
    bool typed;
    if (rut_registry_has_kind(spec->context, kind, &typed)) {
      unknown_type(spec, parent, kind, type, typed, err);
    } else {
      unknown_kind(spec, parent, above->type->type, kind, err);
    }
    return null_node;
  }
  return rut_spec_add_type(spec, parent, found, name, err);
}

// Free one node that has no children any more.
static void drop(rutSpec* spec, int32_t slot) {
  forget_name(spec, slot);
  rutSpecNode* node = &spec->node[slot];
  free_content(spec, node);
  const uint32_t generation = node->generation + 1;
  *node = (rutSpecNode){.generation = generation ? generation : 1, .next = spec->free_slot};
  spec->free_slot = slot;
  spec->live--;
}

void rut_spec_remove(rutSpec* spec, rutNode node) {
  rutSpecNode* top = rut_spec_node(spec, node);
  if (!top || top->parent < 0) return;
  if (top->previous >= 0) {
    spec->node[top->previous].next = top->next;
  } else {
    spec->node[top->parent].first = top->next;
  }
  if (top->next >= 0) {
    spec->node[top->next].previous = top->previous;
  } else {
    spec->node[top->parent].last = top->previous;
  }
  // leaves first, without recursion
  const int32_t end = node.index - 1;
  for (int32_t slot = end;;) {
    const int32_t child = spec->node[slot].first;
    if (child >= 0) {
      slot = child;
      continue;
    }
    const int32_t parent = spec->node[slot].parent, next = spec->node[slot].next;
    drop(spec, slot);
    if (slot == end) return;
    spec->node[parent].first = next;
    slot = next >= 0 ? next : parent;
  }
}

rutStatus rut_spec_rename(rutSpec* spec, rutNode node, const char* name, rutError* err) {
  rutSpecNode* n = rut_spec_node(spec, node);
  if (strcmp(rut_node_name(spec, node), name) == 0) return RUT_OK;
  const rutStatus status = check_name(spec, node, n->parent, n->type->type->kind, name, err);
  if (status != RUT_OK) return status;
  char* copy = name[0] ? rut_copy_text(spec->context, name) : NULL;
  if ((name[0] && !copy) || !reserve_name(spec)) {
    rut_context_free(spec->context, copy);
    return rut_spec_fail_memory(spec, err);
  }
  forget_name(spec, node.index - 1);
  rut_context_free(spec->context, n->name);
  n->name = copy;
  note_name(spec, node.index - 1);
  return RUT_OK;
}
