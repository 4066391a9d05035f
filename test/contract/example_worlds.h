// SPDX-License-Identifier: BSD-3-Clause
//
// The project's example worlds, each ready to be stepped. What goes wrong fails the test.
#ifndef RUT_TEST_CONTRACT_EXAMPLE_WORLDS_H
#define RUT_TEST_CONTRACT_EXAMPLE_WORLDS_H

#include "rut/rut.h"

typedef struct ExampleWorld {
  const char* path;
  rutContext* context;
  rutModel* model;
  rutData* data;
} ExampleWorld;

// Calls visit with each world whose maps are there (some are made by a tool first); returns their
// number.
int for_example_worlds(void (*visit)(ExampleWorld* world));

#endif  // RUT_TEST_CONTRACT_EXAMPLE_WORLDS_H
