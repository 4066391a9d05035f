// SPDX-License-Identifier: BSD-3-Clause
//
// Packets of a program that drives as frames of a CAN bus (ISO 11898), of at most eight bytes. All
// numbers are little-endian. From an identifier `base` on, P being the frames of the set points:
//
//   base           of a state, its first frame: sequence and layout (32 bits each)
//   base + 1       of an answer, its first frame: sequence and layout of the state
//   base + 2       set points, two a frame (32-bit IEEE 754), the last maybe alone; P frames
//   base + 2 + P   time of the state [s] (64-bit IEEE 754)
//   base + 3 + P   signals, like set points
//
// Frames of a packet come in the order of their identifiers, the order of their priority on the
// bus; its last one ends it.
#ifndef RUT_HOST_CAN_FRAMES_H
#define RUT_HOST_CAN_FRAMES_H

#include "host/remote_packet.h"
#include "rut/rut.h"

enum {
  RUT_CAN_BASE = 0x400,                        // unless said
  RUT_CAN_FRAMES = 2 + RUT_PACKET_VALUES / 2,  // of a packet, at most
  RUT_CAN_SHORT = 0x7ff,
  RUT_CAN_LONG = 0x1fffffff  // largest identifiers of 11 and 29 bits
};

typedef struct rutCanMap {
  uint32_t base;
  bool extended;  // identifiers have 29 bits
  int signals, set_points;
} rutCanMap;

typedef struct rutCanFrame {
  uint32_t id;
  bool extended;
  int size;
  unsigned char data[8];
} rutCanFrame;

// Identifiers of n values of signals and set points from a base on: 11 bits where all of them have
// room in them. Errors: ARGUMENT (some have, some have not; more than 29 bits). Nullable: err.
rutStatus rut_can_map(uint32_t base, int signals, int set_points, rutCanMap* map, rutError* err);
// Identifiers of the frames of values, and the last one of all.
uint32_t rut_can_set_point_id(const rutCanMap* map, int index);
uint32_t rut_can_time_id(const rutCanMap* map);
uint32_t rut_can_signal_id(const rutCanMap* map, int index);
uint32_t rut_can_last_id(const rutCanMap* map);

// Frames of a packet, in their order; returns their number. Numbers of values are those of the
// map. to: RUT_CAN_FRAMES.
int rut_can_write(const rutCanMap* map, const rutPacket* packet, rutCanFrame* to);

// A packet whose frames come one by one.
typedef struct rutCanReader {
  rutCanMap map;
  bool answer;  // takes answers, else states
  int next;     // frame that is due; 0: the first one
  uint32_t sequence, layout;
  double time;  // of a state, 0 of an answer
  double value[RUT_PACKET_VALUES];
} rutCanReader;

typedef enum rutCanTaken {
  RUT_CAN_PART,   // of a packet, or of no concern
  RUT_CAN_WHOLE,  // it was the last one
  RUT_CAN_WRONG   // frames are missing, or the frame has another size: what there was is dropped
} rutCanTaken;

rutCanTaken rut_can_read(rutCanReader* reader, const rutCanFrame* frame);
// The packet after RUT_CAN_WHOLE; it borrows the values.
rutPacket rut_can_packet(rutCanReader* reader);

#endif  // RUT_HOST_CAN_FRAMES_H
