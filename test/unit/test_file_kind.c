// SPDX-License-Identifier: BSD-3-Clause
//
// A file of another kind than a world: what rut says that it is, and what reads it.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "rut/rut.h"
#include "scratch_folder.h"

typedef struct Case {
  const char* text;
  size_t size;
  const char *what, *use;
} Case;

#define CASE(text, what, use) \
  { text, sizeof(text) - 1, what, use }

static const Case cases[] = {
    CASE("<?xml version=\"1.0\"?>\n<!-- a robot -->\n<mujoco model=\"husky\"></mujoco>", "MJCF",
         "rut doc vehicle"),
    CASE("<COLLADA xmlns=\"x\" version=\"1.4.1\"/>", "COLLADA", "<visual model="),
    CASE("<vehicle name=\"r1\"><chassis mass=\"1\"/></vehicle>", "vehicle", "<include file="),
    CASE("<vehicle:class name=\"r\"></vehicle:class>", "MVSim", "<include file="),
    CASE("<recipe/>", "first element is <recipe>", "<world>"),
    CASE("$---------info\n[MDI_HEADER]\nFILE_TYPE = 'tir'\n", ".tir",
         "<tyre type=\"pac2002\" file="),
    CASE("! base\n[mdi_header]\n", ".tir", "<tyre type=\"pac2002\" file="),
    CASE("ncols 3\nnrows 2\n", "ESRI ASCII grid", "<elevation_map file="),
    CASE("# a ROS map\nimage: warehouse.pgm\n", "map_server", "<occupancy_grid file="),
    CASE("# drive\nt,vehicle,speed\n0,r1,1\n", "table", "--inputs"),
    CASE("\x89MCAP0\r\n\x01", "MCAP", "rut replay"),
    CASE("\x89PNG\r\n\x1a\n", "PNG", "<elevation_map file="),
    CASE("\xff\xd8\xff\xe0", "JPEG", "<occupancy_grid file="),
    CASE("II*\0\x08", "TIFF", "<elevation_map file="),
    CASE("glTF\x02\0\0\0", "glTF", "<visual model="),
    CASE("solid cube\nfacet normal 0 0 1\n", "STL", "<visual model="),
    CASE("\x7f"
         "ELF\x02",
         "shared library", "--plugin"),
    CASE("{\n \"Type\": \"Vehicle\",\n \"Template\": \"WheeledVehicle\"\n}", "Project Chrono",
         "rut convert"),
    CASE("// comment\n{\"Template\": 1}", "Project Chrono", "rut convert"),
    CASE("{\"a\": 1}", "JSON", "vehicles and scenes of MAVS"),
    CASE("QS VANE REPLAY FILE\nVersion: 1\n", "waypoints of MAVS", "<value field="),
    CASE("Dear reader,\n", "not a world file that rut can read", "<world>"),
};

static void kinds_are_named(void** state) {
  (void)state;
  rutContext* context = NULL;
  rutError err = {0};
  assert_int_equal(rut_context_create(NULL, &context, &err), RUT_OK);
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    rutSpec* spec = NULL;
    memset(&err, 0, sizeof err);
    assert_int_equal(rut_spec_parse(context, cases[i].text, cases[i].size, "x", &spec, &err),
                     RUT_ERR_PARSE);
    assert_null(spec);
    if (!strstr(err.message, cases[i].what) || !strstr(err.message, cases[i].use)) {
      fail_msg("case %zu: '%s' lacks '%s' or '%s'", i, err.message, cases[i].what, cases[i].use);
    }
  }
  rut_context_destroy(context);
}

static void keep_note(const rutDiagnostic* finding, void* user) {
  char* note = user;
  if (finding->level == RUT_NOTE) snprintf(note, 256, "%s", finding->message);
}

// Logs are mostly larger than any world may be.
static void large_files_too(void** state) {
  (void)state;
  char folder[SCRATCH_FOLDER_SIZE], path[SCRATCH_FOLDER_SIZE + 16], note[256] = "";
  make_scratch_folder(folder);
  snprintf(path, sizeof path, "%s/run.mcap", folder);
  FILE* file = fopen(path, "wb");
  assert_non_null(file);
  fputs("\x89MCAP0\r\n", file);
  assert_int_equal(fseek(file, 65L << 20, SEEK_SET), 0);
  fputc(0, file);
  assert_int_equal(fclose(file), 0);
  rutContextDef def = rut_default_context();
  def.report = keep_note;
  def.user = note;
  rutContext* context = NULL;
  rutSpec* spec = NULL;
  rutError err = {0};
  assert_int_equal(rut_context_create(&def, &context, &err), RUT_OK);
  assert_int_equal(rut_spec_load(context, path, &spec, &err), RUT_ERR_IO);
  assert_non_null(strstr(err.message, "larger than"));
  assert_non_null(strstr(note, "MCAP"));
  rut_context_destroy(context);
  remove_scratch_folder(folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(kinds_are_named),
      cmocka_unit_test(large_files_too),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
