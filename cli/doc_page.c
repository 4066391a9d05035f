// SPDX-License-Identifier: BSD-3-Clause
#include <math.h>
#include <string.h>

#include "cli.h"
#include "doc.h"

// Ranges wider than this only keep out nonsense, so they are not shown.
static const double WIDE = 1e12;

void cli_doc_name(const rutComponent* type, char* text, size_t size) {
  snprintf(text, size, "%s%s%s", type->kind, type->name[0] ? "/" : "", type->name);
}

bool cli_doc_lists(const char* list, const char* word) {
  size_t length = strlen(word);
  for (const char* at = list; *at;) {
    at += strspn(at, " ");
    size_t n = strcspn(at, " ");
    if (n == length && n && strncmp(at, word, n) == 0) return true;
    at += n;
  }
  return false;
}

const char* cli_doc_unit(const rutField* field) {
  bool name = strcmp(field->unit, "file") == 0;  // says that a text is a file name
  bool one = strcmp(field->unit, "1") == 0;
  return name || one ? "" : field->unit;
}

// Text inside a Markdown table: a bar would end the cell.
static void put_cell(const char* text, FILE* out) {
  for (; *text; text++) {
    if (*text == '|') putc('\\', out);
    putc(*text, out);
  }
}

static void put_default(const rutField* field, FILE* out) {
  if (field->flags & RUT_FIELD_REQUIRED) {
    fputs("required", out);
    return;
  }
  switch (field->type) {
    case RUT_REAL:
    case RUT_INTEGER:
      if (!isnan(field->def)) fprintf(out, "%.10g", field->def);
      break;
    case RUT_BOOLEAN:
      fputs(field->def != 0 ? "true" : "false", out);
      break;
    case RUT_CHOICE: {
      const char* word = field->text;
      for (int i = 0; i < (int)field->def && word; i++) {
        word = strchr(word, '|');
        if (word) word++;
      }
      if (word) fprintf(out, "`%.*s`", (int)strcspn(word, "|"), word);
      break;
    }
    case RUT_TEXT:
    case RUT_VECTOR:
    case RUT_POINTS:
      put_cell(field->text, out);
      break;
  }
}

static void put_choices(const char* words, FILE* out) {
  for (const char* word = words; word;) {
    fprintf(out, "%s`%.*s`", word == words ? "" : ", ", (int)strcspn(word, "|"), word);
    word = strchr(word, '|');
    if (word) word++;
  }
}

static void put_count(const rutField* field, FILE* out) {
  if (field->type == RUT_POINTS) {
    fputs("any number of x y pairs", out);
  } else if (field->count > 0) {
    fprintf(out, "%d numbers", field->count);
  } else {
    fputs("numbers", out);
  }
}

static void put_range(const rutField* field, FILE* out) {
  switch (field->type) {
    case RUT_REAL:
    case RUT_INTEGER: {
      bool low = field->min > -WIDE, high = field->max < WIDE;
      if (low && high) fprintf(out, "%.6g to %.6g", field->min, field->max);
      if (low && !high) fprintf(out, "at least %.6g", field->min);
      if (!low && high) fprintf(out, "at most %.6g", field->max);
      break;
    }
    case RUT_BOOLEAN:
      fputs("`true`, `false`", out);
      break;
    case RUT_CHOICE:
      put_choices(field->text, out);
      break;
    case RUT_TEXT:
      fputs(strcmp(field->unit, "file") == 0 ? "file name" : "text", out);
      break;
    case RUT_VECTOR:
    case RUT_POINTS:
      put_count(field, out);
      break;
  }
}

static void put_fields(const rutComponent* type, FILE* out) {
  if (type->fields == 0) {
    fputs("It has no fields.\n", out);
    return;
  }
  fputs("| field | unit | default | range | meaning |\n|---|---|---|---|---|\n", out);
  for (int i = 0; i < type->fields; i++) {
    const rutField* field = &type->field[i];
    fprintf(out, "| `%s` | %s | ", field->name, cli_doc_unit(field));
    put_default(field, out);
    fputs(" | ", out);
    put_range(field, out);
    fputs(" | ", out);
    put_cell(field->doc, out);
    fputs(" |\n", out);
  }
}

static void put_presets(const rutComponent* type, FILE* out) {
  if (type->presets == 0) return;
  fprintf(out, "Presets, chosen by `preset=\"...\"`; fields that are given themselves win:\n\n");
  fputs("| preset | what it is, and source | fields |\n|---|---|---|\n", out);
  for (int i = 0; i < type->presets; i++) {
    const rutPreset* preset = &type->preset[i];
    fprintf(out, "| `%s` | ", preset->name);
    put_cell(preset->doc, out);
    fputs(" | ", out);
    for (int k = 0; k < preset->values; k++) {
      fprintf(out, "%s`%s` ", k ? ", " : "", preset->value[k].field);
      put_cell(preset->value[k].value, out);
    }
    fputs(" |\n", out);
  }
  putc('\n', out);
}

// Elements that may stand inside one of this kind.
static void put_children(const rutContext* context, const char* kind, FILE* out) {
  const char* last = "";
  bool any = false;
  for (int i = 0; i < rut_component_count(context); i++) {
    const rutComponent* child = rut_component_at(context, i);
    if (strcmp(child->kind, last) == 0 || !cli_doc_lists(child->parents, kind)) continue;
    fprintf(out, "%s`<%s>`", any ? ", " : "May hold: ", child->kind);
    any = true;
    last = child->kind;
  }
  if (any) fputs(".\n\n", out);
}

static void begin_variables(const char* title, FILE* out) {
  fprintf(out, "%s:\n\n| name | unit | shape | frame | meaning |\n|---|---|---|---|---|\n", title);
}

static void put_variable(const rutVariable* v, const char* note, FILE* out) {
  fprintf(out, "| `%s` | %s | %s | %s | ", v->name, v->unit, v->shape ? v->shape : "",
          v->frame ? v->frame : "");
  put_cell(v->doc, out);
  fprintf(out, "%s |\n", note);
}

// Names, units and sentences of variables, if there are any.
static void put_variables(const char* title, int n, const rutVariable* variable, FILE* out) {
  if (n == 0) return;
  begin_variables(title, out);
  for (int i = 0; i < n; i++) {
    put_variable(&variable[i], variable[i].output ? " (an output, too)" : "", out);
  }
  putc('\n', out);
}

static void put_output_row(const rutVariable* v, const char* part, const char* where, FILE* out) {
  fprintf(out, "| `%s%s%s` | %s | %s | ", part, part[0] ? "/" : "", v->name, v->unit,
          v->frame ? v->frame : "");
  put_cell(v->doc, out);
  if (where[0]) fprintf(out, " (%s)", where);
  fputs(" |\n", out);
}

bool cli_doc_outputs(const char* element, FILE* out) {
  static const struct {
    const char* element;
    rutKind kind;
  } known[] = {{"world", RUT_WORLD},        {"vehicle", RUT_VEHICLE}, {"wheel", RUT_WHEEL},
               {"axle", RUT_WHEEL},         {"block", RUT_BLOCK},     {"obstacle", RUT_BLOCK},
               {"mechanism", RUT_MECHANISM}};
  bool any = false;
  for (int i = 0; i < CLI_COUNT(known); i++) {
    if (strcmp(known[i].element, element) != 0) continue;
    const char *part, *where;
    const rutVariable* row;
    for (int k = 0; (row = rut_kind_output(known[i].kind, k, &part, &where)); k++) {
      if (!any) {
        fprintf(out, "Outputs%s:\n\n| name | unit | frame | meaning |\n|---|---|---|---|\n",
                strcmp(element, "axle") == 0 ? " of each of its wheels" : "");
      }
      any = true;
      put_output_row(row, part, where, out);
    }
  }
  if (any) putc('\n', out);
  return any;
}

// What it takes, tells and keeps; descriptors go on behind the common head.
static void put_all_variables(const rutComponent* type, FILE* out) {
  if (!type->name[0]) {
    cli_doc_outputs(type->kind, out);
    return;
  }
  int n;
  const rutVariable* command = rut_component_variables(type, RUT_COMMAND, &n);
  put_variables("Set points, in this order", n, command, out);
  if (strcmp(type->kind, "controller") == 0) {
    const rutControllerType* controller = (const rutControllerType*)type;
    put_variables("Inputs", controller->inputs, controller->input, out);
  }
  const rutVariable* output = rut_component_variables(type, RUT_OUTPUT, &n);
  put_variables("Outputs", n, output, out);
  put_variables("State", type->states, type->state, out);
}

void cli_doc_component_outputs(const rutComponent* type, FILE* out) {
  char name[128];
  int outputs;
  const rutVariable* output = rut_component_variables(type, RUT_OUTPUT, &outputs);
  int told = outputs;
  for (int i = 0; i < type->states; i++) told += type->state[i].output;
  if (told == 0) return;
  cli_doc_name(type, name, sizeof name);
  fprintf(out, "# %s\n\n", name);
  begin_variables("Outputs", out);
  for (int i = 0; i < outputs; i++) put_variable(&output[i], "", out);
  for (int i = 0; i < type->states; i++) {
    if (type->state[i].output) put_variable(&type->state[i], "", out);
  }
  putc('\n', out);
}

void cli_doc_page(const rutContext* context, const rutComponent* type, FILE* out) {
  char name[128];
  cli_doc_name(type, name, sizeof name);
  fprintf(out, "# %s\n\n%s\n\n", name, type->doc);
  fprintf(out, "Written as `<%s", type->kind);
  if (type->name[0]) fprintf(out, " type=\"%s\"", type->name);
  fputs(">`", out);
  for (const char* parent = type->parents; *parent;) {
    size_t n = strcspn(parent, " ");
    fprintf(out, "%s`<%.*s>`", parent == type->parents ? " in " : ", ", (int)n, parent);
    parent += n + strspn(parent + n, " ");
  }
  fputs(".\n\n", out);
  put_children(context, type->kind, out);
  put_fields(type, out);
  if (type->fields) putc('\n', out);
  put_presets(type, out);
  put_all_variables(type, out);
}
