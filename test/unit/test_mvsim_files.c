// SPDX-License-Identifier: BSD-3-Clause
//
// Files of MVSim: loops, conditions and includes; warnings for what is not used; errors with their
// place; MVSim's own worlds where they are at hand.
#include <dirent.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "mvsim_fixture.h"

// ---- flow ----

static void test_loops(void** state) {
  (void)state;
  // MVSim takes the children of a loop one by one and counts inside each of them
  Load* load = parse_well(
      WORLD("<variable name='N' value='2'/>"
            "<for var='i' from='1' to='$f{N}'>"
            "<block><init_pose>${i} 0 0</init_pose></block>"
            "<block><init_pose>${i} 1 0</init_pose></block></for>"
            "<for var='i' from='0' to='1'><for var='j' from='0' to='2'>"
            "<if condition='$f{i+j == 2}'><block name='b_${i}_${j}'>" POSE "</block></if>"
            "</for></for>"
            "<for var='i' from='1' to='0'><block name='never'>" POSE "</block></for>"));
  assert_int_equal(children(load, "block"), 6);
  assert_value(part(load, "block001", "position", 0), 1);
  assert_value(part(load, "block002", "position", 0), 2);
  assert_value(part(load, "block002", "position", 1), 0);
  assert_value(part(load, "block003", "position", 0), 1);
  assert_value(part(load, "block003", "position", 1), 1);
  at(load, "b_0_2");
  at(load, "b_1_1");
  close_load(load);
}

static void test_conditions(void** state) {
  (void)state;
  Load* load = parse_well(WORLD(
      "<if condition='yes'><gravity>1</gravity></if><if condition='0'><gravity>2</gravity></if>"
      "<if condition='2'><collision_threshold>0.1</collision_threshold></if>"
      "<if condition='false'><gravity>3</gravity></if>"
      "<if condition='perhaps'><gravity>4</gravity></if>"));
  assert_value(rut_node_number(load->spec, rut_spec_root(load->spec), "gravity"), 1);
  assert_value(rut_node_number(load->spec, rut_spec_root(load->spec), "contact_margin"), 0.1);
  assert_int_equal(load->warnings, 1);
  assert_int_equal(count_of(load, RUT_WARNING, "'perhaps' is neither true nor false"), 1);
  close_load(load);
}

static void test_includes(void** state) {
  (void)state;
  write_file("mvsim_sensor.xml",
             "<sensor class='laser' name='${sensor_name|laser1}'>\n"
             "<max_range>${range|30.0}</max_range><nrays>${rays|$f{9+1}}</nrays></sensor>\n");
  write_file("mvsim_class.xml",
             "<!-- several siblings -->\n<gravity>2</gravity>\n"
             "<vehicle:class name='${class_name|robot}'>" ROBOT_DYNAMICS
             "<if condition='${sensors|true}'>"
             "<include file='mvsim_sensor.xml' sensor_name='inner' range='${range|7}'/></if>"
             "<visual><model_uri>${MVSIM_CURRENT_FILE_DIRECTORY}/m.dae</model_uri></visual>"
             "</vehicle:class>");
  write_file("mvsim_main.xml",
             WORLD("<include file='mvsim_class.xml' range='9'/>"
                   "<include file='mvsim_class.xml' class_name='blind' sensors='false'/>"
                   "<vehicle name='a' class='robot'>" POSE
                   "<include file='mvsim_sensor.xml' sensor_name='outer' rays='$f{2*3}'/></vehicle>"
                   "<vehicle name='b' class='blind'>" POSE "</vehicle>"));
  Load* load = load_file("mvsim_main.xml");
  if (load->status != RUT_OK) print_findings(load, RUT_ERROR);
  assert_int_equal(load->status, RUT_OK);
  assert_value(rut_node_number(load->spec, rut_spec_root(load->spec), "gravity"), 2);
  assert_value(number(load, "a/outer", "rays"), 6);
  assert_value(number(load, "a/outer", "max_range"), 30);
  assert_value(number(load, "a/inner", "max_range"), 9);
  assert_value(number(load, "a/inner", "rays"), 10);
  assert_true(rut_node_is_null(rut_spec_find(load->spec, "b/inner")));
  const char* model = text_of(load, "a/visual[0]", "model");
  assert_int_equal(model[0], '/');
  assert_non_null(strstr(model, "/m.dae"));
  close_load(load);
}

// ---- warnings ----

static void test_unknown_tags(void** state) {
  (void)state;
  Load* load = parse_well(WORLD(
      "<gui>\n  <refresh_fsp>20</refresh_fsp></gui><speed>1</speed>\n"
      "<vehicle name='a' colour='red'><dynamics class='differential' x='1'><horn/></dynamics>" POSE
      "<log_path>x</log_path></vehicle>\n"
      "<vehicle name='b'>" ROBOT_DYNAMICS POSE "<log_path>y</log_path></vehicle>"));
  // each tag once in a file, with its place
  assert_int_equal(load->warnings, 6);
  assert_string_equal(load->finding[0].message,
                      "<gui><refresh_fsp> is not used by rut (did you mean 'refresh_fps'?)");
  assert_int_equal(load->finding[0].line, 3);
  assert_int_equal(load->finding[0].column, 3);
  assert_string_equal(load->finding[0].file, "here/test.world.xml");
  assert_int_equal(count_of(load, RUT_WARNING, "<mvsim_world><speed> is not used"), 1);
  assert_int_equal(count_of(load, RUT_WARNING, "<vehicle colour=...> is not used"), 1);
  assert_int_equal(count_of(load, RUT_WARNING, "<dynamics x=...> is not used"), 1);
  assert_int_equal(count_of(load, RUT_WARNING, "<dynamics><horn> is not used"), 1);
  assert_int_equal(count_of(load, RUT_WARNING, "<vehicle><log_path> is not used"), 1);
  close_load(load);
}

static void test_later_tags(void** state) {
  (void)state;
  Load* load = parse_well(WORLD("<block name='a'>" POSE
                                "<publish><publish_pose_topic>/${NAME}/pose</publish_pose_topic>"
                                "</publish></block><block name='b'>" POSE "<publish/></block>"));
  assert_int_equal(load->warnings, 1);
  assert_int_equal(count_of(load, RUT_WARNING, "publish is not supported yet"), 1);
  close_load(load);
}

static void test_remote_models(void** state) {
  (void)state;
  const char* uri = "https://example.org/m.dae";
  char text[1200];
  snprintf(text, sizeof text,
           WORLD("<block:class name='c'><shape_from_visual/><visual><model_uri>%s</model_uri>"
                 "</visual></block:class><block class='c'>" POSE "</block><block class='c'>" POSE
                 "</block><vehicle name='r'><dynamics class='differential'><chassis>"
                 "<shape_from_visual/></chassis></dynamics>" POSE "<visual><model_uri>package://p/m"
                 "</model_uri></visual></vehicle>"),
           uri);
  Load* load = parse_well(text);
  assert_int_equal(load->warnings, 2);
  assert_int_equal(count_of(load, RUT_WARNING, "rut fetches none: a box of 1 m"), 1);
  assert_int_equal(count_of(load, RUT_WARNING, "rut fetches none: the default outline"), 1);
  assert_int_equal(length_of(load, "block001", "outline"), 8);
  assert_int_equal(length_of(load, "r/chassis[0]", "outline"), 12);
  assert_string_equal(text_of(load, "block002/visual[0]", "model"), uri);
  close_load(load);
}

// An .obj needs no textures: a tetrahedron with its foot 2 m by 1 m, scaled and moved.
static void test_local_model(void** state) {
  (void)state;
  write_file("mvsim_shape.obj",
             "v 0 0 0\nv 2 0 0\nv 0 1 0\nv 0 0 3\nf 1 2 3\nf 1 2 4\nf 2 3 4\nf 3 1 4\n");
  write_file("mvsim_model.xml",
             WORLD("<block name='a'>" POSE "<shape_from_visual/><visual>"
                   "<model_uri>file://mvsim_shape.obj</model_uri><model_scale>2</model_scale>"
                   "<model_offset_x>1</model_offset_x></visual></block>"
                   "<block name='b'>" POSE "<shape_from_visual/><zmin>0</zmin><zmax>1.5</zmax>"
                   "<visual_scale>2</visual_scale>"
                   "<visual><model_uri>mvsim_shape.obj</model_uri></visual></block>"));
  Load* load = load_file("mvsim_model.xml");
  assert_int_equal(load->status, RUT_OK);
  if (count_of(load, RUT_WARNING, "assimp")) {
    print_message("built without assimp\n");
    close_load(load);
    skip();
  }
  assert_int_equal(load->warnings, 0);
  assert_int_equal(length_of(load, "a", "outline"), 6);
  double x_max = -1e9, y_max = -1e9;
  for (int i = 0; i < 3; i++) {
    x_max = fmax(x_max, part(load, "a", "outline", 2 * i));
    y_max = fmax(y_max, part(load, "a", "outline", 2 * i + 1));
  }
  assert_near(x_max, 5, 1e-6);
  assert_near(y_max, 2, 1e-6);
  assert_near(number(load, "a", "z_max"), 6, 1e-6);
  assert_near(number(load, "b", "z_max"), 1.5, 1e-6);
  assert_value(number(load, "b/visual[0]", "scale"), 2);
  close_load(load);
}

static void test_repairs(void** state) {
  (void)state;
  // what MVSim's parser lets pass: a wrong closing tag, < in an attribute, lone &, -- in a comment
  Load* load = parse_well(
      WORLD("<!-- a -- b --->\n<for var='i' from='0' to='3'><if condition='$f{i<2 && 1}'>"
            "<block>" POSE "</block></if></for>\n"
            "<marker type='line_strip'><points>a & b &amp; c</points></marker>\n"
            "<gravity>1.5</gravitas>"));
  assert_int_equal(children(load, "block"), 2);
  assert_string_equal(text_of(load, "marker[0]", "points"), "a & b & c");
  assert_value(rut_node_number(load->spec, rut_spec_root(load->spec), "gravity"), 1.5);
  assert_int_equal(load->warnings, 1);
  assert_string_equal(load->finding[0].message,
                      "<gravity> is closed by </gravitas>, which is taken as its end");
  assert_int_equal(load->finding[0].line, 5);
  assert_int_equal(load->finding[0].column, 13);
  close_load(load);
}

// ---- errors ----

// Line and column count from 1; the world's first line is "<mvsim_world>".
static const struct {
  const char* text;
  int line, column;
  const char* message;
} faults[] = {
    {WORLD("<gravity>strong</gravity>"), 2, 1, "'strong' is not a number"},
    {WORLD("<gravity>9.81 m</gravity>"), 2, 1, "'9.81 m' is not a number"},
    {WORLD("<gravity>nan</gravity>"), 2, 1, "'nan' is not a number"},
    {WORLD("<gravity>1e999</gravity>"), 2, 1, "is not a number"},
    {WORLD("<simul_timestep>-1</simul_timestep>"), 2, 1, ""},
    {WORLD("<gravity>$(rm -rf x)</gravity>"), 2, 1, "$("},
    {WORLD("<gravity>${G}</gravity>"), 2, 1, "G"},
    {WORLD("<gravity>$f{1+}</gravity>"), 2, 1, ""},
    {WORLD("<gui><ortho>maybe</ortho></gui>"), 2, 6, "'maybe' is neither true nor false"},
    {WORLD("<gui><cam_point_to>1</cam_point_to></gui>"), 2, 6,
     "must be the numbers 'x y [z]', not '1'"},
    {WORLD("<lights><light_color>red</light_color></lights>"), 2, 9, "'red' is not a colour"},
    {WORLD("<vehicle>" ROBOT_DYNAMICS "</vehicle>"), 2, 1, "the tag <init_pose> is missing"},
    {WORLD("<vehicle>" POSE "</vehicle>"), 2, 1, "the tag <dynamics> is missing"},
    {WORLD("<vehicle class='x'>" POSE "</vehicle>"), 2, 10, "there is no <vehicle:class name='x'>"},
    {WORLD("<vehicle><init_pose>0 0</init_pose>" ROBOT_DYNAMICS "</vehicle>"), 2, 10,
     "must be the numbers 'x y yaw', not '0 0'"},
    {WORLD("<vehicle>" POSE "<dynamics/></vehicle>"), 2, 38, "the attribute 'class' is missing"},
    {WORLD("<vehicle>" POSE "\n<dynamics class='diferential'/></vehicle>"), 3, 11,
     "class 'diferential' is not known"},
    {WORLD("<vehicle name='a'>" POSE ROBOT_DYNAMICS "</vehicle>\n<block name='a'>" POSE "</block>"),
     3, 8, "there is another vehicle or block named 'a'"},
    {WORLD("<vehicle>" POSE "<dynamics class='differential'>\n<chassis mass='heavy'/></dynamics>"
           "</vehicle>"),
     3, 10, "'heavy' is not a number"},
    {WORLD("<vehicle>" POSE "<dynamics class='differential'>\n<chassis mass='-3'/></dynamics>"
           "</vehicle>"),
     3, 10, ""},
    {WORLD("<vehicle>" POSE "<dynamics class='differential'><chassis>\n<shape><pt>0 0</pt>"
           "<pt>1 1</pt><pt>2 2</pt></shape></chassis></dynamics></vehicle>"),
     3, 1, "not on one line"},
    {WORLD("<vehicle>" POSE "<dynamics class='differential'><chassis><shape><pt>0 0</pt>\n"
           "<pt>1</pt><pt>2 2</pt></shape></chassis></dynamics></vehicle>"),
     3, 1, "must be the numbers 'x y', not '1'"},
    {WORLD("<vehicle>" POSE "<dynamics class='differential'>\n<l_wheel pos='left'/></dynamics>"
           "</vehicle>"),
     3, 10, "must be the numbers 'x y [yaw]', not 'left'"},
    {WORLD("<vehicle>" POSE "<dynamics class='differential'>\n<controller class='pid'/></dynamics>"
           "</vehicle>"),
     3, 13, "class 'pid' is not known"},
    {WORLD("<vehicle>" POSE "<dynamics class='differential'>\n"
           "<controller class='twist_front_steer_pid'/></dynamics></vehicle>"),
     3, 13, "class 'twist_front_steer_pid' is not known"},
    {WORLD("<vehicle>" POSE "<dynamics class='ackermann_drivetrain'>\n"
           "<drivetrain type='open'/></dynamics></vehicle>"),
     3, 13, "type 'open' is not known"},
    {WORLD("<vehicle>" POSE "<dynamics class='ackermann'>\n<f_wheels_x>-1</f_wheels_x></dynamics>"
           "</vehicle>"),
     3, 1, "must be above 0"},
    {WORLD("<vehicle>" POSE ROBOT_DYNAMICS "\n<friction class='ice'/></vehicle>"), 3, 11,
     "class 'ice' is not known"},
    {WORLD("<vehicle>" POSE ROBOT_DYNAMICS "\n<sensor class='lidar'/></vehicle>"), 3, 9,
     "class 'lidar' is not known"},
    {WORLD("<vehicle>" POSE ROBOT_DYNAMICS "\n<sensor name='x'/></vehicle>"), 3, 1,
     "the attribute 'class' is missing"},
    {WORLD("<sensor class='laser'>\n<nrays>-4</nrays></sensor>"), 3, 1, ""},
    {WORLD("<sensor class='laser'>\n<nrays>1e300</nrays></sensor>"), 3, 1, "whole number"},
    {WORLD("<block/>"), 2, 1, "the tag <init_pose> is missing"},
    {WORLD("<block>" POSE "\n<geometry/></block>"), 3, 1, "the attribute 'type' is missing"},
    {WORLD("<block>" POSE "\n<geometry type='cone'/></block>"), 3, 11, "type 'cone' is not known"},
    {WORLD("<block>" POSE "\n<geometry type='ramp' lx='1'/></block>"), 3, 1, "needs the attribute"},
    {WORLD("<block>" POSE "\n<animation type='walk'/></block>"), 3, 12, "type 'walk' is not known"},
    {WORLD("<block>" POSE "<animation type='keyframes'>\n<time_pose>1 2</time_pose></animation>"
           "</block>"),
     3, 1, "must be the numbers 't x y yaw', not '1 2'"},
    {WORLD("<block>" POSE "<visual_scale>0</visual_scale></block>"), 2, 36, "is not above 0"},
    {WORLD("<joint type='pin' body_a='a' anchor_a='0 0' body_b='b' anchor_b='0 0'/>"), 2, 19,
     "there is no vehicle or block named 'a'"},
    {WORLD("<joint type='glue'/>"), 2, 8, "type 'glue' is not known"},
    {WORLD("<joint type='pin'/>"), 2, 1, "the attribute 'body_a' is missing"},
    {WORLD("<element/>"), 2, 1, "the attribute 'class' is missing"},
    {WORLD("<element class='ocean'/>"), 2, 10, "class 'ocean' is not known"},
    {WORLD("<element class='occupancy_grid'/>"), 2, 1, "the tag <file> is missing"},
    {WORLD("<element class='occupancy_grid'>\n<file>http://x/y.png</file></element>"), 3, 1,
     "is not a local file"},
    {WORLD("<element class='elevation_map'>\n<corner_min_x>1</corner_min_x></element>"), 3, 1,
     "give both"},
    {WORLD("<element class='property_region'>\n<property_name>friction_mu</property_name>"
           "</element>"),
     3, 1, "needs the tag <value_double>"},
    {WORLD("<walls/>"), 2, 1, "the tag <model_uri> or <shape> is missing"},
    {WORLD("<walls>\n<shape><pt>0 0</pt></shape></walls>"), 3, 1, "in pairs"},
    {WORLD("<walls><shape><pt>0 0</pt><pt>1 0</pt></shape>\n<transformation>[1 2]</transformation>"
           "</walls>"),
     3, 1, "must be the numbers '[a b c d"},
    {WORLD("<walls>\n<model_uri>nowhere.dae</model_uri></walls>"), 3, 1, "nowhere.dae"},
    {WORLD("<marker type='dot'/>"), 2, 9, "type 'dot' is not known"},
    {WORLD("<marker type='line_strip'/>"), 2, 1, "the tag <points> is missing"},
    {WORLD("<georeference><world_is_utm>1</world_is_utm>"
           "<world_to_enu_rotation_deg>3</world_to_enu_rotation_deg></georeference>"),
     2, 1, "exclude each other"},
    {WORLD("<variable name='x'/>"), 2, 1, "the attribute 'value' is missing"},
    {WORLD("<if><gravity>1</gravity></if>"), 2, 1, "the attribute 'condition' is missing"},
    {WORLD("<for var='i' from='1'><gravity>1</gravity></for>"), 2, 1,
     "the attribute 'to' is missing"},
    {WORLD("<for var='i' from='a' to='2'><gravity>1</gravity></for>"), 2, 14,
     "'a' is not a number"},
    {WORLD("<for var='i' from='1' to='1e12'><gravity>1</gravity></for>"), 2, 23, "out of range"},
    {WORLD("<for var='i' from='1' to='2000000'><if condition='no'/></for>"), 2, 1,
     "loops run more than 200000 times"},
    {WORLD("<for var='i' from='1' to='200000'>\n<element class='skybox'/></for>"), 3, 1,
     "at most 100000 elements"},
    {WORLD("<include/>"), 2, 1, "the attribute 'file' is missing"},
    {WORLD("<include file='nowhere.xml'/>"), 2, 10, "nowhere.xml"},
    {WORLD("<include file='https://x/y.xml'/>"), 2, 10, "is not a local file"},
    {WORLD("<include file='/'/>"), 2, 10, "lies outside"},
    {WORLD("<vehicle:class/>"), 2, 1, "the attribute 'name' is missing"},
    {"<mvsim_world version='new'/>", 1, 14, "version 'new' is not '1.0'"},
    {"<mvsim_world>\n<gui></mvsim_world>", 2, 0, "not well-formed"},
    {"<mvsim_world>\n<gui x='1></gui></mvsim_world>", 2, 0, ""},
};

static void test_errors(void** state) {
  (void)state;
  for (int i = 0; i < RUT_COUNT_OF(faults); i++) {
    Load* load = parse(faults[i].text);
    if (load->status == RUT_OK || load->errors < 1) {
      fail_msg("loads without error: %s", faults[i].text);
    }
    const rutError* e = &load->err;
    const bool here = e->line == faults[i].line &&
                      (!faults[i].column || e->column == faults[i].column) &&
                      strcmp(e->file, "here/test.world.xml") == 0;
    if (!here || !strstr(e->message, faults[i].message)) {
      fail_msg("%s\n  gives %s:%d:%d: %s", faults[i].text, e->file, e->line, e->column, e->message);
    }
    close_load(load);
  }
}

static void test_all_errors(void** state) {
  (void)state;
  // one load reports every fault, each once however often its class is used
  Load* load =
      parse(WORLD("<gravity>a</gravity><simul_timestep>b</simul_timestep>"
                  "<block:class name='c'><mass>c</mass></block:class>"
                  "<for var='i' from='1' to='20'><block class='c'>" POSE "</block></for>"));
  assert_int_equal(load->errors, 3);
  close_load(load);

  // but no more than fifty
  char* text = malloc(20000);
  assert_non_null(text);
  strcpy(text, "<mvsim_world>");
  for (int i = 0; i < 100; i++) sprintf(text + strlen(text), "<gravity>x%d</gravity>\n", i);
  strcat(text, "</mvsim_world>");
  load = parse(text);
  free(text);
  assert_int_equal(load->errors, 50);
  close_load(load);
}

static void test_include_cycles(void** state) {
  (void)state;
  write_file("mvsim_cycle_a.xml", WORLD("<include file='mvsim_cycle_b.xml'/>"));
  write_file("mvsim_cycle_b.xml", "<if condition='1'>\n<include file='mvsim_cycle_c.xml'/></if>");
  write_file("mvsim_cycle_c.xml", "<include file='mvsim_cycle_b.xml'/>");
  Load* load = load_file("mvsim_cycle_a.xml");
  assert_int_equal(load->status, RUT_ERR_PARSE);
  assert_string_equal(load->err.message,
                      "files include each other: mvsim_cycle_a.xml includes mvsim_cycle_b.xml "
                      "includes mvsim_cycle_c.xml includes mvsim_cycle_b.xml");
  assert_string_equal(load->err.file, "mvsim_cycle_c.xml");
  assert_int_equal(load->err.line, 1);
  close_load(load);

  // a class that includes itself
  write_file("mvsim_self.xml", WORLD("<vehicle:class name='c'><include file='mvsim_self.xml'/>"
                                     "</vehicle:class><vehicle class='c'>" POSE "</vehicle>"));
  load = load_file("mvsim_self.xml");
  assert_int_equal(load->status, RUT_ERR_PARSE);
  assert_int_equal(count_of(load, RUT_ERROR, "files include each other"), 1);
  close_load(load);

  // 32 files deep is the limit
  for (int i = 0; i < 40; i++) {
    char name[40], text[80];
    snprintf(name, sizeof name, "mvsim_deep_%d.xml", i);
    snprintf(
        text, sizeof text,
        i ? "<include file='mvsim_deep_%d.xml'/>" : WORLD("<include file='mvsim_deep_%d.xml'/>"),
        i + 1);
    write_file(name, text);
  }
  load = load_file("mvsim_deep_0.xml");
  assert_int_equal(load->status, RUT_ERR_CAPACITY);
  assert_int_equal(count_of(load, RUT_ERROR, "more than 32 deep"), 1);
  close_load(load);
}

static void test_errors_in_includes(void** state) {
  (void)state;
  write_file("mvsim_bad_part.xml", "\n  <sensor class='laser'>\n    <nrays>${n}</nrays></sensor>");
  write_file("mvsim_bad_main.xml",
             WORLD("<vehicle>" ROBOT_DYNAMICS POSE
                   "<include file='mvsim_bad_part.xml' n='many'/></vehicle>"));
  Load* load = load_file("mvsim_bad_main.xml");
  assert_int_not_equal(load->status, RUT_OK);
  assert_string_equal(load->err.file, "mvsim_bad_part.xml");
  assert_int_equal(load->err.line, 3);
  assert_int_equal(load->err.column, 5);
  assert_string_equal(load->err.message, "'many' is not a number");
  close_load(load);
}

// ---- MVSim's own worlds ----

static int is_world(const struct dirent* entry) {
  const size_t n = strlen(entry->d_name);
  return n > 10 && strcmp(entry->d_name + n - 10, ".world.xml") == 0;
}

// Load every world of a folder. Returns how many there are, -1 without the folder.
static int load_folder(const char* folder, int max_warnings) {
  struct dirent** list;
  const int n = scandir(folder, &list, is_world, alphasort);
  for (int i = 0; i < n; i++) {
    char path[1200];
    snprintf(path, sizeof path, "%s/%s", folder, list[i]->d_name);
    Load* load = load_file(path);
    if (load->status != RUT_OK || load->warnings > max_warnings) {
      print_findings(load, RUT_ERROR);
      fail_msg("%s: %d errors, %d warnings", path, load->errors, load->warnings);
    }
    close_load(load);
    free(list[i]);
  }
  if (n >= 0) free(list);
  return n;
}

#define WORLDS RUT_SHARED_DIR "/data/mvsim/worlds/mvsim_tutorial/"

static void test_mvsim_worlds(void** state) {
  (void)state;
  if (load_folder(WORLDS, 40) < 0) {
    print_message("MVSim's worlds are not at hand\n");
    skip();
  }
}

static void test_conformance_worlds(void** state) {
  (void)state;
  if (load_folder(RUT_SHARED_DIR "/data/mvsim/conformance", 3) < 0) {
    print_message("the conformance worlds are not at hand\n");
    skip();
  }
}

// Facts that stand in the files.
static void test_known_worlds(void** state) {
  (void)state;
  Load* load = load_file(WORLDS "demo_2robots.world.xml");
  if (load->status == RUT_ERR_IO) {
    print_message("MVSim's worlds are not at hand\n");
    close_load(load);
    skip();
    return;
  }
  assert_int_equal(load->status, RUT_OK);
  assert_value(number(load, "r1/controller[0]", "proportional_gain"), 4.1543);
  assert_value(number(load, "r2/tyre[0]", "bearing_damping"), 0.5);
  assert_value(part(load, "r2/rl", "position", 1), 1);
  assert_value(number(load, "r1/laser1", "z"), 0.7);
  assert_int_equal(children(load, "block"), 3);
  // publish of vehicles in one file, the remote mesh
  assert_int_equal(count_of(load, RUT_WARNING, "publish"), 1);
  assert_int_equal(count_of(load, RUT_WARNING, "rut fetches none"), 1);
  close_load(load);

  load = load_file(WORLDS "demo_many_robots.world.xml");
  assert_int_equal(load->status, RUT_OK);
  assert_int_equal(children(load, "vehicle"), 25);
  assert_value(number(load, "veh25/laser1", "rays"), 100);
  close_load(load);

  load = load_file(WORLDS "demo_jackal.world.xml");
  assert_int_equal(load->status, RUT_OK);
  // the chassis comes from a mesh: a Jackal is 0.50 m by 0.43 m (outer parts of its model)
  if (!count_of(load, RUT_WARNING, "assimp")) {
    assert_near(number(load, "r1/chassis[0]", "z_max"), 0.2495, 1e-3);
  }
  close_load(load);

  load = load_file(WORLDS "demo_greenhouse.world.xml");
  assert_int_equal(load->status, RUT_OK);
  // 2 x 21 + 2 x 10 beams, 5 x 9 thick and 5 x 9 thin poles, 5 x (2 x 5 + 2 x 6) plants
  assert_int_equal(children(load, "block"), 42 + 20 + 45 + 45 + 110);
  close_load(load);
}

// A vehicle of MVSim in a world of rut, whose own fields and parts go before the file's.
static void test_vehicle_in_a_world_of_rut(void** state) {
  (void)state;
  write_file("mvsim_cart.vehicle.xml",
             "<!-- a cart -->\n<vehicle:class name='cart'>\n<dynamics class='differential'>\n"
             "<l_wheel pos='0 0.3' mass='${wheel_mass|1.5}' diameter='0.3'/>\n"
             "<r_wheel pos='0 -0.3' mass='1.5' diameter='0.3'/>\n<chassis mass='20'/>\n"
             "<controller class='twist_pid'><KP>7</KP><V>0.5</V></controller>\n"
             "<gears/>\n</dynamics></vehicle:class>\n");
  write_file(
      "mvsim_own.xml",
      "<world>\n<vehicle file='mvsim_cart.vehicle.xml' name='a' position='1 2' yaw='90 deg'/>\n"
      "<vehicle file='mvsim_cart.vehicle.xml' position='5 2'>\n"
      "<controller type='raw' torque_left='3'/></vehicle>\n</world>\n");
  Load* load = load_file("mvsim_own.xml");
  if (load->status != RUT_OK) print_findings(load, RUT_ERROR);
  assert_int_equal(load->status, RUT_OK);
  assert_value(number(load, "a/chassis[0]", "mass"), 20);
  assert_value(number(load, "a/l", "mass"), 1.5);
  assert_value(number(load, "a/l", "radius"), 0.15);
  assert_string_equal(type_of(load, "a/controller[0]"), "twist_pid");
  assert_value(number(load, "a/controller[0]", "proportional_gain"), 7);
  assert_value(part(load, "a", "position", 0), 1);
  assert_value(number(load, "a", "yaw"), PI / 2);
  // without a name it has that of its class
  assert_string_equal(type_of(load, "cart/controller[0]"), "raw");
  assert_value(number(load, "cart/controller[0]", "torque_left"), 3);
  // what is to say about the file is said once
  assert_int_equal(load->warnings, 1);
  assert_int_equal(count_of(load, RUT_WARNING, "gears"), 1);
  assert_non_null(strstr(load->finding[0].file, "mvsim_cart.vehicle.xml"));
  assert_int_equal(load->finding[0].line, 8);
  rutModel* model = NULL;
  assert_int_equal(rut_compile(load->spec, &model, &load->err), RUT_OK);
  rut_model_destroy(model);
  close_load(load);

  write_file("mvsim_none.vehicle.xml",
             "<vehicle:class name='n'><dynamics class='boat'/></vehicle:class>");
  write_file("mvsim_own.xml", "<world>\n  <vehicle file='mvsim_none.vehicle.xml'/>\n</world>");
  load = load_file("mvsim_own.xml");
  assert_int_equal(load->status, RUT_ERR_MODEL);
  assert_int_equal(count_of(load, RUT_ERROR, "class 'boat' is not known"), 1);
  close_load(load);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_loops),          cmocka_unit_test(test_conditions),
      cmocka_unit_test(test_includes),       cmocka_unit_test(test_unknown_tags),
      cmocka_unit_test(test_later_tags),     cmocka_unit_test(test_remote_models),
      cmocka_unit_test(test_local_model),    cmocka_unit_test(test_repairs),
      cmocka_unit_test(test_errors),         cmocka_unit_test(test_all_errors),
      cmocka_unit_test(test_include_cycles), cmocka_unit_test(test_errors_in_includes),
      cmocka_unit_test(test_mvsim_worlds),   cmocka_unit_test(test_conformance_worlds),
      cmocka_unit_test(test_known_worlds),   cmocka_unit_test(test_vehicle_in_a_world_of_rut),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
