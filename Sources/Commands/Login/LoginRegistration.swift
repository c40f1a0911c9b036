internal import CommandSpec
internal import OAuth
internal import Wire

/// The registration of a client by a login (RFC 7591): `oap login --register`.
enum LoginRegistration {
    static let option = Option(
        "register", section: "Client", summary: "register a client if none is known",
        details: """
            Registers a native public client at the server, as `oap register` does, unless one is known, and writes it \
            to the profile at once. Its redirect URI has a free port, or that of `--port`, and keeps it: many servers \
            compare the port.
            """)

    /// Whether a login has to register a client.
    static func isNeeded(for document: Document, _ arguments: Arguments) -> Bool {
        arguments.has(option) && document.members["client_id"]?.isNull ?? true
    }

    /// Registers a client for a login.
    ///
    /// - Parameters:
    ///   - input: the document with the metadata of the server.
    ///   - isForDevice: whether the user logs in with a code on another device.
    /// - Returns: the members that the registration adds and changes.
    /// - Throws: exit 2 for a secret, whose client is another one; exit 3 to 12.
    static func client(
        for input: Input, isForDevice: Bool, over transport: Transport
    ) throws(Failure) -> JSONObject {
        guard !input.names("client_secret") else {
            throw .usage(
                "there is a client_secret, and a client without an identifier to be registered",
                hint: "name the client with --client-id, or leave its secret out")
        }
        var input = input
        var redirectURI = try lift(try RedirectURI(of: input.document))
        if redirectURI.wantsFreePort { redirectURI = try AuthurlCommand.withFreePort(redirectURI) }
        if isForDevice {
            let grants = [Grant.Kind.deviceCode.type, Grant.Kind.refreshToken.type]
            input.document.members["grant_types"] = .array(grants.map { .string($0) })
        }
        let client = try ClientRegistration.nativeClient(for: redirectURI.url.text, of: input, over: transport)
        var changes = JSONObject()
        for member in client.members where input.document.members[member.name] != member.value {
            changes[member.name] = member.value
        }
        transport.diagnostics.tell("registered the client \(client["client_id"]?.string ?? "")")
        return changes
    }
}
