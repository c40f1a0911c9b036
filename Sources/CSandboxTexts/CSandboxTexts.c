#include "CSandboxTexts.h"
#include <stdlib.h>
#include <string.h>

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char manual[] = {
#embed "../oap-sandbox/text/oap-sandbox.md" suffix(, 0)
};
static const unsigned char fish[] = {
#embed "../oap-sandbox/text/prompt.fish" suffix(, 0)
};
static const unsigned char zsh[] = {
#embed "../oap-sandbox/text/prompt.zsh" suffix(, 0)
};
static const unsigned char pages[] = {
#embed "../Sandbox/text/pages.html" suffix(, 0)
};
static const unsigned char style[] = {
#embed "../Sandbox/text/style.css" suffix(, 0)
};

static const struct {
    const char *name;
    const unsigned char *text;
} texts[] = {
    {"oap-sandbox.md", manual}, {"prompt.fish", fish}, {"prompt.zsh", zsh}, {"pages.html", pages}, {"style.css", style},
};

const char *oap_sandbox_text(const char *name) {
    for (size_t number = 0; number < sizeof texts / sizeof texts[0]; number++)
        if (strcmp(texts[number].name, name) == 0) return (const char *)texts[number].text;
    abort();
}
