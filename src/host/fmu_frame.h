// SPDX-License-Identifier: BSD-3-Clause
//
// What a run and the process of an FMU that drives say to each other: frames of a head and as many
// bytes as it says, in the byte order of the machine. The run speaks, and each frame is answered.
#ifndef RUT_HOST_FMU_FRAME_H
#define RUT_HOST_FMU_FRAME_H

#include <stdint.h>

#define RUT_FMU_PROGRAM "rut-cosim"
#define RUT_FMU_MARK    "1"  // argument of the program: changes with what follows

enum {
  RUT_FRAME_MOST = 1 << 20,  // bytes behind a head
  RUT_FRAME_NAMES = 4096,    // names of one kind
  RUT_FRAME_TEXT = 1024      // bytes of a fault, with its zero
};

typedef enum rutFrameKind {
  // Of the run: load an FMU. A rutFrameLoad, then texts with their zeros: the FMU's file, an empty
  // folder, names of inputs, of outputs, and names and values of parameters.
  RUT_FRAME_LOAD = 1,
  // Begin at a time, or step from it: a rutFrameStep, then values of the inputs.
  RUT_FRAME_BEGIN = 2,
  RUT_FRAME_STEP = 3,
  // Of the process: values of the outputs (none after a LOAD), or what went wrong.
  RUT_FRAME_VALUES = 4,
  RUT_FRAME_FAULT = 5
} rutFrameKind;

typedef struct rutFrameHead {
  uint32_t kind, size;
} rutFrameHead;

typedef struct rutFrameLoad {
  uint32_t inputs, outputs, parameters;
} rutFrameLoad;

typedef struct rutFrameStep {
  double time, step;  // [s]
} rutFrameStep;

#endif  // RUT_HOST_FMU_FRAME_H
