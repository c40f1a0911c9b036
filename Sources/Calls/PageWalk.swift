package import OAuth
package import Wire

/// The walk over the pages of a list: which request comes after which page. It does no I/O.
package struct PageWalk {
    private var request: APIRequest
    private let origin: String?
    private let allowed: TokenOrigins?
    private let maximum: Int?
    /// The requests that were made, as hashes: a million pages take eight megabytes.
    private var seen: Set<Int> = []
    /// The number of the page that `request` asks for, from 1.
    package private(set) var page = 1

    /// A walk that begins with a request.
    ///
    /// - Parameters:
    ///   - allowed: the origins that a page may have besides that of the first.
    ///   - maximum: the most pages; nil for any number.
    package init(from request: APIRequest, allowed: TokenOrigins? = nil, maximum: Int? = nil) {
        (self.request, self.allowed, self.maximum) = (request, allowed, maximum)
        origin = WebURL(request.message.url)?.origin
        seen.insert(Self.hash(request.message))
    }

    /// The page that a `Link` field of a response names as `next` (RFC 8288).
    ///
    /// - Returns: nil after the last page.
    package mutating func next(after head: HTTPResponseHead) throws(PageError) -> APIRequest? {
        guard page != maximum else { return nil }
        let base = base(of: head)
        let header = LinkHeader(head.headers, base: base)
        // A link from another resource does not lead to the next page of this one (RFC 8288 §3.2).
        let link = header.links.first { $0.relation == "next" && ($0.anchor ?? base.text) == base.text }
        guard let link else {
            if header.isMalformed {
                throw PageError(kind: .invalidResponse, message: "the Link field of the response is malformed")
            }
            return nil
        }
        return try advance(to: link.target)
    }

    package mutating func next(after head: HTTPResponseHead, at cursor: PageCursor) throws(PageError) -> APIRequest? {
        guard page != maximum else { return nil }
        let base = base(of: head)
        guard let url = cursor.url else { return try advance(to: base.setting(cursor.query), body: cursor.body) }
        return try advance(to: base.resolving(written: url)?.setting(cursor.query), body: cursor.body)
    }

    private mutating func advance(to target: WebURL?, body: JSONObject? = nil) throws(PageError) -> APIRequest {
        let message = HTTPRequest(
            method: request.message.method, url: try check(target).withoutFragment, headers: request.message.headers,
            body: try body.map { (members) throws(PageError) in try merge(members) } ?? request.message.body)
        guard seen.insert(Self.hash(message)).inserted else {
            throw Self.error(.paginationLoop, "the next page was already requested", target)
        }
        page += 1
        request = APIRequest(message)
        return request
    }

    private func check(_ target: WebURL?) throws(PageError) -> WebURL {
        guard let target else { throw PageError(kind: .linkCrossOrigin, message: "the next page has no valid URL") }
        guard target.scheme == "https" || target.scheme == "http", target.host != nil else {
            throw Self.error(.linkCrossOrigin, "the URL of the next page is neither http nor https", target)
        }
        guard target.userinfo == nil else {
            throw Self.error(.linkCrossOrigin, "the URL of the next page contains a user name or password", target)
        }
        let isPlain = WebURL(request.message.url)?.scheme == "http"
        guard target.scheme == "https" || isPlain && target.isLoopback else {
            var error = Self.error(.insecureTransport, "the next page is at plain http", target)
            error.hint = Self.hint
            throw error
        }
        guard target.origin == origin || allowed?.name(target) == true else {
            var error = Self.error(.linkCrossOrigin, "the next page is at another origin", target)
            (error.origin, error.hint) = (target.origin, Self.hint)
            throw error
        }
        return target
    }

    /// A server behind a proxy that does not know by which address it is reached.
    private static let hint = """
        if that is the same server, the external URL in its settings is wrong (external_url of GitLab): tell its \
        administrator
        """

    /// The JSON body of the request with members set, those of nested objects one by one.
    private func merge(_ members: JSONObject) throws(PageError) -> [UInt8] {
        guard let body = request.message.body.flatMap({ try? JSON(parsing: $0) })?.object else {
            throw PageError(
                kind: .filter,
                message: "the filter of --next gave a body, but the body of the request is not a JSON object")
        }
        return JSON.object(body.merging(members)).bytes
    }

    /// The URL of a response. It was requested, too, where a redirect led to it.
    private mutating func base(of head: HTTPResponseHead) -> WebURL {
        guard let url = WebURL(head.url) else { preconditionFailure("a URL that was asked is a URL") }
        var message = request.message
        message.url = head.url
        seen.insert(Self.hash(message))
        return url
    }

    /// The hash of the URL and the body, the same for every spelling of the origin.
    private static func hash(_ message: HTTPRequest) -> Int {
        var hasher = Hasher()
        let url = WebURL(message.url)
        for part in [url?.origin, url?.path, url?.query] { hasher.combine(part) }
        hasher.combine(message.body)
        return hasher.finalize()
    }

    private static func error(_ kind: ErrorKind, _ reason: String, _ target: WebURL?) -> PageError {
        PageError(kind: kind, message: reason + (target.map { ": \($0.withoutQuery)" } ?? ""))
    }
}

extension WebURL {
    /// The URL with parameters of its query replaced, appended or removed; the others stay as they are written.
    fileprivate func setting(_ parameters: [String: String?]) -> WebURL? {
        guard !parameters.isEmpty else { return self }
        let kept = (query ?? "").split(separator: "&").filter { piece in
            let name = piece.prefix { $0 != "=" }
            return (try? FormEncoding.decode(name)).map { parameters[$0] == nil } ?? true
        }
        let new = parameters.sorted { $0.key < $1.key }.compactMap { name, value in
            value.map { FormEncoding.encode([(name, $0)]) }
        }
        let query = (kept.map(String.init) + new).joined(separator: "&")
        let end = text.firstIndex { $0 == "?" || $0 == "#" } ?? text.endIndex
        return WebURL(text[..<end] + (query.isEmpty ? "" : "?\(query)"))
    }
}

extension JSONObject {
    fileprivate func merging(_ other: JSONObject) -> JSONObject {
        var merged = self
        for member in other.members {
            if let old = merged[member.name]?.object, let new = member.value.object {
                merged[member.name] = .object(old.merging(new))
            } else {
                merged[member.name] = member.value
            }
        }
        return merged
    }
}
