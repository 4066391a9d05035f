// SPDX-License-Identifier: BSD-3-Clause
//
// The ROS 2 messages of a sensor's samples: the standard ones of its form where it has one, and one
// with the fields that its other outputs are. Logs and topics of ROS 2 are made of these.
#ifndef RUT_HOST_SAMPLE_MESSAGES_H
#define RUT_HOST_SAMPLE_MESSAGES_H

#include "host/sensor_message.h"
#include "rut/rut.h"

// One output of a sensor.
typedef struct rutSampleOutput {
  rutNumberType type;
  int count;
  size_t size;  // of one number [B]
  int held;     // index in the form's message, -1 if it does not hold it
} rutSampleOutput;

typedef struct rutSampleMessages {
  const rutSensorMessage* message[RUT_FORM_MESSAGES];  // of its form
  int messages;
  bool covered;                  // its form has messages, which hold the outputs of the form
  bool rest;                     // there are other outputs
  bool whole;                    // it has the optional outputs of its form, too
  bool images;                   // it is a camera, whose images have axes of their own
  rutBytes wheel_names, steers;  // of its vehicle's wheels, only of RUT_FORM_JOINTS
  rutSampleOutput* output;       // [outputs] owned
  const void** place;            // [outputs] owned, for the caller: numbers of each output
  int outputs;
  rutSensorMessageIn constant;  // of the messages, without outputs
} rutSampleMessages;

// When a sample was taken, and by what.
typedef struct rutSampleHead {
  int64_t stamp;      // simulated time [ns]
  int64_t received;   // from which on it can be seen [ns]
  const char* frame;  // of the message
} rutSampleHead;

// Find the messages of a sensor. To be freed in any case. Errors: MEMORY.
rutStatus rut_sample_messages_find(const rutModel* model, int sensor, rutSampleMessages* out,
                                   rutError* err);
void rut_sample_messages_free(rutSampleMessages* messages);
// Whether the outputs of a sensor are those that these were made for: parameters may change.
bool rut_sample_messages_fit(const rutSampleMessages* messages, const rutModel* model, int sensor);
// Whether an output stands in the message of other outputs.
bool rut_sample_is_rest(const rutSampleOutput* output);

// Definition, in ros2msg, of the message of other outputs.
void rut_sample_define_rest(rutBytes* text, const rutSampleMessages* messages,
                            const rutModel* model, int sensor);
// A message of the form, and that of other outputs, from the numbers at messages->place.
void rut_sample_put_message(rutBytes* bytes, const rutSampleMessages* messages, int which,
                            const rutSampleHead* head);
void rut_sample_put_rest(rutBytes* bytes, const rutSampleMessages* messages,
                         const rutSampleHead* head);

#endif  // RUT_HOST_SAMPLE_MESSAGES_H
