internal import System
internal import Shell

/// How ssh(1) on another machine reaches this one.
enum SecureShell {
    /// The host of `ssh`, with an option for its port: where `SSH_CONNECTION` says how the user came here, the address and
    /// the port of that; else the name of this machine.
    static func words(in environment: Environment) throws(Failure) -> String {
        let parts = try environment.value("SSH_CONNECTION")?.split(separator: " ").map(String.init) ?? []
        guard parts.count == 4, isAddress(parts[2]), let port = Int(parts[3]), (1...65_535).contains(port) else {
            return HostName.own ?? "HOST"
        }
        return port == 22 ? parts[2] : "-p \(port) \(parts[2])"
    }

    /// Whether it is an IP address, and nothing that a shell takes for more.
    private static func isAddress(_ text: String) -> Bool {
        let isOfAddress = { (byte: UInt8) in byte.isASCIILetterOrDigit || ".:%-".utf8.contains(byte) }
        return text.utf8.first != UInt8(ascii: "-") && text.utf8.allSatisfy(isOfAddress)
    }
}
