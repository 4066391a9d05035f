// SPDX-License-Identifier: BSD-3-Clause
//
// Where the model is that an <include> of SDF names.
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/model_path.h"
#include "format/sdf.h"
#include "format/sdf_include.h"

enum { MAX_CONFIG = 1 << 20, MOST_VERSIONS = 20, PATH = RUT_SDF_MAX_PATH };

// ---- files ----

// Whether a path is that of a file that may be read.
static bool try_file(const rutAccess* access, const char* path, rutSdfModelFile* out) {
  char byte[1], *real = NULL;
  const bool allowed = rut_access_allows(access, path, &real) && real;
  const bool fine = allowed && strlen(real) < PATH && strlen(path) < PATH &&
                    rut_input_head(access, real, byte, 1) == 1;
  if (fine) {
    snprintf(out->path, PATH, "%s", path);
    snprintf(out->real, PATH, "%s", real);
  }
  free(real);
  return fine;
}

// True if version a, "1.10", is above version b, "1.9".
static bool is_newer(const char* a, const char* b) {
  int x[2] = {0, 0}, y[2] = {0, 0};
  sscanf(a, "%4d.%4d", &x[0], &x[1]);
  sscanf(b, "%4d.%4d", &y[0], &y[1]);
  return x[0] != y[0] ? x[0] > y[0] : x[1] > y[1];
}

// The file that a model.config chooses. "" if it is none.
static void choose_file(const rutAccess* access, const char* config, char name[PATH]) {
  char* text = NULL;
  size_t size = 0;
  rutXml* xml = NULL;
  rutReporter quiet = {.access = access};
  const char* version = "";
  name[0] = '\0';
  if (rut_input_read(access, config, MAX_CONFIG, &text, &size) != 0) return;
  if (rut_xml_parse(text, size, config, false, &quiet, &xml) == RUT_OK) {
    const rutXmlElement* child = rut_xml_root(xml)->first;
    for (; child; child = child->next) {
      const bool sdf = strcmp(child->name, "sdf") == 0 && child->text[0] != '\0';
      const char* own = rut_sdf_attribute(child, "version");
      if (!sdf || (name[0] && !is_newer(own, version))) continue;
      snprintf(name, PATH, "%s", child->text);
      version = own;
    }
    rut_xml_destroy(xml);
  }
  free(text);
}

// The same in a folder, whose model.config is there.
static bool try_config(const rutAccess* access, const char* config, rutSdfModelFile* out) {
  char name[PATH], path[2 * PATH + 2];
  const char* slash = strrchr(config, '/');
  const int folder = slash ? (int)(slash - config) + 1 : 0;
  choose_file(access, config, name);
  snprintf(path, sizeof path, "%.*s%s", folder, config, name[0] ? name : "model.sdf");
  return try_file(access, path, out);
}

// A file, or the folder of a model.
static bool try_place(const rutAccess* access, const char* place, rutSdfModelFile* out) {
  char path[PATH + 16];
  if (!place[0] || strlen(place) >= PATH) return false;
  if (try_file(access, place, out)) return true;
  snprintf(path, sizeof path, "%s/model.config", place);
  rutSdfModelFile config;
  if (try_file(access, path, &config) && try_config(access, config.path, out)) return true;
  snprintf(path, sizeof path, "%s/model.sdf", place);
  return try_file(access, path, out);
}

// ---- folders of models ----

// Whether a path ends with a name, all of its parts.
static bool ends_with(const char* path, const char* tail) {
  const size_t n = strlen(path), k = strlen(tail);
  return n > k && path[n - k - 1] == '/' && strcmp(path + n - k, tail) == 0;
}

// A model by its name, or a file in it, in the folders of models.
static bool try_models(const rutAccess* access, const char* tail, rutSdfModelFile* out) {
  static const char* const files[] = {"", "/model.config", "/model.sdf"};
  char name[PATH + 32];
  static const char scheme[] = "model://";
  for (int i = 0; i < RUT_COUNT_OF(files); i++) {
    const int n = snprintf(name, sizeof name, "%s%s%s", scheme, tail, files[i]);
    if (n < 0 || n >= (int)sizeof name) return false;
    char* path = rut_model_find(access, name);
    // a shorter tail is another model's
    const bool same = path && ends_with(path, name + sizeof scheme - 1);
    const bool fine =
        same && (i == 1 ? try_config(access, path, out) : try_file(access, path, out));
    free(path);
    if (fine) return true;
  }
  return false;
}

// ---- names ----

// A name without the codes of web addresses: "Ground%20Plane". Cut where it is too long.
static void decode(const char* from, char to[PATH]) {
  size_t n = 0;
  for (; *from && n + 1 < PATH; from++) {
    unsigned code = 0;
    const bool coded = *from == '%' && isxdigit((unsigned char)from[1]) &&
                       isxdigit((unsigned char)from[2]) && sscanf(from + 1, "%2x", &code) == 1;
    if (coded && code >= ' ') {
      to[n++] = (char)code;
      from += 2;
    } else {
      to[n++] = *from;
    }
  }
  while (n > 0 && to[n - 1] == '/') n--;
  to[n] = '\0';
}

// Owner and name of a model of Fuel: https://fuel.gazebosim.org/1.0/OWNER/models/NAME/VERSION.
// False if an address has none.
static bool of_fuel(const char* uri, char owner[PATH], char name[PATH]) {
  const char* models = strstr(uri, "/models/");
  if (!models || models == uri) return false;
  const char* begin = models;
  while (begin > uri && begin[-1] != '/') begin--;
  char text[PATH];
  snprintf(text, sizeof text, "%.*s", (int)(models - begin), begin);
  decode(text, owner);
  const char* after = models + strlen("/models/");
  snprintf(text, sizeof text, "%.*s", (int)strcspn(after, "/?#"), after);
  decode(text, name);
  return name[0] != '\0';
}

static void lower(char* text) {
  for (; *text; text++) *text = (char)tolower((unsigned char)*text);
}

// As it is unpacked by hand, or lies in the cache of Gazebo: owner/models/name/VERSION.
static bool try_fuel(const rutAccess* access, const char* uri, rutSdfModelFile* out) {
  char owner[PATH], name[PATH], place[3 * PATH];
  if (!of_fuel(uri, owner, name)) return false;
  if (try_models(access, name, out)) return true;
  lower(owner);
  lower(name);
  if (try_models(access, name, out)) return true;
  for (int version = MOST_VERSIONS; version > 0; version--) {
    snprintf(place, sizeof place, "%s/models/%s/%d", owner, name, version);
    if (strlen(place) < PATH && try_models(access, place, out)) return true;
  }
  return false;
}

// Beside the file that names it, and where folders of models mostly are.
static bool try_beside(const rutAccess* access, const char* name, const char* from,
                       rutSdfModelFile* out) {
  static const char* const folders[] = {"", "models/", "../", "../models/"};
  char place[2 * PATH];
  const char* slash = strrchr(from, '/');
  const int folder = slash ? (int)(slash - from) + 1 : 0;
  for (int i = 0; i < RUT_COUNT_OF(folders); i++) {
    const int n = snprintf(place, sizeof place, "%.*s%s%s", folder, from, folders[i], name);
    if (n > 0 && n < PATH && try_place(access, place, out)) return true;
  }
  return false;
}

static bool is_web(const char* uri) {
  return strncmp(uri, "http://", 7) == 0 || strncmp(uri, "https://", 8) == 0;
}

bool rut_sdf_find_model(const rutAccess* access, const char* uri, const char* from,
                        rutSdfModelFile* out) {
  static const char local[] = "file://";
  char name[PATH];
  if (is_web(uri)) {
    char owner[PATH];
    if (try_fuel(access, uri, out)) return true;
    return of_fuel(uri, owner, name) && try_beside(access, name, from, out);
  }
  const char* scheme = strstr(uri, "://");
  if (strncmp(uri, local, sizeof local - 1) == 0) {
    decode(uri + sizeof local - 1, name);
  } else {
    decode(scheme ? scheme + 3 : uri, name);
  }
  if (!name[0]) return false;
  if (name[0] == '/' && (!scheme || uri[0] == 'f')) return try_place(access, name, out);
  return try_beside(access, name, from, out) || try_models(access, name, out);
}

void rut_sdf_explain_missing(const char* uri, char message[RUT_INPUT_TEXT]) {
  char owner[PATH], name[PATH];
  if (is_web(uri) && of_fuel(uri, owner, name)) {
    snprintf(message, RUT_INPUT_TEXT,
             "the model '%.150s' is not on this machine, and rut fetches none: unpack what is "
             "downloaded from there as a folder '%.60s' in a folder of --models DIR",
             uri, name);
  } else if (is_web(uri)) {
    snprintf(message, RUT_INPUT_TEXT,
             "the model '%.150s' is not on this machine, and rut fetches none", uri);
  } else {
    const char* scheme = strstr(uri, "://");
    snprintf(message, RUT_INPUT_TEXT,
             "the model '%.150s' is not found: --models DIR names a folder that has "
             "'%.100s/model.config'",
             uri, scheme ? scheme + 3 : uri);
  }
}
