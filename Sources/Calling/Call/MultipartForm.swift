internal import CommandSpec
internal import HTTP
internal import Wire
internal import Shell

/// The body of `--form` and `--form-string`: multipart/form-data (RFC 7578), read from its files while it is sent.
final class MultipartForm: ContentSource {
    private enum Segment {
        case bytes([UInt8])
        case file(FileUpload)
    }

    let name = "the form"
    /// The media type with the boundary.
    let type: String
    let curlOptions: [(name: String, value: String)]
    private let segments: [Segment]
    /// The length of each segment in bytes; nil for a pipe that was not read to its end.
    private var sizes: [Int?]

    /// Opens the files.
    ///
    /// - Throws: exit 2 for a part that cannot be read, exit 11 for a file that cannot be opened.
    init(_ given: [Arguments.Occurrence], reader: BodyReader) throws(Failure) {
        let parts = try given.map { occurrence throws(Failure) in
            let text = occurrence.values.last ?? ""
            return try occurrence.option == CallOption.form ? FormPart(text) : FormPart(literal: text)
        }
        guard parts.count(where: { $0.file == "-" }) < 2 else {
            throw .usage("standard input can be one part of \(CallOption.form.name) only")
        }
        let boundary = "oap-" + (try CallHeaders.randomKey())
        var segments: [Segment] = []
        for part in parts {
            segments.append(.bytes(Array("--\(boundary)\r\n\(part.head)\r\n\r\n".utf8)))
            let content = try part.file.map { file throws(Failure) in Segment.file(try reader.open(file)) }
            segments += [content ?? .bytes(Array(part.value.utf8)), .bytes([0x0D, 0x0A])]
        }
        segments.append(.bytes(Array("--\(boundary)--\r\n".utf8)))
        sizes = segments.map { segment in
            switch segment {
            case .bytes(let bytes): bytes.count
            case .file(let file): file.size
            }
        }
        self.segments = segments
        type = "multipart/form-data; boundary=\(boundary)"
        curlOptions = parts.map(\.curlOption)
    }

    var size: Int? { sizes.reduce(0) { sum, size in sum.flatMap { sum in size.map { sum + $0 } } } }

    var isReplayable: Bool { segments.allSatisfy { if case .file(let file) = $0 { file.isReplayable } else { true } } }

    func canRead(at offset: Int) -> Bool {
        var start = 0
        for (segment, size) in zip(segments, sizes) {
            let end = size.map { start + $0 }
            if case .file(let file) = segment, end.map({ $0 > offset }) ?? true {
                guard file.canRead(at: max(0, offset - start)) else { return false }
            }
            // What comes behind a pipe that was not read to its end was not read either.
            guard let end else { return true }
            start = end
        }
        return true
    }

    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(ContentError) -> Int {
        guard !buffer.isEmpty else { return 0 }
        var start = 0
        for (index, segment) in segments.enumerated() {
            let position = offset - start
            if let size = sizes[index], position >= size {
                start += size
                continue
            }
            let wanted = min(buffer.count, sizes[index].map { $0 - position } ?? buffer.count)
            switch segment {
            case .bytes(let bytes):
                buffer.copyBytes(from: bytes[position..<position + wanted])
                return wanted
            case .file(let file):
                let count = try Self.read(file, into: buffer, wanted, at: position, isSized: sizes[index] != nil)
                guard count == 0 else { return count }
                sizes[index] = position
                start += position
            }
        }
        return 0
    }

    private static func read(
        _ file: FileUpload, into buffer: UnsafeMutableRawBufferPointer, _ wanted: Int, at offset: Int, isSized: Bool
    ) throws(ContentError) -> Int {
        let count: Int
        do throws(ContentError) {
            count = try file.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<wanted]), at: offset)
        } catch {
            throw ContentError(reason: "\(file.name): \(error.reason)")
        }
        guard count > 0 || !isSized else {
            throw ContentError(reason: "\(file.name) became shorter while it was being sent")
        }
        return count
    }
}
