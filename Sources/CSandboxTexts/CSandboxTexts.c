#include "CSandboxTexts.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char text[] = {
#embed "../oap-sandbox/text/oap-sandbox.md"
};

const unsigned char *oap_sandbox_text(size_t *length) {
    *length = sizeof text;
    return text;
}
