/// The content of a request that is read while it is sent: a file or a pipe.
package protocol ContentSource: AnyObject {
    /// What to call it in messages.
    var name: String { get }
    /// Bytes from the start to the end; nil where that is not known, and the content is sent in chunks.
    var size: Int? { get }
    /// Whether it can be sent again from the start. This can change while it is read: ask when it matters.
    var isReplayable: Bool { get }

    /// Goes to an offset in bytes from the start.
    ///
    /// - Returns: false where the bytes cannot be had again.
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
