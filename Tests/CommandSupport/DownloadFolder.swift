import Foundation
import TestSupport
import Wire

private let downloadBody = String((0..<20_000).flatMap { "\($0) " }.prefix(100_000))

/// Tests of `-C -`: a folder in which `call` downloads a body of 100,000 bytes.
protocol DownloadFolder {
    var folder: TemporaryDirectory { get }
}

extension DownloadFolder {
    static var body: String { downloadBody }
    static var half: Int { 50_000 }

    func program(_ target: String, _ options: [String], to responder: Responder) -> Program {
        var program = Program.oap(
            ["call", "-n", responder.url(target), "-C", "-", "-O", "--retry", "0"] + options,
            environment: ["OAP_ACCESS_TOKEN": "at-download-1"])
        program.directory = folder.path
        return program
    }

    @discardableResult
    func download(
        _ target: String = "/f", _ options: [String] = [], to responder: Responder
    ) throws -> ProgramResult {
        try program(target, options, to: responder).run()
    }

    var files: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() }
    }

    static var parts: [String] { ["f.oap-part", "f.oap-part.json"] }

    /// The first half of the body, and then the connection breaks.
    static func broken(_ fields: [String] = [#"ETag: "v1""#], of body: String = downloadBody) -> Responder.Reply {
        let head = (["HTTP/1.1 200 OK", "Content-Length: \(body.utf8.count)"] + fields).joined(separator: "\r\n")
        return .raw(head + "\r\n\r\n" + body.prefix(half)).then(.close)
    }

    /// A response of 206 with the bytes from `first` on.
    static func rest(
        from first: Int = 50_000, to last: Int = downloadBody.utf8.count - 1,
        size: String = "\(downloadBody.utf8.count)",
        _ fields: [String] = [#"ETag: "v1""#]
    ) -> Responder.Reply {
        .content(
            Array(Array(body.utf8)[first...last]), status: 206,
            headers: fields + ["Content-Range: bytes \(first)-\(last)/\(size)"])
    }
}
