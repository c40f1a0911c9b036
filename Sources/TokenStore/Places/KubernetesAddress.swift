internal import Wire

/// A namespace of a Kubernetes cluster, and what the names of the Secrets begin with: `NAMESPACE[/PREFIX]`.
package struct KubernetesAddress: Sendable, Equatable {
    package let namespace: String
    package let prefix: String

    init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        (namespace, prefix) = (parts[0], parts.count > 1 ? parts[1] : "oap")
        guard parts.count <= 2, Self.isLabel(namespace, upTo: 63), Self.isLabel(prefix, upTo: Self.longestPrefix) else {
            return nil
        }
    }

    /// With the longest name of a token the name of its Secret has less than 253 characters.
    private static let longestPrefix = 40

    /// The name of a token's Secret, which is a DNS subdomain, without the token's capitals and signs.
    func secret(of name: TokenName) -> String { "\(prefix)-\(Base32.encodeHex(name.text.utf8))" }

    /// Whether it is a DNS label (RFC 1123 §2.1) in lower case.
    private static func isLabel(_ text: String, upTo length: Int) -> Bool {
        let isWord = { (byte: UInt8) in (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte) }
        guard let first = text.utf8.first, let last = text.utf8.last, text.utf8.count <= length else { return false }
        return isWord(first) && isWord(last) && text.utf8.allSatisfy { isWord($0) || $0 == 0x2D }
    }
}
