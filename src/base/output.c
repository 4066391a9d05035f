// SPDX-License-Identifier: BSD-3-Clause
#define _DEFAULT_SOURCE  // for flock
#include "base/output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MAX_TRIES = 100 };

static char* copy_text(const char* text) {
  const size_t size = strlen(text) + 1;
  char* copy = malloc(size);
  if (copy) memcpy(copy, text, size);
  return copy;
}

static rutFileId id_of(const struct stat* info) {
  return (rutFileId){(uint64_t)info->st_dev, (uint64_t)info->st_ino};
}

static bool is_same(rutFileId a, rutFileId b) { return a.device == b.device && a.inode == b.inode; }

// Lock an open file or folder. File systems without locks are left alone.
static int lock(int file) {
  return flock(file, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK ? RUT_OUTPUT_BUSY : 0;
}

// ---- the place ----

// Look at what stands in the place. *mode gets the permissions of a file that may be replaced, 0 if
// there is none.
static int look_at(const char* path, mode_t* mode) {
  struct stat info;
  *mode = 0;
  if (lstat(path, &info) != 0) return errno == ENOENT ? 0 : errno;
  if (S_ISLNK(info.st_mode)) return RUT_OUTPUT_LINK;
  if (S_ISDIR(info.st_mode)) return EISDIR;
  if (!S_ISREG(info.st_mode)) return RUT_OUTPUT_NO_FILE;
  // to replace it would get around its being protected
  if (access(path, W_OK) != 0) return errno;
  *mode = info.st_mode & 0777;
  return 0;
}

// Open and lock what stands in the place, so that no other run takes it meanwhile. *file is -1
// where there is nothing any more.
static int hold(const char* path, int* file) {
  struct stat held, there;
  *file = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
  if (*file < 0) {
    // what cannot be read is not locked either; whether it may be replaced was looked at before
    return errno == ELOOP ? RUT_OUTPUT_LINK : 0;
  }
  int fault = lock(*file);
  const bool same = !fault && fstat(*file, &held) == 0 && lstat(path, &there) == 0 &&
                    is_same(id_of(&held), id_of(&there));
  if (!fault && !same) fault = EAGAIN;
  if (fault) {
    close(*file);
    *file = -1;
  }
  return fault;
}

// ---- beginning ----

// Create a file beside the path that nobody else has.
static int create_part(rutOutput* output) {
  const size_t size = strlen(output->path) + 16;
  output->part = malloc(size);
  if (!output->part) return ENOMEM;
  for (int i = 0; i < MAX_TRIES; i++) {
    snprintf(output->part, size, "%s.part%d", output->path, i);
    output->file =
        open(output->part, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC | O_NOCTTY, 0666);
    if (output->file >= 0) return 0;
    if (errno != EEXIST) break;
  }
  const int fault = errno;
  free(output->part);
  output->part = NULL;
  return fault;
}

static void free_names(rutOutput* output) {
  free(output->path);
  free(output->part);
  output->path = output->part = NULL;
}

int rut_output_begin(rutOutput* output, const char* path) {
  mode_t mode;
  int held = -1;
  *output = (rutOutput){.file = -1};
  int fault = look_at(path, &mode);
  // whoever writes there is found out now, not after the work
  if (!fault && mode) fault = hold(path, &held);
  if (held >= 0) close(held);
  if (fault && fault != EAGAIN) return fault;
  output->path = copy_text(path);
  fault = output->path ? create_part(output) : ENOMEM;
  struct stat info;
  if (!fault && fstat(output->file, &info) != 0) fault = errno;
  if (fault) {
    rut_output_cancel(output);
    return fault;
  }
  output->id = id_of(&info);
  // some file systems have no permissions: there this fails, and nothing is lost
  if (mode) fchmod(output->file, mode);
  return 0;
}

int rut_output_claim(rutOutput* output, const char* path) {
  *output = (rutOutput){.file = -1, .path = copy_text(path)};
  if (!output->path) return ENOMEM;
  const int flags = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC | O_NOCTTY;
  struct stat info;
  output->file = open(path, flags, 0666);
  int fault = output->file >= 0 ? lock(output->file) : errno;
  if (!fault && fstat(output->file, &info) != 0) fault = errno;
  if (fault) {
    rut_output_cancel(output);
    return fault;
  }
  output->id = id_of(&info);
  return 0;
}

int rut_output_write(rutOutput* output, const void* bytes, size_t size) {
  const char* at = bytes;
  while (size > 0) {
    const ssize_t n = write(output->file, at, size);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return n < 0 ? errno : ENOSPC;
    at += n;
    size -= (size_t)n;
  }
  return 0;
}

void rut_output_cancel(rutOutput* output) {
  if (output->file >= 0) close(output->file);
  if (output->part) unlink(output->part);
  output->file = -1;
  free_names(output);
}

// ---- ending ----

// Put the part into the place where nothing stands. EEXIST if something does.
static int link_part(rutOutput* output) {
  if (link(output->part, output->path) != 0) {
    // without hard links nothing tells whether another run was quicker
    const bool no_links = errno == EPERM || errno == ENOTSUP || errno == EMLINK || errno == ENOSYS;
    if (!no_links) return errno;
    return rename(output->part, output->path) != 0 ? errno : 0;
  }
  unlink(output->part);
  return 0;
}

// One try; EAGAIN if what stands in the place changed meanwhile.
static int try_place(rutOutput* output) {
  mode_t mode;
  int held = -1;
  int fault = look_at(output->path, &mode);
  if (fault) return fault;
  if (!mode) {
    fault = link_part(output);
    return fault == EEXIST ? EAGAIN : fault;
  }
  fault = hold(output->path, &held);
  if (!fault && rename(output->part, output->path) != 0) fault = errno;
  if (held >= 0) close(held);
  return fault;
}

int rut_output_place(rutOutput* output) {
  // before anyone else can see it
  int fault = lock(output->file);
  for (int i = 0; i < MAX_TRIES && !fault; i++) {
    fault = try_place(output);
    if (fault == EAGAIN) {
      fault = 0;
      continue;
    }
    if (fault) return fault;
    free(output->part);
    output->part = NULL;
    return 0;
  }
  return fault ? fault : RUT_OUTPUT_BUSY;
}

int rut_output_release(rutOutput* output) {
  const int file = output->file;
  output->file = -1;
  free_names(output);
  return file;
}

int rut_output_finish(rutOutput* output) {
  // another program may have written the part anew
  int fault = fsync(output->file) != 0 && errno != EINVAL ? errno : 0;
  if (!fault) fault = rut_output_place(output);
  if (!fault && close(output->file) != 0) fault = errno;
  if (!fault) output->file = -1;
  rut_output_cancel(output);
  return fault;
}

// ---- others ----

int rut_output_reopen(const char* path, rutFileId id, int* file) {
  struct stat info;
  *file = open(path, O_WRONLY | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
  if (*file < 0) return errno == ENOENT || errno == ELOOP ? RUT_OUTPUT_GONE : errno;
  int fault = fstat(*file, &info) != 0 ? errno : 0;
  if (!fault && !is_same(id_of(&info), id)) fault = RUT_OUTPUT_GONE;
  if (!fault) return 0;
  close(*file);
  *file = -1;
  return fault;
}

int rut_output_remove(const char* path, rutFileId id) {
  struct stat info;
  if (lstat(path, &info) != 0) return errno == ENOENT ? RUT_OUTPUT_GONE : errno;
  if (!is_same(id_of(&info), id)) return RUT_OUTPUT_GONE;
  return unlink(path) != 0 ? errno : 0;
}

int rut_output_lock_folder(const char* path, int* file) {
  *file = -1;
  char* name = copy_text(path);
  if (!name) return ENOMEM;
  // behind a link a '/' would mean what it leads to
  for (size_t n = strlen(name); n > 1 && name[n - 1] == '/';) name[--n] = '\0';
  struct stat info;
  int fault = lstat(name, &info) != 0 ? errno : S_ISLNK(info.st_mode) ? RUT_OUTPUT_LINK : 0;
  if (!fault) {
    *file = open(name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    // a folder that may be written to but not read cannot be locked
    fault = *file >= 0 ? lock(*file) : errno == EACCES ? 0 : errno;
  }
  if (fault && *file >= 0) {
    close(*file);
    *file = -1;
  }
  free(name);
  return fault;
}

void rut_output_explain(int fault, const char* path, char message[RUT_OUTPUT_TEXT]) {
  char reason[128] = "unknown reason";
  const char* what = reason;
  switch (fault) {
    case RUT_OUTPUT_LINK:
      what = "there is a link of that name; write to where it leads, or remove it";
      break;
    case RUT_OUTPUT_NO_FILE:
      what = "there is a device, a pipe or the like; rut replaces regular files only";
      break;
    case RUT_OUTPUT_BUSY:
      what = "another run is writing there";
      break;
    case RUT_OUTPUT_GONE:
      what = "what was written so far was removed or replaced";
      break;
    case RUT_OUTPUT_INPUT:
      what = "it was read as an input, and would be lost";
      break;
    default:
      if (strerror_r(fault, reason, sizeof reason) != 0) reason[0] = '\0';
      break;
  }
  snprintf(message, RUT_OUTPUT_TEXT, "'%.300s' cannot be written: %s", path, what);
}
