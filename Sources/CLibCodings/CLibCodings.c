#include "CLibCodings.h"
#include "CLazyLoad.h"
#include <limits.h>
#include <stdlib.h>

// libcurl brings these libraries along, but not their headers, which would be three more packages to build with. Their
// binary interfaces are stable; zlib checks the size of its structure.

struct z_stream {
    const uint8_t *next_in;
    unsigned avail_in;
    unsigned long total_in;
    uint8_t *next_out;
    unsigned avail_out;
    unsigned long total_out;
    const char *message;
    void *state, *allocate, *release, *opaque;
    int data_type;
    unsigned long checksum, reserved;
};
enum { Z_OK = 0, Z_STREAM_END = 1, Z_BUF_ERROR = -5, Z_GZIP_BITS = 15 + 16, Z_ZLIB_BITS = 15, Z_RAW_BITS = -15 };

static struct {
    int (*inflateInit2_)(struct z_stream *, int bits, const char *version, int size);
    int (*inflate)(struct z_stream *, int flush);
    int (*inflateReset)(struct z_stream *);
    int (*inflateEnd)(struct z_stream *);
} zlib;

enum { BROTLI_ERROR = 0, BROTLI_SUCCESS = 1 };

static struct {
    void *(*BrotliDecoderCreateInstance)(void *allocate, void *release, void *opaque);
    int (*BrotliDecoderDecompressStream)(
        void *, size_t *in_count, const uint8_t **in, size_t *out_count, uint8_t **out, size_t *total);
    void (*BrotliDecoderDestroyInstance)(void *);
} brotli;

struct zstd_in { const void *bytes; size_t size, position; };
struct zstd_out { void *bytes; size_t size, position; };
// The largest window that a server may use (RFC 9659 §3).
enum { ZSTD_WINDOW_LOG_MAX = 100, ZSTD_WINDOW_LOG = 23 };

static struct {
    void *(*ZSTD_createDStream)(void);
    size_t (*ZSTD_DCtx_setParameter)(void *, int parameter, int value);
    size_t (*ZSTD_decompressStream)(void *, struct zstd_out *, struct zstd_in *);
    unsigned (*ZSTD_isError)(size_t);
    size_t (*ZSTD_freeDStream)(void *);
} zstd;

#define SYMBOL(library, name) {#name, (void **)&library.name}
#define LOAD(soname, symbols) oap_load_library(soname, symbols, sizeof symbols / sizeof symbols[0])

const char *oap_coding_load(enum oap_coding coding) {
    static const struct oap_symbol of_zlib[] = {
        SYMBOL(zlib, inflateInit2_), SYMBOL(zlib, inflate), SYMBOL(zlib, inflateReset), SYMBOL(zlib, inflateEnd)};
    static const struct oap_symbol of_brotli[] = {
        SYMBOL(brotli, BrotliDecoderCreateInstance), SYMBOL(brotli, BrotliDecoderDecompressStream),
        SYMBOL(brotli, BrotliDecoderDestroyInstance)};
    static const struct oap_symbol of_zstd[] = {
        SYMBOL(zstd, ZSTD_createDStream), SYMBOL(zstd, ZSTD_DCtx_setParameter), SYMBOL(zstd, ZSTD_decompressStream),
        SYMBOL(zstd, ZSTD_isError), SYMBOL(zstd, ZSTD_freeDStream)};
    switch (coding) {
    case OAP_CODING_BROTLI: return LOAD("libbrotlidec.so.1", of_brotli);
    case OAP_CODING_ZSTD: return LOAD("libzstd.so.1", of_zstd);
    default: return LOAD("libz.so.1", of_zlib);
    }
}

struct oap_decoder {
    enum oap_coding coding;
    enum oap_coding_state state;
    int is_set_up; // the stream of zlib
    struct z_stream stream;
    void *other; // what brotli and zstd have made
};

struct oap_decoder *oap_decoder_open(enum oap_coding coding) {
    struct oap_decoder *decoder = calloc(1, sizeof *decoder);
    if (decoder == NULL) return NULL;
    decoder->coding = coding;
    if (coding == OAP_CODING_BROTLI) decoder->other = brotli.BrotliDecoderCreateInstance(NULL, NULL, NULL);
    if (coding == OAP_CODING_ZSTD) {
        decoder->other = zstd.ZSTD_createDStream();
        if (decoder->other != NULL) zstd.ZSTD_DCtx_setParameter(decoder->other, ZSTD_WINDOW_LOG_MAX, ZSTD_WINDOW_LOG);
    }
    if (decoder->other != NULL || coding == OAP_CODING_GZIP || coding == OAP_CODING_DEFLATE) return decoder;
    free(decoder);
    return NULL;
}

void oap_decoder_close(struct oap_decoder *decoder) {
    if (decoder->is_set_up) zlib.inflateEnd(&decoder->stream);
    if (decoder->coding == OAP_CODING_BROTLI) brotli.BrotliDecoderDestroyInstance(decoder->other);
    if (decoder->coding == OAP_CODING_ZSTD) zstd.ZSTD_freeDStream(decoder->other);
    free(decoder);
}

/// Sets the stream up by the first byte: `deflate` is in zlib's format, but some servers leave that out.
static int set_up(struct oap_decoder *decoder, uint8_t first) {
    int bits = decoder->coding == OAP_CODING_GZIP ? Z_GZIP_BITS : (first & 0x0F) == 8 ? Z_ZLIB_BITS : Z_RAW_BITS;
    decoder->is_set_up = zlib.inflateInit2_(&decoder->stream, bits, "1.2.3", sizeof decoder->stream) == Z_OK;
    return decoder->is_set_up;
}

static enum oap_coding_state inflate_some(
    struct oap_decoder *decoder, const uint8_t **in, size_t *in_count, uint8_t *out, size_t *out_count) {
    struct z_stream *stream = &decoder->stream;
    size_t room = *out_count;
    *out_count = 0;
    if (decoder->state == OAP_CODING_ENDED) {
        if (decoder->coding != OAP_CODING_GZIP) return OAP_CODING_BROKEN;
        // Behind a member comes another one (RFC 1952 §2.2), or what fills up a block of a tape.
        while (*in_count > 0 && **in == 0) ++*in, --*in_count;
        if (*in_count == 0) return OAP_CODING_ENDED;
        if (**in != 0x1F || zlib.inflateReset(stream) != Z_OK) return OAP_CODING_BROKEN;
    }
    if (!decoder->is_set_up && (*in_count == 0 || !set_up(decoder, **in))) return OAP_CODING_BROKEN;
    stream->next_in = *in;
    stream->avail_in = *in_count < UINT_MAX ? (unsigned)*in_count : UINT_MAX;
    stream->next_out = out;
    stream->avail_out = (unsigned)room;
    int code = zlib.inflate(stream, 0);
    *in_count -= (size_t)(stream->next_in - *in);
    *in = stream->next_in;
    *out_count = room - stream->avail_out;
    // No progress is possible without more input or room.
    if (code == Z_OK || code == Z_BUF_ERROR) return OAP_CODING_OPEN;
    return code == Z_STREAM_END ? OAP_CODING_ENDED : OAP_CODING_BROKEN;
}

static enum oap_coding_state brotli_some(
    struct oap_decoder *decoder, const uint8_t **in, size_t *in_count, uint8_t *out, size_t *out_count) {
    size_t room = *out_count;
    *out_count = 0;
    if (decoder->state == OAP_CODING_ENDED) return OAP_CODING_BROKEN;
    size_t left = room;
    int result = brotli.BrotliDecoderDecompressStream(decoder->other, in_count, in, &left, &out, NULL);
    *out_count = room - left;
    if (result == BROTLI_ERROR) return OAP_CODING_BROKEN;
    return result == BROTLI_SUCCESS ? OAP_CODING_ENDED : OAP_CODING_OPEN;
}

static enum oap_coding_state zstd_some(
    struct oap_decoder *decoder, const uint8_t **in, size_t *in_count, uint8_t *out, size_t *out_count) {
    struct zstd_in input = {*in, *in_count, 0};
    struct zstd_out output = {out, *out_count, 0};
    // Behind a frame another one may come (RFC 8878 §3).
    size_t left = zstd.ZSTD_decompressStream(decoder->other, &output, &input);
    *in += input.position;
    *in_count -= input.position;
    *out_count = output.position;
    if (zstd.ZSTD_isError(left)) return OAP_CODING_BROKEN;
    return left == 0 ? OAP_CODING_ENDED : OAP_CODING_OPEN;
}

enum oap_coding_state oap_decoder_run(
    struct oap_decoder *decoder, const uint8_t **in, size_t *in_count, uint8_t *out, size_t *out_count) {
    switch (decoder->coding) {
    case OAP_CODING_BROTLI: decoder->state = brotli_some(decoder, in, in_count, out, out_count); break;
    case OAP_CODING_ZSTD: decoder->state = zstd_some(decoder, in, in_count, out, out_count); break;
    default: decoder->state = inflate_some(decoder, in, in_count, out, out_count);
    }
    return decoder->state;
}
