#include "CTexts.h"
#include <string.h>

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char bash[] = {
#embed "../CommandSpec/text/completion.bash"
};
static const unsigned char fish[] = {
#embed "../CommandSpec/text/completion.fish"
};
static const unsigned char zsh[] = {
#embed "../CommandSpec/text/completion.zsh"
};

const unsigned char *oap_completion(const char *shell, size_t *length) {
    if (strcmp(shell, "bash") == 0) return *length = sizeof bash, bash;
    if (strcmp(shell, "fish") == 0) return *length = sizeof fish, fish;
    if (strcmp(shell, "zsh") == 0) return *length = sizeof zsh, zsh;
    *length = 0;
    return NULL;
}
