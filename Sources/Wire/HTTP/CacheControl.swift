/// How long a response may be used again (RFC 9111 §4.2, §5.2.2), by a cache of one user.
package enum CacheControl {
    /// The seconds for which a response is fresh when it arrives; nil if it does not say. One that must not be stored,
    /// or must be validated before each use, is fresh for none.
    package static func lifetime(of headers: [HTTPField]) -> Int? {
        var lifetime: Int?
        for directive in directives(of: headers) {
            if directive.name == "no-store" || directive.name == "no-cache" { return 0 }
            guard directive.name == "max-age" else { continue }
            let seconds = directive.value.flatMap { Int($0) }.map { max($0, 0) } ?? 0
            lifetime = min(lifetime ?? seconds, seconds)
        }
        return lifetime.map { max($0 - min(age(of: headers), $0), 0) }
    }

    /// Whether a response has a directive, whose name is in lower case, with or without a value.
    package static func has(_ name: String, in headers: [HTTPField]) -> Bool {
        directives(of: headers).contains { $0.name == name }
    }

    /// How old a response was when it arrived, in seconds: its `Age` field (RFC 9111 §5.1).
    package static func age(of headers: [HTTPField]) -> Int {
        headers.first("Age").flatMap { Int($0) }.map { max($0, 0) } ?? 0
    }

    /// The directives in order, names in lower case.
    private static func directives(of headers: [HTTPField]) -> [(name: String, value: String?)] {
        let written = headers.values(of: "Cache-Control").joined(separator: ",").utf8
        return written.split(separator: UInt8(ascii: ",")).map { directive in
            let parts = directive.split(separator: UInt8(ascii: "="), maxSplits: 1).map {
                String(decoding: $0.filter { !" \t\"".utf8.contains($0) }, as: UTF8.self)
            }
            return (parts.first?.asciiLowercased ?? "", parts.count == 2 ? parts[1] : nil)
        }
    }
}
