// SPDX-License-Identifier: BSD-3-Clause
#ifndef RUT_HELPER_READ_MESH_H
#define RUT_HELPER_READ_MESH_H

// Reads a mesh from standard input and writes a rutMeshAnswer to standard output. ending is the
// format: "dae", "obj", "stl", "ply", "off" or "glb". The mesh has so many bytes, a number; a
// library of its materials (.mtl) may follow. Returns the exit status.
int read_mesh(const char* ending, const char* bytes);

#endif  // RUT_HELPER_READ_MESH_H
