// SPDX-License-Identifier: BSD-3-Clause
//
// rut log: what is in a log.
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "images.h"
#include "json.h"
#include "report.h"
#include "rut/host.h"
#include "table.h"
#include "text.h"

typedef struct LogOptions {
  bool json, signals;
  const char *attachment, *images, *output;
} LogOptions;

static const cliOption options[] = {
    {"json", 'j', CLI_FLAG, "", 0, 0, offsetof(LogOptions, json),
     "print everything as one JSON object"},
    {"signals", 's', CLI_FLAG, "", 0, 0, offsetof(LogOptions, signals),
     "list the signals with their units"},
    {"attachment", 'a', CLI_TEXT, "NAME", 0, 0, offsetof(LogOptions, attachment),
     "print this attachment, such as world.xml"},
    {"images", 'i', CLI_TEXT, "CAMERA", 0, 0, offsetof(LogOptions, images),
     "write the images of a camera, or of a topic, as .png into the folder of --output"},
    {"output", 'o', CLI_TEXT, "DIR", 0, 0, offsetof(LogOptions, output),
     "folder for --images; it is created if need be"},
};

static const char* const keys[] = {"version", "command", "seed", "timestep", "rate", "model_hash"};

// Messages a second of a channel; 0 where there are too few.
static double rate_of(const rutLogInfo* info, const rutLogChannel* channel) {
  const double span = info->end - info->start;
  return channel->messages > 1 && span > 0 ? (double)(channel->messages - 1) / span : 0;
}

static void print_channels(const rutLogFile* file, const rutLogInfo* info) {
  cliTable table;
  cli_table_init(&table, 4);
  cli_table_add(&table, "topic");
  cli_table_add(&table, "type");
  cli_table_add(&table, "messages");
  cli_table_add(&table, "rate [Hz]");
  for (int i = 0; i < info->channels; i++) {
    const rutLogChannel c = rut_log_channel_at(file, i);
    cli_table_add(&table, "%s", c.topic);
    cli_table_add(&table, "%s", c.schema);
    cli_table_add(&table, "%" PRIu64, c.messages);
    cli_table_add(&table, "%.4g", rate_of(info, &c));
  }
  cli_table_print(&table, "llrr", stdout);
  cli_table_free(&table);
}

static void print_signals(const rutLogFile* file, const rutLogInfo* info) {
  int widest = 0;
  for (int i = 0; i < info->signals; i++) {
    widest = (int)fmax(widest, (double)strlen(rut_log_signal_at(file, i).name));
  }
  for (int i = 0; i < info->signals; i++) {
    const rutSignal s = rut_log_signal_at(file, i);
    printf("%-*s  %-5s  %s\n", widest, CLI_CLEAN(s.name), CLI_CLEAN(s.unit), CLI_CLEAN(s.doc));
  }
}

static void print_log(const rutLogFile* file) {
  const rutLogInfo info = rut_log_info(file);
  print_channels(file, &info);
  printf("\n%.6g s from %.6g s, %" PRIu64 " messages of %d signals in %.4g MB\n",
         info.end - info.start, info.start, info.messages, info.signals, 1e-6 * (double)info.size);
  int told = 0;
  for (int i = 0; i < CLI_COUNT(keys); i++) {
    const char* value = rut_log_metadata(file, "rut", keys[i]);
    if (value[0]) printf("%s%s: %s", told++ > 0 ? ", " : "", keys[i], CLI_CLEAN(value));
  }
  if (told > 0) putchar('\n');
  for (int i = 0; i < info.attachments; i++) {
    const rutLogAttachment a = rut_log_attachment_at(file, i);
    printf("attachment %s: %s, %" PRIu64 " bytes\n", CLI_CLEAN(a.name), CLI_CLEAN(a.media_type),
           a.size);
  }
  if (rut_log_check(file, NULL) != RUT_OK)
    puts("the log was cut off, or is damaged: this is what can be read of it");
}

static void print_json(const char* path, const rutLogFile* file) {
  const rutLogInfo info = rut_log_info(file);
  cliJson json;
  cli_json_init(&json, stdout);
  cli_json_object(&json, NULL);
  cli_json_text(&json, "log", path);
  cli_json_bool(&json, "whole", rut_log_check(file, NULL) == RUT_OK);
  cli_json_number(&json, "start", info.start);
  cli_json_number(&json, "end", info.end);
  cli_json_integer(&json, "messages", (int64_t)info.messages);
  cli_json_integer(&json, "bytes", (int64_t)info.size);
  cli_json_integer(&json, "chunks", info.chunks);
  cli_json_object(&json, "metadata");
  for (int i = 0; i < CLI_COUNT(keys); i++) {
    cli_json_text(&json, keys[i], rut_log_metadata(file, "rut", keys[i]));
  }
  cli_json_end(&json);
  cli_json_array(&json, "topics");
  for (int i = 0; i < info.channels; i++) {
    const rutLogChannel c = rut_log_channel_at(file, i);
    cli_json_object(&json, NULL);
    cli_json_text(&json, "topic", c.topic);
    cli_json_text(&json, "type", c.schema);
    cli_json_text(&json, "encoding", c.encoding);
    cli_json_integer(&json, "messages", (int64_t)c.messages);
    cli_json_number(&json, "rate", rate_of(&info, &c));
    cli_json_end(&json);
  }
  cli_json_end(&json);
  cli_json_array(&json, "signals");
  for (int i = 0; i < info.signals; i++) {
    const rutSignal s = rut_log_signal_at(file, i);
    cli_json_object(&json, NULL);
    cli_json_text(&json, "name", s.name);
    cli_json_text(&json, "unit", s.unit);
    cli_json_text(&json, "doc", s.doc);
    cli_json_end(&json);
  }
  cli_json_end(&json);
  cli_json_array(&json, "attachments");
  for (int i = 0; i < info.attachments; i++) {
    const rutLogAttachment a = rut_log_attachment_at(file, i);
    cli_json_object(&json, NULL);
    cli_json_text(&json, "name", a.name);
    cli_json_text(&json, "type", a.media_type);
    cli_json_integer(&json, "bytes", (int64_t)a.size);
    cli_json_end(&json);
  }
  cli_json_end(&json);
  cli_json_end(&json);
}

static int print_attachment(const rutLogFile* file, const char* name) {
  const int at = rut_log_attachment_find(file, name);
  if (at < 0) {
    const int n = rut_log_info(file).attachments;
    const char** known = calloc((size_t)n + 1, sizeof *known);
    for (int i = 0; known && i < n; i++) known[i] = rut_log_attachment_at(file, i).name;
    const char* near = known ? rut_nearest(name, (size_t)n, known) : NULL;
    const int code =
        cli_usage_error(&cli_verb_log, "the log has no attachment '%s'%s%s%s", name,
                        near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
    free(known);
    return code;
  }
  const size_t size = (size_t)rut_log_attachment_at(file, at).size;
  char* bytes = malloc(size + 1);
  rutError err = {.status = RUT_ERR_MEMORY};
  rutStatus status = bytes ? rut_log_attachment_read(file, at, bytes, &err) : RUT_ERR_MEMORY;
  if (status == RUT_OK) fwrite(bytes, 1, size, stdout);
  free(bytes);
  return status == RUT_OK ? CLI_DONE : cli_tell_failure(status, &err);
}

static int run_log(int argc, char** argv) {
  LogOptions option = {0};
  cliList arguments;
  int code = cli_parse(&cli_verb_log, argc, argv, &option, &arguments);
  if (code != CLI_GO_ON) return code;
  if (!option.images != !option.output) {
    return cli_usage_error(&cli_verb_log, "--images CAMERA and --output DIR need each other");
  }
  rutLogFile* file = NULL;
  rutError err = {0};
  const rutStatus status = rut_log_open(arguments.item[0], &file, &err);
  if (status != RUT_OK) return cli_tell_failure(status, &err);
  const rutLogInfo info = rut_log_info(file);
  code = CLI_DONE;
  if (option.images) {
    const int channel = cli_find_images(file, option.images);
    code = channel < 0 ? CLI_USAGE : cli_save_images(file, channel, option.output);
  } else if (option.attachment) {
    code = print_attachment(file, option.attachment);
  } else if (option.json) {
    print_json(arguments.item[0], file);
  } else if (option.signals) {
    print_signals(file, &info);
  } else {
    print_log(file);
  }
  rut_log_file_close(file);
  return code;
}

const cliVerb cli_verb_log = {
    .name = "log",
    .arguments = "LOG",
    .min_arguments = 1,
    .max_arguments = 1,
    .summary = "list the contents of a log",
    .details =
        "LOG is a file that rut run --log wrote, or an MCAP file of another program.\n"
        "A truncated log is read up to its end. The whole file is compared with the checksums in\n"
        "it; damage is reported, and is \"whole\": false in --json.",
    .examples =
        "  rut run world.xml --log run.mcap\n"
        "  rut log run.mcap\n"
        "  rut log run.mcap --signals\n"
        "  rut log run.mcap --attachment world.xml > world.xml",
    .option = options,
    .options = CLI_COUNT(options),
    .run = run_log,
};
