// SPDX-License-Identifier: BSD-3-Clause
#include "format/mesh_answer.h"

#include <stdlib.h>
#include <string.h>

static rutStatus broken(const char* name, rutReporter* reporter) {
  return rut_report_error(reporter, RUT_ERR_PARSE, (rutPlace){name, 0, 0}, "", "",
                          "mesh cannot be read: rut-import ended early");
}

rutStatus rut_mesh_helper_differs(const char* name, rutReporter* reporter) {
  return rut_report_error(reporter, RUT_ERR_MISSING, (rutPlace){name, 0, 0}, "",
                          "install rut as a whole, or name the folder of its own in RUT_HELPERS",
                          "meshes need a rut-import of the same version as rut; the one that was "
                          "found is of another");
}

// The mark of another version: the same word with another number.
static bool is_other_mark(const char mark[8]) {
  enum { WORD = sizeof RUT_MESH_ANSWER_MARK - 2 };
  const char number = mark[WORD];
  return memcmp(mark, RUT_MESH_ANSWER_MARK, WORD) == 0 && number >= '0' && number <= '9' &&
         number != RUT_MESH_ANSWER_MARK[WORD];
}

// A message of the helper. What could steer a terminal is left out.
static rutStatus told(const rutMeshAnswer* head, const char* text, const char* name,
                      rutReporter* reporter) {
  char clean[RUT_MESH_ANSWER_TEXT + 1];
  size_t n = 0;
  for (; n < head->text; n++) clean[n] = text[n] >= ' ' && text[n] <= '~' ? text[n] : '?';
  clean[n] = '\0';
  // of what a helper may say; anything else is a file that cannot be read
  rutStatus status = RUT_ERR_PARSE;
  if (head->status == (uint32_t)RUT_ERR_CAPACITY) status = RUT_ERR_CAPACITY;
  if (head->status == (uint32_t)RUT_ERR_MEMORY) status = RUT_ERR_MEMORY;
  if (head->status == (uint32_t)RUT_ERR_MISSING) status = RUT_ERR_MISSING;
  return rut_report_error(reporter, status, (rutPlace){name, 0, 0}, "", "", "%s", clean);
}

static bool indices_hold(size_t n, const int* index, int points) {
  for (size_t i = 0; i < n; i++) {
    if (index[i] < 0 || index[i] >= points) return false;
  }
  return true;
}

static rutStatus no_memory(const char* name, rutReporter* reporter) {
  return rut_report_error(reporter, RUT_ERR_MEMORY, (rutPlace){name, 0, 0}, "", "",
                          "no memory for a mesh");
}

// Names of textures, one for each material. False if they are not that.
static bool find_names(rutMesh* out, size_t size) {
  size_t at = 0;
  for (int i = 0; i < out->materials; i++) {
    const char* end = at < size ? memchr(out->texture_name + at, '\0', size - at) : NULL;
    if (!end) return false;
    out->texture[i] = out->texture_name + at;
    at = (size_t)(end - out->texture_name) + 1;
  }
  return at == size;
}

// What an answer has of textures: coordinates, names, images.
static rutStatus read_textures(const rutMeshAnswer* head, const char* at, size_t size,
                               const char* name, rutReporter* reporter, rutMesh* out) {
  const bool textured = head->coordinates > 0;
  const size_t coordinate_bytes = head->coordinates * sizeof *out->coordinate;
  const size_t sizes = head->images * sizeof(uint32_t);
  if (head->coordinates != (textured ? head->points : 0) || head->images > RUT_MESH_MAX_IMAGES ||
      (!textured && (head->images > 0 || head->text > 0)) ||
      size < coordinate_bytes + head->text + sizes) {
    return broken(name, reporter);
  }
  if (!textured) return size == 0 ? RUT_OK : broken(name, reporter);
  const size_t images = size - coordinate_bytes - head->text - sizes;
  out->coordinate = malloc(coordinate_bytes);
  out->texture_name = malloc(head->text + 1);
  out->texture = malloc(((size_t)out->materials + 1) * sizeof *out->texture);
  out->image_end = malloc((head->images + 1) * sizeof *out->image_end);
  out->image = malloc(images + 1);
  if (!out->coordinate || !out->texture_name || !out->texture || !out->image_end || !out->image) {
    return no_memory(name, reporter);
  }
  memcpy(out->coordinate, at, coordinate_bytes);
  memcpy(out->texture_name, at + coordinate_bytes, head->text);
  const char* size_at = at + coordinate_bytes + head->text;
  memcpy(out->image, size_at + sizes, images);
  out->images = (int)head->images;
  size_t end = 0;
  for (int i = 0; i < out->images; i++) {
    uint32_t one;
    memcpy(&one, size_at + (size_t)i * sizeof one, sizeof one);
    out->image_end[i] = end += one;
  }
  return end == images && find_names(out, head->text) ? RUT_OK : broken(name, reporter);
}

rutStatus rut_mesh_answer_read(const void* bytes, size_t size, const char* name,
                               rutReporter* reporter, rutMesh* out) {
  _Static_assert(sizeof(int) == sizeof(int32_t), "indices are copied as they are");
  *out = (rutMesh){0};
  rutMeshAnswer head;
  if (size < sizeof head.mark) return broken(name, reporter);
  memcpy(head.mark, bytes, sizeof head.mark);
  if (is_other_mark(head.mark)) return rut_mesh_helper_differs(name, reporter);
  if (size < sizeof head) return broken(name, reporter);
  memcpy(&head, bytes, sizeof head);
  if (memcmp(head.mark, RUT_MESH_ANSWER_MARK, sizeof head.mark) != 0) return broken(name, reporter);
  const char* at = (const char*)bytes + sizeof head;
  const size_t rest = size - sizeof head;
  if (head.status != RUT_OK) {
    const bool whole = head.text <= RUT_MESH_ANSWER_TEXT && head.text == rest;
    return whole ? told(&head, at, name, reporter) : broken(name, reporter);
  }
  if (head.points == 0 || head.points > RUT_MESH_MAX_POINTS ||
      head.triangles > RUT_MESH_MAX_POINTS || head.lines > RUT_MESH_MAX_POINTS ||
      head.materials > RUT_MESH_MAX_MATERIALS) {
    return broken(name, reporter);
  }
  const size_t point_bytes = 3 * sizeof *out->point * head.points;
  const size_t triangle_bytes = 3 * sizeof *out->triangle * head.triangles;
  const size_t line_bytes = 2 * sizeof *out->line * head.lines;
  const size_t colour_bytes = head.materials * sizeof *out->colour;
  const size_t material_bytes = head.materials ? sizeof *out->material * head.triangles : 0;
  const size_t plain = point_bytes + colour_bytes + triangle_bytes + line_bytes + material_bytes;
  if (rest < plain) return broken(name, reporter);
  out->point = malloc(point_bytes);
  out->triangle = malloc(triangle_bytes + 1);
  out->line = malloc(line_bytes + 1);
  out->colour = malloc(colour_bytes + 1);
  out->material = malloc(material_bytes + 1);
  if (!out->point || !out->triangle || !out->line || !out->colour || !out->material) {
    rut_mesh_free(out);
    return no_memory(name, reporter);
  }
  memcpy(out->point, at, point_bytes);
  at += point_bytes;
  memcpy(out->colour, at, colour_bytes);
  at += colour_bytes;
  memcpy(out->triangle, at, triangle_bytes);
  memcpy(out->line, at + triangle_bytes, line_bytes);
  memcpy(out->material, at + triangle_bytes + line_bytes, material_bytes);
  out->points = (int)head.points;
  out->triangles = (int)head.triangles;
  out->lines = (int)head.lines;
  out->materials = (int)head.materials;
  const rutStatus textures = read_textures(&head, (const char*)bytes + sizeof head + plain,
                                           rest - plain, name, reporter, out);
  if (textures != RUT_OK) {
    rut_mesh_free(out);
    return textures;
  }
  if (indices_hold(3 * (size_t)head.triangles, out->triangle, out->points) &&
      indices_hold(2 * (size_t)head.lines, out->line, out->points) &&
      indices_hold(head.materials ? head.triangles : 0, out->material, out->materials)) {
    return RUT_OK;
  }
  rut_mesh_free(out);
  return broken(name, reporter);
}
