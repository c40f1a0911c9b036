#include "CTexts.h"
#include <string.h>

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char bash[] = {
#embed "../CommandSpec/text/completion.bash" suffix(, 0)
};
static const unsigned char fish[] = {
#embed "../CommandSpec/text/completion.fish" suffix(, 0)
};
static const unsigned char zsh[] = {
#embed "../CommandSpec/text/completion.zsh" suffix(, 0)
};

const char *oap_completion(const char *shell) {
    if (strcmp(shell, "bash") == 0) return (const char *)bash;
    return (const char *)(strcmp(shell, "fish") == 0 ? fish : zsh);
}
