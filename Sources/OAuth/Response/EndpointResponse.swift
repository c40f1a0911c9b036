package import Wire

/// A response of an endpoint of the authorization server: its content is parsed once, whatever coding the server chose
/// (JSON, a form, or one under the other's label), and judged by what was asked for.
package struct EndpointResponse: Sendable {
    enum Purpose {
        /// Its members are the response, or the error (RFC 6749 §5.1, §5.2).
        case answer
        /// Its members are a document, in which no OAuth error is looked for.
        case document
        /// The status says everything, unless it is no success, or the content says no (RFC 7009 §2.2).
        case confirmation
    }

    let head: HTTPResponseHead
    /// The secrets that it issues, at whatever depth: for a redactor, before anything is said about the response.
    package let secrets: [String]
    private let content: Result<EndpointMembers, OAuthError>
    /// The content as JSON, or a plain text as a JSON string: for what it says where it is not what was asked for.
    private let saying: JSON?
    private let isPage: Bool
    /// Whether it begins like JSON, and is none.
    private let isBroken: Bool
    /// The text of a response that its label calls a JWT.
    private let signedText: String?
    private let certificateRefusal: CertificateRefusal?

    /// Parses a response, and judges nothing yet.
    package init(_ response: HTTPResponse) {
        head = response.head
        certificateRefusal = CertificateRefusal(status: head.status, content: response.body)
        let parsed = Self.parsed(response)
        content = Self.content(of: response, parsed)
        let isJSON = (try? parsed.get()) != nil
        isPage = !isJSON && Self.isPage(response.body)
        isBroken = !isJSON && [UInt8(ascii: "{"), UInt8(ascii: "[")].contains(Self.start(of: response))
        saying = (try? parsed.get()) ?? Self.plainText(of: response).map { .string($0) }
        signedText = Self.signedText(of: response)
        secrets =
            (try? parsed.get()).map { IssuedSecrets(in: $0).values }
            ?? (try? content.get()).map { IssuedSecrets(in: .object($0.members)).values } ?? []
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
    var token: String? { isSuccess ? signedText : nil }

    /// The access token and the refresh token of a successful response, as members. Where the response is refused for
    /// something else, the server has put the latter in the place of the one that was sent, which is worth nothing any
    /// more (RFC 6749 §6).
    package func issuedTokens(shape: AnswerShape = .standard) -> JSONObject {
        guard isSuccess, let members = try? content.get().normalized(by: shape).members,
            error(in: members, of: "") == nil
        else { return [:] }
        var tokens = JSONObject()
        for name in ["access_token", "refresh_token"] where members[name]?.string?.isEmpty == false {
            tokens[name] = members[name]
        }
        return tokens
    }
}

extension EndpointResponse {
    private var isSuccess: Bool { (200..<300).contains(head.status) }

    /// What a success says that is not even an object: nothing that may be a token.
    private var words: JSON? {
        let words = saying.flatMap(ErrorResponse.said)?.split(separator: " ") ?? []
        return words.contains { $0.utf8.count > 20 } ? nil : saying
    }

    private func unexplained(_ place: String, _ purpose: Purpose) -> OAuthError {
        let content = purpose == .document ? nil : saying
        var error = ErrorResponse.unexplained(
            status: head.status, headers: head.headers, content: content, of: place)
        if let certificateRefusal {
            error.message += ": \(certificateRefusal.reason)"
            (error.hint, error.cause) = (CertificateRefusal.remedy, .certificate)
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
        guard !isBroken else { throw OAuthError(.unreadableResponse, "\(place) is broken JSON", status: head.status) }
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

    /// The JSON of a response. An error with what is no character is read with U+FFFD in its place.
    private static func parsed(_ response: HTTPResponse) -> Result<JSON, JSONSyntaxError> {
        do throws(JSONSyntaxError) {
            return .success(try JSON(parsing: response.body, depth: JSON.maximumDepthOfPart))
        } catch {
            guard let repaired = try? JSON(answer: response.body, depth: JSON.maximumDepthOfPart),
                let members = repaired.object, ErrorResponse.error(in: members, status: 400, headers: []) != nil
            else { return .failure(error) }
            return .success(repaired)
        }
    }

    /// Reads the content. It is looked at first, its label second. The message of an error begins with the verb.
    private static func content(
        of response: HTTPResponse, _ parsed: Result<JSON, JSONSyntaxError>
    ) -> Result<EndpointMembers, OAuthError> {
        let type = response.head.headers.first("Content-Type").map { MediaType($0) }
        guard let first = start(of: response) else { return .failure(OAuthError(.unreadableResponse, "is empty")) }
        switch parsed {
        case .success(let value): return json(value, type: type)
        case .failure(let failure):
            let isObject = first == UInt8(ascii: "{")
            if !isObject, let form = form(in: response, type: type) { return .success(form) }
            if let type, !type.isJSON, !isObject {
                return .failure(OAuthError(.notJSON, "is \(type.essence), not JSON", hint: hintForPage))
            }
            let (isPage, reason) = (isPage(response.body), "is not JSON: \(failure)")
            return .failure(
                isPage
                    ? OAuthError(.unreadableResponse, "is an HTML page, not JSON", hint: hintForPage)
                    : OAuthError(.unreadableResponse, reason))
        }
    }

    private static func start(of response: HTTPResponse) -> UInt8? {
        response.body.first { ![0x20, 0x09, 0x0A, 0x0D, 0xEF, 0xBB, 0xBF].contains($0) }
    }

    private static let hintForPage =
        "check whether the URL is right, and whether a proxy or a login page answered instead of the server"

    /// A text that is no page.
    private static func plainText(of response: HTTPResponse) -> String? {
        let type = response.head.headers.first("Content-Type").map { MediaType($0).essence } ?? "text/plain"
        let isText = type == "text/plain" || type.hasSuffix("xml")
        guard isText, !response.body.isEmpty, !isPage(response.body) else { return nil }
        return String(decoding: response.body.prefix(4096), as: UTF8.self)
    }

    /// Whether content is an HTML page, whatever its label is.
    private static func isPage(_ content: [UInt8]) -> Bool {
        let start = String(decoding: content.prefix(1024), as: UTF8.self).asciiLowercased
        return ["<html", "<!doctype html", "<head", "<body", "<title"].contains { start.contains($0) }
    }

    private static func signedText(of response: HTTPResponse) -> String? {
        guard let type = response.head.headers.first("Content-Type").map({ MediaType($0) }), type.isJWT else {
            return nil
        }
        let text = response.body.split { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
        // Other text is no JWT, and refused as such.
        return String(decoding: text.count == 1 ? Array(text[0]) : response.body, as: UTF8.self)
    }

    private static func json(_ value: JSON, type: MediaType?) -> Result<EndpointMembers, OAuthError> {
        guard let members = value.object else {
            return .failure(OAuthError(.invalidResponse, "is \(value.kindNoun), not an object"))
        }
        let warnings: [OAuthWarning] = type?.isJSON == true ? [] : [.contentType(type?.essence)]
        return .success(EndpointMembers(members: members, isForm: false, warnings: warnings))
    }

    private static func form(in response: HTTPResponse, type: MediaType?) -> EndpointMembers? {
        guard type?.isForm == true || type?.essence == "text/plain", !isPage(response.body) else { return nil }
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
