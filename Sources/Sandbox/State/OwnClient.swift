/// A client of the person who runs the sandbox, from client metadata (RFC 7591 §2) with its `client_id`, and with a
/// `client_secret` if it authenticates with one.
package struct OwnClient: Sendable {
    let client: Client
}
