// SPDX-License-Identifier: BSD-3-Clause
//
// Regular expressions of strangers: what libc says of short ones, and those that it has no memory
// or time for.
#include <regex.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "host/regular_expression.h"
#include "repetitions.h"

// Texts of up to three letters.
enum { TEXTS = 1 + 3 + 9 + 27 };
static char texts[TEXTS][4];

static void make_texts(void) {
  for (int i = 1; i < TEXTS; i++) {
    snprintf(texts[i], sizeof texts[i], "%s%c", texts[(i - 1) / 3], "ab-"[(i - 1) % 3]);
  }
}

// Returns whether libc takes the expression.
static bool agrees(const char* text) {
  regex_t theirs;
  rutRegularExpression ours;
  if (regcomp(&theirs, text, REG_EXTENDED | REG_NOSUB) != 0) return false;
  if (!rut_regular_compile(text, &ours)) fail_msg("'%s' is refused", text);
  for (int i = 0; i < TEXTS; i++) {
    const bool expected = regexec(&theirs, texts[i], 0, NULL, 0) == 0;
    if (rut_regular_matches(&ours, texts[i]) != expected) {
      fail_msg("'%s' and '%s': libc says %d", text, texts[i], expected);
    }
  }
  regfree(&theirs);
  return true;
}

static uint32_t below(uint32_t* state, uint32_t n) {
  *state = *state * 1664525u + 1013904223u;
  return (*state >> 8) % n;
}

// Groups are never closed where none was opened: what that means is left open by POSIX.
static void libc_agrees(void** state) {
  (void)state;
  static const char* const part[] = {
      "a", "b", "-", ".", "[ab]", "[^a]", "[b-]", "[a-b]", "|",     "^",  "$",
      "*", "+", "?", "(", "(",    ")",    "[]a]", "[^]b]", "[+-b]", "()", "[[:alpha:]]"};
  make_texts();
  uint32_t seed = 1;
  int taken = 0;
  for (int i = 0; i < repetitions(30000, 1000); i++) {
    char text[128] = "";
    int open = 0;
    for (uint32_t n = 1 + below(&seed, 9); n > 0; n--) {
      const char* next = part[below(&seed, sizeof part / sizeof part[0])];
      if (next[0] == ')' && open == 0) continue;
      open += (strcmp(next, "(") == 0) - (strcmp(next, ")") == 0);
      strcat(text, next);
    }
    while (open-- > 0) strcat(text, ")");
    taken += agrees(text);
  }
  assert_true(taken > repetitions(30000, 1000) / 4);
}

static void others_are_refused(void** state) {
  (void)state;
  static const char* const wrong[] = {
      "(",  "a)",   "[",    "[a",      "[^",    "[b-a]", "*",        "+a",        "a|?",     "(*a)",
      "^*", "a{2}", "a\\.", "[[.a.]]", "[[=a=", "[[:",   "[[:no:]]", "[a-[.b.]]", "[[:digit"};
  rutRegularExpression e;
  for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
    if (rut_regular_compile(wrong[i], &e)) fail_msg("'%s' is taken", wrong[i]);
  }
  char large[130];
  memset(large, 'a', 128);
  large[128] = '\0';
  assert_false(rut_regular_compile(large, &e));
}

// libc doubles its memory with each of these +, and triples its time with each of these groups. As
// many nodes as there may be.
static void hostile_ones_are_cheap(void** state) {
  (void)state;
  static const char* const repeated[] = {"+", "?", "*", "|", "(^|$)*", "(|)*"};
  char text[300], name[600];
  memset(name, 'a', sizeof name - 1);
  name[sizeof name - 1] = '\0';
  rutRegularExpression e;
  for (size_t k = 0; k < sizeof repeated / sizeof repeated[0]; k++) {
    snprintf(text, sizeof text, "%s", repeated[k][0] == '(' ? "" : "a");
    while (strlen(text) + strlen(repeated[k]) <= RUT_REGULAR_MOST) strcat(text, repeated[k]);
    assert_true(rut_regular_compile(text, &e));
    assert_true(e.nodes <= RUT_REGULAR_NODES);
    assert_true(rut_regular_matches(&e, name));
  }
  memset(text, '(', 42);
  text[42] = 'a';
  for (int i = 0; i < 42; i++) memcpy(text + 43 + 2 * (size_t)i, ")+", 3);
  assert_true(rut_regular_compile(text, &e));
  assert_true(rut_regular_matches(&e, name) && !rut_regular_matches(&e, "b"));
  // backtracking would take 2^100 steps
  assert_true(rut_regular_compile("^(a|a)*(a|a)*$", &e));
  name[100] = 'b';
  assert_false(rut_regular_matches(&e, name));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(libc_agrees),
      cmocka_unit_test(others_are_refused),
      cmocka_unit_test(hostile_ones_are_cheap),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
