internal import Wire

/// How the parameters of a request are written (`token_request_format`).
package enum RequestFormat: String, Sendable, CaseIterable {
    /// A form, as RFC 6749 §4 says.
    case form
    /// One JSON object, which Notion wants.
    case json

    package init(ofTokenRequests document: Document) throws(OAuthError) {
        self = try document.choice("token_request_format") ?? .form
    }

    var contentType: String {
        switch self {
        case .form: "application/x-www-form-urlencoded"
        case .json: "application/json"
        }
    }

    /// The content. In JSON a repeated parameter becomes an array, and one that is an object or an array stays one.
    func body(_ pairs: [(name: String, value: String)]) -> [UInt8] {
        switch self {
        case .form: return Array(FormEncoding.encode(pairs).utf8)
        case .json:
            var object = JSONObject()
            for (name, value) in pairs {
                let earlier = object[name].map { $0.array ?? [$0] }
                let isJSON = value.hasPrefix("{") || value.hasPrefix("[")
                let value = isJSON ? (try? JSON(parsing: value)) ?? .string(value) : .string(value)
                object[name] = earlier.map { .array($0 + [value]) } ?? value
            }
            return JSON.object(object).bytes
        }
    }
}
