internal import System

/// Messages for the user, on standard error.
enum Diagnostics {
    /// Prints a message.
    static func tell(_ message: String) {
        try? FileDescriptor.standardError.writeAll(Array("oap-sandbox: \(message)\n".utf8))
    }
}
