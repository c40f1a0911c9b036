internal import Wire

/// Normalises a provider's non-standard responses to RFC 6749 §5, so that no other type has to know about them.
package struct AnswerShape: Sendable {
    private var tokenPath: AnswerPath?
    private var errorPath: AnswerPath?
    private var names: [(own: String, standard: String?)] = []
    private var bearerTypes: [String] = []
    private var separator = " "
    /// Whether an answer without an access token has its ID token in that place (Google's `target_audience`).
    private(set) var hasIDTokenAlone = false

    static let standard = AnswerShape()

    private init() {}

    /// The shape that a document describes: `access_token_path`, `error_path`, `answer_names`, `bearer_token_types` and
    /// `scope_separator`.
    ///
    /// - Throws: `usage` for a member of the wrong form.
    package init(of document: Document) throws(OAuthError) {
        tokenPath = try AnswerPath("access_token_path", in: document)
        errorPath = try AnswerPath("error_path", in: document)
        bearerTypes = try document.strings("bearer_token_types").map(\.asciiLowercased)
        separator = try Scope.separator(of: document)
        names = try Self.names(of: document)
        hasIDTokenAlone = try document.object("assertion_claims")["target_audience"]?.isNull == false
    }

    /// Whether the server has another name for the access token.
    var renamesToken: Bool { hasIDTokenAlone || tokenPath != nil || names.contains { $0.standard == "access_token" } }

    /// The members of an answer as RFC 6749 has them.
    func normalized(_ members: JSONObject) -> JSONObject {
        var result = unwrapped(members)
        let named = names.compactMap { own, standard in result[own].map { (standard, $0) } }
        for (own, _) in names { result[own] = nil }
        for case (let standard?, let value) in named where result[standard] == nil { result[standard] = value }
        if hasIDTokenAlone, result["access_token"] == nil, let token = result["id_token"]?.string {
            result["access_token"] = .string(token)
        }
        if let type = result["token_type"]?.string?.asciiLowercased, bearerTypes.contains(type) {
            result["token_type"] = .string("Bearer")
        }
        if separator != " ", let scope = result["scope"]?.string {
            result["scope"] = .string(Scope(splitting: scope, at: separator).text)
        }
        guard let error = error(in: members) else { return result }
        result["error"] = .string(error.code)
        if result["error_description"] == nil { result["error_description"] = error.description.map { .string($0) } }
        return result
    }
}

extension AnswerShape {
    /// `answer_names` maps the server's member names to standard ones; null drops the member.
    private static func names(of document: Document) throws(OAuthError) -> [(own: String, standard: String?)] {
        guard let value = document.members["answer_names"], !value.isNull else { return [] }
        guard let object = value.object, object.members.allSatisfy({ $0.value.isNull || $0.value.string != nil }) else {
            throw document.invalid("answer_names", "must be an object whose values are names or null")
        }
        return object.members.map { ($0.name, $0.value.string) }
    }

    /// The members with those beside the token in the place of the token response's own, which belong to another token.
    /// An answer without that object is read as it is: Slack answers a refresh so.
    private func unwrapped(_ members: JSONObject) -> JSONObject {
        guard let path = tokenPath, let holder = path.holder(in: members) else { return members }
        var result = members
        if let first = path.holder.first {
            result[first] = nil
            result.remove(Member.tokenResponse)
        }
        for member in holder.members where member.name != path.name { result[member.name] = member.value }
        result["access_token"] = holder[path.name]
        return result
    }

    private func error(in members: JSONObject) -> (code: String, description: String?)? {
        guard let path = errorPath, let value = path.value(in: members) else { return nil }
        let code: String? = if case .number(let number) = value { number } else { value.string }
        guard let code, !code.isEmpty else { return nil }
        let holder = path.holder(in: members)
        let words = [holder?["description"], holder?["message"], members["message"]].compactMap { $0?.string }
        return (code, words.first { $0 != code })
    }
}

extension JSON {
    /// The members that are secrets once they are issued (RFC 6749 §5.1, RFC 8628 §3.2, RFC 7592 §3).
    private static let issued = ["access_token", "refresh_token", "id_token", "device_code"] + Member.issuedSecrets

    /// The secrets that a response of the authorization server issues, at whatever depth.
    var issuedSecrets: [String] {
        let members = (object?.members ?? []).flatMap { member in
            let own = Self.issued.contains(member.name) ? member.value.string : nil
            return own.map { [$0] } ?? member.value.issuedSecrets
        }
        return members + (array ?? []).flatMap(\.issuedSecrets)
    }
}
