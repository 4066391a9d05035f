// SPDX-License-Identifier: BSD-3-Clause
//
// Scene files of MAVS (JSON): ground, trails, objects, vegetation, people. What the keys mean
// follows MAVS's page "MAVS Scene Input Files" and its code (src/raytracers/embree_tracer).
//   mavs_scene.c       the format, and the keys of a scene
//   mavs_ground.c      surfaces, height maps, trails, potholes, layers
//   mavs_objects.c     objects, at given or random places
//   mavs_vegetation.c  vegetation by zones, and animations
//   mavs_files.c       files of a scene: where they are, labels, meshes
//   mavs_things.c      what stands for a mesh
#ifndef RUT_FORMAT_MAVS_SCENE_H
#define RUT_FORMAT_MAVS_SCENE_H

#include "format/json_nodes.h"
#include "format/mesh.h"
#include "format/path_file.h"

enum { RUT_MAVS_PATH = 1200, RUT_MAVS_MAX_MESHES = 1024 };

// A mesh of the scene. Kept to the end.
typedef struct rutMavsFile {
  const char* name;          // in the scene, borrowed from its JSON
  char path[RUT_MAVS_PATH];  // of the file, "" if there is none
  rutMesh mesh;              // points 0 if it cannot be had
  bool surface;              // the scene drives on it
} rutMavsFile;

// Name and label, or name and measures, of meshes as files beside the scene give them.
typedef struct rutMavsLabel {
  const char *mesh, *label;
} rutMavsLabel;
typedef struct rutMavsPlant {
  const char* mesh;
  double height, diameter;  // [m]
} rutMavsPlant;

typedef struct rutMavsScene {
  rutJsonMaker maker;
  rutNode world;
  char folder[RUT_MAVS_PATH];  // of the scene, with a slash at its end, or ""
  char meshes[RUT_MAVS_PATH];  // of its meshes, likewise
  bool full_paths;
  rutJson *labels_json, *plants_json;  // which hold the names below
  rutMavsLabel* label;
  int labels;
  rutMavsPlant* plant;
  int plants;
  rutMavsFile* mesh;  // [RUT_MAVS_MAX_MESHES]
  int mesh_count;
  rutMeshTime mesh_time;
  double mesh_points;  // moved so far
  bool has_box;
  double box[4];  // of the ground: least x y, greatest x y [m]
} rutMavsScene;

// ---- mavs_scene.c ----

// True if a text looks like such a file.
bool rut_mavs_scene_recognise(const char* text, size_t size);
// Read a scene into a world. file: its name. Findings are reported; the first error is returned.
rutStatus rut_mavs_scene_add(rutContext* context, const char* text, size_t size, const char* file,
                             rutSpec* spec, rutNode world);

// ---- mavs_files.c ----

void rut_mavs_scene_folders(rutMavsScene* s, const rutJsonValue* root);
void rut_mavs_scene_labels(rutMavsScene* s, const rutJsonValue* root);
void rut_mavs_scene_free(rutMavsScene* s);
// Path of a file that the scene names, of its meshes or of MAVS's data. False if there is none that
// may be read; what is wrong was then reported: a file that cannot be read is an error, one that
// is not there a warning that ends with `instead`.
bool rut_mavs_scene_mesh_path(rutMavsScene* s, const rutJsonValue* name, const char* label,
                              const char* instead, char path[RUT_MAVS_PATH]);
bool rut_mavs_scene_data_path(rutMavsScene* s, const rutJsonValue* name, const char* label,
                              const char* instead, char path[RUT_MAVS_PATH]);
// A mesh by its name, looked for and read once; its path is "" if there is none. NULL after an
// error.
rutMavsFile* rut_mavs_scene_mesh(rutMavsScene* s, const rutJsonValue* name, const char* label,
                                 const char* instead);
// A JSON file of MAVS's data. NULL if it is not there (a warning) or wrong. The caller destroys it.
rutJson* rut_mavs_scene_json(rutMavsScene* s, const char* path, const rutJsonValue* name,
                             const char* label);
// A path of MAVS's data (a list of points). False if it is not there (a warning) or wrong.
bool rut_mavs_scene_points(rutMavsScene* s, const rutJsonValue* name, const char* label,
                           const char* instead, rutPathPoints* out);
// Label of a mesh, "" if it has none; measures of a plant, NULL if they are not known.
const char* rut_mavs_scene_label(const rutMavsScene* s, const char* mesh);
const rutMavsPlant* rut_mavs_scene_plant(const rutMavsScene* s, const char* mesh);

// ---- mavs_things.c ----

// What stands for a mesh: a type of scenery with its measures at size 1.
typedef struct rutMavsThing {
  const char *type, *kind;  // of scenery; kind "" if the type has none
  double height;            // [m], 0: that of the type
  double width;             // of a trunk or stem, a cylinder or a box [m], 0: that of the type
  bool plant;               // it stands on the ground, upright
} rutMavsThing;

// By the name of a mesh, or else its label. A box of 1 m if neither says more.
rutMavsThing rut_mavs_thing(const char* mesh, const char* label);
// Set the fields of a <scenery> of this thing.
void rut_mavs_thing_set(rutJsonMaker* m, rutNode node, const rutMavsThing* thing, rutPlace place);

// ---- the parts ----

void rut_mavs_scene_layered(rutMavsScene* s, const rutJsonValue* root);
void rut_mavs_scene_surfaces(rutMavsScene* s, const rutJsonValue* root);
void rut_mavs_scene_objects(rutMavsScene* s, const rutJsonValue* root);
void rut_mavs_scene_vegetation(rutMavsScene* s, const rutJsonValue* root);
void rut_mavs_scene_animations(rutMavsScene* s, const rutJsonValue* root);

// How an object of a scene says where a mesh stands.
typedef struct rutMavsPose {
  double angle[3];  // about z, y, x, in this order [rad]
  double position[3], scale[3];
  bool x_to_y, y_to_x, y_to_z;  // axes of the mesh are exchanged first
} rutMavsPose;
// Read "Rotate ..." of an object into *pose, and the rest of a place.
void rut_mavs_scene_axes(rutMavsScene* s, const rutJsonValue* object, const char* label,
                         rutMavsPose* pose);
void rut_mavs_scene_pose(rutMavsScene* s, const rutJsonValue* object, const char* label,
                         rutMavsPose* pose);
// The same as a <visual> says it: stretch along the mesh's own axes, then yaw, pitch, roll [rad].
void rut_mavs_pose_split(const rutMavsPose* pose, double stretch[3], double angle[3]);

#endif  // RUT_FORMAT_MAVS_SCENE_H
