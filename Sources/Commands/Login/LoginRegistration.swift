internal import CommandSpec
internal import OAuth
internal import Wire

/// The registration of a client by a login (RFC 7591): `oap login --register`.
struct LoginRegistration {
    static let option = Option(
        "register", section: "Client", summary: "register a client if none is known",
        details: """
            Registers a native public client at the server, as `oap register` does, unless one is known, and writes it \
            to the profile at once. Its redirect URI has a free port, or that of `--port`, and keeps it: many servers \
            compare the port. Where the server offers `--device` too, the client may use both.
            """)

    /// The members whose options need `--register`.
    static let members = MemberOption.of("client_name", "initial_access_token", "registration_endpoint")

    private let server: LoginServer
    private let isForDevice: Bool
    private let transport: Transport

    /// A registration at a server.
    ///
    /// - Parameter isForDevice: whether the user logs in with a code on another device.
    init(_ server: LoginServer, isForDevice: Bool, over transport: Transport) {
        (self.server, self.isForDevice, self.transport) = (server, isForDevice, transport)
    }

    /// Whether a login has to register a client.
    ///
    /// - Throws: exit 2 for an option that needs `--register`.
    static func isNeeded(for document: Document, _ arguments: Arguments) throws(Failure) -> Bool {
        guard arguments.has(option) else {
            if let idle = members.first(where: { arguments.has($0.option) }) {
                throw .usage("\(idle.option.name) has no effect without --register")
            }
            return false
        }
        return document.members["client_id"]?.isNull ?? true
    }

    /// Registers the client of a document, which gets its members.
    ///
    /// - Returns: the members that the registration adds and changes.
    /// - Throws: exit 2 for a secret, whose client is another one; exit 3 to 12.
    func register(_ input: inout Input) throws(Failure) -> JSONObject {
        guard !input.names("client_secret") else {
            throw .usage(
                "there is a client_secret, and a client without an identifier to be registered",
                hint: "name the client with --client-id, or leave its secret out")
        }
        var redirectURI = try lift(try RedirectURI(of: input.document))
        if redirectURI.wantsFreePort { redirectURI = try AuthurlCommand.withFreePort(redirectURI) }
        let client = try client(redirectURI.url.text, of: input)
        var changes = JSONObject()
        for member in client.members where input.document.members[member.name] != member.value {
            changes[member.name] = member.value
        }
        input.document.members.remove(["initial_access_token", "initial_access_token_file"])
        input = input.adding(changes)
        transport.diagnostics.tell("registered the client \(client["client_id"]?.string ?? "")")
        return changes
    }

    /// Registers a client for every way to log in that the server offers, so that none needs another client; if the
    /// server refuses one of the grants, for this way alone. A refused registration has made no client.
    private func client(_ redirectURI: String, of input: Input) throws(Failure) -> JSONObject {
        let sets = grants(for: input.document)
        for (number, grants) in sets.enumerated() {
            var input = input
            if let grants { input.document.members["grant_types"] = .strings(grants) }
            do throws(Failure) {
                return try ClientRegistration.nativeClient(for: redirectURI, of: input, over: transport)
            } catch {
                guard number + 1 < sets.count, error.exit == .refused, Self.refusals.contains(error.code ?? "") else {
                    throw error
                }
            }
        }
        preconditionFailure("there is a set of grants to register")
    }

    /// The error codes of a server that may take fewer grants (RFC 7591 §3.2.2); the second is Keycloak's.
    private static let refusals: Set<String> = ["invalid_client_metadata", "invalid_request", "unsupported_grant_type"]

    /// The sets of grants to ask for, in this order; nil for those of a registration that names none.
    private func grants(for document: Document) -> [[String]?] {
        guard document.members["grant_types"]?.isNull ?? true else { return [nil] }
        let (code, device) = ("authorization_code", Grant.Kind.deviceCode.type)
        let refresh = Grant.Kind.refreshToken.type
        let offered = server.member("grant_types_supported", of: document)?.strings ?? []
        let has = { (grant: String, endpoint: String) in
            offered.contains { $0.isIdentical(to: grant) } && server.member(endpoint, of: document)?.string != nil
        }
        if isForDevice {
            let own = [device, refresh]
            return has(code, "authorization_endpoint") ? [[code] + own, own] : [own]
        }
        return has(device, "device_authorization_endpoint") ? [[code, refresh, device], nil] : [nil]
    }
}
