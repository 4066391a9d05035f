// SPDX-License-Identifier: BSD-3-Clause
//
// COCO (Lin et al. 2014, and the format of its instances): images, and one JSON file. Each frame
// has a file of its own from which that is made: the image, then the classes of its world, then a
// line per annotation with the name of its class in front; numbers of categories are known at the
// end only.
#include <stdlib.h>
#include <string.h>

#include "base/report.h"
#include "base/units.h"
#include "host/dataset.h"
#include "host/write_file.h"
#include "math/rut_math.h"

#define IMAGES "images"
enum { MOST_ANNOTATIONS = 65536 };  // of an image: numbers of annotations are made of both

// JSON number.
static void put_number(rutBytes* bytes, double value) {
  enum { DIGITS = 9 };
  char text[RUT_NUMBER_SIZE];
  rut_bytes_put(bytes, text, rut_write_number(value == 0 ? 0 : value, DIGITS, text));
}

static void put_numbers(rutBytes* bytes, const char* name, int n, const double* value) {
  rut_dataset_print(bytes, "\"%s\":[", name);
  for (int i = 0; i < n; i++) {
    if (i > 0) rut_bytes_u8(bytes, ',');
    put_number(bytes, value[i]);
  }
  rut_dataset_print(bytes, "]");
}

// A string without its quotation marks, in ASCII.
static void put_text(rutBytes* bytes, const char* text) {
  for (const unsigned char* c = (const unsigned char*)text; *c; c++) {
    if (*c < ' ' || *c == '"' || *c == '\\' || *c == 0x7f) {
      rut_dataset_print(bytes, "\\u%04x", *c);
    } else {
      rut_bytes_u8(bytes, *c);
    }
  }
}

// Run lengths of an instance's pixels, column by column, beginning with those that are not in it.
static void put_runs(const rutImages* images, int instance, rutBytes* bytes) {
  const int width = images->camera.width, height = images->camera.height;
  int run = 0;
  bool inside = false, first = true;
  for (int column = 0; column < width; column++) {
    for (int row = 0; row < height; row++) {
      const bool is = images->instance[row * width + column] == instance;
      if (is != inside) {
        rut_dataset_print(bytes, first ? "%d" : ",%d", run);
        first = false;
        inside = is;
        run = 0;
      }
      run++;
    }
  }
  rut_dataset_print(bytes, first ? "%d" : ",%d", run);
}

static void put_annotation(const rutDatasetFrame* frame, const rutLabel* l, int index,
                           rutBytes* bytes) {
  const rutCameraGeometry* c = &frame->images.camera;
  const double size[2] = {c->width, c->height};
  rutInstanceInfo info;
  double box[4], all[4];
  for (int k = 0; k < 2; k++) {
    const double low = frame->def->corners ? rut_clamp(l->low[k], 0, size[k]) : l->first[k];
    const double high = frame->def->corners ? rut_clamp(l->high[k], 0, size[k]) : l->last[k] + 1;
    box[k] = low;
    box[2 + k] = high - low;
    all[k] = l->low[k];
    all[2 + k] = l->high[k] - l->low[k];
  }
  rut_instance_info(frame->model, l->instance, &info);
  put_text(bytes, rut_class_name(frame->model, l->semantic_class));
  rut_dataset_print(bytes, "\t\"id\":%lld,\"image_id\":%d,",
                    (long long)frame->number * MOST_ANNOTATIONS + index + 1, frame->number + 1);
  put_numbers(bytes, "bbox", 4, box);
  rut_dataset_print(bytes, ",\"area\":%d,\"iscrowd\":0,\"segmentation\":{\"size\":[%d,%d],",
                    l->pixels, c->height, c->width);
  rut_dataset_print(bytes, "\"counts\":[");
  put_runs(&frame->images, l->instance, bytes);
  rut_dataset_print(bytes, "]},\"instance\":\"");
  put_text(bytes, info.name);
  rut_dataset_print(bytes, "\",");
  put_numbers(bytes, "amodal_bbox", 4, all);
  rut_dataset_print(bytes, ",\"truncation\":");
  put_number(bytes, l->truncation);
  rut_dataset_print(bytes, ",\"occlusion\":");
  put_number(bytes, l->occlusion);
  rut_dataset_print(bytes, ",");
  put_numbers(bytes, "centre", 3, l->centre);
  rut_dataset_print(bytes, ",");
  put_numbers(bytes, "dimensions", 3, l->size);
  rut_dataset_print(bytes, ",\"rotation_y\":");
  put_number(bytes, l->rotation_y);
  rut_dataset_print(bytes, "}\n");
}

rutStatus rut_dataset_put_coco(const rutDatasetFrame* frame, rutError* err) {
  const rutDatasetDef* def = frame->def;
  const rutCameraGeometry* c = &frame->images.camera;
  if (frame->labels > MOST_ANNOTATIONS) {
    return rut_error_set(err, RUT_ERR_CAPACITY, "an image has at most %d annotations",
                         MOST_ANNOTATIONS);
  }
  rutStatus status = rut_dataset_folder(def, IMAGES, err);
  if (status == RUT_OK) status = rut_dataset_folder(def, RUT_COCO_PARTS, err);
  if (status == RUT_OK) status = rut_dataset_picture(frame, IMAGES, err);
  if (status != RUT_OK) return status;
  rutBytes part = {0};
  rut_dataset_print(&part, "{\"id\":%d,\"width\":%d,\"height\":%d,\"file_name\":\"%06d.png\",",
                    frame->number + 1, c->width, c->height, frame->number);
  rut_dataset_print(&part, "\"time\":");
  put_number(&part, frame->images.stamp);
  rut_dataset_print(&part, "}\n");
  for (int i = 0; i < rut_class_count(frame->model); i++) {
    if (!rut_dataset_wants(def, rut_class_name(frame->model, i))) continue;
    put_text(&part, rut_class_name(frame->model, i));
    rut_dataset_print(&part, "\t\n");
  }
  for (int i = 0; i < frame->labels; i++) put_annotation(frame, &frame->label[i], i, &part);
  return rut_dataset_save(frame, RUT_COCO_PARTS, ".part", &part, err);
}

// ---- one file of all frames ----

// Names of categories, as they stand in JSON.
typedef struct Names {
  char** name;  // owned
  int n;
  bool given;  // by the definition, in its order; else in alphabetical order
} Names;

// Place of a name, -1 if it has none.
static int place_of(const Names* names, const char* name, size_t length) {
  for (int i = 0; i < names->n; i++) {
    if (strncmp(names->name[i], name, length) == 0 && names->name[i][length] == '\0') return i;
  }
  return -1;
}

// False if there is no memory.
static bool add_name(Names* names, const char* name, size_t length) {
  if (place_of(names, name, length) >= 0) return true;
  char** grown = realloc(names->name, ((size_t)names->n + 1) * sizeof *grown);
  if (!grown) return false;
  names->name = grown;
  char* copy = malloc(length + 1);
  if (!copy) return false;
  memcpy(copy, name, length);
  copy[length] = '\0';
  int at = names->n++;
  for (; !names->given && at > 0 && strcmp(grown[at - 1], copy) > 0; at--)
    grown[at] = grown[at - 1];
  grown[at] = copy;
  return true;
}

// The classes of the definition; none if it wants all.
static bool add_given(Names* names, const rutDatasetDef* def) {
  bool fine = true;
  names->given = def->classes > 0;
  for (int i = 0; i < def->classes && fine; i++) {
    rutBytes name = {0};
    put_text(&name, def->class_name[i]);
    fine = !name.failed && add_name(names, (const char*)name.data, name.used);
    rut_bytes_free(&name);
  }
  return fine;
}

// The file of a frame, zero-terminated. The caller frees it.
static rutStatus read_part(const rutDatasetDef* def, int number, char** text, rutError* err) {
  char path[RUT_DATASET_PATH];
  *text = NULL;
  rutStatus status = rut_dataset_path(def, RUT_COCO_PARTS, number, ".part", path, err);
  if (status != RUT_OK) return status;
  FILE* file = rut_file_open(path, err);
  if (!file) return err ? err->status : RUT_ERR_IO;
  rutBytes bytes = {0};
  enum { PIECE = 65536 };
  for (size_t n = PIECE; n == PIECE;) {
    unsigned char* place = rut_bytes_extend(&bytes, PIECE);
    if (!place) break;
    n = fread(place, 1, PIECE, file);
    bytes.used -= PIECE - n;
  }
  rut_bytes_u8(&bytes, 0);
  fclose(file);
  *text = (char*)bytes.data;
  if (bytes.failed) return rut_error_set(err, RUT_ERR_MEMORY, "no memory for '%s'", path);
  // the image in the first line, then lines with a tabulator each, all of them whole
  const char* end = *text + strlen(*text);
  bool fine = (*text)[0] == '{' && end[-1] == '\n' && strlen(*text) + 1 == bytes.used;
  const char* line = fine ? strchr(*text, '\n') + 1 : end;
  for (; line < end; line = strchr(line, '\n') + 1) {
    fine = fine && strcspn(line, "\t") < strcspn(line, "\n");
  }
  if (fine) return RUT_OK;
  return rut_error_set(err, RUT_ERR_PARSE, "'%s' is damaged: remove it, and run again", path);
}

typedef enum Part { NAMES, PICTURES, ANNOTATIONS } Part;

static bool take_lines(Part part, const char* text, Names* names, bool* first, rutBytes* out) {
  const char* line = strchr(text, '\n') + 1;
  if (part == PICTURES) {
    rut_dataset_print(out, *first ? "\n" : ",\n");
    rut_bytes_put(out, text, (size_t)(line - text - 1));
    *first = false;
  }
  for (; part != PICTURES && *line; line = strchr(line, '\n') + 1) {
    const size_t name = strcspn(line, "\t"), all = strcspn(line, "\n");
    if (part == NAMES) {
      if (!add_name(names, line, name)) return false;
      continue;
    }
    const int category = place_of(names, line, name) + 1;
    if (name + 1 == all || category == 0) continue;  // a class, or one that is not wanted
    rut_dataset_print(out, "%s{\"category_id\":%d,", *first ? "\n" : ",\n", category);
    rut_bytes_put(out, line + name + 1, all - name - 1);
    *first = false;
  }
  return true;
}

// Write what was gathered.
static int drain(rutOutput* output, rutBytes* bytes) {
  const int fault = rut_output_write(output, bytes->data, bytes->used);
  bytes->used = 0;
  return fault;
}

static rutStatus take_parts(Part part, const rutDatasetDef* def, int n, Names* names,
                            rutOutput* output, rutError* err) {
  rutBytes bytes = {0};
  bool first = true;
  rutStatus status = RUT_OK;
  for (int i = 0; i < n && status == RUT_OK; i++) {
    char* text;
    status = read_part(def, i, &text, err);
    if (status == RUT_OK && (!take_lines(part, text, names, &first, &bytes) || bytes.failed)) {
      status = rut_error_set(err, RUT_ERR_MEMORY, "no memory for annotations");
    }
    free(text);
    const int fault = status == RUT_OK && output ? drain(output, &bytes) : 0;
    if (fault) status = rut_output_error(fault, def->folder, err);
  }
  rut_bytes_free(&bytes);
  return status;
}

static rutStatus put_text_out(rutOutput* output, rutBytes* bytes, const rutDatasetDef* def,
                              rutError* err) {
  if (bytes->failed) return rut_error_set(err, RUT_ERR_MEMORY, "no memory for annotations");
  const int fault = drain(output, bytes);
  return fault ? rut_output_error(fault, def->folder, err) : RUT_OK;
}

static rutStatus write_all(const rutDatasetDef* def, int n, Names* names, rutOutput* output,
                           rutError* err) {
  rutBytes bytes = {0};
  rut_dataset_print(&bytes, "{\"info\":{\"description\":\"made by rut\",\"version\":\"%s\"},\n",
                    RUT_VERSION_STRING);
  rut_dataset_print(&bytes, "\"licenses\":[],\n\"images\":[");
  rutStatus status = put_text_out(output, &bytes, def, err);
  if (status == RUT_OK) status = take_parts(PICTURES, def, n, names, output, err);
  rut_dataset_print(&bytes, "],\n\"annotations\":[");
  if (status == RUT_OK) status = put_text_out(output, &bytes, def, err);
  if (status == RUT_OK) status = take_parts(ANNOTATIONS, def, n, names, output, err);
  rut_dataset_print(&bytes, "],\n\"categories\":[");
  for (int i = 0; i < names->n; i++) {
    rut_dataset_print(&bytes, "%s{\"id\":%d,\"supercategory\":\"\",\"name\":\"",
                      i > 0 ? ",\n" : "\n", i + 1);
    rut_bytes_put(&bytes, names->name[i], strlen(names->name[i]));
    rut_dataset_print(&bytes, "\"}");
  }
  rut_dataset_print(&bytes, "]}\n");
  if (status == RUT_OK) status = put_text_out(output, &bytes, def, err);
  rut_bytes_free(&bytes);
  return status;
}

rutStatus rut_dataset_join_coco(const rutDatasetDef* def, int n, rutError* err) {
  char path[RUT_DATASET_PATH];
  Names names = {0};
  rutOutput output;
  rutStatus status = rut_dataset_path(def, "annotations/instances", -1, ".json", path, err);
  if (status == RUT_OK && !add_given(&names, def)) {
    status = rut_error_set(err, RUT_ERR_MEMORY, "no memory for names of classes");
  }
  if (status == RUT_OK && !names.given) status = take_parts(NAMES, def, n, &names, NULL, err);
  if (status == RUT_OK) status = rut_output_open(NULL, path, &output, err);
  if (status == RUT_OK) {
    status = write_all(def, n, &names, &output, err);
    if (status == RUT_OK) {
      const int fault = rut_output_finish(&output);
      if (fault) status = rut_output_error(fault, path, err);
    } else {
      rut_output_cancel(&output);
    }
  }
  for (int i = 0; i < names.n; i++) free(names.name[i]);
  free(names.name);
  return status;
}
