// SPDX-License-Identifier: BSD-3-Clause
//
// Documents of SDF with what their <include>s name in its place
// (http://sdformat.org/tutorials?tut=composition).
#ifndef RUT_FORMAT_SDF_INCLUDE_H
#define RUT_FORMAT_SDF_INCLUDE_H

#include "base/input.h"
#include "format/xml.h"

enum {
  RUT_SDF_MAX_INCLUDES = 4096,        // of one document, with those in what it includes
  RUT_SDF_MAX_MODEL_BYTES = 16 << 20  // of an included file
};

typedef struct rutSdfDocument rutSdfDocument;

// Attribute of an <include> that stays in a document: the file of the URDF that it names.
#define RUT_SDF_URDF "urdf"

// Parse a document and put a <model> in the place of each <include>; those of URDFs in a <world>
// stay. What is not found is dropped with a warning. Errors, reported: PARSE, MODEL (a model that
// includes itself), CAPACITY, MEMORY; *out is NULL then, else the caller closes it.
rutStatus rut_sdf_document_open(const char* text, size_t size, const char* file,
                                rutReporter* reporter, rutSdfDocument** out);
// Nullable: document.
void rut_sdf_document_close(rutSdfDocument* document);
const rutXmlElement* rut_sdf_document_root(const rutSdfDocument* document);
// How many <include>s were dropped, but for those of the ground and the sun.
int rut_sdf_document_dropped(const rutSdfDocument* document);

// ---- the file of a model (sdf_models.c) ----

enum { RUT_SDF_MAX_PATH = 1024 };

typedef struct rutSdfModelFile {
  char path[RUT_SDF_MAX_PATH];  // as it is told
  char real[RUT_SDF_MAX_PATH];  // absolute, without links
} rutSdfModelFile;

// Find the file of the model that a URI, or a name relative to the file `from`, stands for: beside
// that file, else in the folders of models. Of a folder it is the file with the highest version in
// model.config, or model.sdf. Nothing is reported. False if there is none that may be read.
bool rut_sdf_find_model(const rutAccess* access, const char* uri, const char* from,
                        rutSdfModelFile* out);
// Why there is none, and what helps: "the model '...' is not found: ...".
void rut_sdf_explain_missing(const char* uri, char message[RUT_INPUT_TEXT]);

#endif  // RUT_FORMAT_SDF_INCLUDE_H
