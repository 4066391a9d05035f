// SPDX-License-Identifier: BSD-3-Clause
//
// Writes a spec as native XML. What is read back compiles to the same bits: numbers have as many
// digits as it takes, units are the SI units of the fields, and only what was given is written.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/output.h"
#include "format/xml.h"
#include "sim/spec/nodes.h"
#include "sim/spec/store.h"

enum {
  LINE = 100,        // attributes beyond this column go on a new line
  LONG_VALUE = 2000  // longer ones become a child element
};

typedef struct Writer {
  const rutSpec* spec;
  const char* path;
  rutString out;
  size_t line;  // offset at which the last line begins
} Writer;

static void add(Writer* writer, const char* text) { rut_string_add(&writer->out, text); }

static void new_line(Writer* writer, int indent) {
  add(writer, "\n");
  writer->line = writer->out.size;
  for (int i = 0; i < indent; ++i) add(writer, " ");
}

// Text in which markup and blanks that XML would normalise are references.
static void add_escaped(Writer* writer, const char* text) {
  static const char special[] = "&<>\"\t\n\r";
  static const char* const reference[] = {"&amp;", "&lt;",  "&gt;", "&quot;",
                                          "&#9;",  "&#10;", "&#13;"};
  char plain[128];
  while (*text) {
    size_t n = strcspn(text, special);
    if (n == 0) {
      add(writer, reference[strchr(special, *text) - special]);
      ++text;
      continue;
    }
    if (n >= sizeof plain) n = sizeof plain - 1;
    memcpy(plain, text, n);
    plain[n] = '\0';
    add(writer, plain);
    text += n;
  }
}

static void add_attribute(Writer* writer, const char* name, const char* value, int indent) {
  const size_t length = strlen(name) + strlen(value) + 4;
  if (writer->out.size - writer->line + length > LINE) {
    new_line(writer, indent + 4);
  } else {
    add(writer, " ");
  }
  add(writer, name);
  add(writer, "=\"");
  add_escaped(writer, value);
  add(writer, "\"");
}

// Values that the reader would expand, or that make an unreadable attribute, become <value>.
static bool needs_element(const char* value) {
  if (strlen(value) > LONG_VALUE) return true;
  for (const char* p = value; (p = strchr(p, '$')); ++p) {
    if (p[1] == '{' || p[1] == '(' || strncmp(p, "$env{", 5) == 0 || strncmp(p, "$f{", 3) == 0) {
      return true;
    }
  }
  return false;
}

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

static void add_value_element(Writer* writer, const char* field, const char* value, int indent) {
  const size_t n = strlen(value);
  new_line(writer, indent);
  add(writer, "<value");
  add_attribute(writer, "field", field, indent);
  // blanks at the ends of an element's text would be lost
  if (n == 0 || is_blank(value[0]) || is_blank(value[n - 1])) {
    add_attribute(writer, "text", value, indent);
    add(writer, "/>");
    return;
  }
  add(writer, ">");
  add_escaped(writer, value);
  add(writer, "</value>");
}

// Text of a given field. The caller frees it through the context; NULL if out of memory.
static char* field_text(Writer* writer, const rutField* row, const rutSpecField* record) {
  rutContext* context = writer->spec->context;
  if (row->type == RUT_TEXT && strcmp(row->unit, "file") == 0) {
    return rut_field_relative(context, record->value.text, writer->path);
  }
  rutString text = {.context = context};
  rut_string_add(&text, "");
  rut_field_print(row, &record->value, &text);
  if (!text.failed) return text.data;
  rut_string_free(&text);
  return NULL;
}

// One pass over the given fields: those that fit as attributes, or those that do not as elements.
// Returns how many were written.
static int add_fields(Writer* writer, const rutSpecNode* node, bool elements, int indent) {
  const rutComponent* type = node->type->type;
  const char* name = node->name ? node->name : "";
  int written = 0;
  if (name[0] && needs_element(name) == elements) {
    if (elements) add_value_element(writer, "name", name, indent);
    if (!elements) add_attribute(writer, "name", name, indent);
    written++;
  }
  if (rut_spec_preset(node) && !elements) {
    add_attribute(writer, "preset", rut_spec_preset(node)->preset->name, indent);
    written++;
  }
  for (int i = 0; i < type->fields; ++i) {
    const rutSpecField* record = rut_spec_field(node, i);
    if (!record || !record->given) continue;
    char* text = field_text(writer, &type->field[i], record);
    if (!text) writer->out.failed = true;
    if (text && needs_element(text) == elements) {
      if (elements) add_value_element(writer, type->field[i].name, text, indent);
      if (!elements) add_attribute(writer, type->field[i].name, text, indent);
      written++;
    }
    rut_context_free(writer->spec->context, text);
  }
  return written;
}

// Write a node's tag and values. True if it stays open: it has values or children inside.
static bool open_node(Writer* writer, const rutSpecNode* node, int indent) {
  const rutComponent* type = node->type->type;
  new_line(writer, indent);
  add(writer, "<");
  add(writer, type->kind);
  if (type->name[0]) add_attribute(writer, "type", type->name, indent);
  add_fields(writer, node, false, indent);
  const size_t before = writer->out.size;
  add(writer, ">");
  if (add_fields(writer, node, true, indent + 2) || node->first >= 0) return true;
  writer->out.size = before;
  add(writer, "/>");
  return false;
}

static void close_node(Writer* writer, const rutSpecNode* node, int indent) {
  new_line(writer, indent);
  add(writer, "</");
  add(writer, node->type->type->kind);
  add(writer, ">");
}

static void add_tree(Writer* writer) {
  const rutSpecNode* all = writer->spec->node;
  add(writer, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>");
  int32_t slot = 0;
  int depth = 0;
  while (!writer->out.failed) {
    const rutSpecNode* node = &all[slot];
    const bool open = open_node(writer, node, 2 * depth);
    if (node->first >= 0) {
      slot = node->first;
      depth++;
      continue;
    }
    if (open) close_node(writer, node, 2 * depth);
    while (all[slot].next < 0 && all[slot].parent >= 0) {
      slot = all[slot].parent;
      close_node(writer, &all[slot], 2 * --depth);
    }
    if (all[slot].next < 0) break;
    slot = all[slot].next;
  }
  add(writer, "\n");
}

// ---------------------------------------------------------------------------------------------
// The file

static rutStatus write_file(const char* path, const char* text, size_t size, rutError* err) {
  rutOutput output;
  int fault = rut_output_begin(&output, path);
  if (!fault) {
    fault = rut_output_write(&output, text, size);
    if (fault) {
      rut_output_cancel(&output);
    } else {
      fault = rut_output_finish(&output);
    }
  }
  if (!fault) return RUT_OK;
  char message[RUT_OUTPUT_TEXT];
  rut_output_explain(fault, path, message);
  rut_error_set(err, RUT_ERR_IO, "%s", message);
  if (err) snprintf(err->file, sizeof err->file, "%s", path);
  return RUT_ERR_IO;
}

static rutStatus no_memory(rutError* err) {
  return rut_error_set(err, RUT_ERR_MEMORY, "out of memory");
}

// The text of a spec. To be freed as a string of the context, also after a failure.
static rutStatus make_text(Writer* writer, const rutSpec* spec, const char* path, rutError* err) {
  *writer = (Writer){.spec = spec, .path = path};
  writer->out.context = spec->context;
  add_tree(writer);
  if (writer->out.failed) return no_memory(err);
  // texts set by a program may hold what XML cannot: control characters, broken UTF-8
  rutReporter check = {0};
  rutXml* xml = NULL;
  const rutStatus status =
      rut_xml_parse(writer->out.data, writer->out.size, path, false, &check, &xml);
  rut_xml_destroy(xml);
  if (status == RUT_OK) return RUT_OK;
  return rut_error_set(err, status, "the spec cannot be written as XML: %s", check.first.message);
}

rutStatus rut_spec_save(const rutSpec* spec, const char* path, rutError* err) {
  Writer writer;
  rutStatus status = make_text(&writer, spec, path, err);
  if (status == RUT_OK) status = write_file(path, writer.out.data, writer.out.size, err);
  rut_string_free(&writer.out);
  return status;
}

rutStatus rut_spec_write(const rutSpec* spec, const char* path, char** text, size_t* size,
                         rutError* err) {
  *text = NULL;
  *size = 0;
  Writer writer;
  rutStatus status = make_text(&writer, spec, path, err);
  // the string belongs to the context's memory, the copy to the caller
  if (status == RUT_OK) {
    *text = malloc(writer.out.size + 1);
    if (!*text) status = no_memory(err);
  }
  if (*text) {
    *size = writer.out.size;
    memcpy(*text, writer.out.data, *size);
    (*text)[*size] = '\0';
  }
  rut_string_free(&writer.out);
  return status;
}
