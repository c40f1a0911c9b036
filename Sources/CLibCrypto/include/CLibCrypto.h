#ifndef OAP_CLIBCRYPTO_H
#define OAP_CLIBCRYPTO_H
#include <stddef.h>
#include <stdint.h>

/// OpenSSL's own types, by name only: its headers stay out of Swift, so nothing can be called that is not loaded.
typedef struct evp_pkey_st EVP_PKEY;
typedef struct evp_pkey_ctx_st EVP_PKEY_CTX;
typedef struct evp_md_ctx_st EVP_MD_CTX;
typedef struct evp_cipher_ctx_st EVP_CIPHER_CTX;

/// Loads libcrypto.so.3. Returns NULL, or why not. Call once before any other function here, but for the digests and
/// oap_memcmp: those are linked in from libcrypto.a, since loading the whole library takes longer than all that
/// `oap authurl` does besides.
const char *oap_crypto_load(void);

/// OpenSSL_version: name, number and date of the library.
const char *oap_crypto_version(void);

/// SHA-256 of `length` bytes into 32 bytes at `digest` (SHA256_Init, _Update, _Final).
void oap_sha256(const uint8_t *bytes, size_t length, uint8_t *digest);

/// SHA-384 into 48 bytes at `digest`; as `oap_sha256`.
void oap_sha384(const uint8_t *bytes, size_t length, uint8_t *digest);

/// SHA-512 into 64 bytes at `digest`; as `oap_sha256`.
void oap_sha512(const uint8_t *bytes, size_t length, uint8_t *digest);

/// CRYPTO_memcmp: 0 when equal, in a time that does not depend on the bytes.
int oap_memcmp(const void *a, const void *b, size_t length);

/// EVP_Q_mac: HMAC with a digest (`SHA256`) into `code_length` bytes at `code`. Returns 1, or 0.
int oap_hmac(const char *digest, const uint8_t *key, size_t key_length, const uint8_t *bytes, size_t length,
             uint8_t *code, size_t code_length);

/// EVP_PKEY_free.
void oap_key_free(EVP_PKEY *key);

/// EVP_MD_CTX_new: NULL when there is no memory.
EVP_MD_CTX *oap_context_new(void);

/// EVP_MD_CTX_free.
void oap_context_free(EVP_MD_CTX *context);

/// EVP_DigestVerifyInit_ex: prepares to verify with a digest (`SHA256`; NULL for EdDSA, which has its own). `options`
/// belongs to the context. Returns 1, or something else.
int oap_verify_init(EVP_MD_CTX *context, EVP_PKEY_CTX **options, const char *digest, EVP_PKEY *key);

/// EVP_PKEY_CTX_set_rsa_padding and _set_rsa_pss_saltlen: RSASSA-PSS with a salt as long as the digest. Returns 1, or 0.
int oap_use_pss(EVP_PKEY_CTX *options);

/// EVP_DigestVerify: 1 when the signature is right; anything else when not.
int oap_verify(EVP_MD_CTX *context, const uint8_t *signature, size_t signature_length, const uint8_t *bytes,
               size_t length);

/// EVP_PKEY_Q_keygen: a new RSA key of so many bits. NULL when none could be made; so with the two below.
EVP_PKEY *oap_generate_rsa(size_t bits);

/// EVP_PKEY_Q_keygen: a new key on a curve (`P-256`).
EVP_PKEY *oap_generate_ec(const char *curve);

/// EVP_PKEY_Q_keygen: a new Ed25519 key.
EVP_PKEY *oap_generate_ed25519(void);

/// A parameter of a key that is made from its parts: an unsigned number, the most significant byte first; octets; text.
struct oap_key_part {
    const char *name;
    enum oap_key_part_kind { OAP_NUMBER, OAP_OCTETS, OAP_TEXT } kind;
    const uint8_t *bytes;
    size_t length;
};

/// EVP_PKEY_fromdata: a key pair of a type (`RSA`, `EC`, `ED25519`) from at most 8 parts, of which copies are wiped. NULL
/// when libcrypto takes them for none. Whether the private half belongs to the public one is not checked.
EVP_PKEY *oap_key_from_parts(const char *type, const struct oap_key_part *parts, size_t count);

/// PEM_read_bio_PrivateKey: the private key of a PEM block. `asked` becomes how often libcrypto asked for the pass phrase;
/// without one (NULL) it gets none. NULL when there is no key, or the pass phrase is wrong.
EVP_PKEY *oap_key_from_pem(const uint8_t *pem, size_t length, const uint8_t *phrase, size_t phrase_length, int *asked);

/// PEM_read_bio_PUBKEY, or X509_get_pubkey of a certificate: the public key of a PEM block. NULL when there is none.
EVP_PKEY *oap_public_key_from_pem(const uint8_t *pem, size_t length, int is_certificate);

/// EVP_PKEY_is_a: 1 when a key is of a type (`RSA`, which does not mean `RSA-PSS`).
int oap_key_is(EVP_PKEY *key, const char *type);

/// EVP_PKEY_get_bits.
int oap_key_bits(EVP_PKEY *key);

/// EVP_PKEY_get_group_name: the name of the curve. Returns 1, or 0.
int oap_key_curve(EVP_PKEY *key, char *name, size_t capacity);

/// EVP_PKEY_get_octet_string_param: a parameter of a key (`pub`), its length at `length`. Returns 1, or 0.
int oap_key_bytes(EVP_PKEY *key, const char *name, uint8_t *bytes, size_t capacity, size_t *length);

/// EVP_PKEY_get_bn_param and BN_bn2binpad: a number of a key (`n`), the most significant byte first, zeros put in front
/// up to `length` bytes. Returns 1, or 0, also for a number that is too long.
int oap_key_number(EVP_PKEY *key, const char *name, uint8_t *bytes, size_t length);

/// EVP_DigestSignInit_ex: prepares to sign; as `oap_verify_init`.
int oap_sign_init(EVP_MD_CTX *context, EVP_PKEY_CTX **options, const char *digest, EVP_PKEY *key);

/// EVP_DigestSign: a signature into at most `*signature_length` bytes, which becomes its length. Returns 1, or 0.
int oap_sign(EVP_MD_CTX *context, uint8_t *signature, size_t *signature_length, const uint8_t *bytes, size_t length);

/// EVP_PKEY_encrypt or EVP_PKEY_decrypt with RSAES-OAEP, whose digest (`SHA1`, `SHA256`) is that of MGF1 too: into at most
/// `*output_length` bytes, which becomes their number. Returns 1, or 0.
int oap_oaep(EVP_PKEY *key, const char *digest, const uint8_t *bytes, size_t length, uint8_t *output,
             size_t *output_length, int encrypts);

/// EVP_PKEY_derive: the shared secret of two keys on one curve (ECDH), into at most `*length` bytes. Returns 1, or 0.
int oap_derive(EVP_PKEY *key, EVP_PKEY *peer, uint8_t *secret, size_t *length);

/// EVP_CipherInit_ex and the functions behind it: encrypts or decrypts with a cipher of libcrypto (`AES-128-GCM`,
/// `AES-128-CBC`, `AES-128-WRAP`) into `output`, which has 32 bytes more than the input. A tag of 16 bytes, or NULL, is made
/// or checked with the associated bytes. `*output_length` becomes the number of bytes. Returns 1, or 0.
int oap_cipher(const char *cipher, const uint8_t *key, const uint8_t *vector, uint8_t *tag, const uint8_t *associated,
               size_t associated_length, const uint8_t *bytes, size_t length, uint8_t *output, size_t *output_length,
               int encrypts);

/// X509_check_ip_asc for an address, X509_check_host for another host: 1 when the `subjectAltName` of the first
/// certificate in PEM names it, 0 when not, -1 when there is no certificate or the host is malformed.
int oap_certificate_names(const uint8_t *pem, size_t length, const char *host);

/// What the first certificate in PEM says, in four lines: the subject and the issuer as strings of RFC 4514 in UTF-8
/// (X509_NAME_print_ex), and from when to when it is valid, in seconds since 1970. Returns the length of the text, or 0 when
/// there is no certificate, or no room.
size_t oap_certificate_text(const uint8_t *pem, size_t length, uint8_t *text, size_t capacity);

/// ERR_clear_error: empties this thread's queue of errors, which libcurl's TLS reads too. May be called before libcrypto is
/// loaded.
void oap_forget_errors(void);

#endif
