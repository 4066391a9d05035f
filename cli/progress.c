// SPDX-License-Identifier: BSD-3-Clause
#include "progress.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "clock.h"

enum { BAR = 24 };

void cli_progress_begin(cliProgress* progress, double total, bool quiet) {
  memset(progress, 0, sizeof *progress);
  progress->on = !quiet && total > 0 && isatty(STDERR_FILENO);
  progress->total = total;
  progress->start = progress->last = cli_clock();
}

// "8 s", "3 min 20 s", "2 h 5 min"
static void format_span(double seconds, char* text, size_t size) {
  if (seconds < 60) {
    snprintf(text, size, "%.0f s", seconds);
  } else if (seconds < 3600) {
    snprintf(text, size, "%d min %d s", (int)(seconds / 60), (int)seconds % 60);
  } else {
    snprintf(text, size, "%.0f h %d min", seconds / 3600, (int)(seconds / 60) % 60);
  }
}

void cli_progress_update(cliProgress* progress, double time) {
  if (!progress->on) return;
  double now = cli_clock();
  if (now - progress->last < 0.1) return;
  progress->last = now;

  double part = time / progress->total;
  if (part > 1) part = 1;
  double elapsed = now - progress->start;
  char bar[BAR + 1], eta[32];
  int filled = (int)(part * BAR);
  memset(bar, '#', (size_t)filled);
  memset(bar + filled, '.', (size_t)(BAR - filled));
  bar[BAR] = '\0';
  format_span(part > 0 ? elapsed * (1 - part) / part : 0, eta, sizeof eta);
  if (progress->unit) {
    fprintf(stderr, "\r  %.0f/%.0f %s [%s] %3.0f %%  %.3g/s  ETA %s%s\033[K", time, progress->total,
            progress->unit, bar, 100 * part, time / elapsed, eta, progress->note);
  } else {
    fprintf(stderr, "\r  %.1f/%.1f s [%s] %3.0f %%  x%.3g real time  ETA %s%s\033[K", time,
            progress->total, bar, 100 * part, time / elapsed, eta, progress->note);
  }
  fflush(stderr);
}

void cli_progress_end(cliProgress* progress) {
  if (progress->on) fprintf(stderr, "\r\033[K");
  progress->on = false;
}
