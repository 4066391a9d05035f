// SPDX-License-Identifier: BSD-3-Clause
#include "completion.h"

#include <string.h>

#include "cli.h"

// What follows an option, or is an argument.
typedef enum Kind { NOTHING, ANY_FILE, FILE_OF, FOLDER, VARIABLE, LIST, ELEMENT } Kind;
typedef struct Meant {
  Kind kind;
  const char* word;  // FILE_OF: how names end, without the point; LIST: what rut lists them with
} Meant;

static Meant value_of(const cliOption* option) {
  const char* value = option->value;
  if (strcmp(value, "DIR") == 0) return (Meant){FOLDER, ""};
  if (strcmp(value, "VARIABLE") == 0) return (Meant){VARIABLE, ""};
  if (strncmp(value, "FILE.", 5) == 0) return (Meant){FILE_OF, value + 5};
  return (Meant){strcmp(value, "FILE") == 0 ? ANY_FILE : NOTHING, ""};
}

// Arguments by the first of these words that a verb has.
static Meant argument_of(const cliVerb* verb) {
  static const struct {
    const char* word;
    Meant meant;
  } known[] = {
      {"WORLD", {FILE_OF, "xml"}},       {"LOG", {FILE_OF, "mcap"}},
      {"KIND", {ELEMENT, "doc"}},        {"NAME", {LIST, "validate --list"}},
      {"SCENE", {LIST, "bench --list"}}, {"MAP", {FILE_OF, "xml"}},
  };
  for (int i = 0; i < CLI_COUNT(known); i++) {
    if (strstr(verb->arguments, known[i].word)) return known[i].meant;
  }
  return (Meant){NOTHING, ""};
}

static bool takes_signals(const cliVerb* verb) { return strstr(verb->arguments, "SIGNAL"); }

// Called for each option of each verb but --help, which all have.
typedef void (*EachOption)(const cliVerb* verb, const cliOption* option, FILE* out);
static void each_option(EachOption each, FILE* out) {
  for (int v = 0; v < cli_verbs; v++) {
    for (int i = 0; i < cli_verb[v]->options; i++) each(cli_verb[v], &cli_verb[v]->option[i], out);
  }
}

// Text between single quotes. A shell ends them for one in the text; fish escapes it instead. Marks
// of `escaped` get a backslash.
static void put_quoted(const char* text, const char* escaped, bool fish, FILE* out) {
  for (const char* c = text; *c; c++) {
    if (*c == '\'') {
      fputs(fish ? "\\'" : "'\\''", out);
      continue;
    }
    if (strchr(escaped, *c)) putc('\\', out);
    putc(*c, out);
  }
}

// ---- bash ----

static void bash_value(const cliVerb* verb, const cliOption* option, FILE* out) {
  if (option->type == CLI_FLAG || option->type == CLI_FACTOR) return;
  fprintf(out, "    %s:--%s", verb->name, option->name);
  if (option->letter) fprintf(out, " | %s:-%c", verb->name, option->letter);
  const Meant meant = value_of(option);
  static const char* const list[] = {[ANY_FILE] = "-f", [FOLDER] = "-d", [VARIABLE] = "-e"};
  if (meant.kind == FILE_OF) {
    fprintf(out, ") _rut_files %s \"$current\" ;;\n", meant.word);
  } else if (meant.kind == NOTHING) {
    fputs(") ;;\n", out);
  } else {
    fprintf(out, ") mapfile -t COMPREPLY < <(compgen %s -- \"$current\") ;;\n", list[meant.kind]);
  }
}

static void bash_argument(const cliVerb* verb, FILE* out) {
  const Meant meant = argument_of(verb);
  fprintf(out, "    %s) ", verb->name);
  if (takes_signals(verb)) {
    fprintf(out,
            "[[ -f ${COMP_WORDS[2]-} && $COMP_CWORD -gt 2 ]] && _rut_words log "
            "\"${COMP_WORDS[2]}\" --signals ||\n      ");
  }
  if (meant.kind == FILE_OF) {
    fprintf(out, "_rut_files %s \"$current\" ;;\n", meant.word);
  } else {
    fprintf(out, "_rut_words %s ;;\n", meant.word);
  }
}

static void put_bash(FILE* out) {
  fputs(
      "# Completion of the rut command for bash, as 'rut doc --completion bash' writes it. Source "
      "it, "
      "or install\n# it as /usr/share/bash-completion/completions/rut.\n\n"
      "_rut_files() {  # SUFFIX WORD: files of this suffix, and folders\n"
      "  mapfile -t COMPREPLY < <(compgen -f -X \"!*.$1\" -- \"$2\"; compgen -d -S / -- \"$2\")\n"
      "  compopt -o nospace -o filenames 2>/dev/null\n}\n\n"
      "_rut_words() {  # ARGUMENTS...: the first word of each line that rut prints, and the part "
      "before a slash of those of rut doc\n"
      "  local words\n"
      "  words=$(\"$rut\" \"$@\" 2>/dev/null | awk -v doc=\"$1\" '{ print $1; if (doc == \"doc\") "
      "{ "
      "sub(\"/.*\", \"\", $1); print $1 } }')\n"
      "  mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$current\" | sort -u)\n}\n\n"
      "_rut() {\n"
      "  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}\n"
      "  local verb=${COMP_WORDS[1]} options words rut=${COMP_WORDS[0]}\n"
      "  COMPREPLY=()\n"
      "  if ((COMP_CWORD == 1)); then\n"
      "    words='",
      out);
  for (int v = 0; v < cli_verbs; v++) fprintf(out, "%s ", cli_verb[v]->name);
  fputs(
      "--help --version'\n"
      "    mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$current\")\n"
      "    return\n  fi\n  case $verb in\n",
      out);
  for (int v = 0; v < cli_verbs; v++) {
    fprintf(out, "    %s) options='", cli_verb[v]->name);
    for (int i = 0; i < cli_verb[v]->options; i++) {
      fprintf(out, "--%s ", cli_verb[v]->option[i].name);
    }
    fputs("--help' ;;\n", out);
  }
  fputs("    *) return ;;\n  esac\n  case $verb:$previous in\n", out);
  each_option(bash_value, out);
  fputs(
      "    *) _rut_arguments \"$verb\" ;;\n  esac\n}\n\n"
      "# Options, or arguments, of a verb; sees the variables of _rut.\n"
      "_rut_arguments() {\n"
      "  if [[ $current == -* ]]; then\n"
      "    mapfile -t COMPREPLY < <(compgen -W \"$options\" -- \"$current\")\n"
      "    return\n  fi\n  case $1 in\n",
      out);
  for (int v = 0; v < cli_verbs; v++) bash_argument(cli_verb[v], out);
  fputs("  esac\n}\n\ncomplete -F _rut rut\n", out);
}

// ---- zsh ----

static void zsh_action(Meant meant, FILE* out) {
  switch (meant.kind) {
    case NOTHING:
      putc(' ', out);
      break;
    case ANY_FILE:
      fputs("_files", out);
      break;
    case FILE_OF:
      fprintf(out, "_files -g \"*.%s\"", meant.word);
      break;
    case FOLDER:
      fputs("_files -/", out);
      break;
    case VARIABLE:
      fputs("_parameters -g \"*export*\"", out);
      break;
    case LIST:
    case ELEMENT:
      fprintf(out, " _rut_words %s", meant.word);
      break;
  }
}

static void zsh_option(const cliOption* option, FILE* out) {
  const bool again = option->type == CLI_TEXTS;
  const char* attached = option->type == CLI_FACTOR ? "=-" : "";
  fputs("        '", out);
  if (again) {
    putc('*', out);
  } else if (option->letter) {
    fprintf(out, "(-%c --%s)", option->letter, option->name);
  }
  if (option->letter) {
    fprintf(out, "'{-%c,--%s%s}'", option->letter, option->name, attached);
  } else {
    fprintf(out, "--%s%s", option->name, attached);
  }
  putc('[', out);
  put_quoted(option->doc, "[]", false, out);
  putc(']', out);
  if (option->type != CLI_FLAG) {
    fprintf(out, "%s:%s:", option->type == CLI_FACTOR ? ":" : "", option->value);
    zsh_action(value_of(option), out);
  }
  fputs("' \\\n", out);
}

static void put_zsh(FILE* out) {
  fputs(
      "#compdef rut\n"
      "# Completion of the rut command for zsh, as 'rut doc --completion zsh' writes it. Install "
      "it "
      "as _rut in a\n# folder of $fpath.\n\n"
      "_rut_words() {  # ARGUMENTS...: the first word of each line that rut prints\n"
      "  local -aU found\n"
      "  found=(${(f)\"$(rut \"$@\" 2>/dev/null | awk -v doc=\"$1\" '{ print $1; if (doc == "
      "\"doc\") { "
      "sub(\"/.*\", \"\", $1); print $1 } }')\"})\n"
      "  compadd -a found\n}\n\n"
      "_rut() {\n  local -a verbs\n  if ((CURRENT == 2)); then\n    verbs=(\n",
      out);
  for (int v = 0; v < cli_verbs; v++) {
    fprintf(out, "      '%s:", cli_verb[v]->name);
    put_quoted(cli_verb[v]->summary, ":", false, out);
    fputs("'\n", out);
  }
  fputs(
      "    )\n    _describe verb verbs\n    return\n  fi\n"
      "  shift words\n  ((CURRENT--))\n  case $words[1] in\n",
      out);
  for (int v = 0; v < cli_verbs; v++) {
    const cliVerb* verb = cli_verb[v];
    fprintf(out, "    %s)\n      _arguments \\\n", verb->name);
    for (int i = 0; i < verb->options; i++) zsh_option(&verb->option[i], out);
    fputs("        '(-h --help)'{-h,--help}'[show this help]' \\\n", out);
    fputs(takes_signals(verb) ? "        ':argument:" : "        '*:argument:", out);
    zsh_action(argument_of(verb), out);
    if (takes_signals(verb)) {
      fputs("' \\\n        '*:signal: _rut_words log $words[2] --signals", out);
    }
    fputs("'\n      ;;\n", out);
  }
  fputs("  esac\n}\n\n_rut \"$@\"\n", out);
}

// ---- fish ----

static void fish_values(Meant meant, FILE* out) {
  switch (meant.kind) {
    case NOTHING:
      break;
    case ANY_FILE:
      fputs(" -F", out);
      break;
    case FILE_OF:
      fprintf(out, " -a '(__fish_complete_suffix .%s)'", meant.word);
      break;
    case FOLDER:
      fputs(" -a '(__fish_complete_directories)'", out);
      break;
    case VARIABLE:
      fputs(" -a '(set -xn)'", out);
      break;
    case LIST:
    case ELEMENT:
      fprintf(out, " -a '(__rut_words %s)'", meant.word);
      break;
  }
}

static void fish_option(const cliVerb* verb, const cliOption* option, FILE* out) {
  fprintf(out, "complete -c rut -n '__rut_verb %s' -l %s", verb->name, option->name);
  if (option->letter) fprintf(out, " -s %c", option->letter);
  fputs(" -d '", out);
  put_quoted(option->doc, "\\", true, out);
  putc('\'', out);
  if (option->type != CLI_FLAG && option->type != CLI_FACTOR) {
    const Meant meant = value_of(option);
    fputs(meant.kind == ANY_FILE ? " -r" : " -x", out);
    fish_values(meant, out);
  }
  putc('\n', out);
}

static void put_fish(FILE* out) {
  fputs(
      "# Completion of the rut command for fish, as 'rut doc --completion fish' writes it. Install "
      "it "
      "as\n# /usr/share/fish/vendor_completions.d/rut.fish.\n\n"
      "function __rut_verb\n"
      "    set -l words (commandline -opc)\n"
      "    test (count $words) -gt 1; and test $words[2] = $argv[1]\nend\n\n"
      "function __rut_words\n"
      "    rut $argv 2>/dev/null | awk -v doc=$argv[1] '{ print $1; if (doc == \"doc\") { "
      "sub(\"/.*\", \"\", $1); print $1 } }'\nend\n\n"
      "complete -c rut -f\n"
      "complete -c rut -n 'test (count (commandline -opc)) -eq 1' -l version -d 'print the "
      "version'\n"
      "complete -c rut -s h -l help -d 'show this help'\n",
      out);
  for (int v = 0; v < cli_verbs; v++) {
    fprintf(out, "complete -c rut -n 'test (count (commandline -opc)) -eq 1' -a %s -d '",
            cli_verb[v]->name);
    put_quoted(cli_verb[v]->summary, "\\", true, out);
    fputs("'\n", out);
  }
  each_option(fish_option, out);
  for (int v = 0; v < cli_verbs; v++) {
    const cliVerb* verb = cli_verb[v];
    fprintf(out, "complete -c rut -n '__rut_verb %s'", verb->name);
    fish_values(argument_of(verb), out);
    putc('\n', out);
    if (!takes_signals(verb)) continue;
    fprintf(out,
            "complete -c rut -n '__rut_verb %s; and test (count (commandline -opc)) -gt 2' "
            "-a '(__rut_words log (commandline -opc)[3] --signals)'\n",
            verb->name);
  }
}

bool cli_completion(const char* shell, FILE* out) {
  static const struct {
    const char* shell;
    void (*put)(FILE*);
  } known[] = {{"bash", put_bash}, {"zsh", put_zsh}, {"fish", put_fish}};
  for (int i = 0; i < CLI_COUNT(known); i++) {
    if (strcmp(shell, known[i].shell) != 0) continue;
    known[i].put(out);
    return true;
  }
  return false;
}
