#define _GNU_SOURCE // timegm
#define OPENSSL_SUPPRESS_DEPRECATED // the low-level SHA functions
#include "CLibCrypto.h"
#include "CLazyLoad.h"
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rsa.h>
#include <openssl/sha.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

static struct {
    __typeof__(OpenSSL_version) *OpenSSL_version;
    __typeof__(EVP_Q_mac) *EVP_Q_mac;
    __typeof__(EVP_PKEY_free) *EVP_PKEY_free;
    __typeof__(EVP_MD_CTX_new) *EVP_MD_CTX_new;
    __typeof__(EVP_MD_CTX_free) *EVP_MD_CTX_free;
    __typeof__(EVP_DigestVerifyInit_ex) *EVP_DigestVerifyInit_ex;
    __typeof__(EVP_DigestVerify) *EVP_DigestVerify;
    __typeof__(EVP_PKEY_CTX_set_rsa_padding) *EVP_PKEY_CTX_set_rsa_padding;
    __typeof__(EVP_PKEY_CTX_set_rsa_pss_saltlen) *EVP_PKEY_CTX_set_rsa_pss_saltlen;
    __typeof__(EVP_PKEY_Q_keygen) *EVP_PKEY_Q_keygen;
    __typeof__(EVP_PKEY_get_octet_string_param) *EVP_PKEY_get_octet_string_param;
    __typeof__(EVP_PKEY_get_bn_param) *EVP_PKEY_get_bn_param;
    __typeof__(BN_bn2binpad) *BN_bn2binpad;
    __typeof__(BN_free) *BN_free;
    __typeof__(EVP_DigestSignInit_ex) *EVP_DigestSignInit_ex;
    __typeof__(EVP_DigestSign) *EVP_DigestSign;
    __typeof__(EVP_CIPHER_CTX_new) *EVP_CIPHER_CTX_new;
    __typeof__(EVP_CIPHER_CTX_free) *EVP_CIPHER_CTX_free;
    __typeof__(EVP_CipherInit_ex) *EVP_CipherInit_ex;
    __typeof__(EVP_CipherUpdate) *EVP_CipherUpdate;
    __typeof__(EVP_CipherFinal_ex) *EVP_CipherFinal_ex;
    __typeof__(EVP_CIPHER_CTX_ctrl) *EVP_CIPHER_CTX_ctrl;
    __typeof__(ERR_clear_error) *ERR_clear_error;
    __typeof__(BIO_new_mem_buf) *BIO_new_mem_buf;
    __typeof__(BIO_free) *BIO_free;
    __typeof__(PEM_read_bio_X509) *PEM_read_bio_X509;
    __typeof__(X509_check_ip_asc) *X509_check_ip_asc;
    __typeof__(BIO_new) *BIO_new;
    __typeof__(BIO_s_mem) *BIO_s_mem;
    __typeof__(BIO_read) *BIO_read;
    __typeof__(BIO_write) *BIO_write;
    __typeof__(X509_get_subject_name) *X509_get_subject_name;
    __typeof__(X509_get_issuer_name) *X509_get_issuer_name;
    __typeof__(X509_NAME_print_ex) *X509_NAME_print_ex;
    __typeof__(X509_get0_notBefore) *X509_get0_notBefore;
    __typeof__(X509_get0_notAfter) *X509_get0_notAfter;
    __typeof__(ASN1_TIME_to_tm) *ASN1_TIME_to_tm;
    __typeof__(X509_check_host) *X509_check_host;
    __typeof__(X509_get_pubkey) *X509_get_pubkey;
    __typeof__(X509_free) *X509_free;
    __typeof__(PEM_read_bio_PUBKEY) *PEM_read_bio_PUBKEY;
    __typeof__(PEM_read_bio_PrivateKey) *PEM_read_bio_PrivateKey;
    __typeof__(EVP_PKEY_CTX_new_from_name) *EVP_PKEY_CTX_new_from_name;
    __typeof__(EVP_PKEY_CTX_free) *EVP_PKEY_CTX_free;
    __typeof__(EVP_PKEY_fromdata_init) *EVP_PKEY_fromdata_init;
    __typeof__(EVP_PKEY_fromdata) *EVP_PKEY_fromdata;
    __typeof__(EVP_PKEY_get_bits) *EVP_PKEY_get_bits;
    __typeof__(EVP_PKEY_is_a) *EVP_PKEY_is_a;
    __typeof__(EVP_PKEY_get_group_name) *EVP_PKEY_get_group_name;
    __typeof__(EVP_PKEY_CTX_new_from_pkey) *EVP_PKEY_CTX_new_from_pkey;
    __typeof__(EVP_PKEY_decrypt_init_ex) *EVP_PKEY_decrypt_init_ex;
    __typeof__(EVP_PKEY_decrypt) *EVP_PKEY_decrypt;
    __typeof__(EVP_PKEY_encrypt_init_ex) *EVP_PKEY_encrypt_init_ex;
    __typeof__(EVP_PKEY_encrypt) *EVP_PKEY_encrypt;
    __typeof__(EVP_PKEY_derive_init) *EVP_PKEY_derive_init;
    __typeof__(EVP_PKEY_derive_set_peer) *EVP_PKEY_derive_set_peer;
    __typeof__(EVP_PKEY_derive) *EVP_PKEY_derive;
    __typeof__(EVP_CIPHER_fetch) *EVP_CIPHER_fetch;
    __typeof__(EVP_CIPHER_free) *EVP_CIPHER_free;
    __typeof__(EVP_CIPHER_CTX_set_flags) *EVP_CIPHER_CTX_set_flags;
} crypto;

#define SYMBOL(name) {#name, (void **)&crypto.name}

const char *oap_crypto_load(void) {
    static const struct oap_symbol symbols[] = {
        SYMBOL(OpenSSL_version), SYMBOL(EVP_Q_mac),
        SYMBOL(EVP_PKEY_free),
        SYMBOL(EVP_MD_CTX_new), SYMBOL(EVP_MD_CTX_free),
        SYMBOL(EVP_DigestVerifyInit_ex), SYMBOL(EVP_DigestVerify),
        SYMBOL(EVP_PKEY_CTX_set_rsa_padding), SYMBOL(EVP_PKEY_CTX_set_rsa_pss_saltlen),
        SYMBOL(EVP_PKEY_Q_keygen), SYMBOL(EVP_PKEY_get_octet_string_param),
        SYMBOL(EVP_PKEY_get_bn_param), SYMBOL(BN_bn2binpad),
        SYMBOL(BN_free), SYMBOL(EVP_DigestSignInit_ex),
        SYMBOL(EVP_DigestSign), SYMBOL(EVP_CIPHER_CTX_new),
        SYMBOL(EVP_CIPHER_CTX_free), SYMBOL(EVP_CipherInit_ex),
        SYMBOL(EVP_CipherUpdate), SYMBOL(EVP_CipherFinal_ex),
        SYMBOL(EVP_CIPHER_CTX_ctrl),
        SYMBOL(ERR_clear_error), SYMBOL(BIO_new_mem_buf),
        SYMBOL(BIO_free), SYMBOL(PEM_read_bio_X509),
        SYMBOL(BIO_new), SYMBOL(BIO_s_mem), SYMBOL(BIO_read), SYMBOL(BIO_write),
        SYMBOL(X509_get_subject_name), SYMBOL(X509_get_issuer_name), SYMBOL(X509_NAME_print_ex),
        SYMBOL(X509_get0_notBefore), SYMBOL(X509_get0_notAfter), SYMBOL(ASN1_TIME_to_tm),
        SYMBOL(X509_check_ip_asc), SYMBOL(X509_check_host),
        SYMBOL(X509_get_pubkey), SYMBOL(X509_free),
        SYMBOL(PEM_read_bio_PUBKEY), SYMBOL(PEM_read_bio_PrivateKey),
        SYMBOL(EVP_PKEY_CTX_new_from_name), SYMBOL(EVP_PKEY_CTX_free),
        SYMBOL(EVP_PKEY_fromdata_init), SYMBOL(EVP_PKEY_fromdata),
        SYMBOL(EVP_PKEY_get_bits), SYMBOL(EVP_PKEY_is_a),
        SYMBOL(EVP_PKEY_get_group_name), SYMBOL(EVP_PKEY_CTX_new_from_pkey),
        SYMBOL(EVP_PKEY_decrypt_init_ex), SYMBOL(EVP_PKEY_decrypt),
        SYMBOL(EVP_PKEY_encrypt_init_ex), SYMBOL(EVP_PKEY_encrypt),
        SYMBOL(EVP_PKEY_derive_init), SYMBOL(EVP_PKEY_derive_set_peer),
        SYMBOL(EVP_PKEY_derive), SYMBOL(EVP_CIPHER_fetch),
        SYMBOL(EVP_CIPHER_free), SYMBOL(EVP_CIPHER_CTX_set_flags),
    };
    return oap_load_library("libcrypto.so.3", symbols, sizeof symbols / sizeof symbols[0]);
}

const char *oap_crypto_version(void) { return crypto.OpenSSL_version(OPENSSL_VERSION); }

void oap_sha256(const uint8_t *bytes, size_t length, uint8_t *digest) {
    SHA256_CTX context;
    SHA256_Init(&context);
    SHA256_Update(&context, bytes, length);
    SHA256_Final(digest, &context);
}

void oap_sha384(const uint8_t *bytes, size_t length, uint8_t *digest) {
    SHA512_CTX context;
    SHA384_Init(&context);
    SHA384_Update(&context, bytes, length);
    SHA384_Final(digest, &context);
}

void oap_sha512(const uint8_t *bytes, size_t length, uint8_t *digest) {
    SHA512_CTX context;
    SHA512_Init(&context);
    SHA512_Update(&context, bytes, length);
    SHA512_Final(digest, &context);
}

int oap_memcmp(const void *a, const void *b, size_t length) { return CRYPTO_memcmp(a, b, length); }

int oap_hmac(const char *digest, const uint8_t *key, size_t key_length, const uint8_t *bytes, size_t length,
             uint8_t *code, size_t code_length) {
    return crypto.EVP_Q_mac(NULL, "HMAC", NULL, digest, NULL, key, key_length, bytes, length, code, code_length,
                            NULL) != NULL;
}

void oap_key_free(EVP_PKEY *key) { crypto.EVP_PKEY_free(key); }

EVP_MD_CTX *oap_context_new(void) { return crypto.EVP_MD_CTX_new(); }

void oap_context_free(EVP_MD_CTX *context) { crypto.EVP_MD_CTX_free(context); }

int oap_verify_init(EVP_MD_CTX *context, EVP_PKEY_CTX **options, const char *digest, EVP_PKEY *key) {
    return crypto.EVP_DigestVerifyInit_ex(context, options, digest, NULL, NULL, key, NULL);
}

int oap_use_pss(EVP_PKEY_CTX *options) {
    return crypto.EVP_PKEY_CTX_set_rsa_padding(options, RSA_PKCS1_PSS_PADDING) > 0
        && crypto.EVP_PKEY_CTX_set_rsa_pss_saltlen(options, RSA_PSS_SALTLEN_DIGEST) > 0;
}

int oap_verify(EVP_MD_CTX *context, const uint8_t *signature, size_t signature_length, const uint8_t *bytes,
               size_t length) {
    return crypto.EVP_DigestVerify(context, signature, signature_length, bytes, length);
}

EVP_PKEY *oap_generate_rsa(size_t bits) { return crypto.EVP_PKEY_Q_keygen(NULL, NULL, "RSA", bits); }

EVP_PKEY *oap_generate_ec(const char *curve) { return crypto.EVP_PKEY_Q_keygen(NULL, NULL, "EC", curve); }

EVP_PKEY *oap_generate_ed25519(void) { return crypto.EVP_PKEY_Q_keygen(NULL, NULL, "ED25519"); }

EVP_PKEY *oap_key_from_parts(const char *type, const struct oap_key_part *parts, size_t count) {
    static const unsigned int types[] = {OSSL_PARAM_UNSIGNED_INTEGER, OSSL_PARAM_OCTET_STRING, OSSL_PARAM_UTF8_STRING};
    // The numbers of an RSA key of 16384 bits, and a public exponent.
    uint8_t space[4 * 2048 + 5 * 1024];
    OSSL_PARAM parameters[9];
    size_t used = 0;
    if (count > 8) return NULL;
    for (size_t i = 0; i < count; i++) {
        size_t length = parts[i].length;
        if (length >= sizeof space - used) return NULL;
        uint8_t *copy = space + used;
        // Numbers have the byte order of the machine, which is a little-endian one.
        for (size_t k = 0; k < length; k++) {
            copy[k] = parts[i].bytes[parts[i].kind == OAP_NUMBER ? length - 1 - k : k];
        }
        // Names of curves are read to their zero byte.
        copy[length] = 0;
        used += length + 1;
        parameters[i] = (OSSL_PARAM){parts[i].name, types[parts[i].kind], copy, length, OSSL_PARAM_UNMODIFIED};
    }
    parameters[count] = (OSSL_PARAM){0};
    EVP_PKEY *key = NULL;
    EVP_PKEY_CTX *context = crypto.EVP_PKEY_CTX_new_from_name(NULL, type, NULL);
    if (context != NULL && crypto.EVP_PKEY_fromdata_init(context) == 1) {
        crypto.EVP_PKEY_fromdata(context, &key, EVP_PKEY_KEYPAIR, parameters);
    }
    crypto.EVP_PKEY_CTX_free(context);
    explicit_bzero(space, used);
    return key;
}

struct pass_phrase {
    const uint8_t *bytes;
    size_t length;
    int asked;
};

static int give_phrase(char *buffer, int size, int writing, void *context) {
    struct pass_phrase *phrase = context;
    (void)writing;
    phrase->asked++;
    if (phrase->bytes == NULL || phrase->length > (size_t)size) return -1;
    memcpy(buffer, phrase->bytes, phrase->length);
    return (int)phrase->length;
}

EVP_PKEY *oap_key_from_pem(const uint8_t *pem, size_t length, const uint8_t *bytes, size_t bytes_length, int *asked) {
    struct pass_phrase phrase = {bytes, bytes_length, 0};
    BIO *bio = crypto.BIO_new_mem_buf(pem, (int)length);
    // Without a callback, libcrypto would ask at the terminal.
    EVP_PKEY *key = bio == NULL ? NULL : crypto.PEM_read_bio_PrivateKey(bio, NULL, give_phrase, &phrase);
    if (bio != NULL) crypto.BIO_free(bio);
    *asked = phrase.asked;
    return key;
}

EVP_PKEY *oap_public_key_from_pem(const uint8_t *pem, size_t length, int is_certificate) {
    EVP_PKEY *key = NULL;
    BIO *bio = crypto.BIO_new_mem_buf(pem, (int)length);
    if (bio == NULL) return NULL;
    if (is_certificate) {
        X509 *certificate = crypto.PEM_read_bio_X509(bio, NULL, NULL, NULL);
        if (certificate != NULL) {
            key = crypto.X509_get_pubkey(certificate);
            crypto.X509_free(certificate);
        }
    } else {
        key = crypto.PEM_read_bio_PUBKEY(bio, NULL, NULL, NULL);
    }
    crypto.BIO_free(bio);
    return key;
}

int oap_key_is(EVP_PKEY *key, const char *type) { return crypto.EVP_PKEY_is_a(key, type); }

int oap_key_bits(EVP_PKEY *key) { return crypto.EVP_PKEY_get_bits(key); }

int oap_key_curve(EVP_PKEY *key, char *name, size_t capacity) {
    size_t length = 0;
    return crypto.EVP_PKEY_get_group_name(key, name, capacity, &length);
}

int oap_key_bytes(EVP_PKEY *key, const char *name, uint8_t *bytes, size_t capacity, size_t *length) {
    return crypto.EVP_PKEY_get_octet_string_param(key, name, bytes, capacity, length);
}

int oap_key_number(EVP_PKEY *key, const char *name, uint8_t *bytes, size_t length) {
    BIGNUM *number = NULL;
    if (crypto.EVP_PKEY_get_bn_param(key, name, &number) != 1) return 0;
    int written = crypto.BN_bn2binpad(number, bytes, (int)length);
    crypto.BN_free(number);
    return written == (int)length;
}

int oap_sign_init(EVP_MD_CTX *context, EVP_PKEY_CTX **options, const char *digest, EVP_PKEY *key) {
    return crypto.EVP_DigestSignInit_ex(context, options, digest, NULL, NULL, key, NULL);
}

int oap_sign(EVP_MD_CTX *context, uint8_t *signature, size_t *signature_length, const uint8_t *bytes, size_t length) {
    return crypto.EVP_DigestSign(context, signature, signature_length, bytes, length);
}

int oap_oaep(EVP_PKEY *key, const char *digest, const uint8_t *bytes, size_t length, uint8_t *output,
             size_t *output_length, int encrypts) {
    OSSL_PARAM parameters[] = {
        {OSSL_PKEY_PARAM_PAD_MODE, OSSL_PARAM_UTF8_STRING, "oaep", 4, OSSL_PARAM_UNMODIFIED},
        {OSSL_ASYM_CIPHER_PARAM_OAEP_DIGEST, OSSL_PARAM_UTF8_STRING, (char *)digest, strlen(digest),
         OSSL_PARAM_UNMODIFIED},
        {OSSL_ASYM_CIPHER_PARAM_MGF1_DIGEST, OSSL_PARAM_UTF8_STRING, (char *)digest, strlen(digest),
         OSSL_PARAM_UNMODIFIED},
        {0},
    };
    EVP_PKEY_CTX *context = crypto.EVP_PKEY_CTX_new_from_pkey(NULL, key, NULL);
    int done = 0;
    if (context == NULL) return 0;
    if (encrypts) {
        done = crypto.EVP_PKEY_encrypt_init_ex(context, parameters) == 1
            && crypto.EVP_PKEY_encrypt(context, output, output_length, bytes, length) == 1;
    } else {
        done = crypto.EVP_PKEY_decrypt_init_ex(context, parameters) == 1
            && crypto.EVP_PKEY_decrypt(context, output, output_length, bytes, length) == 1;
    }
    crypto.EVP_PKEY_CTX_free(context);
    return done;
}

int oap_derive(EVP_PKEY *key, EVP_PKEY *peer, uint8_t *secret, size_t *length) {
    EVP_PKEY_CTX *context = crypto.EVP_PKEY_CTX_new_from_pkey(NULL, key, NULL);
    int done = context != NULL && crypto.EVP_PKEY_derive_init(context) == 1
        && crypto.EVP_PKEY_derive_set_peer(context, peer) == 1
        && crypto.EVP_PKEY_derive(context, secret, length) == 1;
    crypto.EVP_PKEY_CTX_free(context);
    return done;
}

int oap_cipher(const char *name, const uint8_t *key, const uint8_t *vector, uint8_t *tag, const uint8_t *associated,
               size_t associated_length, const uint8_t *bytes, size_t length, uint8_t *output, size_t *output_length,
               int encrypts) {
    int written = 0, last = 0;
    EVP_CIPHER *cipher = crypto.EVP_CIPHER_fetch(NULL, name, NULL);
    EVP_CIPHER_CTX *context = crypto.EVP_CIPHER_CTX_new();
    int done = 0;
    if (cipher != NULL && context != NULL && length <= INT_MAX && associated_length <= INT_MAX) {
        // Key wrapping must be allowed.
        crypto.EVP_CIPHER_CTX_set_flags(context, EVP_CIPHER_CTX_FLAG_WRAP_ALLOW);
        done = crypto.EVP_CipherInit_ex(context, cipher, NULL, key, vector, encrypts) == 1
            && (tag == NULL || encrypts || crypto.EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, 16, tag) == 1)
            && (tag == NULL || crypto.EVP_CipherUpdate(context, NULL, &written, associated, (int)associated_length) == 1)
            && crypto.EVP_CipherUpdate(context, output, &written, bytes, (int)length) == 1
            && crypto.EVP_CipherFinal_ex(context, output + written, &last) == 1
            && (tag == NULL || !encrypts || crypto.EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, 16, tag) == 1);
    }
    crypto.EVP_CIPHER_CTX_free(context);
    crypto.EVP_CIPHER_free(cipher);
    *output_length = (size_t)(written + last);
    return done;
}

static X509 *first_certificate(const uint8_t *pem, size_t length) {
    BIO *bio = crypto.BIO_new_mem_buf(pem, (int)length);
    X509 *certificate = bio == NULL ? NULL : crypto.PEM_read_bio_X509(bio, NULL, NULL, NULL);
    if (bio != NULL) crypto.BIO_free(bio);
    return certificate;
}

static int64_t seconds(const ASN1_TIME *time) {
    struct tm parts;
    return crypto.ASN1_TIME_to_tm(time, &parts) ? (int64_t)timegm(&parts) : 0;
}

size_t oap_certificate_text(const uint8_t *pem, size_t length, uint8_t *text, size_t capacity) {
    X509 *certificate = first_certificate(pem, length);
    BIO *bio = crypto.BIO_new(crypto.BIO_s_mem());
    int count = 0;
    if (certificate != NULL && bio != NULL) {
        const unsigned long form = XN_FLAG_RFC2253 & ~ASN1_STRFLGS_ESC_MSB;
        crypto.X509_NAME_print_ex(bio, crypto.X509_get_subject_name(certificate), 0, form);
        crypto.BIO_write(bio, "\n", 1);
        crypto.X509_NAME_print_ex(bio, crypto.X509_get_issuer_name(certificate), 0, form);
        count = crypto.BIO_read(bio, text, (int)capacity);
        int64_t start = seconds(crypto.X509_get0_notBefore(certificate));
        int64_t end = seconds(crypto.X509_get0_notAfter(certificate));
        size_t room = count > 0 ? capacity - (size_t)count : 0;
        int more = snprintf((char *)text + count, room, "\n%lld\n%lld", (long long)start, (long long)end);
        count = more > 0 && (size_t)more < room ? count + more : 0;
    }
    if (bio != NULL) crypto.BIO_free(bio);
    if (certificate != NULL) crypto.X509_free(certificate);
    return (size_t)count;
}

int oap_certificate_names(const uint8_t *pem, size_t length, const char *host) {
    X509 *certificate = first_certificate(pem, length);
    if (certificate == NULL) return -1;
    int result = crypto.X509_check_ip_asc(certificate, host, 0);
    // -2: not an address.
    if (result == -2) {
        result = crypto.X509_check_host(certificate, host, 0, X509_CHECK_FLAG_NEVER_CHECK_SUBJECT, NULL);
    }
    crypto.X509_free(certificate);
    return result < 0 ? -1 : result;
}

void oap_forget_errors(void) {
    if (crypto.ERR_clear_error) crypto.ERR_clear_error();
}
