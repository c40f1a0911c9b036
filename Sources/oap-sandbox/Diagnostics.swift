internal import Glibc

/// What people are told, on standard error.
enum Diagnostics {
    /// Prints a message.
    static func tell(_ message: String) {
        let line = Array("oap-sandbox: \(message)\n".utf8)
        _ = line.withUnsafeBytes { write(2, $0.baseAddress, $0.count) }
    }
}
