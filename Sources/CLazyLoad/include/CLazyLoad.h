#ifndef OAP_CLAZYLOAD_H
#define OAP_CLAZYLOAD_H
#include <stddef.h>

/// One function of a library that is loaded when first used.
struct oap_symbol {
    const char *name; ///< as the library exports it
    void **slot;      ///< receives its address
};

/// Opens `soname` and fills every slot. The library stays open for the life of the process.
/// Returns NULL, or what the dynamic linker said (a static buffer of the C library).
const char *oap_load_library(const char *soname, const struct oap_symbol *symbols, size_t count);

#endif
