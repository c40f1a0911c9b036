#define OPENSSL_SUPPRESS_DEPRECATED // the low-level SHA-256 starts in a twentieth of the time of the EVP one
#include "CLibCrypto.h"
#include "CLazyLoad.h"
#include <openssl/crypto.h>
#include <openssl/sha.h>

static struct {
    __typeof__(SHA256_Init) *SHA256_Init;
    __typeof__(SHA256_Update) *SHA256_Update;
    __typeof__(SHA256_Final) *SHA256_Final;
    __typeof__(CRYPTO_memcmp) *CRYPTO_memcmp;
} crypto;

#define SYMBOL(name) {#name, (void **)&crypto.name}

const char *oap_crypto_load(void) {
    static const struct oap_symbol symbols[] = {
        SYMBOL(SHA256_Init), SYMBOL(SHA256_Update), SYMBOL(SHA256_Final), SYMBOL(CRYPTO_memcmp)};
    return oap_load_library("libcrypto.so.3", symbols, sizeof symbols / sizeof symbols[0]);
}

void oap_sha256(const uint8_t *bytes, size_t length, uint8_t *digest) {
    SHA256_CTX context;
    crypto.SHA256_Init(&context);
    crypto.SHA256_Update(&context, bytes, length);
    crypto.SHA256_Final(digest, &context);
}

int oap_memcmp(const void *a, const void *b, size_t length) { return crypto.CRYPTO_memcmp(a, b, length); }
