// SPDX-License-Identifier: BSD-3-Clause
#include "host/remote_packet.h"

#include <string.h>
#include <zlib.h>

// ---- numbers ----

static void put(uint64_t number, int bytes, unsigned char* to) {
  for (int i = 0; i < bytes; i++) to[i] = (unsigned char)(number >> 8 * i);
}

static uint64_t get(const unsigned char* from, int bytes) {
  uint64_t number = 0;
  for (int i = 0; i < bytes; i++) number |= (uint64_t)from[i] << 8 * i;
  return number;
}

static void put_double(double value, unsigned char* to) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  put(bits, 8, to);
}

static double get_double(const unsigned char* from) {
  const uint64_t bits = get(from, 8);
  double value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

// ---- packets ----

static const char* const word[2] = {"RUTS", "RUTC"};

size_t rut_packet_write(const rutPacket* packet, unsigned char* to) {
  const size_t body = RUT_PACKET_HEAD + 8 * (size_t)packet->n;
  memcpy(to, word[packet->answer], 4);
  put(RUT_PACKET_VERSION, 2, to + 4);
  put((uint64_t)packet->n, 2, to + 6);
  put(packet->sequence, 4, to + 8);
  put(packet->layout, 4, to + 12);
  put_double(packet->time, to + 16);
  for (int i = 0; i < packet->n; i++) put_double(packet->value[i], to + RUT_PACKET_HEAD + 8 * i);
  put(crc32(0, to, (uInt)body), 4, to + body);
  return body + 4;
}

bool rut_packet_read(const unsigned char* bytes, size_t size, double* value, rutPacket* out) {
  if (size < RUT_PACKET_HEAD + 4) return false;
  const int n = (int)get(bytes + 6, 2);
  const size_t body = RUT_PACKET_HEAD + 8 * (size_t)n;
  const bool answer = memcmp(bytes, word[1], 4) == 0;
  if (!answer && memcmp(bytes, word[0], 4) != 0) return false;
  if (get(bytes + 4, 2) != RUT_PACKET_VERSION || n > RUT_PACKET_VALUES || size != body + 4) {
    return false;
  }
  if (get(bytes + body, 4) != crc32(0, bytes, (uInt)body)) return false;
  for (int i = 0; i < n; i++) value[i] = get_double(bytes + RUT_PACKET_HEAD + 8 * i);
  *out = (rutPacket){
      answer, n, (uint32_t)get(bytes + 8, 4), (uint32_t)get(bytes + 12, 4), get_double(bytes + 16),
      value};
  return true;
}

// ---- frames ----

enum { RUN = 254 };  // bytes other than zero that one code byte may stand before

size_t rut_frame_write(const unsigned char* packet, size_t size, unsigned char* to) {
  size_t code = 0, used = 1;
  for (size_t i = 0; i < size; i++) {
    if (packet[i]) to[used++] = packet[i];
    const bool full = packet[i] && used - code == RUN + 1;
    if (packet[i] && !full) continue;
    // a full run stands for itself, and not for a zero after it
    if (full && i + 1 == size) break;
    to[code] = (unsigned char)(used - code);
    code = used++;
  }
  to[code] = (unsigned char)(used - code);
  to[used++] = 0;
  return used;
}

size_t rut_frame_read(unsigned char* frame, size_t size) {
  size_t used = 0;
  for (size_t i = 0; i < size;) {
    const size_t code = frame[i], end = i + code;
    if (code == 0 || end > size) return 0;
    for (i++; i < end; i++) {
      if (frame[i] == 0) return 0;
      frame[used++] = frame[i];
    }
    if (code <= RUN && i < size) frame[used++] = 0;
  }
  return used;
}
