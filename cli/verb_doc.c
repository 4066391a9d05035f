// SPDX-License-Identifier: BSD-3-Clause
//
// rut doc: the manual of component types, made from their field rows.
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "cli.h"
#include "completion.h"
#include "doc.h"
#include "rut/host.h"
#include "table.h"
#include "world.h"

enum { MAX_NAMES = 512 };

typedef struct DocOptions {
  bool schema;
  const char *output, *completion;
  cliList plugin;
} DocOptions;

static const cliOption options[] = {
    {"schema", 0, CLI_FLAG, "", 0, 0, offsetof(DocOptions, schema),
     "print an XML schema (XSD) of world files, for editors"},
    {"completion", 0, CLI_TEXT, "SHELL", 0, 0, offsetof(DocOptions, completion),
     "print the completion of this command for bash, zsh or fish"},
    {"output", 'o', CLI_TEXT, "DIR", 0, 0, offsetof(DocOptions, output),
     "write a file per component type, or rut.xsd, into DIR"},
    {"plugin", 0, CLI_TEXTS, "FILE.so", 0, 0, offsetof(DocOptions, plugin),
     "load component types from a shared library; may be repeated"},
};

static bool is_documented(const rutComponent* type) { return strcmp(type->kind, "format") != 0; }

// Length of the first sentence of a text. What goes on in lower case or with a number is no new
// sentence ("et al. 2023").
static int sentence_length(const char* text) {
  for (const char* end = strstr(text, ". "); end; end = strstr(end + 1, ". ")) {
    if (end[2] >= 'A' && end[2] <= 'Z') return (int)(end - text) + 1;
  }
  return (int)strlen(text);
}

static void print_index(const rutContext* context) {
  for (int i = 0; i < rut_component_count(context); i++) {
    const rutComponent* type = rut_component_at(context, i);
    if (!is_documented(type)) continue;
    char name[128];
    cli_doc_name(type, name, sizeof name);
    printf("%-34s %.*s\n", name, sentence_length(type->doc), type->doc);
  }
}

// "tyre" stands for all tyres, "tyre/coulomb" for one.
static bool is_meant(const rutComponent* type, const char* wanted) {
  char name[128];
  cli_doc_name(type, name, sizeof name);
  return is_documented(type) && (strcmp(name, wanted) == 0 || strcmp(type->kind, wanted) == 0);
}

// What an argument means: itself, or for the bare name of a type ("coulomb") its whole name,
// written to `full`. NULL, with an error, if no type or more than one has it.
static const char* meaning(const rutContext* context, const char* wanted, char full[128]) {
  char fit[600] = "", name[128];
  int fits = 0;
  size_t used = 0;
  for (int i = 0; i < rut_component_count(context); i++) {
    const rutComponent* type = rut_component_at(context, i);
    if (is_meant(type, wanted)) return wanted;
    if (!is_documented(type) || strcmp(type->name, wanted) != 0) continue;
    cli_doc_name(type, name, sizeof name);
    if (fits++ == 0) snprintf(full, 128, "%s", name);
    if (used < sizeof fit) {
      const int n = snprintf(fit + used, sizeof fit - used, "%s%s", used ? ", " : "", name);
      used += n > 0 ? (size_t)n : 0;
    }
  }
  if (fits == 0) return wanted;
  if (fits == 1) return full;
  cli_usage_error(&cli_verb_doc, "'%s' is the name of %d types: %s", wanted, fits, fit);
  return NULL;
}

// Outputs of all elements and components.
static int print_outputs(const rutContext* context) {
  static const char* const elements[] = {"world", "vehicle", "wheel", "block", "mechanism"};
  for (int i = 0; i < CLI_COUNT(elements); i++) {
    printf("# %s\n\n", elements[i]);
    cli_doc_outputs(elements[i], stdout);
  }
  for (int i = 0; i < rut_component_count(context); i++) {
    cli_doc_component_outputs(rut_component_at(context, i), stdout);
  }
  puts("The terms are defined in docs/glossary.md.");
  return CLI_DONE;
}

static int print_pages(const rutContext* context, const char* wanted) {
  int found = 0;
  for (int i = 0; i < rut_component_count(context); i++) {
    const rutComponent* type = rut_component_at(context, i);
    if (!is_meant(type, wanted)) continue;
    if (found++) putchar('\n');
    cli_doc_page(context, type, stdout);
  }
  if (found) return CLI_DONE;

  static char name[MAX_NAMES][96];
  const char* known[3 * MAX_NAMES];
  int n = 0;
  for (int i = 0; i < rut_component_count(context) && i < MAX_NAMES; i++) {
    const rutComponent* type = rut_component_at(context, i);
    if (!is_documented(type)) continue;
    cli_doc_name(type, name[i], sizeof name[i]);
    known[n++] = name[i];
    known[n++] = type->kind;
    known[n++] = type->name;
  }
  const char* nearest = rut_nearest(wanted, (size_t)n, known);
  return cli_usage_error(&cli_verb_doc, "there is no component '%s'%s%s%s", wanted,
                         nearest ? "; did you mean '" : "", nearest ? nearest : "",
                         nearest ? "'?" : ": 'rut doc' lists them");
}

static int io_failure(const char* path) {
  fprintf(stderr, "rut: error: cannot write '%s': %s\n", path, strerror(errno));
  return CLI_IO;
}

// A file on its way into a folder.
typedef struct Page {
  char path[1024];
  rutOutput* output;
  FILE* file;
} Page;

// Returns CLI_DONE, or the exit code after an error was told.
static int begin_page(Page* page, const char* folder, const char* name) {
  rutError err = {0};
  *page = (Page){.file = NULL};
  snprintf(page->path, sizeof page->path, "%s/%s", folder, name);
  const rutStatus status = rut_output_create(page->path, &page->output, &err);
  if (status != RUT_OK) return cli_tell_failure(status, &err);
  page->file = fopen(rut_output_part(page->output), "w");
  if (page->file) return CLI_DONE;
  const int code = io_failure(page->path);
  rut_output_close(page->output, false, NULL);
  return code;
}

// Returns CLI_DONE, or the exit code after an error was told.
static int end_page(Page* page) {
  rutError err = {0};
  bool failed = ferror(page->file) != 0;
  if (fclose(page->file) != 0) failed = true;
  const int code = failed ? io_failure(page->path) : CLI_DONE;
  const rutStatus status = rut_output_close(page->output, !failed, &err);
  return status == RUT_OK ? code : cli_tell_failure(status, &err);
}

static int write_schema(const rutContext* context, const char* folder) {
  Page page;
  const int code = begin_page(&page, folder, "rut.xsd");
  if (code != CLI_DONE) return code;
  cli_doc_schema(context, page.file);
  return end_page(&page);
}

// One page per type, and index.md that links them.
static int write_pages(const rutContext* context, const char* folder, const char* wanted) {
  Page index, page;
  int code = begin_page(&index, folder, "index.md");
  if (code != CLI_DONE) return code;
  fputs("# Elements of world files\n\nThe terms are defined in docs/glossary.md.\n\n", index.file);
  for (int i = 0; i < rut_component_count(context) && code == CLI_DONE; i++) {
    const rutComponent* type = rut_component_at(context, i);
    if (!is_documented(type) || (wanted && !is_meant(type, wanted))) continue;
    char name[128], file[160];
    cli_doc_name(type, name, sizeof name);
    snprintf(file, sizeof file, "%s%s%s.md", type->kind, type->name[0] ? "_" : "", type->name);
    fprintf(index.file, "- [%s](%s): %.*s\n", name, file, sentence_length(type->doc), type->doc);
    code = begin_page(&page, folder, file);
    if (code != CLI_DONE) continue;
    cli_doc_page(context, type, page.file);
    code = end_page(&page);
  }
  const int index_code = end_page(&index);
  return code == CLI_DONE ? index_code : code;
}

static int write_doc(const rutContext* context, const DocOptions* option, const char* wanted) {
  char full[128];
  if (wanted && strcmp(wanted, "outputs") == 0 && !option->output && !option->schema) {
    return print_outputs(context);
  }
  if (wanted && !option->schema && !(wanted = meaning(context, wanted, full))) return CLI_USAGE;
  if (option->output && mkdir(option->output, 0777) != 0 && errno != EEXIST) {
    return io_failure(option->output);
  }
  if (option->schema && option->output) return write_schema(context, option->output);
  if (option->schema) {
    cli_doc_schema(context, stdout);
    return CLI_DONE;
  }
  if (option->output) return write_pages(context, option->output, wanted);
  if (wanted) return print_pages(context, wanted);
  print_index(context);
  return CLI_DONE;
}

static int run_doc(int argc, char** argv) {
  DocOptions option = {0};
  cliList arguments;
  int code = cli_parse(&cli_verb_doc, argc, argv, &option, &arguments);
  if (code != CLI_GO_ON) return code;
  if (option.completion) {
    if (cli_completion(option.completion, stdout)) return CLI_DONE;
    return cli_usage_error(&cli_verb_doc, "--completion: '%s' is none of bash, zsh, fish",
                           option.completion);
  }
  cliWorld world;
  code = cli_world_open(&world, stderr, 1, 0);
  if (code == CLI_GO_ON) code = cli_world_plugins(&world, &option.plugin);
  if (code == CLI_GO_ON) {
    code = write_doc(world.context, &option, arguments.n ? arguments.item[0] : NULL);
  }
  cli_world_close(&world);
  return code;
}

const cliVerb cli_verb_doc = {
    .name = "doc",
    .arguments = "[KIND[/TYPE] | TYPE | outputs]",
    .min_arguments = 0,
    .max_arguments = 1,
    .summary = "explain the elements of world files and their fields",
    .details =
        "Without an argument: a list of all elements. KIND is an element such as wheel or tyre,\n"
        "KIND/TYPE one of its types, such as tyre/coulomb; TYPE alone will do where no other kind\n"
        "has a type of that name. 'outputs' lists all outputs: columns of tables, signals of logs "
        "and plots.",
    .examples =
        "  rut doc\n"
        "  rut doc controller/twist_pid\n"
        "  rut doc engine\n"
        "  rut doc outputs\n"
        "  rut doc -o docs/manual/components\n"
        "  rut doc --schema > rut.xsd\n"
        "  rut doc --completion zsh > ~/.zsh/functions/_rut",
    .option = options,
    .options = CLI_COUNT(options),
    .run = run_doc,
};
