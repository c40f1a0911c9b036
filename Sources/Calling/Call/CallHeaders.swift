internal import JOSE
package import OAuth
package import Wire
package import Shell

/// The header fields of a call: the document's `api_headers`, those of `-H`, and the defaults that neither sets.
package struct CallHeaders {
    /// The name of the field that the token goes in; no other field of that name is sent.
    private let credential: String
    private var given: [HTTPField] = []
    private var removed: [String] = []
    private var defaults: [HTTPField] = []

    package init(_ settings: CallSettings, document: Document) throws(Failure) {
        credential = try asFailure(document.string("authorization_header")) ?? "Authorization"
        let preset = try asFailure(document.parameters("api_headers"))
        for (name, value) in preset {
            guard name.isHTTPToken, Self.isValue(value), !isCredential(name) else {
                throw Failure(document.invalid("api_headers", "has a field whose name or value is not allowed"))
            }
            defaults.append(HTTPField(name, value))
        }
        for text in settings.headers {
            guard let path = text.dropping(first: "@") else {
                try add(text)
                continue
            }
            for line in try InputFile.read(path, limit: InputFile.textLimit).split(separator: 0x0A) {
                guard let text = String(validating: line.last == 0x0D ? line.dropLast() : line, as: UTF8.self) else {
                    throw .usage("\(path) is not UTF-8")
                }
                if !text.isEmpty { try add(text) }
            }
        }
        if let agent = settings.userAgent { try add("User-Agent: \(agent)") }
    }

    /// Adds a default field, unless the options set or remove it.
    mutating func addDefault(_ name: String, _ value: String) {
        if defaults.values(of: name).isEmpty { defaults.append(HTTPField(name, value)) }
    }

    /// Adds an `Idempotency-Key`, a quoted string (draft-ietf-httpapi-idempotency-key-header §2.1).
    ///
    /// - Parameter key: nil for a random one of 128 bits.
    /// - Throws: exit 2 for a key that the field cannot hold.
    mutating func addKey(_ key: String?) throws(Failure) {
        let key = if let key { try Self.checked(key: key) } else { try Self.randomKey() }
        try add("Idempotency-Key: \"\(key)\"")
    }

    /// A key that the field can hold.
    ///
    /// - Throws: exit 2.
    package static func checked(key: String) throws(Failure) -> String {
        guard !key.isEmpty, key.utf8.allSatisfy({ (0x20...0x7E).contains($0) && $0 != 0x22 && $0 != 0x5C }) else {
            throw .usage("--idempotency-key takes printable ASCII without quotes and backslashes")
        }
        return key
    }

    /// A random key of 128 bits.
    static func randomKey() throws(Failure) -> String { Base64.encodeURL(try Failure.jose(try SecureRandom.bytes(16))) }

    /// Refuses a field that cannot be sent, that carries the token, or that decides where a request goes or ends.
    package mutating func replace(_ name: String, by values: [String]) throws(Failure) {
        guard name.isHTTPToken, values.allSatisfy(Self.isValue) else {
            throw Failure(.badInput, .usage, "headers has a field whose name or value is not allowed")
        }
        guard !isCredential(name), !Self.isFraming(name), !name.equalsIgnoringASCIICase("Host") else {
            throw Failure(.badInput, .usage, "headers cannot set \(name)")
        }
        given.removeAll { $0.name.equalsIgnoringASCIICase(name) }
        given += values.map { HTTPField(name, $0) }
    }

    /// Whether the options remove a field of this name.
    package func leavesOut(_ name: String) -> Bool {
        given.values(of: name).isEmpty && removed.contains { $0.equalsIgnoringASCIICase(name) }
    }

    /// All fields except the one for the token.
    package var fields: [HTTPField] {
        let missing = defaults.filter { field in
            given.values(of: field.name).isEmpty && !leavesOut(field.name)
        }
        return missing + given
    }

    private mutating func add(_ text: String) throws(Failure) {
        let mark = text.firstIndex { $0 == ":" || $0 == ";" }
        let name = mark.map { String(text[..<$0]) } ?? ""
        guard let mark, name.isHTTPToken else { throw .usage("-H takes 'Name: value'") }
        guard !isCredential(name) else {
            throw .usage(
                "-H cannot set \(name)",
                hint: """
                    leave \(name) out: oap itself sends the token (--authorization-scheme SCHEME: not as Bearer)
                    """)
        }
        let value = text[text.index(after: mark)...].drop { $0 == " " || $0 == "\t" }
        guard Self.isValue(String(value)) else { throw .usage("-H \(name): a control character cannot be sent") }
        guard !Self.isFraming(name) || text[mark] == ":" && value.isEmpty else {
            throw .usage(
                "-H cannot set \(name)", hint: "leave \(name) out: oap itself sets the fields of the connection")
        }
        if text[mark] == ";" {
            guard value.isEmpty else { throw .usage("-H takes 'Name: value'") }
            given.append(HTTPField(name, ""))
        } else if value.isEmpty {
            removed.append(name)
        } else {
            given.append(HTTPField(name, String(value)))
        }
    }

    /// A field that carries the token, which nothing else may set (`-H` in oap-call(1)).
    private func isCredential(_ name: String) -> Bool {
        [credential, "Authorization", "DPoP"].contains { name.equalsIgnoringASCIICase($0) }
    }

    /// A field of the connection, or one that says where the content ends: a server would take the rest of the content for
    /// another request (RFC 9112 §11.2).
    private static func isFraming(_ name: String) -> Bool {
        let names = [
            "Connection", "Content-Length", "Expect", "HTTP2-Settings", "Keep-Alive", "Proxy-Connection", "TE",
            "Trailer", "Transfer-Encoding", "Upgrade",
        ]
        return names.contains { name.equalsIgnoringASCIICase($0) }
    }

    private static func isValue(_ value: String) -> Bool {
        value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }
    }
}
