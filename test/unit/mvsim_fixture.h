// SPDX-License-Identifier: BSD-3-Clause
//
// Worlds of MVSim as tests load them, with what was found wrong. Included after cmocka.h.
#ifndef RUT_TEST_UNIT_MVSIM_FIXTURE_H
#define RUT_TEST_UNIT_MVSIM_FIXTURE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "assert_near.h"
#include "rut/component.h"

#define PI             3.14159265358979323846
#define WORLD(body)    "<mvsim_world>\n" body "\n</mvsim_world>\n"
#define ROBOT_DYNAMICS "<dynamics class='differential'/>"
#define POSE           "<init_pose>0 0 0</init_pose>"

enum { MAX_FINDINGS = 400 };

typedef struct Finding {
  rutLevel level;
  char file[200];
  int line, column;
  char message[300], hint[200];
} Finding;

typedef struct Load {
  rutContext* context;
  rutSpec* spec;
  rutStatus status;
  rutError err;
  Finding finding[MAX_FINDINGS];
  int findings, warnings, errors;
} Load;

static inline void note(const rutDiagnostic* d, void* user) {
  Load* load = user;
  if (d->level == RUT_WARNING) load->warnings++;
  if (d->level == RUT_ERROR) load->errors++;
  if (load->findings == MAX_FINDINGS) return;
  Finding* f = &load->finding[load->findings++];
  f->level = d->level;
  f->line = d->line;
  f->column = d->column;
  snprintf(f->file, sizeof f->file, "%s", d->file);
  snprintf(f->message, sizeof f->message, "%s", d->message);
  snprintf(f->hint, sizeof f->hint, "%s", d->hint);
}

static inline Load* open_load(void) {
  Load* load = calloc(1, sizeof *load);
  assert_non_null(load);
  rutContextDef def = rut_default_context();
  def.report = note;
  def.user = load;
  assert_int_equal(rut_context_create(&def, &load->context, &load->err), RUT_OK);
  return load;
}

static inline Load* parse(const char* text) {
  Load* load = open_load();
  load->status = rut_spec_parse(load->context, text, strlen(text), "here/test.world.xml",
                                &load->spec, &load->err);
  return load;
}

static inline Load* load_file(const char* path) {
  Load* load = open_load();
  load->status = rut_spec_load(load->context, path, &load->spec, &load->err);
  return load;
}

static inline void close_load(Load* load) {
  rut_spec_destroy(load->status == RUT_OK ? load->spec : NULL);
  rut_context_destroy(load->context);
  free(load);
}

static inline void print_findings(const Load* load, rutLevel level) {
  for (int i = 0; i < load->findings; i++) {
    const Finding* f = &load->finding[i];
    if (f->level == level) {
      print_message("%s:%d:%d: %s\n", f->file, f->line, f->column, f->message);
    }
  }
}

static inline Load* parse_well(const char* text) {
  Load* load = parse(text);
  if (load->status != RUT_OK) {
    print_findings(load, RUT_ERROR);
    fail_msg("does not load");
  }
  return load;
}

// Number of findings of a level whose message holds a text.
static inline int count_of(const Load* load, rutLevel level, const char* text) {
  int n = 0;
  for (int i = 0; i < load->findings; i++) {
    n += load->finding[i].level == level && strstr(load->finding[i].message, text);
  }
  return n;
}

#define assert_value(a, b) assert_near(a, b, 1e-12)

static inline rutNode at(const Load* load, const char* path) {
  const rutNode node = rut_spec_find(load->spec, path);
  if (rut_node_is_null(node)) fail_msg("there is no %s", path);
  return node;
}

static inline double number(const Load* load, const char* path, const char* field) {
  return rut_node_number(load->spec, at(load, path), field);
}

static inline double part(const Load* load, const char* path, const char* field, int i) {
  int n = 0;
  const double* value = rut_node_numbers(load->spec, at(load, path), field, &n);
  return i < n ? value[i] : (double)NAN;
}

static inline int length_of(const Load* load, const char* path, const char* field) {
  int n = 0;
  rut_node_numbers(load->spec, at(load, path), field, &n);
  return n;
}

static inline const char* text_of(const Load* load, const char* path, const char* field) {
  return rut_node_text(load->spec, at(load, path), field);
}

static inline const char* type_of(const Load* load, const char* path) {
  return rut_node_type(load->spec, at(load, path));
}

static inline int children(const Load* load, const char* kind) {
  int n = 0;
  for (rutNode c = rut_node_first(load->spec, rut_spec_root(load->spec), kind);
       !rut_node_is_null(c); c = rut_node_next(load->spec, c, kind)) {
    n++;
  }
  return n;
}

static inline void write_file(const char* name, const char* text) {
  FILE* f = fopen(name, "w");
  assert_non_null(f);
  fputs(text, f);
  fclose(f);
}

#endif  // RUT_TEST_UNIT_MVSIM_FIXTURE_H
