@testable import HTTP
import TestSupport
import Testing
import Wire

@Suite("The codings of content")
struct ContentCodingTests {
    /// `hello hello hello` in each coding.
    private static let coded: [String: String] = [
        "gzip": "1f8b0800000000000203cb48cdc9c957c84090008088f9e511000000",
        "deflate": "789ccb48cdc9c957c84090003a2e067d",
        "br": "1b1000f88d946ede445586966c206f014f1c601c",
        "zstd": "28b52ffd04586500003068656c6c6f200100314a11a2ed1e0c",
    ]
    private static let text = "hello hello hello"

    private static func bytes(_ hexadecimal: String) -> [UInt8] {
        let digits = hexadecimal.utf8.map { UInt8($0 < 0x3A ? $0 - 0x30 : $0 - 0x57) }
        return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    }

    private func send(
        _ content: [UInt8], _ fields: [String], headers: [HTTPField] = []
    ) throws -> (result: Result<String, HTTPError>, accepted: String?) {
        let responder = try Responder(.content(content, headers: fields))
        let request = HTTPRequest(method: "GET", url: responder.url(), headers: headers)
        do {
            let response = try HTTPClient(options: TransportOptions()).send(request, maximumBody: 1 << 20)
            let accepted = responder.requests.first?.headers.first("Accept-Encoding")
            return (.success(String(decoding: response.body, as: UTF8.self)), accepted)
        } catch {
            return (.failure(error), nil)
        }
    }

    @Test("each coding that is asked for is undone")
    func undone() throws {
        for (name, content) in Self.coded {
            let (result, accepted) = try send(Self.bytes(content), ["Content-Encoding: \(name)"])
            #expect(result == .success(Self.text), "\(name)")
            #expect(accepted == "deflate, gzip, br, zstd")
        }
        let long = String(repeating: "0123456789 ", count: 30_000)
        let responder = try Responder(.gzip(Array(long.utf8)))
        let response = try HTTPClient(options: TransportOptions()).send(
            HTTPRequest(method: "GET", url: responder.url()), maximumBody: 1 << 20)
        #expect(response.body.elementsEqual(long.utf8))
    }

    @Test(
        "other spellings of a coding, several of them, and words that are none, are taken for what servers mean",
        arguments: [
            (["x-gzip"], coded["gzip"] ?? ""), (["GZip"], coded["gzip"] ?? ""),
            // Deflate without the format of zlib.
            (["deflate"], "cb48cdc9c957c8409000"),
            // Two members, and zeros behind the last one.
            (
                ["gzip"],
                "1f8b0800000000000203cb48cdc9c9570000f6f981ed06000000"
                    + "1f8b0800000000000203cb48cdc9c957c800910040a62d010b0000000000"
            ),
            // Two frames.
            (
                ["zstd"],
                "28b52ffd045831000068656c6c6f20d23be1a928b52ffd045859000068656c6c6f2068656c6c6fc5bdfb61"
            ),
            (["gzip", "identity"], coded["gzip"] ?? ""), (["UTF-8, gzip"], coded["gzip"] ?? ""),
        ])
    func spellings(words: [String], content: String) throws {
        let fields = words.map { "Content-Encoding: \($0)" }
        #expect(try send(Self.bytes(content), fields).result == .success(Self.text))
    }

    @Test("codings are undone in the reverse order, up to five of them")
    func several() throws {
        // gzip of the content in br.
        let gzip = Self.bytes(
            "1f8b0800000000000203931660f8d13b25ef9e4b68dbb41c857c467f990419004139f17414000000")
        #expect(try send(gzip, ["Content-Encoding: br, gzip"]).result == .success(Self.text))
        #expect(try send(gzip, ["Content-Encoding: br", "Content-Encoding: gzip"]).result == .success(Self.text))
        let many = ["Content-Encoding: gzip,gzip,gzip,gzip,gzip,gzip"]
        #expect(
            try send(gzip, many).result == .failure(.malformedResponse("the response has too many codings")))
    }

    @Test("content whose field names no coding is left as it is", arguments: ["UTF-8", "aws-chunked", "none", ""])
    func noCoding(word: String) throws {
        #expect(try send(Array(Self.text.utf8), ["Content-Encoding: \(word)"]).result == .success(Self.text))
    }

    @Test("content that ends before its coding does is cut off, wherever that is", arguments: coded.keys.sorted())
    func cut(name: String) throws {
        let whole = Self.bytes(Self.coded[name] ?? "")
        for length in 1..<whole.count {
            let content = Array(whole.prefix(length))
            guard
                case .failure(.network(.read, let message, true)) =
                    try send(content, ["Content-Encoding: \(name)"]).result
            else {
                Issue.record("\(length) bytes are taken for whole")
                continue
            }
            #expect(message.hasSuffix(" was cut off: its \(name) coding has no end"))
        }
        #expect(try send([], ["Content-Encoding: \(name)"]).result == .success(""))
    }

    @Test("gzip is cut off in its second member, and in the coding that was applied first")
    func cutInside() throws {
        let member = Self.bytes(Self.coded["gzip"] ?? "")
        // gzip of the member without its last byte.
        let cut = Self.bytes(
            "1f8b080000000000020393efe660000126e6d31e674f9e0c3fe13081a1a1e3e75341060600fd5758561b000000")
        for (content, field) in [(member + [0x1F], "gzip"), (member + member.prefix(20), "gzip"), (cut, "gzip, gzip")] {
            guard case .failure(.network(.read, _, true)) = try send(content, ["Content-Encoding: \(field)"]).result
            else {
                Issue.record("\(content.count) bytes of \(field) are taken for whole")
                continue
            }
        }
    }

    @Test(
        "content that is not of its coding, or goes on behind it, is malformed",
        arguments: [
            ("gzip", "hello"), ("br", "\u{7F}\u{7F}"), ("zstd", "hello"), ("deflate", "hello"),
        ])
    func broken(name: String, content: String) throws {
        for bytes in [Array(content.utf8), Self.bytes(Self.coded[name] ?? "") + Array("hello".utf8)] {
            guard case .failure(.malformedResponse(let message)) = try send(bytes, ["Content-Encoding: \(name)"]).result
            else {
                Issue.record("\(bytes.count) bytes are taken for \(name)")
                continue
            }
            #expect(message.hasSuffix(" cannot be read: it is no whole \(name) coding"))
        }
    }

    @Test(
        "a transfer coding besides chunked, which nobody asked for, is refused", arguments: ["gzip, chunked", "gzip"])
    func transferCoding(name: String) throws {
        let responder = try Responder(
            .raw("HTTP/1.1 200 OK\r\nTransfer-Encoding: \(name)\r\n\r\n0\r\n\r\n").then(.close))
        #expect(throws: HTTPError.malformedResponse("the response has a transfer coding that was not asked for")) {
            try HTTPClient(options: TransportOptions()).send(
                HTTPRequest(method: "GET", url: responder.url()), maximumBody: 10)
        }
    }

    @Test("the answer to HEAD has no content that could be cut off")
    func head() throws {
        let responder = try Responder(
            .content(Self.bytes(Self.coded["gzip"] ?? ""), headers: ["Content-Encoding: gzip"]))
        let response = try HTTPClient(options: TransportOptions()).send(
            HTTPRequest(method: "HEAD", url: responder.url()), maximumBody: 10)
        #expect(response.body.isEmpty)
    }

    @Test("a range is asked for without a coding, and left as it comes: it is one of the coded content")
    func range() throws {
        let part = Array(Self.bytes(Self.coded["gzip"] ?? "").prefix(10))
        let responder = try Responder(.content(part, status: 206, headers: ["Content-Encoding: gzip"]))
        let request = HTTPRequest(method: "GET", url: responder.url(), headers: [HTTPField("Range", "bytes=0-9")])
        #expect(try HTTPClient(options: TransportOptions()).send(request, maximumBody: 100).body == part)
        #expect(responder.requests.first?.headers.first("Accept-Encoding") == nil)
    }
}
