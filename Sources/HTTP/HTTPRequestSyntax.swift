package import Wire

extension HTTPRequest {
    /// What is invalid in an HTTP message or would inject another one (RFC 9110 §5.5, §9.1); nil if the request can be sent.
    package func syntaxFault(hasUpload: Bool) -> String? {
        guard method.isHTTPToken else { return "not an HTTP method: \(method.escapingControls)" }
        if method == "HEAD", body != nil || hasUpload { return "a HEAD request cannot have content" }
        for field in headers {
            guard field.name.isHTTPToken else { return "not a header name: \(field.name.escapingControls)" }
            guard !field.value.utf8.contains(where: { $0 == 0x0D || $0 == 0x0A || $0 == 0 }) else {
                return "the header \(field.name) has a line end or NUL in its value"
            }
        }
        return nil
    }

    /// Whether the request may be sent twice: the method is idempotent, and the request has no DPoP proof, which can be
    /// used once (RFC 9449 §11.1).
    var mayBeRepeated: Bool { isIdempotent && headers.first("DPoP") == nil }
}

extension String {
    /// The text with each control character of ASCII and C1 spelled as `\xNN` or `\u{NN}`, so that no terminal
    /// interprets it.
    var escapingControls: String {
        guard unicodeScalars.contains(where: \.isControl) else { return self }
        return unicodeScalars.reduce(into: "") { text, scalar in
            if scalar.isControl {
                text += "\\x" + String(decoding: hexadecimalDigits(UInt8(scalar.value), lower: true), as: UTF8.self)
            } else {
                text.unicodeScalars.append(scalar)
            }
        }
    }
}

extension Unicode.Scalar {
    fileprivate var isControl: Bool { value < 0x20 || (0x7F...0x9F).contains(value) }
}
