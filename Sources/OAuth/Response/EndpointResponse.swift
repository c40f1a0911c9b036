package import Wire

/// A response of an endpoint of the authorization server: its content is parsed once, whatever coding the server chose
/// (JSON, a form, or one under the other's label), and judged by what was asked for.
package struct EndpointResponse: Sendable {
    enum Purpose {
        /// The members of the content are the response, or the error (RFC 6749 §5.1, §5.2).
        case answer
        /// The members of the content are a document, in which no OAuth error is looked for.
        case document
        /// The status says everything, unless it is no success, or the content says no (RFC 7009 §2.2).
        case confirmation
    }

    private let response: HTTPResponse
    private let parsed: Result<JSON, JSONSyntaxError>
    var head: HTTPResponseHead { response.head }

    /// Parses a response, and judges nothing yet.
    package init(_ response: HTTPResponse) { (self.response, parsed) = (response, Self.parsed(response)) }

    /// The secrets that it issues, at whatever depth: for a redactor, before anything is said about the response.
    package var secrets: [String] {
        (value ?? (try? content.get()).map { .object($0.members) })?.issuedSecrets ?? []
    }

    /// The members of a response that says yes.
    ///
    /// - Parameter role: what answered, for messages.
    /// - Throws: `redirect_refused`, `oauth`; `http_status` for any other status that is no success; `parse`, `not_json`
    ///   or `invalid_response` for content that cannot be read.
    func members(
        of role: String, expecting status: Int = 200, shape: AnswerShape = .standard, for purpose: Purpose = .answer
    ) throws(OAuthError) -> EndpointMembers {
        let place = Endpoint.description(role, head.url)
        try refuseRedirect(of: place, for: purpose)
        let isSuccess = purpose == .document ? head.status == status : isSuccess
        var result = EndpointMembers(members: [:], isForm: false, warnings: [])
        if purpose == .confirmation, isSuccess {
            try refuseDenial(of: place, shape)
        } else {
            do throws(OAuthError) {
                result = try content.get().normalized(by: shape)
            } catch {
                guard isSuccess else { throw unexplained(place, purpose) }
                var error = error
                error.message = "the answer of \(place) \(error.message)"
                throw purpose == .document ? error : error.saying(words)
            }
            if purpose != .document, let error = error(in: result.members, of: place) { throw error }
        }
        guard isSuccess else { throw unexplained(place, purpose) }
        if head.status != status {
            result.warnings.append(.status(subject: "\(role) answered", head.status, expected: status))
        }
        return result
    }

    /// The JWT of a response that says yes and is one by its label (RFC 7519 §10.3.1); nil for any other, which is read as
    /// members.
    var token: String? {
        guard isSuccess, type?.isJWT == true else { return nil }
        let text = response.body.split { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
        // Other text is no JWT, and refused as such.
        return String(decoding: text.count == 1 ? Array(text[0]) : response.body, as: UTF8.self)
    }

    /// The access token and the refresh token of a successful response, as members. Where the response is refused for
    /// something else, the server has put the latter in the place of the one that was sent, which is worth nothing any
    /// more (RFC 6749 §6).
    package func issuedTokens(shape: AnswerShape = .standard) -> JSONObject {
        guard isSuccess, let members = try? content.get().normalized(by: shape).members,
            error(in: members, of: "") == nil
        else { return [:] }
        let names = ["access_token", "refresh_token"]
        return JSONObject(
            unique: members.members.filter { names.contains($0.name) && $0.value.string?.isEmpty == false })
    }
}

extension EndpointResponse {
    private var isSuccess: Bool { (200..<300).contains(head.status) }
    private var value: JSON? { try? parsed.get() }
    private var type: MediaType? { head.headers.first("Content-Type").map { MediaType($0) } }
    private var isPage: Bool { value == nil && Self.isPage(response.body) }
    private var start: UInt8? { response.body.first { ![0x20, 0x09, 0x0A, 0x0D, 0xEF, 0xBB, 0xBF].contains($0) } }

    /// The content as JSON, or a plain text as a JSON string: for what it says where it is not what was asked for.
    private var saying: JSON? {
        if let value { return value }
        let isText = type.map { $0.isJSON || $0.essence == "text/plain" || $0.essence.hasSuffix("xml") } ?? true
        guard isText, !response.body.isEmpty, !isPage else { return nil }
        return .string(String(decoding: response.body.prefix(4096), as: UTF8.self))
    }

    /// What a success says that is not even an object: nothing that may be a token.
    private var words: JSON? {
        let words = saying.flatMap(ErrorResponse.said)?.split(separator: " ") ?? []
        return words.contains { $0.utf8.count > 20 } ? nil : saying
    }

    /// What an HTML page is called: a word for people, never one about a token.
    private var title: String? {
        let tags = isPage ? String(decoding: response.body.prefix(4096), as: UTF8.self).split(separator: "<") : []
        let title = tags.first { $0.lowercased().hasPrefix("title") }?.split(separator: ">").dropFirst().first
        return title?.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    private func unexplained(_ place: String, _ purpose: Purpose) -> OAuthError {
        let content = purpose == .document ? nil : saying
        var error = ErrorResponse.unexplained(
            status: head.status, headers: head.headers, content: content, of: place)
        if let refusal = CertificateRefusal(status: head.status, content: response.body) {
            error.message += ": \(refusal.reason)"
            (error.hint, error.cause) = (CertificateRefusal.remedy, .certificate)
        } else if purpose != .document, error.codeDescription == nil, let title, !title.isEmpty {
            error.message += ": \(title)"
        }
        if head.status == 404, purpose != .document { error.hint = "check whether the URL of the endpoint is right" }
        return error
    }

    /// Refuses the content of a success that says that there was none. What it says else is ignored.
    private func refuseDenial(of place: String, _ shape: AnswerShape) throws(OAuthError) {
        if let members = try? content.get().normalized(by: shape).members, let error = error(in: members, of: place) {
            throw error
        }
        let place = "the answer of \(place)"
        if isPage {
            throw OAuthError(
                .notJSON, "\(place) is an HTML page, and no confirmation", hint: Self.hintForPage, status: head.status)
        }
        if value == nil, start == UInt8(ascii: "{") || start == UInt8(ascii: "[") {
            throw OAuthError(.unreadableResponse, "\(place) is broken JSON", status: head.status)
        }
        if let denial = saying.flatMap(Denial.words) {
            throw OAuthError(.invalidResponse, "\(place) reports a failure\(denial)", status: head.status)
        }
        // Accepted and not done yet (RFC 9110 §15.3.3), or a part of an answer.
        guard ![202, 206].contains(head.status) else {
            throw OAuthError(
                .invalidResponse, "\(place) has the status \(head.status), which confirms nothing", status: head.status)
        }
    }

    private func error(in members: JSONObject, of place: String) -> OAuthError? {
        ErrorResponse.error(in: members, status: head.status, headers: head.headers, of: place)
    }

    /// RFC 6749 §3.2 knows no redirect of an endpoint; following one would give code and secret away. The path of the
    /// target is shown only for a document, whose request held nothing that could be in it.
    func refuseRedirect(of place: String, for purpose: Purpose = .answer) throws(OAuthError) {
        guard (300..<400).contains(head.status) else { return }
        let target = head.headers.first("Location").flatMap { WebURL(head.url)?.resolving(written: $0) ?? WebURL($0) }
        let shown = target.map { purpose == .document ? $0.origin + $0.path : $0.origin } ?? "another address"
        let issuer = purpose == .document ? target.flatMap(MetadataAddress.issuer) : nil
        // A server may redirect whatever it does not know, and would lead from hint to hint.
        let asked = WebURL(head.url).flatMap(MetadataAddress.issuer).flatMap { WebURL($0) }?.path ?? ""
        let isGrown = asked.count > 1 && issuer?.hasSuffix(asked) == true
        let hint = issuer.flatMap {
            $0.isPlainWord && !isGrown ? "if the redirect leads to the right server: oap discover \($0)" : nil
        }
        throw OAuthError(
            .redirectRefused, "\(place) redirects to \(shown); oap does not follow this redirect",
            hint: hint ?? "correct the endpoint's URL", status: head.status)
    }

    /// The JSON of a response. An error with what is no character is read with U+FFFD in its place; a failure that says why in
    /// what is almost JSON is read too.
    private static func parsed(_ response: HTTPResponse) -> Result<JSON, JSONSyntaxError> {
        do throws(JSONSyntaxError) {
            return .success(try JSON(parsing: response.body, depth: JSON.maximumDepthOfPart))
        } catch {
            let (body, isFailure) = (response.body, response.head.status >= 400)
            let repaired = (try? JSON(answer: body, depth: JSON.maximumDepthOfPart))?.object
            let members = repaired ?? (isFailure && !isPage(body) ? JSONObject(almost: body) : [:])
            let isError = ErrorResponse.error(in: members, status: 400, headers: []) != nil
            let isRead = isError || isFailure && ErrorResponse.said(in: .object(members)) != nil
            return isRead ? .success(.object(members)) : .failure(error)
        }
    }

    /// The content as members. It is looked at first, its label second. The message of an error begins with the verb.
    private var content: Result<EndpointMembers, OAuthError> {
        guard let start else { return .failure(OAuthError(.unreadableResponse, "is empty")) }
        switch parsed {
        case .success(let value): return json(value)
        case .failure(let failure):
            let isObject = start == UInt8(ascii: "{")
            if !isObject, let form { return .success(form) }
            if let type, !type.isJSON, !isObject {
                return .failure(OAuthError(.notJSON, "is \(type.essence), not JSON", hint: Self.hintForPage))
            }
            let (found, hint) = isPage ? ("an HTML page, not JSON", Self.hintForPage) : ("not JSON: \(failure)", nil)
            return .failure(OAuthError(.unreadableResponse, "is \(found)", hint: hint))
        }
    }

    private static let hintForPage =
        "check whether the URL is right, and whether a proxy or a login page answered instead of the server"

    /// Whether content is an HTML page, whatever its label is.
    private static func isPage(_ content: [UInt8]) -> Bool {
        let start = String(decoding: content.prefix(1024), as: UTF8.self).asciiLowercased
        return ["<html", "<!doctype html", "<head", "<body", "<title"].contains { start.contains($0) }
    }

    private func json(_ value: JSON) -> Result<EndpointMembers, OAuthError> {
        guard let members = value.object else {
            return .failure(OAuthError(.invalidResponse, "is \(value.kindNoun), not an object"))
        }
        let warnings: [OAuthWarning] = type?.isJSON == true ? [] : [.contentType(type?.essence)]
        return .success(EndpointMembers(members: members, isForm: false, warnings: warnings))
    }

    private var form: EndpointMembers? {
        guard type?.isForm == true || type?.essence == "text/plain", !isPage else { return nil }
        // What is wrong beside an error does not hide the error.
        let text = WebURL.encoding(response.body)
        let repaired = (try? FormEncoding.parse(text, checking: [])) ?? []
        let isError = repaired.contains { $0.name == "error" && !$0.value.isEmpty }
        guard let pairs = isError ? repaired : try? FormEncoding.parse(text) else { return nil }
        var members = JSONObject()
        for (name, value) in pairs {
            guard members[name] == nil || isError else { return nil }
            members[name] = members[name] ?? .string(value)
        }
        guard members["access_token"] != nil || members["error"] != nil || type?.isForm == true else { return nil }
        return EndpointMembers(members: members, isForm: true, warnings: [])
    }
}

/// The members of a response, in the shape of RFC 6749.
struct EndpointMembers {
    var members: JSONObject
    let isForm: Bool
    var warnings: [OAuthWarning]

    /// Members to carry over unread. Members that would change the client's behaviour are dropped with a warning
    /// (`oap-documents(5)`): one each for the first few, and their number for the rest, so that a response cannot fill
    /// the screen. An empty `error` is dropped too: it would make the document look like an error document.
    ///
    /// - Parameters:
    ///   - defined: the members that the answer's own RFC defines.
    ///   - kept: those of them that were not read.
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
        warnings += dropped.prefix(Self.mostNamed).map { .memberDropped($0) }
        if dropped.count > Self.mostNamed { warnings.append(.membersDropped(dropped.count - Self.mostNamed)) }
        return others
    }

    /// How many dropped members have a warning each.
    private static let mostNamed = 5

    /// The seconds for which something is good that cannot be renewed.
    ///
    /// - Parameter usual: what is taken, with a warning, where the server says nothing.
    func lifetime(
        usual: Int? = nil, _ warnings: inout [OAuthWarning]
    ) throws(OAuthError) -> Int {
        if let usual, members["expires_in"]?.isNull ?? true {
            warnings.append(.other("the server does not say how long the code is valid; oap assumes \(usual) s"))
            return usual
        }
        guard let seconds = members["expires_in"]?.seconds, seconds > 0 else {
            throw OAuthError(.invalidResponse, "the server's answer has no usable expires_in", member: "expires_in")
        }
        return min(seconds, Int(Int32.max))
    }

    fileprivate func normalized(by shape: AnswerShape) -> EndpointMembers {
        EndpointMembers(members: shape.normalized(members), isForm: isForm, warnings: warnings)
    }
}
