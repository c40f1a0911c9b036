internal import Wire

/// Finds the token in what an API answers. The best that can be done for a client that must not have it, and no more: an API
/// can say the token in a thousand ways.
struct ProxyLeak {
    /// The most bytes that are looked at.
    private static let reach = 1 << 20
    /// What is neither text nor may be taken for it.
    private static let binary = ["image/", "audio/", "video/", "font/", "zip", "gzip", "application/pdf", "wasm"]

    private let token: [UInt8]
    private let reveals: ([UInt8]) -> Bool
    /// The last bytes that were passed on.
    private var tail: [UInt8] = []
    /// The bytes that may be the beginning of the token, which are held back.
    private var held: [UInt8] = []
    private var count = 0

    /// - Parameter reveals: whether bytes have the token in them, in any encoding.
    init(_ token: String, reveals: @escaping ([UInt8]) -> Bool) {
        (self.token, self.reveals) = (Array(token.utf8), reveals)
    }

    /// Whether the content of an answer can be looked at.
    static func isText(_ head: HTTPResponseHead) -> Bool {
        let coding = head.headers.first("Content-Encoding")?.asciiLowercased ?? "identity"
        let type = head.headers.first("Content-Type")?.asciiLowercased ?? ""
        return coding.isEmpty || coding == "identity" && !binary.contains(where: type.contains)
    }

    func isIn(fields: [HTTPField]) -> Bool { fields.contains { reveals(Array("\($0.name): \($0.value)".utf8)) } }

    /// What of a piece can be passed on now; nil where the token is in it.
    mutating func pass(_ content: UnsafeRawBufferPointer) -> [UInt8]? {
        let bytes = held + Array(content)
        held = []
        guard count < Self.reach else { return bytes }
        count += content.count
        if reveals(tail + bytes) { return nil }
        let longest = min(token.count - 1, bytes.count)
        let size = stride(from: longest, to: 0, by: -1).first { bytes.suffix($0).elementsEqual(token.prefix($0)) } ?? 0
        held = bytes.suffix(size)
        let passed = Array(bytes.dropLast(size))
        tail = (tail + passed).suffix(token.count * 3)
        return passed
    }

    /// What was held back, at the end of the answer.
    mutating func rest() -> [UInt8] {
        defer { held = [] }
        return held
    }
}
