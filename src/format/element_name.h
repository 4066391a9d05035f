// SPDX-License-Identifier: BSD-3-Clause
//
// Names of elements for what has a name of its own in the files of other programs.
#ifndef RUT_FORMAT_ELEMENT_NAME_H
#define RUT_FORMAT_ELEMENT_NAME_H

#include <stddef.h>

enum { RUT_ELEMENT_NAME = 64 };  // bytes, the 0 at the end included

// The first n bytes of a name, cut to what fits; '_' for what the names of elements may not have.
void rut_element_name(const char* from, size_t n, char name[RUT_ELEMENT_NAME]);
// Name of a file without its folder and endings: hmmwv. "vehicle" if nothing is left.
void rut_element_name_of_file(const char* path, char name[RUT_ELEMENT_NAME]);

#endif  // RUT_FORMAT_ELEMENT_NAME_H
