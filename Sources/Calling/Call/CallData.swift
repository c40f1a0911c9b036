internal import CommandSpec
internal import HTTP
internal import System
internal import Wire
internal import Shell

/// The body of `-d` and the other data options, as in curl.
enum CallData {
    /// The pieces joined with `&`; nil when there is none.
    static func joined(_ data: [Arguments.Occurrence], _ reader: BodyReader) throws(Failure) -> [UInt8]? {
        var body: [UInt8]?
        for occurrence in data {
            let piece = try piece(of: occurrence, reader)
            body = body.map { $0 + [UInt8(ascii: "&")] + piece } ?? piece
        }
        return body
    }

    /// The pieces of `--json`, one after the other; nil when there is none.
    static func json(_ values: [String], _ reader: BodyReader) throws(Failure) -> [UInt8]? {
        guard !values.isEmpty else { return nil }
        var body: [UInt8] = []
        for text in values {
            body += try text.dropping(first: "@").map(reader.read) ?? Array(text.utf8)
        }
        return body
    }

    /// Warns of a body of `--json` that is not JSON. It is sent unchanged, as by curl.
    static func check(json: [UInt8], of values: [String], _ diagnostics: Diagnostics) throws(Failure) {
        guard !json.isEmpty, !JSON.isText(json, depth: .max) else { return }
        let option = CallOption.json.name
        try diagnostics.warn([.other("the value of \(option) is not JSON")])
        guard values.count == 1, (try? FileStatus(at: values[0])) != nil else { return }
        diagnostics.hint("to send the file: \(option) \("@\(values[0])".shellWord)")
    }

    private static func piece(of occurrence: Arguments.Occurrence, _ reader: BodyReader) throws(Failure) -> [UInt8] {
        let text = occurrence.values.last ?? ""
        let file = text.dropping(first: "@")
        switch occurrence.option {
        case CallOption.data:
            guard let file else { return Array(text.utf8) }
            return try reader.read(file).filter { $0 != 0x0A && $0 != 0x0D && $0 != 0 }
        case CallOption.dataBinary: return try file.map(reader.read) ?? Array(text.utf8)
        case CallOption.dataURLEncode: return try encoded(text, reader)
        default: return Array(text.utf8)
        }
    }

    /// `content`, `=content`, `name=content`, `@file`, `name@file`.
    private static func encoded(_ text: String, _ reader: BodyReader) throws(Failure) -> [UInt8] {
        let inline = text.cut(at: "=")
        guard let (before, after) = inline ?? text.cut(at: "@") else { return percentEncoded(Array(text.utf8)) }
        let name = Array(before.utf8)
        let content = inline == nil ? try reader.read(after) : Array(after.utf8)
        return (name.isEmpty ? [] : name + [UInt8(ascii: "=")]) + percentEncoded(content)
    }

    /// The bytes percent-encoded as by curl: everything but the unreserved characters of RFC 3986 §2.3.
    static func percentEncoded(_ bytes: [UInt8]) -> [UInt8] {
        bytes.flatMap { byte -> [UInt8] in
            byte.isASCIILetterOrDigit || [0x2D, 0x2E, 0x5F, 0x7E].contains(byte)
                ? [byte] : [UInt8(ascii: "%"), hexadecimalDigit(byte >> 4), hexadecimalDigit(byte & 15)]
        }
    }
}

package struct BodyReader {
    /// Whether standard input holds no document, so that `-` may name it.
    let isStandardInputFree: Bool
    /// The most bytes of a body in memory, as in curl.
    private static let limit = 1 << 30

    /// The whole content of a file; `-` is standard input.
    func read(_ path: String) throws(Failure) -> [UInt8] {
        guard path == "-" else { return try InputFile.read(path, limit: Self.limit) }
        try checkStandardInput()
        return try InputFile.read(.standardInput, limit: Self.limit, name: "standard input")
    }

    /// A file that is sent while it is read.
    func open(_ path: String) throws(Failure) -> FileUpload {
        if path == "-" {
            try checkStandardInput()
            return FileUpload(descriptor: 0, name: "standard input")
        }
        return FileUpload(descriptor: try InputFile.open(path).number, name: path)
    }

    /// A file that is sent with its size where that is known: a pipe of at most 16 MiB is read before.
    func openWhole(_ path: String) throws(Failure) -> FileUpload {
        let upload = try open(path)
        do throws(ContentError) { try upload.fill() } catch { throw .file("cannot read \(path): \(error.reason)") }
        return upload
    }

    private func checkStandardInput() throws(Failure) {
        guard isStandardInputFree else {
            throw .usage(
                "standard input holds the document, so - cannot be the body",
                hint: "name a stored token with -p, use -n with OAP_ACCESS_TOKEN, or give a file")
        }
    }
}
