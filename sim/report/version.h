/* version.h: the version of the program, as --version and every result tell it. */
#ifndef DLS_SIM_REPORT_VERSION_H
#define DLS_SIM_REPORT_VERSION_H

#define DLS_VERSION "0.1.0"

/* Version of the result's JSON form; readers name the versions they take. */
enum { DLS_RESULT_FORMAT = 1 };

#endif
