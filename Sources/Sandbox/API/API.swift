internal import Wire

extension SandboxServer {
    /// The API. Every request needs an access token, except for public resources.
    func serve(_ resource: Resource, _ request: SandboxRequest) throws(Refusal) -> SandboxResponse {
        let token = resource.isPublic ? nil : try authorize(request, scope: resource.scope)
        let person = token.flatMap { settings.person(of: $0.authorization.subject) } ?? settings.people[0]
        switch resource {
        case .user: return SandboxResponse(members: Self.user(person, token?.scope ?? Scope([])))
        case .publicGists:
            return try list(Gist.publicCount, request) { .object(Gist.document($0 + Gist.count, of: person)) }
        case .repositories:
            return try list(Repository.count, request) { .object(Repository.document($0, of: person)) }
        case .starredGists: return try list(Gist.count, request) { .object(Gist.document($0, of: person)) }
        case .notifications: return try notifications(request)
        case .echo: return SandboxResponse(members: try Self.echo(request))
        case .events: return events(of: person)
        case .status(401): throw challenge("Bearer", "invalid_token", "the status that was asked for")
        case .status(let status):
            guard status != 204, status != 304 else { return SandboxResponse(status: status) }
            return SandboxResponse(
                status: status,
                members: ["status": .integer(status), "message": .string("the status that was asked for")])
        case .delay(let seconds):
            var response = SandboxResponse(members: ["delay": .number(String(seconds))])
            response.delay = seconds
            return response
        case .bytes(let count):
            return SandboxResponse(
                status: 200, type: "application/octet-stream", content: .filler(try Self.filler(count, request)))
        }
    }

    /// How bytes are sent: `chunked`, `trailer`, `seconds` and `reset` of the query say it.
    private static func filler(_ count: Int, _ request: SandboxRequest) throws(Refusal) -> SandboxResponse.Filler {
        let query = try request.apiParameters()
        var filler = SandboxResponse.Filler(count: count)
        filler.isChunked = query["chunked"] != nil || query["trailer"] != nil
        if let text = query["trailer"] {
            guard let (name, value) = text.cut(at: ":").map({ ($0.before, $0.after.trimmed) }), name.isHTTPToken,
                !value.isEmpty, value.utf8.allSatisfy({ (0x20...0x7E).contains($0) })
            else { throw .invalidRequest("trailer is not NAME:VALUE") }
            filler.trailer = HTTPField(name, value)
        }
        if let text = query["seconds"] {
            guard let seconds = Decimal.seconds(text[...]), seconds <= 60 else {
                throw .invalidRequest("seconds is not a number up to 60")
            }
            filler.seconds = seconds
        }
        if let text = query["reset"] {
            guard let place = Decimal.whole(text[...]) else { throw .invalidRequest("reset is not a number of bytes") }
            filler.reset = place
        }
        return filler
    }

    private static func user(_ person: Person, _ scope: Scope) -> JSONObject {
        [
            "login": .string(person.login), "id": .integer(person.number), "type": .string("User"),
            "name": .string(person.name),
            "email": scope.contains("email") ? person.email.map { .string($0) } ?? .null : .null,
            "public_repos": .integer(Repository.count), "created_at": .string("2015-12-10T00:00:00Z"),
        ]
    }

    /// One page of a list whose next page has a cursor, which only the server understands.
    private func notifications(_ request: SandboxRequest) throws(Refusal) -> SandboxResponse {
        let query = try request.apiParameters()
        let size = min(50, query["per_page"].flatMap { Decimal.positive($0) } ?? 20)
        let start = query["cursor"].map {
            Base64.decodeURL($0).flatMap { Decimal.whole(String(decoding: $0, as: UTF8.self)) }
        }
        guard let first = start ?? 0, first < Self.notificationCount else {
            throw .invalidRequest("the cursor is not one of this list")
        }
        let end = min(first + size, Self.notificationCount)
        let elements = (first..<end).map { number -> JSON in
            .object([
                "id": .string(String(number + 1)), "unread": .bool(number % 3 == 0), "reason": .string("mention"),
                "updated_at": .string(Repository.date(number + 1)),
            ])
        }
        let cursor = end < Self.notificationCount ? JSON.string(Base64.encodeURL(Array(String(end).utf8))) : .null
        return SandboxResponse(members: ["notifications": .array(elements), "next_cursor": cursor])
    }

    private static let notificationCount = 55

    /// One page of a list, with links to the others (RFC 8288), as at GitHub.
    private func list(
        _ count: Int, _ request: SandboxRequest, _ document: (Int) -> JSON
    ) throws(Refusal) -> SandboxResponse {
        let query = try request.apiParameters()
        let size = min(100, query["per_page"].flatMap { Decimal.positive($0) } ?? 30)
        let page = query["page"].flatMap { Decimal.positive($0) } ?? 1
        let last = (count + size - 1) / size
        let first = min((page - 1) * size, count)
        let elements = (first..<min(first + size, count)).map { document($0 + 1) }
        var links: [String] = []
        let others = query.pairs.filter { $0.name != "page" }
        func link(_ page: Int, _ relation: String) {
            let parameters = FormEncoding.encode(others + [("page", String(page))])
            links.append("<\(url(request.path))?\(parameters)>; rel=\"\(relation)\"")
        }
        if page > 1 { link(min(page - 1, last), "prev") }
        if page < last { link(page + 1, "next") }
        if page < last { link(last, "last") }
        if page > 1 { link(1, "first") }
        let fields = links.isEmpty ? [] : [HTTPField("Link", links.joined(separator: ", "))]
        return SandboxResponse(json: .array(elements), headers: fields)
    }

    private static func echo(_ request: SandboxRequest) throws(Refusal) -> JSONObject {
        var headers: JSONObject = [:]
        for field in request.headers {
            let name = field.name.lowercased()
            let value = name == "authorization" ? field.value.prefix { $0 != " " } + " ***" : field.value
            headers[name] = .string((headers[name]?.string).map { "\($0), \(value)" } ?? value)
        }
        var query: JSONObject = [:]
        for pair in try request.apiParameters().pairs {
            let value = JSON.string(pair.value)
            query[pair.name] = query[pair.name].map { .array(($0.array ?? [$0]) + [value]) } ?? value
        }
        var echo: JSONObject = [
            "method": .string(request.method), "path": .string(request.path), "query": .object(query),
            "headers": .object(headers),
        ]
        if let text = String(validating: request.body, as: UTF8.self) {
            echo["body"] = .string(text)
        } else {
            echo["body_base64"] = .string(Base64.encode(request.body))
        }
        if let json = try? JSON(parsing: request.body) { echo["json"] = json }
        return echo
    }

    private func events(of person: Person) -> SandboxResponse {
        let state = rate.count(now: now, limit: settings.rateLimit)
        let headers = [
            HTTPField("x-ratelimit-limit", String(settings.rateLimit)),
            HTTPField("x-ratelimit-remaining", String(state.remaining)),
            HTTPField("x-ratelimit-reset", String(state.reset)),
            HTTPField("x-ratelimit-resource", "core"),
        ]
        guard state.isAllowed else {
            return SandboxResponse(
                status: 429, members: ["message": .string("API rate limit exceeded")],
                headers: headers + [HTTPField("Retry-After", String(state.reset - now))])
        }
        let events = (1...10).map { number -> JSON in
            .object([
                "id": .string(String(1000 + number)), "type": .string("PushEvent"),
                "actor": .object(["login": .string(person.login)]),
                "repo": .object(["name": .string(Repository.fullName(number, of: person))]),
                "public": .bool(true),
            ])
        }
        return SandboxResponse(json: .array(events), headers: headers)
    }
}

extension SandboxServer {
    /// The userinfo endpoint (OpenID Connect Core §5.3): JSON, or a JWT if the client has registered for one (§5.3.2).
    func userinfo(_ request: SandboxRequest) throws(Refusal) -> SandboxResponse {
        let token = try authorize(request, scope: "openid", takesForm: true)
        guard let person = settings.person(of: token.authorization.subject) else {
            throw challenge(token.type, "insufficient_scope", "the access token belongs to no user", status: 403)
        }
        var claims = person.claims(token.scope)
        guard let client = clients[token.authorization.clientID] else { return SandboxResponse(members: claims) }
        if client.signs(.userinfo) != nil {
            (claims["iss"], claims["aud"]) = (.string(issuer), .string(client.id))
        }
        guard let text = try protect(claims, .userinfo, for: client) else { return SandboxResponse(members: claims) }
        return SandboxResponse(status: 200, type: "application/jwt", content: .bytes(Array(text.utf8)))
    }
}
