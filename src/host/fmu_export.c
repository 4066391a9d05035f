// SPDX-License-Identifier: BSD-3-Clause
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/child.h"
#include "base/input.h"
#include "base/report.h"
#include "host/fmu_describe.h"
#include "host/fmu_pack.h"
#include "host/zip_file.h"

enum { MOST_LIBRARY = 1 << 30, NAME = 128 };

static const char licence[] =
    "The library in this FMU is rut (SPDX: BSD-3-Clause).\n\n"
    "Copyright (c) 2026, the rut authors. Redistribution and use in source and binary forms, with\n"
    "or without modification, are permitted under the conditions of the BSD 3-Clause License.\n";

// Name of FMI for this machine's binaries.
#if defined(__x86_64__)
static const char platform[] = "x86_64-linux", platform_2[] = "linux64";
#elif defined(__aarch64__)
static const char platform[] = "aarch64-linux", platform_2[] = "aarch64-linux";
#else
static const char platform[] = "unknown-linux", platform_2[] = "unknown-linux";
#endif

rutFmuDef rut_default_fmu(void) {
  return (rutFmuDef){.struct_size = sizeof(rutFmuDef), .version = 3, .name = ""};
}

// Name of the file without folders and ending.
static void base_name(const char* path, char name[NAME]) {
  const char* slash = strrchr(path, '/');
  snprintf(name, NAME, "%.*s", (int)(strcspn(slash ? slash + 1 : path, ".") % NAME),
           slash ? slash + 1 : path);
  if (!name[0]) snprintf(name, NAME, "world");
}

// A name of C of another name.
static void identifier_of(const char* name, char identifier[NAME]) {
  size_t used = 0;
  const bool digit = name[0] >= '0' && name[0] <= '9';
  if (digit || !name[0]) identifier[used++] = '_';
  for (; *name && used < NAME - 1; name++) {
    const bool plain = (*name >= 'a' && *name <= 'z') || (*name >= 'A' && *name <= 'Z') ||
                       (*name >= '0' && *name <= '9');
    identifier[used++] = plain ? *name : '_';
  }
  identifier[used] = '\0';
}

static rutStatus add_text(rutZip* zip, const char* name, const char* text, rutError* err) {
  return rut_zip_add(zip, name, text, strlen(text), err);
}

// Add a file from its place.
static rutStatus add_file(rutZip* zip, const char* name, const char* path, rutError* err) {
  char *bytes = NULL, message[RUT_INPUT_TEXT], hint[RUT_INPUT_TEXT];
  size_t size = 0;
  const int fault = rut_input_read(&rut_access_any, path, MOST_LIBRARY, &bytes, &size);
  if (fault) {
    rut_input_explain(fault, path, MOST_LIBRARY, message, hint);
    return rut_error_set(err, RUT_ERR_IO, "%s", message);
  }
  const rutStatus status = rut_zip_add(zip, name, bytes, size, err);
  free(bytes);
  return status;
}

static rutStatus add_library(rutZip* zip, int version, const char* identifier, rutError* err) {
  char path[4096], name[NAME + 64];
  if (!rut_helper_find("rut-fmu.so", path, sizeof path)) {
    return rut_error_set(err, RUT_ERR_MISSING,
                         "the library for FMUs, rut-fmu.so, is not where rut is installed; the "
                         "environment variable RUT_HELPERS may name its folder");
  }
  snprintf(name, sizeof name, "binaries/%s/%s.so", version == 2 ? platform_2 : platform,
           identifier);
  return add_file(zip, name, path, err);
}

static rutStatus add_documentation(rutZip* zip, rutError* err) {
  static const char page[] =
      "<!DOCTYPE html>\n<html><head><title>rut</title></head><body>\n<p>A world of "
      "rut " RUT_VERSION_STRING
      ", the rough-terrain UGV testbed. Numbers are in SI units and radians. <i>resources</i> "
      "holds the world, which rut runs as well, with the same results: <code>rut run "
      "resources/world.xml</code>. The library is librut, built from the sources of this version "
      "with CMake (target <code>rut_fmu</code>); it needs libxml2, zlib, libpng and zstd of the "
      "system.</p>\n</body></html>\n";
  rutStatus status = add_text(zip, "documentation/index.html", page, err);
  if (status == RUT_OK) status = add_text(zip, "documentation/licenses/license.txt", licence, err);
  return status;
}

static rutStatus add_resources(rutZip* zip, const rutFmuPack* pack, rutError* err) {
  rutStatus status = RUT_OK;
  for (int i = 0; i < pack->n && status == RUT_OK; i++) {
    char path[4096 + 512], name[4096 + 512];
    snprintf(path, sizeof path, "%s/%s", pack->folder, pack->file[i].name);
    snprintf(name, sizeof name, "resources/%s", pack->file[i].name);
    status = add_file(zip, name, path, err);
  }
  return status;
}

static rutStatus write_zip(const rutFmuPack* pack, const rutFmuDescription* what,
                           const rutBytes* description, const char* path, rutError* err) {
  rutZip* zip = NULL;
  rutStatus status = rut_zip_create(path, &zip, err);
  if (status != RUT_OK) return status;
  status = rut_zip_add(zip, "modelDescription.xml", description->data, description->used, err);
  if (status == RUT_OK) status = add_library(zip, what->version, what->identifier, err);
  if (status == RUT_OK) status = add_documentation(zip, err);
  if (status == RUT_OK) status = add_resources(zip, pack, err);
  const rutStatus closed = rut_zip_close(zip, status == RUT_OK, status == RUT_OK ? err : NULL);
  return status == RUT_OK ? closed : status;
}

// What stands in the folder must be the world that was given.
static rutStatus open_packed(const rutFmuPack* pack, uint64_t hash, rutFmu** out, rutError* err) {
  const rutFmuFolder folder = {.path = pack->folder, .token = pack->token};
  const rutStatus status = rut_fmu_open(&folder, out, err);
  if (status != RUT_OK || rut_model_hash(rut_fmu_model(*out)) == hash) return status;
  return rut_error_set(err, RUT_ERR_MODEL,
                       "the world becomes another one when it is packed: a file that it reads "
                       "names further files in a way that cannot be followed");
}

rutStatus rut_fmu_export(const rutSpec* spec, const rutFmuDef* def, const char* path,
                         rutError* err) {
  if (def->struct_size != sizeof *def) {
    return rut_error_set(err, RUT_ERR_VERSION, "rutFmuDef is of another version of rut");
  }
  if (def->version != 2 && def->version != 3) {
    return rut_error_set(err, RUT_ERR_ARGUMENT, "there is no version %d of FMI here: 2 or 3",
                         def->version);
  }
  for (int i = 0; i < def->parameters + def->outputs; i++) {
    const bool parameter = i < def->parameters;
    const char* glob = parameter ? def->parameter[i] : def->output[i - def->parameters];
    if (!strchr(glob, '\n')) continue;
    return rut_error_set(err, RUT_ERR_ARGUMENT, "a pattern is one line");
  }
  char name[NAME], identifier[NAME];
  base_name(def->name && def->name[0] ? def->name : path, name);
  identifier_of(name, identifier);
  const rutFmuChoice choice = {def->seed, def->outputs, def->parameters, def->output,
                               def->parameter};
  rutFmuPack pack;
  rutFmu* fmu = NULL;
  rutBytes description = {0};
  uint64_t hash = 0;
  rutStatus status = rut_fmu_pack(spec, &choice, &pack, &hash, err);
  if (status == RUT_OK) status = open_packed(&pack, hash, &fmu, err);
  if (status == RUT_OK) {
    const rutFmuDescription what = {
        .version = def->version,
        .name = name,
        .identifier = identifier,
        .description = def->description ? def->description : "a world of rut",
        .duration = rut_node_number(spec, rut_spec_root(spec), "duration")};
    rut_fmu_describe(fmu, &what, &description);
    status = description.failed
                 ? rut_error_set(err, RUT_ERR_MEMORY, "no memory for the description")
                 : write_zip(&pack, &what, &description, path, err);
  }
  rut_bytes_free(&description);
  rut_fmu_close(fmu);
  rut_fmu_pack_free(&pack);
  return status;
}
