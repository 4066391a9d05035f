// SPDX-License-Identifier: BSD-3-Clause
#include "host/can_frames.h"

#include <float.h>
#include <string.h>

#include "base/report.h"
#include "host/bytes.h"
#include "math/rut_math.h"

// ---- identifiers ----

static int frames_of(int values) { return (values + 1) / 2; }

uint32_t rut_can_set_point_id(const rutCanMap* map, int index) {
  return map->base + 2 + (uint32_t)(index / 2);
}

uint32_t rut_can_time_id(const rutCanMap* map) {
  return map->base + 2 + (uint32_t)frames_of(map->set_points);
}

uint32_t rut_can_signal_id(const rutCanMap* map, int index) {
  return rut_can_time_id(map) + 1 + (uint32_t)(index / 2);
}

uint32_t rut_can_last_id(const rutCanMap* map) {
  return rut_can_time_id(map) + (uint32_t)frames_of(map->signals);
}

rutStatus rut_can_map(uint32_t base, int signals, int set_points, rutCanMap* map, rutError* err) {
  *map = (rutCanMap){base, false, signals, set_points};
  const uint32_t last = base <= RUT_CAN_LONG ? rut_can_last_id(map) : base;
  map->extended = base > RUT_CAN_SHORT;
  if (base <= RUT_CAN_SHORT && last > RUT_CAN_SHORT) {
    return rut_error_set(err, RUT_ERR_ARGUMENT,
                         "the identifiers 0x%x to 0x%x are partly above 0x7ff, the largest of 11 "
                         "bits: begin with a smaller one, or with one of 29 bits",
                         base, last);
  }
  if (last <= RUT_CAN_LONG) return RUT_OK;
  return rut_error_set(err, RUT_ERR_ARGUMENT,
                       "the identifier 0x%x is above 0x1fffffff, the largest of 29 bits", last);
}

// ---- writing ----

static void put_u32(uint32_t number, unsigned char* to) {
  for (int i = 0; i < 4; i++) to[i] = (unsigned char)(number >> 8 * i);
}

// Beyond the largest number of 32 bits is infinity.
static void put_float(double value, unsigned char* to) {
  const double largest = (double)FLT_MAX;
  if (value > largest) value = RUT_INFINITY;
  if (value < -largest) value = -RUT_INFINITY;
  const float number = (float)value;
  uint32_t bits;
  memcpy(&bits, &number, sizeof bits);
  put_u32(bits, to);
}

static void put_time(double time, unsigned char* to) {
  uint64_t bits;
  memcpy(&bits, &time, sizeof bits);
  put_u32((uint32_t)bits, to);
  put_u32((uint32_t)(bits >> 32), to + 4);
}

int rut_can_write(const rutCanMap* map, const rutPacket* packet, rutCanFrame* to) {
  int n = 0;
  rutCanFrame* head = &to[n++];
  *head = (rutCanFrame){map->base + packet->answer, map->extended, 8, {0}};
  put_u32(packet->sequence, head->data);
  put_u32(packet->layout, head->data + 4);
  if (!packet->answer) {
    to[n] = (rutCanFrame){rut_can_time_id(map), map->extended, 8, {0}};
    put_time(packet->time, to[n++].data);
  }
  for (int i = 0; i < packet->n; i += 2) {
    rutCanFrame* frame = &to[n++];
    const bool pair = i + 1 < packet->n;
    const uint32_t id = packet->answer ? rut_can_set_point_id(map, i) : rut_can_signal_id(map, i);
    *frame = (rutCanFrame){id, map->extended, pair ? 8 : 4, {0}};
    put_float(packet->value[i], frame->data);
    if (pair) put_float(packet->value[i + 1], frame->data + 4);
  }
  return n;
}

// ---- reading ----

static double get_float(const unsigned char* from) {
  const uint32_t bits = rut_get_u32(from);
  float number;
  memcpy(&number, &bits, sizeof number);
  return (double)number;
}

// The place of a frame among those of a packet, -1: it is of none.
static int place_of(const rutCanReader* r, const rutCanFrame* frame) {
  const rutCanMap* map = &r->map;
  if (frame->extended != map->extended) return -1;
  if (frame->id == map->base + r->answer) return 0;
  const uint32_t first = r->answer ? rut_can_set_point_id(map, 0) : rut_can_time_id(map);
  const uint32_t end = r->answer ? rut_can_time_id(map) : rut_can_last_id(map) + 1;
  return frame->id >= first && frame->id < end ? 1 + (int)(frame->id - first) : -1;
}

rutCanTaken rut_can_read(rutCanReader* r, const rutCanFrame* frame) {
  const int place = place_of(r, frame), n = r->answer ? r->map.set_points : r->map.signals;
  // values before those of this frame
  const int before = place > 0 ? 2 * (place - 1 - !r->answer) : 0;
  const int last = frames_of(n) + !r->answer;
  if (place < 0) return RUT_CAN_PART;
  const int size = place > 0 && before >= 0 && before + 1 == n ? 4 : 8;
  const bool cut = place == 0 && r->next > 0;
  if ((place > 0 && place != r->next) || frame->size != size) {
    r->next = 0;
    return RUT_CAN_WRONG;
  }
  if (place == 0) {
    r->sequence = rut_get_u32(frame->data);
    r->layout = rut_get_u32(frame->data + 4);
    r->time = 0;
  } else if (before < 0) {
    r->time = rut_get_f64(frame->data);
  } else {
    r->value[before] = get_float(frame->data);
    if (size == 8) r->value[before + 1] = get_float(frame->data + 4);
  }
  r->next = place == last ? 0 : place + 1;
  if (place == last) return RUT_CAN_WHOLE;
  // the one before has not come to its end
  return cut ? RUT_CAN_WRONG : RUT_CAN_PART;
}

rutPacket rut_can_packet(rutCanReader* r) {
  return (rutPacket){r->answer,   r->answer ? r->map.set_points : r->map.signals,
                     r->sequence, r->layout,
                     r->time,     r->value};
}
