// SPDX-License-Identifier: BSD-3-Clause
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/suggest.h"
#include "format/mvsim_load.h"

rutPlace rut_mvsim_place(rutMvsimItem item) {
  return (rutPlace){rut_xml_file(item.file->xml), item.element->line, item.element->column};
}

void rut_mvsim_label(rutMvsimItem item, char label[RUT_MVSIM_LABEL]) {
  const rutXmlAttribute* name = rut_xml_attribute(item.element, "name");
  if (name) {
    snprintf(label, RUT_MVSIM_LABEL, "<%.40s name='%.40s'>", item.element->name, name->value);
  } else {
    snprintf(label, RUT_MVSIM_LABEL, "<%.90s>", item.element->name);
  }
}

// ---- sets ----

static size_t slot_of(const rutMvsimSet* set, uint64_t hash) {
  size_t i = (size_t)hash & (set->capacity - 1);
  while (set->slot[i] && set->slot[i] != hash) i = (i + 1) & (set->capacity - 1);
  return i;
}

static bool grow(rutMvsimSet* set) {
  rutMvsimSet larger = {.capacity = set->capacity ? 2 * set->capacity : 64, .used = set->used};
  larger.slot = calloc(larger.capacity, sizeof *larger.slot);
  if (!larger.slot) return false;
  for (size_t i = 0; i < set->capacity; i++) {
    if (set->slot[i]) larger.slot[slot_of(&larger, set->slot[i])] = set->slot[i];
  }
  free(set->slot);
  *set = larger;
  return true;
}

bool rut_mvsim_set_add(rutMvsimSet* set, uint64_t hash, bool* added) {
  if (!hash) hash = 1;  // 0 marks a free slot
  *added = false;
  if (2 * (set->used + 1) > set->capacity && !grow(set)) return false;
  const size_t i = slot_of(set, hash);
  if (set->slot[i]) return true;
  set->slot[i] = hash;
  set->used++;
  *added = true;
  return true;
}

bool rut_mvsim_set_has(const rutMvsimSet* set, uint64_t hash) {
  if (!hash) hash = 1;
  return set->capacity && set->slot[slot_of(set, hash)] == hash;
}

// ---- findings ----

static uint64_t hash_text(uint64_t hash, const char* text) {
  return rut_hash(hash, text, strlen(text) + 1);
}

// True if the finding with this hash is new. Without memory it counts as new.
static bool is_new(rutMvsim* load, uint64_t hash) {
  bool added;
  return !rut_mvsim_set_add(&load->once, hash, &added) || added;
}

void rut_mvsim_no_memory(rutMvsim* load) {
  const rutPlace nowhere = {"", 0, 0};
  if (!load->halted)
    rut_report_error(load->reporter, RUT_ERR_MEMORY, nowhere, "", "", "out of memory");
  load->halted = true;
}

rutStatus rut_mvsim_error(rutMvsim* load, rutPlace place, const char* element, rutStatus status,
                          const char* hint, const char* format, ...) {
  if (load->halted) return status;
  char message[400];
  va_list args;
  va_start(args, format);
  vsnprintf(message, sizeof message, format, args);
  va_end(args);
  // a class with a fault is met again in every instance
  const int at[2] = {place.line, place.column};
  uint64_t hash = hash_text(RUT_HASH_START, place.file ? place.file : "");
  hash = hash_text(rut_hash(hash, at, sizeof at), message);
  if (is_new(load, hash)) {
    rut_report_error(load->reporter, status, place, element, hint, "%s", message);
  }
  if (status == RUT_ERR_MEMORY || status == RUT_ERR_CAPACITY) load->halted = true;
  if (load->reporter->errors >= RUT_READER_MAX_ERRORS) load->halted = true;
  return status;
}

void rut_mvsim_warn(rutMvsim* load, rutPlace place, const char* element, const char* key,
                    const char* format, ...) {
  if (load->halted) return;
  char message[400];
  va_list args;
  va_start(args, format);
  vsnprintf(message, sizeof message, format, args);
  va_end(args);
  uint64_t hash = hash_text(RUT_HASH_START, place.file ? place.file : "");
  hash = hash_text(hash, key ? key : message);
  if (is_new(load, hash)) rut_report_warning(load->reporter, place, element, "%s", message);
}

void rut_mvsim_unused(rutMvsim* load, rutPlace place, rutMvsimUnused u) {
  char label[RUT_MVSIM_LABEL], what[200];
  snprintf(label, sizeof label, "<%.90s>", u.attribute ? u.parent : u.name);
  snprintf(what, sizeof what, u.attribute ? "<%.60s %.60s=...>" : "<%.60s><%.60s>", u.parent,
           u.name);
  const char* near = u.known ? rut_suggest(u.name, u.known, (size_t)u.n) : NULL;
  if (near) {
    rut_mvsim_warn(load, place, label, what, "%s is not used by rut (did you mean '%s'?)", what,
                   near);
  } else {
    rut_mvsim_warn(load, place, label, what, "%s is not used by rut", what);
  }
}
