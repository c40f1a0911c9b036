#ifndef OAP_CSANDBOXTEXTS_H
#define OAP_CSANDBOXTEXTS_H

/// A text that `oap-sandbox` brings along: a file of `Sources/oap-sandbox/text` or `Sources/Sandbox/text`, which must be
/// one of them. It is not in `CTexts`, so that neither program brings along the texts of the other.
const char *_Nonnull oap_sandbox_text(const char *_Nonnull name);

#endif
