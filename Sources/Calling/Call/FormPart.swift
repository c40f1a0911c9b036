package import Shell

/// A part of `--form`, in the grammar of curl: `NAME=VALUE`, `NAME=@FILE`, `NAME=<FILE`; `;type=TYPE` and behind `@FILE`
/// `;filename=NAME` may follow. Each text may stand between quotes.
package struct FormPart {
    private let name: String
    private let type: String?
    /// The name that the server gets; nil for a value and for the content of a file as a value (`<FILE`).
    private let filename: String?
    /// The value; empty for a file.
    package let value: String
    /// The path of the file, `-` for standard input; nil for a value.
    package let file: String?

    package init(_ text: String) throws(Failure) {
        guard let (name, content) = text.cut(at: "="), !name.isEmpty else {
            throw .usage("\(CallOption.form.name) takes NAME=VALUE, NAME=@FILE or NAME=<FILE")
        }
        self.name = name
        let upload = content.dropping(first: "@")
        let path = upload ?? content.dropping(first: "<")
        let (word, parameters) = Self.split(path ?? content, takesName: upload != nil)
        value = path == nil ? word : ""
        file = path.map { _ in word }
        guard path == nil || !word.isEmpty else {
            throw .usage("\(CallOption.form.name) \(name)=\(upload == nil ? "<" : "@") names no file")
        }
        type = parameters["type"] ?? (upload == nil ? nil : Self.guessedType(of: parameters["filename"] ?? word))
        let segment = word.utf8.split(separator: UInt8(ascii: "/")).last ?? "".utf8[...]
        filename = upload == nil ? nil : parameters["filename"] ?? String(decoding: segment, as: UTF8.self)
    }

    /// Reads a part of `--form-string`, `NAME=VALUE`: the value is sent as it is.
    ///
    /// - Throws: exit 2.
    package init(literal text: String) throws(Failure) {
        guard let (name, value) = text.cut(at: "="), !name.isEmpty else {
            throw .usage("\(CallOption.formString.name) takes NAME=VALUE")
        }
        (self.name, self.value) = (name, value)
        (type, filename, file) = (nil, nil, nil)
    }

    /// The header fields of the part, without the last line end (RFC 7578 §4.2).
    package var head: String {
        var text = "Content-Disposition: form-data; name=\"\(Self.escaped(name))\""
        if let filename { text += "; filename=\"\(Self.escaped(filename))\"" }
        return type.map { "\(text)\r\nContent-Type: \($0)" } ?? text
    }

    var curlOption: (name: String, value: String) {
        let parameters = type.map { ";type=\($0)" } ?? ""
        guard let file else {
            // Without a type the value is sent as it is.
            guard type != nil else { return ("--form-string", "\(name)=\(value)") }
            return ("-F", "\(name)=\(Self.quoted(value))\(parameters)")
        }
        let given = filename.map { ";filename=\(Self.quoted($0))" } ?? ""
        return ("-F", "\(name)=\(filename == nil ? "<" : "@")\(Self.quoted(file))\(parameters)\(given)")
    }

    /// The text before the parameters, and the parameters. A text that only resembles a parameter is part of the former.
    ///
    /// - Parameter takesName: whether `;filename=` is a parameter.
    private static func split(_ text: String, takesName: Bool) -> (word: String, parameters: [String: String]) {
        let bytes = Array(text.utf8)
        if let (word, rest) = unquoted(bytes[...]), let parameters = parameters(rest, takesName: takesName) {
            return (word, parameters)
        }
        let ends = bytes.indices.filter { bytes[$0] == UInt8(ascii: ";") } + [bytes.endIndex]
        for end in ends {
            if let parameters = parameters(bytes[end...], takesName: takesName) {
                return (String(decoding: bytes[..<end], as: UTF8.self), parameters)
            }
        }
        return (text, [:])
    }

    /// The parameters that a text consists of; nil if it is something else.
    private static func parameters(_ text: ArraySlice<UInt8>, takesName: Bool) -> [String: String]? {
        var parameters: [String: String] = [:]
        var rest = text
        while !rest.isEmpty {
            // A search for `=` in all of the rest, at each `;`, would take minutes for a long value.
            guard let key = ["type", "filename"].first(where: { rest.starts(with: ";\($0)=".utf8) }) else { return nil }
            let equals = rest.startIndex + key.utf8.count + 1
            let plain = rest[(equals + 1)...].prefix { $0 != UInt8(ascii: ";") }
            let value: String
            (value, rest) =
                unquoted(text[(equals + 1)...]) ?? (String(decoding: plain, as: UTF8.self), text[plain.endIndex...])
            guard !value.isEmpty, key == "type" && isType(value) || key == "filename" && takesName,
                parameters.updateValue(value, forKey: key) == nil
            else { return nil }
        }
        return parameters
    }

    /// The text between the quotes that a text begins with, and what comes after them; nil if it begins otherwise.
    private static func unquoted(_ text: ArraySlice<UInt8>) -> (word: String, rest: ArraySlice<UInt8>)? {
        let (quote, escape) = (UInt8(ascii: "\""), UInt8(ascii: "\\"))
        guard text.first == quote else { return nil }
        var word: [UInt8] = []
        var rest = text.dropFirst()
        while let byte = rest.popFirst() {
            if byte == quote { return (String(decoding: word, as: UTF8.self), rest) }
            let isEscape = byte == escape && (rest.first == quote || rest.first == escape)
            word.append(isEscape ? rest.removeFirst() : byte)
        }
        return nil
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

    /// The text escaped as browsers and curl write names between quotes.
    private static func escaped(_ text: String) -> String {
        let name = text.utf8.flatMap { [0x0A, 0x0D, 0x22].contains($0) ? CallData.percentEncoded([$0]) : [$0] }
        return String(decoding: name, as: UTF8.self)
    }

    private static func quoted(_ text: String) -> String {
        let escaped = text.utf8.flatMap { [0x22, 0x5C].contains($0) ? [0x5C, $0] : [$0] }
        return "\"\(String(decoding: escaped, as: UTF8.self))\""
    }
}
