#ifndef OAP_CTEXTS_H
#define OAP_CTEXTS_H

#include <stddef.h>

/// The bytes of a text that the program brings along, and how many there are; NULL if there is none of this name: the
/// files of `Sources/Commands/Manual/text`, and `providers.json`.
const unsigned char *oap_text(const char *name, size_t *length);

/// The same of the part of a shell's completion script that all programs have, `Sources/CommandSpec/text`. It has a file
/// of its own: the linker leaves the other texts out of a program that asks for none.
const unsigned char *oap_completion(const char *shell, size_t *length);

#endif
