// SPDX-License-Identifier: BSD-3-Clause
//
// Reads rut's own world files. An element is a node of the spec: its tag is the kind, the attribute
// `type` the component type, `name` the name, every other attribute a field, and what stands in it
// are its children:
//
//   <world name="demo" timestep="5 ms">
//     <vehicle name="r1"> <tyre type="coulomb" friction="0.7"/> <wheel name="l" .../> </vehicle>
//   </world>
//
// Beside nodes there are
//   <parameter name="n" value="3"/>
//     a variable for ${n}; an <include> of this file may override it
//   <include file="r.xml" n="5"/>
//     what stands in another file, with its parameters; or a scene of MAVS
//   <for var="i" from="1" to="${n}">
//     what stands in it, once for each whole number
//   <if condition="${n} > 2">
//     what stands in it, if true
//   <value field="outline">..</value>
//     a field as text of an element, for long values; not expanded
//   <value field="points" file="trail.vprp"/>
//     points from a file of a path
//   <vehicle file="hmmwv.json" name="h1">
//     a vehicle from a file of MAVS or MVSim; what else the element says and holds goes before what
//     the file says
//
// Attribute values are expanded as described in expand.h. Files with another first element, such as
// studies, are read in the same way.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/suggest.h"
#include "format/expression.h"
#include "format/foreign.h"
#include "format/mavs_scene.h"
#include "format/native_load.h"
#include "format/path_file.h"
#include "rut/component.h"

enum {
  MAX_NESTING = 200,        // of elements, over all files
  MAX_SCENES = 32,          // times that scenes of MAVS are included
  MAX_INCLUDES = 20000,     // times that a file is included
  MAX_VISITS = 1 << 25,     // elements looked at, each time one is used
  MAX_ITERATIONS = 2000000  // of all loops together
};

static rutPlace element_place(const rutNativeFrame* frame, const rutXmlElement* element) {
  return rut_native_place(frame, element->line, element->column);
}

static void read_content(rutNativeReader* reader, const rutNativeFrame* frame, rutScope* scope,
                         const rutXmlElement* element, rutNode node);

static void read_parameter(rutNativeReader* reader, const rutNativeFrame* frame, rutScope* scope,
                           const rutXmlElement* element) {
  static const char* const known[] = {"name", "value", ""};
  rut_native_check_attributes(reader, frame, element, known);
  char *name, *value = NULL;
  if (!rut_native_require(reader, frame, scope, element, "name", &name)) return;
  // what the <include> says goes before what the included file says
  const bool given = frame->include && rut_xml_attribute(frame->include, name);
  if (rut_native_require(reader, frame, scope, element, "value", &value) && !given) {
    const rutStatus status = rut_scope_set(scope, name, value);
    if (status != RUT_OK) rut_native_halt(reader, frame, element, rut_status_text(status));
  }
  free(value);
  free(name);
}

// "a.xml -> b.xml -> a.xml" for the message about a circle.
static void print_chain(const rutNativeFrame* frame, const rutNativeDocument* again, char* text,
                        size_t size) {
  const rutNativeFrame* order[RUT_READER_MAX_INCLUDE_DEPTH + 1];
  int n = 0;
  for (; frame && n <= RUT_READER_MAX_INCLUDE_DEPTH; frame = frame->up) {
    order[n++] = frame;
    if (frame->document == again) break;
  }
  size_t used = 0;
  text[0] = '\0';
  while (n > 0 && used < size) {
    const int length =
        snprintf(text + used, size - used, "%.80s -> ", rut_xml_file(order[--n]->document->xml));
    used += length > 0 ? (size_t)length : 0;
  }
  if (used < size) snprintf(text + used, size - used, "%.80s", rut_xml_file(again->xml));
}

// True if the document may be included here: not by itself, and not too deep.
static bool check_chain(rutNativeReader* reader, const rutNativeFrame* frame,
                        const rutXmlElement* element, const rutNativeDocument* document) {
  char chain[300];
  for (const rutNativeFrame* up = frame; up; up = up->up) {
    if (up->document != document) continue;
    print_chain(frame, document, chain, sizeof chain);
    RUT_NATIVE_FAIL(reader, frame, element, element->line, element->column, "",
                    "file includes itself: %s", chain);
    return false;
  }
  if (frame->depth < RUT_READER_MAX_INCLUDE_DEPTH) return true;
  RUT_NATIVE_FAIL(reader, frame, element, element->line, element->column, "",
                  "files include each other more than %d deep", RUT_READER_MAX_INCLUDE_DEPTH);
  return false;
}

// Variables of an included file: the other attributes of <include>.
static bool pass_parameters(rutNativeReader* reader, const rutNativeFrame* frame, rutScope* scope,
                            const rutXmlElement* element, rutScope* inner) {
  for (int i = 0; i < element->attributes; ++i) {
    const rutXmlAttribute* attribute = &element->attribute[i];
    if (strcmp(attribute->name, "file") == 0) continue;
    char* value;
    if (!rut_native_expand(reader, frame, scope, element, attribute, &value)) return false;
    const rutStatus status = rut_scope_set(inner, attribute->name, value);
    free(value);
    if (status != RUT_OK) {
      rut_native_halt(reader, frame, element, rut_status_text(status));
      return false;
    }
  }
  return true;
}

// What a scene of MAVS holds, into the world.
static void add_scene(rutNativeReader* reader, const rutNativeFrame* frame,
                      const rutXmlElement* element, const rutNativeDocument* document,
                      const char* path, rutNode node) {
  if (strcmp(rut_node_kind(reader->spec, node), "world") != 0) {
    RUT_NATIVE_FAIL(reader, frame, element, element->line, element->column, "include it in <world>",
                    "a scene is a part of the world");
    return;
  }
  if (++reader->scenes > MAX_SCENES) {
    rut_native_halt(reader, frame, element, "too many scenes are included");
    return;
  }
  rut_mavs_scene_add(reader->context, document->vehicle, document->size, path, reader->spec, node);
  rut_native_count_error(reader, frame);
}

static void read_include(rutNativeReader* reader, const rutNativeFrame* frame, rutScope* scope,
                         const rutXmlElement* element, rutNode node) {
  char* name;
  if (++reader->includes > MAX_INCLUDES) {
    rut_native_halt(reader, frame, element, "loops and includes of this file take too long");
    return;
  }
  if (!rut_native_require(reader, frame, scope, element, "file", &name)) return;
  char* path = rut_native_join_path(rut_xml_file(frame->document->xml), name);
  free(name);
  rutNativeDocument* document =
      path ? rut_native_open_document(reader, frame, element, path) : NULL;
  if (document && document->scene) {
    add_scene(reader, frame, element, document, path, node);
    free(path);
    return;
  }
  free(path);
  if (!document || !check_chain(reader, frame, element, document)) return;
  rutScope* inner = rut_scope_create(scope, 0);
  if (!inner) {
    rut_native_halt(reader, frame, element, "out of memory");
    return;
  }
  const rutNativeFrame next = {frame, document, element, frame->depth + 1};
  if (pass_parameters(reader, frame, scope, element, inner)) {
    read_content(reader, &next, inner, rut_xml_root(document->xml), node);
  }
  rut_scope_destroy(inner);
}

static void read_for(rutNativeReader* reader, const rutNativeFrame* frame, rutScope* scope,
                     const rutXmlElement* element, rutNode node) {
  static const char* const known[] = {"var", "from", "to", ""};
  rut_native_check_attributes(reader, frame, element, known);
  char* variable;
  long from, to;
  if (!rut_native_require(reader, frame, scope, element, "var", &variable)) return;
  if (!rut_native_require_whole(reader, frame, scope, element, "from", &from) ||
      !rut_native_require_whole(reader, frame, scope, element, "to", &to)) {
    free(variable);
    return;
  }
  const int errors = reader->reporter->errors;
  // a fault in one round is a fault in all: it is reported once
  for (long i = from; i <= to && !reader->halted && reader->reporter->errors == errors; ++i) {
    if (++reader->iterations > MAX_ITERATIONS) {
      rut_native_halt(reader, frame, element, "loops of this file run more than 2000000 times");
      break;
    }
    rutScope* inner = rut_scope_create(scope, 0);
    char text[24];
    snprintf(text, sizeof text, "%ld", i);
    if (!inner || rut_scope_set(inner, variable, text) != RUT_OK) {
      rut_native_halt(reader, frame, element, "out of memory");
    } else {
      reader->loops++;
      read_content(reader, frame, inner, element, node);
      reader->loops--;
    }
    rut_scope_destroy(inner);
  }
  free(variable);
}

// Truth of a condition: a word, or an expression that is not 0.
static bool is_true(rutScope* scope, const char* text, bool* truth, size_t* fault,
                    char message[128]) {
  static const char* const words[] = {"false", "true", "no", "yes", "off", "on"};
  for (int i = 0; i < RUT_COUNT_OF(words); ++i) {
    const size_t lead = strspn(text, " \t\r\n"), n = strlen(words[i]);
    if (strncmp(text + lead, words[i], n) == 0 &&
        text[lead + n + strspn(text + lead + n, " \t\r\n")] == '\0') {
      *truth = i % 2;
      return true;
    }
  }
  double value = 0.0;
  const rutStatus status = rut_evaluate(scope, text, &value, fault, message);
  *truth = value != 0.0;
  return status == RUT_OK;
}

static void read_if(rutNativeReader* reader, const rutNativeFrame* frame, rutScope* scope,
                    const rutXmlElement* element, rutNode node) {
  static const char* const known[] = {"condition", ""};
  rut_native_check_attributes(reader, frame, element, known);
  char* text;
  if (!rut_native_require(reader, frame, scope, element, "condition", &text)) return;
  bool truth = false;
  size_t fault = 0;
  char message[128];
  const bool clear = is_true(scope, text, &truth, &fault, message);
  const rutXmlAttribute* attribute = rut_xml_attribute(element, "condition");
  if (!clear) {
    RUT_NATIVE_FAIL(reader, frame, element, attribute->line, attribute->column, "",
                    "condition '%.80s': %s, at character %zu", text, message, fault + 1);
  }
  free(text);
  if (clear && truth) read_content(reader, frame, scope, element, node);
}

// Set the field that an attribute names; file names in it are then seen from this file.
static void set_field(rutNativeReader* reader, const rutNativeFrame* frame,
                      const rutXmlElement* element, rutNode node, rutXmlAttribute field) {
  rut_node_place(reader->spec, node, field.name, rut_native_place(frame, field.line, field.column));
  if (rut_node_set(reader->spec, node, field.name, field.value, &reader->fault) != RUT_OK) {
    rut_native_report_fault(reader, frame, element, field.line, field.column);
  }
}

// Set a field to the points of a file.
static void read_path(rutNativeReader* reader, const rutNativeFrame* frame,
                      const rutXmlElement* element, rutNode node, const rutXmlAttribute* field) {
  const rutXmlAttribute* file = rut_xml_attribute(element, "file");
  const rutPlace place = rut_native_place(frame, file->line, file->column);
  char* path = rut_native_join_path(rut_xml_file(frame->document->xml), file->value);
  char* text = NULL;
  size_t size = 0;
  rutPathPoints points = {0};
  rutPathRoute route;
  const bool routed = rut_path_route(element, place, reader->reporter, &route);
  route.closed = routed && rut_node_number(reader->spec, node, "closed") > 0;
  if (!routed) {
    rut_native_count_error(reader, frame);
  } else if (++reader->includes > MAX_INCLUDES || reader->bytes > RUT_NATIVE_MAX_TEXT) {
    rut_native_halt(reader, frame, element, "loops and includes of this file take too long");
  } else if (!path) {
    rut_native_halt(reader, frame, element, "out of memory");
  } else if (rut_read_file(path, RUT_PATH_MAX_FILE, reader->reporter, place, &text, &size) ==
                 RUT_OK &&
             rut_path_read(text, size, path, &route, reader->reporter, &points) == RUT_OK) {
    reader->bytes += size;
    rut_node_place(reader->spec, node, field->value, place);
    if (rut_node_set_numbers(reader->spec, node, field->value, 2 * points.n, points.xy,
                             &reader->fault) != RUT_OK) {
      rut_native_report_fault(reader, frame, element, field->line, field->column);
    }
  } else {
    rut_native_count_error(reader, frame);
  }
  rut_path_points_free(&points);
  free(text);
  free(path);
}

static void read_value(rutNativeReader* reader, const rutNativeFrame* frame,
                       const rutXmlElement* element, rutNode node) {
  static const char* const known[] = {"field", "text",   "file", "road",
                                      "lane",  "offset", "most", ""};
  rut_native_check_attributes(reader, frame, element, known);
  const rutXmlAttribute* field = rut_xml_attribute(element, "field");
  const rutXmlAttribute* text = rut_xml_attribute(element, "text");
  if (!field) {
    RUT_NATIVE_FAIL(reader, frame, element, element->line, element->column, "",
                    "<value> needs the attribute 'field'");
    return;
  }
  if (element->first) {
    RUT_NATIVE_FAIL(reader, frame, element, element->first->line, element->first->column, "",
                    "<value> holds text, no elements");
    return;
  }
  if (rut_xml_attribute(element, "file")) {
    if (text || element->text[0]) {
      RUT_NATIVE_FAIL(reader, frame, element, element->line, element->column, "",
                      "<value> has its points from a file or as text, not both");
    } else {
      read_path(reader, frame, element, node, field);
    }
    return;
  }
  const rutXmlAttribute value = {.name = field->value,
                                 .value = text ? text->value : element->text,
                                 .line = element->line,
                                 .column = element->column};
  set_field(reader, frame, element, node, value);
}

static bool is_file_vehicle(const rutXmlElement* element) {
  return strcmp(element->name, "vehicle") == 0 && rut_xml_attribute(element, "file");
}

static void set_attributes(rutNativeReader* reader, const rutNativeFrame* frame, rutScope* scope,
                           const rutXmlElement* element, rutNode node) {
  for (int i = 0; i < element->attributes && !reader->halted; ++i) {
    const rutXmlAttribute* attribute = &element->attribute[i];
    if (strcmp(attribute->name, "type") == 0 || strcmp(attribute->name, "name") == 0) continue;
    if (is_file_vehicle(element) &&
        (strcmp(attribute->name, "file") == 0 || strcmp(attribute->name, "parts") == 0))
      continue;
    if (strcmp(attribute->name, "colour") == 0 && rut_xml_attribute(element, "color")) {
      RUT_NATIVE_FAIL(reader, frame, element, attribute->line, attribute->column, "",
                      "'color' and 'colour' are the same field");
      continue;
    }
    char* text;
    if (!rut_native_expand(reader, frame, scope, element, attribute, &text)) continue;
    rutXmlAttribute field = *attribute;
    field.value = text;
    set_field(reader, frame, element, node, field);
    free(text);
  }
}

// The spec knows no <include> and its like: add them to what an unknown element may have meant.
static void suggest_own(rutNativeReader* reader, const rutXmlElement* element) {
  static const char* const own[] = {"parameter", "include", "for", "if", "value"};
  char* message = reader->fault.message;
  const char* nearest = rut_suggest(element->name, own, RUT_COUNT_OF(own));
  if (!nearest || strstr(message, "did you mean") || !strstr(message, "unknown element")) return;
  const size_t used = strlen(message);
  snprintf(message + used, sizeof reader->fault.message - used, "; did you mean <%s>?", nearest);
}

// The vehicle of another program's file. Null after an error.
static rutNode read_vehicle_file(rutNativeReader* reader, const rutNativeFrame* frame,
                                 rutScope* scope, const rutXmlElement* element, rutNode parent,
                                 const char* name) {
  rutNode node = {0, 0};
  char *file, *parts;
  if (++reader->includes > MAX_INCLUDES) {
    rut_native_halt(reader, frame, element, "loops and includes of this file take too long");
    return node;
  }
  if (!rut_native_require(reader, frame, scope, element, "file", &file)) return node;
  if (!rut_native_optional(reader, frame, scope, element, "parts", &parts)) {
    free(file);
    return node;
  }
  char* path = rut_native_join_path(rut_xml_file(frame->document->xml), file);
  free(file);
  bool again = false;
  const rutNativeDocument* document =
      path ? rut_native_open_vehicle(reader, frame, element, path, &again) : NULL;
  const rutVehiclePlace to = {reader->spec, parent, name[0] ? name : NULL};
  if (document) {
    // what is to say about a file is said once
    const rutReporter before = *reader->reporter;
    const rutForeignFile from = {document->vehicle, document->size, path,
                                 rut_native_place(frame, element->line, element->column),
                                 parts[0] ? parts : NULL};
    if (again) reader->reporter->report = NULL;
    const bool known = rut_foreign_add_vehicle(reader->context, &from, &to, &node);
    reader->reporter->report = before.report;
    if (again) reader->reporter->warnings = before.warnings;
    const rutXmlAttribute* attribute = rut_xml_attribute(element, "file");
    if (known) {
      rut_native_count_error(reader, frame);
    } else {
      RUT_NATIVE_FAIL(
          reader, frame, element, attribute->line, attribute->column,
          "rut's own vehicles are read by <include>",
          "'%.200s' is not a vehicle file that rut can read (known formats: chrono, mavs, mvsim, "
          "sdf, urdf)",
          path);
    }
  }
  free(parts);
  free(path);
  return node;
}

// What an element may hold one of takes the place of what its file brought.
static void replace_parts(rutNativeReader* reader, const rutXmlElement* element, rutNode node) {
  static const char* const parts[] = {"chassis", "drive", "controller", "odometry", "tyre"};
  for (int i = 0; i < RUT_COUNT_OF(parts); i++) {
    const rutXmlElement* child = element->first;
    while (child && strcmp(child->name, parts[i]) != 0) child = child->next;
    const rutNode old = rut_node_first(reader->spec, node, parts[i]);
    if (child && !rut_node_is_null(old)) rut_spec_remove(reader->spec, old);
  }
}

static void count_nodes(rutNativeReader* reader, const rutNativeFrame* frame,
                        const rutXmlElement* element, int n) {
  reader->nodes += n;
  if (reader->nodes <= RUT_READER_MAX_NODES) return;
  rut_native_halt(reader, frame, element, "loops and includes make more than 16 million elements");
}

static void count_visits(rutNativeReader* reader, const rutNativeFrame* frame,
                         const rutXmlElement* element, int n) {
  reader->visits += n;
  if (reader->visits <= MAX_VISITS) return;
  rut_native_halt(reader, frame, element, "loops and includes of this file take too long");
}

// What is known of an element that may be read again and says the same each time, else NULL.
static rutXmlFixed* fixed_of(rutNativeReader* reader, const rutNativeFrame* frame,
                             const rutXmlElement* element) {
  rutNativeDocument* document = frame->document;
  if (!document->fixed && (reader->loops > 0 || frame->up)) {
    document->fixed = calloc((size_t)rut_xml_elements(document->xml), sizeof *document->fixed);
  }
  if (!document->fixed || !rut_xml_is_fixed(element, document->fixed)) return NULL;
  return &document->fixed[element->index];
}

// Make of an element what was made of it before. False if nothing was.
static bool read_again(rutNativeReader* reader, const rutNativeFrame* frame,
                       const rutXmlElement* element, const rutXmlFixed* fixed, rutNode parent) {
  if (!fixed || rut_node_kind(reader->spec, fixed->node)[0] == '\0') return false;
  count_nodes(reader, frame, element, fixed->nodes);
  count_visits(reader, frame, element, fixed->visits);
  if (reader->halted) return true;
  if (rut_node_is_null(rut_spec_repeat(reader->spec, parent, fixed->node, &reader->fault))) {
    rut_native_report_fault(reader, frame, element, element->line, element->column);
  }
  return true;
}

static rutNode read_new(rutNativeReader* reader, const rutNativeFrame* frame, rutScope* scope,
                        const rutXmlElement* element, rutNode parent) {
  rutNode node = {0, 0};
  char *type, *name;
  if (!rut_native_optional(reader, frame, scope, element, "type", &type)) return node;
  if (!rut_native_optional(reader, frame, scope, element, "name", &name)) {
    free(type);
    return node;
  }
  count_nodes(reader, frame, element, 1);
  if (!reader->halted && is_file_vehicle(element)) {
    node = read_vehicle_file(reader, frame, scope, element, parent, name);
  } else if (!reader->halted) {
    node = rut_spec_add(reader->spec, parent, element->name, type, name, &reader->fault);
    if (rut_node_is_null(node)) {
      suggest_own(reader, element);
      rut_native_report_fault(reader, frame, element, element->line, element->column);
    }
  }
  free(name);
  free(type);
  if (rut_node_is_null(node)) return node;
  if (is_file_vehicle(element)) {
    replace_parts(reader, element, node);
  } else {
    rut_node_place(reader->spec, node, NULL, element_place(frame, element));
  }
  set_attributes(reader, frame, scope, element, node);
  read_content(reader, frame, scope, element, node);
  return node;
}

static void read_node(rutNativeReader* reader, const rutNativeFrame* frame, rutScope* scope,
                      const rutXmlElement* element, rutNode parent) {
  rutXmlFixed* fixed = fixed_of(reader, frame, element);
  if (read_again(reader, frame, element, fixed, parent)) return;
  const int nodes = reader->nodes, visits = reader->visits;
  const int found = reader->reporter->errors + reader->reporter->warnings;
  const rutNode node = read_new(reader, frame, scope, element, parent);
  // what was said about it is said again
  if (!fixed || found != reader->reporter->errors + reader->reporter->warnings) return;
  fixed->node = node;
  fixed->nodes = reader->nodes - nodes;
  fixed->visits = reader->visits - visits;
}

static void unexpected_text(rutNativeReader* reader, const rutNativeFrame* frame,
                            const rutXmlElement* element) {
  RUT_NATIVE_FAIL(reader, frame, element, element->line, element->column,
                  "values are attributes: name=\"value\"", "unexpected text '%.40s'",
                  element->text);
}

// <parameter> and <include> hold nothing.
static void check_empty(rutNativeReader* reader, const rutNativeFrame* frame,
                        const rutXmlElement* element) {
  if (element->text[0]) unexpected_text(reader, frame, element);
  if (!element->first) return;
  RUT_NATIVE_FAIL(reader, frame, element, element->first->line, element->first->column, "",
                  "<%s> holds no elements", element->name);
}

static void read_element(rutNativeReader* reader, const rutNativeFrame* frame, rutScope* scope,
                         const rutXmlElement* element, rutNode node) {
  if (strcmp(element->name, "parameter") == 0) {
    check_empty(reader, frame, element);
    read_parameter(reader, frame, scope, element);
  } else if (strcmp(element->name, "include") == 0) {
    check_empty(reader, frame, element);
    read_include(reader, frame, scope, element, node);
  } else if (strcmp(element->name, "for") == 0) {
    read_for(reader, frame, scope, element, node);
  } else if (strcmp(element->name, "if") == 0) {
    read_if(reader, frame, scope, element, node);
  } else if (strcmp(element->name, "value") == 0) {
    read_value(reader, frame, element, node);
  } else {
    read_node(reader, frame, scope, element, node);
  }
}

// Read what stands in an element into a node.
static void read_content(rutNativeReader* reader, const rutNativeFrame* frame, rutScope* scope,
                         const rutXmlElement* element, rutNode node) {
  if (element->text[0]) unexpected_text(reader, frame, element);
  if (++reader->nesting > MAX_NESTING) {
    rut_native_halt(reader, frame, element, "elements are nested too deep");
  }
  for (const rutXmlElement* child = element->first; child && !reader->halted; child = child->next) {
    count_visits(reader, frame, child, 1);
    if (!reader->halted) read_element(reader, frame, scope, child, node);
  }
  reader->nesting--;
}

static void read_world(rutNativeReader* reader, const rutNativeFrame* frame, rutScope* scope) {
  const rutXmlElement* root = rut_xml_root(frame->document->xml);
  const rutNode world = rut_spec_root(reader->spec);
  rut_node_place(reader->spec, world, NULL, element_place(frame, root));
  const char* kind = rut_node_kind(reader->spec, world);
  if (strcmp(root->name, kind) != 0) {
    RUT_NATIVE_FAIL(reader, frame, root, root->line, root->column, "",
                    "the first element of a %s file must be <%s>, not <%.60s>", kind, kind,
                    root->name);
    return;
  }
  const rutXmlAttribute* type = rut_xml_attribute(root, "type");
  if (type) {
    RUT_NATIVE_FAIL(reader, frame, root, type->line, type->column, "", "<%s> has no types", kind);
  }
  const rutXmlAttribute* name = rut_xml_attribute(root, "name");
  char* text;
  if (name && rut_native_expand(reader, frame, scope, root, name, &text)) {
    rutXmlAttribute field = *name;
    field.value = text;
    set_field(reader, frame, root, world, field);
    free(text);
  }
  set_attributes(reader, frame, scope, root, world);
  read_content(reader, frame, scope, root, world);
}

static rutStatus native_read(rutContext* context, const char* text, size_t size, const char* name,
                             rutSpec* spec, rutError* err) {
  rutNativeReader* reader = calloc(1, sizeof *reader);
  rutScope* scope = rut_scope_create(NULL, rut_context_seed(context));
  if (!reader || !scope) {
    free(reader);
    rut_scope_destroy(scope);
    return rut_error_set(err, RUT_ERR_MEMORY, "out of memory");
  }
  reader->context = context;
  reader->reporter = rut_context_reporter(context);
  reader->spec = spec;
  rutNativeDocument* document =
      rut_native_keep_document(reader, rut_native_file_key(name), text, size, name, false);
  if (document) {
    const rutNativeFrame frame = {.document = document};
    read_world(reader, &frame, scope);
  }
  if (rut_scope_random(scope)->drawn > 0) rut_spec_note_random(spec);
  const bool failed = reader->reporter->errors > 0;
  if (failed && err) *err = reader->reporter->first;
  rut_native_free_documents(reader);
  rut_scope_destroy(scope);
  const rutStatus status = failed ? reader->reporter->first.status : RUT_OK;
  free(reader);
  return status;
}

// ---------------------------------------------------------------------------------------------
// Recognition

static bool native_recognise(const char* text, size_t size) {
  char name[16];
  return rut_xml_first_element(text, size, name, sizeof name) && strcmp(name, "world") == 0;
}

const rutFormatType rut_format_native = {
    .base =
        {
            .abi = RUT_ABI,
            .struct_size = sizeof(rutFormatType),
            .kind = "format",
            .name = "native",
            .parents = "",
            .doc = "World files of rut: XML whose first element is <world>.",
        },
    .recognise = native_recognise,
    .read = native_read,
};
