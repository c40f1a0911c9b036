package import Calls
package import OAuth
package import Wire
package import Shell
package import Sessions

/// Makes the requests of the lines.
package struct BatchRequests {
    private static let members = ["id", "method", "url", "headers", "query", "body", "body_base64"]
    private let document: Document
    package let headers: CallHeaders
    private let origins: CallTarget.Origins
    private let takesKeys: Bool
    private let key: String?

    /// Reads what all requests share.
    ///
    /// - Throws: exit 2 or 3.
    package init(_ settings: CallSettings, document: Document) throws(Failure) {
        self.document = document
        headers = try CallHeaders(settings, document: document)
        origins = try CallTarget.Origins(document, allowed: settings.origins)
        (takesKeys, key) = (settings.hasIdempotencyKey, settings.idempotencyKey)
        guard !origins.isEmpty else {
            throw .usage(
                "the document does not say where the token may be sent",
                hint: "give --api-base URL, or \(CallOption.allowOrigin.name) ORIGIN")
        }
    }

    /// The resources of the document.
    ///
    /// - Throws: exit 2 or 3.
    package func endpoint() throws(Failure) -> ResourceEndpoint { try ResourceEndpoint(document) }

    /// The value of `id`: that of the line, or its number.
    package static func id(of members: JSONObject?, _ number: Int) -> JSON {
        switch members?["id"] {
        case .string(let text): .string(text)
        case .number(let text): .number(text)
        default: .integer(number)
        }
    }

    package static func members(of line: BatchInput.Line) throws(Failure) -> JSONObject {
        guard let bytes = line.bytes else {
            throw bad("the line is longer than \(BatchInput.limit >> 20) MiB", .tooLarge)
        }
        let value: JSON
        do throws(JSONSyntaxError) {
            value = try JSON(parsing: bytes)
        } catch {
            throw bad("the line is not JSON: \(error.reason) at column \(error.column)", .parse)
        }
        guard case .object(let members) = value else {
            throw bad("the line is not an object, but \(value.kindNoun)", .parse)
        }
        return members
    }

    /// The key is sent if one is asked for and the line has none, and so is the session of a resource. Exit 3 for a broken rule, exit 9 for another origin.
    package func request(
        _ line: JSONObject, key: String, at endpoint: ResourceEndpoint
    ) throws(Failure) -> APIRequest {
        if let other = line.members.first(where: { !Self.members.contains($0.name) }) {
            throw Self.bad("\(Terminal.escaping(other.name.shownName)) is not a member of a request")
        }
        switch line["id"] {
        case nil, .null, .string, .number: break
        default: throw Self.bad("id is neither a string nor a number")
        }
        var headers = headers
        for (name, values) in try Self.values(line, "headers") { try headers.replace(name, by: values) }
        let body = try Self.body(line)
        let url = try url(line)
        let type = headers.fields.first("Content-Type") ?? body?.type
        endpoint.addDefaults(to: &headers, for: url, sending: type, body?.bytes, usual: "*/*")
        if let body { headers.addDefault("Content-Type", body.type) }
        if takesKeys, headers.fields.first("Idempotency-Key") == nil {
            try headers.replace("Idempotency-Key", by: ["\"\(key)\""])
        }
        let method = try Self.text(line, "method") ?? (body == nil ? "GET" : "POST")
        guard method.isHTTPToken else { throw Self.bad("the member method is not an HTTP method") }
        guard method != "HEAD" || body == nil else { throw Self.bad("a HEAD request cannot have content") }
        try origins.check(url)
        return APIRequest(
            HTTPRequest(method: method, url: url.withoutFragment, headers: headers.fields, body: body?.bytes))
    }

    /// The name of a new run, with which its idempotency keys begin.
    ///
    /// - Throws: exit 2 for a key that its field cannot hold, exit 11.
    package func run() throws(Failure) -> String {
        guard let key else { return try CallHeaders.randomKey() }
        return try CallHeaders.checked(key: key)
    }

    private func url(_ line: JSONObject) throws(Failure) -> WebURL {
        guard let operand = try Self.text(line, "url") else { throw Self.bad("the line has no url") }
        let query = try Self.values(line, "query").flatMap { name, values in values.map { (name: name, value: $0) } }
        let target = try CallTarget(operand, exit: .badInput)
        let url = try CallTarget.url(target, document: document, exit: .badInput)
        return query.isEmpty ? url : try CallRequest.appending(FormEncoding.encode(query), to: url)
    }

    /// A body: JSON as JSON, a string as it is, or bytes in Base64.
    private static func body(_ line: JSONObject) throws(Failure) -> (bytes: [UInt8], type: String)? {
        if let text = try text(line, "body_base64") {
            guard line["body"] == nil else { throw bad("the line has both body and body_base64") }
            let plain = text.replacing("+", with: "-").replacing("/", with: "_").prefix { $0 != "=" }
            guard let bytes = Base64.decodeURL(plain) else { throw bad("body_base64 is not Base64") }
            return (bytes, "application/octet-stream")
        }
        switch line["body"] {
        case nil, .null: return nil
        case .string(let text): return (Array(text.utf8), "text/plain; charset=utf-8")
        case let value?: return (value.bytes, "application/json")
        }
    }

    private static func text(_ line: JSONObject, _ name: String) throws(Failure) -> String? {
        switch line[name] {
        case nil, .null: return nil
        case .string(let text): return text
        default: throw bad("\(name) is not a string")
        }
    }

    /// The members of an object whose values are strings, numbers, booleans or arrays of these.
    private static func values(_ line: JSONObject, _ name: String) throws(Failure) -> [(String, [String])] {
        guard let value = line[name], !value.isNull else { return [] }
        guard case .object(let object) = value else { throw bad("\(name) is not an object") }
        return try object.members.map { (member) throws(Failure) in
            let texts = (member.value.array ?? [member.value]).map { $0.string ?? ($0.isPlain ? $0.text : nil) }
            guard !texts.contains(nil) else {
                throw bad("\(name) has a member that is neither a string, a number, true, false, nor an array of these")
            }
            return (member.name, texts.compactMap(\.self))
        }
    }

    private static func bad(_ message: String, _ kind: OAuth.ErrorKind = .usage) -> Failure {
        Failure(.badInput, kind, message)
    }
}

extension BatchRequests {
    /// Prints a command line for each line that this process would send (`--batch --dry-run`).
    ///
    /// - Throws: exit 3 or 9 for a token that cannot be sent; the highest status of a line that is no request; exit 11.
    package func list(_ settings: CallSettings, _ source: TokenSource, _ session: Session) throws(Failure) -> Exit {
        let (token, shard) = (try source.shownToken(), settings.shard)
        var writer = try session.output()
        var input = BatchInput()
        var worst: Failure?
        let (run, endpoint) = (try run(), try endpoint())
        while !input.isAtEnd || !input.isEmpty {
            guard let line = input.next() else {
                try input.read()
                continue
            }
            guard !line.isBlank, shard?.takes(line.bytes ?? [], number: line.number) != false else { continue }
            do throws(Failure) {
                let request = try request(try Self.members(of: line), key: "\(run)-\(line.number)", at: endpoint)
                try writer.write(line: source.shown(request, with: token, session))
            } catch {
                session.diagnostics.tell("line \(line.number): \(error.message)")
                worst = .worse(worst, error)
            }
        }
        _ = try writer.end()
        if let worst { throw worst }
        return .done
    }
}

extension JSON {
    fileprivate var isPlain: Bool {
        switch self {
        case .number, .bool: true
        case .null, .string, .array, .object: false
        }
    }
}
