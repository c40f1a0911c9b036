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
        "type", argument: "TYPE", choices: Kind.allCases.map(\.rawValue), standard: "id_token",
        section: "Request", summary: "the kind of JWT that is expected",
        details: """
            The kind of JWT that is expected: `id_token` (OpenID Connect Core section 3.1.3.7), `access_token` (RFC \
            9068), `logout_token` (OpenID Connect Back-Channel Logout), or `jwt` for any other kind. With `jwt`, only \
            the signature, the issuer, the audience and the times are checked. With the other values, a JWT is refused \
            if its `typ` is that of a different kind.
            """)
    static let audience = Option(
        "audience", argument: "AUDIENCE", otherwise: "client_id; for an access token, resource", section: "Request",
        summary: "whom the JWT must be for",
        details: """
            The audience that `aud` of the JWT must name, in exactly this spelling. For an access token, the default \
            is the `resource` of the document. With `--type jwt`, this option is required. The audience of an ID token \
            or a logout token must always be the `client_id`; this option cannot change that.
            """)
    static let nonce = Option(
        "nonce", argument: "NONCE", section: "Request", summary: "the nonce that the ID token must have",
        details: """
            The `nonce` that was sent in the authorization request, and that the ID token must contain. Without this \
            option, the `nonce` is not checked.
            """)
    static let keys = Option(
        "jwks-file", argument: "PATH", completes: .files, section: "Input", summary: "the keys of the issuer",
        details: """
            Takes the keys from this file, a JWK Set (RFC 7517 section 5), instead of from the issuer's `jwks_uri`.
            """)

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
                "Check a JWT without a document. The issuer and the client come from variables.",
                command: "jq -r .id_token token.json | oap verify --jq .sub -r", output: "1815"),
            Example(
                "In a script, use the exit status of the check.",
                command: "oap verify < token.json > /dev/null && echo valid", output: "valid"),
        ],
        seeAlso: [
            ManualReference("oap-inspect", 1), ManualReference("oap-introspect", 1), ManualReference("oap-userinfo", 1),
        ], writesErrorDocuments: false, run: run)

    private static let description = """
        Checks a JWT and prints its claims. Standard input is either the JWT itself, or a token document whose ID \
        token is checked (with `--type access_token`, its access token). If a check fails, the exit status is 9, and \
        no claim is printed.

        The expected `issuer` and `client_id` never come from the JWT. They come from the document, an option or a \
        variable, or with `-p NAME` from a profile. With `-p`, the JWT is the operand or the content of `--jwt-file`, \
        which may be `/dev/stdin`. If `-p` is given without a JWT, the ID token that is stored under <NAME> is \
        checked. Standard input is not read with `-p`, unless `--jwt-file` names it.

        The keys are those at the issuer's `jwks_uri`, or those in `--jwks-file`. If the document has no `jwks_uri`, \
        it is looked up in the metadata of the issuer. Keys in the header of the JWT (`jwk`, `jku`, `x5c`) are \
        ignored. A JWT whose header has `crit` is refused.

        Signatures with a public-key algorithm, such as ES256, are accepted. For ID tokens and logout tokens, the \
        algorithm must be the `id_token_signed_response_alg` of the document. If the document lacks this member, the \
        algorithm must be one of `id_token_signing_alg_values_supported`. If the document lacks both members, the \
        algorithm must be RS256. HMAC, with the client secret as the key, is accepted only if \
        `id_token_signed_response_alg` names it. The algorithm `none` is never accepted.

        In every JWT, `iss`, `aud`, `exp`, `iat` and `nbf` are checked. The check of the times allows for a clock of \
        this machine that is up to 30 seconds ahead of the server's, or up to 5 minutes behind it. Each kind of JWT \
        has further requirements. An ID token must have a `sub`; if it has an `at_hash`, this must match the access \
        token of the document. An access token must have the `typ` `at+jwt`, a `sub`, a `client_id` and a `jti`. A \
        logout token must have a `jti`, the `events` of a logout, and a `sub` or a `sid`; it must not have a `nonce`. \
        Whether a logout token was used before is not checked; the program that receives logout tokens must check \
        this.
        """
}
