// SPDX-License-Identifier: BSD-3-Clause
//
// Packets over a CAN bus, by SocketCAN of Linux.
#define _GNU_SOURCE  // ppoll
#include <errno.h>
#include <net/if.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>
#ifdef __linux__
#include <linux/can.h>
#include <linux/can/raw.h>
#endif

#include "base/report.h"
#include "host/remote_link.h"

// "IFACE" or "IFACE:BASE", the base in decimal or, with 0x, hexadecimal.
static rutStatus parse(const char* text, char name[IF_NAMESIZE], rutCanMap* map, rutError* err) {
  const char* colon = strchr(text, ':');
  const size_t length = colon ? (size_t)(colon - text) : strlen(text);
  uint32_t base = RUT_CAN_BASE;
  bool fine = length > 0 && length < IF_NAMESIZE;
  if (colon) {
    char* end = NULL;
    const bool begins = colon[1] >= '0' && colon[1] <= '9';
    const unsigned long long number = begins ? strtoull(colon + 1, &end, 0) : 0;
    fine = fine && begins && !*end && number <= RUT_CAN_LONG;
    base = (uint32_t)number;
  }
  if (!fine) {
    return rut_error_set(err, RUT_ERR_ARGUMENT,
                         "'%.200s' is no CAN bus: can:INTERFACE or can:INTERFACE:IDENTIFIER, such "
                         "as can:vcan0:0x400",
                         text);
  }
  memcpy(name, text, length);
  name[length] = '\0';
  return rut_can_map(base, map->signals, map->set_points, map, err);
}

#ifdef __linux__

// The queue of an interface is as short as ten frames: it is tried again so often, with rests [ns].
enum { TRIES = 200, REST = 100000 };

typedef struct Bus {
  int file;
  rutCanMap map;
  rutCanReader reader;
  double value[RUT_PACKET_VALUES];  // of a state to be sent
  rutCanFrame frame[RUT_CAN_FRAMES];
} Bus;

static bool send_frame(const Bus* bus, const rutCanFrame* frame) {
  const struct timespec rest = {0, REST};
  struct can_frame to = {.can_id = frame->id | (frame->extended ? CAN_EFF_FLAG : 0),
                         .can_dlc = (unsigned char)frame->size};
  memcpy(to.data, frame->data, sizeof frame->data);
  for (int i = 0; i < TRIES; i++) {
    if (write(bus->file, &to, sizeof to) == (ssize_t)sizeof to) return true;
    if (errno != ENOBUFS && errno != EAGAIN && errno != EINTR) return false;
    nanosleep(&rest, NULL);
  }
  errno = ENOBUFS;
  return false;
}

static rutStatus send_packet(rutRemoteLink* link, const unsigned char* packet, size_t size,
                             rutError* err) {
  Bus* bus = link->own;
  rutPacket state;
  if (!rut_packet_read(packet, size, bus->value, &state)) return RUT_OK;
  const int n = rut_can_write(&bus->map, &state, bus->frame);
  for (int i = 0; i < n; i++) {
    if (send_frame(bus, &bus->frame[i])) continue;
    // a bus that is too slow, or has nobody else on it: the packet is lost
    if (errno == ENOBUFS) return RUT_OK;
    return rut_error_set(err, RUT_ERR_IO, "cannot send over the CAN bus: %s", strerror(errno));
  }
  return RUT_OK;
}

static bool wait_packet(const rutRemoteLink* link, double wait) {
  const Bus* bus = link->own;
  struct pollfd one = {.fd = bus->file, .events = POLLIN};
  const struct timespec most = {(time_t)wait, (long)((wait - (double)(time_t)wait) * 1e9)};
  return ppoll(&one, 1, &most, NULL) > 0;
}

static size_t take_packet(rutRemoteLink* link, unsigned char* packet) {
  Bus* bus = link->own;
  struct can_frame from;
  for (ssize_t n; (n = recv(bus->file, &from, sizeof from, MSG_DONTWAIT)) > 0;) {
    // no data, or the controller of the bus tells something
    if (n != (ssize_t)sizeof from || from.can_id & (CAN_RTR_FLAG | CAN_ERR_FLAG)) continue;
    rutCanFrame frame = {.id = from.can_id & CAN_EFF_MASK,
                         .extended = (from.can_id & CAN_EFF_FLAG) != 0,
                         .size = from.can_dlc};
    memcpy(frame.data, from.data, sizeof frame.data);
    const rutCanTaken taken = rut_can_read(&bus->reader, &frame);
    if (taken == RUT_CAN_PART) continue;
    if (taken == RUT_CAN_WRONG) return 1;
    const rutPacket answer = rut_can_packet(&bus->reader);
    return rut_packet_write(&answer, packet);
  }
  return 0;
}

static void close_bus(rutRemoteLink* link) {
  Bus* bus = link->own;
  close(bus->file);
  free(bus);
  link->own = NULL;
}

rutStatus rut_remote_can_attach(rutRemoteLink* link, int file, rutError* err) {
  static const rutRemoteWay way = {send_packet, wait_packet, take_packet, close_bus};
  Bus* bus = calloc(1, sizeof *bus);
  if (!bus) {
    close(file);
    return rut_error_set(err, RUT_ERR_MEMORY, "out of memory");
  }
  bus->file = file;
  bus->map = bus->reader.map = link->can;
  bus->reader.answer = true;
  link->way = &way;
  link->own = bus;
  return RUT_OK;
}

// Only frames of answers are for this socket. False if the system refuses.
static bool choose_frames(int file, const rutCanMap* map) {
  struct can_filter filter[1 + RUT_PACKET_VALUES / 2];
  const uint32_t flag = map->extended ? CAN_EFF_FLAG : 0;
  const uint32_t end = rut_can_time_id(map);
  size_t n = 0;
  for (uint32_t id = map->base + 1; id < end; id++) {
    filter[n++] = (struct can_filter){id | flag, CAN_EFF_MASK | CAN_EFF_FLAG | CAN_RTR_FLAG};
  }
  return setsockopt(file, SOL_CAN_RAW, CAN_RAW_FILTER, filter, (socklen_t)(n * sizeof *filter)) ==
         0;
}

rutStatus rut_remote_can_open(rutRemoteLink* link, const char* text, rutError* err) {
  char name[IF_NAMESIZE];
  rutStatus status = parse(text, name, &link->can, err);
  if (status != RUT_OK || link->described) return status;
  const int file = socket(PF_CAN, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, CAN_RAW);
  if (file < 0) {
    return rut_error_set(err, RUT_ERR_IO, "no CAN bus '%s': this kernel has no SocketCAN: %s", name,
                         strerror(errno));
  }
  const struct sockaddr_can address = {.can_family = AF_CAN,
                                       .can_ifindex = (int)if_nametoindex(name)};
  // no index would be all interfaces
  if (address.can_ifindex == 0 || !choose_frames(file, &link->can) ||
      bind(file, (const struct sockaddr*)&address, sizeof address) != 0) {
    const int fault = errno;
    close(file);
    return rut_error_set(err, RUT_ERR_IO, "no CAN bus '%s': %s", name, strerror(fault));
  }
  return rut_remote_can_attach(link, file, err);
}

#else

rutStatus rut_remote_can_attach(rutRemoteLink* link, int file, rutError* err) {
  (void)link;
  close(file);
  return rut_error_set(err, RUT_ERR_MISSING, "SocketCAN is part of Linux only");
}

rutStatus rut_remote_can_open(rutRemoteLink* link, const char* text, rutError* err) {
  char name[IF_NAMESIZE];
  const rutStatus status = parse(text, name, &link->can, err);
  if (status != RUT_OK || link->described) return status;
  return rut_error_set(err, RUT_ERR_MISSING, "SocketCAN is part of Linux only");
}

#endif
