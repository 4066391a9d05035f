// SPDX-License-Identifier: BSD-3-Clause
#include "sim/compile/groups.h"

#include <string.h>

#include "base/hash.h"

enum { GROUP_SLOTS = 2 * RUT_MAX_GROUPS };

// Hash of what usually differs. Classes that differ in nothing else share a hash and are compared.
static uint64_t class_hash(const rutDraftClass* c) {
  uint64_t hash = rut_hash(RUT_HASH_START, c->body, (size_t)c->bodies * sizeof c->body[0]);
  hash = rut_hash(hash, &c->mass, sizeof c->mass);
  hash = rut_hash(hash, c->outline.xy, 2 * (size_t)c->outline.n * sizeof c->outline.xy[0]);
  const rutDraftComponent* component[] = {&c->tyre, &c->drive, &c->controller};
  for (int i = 0; i < RUT_COUNT_OF(component); i++) {
    if (!component[i]->type) continue;
    // all before the first that is 0 up to the end
    int used = RUT_MAX_PARAMS;
    while (used > 0 && component[i]->param[used - 1] == 0) used--;
    hash = rut_hash(hash, component[i]->param, (size_t)used * sizeof component[i]->param[0]);
  }
  return hash;
}

static int add_group(rutDraft* draft, const rutDraftClass* content, uint64_t hash) {
  uint64_t* kept_hash = rut_draft_push(draft, &draft->group_hash);
  rutDraftClass* added = kept_hash ? rut_draft_push(draft, &draft->group) : NULL;
  if (!added) return -1;
  *kept_hash = hash;
  memcpy(added, content, sizeof *content);
  return draft->group.n - 1;
}

int rut_draft_group(rutDraft* draft, rutNode node, const rutDraftClass* content) {
  const size_t bytes = GROUP_SLOTS * sizeof *draft->group_slot;
  if (!draft->group_slot) {
    draft->group_slot = rut_context_alloc(draft->context, bytes, 16);
    if (!draft->group_slot) {
      rut_node_error(draft->spec, node, NULL, RUT_ERR_MEMORY, "", "out of memory");
      return -1;
    }
    memset(draft->group_slot, 0, bytes);
  }
  const uint64_t hash = class_hash(content);
  // at most half the slots are taken, so that every search ends
  int slot = (int)((hash ^ hash >> 32) % GROUP_SLOTS);
  for (; draft->group_slot[slot]; slot = (slot + 1) % GROUP_SLOTS) {
    const int i = draft->group_slot[slot] - 1;
    if (*(const uint64_t*)rut_list_at(&draft->group_hash, i) != hash) continue;
    // both were zeroed before they were filled, so that padding is equal and equal bytes are meant
    // NOLINTNEXTLINE(bugprone-suspicious-memory-comparison,cert-exp42-c,cert-flp37-c)
    if (memcmp(rut_list_at(&draft->group, i), content, sizeof *content) == 0) return i;
  }
  if (draft->group.n == RUT_MAX_GROUPS) {
    if (draft->groups_full) return -1;
    draft->groups_full = true;
    rut_node_error(draft->spec, node, NULL, RUT_ERR_CAPACITY, "",
                   "more than %d vehicles and mechanisms that differ from each other",
                   RUT_MAX_GROUPS);
    return -1;
  }
  const int group = add_group(draft, content, hash);
  if (group >= 0) draft->group_slot[slot] = group + 1;
  return group;
}

// Counting sort, so each group keeps their order.
bool rut_draft_list_members(rutDraft* draft) {
  const int vehicles = draft->vehicle.n, mechanisms = draft->mechanism.n, groups = draft->group.n;
  const size_t members = (size_t)vehicles + (size_t)mechanisms;
  draft->member = rut_context_alloc(draft->context, (members + 1) * sizeof(int), 16);
  draft->member_start = rut_context_alloc(draft->context, ((size_t)groups + 2) * sizeof(int), 16);
  if (!draft->member || !draft->member_start) {
    rut_report_error(draft->reporter, RUT_ERR_MEMORY, (rutPlace){0}, "", "", "out of memory");
    return false;
  }
  // start[g + 1] counts what was placed into g so far; at the end it is where g + 1 begins
  int* start = draft->member_start;
  memset(start, 0, ((size_t)groups + 2) * sizeof *start);
  for (int i = 0; i < vehicles; i++) {
    start[((const rutDraftVehicle*)rut_list_at(&draft->vehicle, i))->group + 2]++;
  }
  for (int i = 0; i < mechanisms; i++) {
    start[((const rutDraftMechanism*)rut_list_at(&draft->mechanism, i))->group + 2]++;
  }
  for (int g = 2; g <= groups + 1; g++) start[g] += start[g - 1];
  for (int i = 0; i < vehicles; i++) {
    rutDraftVehicle* v = rut_list_at(&draft->vehicle, i);
    v->member = start[v->group + 1]++;
    draft->member[v->member] = i;
  }
  for (int i = 0; i < mechanisms; i++) {
    rutDraftMechanism* m = rut_list_at(&draft->mechanism, i);
    m->member = start[m->group + 1]++;
    draft->member[m->member] = i;
  }
  for (int i = 0; i < vehicles; i++) {
    rutDraftVehicle* v = rut_list_at(&draft->vehicle, i);
    v->member -= start[v->group];
  }
  for (int i = 0; i < mechanisms; i++) {
    rutDraftMechanism* m = rut_list_at(&draft->mechanism, i);
    m->member -= start[m->group];
  }
  return true;
}
