import Testing

@testable import Wire

@Suite("Blocks of PEM")
struct PEMBlockTests {
    /// Two lines and a half of Base64.
    private static let lines = [String(repeating: "QUJD", count: 16), String(repeating: "REVG", count: 16), "R0hJCg=="]
    private static let block =
        "-----BEGIN PRIVATE KEY-----\n" + lines.map { $0 + "\n" }.joined() + "-----END PRIVATE KEY-----\n"

    @Test(
        "a block is read whatever became of its line ends",
        arguments: [
            "\n", "\r\n", "\r", " ", "\t", "  ", #"\n"#, #"\r\n"#, #"\\n"#, #"\\\\n"#, "\\\n", "", "\\n\n", "\u{A0}",
        ])
    func lineEnds(end: String) throws {
        for around in ["", "\"", "'", "\u{FEFF}", "a text "] {
            let text = around + Self.block.split(separator: "\n").joined(separator: end) + end + around
            let block = try #require(PEMBlock.all(in: text).first)
            #expect(block.label == "PRIVATE KEY" && block.isWhole && block.text == Self.block)
            #expect(PEMBlock.repaired(Array(text.utf8)) == Array(Self.block.utf8))
        }
    }

    @Test("the header fields of an encrypted key stay lines of their own", arguments: ["\n", " ", #"\n"#])
    func fields(end: String) throws {
        let own = ["Proc-Type: 4,ENCRYPTED", "DEK-Info: AES-256-CBC,0123456789ABCDEF", ""]
        let lines = ["-----BEGIN RSA PRIVATE KEY-----"] + own + Self.lines + ["-----END RSA PRIVATE KEY-----", ""]
        let block = try #require(PEMBlock.all(in: lines.joined(separator: end)).first)
        #expect(block.text == lines.joined(separator: "\n") && block.encoded == Self.lines)
    }

    @Test(
        "what is between marks and is no label is no block, so that no message shows it",
        arguments: [
            "MIIEvQIBADANBgkqhkiG9w0BAQEFAASC/+", "private key", "", String(repeating: "A", count: 41), "KEY\nMII",
        ])
    func labels(label: String) {
        #expect(PEMBlock.all(in: "-----BEGIN \(label)-----\nAAAA\n-----END \(label)-----").isEmpty)
    }

    @Test("a block ends before the mark of another one, and bytes with such a block stay as they are")
    func ends() {
        let text = "-----BEGIN A-----\nQUJD\n-----BEGIN B-----\nQUJD\n-----END B-----\n"
        #expect(PEMBlock.all(in: text).map(\.isWhole) == [false, true])
        for text in [text, "-----BEGIN A-----", "-----BEGIN A-----\nQUJD\n-----END A", "no PEM"] {
            #expect(PEMBlock.repaired(Array(text.utf8)) == Array(text.utf8))
        }
    }

    private static let pkcs8: [UInt8] = [0x30, 0x82, 4, 0xBD, 2, 1, 0, 0x30, 0x0D] + [UInt8](repeating: 7, count: 60)
    private static let pkcs12: [UInt8] = [0x30, 0x82, 4, 0xBD, 2, 1, 3, 0x30, 0x82] + [UInt8](repeating: 7, count: 60)

    @Test(
        "a key in another form is named with the command that converts it, and nothing of it is shown",
        arguments: [
            (Array(Base64.encode(Array(block.utf8)).utf8), "it is Base64 of a PEM: base64 -d FILE > OTHER decodes it"),
            (
                Array(
                    (Base64.encode(Array(block.utf8)).prefix(76) + "\n" + Base64.encode(Array(block.utf8)).dropFirst(76))
                        .utf8),
                "it is Base64 of a PEM: base64 -d FILE > OTHER decodes it"
            ),
            (
                Array(Base64.encode(Array(#"{"type":"service_account","private_key":"x"}"#.utf8)).utf8),
                "it is Base64 of JSON: base64 -d FILE > OTHER decodes it"
            ),
            (
                Array(Base64.encode(pkcs8).utf8),
                "it is Base64, and DER: base64 -d FILE | openssl pkey -inform DER -out OTHER converts it"
            ),
            (pkcs8, "it is DER: openssl pkey -inform DER -in FILE -out OTHER converts it"),
            (pkcs12, "it is PKCS#12: openssl pkcs12 -in FILE -nodes -out OTHER converts it"),
            (
                Array("-----BEGIN OPENSSH PRIVATE KEY-----\nb3Bl\n-----END OPENSSH PRIVATE KEY-----".utf8),
                "it is a key of OpenSSH: ssh-keygen -p -m PKCS8 -f FILE converts it"
            ),
            (
                [0xFF, 0xFE] + block.utf16.flatMap { [UInt8($0 & 0xFF), 0] },
                "it is UTF-16: iconv -f UTF-16 -t UTF-8 FILE > OTHER converts it"
            ),
            (
                block.utf16.flatMap { [UInt8($0 & 0xFF), 0] },
                "it is UTF-16: iconv -f UTF-16LE -t UTF-8 FILE > OTHER converts it"
            ),
            (
                Array(block.utf8) + [0xE9],
                "it is not UTF-8: iconv -f LATIN1 -t UTF-8 FILE > OTHER converts it from Latin-1"
            ),
        ] as [([UInt8], String)])
    func foreign(bytes: [UInt8], description: String) {
        #expect(ForeignKey.description(of: bytes) == description)
        for end in 0..<min(bytes.count, 60) { _ = ForeignKey.description(of: Array(bytes[..<end])) }
    }

    @Test("of a key that is read, and of other text, nothing is said", arguments: [block, "{}", "", "s3cret"])
    func own(text: String) { #expect(ForeignKey.description(of: Array(text.utf8)) == nil) }
}
