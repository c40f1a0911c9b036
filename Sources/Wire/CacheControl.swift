/// How long a response may be used again (RFC 9111 §4.2, §5.2.2), by a cache of one user.
package enum CacheControl {
    /// The seconds for which a response is fresh when it arrives; nil if it does not say. One that must not be stored,
    /// or must be validated before each use, is fresh for none.
    package static func lifetime(of headers: [HTTPField]) -> Int? {
        var lifetime: Int?
        for directive in headers.values(of: "Cache-Control").flatMap({ $0.utf8.split(separator: UInt8(ascii: ",")) }) {
            let parts = directive.split(separator: UInt8(ascii: "="), maxSplits: 1).map {
                String(decoding: $0.filter { !" \t\"".utf8.contains($0) }, as: UTF8.self)
            }
            let name = parts.first ?? ""
            if name.equalsIgnoringASCIICase("no-store") || name.equalsIgnoringASCIICase("no-cache") { return 0 }
            guard name.equalsIgnoringASCIICase("max-age") else { continue }
            let seconds = parts.count == 2 ? Int(parts[1]).map { max($0, 0) } ?? 0 : 0
            lifetime = min(lifetime ?? seconds, seconds)
        }
        let age = headers.first("Age").flatMap { Int($0) }.map { max($0, 0) } ?? 0
        return lifetime.map { max($0 - min(age, $0), 0) }
    }
}
