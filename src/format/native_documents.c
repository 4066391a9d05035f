// SPDX-License-Identifier: BSD-3-Clause
//
// Files of a world of rut: each is read once, under its absolute name.
#define _XOPEN_SOURCE 700  // for realpath
#include <stdlib.h>
#include <string.h>

#include "format/mavs_scene.h"
#include "format/native_load.h"

void rut_native_free_documents(rutNativeReader* reader) {
  for (rutNativeDocument *document = reader->documents, *next; document; document = next) {
    next = document->next;
    rut_xml_destroy(document->xml);
    free(document->fixed);
    free(document->vehicle);
    free(document->key);
    free(document);
  }
}

char* rut_native_copy_text(const char* text) {
  const size_t size = strlen(text) + 1;
  char* copy = malloc(size);
  if (copy) memcpy(copy, text, size);
  return copy;
}

char* rut_native_file_key(const char* path) {
  char* key = realpath(path, NULL);
  return key ? key : rut_native_copy_text(path);
}

char* rut_native_join_path(const char* from, const char* name) {
  const char* slash = strrchr(from, '/');
  const size_t folder = slash && name[0] != '/' ? (size_t)(slash - from) + 1 : 0;
  const size_t size = strlen(name) + 1;
  char* path = malloc(folder + size);
  if (!path) return NULL;
  memcpy(path, from, folder);
  memcpy(path + folder, name, size);
  return path;
}

rutNativeDocument* rut_native_keep_document(rutNativeReader* reader, char* key, const char* text,
                                            size_t size, const char* name, bool wrap) {
  rutNativeDocument* document = calloc(1, sizeof *document);
  if (!document || !key) {
    const rutPlace place = {name, 0, 0};
    rut_report_error(reader->reporter, RUT_ERR_MEMORY, place, "", "", "out of memory");
    free(document);
    free(key);
    return NULL;
  }
  document->key = key;
  document->next = reader->documents;
  reader->documents = document;
  reader->files++;
  reader->bytes += size;
  // a faulty one stays in the list without a tree, so that it is reported once
  rut_xml_parse(text, size, name, wrap, reader->reporter, &document->xml);
  return document->xml ? document : NULL;
}

// Keep a scene of MAVS under a key; both are taken over.
static rutNativeDocument* keep_scene(rutNativeReader* reader, char* key, char* text, size_t size) {
  rutNativeDocument* document = calloc(1, sizeof *document);
  if (!document || !key) {
    const rutPlace place = {"", 0, 0};
    rut_report_error(reader->reporter, RUT_ERR_MEMORY, place, "", "", "out of memory");
    free(document);
    free(key);
    free(text);
    return NULL;
  }
  *document = (rutNativeDocument){
      .next = reader->documents, .key = key, .vehicle = text, .size = size, .scene = true};
  reader->documents = document;
  reader->files++;
  reader->bytes += size;
  return document;
}

rutNativeDocument* rut_native_open_document(rutNativeReader* reader, const rutNativeFrame* frame,
                                            const rutXmlElement* element, const char* path) {
  char* key = rut_native_file_key(path);
  for (rutNativeDocument* document = reader->documents; key && document;
       document = document->next) {
    if ((document->vehicle && !document->scene) || strcmp(document->key, key) != 0) continue;
    free(key);
    return document->xml || document->scene ? document : NULL;
  }
  if (reader->files >= RUT_NATIVE_MAX_FILES || reader->bytes > RUT_NATIVE_MAX_TEXT) {
    free(key);
    rut_native_halt(reader, frame, element, "too many included files");
    return NULL;
  }
  char* text;
  size_t size;
  const rutXmlAttribute* file = rut_xml_attribute(element, "file");
  const rutPlace place = rut_native_place(frame, file->line, file->column);
  if (rut_read_file(path, RUT_XML_MAX_SIZE, reader->reporter, place, &text, &size) != RUT_OK) {
    free(key);
    rut_native_count_error(reader, frame);
    return NULL;
  }
  if (rut_mavs_scene_recognise(text, size)) return keep_scene(reader, key, text, size);
  rutNativeDocument* document = rut_native_keep_document(reader, key, text, size, path, true);
  free(text);
  rut_native_count_error(reader, frame);
  return document;
}

const rutNativeDocument* rut_native_open_vehicle(rutNativeReader* reader,
                                                 const rutNativeFrame* frame,
                                                 const rutXmlElement* element, const char* path,
                                                 bool* again) {
  char* key = rut_native_file_key(path);
  for (rutNativeDocument* document = reader->documents; key && document;
       document = document->next) {
    if (!document->vehicle || strcmp(document->key, key) != 0) continue;
    free(key);
    *again = true;
    return document;
  }
  const rutXmlAttribute* file = rut_xml_attribute(element, "file");
  rutNativeDocument* document = calloc(1, sizeof *document);
  if (!key || !document || reader->files >= RUT_NATIVE_MAX_FILES ||
      reader->bytes > RUT_NATIVE_MAX_TEXT) {
    rut_native_halt(reader, frame, element,
                    !key || !document ? "out of memory" : "too many included files");
  } else if (rut_read_file(path, RUT_XML_MAX_SIZE, reader->reporter,
                           rut_native_place(frame, file->line, file->column), &document->vehicle,
                           &document->size) == RUT_OK) {
    document->key = key;
    document->next = reader->documents;
    reader->documents = document;
    reader->files++;
    reader->bytes += document->size;
    return document;
  }
  rut_native_count_error(reader, frame);
  free(document);
  free(key);
  return NULL;
}
