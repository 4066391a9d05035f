// SPDX-License-Identifier: BSD-3-Clause
//
// Labelled frames as folders: what a frame of KITTI and one of COCO consist of is in
// dataset_kitti.c and dataset_coco.c.
#include "host/dataset.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/report.h"
#include "host/write_file.h"

enum { MAX_NUMBER = 999999 };

rutDatasetDef rut_default_dataset(void) {
  return (rutDatasetDef){.struct_size = sizeof(rutDatasetDef), .lidar = -1, .min_pixels = 20};
}

rutStatus rut_dataset_path(const rutDatasetDef* def, const char* folder, int number,
                           const char* suffix, char path[RUT_DATASET_PATH], rutError* err) {
  char name[32] = "";
  if (number >= 0) snprintf(name, sizeof name, "/%06d", number);
  const int n = snprintf(path, RUT_DATASET_PATH, "%s/%s%s%s", def->folder, folder, name, suffix);
  if (n > 0 && n < RUT_DATASET_PATH) return RUT_OK;
  return rut_error_set(err, RUT_ERR_ARGUMENT, "the name of the folder is too long");
}

rutStatus rut_dataset_folder(const rutDatasetDef* def, const char* folder, rutError* err) {
  char path[RUT_DATASET_PATH];
  const rutStatus status = rut_dataset_path(def, folder, -1, "", path, err);
  return status == RUT_OK ? rut_folder_create(path, err) : status;
}

rutStatus rut_dataset_save(const rutDatasetFrame* frame, const char* folder, const char* suffix,
                           rutBytes* bytes, rutError* err) {
  char path[RUT_DATASET_PATH];
  rutStatus status = rut_dataset_path(frame->def, folder, frame->number, suffix, path, err);
  if (status == RUT_OK) status = rut_output_save(frame->model, bytes, path, err);
  rut_bytes_free(bytes);
  return status;
}

rutStatus rut_dataset_picture(const rutDatasetFrame* frame, const char* folder, rutError* err) {
  rutPicture picture;
  char path[RUT_DATASET_PATH];
  rutStatus status = rut_dataset_path(frame->def, folder, frame->number, ".png", path, err);
  if (status != RUT_OK) return status;
  status =
      rut_sample_picture(frame->model, frame->data, frame->def->camera, "colour", &picture, err);
  if (status == RUT_OK) status = rut_picture_save(frame->model, &picture, path, err);
  free(picture.pixel);
  return status;
}

void rut_dataset_print(rutBytes* bytes, const char* format, ...) {
  char text[512];
  va_list arguments;
  va_start(arguments, format);
  const int n = vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  if (n < 0 || n >= (int)sizeof text) {
    bytes->failed = true;
  } else {
    rut_bytes_put(bytes, text, (size_t)n);
  }
}

bool rut_dataset_wants(const rutDatasetDef* def, const char* class_name) {
  for (int i = 0; i < def->classes; i++) {
    if (strcmp(def->class_name[i], class_name) == 0) return true;
  }
  return def->classes == 0;
}

// Labels of things that have boxes in space and enough pixels. Ground and walls have none.
static rutStatus read_labels(rutDatasetFrame* frame, rutError* err) {
  rutLabels all;
  const rutStatus status =
      rut_labels_read(frame->model, frame->data, frame->def->camera, &all, err);
  frame->label = all.label;
  for (int i = 0; i < all.n; i++) {
    const rutLabel* l = &all.label[i];
    const bool wanted =
        rut_dataset_wants(frame->def, rut_class_name(frame->model, l->semantic_class));
    if (wanted && l->has_box && l->pixels >= frame->def->min_pixels) {
      all.label[frame->labels++] = *l;
    }
  }
  return status;
}

rutStatus rut_dataset_put(const rutModel* model, const rutData* data, const rutDatasetDef* def,
                          int number, rutError* err) {
  rutDatasetFrame frame = {.model = model, .data = data, .def = def, .number = number};
  if (def->struct_size != sizeof *def || !def->folder || number < 0 || number > MAX_NUMBER) {
    return rut_error_set(err, RUT_ERR_ARGUMENT,
                         "the definition of a dataset must come from rut_default_dataset, and a "
                         "frame have a number from 0 to %d",
                         MAX_NUMBER);
  }
  rutStatus status = rut_images_find(model, data, def->camera, &frame.images, err);
  if (status == RUT_OK) status = read_labels(&frame, err);
  if (status == RUT_OK) {
    status = def->format == RUT_DATASET_KITTI ? rut_dataset_put_kitti(&frame, err)
                                              : rut_dataset_put_coco(&frame, err);
  }
  free(frame.label);
  return status;
}

bool rut_dataset_has(const rutDatasetDef* def, int number) {
  char path[RUT_DATASET_PATH];
  const bool kitti = def->format == RUT_DATASET_KITTI;
  struct stat info;
  return rut_dataset_path(def, kitti ? RUT_KITTI_LABELS : RUT_COCO_PARTS, number,
                          kitti ? ".txt" : ".part", path, NULL) == RUT_OK &&
         lstat(path, &info) == 0 && S_ISREG(info.st_mode);
}

rutStatus rut_dataset_finish(const rutDatasetDef* def, int n, rutError* err) {
  return def->format == RUT_DATASET_KITTI ? RUT_OK : rut_dataset_join_coco(def, n, err);
}
