// SPDX-License-Identifier: BSD-3-Clause
//
// Outputs of a camera by their places in RUT_FORM_IMAGE, and parameters that say what is logged.
#ifndef RUT_HOST_MESSAGE_CAMERA_H
#define RUT_HOST_MESSAGE_CAMERA_H

#include <string.h>

#include "host/sensor_message.h"

enum {
  RUT_CAMERA_COLOUR,
  RUT_CAMERA_DEPTH,
  RUT_CAMERA_CLASS,
  RUT_CAMERA_INSTANCE,
  RUT_CAMERA_NORMAL,
  RUT_CAMERA_FLOW
};
enum {
  RUT_CAMERA_RENDER,
  RUT_CAMERA_LOG_COLOUR,
  RUT_CAMERA_LOG_DEPTH,
  RUT_CAMERA_LOG_LABELS,
  RUT_CAMERA_NORMALS,
  RUT_CAMERA_HAS_FLOW
};
enum { RUT_LOG_RAW, RUT_LOG_PNG, RUT_LOG_NO_COLOUR, RUT_LOG_JPEG };  // log_colour
enum { RUT_LOG_METRES, RUT_LOG_MILLIMETRES, RUT_LOG_NO_DEPTH };      // log_depth

#endif  // RUT_HOST_MESSAGE_CAMERA_H
