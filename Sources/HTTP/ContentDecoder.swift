internal import CLibCodings
internal import Wire

/// Undoes a content coding of a response (RFC 9110 §8.4.1) as it arrives. libcurl could, but takes content that ends before
/// its coding does for whole, and refuses gzip of several members and words that are no coding, such as `UTF-8`.
final class ContentDecoder {
    private let name: String
    private let pointer: OpaquePointer
    /// The coding that was applied before this one.
    private let inner: ContentDecoder?
    private let buffer: UnsafeMutablePointer<UInt8>
    private var state = OAP_CODING_ENDED

    private static let codings = [
        ("deflate", OAP_CODING_DEFLATE), ("gzip", OAP_CODING_GZIP), ("br", OAP_CODING_BROTLI),
        ("zstd", OAP_CODING_ZSTD),
        ("x-gzip", OAP_CODING_GZIP),
    ].map { (name: $0.0, coding: $0.1, failure: oap_coding_load($0.1).map { String(cString: $0) }) }
    private static let accepted = codings.dropLast().filter { $0.failure == nil }.map(\.name).joined(separator: ", ")
    /// The most codings of a response, as in libcurl.
    private static let limit = 5
    private static let bufferSize = 64 << 10

    private init(_ name: String, _ pointer: OpaquePointer, inner: ContentDecoder?) {
        (self.name, self.pointer, self.inner) = (name, pointer, inner)
        buffer = .allocate(capacity: Self.bufferSize)
    }

    deinit {
        oap_decoder_close(pointer)
        buffer.deallocate()
    }

    /// The fields of a request, with the codings that can be undone where no field says which are wanted.
    static func asking(_ fields: [HTTPField]) -> [HTTPField] {
        fields.first("Accept-Encoding") == nil && !accepted.isEmpty
            ? [HTTPField("Accept-Encoding", accepted)] + fields : fields
    }

    /// What undoes the codings of a response, the last one first; nil for a response without. Other words in the field are
    /// taken for `identity`: servers send them, such as a character encoding, with content that is not coded.
    ///
    /// - Throws: also for a transfer coding that was not asked for (RFC 9112 §7.4), whose end libcurl does not look for.
    static func chain(for head: HTTPResponseHead, isAsked: Bool) throws(HTTPError) -> ContentDecoder? {
        func names(_ field: String) -> [String] {
            head.headers.values(of: field).flatMap { $0.split(separator: ",") }
                .map { String($0.filter { $0 != " " && $0 != "\t" }).asciiLowercased }
        }
        guard names("Transfer-Encoding").allSatisfy({ ["chunked", "identity"].contains($0) }) else {
            throw .malformedResponse("the response has a transfer coding that was not asked for")
        }
        var chain: ContentDecoder?
        var count = 0
        for name in isAsked ? names("Content-Encoding") : [] {
            guard let (_, coding, failure) = codings.first(where: { $0.name == name }) else { continue }
            if let failure { throw .malformedResponse("the response has the coding \(name), but \(failure)") }
            count += 1
            guard count <= limit, let pointer = oap_decoder_open(coding) else {
                throw .malformedResponse("the response has too many codings")
            }
            chain = ContentDecoder(name, pointer, inner: chain)
        }
        return chain
    }

    /// Decodes the next piece, and gives what it makes.
    ///
    /// - Returns: false if `take` does, or if the content is not of the coding.
    func decode(_ piece: UnsafeRawBufferPointer, to take: (UnsafeRawBufferPointer) -> Bool) -> Bool {
        var (input, count, isFull) = (piece.assumingMemoryBound(to: UInt8.self).baseAddress, piece.count, false)
        while count > 0 || isFull {
            var size = Self.bufferSize
            state = oap_decoder_run(pointer, &input, &count, buffer, &size)
            isFull = state == OAP_CODING_OPEN && size == Self.bufferSize
            let output = UnsafeRawBufferPointer(start: buffer, count: size)
            guard size == 0 || inner?.decode(output, to: take) ?? take(output) else { return false }
            guard state != OAP_CODING_BROKEN else { return false }
        }
        return true
    }

    /// The coding that the content is not of.
    var broken: String? { state == OAP_CODING_BROKEN ? name : inner?.broken }

    /// The coding that the content ends in the middle of. Without a byte there is no coding: servers send the field with an
    /// empty response too.
    var unended: String? { state == OAP_CODING_OPEN ? name : inner?.unended }
}
