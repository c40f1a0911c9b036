/// Why there is no sandbox, or a setting of it cannot be used.
package struct SandboxError: Error {
    /// What happened: lower case, no full stop.
    package let message: String
}
