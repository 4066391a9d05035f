// SPDX-License-Identifier: BSD-3-Clause
//
// Loads the example worlds for the tests of this folder.
#ifndef RUT_TEST_DETERMINISM_WORLDS_H
#define RUT_TEST_DETERMINISM_WORLDS_H

#include "rut/rut.h"

enum { TEST_WORLDS = 30 };
extern const char* const test_worlds[TEST_WORLDS];

typedef struct TestWorld {
  rutContext* context;
  rutSpec* spec;
  rutModel* model;
  rutData* data;
} TestWorld;

// Load worlds/NAME.xml with so many workers. Fails the test on an error.
TestWorld test_world_open(const char* name, int workers);
void test_world_close(TestWorld* world);
// Step so often; fails the test if a step fails.
void test_world_run(TestWorld* world, int steps);
// Hash of the state after so many steps from the start.
uint64_t test_world_hash(const char* name, int workers, int steps);

#endif  // RUT_TEST_DETERMINISM_WORLDS_H
