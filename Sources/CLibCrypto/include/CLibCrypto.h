#ifndef OAP_CLIBCRYPTO_H
#define OAP_CLIBCRYPTO_H
#include <stddef.h>
#include <stdint.h>

/// Loads libcrypto.so.3. Returns NULL, or why not. Call once before any other function here.
const char *oap_crypto_load(void);

/// SHA-256 of `length` bytes into 32 bytes at `digest` (SHA256_Init, _Update, _Final: no provider is loaded for it).
void oap_sha256(const uint8_t *bytes, size_t length, uint8_t *digest);

/// SHA-384 into 48 bytes at `digest`; as `oap_sha256`.
void oap_sha384(const uint8_t *bytes, size_t length, uint8_t *digest);

/// SHA-512 into 64 bytes at `digest`; as `oap_sha256`.
void oap_sha512(const uint8_t *bytes, size_t length, uint8_t *digest);

/// CRYPTO_memcmp: 0 when equal, in a time that does not depend on the bytes.
int oap_memcmp(const void *a, const void *b, size_t length);

#endif
