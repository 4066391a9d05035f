// SPDX-License-Identifier: BSD-3-Clause
//
// Who may talk to the server: pages that it gave out itself, and, beyond the loopback address,
// those who know its token.
#ifndef RUT_VIEW_ACCESS_H
#define RUT_VIEW_ACCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { VIEW_TOKEN_SIZE = 33, VIEW_TAG_SIZE = 8, VIEW_ANCESTORS_SIZE = 1024 };

typedef struct viewAccess {
  char host[256];  // address that it listens on
  const char* const*
      origin;  // [origins] of other pages that may speak Foxglove's protocol; borrowed
  int origins;
  int port;
  bool open;  // beyond the loopback address
  char token[VIEW_TOKEN_SIZE];
  uint64_t key[2];  // of the tags of states
} viewAccess;

// Decide for an address, and draw token and key. False if the system gives no random numbers.
bool view_access_create(const char* host, viewAccess* access);
// True for loopback addresses.
bool view_is_loopback(const char* host);
// True for wildcard addresses.
bool view_is_any(const char* host);
// Address under which other machines reach this one, in place of one that stands for all; the given
// one if it has no route to others.
void view_own_address(const char* host, char* text, size_t size);
// True if a request may be answered. Headers "" are those that were not sent.
bool view_access_allows(const viewAccess* access, const char* host, const char* origin);
// True for pages of an origin that the user has named, which may speak Foxglove's protocol and
// nothing else.
bool view_access_names(const viewAccess* access, const char* host, const char* origin);
// Why a user may not name an origin; NULL: SCHEME://HOST[:PORT], as browsers write it, or file://.
const char* view_origin_fault(const char* origin);
// Why a user may not name an origin whose pages may show ours within theirs; NULL: it is
// http://HOST[:PORT] or https://HOST[:PORT], or has the port * on this machine. What it accepts has
// no character that means anything in a header.
const char* view_ancestor_fault(const char* origin);
// The sources of a policy's frame-ancestors: 'none' where there are no origins. False if they do
// not fit.
bool view_ancestors(const char* const* origin, int origins, char text[VIEW_ANCESTORS_SIZE]);
// True if the token is not needed, or is the right one.
bool view_access_knows(const viewAccess* access, const char* token);

// Short proof that bytes came from this server (SipHash-2-4, Aumasson and Bernstein 2012).
uint64_t view_access_tag(const viewAccess* access, const unsigned char* data, size_t size);

#endif  // RUT_VIEW_ACCESS_H
