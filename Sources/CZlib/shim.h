#ifndef IFTTT_CZLIB_H
#define IFTTT_CZLIB_H

#include <zlib.h>

/* Raw streams, without headers and checksums. Swift cannot call zlib's own functions for this, which are macros. The
   small hash table is fast to clear, and large enough for a few kilobytes. */

static inline int czlib_start_deflating(z_stream *stream) {
  return deflateInit2(stream, 1, Z_DEFLATED, -15, 5, Z_DEFAULT_STRATEGY);
}

/* A gzip stream with the best compression. */
static inline int czlib_start_gzip(z_stream *stream) {
  return deflateInit2(stream, 9, Z_DEFLATED, 15 + 16, 9, Z_DEFAULT_STRATEGY);
}

static inline int czlib_start_inflating(z_stream *stream) { return inflateInit2(stream, -15); }

/* One member of a gzip file, with its header and checksum. */
static inline int czlib_start_gunzip(z_stream *stream) { return inflateInit2(stream, 15 + 16); }

#endif
