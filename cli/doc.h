// SPDX-License-Identifier: BSD-3-Clause
//
// Texts made from the field rows of component types.
#ifndef RUT_CLI_DOC_H
#define RUT_CLI_DOC_H

#include <stdio.h>

#include "rut/component.h"

// Manual page of one component type, as Markdown.
void cli_doc_page(const rutContext* context, const rutComponent* type, FILE* out);
// Table of the outputs that elements of this kind have without components; false if none.
bool cli_doc_outputs(const char* element, FILE* out);
// The same of a component type, under its name; nothing if it has no outputs.
void cli_doc_component_outputs(const rutComponent* type, FILE* out);
// XML schema (XSD 1.0) of native world files, for editors.
void cli_doc_schema(const rutContext* context, FILE* out);
// "tyre/coulomb", or "wheel" for a kind without types.
void cli_doc_name(const rutComponent* type, char* text, size_t size);
// True if a space-separated list holds a word.
bool cli_doc_lists(const char* list, const char* word);
// Unit of a field as people read it, "" for none.
const char* cli_doc_unit(const rutField* field);

#endif  // RUT_CLI_DOC_H
