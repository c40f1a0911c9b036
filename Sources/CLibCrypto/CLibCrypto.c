#define OPENSSL_SUPPRESS_DEPRECATED // the low-level SHA functions start in a twentieth of the time of the EVP ones
#include "CLibCrypto.h"
#include "CLazyLoad.h"
#include <openssl/crypto.h>
#include <openssl/sha.h>

static struct {
    __typeof__(SHA256_Init) *SHA256_Init;
    __typeof__(SHA256_Update) *SHA256_Update;
    __typeof__(SHA256_Final) *SHA256_Final;
    __typeof__(SHA384_Init) *SHA384_Init;
    __typeof__(SHA384_Update) *SHA384_Update;
    __typeof__(SHA384_Final) *SHA384_Final;
    __typeof__(SHA512_Init) *SHA512_Init;
    __typeof__(SHA512_Update) *SHA512_Update;
    __typeof__(SHA512_Final) *SHA512_Final;
    __typeof__(CRYPTO_memcmp) *CRYPTO_memcmp;
} crypto;

#define SYMBOL(name) {#name, (void **)&crypto.name}

const char *oap_crypto_load(void) {
    static const struct oap_symbol symbols[] = {
        SYMBOL(SHA256_Init), SYMBOL(SHA256_Update), SYMBOL(SHA256_Final),
        SYMBOL(SHA384_Init), SYMBOL(SHA384_Update), SYMBOL(SHA384_Final),
        SYMBOL(SHA512_Init), SYMBOL(SHA512_Update), SYMBOL(SHA512_Final),
        SYMBOL(CRYPTO_memcmp),
    };
    return oap_load_library("libcrypto.so.3", symbols, sizeof symbols / sizeof symbols[0]);
}

void oap_sha256(const uint8_t *bytes, size_t length, uint8_t *digest) {
    SHA256_CTX context;
    crypto.SHA256_Init(&context);
    crypto.SHA256_Update(&context, bytes, length);
    crypto.SHA256_Final(digest, &context);
}

void oap_sha384(const uint8_t *bytes, size_t length, uint8_t *digest) {
    SHA512_CTX context;
    crypto.SHA384_Init(&context);
    crypto.SHA384_Update(&context, bytes, length);
    crypto.SHA384_Final(digest, &context);
}

void oap_sha512(const uint8_t *bytes, size_t length, uint8_t *digest) {
    SHA512_CTX context;
    crypto.SHA512_Init(&context);
    crypto.SHA512_Update(&context, bytes, length);
    crypto.SHA512_Final(digest, &context);
}

int oap_memcmp(const void *a, const void *b, size_t length) { return crypto.CRYPTO_memcmp(a, b, length); }
