#ifndef OAP_CSANDBOXTEXTS_H
#define OAP_CSANDBOXTEXTS_H

#include <stddef.h>

/// The bytes of `Sources/oap-sandbox/text/oap-sandbox.md`, and how many there are. It is not in `CTexts`, so that neither
/// program brings along the texts of the other.
const unsigned char *oap_sandbox_text(size_t *length);

#endif
