import Foundation

/// A file descriptor of this process, closed when nobody refers to it any more. No child inherits it by itself.
final class FileDescriptor: Sendable {
    let number: Int32

    /// Takes over what a C call returned.
    ///
    /// - Throws: ``POSIXError`` from `errno` when that was a failure.
    init(_ number: Int32) throws {
        guard number >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        self.number = number
        _ = fcntl(number, F_SETFD, FD_CLOEXEC)
    }

    deinit { close(number) }

    /// Opens a file.
    convenience init(path: String, flags: Int32) throws { try self.init(open(path, flags | O_CLOEXEC | O_NOCTTY)) }

    /// Makes writing return at once when there is no room.
    func makeNonblocking() { _ = fcntl(number, F_SETFL, fcntl(number, F_GETFL) | O_NONBLOCK) }

    /// A pipe's two ends.
    static func pipe() throws -> (reading: FileDescriptor, writing: FileDescriptor) {
        var numbers: [Int32] = [-1, -1]
        guard Glibc.pipe(&numbers) == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        return (try FileDescriptor(numbers[0]), try FileDescriptor(numbers[1]))
    }

    /// A terminal: the side that plays the person, and the side that the program sees (pty(7)).
    static func terminal() throws -> (person: FileDescriptor, program: FileDescriptor) {
        let person = try FileDescriptor(path: "/dev/ptmx", flags: O_RDWR)
        // Of <sys/ioctl.h>, whose macros Swift does not see: TIOCSPTLCK unlocks, TIOCGPTN tells the number.
        var locked: Int32 = 0
        var number: Int32 = 0
        guard ioctl(person.number, 0x4004_5431, &locked) == 0, ioctl(person.number, 0x8004_5430, &number) == 0 else {
            throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
        }
        return (person, try FileDescriptor(path: "/dev/pts/\(number)", flags: O_RDWR))
    }
}
