// SPDX-License-Identifier: BSD-3-Clause
// clang-format off
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "rut/component.h"
#include "sim/spec/nodes.h"
#include "sim/spec/values.h"

// ---- elements of our own: the tests depend on no real one but <world> ----

static rutStatus check_gadget(const double* param, rutError* err) {
  if (param[0] <= 100) return RUT_OK;
  if (err) snprintf(err->message, sizeof err->message, "mass is above 100 kg");
  return RUT_ERR_MODEL;
}

static const rutField gadget_rows[] = {
    {"mass", "kg", RUT_REAL, 1, 2.5, 0, 1000, "", 0, "mass"},
    {"angle", "rad", RUT_REAL, 1, 0, -10, 10, "", 0, "angle"},
    {"count", "", RUT_INTEGER, 1, 3, 0, 10, "", 0, "count"},
    {"on", "", RUT_BOOLEAN, 1, 1, 0, 1, "", 0, "switch"},
    {"shape", "", RUT_CHOICE, 1, 1, 0, 0, "box|ball|cone", 0, "shape"},
    {"note", "", RUT_TEXT, 1, 0, 0, 0, "none", 0, "note"},
    {"image", "file", RUT_TEXT, 1, 0, 0, 0, "", 0, "image"},
    {"size", "m", RUT_VECTOR, 3, 0, -100, 100, "1 1 1", 0, "size"},
    {"path", "m", RUT_VECTOR, 0, 0, -1e9, 1e9, "", 0, "path"},
    {"pose", "m m rad", RUT_VECTOR, 3, 0, -1e9, 1e9, "1 2 3", RUT_FIELD_MIXED, "pose"},
    {"outline", "m", RUT_POINTS, 0, 0, -1e301, 1e301, "0 0, 1 0, 1 1", 0, "outline"},
    {"ratio", "1", RUT_REAL, 1, 0.5, 0, 1, "", 0, "ratio"},
    {"free", "", RUT_REAL, 1, (double)NAN, -1e9, 1e9, "", 0, "no default"},
};
static const rutComponent gadget = {
    RUT_HEAD(rutComponent, "gadget", "", "world box", "a thing", gadget_rows),
    .check = check_gadget};
static const rutField box_rows[] = {
    {"label", "", RUT_TEXT, 1, 0, 0, 0, "", RUT_FIELD_REQUIRED, "what it is called"},
};
static const rutComponent box = {
    RUT_HEAD(rutComponent, "box", "", "world box", "holds gadgets", box_rows)};
static const rutField law_rows[] = {
    {"friction", "", RUT_REAL, 1, 0.8, 0, 10, "", 0, "friction"},
};
static const rutComponent smooth = {
    RUT_HEAD(rutComponent, "law", "smooth", "gadget", "a law", law_rows)};
static const rutComponent rough = {
    RUT_HEAD(rutComponent, "law", "rough", "gadget", "another law", law_rows)};

static rutContext* context;
static rutSpec* spec;
static rutError err;

static int start(void** state) {
  (void)state;
  memset(&err, 0, sizeof err);
  if (rut_context_create(NULL, &context, &err) != RUT_OK) {
    print_message("%s\n", err.message);
    return 1;
  }
  if (rut_register(context, &gadget, &err) || rut_register(context, &box, &err) ||
      rut_register(context, &smooth, &err) || rut_register(context, &rough, &err)) {
    print_message("%s\n", err.message);
    return 1;
  }
  return rut_spec_create(context, &spec, &err) != RUT_OK;
}

static int stop(void** state) {
  (void)state;
  rut_spec_destroy(spec);
  rut_context_destroy(context);
  return 0;
}

static rutNode add(rutNode parent, const char* kind, const char* type, const char* name) {
  const rutNode node = rut_spec_add(spec, parent, kind, type, name, &err);
  if (rut_node_is_null(node)) fail_msg("%s", err.message);
  return node;
}

static rutNode add_gadget(const char* name) { return add(rut_spec_root(spec), "gadget", "", name); }

static void set(rutNode node, const char* field, const char* text) {
  if (rut_node_set(spec, node, field, text, &err) != RUT_OK) fail_msg("%s", err.message);
}

static void refuse_set(rutNode node, const char* field, const char* text, const char* message) {
  memset(&err, 0, sizeof err);
  assert_int_not_equal(rut_node_set(spec, node, field, text, &err), RUT_OK);
  assert_int_not_equal(err.status, RUT_OK);
  assert_string_equal(err.message, message);
  assert_int_not_equal(rut_node_set(spec, node, field, text, NULL), RUT_OK);
}

static void expect_numbers(rutNode node, const char* field, int n, const double* expected) {
  int count;
  const double* value = rut_node_numbers(spec, node, field, &count);
  assert_int_equal(count, n);
  for (int i = 0; i < n; i++) {
    if (fabs(value[i] - expected[i]) > 1e-15) fail_msg("%s[%d] is %.17g", field, i, value[i]);
  }
}
#define EXPECT(node, field, ...) \
  expect_numbers(node, field, RUT_COUNT_OF(((double[]){__VA_ARGS__})), (double[]){__VA_ARGS__})

// ---- context ----

static void test_context(void** state) {
  (void)state;
  rutContextDef def = rut_default_context();
  rutContext* other = NULL;
  def.struct_size--;
  assert_int_equal(rut_context_create(&def, &other, &err), RUT_ERR_VERSION);
  assert_null(other);
  def = rut_default_context();
  def.alloc = NULL;
  assert_int_equal(rut_context_create(&def, &other, NULL), RUT_ERR_ARGUMENT);
  rut_context_destroy(NULL);
  assert_int_equal(rut_version(), RUT_VERSION);
  assert_string_equal(rut_status_text(RUT_ERR_MEMORY), "out of memory");
  assert_string_equal(rut_status_text((rutStatus)-99), "unknown status");
  assert_true(rut_component_count(context) > 4);
  assert_ptr_equal(rut_component_at(context, rut_component_count(context) - 1), &rough);
  assert_null(rut_component_at(context, -1));
  assert_null(rut_component_at(context, 100000));
}

typedef struct Budget {
  int left, live;
} Budget;

static void* scarce_alloc(size_t size, size_t align, void* user) {
  Budget* budget = user;
  (void)align;
  if (budget->left == 0) return NULL;
  budget->left--;
  budget->live++;
  return malloc(size);
}

static void scarce_free(void* ptr, void* user) {
  ((Budget*)user)->live--;
  free(ptr);
}

// Whatever allocation fails, all memory comes back and the status says so.
static void test_out_of_memory(void** state) {
  (void)state;
  const char text[] = "<world name='w'><gadget name='a' size='1 2 3' note='x'/></world>";
  for (int limit = 0; limit < 2000; limit++) {
    Budget budget = {limit, 0};
    rutContextDef def = rut_default_context();
    def.alloc = scarce_alloc;
    def.free = scarce_free;
    def.user = &budget;
    rutContext* poor;
    rutStatus status = rut_context_create(&def, &poor, &err);
    if (status == RUT_OK) status = rut_register(poor, &gadget, &err);
    rutSpec* made = NULL;
    if (status == RUT_OK) status = rut_spec_parse(poor, text, strlen(text), "m.xml", &made, &err);
    if (status == RUT_OK) {
      rut_spec_remove(made, rut_spec_find(made, "a"));
      rut_spec_destroy(made);
      rut_context_destroy(poor);
      assert_int_equal(budget.live, 0);
      return;
    }
    assert_int_equal(status, RUT_ERR_MEMORY);
    assert_int_equal(err.status, RUT_ERR_MEMORY);
    rut_context_destroy(poor);
    assert_int_equal(budget.live, 0);
  }
  fail_msg("no limit was enough");
}

static void refuse_register(rutComponent type, const char* message) {
  assert_int_not_equal(rut_register(context, &type, &err), RUT_OK);
  if (!strstr(err.message, message)) fail_msg("%s", err.message);
}

static void test_register(void** state) {
  (void)state;
  assert_int_equal(rut_register(context, &gadget, &err), RUT_ERR_ARGUMENT);
  assert_string_equal(err.message, "gadget '' is registered already");
  rutComponent type = box;
  type.kind = "crate";
  type.abi = 99;
  refuse_register(type, "ABI 99");
  type.abi = RUT_ABI;
  type.struct_size--;
  refuse_register(type, "bytes");
  type = smooth;
  type.kind = "tyre";
  refuse_register(type, "bytes");
  type = box;
  type.kind = "include";
  refuse_register(type, "cannot be the kind");
  type.kind = "a b";
  refuse_register(type, "cannot be the kind");
  type = smooth;
  type.name = "1";
  refuse_register(type, "cannot be the name");

  const struct {
    rutField row;
    const char* message;
  } cases[] = {
      {{"type", "", RUT_REAL, 1, 0, 0, 0, "", 0, ""}, "has a reserved name"},
      {{"a-b", "", RUT_REAL, 1, 0, 0, 0, "", 0, ""}, "has no proper name"},
      {{"a", "metres", RUT_REAL, 1, 0, 0, 0, "", 0, ""}, "has a bad unit"},
      {{"a", "", RUT_CHOICE, 1, 2, 0, 0, "x|y", 0, ""}, "none of its words"},
      {{"a", "m", RUT_VECTOR, 2, 0, 0, 0, "1 2 3", 0, ""}, "must have 2 numbers, not 3"},
      {{"a", "m", RUT_POINTS, 0, 0, 0, 0, "1 2 x", 0, ""}, "unknown unit 'x'"},
      {{"a", "m", RUT_POINTS, 0, 0, 0, 0, NULL, 0, ""}, "null text"},
  };
  for (int i = 0; i < RUT_COUNT_OF(cases); i++) {
    type = box;
    type.kind = "crate";
    type.field = &cases[i].row;
    refuse_register(type, cases[i].message);
  }
}

// ---- tree ----

static bool same_node(rutNode a, rutNode b) {
  return a.index == b.index && a.generation == b.generation;
}

// Number of nodes under a node, itself included.
static int size_of_tree(rutNode node) {
  int size = 1;
  rutNode child = rut_node_first(spec, node, NULL);
  for (; !rut_node_is_null(child); child = rut_node_next(spec, child, NULL)) {
    size += size_of_tree(child);
  }
  return size;
}

static void test_tree(void** state) {
  (void)state;
  const rutNode root = rut_spec_root(spec), null = {0, 0};
  assert_string_equal(rut_node_kind(spec, root), "world");
  const rutNode a = add_gadget("a"), b = add(root, "box", "", ""), c = add_gadget("");
  const rutNode law = add(a, "law", "smooth", "");
  assert_int_equal(size_of_tree(rut_spec_root(spec)), 5);
  assert_true(same_node(rut_node_first(spec, root, NULL), a));
  assert_true(same_node(rut_node_next(spec, a, NULL), b));
  assert_true(same_node(rut_node_next(spec, a, "gadget"), c));
  assert_true(rut_node_is_null(rut_node_next(spec, c, NULL)));
  assert_true(same_node(rut_node_parent(spec, law), a));
  assert_int_equal(rut_node_count(spec, root, "gadget"), 2);
  assert_int_equal(rut_node_count(spec, root, NULL), 3);
  assert_string_equal(rut_node_type(spec, law), "smooth");
  assert_string_equal(rut_node_name(spec, a), "a");
  assert_ptr_equal(rut_node_component(spec, law), &smooth);

  // a removed node's handle stays dead even when its slot is used again
  rut_spec_remove(spec, a);
  assert_int_equal(size_of_tree(rut_spec_root(spec)), 3);
  assert_string_equal(rut_node_kind(spec, a), "");
  assert_string_equal(rut_node_kind(spec, law), "");
  const rutNode d = add_gadget("a"), e = add_gadget("e");
  assert_string_equal(rut_node_kind(spec, a), "");
  assert_true(rut_node_is_null(rut_node_first(spec, a, NULL)));
  assert_int_equal(rut_node_set(spec, a, "mass", "1", &err), RUT_ERR_ARGUMENT);
  assert_true(rut_node_is_null(rut_spec_add(spec, a, "law", "smooth", "", &err)));
  assert_true(isnan(rut_node_number(spec, a, "mass")));
  assert_true(rut_node_is_null(rut_spec_add(spec, null, "gadget", "", "", &err)));
  rut_spec_remove(spec, a);
  rut_spec_remove(spec, null);
  rut_spec_remove(spec, root);
  assert_int_equal(size_of_tree(rut_spec_root(spec)), 5);
  assert_true(same_node(rut_node_first(spec, root, NULL), b));
  assert_true(same_node(rut_node_next(spec, c, NULL), d));
  // from the middle and from the end
  rut_spec_remove(spec, c);
  rut_spec_remove(spec, e);
  assert_true(same_node(rut_node_next(spec, b, NULL), d));
  assert_true(rut_node_is_null(rut_node_next(spec, d, NULL)));
}

static void refuse_add(rutNode parent, const char* kind, const char* type, const char* name,
                       const char* message) {
  memset(&err, 0, sizeof err);
  assert_true(rut_node_is_null(rut_spec_add(spec, parent, kind, type, name, &err)));
  assert_int_not_equal(err.status, RUT_OK);
  assert_string_equal(err.message, message);
}

static void test_refused_nodes(void** state) {
  (void)state;
  const rutNode root = rut_spec_root(spec), a = add_gadget("a");
  refuse_add(root, "gaget", "", "", "unknown element <gaget> in <world>; did you mean <gadget>?");
  refuse_add(root, "xyzzy", "", "", "unknown element <xyzzy> in <world>");
  refuse_add(a, "mass", "", "",
             "unknown element <mass> in <gadget name=\"a\">; 'mass' is an attribute: write "
             "<gadget mass=\"...\">");
  refuse_add(root, "law", "smooth", "", "<law> cannot stand in <world>; it belongs in: gadget");
  refuse_add(a, "law", "", "", "<law> needs a type, one of: smooth, rough");
  refuse_add(a, "law", "smoth", "", "unknown type 'smoth' of <law>; did you mean 'smooth'?");
  refuse_add(a, "law", "xyzzy", "",
             "unknown type 'xyzzy' of <law>; it must be one of: smooth, rough");
  refuse_add(root, "gadget", "big", "", "<gadget> has no types: leave type=\"big\" out");
  refuse_add(root, "gadget", "", "a", "there is another <gadget name=\"a\">");
  refuse_add(root, "gadget", "", "b\n", "name of <gadget> has a control character");
  refuse_add(root, "world", "", "", "<world> cannot stand in <world>");
  add(root, "box", "", "a");  // a name may be used by another kind
  const rutPlace place = {"f.xml", 4, 2};
  rut_node_place(spec, a, NULL, place);
  refuse_add(root, "gadget", "", "a", "there is another <gadget name=\"a\">, at f.xml:4:2");
  refuse_add(a, "mas", "", "",
             "unknown element <mas> in <gadget name=\"a\">; did you mean the attribute 'mass'?");
  assert_string_equal(err.file, "f.xml");
  assert_int_equal(err.line, 4);
  assert_string_equal(err.element, "<gadget name=\"a\">");
}

static void test_depth(void** state) {
  (void)state;
  rutNode node = rut_spec_root(spec);
  int depth = 0;
  for (;; depth++) {
    const rutNode next = rut_spec_add(spec, node, "box", "", "", &err);
    if (rut_node_is_null(next)) break;
    node = next;
    assert_true(depth < 1000);
  }
  assert_int_equal(err.status, RUT_ERR_CAPACITY);
  assert_true(depth > 60);
  rut_spec_remove(spec, rut_node_first(spec, rut_spec_root(spec), NULL));
  assert_int_equal(size_of_tree(rut_spec_root(spec)), 1);
}

static void test_names(void** state) {
  (void)state;
  char name[32];
  for (int i = 0; i < 3000; i++) {
    snprintf(name, sizeof name, "g%d", i);
    add_gadget(name);
  }
  for (int i = 0; i < 3000; i += 2) {
    snprintf(name, sizeof name, "g%d", i);
    rut_spec_remove(spec, rut_spec_find(spec, name));
  }
  for (int i = 0; i < 3000; i++) {
    snprintf(name, sizeof name, "g%d", i);
    const rutNode node = rut_spec_add(spec, rut_spec_root(spec), "gadget", "", name, &err);
    assert_true(rut_node_is_null(node) == (i % 2 == 1));
  }
  const rutNode one = rut_spec_find(spec, "g1");
  set(one, "name", "first");
  assert_string_equal(rut_node_text(spec, one, "name"), "first");
  assert_true(same_node(rut_spec_find(spec, "first"), one));
  assert_true(rut_node_is_null(rut_spec_find(spec, "g1")));
  refuse_set(one, "name", "g3", "there is another <gadget name=\"g3\">");
  add_gadget("g1");
  set(one, "name", "first");
  set(one, "name", "");
  add_gadget("first");
  set(rut_spec_root(spec), "name", "earth");
  assert_string_equal(rut_node_name(spec, rut_spec_root(spec)), "earth");
}

// Siblings of different kinds may share a name, and a name may begin another: of those that fit,
// the longest counts, then the first in the order of the file.
static void test_alike(void** state) {
  (void)state;
  const rutNode root = rut_spec_root(spec), twin = add_gadget("twin");
  const rutNode box_of_it = add(root, "box", "", "twin"), last = add(root, "box", "", "last");
  const rutNode other = add_gadget("last"), whole = add(root, "box", "", "twin/in");
  const rutNode in = add(box_of_it, "gadget", "", "in");
  assert_true(same_node(rut_spec_find(spec, "twin"), twin));
  assert_true(same_node(rut_spec_find(spec, "last"), last));
  assert_true(same_node(rut_spec_find(spec, "twin/in"), whole));
  rut_spec_remove(spec, whole);
  rut_spec_remove(spec, twin);
  rut_spec_remove(spec, last);
  assert_true(same_node(rut_spec_find(spec, "twin"), box_of_it));
  assert_true(same_node(rut_spec_find(spec, "twin/in"), in));
  assert_true(same_node(rut_spec_find(spec, "last"), other));
  assert_true(rut_node_is_null(rut_spec_find(spec, "twi")));
}

static void test_paths(void** state) {
  (void)state;
  const rutNode root = rut_spec_root(spec), a = add_gadget("a"), law = add(a, "law", "rough", "");
  const rutNode b = add(root, "box", "", "b/c"), d = add(b, "gadget", "", ""),
                e = add(b, "gadget", "", "e.f");
  const struct {
    const char* path;
    rutNode node;
  } good[] = {{"", root},           {"/", root},          {"a", a},          {"/a", a},
              {"gadget[0]", a},     {"a/law", law},       {"a/law[0]", law}, {"b/c", b},
              {"b/c/gadget[0]", d}, {"b/c/gadget[1]", e}, {"b/c/e.f", e},    {"box/e.f", e},
              {"box", b},           {"gadget", a},        {"world", root}};
  for (int i = 0; i < RUT_COUNT_OF(good); i++) {
    if (!same_node(rut_spec_find(spec, good[i].path), good[i].node)) {
      fail_msg("%s", good[i].path);
    }
  }
  const char* const bad[] = {
      "x",          "a/x",        "gadget[1]", "gadget[-1]",          "gadget[", "gadget[]",
      "gadget[0]x", "b/c/gadget", "a/law/x",   "gadget[99999999999]", "[0]",     "b"};
  for (int i = 0; i < RUT_COUNT_OF(bad); i++) {
    if (!rut_node_is_null(rut_spec_find(spec, bad[i]))) fail_msg("%s", bad[i]);
  }
  assert_int_equal(rut_spec_set(spec, "a/law.friction", "0.3", &err), RUT_OK);
  assert_true(rut_node_number(spec, law, "friction") == 0.3);
  assert_int_equal(rut_spec_set(spec, "b/c/e.f.mass", "2 t", &err), RUT_ERR_PARSE);
  assert_int_equal(rut_spec_set(spec, "b/c/e.f.mass", "0.2 t", &err), RUT_OK);
  assert_true(rut_node_number(spec, e, "mass") == 200);
  assert_int_equal(rut_spec_set(spec, "b/x.mass", "1", &err), RUT_ERR_ARGUMENT);
  assert_int_equal(rut_spec_set(spec, "a/lwa.friction", "1", &err), RUT_ERR_ARGUMENT);
  assert_string_equal(err.message, "there is no 'lwa' in <gadget name=\"a\">; did you mean 'law'?");
  assert_int_equal(rut_spec_set(spec, "a/law", "1", &err), RUT_ERR_ARGUMENT);
  assert_int_equal(rut_spec_set(spec, "a/law.frction", "1", &err), RUT_ERR_PARSE);
  assert_string_equal(err.message,
                      "<law type=\"rough\"> has no field 'frction'; did you mean 'friction'?");
}

// ---- fields ----

static void test_defaults(void** state) {
  (void)state;
  const rutNode a = add_gadget("a");
  assert_false(rut_node_has(spec, a, "mass"));
  assert_true(rut_node_number(spec, a, "mass") == 2.5);
  assert_true(rut_node_number(spec, a, "count") == 3);
  assert_true(rut_node_number(spec, a, "shape") == 1);
  assert_true(isnan(rut_node_number(spec, a, "free")));
  assert_true(isnan(rut_node_number(spec, a, "nothing")));
  assert_true(isnan(rut_node_number(spec, a, "note")));
  assert_string_equal(rut_node_text(spec, a, "shape"), "ball");
  assert_string_equal(rut_node_text(spec, a, "note"), "none");
  assert_string_equal(rut_node_text(spec, a, "mass"), "");
  assert_string_equal(rut_node_text(spec, a, "nothing"), "");
  EXPECT(a, "size", 1, 1, 1);
  EXPECT(a, "outline", 0, 0, 1, 0, 1, 1);
  EXPECT(a, "mass", 2.5);
  int n = -1;
  assert_null(rut_node_numbers(spec, a, "path", &n));
  assert_int_equal(n, 0);
  n = -1;
  rut_node_numbers(spec, a, "nothing", &n);
  assert_int_equal(n, 0);
}

static void test_set(void** state) {
  (void)state;
  const rutNode a = add_gadget("a");
  set(a, "mass", "500 g");
  assert_true(rut_node_has(spec, a, "mass"));
  assert_true(rut_node_number(spec, a, "mass") == 0.5);
  set(a, "angle", " 180 deg ");
  assert_true(rut_node_number(spec, a, "angle") == 3.14159265358979323846);
  set(a, "count", "7");
  assert_true(rut_node_number(spec, a, "count") == 7);
  set(a, "on", " No ");
  assert_true(rut_node_number(spec, a, "on") == 0);
  set(a, "on", "TRUE");
  assert_true(rut_node_number(spec, a, "on") == 1);
  set(a, "shape", "cone");
  assert_true(rut_node_number(spec, a, "shape") == 2);
  assert_string_equal(rut_node_text(spec, a, "shape"), "cone");
  set(a, "note", " two words ");
  assert_string_equal(rut_node_text(spec, a, "note"), " two words ");
  set(a, "ratio", "30 %");
  assert_true(rut_node_number(spec, a, "ratio") == 0.3);
  set(a, "size", "1 2 3");
  EXPECT(a, "size", 1, 2, 3);
  set(a, "size", "1, 2,3 cm");
  EXPECT(a, "size", 0.01, 0.02, 0.03);
  set(a, "size", "1 m 20 cm 300 mm");
  EXPECT(a, "size", 1, 0.2, 0.3);
  set(a, "pose", "1 2 180 deg");
  EXPECT(a, "pose", 1, 2, 3.14159265358979323846);
  set(a, "pose", "10 20 cm 1");
  EXPECT(a, "pose", 0.1, 0.2, 1);
  set(a, "path", "");
  assert_true(rut_node_has(spec, a, "path"));
}

static void test_set_points(void** state) {
  (void)state;
  const rutNode a = add_gadget("a");
  set(a, "outline", "0 0; 2 0; 2 1 ft");
  EXPECT(a, "outline", 0, 0, 0.6096, 0, 0.6096, 0.3048);
  const double values[] = {1, 2, 3, 4};
  assert_int_equal(rut_node_set_numbers(spec, a, "outline", 4, values, &err), RUT_OK);
  EXPECT(a, "outline", 1, 2, 3, 4);
  assert_int_equal(rut_node_set_number(spec, a, "mass", 4, &err), RUT_OK);
  assert_int_equal(rut_node_set_number(spec, a, "shape", 2, &err), RUT_OK);
  assert_string_equal(rut_node_text(spec, a, "shape"), "cone");
}

static void test_refused_values(void** state) {
  (void)state;
  const rutNode a = add_gadget("a");
  set(a, "mass", "7");
  const struct {
    const char *field, *text, *message;
  } cases[] = {
      {"mas", "1", "<gadget name=\"a\"> has no field 'mas'; did you mean 'mass'?"},
      {"xyzzy", "1", "<gadget name=\"a\"> has no field 'xyzzy'"},
      {"law", "1",
       "<gadget name=\"a\"> has no field 'law'; it is an element: write <law .../> inside"},
      {"mass", "-1", "'mass' must be at least 0 kg, not -1 kg"},
      {"mass", "2 t", "'mass' must be at most 1000 kg, not 2000 kg"},
      {"mass", "2 m", "'mass' must be a number in kg: unit 'm' does not fit; this is in kg"},
      {"mass", "heavy", "'mass' must be a number in kg: 'heavy' is not a number"},
      {"mass", "", "'mass' must be a number in kg: a number is missing"},
      {"mass", "1 2", "'mass' must be one number: unexpected '2'"},
      {"mass", "1e999", "'mass' must be a number in kg: '1e999' is too large"},
      {"count", "1.5", "'count' must be a whole number, not 1.5"},
      {"count", "11", "'count' must be at most 10, not 11"},
      {"count", "3 m", "'count' must be a number: unit 'm' does not fit; this is a pure number"},
      {"on", "maybe", "'on' must be true or false, not 'maybe'"},
      {"shape", "bal", "'shape' must be one of box|ball|cone, not 'bal'; did you mean 'ball'?"},
      {"shape", "xyzzy", "'shape' must be one of box|ball|cone, not 'xyzzy'"},
      {"size", "1 2", "'size' must have 3 numbers, not 2"},
      {"size", "1 2 101", "'size' must be at most 100 m, not 101 m"},
      {"size", "1 x 2", "'size' must be numbers in m: number 1: unknown unit 'x'"},
      {"size", "1 m 2 3",
       "'size' must have a unit after each number, after the last one for all, or after none"},
      {"size", "1 m 2 3 m",
       "'size' must have a unit after each number, after the last one for all, or after none"},
      {"outline", "1 2 3", "'outline' must be pairs of numbers, x y for each point, not 3 numbers"},
      {"pose", "1 2 m", "'pose' must have 3 numbers, not 2"},
  };
  for (int i = 0; i < RUT_COUNT_OF(cases); i++) {
    refuse_set(a, cases[i].field, cases[i].text, cases[i].message);
  }
  // a refused value changes nothing
  assert_true(rut_node_number(spec, a, "mass") == 7);
  EXPECT(a, "size", 1, 1, 1);

  assert_int_equal(rut_node_set_number(spec, a, "mass", NAN, &err), RUT_ERR_PARSE);
  assert_int_equal(rut_node_set_number(spec, a, "mass", INFINITY, &err), RUT_ERR_PARSE);
  assert_int_equal(rut_node_set_number(spec, a, "on", 0.5, &err), RUT_ERR_PARSE);
  assert_int_equal(rut_node_set_number(spec, a, "on", 2, &err), RUT_ERR_PARSE);
  assert_int_equal(rut_node_set_number(spec, a, "shape", 3, &err), RUT_ERR_PARSE);
  assert_int_equal(rut_node_set_number(spec, a, "shape", 1e300, &err), RUT_ERR_PARSE);
  assert_int_equal(rut_node_set_number(spec, a, "shape", -1, &err), RUT_ERR_PARSE);
  assert_int_equal(rut_node_set_number(spec, a, "note", 3, &err), RUT_ERR_PARSE);
  const double bad[] = {1, 2, NAN};
  assert_int_equal(rut_node_set_numbers(spec, a, "size", 3, bad, &err), RUT_ERR_PARSE);
  assert_int_equal(rut_node_set_numbers(spec, a, "size", 2, bad, &err), RUT_ERR_PARSE);
  assert_int_equal(rut_node_set_numbers(spec, a, "size", -1, bad, &err), RUT_ERR_PARSE);
  assert_int_equal(rut_node_set_numbers(spec, a, "mass", 2, bad, &err), RUT_ERR_PARSE);
}

static void test_places(void** state) {
  (void)state;
  const rutNode a = add_gadget("a");
  char file[] = "w.xml";
  const rutPlace node_place = {file, 3, 1}, field_place = {file, 4, 9};
  rut_node_place(spec, a, NULL, node_place);
  rut_node_place(spec, a, "mass", field_place);
  rut_node_place(spec, a, "nothing", field_place);
  file[0] = 'x';  // the name was copied
  assert_string_equal(rut_node_place_of(spec, a, NULL).file, "w.xml");
  assert_int_equal(rut_node_place_of(spec, a, "mass").column, 9);
  assert_int_equal(rut_node_place_of(spec, a, "count").line, 0);
  // a known place is no value
  assert_false(rut_node_has(spec, a, "mass"));
  assert_int_equal(rut_node_set(spec, a, "mass", "x", &err), RUT_ERR_PARSE);
  assert_int_equal(err.line, 4);
  assert_int_equal(rut_node_set(spec, a, "count", "x", &err), RUT_ERR_PARSE);
  assert_int_equal(err.line, 3);
  rutReporter* reporter = rut_context_reporter(context);
  rut_reporter_reset(reporter);
  assert_int_equal(rut_node_error(spec, a, "mass", RUT_ERR_MODEL, "", "is %d", 5), RUT_ERR_MODEL);
  assert_string_equal(reporter->first.message, "is 5");
  assert_string_equal(reporter->first.element, "<gadget name=\"a\">");
  assert_int_equal(reporter->first.column, 9);
  rut_node_warning(spec, a, NULL, "hm");
  assert_int_equal(reporter->warnings, 1);
}

// A file name is seen from the file it stands in.
static void test_file_names(void** state) {
  (void)state;
  const rutNode a = add_gadget("a");
  const rutPlace place = {"worlds/here/w.xml", 3, 1}, top = {"w.xml", 3, 1};
  set(a, "image", "map.png");
  assert_string_equal(rut_node_text(spec, a, "image"), "map.png");
  rut_node_place(spec, a, "image", place);
  set(a, "image", "map.png");
  assert_string_equal(rut_node_text(spec, a, "image"), "worlds/here/map.png");
  set(a, "image", "./../map.png");
  assert_string_equal(rut_node_text(spec, a, "image"), "worlds/here/../map.png");
  set(a, "image", "/maps/map.png");
  assert_string_equal(rut_node_text(spec, a, "image"), "/maps/map.png");
  set(a, "image", "http://host/map.png");
  assert_string_equal(rut_node_text(spec, a, "image"), "http://host/map.png");
  set(a, "image", "");
  assert_string_equal(rut_node_text(spec, a, "image"), "");
  rut_node_place(spec, a, "image", top);
  set(a, "image", "map.png");
  assert_string_equal(rut_node_text(spec, a, "image"), "map.png");
  // a caller's own name is seen from where the caller runs
  rut_node_place(spec, a, "image", place);
  assert_int_equal(rut_spec_set(spec, "a.image", "map.png", &err), RUT_OK);
  assert_string_equal(rut_node_text(spec, a, "image"), "map.png");
}

static void test_check(void** state) {
  (void)state;
  const rutNode a = add_gadget("a");
  rutReporter* reporter = rut_context_reporter(context);
  rut_reporter_reset(reporter);
  assert_int_equal(rut_spec_check(spec), RUT_OK);
  const rutNode b = add(rut_spec_root(spec), "box", "", "b");
  assert_int_equal(rut_spec_check(spec), RUT_ERR_MODEL);
  assert_string_equal(reporter->first.message, "<box name=\"b\"> needs 'label': what it is called");
  set(b, "label", "");
  assert_int_equal(rut_spec_check(spec), RUT_OK);
  set(a, "mass", "200");
  rut_reporter_reset(reporter);
  assert_int_equal(rut_spec_check(spec), RUT_ERR_MODEL);
  assert_string_equal(reporter->first.message, "mass is above 100 kg");
  double param[64];
  set(a, "shape", "cone");
  // 13 fields, then lists of 3, 0, 3 and 6 numbers, each after its count
  assert_int_equal(rut_node_params(spec, a, RUT_COUNT_OF(param), param), 13 + 4 + 12);
  assert_true(param[0] == 200 && param[2] == 3 && param[4] == 2 && param[11] == 0.5);
  assert_true(isnan(param[5]) && isnan(param[12]));
  int n = 0;
  const double* outline = rut_param_list(param, param[10], &n);
  assert_int_equal(n, 6);
  assert_true(outline[2] == 1 && outline[5] == 1);
  rut_param_list(param, param[8], &n);
  assert_int_equal(n, 0);
  // what does not fit is counted, not written
  double few[20];
  few[19] = 5;
  assert_int_equal(rut_node_params(spec, a, 19, few), 29);
  assert_true(few[19] == 5 && few[0] == 200);
}

// ---- saving ----

static void expect_same_tree(const rutSpec* a, rutNode x, const rutSpec* b, rutNode y) {
  assert_string_equal(rut_node_kind(a, x), rut_node_kind(b, y));
  assert_string_equal(rut_node_type(a, x), rut_node_type(b, y));
  assert_string_equal(rut_node_name(a, x), rut_node_name(b, y));
  const rutComponent* type = rut_node_component(a, x);
  for (int i = 0; i < type->fields; i++) {
    const char* field = type->field[i].name;
    assert_int_equal(rut_node_has(a, x, field), rut_node_has(b, y, field));
    if (strcmp(type->field[i].unit, "file") != 0) {
      assert_string_equal(rut_node_text(a, x, field), rut_node_text(b, y, field));
    }
    int n, m;
    const double* p = rut_node_numbers(a, x, field, &n);
    const double* q = rut_node_numbers(b, y, field, &m);
    assert_int_equal(n, m);
    if (n) assert_memory_equal(p, q, (size_t)n * sizeof(double));
  }
  x = rut_node_first(a, x, NULL);
  y = rut_node_first(b, y, NULL);
  for (; !rut_node_is_null(x) && !rut_node_is_null(y);
       x = rut_node_next(a, x, NULL), y = rut_node_next(b, y, NULL)) {
    expect_same_tree(a, x, b, y);
  }
  assert_true(rut_node_is_null(x) && rut_node_is_null(y));
}

static void expect_round_trip(const char* path) {
  rutSpec* again;
  if (rut_spec_save(spec, path, &err) != RUT_OK) fail_msg("%s", err.message);
  if (rut_spec_load(context, path, &again, &err) != RUT_OK) {
    fail_msg("%s:%d:%d: %s", err.file, err.line, err.column, err.message);
  }
  expect_same_tree(spec, rut_spec_root(spec), again, rut_spec_root(again));
  rut_spec_destroy(again);
}

static void test_save(void** state) {
  (void)state;
  const rutNode root = rut_spec_root(spec), a = add_gadget("a<&>\"'\xc3\xa9");
  set(root, "name", "the world");
  set(a, "angle", "12 deg");
  set(a, "mass", "0.1 lb");
  set(a, "count", "9");
  set(a, "on", "false");
  set(a, "shape", "box");
  set(a, "size", "0.1 0.2 0.3 ft");
  set(a, "pose", "0.1 0.2 33 deg");
  set(a, "outline", "0.1 0.7, 1 2, 1e-300 1e300");
  set(a, "ratio", "33 %");
  set(a, "path", "");
  set(a, "note", "  \t<text> & \"more\"\r\n end ");
  set(add(a, "law", "rough", ""), "friction", "0.3");
  const rutNode b = add(root, "box", "", "${b}"), c = add(b, "gadget", "", "c");
  set(b, "label", "");
  set(c, "note", "literal ${x} $f{1} $(ls) $env{HOME}");
  set(add(b, "gadget", "", ""), "note", " $(ls) ");
  double many[5000];
  for (int i = 0; i < 5000; i++) many[i] = sqrt(i) / 7;
  assert_int_equal(rut_node_set_numbers(spec, c, "path", 5000, many, &err), RUT_OK);
  assert_int_equal(rut_node_set_numbers(spec, c, "outline", 5000, many, &err), RUT_OK);
  expect_round_trip("rut_test_spec.xml");
  remove("rut_test_spec.xml");
}

static void test_saved_text(void** state) {
  (void)state;
  const rutNode a = add_gadget("a");
  set(a, "mass", "3");
  set(a, "size", "1 2 3");
  set(a, "pose", "1 2 3");
  set(a, "ratio", "0.5");
  set(add(a, "law", "rough", ""), "friction", "0.25");
  add_gadget("b");
  assert_int_equal(rut_spec_save(spec, "rut_test_spec.xml", &err), RUT_OK);
  char text[1000] = "";
  FILE* file = fopen("rut_test_spec.xml", "rb");
  assert_non_null(file);
  text[fread(text, 1, sizeof text - 1, file)] = '\0';
  fclose(file);
  remove("rut_test_spec.xml");
  assert_string_equal(text,
                      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                      "<world>\n"
                      "  <gadget name=\"a\" mass=\"3 kg\" size=\"1 2 3 m\" pose=\"1 m 2 m 3 rad\" "
                      "ratio=\"0.5\">\n"
                      "    <law type=\"rough\" friction=\"0.25\"/>\n"
                      "  </gadget>\n"
                      "  <gadget name=\"b\"/>\n"
                      "</world>\n");
}

// File names keep pointing at the same file from wherever the world is saved.
static void test_saved_file_names(void** state) {
  (void)state;
  const rutNode a = add_gadget("a");
  mkdir("rut_test_dir", 0777);
  mkdir("rut_test_dir/sub", 0777);
  set(a, "image", "rut_test_dir/map.png");
  rutSpec* again;
  assert_int_equal(rut_spec_save(spec, "rut_test_dir/sub/w.xml", &err), RUT_OK);
  assert_int_equal(rut_spec_load(context, "rut_test_dir/sub/w.xml", &again, &err), RUT_OK);
  assert_string_equal(rut_node_text(again, rut_spec_find(again, "a"), "image"),
                      "rut_test_dir/sub/../map.png");
  // and on, from there
  assert_int_equal(rut_spec_save(again, "rut_test_dir/w.xml", &err), RUT_OK);
  rut_spec_destroy(again);
  assert_int_equal(rut_spec_load(context, "rut_test_dir/w.xml", &again, &err), RUT_OK);
  assert_string_equal(rut_node_text(again, rut_spec_find(again, "a"), "image"),
                      "rut_test_dir/map.png");
  rut_spec_destroy(again);
  remove("rut_test_dir/sub/w.xml");
  remove("rut_test_dir/w.xml");
  rmdir("rut_test_dir/sub");
  rmdir("rut_test_dir");
}

static void test_save_errors(void** state) {
  (void)state;
  assert_int_equal(rut_spec_save(spec, "no/such/folder/w.xml", &err), RUT_ERR_IO);
  assert_string_equal(err.file, "no/such/folder/w.xml");
  set(add_gadget("a"), "note", "\x01");
  assert_int_equal(rut_spec_save(spec, "rut_test_spec.xml", &err), RUT_ERR_PARSE);
  assert_int_not_equal(access("rut_test_spec.xml", F_OK), 0);
  rutSpec* none;
  assert_int_equal(rut_spec_load(context, "no/such/file.xml", &none, &err), RUT_ERR_IO);
  assert_null(none);
}

int main(void) {
#define T(name) cmocka_unit_test_setup_teardown(name, start, stop)
  const struct CMUnitTest tests[] = {
      T(test_context),
      T(test_out_of_memory),
      T(test_register),
      T(test_tree),
      T(test_refused_nodes),
      T(test_depth),
      T(test_names),
      T(test_alike),
      T(test_paths),
      T(test_defaults),
      T(test_set),
      T(test_set_points),
      T(test_refused_values),
      T(test_places),
      T(test_file_names),
      T(test_check),
      T(test_save),
      T(test_saved_text),
      T(test_saved_file_names),
      T(test_save_errors),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
