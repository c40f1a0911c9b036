internal import CLibMicroHTTPD
internal import Glibc

/// Notices clients that close their end while the library does not look at their connections.
final class Hangups {
    /// Readable when ``next()`` has something.
    let descriptor: Int32

    /// Nil without a descriptor.
    init?() {
        descriptor = oap_hangups_open()
        if descriptor < 0 { return nil }
    }

    deinit { close(descriptor) }

    /// Notices the end of a client once.
    func watch(_ socket: Int32) { oap_hangups_watch(descriptor, socket) }

    /// The socket of a client that is gone; nil for none.
    func next() -> Int32? {
        let socket = oap_hangups_next(descriptor)
        return socket < 0 ? nil : socket
    }
}
