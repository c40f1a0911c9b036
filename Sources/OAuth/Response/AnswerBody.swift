internal import Wire

/// The members of an endpoint's answer, whatever coding it chose: JSON, a form, or one under the other's label.
struct AnswerBody {
    /// The members.
    let members: JSONObject
    /// Whether they came form-encoded.
    let isForm: Bool
    /// Oddities to tell.
    let warnings: [OAuthWarning]

    /// Reads an answer. The body is looked at first, its label second.
    ///
    /// - Parameter shape: how the server's answers differ from the RFC's.
    /// - Throws: `parse`, `not_json` or `invalid_response` at a status of success, `http_status` at any other.
    init(of response: HTTPResponse, shape: AnswerShape = .standard) throws(OAuthError) {
        let isSuccess = (200..<300).contains(response.head.status)
        do throws(OAuthError) {
            let body = try Self.read(response)
            self.init(members: shape.normalized(body.members), isForm: body.isForm, warnings: body.warnings)
        } catch {
            guard isSuccess else {
                throw ErrorResponse.unexplained(status: response.head.status, headers: response.head.headers)
            }
            throw error
        }
    }

    private init(members: JSONObject, isForm: Bool, warnings: [OAuthWarning]) {
        self.members = members
        self.isForm = isForm
        self.warnings = warnings
    }

    /// The members that mean nothing to `oap`, and those to be kept unread; what would steer the client is dropped
    /// (`oap-documents(5)`). The first few are told of one by one and the rest as a number, or an answer could fill the
    /// screen. An `error` is not kept either: an empty one is none, and must not make
    /// the document look like an error document.
    ///
    /// - Parameters:
    ///   - defined: the members that the answer's own RFC defines.
    ///   - kept: those of them that nobody has read.
    func others(
        besides defined: [String], keeping kept: [String] = [], _ warnings: inout [OAuthWarning]
    ) -> JSONObject {
        let read = defined.filter { !kept.contains($0) } + ["error", "error_description", "error_uri"]
        var others = JSONObject()
        var dropped: [String] = []
        for member in members.members where !read.contains(member.name) {
            if Member.isRefused(member.name, inAnswerThatDefines: defined) {
                dropped.append(member.name)
            } else {
                others[member.name] = member.value
            }
        }
        warnings += dropped.prefix(Self.mostTold).map {
            OAuthWarning(.memberDropped, "the server's answer has a member \($0), which was dropped")
        }
        if dropped.count > Self.mostTold {
            let rest = dropped.count - Self.mostTold
            warnings.append(
                OAuthWarning(.memberDropped, "the server's answer has \(rest) more such members, which were dropped"))
        }
        return others
    }

    /// How many of the members that are dropped are named.
    private static let mostTold = 5

    private static func read(_ response: HTTPResponse) throws(OAuthError) -> AnswerBody {
        let type = response.head.headers.first("Content-Type").map { MediaType($0) }
        let first = response.body.first { ![0x20, 0x09, 0x0A, 0x0D, 0xEF, 0xBB, 0xBF].contains($0) }
        guard let first else { throw OAuthError(.unreadableResponse, "the server's answer is empty") }
        let failure: JSONSyntaxError
        switch parse(response.body) {
        case .success(let value): return try json(value, type: type)
        case .failure(let error): failure = error
        }
        if first != UInt8(ascii: "{"), let form = form(in: response, type: type) { return form }
        if let type, !type.isJSON, first != UInt8(ascii: "{") {
            throw OAuthError(
                .notJSON, "the server's answer is \(type.essence), not JSON",
                hint: "is this the right endpoint, and is nothing in between (a login page, a proxy)?")
        }
        throw OAuthError(.unreadableResponse, "the server's answer is not JSON: \(failure)")
    }

    private static func parse(_ body: [UInt8]) -> Result<JSON, JSONSyntaxError> {
        do throws(JSONSyntaxError) {
            return .success(try JSON(parsing: body, depth: JSON.maximumDepthOfPart))
        } catch {
            return .failure(error)
        }
    }

    private static func json(_ value: JSON, type: MediaType?) throws(OAuthError) -> AnswerBody {
        guard let members = value.object else {
            throw OAuthError(.invalidResponse, "the server's answer is \(value.kind), not an object")
        }
        guard type?.isJSON != true else { return AnswerBody(members: members, isForm: false, warnings: []) }
        let label = type.map { "as \($0.essence)" } ?? "with no type at all"
        let warning = OAuthWarning(.contentType, "the server labels its JSON \(label)")
        return AnswerBody(members: members, isForm: false, warnings: [warning])
    }

    private static func form(in response: HTTPResponse, type: MediaType?) -> AnswerBody? {
        guard type?.isForm == true || type?.essence == "text/plain",
            let text = String(validating: response.body, as: UTF8.self),
            let pairs = try? FormEncoding.parse(text)
        else { return nil }
        var members = JSONObject()
        for (name, value) in pairs {
            guard members[name] == nil else { return nil }
            members[name] = .string(value)
        }
        guard members["access_token"] != nil || members["error"] != nil || type?.isForm == true else { return nil }
        return AnswerBody(members: members, isForm: true, warnings: [])
    }
}
