// SPDX-License-Identifier: BSD-3-Clause
//
// Values of rasters between their places: linear fields, which bilinear values hold exactly, holes,
// borders; and names of coordinate systems, and whether they are the same.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "assert_near.h"
#include "format/gdal_crs.h"
#include "rut/geo_grid.h"

enum { ROWS = 4, COLS = 5 };

static double field(double x, double y) { return 3 + 0.25 * x - 0.5 * y; }

// Values of a linear field at 100, 107, ... and 50, 57, ...
static rutGeoGrid make(double value[ROWS * COLS]) {
  const rutGeoGrid g = {.rows = ROWS,
                        .cols = COLS,
                        .value = value,
                        .placed = true,
                        .metric = true,
                        .spacing = 7,
                        .corner = {100, 50}};
  for (int r = 0; r < ROWS; r++) {
    for (int c = 0; c < COLS; c++) {
      value[r * COLS + c] = field(100 + 7 * c, 50 + 7 * (ROWS - 1 - r));
    }
  }
  return g;
}

static void test_linear(void** state) {
  (void)state;
  double value[ROWS * COLS];
  const rutGeoGrid g = make(value);
  for (int i = 0; i < 22 * 31; i++) {
    const double x = 100 + 1.3 * (i % 22), y = 50 + 0.7 * (i / 22);
    assert_near(rut_geo_grid_at(&g, RUT_GEO_BILINEAR, x, y), field(x, y), 1e-12);
    const double near_x = 100 + 7 * floor((x - 100) / 7 + 0.5);
    const double near_y = 50 + 7 * floor((y - 50) / 7 + 0.5);
    if (fabs(fmod(y - 50, 7) - 3.5) < 1e-6) continue;  // as near to one as to the other
    assert_near(rut_geo_grid_at(&g, RUT_GEO_NEAREST, x, y), field(near_x, near_y), 1e-12);
  }
  // as near to the next one, with coordinates that are rounded: the eastern, the northern one
  for (int i = -1; i <= 1; i++) {
    assert_near(rut_geo_grid_at(&g, RUT_GEO_NEAREST, 103.5 + 1e-7 * i, 60.5 - 1e-7 * i),
                field(107, 64), 1e-12);
  }
  // at its own places nothing is changed, also where coordinates are rounded
  for (int i = 0; i < ROWS * COLS; i++) {
    const double x = 100 + 7 * (i % COLS) + 3e-6, y = 50 + 7 * (ROWS - 1 - i / COLS) - 3e-6;
    assert_true(rut_geo_grid_at(&g, RUT_GEO_BILINEAR, x, y) == value[i]);
  }
}

static void test_border(void** state) {
  (void)state;
  double value[ROWS * COLS];
  const rutGeoGrid g = make(value);
  // half a spacing beyond the outermost values, whose number holds there
  assert_near(rut_geo_grid_at(&g, RUT_GEO_BILINEAR, 97, 60), field(100, 60), 1e-12);
  assert_near(rut_geo_grid_at(&g, RUT_GEO_BILINEAR, 131, 74), field(128, 71), 1e-12);
  const double outside[4][2] = {{96.4, 60}, {131.6, 60}, {110, 46.4}, {110, 74.6}};
  for (int i = 0; i < 4; i++) {
    assert_false(rut_geo_grid_covers(&g, outside[i][0], outside[i][1]));
    assert_true(isnan(rut_geo_grid_at(&g, RUT_GEO_NEAREST, outside[i][0], outside[i][1])));
  }
  assert_true(rut_geo_grid_covers(&g, 96.6, 46.6) && rut_geo_grid_covers(&g, 131.4, 74.4));
}

static void test_holes(void** state) {
  (void)state;
  double value[ROWS * COLS];
  const rutGeoGrid g = make(value);
  value[1 * COLS + 2] = NAN;  // at 114, 64
  assert_true(isnan(rut_geo_grid_at(&g, RUT_GEO_BILINEAR, 116, 62)));
  assert_true(isnan(rut_geo_grid_at(&g, RUT_GEO_NEAREST, 116, 62)));
  // beside it the other three share what it has not: at 5/7 and 2/7 between 114, 121 and 57, 64
  const double sum = 2 / 7.0 * 5 / 7.0 * field(114, 57) + 5 / 7.0 * 5 / 7.0 * field(121, 57) +
                     5 / 7.0 * 2 / 7.0 * field(121, 64);
  assert_near(rut_geo_grid_at(&g, RUT_GEO_BILINEAR, 119, 59), sum / (1 - 4 / 49.0), 1e-12);
  // exactly between two values on a line with it, and away from it
  assert_near(rut_geo_grid_at(&g, RUT_GEO_BILINEAR, 114, 57), field(114, 57), 1e-12);
}

static char utm33[] =
    "PROJCS[\"WGS 84 / UTM zone 33N\",GEOGCS[\"WGS 84\",DATUM[\"WGS_1984\",SPHEROID[\"WGS 84\","
    "6378137,298.257223563,AUTHORITY[\"EPSG\",\"7030\"]],AUTHORITY[\"EPSG\",\"6326\"]],PRIMEM["
    "\"Greenwich\",0],UNIT[\"degree\",0.0174532925199433]],PROJECTION[\"Transverse_Mercator\"],"
    "PARAMETER[\"latitude_of_origin\",0],PARAMETER[\"central_meridian\",15],PARAMETER[\"scale_"
    "factor\",0.9996],PARAMETER[\"false_easting\",500000],PARAMETER[\"false_northing\",0],UNIT["
    "\"metre\",1],AUTHORITY[\"EPSG\",\"32633\"]]";
static char same33[] =
    "PROJCS[\"my own zone\",GEOGCS[\"WGS 84\",DATUM[\"WGS_1984\",SPHEROID[\"WGS 84\",6378137,"
    "298.257223563]],PRIMEM[\"Greenwich\",0],UNIT[\"degree\",0.0174532925199433]],PROJECTION["
    "\"Transverse_Mercator\"],PARAMETER[\"latitude_of_origin\",0],PARAMETER[\"central_meridian\","
    "15]"
    ",PARAMETER[\"scale_factor\",0.9996],PARAMETER[\"false_easting\",500000],PARAMETER[\"false_"
    "northing\",0],UNIT[\"metre\",1]]";
static char utm34[] =
    "PROJCS[\"WGS 84 / UTM zone 34N\",GEOGCS[\"WGS 84\",DATUM[\"WGS_1984\",SPHEROID[\"WGS 84\","
    "6378137,298.257223563]],PRIMEM[\"Greenwich\",0],UNIT[\"degree\",0.0174532925199433]],"
    "PROJECTION[\"Transverse_Mercator\"],PARAMETER[\"latitude_of_origin\",0],PARAMETER[\"central_"
    "meridian\",21],PARAMETER[\"scale_factor\",0.9996],PARAMETER[\"false_easting\",500000],"
    "PARAMETER[\"false_northing\",0],UNIT[\"metre\",1]]";

// Without a number of its own, while its unit has one.
static char own[] =
    "PROJCS[\"my own\",GEOGCS[\"WGS 84\",DATUM[\"WGS_1984\",SPHEROID[\"WGS "
    "84\",6378137,298.257223563"
    "]],PRIMEM[\"Greenwich\",0],UNIT[\"degree\",0.0174532925199433]],PROJECTION[\"Mercator_1SP\"],"
    "UNIT[\"metre\",1,AUTHORITY[\"EPSG\",\"9001\"]]]";

static void test_names(void** state) {
  (void)state;
  char name[RUT_GEO_CRS_NAME], odd[] = "LOCAL\x1b[31m", empty[] = "";
  rutGeoGrid g = {.crs = utm33};
  rut_geo_grid_crs_name(&g, name);
  assert_string_equal(name, "WGS 84 / UTM zone 33N (EPSG:32633)");
  g.crs = same33;
  rut_geo_grid_crs_name(&g, name);
  assert_string_equal(name, "my own zone");
  g.crs = own;
  rut_geo_grid_crs_name(&g, name);
  assert_string_equal(name, "my own");
  g.crs = odd;
  rut_geo_grid_crs_name(&g, name);
  assert_string_equal(name, "LOCAL");
  g.crs = empty;
  rut_geo_grid_crs_name(&g, name);
  assert_string_equal(name, "");
  g.crs = NULL;
  rut_geo_grid_crs_name(&g, name);
  assert_string_equal(name, "");
}

static void test_systems(void** state) {
  (void)state;
  const rutGeoGrid a = {.crs = utm33}, b = {.crs = same33}, c = {.crs = utm34}, none = {0};
  bool same;
  assert_true(rut_geo_grid_same_crs(&a, &a) && rut_geo_grid_same_crs(&a, &none));
  assert_false(rut_geo_grid_same_crs(&a, &c));
  if (rut_gdal_same_crs(utm33, utm33, &same)) {
    assert_true(rut_geo_grid_same_crs(&a, &b));
  } else {
    print_message("skipped: no GDAL library (apt-get install libgdal32)\n");
    assert_false(rut_geo_grid_same_crs(&a, &b));
  }
  assert_false(rut_gdal_same_crs(utm33, "nonsense[", &same));
  // heights from a geoid, of which a raster of classes knows nothing
  char* with_heights = malloc(2 * sizeof utm33);
  snprintf(with_heights, 2 * sizeof utm33,
           "COMPD_CS[\"with heights\",%s,VERT_CS[\"EGM96 height\",VERT_DATUM[\"EGM96 geoid\",2005],"
           "UNIT[\"metre\",1],AXIS[\"Gravity-related height\",UP],AUTHORITY[\"EPSG\",\"5773\"]]]",
           utm33);
  const rutGeoGrid high = {.crs = with_heights};
  char name[RUT_GEO_CRS_NAME];
  rut_geo_grid_crs_name(&high, name);
  assert_string_equal(name, "with heights");
  assert_false(rut_geo_grid_same_crs(&high, &c));
  if (rut_gdal_same_crs(utm33, utm33, &same)) assert_true(rut_geo_grid_same_crs(&high, &a));
  free(with_heights);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_linear), cmocka_unit_test(test_border),  cmocka_unit_test(test_holes),
      cmocka_unit_test(test_names),  cmocka_unit_test(test_systems),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
