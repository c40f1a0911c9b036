internal import OAuth
internal import Redaction
internal import Wire
internal import Shell
internal import Tokens

/// What the URL of an authorization request or of its response says: the parameters, with those masked that are credentials,
/// and with the JWTs taken apart.
struct URLView {
    private let url: WebURL?
    private let parameters: [(name: String, value: String)]

    /// - Throws: exit 3 for what has no form of a URL or its query.
    init(_ text: String) throws(Failure) {
        let texts: [String?]
        switch try asFailure(Callback(pasted: text)) {
        case .url(let url): (self.url, texts) = (url, [url.query, url.fragment])
        case .target(_, let text), .bare(let text), .fragment(let text), .form(let text, _, _):
            (url, texts) = (nil, [text])
        }
        let pairs = try texts.map { (text) throws(Failure) in try asFailure(Callback.parse(text ?? "")) }
        parameters = Array(pairs.joined())
    }

    /// What it says, by the names of this program.
    ///
    /// - Parameter now: seconds since 1970.
    func summary(now: Int) -> JSONObject {
        var shown = JSONObject()
        for (name, value) in parameters {
            let view = ["code", "state"].contains(name) ? nil : try? JWTView(value)
            var jwt = view?.summary(now: now)
            if let claims = view?.claims { jwt?["claims"] = .object(Self.masked(claims)) }
            let masked = jwt.map { .object($0) } ?? Self.masked([name: .string(value)])[name] ?? .null
            shown[name] = shown[name].map { .array(($0.array ?? [$0]) + [masked]) } ?? masked
        }
        var result: JSONObject = ["kind": .string(kind)]
        result["url"] = (url?.text.prefix { !"?#".contains($0) }).map { JSON.string(String($0)).withoutCredentials }
        result["parameters"] = .object(shown)
        return result
    }

    private var kind: String {
        let has = { (names: [String]) in parameters.contains { names.contains($0.name) } }
        if has(["response_type", "request", "request_uri"]) { return "authorization request" }
        return has(["code", "error", "response", "access_token", "id_token"]) ? "authorization response" : "url"
    }

    /// The members without the values that no message shows.
    private static func masked(_ members: JSONObject) -> JSONObject {
        (try? JSON(parsing: Redactor().redact(content: JSON.object(members).bytes)))?.object ?? [:]
    }
}
