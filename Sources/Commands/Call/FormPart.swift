internal import Wire

/// A part of `--form`, in the grammar of curl: `NAME=VALUE`, `NAME=@FILE`; `;type=TYPE` and for a file `;filename=NAME`
/// may follow.
struct FormPart {
    private let name: String
    private var type: String?
    private var filename: String?
    /// The value; empty for a file.
    let value: String
    /// The path of the file, `-` for standard input; nil for a value.
    let file: String?

    /// Reads a part.
    ///
    /// - Throws: exit 2.
    init(_ text: String) throws(Failure) {
        guard let (name, content) = text.cut(at: "="), !name.isEmpty else {
            throw .usage("\(CallOption.form.name) takes NAME=VALUE or NAME=@FILE")
        }
        self.name = name
        var rest = content
        let isFile = content.hasPrefix("@")
        while let (before, key, value) = Self.lastParameter(of: rest) {
            if key == "type", type == nil, Self.isType(value) {
                type = value
            } else if key == "filename", filename == nil, isFile {
                filename = value
            } else {
                break
            }
            rest = before
        }
        file = isFile ? String(rest.dropFirst()) : nil
        value = isFile ? "" : rest
        guard let file else { return }
        guard !file.isEmpty else { throw .usage("\(CallOption.form.name) \(name)=@ names no file") }
        type = type ?? Self.guessedType(of: filename ?? file)
        let segment = file.utf8.split(separator: UInt8(ascii: "/")).last ?? "".utf8[...]
        filename = filename ?? String(decoding: segment, as: UTF8.self)
    }

    /// The header fields of the part, without the last line end (RFC 7578 §4.2).
    var head: String {
        var text = "Content-Disposition: form-data; name=\"\(Self.escaped(name))\""
        if let filename { text += "; filename=\"\(Self.escaped(filename))\"" }
        return type.map { "\(text)\r\nContent-Type: \($0)" } ?? text
    }

    /// The part as an option of curl.
    var curlOption: (name: String, value: String) {
        let parameters = type.map { ";type=\($0)" } ?? ""
        guard let file else {
            // Without a type the value is sent as it is.
            guard type != nil else { return ("--form-string", "\(name)=\(value)") }
            return ("-F", "\(name)=\(Self.quoted(value))\(parameters)")
        }
        let given = filename.map { ";filename=\(Self.quoted($0))" } ?? ""
        return ("-F", "\(name)=@\(Self.quoted(file))\(parameters)\(given)")
    }

    /// Splits off the last `;type=…` or `;filename=…`.
    private static func lastParameter(of text: String) -> (before: String, key: String, value: String)? {
        let bytes = Array(text.utf8)
        guard let last = bytes.lastIndex(of: UInt8(ascii: ";")),
            let (key, value) = String(decoding: bytes[(last + 1)...], as: UTF8.self).cut(at: "="),
            key == "type" || key == "filename", !value.isEmpty
        else { return nil }
        return (String(decoding: bytes[..<last], as: UTF8.self), key, value)
    }

    private static func isType(_ text: String) -> Bool {
        text.utf8.contains(UInt8(ascii: "/")) && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }

    /// The type that curl would send.
    private static func guessedType(of file: String) -> String {
        let types = [
            "gif": "image/gif", "jpg": "image/jpeg", "jpeg": "image/jpeg", "png": "image/png",
            "svg": "image/svg+xml", "txt": "text/plain", "htm": "text/html", "html": "text/html",
            "pdf": "application/pdf", "xml": "application/xml", "json": "application/json",
        ]
        let pieces = file.asciiLowercased.utf8.split(separator: UInt8(ascii: "."))
        return types[String(decoding: pieces.last ?? "".utf8[...], as: UTF8.self)] ?? "application/octet-stream"
    }

    /// As browsers and curl write names between quotes.
    private static func escaped(_ text: String) -> String {
        let name = text.utf8.flatMap { [0x0A, 0x0D, 0x22].contains($0) ? CallData.percentEncoded([$0]) : [$0] }
        return String(decoding: name, as: UTF8.self)
    }

    private static func quoted(_ text: String) -> String {
        let escaped = text.utf8.flatMap { [0x22, 0x5C].contains($0) ? [0x5C, $0] : [$0] }
        return "\"\(String(decoding: escaped, as: UTF8.self))\""
    }
}
