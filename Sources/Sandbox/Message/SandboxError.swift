/// Why there is no sandbox, a setting of it cannot be used, the keys of a client could not be fetched, or a JWT of a client
/// is refused, for which the message says "it".
package struct SandboxError: Error {
    /// What happened: lower case, no full stop.
    package let message: String

    package init(_ message: String) { self.message = message }
}
