#ifndef CWslay_SHIM_H
#define CWslay_SHIM_H

#include <wslay/wslay.h>

#endif
