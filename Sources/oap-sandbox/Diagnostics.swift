internal import System

/// Messages for the user, on standard error.
enum Diagnostics {
    static func tell(_ message: String) {
        try? FileDescriptor.standardError.writeAll(Array("oap-sandbox: \(message)\n".utf8))
    }
}
