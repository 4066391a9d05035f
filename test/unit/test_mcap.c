// SPDX-License-Identifier: BSD-3-Clause
//
// Logs that other programs wrote, badly or with bad intent: each file is put together here, record
// by record.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zstd.h>

#include "rut/host.h"

typedef struct Bytes {
  unsigned char* data;
  size_t used, size;
} Bytes;

typedef struct Fixture {
  char path[64];
  Bytes file, body, summary;
} Fixture;

enum { SCHEMA = 3, CHANNEL, MESSAGE, CHUNK, CHUNK_INDEX = 8, ATTACHMENT, ATTACHMENT_INDEX };
enum { STATISTICS = 11, DATA_END = 15 };
static const char magic[] = "\x89MCAP0\r\n";

static int set_up(void** state) {
  Fixture* f = calloc(1, sizeof *f);
  assert_non_null(f);
  strcpy(f->path, "/tmp/rut_mcap_XXXXXX");
  const int file = mkstemp(f->path);
  assert_true(file >= 0);
  close(file);
  *state = f;
  return 0;
}

static int tear_down(void** state) {
  Fixture* f = *state;
  unlink(f->path);
  free(f->file.data);
  free(f->body.data);
  free(f->summary.data);
  free(f);
  return 0;
}

// ---- records ----

static void put(Bytes* b, const void* data, size_t size) {
  if (b->size - b->used < size) {
    b->size = 2 * b->size + size + 4096;
    b->data = realloc(b->data, b->size);
    assert_non_null(b->data);
  }
  if (size > 0) memcpy(b->data + b->used, data, size);
  b->used += size;
}

static void number(Bytes* b, uint64_t value, int size) {
  unsigned char at[8];
  for (int i = 0; i < 8; i++) at[i] = (unsigned char)(value >> (8 * i));
  put(b, at, (size_t)size);
}

static void text(Bytes* b, const char* value) {
  number(b, strlen(value), 4);
  put(b, value, strlen(value));
}

// Begin a record; the length is filled in at its end.
static size_t begin(Bytes* b, int op) {
  number(b, (uint64_t)op, 1);
  number(b, 0, 8);
  return b->used;
}

static void end(Bytes* b, size_t start) {
  const uint64_t length = b->used - start;
  for (int i = 0; i < 8; i++) b->data[start - 8 + (size_t)i] = (unsigned char)(length >> (8 * i));
}

static void schema(Bytes* b, const char* definition) {
  const size_t start = begin(b, SCHEMA);
  number(b, 1, 2);
  text(b, "a/msg/B");
  text(b, "ros2msg");
  text(b, definition);
  end(b, start);
}

static void channel(Bytes* b, int id, const char* topic) {
  const size_t start = begin(b, CHANNEL);
  number(b, (uint64_t)id, 2);
  number(b, 1, 2);
  text(b, topic);
  text(b, "cdr");
  number(b, 0, 4);
  end(b, start);
}

// A message of one double.
static void message(Bytes* b, int id, uint64_t time, double value) {
  static const unsigned char encoding[4] = {0, 1, 0, 0};
  const size_t start = begin(b, MESSAGE);
  number(b, (uint64_t)id, 2);
  number(b, 0, 4);
  number(b, time, 8);
  number(b, time, 8);
  put(b, encoding, sizeof encoding);
  put(b, &value, sizeof value);
  end(b, start);
}

static void begin_file(Fixture* f) {
  f->file.used = f->summary.used = f->body.used = 0;
  put(&f->file, magic, 8);
  const size_t start = begin(&f->file, 1);
  text(&f->file, "");
  text(&f->file, "a test");
  end(&f->file, start);
}

// The chunk of f->body, and its index in the summary.
static void chunk(Fixture* f, uint64_t first, uint64_t last, const char* compression,
                  const void* packed, size_t size) {
  const size_t offset = f->file.used, start = begin(&f->file, CHUNK);
  number(&f->file, first, 8);
  number(&f->file, last, 8);
  number(&f->file, f->body.used, 8);
  number(&f->file, 0, 4);
  text(&f->file, compression);
  number(&f->file, size, 8);
  put(&f->file, packed, size);
  end(&f->file, start);
  const size_t index = begin(&f->summary, CHUNK_INDEX);
  number(&f->summary, first, 8);
  number(&f->summary, last, 8);
  number(&f->summary, offset, 8);
  number(&f->summary, f->file.used - offset, 8);
  number(&f->summary, 0, 4);
  number(&f->summary, 0, 8);
  text(&f->summary, compression);
  number(&f->summary, size, 8);
  number(&f->summary, f->body.used, 8);
  end(&f->summary, index);
}

static void plain_chunk(Fixture* f, uint64_t first, uint64_t last) {
  chunk(f, first, last, "", f->body.data, f->body.used);
}

static void statistics(Bytes* b, int messages, int channels, int chunks) {
  const size_t start = begin(b, STATISTICS);
  number(b, (uint64_t)messages, 8);
  number(b, 1, 2);
  number(b, (uint64_t)channels, 4);
  number(b, 0, 8);
  number(b, (uint64_t)chunks, 4);
  number(b, 0, 8);
  number(b, 1000000000, 8);
  number(b, 0, 4);
  end(b, start);
}

static void write_file(Fixture* f) {
  FILE* out = fopen(f->path, "wb");
  assert_non_null(out);
  assert_int_equal(fwrite(f->file.data, 1, f->file.used, out), f->file.used);
  assert_int_equal(fclose(out), 0);
}

// Summary and footer; write all.
static void end_file(Fixture* f) {
  size_t start = begin(&f->file, DATA_END);
  number(&f->file, 0, 4);
  end(&f->file, start);
  const size_t summary = f->file.used;
  put(&f->file, f->summary.data, f->summary.used);
  start = begin(&f->file, 2);
  number(&f->file, summary, 8);
  number(&f->file, 0, 8);
  number(&f->file, 0, 4);
  end(&f->file, start);
  put(&f->file, magic, 8);
  write_file(f);
}

static rutLogFile* open_log(Fixture* f) {
  rutLogFile* file = NULL;
  rutError err = {0};
  if (rut_log_open(f->path, &file, &err) != RUT_OK) fail_msg("%s", err.message);
  return file;
}

// Read all, in order. Returns the number of messages.
static int read_all(rutLogFile* file, rutError* err) {
  rutLogCursor* cursor = NULL;
  const rutLogSelection all = {.from = -1, .to = 1e300};
  assert_int_equal(rut_log_cursor_create(file, &all, &cursor, NULL), RUT_OK);
  rutLogMessage m;
  int messages = 0;
  double last = -1;
  while (rut_log_next(cursor, &m, err)) {
    assert_true(m.time >= last && m.channel < rut_log_info(file).channels);
    last = m.time;
    messages++;
  }
  rut_log_cursor_destroy(cursor);
  return messages;
}

// ---- tests ----

// Two channels in the summary, forty in the chunk; `told` by the statistics.
static void forty_channels(Fixture* f, int told) {
  begin_file(f);
  schema(&f->body, "float64 v\n");
  for (int i = 0; i < 40; i++) {
    char topic[16];
    snprintf(topic, sizeof topic, "/c%d", i);
    channel(&f->body, i, topic);
  }
  for (int i = 0; i < 400; i++) message(&f->body, i % 40, (uint64_t)i, i);
  plain_chunk(f, 0, 399);
  schema(&f->summary, "float64 v\n");
  channel(&f->summary, 0, "/c0");
  channel(&f->summary, 1, "/c1");
  statistics(&f->summary, 400, told, 1);
  end_file(f);
}

static void add_up(int which, double time, double value, void* user) {
  (void)time;
  ((double*)user)[which] += value;
}

// A summary may leave channels out: they are found in the chunks then.
static void test_channels_left_out(void** state) {
  Fixture* f = *state;
  forty_channels(f, 40);
  rutLogFile* file = open_log(f);
  assert_true(rut_log_info(file).whole);
  assert_int_equal(rut_log_info(file).channels, 40);
  assert_int_equal(rut_log_info(file).signals, 40);
  assert_int_equal(read_all(file, NULL), 400);
  const int signal[2] = {rut_log_signal_find(file, "c0/v"), rut_log_signal_find(file, "c39/v")};
  double sum[2] = {0, 0};
  const rutLogSelection both = {.n = 2, .index = signal, .from = 0, .to = 1};
  assert_int_equal(rut_log_read_signals(file, &both, add_up, sum, NULL), RUT_OK);
  assert_true(sum[0] == 1800 && sum[1] == 1800 + 390);  // 10 (0 + 9 40 / 2), and 39 more each
  rut_log_file_close(file);
}

// Statistics that agree with the summary, though both are wrong: what they do not tell is not
// there.
static void test_channels_kept_quiet(void** state) {
  Fixture* f = *state;
  forty_channels(f, 2);
  rutLogFile* file = open_log(f);
  assert_int_equal(rut_log_info(file).channels, 2);
  assert_int_equal(read_all(file, NULL), 20);
  rutLogMessage m;
  assert_true(rut_log_message_at(file, 1, 1, &m));
  assert_int_equal(rut_log_info(file).channels, 2);
  const int signal = rut_log_signal_find(file, "c1/v");
  double sum = 0;
  const rutLogSelection one = {.n = 1, .index = &signal, .from = 0, .to = 1};
  assert_int_equal(rut_log_read_signals(file, &one, add_up, &sum, NULL), RUT_OK);
  assert_true(sum == 1810);
  rut_log_file_close(file);
}

// Types of 60 fields in types of 60 fields, ten deep: 60^10 empty ones.
static void test_endless_definition(void** state) {
  Fixture* f = *state;
  Bytes definition = {0};
  put(&definition, "float64 a  # [m] first\n", 23);
  for (int k = 0; k < 11; k++) {
    char line[64];
    if (k > 0) {
      const int n = snprintf(line, sizeof line, "==========\nMSG: p/T%d\n", k);
      put(&definition, line, (size_t)n);
    }
    for (int i = 0; k < 10 && i < 60; i++) {
      const int n = snprintf(line, sizeof line, "T%d x%d\n", k + 1, i);
      put(&definition, line, (size_t)n);
    }
  }
  put(&definition, "", 1);
  begin_file(f);
  schema(&f->body, (const char*)definition.data);
  // each channel of the schema would take as long again
  for (int i = 0; i < 100; i++) {
    char topic[16];
    snprintf(topic, sizeof topic, "/c%d", i);
    channel(&f->body, i, topic);
  }
  message(&f->body, 7, 5, 2.5);
  plain_chunk(f, 5, 5);
  end_file(f);
  rutLogFile* file = open_log(f);
  assert_int_equal(rut_log_info(file).signals, 100);
  const int signal = rut_log_signal_find(file, "c7/a");
  assert_string_equal(rut_log_signal_at(file, signal).unit, "m");
  assert_string_equal(rut_log_signal_at(file, signal).doc, "first");
  double sum = 0;
  const rutLogSelection one = {.n = 1, .index = &signal, .from = 0, .to = 1};
  assert_int_equal(rut_log_read_signals(file, &one, add_up, &sum, NULL), RUT_OK);
  assert_true(sum == 2.5);
  rut_log_file_close(file);
  free(definition.data);
}

// Topics longer than any name of ours stay whole, and are told apart by their last letter.
static void test_long_topics(void** state) {
  Fixture* f = *state;
  static char topic[60000];
  memset(topic, 'a', sizeof topic - 1);
  topic[0] = '/';
  begin_file(f);
  schema(&f->body, "float64 speed\nfloat64 yaw_rate\n");
  channel(&f->body, 0, topic);
  topic[sizeof topic - 2] = 'b';
  channel(&f->body, 1, topic);
  plain_chunk(f, 0, 0);
  end_file(f);
  rutLogFile* file = open_log(f);
  assert_int_equal(rut_log_info(file).signals, 4);
  for (int i = 0; i < 4; i++) {
    const rutSignal s = rut_log_signal_at(file, i);
    assert_int_equal(rut_log_signal_find(file, s.name), i);
    assert_int_equal(strlen(s.element), sizeof topic - 2);
    assert_ptr_equal(s.leaf, s.name + strlen(s.element) + 1);
    assert_string_equal(s.leaf, i % 2 ? "yaw_rate" : "speed");
  }
  assert_string_equal(rut_log_signal_nearest(file, "yaw_rate"), rut_log_signal_at(file, 1).name);
  assert_null(rut_log_signal_nearest(file, "none of these"));
  rut_log_file_close(file);
}

// Names that would fill the memory from a small file are refused.
static void test_too_many_names(void** state) {
  Fixture* f = *state;
  Bytes definition = {0}, topic = {0};
  for (int i = 0; i < 4000; i++) {
    char line[32];
    const int n = snprintf(line, sizeof line, "float64 f%d\n", i);
    put(&definition, line, (size_t)n);
  }
  for (int i = 0; i < 200000; i++) put(&topic, "x", 1);
  put(&definition, "", 1);
  put(&topic, "", 1);
  begin_file(f);
  schema(&f->body, (const char*)definition.data);
  channel(&f->body, 0, (const char*)topic.data);
  plain_chunk(f, 0, 0);
  end_file(f);
  rutLogFile* file = NULL;
  rutError err = {0};
  assert_int_equal(rut_log_open(f->path, &file, &err), RUT_ERR_CAPACITY);
  assert_null(file);
  assert_non_null(strstr(err.message, "signals"));
  free(definition.data);
  free(topic.data);
}

// What is damaged is left out, in a time that grows with the size of the file.
static void test_bad_chunks(void** state) {
  Fixture* f = *state;
  begin_file(f);
  schema(&f->body, "float64 v\n");
  channel(&f->body, 0, "/c");
  message(&f->body, 0, 5, 1);
  for (int i = 0; i < 60000; i++) {
    if (i % 20000 == 10000) plain_chunk(f, 5, 5);
    end(&f->file, begin(&f->file, CHUNK));
  }
  write_file(f);
  rutLogFile* file = open_log(f);
  assert_false(rut_log_info(file).whole);
  assert_int_equal(rut_log_info(file).chunks, 3);
  assert_int_equal(read_all(file, NULL), 3);
  rut_log_file_close(file);

  // one that cannot be read at all ends it, whatever comes before and behind
  begin_file(f);
  f->body.used = 0;
  schema(&f->body, "float64 v\n");
  channel(&f->body, 0, "/c");
  message(&f->body, 0, 5, 1);
  for (int i = 0; i < 9; i++) {
    if (i % 3 == 0) end(&f->file, begin(&f->file, CHUNK));
    chunk(f, 5, 5, i == 5 ? "lz4" : "", f->body.data, f->body.used);
  }
  write_file(f);
  rutError err = {0};
  assert_int_equal(rut_log_open(f->path, &file, &err), RUT_ERR_MISSING);
}

static size_t attachment(Bytes* b, const char* name, const void* bytes, size_t size) {
  const size_t start = begin(b, ATTACHMENT);
  number(b, 0, 8);
  number(b, 0, 8);
  text(b, name);
  text(b, "x");
  number(b, size, 8);
  put(b, bytes, size);
  number(b, 0, 4);
  end(b, start);
  return start - 9;
}

static void attachment_index(Bytes* b, size_t offset, size_t length) {
  const size_t start = begin(b, ATTACHMENT_INDEX);
  number(b, offset, 8);
  number(b, length, 8);
  number(b, 0, 8);
  number(b, 0, 8);
  number(b, 0, 8);
  text(b, "");
  text(b, "");
  end(b, start);
}

// Attachments one in the other, as the index has them: only the outermost is one.
static void test_attachments_in_each_other(void** state) {
  Fixture* f = *state;
  Bytes inner = {0}, outer = {0};
  attachment(&inner, "inner", "hello", 5);
  attachment(&outer, "outer", inner.data, inner.used);
  for (int bad = 0; bad < 3; bad++) {
    begin_file(f);
    const size_t at = f->file.used;
    put(&f->file, outer.data, outer.used);
    const size_t next = attachment(&f->file, "next", "bytes", 5), behind = f->file.used;
    attachment_index(&f->summary, next, behind - next);
    attachment_index(&f->summary, at, outer.used);
    if (bad == 1) attachment_index(&f->summary, next - 4 - inner.used, inner.used);
    if (bad == 2) attachment_index(&f->summary, 8, 9);  // the header
    statistics(&f->summary, 0, 0, 0);
    end_file(f);
    rutLogFile* file = open_log(f);
    assert_int_equal(rut_log_info(file).attachments, 2);
    assert_int_equal(rut_log_attachment_find(file, "outer"), 0);
    assert_int_equal(rut_log_attachment_find(file, "inner"), -1);
    char bytes[5];
    assert_int_equal(rut_log_attachment_at(file, 1).size, 5);
    assert_int_equal(rut_log_attachment_read(file, 1, bytes, NULL), RUT_OK);
    assert_memory_equal(bytes, "bytes", 5);
    rut_log_file_close(file);
  }
  free(inner.data);
  free(outer.data);
}

// Nine chunks of 64 MiB of nothing, packed to a few kB, all at the same time: eight may be open.
static void test_chunks_at_one_time(void** state) {
  Fixture* f = *state;
  enum { MOST = 64 << 20 };
  begin_file(f);
  schema(&f->body, "float64 v\n");
  channel(&f->body, 0, "/c");
  message(&f->body, 0, 5, 1);
  message(&f->body, 0, 7, 1);
  const size_t start = begin(&f->body, 200);
  unsigned char* filler = calloc(1, MOST);
  assert_non_null(filler);
  put(&f->body, filler, MOST - f->body.used);
  free(filler);
  end(&f->body, start);
  assert_int_equal(f->body.used, MOST);
  const size_t bound = ZSTD_compressBound(MOST);
  void* packed = malloc(bound);
  assert_non_null(packed);
  const size_t size = ZSTD_compress(packed, bound, f->body.data, MOST, 1);
  assert_false(ZSTD_isError(size));
  for (int chunks = 8; chunks <= 9; chunks++) {
    f->file.used = f->summary.used = 0;
    put(&f->file, magic, 8);
    for (int i = 0; i < chunks; i++) chunk(f, 5, 7, "zstd", packed, size);
    schema(&f->summary, "float64 v\n");
    channel(&f->summary, 0, "/c");
    statistics(&f->summary, 2 * chunks, 1, chunks);
    end_file(f);
    rutLogFile* file = open_log(f);
    rutError err = {0};
    const int messages = read_all(file, &err);
    assert_int_equal(messages, chunks == 8 ? 16 : 0);
    assert_int_equal(err.status, chunks == 8 ? RUT_OK : RUT_ERR_CAPACITY);
    rut_log_file_close(file);
  }
  free(packed);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(test_channels_left_out, set_up, tear_down),
      cmocka_unit_test_setup_teardown(test_channels_kept_quiet, set_up, tear_down),
      cmocka_unit_test_setup_teardown(test_endless_definition, set_up, tear_down),
      cmocka_unit_test_setup_teardown(test_long_topics, set_up, tear_down),
      cmocka_unit_test_setup_teardown(test_too_many_names, set_up, tear_down),
      cmocka_unit_test_setup_teardown(test_bad_chunks, set_up, tear_down),
      cmocka_unit_test_setup_teardown(test_attachments_in_each_other, set_up, tear_down),
      cmocka_unit_test_setup_teardown(test_chunks_at_one_time, set_up, tear_down),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
