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

#include "format/xml.h"

static rutReporter reporter;

static rutXml* parse(const char* text, bool wrap) {
  memset(&reporter, 0, sizeof reporter);
  rutXml* xml = NULL;
  const rutStatus status = rut_xml_parse(text, strlen(text), "a.xml", wrap, &reporter, &xml);
  if (status != RUT_OK)
    fail_msg("%d:%d: %s", reporter.first.line, reporter.first.column, reporter.first.message);
  return xml;
}

// A document that must be refused at a line and column with a message that contains a text.
static void refuse_bytes(const char* text, size_t size, bool wrap, int line, int column,
                         const char* message) {
  memset(&reporter, 0, sizeof reporter);
  rutXml* xml = NULL;
  const rutStatus status = rut_xml_parse(text, size, "a.xml", wrap, &reporter, &xml);
  assert_int_equal(status, RUT_ERR_PARSE);
  assert_null(xml);
  assert_int_equal(reporter.errors, 1);
  if (!strstr(reporter.first.message, message)) fail_msg("%s", reporter.first.message);
  assert_string_equal(reporter.first.file, "a.xml");
  assert_int_equal(reporter.first.line, line);
  if (column) assert_int_equal(reporter.first.column, column);
}

static void refuse(const char* text, int line, int column, const char* message) {
  refuse_bytes(text, strlen(text), false, line, column, message);
}

static void expect_place(const rutXmlElement* element, const char* name, int line, int column) {
  assert_string_equal(element->name, name);
  assert_int_equal(element->line, line);
  assert_int_equal(element->column, column);
}

static void test_places(void** state) {
  (void)state;
  rutXml* xml = parse(
      "\xef\xbb\xbf<?xml version=\"1.0\"?>\n"
      "<!-- <no a='1'> -->\n"
      "<world name=\"w\"\n"
      "   b = 'x &lt; \"y\"' >\n"
      "  text <a/><b:c d=\"e\"\tf='>'  >\r\n"
      "\t<deep/></b:c> more <![CDATA[<x y='z'>]]>\n"
      "  \xc3\xa9\xe2\x82\xac <last/>\n"
      "</world>\n",
      false);
  const rutXmlElement* world = rut_xml_root(xml);
  expect_place(world, "world", 3, 1);
  assert_null(world->parent);
  assert_int_equal(world->attributes, 2);
  assert_int_equal(world->attribute[0].line, 3);
  assert_int_equal(world->attribute[0].column, 8);
  assert_int_equal(world->attribute[1].line, 4);
  assert_int_equal(world->attribute[1].column, 4);
  assert_string_equal(rut_xml_attribute(world, "b")->value, "x < \"y\"");
  assert_null(rut_xml_attribute(world, "c"));
  assert_string_equal(world->text, "text  more <x y='z'>\n  \xc3\xa9\xe2\x82\xac");

  const rutXmlElement* a = world->first;
  expect_place(a, "a", 5, 8);
  assert_string_equal(a->text, "");
  const rutXmlElement* c = a->next;
  expect_place(c, "b:c", 5, 12);
  assert_ptr_equal(c->parent, world);
  assert_int_equal(c->attribute[1].column, 23);
  assert_string_equal(c->attribute[1].value, ">");
  expect_place(c->first, "deep", 6, 2);
  // columns count characters, not bytes
  expect_place(c->next, "last", 7, 6);
  assert_null(c->next->next);
  rut_xml_destroy(xml);
}

static void test_references(void** state) {
  (void)state;
  rutXml* xml = parse("<a b='&amp;&quot;&apos;&gt;&#65;&#x20ac;'>&lt;&amp;&#66;</a>", false);
  assert_string_equal(rut_xml_root(xml)->attribute[0].value, "&\"'>A\xe2\x82\xac");
  assert_string_equal(rut_xml_root(xml)->text, "<&B");
  rut_xml_destroy(xml);
}

// libxml2 itself stops counting lines at 65535.
static void test_long_file(void** state) {
  (void)state;
  enum { LINES = 70000 };
  char* text = malloc(LINES + 200);
  assert_non_null(text);
  strcpy(text, "<w>");
  memset(text + 3, '\n', LINES);
  strcpy(text + 3 + LINES, "  <a b='c'/></w>");
  rutXml* xml = parse(text, false);
  const rutXmlElement* a = rut_xml_root(xml)->first;
  expect_place(a, "a", LINES + 1, 3);
  assert_int_equal(a->attribute[0].line, LINES + 1);
  assert_int_equal(a->attribute[0].column, 6);
  rut_xml_destroy(xml);
  strcpy(text + 3 + LINES, "  <a b='c'></w>");
  refuse(text, LINES + 1, 0, "mismatch");
  free(text);
}

static void test_wrap(void** state) {
  (void)state;
  rutXml* xml = parse("<?xml version='1.0'?><a x='1'/>\n<!-- -->\n <b>t</b>", true);
  const rutXmlElement* root = rut_xml_root(xml);
  assert_string_equal(root->name, "");
  expect_place(root->first, "a", 1, 22);
  assert_int_equal(root->first->attribute[0].column, 25);
  expect_place(root->first->next, "b", 3, 2);
  rut_xml_destroy(xml);
  xml = parse("", true);
  assert_null(rut_xml_root(xml)->first);
  rut_xml_destroy(xml);
  const char* const breaking_out[] = {"</_><_>", "</_>", "<a></_>", "<_>", "</_><evil/>"};
  for (size_t i = 0; i < sizeof breaking_out / sizeof breaking_out[0]; i++) {
    refuse_bytes(breaking_out[i], strlen(breaking_out[i]), true, 1, 0, "not well-formed");
  }
}

static void test_entities(void** state) {
  (void)state;
  refuse("<?xml version='1.0'?>\n  <!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>", 2, 3,
         "entity expansion");
  refuse("<!DOCTYPE a SYSTEM 'http://example.com/a.dtd'><a/>", 1, 1, "not supported");
  refuse("<a><!ENTITY b 'c'></a>", 1, 4, "not supported");
  refuse("<a>&b;</a>", 1, 0, "'b' not defined");
  refuse("<a c='&b;'/>", 1, 0, "'b' not defined");
  const char text[] = "<!DOCTYPE a><a/>";
  refuse_bytes(text, sizeof text - 1, true, 1, 1, "not supported");
}

static void test_malformed(void** state) {
  (void)state;
  refuse("", 1, 1, "no XML element");
  refuse("just text", 1, 1, "does not begin with '<'");
  refuse("\n\n  root:x:0:0", 3, 3, "does not begin with '<'");
  refuse("<a>\n <b>\n</a>", 3, 0, "not well-formed XML: Opening and ending tag mismatch: b");
  refuse("<a>", 1, 0, "not well-formed");
  refuse("<a/><b/>", 1, 0, "not well-formed");
  refuse("<a b=c/>", 1, 0, "not well-formed");
  refuse("<a b='1' b='2'/>", 1, 0, "redefined");
  refuse("<a b='<'/>", 1, 0, "not well-formed");
  refuse("<a\n  b='1", 2, 0, "not well-formed");
  refuse("<a><!-- ", 1, 0, "not well-formed");
  refuse("<a><![CDATA[ ", 1, 0, "not well-formed");
  refuse("<a>\x01</a>", 1, 0, "not well-formed");
  refuse("<", 1, 0, "not well-formed");
  refuse("</a>", 1, 0, "no XML element");
  refuse("<a b", 1, 0, "not well-formed");
}

static void test_bytes(void** state) {
  (void)state;
  const char nul[] = "<a>\n  \0</a>";
  refuse_bytes(nul, sizeof nul - 1, false, 2, 3, "NUL");
  refuse("<a>\n\xff</a>", 2, 1, "0xff is not UTF-8");
  refuse("<a>\xc3</a>", 1, 4, "not UTF-8");          // cut short
  refuse("<a>\xc0\x80</a>", 1, 4, "not UTF-8");      // long form
  refuse("<a>\xed\xa0\x80</a>", 1, 4, "not UTF-8");  // surrogate
  refuse("<a>\xf4\x90\x80\x80</a>", 1, 4, "not UTF-8");
  // declares another encoding, but has none of its letters
  rut_xml_destroy(parse("<?xml version='1.0' encoding='ISO-8859-1'?><a/>", false));
  refuse("<?xml version='1.0' encoding='ISO-8859-1'?><a>\xe9</a>", 1, 47, "not UTF-8");
}

static char* nested(int depth) {
  char* text = malloc((size_t)depth * 7 + 1);
  assert_non_null(text);
  for (int i = 0; i < depth; i++) memcpy(text + 3 * i, "<a>", 3);
  for (int i = 0; i < depth; i++) memcpy(text + 3 * depth + 4 * i, "</a>", 4);
  text[7 * depth] = '\0';
  return text;
}

static void test_limits(void** state) {
  (void)state;
  char* text = nested(RUT_XML_MAX_DEPTH);
  rut_xml_destroy(parse(text, false));
  rut_xml_destroy(parse(text, true));
  free(text);
  text = nested(RUT_XML_MAX_DEPTH + 1);
  refuse(text, 1, 1 + 3 * RUT_XML_MAX_DEPTH, "nested");
  free(text);
  text = nested(100000);
  refuse(text, 1, 1 + 3 * RUT_XML_MAX_DEPTH, "nested");
  free(text);

  // very many attributes in one element
  enum { MANY = 200000 };
  text = malloc(16 * MANY + 16);
  assert_non_null(text);
  char* p = text + sprintf(text, "<a");
  for (int i = 0; i < MANY; i++) p += sprintf(p, " a%06d=''", i);
  strcpy(p, "/>");
  refuse(text, 1, 0, "too many attributes");

  // too many elements
  free(text);
  text = malloc((size_t)RUT_XML_MAX_ELEMENTS * 4 + 16);
  assert_non_null(text);
  memcpy(text, "<a>", 3);
  for (int i = 0; i < RUT_XML_MAX_ELEMENTS; i++) memcpy(text + 3 + 4 * i, "<a/>", 4);
  strcpy(text + 3 + 4 * RUT_XML_MAX_ELEMENTS, "</a>");
  refuse(text, 1, 0, "too many elements");
  free(text);

  text = calloc(1, (size_t)RUT_XML_MAX_SIZE + 1);
  assert_non_null(text);
  refuse_bytes(text, (size_t)RUT_XML_MAX_SIZE + 1, false, 1, 1, "larger than 64 MiB");
  free(text);
}

// Every way to cut a document short, and to break one byte of it, ends in an error or a tree.
static void test_damage(void** state) {
  (void)state;
  const char whole[] =
      "<?xml version='1.0'?><!-- c --><w a='&lt;' b=\"2\"><v x='1'>t<![CDATA[]]></v></w>";
  char text[sizeof whole];
  for (size_t n = 0; n < sizeof whole - 1; n++) {
    for (int wrap = 0; wrap < 2; wrap++) {
      rutXml* xml = NULL;
      memset(&reporter, 0, sizeof reporter);
      rut_xml_parse(whole, n, "a.xml", wrap, &reporter, &xml);
      rut_xml_destroy(xml);
    }
    for (int c = 0; c < 256; c += 5) {
      memcpy(text, whole, sizeof whole);
      text[n] = (char)c;
      rutXml* xml = NULL;
      memset(&reporter, 0, sizeof reporter);
      rut_xml_parse(text, sizeof whole - 1, "a.xml", n % 2, &reporter, &xml);
      assert_true((xml == NULL) == (reporter.errors > 0));
      rut_xml_destroy(xml);
    }
  }
}

static void test_read_file(void** state) {
  (void)state;
  FILE* file = fopen("rut_test_xml.txt", "wb");
  assert_non_null(file);
  fputs("hello", file);
  fclose(file);
  reporter = (rutReporter){.access = &rut_access_any};
  char* text;
  size_t size;
  const rutPlace place = {"b.xml", 3, 4};
  assert_int_equal(rut_read_file("rut_test_xml.txt", 5, &reporter, place, &text, &size), RUT_OK);
  assert_int_equal(size, 5);
  assert_string_equal(text, "hello");
  free(text);
  assert_int_equal(rut_read_file("rut_test_xml.txt", 4, &reporter, place, &text, &size),
                   RUT_ERR_IO);
  assert_null(text);
  assert_string_equal(reporter.first.message, "'rut_test_xml.txt' is larger than 4 bytes");
  assert_int_equal(reporter.first.line, 3);
  remove("rut_test_xml.txt");
  rut_reporter_reset(&reporter);
  assert_int_equal(rut_read_file("rut_test_xml.txt", 4, &reporter, place, &text, &size),
                   RUT_ERR_IO);
  assert_non_null(strstr(reporter.first.message, "No such file"));
  rut_reporter_reset(&reporter);
  assert_int_equal(rut_read_file(".", 4, &reporter, place, &text, &size), RUT_ERR_IO);
  assert_string_equal(reporter.first.message, "'.' is not a file");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_places),    cmocka_unit_test(test_references),
      cmocka_unit_test(test_long_file), cmocka_unit_test(test_wrap),
      cmocka_unit_test(test_entities),  cmocka_unit_test(test_malformed),
      cmocka_unit_test(test_bytes),     cmocka_unit_test(test_limits),
      cmocka_unit_test(test_damage),    cmocka_unit_test(test_read_file),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
