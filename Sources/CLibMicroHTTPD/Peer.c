#include "CLibMicroHTTPD.h"
#include "CLazyLoad.h"
#include <gnutls/x509.h>
#include <string.h>

static struct {
    __typeof__(gnutls_certificate_server_set_request) *gnutls_certificate_server_set_request;
    __typeof__(gnutls_certificate_send_x509_rdn_sequence) *gnutls_certificate_send_x509_rdn_sequence;
    __typeof__(gnutls_certificate_get_peers) *gnutls_certificate_get_peers;
    __typeof__(gnutls_certificate_verify_peers2) *gnutls_certificate_verify_peers2;
    __typeof__(gnutls_x509_crt_init) *gnutls_x509_crt_init;
    __typeof__(gnutls_x509_crt_import) *gnutls_x509_crt_import;
    __typeof__(gnutls_x509_crt_get_dn3) *gnutls_x509_crt_get_dn3;
    __typeof__(gnutls_x509_crt_get_subject_alt_name) *gnutls_x509_crt_get_subject_alt_name;
    __typeof__(gnutls_x509_crt_deinit) *gnutls_x509_crt_deinit;
    gnutls_free_function *gnutls_free;
} tls;

#define SYMBOL(name) {#name, (void **)&tls.name}

const char *oap_peer_load(void) {
    static const struct oap_symbol symbols[] = {
        SYMBOL(gnutls_certificate_server_set_request), SYMBOL(gnutls_certificate_send_x509_rdn_sequence),
        SYMBOL(gnutls_certificate_get_peers), SYMBOL(gnutls_certificate_verify_peers2), SYMBOL(gnutls_x509_crt_init),
        SYMBOL(gnutls_x509_crt_import), SYMBOL(gnutls_x509_crt_get_dn3), SYMBOL(gnutls_x509_crt_get_subject_alt_name),
        SYMBOL(gnutls_x509_crt_deinit), SYMBOL(gnutls_free),
    };
    return oap_load_library("libgnutls.so.30", symbols, sizeof symbols / sizeof symbols[0]);
}

void oap_peer_ask(struct MHD_Connection *connection) {
    gnutls_session_t session = oap_mhd_session(connection);
    if (session == NULL) return;
    tls.gnutls_certificate_server_set_request(session, GNUTLS_CERT_REQUEST);
    tls.gnutls_certificate_send_x509_rdn_sequence(session, 1);
}

int oap_peer_read(struct MHD_Connection *connection, struct oap_peer *peer) {
    gnutls_session_t session = oap_mhd_session(connection);
    unsigned int count = 0, flaws = ~0u;
    const gnutls_datum_t *chain =
        session == NULL || tls.gnutls_free == NULL ? NULL : tls.gnutls_certificate_get_peers(session, &count);
    gnutls_datum_t subject = {NULL, 0};
    gnutls_x509_crt_t parsed;
    if (chain == NULL || count == 0 || tls.gnutls_x509_crt_init(&parsed) < 0) return 0;
    if (tls.gnutls_x509_crt_import(parsed, chain, GNUTLS_X509_FMT_DER) < 0
        || tls.gnutls_x509_crt_get_dn3(parsed, &subject, 0) < 0) {
        tls.gnutls_x509_crt_deinit(parsed);
        return 0;
    }
    peer->certificate = chain[0].data;
    peer->length = chain[0].size;
    peer->trusted = tls.gnutls_certificate_verify_peers2(session, &flaws) >= 0 && flaws == 0;
    peer->subject = (char *)subject.data;
    peer->parsed = parsed;
    return 1;
}

int oap_peer_name(const struct oap_peer *peer, unsigned int index, uint8_t *bytes, size_t capacity, size_t *length) {
    *length = capacity;
    return tls.gnutls_x509_crt_get_subject_alt_name(peer->parsed, index, bytes, length, NULL);
}

void oap_peer_free(struct oap_peer *peer) {
    tls.gnutls_x509_crt_deinit(peer->parsed);
    (*tls.gnutls_free)(peer->subject);
}
