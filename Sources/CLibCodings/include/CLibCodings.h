#ifndef OAP_CLIBCODINGS_H
#define OAP_CLIBCODINGS_H
#include <stddef.h>
#include <stdint.h>

/// The content codings of HTTP (RFC 9110 §8.4.1, RFC 7932, RFC 8878).
enum oap_coding { OAP_CODING_GZIP, OAP_CODING_DEFLATE, OAP_CODING_BROTLI, OAP_CODING_ZSTD };

/// Where the coded content is.
enum oap_coding_state {
    OAP_CODING_OPEN,   ///< it goes on
    OAP_CODING_ENDED,  ///< it may end here
    OAP_CODING_BROKEN, ///< it is not of the coding, or goes on behind its end
};

struct oap_decoder;

/// Loads the library of a coding. Returns NULL, or why not (a static buffer). Call before a decoder of it is opened.
const char *oap_coding_load(enum oap_coding coding);

/// A decoder at the beginning; NULL without memory.
struct oap_decoder *oap_decoder_open(enum oap_coding coding);
void oap_decoder_close(struct oap_decoder *decoder);

/// Decodes some of `*in`, which moves behind what was read, into `out`, whose size becomes the count of written bytes.
/// Everything is read and written when `*in_count` is 0 and `out` was not filled.
enum oap_coding_state oap_decoder_run(
    struct oap_decoder *decoder, const uint8_t **in, size_t *in_count, uint8_t *out, size_t *out_count);

#endif
