// SPDX-License-Identifier: BSD-3-Clause
//
// An XML schema (XSD 1.0) of native world and study files, so that editors complete and explain
// what they hold. XSD cannot let the attribute `type` choose the other attributes, so an element
// takes those of all its types; which type has which stands in the annotation. Values may hold
// ${variables}, hence every number may also be an expression. rut itself checks more: use rut
// check.
#include <string.h>

#include "doc.h"

static void put_escaped(const char* text, FILE* out) {
  for (; *text; text++) {
    switch (*text) {
      case '<':
        fputs("&lt;", out);
        break;
      case '>':
        fputs("&gt;", out);
        break;
      case '&':
        fputs("&amp;", out);
        break;
      case '"':
        fputs("&quot;", out);
        break;
      default:
        putc(*text, out);
    }
  }
}

static bool is_element(const rutComponent* type) { return strcmp(type->kind, "format") != 0; }

// True for the first type of its kind: kinds get one definition for all their types.
static bool is_first_of_kind(const rutContext* context, int index) {
  const char* kind = rut_component_at(context, index)->kind;
  for (int i = 0; i < index; i++) {
    if (strcmp(rut_component_at(context, i)->kind, kind) == 0) return false;
  }
  return true;
}

// --- Values -----------------------------------------------------------------------------------

static void put_value_types(FILE* out) {
  fputs(
      "  <xs:simpleType name=\"expression\">\n"
      "    <xs:restriction base=\"xs:string\"><xs:pattern value=\"(.|\\s)*[$](.|\\s)*\"/>"
      "</xs:restriction>\n"
      "  </xs:simpleType>\n"
      "  <xs:simpleType name=\"quantity\">\n"
      "    <xs:annotation><xs:documentation>a number with or without a unit: 0.5, 50 cm, 12 deg"
      "</xs:documentation></xs:annotation>\n"
      "    <xs:union memberTypes=\"expression\"><xs:simpleType><xs:restriction "
      "base=\"xs:string\">\n"
      "      <xs:pattern value=\"\\s*[+\\-]?([0-9]+(\\.[0-9]*)?|\\.[0-9]+)([eE][+\\-]?[0-9]+)?"
      "(.|\\s)*\"/>\n"
      "    </xs:restriction></xs:simpleType></xs:union>\n"
      "  </xs:simpleType>\n"
      "  <xs:simpleType name=\"boolean\">\n"
      "    <xs:union memberTypes=\"expression\"><xs:simpleType><xs:restriction "
      "base=\"xs:string\">\n"
      "      <xs:pattern value=\"\\s*(true|false|yes|no|on|off|1|0)\\s*\"/>\n"
      "    </xs:restriction></xs:simpleType></xs:union>\n"
      "  </xs:simpleType>\n",
      out);
}

static const char* value_type(const rutField* field) {
  switch (field->type) {
    case RUT_REAL:
    case RUT_INTEGER:
      return "quantity";
    case RUT_BOOLEAN:
      return "boolean";
    case RUT_CHOICE:
    case RUT_TEXT:
    case RUT_VECTOR:
    case RUT_POINTS:
      break;
  }
  return "xs:string";
}

static void put_words(const char* words, FILE* out) {
  fputs(
      "      <xs:simpleType><xs:union memberTypes=\"expression\"><xs:simpleType>"
      "<xs:restriction base=\"xs:string\">\n",
      out);
  for (const char* word = words; word;) {
    fprintf(out, "        <xs:enumeration value=\"%.*s\"/>\n", (int)strcspn(word, "|"), word);
    word = strchr(word, '|');
    if (word) word++;
  }
  fputs("      </xs:restriction></xs:simpleType></xs:union></xs:simpleType>\n", out);
}

// --- Attributes -------------------------------------------------------------------------------

static const rutField* find_field(const rutComponent* type, const char* name) {
  for (int i = 0; i < type->fields; i++) {
    if (strcmp(type->field[i].name, name) == 0) return &type->field[i];
  }
  return NULL;
}

// True if an earlier type of the same kind has this field, so that its attribute stands already.
static bool is_written(const rutContext* context, int index, const char* name) {
  const char* kind = rut_component_at(context, index)->kind;
  for (int i = 0; i < index; i++) {
    const rutComponent* type = rut_component_at(context, i);
    if (strcmp(type->kind, kind) == 0 && find_field(type, name)) return true;
  }
  return false;
}

// What the field means to each type that has it.
static void put_field_doc(const rutContext* context, const char* kind, const char* name,
                          FILE* out) {
  fputs("      <xs:annotation><xs:documentation>", out);
  bool any = false;
  for (int i = 0; i < rut_component_count(context); i++) {
    const rutComponent* type = rut_component_at(context, i);
    const rutField* field = strcmp(type->kind, kind) == 0 ? find_field(type, name) : NULL;
    if (!field) continue;
    if (any) fputs(" | ", out);
    any = true;
    if (type->name[0]) fprintf(out, "%s: ", type->name);
    put_escaped(field->doc, out);
    const char* unit = cli_doc_unit(field);
    if (unit[0]) fprintf(out, " [%s]", unit);
    if (field->flags & RUT_FIELD_REQUIRED) fputs(" (required)", out);
  }
  fputs("</xs:documentation></xs:annotation>\n", out);
}

// Words of a choice that is the same for all types of the kind; NULL if they differ.
static const char* common_words(const rutContext* context, const char* kind,
                                const rutField* field) {
  if (field->type != RUT_CHOICE) return NULL;
  for (int i = 0; i < rut_component_count(context); i++) {
    const rutComponent* type = rut_component_at(context, i);
    const rutField* other = strcmp(type->kind, kind) == 0 ? find_field(type, field->name) : NULL;
    if (other && (other->type != RUT_CHOICE || strcmp(other->text, field->text) != 0)) return NULL;
  }
  return field->text;
}

static void put_attribute(const rutContext* context, const char* kind, const rutField* field,
                          FILE* out) {
  const char* words = common_words(context, kind, field);
  fprintf(out, "    <xs:attribute name=\"%s\"", field->name);
  if (!words) {
    bool same = true;
    for (int i = 0; i < rut_component_count(context); i++) {
      const rutComponent* type = rut_component_at(context, i);
      const rutField* other = strcmp(type->kind, kind) == 0 ? find_field(type, field->name) : NULL;
      if (other && strcmp(value_type(other), value_type(field)) != 0) same = false;
    }
    fprintf(out, " type=\"%s\"", same ? value_type(field) : "xs:string");
  }
  fputs(">\n", out);
  put_field_doc(context, kind, field->name, out);
  if (words) put_words(words, out);
  fputs("    </xs:attribute>\n", out);
}

static void put_type_attribute(const rutContext* context, const char* kind, FILE* out) {
  bool optional = false, any = false;
  for (int i = 0; i < rut_component_count(context); i++) {
    const rutComponent* type = rut_component_at(context, i);
    if (strcmp(type->kind, kind) != 0) continue;
    if (type->name[0]) {
      any = true;
    } else {
      optional = true;
    }
  }
  if (!any) return;
  fprintf(out, "    <xs:attribute name=\"type\"%s>\n", optional ? "" : " use=\"required\"");
  fputs(
      "      <xs:simpleType><xs:union memberTypes=\"expression\"><xs:simpleType>"
      "<xs:restriction base=\"xs:string\">\n",
      out);
  for (int i = 0; i < rut_component_count(context); i++) {
    const rutComponent* type = rut_component_at(context, i);
    if (strcmp(type->kind, kind) != 0 || !type->name[0]) continue;
    fprintf(out, "        <xs:enumeration value=\"%s\"><xs:annotation><xs:documentation>",
            type->name);
    put_escaped(type->doc, out);
    fputs("</xs:documentation></xs:annotation></xs:enumeration>\n", out);
  }
  fputs("      </xs:restriction></xs:simpleType></xs:union></xs:simpleType>\n    </xs:attribute>\n",
        out);
}

// Presets of all types of a kind, unless a field has this name.
static void put_preset_attribute(const rutContext* context, const char* kind, FILE* out) {
  bool any = false;
  for (int i = 0; i < rut_component_count(context); i++) {
    const rutComponent* type = rut_component_at(context, i);
    if (strcmp(type->kind, kind) != 0) continue;
    if (find_field(type, "preset")) return;
    any = any || type->presets > 0;
  }
  if (!any) return;
  fputs(
      "    <xs:attribute name=\"preset\">\n"
      "      <xs:simpleType><xs:union memberTypes=\"expression\"><xs:simpleType>"
      "<xs:restriction base=\"xs:string\">\n",
      out);
  for (int i = 0; i < rut_component_count(context); i++) {
    const rutComponent* type = rut_component_at(context, i);
    for (int k = 0; strcmp(type->kind, kind) == 0 && k < type->presets; k++) {
      fprintf(out, "        <xs:enumeration value=\"%s\"><xs:annotation><xs:documentation>%s: ",
              type->preset[k].name, type->name);
      put_escaped(type->preset[k].doc, out);
      fputs("</xs:documentation></xs:annotation></xs:enumeration>\n", out);
    }
  }
  fputs("      </xs:restriction></xs:simpleType></xs:union></xs:simpleType>\n    </xs:attribute>\n",
        out);
}

static void put_attributes(const rutContext* context, const char* kind, FILE* out) {
  put_type_attribute(context, kind, out);
  put_preset_attribute(context, kind, out);
  bool has_name = false;
  for (int i = 0; i < rut_component_count(context); i++) {
    const rutComponent* type = rut_component_at(context, i);
    if (strcmp(type->kind, kind) != 0) continue;
    for (int k = 0; k < type->fields; k++) {
      if (strcmp(type->field[k].name, "name") == 0) has_name = true;
      if (is_written(context, i, type->field[k].name)) continue;
      put_attribute(context, kind, &type->field[k], out);
    }
  }
  if (!has_name) fputs("    <xs:attribute name=\"name\" type=\"xs:string\"/>\n", out);
}

// --- Elements ---------------------------------------------------------------------------------

// What may stand in an element of a kind: its children, and the elements that every place takes.
static void put_content(const rutContext* context, const char* kind, FILE* out) {
  fprintf(out, "  <xs:group name=\"in_%s\">\n    <xs:choice>\n", kind);
  for (int i = 0; i < rut_component_count(context); i++) {
    const rutComponent* child = rut_component_at(context, i);
    if (!is_element(child) || !is_first_of_kind(context, i)) continue;
    // the kind stands in what any of its types stands in
    bool fits = false;
    for (int k = i; k < rut_component_count(context) && !fits; k++) {
      const rutComponent* type = rut_component_at(context, k);
      fits = strcmp(type->kind, child->kind) == 0 && cli_doc_lists(type->parents, kind);
    }
    if (!fits) continue;
    fprintf(out, "      <xs:element name=\"%s\" type=\"%s\"/>\n", child->kind, child->kind);
  }
  fprintf(out,
          "      <xs:element name=\"parameter\" type=\"parameter\"/>\n"
          "      <xs:element name=\"include\" type=\"include\"/>\n"
          "      <xs:element name=\"value\" type=\"value\"/>\n"
          "      <xs:element name=\"for\" type=\"for_in_%s\"/>\n"
          "      <xs:element name=\"if\" type=\"if_in_%s\"/>\n"
          "    </xs:choice>\n  </xs:group>\n",
          kind, kind);
  fprintf(out,
          "  <xs:complexType name=\"for_in_%s\">\n"
          "    <xs:group ref=\"in_%s\" minOccurs=\"0\" maxOccurs=\"unbounded\"/>\n"
          "    <xs:attribute name=\"var\" type=\"xs:string\" use=\"required\"/>\n"
          "    <xs:attribute name=\"from\" type=\"quantity\" use=\"required\"/>\n"
          "    <xs:attribute name=\"to\" type=\"quantity\" use=\"required\"/>\n"
          "  </xs:complexType>\n"
          "  <xs:complexType name=\"if_in_%s\">\n"
          "    <xs:group ref=\"in_%s\" minOccurs=\"0\" maxOccurs=\"unbounded\"/>\n"
          "    <xs:attribute name=\"condition\" type=\"xs:string\" use=\"required\"/>\n"
          "  </xs:complexType>\n",
          kind, kind, kind, kind);
}

static void put_kind(const rutContext* context, int index, FILE* out) {
  const rutComponent* first = rut_component_at(context, index);
  fprintf(out, "  <xs:complexType name=\"%s\">\n", first->kind);
  // where there are types, each is explained at its name
  if (!first->name[0]) {
    fputs("    <xs:annotation><xs:documentation>", out);
    put_escaped(first->doc, out);
    fputs("</xs:documentation></xs:annotation>\n", out);
  }
  fprintf(out, "    <xs:group ref=\"in_%s\" minOccurs=\"0\" maxOccurs=\"unbounded\"/>\n",
          first->kind);
  put_attributes(context, first->kind, out);
  fputs("  </xs:complexType>\n", out);
  put_content(context, first->kind, out);
}

static void put_common_elements(FILE* out) {
  fputs(
      "  <xs:complexType name=\"parameter\">\n"
      "    <xs:annotation><xs:documentation>A variable for ${name}; an include of this file may "
      "override it.</xs:documentation></xs:annotation>\n"
      "    <xs:attribute name=\"name\" type=\"xs:string\" use=\"required\"/>\n"
      "    <xs:attribute name=\"value\" type=\"xs:string\" use=\"required\"/>\n"
      "  </xs:complexType>\n"
      "  <xs:complexType name=\"include\">\n"
      "    <xs:annotation><xs:documentation>What stands in another file; all other attributes are "
      "its parameters.</xs:documentation></xs:annotation>\n"
      "    <xs:attribute name=\"file\" type=\"xs:string\" use=\"required\"/>\n"
      "    <xs:anyAttribute processContents=\"skip\"/>\n"
      "  </xs:complexType>\n"
      "  <xs:complexType name=\"value\">\n"
      "    <xs:annotation><xs:documentation>A field as text of an element, for long values."
      "</xs:documentation></xs:annotation>\n"
      "    <xs:simpleContent><xs:extension base=\"xs:string\">\n"
      "      <xs:attribute name=\"field\" type=\"xs:string\" use=\"required\"/>\n"
      "      <xs:attribute name=\"text\" type=\"xs:string\"/>\n"
      "    </xs:extension></xs:simpleContent>\n"
      "  </xs:complexType>\n",
      out);
}

void cli_doc_schema(const rutContext* context, FILE* out) {
  fprintf(out,
          "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
          "<xs:schema xmlns:xs=\"http://www.w3.org/2001/XMLSchema\" version=\"%s\">\n"
          "  <xs:annotation><xs:documentation>World, study and map files of rut, made by rut doc "
          "--schema."
          "</xs:documentation></xs:annotation>\n"
          "  <xs:element name=\"world\" type=\"world\"/>\n"
          "  <xs:element name=\"study\" type=\"study\"/>\n"
          "  <xs:element name=\"map\" type=\"map\"/>\n",
          RUT_VERSION_STRING);
  put_value_types(out);
  put_common_elements(out);
  for (int i = 0; i < rut_component_count(context); i++) {
    if (is_element(rut_component_at(context, i)) && is_first_of_kind(context, i)) {
      put_kind(context, i, out);
    }
  }
  fputs("</xs:schema>\n", out);
}
