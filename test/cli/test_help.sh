#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Help texts, that the man page knows the same verbs and options, and completion in shells.
source "$(dirname "$0")/lib.bash"

run --help
check 'rut --help' code_is 0
help=$out
verbs=$(sed -n '/^Verbs:/,/^$/ s/^  \([a-z]*\) .*/\1/p' <<<"$help")
check 'twenty-four verbs' equal "$(wc -w <<<"$verbs")" 24
run --version
check 'rut --version' has "$out" 'rut 0.'
run
check 'without a verb the exit code is 2' code_is 2
check 'and the help is shown' has "$out" 'Verbs:'

man=$RUT_SOURCE_DIR/docs/man/rut.1
completion=$scratch/completion
for shell in bash zsh fish; do
  run doc --completion $shell
  check "completion for $shell" code_is 0
  echo "$out" >"$completion.$shell"
  if command -v $shell >/dev/null; then
    check "completion is valid $shell" $shell -n "$completion.$shell"
  fi
done
run doc --completion csh
check 'no completion for another shell' code_is 2

# options that a text knows for a verb, sorted, one per line
man_options() {
  sed -n "/^\.SH ${1^^}\$/,/^\.SH /p" "$man" | grep -o '\\-\\-[a-z0-9\\-]*' | tr -d '\\' |
    sed 's/^--//' | sort -u
}
# the branch of a verb holds its options
bash_options() {
  sed -n "s/^    $1) options='\(.*\)' ;;/\1/p" "$completion.bash" | tr ' ' '\n' | sed 's/^--//'
}
zsh_options() {
  sed -n "/^    $1)$/,/;;/p" "$completion.zsh" | sed -n "s/^        '[^[]*--\([a-z0-9-]*[a-z0-9]\).*/\1/p"
}
fish_options() {
  {
    echo help
    sed -n "s/^complete -c rut -n '__rut_verb $1' -l \([a-z0-9-]*\).*/\1/p" "$completion.fish"
  }
}
for verb in $verbs; do
  run "$verb" --help
  check "$verb --help" code_is 0
  check "$verb --help says how it is used" has "$out" "Usage: rut $verb"
  check "$verb --help has examples" has "$out" 'Examples:'
  check "$verb is in the completion" grep -q "words='.*\b$verb\b" "$completion.bash"
  options=$(sed -n '/^Options:/,/^$/p' <<<"$out" | grep -o -- '--[a-z0-9-]*' | sed 's/^--//' |
    grep -v '^help$' | sort -u)
  check "$verb: man page" equal "$(man_options "$verb")" "$options"
  for shell in bash zsh fish; do
    check "$verb: completion for $shell" equal "$("${shell}_options" "$verb" | sort -u)" \
      "$(printf '%s\nhelp\n' "$options" | sort -u)"
  done
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
    source "$completion.bash"
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
check 'completes logs' equal "$(touch "$scratch/a.mcap"; complete_words "$RUT" plot a)" 'a.mcap'
check 'completes no numbers' equal "$(complete_words "$RUT" run --duration '')" ''
if command -v fish >/dev/null; then
  ln -s "$(command -v "$RUT")" "$scratch/rut"
  offered() { (cd "$scratch" && PATH=$scratch:$PATH fish -c "source $completion.fish; complete -C '$1'" | cut -f 1); }
  check 'fish completes verbs' equal "$(offered 'rut va')" 'validate'
  check 'fish completes options' equal "$(offered 'rut run --du')" '--duration'
  check 'fish completes cases' equal "$(offered 'rut validate pend')" 'pendulum_period'
fi
finish
