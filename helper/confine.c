// SPDX-License-Identifier: BSD-3-Clause
#define _GNU_SOURCE  // close_range
#include "confine.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

void confine_files(void) {
  const struct rlimit none = {0, 0};
  setrlimit(RLIMIT_CORE, &none);
#ifdef SYS_close_range
  if (syscall(SYS_close_range, 3U, ~0U, 0U) == 0) return;
#endif
  const long most = sysconf(_SC_OPEN_MAX);
  for (int i = 3; i < most; i++) close(i);
}

// Bytes of address space in use; the sanitizers reserve terabytes. 0 if that is not known.
static size_t address_space(void) {
  char text[64] = "";
  const int file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  const ssize_t n = read(file, text, sizeof text - 1);
  close(file);
  return n > 0 ? strtoull(text, NULL, 10) * (size_t)sysconf(_SC_PAGESIZE) : 0;
}

static bool limit(int resource, rlim_t value) {
  struct rlimit now;
  if (getrlimit(resource, &now)) return false;
  // never more than there was
  if (now.rlim_max != RLIM_INFINITY && now.rlim_max < value) value = now.rlim_max;
  const struct rlimit bound = {value, value};
  return setrlimit(resource, &bound) == 0;
}

#if defined __x86_64__
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined __aarch64__
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

#ifdef ARCHITECTURE

// What computing, memory, and reading and writing take. Numbers of another ABI match none of them.
static const unsigned allowed[] = {
    SYS_read,          SYS_write,          SYS_brk,          SYS_mmap,        SYS_munmap,
    SYS_mremap,        SYS_mprotect,       SYS_madvise,      SYS_futex,       SYS_getrandom,
    SYS_clock_gettime, SYS_gettimeofday,   SYS_sched_yield,  SYS_exit,        SYS_exit_group,
    SYS_rt_sigaction,  SYS_rt_sigprocmask, SYS_rt_sigreturn, SYS_sigaltstack,
};

enum { ALLOWED = sizeof allowed / sizeof allowed[0], CHECKS = 4 };

// Every system call that is not listed fails with EPERM. Kernels without filters keep the limits.
static void filter_calls(void) {
  struct sock_filter code[CHECKS + ALLOWED + 2] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
  };
  for (int i = 0; i < ALLOWED; i++) {
    // to the last instruction, past those that are left and the refusal
    const unsigned char past = (unsigned char)(ALLOWED - i);
    code[CHECKS + i] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, allowed[i], past, 0);
  }
  code[CHECKS + ALLOWED] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM);
  code[CHECKS + ALLOWED + 1] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
  const struct sock_fprog program = {CHECKS + ALLOWED + 2, code};
  prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

#else
static void filter_calls(void) {}
#endif

bool confine(size_t memory, unsigned seconds) {
  enum { STACK = 8 << 20, PATIENCE = 8 };  // by the clock, times the processor time
  const size_t used = address_space();
  bool done = used > 0 && limit(RLIMIT_AS, used + memory) && limit(RLIMIT_CPU, seconds) &&
              limit(RLIMIT_STACK, STACK) && limit(RLIMIT_FSIZE, 0) && limit(RLIMIT_NPROC, 0) &&
              limit(RLIMIT_NOFILE, 0);
  // ends it even if the host has gone
  alarm(PATIENCE * seconds);
  done = done && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0;
  if (done) filter_calls();
  return done;
}
