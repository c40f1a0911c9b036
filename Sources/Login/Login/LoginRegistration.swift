package import CommandSpec
package import OAuth
package import Wire
package import Shell
package import Tokens
internal import Sessions

/// The client of a login that knows none: the metadata document that the user has published, where the server takes it,
/// else one that is registered (RFC 7591), with `--register`.
package struct LoginRegistration {
    /// What to do at a server that registers no clients by itself.
    static let byHand = """
        register a client on the server's website with the redirect URI http://127.0.0.1:8765/callback, then log in \
        with --client-id ID --port 8765
        """

    /// The members whose options need `--register`.
    package static let members = MemberOption.of("client_name", "initial_access_token", "registration_endpoint")

    package static let rules: [OptionRule] = [.needs(members.map(\.option), anyOf: [LoginOption.register])]

    let server: LoginServer
    /// How the user logs in.
    let way: LoginWay.Code
    /// A scope that was not asked for is left out where the server refuses it.
    let scopeIsAsked: Bool
    let session: Session

    static func isPublished(_ document: Document) -> Bool {
        document.members["client_metadata_document"]?.isNull == false
    }

    /// The members of the server's metadata that this needs, if it is needed: all of the first list, those of the second
    /// that the server has.
    ///
    /// - Throws: exit 2 or 3 for a metadata document that no server can fetch.
    package static func metadata(for document: Document) throws(Failure) -> (needed: [String], optional: [String]) {
        guard document.members["client_id"]?.isNull ?? true else { return ([], []) }
        let isPublished = try publishedID(in: document) != nil
        let endpoint = "registration_endpoint"
        return isPublished ? ([], ["client_id_metadata_document_supported", endpoint]) : ([endpoint], [])
    }

    /// The client of the metadata document that the user has published; nil without one, or where the server takes none.
    ///
    /// - Throws: exit 2 for a secret, whose client is another one; exit 2 or 3 for a document that no server can fetch;
    ///   exit 3 without another way to find a client.
    static func published(for input: Input, registers: Bool) throws(Failure) -> JSONObject? {
        if let secret = ClientCredential.allCases.filter(\.isIssued).map(\.member).first(where: input.names) {
            throw .usage(
                "there is a \(secret), but no client_id",
                hint: "name the client with --client-id, or leave \(secret) out")
        }
        let isSupported = input.document.members["client_id_metadata_document_supported"] == .bool(true)
        if isSupported, let id = try publishedID(in: input.document) {
            return ["client_id": .string(id), "token_endpoint_auth_method": .string("none")]
        }
        guard registers else {
            throw Failure(
                .badInput, .metadataMissing,
                "client_id is missing, and the server does not support a client ID metadata document",
                hint: "if the server registers clients, use --register; otherwise name a client with --client-id")
        }
        return nil
    }

    private static func publishedID(in document: Document) throws(Failure) -> String? {
        let name = "client_metadata_document"
        guard let id = try asFailure(document.string(name)) else { return nil }
        guard let problem = ClientMetadataDocument.problem(with: id) else { return id }
        throw Failure(document.invalid(name, problem, hint: "such as https://app.example/oap.json"))
    }

    /// Registers the client of a document, which gets its members.
    ///
    /// - Returns: the members that the registration adds and changes.
    /// - Throws: exit 3 to 12.
    package func register(_ input: inout Input) throws(Failure) -> JSONObject {
        var redirectURI = try asFailure(RedirectURI(of: input.document))
        let server = input.document.members["issuer"] ?? input.document.members["registration_endpoint"]
        if input.document.origin(of: "redirect_uri") == .document, let server = server?.string {
            redirectURI = redirectURI.own(to: server)
        }
        if redirectURI.wantsFreePort { redirectURI = try AuthorizationFlow.withFreePort(redirectURI) }
        let client = try client(redirectURI.url.text, of: input)
        var changes = JSONObject()
        for member in client.members where input.document.members[member.name] != member.value {
            changes[member.name] = member.value
        }
        input.document.members.remove(Member.forms(of: "initial_access_token"))
        input = input.adding(changes)
        session.diagnostics.tell("registered the client \(client["client_id"]?.string ?? "")")
        return changes
    }

    /// Registers a client for every way to log in that the server offers, and for every scope that a resource may want
    /// later, so that none needs another client; if the server refuses that, for this login alone. A refused registration
    /// has made no client.
    private func client(_ redirectURI: String, of input: Input) throws(Failure) -> JSONObject {
        let (scopes, grants) = (scopes(for: input.document), grants(for: input.document))
        let sets = scopes.flatMap { scope in grants.map { (scope, $0) } }
        for (number, (scope, grants)) in sets.enumerated() {
            var input = input
            if scope?.isEmpty == true { input.document.members["scope"] = nil }
            if let grants { input.document.members["grant_types"] = .strings(grants) }
            let client = try ClientRegistration.nativeClient(
                for: redirectURI, of: input, within: scope?.isEmpty == true ? nil : scope, over: session.transport)
            do throws(ServerFault) {
                return try session.engine.run(client)
            } catch {
                let stake = RegistrationRequest.Action.register.stake
                guard number + 1 < sets.count, error.exit(stake) == .refused,
                    Self.refusals.contains(error.error?.code ?? "")
                else { throw Failure(error, stake: stake) }
            }
        }
        preconditionFailure("there is a set of grants to register")
    }

    /// The error codes of a server that may take fewer grants or scopes (RFC 7591 §3.2.2); the others are those of
    /// Keycloak and of its policies.
    private static let refusals: Set<String> = [
        "invalid_client_metadata", "invalid_request", "unsupported_grant_type", "invalid_scope", "insufficient_scope",
    ]

    /// The scopes to register, in this order; nil for that of the login, an empty one for none. A server may hold a client to the registered one,
    /// and a resource that wants more later would need another client.
    private func scopes(for document: Document) -> [String?] {
        guard scopeIsAsked || document.members["scope"]?.isNull ?? true else { return [nil, ""] }
        guard document.members["resource"]?.isNull == false, document.origin(of: "scope") != .option,
            let own = document.members["scope"]?.string,
            let offered = server.member("scopes_supported", of: document)?.strings
        else { return [nil] }
        let all = Scope.union(of: [own] + offered)
        return Scope(splitting: all).isContained(in: Scope(splitting: own)) ? [nil] : [all, nil]
    }

    /// The sets of grants to ask for, in this order; nil for those of a registration that names none.
    private func grants(for document: Document) -> [[String]?] {
        guard document.members["grant_types"]?.isNull ?? true else { return [nil] }
        let (code, device) = ("authorization_code", Grant.Kind.deviceCode.type)
        let refresh = Grant.Kind.refreshToken.type
        let offered = server.member("grant_types_supported", of: document)?.strings ?? []
        let has = { (grant: String, endpoint: String) in
            offered.contains { $0.isIdentical(to: grant) } && server.member(endpoint, of: document)?.string != nil
        }
        if way == .device || way == .backchannel {
            let own = [way == .device ? device : Grant.Kind.ciba.type, refresh]
            return has(code, "authorization_endpoint") ? [[code] + own, own] : [own]
        }
        return has(device, "device_authorization_endpoint") ? [[code, refresh, device], nil] : [nil]
    }
}
