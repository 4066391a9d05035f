// SPDX-License-Identifier: BSD-3-Clause
#include "sim/compile/draft.h"

#include <string.h>

void* rut_draft_push(rutDraft* draft, rutList* list) {
  if (list->n == list->capacity) {
    int capacity = list->capacity ? 2 * list->capacity : 16;
    size_t old_size = (size_t)list->capacity * list->item_size;
    void* item =
        rut_context_grow(draft->context, list->item, old_size, (size_t)capacity * list->item_size);
    if (!item) {
      rut_report_error(draft->reporter, RUT_ERR_MEMORY, (rutPlace){0}, "", "", "out of memory");
      return NULL;
    }
    list->item = item;
    list->capacity = capacity;
  }
  void* item = rut_list_at(list, list->n++);
  memset(item, 0, list->item_size);
  return item;
}
