#ifndef CBUILD_H
#define CBUILD_H

// The build facts that script/build defines for a release. Swift has no macros with values, so C provides them.

/// The commit that was built; NULL if the build did not define it.
const char *cbuild_commit(void);
/// The date of the build, such as 2026-01-31; NULL if the build did not define it.
const char *cbuild_date(void);

#endif
