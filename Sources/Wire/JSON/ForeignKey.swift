/// What was given as a private key, and is a key in another form than those that are read.
package enum ForeignKey {
    /// What the bytes are, and the command that converts them, with `FILE` for their file; nil where they tell nothing.
    /// Nothing of the bytes is in it.
    package static func description(of bytes: [UInt8]) -> String? {
        if let encoding = wideEncoding(of: bytes) {
            return "it is UTF-16: iconv -f \(encoding) -t UTF-8 FILE > OTHER converts it"
        }
        if let command = command(forDER: bytes) { return "\(command.what): \(command.start) -in FILE\(command.end)" }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            return "it is not UTF-8: iconv -f LATIN1 -t UTF-8 FILE > OTHER converts it from Latin-1"
        }
        if PEMBlock.all(in: text).contains(where: { $0.label == "OPENSSH PRIVATE KEY" }) {
            return "it is a key of OpenSSH: ssh-keygen -p -m PKCS8 -f FILE converts it"
        }
        if text.hasPrefix("PuTTY-User-Key-File") {
            return "it is a key of PuTTY: puttygen FILE -O private-openssh -o OTHER converts it"
        }
        guard bytes.count > 40, let inner = Base64.decodeLoosely(text) else { return nil }
        if let command = command(forDER: inner) {
            return "it is Base64, and \(command.what.dropFirst(6)): base64 -d FILE | \(command.start)\(command.end)"
        }
        let form = String(decoding: inner, as: UTF8.self).contains("-----BEGIN ") ? "a PEM" : nil
        guard let form = form ?? (inner.first == UInt8(ascii: "{") ? "JSON" : nil) else { return nil }
        return "it is Base64 of \(form): base64 -d FILE > OTHER decodes it"
    }

    private static func wideEncoding(of bytes: [UInt8]) -> String? {
        guard bytes.count >= 4 else { return nil }
        switch (bytes[0], bytes[1], bytes[2], bytes[3]) {
        case (0xFF, 0xFE, _, _), (0xFE, 0xFF, _, _): return "UTF-16"
        case (1..., 0, 1..., 0): return "UTF-16LE"
        case (0, 1..., 0, 1...): return "UTF-16BE"
        default: return nil
        }
    }

    /// A SEQUENCE that begins with its version, which is 3 in PKCS#12 (RFC 7292 §4), or with another SEQUENCE.
    private static func command(forDER bytes: [UInt8]) -> (what: String, start: String, end: String)? {
        guard bytes.count > 32, bytes[0] == 0x30, bytes[1] > 0x20 else { return nil }
        let start = 2 + (bytes[1] > 0x80 ? Int(bytes[1] & 0x7F) : 0)
        guard start < 7 else { return nil }
        switch (bytes[start], bytes[start + 2]) {
        case (0x02, 3): return ("it is PKCS#12", "openssl pkcs12", " -nodes -out OTHER converts it")
        case (0x02, _), (0x30, _): return ("it is DER", "openssl pkey -inform DER", " -out OTHER converts it")
        default: return nil
        }
    }
}
