// SPDX-License-Identifier: BSD-3-Clause
#include "format/crg_head.h"

#include <string.h>

#include "base/units.h"
#include "math/rut_math.h"

enum { LINE = 512, HEAD_LINES = 100000 };

typedef enum Section { TEXT, NUMBERS, OTHER_NUMBERS, DEFINITION, INCLUDE, UNKNOWN } Section;

typedef struct Reader {
  const char* file;
  rutReporter* reporter;
  rutCrgHead* head;
  Section section;
  int line;
} Reader;

static const char* const keys[] = {
#define X(name) #name,
    RUT_CRG_KEYS(X)
#undef X
};

#define FAIL(r, ...)                                                                          \
  rut_report_error((r)->reporter, RUT_ERR_PARSE, (rutPlace){(r)->file, (r)->line, 1}, "", "", \
                   __VA_ARGS__)

static char lower(char c) { return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c; }

static bool begins(const char* text, const char* with) {
  for (; *with; text++, with++) {
    if (lower(*text) != *with) return false;
  }
  return true;
}

static const char* skip_blanks(const char* c) { return c + strspn(c, " \t"); }

// ---- $ROAD_CRG and the like ----

rutCrgBlock rut_crg_block_of(int key) {
  static const char* const modifiers[] = {"scale_", "refline_", "refpoint_", "grid_nan_"};
  for (int i = 0; i < RUT_COUNT_OF(modifiers); i++) {
    if (begins(keys[key], modifiers[i])) return RUT_CRG_MODIFIERS;
  }
  return begins(keys[key], "border_") ? RUT_CRG_OPTIONS : RUT_CRG_ROAD;
}

// Those about the globe, checks, messages and the search of the C library change no height.
static bool changes_height(const char* name) {
  static const char* const others[] = {"check_", "warn_", "log_", "refline_search_"};
  const size_t n = strlen(name);
  for (int i = 0; i < RUT_COUNT_OF(others); i++) {
    if (begins(name, others[i])) return false;
  }
  const char* end = n > 4 ? name + n - 4 : "";
  return strcmp(end, "_lon") != 0 && strcmp(end, "_lat") != 0 && strcmp(end, "_alt") != 0;
}

static void read_key(Reader* r, char* line) {
  char* equals = strchr(line, '=');
  if (!equals) return;
  *equals = '\0';
  for (char* c = line; *c; c++) *c = lower(*c);
  for (char* c = equals; c > line && (c[-1] == ' ' || c[-1] == '\t'); c--) c[-1] = '\0';
  const char* name = skip_blanks(line);
  int key = -1;
  for (int i = 0; i < RUT_CRG_KEY_COUNT; i++) {
    if (strcmp(keys[i], name) == 0) key = i;
  }
  const char* end;
  double value;
  const char* text = skip_blanks(equals + 1);
  if (key < 0) {
    if (changes_height(name)) {
      rut_report_warning(r->reporter, (rutPlace){r->file, r->line, 1}, "", "'%.60s' is not used",
                         name);
    }
    return;
  }
  if (!rut_parse_number(text, &value, &end) || !(rut_abs(value) <= 1e7) || *skip_blanks(end)) {
    FAIL(r, "'%s' must be a number of at most 1e7, not '%.40s'", keys[key], text);
    return;
  }
  r->head->key[key] = value;
  r->head->late[key] = r->head->include_line > 0;
}

// ---- $KD_DEFINITION ----

static void read_format(Reader* r, const char* line) {
  static const struct {
    const char* name;
    bool binary, wide;
  } formats[] = {
      {"lrfi", false, false}, {"ldfi", false, true}, {"krbi", true, false}, {"kdbi", true, true}};
  const char* name = skip_blanks(line + 2);
  for (int i = 0; i < RUT_COUNT_OF(formats); i++) {
    if (!begins(name, formats[i].name)) continue;
    r->head->binary = formats[i].binary;
    r->head->wide = formats[i].wide;
    r->head->defined = true;
    return;
  }
  FAIL(r, "data must be of the form LRFI, LDFI, KRBI or KDBI, not '%.20s'", name);
}

// The unit behind the last comma must be one of two.
static bool check_unit(Reader* r, const char* line, const char* unit, const char* other) {
  const char* comma = strchr(line, ',');
  const char* found = comma ? skip_blanks(comma + 1) : "";
  const size_t n = strcspn(found, " \t,");
  if ((strlen(unit) == n && strncmp(found, unit, n) == 0) ||
      (strlen(other) == n && strncmp(found, other, n) == 0)) {
    return true;
  }
  FAIL(r, "'%.60s' must be in %s, not '%.20s'", line, unit, found);
  return false;
}

static void read_section(Reader* r, const char* line, rutCrgChannel* c) {
  const char* text = skip_blanks(line + strlen("long section"));
  const char* end;
  c->kind = RUT_CRG_SECTION;
  c->v = c->number = RUT_NAN;
  if (begins(text, "at v")) {
    const char* equals = strchr(text, '=');
    if (equals && rut_parse_number(skip_blanks(equals + 1), &c->v, &end)) return;
  } else if (rut_parse_number(text, &c->number, &end)) {
    return;
  }
  FAIL(r, "'%.60s' must be 'long section at v = NUMBER,m' or 'long section NUMBER,m'", line);
}

static void read_channel(Reader* r, const char* line) {
  const char* name = skip_blanks(line + 2);
  if (r->head->channels == RUT_CRG_MAX_SECTIONS) {
    FAIL(r, "more than %d channels", RUT_CRG_MAX_SECTIONS);
    return;
  }
  rutCrgChannel* c = &r->head->channel[r->head->channels++];
  *c = (rutCrgChannel){RUT_CRG_OTHER, RUT_NAN, RUT_NAN};
  if (begins(name, "long section")) {
    if (check_unit(r, name, "m", "m")) read_section(r, name, c);
  } else if (begins(name, "reference line phi")) {
    if (check_unit(r, name, "rad", "rad")) c->kind = RUT_CRG_PHI;
  } else if (begins(name, "reference line slope")) {
    if (check_unit(r, name, "m/m", "-")) c->kind = RUT_CRG_SLOPE;
  } else if (begins(name, "reference line banking")) {
    if (check_unit(r, name, "m/m", "-")) c->kind = RUT_CRG_BANKING;
  } else {
    rut_report_warning(r->reporter, (rutPlace){r->file, r->line, 1}, "",
                       "the channel '%.60s' is not used", name);
  }
}

// The virtual channel of u tells its increment: name, unit, start, step.
static void read_virtual(Reader* r, const char* line) {
  double* step = &r->head->key[RUT_CRG_reference_line_increment];
  const char* text = skip_blanks(line + 2);
  double number[2];
  if (*step == *step || !begins(text, "reference line u")) return;
  for (int i = 0; i < 2; i++) {
    text = strchr(text, ',');
    if (!text) return;
    text++;
  }
  const char* end;
  if (!rut_parse_number(skip_blanks(text), &number[0], &end) || *skip_blanks(end) != ',') return;
  if (rut_parse_number(skip_blanks(skip_blanks(end) + 1), &number[1], &end)) *step = number[1];
}

// ---- lines ----

static void open_section(Reader* r, const char* name) {
  static const struct {
    const char* name;
    Section section;
  } sections[] = {{"ct", TEXT},
                  {"road_crg_opts", OTHER_NUMBERS},
                  {"road_crg_mods", OTHER_NUMBERS},
                  {"road_crg_mpro", TEXT},
                  {"road_crg_file", INCLUDE},
                  {"road_crg", NUMBERS},
                  {"kd_definition", DEFINITION}};
  r->section = UNKNOWN;
  for (int i = 0; i < RUT_COUNT_OF(sections); i++) {
    if (!begins(name, sections[i].name)) continue;
    r->section = sections[i].section;
    r->head->road = r->head->road || r->section == NUMBERS;
    if (r->section == OTHER_NUMBERS) {
      r->head->has[begins(name, "road_crg_mods") ? RUT_CRG_MODIFIERS : RUT_CRG_OPTIONS] = true;
    }
    if (r->section == INCLUDE) {
      if (r->head->include_line) FAIL(r, "there are two $ROAD_CRG_FILE");
      r->head->include_line = r->line;
    }
    return;
  }
}

// A name may go over several lines.
static void read_name(Reader* r, const char* part) {
  char* name = r->head->include;
  if (strlen(name) + strlen(part) < RUT_CRG_MAX_NAME) {
    memcpy(name + strlen(name), part, strlen(part) + 1);
  } else {
    FAIL(r, "the name of the file with the data is longer than %d bytes", RUT_CRG_MAX_NAME - 1);
  }
}

static void read_line(Reader* r, char* line) {
  if (line[0] == '*') return;
  if (line[0] == '$') {
    open_section(r, line + 1);
    return;
  }
  char* remark = strchr(line, '!');
  if (remark && r->section != TEXT) *remark = '\0';
  for (size_t n = strlen(line); n > 0 && strchr(" \t\r", line[n - 1]); n--) line[n - 1] = '\0';
  if (r->section == NUMBERS || r->section == OTHER_NUMBERS) read_key(r, line);
  if (r->section == INCLUDE) read_name(r, skip_blanks(line));
  if (r->section != DEFINITION) return;
  if (begins(line, "#:")) read_format(r, line);
  if (begins(line, "d:")) read_channel(r, line);
  if (begins(line, "u:")) read_virtual(r, line);
}

bool rut_crg_head(const char* text, size_t size, const char* file, rutReporter* reporter,
                  rutCrgHead* head) {
  const int before = reporter->errors;
  Reader r = {.file = file, .reporter = reporter, .head = head, .section = UNKNOWN};
  memset(head, 0, sizeof *head);
  for (int i = 0; i < RUT_CRG_KEY_COUNT; i++) head->key[i] = RUT_NAN;
  size_t at = 0;
  while (at < size && r.line < HEAD_LINES && reporter->errors < before + RUT_READER_MAX_ERRORS) {
    const char* stop = memchr(text + at, '\n', size - at);
    const size_t n = stop ? (size_t)(stop - text) - at : size - at;
    r.line++;
    if (n >= 4 && memcmp(text + at, "$$$$", 4) == 0) {
      head->data = at + n + (stop ? 1 : 0);
      head->line = r.line;
      if (head->include_line && head->channels == 0) break;
      if (head->include_line) {
        FAIL(&r, "it has data, and refers to a file that has ($ROAD_CRG_FILE)");
      }
      return reporter->errors == before;
    }
    char line[LINE];
    const size_t kept = n < sizeof line ? n : sizeof line - 1;
    memcpy(line, text + at, kept);
    line[kept] = '\0';
    read_line(&r, line);
    at += n + 1;
  }
  if (reporter->errors > before) return false;
  if (head->include[0] && head->channels == 0) return true;
  if (head->include_line) {
    r.line = head->include_line;
    FAIL(&r, head->include[0]
                 ? "the file that $ROAD_CRG_FILE names has $KD_DEFINITION, not this one"
                 : "$ROAD_CRG_FILE has no name of a file");
  } else {
    FAIL(&r, "no line '$$$$' begins the data");
  }
  return false;
}
