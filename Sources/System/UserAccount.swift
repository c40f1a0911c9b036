internal import Glibc

/// The entry of the user in the password database (getpwuid_r(3)).
package enum UserAccount {
    /// The home of the user whom the process runs as; nil without an entry, or with a relative path.
    package static var home: String? {
        var (entry, found) = (passwd(), UnsafeMutablePointer<passwd>?.none)
        var buffer = [CChar](repeating: 0, count: 16_384)
        guard getpwuid_r(geteuid(), &entry, &buffer, buffer.count, &found) == 0, let folder = found?.pointee.pw_dir
        else { return nil }
        // The text is in the buffer.
        return withExtendedLifetime(buffer) {
            let path = String(cString: folder)
            return path.isAbsolutePath ? path : nil
        }
    }
}

package enum HostName {
    /// What `hostname` prints; nil if it is nothing that can be pasted into a command.
    package static var own: String? {
        var bytes = [UInt8](repeating: 0, count: 256)
        let status = gethostname(&bytes, bytes.count - 1)
        let name = bytes.prefix { $0 != 0 }
        guard status == 0, let first = name.first, isLetterOrDigit(first),
            name.allSatisfy({ isLetterOrDigit($0) || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: ".") })
        else { return nil }
        return String(decoding: name, as: UTF8.self)
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
    }
}
