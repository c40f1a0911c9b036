import Wire

/// Content that is sent again, or cannot be.
final class KeptContent: ContentSource {
    let name = "content"
    let size: Int? = nil
    var isReplayable: Bool

    init(isReplayable: Bool = true) { self.isReplayable = isReplayable }

    func canRead(at offset: Int) -> Bool { isReplayable }

    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(ContentError) -> Int { 0 }
}
