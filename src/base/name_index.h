// SPDX-License-Identifier: BSD-3-Clause
//
// Names such as "vehicle/wheel/load", found by the whole of them or, misspelt, by what is near.
#ifndef RUT_BASE_NAME_INDEX_H
#define RUT_BASE_NAME_INDEX_H

typedef struct rutName {
  const char* name;  // borrowed
  const char* leaf;  // its end, behind what it belongs to: "load"
  int index;         // the caller's
} rutName;

// Sort by name, then index.
void rut_names_sort(int n, rutName* names);
// Index of a name among sorted ones, the lowest if there are several; -1 if there is none.
int rut_names_find(int n, const rutName* sorted, const char* name);
// The one that was probably meant by a misspelt name, or by a leaf alone; NULL if none is near, or
// out of memory.
const char* rut_names_nearest(int n, const rutName* sorted, const char* name);

#endif  // RUT_BASE_NAME_INDEX_H
