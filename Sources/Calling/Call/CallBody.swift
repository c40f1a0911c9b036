internal import Wire
internal import Shell

/// The content that the options of `call` for a body make. It goes into the body or, with `-G` and for fields of a request
/// without a body, into the query.
struct CallBody {
    enum Content {
        case bytes([UInt8])
        case stream(any ContentSource)
    }

    /// The content and its type, unless another one is given.
    package private(set) var content: (value: Content, type: String?)?
    /// The text that `-G` adds to the query, form-encoded.
    package private(set) var queryText: String?
    /// Whether a file goes into JSON, which curl would send as a part of a form.
    private(set) var sendsFileAsText = false
    package private(set) var parameters: [(name: String, value: String)] = []

    private static let form = "application/x-www-form-urlencoded"

    init(_ settings: CallSettings, reader: BodyReader) throws(Failure) {
        guard settings.hasBody else { return }
        let fields = try CallFields(settings.fields, reader)
        let fieldsMakeBody = !fields.fields.isEmpty && settings.inputFile == nil
        content = try Self.content(settings, reader: reader)
        if settings.isQuery {
            if case (.bytes(let bytes), Self.form?)? = content { queryText = String(decoding: bytes, as: UTF8.self) }
            content = nil
        }
        guard !fields.fields.isEmpty else { return }
        // As in gh: if another option sets the body, the fields go into the query.
        if ["GET", "HEAD"].contains(settings.method) || !fieldsMakeBody {
            parameters = fields.parameters
        } else {
            content = (.bytes(try fields.object().bytes), "application/json; charset=utf-8")
            sendsFileAsText = fields.holdsFile
        }
    }

    private static func content(
        _ settings: CallSettings, reader: BodyReader
    ) throws(Failure) -> (value: Content, type: String?)? {
        if let data = try CallData.joined(settings.data, reader) { return (.bytes(data), form) }
        if let json = try CallData.json(settings.json, reader) { return (.bytes(json), "application/json") }
        if let path = settings.inputFile {
            return (.stream(try reader.openWhole(path)), "application/json; charset=utf-8")
        }
        if !settings.parts.isEmpty {
            let form = try MultipartForm(settings.parts, reader: reader)
            return (.stream(form), form.type)
        }
        return try settings.uploadFile.map { (path) throws(Failure) in (.stream(try reader.open(path)), nil) }
    }
}
