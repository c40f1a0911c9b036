internal import Members
package import Wire

/// Another token of a login: of a narrower scope (RFC 6749 §6), for a resource (RFC 8707 §2.2) or an audience, or of a
/// token exchange (RFC 8693 §2.1). It is kept in the document of the login, in `derived_tokens`, and so under its lock.
package struct DerivedToken: Sendable {
    /// The scope to ask for; nil for the one of the login.
    package let scope: String?
    private let resources: [String]
    private let audiences: [String]
    /// Whether the access token of the login is exchanged for it.
    package let isExchange: Bool

    /// The member of the login's document that has them.
    package static let member = "derived_tokens"
    private static let accessTokenType = "urn:ietf:params:oauth:token-type:access_token"
    /// The most tokens that are kept beside a login; the newest ones.
    private static let most = 16

    package init(scope: String?, resources: [String] = [], audiences: [String] = [], isExchange: Bool = false) {
        (self.scope, self.resources, self.audiences, self.isExchange) = (scope, resources, audiences, isExchange)
    }

    /// What is asked for, in one form for all orders, by which the token is found again.
    private var request: JSONObject {
        var request: JSONObject = [:]
        let scope = scope.map { Scope(Scope(splitting: $0).values.sorted()) }
        request["scope"] = scope?.member
        if !resources.isEmpty { request["resource"] = .strings(resources.sorted()) }
        if !audiences.isEmpty { request["audience"] = .strings(audiences.sorted()) }
        if isExchange { request["exchange"] = .bool(true) }
        return request
    }

    /// The document of the login with this token in the place of its own; with one that has expired if none is kept.
    package func document(in login: JSONObject) -> JSONObject {
        var document = placed(login)
        document.remove(Member.of(.accessToken, .idToken, .scope, .grant) + [Self.member])
        let kept = Self.entries(login).first { $0["request"] == .object(request) }
        for member in (kept ?? ["access_token": .string(""), "expires_at": .integer(0)]).members
        where member.name != "request" {
            document[member.name] = member.value
        }
        return document
    }

    /// A document for other programs: what requests with the token need, and not what gets further tokens, by whatever name
    /// the server calls it. The key of a bound token stays, since the token is nothing without it.
    package static func handedOut(_ document: JSONObject) -> JSONObject {
        let kept = ["access_token", "resource"] + Member.forms(of: DPoPBinding.keyMember) + Member.ofRoute
        let dropped =
            [member, "grant_type", "registration_client_uri"]
            + Member.of(.refreshToken, .refusal, .authorization, .idToken)
        return JSONObject(
            unique: document.members.filter { entry in
                guard !kept.contains(entry.name) else { return true }
                let known = Member.all.filter { $0.name == entry.name }
                return known.contains { [.client, .server, .way, .token].contains($0.kind) }
                    && known.allSatisfy { $0.secrecy == .none && $0.form != .file }
                    && !dropped.contains(entry.name) && !entry.name.hasSuffix("_params")
            })
    }

    /// A document with the places of this token: those of its resources, or of the audiences that are URLs, and no others.
    /// If these are names without an origin, the places of the login stay. Paths are relative to the `api_base` if it is
    /// one of these places, else to the only resource.
    package func placed(_ document: JSONObject) -> JSONObject {
        guard !resources.isEmpty || !audiences.isEmpty else { return document }
        var document = document
        let base = document["api_base"]?.string
        let origins = (resources.isEmpty ? audiences : resources).compactMap { WebURL($0) }
            .filter { $0.scheme == "https" || $0.isLoopback }.map(\.origin)
        guard !origins.isEmpty else { return renamed(document) }
        document.remove([
            "api_base", "api_origins", "userinfo_endpoint", "resource", "requested_resource", "refresh_resource",
        ])
        if !resources.isEmpty { document["resource"] = .strings(resources) }
        if let base, let url = WebURL(base), origins.contains(where: { $0 == url.origin }) {
            document["api_base"] = .string(base)
        } else if resources.count == 1 {
            document["api_base"] = .string(resources[0])
        }
        if resources.isEmpty { document["api_origins"] = .strings(origins) }
        return document
    }

    /// A document with the places of the login, whose resources are not asked for: they become places alone.
    private func renamed(_ login: JSONObject) -> JSONObject {
        var document = login
        let former = login["resource"]?.strings ?? login["resource"]?.string.map { [$0] } ?? []
        let places =
            (login["api_origins"]?.strings ?? login["api_origins"]?.string.map { [$0] } ?? [])
            + former.compactMap { WebURL($0)?.origin }.filter { !$0.isEmpty }
        if !places.isEmpty { document["api_origins"] = .strings(places) }
        if former.count == 1, login["api_base"]?.isNull ?? true { document["api_base"] = .string(former[0]) }
        document["resource"] = resources.isEmpty ? nil : .strings(resources)
        document.remove(["requested_resource", "refresh_resource"])
        return document
    }
}

extension DerivedToken {
    /// The grant that brings it; nil for the one that renews the login.
    package var grant: Grant.Kind? { isExchange ? .other("urn:ietf:params:oauth:grant-type:token-exchange") : nil }

    package var extra: [(name: String, value: String)] { audiences.map { ("audience", $0) } }

    package func requested(of login: JSONObject) -> JSONObject {
        var document = placed(login)
        if !audiences.isEmpty {
            for name in ["token_params", "refresh_params"] {
                guard var parameters = document[name]?.object else { continue }
                parameters["audience"] = nil
                document[name] = .object(parameters)
            }
        }
        guard let grant else { return document }
        document.remove(Member.of(.scope, .grant) + grant.secretMembers.flatMap(Member.forms))
        for form in ["", "_file"] { document["subject_token\(form)"] = login["access_token\(form)"] }
        var parameters = document["token_params"]?.object ?? [:]
        parameters.remove(["subject_token", "actor_token", "actor_token_type"])
        parameters["subject_token_type"] = .string(Self.accessTokenType)
        document["token_params"] = .object(parameters)
        return document
    }

    /// The document of the login after the response. The login's own token and scope stay; a refresh token in the response
    /// to its own replaces it.
    package func document(of login: JSONObject, adding issued: IssuedToken, now: Int) -> JSONObject {
        let renewed = issued.document(from: login)
        var entry: JSONObject = ["request": .object(request)]
        for name in Member.of(.accessToken, .scope) { entry[name] = renewed[name] }
        var document = login
        document[DPoPBinding.noncesMember] = renewed[DPoPBinding.noncesMember]
        if issued.isRefreshed {
            for name in Member.of(.refreshToken, .refusal, .authorization) { document[name] = renewed[name] }
        }
        let others = Self.entries(login).filter { other in
            other["request"] != entry["request"] && other["expires_at"]?.integer.map { $0 > now } ?? true
        }
        document[Self.member] = .array((others.suffix(Self.most - 1) + [entry]).map { .object($0) })
        return document
    }
}

extension DerivedToken {
    /// What is wrong with a token that is kept, by what was asked for: more scope, another audience, or the token of the
    /// login itself.
    package func deviations(of document: JSONObject, in login: JSONObject) -> [OAuthWarning] {
        let token = document["access_token"]?.string ?? ""
        var warnings: [OAuthWarning] = []
        if let scope, let granted = document["scope"]?.string {
            let added = Scope(splitting: granted).exceeding(Scope(splitting: scope))
            if !added.isEmpty { warnings.append(.scopeWidened(added)) }
        }
        warnings += TokenAudience(audiences + resources).warnings(of: token)
        let own = login["access_token"]?.string ?? ""
        if !token.isEmpty, token.isIdentical(to: own) { warnings.append(.tokenOfLogin) }
        return warnings
    }
}

extension DerivedToken {
    /// The document of a login without the token of this value; nil if it has none.
    package static func dropping(_ accessToken: String, from login: JSONObject) -> JSONObject? {
        let others = entries(login).filter { $0["access_token"]?.string?.isIdentical(to: accessToken) != true }
        guard others.count < entries(login).count else { return nil }
        var document = login
        document[member] = others.isEmpty ? nil : .array(others.map { .object($0) })
        return document
    }

    private static func entries(_ login: JSONObject) -> [JSONObject] {
        login[member]?.array?.compactMap(\.object) ?? []
    }

    /// The documents of those that have not expired, to be revoked.
    package static func live(in login: JSONObject, now: Int) -> [JSONObject] {
        entries(login).filter { $0["expires_at"]?.integer.map { $0 > now } ?? true }.map { entry in
            var document = login
            document.remove(Member.ofAll())
            document["access_token"] = entry["access_token"]
            return document
        }
    }

    package static func list(in login: JSONObject) -> [JSON] {
        entries(login).map { entry in
            var shown = entry["request"]?.object ?? [:]
            shown["expires_at"] = entry["expires_at"]
            return .object(shown)
        }
    }
}
