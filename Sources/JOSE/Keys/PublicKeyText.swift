package import Wire

/// The text of a public key in PEM (RFC 7468): the key alone, or a certificate.
package enum PublicKeyText {
    /// A private key in PEM, with the first certificate of another text behind it if that is the key's own.
    package static func key(_ text: String, passPhrase: String?, withCertificateIn other: String) -> String {
        guard let certificate = PEMBlock.all(in: other).first(where: { $0.label == "CERTIFICATE" }),
            !text.utf8.contains(UInt8(ascii: "{")),
            let certified = try? key(in: certificate.text).map(JSONWebKey.init),
            let own = try? SigningKey(of: PrivateKeyText(text), passPhrase: passPhrase).publicKey.map(JSONWebKey.init),
            certified.publicMembers == own.publicMembers
        else { return text }
        return text + "\n" + certificate.text
    }

    /// The key as a JSON Web Key with `use`, and with the certificates of the text as `x5c` (RFC 7517 §4.7) if it is that of
    /// the first. Nil for a text without such a key, or with a private one.
    ///
    /// - Throws: `JOSEError.keyInvalid`, `.keyUnsupported`, `.keyWeak`, `.library`.
    package static func key(in text: String) throws(JOSEError) -> JSONObject? {
        let blocks = PEMBlock.all(in: text)
        guard !blocks.contains(where: { $0.label.hasSuffix("PRIVATE KEY") }),
            let block = blocks.first(where: { ["PUBLIC KEY", "RSA PUBLIC KEY", "CERTIFICATE"].contains($0.label) })
        else { return nil }
        guard block.isWhole else { throw .keyInvalid("the PEM block \(block.label) has no end") }
        var members = try JSONWebKey.Material(pem: block).requiredMembers
        members["use"] = .string("sig")
        guard block.label == "CERTIFICATE" else { return members }
        members["x5c"] = .array(blocks.filter { $0.label == block.label }.map { .string($0.encoded.joined()) })
        return members
    }
}
