internal import Members
package import Wire

/// A name by which a value is known to be a credential: of a header field, a parameter of a URL or form, or a member of
/// JSON. Case, `-` or `_`, and percent-encoding make it no other one.
struct SensitiveName {
    private let name: String

    /// Takes a name as it stands in a message.
    init(_ bytes: some Collection<UInt8>) {
        let plain = UnescapedText(Array(bytes)).bytes.map { byte in
            byte == UInt8(ascii: "-") || byte == UInt8(ascii: " ") ? UInt8(ascii: "_") : byte
        }
        name = String(decoding: plain, as: UTF8.self).asciiLowercased
    }

    /// Whether it is a header field's. Challenges are no credentials.
    var isField: Bool {
        name == "dpop" || !["www_authenticate", "proxy_authenticate"].contains(name) && hasCredentialWord
    }

    /// Whether it is a parameter's or a member's: many an API has those with such a word in their names that are
    /// harmless.
    var isParameter: Bool {
        Self.parameters.contains(name) || hasCredentialWord && !Self.harmlessEnds.contains(where: name.hasSuffix)
    }

    private var hasCredentialWord: Bool {
        let words = name.utf8.split { !$0.isASCIILetterOrDigit }.map { String(Substring($0)) }
        return name.hasSuffix("key") || words.contains { Self.words.contains($0) || $0.isOfAuthentication }
            || words.last?.hasSuffix("auth") ?? false || Self.parts.contains(where: name.contains)
    }

    /// Credentials by a whole word of their names.
    private static let words: Set = ["assertion", "bearer", "jwt", "otp", "pass", "pwd", "sid", "sig"]
    /// Credentials by any part of their names.
    private static let parts = ["cookie", "token", "secret", "passw", "session", "credential", "signature"]
    /// The members that no message shows, and parameters of SAML, that no such word tells.
    private static let parameters = Set(Member.masked + ["samlart", "samlrequest", "samlresponse", "ticket"])
    /// What parameters end with that say something about a credential, or are about pages, rows and amounts of text.
    private static let harmlessEnds = [
        "_type", "_method", "_endpoint", "_uri", "_url", "_name", "_file", "_in", "_at", "_time", "tokens",
        "page_token",
        "pagetoken", "next_token", "nexttoken", "sync_token", "synctoken", "continuation_token", "continuationtoken",
        "type_hint", "tokentype", "public_key", "sort_key", "partition_key", "primary_key", "foreign_key",
        "idempotency_key",
    ]
}

extension HTTPField {
    /// Whether the value is a credential by the name of the field.
    package var isSensitive: Bool { SensitiveName(name.utf8).isField }

    /// The scheme of an `Authorization`, which may be shown; nil where the whole value is a credential.
    package var visibleScheme: Substring? {
        guard name.asciiLowercased.hasSuffix("authorization"), let space = value.firstIndex(of: " ") else { return nil }
        return value[..<space]
    }
}

extension String {
    /// Whether a word is `auth`, or begins with it and is about authentication or authorization, not about an author or
    /// an authority.
    fileprivate var isOfAuthentication: Bool {
        hasPrefix("auth") && (!hasPrefix("author") || hasPrefix("authoriz") || hasPrefix("authoris"))
    }
}
