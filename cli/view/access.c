// SPDX-License-Identifier: BSD-3-Clause
#include "view/access.h"

#include <arpa/inet.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

bool view_is_loopback(const char* host) {
  return strncmp(host, "127.", 4) == 0 || strcmp(host, "::1") == 0 ||
         strcasecmp(host, "localhost") == 0;
}

bool view_is_any(const char* host) {
  return strcmp(host, "0.0.0.0") == 0 || strcmp(host, "::") == 0;
}

// A datagram socket that is connected sends nothing, but has the address it would send from. The
// other end is reserved for documentation (RFC 5737, RFC 3849).
void view_own_address(const char* host, char* text, size_t size) {
  snprintf(text, size, "%s", host);
  const bool v6 = strchr(host, ':') != NULL;
  struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(9)};
  struct sockaddr_in6 to6 = {.sin6_family = AF_INET6, .sin6_port = htons(9)};
  inet_pton(AF_INET, "192.0.2.1", &to.sin_addr);
  inet_pton(AF_INET6, "2001:db8::1", &to6.sin6_addr);
  struct sockaddr_storage own = {0};
  socklen_t length = sizeof own;
  const int s = socket(v6 ? AF_INET6 : AF_INET, SOCK_DGRAM, 0);
  if (s < 0) return;
  const int routed = v6 ? connect(s, (const struct sockaddr*)&to6, sizeof to6)
                        : connect(s, (const struct sockaddr*)&to, sizeof to);
  char name[128];
  if (routed == 0 && getsockname(s, (struct sockaddr*)&own, &length) == 0 &&
      getnameinfo((const struct sockaddr*)&own, length, name, sizeof name, NULL, 0,
                  NI_NUMERICHOST) == 0) {
    snprintf(text, size, "%s", name);
  }
  close(s);
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

// True if a Host header names this server: protects from DNS rebinding.
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

bool view_access_names(const viewAccess* access, const char* host, const char* origin) {
  if (!names_server(access, host)) return false;
  for (int i = 0; i < access->origins; i++) {
    if (strcasecmp(access->origin[i], origin) == 0) return true;
  }
  return false;
}

const char* view_origin_fault(const char* origin) {
  const char* colon = strstr(origin, "://");
  if (strcmp(origin, "*") == 0) return "every page of the web could drive here: name one";
  if (strcmp(origin, "null") == 0) return "'null' is what any page can call itself";
  if (!colon || colon == origin) return "it is written as https://app.foxglove.dev";
  // programs whose pages are files of the machine have no host
  const char* host = colon + 3;
  if (!host[0]) return strcmp(origin, "file://") == 0 ? NULL : "it has no host";
  if (strpbrk(host, "/?#@*, \\\"\t")) return "it is scheme, host and port alone, without a path";
  return NULL;
}

static bool is_letter_or_digit(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

// Length of a host's name or IPv4 address, 0 if it is none.
static size_t host_length(const char* text) {
  static const size_t LONGEST = 253;
  size_t n = 0;
  while (is_letter_or_digit(text[n]) || text[n] == '-' || text[n] == '.') n++;
  const bool fine = n > 0 && n <= LONGEST && is_letter_or_digit(text[0]);
  return fine && is_letter_or_digit(text[n - 1]) ? n : 0;
}

static bool is_port(const char* text) {
  const size_t n = strspn(text, "0123456789");
  return n > 0 && n <= 5 && !text[n] && text[0] != '0' && strtol(text, NULL, 10) <= 65535;
}

const char* view_ancestor_fault(const char* origin) {
  static const char* const scheme[] = {"http://", "https://"};
  if (strcmp(origin, "*") == 0) return "every page of the web could lure clicks into this one";
  const char* host = NULL;
  for (int i = 0; i < 2 && !host; i++) {
    if (strncmp(origin, scheme[i], strlen(scheme[i])) == 0) host = origin + strlen(scheme[i]);
  }
  if (!host) return "it is written as http://localhost:8888";
  if (host[0] == '[') return "browsers take no IPv6 address here: write localhost";
  const size_t n = host_length(host);
  const char* rest = host + n;
  if (n == 0 || (rest[0] && rest[0] != ':')) {
    return "it is scheme, host and port alone, without a path";
  }
  if (!rest[0] || is_port(rest + 1)) return NULL;
  if (strcmp(rest, ":*") != 0) return "the port is a number from 1 to 65535";
  return is_name(host, n, "localhost") || is_name(host, n, "127.0.0.1")
             ? NULL
             : "only localhost and 127.0.0.1 may have any port";
}

bool view_ancestors(const char* const* origin, int origins, char text[VIEW_ANCESTORS_SIZE]) {
  size_t n = (size_t)snprintf(text, VIEW_ANCESTORS_SIZE, "%s", origins > 0 ? "" : "'none'");
  for (int i = 0; i < origins && n < VIEW_ANCESTORS_SIZE; i++) {
    n += (size_t)snprintf(text + n, VIEW_ANCESTORS_SIZE - n, "%s%s", i > 0 ? " " : "", origin[i]);
  }
  return n < VIEW_ANCESTORS_SIZE;
}

bool view_access_knows(const viewAccess* access, const char* token) {
  if (!access->open) return true;
  if (strlen(token) != VIEW_TOKEN_SIZE - 1) return false;
  // constant time, whichever letter is wrong
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
