internal import CSandboxTexts
internal import CommandSpec

/// The text of the manual page, which only help and the page read.
enum Manual {
    static let sandbox = ManualText(text)

    private static var text: [UInt8] {
        var length = 0
        let bytes = oap_sandbox_text(&length)
        return Array(UnsafeBufferPointer(start: bytes, count: length))
    }
}
