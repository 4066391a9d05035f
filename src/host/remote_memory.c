// SPDX-License-Identifier: BSD-3-Clause
//
// Packets in shared memory of POSIX: a box for the newest state and one for the newest answer, each
// with a count that is odd while it is written. What a reader copies while the other side writes
// has another count afterwards, or another checksum, and is no packet. docs/manual/remote.md has
// the layout.
#define _GNU_SOURCE  // syscall
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#ifdef __linux__
#include <linux/futex.h>
#include <sys/syscall.h>
#endif

#include "base/report.h"
#include "host/remote_link.h"
#include "math/rut_math.h"

enum { NAME = 256, WORD = 0x4d545552 /* "RUTM" */, VERSION = 1 };
// The other side may be one that wakes nobody: it is looked at so often [s].
static const double LOOK = 2e-4;

typedef struct Box {
  _Atomic uint32_t count;  // of writes begun and ended
  uint32_t size;           // of the packet
  unsigned char packet[RUT_PACKET_MOST];
  unsigned char pad[64 - (8 + RUT_PACKET_MOST) % 64];
} Box;

typedef struct Segment {
  uint32_t word, version;
  uint32_t process;        // of the run
  _Atomic uint32_t ended;  // the run has
  uint32_t box;            // bytes from the state's box to the answer's
  unsigned char pad[64 - 20];
  Box state, answer;
} Segment;

typedef struct Memory {
  char name[NAME];  // begins with a slash
  Segment* segment;
  uint32_t taken;  // count of the answer that was taken last
} Memory;

// ---- opening ----

static Segment* map(int file) {
  void* at = mmap(NULL, sizeof(Segment), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  return at == MAP_FAILED ? NULL : at;
}

// The process of the run that made a segment, 0: something else did.
static uint32_t owner_of(int file) {
  struct stat s;
  if (fstat(file, &s) != 0 || s.st_size != (off_t)sizeof(Segment)) return 0;
  Segment* segment = map(file);
  if (!segment) return 0;
  const bool ours = segment->word == WORD && segment->version == VERSION;
  const uint32_t process = ours ? segment->process : 0;
  munmap(segment, sizeof *segment);
  return process;
}

// What is left of a run that was killed is taken away; *replaced gets its process.
static rutStatus clear(const char* name, uint32_t* replaced, rutError* err) {
  const int file = shm_open(name, O_RDWR | O_CLOEXEC, 0);
  if (file < 0 && errno == ENOENT) return RUT_OK;
  const uint32_t process = file >= 0 ? owner_of(file) : 0;
  if (file >= 0) close(file);
  if (process == 0 || process > INT32_MAX) {
    return rut_error_set(err, RUT_ERR_IO,
                         "there is a shared memory '%.200s' that no run of rut made: take another "
                         "name, or remove it",
                         name);
  }
  if (kill((pid_t)process, 0) == 0 || errno != ESRCH) {
    return rut_error_set(err, RUT_ERR_IO,
                         "the shared memory '%.200s' belongs to a run that goes on, process %u: "
                         "take another name",
                         name, process);
  }
  if (shm_unlink(name) == 0) {
    *replaced = process;
    return RUT_OK;
  }
  if (errno == ENOENT) return RUT_OK;
  return rut_error_set(err, RUT_ERR_IO,
                       "cannot remove the shared memory '%.200s' of process %u: %s", name, process,
                       strerror(errno));
}

static rutStatus make(Memory* m, rutError* err) {
  const int file = shm_open(m->name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  const bool made = file >= 0;
  if (made && ftruncate(file, (off_t)sizeof(Segment)) == 0) m->segment = map(file);
  const int fault = errno;
  if (made) close(file);
  if (m->segment) return RUT_OK;
  if (made) shm_unlink(m->name);
  return rut_error_set(err, RUT_ERR_IO, "no shared memory '%.200s': %s", m->name, strerror(fault));
}

// ---- packets ----

static void wake(_Atomic uint32_t* count) {
#ifdef __linux__
  syscall(SYS_futex, count, FUTEX_WAKE, INT32_MAX, NULL, NULL, 0);
#else
  (void)count;
#endif
}

static rutStatus send_packet(rutRemoteLink* link, const unsigned char* packet, size_t size,
                             rutError* err) {
  Box* box = &((Memory*)link->own)->segment->state;
  (void)err;
  // the other side cannot make it odd for long: it is begun from what it is
  const uint32_t begun = atomic_load(&box->count) | 1;
  atomic_store(&box->count, begun);
  atomic_thread_fence(memory_order_seq_cst);
  box->size = (uint32_t)size;
  memcpy(box->packet, packet, size);
  atomic_store(&box->count, begun + 1);
  wake(&box->count);
  return RUT_OK;
}

static bool has_come(const Memory* m, uint32_t* count) {
  *count = atomic_load(&m->segment->answer.count);
  return *count != m->taken && *count % 2 == 0;
}

// Sleep until the count is another one, or for a moment.
static void rest(Memory* m, uint32_t count, double seconds) {
  const struct timespec most = {0, (long)(1e9 * rut_min(seconds, LOOK))};
#ifdef __linux__
  syscall(SYS_futex, &m->segment->answer.count, FUTEX_WAIT, count, &most, NULL, 0);
#else
  (void)m;
  (void)count;
  nanosleep(&most, NULL);
#endif
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static bool wait_packet(const rutRemoteLink* link, double wait) {
  Memory* m = link->own;
  const double end = now() + wait;
  uint32_t count;
  while (!has_come(m, &count)) {
    const double left = end - now();
    if (!(left > 0)) return false;
    rest(m, count, left);
  }
  return true;
}

static size_t take_packet(rutRemoteLink* link, unsigned char* packet) {
  Memory* m = link->own;
  const Box* box = &m->segment->answer;
  uint32_t count;
  if (!has_come(m, &count)) return 0;
  const size_t size = box->size < sizeof box->packet ? box->size : sizeof box->packet;
  memcpy(packet, box->packet, size);
  atomic_thread_fence(memory_order_seq_cst);
  m->taken = count;
  // written anew meanwhile: what was copied may be of both, and is none
  const bool whole = atomic_load(&box->count) == count;
  return whole && size > 0 ? size : 1;
}

static void close_memory(rutRemoteLink* link) {
  Memory* m = link->own;
  if (m->segment) {
    atomic_store(&m->segment->ended, 1);
    wake(&m->segment->state.count);
    munmap(m->segment, sizeof *m->segment);
    shm_unlink(m->name);
  }
  free(m);
  link->own = NULL;
}

rutStatus rut_remote_memory_open(rutRemoteLink* link, const char* name, rutError* err) {
  static const rutRemoteWay way = {send_packet, wait_packet, take_packet, close_memory};
  const size_t length = strlen(name);
  if (length == 0 || length > NAME - 2 || strchr(name, '/')) {
    return rut_error_set(err, RUT_ERR_ARGUMENT,
                         "'%.200s' is no name of shared memory: shm:NAME, without slashes and not "
                         "longer than %d bytes",
                         name, NAME - 2);
  }
  Memory* m = calloc(1, sizeof *m);
  if (!m) return rut_error_set(err, RUT_ERR_MEMORY, "out of memory");
  link->way = &way;
  link->own = m;
  snprintf(m->name, sizeof m->name, "/%s", name);
  rutStatus status = clear(m->name, &link->replaced, err);
  if (status == RUT_OK) status = make(m, err);
  if (status != RUT_OK) return status;
  m->segment->process = (uint32_t)getpid();
  m->segment->box = (uint32_t)sizeof(Box);
  m->segment->version = VERSION;
  atomic_thread_fence(memory_order_seq_cst);
  m->segment->word = WORD;
  return RUT_OK;
}
