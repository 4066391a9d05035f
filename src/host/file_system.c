// SPDX-License-Identifier: BSD-3-Clause
#define _DEFAULT_SOURCE  // for flock
#include "host/file_system.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "base/report.h"

enum { PATH_SIZE = 4096 };

// File systems of one machine, by linux/magic.h and the sources of those that are not in it.
static const unsigned local_types[] = {
    0xEF53,      // ext2, ext3, ext4
    0x58465342,  // XFS
    0x9123683E,  // btrfs
    0x01021994,  // tmpfs
    0x794C7630,  // overlayfs
    0x2FC12FC1,  // ZFS
    0xF2F52010,  // F2FS
    0x4D44,      // FAT
    0x7366746E,  // NTFS
    0x52654973,  // ReiserFS
    0x3153464A,  // JFS
    0x858458F6,  // ramfs
    0xCA451A4E,  // bcachefs
};

bool rut_file_is_shared(const char* path) {
  char folder[PATH_SIZE];
  const char* slash = strrchr(path, '/');
  const int length = slash == path ? 1 : slash ? (int)(slash - path) : 0;
  snprintf(folder, sizeof folder, "%.*s", length > 0 ? length : 1, length > 0 ? path : ".");
  struct statfs info;
  if (statfs(folder, &info) != 0) return true;
  for (size_t i = 0; i < sizeof local_types / sizeof local_types[0]; i++) {
    if ((unsigned)info.f_type == local_types[i]) return false;
  }
  return true;
}

// Whether the lock that was taken is still that of the file's name: the process that had it before
// removes the name.
static bool is_current(const char* name, int handle) {
  struct stat named, held;
  return stat(name, &named) == 0 && fstat(handle, &held) == 0 && named.st_ino == held.st_ino &&
         named.st_dev == held.st_dev;
}

rutStatus rut_file_hold(const char* path, int* handle, rutError* err) {
  char name[PATH_SIZE];
  snprintf(name, sizeof name, "%.4000s-lock", path);
  for (;;) {
    *handle = open(name, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
    if (*handle < 0) {
      return rut_error_set(err, RUT_ERR_IO, "'%.200s' cannot be written: %.100s", name,
                           strerror(errno));
    }
    // a file system without locks is left alone
    if (flock(*handle, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
      close(*handle);
      *handle = -1;
      return rut_error_set(err, RUT_ERR_IO, "'%.200s' is being written by another process", path);
    }
    if (is_current(name, *handle)) return RUT_OK;
    close(*handle);
  }
}

void rut_file_release(const char* path, int handle) {
  char name[PATH_SIZE];
  if (handle < 0) return;
  snprintf(name, sizeof name, "%.4000s-lock", path);
  unlink(name);
  close(handle);
}
