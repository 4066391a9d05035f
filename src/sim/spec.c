// SPDX-License-Identifier: BSD-3-Clause
#include "sim/spec.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/hash.h"
#include "base/suggest.h"
#include "math/rut_math.h"
#include "sim/spec_nodes.h"

enum {
  MAX_DEPTH = 120,  // of nodes; below that of an XML document, so that what is saved can be read
  MAX_FILES = 100000,
  MAX_KNOWN = 256,  // names looked through for a suggestion
  NONE = -1,
  REMOVED = -2
};

static const rutNode null_node = {0, 0};

// ---------------------------------------------------------------------------------------------
// Handles

rutSpecNode* rut_spec_node(const rutSpec* spec, rutNode node) {
  if (node.index < 1 || node.index > spec->slots) return NULL;
  rutSpecNode* found = &spec->node[node.index - 1];
  return found->type && found->generation == node.generation ? found : NULL;
}

static rutNode handle(const rutSpec* spec, int32_t slot) {
  if (slot < 0) return null_node;
  return (rutNode){slot + 1, spec->node[slot].generation};
}

bool rut_node_is_null(rutNode node) { return node.index == 0; }
bool rut_node_equal(rutNode a, rutNode b) {
  return a.index == b.index && a.generation == b.generation;
}
rutNode rut_spec_root(const rutSpec* spec) { return handle(spec, 0); }
rutContext* rut_spec_context(const rutSpec* spec) { return spec->context; }
int rut_spec_size(const rutSpec* spec) { return spec->live; }

const char* rut_node_kind(const rutSpec* spec, rutNode node) {
  const rutSpecNode* n = rut_spec_node(spec, node);
  return n ? n->type->type->kind : "";
}

const char* rut_node_type(const rutSpec* spec, rutNode node) {
  const rutSpecNode* n = rut_spec_node(spec, node);
  return n ? n->type->type->name : "";
}

const char* rut_node_name(const rutSpec* spec, rutNode node) {
  const rutSpecNode* n = rut_spec_node(spec, node);
  return n && n->name ? n->name : "";
}

const rutComponent* rut_node_component(const rutSpec* spec, rutNode node) {
  const rutSpecNode* n = rut_spec_node(spec, node);
  return n ? n->type->type : NULL;
}

rutNode rut_node_parent(const rutSpec* spec, rutNode node) {
  const rutSpecNode* n = rut_spec_node(spec, node);
  return n ? handle(spec, n->parent) : null_node;
}

// First of a chain of siblings that has the kind.
static rutNode first_of_kind(const rutSpec* spec, int32_t slot, const char* kind) {
  while (slot >= 0 && kind && strcmp(spec->node[slot].type->type->kind, kind) != 0) {
    slot = spec->node[slot].next;
  }
  return handle(spec, slot);
}

rutNode rut_node_first(const rutSpec* spec, rutNode parent, const char* kind) {
  const rutSpecNode* n = rut_spec_node(spec, parent);
  return n ? first_of_kind(spec, n->first, kind) : null_node;
}

rutNode rut_node_next(const rutSpec* spec, rutNode node, const char* kind) {
  const rutSpecNode* n = rut_spec_node(spec, node);
  return n ? first_of_kind(spec, n->next, kind) : null_node;
}

int rut_node_count(const rutSpec* spec, rutNode parent, const char* kind) {
  int n = 0;
  for (rutNode node = rut_node_first(spec, parent, kind); !rut_node_is_null(node);
       node = rut_node_next(spec, node, kind)) {
    n++;
  }
  return n;
}

// ---------------------------------------------------------------------------------------------
// Messages

void rut_node_element(const rutSpec* spec, rutNode node, char text[RUT_ELEMENT_TEXT]) {
  const char* type = rut_node_type(spec, node);
  const char* name = rut_node_name(spec, node);
  const char* kind = rut_node_kind(spec, node);
  char attribute[72] = "";
  if (name[0]) {
    snprintf(attribute, sizeof attribute, " name=\"%.60s\"", name);
  } else if (type[0]) {
    snprintf(attribute, sizeof attribute, " type=\"%.60s\"", type);
  }
  snprintf(text, RUT_ELEMENT_TEXT, "<%.20s%s>", kind, attribute);
}

static rutPlace place_of(const rutSpec* spec, rutNode node, const char* field) {
  rutPlace place = rut_node_place_of(spec, node, field);
  if (!place.line && field) place = rut_node_place_of(spec, node, NULL);
  return place;
}

rutStatus rut_node_error(const rutSpec* spec, rutNode node, const char* field, rutStatus status,
                         const char* hint, const char* format, ...) {
  char message[512], element[RUT_ELEMENT_TEXT];
  va_list args;
  va_start(args, format);
  vsnprintf(message, sizeof message, format, args);
  va_end(args);
  rut_node_element(spec, node, element);
  return rut_report_error(&spec->context->reporter, status, place_of(spec, node, field), element,
                          hint, "%s", message);
}

void rut_node_warning(const rutSpec* spec, rutNode node, const char* field, const char* format,
                      ...) {
  char message[512], element[RUT_ELEMENT_TEXT];
  va_list args;
  va_start(args, format);
  vsnprintf(message, sizeof message, format, args);
  va_end(args);
  rut_node_element(spec, node, element);
  rut_report_warning(&spec->context->reporter, place_of(spec, node, field), element, "%s", message);
}

// Fill the caller's error about a node; the report is left to whoever called the public function.
static rutStatus fail(const rutSpec* spec, rutNode node, const char* field, rutError* err,
                      rutStatus status, const char* format, ...) RUT_PRINTF(6, 7);
static rutStatus fail(const rutSpec* spec, rutNode node, const char* field, rutError* err,
                      rutStatus status, const char* format, ...) {
  if (!err) return status;
  memset(err, 0, sizeof *err);
  err->status = status;
  const rutPlace place = place_of(spec, node, field);
  err->line = place.line;
  err->column = place.column;
  snprintf(err->file, sizeof err->file, "%s", place.file ? place.file : "");
  if (rut_spec_node(spec, node)) rut_node_element(spec, node, err->element);
  va_list args;
  va_start(args, format);
  vsnprintf(err->message, sizeof err->message, format, args);
  va_end(args);
  return status;
}

static rutStatus fail_memory(const rutSpec* spec, rutError* err) {
  return fail(spec, null_node, NULL, err, RUT_ERR_MEMORY, "out of memory");
}

// ---------------------------------------------------------------------------------------------
// Names: no two siblings of one kind share one

static uint32_t name_key(int32_t parent, const char* kind, const char* name) {
  uint64_t hash = rut_hash(RUT_HASH_START, &parent, sizeof parent);
  hash = rut_hash(hash, kind, strlen(kind) + 1);
  hash = rut_hash(hash, name, strlen(name));
  return (uint32_t)(hash ^ (hash >> 32));
}

// Slot of the node of that name, NONE if there is none. *free gets where it would be noted.
static int32_t find_named(const rutSpec* spec, int32_t parent, const char* kind, const char* name,
                          int* free) {
  *free = NONE;
  if (spec->named_capacity == 0) return NONE;
  const unsigned mask = (unsigned)spec->named_capacity - 1;
  for (unsigned i = name_key(parent, kind, name);; ++i) {
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
  for (unsigned i = name_key(node->parent, node->type->type->kind, node->name);; ++i) {
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
    return fail(spec, at, NULL, err, RUT_ERR_PARSE,
                "name of <%s> is longer than %d bytes: "
                "'%.40s...'",
                kind, RUT_SPEC_MAX_NAME, name);
  }
  for (size_t i = 0; i < length; ++i) {
    if ((unsigned char)name[i] < 0x20 || name[i] == 0x7f) {
      return fail(spec, at, NULL, err, RUT_ERR_PARSE, "name of <%s> has a control character", kind);
    }
  }
  int free;
  const int32_t same = find_named(spec, parent, kind, name, &free);
  if (same < 0) return RUT_OK;
  const rutPlace place = spec->node[same].place;
  if (place.line) {
    return fail(spec, at, NULL, err, RUT_ERR_PARSE,
                "there is another <%s name=\"%.100s\">, at %.200s:%d:%d", kind, name,
                place.file ? place.file : "", place.line, place.column);
  }
  return fail(spec, at, NULL, err, RUT_ERR_PARSE, "there is another <%s name=\"%.100s\">", kind,
              name);
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
    fail_memory(spec, err);
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
  return handle(spec, slot);
}

rutStatus rut_spec_create(rutContext* context, rutSpec** out, rutError* err) {
  *out = NULL;
  const rutRegistered* world = rut_registry_find(context, "world", "");
  if (!world) return rut_error_set(err, RUT_ERR_MODEL, "there is no element 'world'");
  rutSpec* spec = rut_context_alloc(context, sizeof *spec, 16);
  if (!spec) return rut_error_set(err, RUT_ERR_MEMORY, "out of memory");
  *spec = (rutSpec){.context = context, .free_slot = NONE};
  if (rut_node_is_null(new_node(spec, NONE, world, "", err))) {
    rut_spec_destroy(spec);
    return RUT_ERR_MEMORY;
  }
  *out = spec;
  return RUT_OK;
}

static void free_content(rutSpec* spec, rutSpecNode* node) {
  for (int i = 0; i < node->fields; ++i) rut_field_free(spec->context, &node->field[i].value);
  rut_context_free(spec->context, node->field);
  rut_context_free(spec->context, node->name);
}

void rut_spec_destroy(rutSpec* spec) {
  if (!spec) return;
  for (int i = 0; i < spec->slots; ++i) {
    if (spec->node[i].type) free_content(spec, &spec->node[i]);
  }
  for (int i = 0; i < spec->files; ++i) rut_context_free(spec->context, spec->file[i]);
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

// Field of a component whose name is nearest to a misspelt one, NULL if none is near.
static const char* suggest_field(const rutComponent* type, const char* name) {
  const char* known[MAX_KNOWN];
  size_t n = 0;
  known[n++] = "name";
  for (int i = 0; i < type->fields && n < MAX_KNOWN; ++i) known[n++] = type->field[i].name;
  return rut_suggest(name, known, n);
}

static rutStatus unknown_kind(const rutSpec* spec, rutNode parent, const rutComponent* above,
                              const char* kind, rutError* err) {
  char element[RUT_ELEMENT_TEXT];
  rut_node_element(spec, parent, element);
  if (is_field(above, kind)) {
    return fail(spec, parent, NULL, err, RUT_ERR_PARSE,
                "unknown element <%.60s> in %s; '%.60s' is an attribute: write <%s %.60s=\"...\">",
                kind, element, kind, above->kind, kind);
  }
  const char* nearest = rut_registry_suggest_kind(spec->context, kind, above->kind);
  const char* attribute = nearest ? NULL : suggest_field(above, kind);
  if (attribute) {
    return fail(spec, parent, NULL, err, RUT_ERR_PARSE,
                "unknown element <%.60s> in %s; did you mean the attribute '%s'?", kind, element,
                attribute);
  }
  if (!nearest) nearest = rut_registry_suggest_kind(spec->context, kind, NULL);
  if (nearest) {
    return fail(spec, parent, NULL, err, RUT_ERR_PARSE,
                "unknown element <%.60s> in %s; did you mean <%s>?", kind, element, nearest);
  }
  return fail(spec, parent, NULL, err, RUT_ERR_PARSE, "unknown element <%.60s> in %s", kind,
              element);
}

static rutStatus unknown_type(const rutSpec* spec, rutNode parent, const char* kind,
                              const char* type, bool typed, rutError* err) {
  char all[256];
  rut_registry_list_types(spec->context, kind, all, sizeof all);
  if (!type[0]) {
    return fail(spec, parent, NULL, err, RUT_ERR_PARSE, "<%s> needs a type, one of: %s", kind, all);
  }
  if (!typed) {
    return fail(spec, parent, NULL, err, RUT_ERR_PARSE, "<%s> has no types, '%.60s' is too much",
                kind, type);
  }
  const char* nearest = rut_registry_suggest_type(spec->context, kind, type);
  if (nearest) {
    return fail(spec, parent, NULL, err, RUT_ERR_PARSE,
                "unknown type '%.60s' of <%s>; did you mean '%s'?", type, kind, nearest);
  }
  return fail(spec, parent, NULL, err, RUT_ERR_PARSE,
              "unknown type '%.60s' of <%s>; it must be one of: %s", type, kind, all);
}

static rutStatus check_parent(const rutSpec* spec, rutNode parent, const rutSpecNode* above,
                              const rutComponent* type, rutError* err) {
  char element[RUT_ELEMENT_TEXT];
  rut_node_element(spec, parent, element);
  if (!rut_component_fits(type, above->type->type->kind)) {
    return fail(spec, parent, NULL, err, RUT_ERR_PARSE,
                type->parents[0] ? "<%s> cannot stand in %s; it belongs in: %s"
                                 : "<%s> cannot stand in %s%s",
                type->kind, element, type->parents);
  }
  if (above->depth >= MAX_DEPTH) {
    return fail(spec, parent, NULL, err, RUT_ERR_CAPACITY, "elements are nested more than %d deep",
                MAX_DEPTH);
  }
  if (spec->live >= RUT_SPEC_MAX_NODES) {
    return fail(spec, parent, NULL, err, RUT_ERR_CAPACITY, "there are more than %d elements",
                RUT_SPEC_MAX_NODES);
  }
  return RUT_OK;
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
  if (check_parent(spec, parent, above, found->type, err) != RUT_OK ||
      check_name(spec, parent, parent.index - 1, kind, name, err) != RUT_OK) {
    return null_node;
  }
  return new_node(spec, parent.index - 1, found, name, err);
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

// ---------------------------------------------------------------------------------------------
// Paths

// Longest name of a child that begins a path and ends there or at a slash.
static rutNode child_by_name(const rutSpec* spec, rutNode parent, const char* path, size_t* used) {
  rutNode best = null_node;
  *used = 0;
  for (rutNode node = rut_node_first(spec, parent, NULL); !rut_node_is_null(node);
       node = rut_node_next(spec, node, NULL)) {
    const char* name = rut_node_name(spec, node);
    const size_t n = strlen(name);
    if (n > *used && strncmp(path, name, n) == 0 && (path[n] == '/' || path[n] == '\0')) {
      best = node;
      *used = n;
    }
  }
  return best;
}

// Child by "kind[index]", or by "kind" if there is one only.
static rutNode child_by_kind(const rutSpec* spec, rutNode parent, const char* path, size_t n) {
  char kind[64];
  const size_t length = strcspn(path, "[/");
  if (length == 0 || length >= sizeof kind || length > n) return null_node;
  snprintf(kind, sizeof kind, "%.*s", (int)length, path);
  if (length == n) {
    return rut_node_count(spec, parent, kind) == 1 ? rut_node_first(spec, parent, kind) : null_node;
  }
  int index = 0;
  const char* p = path + length + 1;
  if (*p < '0' || *p > '9') return null_node;
  for (; *p >= '0' && *p <= '9' && index < RUT_SPEC_MAX_NODES; ++p) index = 10 * index + (*p - '0');
  if (*p != ']' || (size_t)(p + 1 - path) != n) return null_node;
  rutNode node = rut_node_first(spec, parent, kind);
  for (; index > 0 && !rut_node_is_null(node); --index) node = rut_node_next(spec, node, kind);
  return node;
}

// Walk a path as far as it leads. *rest gets what could not be followed, "" if all could.
static rutNode walk(const rutSpec* spec, const char* path, const char** rest) {
  rutNode node = rut_spec_root(spec);
  // the root may be called by its kind
  const char* kind = rut_node_kind(spec, node);
  if (strcmp(path, kind) == 0 && rut_node_is_null(rut_node_first(spec, node, kind))) path = "";
  while (*path == '/') ++path;
  while (*path) {
    size_t used;
    rutNode child = child_by_name(spec, node, path, &used);
    if (rut_node_is_null(child)) {
      used = strcspn(path, "/");
      child = child_by_kind(spec, node, path, used);
    }
    if (rut_node_is_null(child)) break;
    node = child;
    path += used;
    while (*path == '/') ++path;
  }
  *rest = path;
  return node;
}

rutNode rut_spec_find(const rutSpec* spec, const char* path) {
  const char* rest;
  const rutNode node = walk(spec, path, &rest);
  return *rest ? null_node : node;
}

static rutStatus unknown_path(const rutSpec* spec, const char* path, rutError* err) {
  const char* rest;
  const rutNode node = walk(spec, path, &rest);
  char element[RUT_ELEMENT_TEXT], word[64];
  rut_node_element(spec, node, element);
  snprintf(word, sizeof word, "%.*s", (int)strcspn(rest, "/["), rest);
  const char* known[MAX_KNOWN];
  size_t n = 0;
  for (rutNode child = rut_node_first(spec, node, NULL); !rut_node_is_null(child) && n < MAX_KNOWN;
       child = rut_node_next(spec, child, NULL)) {
    const char* name = rut_node_name(spec, child);
    known[n++] = name[0] ? name : rut_node_kind(spec, child);
  }
  const char* nearest = rut_suggest(word, known, n);
  return fail(spec, null_node, NULL, err, RUT_ERR_ARGUMENT,
              nearest ? "there is no '%.100s' in %s; did you mean '%.100s'?"
                      : "there is no '%.100s' in %s%s",
              rest, element, nearest ? nearest : "");
}

// ---------------------------------------------------------------------------------------------
// Places

// The spec's own copy of a file name, NULL if out of memory.
static const char* keep_file(rutSpec* spec, const char* file) {
  for (int i = spec->files - 1; i >= 0; --i) {
    if (strcmp(spec->file[i], file) == 0) return spec->file[i];
  }
  if (spec->files == MAX_FILES) return NULL;
  if (spec->files == spec->file_capacity) {
    const int capacity = spec->file_capacity ? 2 * spec->file_capacity : 4;
    char** grown = rut_context_grow(spec->context, spec->file, (size_t)spec->files * sizeof *grown,
                                    (size_t)capacity * sizeof *grown);
    if (!grown) return NULL;
    spec->file = grown;
    spec->file_capacity = capacity;
  }
  char* copy = rut_copy_text(spec->context, file);
  if (copy) spec->file[spec->files++] = copy;
  return copy;
}

int rut_node_field(const rutSpec* spec, rutNode node, const char* field) {
  const rutComponent* type = rut_node_component(spec, node);
  for (int i = 0; type && i < type->fields; ++i) {
    if (strcmp(type->field[i].name, field) == 0) return i;
  }
  return -1;
}

rutSpecField* rut_spec_field(const rutSpecNode* node, int field) {
  for (int i = 0; i < node->fields; ++i) {
    if (node->field[i].field == field) return &node->field[i];
  }
  return NULL;
}

// Record of a field, made if there is none. NULL if out of memory.
static rutSpecField* open_field(rutSpec* spec, rutSpecNode* node, int field) {
  rutSpecField* found = rut_spec_field(node, field);
  if (found) return found;
  if (node->fields == node->capacity) {
    const int capacity = node->capacity ? 2 * node->capacity : 4;
    rutSpecField* grown =
        rut_context_grow(spec->context, node->field, (size_t)node->fields * sizeof *grown,
                         (size_t)capacity * sizeof *grown);
    if (!grown) return NULL;
    node->field = grown;
    node->capacity = capacity;
  }
  node->field[node->fields] = (rutSpecField){.field = field};
  return &node->field[node->fields++];
}

void rut_node_place(rutSpec* spec, rutNode node, const char* field, rutPlace place) {
  rutSpecNode* n = rut_spec_node(spec, node);
  if (!n) return;
  place.file = place.file ? keep_file(spec, place.file) : NULL;
  if (!field) {
    n->place = place;
    return;
  }
  const int index = rut_node_field(spec, node, field);
  rutSpecField* record = index >= 0 ? open_field(spec, n, index) : NULL;
  if (record) record->place = place;
}

rutPlace rut_node_place_of(const rutSpec* spec, rutNode node, const char* field) {
  const rutPlace unknown = {NULL, 0, 0};
  const rutSpecNode* n = rut_spec_node(spec, node);
  if (!n) return unknown;
  if (!field) return n->place;
  const int index = rut_node_field(spec, node, field);
  const rutSpecField* record = index >= 0 ? rut_spec_field(n, index) : NULL;
  return record ? record->place : unknown;
}

// ---------------------------------------------------------------------------------------------
// Setting fields

static rutStatus unknown_field(const rutSpec* spec, rutNode node, const rutComponent* type,
                               const char* field, rutError* err) {
  char element[RUT_ELEMENT_TEXT];
  rut_node_element(spec, node, element);
  bool typed;
  if (rut_registry_has_kind(spec->context, field, &typed) &&
      rut_registry_suggest_kind(spec->context, field, type->kind)) {
    return fail(spec, node, NULL, err, RUT_ERR_PARSE,
                "%s has no field '%.60s'; it is an element: write <%.60s .../> inside", element,
                field, field);
  }
  const char* nearest = suggest_field(type, field);
  return fail(spec, node, NULL, err, RUT_ERR_PARSE,
              nearest ? "%s has no field '%.60s'; did you mean '%s'?" : "%s has no field '%.60s'%s",
              element, field, nearest ? nearest : "");
}

static rutStatus rename_node(rutSpec* spec, rutNode node, rutSpecNode* n, const char* name,
                             rutError* err) {
  if (strcmp(rut_node_name(spec, node), name) == 0) return RUT_OK;
  const rutStatus status = check_name(spec, node, n->parent, n->type->type->kind, name, err);
  if (status != RUT_OK) return status;
  char* copy = name[0] ? rut_copy_text(spec->context, name) : NULL;
  if ((name[0] && !copy) || !reserve_name(spec)) {
    rut_context_free(spec->context, copy);
    return fail_memory(spec, err);
  }
  forget_name(spec, node.index - 1);
  rut_context_free(spec->context, n->name);
  n->name = copy;
  note_name(spec, node.index - 1);
  return RUT_OK;
}

// Text of a field as stored: file names are seen from the file in which they stand.
static rutStatus parse_field(rutSpec* spec, const rutField* field, const rutSpecField* record,
                             const char* text, rutFieldValue* value,
                             char message[RUT_FIELD_MESSAGE]) {
  if (field->type != RUT_TEXT || strcmp(field->unit, "file") != 0 || !record->place.file) {
    return rut_field_parse(spec->context, field, text, value, message);
  }
  char* name = rut_field_resolve(spec->context, text, record->place.file);
  if (!name) {
    snprintf(message, RUT_FIELD_MESSAGE, "does not fit into memory");
    return RUT_ERR_MEMORY;
  }
  rut_context_free(spec->context, value->text);
  value->text = name;
  return RUT_OK;
}

// Find the record that a setter fills, NULL with err filled if there cannot be one.
static rutSpecField* settable(rutSpec* spec, rutNode node, const char* field, const rutField** row,
                              rutError* err, rutStatus* status) {
  rutSpecNode* n = rut_spec_node(spec, node);
  if (!n) {
    *status = rut_error_set(err, RUT_ERR_ARGUMENT, "the node of field '%.60s' was removed", field);
    return NULL;
  }
  const int index = rut_node_field(spec, node, field);
  if (index < 0) {
    *status = unknown_field(spec, node, n->type->type, field, err);
    return NULL;
  }
  *row = &n->type->type->field[index];
  rutSpecField* record = open_field(spec, n, index);
  if (!record) *status = fail_memory(spec, err);
  return record;
}

rutStatus rut_node_set(rutSpec* spec, rutNode node, const char* field, const char* text,
                       rutError* err) {
  rutSpecNode* n = rut_spec_node(spec, node);
  if (n && strcmp(field, "name") == 0) return rename_node(spec, node, n, text, err);
  rutStatus status = RUT_OK;
  const rutField* row = NULL;
  rutSpecField* record = settable(spec, node, field, &row, err, &status);
  if (!record) return status;
  char message[RUT_FIELD_MESSAGE];
  status = parse_field(spec, row, record, text, &record->value, message);
  if (status != RUT_OK) {
    return fail(spec, node, field, err, status, "'%s' %s", row->name, message);
  }
  record->given = true;
  return RUT_OK;
}

rutStatus rut_node_set_numbers(rutSpec* spec, rutNode node, const char* field, int n,
                               const double* value, rutError* err) {
  rutStatus status = RUT_OK;
  const rutField* row = NULL;
  rutSpecField* record = settable(spec, node, field, &row, err, &status);
  if (!record) return status;
  char message[RUT_FIELD_MESSAGE];
  status = rut_field_take(spec->context, row, n, value, &record->value, message);
  if (status != RUT_OK) {
    return fail(spec, node, field, err, status, "'%s' %s", row->name, message);
  }
  record->given = true;
  return RUT_OK;
}

rutStatus rut_node_set_number(rutSpec* spec, rutNode node, const char* field, double value,
                              rutError* err) {
  return rut_node_set_numbers(spec, node, field, 1, &value, err);
}

rutStatus rut_spec_set(rutSpec* spec, const char* path, const char* text, rutError* err) {
  const char* slash = strrchr(path, '/');
  const char* dot = strrchr(slash ? slash : path, '.');
  // a field of the root stands without a dot
  const char* field = dot ? dot + 1 : path;
  const size_t length = dot ? (size_t)(dot - path) : 0;
  char node_path[1024];
  if (length >= sizeof node_path) {
    return rut_error_set(err, RUT_ERR_ARGUMENT, "path '%.60s...' is too long", path);
  }
  snprintf(node_path, sizeof node_path, "%.*s", (int)length, path);
  if (!dot && slash) {
    return rut_error_set(err, RUT_ERR_ARGUMENT, "path '%.200s' names no field: write NODE.FIELD",
                         path);
  }
  const rutNode node = rut_spec_find(spec, node_path);
  if (rut_node_is_null(node)) return unknown_path(spec, node_path, err);
  // a caller's file name is seen from where the caller runs, not from the file that gave the field
  const rutPlace nowhere = {NULL, 0, 0};
  if (rut_node_field(spec, node, field) >= 0) rut_node_place(spec, node, field, nowhere);
  return rut_node_set(spec, node, field, text, err);
}

// ---------------------------------------------------------------------------------------------
// Reading fields

// Record of a field that was given, else NULL; *row and *info get what the type says, NULL if
// there is no such field.
static const rutSpecField* given_field(const rutSpec* spec, rutNode node, const char* field,
                                       const rutField** row, const rutFieldInfo** info) {
  *row = NULL;
  *info = NULL;
  const rutSpecNode* n = rut_spec_node(spec, node);
  const int index = n ? rut_node_field(spec, node, field) : -1;
  if (index < 0) return NULL;
  *row = &n->type->type->field[index];
  *info = &n->type->field[index];
  const rutSpecField* record = rut_spec_field(n, index);
  return record && record->given ? record : NULL;
}

static bool is_scalar(const rutField* row) {
  return row->type == RUT_REAL || row->type == RUT_INTEGER || row->type == RUT_BOOLEAN ||
         row->type == RUT_CHOICE;
}

bool rut_node_has(const rutSpec* spec, rutNode node, const char* field) {
  const rutField* row;
  const rutFieldInfo* info;
  if (strcmp(field, "name") == 0) return rut_node_name(spec, node)[0] != '\0';
  return given_field(spec, node, field, &row, &info) != NULL;
}

double rut_node_number(const rutSpec* spec, rutNode node, const char* field) {
  const rutField* row;
  const rutFieldInfo* info;
  const rutSpecField* record = given_field(spec, node, field, &row, &info);
  if (!row || !is_scalar(row)) return RUT_NAN;
  return record ? record->value.number : row->def;
}

const double* rut_node_numbers(const rutSpec* spec, rutNode node, const char* field, int* n) {
  const rutField* row;
  const rutFieldInfo* info;
  const rutSpecField* record = given_field(spec, node, field, &row, &info);
  *n = 0;
  if (!row || row->type == RUT_TEXT) return NULL;
  if (is_scalar(row)) {
    *n = 1;
    return record ? &record->value.number : &row->def;
  }
  *n = record ? record->value.numbers : info->numbers;
  return record ? record->value.list : info->number;
}

const char* rut_node_text(const rutSpec* spec, rutNode node, const char* field) {
  const rutField* row;
  const rutFieldInfo* info;
  const rutSpecField* record = given_field(spec, node, field, &row, &info);
  if (!row) return strcmp(field, "name") == 0 ? rut_node_name(spec, node) : "";
  if (row->type == RUT_TEXT) return record ? record->value.text : row->text;
  if (row->type != RUT_CHOICE) return "";
  const char* word = info->word;
  for (int i = (int)(record ? record->value.number : row->def); i > 0; --i) {
    word += strlen(word) + 1;
  }
  return word;
}

int rut_node_params(const rutSpec* spec, rutNode node, int capacity, double* param) {
  const rutSpecNode* n = rut_spec_node(spec, node);
  if (!n) return 0;
  const rutComponent* type = n->type->type;
  int used = type->fields;
  for (int i = 0; i < type->fields; ++i) {
    const rutField* field = &type->field[i];
    if (i < capacity) param[i] = is_scalar(field) ? field->def : RUT_NAN;
    if (field->type != RUT_VECTOR && field->type != RUT_POINTS) continue;
    // numbers stand behind the fields, after their count
    int count = 0;
    const double* value = rut_node_numbers(spec, node, field->name, &count);
    if (used + 1 + count <= capacity) {
      param[i] = used;
      param[used] = count;
      for (int k = 0; k < count; ++k) param[used + 1 + k] = value[k];
    }
    used += 1 + count;
  }
  for (int i = 0; i < n->fields; ++i) {
    const rutSpecField* record = &n->field[i];
    if (record->given && record->field < capacity && is_scalar(&type->field[record->field])) {
      param[record->field] = record->value.number;
    }
  }
  return used;
}

// ---------------------------------------------------------------------------------------------
// Checking

static rutStatus check_required(const rutSpec* spec, rutNode node, const rutSpecNode* n) {
  const rutComponent* type = n->type->type;
  rutStatus first = RUT_OK;
  for (int i = 0; i < type->fields; ++i) {
    if (!(type->field[i].flags & RUT_FIELD_REQUIRED)) continue;
    const rutSpecField* record = rut_spec_field(n, i);
    if (record && record->given) continue;
    char element[RUT_ELEMENT_TEXT];
    rut_node_element(spec, node, element);
    const rutStatus status =
        rut_node_error(spec, node, NULL, RUT_ERR_MODEL, "", "%s needs '%s': %s", element,
                       type->field[i].name, type->field[i].doc);
    if (first == RUT_OK) first = status;
  }
  return first;
}

static rutStatus check_rules(const rutSpec* spec, rutNode node, const rutComponent* type) {
  if (!type->check) return RUT_OK;
  const int numbers = rut_node_params(spec, node, 0, NULL);
  double* param = rut_context_alloc(spec->context, (size_t)(numbers + 1) * sizeof *param, 16);
  if (!param) return rut_node_error(spec, node, NULL, RUT_ERR_MEMORY, "", "out of memory");
  rut_node_params(spec, node, numbers, param);
  rutError err = {0};
  rutStatus status = type->check(param, &err);
  rut_context_free(spec->context, param);
  if (status != RUT_OK) {
    status = rut_node_error(spec, node, NULL, status, "", "%s",
                            err.message[0] ? err.message : rut_status_text(status));
  }
  return status;
}

rutStatus rut_spec_check(const rutSpec* spec) {
  rutStatus first = RUT_OK;
  for (int32_t slot = 0; slot < spec->slots; ++slot) {
    if (!spec->node[slot].type) continue;
    const rutNode node = handle(spec, slot);
    rutStatus status = check_required(spec, node, &spec->node[slot]);
    if (status == RUT_OK) status = check_rules(spec, node, spec->node[slot].type->type);
    if (first == RUT_OK) first = status;
  }
  return first;
}
