package import Calls
package import Wire
package import Shell

/// A download that goes on where an earlier run or attempt ended (oap-call(1), `-C`): it requests the bytes that are
/// missing, and checks that the response has them, of the same version (RFC 9110 §13.1.5, §14).
package final class Download {
    package let part: PartFile
    /// How many bytes were there when the last request was made, if it asked for the others; nil if it asked for all.
    private var offset: Int?
    /// Why the last response is of no use.
    private var failure: Failure?
    package private(set) var isComplete = false

    /// Opens the file that the options name.
    ///
    /// - Throws: exit 2 for options that contradict each other, exit 11.
    package init(form: OutputForm, for request: APIRequest) throws(Failure) {
        let option = CallOption.continueAt
        guard let file = form.file else {
            throw .usage("\(option.name) needs \(OutputOption.output.name) or \(CallOption.remoteName.name)")
        }
        try CallCache.check(request, for: option, without: ["Accept-Encoding"])
        part = try PartFile(of: file, from: request.message.url)
    }

    /// The request, which asks at each attempt for what is missing then.
    package func request(_ request: APIRequest) -> APIRequest { APIRequest(request.message, fields: fields) }

    private func fields() -> [HTTPField] {
        offset = nil
        // Ranges are those of the content as it is coded.
        var fields = [HTTPField("Accept-Encoding", "identity")]
        let size = part.size
        if let origin = part.origin, size > 0, size <= origin.size ?? .max {
            offset = size
            fields += [HTTPField("Range", "bytes=\(size)-"), HTTPField("If-Range", origin.validator)]
        }
        return fields
    }

    /// Prepares the file for the content of a final response that is no error.
    ///
    /// - Returns: false if the content is of no use; see `goesOn(after:)`.
    package func begin(_ head: HTTPResponseHead) -> Bool {
        do throws(Failure) {
            if let coding = head.headers.first("Content-Encoding"), !coding.equalsIgnoringASCIICase("identity") {
                throw Failure(
                    .badAnswer, .invalidResponse,
                    "the server compressed the response, although oap asked for it uncompressed",
                    hint: "to get the response decompressed, leave \(CallOption.continueAt.name) out")
            }
            if head.status == 206 { try check(head) } else { try restart(head) }
            return true
        } catch {
            failure = error
            return false
        }
    }

    /// Begins with the first byte: the server ignores ranges, or the content has changed.
    private func restart(_ head: HTTPResponseHead) throws(Failure) {
        let length = head.headers.first("Content-Length").flatMap { Int($0) }
        try part.restart(
            head.status == 200
                ? head.rangeValidator.map {
                    PartFile.Origin(validator: $0, size: length, place: PartFile.place(of: head.url))
                } : nil)
    }

    private func check(_ head: HTTPResponseHead) throws(Failure) {
        let range = head.headers.values(of: "Content-Range").map { ContentRange($0) }
        guard let offset, let origin = part.origin, range.count == 1, let range = range[0], let bytes = range.bytes,
            bytes.lowerBound == offset, (range.size ?? origin.size) == (origin.size ?? range.size),
            head.headers.first("Content-Length").map({ Int($0) == bytes.count }) ?? true
        else {
            throw refused(offset.map { "the bytes from \($0) on" } ?? "the whole content")
        }
        // A server that ignores If-Range shows the version that it sends (RFC 9110 §15.3.7). Last-Modified may be left out.
        let version =
            origin.validator.hasPrefix("\"")
            ? head.headers.first("ETag") : head.headers.first("Last-Modified") ?? origin.validator
        guard version == origin.validator else { throw refused("the same version") }
        guard PartFile.place(of: head.url) == origin.place else { throw refused("bytes of the same address") }
    }

    private func refused(_ wanted: String) -> Failure {
        Failure(
            .badAnswer, .invalidResponse, "the response with status 206 does not have what oap requested: \(wanted)",
            hint: "remove \(part.file.path) to begin again")
    }

    /// Decides after a response that was received whole.
    ///
    /// - Returns: whether another request is needed.
    /// - Throws: exit 10 for a response that is of no use; exit 11.
    func goesOn(after head: HTTPResponseHead) throws(Failure) -> Bool {
        if let failure { throw failure }
        let range = head.headers.first("Content-Range").flatMap { ContentRange($0) }
        switch head.status {
        case 206:
            guard let offset, let bytes = range?.bytes else { preconditionFailure("a part was checked at its head") }
            let size = part.size
            guard size > offset, size <= bytes.upperBound + 1 else {
                try part.cut(to: offset)
                throw refused("\(bytes.count) bytes")
            }
            isComplete = size == range?.size ?? part.origin?.size ?? bytes.upperBound + 1
            return !isComplete
        case 416 where offset != nil:
            isComplete = range?.bytes == nil && range?.size == offset && (part.origin?.size ?? offset) == offset
            if !isComplete { try part.restart(nil) }
            return !isComplete
        default:
            isComplete = head.status < 400
            return false
        }
    }

    /// A failure after which a later run can go on, with the hint that it can.
    package func withHint(for failure: Failure) -> Failure {
        guard failure.leavesOpen, let hint = part.hint else { return failure }
        return failure.adding(hint: hint)
    }
}
