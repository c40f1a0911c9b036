/// The streamed content of a request: a file or a pipe.
package protocol ContentSource: AnyObject {
    /// Its name in messages.
    var name: String { get }
    /// The length in bytes; nil if unknown: then the content is sent in chunks.
    var size: Int? { get }
    /// Whether it can be sent again from the start. This can change while it is read.
    var isReplayable: Bool { get }

    /// Goes to an offset in bytes from the start.
    ///
    /// - Returns: false if the bytes cannot be read again.
    func seek(to offset: Int) -> Bool

    /// Reads the next bytes.
    ///
    /// - Returns: how many; 0 at the end.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws(ContentError) -> Int
}

/// Content of a request cannot be read.
package struct ContentError: Error {
    /// Why: lower case, no full stop.
    package let reason: String

    /// An error for this reason.
    package init(reason: String) { self.reason = reason }
}
