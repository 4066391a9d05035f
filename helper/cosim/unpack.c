// SPDX-License-Identifier: BSD-3-Clause
#include "cosim/unpack.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/dynamic.h"

#ifdef RUT_HAVE_MINIZIP
#include <minizip/unzip.h>

#define FUNCTIONS(X)         \
  X(unzOpen64)               \
  X(unzClose)                \
  X(unzGoToFirstFile)        \
  X(unzGoToNextFile)         \
  X(unzGetCurrentFileInfo64) \
  X(unzOpenCurrentFile)      \
  X(unzReadCurrentFile)      \
  X(unzCloseCurrentFile)

enum { MOST_MEMBERS = 10000, MOST_NAME = 512, MOST_PATH = 4096 };
static const unsigned long long MOST_BYTES = 1ull << 30;

typedef struct Unpacker {
#define X(name) __typeof__(&name) name;
  FUNCTIONS(X)
#undef X
  unzFile file;
  const char* folder;
  char* message;
  size_t size;
  unsigned long long bytes;  // written so far
} Unpacker;

__attribute__((format(printf, 2, 3))) static bool fail(Unpacker* u, const char* format, ...) {
  va_list args;
  va_start(args, format);
  vsnprintf(u->message, u->size, format, args);
  va_end(args);
  return false;
}

static bool load(Unpacker* u) {
  const rutSymbol symbols[] = {
#define X(name) {#name, &u->name},
      FUNCTIONS(X)
#undef X
  };
  if (rut_dynamic_load(RUT_MINIZIP_LIBRARY, symbols, sizeof symbols / sizeof symbols[0])) {
    return true;
  }
  return fail(u, "FMUs need minizip: apt-get install libminizip1");
}

// A name that stays below the folder: parts with '/' between them, none of them "." or "..".
static bool is_safe(const char* name) {
  if (!name[0] || name[0] == '/' || strchr(name, '\\')) return false;
  for (const char* part = name; *part;) {
    const size_t n = strcspn(part, "/");
    if (n == 0 || (n == 1 && part[0] == '.') || (n == 2 && part[0] == '.' && part[1] == '.')) {
      return false;
    }
    part += n + (part[n] == '/');
  }
  for (const unsigned char* c = (const unsigned char*)name; *c; c++) {
    if (*c < 0x20 || *c == 0x7f) return false;
  }
  return true;
}

static bool is_needed(const char* name) {
  static const char* const folder[] = {
    "resources/",
#if defined(__x86_64__)
    "binaries/linux64/",
    "binaries/x86_64-linux/"
#else
    "binaries/aarch64-linux/"
#endif
  };
  if (strcmp(name, "modelDescription.xml") == 0) return true;
  for (size_t i = 0; i < sizeof folder / sizeof folder[0]; i++) {
    if (strncmp(name, folder[i], strlen(folder[i])) == 0) return true;
  }
  return false;
}

// Make the folders of a path below the folder.
static bool make_folders(Unpacker* u, char* path) {
  for (char* c = path + strlen(u->folder) + 1; *c; c++) {
    if (*c != '/') continue;
    *c = '\0';
    const bool fine = mkdir(path, 0700) == 0 || errno == EEXIST;
    *c = '/';
    if (!fine) return fail(u, "the folder of '%.200s' cannot be made", path);
  }
  return true;
}

static bool write_all(int file, const char* bytes, size_t size) {
  while (size > 0) {
    const ssize_t n = write(file, bytes, size);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    bytes += n;
    size -= (size_t)n;
  }
  return true;
}

static bool copy_member(Unpacker* u, const char* name, unsigned long long declared, int file) {
  static char part[1 << 16];
  const unsigned long long end = u->bytes + declared;
  for (;;) {
    const int n = u->unzReadCurrentFile(u->file, part, sizeof part);
    if (n == 0 && u->bytes == end) return true;
    if (n <= 0) return fail(u, "'%.200s' in the FMU is damaged", name);
    u->bytes += (unsigned)n;
    if (!write_all(file, part, (size_t)n)) return fail(u, "'%.200s' cannot be written", name);
  }
}

static bool unpack_member(Unpacker* u, const char* name, unsigned long long declared) {
  char path[MOST_PATH];
  const int n = snprintf(path, sizeof path, "%s/%s", u->folder, name);
  if (n >= MOST_PATH) return fail(u, "the name '%.200s...' in the FMU is too long", name);
  if (!make_folders(u, path)) return false;
  if (path[n - 1] == '/') return true;
  const int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (file < 0) return fail(u, "'%.200s' is in the FMU twice, or cannot be written", name);
  bool fine = u->unzOpenCurrentFile(u->file) == UNZ_OK;
  if (fine) {
    fine = copy_member(u, name, declared, file);
    // which compares the checksum
    if (u->unzCloseCurrentFile(u->file) != UNZ_OK && fine) {
      fine = fail(u, "'%.200s' in the FMU is damaged", name);
    }
  } else {
    fail(u, "'%.200s' in the FMU is damaged, encrypted, or of another compression", name);
  }
  close(file);
  return fine;
}

static bool unpack_all(Unpacker* u) {
  int code = u->unzGoToFirstFile(u->file);
  for (int members = 0; code == UNZ_OK; members++) {
    char name[MOST_NAME];
    unz_file_info64 info;
    if (members == MOST_MEMBERS) {
      return fail(u, "the FMU has more than %d members", MOST_MEMBERS);
    }
    if (u->unzGetCurrentFileInfo64(u->file, &info, name, sizeof name, NULL, 0, NULL, 0) != UNZ_OK) {
      return fail(u, "the directory of the FMU is damaged");
    }
    // longer names are not terminated
    name[MOST_NAME - 1] = '\0';
    if (info.size_filename >= MOST_NAME || strlen(name) != info.size_filename || !is_safe(name)) {
      return fail(u, "the FMU holds '%.100s', which would not stay in its folder", name);
    }
    // minizip reads no more of a member than is declared here
    if (is_needed(name) && info.uncompressed_size > MOST_BYTES - u->bytes) {
      return fail(u, "the FMU holds more than 1 GiB");
    }
    if (is_needed(name) && !unpack_member(u, name, info.uncompressed_size)) return false;
    code = u->unzGoToNextFile(u->file);
  }
  return code == UNZ_END_OF_LIST_OF_FILE || fail(u, "the directory of the FMU is damaged");
}

bool unpack_fmu(const char* file, const char* folder, char* message, size_t size) {
  Unpacker u = {.folder = folder, .message = message, .size = size};
  if (!load(&u)) return false;
  u.file = u.unzOpen64(file);
  if (!u.file) return fail(&u, "this is no ZIP file, and so no FMU");
  const bool fine = unpack_all(&u);
  u.unzClose(u.file);
  return fine;
}

#else

bool unpack_fmu(const char* file, const char* folder, char* message, size_t size) {
  (void)file, (void)folder;
  snprintf(message, size,
           "this rut was built without FMUs: apt-get install libminizip-dev, and build it again");
  return false;
}

#endif
