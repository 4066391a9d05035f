// SPDX-License-Identifier: BSD-3-Clause
#define _GNU_SOURCE  // ppoll, cfmakeraw, posix_openpt
#include "host/remote_link.h"

#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <termios.h>
#include <unistd.h>

#include "base/report.h"
#include "rut/component.h"

enum { TEXT = 1024 };

static rutStatus broken(rutError* err, const char* what, const char* name) {
  return rut_error_set(err, RUT_ERR_IO, "%s '%.200s': %s", what, name, strerror(errno));
}

// ---- UDP ----

// "HOST:PORT" or "PORT"; the host may stand in brackets, as addresses of IPv6 do.
static bool split_address(const char* text, char host[TEXT], const char** port) {
  const char* colon = strrchr(text, ':');
  *port = colon ? colon + 1 : text;
  snprintf(host, TEXT, "127.0.0.1");
  if (colon) {
    const bool bracketed = text[0] == '[' && colon > text && colon[-1] == ']';
    const size_t length = (size_t)(colon - text) - (bracketed ? 2 : 0);
    if (length == 0 || length >= TEXT) return false;
    memcpy(host, text + bracketed, length);
    host[length] = '\0';
  }
  char* end = NULL;
  const long number = **port >= '0' && **port <= '9' ? strtol(*port, &end, 10) : 0;
  return number > 0 && number < 65536 && !*end;
}

static rutStatus open_udp(rutRemoteLink* link, const char* text, rutError* err) {
  char host[TEXT];
  const char* port;
  if (!split_address(text, host, &port)) {
    return rut_error_set(err, RUT_ERR_ARGUMENT,
                         "'%.200s' is no address: udp:PORT or udp:HOST:PORT, such as udp:9870",
                         text);
  }
  const struct addrinfo wanted = {.ai_socktype = SOCK_DGRAM, .ai_flags = AI_NUMERICSERV};
  struct addrinfo* found = NULL;
  const int fault = getaddrinfo(host, port, &wanted, &found);
  if (fault) {
    return rut_error_set(err, RUT_ERR_IO, "'%.200s' has no address: %s", host, gai_strerror(fault));
  }
  for (const struct addrinfo* a = found; a && link->file < 0; a = a->ai_next) {
    const int file = socket(a->ai_family, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    // what comes from others is then not for this socket
    if (file >= 0 && connect(file, a->ai_addr, a->ai_addrlen) == 0) {
      link->file = file;
    } else if (file >= 0) {
      close(file);
    }
  }
  freeaddrinfo(found);
  return link->file >= 0 ? RUT_OK : broken(err, "no way to", text);
}

// ---- serial lines ----

static speed_t speed_of(const char* text) {
  static const struct {
    const char* text;
    speed_t speed;
  } known[] = {{"9600", B9600},       {"19200", B19200},    {"38400", B38400},
               {"57600", B57600},     {"115200", B115200},  {"230400", B230400},
               {"460800", B460800},   {"921600", B921600},  {"500000", B500000},
               {"1000000", B1000000}, {"2000000", B2000000}};
  for (int i = 0; i < RUT_COUNT_OF(known); i++) {
    if (strcmp(text, known[i].text) == 0) return known[i].speed;
  }
  return B0;
}

// Eight bits, nothing translated, and reads that do not wait.
static bool make_raw(int file, speed_t speed) {
  struct termios line;
  if (tcgetattr(file, &line) != 0) return false;
  cfmakeraw(&line);
  line.c_cflag |= CLOCAL | CREAD;
  line.c_cc[VMIN] = 0;
  line.c_cc[VTIME] = 0;
  cfsetispeed(&line, speed);
  cfsetospeed(&line, speed);
  return tcsetattr(file, TCSANOW, &line) == 0;
}

static rutStatus open_serial(rutRemoteLink* link, const char* text, rutError* err) {
  char name[TEXT];
  // names of devices may have colons: only digits are a rate
  const char* colon = strrchr(text, ':');
  if (colon && (!colon[1] || colon[1 + strspn(colon + 1, "0123456789")])) colon = NULL;
  const size_t length = colon ? (size_t)(colon - text) : strlen(text);
  const speed_t speed = speed_of(colon ? colon + 1 : "115200");
  if (length == 0 || length >= sizeof name || speed == B0) {
    return rut_error_set(err, RUT_ERR_ARGUMENT,
                         "'%.200s' is no serial line: serial:FILE or serial:FILE:BAUD, with a rate "
                         "of serial lines such as 115200",
                         text);
  }
  memcpy(name, text, length);
  name[length] = '\0';
  link->framed = true;
  link->file = open(name, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
  if (link->file < 0) return broken(err, "cannot open", name);
  return make_raw(link->file, speed) ? RUT_OK : broken(err, "no serial line", name);
}

static rutStatus open_terminal(rutRemoteLink* link, const char* name, rutError* err) {
  if (!*name) return rut_error_set(err, RUT_ERR_ARGUMENT, "pty:FILE needs the name of a file");
  link->framed = true;
  link->file = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
  const char* end = link->file >= 0 && grantpt(link->file) == 0 && unlockpt(link->file) == 0
                        ? ptsname(link->file)
                        : NULL;
  if (!end) return broken(err, "no pseudo-terminal for", name);
  // held open here, the line does not hang up while no program has it
  link->other = open(end, O_RDWR | O_NOCTTY | O_CLOEXEC);
  const int flags = fcntl(link->file, F_GETFL);
  if (link->other < 0 || !make_raw(link->other, B115200) ||
      fcntl(link->file, F_SETFL, flags | O_NONBLOCK) != 0) {
    return broken(err, "no pseudo-terminal for", name);
  }
  if (symlink(end, name) != 0) return broken(err, "cannot make", name);
  link->made = strdup(name);
  return link->made ? RUT_OK : rut_error_set(err, RUT_ERR_MEMORY, "out of memory");
}

rutStatus rut_remote_link_open(rutRemoteLink* link, const char* text, rutError* err) {
  static const struct {
    const char* word;
    rutStatus (*open)(rutRemoteLink* link, const char* text, rutError* err);
  } known[] = {{"udp:", open_udp},
               {"serial:", open_serial},
               {"pty:", open_terminal},
               {"shm:", rut_remote_memory_open},
               {"can:", rut_remote_can_open}};
  link->file = link->other = -1;
  for (int i = 0; i < RUT_COUNT_OF(known); i++) {
    const size_t length = strlen(known[i].word);
    if (strncmp(text, known[i].word, length) != 0) continue;
    if (link->described && known[i].open != rut_remote_can_open) return RUT_OK;
    const rutStatus status = known[i].open(link, text + length, err);
    if (status != RUT_OK) rut_remote_link_close(link);
    return status;
  }
  return rut_error_set(err, RUT_ERR_ARGUMENT,
                       "'%.200s' is no link: udp:PORT, udp:HOST:PORT, serial:FILE, "
                       "serial:FILE:BAUD, pty:FILE, shm:NAME, can:INTERFACE and "
                       "can:INTERFACE:IDENTIFIER are",
                       text);
}

void rut_remote_link_close(rutRemoteLink* link) {
  if (link->way) link->way->close(link);
  link->way = NULL;
  if (link->file >= 0) close(link->file);
  if (link->other >= 0) close(link->other);
  if (link->made) unlink(link->made);
  free(link->made);
  link->made = NULL;
  link->file = link->other = -1;
}

// ---- packets ----

// Nobody listens (yet), or there is no room: the packet is lost.
static bool is_lost(int code) {
  return code == EAGAIN || code == ECONNREFUSED || code == ENOBUFS || code == EINTR;
}

rutStatus rut_remote_link_send(rutRemoteLink* link, const unsigned char* packet, size_t size,
                               rutError* err) {
  unsigned char frame[RUT_FRAME_MOST];
  size_t left = size;
  if (link->way) return link->way->send(link, packet, size, err);
  if (!link->framed) {
    if (send(link->file, packet, size, MSG_NOSIGNAL) >= 0 || is_lost(errno)) return RUT_OK;
    return broken(err, "cannot send over", "udp");
  }
  left = rut_frame_write(packet, size, frame);
  for (const unsigned char* at = frame; left > 0;) {
    const ssize_t n = write(link->file, at, left);
    // the rest of a frame that is cut off is no frame, nor is the next one that it runs into
    if (n < 0 && is_lost(errno)) return RUT_OK;
    if (n < 0) return broken(err, "cannot send over", "the serial line");
    at += n;
    left -= (size_t)n;
  }
  return RUT_OK;
}

bool rut_remote_link_wait(const rutRemoteLink* link, double wait) {
  if (link->way) return link->way->wait(link, wait);
  if (link->at < link->chunk_size) return true;
  struct pollfd one = {.fd = link->file, .events = POLLIN};
  const struct timespec most = {(time_t)wait, (long)((wait - (double)(time_t)wait) * 1e9)};
  // poll counts in milliseconds, which is long for a control loop
  return ppoll(&one, 1, &most, NULL) > 0;
}

// The next byte of a line; -1: none has come.
static int take_byte(rutRemoteLink* link) {
  if (link->at == link->chunk_size) {
    const ssize_t n = read(link->file, link->chunk, sizeof link->chunk);
    link->at = 0;
    link->chunk_size = n > 0 ? (size_t)n : 0;
    if (n <= 0) return -1;
  }
  return link->chunk[link->at++];
}

static size_t take_frame(rutRemoteLink* link, unsigned char* packet) {
  for (int byte = take_byte(link); byte >= 0; byte = take_byte(link)) {
    if (byte > 0) {
      if (link->used < sizeof link->in) {
        link->in[link->used++] = (unsigned char)byte;
      } else {
        link->lost = true;
      }
      continue;
    }
    const size_t size = link->lost ? 0 : rut_frame_read(link->in, link->used);
    const bool empty = link->used == 0;
    if (size > 0) memcpy(packet, link->in, size);
    link->used = 0;
    link->lost = false;
    // one byte is no packet, and tells that something came
    if (!empty) return size > 0 ? size : 1;
  }
  return 0;
}

size_t rut_remote_link_take(rutRemoteLink* link, unsigned char* packet) {
  if (link->way) return link->way->take(link, packet);
  if (link->framed) return take_frame(link, packet);
  const ssize_t n = recv(link->file, packet, RUT_FRAME_MOST, 0);
  if (n == 0) return 1;
  return n > 0 ? (size_t)n : 0;
}
