// SPDX-License-Identifier: BSD-3-Clause
#include "film.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli.h"
#include "report.h"
#include "text.h"

extern char** environ;

// What ffmpeg calls the kind of file, and how it is to code. All players know 4:2:0, which needs
// even sizes.
typedef struct Kind {
  const char *suffix, *format, *codec, *filter;
} Kind;

#define EVEN "pad=ceil(iw/2)*2:ceil(ih/2)*2,format=yuv420p"
static const Kind kinds[] = {
    {".mp4", "mp4", "libx264", EVEN},
    {".mkv", "matroska", "libx264", EVEN},
    {".mov", "mov", "libx264", EVEN},
    {".webm", "webm", "libvpx-vp9", EVEN},
    {".gif", "gif", "gif", "split[a][b];[a]palettegen[p];[b][p]paletteuse"},
};

static bool is_folder(const char* path) {
  const size_t n = strlen(path);
  return n > 0 && path[n - 1] == '/';
}

static const Kind* kind_of(const char* path) {
  const char* dot = strrchr(path, '.');
  for (int i = 0; dot && i < CLI_COUNT(kinds); i++) {
    if (strcmp(dot, kinds[i].suffix) == 0) return &kinds[i];
  }
  return NULL;
}

bool cli_film_is(const char* path) { return is_folder(path) || kind_of(path); }

static int tell_missing(void) {
  fputs(
      "rut: error: films are coded by ffmpeg, which is not here: apt-get install ffmpeg, or write\n"
      "numbered images: -o FOLDER/\n",
      stderr);
  return CLI_MISSING;
}

// Start ffmpeg, which reads raw frames from a pipe. It has a process group of its own: an interrupt
// ends the film, not ffmpeg. Returns 0 or an errno.
static int start(cliFilm* film, const Kind* kind, double rate) {
  char size[32], speed[32], part[4200];
  snprintf(size, sizeof size, "%dx%d", film->width, film->height);
  snprintf(speed, sizeof speed, "%.12g", rate);
  const int length = snprintf(part, sizeof part, "file:%s", rut_output_part(film->output));
  if (length < 0 || length >= (int)sizeof part) return ENAMETOOLONG;
  // clang-format off
  const char* const words[] = {
      "ffmpeg", "-nostdin", "-loglevel", "error", "-f", "rawvideo", "-pixel_format", "rgb24",
      "-video_size", size, "-framerate", speed, "-i", "pipe:0", "-an", "-vf", kind->filter, "-c:v",
      kind->codec, "-threads", "2", "-f", kind->format, "-y", part, NULL};
  // clang-format on
  int ends[2];
  if (pipe(ends) != 0) return errno;
  fcntl(ends[1], F_SETFD, FD_CLOEXEC);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO);
  posix_spawn_file_actions_addclose(&actions, ends[0]);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  // ffmpeg changes no word
  char* argv[CLI_COUNT(words)];
  memcpy(argv, words, sizeof argv);
  const int code = posix_spawnp(&film->process, argv[0], &actions, &attributes, argv, environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[0]);
  if (code != 0) {
    close(ends[1]);
    return code;
  }
  film->to = ends[1];
  return 0;
}

int cli_film_begin(cliFilm* film, const char* path, int width, int height, double rate) {
  rutError err = {0};
  *film = (cliFilm){.path = path, .width = width, .height = height, .to = -1};
  if (is_folder(path)) {
    const rutStatus status = rut_folder_create(path, &err);
    return status == RUT_OK ? CLI_GO_ON : cli_tell_failure(status, &err);
  }
  const Kind* kind = kind_of(path);
  if (!kind) return cli_usage_error(NULL, "'%s' is no film", path);
  const rutStatus status = rut_output_create(path, &film->output, &err);
  if (status != RUT_OK) return cli_tell_failure(status, &err);
  signal(SIGPIPE, SIG_IGN);
  const int fault = start(film, kind, rate);
  if (fault == 0) return CLI_GO_ON;
  rut_output_close(film->output, false, NULL);
  if (fault == ENOENT) return tell_missing();
  fprintf(stderr, "rut: error: cannot start ffmpeg: %s\n", strerror(fault));
  return CLI_IO;
}

static int put_file(const cliFilm* film, const rutPicture* frame) {
  char path[4096];
  const int n = snprintf(path, sizeof path, "%s%06" PRId64 ".png", film->path, film->frames);
  if (n < 0 || n >= (int)sizeof path) {
    return cli_usage_error(NULL, "the name of the folder is too long");
  }
  rutError err = {0};
  const rutStatus status = rut_picture_save(NULL, frame, path, &err);
  return status == RUT_OK ? CLI_GO_ON : cli_tell_failure(status, &err);
}

int cli_film_put(cliFilm* film, const rutPicture* frame) {
  if (frame->width != film->width || frame->height != film->height ||
      frame->format != RUT_PIXEL_RGB8) {
    fprintf(stderr, "rut: error: frame %" PRId64 " has not the %d x %d colours of the first one\n",
            film->frames, film->width, film->height);
    return CLI_INVALID;
  }
  int code = CLI_GO_ON;
  if (film->to < 0) {
    code = put_file(film, frame);
  } else {
    const char* at = frame->pixel;
    size_t left = 3 * (size_t)frame->width * (size_t)frame->height;
    while (left > 0) {
      const ssize_t n = write(film->to, at, left);
      if (n < 0 && errno == EINTR) continue;
      // ffmpeg has told what was wrong
      if (n < 0) return CLI_IO;
      at += n;
      left -= (size_t)n;
    }
  }
  if (code == CLI_GO_ON) film->frames++;
  return code;
}

int cli_film_end(cliFilm* film, bool keep) {
  if (film->to < 0) return CLI_DONE;
  close(film->to);
  int status = 0;
  while (waitpid(film->process, &status, 0) < 0 && errno == EINTR) continue;
  const bool fine = WIFEXITED(status) && WEXITSTATUS(status) == 0;
  const bool missing = WIFEXITED(status) && WEXITSTATUS(status) == 127;
  rutError err = {0};
  const rutStatus closed = rut_output_close(film->output, keep && fine && film->frames > 0, &err);
  if (missing) return tell_missing();
  if (!fine) {
    fprintf(stderr, "rut: error: ffmpeg could not write '%s'\n", CLI_CLEAN(film->path));
    return CLI_IO;
  }
  return closed == RUT_OK ? CLI_DONE : cli_tell_failure(closed, &err);
}
