#ifndef OAP_CLIBQRENCODE_H
#define OAP_CLIBQRENCODE_H
#include <qrencode.h>

/// Loads libqrencode.so.4. Returns NULL, or why not. Call once before any other function here.
const char *oap_qr_load(void);

/// `QRcode_encodeString8bit` with the smallest version that holds the text and the lowest error correction level. NULL
/// where the text is too long.
QRcode *oap_qr_encode(const char *text);

/// `QRcode_free`.
void oap_qr_free(QRcode *code);

#endif
