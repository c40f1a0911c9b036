internal import Wire

/// The content that the options of `call` for a body make. It goes into the body or, with `-G` and for fields of a request
/// without a body, into the query.
struct CallBody {
    enum Content {
        case bytes([UInt8], type: String)
        case stream(any ContentSource, type: String?)
    }

    private(set) var content: Content?
    /// The type of the content, unless another one is given.
    var type: String? {
        switch content {
        case .bytes(_, let type): type
        case .stream(_, let type): type
        case nil: nil
        }
    }
    /// The text that `-G` adds to the query, form-encoded.
    private(set) var queryText: String?
    private(set) var parameters: [(name: String, value: String)] = []

    private static let form = "application/x-www-form-urlencoded"

    init(_ settings: CallSettings.BodySettings, reader: BodyReader) throws(Failure) {
        guard !settings.isEmpty else { return }
        let fields = try CallFields(settings.fields, reader)
        let fieldsMakeBody = !fields.fields.isEmpty && settings.inputFile == nil
        content = try Self.content(settings, reader: reader)
        if settings.isQuery { moveToQuery() }
        guard !fields.fields.isEmpty else { return }
        // As in gh: if another option sets the body, the fields go into the query.
        if ["GET", "HEAD"].contains(settings.method) || !fieldsMakeBody {
            parameters = fields.parameters
        } else {
            content = .bytes(try fields.object().bytes, type: "application/json; charset=utf-8")
        }
    }

    private mutating func moveToQuery() {
        switch content {
        case .bytes(let bytes, Self.form): queryText = String(decoding: bytes, as: UTF8.self)
        case nil, .bytes, .stream: break
        }
        content = nil
    }

    private static func content(
        _ settings: CallSettings.BodySettings, reader: BodyReader
    ) throws(Failure) -> Content? {
        if let data = try CallData.joined(settings.data, reader) { return .bytes(data, type: form) }
        if let json = try CallData.json(settings.json, reader) { return .bytes(json, type: "application/json") }
        if let path = settings.inputFile {
            return .stream(try reader.openWhole(path), type: "application/json; charset=utf-8")
        }
        if !settings.parts.isEmpty {
            let form = try MultipartForm(settings.parts, reader: reader)
            return .stream(form, type: form.type)
        }
        return try settings.uploadFile.map { (path) throws(Failure) in .stream(try reader.open(path), type: nil) }
    }
}
