// SPDX-License-Identifier: BSD-3-Clause
//
// What a file holds, told by its content (scene/content.h), and what a glTF names (scene/gltf.h).
// The samples are written after the standards: PNG (ISO 15948), JPEG (ITU T.81), GIF 89a, WebP (RFC
// 9649), glTF 2.0, OBJ and MTL (Advanced Visualizer manual, B1 and B2), STL, PLY (Turk 1994).
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "scene/content.h"
#include "scene/gltf.h"

#define BYTES(text) (const unsigned char*)(text), sizeof(text) - 1
#define ASSET       "\"asset\":{\"version\":\"2.0\"}"

static viewContent content(const char* text) {
  return view_content_of((const unsigned char*)text, strlen(text));
}

static void test_images(void** state) {
  (void)state;
  assert_int_equal(view_content_of(BYTES("\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\1")),
                   VIEW_CONTENT_PNG);
  assert_int_equal(view_content_of(BYTES("\xff\xd8\xff\xe0\0\x10JFIF")), VIEW_CONTENT_JPEG);
  assert_int_equal(view_content_of(BYTES("GIF89a\1\0\1\0")), VIEW_CONTENT_GIF);
  assert_int_equal(view_content_of(BYTES("RIFF\x1a\0\0\0WEBPVP8L\x0d\0\0\0")), VIEW_CONTENT_WEBP);
  assert_int_equal(view_content_of(BYTES("\x89PNG but not quite")), VIEW_CONTENT_OTHER);
  assert_int_equal(view_content_of(BYTES("RIFF\x1a\0\0\0WAVEfmt ")), VIEW_CONTENT_OTHER);
  assert_int_equal(view_content_of(BYTES("")), VIEW_CONTENT_OTHER);
  assert_true(view_content_is_image(VIEW_CONTENT_WEBP) && !view_content_is_mesh(VIEW_CONTENT_WEBP));
}

static void test_obj(void** state) {
  (void)state;
  assert_int_equal(content("# cube\r\nmtllib a b.mtl\r\no a\r\nv 0 0 0\r\nv -1 .5 1e-3 1\r\n"
                           "vt 0 1\nvn 0 0 1\nusemtl x\ns off\n\nf 1/1/1 2//1 3\n"),
                   VIEW_CONTENT_OBJ);
  assert_int_equal(content("v 0 0 0\nf 1 2 \\\n 3 4\n"), VIEW_CONTENT_OBJ);
  assert_int_equal(content("  v  0 0 0"), VIEW_CONTENT_OBJ);
  // something else in it, nothing in it, or something behind a line that goes on
  static const char* const others[] = {"v 0 0 0\nroot:x:0:0:root:/root:/bin/sh\n",
                                       "v secret 0 0\n",
                                       "# v 0 0 0\n",
                                       "f 1 2 3\n",
                                       "v 0 0 0\nf 1 2 \\\nsecret\n",
                                       "<html>v 0 0 0</html>",
                                       "v 0 0 0\n\x01\x02\n",
                                       "v\n"};
  for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
    assert_int_equal(content(others[i]), VIEW_CONTENT_OTHER);
  }
}

static void test_mtl(void** state) {
  (void)state;
  assert_int_equal(content("newmtl a\nKd 1 0 0\nmap_Kd -s 1 1 1 a b.png\nillum 2\n"),
                   VIEW_CONTENT_MTL);
  assert_int_equal(content("newmtl a\npassword = x\n"), VIEW_CONTENT_OTHER);
  assert_int_equal(content("Kd 1 0 0\n"), VIEW_CONTENT_OTHER);
}

static void test_stl(void** state) {
  (void)state;
  assert_int_equal(content("solid a b\n facet normal 0 0 1\n  outer loop\n   vertex 0 0 0\n"
                           "   vertex 1 0 0\n   vertex 0 1 0\n  endloop\n endfacet\nendsolid a\n"),
                   VIEW_CONTENT_STL);
  assert_int_equal(content("solid\nvertex 0 0 0\nsecret\n"), VIEW_CONTENT_OTHER);
  assert_int_equal(content("facet normal 0 0 1\nvertex 0 0 0\nsolid\n"), VIEW_CONTENT_OTHER);
  // 80 bytes, number of facets, 50 bytes each
  unsigned char binary[84 + 2 * 50] = "solid that is none";
  binary[80] = 2;
  assert_int_equal(view_content_of(binary, sizeof binary), VIEW_CONTENT_STL);
  assert_int_equal(view_content_of(binary, sizeof binary - 1), VIEW_CONTENT_OTHER);
  binary[83] = 0xff;
  assert_int_equal(view_content_of(binary, sizeof binary), VIEW_CONTENT_OTHER);
}

static void test_ply_and_collada(void** state) {
  (void)state;
  assert_int_equal(content("ply\nformat ascii 1.0\ncomment x\nelement vertex 1\nproperty float x\n"
                           "end_header\n0\n"),
                   VIEW_CONTENT_PLY);
  assert_int_equal(content("ply\nformat ascii 1.0\nsecret\nend_header\n"), VIEW_CONTENT_OTHER);
  assert_int_equal(content("ply\nformat ascii 1.0\n"), VIEW_CONTENT_OTHER);
  assert_int_equal(
      content("\xef\xbb\xbf<?xml version=\"1.0\"?>\n<!-- a -->\n<COLLADA xmlns=\"x\"/>"),
      VIEW_CONTENT_COLLADA);
  static const char* const others[] = {"<?xml version=\"1.0\"?><!DOCTYPE COLLADA><COLLADA >",
                                       "<html><COLLADA ></html>",
                                       "<COLLADAS >",
                                       "<!-- <COLLADA >",
                                       "<?xml",
                                       "COLLADA"};
  for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
    assert_int_equal(content(others[i]), VIEW_CONTENT_OTHER);
  }
  // browsers show XML as a page
  assert_string_equal(view_content_type(VIEW_CONTENT_COLLADA), "application/octet-stream");
}

// ---- glTF ----

static void test_gltf(void** state) {
  (void)state;
  assert_int_equal(
      content(" {" ASSET ", \"x\": [1, -2.5e3, true, false, null, \"\\\"}\", {}, []]}\n"),
      VIEW_CONTENT_GLTF);
  static const char* const others[] = {"{}",
                                       "{\"asset\":{}}",
                                       "{\"asset\":\"version\"}",
                                       "{\"a\":{" ASSET "}}",
                                       "[{" ASSET "}]",
                                       "{" ASSET,
                                       "{" ASSET "}}",
                                       "{" ASSET "} x",
                                       "{" ASSET ",}",
                                       "{" ASSET " \"a\":1}",
                                       "{" ASSET ",\"a\":1 2}",
                                       "{" ASSET ",\"a\":\"\n\"}",
                                       "{" ASSET ",\"a\":tru}",
                                       "{" ASSET ",\"a\":\"\\",
                                       "{" ASSET ",a:1}",
                                       "{" ASSET ",\"a\":1e}"};
  for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
    assert_int_equal(content(others[i]), VIEW_CONTENT_OTHER);
  }
}

// As deep as somebody likes: refused, and no deeper than the reader goes.
static void test_gltf_deep(void** state) {
  (void)state;
  enum { MANY = 1000000 };
  char* text = malloc(MANY + 64);
  assert_non_null(text);
  const int n = snprintf(text, 64, "{" ASSET ",\"a\":");
  memset(text + n, '[', MANY);
  assert_false(view_gltf_read(text, (size_t)n + MANY, NULL, NULL));
  free(text);
}

static void test_glb(void** state) {
  (void)state;
  static const char json[] = "{" ASSET "}";
  unsigned char file[64] = "glTF\2\0\0\0";
  const unsigned n = sizeof json - 1, size = 20 + n;
  file[8] = (unsigned char)size;
  file[12] = (unsigned char)n;
  memcpy(file + 16, "JSON", 4);
  memcpy(file + 20, json, n);
  assert_int_equal(view_content_of(file, size), VIEW_CONTENT_GLB);
  assert_int_equal(view_content_of(file, size - 1), VIEW_CONTENT_OTHER);
  // a chunk, and a file, of four gigabytes
  file[15] = 0xff;
  assert_int_equal(view_content_of(file, size), VIEW_CONTENT_OTHER);
  file[15] = 0;
  file[11] = 0xff;
  assert_int_equal(view_content_of(file, size), VIEW_CONTENT_OTHER);
  file[11] = 0;
  file[4] = 1;
  assert_int_equal(view_content_of(file, size), VIEW_CONTENT_OTHER);
}

typedef struct Parts {
  char text[400];
} Parts;

static void collect(const viewGltfPart* part, void* user) {
  Parts* parts = user;
  char one[100];
  snprintf(one, sizeof one, "%s %.*s %g;", part->buffer ? "buffer" : "image", (int)part->length,
           part->uri, isnan(part->bytes) ? -1 : part->bytes);
  strncat(parts->text, one, sizeof parts->text - strlen(parts->text) - 1);
}

static void test_gltf_parts(void** state) {
  (void)state;
  static const char text[] =
      "{" ASSET
      ",\"buffers\":[{\"byteLength\":36,\"uri\":\"a.bin\"},{\"uri\":\"b.bin\"},"
      "{\"byteLength\":9},{\"uri\":\"c\\u002fd\"}],"
      "\"images\":[{\"uri\":\"a.png\",\"extras\":{\"uri\":\"no\"}}],"
      "\"extras\":{\"buffers\":[{\"uri\":\"no\"}]},\"materials\":[{\"uri\":\"no\"}]}";
  Parts parts = {""};
  assert_true(view_gltf_read(text, sizeof text - 1, collect, &parts));
  assert_string_equal(parts.text, "buffer a.bin 36;buffer b.bin -1;image a.png -1;");
}

static void test_binary(void** state) {
  (void)state;
  const float numbers[] = {0, 1, -2.5f};
  assert_true(view_content_is_binary((const unsigned char*)numbers, sizeof numbers));
  assert_false(view_content_is_binary(BYTES("text\t\r\n\x1b[1m \xc3\xa4 \xe4")));
  assert_false(view_content_is_binary(BYTES("")));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_images), cmocka_unit_test(test_obj),
      cmocka_unit_test(test_mtl),    cmocka_unit_test(test_stl),
      cmocka_unit_test(test_gltf),   cmocka_unit_test(test_gltf_deep),
      cmocka_unit_test(test_glb),    cmocka_unit_test(test_gltf_parts),
      cmocka_unit_test(test_binary), cmocka_unit_test(test_ply_and_collada),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
