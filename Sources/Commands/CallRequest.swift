internal import CommandSpec
internal import Glibc
internal import HTTP
internal import OAuth
internal import Wire

/// The request that the options of `call` describe, with the token in it.
struct CallRequest {
    private let headers: CallHeaders
    /// The token that goes with it.
    let access: AccessToken
    /// The request; its body is nil where there is an upload.
    let request: HTTPRequest
    /// The file that is sent as the body, in constant memory.
    let upload: FileUpload?
    /// The name that the file has in messages and for `--dry-run`.
    let uploadName: String?

    /// Builds the request for the token of a document.
    ///
    /// - Throws: exit 3 where there is no token, and what the other `init` throws.
    init(_ session: Session, input: Input) throws(Failure) {
        guard let token = try input.secrets.value("access_token") else {
            throw Failure(input.document.missing("access_token"), document: input.document)
        }
        let access = try Failure.lifting(input.document) { () throws(OAuthError) in
            try AccessToken(token, of: input.document)
        }
        try self.init(session.arguments, document: input.document, token: access)
    }

    /// Builds the request.
    ///
    /// - Throws: exit 2 for options that contradict each other, exit 11 for files that cannot be read.
    init(_ arguments: Arguments, document: Document, token: AccessToken) throws(Failure) {
        access = token
        let reader = BodyReader(isStandardInputFree: arguments.has(GeneralOption.nullInput))
        let bodies = try Self.bodies(arguments, reader: reader)
        let fields = try CallFields(arguments, readFile: reader.read)
        let fieldsMakeBody = !fields.fields.isEmpty && !arguments.has(CallOption.inputFile)
        guard bodies.count + (fieldsMakeBody ? 1 : 0) <= 1 else {
            throw .usage("-d, --json, -f and --input each make the body; give one kind")
        }
        var query = try Self.pairs(of: arguments.values(CallOption.query), name: "--query")
        var method = arguments.value(CallOption.method)
        var body = bodies.first
        var queryText: String?
        if arguments.has(CallOption.get) {
            switch body {
            case .bytes(let bytes, Self.form): queryText = String(decoding: bytes, as: UTF8.self)
            case nil: break
            case .bytes, .file: throw .usage("-G goes with -d, --data-raw, --data-binary and --data-urlencode only")
            }
            body = nil
        }
        if !fields.fields.isEmpty {
            // As in gh: where something else is the body, the fields are the query.
            if method == "GET" || method == "HEAD" || !fieldsMakeBody {
                query += fields.parameters
            } else {
                body = .bytes(try fields.object().bytes, type: "application/json; charset=utf-8")
            }
        }
        method = method ?? (body == nil ? "GET" : "POST")
        var url = try CallTarget.url(arguments.operand(0) ?? "", document: document)
        if let queryText, !queryText.isEmpty { url = try Self.appending(queryText, to: url) }
        if !query.isEmpty { url = try Self.appending(FormEncoding.encode(query), to: url) }
        var headers = try CallHeaders(arguments, document: document, token: token.field)
        headers.addDefault("Accept", arguments.has(CallOption.json) ? "application/json" : "*/*")
        switch body {
        case .bytes(let bytes, let type):
            headers.addDefault("Content-Type", type)
            request = HTTPRequest(
                method: method ?? "POST", url: url.withoutFragment, headers: headers.fields, body: bytes)
            upload = nil
            uploadName = nil
        case .file(let file, let name):
            headers.addDefault("Content-Type", "application/json; charset=utf-8")
            request = HTTPRequest(
                method: method ?? "POST", url: url.withoutFragment, headers: headers.fields)
            upload = file
            uploadName = name
        case nil:
            request = HTTPRequest(
                method: method ?? "GET", url: url.withoutFragment, headers: headers.fields)
            upload = nil
            uploadName = nil
        }
        self.headers = headers
    }

    /// Whether a field that the transport sends by itself is not to be sent.
    func leavesOut(_ name: String) -> Bool { headers.leavesOut(name) }

    /// Whether sending it twice does what sending it once does (RFC 9110 §9.2.2).
    var isIdempotent: Bool { ["GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE"].contains(request.method) }

    /// Whether it asks and changes nothing, so that it may be under way while its filter still compiles.
    var onlyReads: Bool { request.method == "GET" || request.method == "HEAD" }
}

extension CallRequest {
    private static let form = "application/x-www-form-urlencoded"

    private enum Body {
        case bytes([UInt8], type: String)
        case file(FileUpload, name: String)
    }

    /// The bodies that the options make, at most one of each kind.
    private static func bodies(_ arguments: Arguments, reader: BodyReader) throws(Failure) -> [Body] {
        var bodies: [Body] = []
        if let data = try CallData.joined(arguments, readFile: reader.read) { bodies.append(.bytes(data, type: form)) }
        if let json = try CallData.json(arguments, readFile: reader.read) {
            bodies.append(.bytes(json, type: "application/json"))
        }
        if let path = arguments.value(CallOption.inputFile) {
            bodies.append(.file(try reader.open(path), name: path))
        }
        return bodies
    }

    private static func appending(_ query: String, to url: WebURL) throws(Failure) -> WebURL {
        let separator = url.query == nil ? "?" : url.query == "" ? "" : "&"
        guard let longer = WebURL(url.withoutFragment + separator + query) else {
            throw .usage("the query holds characters that no URL may carry", hint: "--data-urlencode encodes them")
        }
        return longer
    }

    private static func pairs(
        of texts: [String], name: String
    ) throws(Failure) -> [(name: String, value: String)] {
        var pairs: [(name: String, value: String)] = []
        for text in texts {
            guard let pair = text.cut(at: "=") else { throw .usage("\(name) takes NAME=VALUE") }
            pairs.append((pair.before, pair.after))
        }
        return pairs
    }
}

/// Reads the files that bodies are made of.
struct BodyReader {
    /// Whether standard input holds no document, so that `-` may name it.
    let isStandardInputFree: Bool

    /// The whole content of a file; `-` is standard input.
    func read(_ path: String) throws(Failure) -> [UInt8] {
        guard path == "-" else { return try FileAccess.read(path: path, limit: .max) }
        try checkStandardInput()
        return try FileAccess.readAll(0, limit: .max, name: "standard input") ?? []
    }

    /// A file that is sent while it is read.
    func open(_ path: String) throws(Failure) -> FileUpload {
        if path == "-" {
            try checkStandardInput()
            return FileUpload(descriptor: 0, name: "standard input")
        }
        let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .file("cannot open \(path): \(FileAccess.reason())") }
        return FileUpload(descriptor: descriptor, name: path)
    }

    private func checkStandardInput() throws(Failure) {
        guard isStandardInputFree else {
            throw .usage(
                "standard input holds the document, so - cannot be the body",
                hint: "use -n with OAP_ACCESS_TOKEN, or give a file")
        }
    }
}
