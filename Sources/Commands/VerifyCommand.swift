internal import CommandSpec
internal import OAuth
internal import System
internal import Wire

/// `oap verify`: checks a JWT and prints its claims.
enum VerifyCommand {
    /// The kinds of JWT.
    enum Kind: String, CaseIterable {
        case idToken = "id_token"
        case accessToken = "access_token"
        case logoutToken = "logout_token"
        case other = "jwt"

        /// What it is checked as.
        var profile: JWTProfile {
            switch self {
            case .idToken: .idToken
            case .accessToken: .accessToken
            case .logoutToken: .logoutToken
            case .other: .other
            }
        }
    }

    static let type = Option(
        "type", argument: "TYPE", choices: Kind.allCases.map(\.rawValue), section: "Request",
        summary: "what the JWT must be: id_token (default), …",
        details: """
            `id_token` (OpenID Connect Core section 3.1.3.7) is the default; `access_token` is a JWT of RFC 9068, and \
            `logout_token` one of OpenID Connect Back-Channel Logout. With `jwt` only signature, issuer, audience and \
            times are checked. The JWT cannot choose: one of another kind by its `typ` is refused.
            """)
    static let audience = Option(
        "audience", argument: "AUDIENCE", otherwise: "client_id; for an access token, resource", section: "Request",
        summary: "whom the JWT must be for",
        details: """
            One that `aud` must name, character by character. ID tokens and logout tokens must be for the `client_id`; \
            for an access token the default is the `resource` of the document.
            """)
    static let nonce = Option(
        "nonce", argument: "NONCE", section: "Request", summary: "the nonce that the ID token must have",
        details: "The `nonce` of the authorization request. Without it, the `nonce` of an ID token is not compared.")
    static let keys = Option(
        "jwks-file", argument: "PATH", completes: .files, section: "Input", summary: "the keys of the issuer",
        details: "A JWK Set (RFC 7517 section 5), in the place of the one at the issuer's `jwks_uri`.")

    /// The members that its options set.
    static let members = MemberOption.of(
        "issuer", "client_id", "client_secret", "jwks_uri", "id_token_signed_response_alg")

    private static func run(_ session: Session) throws(Failure) -> Exit {
        let arguments = session.arguments
        let kind = arguments.value(type).flatMap(Kind.init(rawValue:)) ?? .idToken
        guard kind == .idToken || !arguments.has(nonce) else { throw .usage("--nonce is for ID tokens") }
        let (text, input) = try token(of: kind, session)
        let output = try session.output()
        var check = try JWTCheck(text, as: kind.profile, of: input, session: session)
        (check.audience, check.nonce) = (arguments.value(audience), arguments.value(nonce))
        return try output.finish(try check.claims(keysFile: arguments.value(keys)))
    }

    /// The JWT, and the document that says what to expect.
    private static func token(of kind: Kind, _ session: Session) throws(Failure) -> (String, Input) {
        switch try TokenText.read(session, members) {
        case .jwt(let text):
            var profile: JSONObject?
            if let name = session.arguments.value(GeneralOption.profile) {
                profile = try session.inputs.profiles.read(name)
            }
            return (text, try session.inputs.input(members, members: [:], profile: profile))
        case .document(let input):
            let name = kind.rawValue
            let text: String? =
                switch kind {
                case .idToken: try lift(try input.document.string(name))
                case .accessToken: try input.secret(name)
                case .logoutToken, .other: nil
                }
            guard let text else {
                guard kind == .idToken || kind == .accessToken else {
                    throw .usage(
                        "a document holds no \(name)", hint: "pass the JWT itself, or name its file: --jwt-file")
                }
                throw Failure(input.document.missing(name))
            }
            session.diagnostics.redactor.add(text)
            return (text, input)
        }
    }

    /// The command.
    static let command = Command(
        "verify", section: "Step by step", summary: "check a JWT and print its claims",
        description: description, operands: [TokenText.operand],
        options: [type, audience, nonce, keys, TokenText.file] + members.map(\.option) + GeneralOption.tokenInput
            + OutputOption.allAndStrict + GeneralOption.server,
        examples: [
            Example(
                "Check the ID token of a document again.", command: "oap verify --jq .sub -r < token.json",
                output: "1815"),
            Example(
                "Check a JWT that another program has, by the issuer and the client of the environment.",
                command: "jq -r .id_token token.json | oap verify --jq .sub -r", output: "1815"),
            Example("In a script.", command: "oap verify < token.json > /dev/null && echo valid", output: "valid"),
        ],
        seeAlso: [
            ManualReference("oap-inspect", 1), ManualReference("oap-introspect", 1), ManualReference("oap-userinfo", 1),
        ], writesErrorDocuments: false, run: run)

    private static let description = """
        Checks the ID token of a document on standard input, or a JWT, and prints its claims. What fails a check is exit \
        status 9, and no claim of it is printed.

        The `issuer` and the `client_id` are those of the document, of an option or a variable, or with `-p NAME` of a \
        profile; the JWT does not choose them. Beside `-p` the JWT is the operand or in `--jwt-file`, which may be \
        `/dev/stdin`; without either, the one of the stored token is checked, and standard input is not read. The keys are those at the issuer's `jwks_uri`, which is looked for in the \
        metadata of the issuer, or those in `--jwks-file`. Keys in the JWT (`jwk`, `jku`, `x5c`) are not looked at, and \
        one whose header has `crit` is refused.

        The algorithm must be one with a public key. For ID tokens and logout tokens it is also the one of \
        `id_token_signed_response_alg`, else one of `id_token_signing_alg_values_supported`, else RS256; HMAC counts \
        only if it was registered so, with the client secret as the key. `none` never counts.

        Of every kind `iss`, `aud`, `exp`, `iat` and `nbf` are checked, with 30 seconds of tolerance, and 300 where the clock here is slow. An ID token must \
        have `sub`, and is compared with the access token of its document by `at_hash`. An access token must have the \
        `typ` `at+jwt`, and `sub`, `client_id` and `jti`. A logout token must have `jti`, the `events` of a logout, `sub` \
        or `sid`, and no `nonce`; whether it was seen before is for the caller to know.
        """
}
