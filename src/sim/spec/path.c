// SPDX-License-Identifier: BSD-3-Clause
//
// Nodes of a spec by their path.
#include <stdio.h>
#include <string.h>

#include "base/suggest.h"
#include "sim/spec/nodes.h"
#include "sim/spec/spec.h"
#include "sim/spec/store.h"

static const rutNode null_node = {0, 0};

// Child with the longest name that begins a path and ends there or at a slash.
static rutNode child_by_name(const rutSpec* spec, rutNode parent, const char* path, size_t* used) {
  for (*used = strlen(path); *used > 0; --*used) {
    if (path[*used] != '/' && path[*used] != '\0') continue;
    const rutNode child = rut_spec_child(spec, parent, path, *used);
    if (!rut_node_is_null(child)) return child;
  }
  return null_node;
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
  const char* known[RUT_SPEC_MAX_KNOWN];
  size_t n = 0;
  for (rutNode child = rut_node_first(spec, node, NULL);
       !rut_node_is_null(child) && n < RUT_SPEC_MAX_KNOWN;
       child = rut_node_next(spec, child, NULL)) {
    const char* name = rut_node_name(spec, child);
    known[n++] = name[0] ? name : rut_node_kind(spec, child);
  }
  const char* nearest = rut_suggest(word, known, n);
  return rut_spec_fail(spec, null_node, NULL, err, RUT_ERR_ARGUMENT,
                       nearest ? "there is no '%.100s' in %s; did you mean '%.100s'?"
                               : "there is no '%.100s' in %s%s",
                       rest, element, nearest ? nearest : "");
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
