// SPDX-License-Identifier: BSD-3-Clause
// clang-format off
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "rut/component.h"

// ---- elements of our own ----

static const rutField gadget_rows[] = {
    {"mass", "kg", RUT_REAL, 1, 2.5, 0, 1000, "", 0, "mass"},
    {"count", "", RUT_INTEGER, 1, 3, -1000, 1000, "", 0, "count"},
    {"note", "", RUT_TEXT, 1, 0, 0, 0, "", 0, "note"},
    {"image", "file", RUT_TEXT, 1, 0, 0, 0, "", 0, "image"},
    {"outline", "m", RUT_POINTS, 0, 0, -1e9, 1e9, "", 0, "outline"},
};
static const rutComponent gadget = {
    RUT_HEAD(rutComponent, "gadget", "", "world gadget", "a thing", gadget_rows)};
static const rutField law_rows[] = {
    {"friction", "", RUT_REAL, 1, 0.8, 0, 10, "", 0, "friction"},
};
static const rutComponent law = {
    RUT_HEAD(rutComponent, "law", "smooth", "gadget", "a law", law_rows)};

static rutContext* context;
static rutSpec* spec;
static rutError err;
static char found[8192];  // all findings of a load, a line each, as the command prints them

static void note_finding(const rutDiagnostic* finding, void* user) {
  (void)user;
  const size_t used = strlen(found);
  snprintf(found + used, sizeof found - used, "%s:%d:%d: %s: %s%s%s\n", finding->file,
           finding->line, finding->column, finding->level == RUT_ERROR ? "error" : "warning",
           finding->message, finding->hint[0] ? "; " : "", finding->hint);
}

static int start(void** state) {
  (void)state;
  rutContextDef def = rut_default_context();
  def.report = note_finding;
  def.seed = 3;
  spec = NULL;
  return rut_context_create(&def, &context, &err) || rut_register(context, &gadget, &err) ||
         rut_register(context, &law, &err);
}

static int stop(void** state) {
  (void)state;
  rut_spec_destroy(spec);
  rut_context_destroy(context);
  return 0;
}

static rutStatus parse(const char* text) {
  rut_spec_destroy(spec);
  memset(&err, 0, sizeof err);
  found[0] = '\0';
  return rut_spec_parse(context, text, strlen(text), "w.xml", &spec, &err);
}

static void accept(const char* text) {
  if (parse(text) != RUT_OK) fail_msg("%s", found);
  assert_string_equal(found, "");
}

// A text that must be refused with exactly these lines.
static void refuse(const char* text, const char* lines) {
  assert_int_not_equal(parse(text), RUT_OK);
  assert_null(spec);
  assert_string_equal(found, lines);
  assert_int_not_equal(err.status, RUT_OK);
}

static double number(const char* path, const char* field) {
  const rutNode node = rut_spec_find(spec, path);
  if (rut_node_is_null(node)) fail_msg("there is no %s", path);
  return rut_node_number(spec, node, field);
}

static const char* text_of(const char* path, const char* field) {
  return rut_node_text(spec, rut_spec_find(spec, path), field);
}

static int children(const char* path) {
  int n = 0;
  rutNode node = rut_node_first(spec, rut_spec_find(spec, path), NULL);
  for (; !rut_node_is_null(node); node = rut_node_next(spec, node, NULL)) n++;
  return n;
}

static void write_file(const char* path, const char* text) {
  FILE* file = fopen(path, "wb");
  if (!file) fail_msg("%s", path);
  fputs(text, file);
  fclose(file);
}

// ---- nodes ----

static void test_nodes(void** state) {
  (void)state;
  accept(
      "<?xml version='1.0'?>\n<!-- a world -->\n"
      "<world name='demo' gravity='1 g' description='x'>\n"
      "  <gadget name='a' mass='500 g' note='&lt;x&gt;'>\n"
      "    <law type='smooth' friction='30 %'/>\n"
      "    <gadget/>\n"
      "  </gadget>\n"
      "  <gadget name='b' outline='0 0, 1 0, 1 1 ft'/>\n"
      "</world>\n");
  assert_string_equal(rut_node_name(spec, rut_spec_root(spec)), "demo");
  assert_true(number("", "gravity") == 9.80665);
  assert_true(number("a", "mass") == 0.5);
  assert_string_equal(text_of("a", "note"), "<x>");
  assert_true(number("a/law", "friction") == 0.3);
  assert_int_equal(children(""), 2);
  assert_int_equal(children("a"), 2);
  const rutPlace node = rut_node_place_of(spec, rut_spec_find(spec, "a"), NULL);
  assert_string_equal(node.file, "w.xml");
  assert_int_equal(node.line, 4);
  assert_int_equal(node.column, 3);
  const rutPlace field = rut_node_place_of(spec, rut_spec_find(spec, "a"), "mass");
  assert_int_equal(field.line, 4);
  assert_int_equal(field.column, 20);
}

static void test_value(void** state) {
  (void)state;
  accept(
      "<world><gadget name='a'>\n"
      "<value field='outline'> 0 0\n 1 0\n 1 1 </value>\n"
      "<value field='note' text=' ${not} expanded '/>\n"
      "</gadget><value field='name'>w</value></world>");
  int n;
  rut_node_numbers(spec, rut_spec_find(spec, "a"), "outline", &n);
  assert_int_equal(n, 6);
  assert_string_equal(text_of("a", "note"), " ${not} expanded ");
  assert_string_equal(rut_node_name(spec, rut_spec_root(spec)), "w");
  refuse(
      "<world><gadget><value/><value field='mas'>3</value>\n"
      "<value field='mass'>x</value><value field='mass'><a/></value>\n"
      "<value feld='mass'/></gadget></world>",
      "w.xml:1:16: error: <value> needs the attribute 'field'\n"
      "w.xml:1:24: error: <gadget> has no field 'mas'; did you mean 'mass'?\n"
      "w.xml:2:1: error: 'mass' must be a number in kg: 'x' is not a number\n"
      "w.xml:2:50: error: <value> holds text, no elements\n"
      "w.xml:3:8: error: <value> has no attribute 'feld'; did you mean 'field'?\n"
      "w.xml:3:1: error: <value> needs the attribute 'field'\n");
}

// ---- errors, all of them at once ----

static void test_errors(void** state) {
  (void)state;
  refuse(
      "<world>\n"
      "  <gaget/>\n"
      "  <gadget name='a' mas='1' mass='-1'\n"
      "     count='x'>\n"
      "    <masss>3</masss>\n"
      "    <mass>3</mass>\n"
      "    <law/> <law type='smoth'/>\n"
      "    text\n"
      "  </gadget>\n"
      "  <gadget name='a'/>\n"
      "  <law type='smooth'/>\n"
      "  <gadget law='smooth' note='${x}'/>\n"
      "  <inclde file='x'/>\n"
      "</world>\n",
      "w.xml:2:3: error: unknown element <gaget> in <world>; did you mean <gadget>?\n"
      "w.xml:3:20: error: <gadget name=\"a\"> has no field 'mas'; did you mean 'mass'?\n"
      "w.xml:3:28: error: 'mass' must be at least 0 kg, not -1 kg\n"
      "w.xml:4:6: error: 'count' must be a number: 'x' is not a number\n"
      "w.xml:3:3: error: unexpected text 'text'; values are attributes: name=\"value\"\n"
      "w.xml:5:5: error: unknown element <masss> in <gadget name=\"a\">; did you mean the "
      "attribute 'mass'?\n"
      "w.xml:6:5: error: unknown element <mass> in <gadget name=\"a\">; 'mass' is an attribute: "
      "write <gadget mass=\"...\">\n"
      "w.xml:7:5: error: <law> needs a type, one of: smooth\n"
      "w.xml:7:12: error: unknown type 'smoth' of <law>; did you mean 'smooth'?\n"
      "w.xml:10:3: error: there is another <gadget name=\"a\">, at w.xml:3:3\n"
      "w.xml:11:3: error: <law> cannot stand in <world>; it belongs in: gadget\n"
      "w.xml:12:11: error: <gadget> has no field 'law'; it is an element: write <law .../> inside\n"
      "w.xml:12:24: error: unknown variable ${x}\n"
      "w.xml:13:3: error: unknown element <inclde> in <world>; did you mean <include>?\n");
  assert_string_equal(err.file, "w.xml");
  assert_int_equal(err.line, 2);
  assert_int_equal(err.column, 3);
  assert_int_equal(err.status, RUT_ERR_PARSE);
}

static void test_not_a_world(void** state) {
  (void)state;
  const char* const texts[] = {
      "{}",
      "is a JSON file, not a world",
      "<wrld/>",
      "is not a world: its first element is <wrld>; a world of rut begins with <world>",
      "\x89PNG",
      "is an image (PNG), not a world",
      "<worlds/>",
      "is not a world: its first element is <worlds>",
      "<!-- <world> -->",
      "is not a world file that rut can read",
      "<",
      "is not a world file that rut can read",
  };
  for (int i = 0; i < RUT_COUNT_OF(texts); i += 2) {
    char begin[128];
    snprintf(begin, sizeof begin, "w.xml:1:1: error: this %s", texts[i + 1]);
    assert_int_equal(parse(texts[i]), RUT_ERR_PARSE);
    assert_non_null(strstr(found, begin));
  }
  refuse("", "w.xml:1:1: error: the file is empty\n");
  refuse("<world>\n  <gadget>\n</world>",
         "w.xml:3:9: error: not well-formed XML: Opening and ending tag mismatch: gadget line 2 "
         "and world\n");
  refuse("<!DOCTYPE w [<!ENTITY a 'b'>]><world/>",
         "w.xml:1:1: error: entity expansion and document types (<!DOCTYPE>) are not supported\n");
  refuse("<world type='x'/>", "w.xml:1:8: error: <world> has no types\n");
}

static void test_many_errors(void** state) {
  (void)state;
  char text[4096] = "<world>";
  for (int i = 0; i < 200; i++) strcat(text, "<xyzzy/>");
  strcat(text, "</world>");
  assert_int_not_equal(parse(text), RUT_OK);
  int lines = 0;
  for (const char* p = found; (p = strchr(p, '\n')); p++) lines++;
  assert_int_equal(lines, 51);
  assert_non_null(strstr(found, "too many errors; the rest of the file was not read"));
}

// ---- variables, loops, conditions ----

static void test_parameters(void** state) {
  (void)state;
  accept(
      "<world>\n"
      "<parameter name='m' value='3'/> <parameter name='n' value='$f{m * 2}'/>\n"
      "<gadget name='g${n}' mass='${m} kg' count='${n}' note='${nope|none}'/>\n"
      "</world>");
  assert_true(number("g6", "mass") == 3 && number("g6", "count") == 6);
  assert_string_equal(text_of("g6", "note"), "none");
  refuse(
      "<world><parameter name='a'/><parameter value='1'/><parameter name='a' value='1' x=''/>"
      "<parameter name='a' value='1'><gadget/></parameter></world>",
      "w.xml:1:8: error: <parameter> needs the attribute 'value'\n"
      "w.xml:1:29: error: <parameter> needs the attribute 'name'\n"
      "w.xml:1:81: error: <parameter> has no attribute 'x'\n"
      "w.xml:1:117: error: <parameter> holds no elements\n");
}

static void test_loops(void** state) {
  (void)state;
  accept(
      "<world><parameter name='n' value='2'/>"
      "<for var='i' from='1' to='${n}'><for var='j' from='-1' to='$f{i-1}'>"
      "<gadget name='g${i}_${j}' count='$f{10*i+j}'/></for><gadget name='end${i}'/></for>"
      "<for var='i' from='1' to='0'><gadget name='never'/></for></world>");
  assert_int_equal(children(""), 7);
  assert_true(number("g1_-1", "count") == 9 && number("g2_1", "count") == 21);
  // in document order: all of one round before the next
  const char* const order[] = {"g1_-1", "g1_0", "end1", "g2_-1", "g2_0", "g2_1", "end2"};
  rutNode node = rut_node_first(spec, rut_spec_root(spec), NULL);
  for (int i = 0; i < 7; i++, node = rut_node_next(spec, node, NULL)) {
    assert_string_equal(rut_node_name(spec, node), order[i]);
  }
  refuse(
      "<world><for var='i' from='1' to='2.5'/><for var='i' from='x' to='2'/><for from='1'/>\n"
      "<for var='i' from='1' to='1e99'/><for var='i' from='1' to='3' stp='1'/>\n"
      "<for var='i' from='1' to='9'><gadget mass='x'/></for></world>",
      "w.xml:1:30: error: 'to' of <for> must be a whole number, not '2.5'\n"
      "w.xml:1:53: error: 'from' of <for> must be a whole number, not 'x'\n"
      "w.xml:1:70: error: <for> needs the attribute 'var'\n"
      "w.xml:2:23: error: 'to' of <for> must be a whole number, not '1e99'\n"
      "w.xml:2:63: error: <for> has no attribute 'stp'\n"
      "w.xml:3:38: error: 'mass' must be a number in kg: 'x' is not a number\n");
}

static void test_conditions(void** state) {
  (void)state;
  accept(
      "<world><parameter name='n' value='3'/>"
      "<if condition='n > 2'><gadget name='a'/></if><if condition='${n} &lt; 2'><gadget "
      "name='b'/></if>"
      "<if condition=' true '><gadget name='c'/></if><if condition='no'><gadget name='d'/></if>"
      "<if condition='1'><gadget name='e'/></if><if condition='${x|0}'><gadget name='f'/></if>"
      "</world>");
  assert_int_equal(children(""), 3);
  number("a", "mass");
  number("c", "mass");
  number("e", "mass");
  refuse("<world><if condition='maybe'/><if/></world>",
         "w.xml:1:12: error: condition 'maybe': unknown variable 'maybe', at character 1\n"
         "w.xml:1:31: error: <if> needs the attribute 'condition'\n");
}

static void test_random(void** state) {
  (void)state;
  const char text[] = "<world><gadget name='a' mass='$f{rand()}'/></world>";
  accept(text);
  const double first = number("a", "mass");
  accept(text);
  assert_true(number("a", "mass") == first);
  assert_true(first > 0 && first < 1);
}

// ---- includes ----

static void test_include(void** state) {
  (void)state;
  mkdir("rut_test_inc", 0777);
  write_file("rut_test_inc/w.xml",
             "<world><parameter name='shared' value='9'/>\n"
             "<include file='parts/list.xml' n='4'/>\n"
             "<gadget name='host'><include file='parts/list.xml' prefix='in_'/></gadget></world>");
  mkdir("rut_test_inc/parts", 0777);
  write_file("rut_test_inc/parts/list.xml",
             "<?xml version='1.0'?>\n"
             "<parameter name='n' value='1'/><parameter name='prefix' value=''/>\n"
             "<gadget name='${prefix}x' count='${n}' mass='${shared}' image='map.png'/>\n"
             "<include file='one.xml'/>");
  write_file("rut_test_inc/parts/one.xml", "<gadget name='${prefix}y' count='${n}'/>");
  found[0] = '\0';
  if (rut_spec_load(context, "rut_test_inc/w.xml", &spec, &err) != RUT_OK) fail_msg("%s", found);
  assert_true(number("x", "count") == 4 && number("x", "mass") == 9);
  assert_true(number("y", "count") == 4);
  assert_true(number("host/in_x", "count") == 1 && number("host/in_y", "count") == 1);
  // names of files are seen from the file they stand in
  assert_string_equal(text_of("x", "image"), "rut_test_inc/parts/map.png");
  const rutPlace place = rut_node_place_of(spec, rut_spec_find(spec, "x"), "count");
  assert_string_equal(place.file, "rut_test_inc/parts/list.xml");
  assert_int_equal(place.line, 3);
  assert_int_equal(place.column, 27);
  remove("rut_test_inc/parts/one.xml");
  remove("rut_test_inc/parts/list.xml");
  rmdir("rut_test_inc/parts");
  remove("rut_test_inc/w.xml");
  rmdir("rut_test_inc");
}

static void test_include_errors(void** state) {
  (void)state;
  write_file("rut_test_a.xml", "<gadget/>\n <include file='rut_test_b.xml'/>");
  write_file("rut_test_b.xml", "<gadget>\n<include file='./rut_test_a.xml'/></gadget>");
  write_file("rut_test_c.xml", "<gadget");
  write_file("rut_test_d.xml", "<gadget mass='x'/>");
  write_file("rut_test_e.xml", "<world/>");
  refuse("<world><include file='rut_test_a.xml'/></world>",
         "rut_test_b.xml:2:1: error: file includes itself: rut_test_a.xml -> rut_test_b.xml -> "
         "rut_test_a.xml\n");
  refuse("<world>\n<include file='rut_test_none.xml'/></world>",
         "w.xml:2:10: error: 'rut_test_none.xml' cannot be read: No such file or directory\n");
  refuse("<world><include file='rut_test_d.xml'/></world>",
         "rut_test_d.xml:1:9: error: 'mass' must be a number in kg: 'x' is not a number\n");
  refuse("<world><include file='rut_test_e.xml'/></world>",
         "rut_test_e.xml:1:1: error: <world> cannot stand in <world>\n");
  refuse("<world><include/><include file=''/><include file='${x}'/></world>",
         "w.xml:1:8: error: <include> needs the attribute 'file'\n"
         "w.xml:1:27: error: '' cannot be read: No such file or directory\n"
         "w.xml:1:45: error: unknown variable ${x}\n");
  assert_int_not_equal(parse("<world><include file='rut_test_c.xml'/></world>"), RUT_OK);
  assert_ptr_equal(strstr(found, "rut_test_c.xml:1:"), found);
  // a faulty file is reported once, however often it is included
  assert_int_not_equal(parse("<world><include file='rut_test_c.xml'/><for var='i' from='1' to='9'>"
                             "<include file='rut_test_c.xml'/></for></world>"),
                       RUT_OK);
  assert_ptr_equal(strchr(found, '\n'), found + strlen(found) - 1);
  const char* const files[] = {"a", "b", "c", "d", "e"};
  for (int i = 0; i < 5; i++) {
    char name[32];
    snprintf(name, sizeof name, "rut_test_%s.xml", files[i]);
    remove(name);
  }
}

// A file that includes itself under ever new names; files nested in a long chain.
static void test_deep_includes(void** state) {
  (void)state;
  char name[32], text[64];
  for (int i = 0; i < 40; i++) {
    snprintf(name, sizeof name, "rut_test_%d.xml", i);
    snprintf(text, sizeof text, "<include file='rut_test_%d.xml'/>", i + 1);
    write_file(name, i < 39 ? text : "<gadget/>");
  }
  accept("<world><include file='rut_test_8.xml'/></world>");
  refuse("<world><include file='rut_test_0.xml'/></world>",
         "rut_test_31.xml:1:1: error: files include each other more than 32 deep\n");
  for (int i = 0; i < 40; i++) {
    snprintf(name, sizeof name, "rut_test_%d.xml", i);
    remove(name);
  }
}

// ---- small files that ask for too much ----

static void test_bombs(void** state) {
  (void)state;
  refuse(
      "<world><for var='i' from='1' to='1000'><for var='j' from='1' to='1000'>"
      "<for var='k' from='1' to='1000'/></for></for></world>",
      "w.xml:1:40: error: loops of this file run more than 2000000 times\n");
  assert_int_not_equal(parse("<world><for var='i' from='1' to='1999000'><a/></for></world>"),
                       RUT_OK);
  char text[20000] = "<world>";
  for (int i = 0; i < 100; i++) strcat(text, "<gadget><if condition='1'>");
  for (int i = 0; i < 100; i++) strcat(text, "</if></gadget>");
  strcat(text, "</world>");
  assert_int_not_equal(parse(text), RUT_OK);
  assert_non_null(strstr(found, "nested"));
  // doubles with each file
  char name[32], two[100];
  for (int i = 0; i < 30; i++) {
    snprintf(name, sizeof name, "rut_test_%d.xml", i);
    snprintf(two, sizeof two, "<include file='rut_test_%d.xml'/><include file='rut_test_%d.xml'/>",
             i + 1, i + 1);
    write_file(name, i < 29 ? two : "<if condition='0'/>");
  }
  assert_int_not_equal(parse("<world><include file='rut_test_0.xml'/></world>"), RUT_OK);
  assert_non_null(strstr(found, "take too long"));
  for (int i = 0; i < 30; i++) {
    snprintf(name, sizeof name, "rut_test_%d.xml", i);
    remove(name);
  }
}

int main(void) {
#define T(name) cmocka_unit_test_setup_teardown(name, start, stop)
  const struct CMUnitTest tests[] = {
      T(test_nodes),       T(test_value),      T(test_errors),         T(test_not_a_world),
      T(test_many_errors), T(test_parameters), T(test_loops),          T(test_conditions),
      T(test_random),      T(test_include),    T(test_include_errors), T(test_deep_includes),
      T(test_bombs),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
