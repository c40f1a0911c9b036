internal import Wire

/// The handler of a path.
struct Route: Sendable {
    typealias Answer = @Sendable (SandboxServer) -> (SandboxRequest) throws(Refusal) -> SandboxResponse

    /// The endpoint, whose faults it shares.
    let endpoint: Endpoint
    /// The allowed methods; empty for any.
    let methods: [String]
    let answer: Answer

    init(_ endpoint: Endpoint, _ methods: [String], _ answer: @escaping Answer) {
        (self.endpoint, self.methods, self.answer) = (endpoint, methods, answer)
    }
}

extension SandboxServer {
    /// A path without that of the issuer: it is in front, or behind a well-known one (RFC 8414 §3.1, RFC 9728 §3.1).
    func ownPath(_ path: String) -> String {
        guard !issuerPath.isEmpty else { return path }
        for known in [Path.serverMetadata, Path.openIDConfiguration, Path.resourceMetadata] {
            if path == known + issuerPath || path.hasPrefix(known + issuerPath + "/") {
                return known + path.dropFirst(known.count + issuerPath.count)
            }
        }
        return path.hasPrefix(issuerPath + "/") ? String(path.dropFirst(issuerPath.count)) : path
    }

    func errorPage(_ refusal: Refusal) -> SandboxResponse {
        trace.refusal = refusal
        return Page.error(refusal)
    }
}
