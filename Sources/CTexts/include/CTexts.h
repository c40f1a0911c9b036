#ifndef OAP_CTEXTS_H
#define OAP_CTEXTS_H

#include <stddef.h>

/// The bytes of a text that the program brings along, and how many there are; NULL if there is none of this name: the
/// files of `Sources/Shell/Manual/text` and `Sources/Login/Listen/text`, and those of `OAuth`.
const unsigned char *_Nullable oap_text(const char *_Nonnull name, size_t *_Nonnull length);

/// The part of the completion script for `bash`, `zsh` or `fish` that all programs have (`Sources/CommandSpec/text`). It
/// is in a file of its own: the linker leaves the other texts out of a program that asks for none.
const char *_Nonnull oap_completion(const char *_Nonnull shell);

#endif
