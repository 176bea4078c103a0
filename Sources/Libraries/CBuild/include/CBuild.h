#ifndef CBUILD_H
#define CBUILD_H

/// The commit this was built from, as MOCKNET_COMMIT named it when the package was built; "unknown" when it did not.
const char *mocknet_build_commit(void);

#endif
