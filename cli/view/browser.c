// SPDX-License-Identifier: BSD-3-Clause
#include "view/browser.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

bool view_has_desktop(void) {
  const char *x11 = getenv("DISPLAY"), *wayland = getenv("WAYLAND_DISPLAY");
  return (x11 && x11[0]) || (wayland && wayland[0]);
}

// Forks twice, so that nobody has to wait for the browser's end.
void view_open_browser(const char* address) {
  const pid_t child = fork();
  if (child == 0) {
    if (fork() != 0) _exit(0);
    // ctrl-C is not meant for it
    setsid();
    // output of the browser is discarded
    const int nothing = open("/dev/null", O_RDWR);
    if (nothing >= 0) {
      dup2(nothing, STDIN_FILENO);
      dup2(nothing, STDOUT_FILENO);
      dup2(nothing, STDERR_FILENO);
    }
    execlp("xdg-open", "xdg-open", address, (char*)NULL);
    _exit(127);
  }
  if (child > 0) waitpid(child, NULL, 0);
  if (child < 0) fprintf(stderr, "rut: warning: cannot open a browser\n");
}
