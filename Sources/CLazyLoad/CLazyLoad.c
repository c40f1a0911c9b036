#define _GNU_SOURCE
#include "CLazyLoad.h"
#include <dlfcn.h>

const char *oap_load_library(const char *soname, const struct oap_symbol *symbols, size_t count) {
    void *library = dlopen(soname, RTLD_LAZY | RTLD_LOCAL | RTLD_DEEPBIND);
    if (library == NULL) return dlerror();
    for (size_t i = 0; i < count; i++) {
        *symbols[i].slot = dlsym(library, symbols[i].name);
        if (*symbols[i].slot == NULL) return dlerror();
    }
    return NULL;
}
