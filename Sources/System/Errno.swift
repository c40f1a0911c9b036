internal import Glibc

/// An error number of the system (errno(3)).
package struct Errno: Error, Hashable, Sendable, CustomStringConvertible {
    package let number: Int32

    /// An error number that a C function returned.
    package init(_ number: Int32) { self.number = number }

    /// The number that the last call of a C function left: `errno`.
    package static var current: Errno { Errno(errno) }

    /// What strerror(3) says, lower case as in all messages.
    package var description: String {
        let text = String(cString: strerror(number))
        // An abbreviation stays as it is.
        guard text.dropFirst().first?.isUppercase != true else { return text }
        return text.prefix(1).lowercased() + text.dropFirst()
    }
}

extension Errno {
    package static let noSuchFile = Errno(ENOENT)
    package static let fileExists = Errno(EEXIST)
    package static let tooManyLinks = Errno(ELOOP)
    package static let notPermitted = Errno(EPERM)
    package static let notAllowed = Errno(EACCES)
    package static let readOnly = Errno(EROFS)
    package static let brokenPipe = Errno(EPIPE)
    /// `EWOULDBLOCK`, which is `EAGAIN`.
    package static let wouldBlock = Errno(EWOULDBLOCK)
    /// `ENXIO`, of a pipe without a reader.
    package static let noReader = Errno(ENXIO)
    package static let interrupted = Errno(EINTR)
}
