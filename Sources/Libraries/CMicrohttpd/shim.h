#ifndef CMicrohttpd_SHIM_H
#define CMicrohttpd_SHIM_H

#include <microhttpd.h>

#endif
