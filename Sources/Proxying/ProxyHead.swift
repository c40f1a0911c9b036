internal import OAuth
internal import Wire

/// The fields of requests and responses that a proxy passes on.
enum ProxyHead {
    /// What concerns one connection (RFC 9110 §7.6.1), or is made anew for each.
    private static let ofConnection = [
        "connection", "keep-alive", "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade",
        "content-length", "http2-settings",
    ]
    /// What proves who sends a request, besides the field of the API's own.
    private static let credentials = ["authorization", "proxy-authorization", "dpop"]
    private static let ofRequest = ["host", "expect", "origin", "referer"]
    /// What is between the API and us, or would let a page read the answer.
    private static let ofResponse = [
        "date", "dpop-nonce", "alt-svc", "proxy-authenticate", "strict-transport-security",
    ]

    /// The fields of a request without those of its connection and without the credentials of who sent it.
    ///
    /// - Parameters:
    ///   - own: the field that the token goes into.
    ///   - key: the key of the session, which no API gets to see.
    static func request(_ fields: [HTTPField], own: String, key: String, passesCookies: Bool) -> [HTTPField] {
        let connection = named(by: fields)
        return fields.filter { field in
            let name = field.name.asciiLowercased
            return !ofConnection.contains(name) && !connection.contains(name) && !credentials.contains(name)
                && !ofRequest.contains(name) && name != own && (passesCookies || name != "cookie")
                && !name.hasPrefix("sec-fetch-") && !field.value.contains(key)
        }
    }

    /// The fields of a response without those of its connection.
    static func response(_ fields: [HTTPField]) -> [HTTPField] {
        let connection = named(by: fields)
        return fields.filter { field in
            let name = field.name.asciiLowercased
            return !ofConnection.contains(name) && !connection.contains(name) && !ofResponse.contains(name)
                && !name.hasPrefix("access-control-") && field.name.isHTTPToken && !field.value.isEmpty
                && field.value.utf8.allSatisfy { $0 >= 0x20 || $0 == 0x09 }
        }
    }

    private static func named(by fields: [HTTPField]) -> [String] {
        fields.values(of: "Connection").flatMap { $0.split(separator: ",").map { String($0).trimmed.asciiLowercased } }
    }

    /// The keys that a client of an API may have sent: the token of `Authorization`, the password of a Basic one, or the
    /// value of a field that APIs have for keys.
    static func keys(in fields: [HTTPField], own: String) -> [String] {
        fields.flatMap { field -> [String] in
            let name = field.name.asciiLowercased
            if name == "authorization" {
                guard let words = field.value.trimmed.cut(at: " ") else { return [field.value] }
                let text = words.after.trimmed
                guard words.before.equalsIgnoringASCIICase("Basic") else { return [text] }
                let pair = Base64.decode(text).map { String(decoding: $0, as: UTF8.self) }
                return pair?.cut(at: ":").map { [$0.after, $0.before] } ?? []
            }
            return name == own || ["x-api-key", "api-key", "x-goog-api-key", "private-token"].contains(name)
                ? [field.value] : []
        }
    }

    /// The query without an access token (RFC 6750 §2.3); nil for none.
    static func query(_ query: String?) -> String? {
        guard let query, query.contains("access_token") || query.contains("%") else { return query }
        let kept = query.split(separator: "&", omittingEmptySubsequences: false).filter { pair in
            let name = pair.prefix { $0 != "=" }
            return (try? FormEncoding.parse(String(name)))?.first?.name != "access_token"
        }
        return kept.isEmpty ? nil : kept.joined(separator: "&")
    }
}
