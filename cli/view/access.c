// SPDX-License-Identifier: BSD-3-Clause
#include "view/access.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/random.h>

bool view_is_loopback(const char* host) {
  return strncmp(host, "127.", 4) == 0 || strcmp(host, "::1") == 0 ||
         strcasecmp(host, "localhost") == 0;
}

static bool draw(void* out, size_t size) { return getrandom(out, size, 0) == (ssize_t)size; }

bool view_access_create(const char* host, viewAccess* access) {
  unsigned char byte[(VIEW_TOKEN_SIZE - 1) / 2];
  *access = (viewAccess){.open = !view_is_loopback(host)};
  snprintf(access->host, sizeof access->host, "%s", host);
  if (!draw(byte, sizeof byte) || !draw(access->key, sizeof access->key)) return false;
  for (size_t i = 0; i < sizeof byte; i++) snprintf(access->token + 2 * i, 3, "%02x", byte[i]);
  return true;
}

// Length of the name or address in "name:port" or "[address]:port"; *port gets what follows.
static size_t split(const char* text, const char** port) {
  const char* end = text[0] == '[' ? strchr(text, ']') : NULL;
  end = end ? end + 1 : text + strcspn(text, ":");
  *port = *end == ':' ? end + 1 : "80";
  return (size_t)(end - text);
}

static bool is_name(const char* text, size_t length, const char* name) {
  return strlen(name) == length && strncasecmp(text, name, length) == 0;
}

// True if a Host header names this server, so that no foreign name was bent to its address.
static bool names_server(const viewAccess* access, const char* host) {
  const char* port;
  char number[16];
  const size_t length = split(host, &port);
  snprintf(number, sizeof number, "%d", access->port);
  if (strcmp(port, number) != 0 || length == 0) return false;
  // beyond the loopback address a machine has names that it does not know; the token guards it
  if (access->open) return true;
  return is_name(host, length, "127.0.0.1") || is_name(host, length, "localhost") ||
         is_name(host, length, "[::1]") || is_name(host, length, access->host);
}

bool view_access_allows(const viewAccess* access, const char* host, const char* origin) {
  if (!names_server(access, host)) return false;
  if (!origin[0]) return true;
  static const char scheme[] = "http://";
  return strncmp(origin, scheme, sizeof scheme - 1) == 0 &&
         strcasecmp(origin + sizeof scheme - 1, host) == 0;
}

bool view_access_knows(const viewAccess* access, const char* token) {
  if (!access->open) return true;
  if (strlen(token) != VIEW_TOKEN_SIZE - 1) return false;
  // the same time whichever letter is wrong
  unsigned difference = 0;
  for (size_t i = 0; i < VIEW_TOKEN_SIZE - 1; i++) {
    difference |= (unsigned char)(token[i] ^ access->token[i]);
  }
  return difference == 0;
}

static uint64_t turn(uint64_t x, int n) { return x << n | x >> (64 - n); }

static void mix(uint64_t v[4], int rounds) {
  for (int i = 0; i < rounds; i++) {
    v[0] += v[1];
    v[2] += v[3];
    v[1] = turn(v[1], 13) ^ v[0];
    v[3] = turn(v[3], 16) ^ v[2];
    v[0] = turn(v[0], 32);
    v[2] += v[1];
    v[0] += v[3];
    v[1] = turn(v[1], 17) ^ v[2];
    v[3] = turn(v[3], 21) ^ v[0];
    v[2] = turn(v[2], 32);
  }
}

uint64_t view_access_tag(const viewAccess* access, const unsigned char* data, size_t size) {
  const uint64_t *k = access->key, first[4] = {0x736f6d6570736575, 0x646f72616e646f6d,
                                               0x6c7967656e657261, 0x7465646279746573};
  uint64_t v[4] = {first[0] ^ k[0], first[1] ^ k[1], first[2] ^ k[0], first[3] ^ k[1]};
  for (size_t at = 0; at <= size; at += 8) {
    uint64_t word = at + 8 > size ? (uint64_t)size << 56 : 0;
    for (size_t i = 0; i < 8 && at + i < size; i++) word |= (uint64_t)data[at + i] << (8 * i);
    v[3] ^= word;
    mix(v, 2);
    v[0] ^= word;
  }
  v[2] ^= 0xff;
  mix(v, 4);
  return v[0] ^ v[1] ^ v[2] ^ v[3];
}
