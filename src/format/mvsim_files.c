// SPDX-License-Identifier: BSD-3-Clause
//
// Files of a world. A file is parsed once and read as often as it is included, each time with a
// scope of its own: MVSim replaces variables in the text of an included file before parsing, which
// has the same result but loses the places of errors.
#define _XOPEN_SOURCE 700  // for realpath
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/input.h"
#include "base/model_path.h"
#include "base/suggest.h"
#include "base/units.h"
#include "format/expression.h"
#include "format/mvsim_load.h"

enum { MAX_KNOWN = 256 };  // names looked through for a suggestion

// ---- paths ----

static char* copy_text(const char* text) {
  const size_t size = strlen(text) + 1;
  char* copy = malloc(size);
  if (copy) memcpy(copy, text, size);
  return copy;
}

static bool starts_with(const char* text, const char* word) {
  return strncmp(text, word, strlen(word)) == 0;
}

void rut_mvsim_resolve(const rutMvsimFile* file, const char* name, char path[RUT_MVSIM_PATH]) {
  const bool uri = rut_model_is_uri(name);
  if (starts_with(name, "file://")) name += strlen("file://");
  const bool whole = uri || name[0] == '/' || !file->folder[0];
  snprintf(path, RUT_MVSIM_PATH, "%s%s%s", whole ? "" : file->folder, whole ? "" : "/", name);
}

bool rut_mvsim_locate(rutMvsim* load, rutPlace place, const char* element,
                      char path[RUT_MVSIM_PATH]) {
  if (!rut_model_is_uri(path)) return true;
  char* model = rut_model_find(load->reporter->access, path);
  if (model) {
    snprintf(path, RUT_MVSIM_PATH, "%s", model);
    free(model);
    return true;
  }
  char message[RUT_INPUT_TEXT], hint[RUT_INPUT_TEXT];
  rut_input_explain(RUT_INPUT_REMOTE, path, 0, message, hint);
  rut_mvsim_error(load, place, element, RUT_ERR_IO, hint, "%s", message);
  return false;
}

// Folder part of a path, "." if it has none.
static void folder_of(const char* path, char folder[RUT_MVSIM_PATH]) {
  const char* slash = strrchr(path, '/');
  const size_t n = slash ? (size_t)(slash - path) : 0;
  if (!slash) {
    snprintf(folder, RUT_MVSIM_PATH, ".");
  } else if (n == 0) {
    snprintf(folder, RUT_MVSIM_PATH, "/");
  } else {
    snprintf(folder, RUT_MVSIM_PATH, "%.*s", (int)(n < RUT_MVSIM_PATH ? n : 0), path);
  }
}

// Absolute form of a folder: names built from MVSIM_CURRENT_FILE_DIRECTORY must not depend on the
// file that uses them.
static void make_absolute(char folder[RUT_MVSIM_PATH]) {
  if (folder[0] == '/') return;
  char here[RUT_MVSIM_PATH], joined[2 * RUT_MVSIM_PATH];
  if (!getcwd(here, sizeof here)) return;
  if (strcmp(folder, ".") == 0) {
    snprintf(folder, RUT_MVSIM_PATH, "%s", here);
    return;
  }
  const int n = snprintf(joined, sizeof joined, "%s/%s", here, folder);
  if (n > 0 && n < RUT_MVSIM_PATH) memcpy(folder, joined, (size_t)n + 1);
}

// ---- documents ----

static void file_free(rutMvsimFile* file) {
  if (!file) return;
  free(file->path);
  free(file->folder);
  rut_xml_destroy(file->xml);
  free(file);
}

typedef struct Source {
  const char* text;
  size_t size;
  const char* display;  // its name in messages
  const char* path;
  bool wrap;  // it may have several elements side by side
} Source;

// Parse a text and keep the file. NULL after an error.
static const rutMvsimFile* add_file(rutMvsim* load, const Source* source, rutPlace place) {
  const char *text = source->text, *path = source->path, *display = source->display;
  const size_t size = source->size;
  if (load->files == RUT_MVSIM_MAX_FILES || size > RUT_MVSIM_MAX_TEXT - load->file_bytes) {
    rut_mvsim_error(load, place, "<include>", RUT_ERR_CAPACITY, "",
                    "a world includes at most %d files of %d MiB together", RUT_MVSIM_MAX_FILES,
                    RUT_MVSIM_MAX_TEXT >> 20);
    return NULL;
  }
  char folder[RUT_MVSIM_PATH];
  folder_of(path, folder);
  make_absolute(folder);
  rutMvsimFile* file = calloc(1, sizeof *file);
  rutMvsimFile** grown = realloc(load->file, (size_t)(load->files + 1) * sizeof(rutMvsimFile*));
  if (grown) load->file = grown;
  if (file) {
    file->path = copy_text(path);
    file->folder = copy_text(folder);
  }
  char* repaired = NULL;
  size_t repaired_size = 0;
  if (!grown || !file || !file->path || !file->folder ||
      rut_mvsim_repair(load, text, size, display, &repaired, &repaired_size) != RUT_OK) {
    file_free(file);
    rut_mvsim_no_memory(load);
    return NULL;
  }
  const rutStatus status =
      rut_xml_parse(repaired ? repaired : text, repaired ? repaired_size : size, display,
                    source->wrap, load->reporter, &file->xml);
  free(repaired);
  if (status != RUT_OK) {
    if (load->reporter->errors >= RUT_READER_MAX_ERRORS) load->halted = true;
    file_free(file);
    return NULL;
  }
  load->file_bytes += size;
  load->file[load->files++] = file;
  return file;
}

const rutMvsimFile* rut_mvsim_open_main(rutMvsim* load, const char* text, size_t size,
                                        const char* name) {
  char* real = realpath(name, NULL);
  const rutPlace place = {name, 1, 1};
  const Source source = {text, size, name, real ? real : name, false};
  const rutMvsimFile* file = add_file(load, &source, place);
  free(real);
  return file;
}

// The file at a path, parsed now or before. NULL after an error.
static const rutMvsimFile* open_file(rutMvsim* load, const char* path, const char* display,
                                     rutPlace place) {
  char* real = realpath(path, NULL);
  for (int i = 0; real && i < load->files; i++) {
    if (strcmp(load->file[i]->path, real) == 0) {
      free(real);
      return load->file[i];
    }
  }
  char* text = NULL;
  size_t size = 0;
  rutReporter quiet = {.access = load->reporter->access};
  const rutStatus status =
      rut_read_file(real ? real : path, RUT_XML_MAX_SIZE, &quiet, place, &text, &size);
  const rutMvsimFile* file = NULL;
  if (status != RUT_OK) {
    rut_mvsim_error(load, place, "<include>", status, "", "%s", quiet.first.message);
  } else {
    const Source source = {text, size, display, real ? real : path, true};
    file = add_file(load, &source, place);
  }
  free(text);
  free(real);
  return file;
}

// ---- scopes ----

rutMvsimMark rut_mvsim_mark(const rutMvsim* load) {
  return (rutMvsimMark){load->scopes, load->texts, load->definitions};
}

void rut_mvsim_release(rutMvsim* load, rutMvsimMark mark) {
  while (load->texts > mark.texts) free(load->text[--load->texts]);
  if (load->definitions != mark.definitions) return;
  while (load->scopes > mark.scopes) rut_scope_destroy(load->scope[--load->scopes]);
}

static rutScope* new_scope(rutMvsim* load) {
  if (load->scopes == load->scope_capacity) {
    const int capacity = 2 * load->scope_capacity + 16;
    rutScope** grown = realloc(load->scope, (size_t)capacity * sizeof(rutScope*));
    if (!grown) return NULL;
    load->scope = grown;
    load->scope_capacity = capacity;
  }
  rutScope* scope = rut_scope_create(load->variables, 0);
  if (scope) load->scope[load->scopes++] = scope;
  return scope;
}

// Variables of an included file: the other attributes of the <include>. They are expanded where
// the <include> stands. NAME and PARENT_NAME are left for the object that will have that name.
static bool fill_scope(rutMvsim* load, rutMvsimItem include, rutScope* scope) {
  const rutXmlElement* element = include.element;
  for (int i = 0; i < element->attributes; i++) {
    const rutXmlAttribute* a = &element->attribute[i];
    if (strcmp(a->name, "file") == 0) continue;
    const rutPlace place = {rut_xml_file(include.file->xml), a->line, a->column};
    const bool later =
        !load->inside && (strstr(a->value, "${NAME") || strstr(a->value, "${PARENT_NAME"));
    const char* value =
        later ? a->value : rut_mvsim_expand(load, include.scope, a->value, place, "<include>");
    if (!value) return false;
    if (rut_scope_set(scope, a->name, value) != RUT_OK) {
      rut_mvsim_no_memory(load);
      return false;
    }
  }
  return true;
}

// ---- includes ----

// "a.xml includes b.xml includes a.xml", cut to fit.
static void chain_text(const rutMvsimChain* chain, char* text, size_t size) {
  if (!chain) return;
  chain_text(chain->up, text, size);
  const size_t used = strlen(text);
  const char* file = rut_xml_file(chain->file->xml);
  if (chain->up && chain->up->file == chain->file) return;
  snprintf(text + used, size - used, "%s includes ", file);
}

// False, with an error, if a file is in the chain already or the chain is too long.
static bool check_chain(rutMvsim* load, const rutMvsimFile* file, const char* display,
                        const rutMvsimChain* chain, rutPlace place) {
  int depth = 0;
  bool cycle = false;
  for (const rutMvsimChain* c = chain; c; c = c->up) {
    if (c->up && c->up->file == c->file) continue;  // a <for> or <if> in the same file
    depth++;
    if (c->file == file) cycle = true;
  }
  if (!cycle && depth <= RUT_READER_MAX_INCLUDE_DEPTH) return true;
  char text[300] = "";
  chain_text(chain, text, sizeof text);
  if (cycle) {
    rut_mvsim_error(load, place, "<include>", RUT_ERR_PARSE, "", "files include each other: %s%s",
                    text, display);
  } else {
    rut_mvsim_error(load, place, "<include>", RUT_ERR_CAPACITY, "",
                    "files include each other more than %d deep: %s...",
                    RUT_READER_MAX_INCLUDE_DEPTH, text);
  }
  return false;
}

// Name of an included file for messages: as a path that starts where that of its includer does.
static void display_name(rutMvsimItem include, const char* name, char display[RUT_MVSIM_PATH]) {
  if (starts_with(name, "file://")) name += strlen("file://");
  const char* from = rut_xml_file(include.file->xml);
  const char* slash = name[0] == '/' ? NULL : strrchr(from, '/');
  const int n = slash ? (int)(slash - from) + 1 : 0;
  snprintf(display, RUT_MVSIM_PATH, "%.*s%s", n, from, name);
}

bool rut_mvsim_open_include(rutMvsim* load, rutMvsimItem include, const rutMvsimChain* chain,
                            rutMvsimItem* out) {
  rutPlace place = rut_mvsim_place(include);
  if (!rut_xml_attribute(include.element, "file")) {
    rut_mvsim_error(load, place, "<include>", RUT_ERR_MODEL, "write <include file=\"...\" />",
                    "the attribute 'file' is missing");
    return false;
  }
  const char* name = rut_mvsim_attribute(load, include, "file", &place);
  if (!name) return false;
  char path[RUT_MVSIM_PATH], display[RUT_MVSIM_PATH];
  rut_mvsim_resolve(include.file, name, path);
  if (!rut_mvsim_locate(load, place, "<include>", path)) return false;
  display_name(include, name, display);
  const rutMvsimFile* file = open_file(load, path, display, place);
  if (!file || !check_chain(load, file, display, chain, place)) return false;
  rutScope* scope = new_scope(load);
  if (!scope || rut_scope_set(scope, "MVSIM_CURRENT_FILE_DIRECTORY", file->folder) != RUT_OK) {
    rut_mvsim_no_memory(load);
    return false;
  }
  if (!fill_scope(load, include, scope)) return false;
  *out = (rutMvsimItem){rut_xml_root(file->xml), file, scope};
  return true;
}

// ---- conditions ----

bool rut_mvsim_condition(rutMvsim* load, rutMvsimItem item) {
  static const char* const yes[] = {"y",    "Y",    "yes", "Yes", "YES", "true",
                                    "True", "TRUE", "on",  "On",  "ON"};
  static const char* const no[] = {"",      "n",     "N",     "no",  "No",  "NO",
                                   "false", "False", "FALSE", "off", "Off", "OFF"};
  rutPlace place = rut_mvsim_place(item);
  if (!rut_xml_attribute(item.element, "condition")) {
    rut_mvsim_error(load, place, "<if>", RUT_ERR_MODEL, "write <if condition=\"...\">",
                    "the attribute 'condition' is missing");
    return false;
  }
  const char* text = rut_mvsim_attribute(load, item, "condition", &place);
  if (!text) return false;
  for (int i = 0; i < RUT_COUNT_OF(yes); i++) {
    if (strcmp(text, yes[i]) == 0) return true;
  }
  for (int i = 0; i < RUT_COUNT_OF(no); i++) {
    if (strcmp(text, no[i]) == 0) return false;
  }
  double value;
  const char* end;
  if (rut_parse_number(text, &value, &end) && !*end) return value >= 1 || value <= -1;
  rut_mvsim_warn(load, place, "<if>", NULL, "'%.60s' is neither true nor false: taken as false",
                 text);
  return false;
}

// ---- children ----

void rut_mvsim_items_free(rutMvsimItems* items) {
  free(items->item);
  *items = (rutMvsimItems){0};
}

static void push(rutMvsim* load, rutMvsimItems* items, rutMvsimItem item) {
  if (items->n == items->capacity) {
    const int capacity = 2 * items->capacity + 16;
    rutMvsimItem* grown = realloc(items->item, (size_t)capacity * sizeof *grown);
    if (!grown) {
      rut_mvsim_no_memory(load);
      return;
    }
    items->item = grown;
    items->capacity = capacity;
  }
  items->item[items->n++] = item;
}

static void flatten(rutMvsim* load, rutMvsimItem parent, const rutMvsimChain* chain,
                    rutMvsimItems* items) {
  for (const rutXmlElement* e = parent.element->first; e && !load->halted; e = e->next) {
    const rutMvsimItem item = {e, parent.file, parent.scope};
    rutMvsimChain inner = {parent.file, chain, chain->flow + 1};
    if (++load->work > RUT_MVSIM_MAX_WORK || inner.flow > RUT_MVSIM_MAX_FLOW) {
      rut_mvsim_error(load, rut_mvsim_place(item), "", RUT_ERR_CAPACITY, "",
                      "the world is too large once its includes are unrolled");
      return;
    }
    if (strcmp(e->name, "if") == 0) {
      if (rut_mvsim_condition(load, item)) flatten(load, item, &inner, items);
    } else if (strcmp(e->name, "include") == 0) {
      rutMvsimItem root;
      if (rut_mvsim_open_include(load, item, chain, &root)) {
        inner.file = root.file;
        flatten(load, root, &inner, items);
      }
    } else {
      push(load, items, item);
    }
  }
}

void rut_mvsim_children(rutMvsim* load, rutMvsimItem item, rutMvsimItems* items) {
  const rutMvsimChain chain = {item.file, NULL, 0};
  flatten(load, item, &chain, items);
}

static const rutMvsimClass* find_class(const rutMvsim* load, const char* kind, const char* name) {
  for (int i = load->classes - 1; i >= 0; i--) {
    const rutMvsimClass* c = &load->class[i];
    if (strcmp(c->kind, kind) == 0 && strcmp(c->name, name) == 0) return c;
  }
  return NULL;
}

static const char* suggest_class(const rutMvsim* load, const char* kind, const char* name) {
  const char* known[MAX_KNOWN];
  size_t n = 0;
  for (int i = 0; i < load->classes && n < MAX_KNOWN; i++) {
    if (strcmp(load->class[i].kind, kind) == 0) known[n++] = load->class[i].name;
  }
  return rut_suggest(name, known, n);
}

bool rut_mvsim_collect(rutMvsim* load, rutMvsimItem item, const char* class_kind,
                       rutMvsimItems* items) {
  rutMvsimItems all = {0};
  rut_mvsim_children(load, item, &all);
  // every included file has a scope of its own
  for (int own = 0; own < 2; own++) {
    for (int i = 0; i < all.n; i++) {
      if ((all.item[i].scope == item.scope) == (own != 0)) push(load, items, all.item[i]);
    }
  }
  rut_mvsim_items_free(&all);
  if (!rut_xml_attribute(item.element, "class")) return true;
  rutPlace place;
  const char* name = rut_mvsim_attribute(load, item, "class", &place);
  if (!name) return false;
  const rutMvsimClass* found = find_class(load, class_kind, name);
  if (!found) {
    char label[RUT_MVSIM_LABEL], hint[120] = "define it before it is used";
    const char* nearest = suggest_class(load, class_kind, name);
    if (nearest) snprintf(hint, sizeof hint, "did you mean '%.80s'?", nearest);
    rut_mvsim_label(item, label);
    rut_mvsim_error(load, place, label, RUT_ERR_MODEL, hint, "there is no <%s name='%.60s'>",
                    class_kind, name);
    return false;
  }
  rut_mvsim_children(load, found->item, items);
  return true;
}

rutMvsimItem rut_mvsim_first(const rutMvsimItems* items, const char* tag) {
  for (int i = 0; i < items->n; i++) {
    if (strcmp(items->item[i].element->name, tag) == 0) return items->item[i];
  }
  return (rutMvsimItem){0};
}

// ---- end ----

void rut_mvsim_close(rutMvsim* load) {
  if (load->variables && rut_scope_random(load->variables)->drawn > 0) {
    rut_spec_note_random(load->spec);
  }
  for (int i = 0; i < load->texts; i++) free(load->text[i]);
  for (int i = 0; i < load->scopes; i++) rut_scope_destroy(load->scope[i]);
  for (int i = 0; i < load->classes; i++) {
    free(load->class[i].kind);
    free(load->class[i].name);
  }
  for (int i = 0; i < load->files; i++) file_free(load->file[i]);
  for (int i = 0; i < load->meshes; i++) {
    free(load->mesh[i].path);
    if (load->mesh[i].ok) rut_mesh_free(&load->mesh[i].mesh);
  }
  rut_scope_destroy(load->variables);
  free(load->text);
  free(load->scope);
  free(load->class);
  free(load->file);
  free(load->mesh);
  free(load->once.slot);
  free(load->bodies.slot);
}
