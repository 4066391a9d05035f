#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Help texts, and that man page and shell completion know the same verbs and options.
source "$(dirname "$0")/lib.bash"

run --help
check 'rut --help' code_is 0
help=$out
verbs=$(sed -n '/^Verbs:/,/^$/ s/^  \([a-z]*\) .*/\1/p' <<<"$help")
check 'twelve verbs' equal "$(wc -w <<<"$verbs")" 12
run --version
check 'rut --version' has "$out" 'rut 0.'
run
check 'without a verb the exit code is 2' code_is 2
check 'and the help is shown' has "$out" 'Verbs:'

man=$RUT_SOURCE_DIR/docs/man/rut.1
completion=$RUT_SOURCE_DIR/tools/rut.bash-completion
check 'completion is valid bash' bash -n "$completion"

# options that a text knows for a verb, sorted, one per line
man_options() {
  sed -n "/^\.SH ${1^^}\$/,/^\.SH /p" "$man" | grep -o '\\-\\-[a-z\\-]*' | tr -d '\\' |
    sed 's/^--//' | sort -u
}
completion_options() {
  # the first branch of that name holds the options
  awk -v verb="$1" '$1 == verb ")" { on = 1 } on { print } on && /;;/ { exit }' "$completion" |
    grep -o -- '--[a-z-]*' | sed 's/^--//' | sort -u
}
for verb in $verbs; do
  run "$verb" --help
  check "$verb --help" code_is 0
  check "$verb --help says how it is used" has "$out" "Usage: rut $verb"
  check "$verb --help has examples" has "$out" 'Examples:'
  check "$verb is in the completion" grep -q "words='.*\b$verb\b" "$completion"
  options=$(sed -n '/^Options:/,/^$/p' <<<"$out" | grep -o -- '--[a-z-]*' | sed 's/^--//' |
    grep -v '^help$' | sort -u)
  check "$verb: man page" equal "$(man_options "$verb")" "$options"
  check "$verb: completion" equal "$(completion_options "$verb")" "$options"
  run "$verb" -h
  check "$verb -h" code_is 0
done

if command -v man >/dev/null && command -v groff >/dev/null; then
  warnings=$(MANWIDTH=80 man --warnings -l -Tutf8 "$man" 2>&1 >/dev/null)
  check 'man page without warnings' equal "$warnings" ''
fi

# what the shell offers
complete_words() {
  (
    source "$completion"
    COMP_WORDS=("$@")
    COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
    cd "$scratch" && _rut 2>/dev/null
    echo "${COMPREPLY[*]}"
  )
}
check 'completes verbs' equal "$(complete_words "$RUT" va)" 'validate'
check 'completes options' equal "$(complete_words "$RUT" run --du)" '--duration'
check 'completes world files' has "$(complete_words "$RUT" run wor)" 'world.xml'
check 'completes component names' has "$(complete_words "$RUT" doc tyre/cou)" 'tyre/coulomb'
check 'completes cases' has "$(complete_words "$RUT" validate pend)" 'pendulum_period'
finish
