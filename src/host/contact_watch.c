// SPDX-License-Identifier: BSD-3-Clause
#include <stdlib.h>

#include "rut/host.h"

struct rutContactWatch {
  rutContactPair *now, *before;  // sorted
  int n_now, n_before, capacity;
};

rutContactWatch* rut_contact_watch_create(void) { return calloc(1, sizeof(rutContactWatch)); }

void rut_contact_watch_destroy(rutContactWatch* watch) {
  if (!watch) return;
  free(watch->now);
  free(watch->before);
  free(watch);
}

static int compare_pairs(const void* left, const void* right) {
  const rutContactPair *a = left, *b = right;
  if (a->kind_a != b->kind_a) return a->kind_a < b->kind_a ? -1 : 1;
  if (a->index_a != b->index_a) return a->index_a < b->index_a ? -1 : 1;
  if (a->kind_b != b->kind_b) return a->kind_b < b->kind_b ? -1 : 1;
  if (a->index_b != b->index_b) return a->index_b < b->index_b ? -1 : 1;
  return 0;
}

// The engine may give a pair in either order; a fixed order makes pairs comparable.
static rutContactPair ordered_pair(const rutContact* contact) {
  bool swap = contact->kind_a < 0 ||
              (contact->kind_b >= 0 &&
               (contact->kind_b < contact->kind_a ||
                (contact->kind_b == contact->kind_a && contact->index_b < contact->index_a)));
  double sign = swap ? -1 : 1;
  return (rutContactPair){
      .kind_a = swap ? contact->kind_b : contact->kind_a,
      .index_a = swap ? contact->index_b : contact->index_a,
      .kind_b = swap ? contact->kind_a : contact->kind_b,
      .index_b = swap ? contact->index_a : contact->index_b,
      .position = {contact->position[0], contact->position[1]},
      .normal = {sign * contact->normal[0], sign * contact->normal[1]},
  };
}

static bool grow(rutContactWatch* watch, int n) {
  if (n <= watch->capacity) return true;
  int capacity = watch->capacity ? watch->capacity : 16;
  while (capacity < n) capacity *= 2;
  size_t size = (size_t)capacity * sizeof(rutContactPair);
  rutContactPair* now = realloc(watch->now, size);
  if (now) watch->now = now;
  rutContactPair* before = realloc(watch->before, size);
  if (before) watch->before = before;
  if (!now || !before) return false;
  watch->capacity = capacity;
  return true;
}

// Fill `now` with the touching pairs, sorted, each once.
static void gather(rutContactWatch* watch, int n, const rutContact* contact) {
  for (int i = 0; i < n; i++) watch->now[i] = ordered_pair(&contact[i]);
  if (n > 1) qsort(watch->now, (size_t)n, sizeof watch->now[0], compare_pairs);
  int kept = 0;
  for (int i = 0; i < n; i++) {
    if (kept && compare_pairs(&watch->now[kept - 1], &watch->now[i]) == 0) continue;
    watch->now[kept++] = watch->now[i];
  }
  watch->n_now = kept;
}

rutStatus rut_contact_watch_update(rutContactWatch* watch, const rutModel* model,
                                   const rutData* data, rutContactEvent event, void* user) {
  rutContactPair* last = watch->now;
  watch->now = watch->before;
  watch->before = last;
  watch->n_before = watch->n_now;
  watch->n_now = 0;
  int n = 0;
  const rutContact* contact = rut_contacts(model, data, &n);
  if (n == 0 && watch->n_before == 0) return RUT_OK;
  if (!grow(watch, n)) return RUT_ERR_MEMORY;
  gather(watch, n, contact);

  // merge two sorted lists: pairs only in the old one have ended, those only in the new one begin
  int i = 0, k = 0;
  while (event && (i < watch->n_before || k < watch->n_now)) {
    int order = 0;
    if (i >= watch->n_before) {
      order = 1;
    } else if (k >= watch->n_now) {
      order = -1;
    } else {
      order = compare_pairs(&watch->before[i], &watch->now[k]);
    }
    if (order < 0) event(&watch->before[i], false, user);
    if (order > 0) event(&watch->now[k], true, user);
    i += order <= 0;
    k += order >= 0;
  }
  return RUT_OK;
}
