/// An authorization request that was pushed (RFC 9126).
enum PushedRequest {
    static let lifetime = 60
    /// What a `request_uri` begins with (RFC 9126 §2.2).
    static let prefix = "urn:ietf:params:oauth:request_uri:"
}
