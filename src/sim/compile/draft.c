// SPDX-License-Identifier: BSD-3-Clause
#include "sim/compile/draft.h"

#include <string.h>

// False if out of memory.
static bool grow(rutDraft* draft, rutList* list, int capacity) {
  const size_t old_size = (size_t)list->n * list->item_size;
  void* item =
      rut_context_grow(draft->context, list->item, old_size, (size_t)capacity * list->item_size);
  if (!item) return false;
  list->item = item;
  list->capacity = capacity;
  return true;
}

void rut_draft_reserve(rutDraft* draft, rutList* list, int more) {
  if (more > list->capacity - list->n) grow(draft, list, list->n + more);
}

void* rut_draft_push(rutDraft* draft, rutList* list) {
  if (list->n == list->capacity && !grow(draft, list, list->capacity ? 2 * list->capacity : 16)) {
    rut_report_error(draft->reporter, RUT_ERR_MEMORY, (rutPlace){0}, "", "", "out of memory");
    return NULL;
  }
  void* item = rut_list_at(list, list->n++);
  memset(item, 0, list->item_size);
  return item;
}

// ---- what there is to see ----
static bool has_sensors(const rutDraft* draft) {
  const rutNode root = rut_spec_root(draft->spec);
  if (rut_node_count(draft->spec, root, "sensor") > 0) return true;
  for (rutNode v = rut_node_first(draft->spec, root, "vehicle"); !rut_node_is_null(v);
       v = rut_node_next(draft->spec, v, "vehicle")) {
    if (rut_node_count(draft->spec, v, "sensor") > 0) return true;
  }
  return false;
}

bool rut_draft_is_watched(rutDraft* draft) {
  if (!draft->watched) draft->watched = has_sensors(draft) ? 1 : -1;
  return draft->watched > 0;
}
