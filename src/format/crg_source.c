// SPDX-License-Identifier: BSD-3-Clause
#include "format/crg_source.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "format/xml.h"

enum { MAX_DEPTH = 8, MAX_PATH = 4096 };

static rutPlace place_of(const rutCrgSource* s, int line) {
  return (rutPlace){s->file, line, line ? 1 : 0};
}

// A name with what "$NAME" stands for in the environment. False after an error.
static bool expand(const rutCrgSource* s, rutReporter* reporter, char out[MAX_PATH]) {
  size_t n = 0;
  for (const char* c = s->head->include; *c;) {
    char name[64];
    const char* value = NULL;
    size_t length = 1;
    if (*c == '$') {
      length = 1 + strspn(c + 1,
                          "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
                          "0123456789_");
      snprintf(name, sizeof name, "%.*s", (int)(length - 1), c + 1);
      const bool allowed = rut_access_allows_variable(reporter->access, name);
      value = allowed ? getenv(name) : NULL;
      if (!value) {
        rut_report_error(reporter, RUT_ERR_MODEL, place_of(s, s->head->include_line),
                         "ROAD_CRG_FILE", allowed ? "" : "--allow-env NAME lets worlds read it",
                         "the variable '$%.60s' is not %s", name, allowed ? "set" : "for worlds");
        return false;
      }
    }
    const size_t more = value ? strlen(value) : 1;
    if (n + more >= MAX_PATH) return false;
    memcpy(out + n, value ? value : c, more);
    n += more;
    c += length;
  }
  out[n] = '\0';
  return true;
}

// The path of the file that a head refers to, relative to its own. Heap, NULL after an error.
static char* path_of(const rutCrgSource* s, rutReporter* reporter) {
  const int before = reporter->errors;
  char name[MAX_PATH], path[MAX_PATH];
  int n = MAX_PATH;
  if (expand(s, reporter, name)) {
    const char* slash = name[0] == '/' ? NULL : strrchr(s->file, '/');
    n = snprintf(path, sizeof path, "%.*s%s", slash ? (int)(slash - s->file) + 1 : 0, s->file,
                 name);
  }
  char* kept = n > 0 && n < MAX_PATH ? malloc((size_t)n + 1) : NULL;
  if (kept) {
    memcpy(kept, path, (size_t)n + 1);
  } else if (reporter->errors == before) {
    rut_report_error(reporter, RUT_ERR_MODEL, place_of(s, s->head->include_line), "ROAD_CRG_FILE",
                     "", "the name of the file is too long");
  }
  return kept;
}

// Put what an outer head says into that of the file with the data.
static void merge(const rutCrgHead* outer, rutCrgHead* inner) {
  for (int k = 0; k < RUT_CRG_KEY_COUNT; k++) {
    const rutCrgBlock block = rut_crg_block_of(k);
    const bool given = outer->key[k] == outer->key[k];
    if (block != RUT_CRG_ROAD) {
      // an empty block of an outer file clears that of the inner one
      if (outer->has[block]) inner->key[k] = outer->key[k];
    } else if (given && (outer->late[k] || !(inner->key[k] == inner->key[k]))) {
      inner->key[k] = outer->key[k];
    }
  }
  for (int i = 0; i < RUT_CRG_BLOCKS; i++) inner->has[i] = inner->has[i] || outer->has[i];
}

static rutStatus open_file(rutCrgSource* s, rutReporter* reporter, int depth) {
  s->head = calloc(1, sizeof *s->head);
  if (!s->head) {
    return rut_report_error(reporter, RUT_ERR_MEMORY, place_of(s, 0), "", "", "out of memory");
  }
  if (!rut_crg_head(s->text, s->size, s->file, reporter, s->head)) return reporter->first.status;
  if (!s->head->include[0]) return RUT_OK;
  const rutPlace at = place_of(s, s->head->include_line);
  if (depth == MAX_DEPTH) {
    return rut_report_error(reporter, RUT_ERR_MODEL, at, "ROAD_CRG_FILE", "",
                            "files refer to each other more than %d deep, or in a circle: "
                            "'%.200s'",
                            MAX_DEPTH, s->head->include);
  }
  rutCrgSource inner = {.own_file = path_of(s, reporter)};
  rutStatus status = inner.own_file ? RUT_OK : reporter->first.status;
  if (status == RUT_OK) {
    status =
        rut_read_file(inner.own_file, RUT_CRG_MAX_FILE, reporter, at, &inner.own_text, &inner.size);
  }
  if (status == RUT_OK) {
    inner.text = inner.own_text;
    inner.file = inner.own_file;
    status = open_file(&inner, reporter, depth + 1);
  }
  if (status == RUT_OK) {
    merge(s->head, inner.head);
    rut_crg_source_free(s);
    *s = inner;
  } else {
    rut_crg_source_free(&inner);
  }
  return status;
}

rutStatus rut_crg_source_open(const char* text, size_t size, const char* file,
                              rutReporter* reporter, rutCrgSource* out) {
  *out = (rutCrgSource){.text = text, .size = size, .file = file};
  const rutStatus status = open_file(out, reporter, 0);
  if (status != RUT_OK) return status;
  const rutCrgHead* head = out->head;
  if (head->road) return RUT_OK;
  return rut_report_error(reporter, RUT_ERR_PARSE, place_of(out, head->line), "", "",
                          "the file has no $ROAD_CRG");
}

void rut_crg_source_free(rutCrgSource* s) {
  free(s->head);
  free(s->own_text);
  free(s->own_file);
  *s = (rutCrgSource){0};
}
