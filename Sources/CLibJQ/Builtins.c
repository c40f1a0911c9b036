#include "CLibJQ.h"
#include <string.h>

// libjq calls its exported `jq_parse_library` through the procedure linkage table, so that the function below, which the
// program exports, gets the call in its place, and forwards it. Through it the text of the builtins can be changed
// before libjq parses it. libjq must be opened without RTLD_DEEPBIND for this.

/// The begin of `struct locfile` in libjq 1.6 (src/locfile.h), a text to be parsed. `data` is a copy made for this text.
struct locfile {
    jv name;
    char *data;
    int length;
};

static _Thread_local struct {
    oap_jq_builtins_cb change;
    void *data;
} compilation;

/// The name of the builtins, and of the definitions in `~/.jq`.
static int is_called_builtin(const struct locfile *file) {
    return oap_jv_get_kind(file->name) == JV_KIND_STRING &&
           strcmp((const char *)oap_jv_string_value(file->name), "<builtin>") == 0;
}

/// Parses the builtins, the definitions of `~/.jq` or a module into `definitions`. Returns the number of errors.
int jq_parse_library(struct locfile *file, void *definitions) {
    // The builtins come last. Any other text before them may call any of them.
    if (compilation.change != NULL &&
        (!is_called_builtin(file) || !compilation.change((uint8_t *)file->data, file->length, compilation.data)))
        compilation.change = NULL;
    return oap_jq_parse_library(file, definitions);
}

int oap_jq_compile_args_changing(
    jq_state *state, const char *text, jv arguments, oap_jq_builtins_cb change, void *data) {
    compilation.change = oap_jq_is_1_6() ? change : NULL;
    compilation.data = data;
    int is_compiled = oap_jq_compile_args(state, text, arguments);
    compilation.change = NULL;
    return is_compiled;
}
