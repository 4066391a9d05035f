// SPDX-License-Identifier: BSD-3-Clause
//
// What studies need of SQLite, which is loaded when the first database is opened. Without it all
// fail with RUT_ERR_MISSING.
#ifndef RUT_HOST_DATABASE_H
#define RUT_HOST_DATABASE_H

#include <stdbool.h>
#include <stdint.h>

#include "rut/rut.h"

typedef struct rutDatabase rutDatabase;
typedef struct rutStatement rutStatement;

typedef enum rutDatabaseMode { RUT_DATABASE_READ, RUT_DATABASE_WRITE } rutDatabaseMode;

// Open a file; WRITE makes it if it is not there. Errors: IO, MISSING, MEMORY. The caller owns
// *out. Nullable: err, as everywhere below.
rutStatus rut_database_open(const char* path, rutDatabaseMode mode, rutDatabase** out,
                            rutError* err);
void rut_database_close(rutDatabase* db);  // Nullable: db
// Run statements that give no rows. Errors: IO (also what the file lacks), MEMORY.
rutStatus rut_database_run(rutDatabase* db, const char* sql, rutError* err);
// First number or text of a statement's first row. "" or 0 if there is none. text may be NULL.
rutStatus rut_database_ask(rutDatabase* db, const char* sql, int64_t* number, char* text,
                           size_t size, rutError* err);

// Prepare a statement. Errors: IO, MEMORY. The caller owns *out.
rutStatus rut_database_prepare(rutDatabase* db, const char* sql, rutStatement** out, rutError* err);
void rut_statement_free(rutStatement* statement);  // Nullable: statement
// Bind parameters, counted from 0. A number that is not a number becomes NULL; texts are copied.
void rut_statement_integer(rutStatement* statement, int at, int64_t value);
void rut_statement_number(rutStatement* statement, int at, double value);
void rut_statement_text(rutStatement* statement, int at, const char* value);
void rut_statement_null(rutStatement* statement, int at);
// Go to the next row; *row tells whether there is one. At the end the statement may be bound and
// run again. Errors: IO.
rutStatus rut_statement_step(rutStatement* statement, bool* row, rutError* err);
// Columns of the row, counted from 0. NULL is NaN, 0 or "". Texts are valid until the next step.
int rut_statement_columns(const rutStatement* statement);
bool rut_statement_is_null(const rutStatement* statement, int column);
int64_t rut_statement_get_integer(const rutStatement* statement, int column);
double rut_statement_get_number(const rutStatement* statement, int column);
const char* rut_statement_get_text(const rutStatement* statement, int column);

#endif  // RUT_HOST_DATABASE_H
