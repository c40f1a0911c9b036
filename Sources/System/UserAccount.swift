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
