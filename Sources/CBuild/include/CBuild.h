#ifndef CBUILD_H
#define CBUILD_H

// What script/build says about a release. Swift has no macros with values, so C keeps them.

/// The commit that was built; NULL if the build was not told.
const char *cbuild_commit(void);
/// The day of the build, 2026-01-31; NULL if the build was not told.
const char *cbuild_date(void);

#endif
