#include "CBuild.h"

// In C, since Swift has no way to compile a text in from outside.
const char *mocknet_build_commit(void) { return MOCKNET_COMMIT; }
