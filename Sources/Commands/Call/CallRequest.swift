internal import Calls
internal import CommandSpec
internal import HTTP
internal import OAuth
internal import System
internal import Wire

/// The request that the options of `call` describe. It is built once: a pipe that an option names is empty afterwards.
struct CallRequest {
    private let headers: CallHeaders
    /// The request, with no credential in it.
    let request: APIRequest

    /// Builds the request.
    ///
    /// - Parameter isStandardInputFree: whether standard input holds no document, so that it may be the body.
    /// - Throws: exit 2 for options that contradict each other, exit 3 for members of the document that cannot be used,
    ///   exit 11 for files that cannot be read.
    init(_ arguments: Arguments, document: Document, isStandardInputFree: Bool) throws(Failure) {
        let reader = BodyReader(isStandardInputFree: isStandardInputFree)
        let bodies = try Self.bodies(arguments, reader: reader)
        let fields = try CallFields(arguments, readFile: reader.read)
        let fieldsMakeBody = !fields.fields.isEmpty && !arguments.has(CallOption.inputFile)
        guard bodies.count + (fieldsMakeBody ? 1 : 0) <= 1 else {
            let options = CallOption.bodies.filter { fieldsMakeBody || !$0.contains(CallOption.field) }
            let given = options.compactMap { $0.first(where: arguments.has)?.names[0] }
            throw .usage("\(given.joined(separator: ", ", last: " and ")) cannot be combined: each sets the body")
        }
        var query = try arguments.pairs(CallOption.query)
        var method = arguments.value(CallOption.method)
        var body = bodies.first
        var queryText: String?
        if arguments.has(CallOption.get) {
            switch body {
            case .bytes(let bytes, Self.form): queryText = String(decoding: bytes, as: UTF8.self)
            case nil: break
            case .bytes, .stream:
                throw .usage("-G can be combined only with -d, --data-raw, --data-binary and --data-urlencode")
            }
            body = nil
        }
        if !fields.fields.isEmpty {
            // As in gh: if another option sets the body, the fields go into the query.
            if method == "GET" || method == "HEAD" || !fieldsMakeBody {
                query += fields.parameters
            } else {
                body = .bytes(try fields.object().bytes, type: "application/json; charset=utf-8")
            }
        }
        let uploaded = arguments.value(CallOption.uploadFile)
        method = method ?? (body == nil ? "GET" : uploaded == nil ? "POST" : "PUT")
        var url = try CallTarget.url(arguments.operand(named: "URL") ?? "", document: document)
        if let uploaded, uploaded != "-" { url = try Self.completing(url, with: uploaded) }
        if let queryText, !queryText.isEmpty { url = try Self.appending(queryText, to: url) }
        if !query.isEmpty { url = try Self.appending(FormEncoding.encode(query), to: url) }
        let credential = try lift(
            try document.string("authorization_header"))
        var headers = try CallHeaders(arguments, document: document, credential: credential ?? "Authorization")
        if arguments.has(CallOption.idempotencyKey) { try headers.addKey(arguments.value(CallOption.idempotencyKey)) }
        headers.addDefault("Accept", arguments.has(CallOption.json) ? "application/json" : "*/*")
        var message = HTTPRequest(method: method ?? "GET", url: url.withoutFragment)
        var upload: (any ContentSource)?
        switch body {
        case .bytes(let bytes, let type):
            headers.addDefault("Content-Type", type)
            message.body = bytes
        case .stream(let source, let type):
            if let type { headers.addDefault("Content-Type", type) }
            upload = source
        case nil: break
        }
        message.headers = headers.fields
        if let form = upload as? MultipartForm, message.headers.first("Content-Type") != form.type {
            throw .usage("\(CallOption.form.name) sets Content-Type: -H cannot set another one")
        }
        request = APIRequest(message, upload: upload)
        self.headers = headers
    }

    /// Removes the fields that the transport would add, where the options say so.
    func adjust(_ options: inout TransportOptions) {
        if headers.leavesOut("User-Agent") { options.userAgent = "" }
        if headers.leavesOut("Accept-Encoding") { options.compressed = false }
    }
}

extension CallRequest {
    private static let form = "application/x-www-form-urlencoded"

    private enum Body {
        case bytes([UInt8], type: String)
        case stream(any ContentSource, type: String?)
    }

    /// The bodies that the options make, at most one of each kind.
    private static func bodies(_ arguments: Arguments, reader: BodyReader) throws(Failure) -> [Body] {
        var bodies: [Body] = []
        if let data = try CallData.joined(arguments, readFile: reader.read) { bodies.append(.bytes(data, type: form)) }
        if let json = try CallData.json(arguments, readFile: reader.read) {
            bodies.append(.bytes(json, type: "application/json"))
        }
        if let path = arguments.value(CallOption.inputFile) {
            bodies.append(.stream(try reader.open(path), type: "application/json; charset=utf-8"))
        }
        if arguments.has(CallOption.form) {
            let form = try MultipartForm(arguments.values(CallOption.form), reader: reader)
            bodies.append(.stream(form, type: form.type))
        }
        if let path = arguments.value(CallOption.uploadFile) {
            bodies.append(.stream(try reader.open(path), type: nil))
        }
        return bodies
    }

    /// The URL of an upload: the name of the file comes behind a slash at the end, as in curl.
    private static func completing(_ url: WebURL, with file: String) throws(Failure) -> WebURL {
        let text = url.withoutFragment
        guard url.query == nil, text.hasSuffix("/") else { return url }
        let name = file.utf8.split(separator: UInt8(ascii: "/")).last.map(Array.init) ?? []
        guard let longer = WebURL(text + String(decoding: CallData.percentEncoded(name), as: UTF8.self)) else {
            throw .usage("the name of the file cannot be added to the URL")
        }
        return longer
    }

    /// Adds to the query of a URL.
    ///
    /// - Throws: exit 2.
    static func appending(_ query: String, to url: WebURL) throws(Failure) -> WebURL {
        let separator = url.query == nil ? "?" : url.query == "" ? "" : "&"
        guard let longer = WebURL(url.withoutFragment + separator + query) else {
            throw .usage("the query has characters that a URL cannot hold", hint: "--data-urlencode encodes them")
        }
        return longer
    }
}
