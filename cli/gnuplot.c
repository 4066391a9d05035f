// SPDX-License-Identifier: BSD-3-Clause
#include "gnuplot.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli.h"
#include "report.h"
#include "rut/host.h"

extern char** environ;

// Okabe and Ito: told apart by colour-blind people, and in grey by their dashes.
const char* const cli_gnuplot_color[CLI_GNUPLOT_COLORS] = {
    "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000"};
bool cli_gnuplot_format(const char* path) {
  const char* end = strrchr(path, '.');
  return end && (strcmp(end, ".png") == 0 || strcmp(end, ".svg") == 0 || strcmp(end, ".pdf") == 0);
}

// ---- words ----

// In single quotes gnuplot reads a quote when it is doubled, and nothing else specially.
void cli_gnuplot_quoted(FILE* out, const char* text) {
  putc('\'', out);
  for (; *text; text++) {
    const unsigned char c = (unsigned char)*text;
    if (c == '\'') putc('\'', out);
    putc(c < 32 ? ' ' : c, out);
  }
  putc('\'', out);
}

// "m/s2" as it is printed: "m/s²".
void cli_gnuplot_unit(const char* unit, char* out, size_t size) {
  size_t used = 0;
  for (; *unit && used + 4 < size; unit++) {
    const char* raised = unit[0] == '2' ? "²" : unit[0] == '3' ? "³" : NULL;
    if (raised) {
      used += (size_t)snprintf(out + used, size - used, "%s", raised);
    } else if (unit[0] == ' ') {
      used += (size_t)snprintf(out + used, size - used, "·");
    } else {
      out[used++] = *unit;
    }
  }
  out[used] = '\0';
}

// ---- the page ----

typedef struct Drawing {
  const char* path;
  double width, height;
  void (*put)(FILE* out, const void* user);
  const void* user;
} Drawing;

// part: the file to write, until it takes the place of the figure's path.
static void put_terminal(FILE* out, const Drawing* d, const char* part) {
  const char* end = strrchr(d->path, '.');
  if (strcmp(end, ".png") == 0) {
    // twice as fine as a screen
    fprintf(out,
            "set terminal pngcairo noenhanced size %.0f,%.0f font 'DejaVu Sans,11' fontscale 1.9 "
            "pointscale 1.8 "
            "linewidth 2 background '#ffffff'\n",
            2 * d->width, 2 * d->height);
  } else if (strcmp(end, ".svg") == 0) {
    fprintf(out,
            "set terminal svg noenhanced size %.0f,%.0f font 'DejaVu Sans,Helvetica,sans-serif,13' "
            "background '#ffffff'\n",
            d->width, d->height);
  } else {
    fprintf(out,
            "set terminal pdfcairo noenhanced color size %.2fin,%.2fin font 'DejaVu Sans,11' "
            "fontscale 0.85 linewidth 1.1\n",
            d->width / 96, d->height / 96);
  }
  fputs("set output ", out);
  cli_gnuplot_quoted(out, part);
  putc('\n', out);
}

static void put_style(FILE* out) {
  fputs(
      "set encoding utf8\n"
      "set border 3 lc rgb '#606060' lw 0.8\n"
      "set tics nomirror out scale 0.5 textcolor rgb '#303030'\n"
      "set grid back lc rgb '#e4e4e4' lw 0.7 lt 1 dt 1\n"
      "set key noautotitle\n"
      "set minussign\n",
      out);
}

// ---- the process ----

static int tell_missing(void) {
  fputs(
      "rut: error: figures are drawn by gnuplot, which is not here: apt-get install gnuplot-nox\n",
      stderr);
  return CLI_MISSING;
}

// Start gnuplot. Returns its process, with *pipe_to for its script; -1 with errno set if not.
static pid_t start(int* pipe_to) {
  int ends[2];
  if (pipe(ends) != 0) return -1;
  fcntl(ends[1], F_SETFD, FD_CLOEXEC);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO);
  posix_spawn_file_actions_addclose(&actions, ends[0]);
  char name[] = "gnuplot", dash[] = "-";
  char* const argv[] = {name, dash, NULL};
  pid_t process = -1;
  const int code = posix_spawnp(&process, name, &actions, NULL, argv, environ);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[0]);
  if (code == 0) {
    *pipe_to = ends[1];
    return process;
  }
  close(ends[1]);
  errno = code;
  return -1;
}

// Let gnuplot draw into a file. Returns the exit code after an error was told.
static int draw_into(const Drawing* d, const char* part) {
  int to = -1;
  const pid_t process = start(&to);
  if (process < 0) {
    const int code = errno;
    if (code == ENOENT) return tell_missing();
    fprintf(stderr, "rut: error: cannot start gnuplot: %s\n", strerror(code));
    return CLI_IO;
  }
  signal(SIGPIPE, SIG_IGN);
  FILE* out = fdopen(to, "w");
  if (out) {
    put_terminal(out, d, part);
    put_style(out);
    d->put(out, d->user);
    fclose(out);
  } else {
    close(to);
  }
  int status = 0;
  while (waitpid(process, &status, 0) < 0 && errno == EINTR) continue;
  if (out && WIFEXITED(status) && WEXITSTATUS(status) == 0) return CLI_DONE;
  if (WIFEXITED(status) && WEXITSTATUS(status) == 127) return tell_missing();
  fprintf(stderr, "rut: error: gnuplot could not draw '%s'\n", d->path);
  return CLI_IO;
}

int cli_gnuplot_draw(const char* path, double width, double height,
                     void (*put)(FILE* out, const void* user), const void* user) {
  const Drawing drawing = {path, width, height, put, user};
  rutOutput* output;
  rutError err = {0};
  rutStatus status = rut_output_create(path, &output, &err);
  if (status != RUT_OK) return cli_tell_failure(status, &err);
  const int code = draw_into(&drawing, rut_output_part(output));
  status = rut_output_close(output, code == CLI_DONE, &err);
  return status == RUT_OK ? code : cli_tell_failure(status, &err);
}
