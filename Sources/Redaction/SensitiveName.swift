internal import Members
package import Wire

/// A name whose value is a credential: of a header field, a parameter of a URL or form, or a JSON member. Compared
/// without case, `-`, `_` and percent-encoding.
struct SensitiveName {
    private let name: String

    init(_ bytes: some Collection<UInt8>) {
        let plain = UnescapedText(Array(bytes)).bytes.map { byte in
            byte == UInt8(ascii: "-") || byte == UInt8(ascii: " ") ? UInt8(ascii: "_") : byte
        }
        name = String(decoding: plain, as: UTF8.self).asciiLowercased
    }

    /// Whether a header field of this name has a credential. Challenges are not credentials.
    var isField: Bool {
        name == "dpop" || !["www_authenticate", "proxy_authenticate"].contains(name) && hasCredentialWord
    }

    /// Whether a parameter or member of this name is a credential: stricter, since APIs have harmless ones with such
    /// words in their names.
    var isParameter: Bool {
        Self.parameters.contains(name) || hasCredentialWord && !Self.harmlessEnds.contains(where: name.hasSuffix)
    }

    private var hasCredentialWord: Bool {
        let words = name.utf8.split { !$0.isASCIILetterOrDigit }.map { String(Substring($0)) }
        return name.hasSuffix("key") || words.contains { Self.words.contains($0) || $0.isOfAuthentication }
            || words.last?.hasSuffix("auth") ?? false || Self.parts.contains(where: name.contains)
    }

    private static let words: Set = ["assertion", "bearer", "jwt", "otp", "pass", "pwd", "sid", "sig"]
    private static let parts = ["cookie", "token", "secret", "passw", "session", "credential", "signature"]
    /// The members that no message shows, and parameters of SAML, that no such word tells.
    private static let parameters = Set(Member.masked + ["samlart", "samlrequest", "samlresponse", "ticket"])
    /// What parameters end with that say something about a credential, or are about pages, rows and amounts of text.
    private static let harmlessEnds = [
        "_alg", "_enc", "_supported", "_type", "_method", "_endpoint", "_uri", "_url", "_name", "_file", "_in", "_at",
        "_time", "tokens", "page_token", "pagetoken", "next_token", "nexttoken", "sync_token", "synctoken",
        "continuation_token", "continuationtoken",
        "type_hint", "tokentype", "public_key", "sort_key", "partition_key", "primary_key", "foreign_key",
        "idempotency_key",
    ]
}

extension HTTPField {
    package var isSensitive: Bool { SensitiveName(name.utf8).isField }

    /// The scheme of an `Authorization`, which may be shown; nil if the whole value is a credential.
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
