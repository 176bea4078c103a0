#ifndef CZlib_SHIM_H
#define CZlib_SHIM_H

#include <zlib.h>

// deflateInit2 is a macro. A window of 15 makes zlib's format, 31 gzip's.
static inline int CZlib_start(z_stream *stream, int level, int windowBits)
{
    return deflateInit2(stream, level, Z_DEFLATED, windowBits, 8, Z_DEFAULT_STRATEGY);
}

// inflateInit2 is a macro.
static inline int CZlib_startReading(z_stream *stream, int windowBits)
{
    return inflateInit2(stream, windowBits);
}

#endif
