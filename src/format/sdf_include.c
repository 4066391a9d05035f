// SPDX-License-Identifier: BSD-3-Clause
//
// A copy of a document's elements in which models stand in the place of <include>s. Each file is
// read once. What can be included without end is an error.
#include "format/sdf_include.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "format/sdf.h"

enum { PATH = RUT_SDF_MAX_PATH, CHUNK = 1 << 16 };
static const char PLACEMENT[] = "placement_frame";

// A file that was included.
typedef struct File {
  struct File* next;
  rutSdfModelFile name;
  rutXml* xml;  // NULL if it could not be read, which was told
} File;

typedef struct Chunk {
  struct Chunk* next;
  size_t used, size;
  _Alignas(16) char bytes[];
} Chunk;

struct rutSdfDocument {
  rutReporter* reporter;
  rutXml* xml;
  File* file;
  Chunk* chunk;
  rutXmlElement* root;
  int elements, includes, dropped;
  bool full;  // an error that ends it was told
};

// The files around an element, from the inside.
typedef struct Chain {
  const rutSdfModelFile* name;
  const struct Chain* up;
  int depth;  // of files
} Chain;

// Where the next child goes.
typedef struct Sink {
  rutXmlElement* parent;
  rutXmlElement** end;
  int depth;  // of elements
} Sink;

static void copy_child(rutSdfDocument* d, const rutXmlElement* from, Sink* sink,
                       const Chain* chain);

static rutPlace place_of(const rutXmlElement* element) {
  return (rutPlace){element->file, element->line, element->column};
}

static void fail(rutSdfDocument* d, rutStatus status, const rutXmlElement* at,
                 const char* message) {
  if (!d->full) rut_report_error(d->reporter, status, place_of(at), at->name, "", "%s", message);
  d->full = true;
}

// ---- elements ----

static void* take(rutSdfDocument* d, size_t size) {
  size = (size + 15) & ~(size_t)15;
  if (!d->chunk || d->chunk->size - d->chunk->used < size) {
    const size_t room = size > CHUNK ? size : CHUNK;
    Chunk* chunk = malloc(sizeof *chunk + room);
    if (!chunk) return NULL;
    *chunk = (Chunk){.next = d->chunk, .size = room};
    d->chunk = chunk;
  }
  void* bytes = d->chunk->bytes + d->chunk->used;
  d->chunk->used += size;
  return bytes;
}

static const char* keep(rutSdfDocument* d, const char* text) {
  const size_t size = strlen(text) + 1;
  char* kept = take(d, size);
  if (kept) memcpy(kept, text, size);
  return kept ? kept : "";
}

// A copy of an element alone, NULL after an error.
static rutXmlElement* add(rutSdfDocument* d, const rutXmlElement* from, Sink* sink) {
  if (d->full) return NULL;
  if (d->elements >= RUT_XML_MAX_ELEMENTS) {
    fail(d, RUT_ERR_CAPACITY, from, "what it includes has too many elements");
    return NULL;
  }
  if (sink->depth > RUT_XML_MAX_DEPTH) {
    fail(d, RUT_ERR_CAPACITY, from, "elements are nested too deep in what it includes");
    return NULL;
  }
  rutXmlElement* element = take(d, sizeof *element);
  if (!element) {
    fail(d, RUT_ERR_MEMORY, from, "out of memory");
    return NULL;
  }
  *element = *from;
  element->parent = sink->parent;
  element->first = element->next = NULL;
  element->index = d->elements++;
  if (sink->end) {
    *sink->end = element;
    sink->end = &element->next;
  }
  return element;
}

// Add an attribute to a copy, or change it.
static void set_attribute(rutSdfDocument* d, rutXmlElement* element, const char* name,
                          const char* value) {
  const size_t n = (size_t)element->attributes;
  rutXmlAttribute* all = take(d, (n + 1) * sizeof *all);
  if (!all) {
    fail(d, RUT_ERR_MEMORY, element, "out of memory");
    return;
  }
  if (n > 0) memcpy(all, element->attribute, n * sizeof *all);
  element->attribute = all;
  for (size_t i = 0; i < n; i++) {
    if (strcmp(all[i].name, name) != 0) continue;
    all[i].value = value;
    return;
  }
  all[n] = (rutXmlAttribute){name, value, element->line, element->column};
  element->attributes++;
}

static bool is(const rutXmlElement* element, const char* name) {
  return strcmp(element->name, name) == 0;
}

static bool is_true(const char* text) { return strcmp(text, "true") == 0 || text[0] == '1'; }

// ---- files ----

static const File* load(rutSdfDocument* d, const rutSdfModelFile* name,
                        const rutXmlElement* include) {
  File* file = d->file;
  while (file && strcmp(file->name.real, name->real) != 0) file = file->next;
  if (file) return file;
  file = calloc(1, sizeof *file);
  if (!file) {
    fail(d, RUT_ERR_MEMORY, include, "out of memory");
    return NULL;
  }
  *file = (File){.next = d->file, .name = *name};
  d->file = file;
  char* text = NULL;
  size_t size = 0;
  if (rut_read_file(name->real, RUT_SDF_MAX_MODEL_BYTES, d->reporter, place_of(include), &text,
                    &size) == RUT_OK) {
    rut_xml_parse(text, size, file->name.path, false, d->reporter, &file->xml);
    free(text);
  }
  return file;
}

// Whether a file may be included where `chain` is. Otherwise the chain is told.
static bool is_open_ended(rutSdfDocument* d, const rutXmlElement* include,
                          const rutSdfModelFile* name, const Chain* chain) {
  bool inside = false;
  for (const Chain* c = chain; c; c = c->up) {
    inside = inside || strcmp(c->name->real, name->real) == 0;
  }
  if (!inside && chain->depth < RUT_READER_MAX_INCLUDE_DEPTH) return false;
  char text[400] = "";
  size_t n = 0;
  for (const Chain* c = chain; c && n < sizeof text; c = c->up) {
    const int more = snprintf(text + n, sizeof text - n, ", which is in '%.100s'", c->name->path);
    n += more > 0 ? (size_t)more : 0;
  }
  if (!d->full) {
    rut_report_error(d->reporter, RUT_ERR_MODEL, place_of(include), include->name, "",
                     inside ? "a model includes itself: '%.100s'%s"
                            : "models include each other more than 32 deep: '%.100s'%s",
                     name->path, text);
  }
  d->full = true;
  return true;
}

// ---- <include> ----

static void drop(rutSdfDocument* d, const rutXmlElement* include, const char* why) {
  static const char* const silent[] = {"ground_plane", "Ground Plane", "Ground%20Plane", "sun",
                                       "Sun"};
  const char* uri = rut_sdf_text(include, "uri");
  const char* slash = strrchr(uri, '/');
  const char* name = slash ? slash + 1 : uri;
  for (int i = 0; i < RUT_COUNT_OF(silent); i++) {
    // the ground is level, and light is the view's
    if (strncmp(name, silent[i], strlen(silent[i])) == 0) return;
  }
  d->dropped++;
  rut_report_warning(d->reporter, place_of(include), "include", "dropped: %s", why);
}

// A mark of what is missing in a model.
static void drop_part(rutSdfDocument* d, const rutXmlElement* include, const char* why,
                      Sink* sink) {
  drop(d, include, why);
  if (is(sink->parent, "model")) add(d, include, sink);
}

// The name of an included model: one that no model beside it has.
static const char* name_of(rutSdfDocument* d, const rutXmlElement* include,
                           const rutXmlElement* model, const rutXmlElement* parent) {
  const char* given = rut_sdf_text(include, "name");
  const char* own = given[0] ? given : rut_sdf_attribute(model, "name");
  char name[256];
  snprintf(name, sizeof name, "%.200s", own);
  for (int i = 1; i < RUT_SDF_MAX_INCLUDES; i++) {
    const rutXmlElement* other = parent->first;
    while (other && !((is(other, "model") || is(other, "include")) &&
                      strcmp(rut_sdf_attribute(other, "name"), name) == 0)) {
      other = other->next;
    }
    if (!other) break;
    snprintf(name, sizeof name, "%.200s_%d", own, i);
  }
  if (strcmp(name, own) == 0) return own;
  rut_report_warning(d->reporter, place_of(include), "include",
                     "guessed: it is called '%.60s', as there is a '%.60s' already", name, own);
  return keep(d, name);
}

// An <include> of a URDF stays, with the name that it gives and the file.
static void keep_robot(rutSdfDocument* d, const rutXmlElement* include, const File* file,
                       Sink* sink) {
  rutXmlElement* copy = add(d, include, sink);
  if (!copy) return;
  set_attribute(d, copy, "name", "");
  set_attribute(d, copy, "name", name_of(d, include, rut_xml_root(file->xml), sink->parent));
  set_attribute(d, copy, RUT_SDF_URDF, file->name.real);
  Sink inside = {copy, &copy->first, sink->depth + 1};
  static const char* const taken[] = {"pose", "static"};
  for (int i = 0; i < RUT_COUNT_OF(taken); i++) {
    const rutXmlElement* child = rut_sdf_child(include, taken[i]);
    if (child) add(d, child, &inside);
  }
}

// The model of a file, NULL if it has none, which is told.
static const rutXmlElement* model_in(rutSdfDocument* d, const rutXmlElement* include,
                                     const File* file, Sink* sink) {
  char why[2 * PATH];
  if (!file || !file->xml) return NULL;  // an error was told
  const rutXmlElement* root = rut_xml_root(file->xml);
  const rutXmlElement* model = rut_sdf_child(root, "model");
  if (is(root, "robot") && is(sink->parent, "world")) {
    keep_robot(d, include, file, sink);
    return NULL;
  }
  if (model && !is(root, "robot")) return model;
  if (rut_sdf_child(root, "light")) return NULL;
  const char* what = is(root, "robot")              ? "is a URDF, which only a <world> can include"
                     : rut_sdf_child(root, "actor") ? "is an actor, which rut has none of"
                                                    : "has no <model>";
  snprintf(why, sizeof why, "'%.200s' %s", file->name.path, what);
  drop_part(d, include, why, sink);
  return NULL;
}

// Children of the model that was found, with those that the <include> gives in their place.
static void copy_model(rutSdfDocument* d, const rutXmlElement* include, const rutXmlElement* model,
                       Sink* sink, const Chain* chain) {
  static const char* const replaced[] = {"pose", "static"};
  for (int i = 0; i < RUT_COUNT_OF(replaced); i++) {
    const rutXmlElement* child = rut_sdf_child(include, replaced[i]);
    if (child) copy_child(d, child, sink, chain);
  }
  for (const rutXmlElement* child = model->first; child && !d->full; child = child->next) {
    bool given = false;
    for (int i = 0; i < RUT_COUNT_OF(replaced); i++) {
      given = given || (is(child, replaced[i]) && rut_sdf_child(include, replaced[i]));
    }
    if (!given) copy_child(d, child, sink, chain);
  }
  for (const rutXmlElement* child = include->first; child && !d->full; child = child->next) {
    if (is(child, "plugin")) copy_child(d, child, sink, chain);
  }
}

// Let the children of a model stand in the one around it, placed by a frame in the model's place.
static void merge(rutSdfDocument* d, const rutXmlElement* model, Sink* sink) {
  const char* name = rut_sdf_attribute(model, "name");
  char text[256];
  snprintf(text, sizeof text, "_merged__%.200s__model__", name);
  const char* proxy = keep(d, text);
  rutXmlElement frame = *model;
  frame.name = "frame";
  frame.attributes = 0;
  rutXmlElement* placed = add(d, &frame, sink);
  if (!placed) return;
  set_attribute(d, placed, "name", proxy);
  const char* placement = rut_sdf_attribute(model, PLACEMENT);
  if (placement[0]) set_attribute(d, placed, PLACEMENT, placement);
  Sink in_frame = {placed, &placed->first, sink->depth + 1};
  const rutXmlElement* pose = rut_sdf_child(model, "pose");
  if (pose) add(d, pose, &in_frame);
  for (rutXmlElement *child = model->first, *next; child && !d->full; child = next) {
    next = child->next;
    const bool posed = is(child, "link") || is(child, "model") ||
                       (is(child, "frame") && !rut_sdf_attribute(child, "attached_to")[0]);
    if (is(child, "pose") || is(child, "static")) continue;
    child->parent = sink->parent;
    child->next = NULL;
    *sink->end = child;
    sink->end = &child->next;
    if (!posed) continue;
    rutXmlElement* own = child->first;
    while (own && !is(own, "pose")) own = own->next;
    if (!own) {
      rutXmlElement none = {.name = "pose", .text = "", .file = child->file, .line = child->line};
      Sink front = {child, NULL, sink->depth + 2};
      own = add(d, &none, &front);
      if (!own) return;
      own->next = child->first;
      child->first = own;
    }
    if (!rut_sdf_attribute(own, "relative_to")[0]) set_attribute(d, own, "relative_to", proxy);
  }
}

// The frame by which an <include> places its model goes before the one that the model names.
static void set_placement(rutSdfDocument* d, const rutXmlElement* include, rutXmlElement* model) {
  const rutXmlElement* given = rut_sdf_child(include, PLACEMENT);
  if (given && !rut_sdf_child(include, "pose")) {
    rut_report_error(d->reporter, RUT_ERR_MODEL, place_of(given), PLACEMENT, "",
                     "needs <pose> beside it");
    return;
  }
  if (given) set_attribute(d, model, PLACEMENT, given->text);
}

static void put_model(rutSdfDocument* d, const rutXmlElement* include, const rutXmlElement* model,
                      Sink* sink, const Chain* chain) {
  const bool merged = is_true(rut_sdf_attribute(include, "merge")) && is(sink->parent, "model");
  Sink alone = {sink->parent, NULL, sink->depth};
  rutXmlElement* copy = add(d, model, merged ? &alone : sink);
  if (!copy) return;
  set_attribute(d, copy, "name", "");
  set_attribute(d, copy, "name", name_of(d, include, model, sink->parent));
  set_placement(d, include, copy);
  Sink inside = {copy, &copy->first, sink->depth + 1};
  copy_model(d, include, model, &inside, chain);
  if (merged && !d->full) merge(d, copy, sink);
}

static void include_model(rutSdfDocument* d, const rutXmlElement* include, Sink* sink,
                          const Chain* chain) {
  const char* uri = rut_sdf_text(include, "uri");
  rutSdfModelFile name;
  char why[RUT_INPUT_TEXT];
  if (d->includes++ >= RUT_SDF_MAX_INCLUDES) {
    fail(d, RUT_ERR_CAPACITY, include, "a file includes at most 4096 models");
    return;
  }
  if (!uri[0]) {
    rut_report_error(d->reporter, RUT_ERR_MODEL, place_of(include), "include", "", "needs <uri>");
    return;
  }
  if (!rut_sdf_find_model(d->reporter->access, uri, include->file, &name)) {
    rut_sdf_explain_missing(uri, why);
    drop_part(d, include, why, sink);
    return;
  }
  if (is_open_ended(d, include, &name, chain)) return;
  const File* file = load(d, &name, include);
  const rutXmlElement* model = model_in(d, include, file, sink);
  if (!model) return;
  const Chain inner = {&file->name, chain, chain->depth + 1};
  put_model(d, include, model, sink, &inner);
}

static void copy_child(rutSdfDocument* d, const rutXmlElement* from, Sink* sink,
                       const Chain* chain) {
  const bool holds = sink->parent && (is(sink->parent, "world") || is(sink->parent, "model") ||
                                      is(sink->parent, "sdf"));
  if (d->full || d->reporter->errors >= RUT_READER_MAX_ERRORS) return;
  if (holds && is(from, "include")) {
    include_model(d, from, sink, chain);
    return;
  }
  rutXmlElement* copy = add(d, from, sink);
  if (!copy) return;
  Sink inside = {copy, &copy->first, sink->depth + 1};
  for (const rutXmlElement* child = from->first; child && !d->full; child = child->next) {
    copy_child(d, child, &inside, chain);
  }
}

// ---- the document ----

rutStatus rut_sdf_document_open(const char* text, size_t size, const char* file,
                                rutReporter* reporter, rutSdfDocument** out) {
  const int before = reporter->errors;
  *out = NULL;
  rutSdfDocument* d = calloc(1, sizeof *d);
  if (!d)
    return rut_report_error(reporter, RUT_ERR_MEMORY, (rutPlace){file, 1, 1}, "", "", "%s",
                            "out of memory");
  d->reporter = reporter;
  if (rut_xml_parse(text, size, file, false, reporter, &d->xml) == RUT_OK) {
    rutSdfModelFile name = {"", ""};
    char* real = NULL;
    snprintf(name.path, PATH, "%s", file);
    rut_access_allows(reporter->access, file, &real);
    snprintf(name.real, PATH, "%s", real ? real : file);
    free(real);
    const Chain chain = {&name, NULL, 0};
    Sink sink = {NULL, &d->root, 0};
    copy_child(d, rut_xml_root(d->xml), &sink, &chain);
  }
  if (reporter->errors == before) {
    *out = d;
    return RUT_OK;
  }
  rut_sdf_document_close(d);
  return reporter->first.status;
}

void rut_sdf_document_close(rutSdfDocument* d) {
  if (!d) return;
  while (d->file) {
    File* next = d->file->next;
    rut_xml_destroy(d->file->xml);
    free(d->file);
    d->file = next;
  }
  while (d->chunk) {
    Chunk* next = d->chunk->next;
    free(d->chunk);
    d->chunk = next;
  }
  rut_xml_destroy(d->xml);
  free(d);
}

const rutXmlElement* rut_sdf_document_root(const rutSdfDocument* d) { return d->root; }

int rut_sdf_document_dropped(const rutSdfDocument* d) { return d->dropped; }
