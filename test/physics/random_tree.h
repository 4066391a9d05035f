// SPDX-License-Identifier: BSD-3-Clause
//
// Random trees and states for tests.
#ifndef RANDOM_TREE_H
#define RANDOM_TREE_H

#include "mbd/tree.h"

enum {
  RANDOM_BODIES = 10,
  RANDOM_POSITIONS = 7 * RANDOM_BODIES,
  RANDOM_SPEEDS = 6 * RANDOM_BODIES
};

typedef struct randomTree {
  rutMbdTree tree;
  rutMbdBody body[RANDOM_BODIES];
} randomTree;

typedef struct randomState {
  double q[RANDOM_POSITIONS], v[RANDOM_SPEEDS], tau[RANDOM_SPEEDS];
  double force[6 * RANDOM_BODIES], gravity[3];
} randomState;

// Uniform in [low, high); the sequence starts from *seed, which must not be 0.
double random_number(uint64_t* seed, double low, double high);
int random_index(uint64_t* seed, int count);

// Any joints: hinges, slides, planar, free, fixed, prescribed hinges, rotors (with fixed parts).
void random_tree(uint64_t* seed, randomTree* out);
// A planar root that carries steered bodies (with or without mass), wheels about y and fixed parts.
void random_planar_vehicle(uint64_t* seed, randomTree* out);
void random_state(uint64_t* seed, const rutMbdTree* tree, randomState* out);

// Body on a parent (-1: base) with aligned mount at a position, axis y, no mass.
rutMbdBody simple_body(int parent, rutJointType joint, double x, double y, double z);
// Numbers positions and speeds in body order, and completes the tree.
void number_tree(randomTree* t, int bodies);

#endif  // RANDOM_TREE_H
