#include "CLibQREncode.h"
#include "CLazyLoad.h"

static struct {
    __typeof__(QRcode_encodeString8bit) *QRcode_encodeString8bit;
    __typeof__(QRcode_free) *QRcode_free;
} qr;

#define SYMBOL(name) {#name, (void **)&qr.name}

const char *oap_qr_load(void) {
    static const struct oap_symbol symbols[] = {SYMBOL(QRcode_encodeString8bit), SYMBOL(QRcode_free)};
    return oap_load_library("libqrencode.so.4", symbols, sizeof symbols / sizeof symbols[0]);
}

QRcode *oap_qr_encode(const char *text) { return qr.QRcode_encodeString8bit(text, 0, QR_ECLEVEL_L); }

void oap_qr_free(QRcode *code) { qr.QRcode_free(code); }
