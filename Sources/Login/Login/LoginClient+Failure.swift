internal import OAuth
internal import Wire
package import Shell
internal import Tokens

extension LoginClient {
    /// Adds to the failure of a login the command that mends it: where its code was refused, the one that begins again;
    /// where its scope was, or a client that the server has forgotten, one that registers another client.
    ///
    /// - Parameter scope: what the login asked for.
    package func withHint(for failure: Failure, asking scope: String? = nil) -> Failure {
        let forgotten = ForgottenClient(members, named: name.text)
        let asked = scope.map { Terminal.escaping($0).shellWord } ?? "SCOPE"
        let hint: String? =
            switch failure.cause {
            case .client: forgotten?.hint(afterRefusal: failure.hint)
            case .redirect: forgotten?.hint(afterSilence: failure.hint)
            case .grant: "a code works once and expires soon; begin the login again: oap login \(name.text)"
            case .scope where isRegistered:
                failure.hint
                    ?? """
                    if the client was registered without this scope, register another client: oap login \(name.text) \
                    --register --save-profile --scope \(asked)
                    """
            case .issuer(let announced): hint(accepting: announced)
            case .scope, .clock, .certificate, nil: nil
            }
        return hint.map(failure.advising) ?? failure
    }

    /// The command of this login for a server that spells its issuer with another slash at the end: with the issuer of the
    /// server, or, where a resource or the profile names the other one, with the option that accepts it.
    private func hint(accepting announced: String) -> String? {
        guard announced.isPlainWord else { return nil }
        let (issuer, accept) = (MemberOption.of("issuer")[0].option, MemberOption.of("accept_issuer")[0].option)
        let ofResource = Self.text(of: "resource", in: inputs.settings.members) != nil
        let isGiven = Self.text(of: "issuer", in: inputs.settings.members) != nil && !ofResource
        var without = isGiven ? [issuer] : [accept]
        if ofResource { without.append(issuer) }
        let saving =
            !isGiven && origin == .profile && !settings.replacesProfile ? " \(LoginOption.saveProfile.name)" : ""
        let command = settings.command(with: isGiven ? issuer : accept, announced, without: without)
        return "if it is the same server: \(command)\(saving)"
    }

    /// What to do where the stored token alone is the client, and does not say which grant brought it.
    var hintForMachine: String? {
        guard origin == .token, members["grant_type"] == nil else { return nil }
        return """
            for a token of the client itself: oap login \(name.text) --grant client_credentials; for the login of a \
            user, name the server: oap login \(name.text) --issuer URL
            """
    }

    /// Whether the token was stored by hand, and neither it nor an option names a server.
    var isImported: Bool {
        origin == .token && ["issuer", "token_endpoint", "client_id", "resource"].allSatisfy { members[$0] == nil }
            && (try? namedResources) == nil && Self.text(of: "issuer", in: inputs.settings.members) == nil
    }

    /// Says that no client is registered, since a variable names one, and which variables are about that.
    package func warnOfVariables() throws(Failure) {
        guard settings.registers, !hasIdentifier, Self.text(of: "client_id", in: inputs.settings.members) == nil else {
            return
        }
        var variables: [String] = []
        for variable in (["client_id"] + Member.ofOneClient).map(Member.variable)
        where try inputs.environment.value(variable) != nil && !variables.contains(variable) {
            variables.append(variable)
        }
        guard let first = variables.first, first == Member.variable(for: "client_id") else { return }
        inputs.diagnostics.tell("\(LoginOption.register.name) is not used: \(first) names a client")
        inputs.diagnostics.hint("to register one: unset \(variables.joined(separator: " "))")
    }

    /// What to do about a member that is missing, where nothing was known of the client.
    var hintForMissing: String? {
        if isImported {
            return """
                nothing says where the stored token is from: store a new one with oap store put \(name.text), or name \
                the server: oap login \(name.text) --issuer URL --client-id ID
                """
        }
        guard origin == .nowhere else { return nil }
        if Preset.builtIn.contains(where: { $0.isNamed(name.text) }) {
            return "\(name.text) is a preset: oap login \(name.text) --provider \(name.text) --client-id ID"
        }
        let usual = """
            there is no profile \(name.text); name a server and a client at the first login: oap login \(name.text) \
            --issuer URL --client-id ID; instead of --issuer, use --provider PROVIDER for a known provider (oap \
            provider), or --resource URL for an API or an MCP server; to register a client, use --register instead of \
            --client-id
            """
        return StoredNames.both.hint(
            for: name.text, in: inputs.environment, store: inputs.settings.store, else: usual)
    }
}

/// Whether the server of a login is that of its client: the endpoints and the client of one server are not mixed with the
/// issuer of another.
extension LoginClient {
    /// Whether a client is that of another server: of another issuer, or of endpoints without an issuer.
    static func isOther(_ client: JSONObject, than issuer: String) -> Bool {
        if let known = client["issuer"]?.string {
            return ![known, client["accept_issuer"]?.string].contains { $0?.isIdentical(to: issuer) == true }
        }
        return ["authorization_endpoint", "token_endpoint"].contains { client[$0] != nil }
    }

    /// Refuses `OAP_ISSUER` if it names another server than that of a client.
    ///
    /// - Parameter source: what names the client, for the message.
    /// - Throws: exit 2.
    static func refuseVariable(
        _ source: String, _ client: JSONObject, _ environment: Environment, hint: String
    ) throws(Failure) {
        let variable = Member.variable(for: "issuer")
        guard let issuer = try environment.value(variable), isOther(client, than: issuer) else { return }
        throw .usage("\(source) and \(variable) name different servers", hint: hint)
    }

    /// The failure for a profile that an option would replace.
    static func refusal(of name: String, for option: String) -> Failure {
        .usage(
            "the profile \(name) exists, and differs from \(option)",
            hint: "to use the profile, leave \(option) out; to replace the profile, add --save-profile")
    }
}
