internal import Glibc
internal import Wire

enum HostName {
    /// What `hostname` prints; nil if it is nothing that can be pasted into a command.
    static var own: String? {
        var bytes = [UInt8](repeating: 0, count: 256)
        let status = gethostname(&bytes, bytes.count - 1)
        let name = bytes.prefix { $0 != 0 }
        guard status == 0, name.first?.isASCIILetterOrDigit == true,
            name.allSatisfy({ $0.isASCIILetterOrDigit || "-.".utf8.contains($0) })
        else { return nil }
        return String(decoding: name, as: UTF8.self)
    }
}
