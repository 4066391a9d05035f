// SPDX-License-Identifier: BSD-3-Clause
//
// Shared by the formats of datasets.
#ifndef RUT_HOST_DATASET_H
#define RUT_HOST_DATASET_H

#include <stdarg.h>
#include <stdio.h>

#include "host/bytes.h"
#include "host/labels.h"

enum { RUT_DATASET_PATH = 4096 };
#define RUT_KITTI_LABELS "training/label_2"
#define RUT_COCO_PARTS   "annotations/parts"

// A frame that is being written.
typedef struct rutDatasetFrame {
  const rutModel* model;
  const rutData* data;
  const rutDatasetDef* def;
  int number;
  rutImages images;
  rutLabel* label;  // owned: those to be written
  int labels;
} rutDatasetFrame;

// Path of the file of a frame in a folder of the dataset; number -1: of the folder with a suffix.
// Errors: ARGUMENT (too long). Nullable: err.
rutStatus rut_dataset_path(const rutDatasetDef* def, const char* folder, int number,
                           const char* suffix, char path[RUT_DATASET_PATH], rutError* err);
// Create a folder of the dataset if it is not there. Errors: IO, MEMORY.
rutStatus rut_dataset_folder(const rutDatasetDef* def, const char* folder, rutError* err);
// Whether things of a class have labels.
bool rut_dataset_wants(const rutDatasetDef* def, const char* class_name);
// Write a file of the frame, and free its bytes. Errors: IO, MEMORY.
rutStatus rut_dataset_save(const rutDatasetFrame* frame, const char* folder, const char* suffix,
                           rutBytes* bytes, rutError* err);
// Write the colours of the frame. Errors: ARGUMENT (none), IO, MEMORY.
rutStatus rut_dataset_picture(const rutDatasetFrame* frame, const char* folder, rutError* err);
// Append formatted text, of at most 511 characters. Locales do not matter: numbers are whole, or
// made by rut_dataset_number.
void rut_dataset_print(rutBytes* bytes, const char* format, ...)
    __attribute__((format(printf, 2, 3)));

rutStatus rut_dataset_put_kitti(const rutDatasetFrame* frame, rutError* err);
rutStatus rut_dataset_put_coco(const rutDatasetFrame* frame, rutError* err);
rutStatus rut_dataset_join_coco(const rutDatasetDef* def, int n, rutError* err);

#endif  // RUT_HOST_DATASET_H
