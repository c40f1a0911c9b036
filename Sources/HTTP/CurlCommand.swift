package import Redaction
package import Wire

/// A request as a `curl` command line for a shell, with a variable in place of each secret (`--dry-run`).
package struct CurlCommand: Sendable {
    /// A secret, and the shell variable to show in its place.
    package struct Secret: Sendable {
        /// The name of the variable, for example `OAP_ACCESS_TOKEN`.
        package var variable: String
        package var value: String

        package init(variable: String, value: String) { (self.variable, self.value) = (variable, value) }
    }

    /// The command line, without a line end.
    package let text: String

    /// The longest content that is shown on the command line, in bytes.
    private static let maximumContent = 8 << 10

    /// Makes the command line of a request.
    ///
    /// - Parameters:
    ///   - secrets: a secret in its plain form is replaced by its variable, in another form by `***`.
    ///   - redactor: knows further secrets, which are replaced by `***`.
    ///   - contentFile: the file that holds the content, `-` for standard input; nil when the content is the request's
    ///     own. Content that is no text, or is long, is left to standard input.
    ///   - form: the options for the parts of a multipart form, in place of content; curl sets its own boundary.
    package init(
        _ request: HTTPRequest, secrets: [Secret] = [], redactor: Redactor? = nil, contentFile: String? = nil,
        form: [(name: String, value: String)] = []
    ) {
        let words = CommandWords(secrets: secrets, redactor: redactor)
        var arguments = ["curl"]
        let content = request.body ?? (request.methodWantsContent ? [] : nil)
        let hasContent = content != nil || contentFile != nil || !form.isEmpty
        let headers = form.isEmpty ? request.headers : request.headers.filter { $0.name != "Content-Type" }
        if request.method == "HEAD" {
            arguments.append("-I")
        } else if request.method != (hasContent ? "POST" : "GET") {
            arguments += ["-X", words.quote(request.method)]
        }
        // curl adds `Accept: */*` unless there is an option for it.
        for field in headers where field != HTTPField("Accept", "*/*") {
            arguments += words.basicUser(field).map { ["-u", $0] } ?? ["-H", words.quote(field)]
        }
        if request.headers.first("Accept") == nil { arguments += ["-H", "Accept:"] }
        if hasContent, form.isEmpty, headers.first("Content-Type") == nil { arguments += ["-H", "Content-Type:"] }
        if !form.isEmpty {
            for part in form { arguments += [part.name, words.quote(content: part.value)] }
        } else if let contentFile {
            arguments += ["--data-binary", words.quote("@" + contentFile)]
        } else if let content {
            arguments += Self.arguments(for: content, words)
        }
        if request.url.utf8.contains(where: "{}[]".utf8.contains) { arguments.append("-g") }
        if request.url.contains("/.") { arguments.append("--path-as-is") }
        arguments.append(words.quote(content: request.url))
        text = arguments.joined(separator: " ")
    }

    private static func arguments(for content: [UInt8], _ words: CommandWords) -> [String] {
        let isBinary = content.contains { $0 == 0x7F || $0 < 0x20 && $0 != 0x0A && $0 != 0x09 && $0 != 0x0D }
        guard content.count <= maximumContent, !isBinary, let text = String(validating: content, as: UTF8.self) else {
            return ["--data-binary", "@-"]
        }
        return ["--data-raw", words.quote(content: text)]
    }
}

/// Quotes words for a POSIX shell, with variables in place of secrets.
private struct CommandWords {
    private enum Piece {
        case literal(String)
        case variable(String)
    }

    let secrets: [CurlCommand.Secret]
    let redactor: Redactor?

    /// Masks only known secrets in a text.
    func quote(_ text: String) -> String { render(pieces(of: text, hiding: [])) }

    /// Masks a URL, the value of a header field, or content of any type: known secrets, and credentials known by the
    /// name of a JSON member or of a parameter.
    func quote(content text: String) -> String {
        let bytes = Array(text.utf8)
        return render(text, hiding: SensitiveParts.namedMembers(in: bytes) + SensitiveParts.namedParameters(in: bytes))
    }

    /// The user and the secret of HTTP Basic, for `-u`; nil for another field. The variable holds the secret as it is sent:
    /// form-encoded (RFC 6749 §2.3.1).
    func basicUser(_ field: HTTPField) -> String? {
        guard redactor != nil, field.name == "Authorization", field.value.hasPrefix("Basic ") else { return nil }
        let standard = field.value.utf8.dropFirst(6).filter { $0 != UInt8(ascii: "=") }
        let letters = standard.map { $0 == UInt8(ascii: "+") ? 0x2D : $0 == UInt8(ascii: "/") ? 0x5F : $0 }
        guard let bytes = Base64.decodeURL(String(decoding: letters, as: UTF8.self)),
            let text = String(validating: bytes, as: UTF8.self), let colon = text.firstIndex(of: ":"),
            colon != text.startIndex
        else { return nil }
        return render([.literal("\(text[..<colon]):"), .variable(variable(for: "client_secret"))])
    }

    /// A header field; curl has a special form for an empty value.
    func quote(_ field: HTTPField) -> String {
        guard !field.value.isEmpty else { return quote("\(field.name);") }
        guard field.isSensitive else { return quote(content: "\(field.name): \(field.value)") }
        let scheme = field.visibleScheme.map { "\($0) " } ?? ""
        let credential = String(field.value.dropFirst(scheme.count))
        let known = secrets.first { $0.value.isIdentical(to: credential) }
        return render([
            .literal("\(field.name): \(scheme)"), .variable(known?.variable ?? variable(for: field.name)),
        ])
    }

    private func render(_ text: String, hiding named: [(name: String, range: Range<Int>)]) -> String {
        render(pieces(of: text, hiding: named.map { ($0.range, variable(for: $0.name)) }))
    }

    /// Splits a text at its secrets; `named` are further ranges and their variables.
    private func pieces(of text: String, hiding named: [(range: Range<Int>, variable: String)]) -> [Piece] {
        let bytes = Array(text.utf8)
        var hidden: [(range: Range<Int>, variable: String?)] = []
        for secret in secrets {
            for range in Redactor(secrets: [secret.value]).secretRanges(in: bytes) {
                // The variable holds the plain secret, so that it cannot replace another form of it.
                let isPlain = bytes[range].elementsEqual(secret.value.utf8)
                hidden.append((range, isPlain ? secret.variable : nil))
            }
        }
        for (range, variable) in named where !hidden.contains(where: { $0.range.overlaps(range) }) {
            hidden.append((range, variable))
        }
        let known = redactor?.secretRanges(in: bytes, cut: true) ?? []
        for range in known where !hidden.contains(where: { $0.range.overlaps(range) }) {
            hidden.append((range, nil))
        }
        var pieces: [Piece] = []
        var literal = ""
        var end = 0
        for (range, variable) in hidden.sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) {
            if range.lowerBound >= end {
                literal += String(decoding: bytes[end..<range.lowerBound], as: UTF8.self)
                if let variable {
                    pieces += [.literal(literal), .variable(variable)]
                    literal = ""
                } else {
                    literal += Redactor.mask
                }
            }
            end = max(end, range.upperBound)
        }
        return pieces + [.literal(literal + String(decoding: bytes[end...], as: UTF8.self))]
    }

    /// `X-Api-Key` → `OAP_SECRET_X_API_KEY`. A name from a URL of a server must not choose another variable of the user,
    /// such as `GITHUB_TOKEN`, which a shell would send.
    private func variable(for name: String) -> String {
        let letters = name.uppercased().utf8.map { $0.isASCIILetterOrDigit ? $0 : UInt8(ascii: "_") }
        return "OAP_SECRET_" + String(decoding: letters, as: UTF8.self)
    }

    /// One word. In double quotes if it has a variable and no other character that is special to a shell; otherwise the
    /// text in single quotes and the variables in double quotes.
    private func render(_ pieces: [Piece]) -> String {
        var isPlain = true
        var doubleQuoted = ""
        var mixed = ""
        var hasVariable = false
        for (index, piece) in pieces.enumerated() {
            switch piece {
            case .literal(let text):
                isPlain = isPlain && !text.utf8.contains(where: "\"\\$`!".utf8.contains)
                doubleQuoted += text
                mixed += text.isEmpty ? "" : text.shellWord
            case .variable(let name):
                hasVariable = true
                doubleQuoted += continuesName(pieces.dropFirst(index + 1).first) ? "${\(name)}" : "$\(name)"
                mixed += "\"$\(name)\""
            }
        }
        return hasVariable ? (isPlain ? "\"\(doubleQuoted)\"" : mixed) : mixed.isEmpty ? "''" : mixed
    }

    /// Whether a shell would read the beginning of the next piece as part of the variable's name.
    private func continuesName(_ next: Piece?) -> Bool {
        guard case .literal(let text) = next, let byte = text.utf8.first else { return false }
        return byte.isASCIILetterOrDigit || byte == UInt8(ascii: "_")
    }
}
