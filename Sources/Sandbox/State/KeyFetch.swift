/// A fetch of the keys of a client from its `jwks_uri` (RFC 7591 §2). The module does no I/O:
/// the program fetches the keys.
package struct KeyFetch: Hashable, Sendable {
    package let clientID: String
    /// Its `jwks_uri`: https, or http on loopback.
    package let url: String
    /// The most bytes that the document may have.
    package static let limit = 64 << 10
}
