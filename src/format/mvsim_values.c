// SPDX-License-Identifier: BSD-3-Clause
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/suggest.h"
#include "base/units.h"
#include "format/mvsim_load.h"

enum { MAX_TEXTS = 1 << 20 };

// ---- expanded values ----

const char* rut_mvsim_keep(rutMvsim* load, char* text) {
  if (text && load->texts == load->text_capacity) {
    const int capacity = 2 * load->text_capacity + 64;
    char** grown =
        capacity <= MAX_TEXTS ? realloc(load->text, (size_t)capacity * sizeof(char*)) : NULL;
    if (grown) {
      load->text = grown;
      load->text_capacity = capacity;
    } else {
      free(text);
      text = NULL;
    }
  }
  if (!text) {
    rut_mvsim_no_memory(load);
    return NULL;
  }
  load->text[load->texts++] = text;
  return text;
}

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

// Cut blanks at both ends of a text that may be changed.
static char* trim(char* text) {
  size_t begin = 0, end = strlen(text);
  while (is_blank(text[begin])) begin++;
  while (end > begin && is_blank(text[end - 1])) end--;
  memmove(text, text + begin, end - begin);
  text[end - begin] = '\0';
  return text;
}

// Passes warnings on; the caller words errors anew.
typedef struct Warned {
  rutMvsim* load;
  rutPlace place;
  const char* element;
} Warned;

static void pass_warning(const rutDiagnostic* finding, void* user) {
  const Warned* warned = user;
  if (finding->level != RUT_WARNING) return;
  rut_mvsim_warn(warned->load, warned->place, warned->element, NULL, "%s", finding->message);
}

const char* rut_mvsim_expand(rutMvsim* load, rutScope* scope, const char* text, rutPlace place,
                             const char* element) {
  // most values are plain
  if (!strchr(text, '$') && !is_blank(text[0]) && (!text[0] || !is_blank(text[strlen(text) - 1]))) {
    return text;
  }
  if (load->halted) return NULL;
  char* out = NULL;
  Warned warned = {load, place, element};
  rutReporter quiet = {.report = pass_warning, .user = &warned, .access = load->reporter->access};
  const rutStatus status = rut_expand(scope, text, &quiet, place, element, &out);
  if (status != RUT_OK) {
    rut_mvsim_error(load, place, element, status, "", "%s", quiet.first.message);
    return NULL;
  }
  return rut_mvsim_keep(load, trim(out));
}

const char* rut_mvsim_text(rutMvsim* load, rutMvsimItem item) {
  char label[RUT_MVSIM_LABEL];
  rut_mvsim_label(item, label);
  return rut_mvsim_expand(load, item.scope, item.element->text, rut_mvsim_place(item), label);
}

const char* rut_mvsim_attribute(rutMvsim* load, rutMvsimItem item, const char* name,
                                rutPlace* place) {
  const rutXmlAttribute* a = rut_xml_attribute(item.element, name);
  if (!a) return NULL;
  const rutPlace at = {rut_xml_file(item.file->xml), a->line, a->column};
  if (place) *place = at;
  char label[RUT_MVSIM_LABEL];
  rut_mvsim_label(item, label);
  return rut_mvsim_expand(load, item.scope, a->value, at, label);
}

int rut_mvsim_numbers(rutMvsim* load, const char* text, rutPlace place, const char* element,
                      rutMvsimForm form, double* out) {
  int n = 0;
  const char* p = text;
  while (is_blank(*p)) p++;
  while (*p && n < form.at_most) {
    const char* end;
    if (!rut_parse_number(p, &out[n], &end) || (*end && !is_blank(*end))) break;
    n++;
    p = end;
    while (is_blank(*p)) p++;
  }
  if (*p || n < form.at_least) {
    rut_mvsim_error(load, place, element, RUT_ERR_PARSE, "",
                    "must be the numbers '%s', not '%.80s'", form.text, text);
    return -1;
  }
  return n;
}

bool rut_mvsim_number(rutMvsim* load, const char* text, rutPlace place, const char* element,
                      double* out) {
  const char* end;
  if (rut_parse_number(text, out, &end)) {
    while (is_blank(*end)) end++;
    if (!*end) return true;
  }
  rut_mvsim_error(load, place, element, RUT_ERR_PARSE, "", "'%.80s' is not a number", text);
  return false;
}

static bool same_word(const char* text, const char* lower) {
  for (; *text && *lower; text++, lower++) {
    const char c = *text >= 'A' && *text <= 'Z' ? (char)(*text - 'A' + 'a') : *text;
    if (c != *lower) return false;
  }
  return *text == *lower;
}

bool rut_mvsim_boolean(rutMvsim* load, const char* text, rutPlace place, const char* element,
                       bool* out) {
  *out = same_word(text, "true") || strcmp(text, "1") == 0;
  if (*out || same_word(text, "false") || strcmp(text, "0") == 0) return true;
  rut_mvsim_error(load, place, element, RUT_ERR_PARSE, "write true or false",
                  "'%.80s' is neither true nor false", text);
  return false;
}

int rut_mvsim_word(rutMvsim* load, rutMvsimItem item, const char* attribute,
                   const char* const* word, int n, int otherwise) {
  rutPlace place;
  if (!rut_xml_attribute(item.element, attribute)) return otherwise;
  const char* text = rut_mvsim_attribute(load, item, attribute, &place);
  if (!text) return -1;
  for (int i = 0; i < n; i++) {
    if (strcmp(text, word[i]) == 0) return i;
  }
  char label[RUT_MVSIM_LABEL], hint[200] = "";
  rut_mvsim_label(item, label);
  const char* near = rut_suggest(text, word, (size_t)n);
  if (near) {
    snprintf(hint, sizeof hint, "did you mean '%s'?", near);
  } else {
    size_t used = (size_t)snprintf(hint, sizeof hint, "known are");
    for (int i = 0; i < n && used < sizeof hint; i++) {
      used += (size_t)snprintf(hint + used, sizeof hint - used, "%s %s", i ? "," : "", word[i]);
    }
  }
  rut_mvsim_error(load, place, label, RUT_ERR_MODEL, hint, "%s '%.60s' is not known", attribute,
                  text);
  return -1;
}

// ---- nodes and fields ----

rutNode rut_mvsim_add(rutMvsim* load, rutNode parent, const char* kind, const char* type,
                      const char* name, rutPlace place) {
  const rutNode none = {0};
  if (load->halted || rut_node_is_null(parent)) return none;
  char label[RUT_MVSIM_LABEL];
  snprintf(label, sizeof label, "<%.90s>", kind);
  const bool top = rut_node_is_null(rut_node_parent(load->spec, parent));
  if (top && ++load->elements > RUT_MVSIM_MAX_ELEMENTS) {
    rut_mvsim_error(load, place, label, RUT_ERR_CAPACITY, "", "a world has at most %d elements",
                    RUT_MVSIM_MAX_ELEMENTS);
    return none;
  }
  rutError fault = {0};
  const rutNode node = rut_spec_add(load->spec, parent, kind, type, name, &fault);
  if (rut_node_is_null(node)) {
    rut_mvsim_error(load, place, label, fault.status ? fault.status : RUT_ERR_MODEL, "", "%s",
                    fault.message);
    return none;
  }
  rut_node_place(load->spec, node, NULL, place);
  return node;
}

static void check_set(rutMvsim* load, rutNode node, const char* field, rutStatus status,
                      const rutError* fault, rutPlace place) {
  if (status == RUT_OK) {
    rut_node_place(load->spec, node, field, place);
    return;
  }
  char label[RUT_MVSIM_LABEL];
  snprintf(label, sizeof label, "<%.90s>", rut_node_kind(load->spec, node));
  rut_mvsim_error(load, place, label, status, "", "%s", fault->message);
}

void rut_mvsim_set(rutMvsim* load, rutNode node, const char* field, double value, rutPlace place) {
  rut_mvsim_set_numbers(load, node, field, 1, &value, place);
}

void rut_mvsim_set_numbers(rutMvsim* load, rutNode node, const char* field, int n,
                           const double* value, rutPlace place) {
  if (load->halted || rut_node_is_null(node)) return;
  rutError fault = {0};
  const rutStatus status = rut_node_set_numbers(load->spec, node, field, n, value, &fault);
  check_set(load, node, field, status, &fault, place);
}

void rut_mvsim_set_text(rutMvsim* load, rutNode node, const char* field, const char* text,
                        rutPlace place) {
  if (load->halted || rut_node_is_null(node)) return;
  rutError fault = {0};
  const rutStatus status = rut_node_set(load->spec, node, field, text, &fault);
  check_set(load, node, field, status, &fault, place);
}

// ---- tables ----

// Where one value stands and what it is for.
typedef struct Value {
  const char* text;
  const char* element;
  rutPlace place;
  const rutMvsimFile* file;
} Value;

static void apply_number(rutMvsim* load, const rutMvsimRow* row, rutNode node, const Value* value) {
  double number;
  if (!rut_mvsim_number(load, value->text, value->place, value->element, &number)) return;
  number *= row->factor;
  if (row->parts == 0) {
    rut_mvsim_set(load, node, row->field, number, value->place);
    return;
  }
  // the other numbers keep what they have
  int n = 0;
  const double* present = rut_node_numbers(load->spec, node, row->field, &n);
  double all[4] = {0, 0, 0, 0};
  for (int i = 0; i < n && i < row->parts; i++) all[i] = present[i];
  all[row->part] = number;
  rut_mvsim_set_numbers(load, node, row->field, row->parts, all, value->place);
}

static void apply_integer(rutMvsim* load, const rutMvsimRow* row, rutNode node,
                          const Value* value) {
  double number;
  if (!rut_mvsim_number(load, value->text, value->place, value->element, &number)) return;
  if (!(number > -2e9 && number < 2e9)) {
    rut_mvsim_error(load, value->place, value->element, RUT_ERR_PARSE, "",
                    "'%.80s' is not a whole number of usual size", value->text);
    return;
  }
  rut_mvsim_set(load, node, row->field, (double)(long)number, value->place);
}

static void apply_color(rutMvsim* load, const rutMvsimRow* row, rutNode node, const Value* value) {
  const size_t n = strlen(value->text);
  const bool hex = strspn(value->text + (n > 0), "0123456789abcdefABCDEF") == n - (n > 0);
  if (value->text[0] != '#' || !hex || (n != 7 && n != 9)) {
    rut_mvsim_error(load, value->place, value->element, RUT_ERR_PARSE, "",
                    "'%.80s' is not a colour '#RRGGBB' or '#RRGGBBAA'", value->text);
    return;
  }
  rut_mvsim_set_text(load, node, row->field, value->text, value->place);
}

static void apply_file(rutMvsim* load, const rutMvsimRow* row, rutNode node, const Value* value) {
  char path[RUT_MVSIM_PATH];
  rut_mvsim_resolve(value->file, value->text, path);
  if (!rut_mvsim_locate(load, value->place, value->element, path)) return;
  rut_mvsim_set_text(load, node, row->field, path, value->place);
}

static void apply_value(rutMvsim* load, const rutMvsimRow* row, rutNode node, const Value* value) {
  bool truth;
  double point[3] = {0, 0, 0};
  char path[RUT_MVSIM_PATH];
  switch (row->kind) {
    case RUT_MVSIM_NUMBER:
      apply_number(load, row, node, value);
      break;
    case RUT_MVSIM_INTEGER:
      apply_integer(load, row, node, value);
      break;
    case RUT_MVSIM_BOOLEAN:
      if (rut_mvsim_boolean(load, value->text, value->place, value->element, &truth)) {
        rut_mvsim_set(load, node, row->field, truth, value->place);
      }
      break;
    case RUT_MVSIM_TEXT:
      rut_mvsim_set_text(load, node, row->field, value->text, value->place);
      break;
    case RUT_MVSIM_FILE:
      apply_file(load, row, node, value);
      break;
    case RUT_MVSIM_PICTURE:
      rut_mvsim_resolve(value->file, value->text, path);
      rut_mvsim_set_text(load, node, row->field, path, value->place);
      break;
    case RUT_MVSIM_COLOR:
      apply_color(load, row, node, value);
      break;
    case RUT_MVSIM_POINT3:
      if (rut_mvsim_numbers(load, value->text, value->place, value->element,
                            (rutMvsimForm){"x y [z]", 2, 3}, point) > 0) {
        rut_mvsim_set_numbers(load, node, row->field, 3, point, value->place);
      }
      break;
    case RUT_MVSIM_CODE:
    case RUT_MVSIM_UNUSED:
      break;
  }
}

static int find_row(const rutMvsimTable* table, const char* tag) {
  for (int i = 0; i < table->rows; i++) {
    if (strcmp(table->row[i].tag, tag) == 0) return i;
  }
  return -1;
}

// Warn about a tag that no row, or a row of kind UNUSED, knows.
static void warn_unused(rutMvsim* load, const rutMvsimTable* table, int row, rutPlace place,
                        const char* tag, bool attribute) {
  const char* known[RUT_MVSIM_MAX_ROWS];
  for (int i = 0; i < table->rows && i < RUT_MVSIM_MAX_ROWS; i++) known[i] = table->row[i].tag;
  const rutMvsimUnused unused = {
      .parent = table->parent,
      .name = tag,
      .attribute = attribute,
      .known = row < 0 ? known : NULL,
      .n = table->rows < RUT_MVSIM_MAX_ROWS ? table->rows : RUT_MVSIM_MAX_ROWS};
  rut_mvsim_unused(load, place, unused);
}

static void apply_children(rutMvsim* load, const rutMvsimTable* table, const rutMvsimItems* items,
                           rutNode node, const rutXmlElement** seen) {
  for (int i = 0; i < items->n && !load->halted; i++) {
    const rutMvsimItem item = items->item[i];
    const char* tag = item.element->name;
    const int row = find_row(table, tag);
    if (row < 0 || table->row[row].kind == RUT_MVSIM_UNUSED) {
      warn_unused(load, table, row, rut_mvsim_place(item), tag, false);
      continue;
    }
    if (table->row[row].kind == RUT_MVSIM_CODE) continue;
    if (seen[row] && seen[row] == item.element->parent) {
      char label[RUT_MVSIM_LABEL];
      rut_mvsim_label(item, label);
      rut_mvsim_warn(load, rut_mvsim_place(item), label, NULL,
                     "<%.60s><%.60s> appears again: the first one counts", table->parent, tag);
    }
    if (seen[row]) continue;
    seen[row] = item.element->parent;
    const char* text = rut_mvsim_text(load, item);
    if (!text) continue;
    char label[RUT_MVSIM_LABEL];
    rut_mvsim_label(item, label);
    const Value value = {text, label, rut_mvsim_place(item), item.file};
    apply_value(load, &table->row[row], node, &value);
  }
}

static void apply_attributes(rutMvsim* load, const rutMvsimTable* table, rutMvsimItem item,
                             rutNode node, const rutXmlElement** seen) {
  char label[RUT_MVSIM_LABEL];
  rut_mvsim_label(item, label);
  for (int i = 0; i < item.element->attributes && !load->halted; i++) {
    const rutXmlAttribute* a = &item.element->attribute[i];
    const int row = find_row(table, a->name);
    rutPlace place = {rut_xml_file(item.file->xml), a->line, a->column};
    if (row < 0 || table->row[row].kind == RUT_MVSIM_UNUSED) {
      warn_unused(load, table, row, place, a->name, true);
      continue;
    }
    if (table->row[row].kind == RUT_MVSIM_CODE) continue;
    seen[row] = item.element;
    const char* text = rut_mvsim_attribute(load, item, a->name, &place);
    if (!text) continue;
    const Value value = {text, label, place, item.file};
    apply_value(load, &table->row[row], node, &value);
  }
}

void rut_mvsim_apply(rutMvsim* load, const rutMvsimTable* table, const rutMvsimItems* items,
                     rutNode node) {
  const rutXmlElement* seen[RUT_MVSIM_MAX_ROWS] = {NULL};  // element that holds the value
  apply_children(load, table, items, node, seen);
}

void rut_mvsim_apply_item(rutMvsim* load, const rutMvsimTable* table, rutMvsimItem item,
                          rutNode node) {
  const rutXmlElement* seen[RUT_MVSIM_MAX_ROWS] = {NULL};  // element that holds the value
  apply_attributes(load, table, item, node, seen);
  rutMvsimItems items = {0};
  rut_mvsim_children(load, item, &items);
  apply_children(load, table, &items, node, seen);
  rut_mvsim_items_free(&items);
}

void rut_mvsim_check_attributes(rutMvsim* load, rutMvsimItem item, const char* const* known,
                                int n) {
  for (int i = 0; i < item.element->attributes; i++) {
    const rutXmlAttribute* a = &item.element->attribute[i];
    bool found = false;
    for (int k = 0; k < n && !found; k++) found = strcmp(a->name, known[k]) == 0;
    const rutPlace place = {rut_xml_file(item.file->xml), a->line, a->column};
    if (!found) {
      const rutMvsimUnused unused = {item.element->name, a->name, true, known, n};
      rut_mvsim_unused(load, place, unused);
    }
  }
}
