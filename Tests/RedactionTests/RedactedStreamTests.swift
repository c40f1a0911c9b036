import Redaction
import Testing

@Suite("A stream with secrets")
struct RedactedStreamTests {
    private let secret = "eyJhbGciOiJub25lIn0.a+b/c=d"

    /// What comes out of a stream of pieces.
    private func shown(_ pieces: [some Collection<UInt8>], releasing: Bool = false) -> String {
        var stream = RedactedStream(Redactor(secrets: [secret]))
        var output: [UInt8] = []
        for piece in pieces {
            output += stream.add(Array(piece))
            if releasing { output += stream.release() }
        }
        return String(decoding: output + stream.end(), as: UTF8.self)
    }

    @Test(
        "a secret is masked wherever the pieces end, as it is, percent-encoded, escaped, and in Base64",
        arguments: [
            "eyJhbGciOiJub25lIn0.a+b/c=d", "eyJhbGciOiJub25lIn0.a%2Bb%2fc%3Dd", #"eyJhbGciOiJub25lIn0.a\u002bb\/c=d"#,
            "ZXlKaGJHY2lPaUp1YjI1bEluMC5hK2IvYz1k", "eyJhbGciOiJub25lIn0.a&#43;b&#x2F;c&#x3d;d",
        ])
    func pieces(text: String) {
        let bytes = Array("before \(text)\nafter, and more".utf8)
        for index in 0...bytes.count {
            #expect(shown([bytes[..<index], bytes[index...]]) == "before ***\nafter, and more", "\(index)")
        }
        #expect(shown(bytes.map { [$0] }) == "before ***\nafter, and more")
        #expect(shown([bytes + bytes, bytes]).components(of: "***") == 3)
    }

    @Test(
        "nothing of a secret is shown where a piece ends within it, however it is escaped",
        arguments: [
            ("p/s+w=tokens", #"\u0070\u002f\u0073\u002b\u0077\u003d\u0074\u006f\u006b\u0065\u006e\u0073"#),
            ("ü%41x-secret-of-many", "%c3%bC%25%34%31x-secret-of-many"),
            ("s3cret-🔑-value", #"s3cret-\ud83d\udd11-value"#),
            ("p/s+w=tokens", "%2570%252f%2573%252b%2577%253d%2574%256f%256b%2565%256e%2573"),
            ("p/s+w=tokens", "&#x70;&#x2f;&#x73;&#43;&#x77;&#61;&#x74;&#x6F;&#x6b;&#x65;&#x6e;&#x73;"),
            ("\"a&b<tokens", "&quot;a&amp;b&lt;tokens"), ("p/s+w=tokens", #"\x70\x2f\x73\x2b\x77\x3dtokens"#),
            ("p/s+w=tokens", #"\\u0070\\u002f\\u0073\\u002b\\u0077\\u003d\\u0074okens"#),
        ])
    func escapedPieces(secret: String, text: String) {
        let bytes = Array("before \(text) after, and more".utf8)
        for index in 0...bytes.count {
            var stream = RedactedStream(Redactor(secrets: [secret]))
            let output = stream.add(Array(bytes[..<index])) + stream.add(Array(bytes[index...])) + stream.end()
            #expect(String(decoding: output, as: UTF8.self) == "before *** after, and more", "\(index)")
        }
    }

    @Test("of a secret whose writer pauses in the middle, no more than its first seven bytes are shown")
    func pauses() {
        let bytes = Array("a \(secret) b".utf8)
        for index in 0...bytes.count {
            let output = shown([bytes[..<index], bytes[index...]], releasing: true)
            #expect(["a *** b"] + (1...7).map { "a \(secret.prefix($0))*** b" } ~= output, "\(index): \(output)")
        }
    }

    @Test("the beginning of a secret is held back until more comes, and masked at the end")
    func beginning() {
        var stream = RedactedStream(Redactor(secrets: [secret]))
        #expect(stream.add(Array("Password: ".utf8)) + stream.release() == Array("Password: ".utf8))
        #expect(stream.add(Array(secret.utf8.prefix(12))) + stream.release() == [])
        #expect(stream.holdsBytes)
        #expect(stream.end() == Array("***".utf8))
    }

    @Test("everything else passes unchanged, bytes that are no text included, however much it is")
    func unchanged() {
        var stream = RedactedStream(Redactor(secrets: [secret]))
        let bytes = (0..<20_000).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 3) }
        var output: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: 997) {
            output += stream.add(Array(bytes[start..<min(start + 997, bytes.count)]))
        }
        #expect(output + stream.end() == bytes)
    }
}

extension String {
    fileprivate func components(of part: String) -> Int { ranges(of: part).count }
}

extension [String] {
    fileprivate static func ~= (texts: [String], text: String) -> Bool { texts.contains(text) }
}
