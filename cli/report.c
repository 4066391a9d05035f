// SPDX-License-Identifier: BSD-3-Clause
#include "report.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"
#include "rut/host.h"
#include "text.h"

enum {
  MAX_PRINTED = 200,  // findings on the terminal; the rest is counted
  MAX_KEPT = 10000,
  MAX_REPEATED = 64,    // recent findings that are searched for an equal one
  EXCERPT_BEFORE = 60,  // characters shown left of the place in a very long line
  EXCERPT_SIZE = 120
};

bool cli_wants_color(FILE* out) {
  const char* no_color = getenv("NO_COLOR");
  const char* term = getenv("TERM");
  return isatty(fileno(out)) && !(no_color && no_color[0]) && !(term && !strcmp(term, "dumb"));
}

void cli_report_open(cliReport* report, FILE* out) {
  memset(report, 0, sizeof *report);
  report->out = out;
  report->color = cli_wants_color(out);
}

void cli_report_close(cliReport* report) {
  for (int i = 0; i < report->findings; i++) {
    free(report->finding[i].file);
    free(report->finding[i].element);
    free(report->finding[i].message);
    free(report->finding[i].hint);
  }
  free(report->finding);
  memset(report, 0, sizeof *report);
}

// --- The line concerned -----------------------------------------------------------------------

typedef struct Excerpt {
  char text[EXCERPT_SIZE + 1];
  int length;
  int caret;  // index of the place in text
  bool cut_before, cut_after;
} Excerpt;

// Read the part of a line around a column. Lines may be of any length, so only a window is kept.
static bool read_excerpt(const char* path, int line, int column, Excerpt* excerpt) {
  FILE* file = line >= 1 ? rut_file_open(path, NULL) : NULL;
  if (!file) return false;
  int first = column > EXCERPT_BEFORE ? column - EXCERPT_BEFORE : 0;
  *excerpt = (Excerpt){.caret = column > 0 ? column - 1 - first : 0, .cut_before = first > 0};
  int at_line = 1, at_column = 0, c = 0;
  while (at_line <= line && (c = getc(file)) != EOF) {
    if (c == '\n') {
      at_line++;
    } else if (at_line == line && c != '\r') {
      if (at_column >= first && excerpt->length < EXCERPT_SIZE) {
        excerpt->text[excerpt->length++] = (char)c;
      } else if (at_column >= first) {
        excerpt->cut_after = true;
        break;
      }
      at_column++;
    }
  }
  fclose(file);
  excerpt->text[excerpt->length] = '\0';
  return excerpt->length > 0 && excerpt->caret < excerpt->length + 1;
}

// A line of a file, with its tabs.
static void put_line(char* text, FILE* out) {
  for (char* tab; (tab = strchr(text, '\t')); text = tab + 1) {
    *tab = '\0';
    cli_put_text(text, out);
    *tab = '\t';
    putc('\t', out);
  }
  cli_put_text(text, out);
}

static void print_excerpt(const cliReport* report, const char* file, int line, int column) {
  Excerpt excerpt;
  if (!read_excerpt(file, line, column, &excerpt)) return;
  FILE* out = report->out;
  fprintf(out, "%5d | %s", line, excerpt.cut_before ? "..." : "");
  put_line(excerpt.text, out);
  fprintf(out, "%s\n", excerpt.cut_after ? "..." : "");
  if (column < 1) return;

  fprintf(out, "      | %s", excerpt.cut_before ? "   " : "");
  for (int i = 0; i < excerpt.caret; i++) {
    unsigned char c = (unsigned char)excerpt.text[i];
    // a tab stays a tab, so that the caret stands right for any tab width; bytes that continue a
    // UTF-8 character take no room
    if (c == '\t') {
      putc('\t', out);
    } else if ((c & 0xc0) != 0x80) {
      putc(' ', out);
    }
  }
  fputs(report->color ? "\033[1;32m^" : "^", out);
  for (int i = excerpt.caret + 1; i < excerpt.length; i++) {
    unsigned char c = (unsigned char)excerpt.text[i];
    if (!isalnum(c) && !strchr("_-.:", c)) break;
    putc('~', out);
  }
  fputs(report->color ? "\033[0m\n" : "\n", out);
}

// --- Findings ---------------------------------------------------------------------------------

static char* copy_text(const char* text) {
  size_t size = strlen(text ? text : "") + 1;
  char* copy = malloc(size);
  if (copy) memcpy(copy, text ? text : "", size);
  return copy;
}

// Keep a finding. What does not fit into memory is left out; it was counted and printed.
static void keep(cliReport* report, const rutDiagnostic* finding) {
  if (report->findings == MAX_KEPT) return;
  if (report->findings == report->capacity) {
    int capacity = report->capacity ? 2 * report->capacity : 64;
    cliFinding* grown = realloc(report->finding, (size_t)capacity * sizeof *grown);
    if (!grown) return;
    report->finding = grown;
    report->capacity = capacity;
  }
  cliFinding kept = {
      .level = finding->level,
      .line = finding->line,
      .column = finding->column,
      .file = copy_text(finding->file),
      .element = copy_text(finding->element),
      .message = copy_text(finding->message),
      .hint = copy_text(finding->hint),
  };
  if (kept.file && kept.element && kept.message && kept.hint) {
    report->finding[report->findings++] = kept;
    return;
  }
  free(kept.file);
  free(kept.element);
  free(kept.message);
  free(kept.hint);
}

static void print_finding(const cliReport* report, const rutDiagnostic* finding) {
  static const char* const word[] = {"note", "warning", "error"};
  static const char* const paint[] = {"\033[1;36m", "\033[1;35m", "\033[1;31m"};
  FILE* out = report->out;
  bool color = report->color;
  const char* file = finding->file && finding->file[0] ? finding->file : "rut";
  fputs(color ? "\033[1m" : "", out);
  cli_put_text(file, out);
  if (finding->line > 0) fprintf(out, ":%d", finding->line);
  if (finding->line > 0 && finding->column > 0) fprintf(out, ":%d", finding->column);
  fprintf(out, ":%s %s%s:%s ", color ? "\033[0m" : "", color ? paint[finding->level] : "",
          word[finding->level], color ? "\033[0m" : "");
  // the element helps where the message does not name it already
  const char* element = finding->element ? finding->element : "";
  if (element[0] && !strstr(finding->message, element)) {
    cli_put_text(element, out);
    fputs(": ", out);
  }
  cli_put_text(finding->message, out);
  if (finding->hint && finding->hint[0]) {
    fputs("; ", out);
    cli_put_text(finding->hint, out);
  }
  putc('\n', out);
  if (finding->quotable) print_excerpt(report, file, finding->line, finding->column);
}

static bool same_text(const char* a, const char* b) { return strcmp(a ? a : "", b ? b : "") == 0; }

// True if the same finding was printed for the same place, such as a file that two axles name.
static bool is_repeated(const cliReport* report, const rutDiagnostic* finding) {
  if (finding->line < 1) return false;
  for (int i = report->findings - 1; i >= 0 && i >= report->findings - MAX_REPEATED; i--) {
    const cliFinding* kept = &report->finding[i];
    if (kept->line == finding->line && kept->column == finding->column &&
        kept->level == finding->level && same_text(kept->message, finding->message) &&
        same_text(kept->file, finding->file) && same_text(kept->element, finding->element)) {
      return true;
    }
  }
  return false;
}

void cli_report_finding(const rutDiagnostic* finding, void* user) {
  cliReport* report = user;
  // errors count anyway: callers ask whether there was one
  if (finding->level != RUT_ERROR && is_repeated(report, finding)) return;
  report->errors += finding->level == RUT_ERROR;
  report->warnings += finding->level == RUT_WARNING;
  report->notes += finding->level == RUT_NOTE;
  keep(report, finding);
  if (report->silent || (report->quiet && finding->level != RUT_ERROR)) return;
  int count = report->errors + report->warnings + report->notes;
  if (count <= MAX_PRINTED) {
    print_finding(report, finding);
  } else if (count == MAX_PRINTED + 1) {
    fprintf(report->out, "rut: note: further findings are only counted\n");
  }
}

int cli_report_failure(cliReport* report, rutStatus status, const rutError* err) {
  bool known = report->errors > report->told;
  if (!known) {
    rutDiagnostic finding = {
        .level = RUT_ERROR,
        .file = err->file,
        .line = err->line,
        .column = err->column,
        .element = err->element,
        .message = err->message[0] ? err->message : rut_status_text(status),
        .hint = "",
        .quotable = report->named && strcmp(err->file, report->named) == 0,
    };
    cli_report_finding(&finding, report);
  }
  report->told = report->errors;
  return cli_exit_code(status);
}

int cli_tell_failure(rutStatus status, const rutError* err) {
  cliReport report;
  cli_report_open(&report, stderr);
  const int code = cli_report_failure(&report, status, err);
  cli_report_close(&report);
  return code;
}

int cli_tell_missing_viewer(void) {
  fputs(
      "rut: error: this rut was built without its viewer: it needs libwebsockets, jansson and npm\n"
      "Try 'apt-get install libwebsockets-dev libjansson-dev npm', and build again.\n",
      stderr);
  return CLI_MISSING;
}
