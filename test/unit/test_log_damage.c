// SPDX-License-Identifier: BSD-3-Clause
//
// Logs that are cut off, have wrong bytes, are none, or find no room.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include "log_fixture.h"

static unsigned char* read_file(const char* path, size_t* size) {
  FILE* in = fopen(path, "rb");
  assert_non_null(in);
  fseek(in, 0, SEEK_END);
  *size = (size_t)ftell(in);
  rewind(in);
  unsigned char* bytes = malloc(*size);
  assert_non_null(bytes);
  assert_int_equal(fread(bytes, 1, *size, in), *size);
  fclose(in);
  return bytes;
}

static void write_file(const char* path, const unsigned char* bytes, size_t size) {
  FILE* out = fopen(path, "wb");
  assert_non_null(out);
  assert_int_equal(fwrite(bytes, 1, size, out), size);
  fclose(out);
}

// Count what can be read, and see that it is in order. *fault tells why it ended.
static uint64_t read_until(rutLogFile* file, rutStatus* fault) {
  rutLogCursor* cursor = NULL;
  rutError err = {0};
  const rutLogSelection all = {.from = -1, .to = 1e300};
  assert_int_equal(rut_log_cursor_create(file, &all, &cursor, NULL), RUT_OK);
  rutLogMessage m;
  uint64_t messages = 0;
  double last = -1;
  while (rut_log_next(cursor, &m, &err)) {
    assert_true(m.time >= last);
    last = m.time;
    messages++;
  }
  rut_log_cursor_destroy(cursor);
  *fault = err.status;
  return messages;
}

static uint64_t read_messages(rutLogFile* file) {
  rutStatus fault;
  return read_until(file, &fault);
}

// A small log of several chunks: attachments of its own keep them apart.
static void small_log(Fixture* f) {
  parse(f, circle);
  rutLogDef def = rut_default_log();
  static const char* const pattern[] = {"r1/speed", "r1/l/load"};
  def.patterns = 2;
  def.pattern = pattern;
  def.joints = def.odometry = def.samples = false;
  rutLog* log = begin_log(f, &def);
  for (int k = 0; k < 3; k++) {
    run_log(f, log, 10);
    // chunks are written when they are old
    if (k < 2) sleep(1);
  }
  assert_int_equal(rut_log_attach(log, "note.txt", "text/plain", "hello", 5, NULL), RUT_OK);
  assert_int_equal(rut_log_close(log, NULL), RUT_OK);
}

// Bytes from one try to the next: sanitizers take ten times as long.
static size_t stride(void) {
  const char* sanitize = getenv("RUT_SANITIZE");
  return sanitize && sanitize[0] ? 5 : 1;
}

static void test_cut_anywhere(void** state) {
  Fixture* f = *state;
  small_log(f);
  size_t size = 0;
  unsigned char* bytes = read_file(f->path, &size);
  rutLogFile* file = open_log(f->path);
  const uint64_t all = read_messages(file);
  assert_true(rut_log_info(file).chunks >= 3);
  assert_int_equal(all, 3 * 4);
  rut_log_file_close(file);
  uint64_t before = 0;
  for (size_t cut = 0; cut < size; cut += stride()) {
    write_file(f->path, bytes, cut);
    const rutStatus status = rut_log_open(f->path, &file, NULL);
    assert_int_equal(status, cut < 8 ? RUT_ERR_PARSE : RUT_OK);
    if (status != RUT_OK) continue;
    const uint64_t messages = read_messages(file);
    assert_false(rut_log_info(file).whole);
    assert_int_equal(messages, rut_log_info(file).messages);
    assert_true(messages >= before && messages <= all);
    before = messages;
    rut_log_file_close(file);
  }
  assert_int_equal(before, all);
  free(bytes);
}

static void test_any_byte_wrong(void** state) {
  Fixture* f = *state;
  small_log(f);
  size_t size = 0;
  unsigned char* bytes = read_file(f->path, &size);
  static const unsigned char mask[] = {0xff, 0x01, 0x80};
  for (size_t i = 0; i < size; i += stride()) {
    bytes[i] ^= mask[i % 3];
    write_file(f->path, bytes, size);
    rutLogFile* file = NULL;
    if (rut_log_open(f->path, &file, NULL) == RUT_OK) {
      rutStatus fault;
      const rutLogInfo info = rut_log_info(file);
      const uint64_t messages = read_until(file, &fault);
      assert_true(messages <= 12);
      // what is missing is told: at once, or where it would be read
      if (messages < 12 && info.whole && fault == RUT_OK) {
        fail_msg("byte %zu: whole, with %d messages", i, (int)messages);
      }
      if (rut_log_check(file, NULL) == RUT_OK) fail_msg("byte %zu: it is wrong, and not told", i);
      if (info.whole && info.attachments < 1) fail_msg("byte %zu: whole, without attachments", i);
      char note[6] = "";
      const int at = rut_log_attachment_find(file, "note.txt");
      if (at >= 0 && rut_log_attachment_at(file, at).size == 5 &&
          rut_log_attachment_read(file, at, note, NULL) == RUT_OK) {
        assert_string_equal(note, "hello");
      }
    }
    rut_log_file_close(file);
    bytes[i] ^= mask[i % 3];
  }
  free(bytes);
}

// Every bit counts: of the header, metadata and index, and of a chunk. A log that is as it was
// written is right.
static void test_any_bit_wrong(void** state) {
  Fixture* f = *state;
  parse(f, circle);
  rutLogDef def = rut_default_log();
  static const char* const pattern[] = {"r1/speed"};
  def.patterns = 1;
  def.pattern = pattern;
  def.joints = def.transforms = def.odometry = def.samples = false;
  rutLog* log = begin_log(f, &def);
  run_log(f, log, 1);
  assert_int_equal(rut_log_close(log, NULL), RUT_OK);
  size_t size = 0;
  unsigned char* bytes = read_file(f->path, &size);
  for (size_t bit = 0; bit <= 8 * size; bit += stride()) {
    const bool wrong = bit > 0;
    if (wrong) bytes[(bit - 1) / 8] ^= (unsigned char)(1 << (bit - 1) % 8);
    write_file(f->path, bytes, size);
    rutLogFile* file = NULL;
    const bool opens = rut_log_open(f->path, &file, NULL) == RUT_OK;
    const bool right = opens && rut_log_check(file, NULL) == RUT_OK;
    if (right == wrong) fail_msg("bit %zu of byte %zu", (bit - 1) % 8, (bit - 1) / 8);
    rut_log_file_close(file);
    if (wrong) bytes[(bit - 1) / 8] ^= (unsigned char)(1 << (bit - 1) % 8);
  }
  free(bytes);
}

// A wrong length of an attachment costs that attachment only.
static void test_length_of_attachment(void** state) {
  Fixture* f = *state;
  small_log(f);
  size_t size = 0, at = 0;
  unsigned char* bytes = read_file(f->path, &size);
  // its record: 0x09, length, two times, length of the name, name
  while (at + 8 < size && memcmp(bytes + at, "note.txt", 8) != 0) at++;
  assert_int_equal(bytes[at - 29], 0x09);
  for (int bit = 0; bit < 64; bit++) {
    bytes[at - 28 + (size_t)bit / 8] ^= (unsigned char)(1 << bit % 8);
    write_file(f->path, bytes, size);
    rutLogFile* file = open_log(f->path);
    assert_false(rut_log_info(file).whole);
    assert_int_equal(rut_log_info(file).messages, 12);
    assert_int_equal(read_messages(file), 12);
    assert_int_equal(rut_log_attachment_find(file, "note.txt"), -1);
    rut_log_file_close(file);
    bytes[at - 28 + (size_t)bit / 8] ^= (unsigned char)(1 << bit % 8);
  }
  free(bytes);
}

static void test_no_log(void** state) {
  Fixture* f = *state;
  rutLogFile* file = NULL;
  rutError err = {0};
  assert_int_equal(rut_log_open("/no/such/file", &file, &err), RUT_ERR_IO);
  assert_int_equal(rut_log_open("/tmp", &file, &err), RUT_ERR_IO);
  write_file(f->path, (const unsigned char*)"", 0);
  assert_int_equal(rut_log_open(f->path, &file, &err), RUT_ERR_PARSE);
  write_file(f->path, (const unsigned char*)"t [s],x [m]\n0,1\n", 16);
  assert_int_equal(rut_log_open(f->path, &file, &err), RUT_ERR_PARSE);
  write_file(f->path, (const unsigned char*)"\x89MCAP9\r\n", 8);
  assert_int_equal(rut_log_open(f->path, &file, &err), RUT_ERR_VERSION);
}

// A disk that is full: the run hears of it, and what was written opens.
static void test_full_disk(void** state) {
  Fixture* f = *state;
  parse(f, circle);
  signal(SIGXFSZ, SIG_IGN);
  const struct rlimit small = {64 * 1024, RLIM_INFINITY};
  struct rlimit old;
  getrlimit(RLIMIT_FSIZE, &old);
  rutLogDef def = rut_default_log();
  def.rate = 100;
  rutLog* log = begin_log(f, &def);
  int own = -1;
  const rutLogChannelDef added = {"/own", "rut/msg/Own", "uint8[] data\n", "cdr"};
  assert_int_equal(rut_log_channel(log, &added, &own, NULL), RUT_OK);
  setrlimit(RLIMIT_FSIZE, &small);
  rutStatus status = RUT_OK;
  rutError err = {0};
  unsigned char noise[4096];
  unsigned seed = 1;
  for (int i = 0; i < 20000 && status == RUT_OK; i++) {
    for (size_t k = 0; k < sizeof noise; k++) {
      seed = seed * 1664525u + 1013904223u;
      noise[k] = (unsigned char)(seed >> 24);
    }
    run(f, 1);
    status = rut_log_step(log, f->model, f->data, &err);
    if (status == RUT_OK) {
      status = rut_log_write_bytes(log, own, rut_time(f->data), noise, i == 0 ? 10 : 4096, &err);
    }
    if (i == 0) sleep(1);
  }
  assert_int_equal(status, RUT_ERR_IO);
  assert_non_null(strstr(err.message, "run.mcap"));
  assert_int_equal(rut_log_close(log, NULL), RUT_ERR_IO);
  setrlimit(RLIMIT_FSIZE, &old);
  rutLogFile* file = open_log(f->path);
  assert_false(rut_log_info(file).whole);
  assert_true(read_messages(file) > 0);
  rut_log_file_close(file);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(test_cut_anywhere, set_up, tear_down),
      cmocka_unit_test_setup_teardown(test_any_byte_wrong, set_up, tear_down),
      cmocka_unit_test_setup_teardown(test_any_bit_wrong, set_up, tear_down),
      cmocka_unit_test_setup_teardown(test_length_of_attachment, set_up, tear_down),
      cmocka_unit_test_setup_teardown(test_no_log, set_up, tear_down),
      cmocka_unit_test_setup_teardown(test_full_disk, set_up, tear_down),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
