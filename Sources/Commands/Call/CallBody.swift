internal import CommandSpec
internal import Wire

/// The content that the options of `call` for a body make. It goes into the body or, with `-G` and for fields of a request
/// without a body, into the query.
struct CallBody {
    /// The body.
    enum Content {
        case bytes([UInt8], type: String)
        case stream(any ContentSource, type: String?)
    }

    /// The body; nil for none.
    private(set) var content: Content?
    /// The text that `-G` adds to the query, form-encoded.
    private(set) var queryText: String?
    /// The fields that go into the query.
    private(set) var parameters: [(name: String, value: String)] = []

    private static let form = "application/x-www-form-urlencoded"

    /// No content.
    init() {}

    /// Whether an option makes one.
    static func isGiven(by arguments: Arguments) -> Bool { CallOption.bodies.joined().contains(where: arguments.has) }

    /// Makes the content.
    ///
    /// - Throws: exit 2 for options that contradict each other, exit 11 for files that cannot be read.
    init(_ arguments: Arguments, reader: BodyReader) throws(Failure) {
        let contents = try Self.contents(arguments, reader: reader)
        let fields = try CallFields(arguments, readFile: reader.read)
        let fieldsMakeBody = !fields.fields.isEmpty && !arguments.has(CallOption.inputFile)
        content = contents.first
        if arguments.has(CallOption.get) { moveToQuery() }
        guard !fields.fields.isEmpty else { return }
        // As in gh: if another option sets the body, the fields go into the query.
        if ["GET", "HEAD"].contains(arguments.value(CallOption.method)) || !fieldsMakeBody {
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

    /// The bodies that the options other than those for fields make, at most one of each kind.
    private static func contents(_ arguments: Arguments, reader: BodyReader) throws(Failure) -> [Content] {
        var contents: [Content] = []
        if let data = try CallData.joined(arguments, readFile: reader.read) {
            contents.append(.bytes(data, type: form))
        }
        if let json = try CallData.json(arguments, readFile: reader.read) {
            contents.append(.bytes(json, type: "application/json"))
        }
        if let path = arguments.value(CallOption.inputFile) {
            contents.append(.stream(try reader.open(path), type: "application/json; charset=utf-8"))
        }
        if arguments.has(CallOption.form) || arguments.has(CallOption.formString) {
            let form = try MultipartForm(arguments, reader: reader)
            contents.append(.stream(form, type: form.type))
        }
        if let path = arguments.value(CallOption.uploadFile) {
            contents.append(.stream(try reader.open(path), type: nil))
        }
        return contents
    }
}
