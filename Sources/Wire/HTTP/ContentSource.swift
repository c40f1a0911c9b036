/// The streamed content of a request: a file or a pipe.
package protocol ContentSource: AnyObject {
    /// The name of the source in messages.
    var name: String { get }
    /// The length in bytes; nil if unknown: then the content is sent in chunks.
    var size: Int? { get }
    /// Whether the source can be sent again from the start. This can change while it is read.
    var isReplayable: Bool { get }

    /// Whether the bytes at an offset, counted from the start, can be read.
    func canRead(at offset: Int) -> Bool

    /// Whether the next bytes have not come yet: the request pauses until its transfer is resumed.
    var isWaiting: Bool { get }

    /// Reads the bytes at an offset that can be read.
    ///
    /// - Returns: how many; 0 at the end.
    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(ContentError) -> Int
}

extension ContentSource {
    package var isWaiting: Bool { false }
}

/// Content of a request cannot be read.
package struct ContentError: Error {
    /// Why: lower case, no full stop.
    package let reason: String

    package init(reason: String) { self.reason = reason }
}
