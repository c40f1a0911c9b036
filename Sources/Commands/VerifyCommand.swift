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
            9068), `logout_token` (OpenID Connect Back-Channel Logout), or `jwt` for any other kind. With `jwt`, `oap` \
            checks only the signature, the issuer, the audience and the times. With the other values, `oap` refuses a \
            JWT if its `typ` names a different kind.
            """)
    static let audience = Option(
        "audience", argument: "AUDIENCE", otherwise: "client_id; for an access token, resource", section: "Request",
        summary: "whom the JWT must be for",
        details: """
            The expected audience. The `aud` of the JWT must be exactly this text, or an array with exactly this text \
            as an element. For an access token, the \
            default is the `resource` of the document. With `--type jwt`, this option is required. The audience of an \
            ID token or a logout token must be the `client_id`. If this option names another audience for such a \
            token, the command fails with exit status 2.
            """)
    static let nonce = Option(
        "nonce", argument: "NONCE", section: "Request", summary: "the nonce that the ID token must have",
        details: """
            The `nonce` of the authorization request. The ID token must contain the same `nonce`. Without this option, \
            `oap` does not check the `nonce`.
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
                case .accessToken: try session.engine.run(input.with(secrets: [name])).secret(name)
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
                "Check the ID token of a token document.", command: "oap verify --jq .sub -r < token.json",
                output: "1815"),
            Example(
                "Check a JWT without a document. The issuer and the client come from environment variables.",
                command: "jq -r .id_token token.json | oap verify --jq .sub -r", output: "1815"),
            Example(
                "In a script, use the exit status of the check.",
                command: "oap verify < token.json > /dev/null && echo valid", output: "valid"),
        ],
        seeAlso: [
            ManualReference("oap-inspect", 1), ManualReference("oap-introspect", 1), ManualReference("oap-userinfo", 1),
        ], writesErrorDocuments: false, run: run)

    private static let description = """
        Checks a JWT and prints its claims. Standard input is the JWT itself, or a token document. From a token \
        document, `oap` takes the ID token, or with `--type access_token` the access token. If a check fails, the exit \
        status is 9, and no claim is printed.

        The expected `issuer` and `client_id` come from the document, an option, an environment variable or a profile \
        (`-p NAME`). `oap` never takes these two values from the JWT. With `-p`, the JWT is the operand or the content \
        of `--jwt-file`. If `-p` is given without a JWT, `oap` checks the ID token that is stored under <NAME>. With \
        `-p`, `oap` reads standard input only for `--jwt-file /dev/stdin`.

        `oap` verifies the signature with the keys at the issuer's `jwks_uri`, or with the keys in `--jwks-file`. If \
        the document has no `jwks_uri`, `oap` finds this URL in the metadata of the issuer. `oap` ignores keys in the \
        header of the JWT (`jwk`, `jku`, `x5c`). If the header has the member `crit`, `oap` refuses the JWT.

        `oap` accepts public-key algorithms for the signature, such as ES256. For ID tokens and logout tokens, the \
        algorithm must be the `id_token_signed_response_alg` of the document. If the document lacks this member, the \
        algorithm must be one of `id_token_signing_alg_values_supported`. If the document lacks both members, the \
        algorithm must be RS256. `oap` accepts HMAC with the client secret only if `id_token_signed_response_alg` \
        names the HMAC algorithm. `oap` never accepts the algorithm `none`.

        In every JWT, `oap` checks the issuer (`iss`), the audience (`aud`) and the times `exp`, `iat` and `nbf`. \
        `exp` and `iat` are required, except with `--type jwt`. Since clocks differ, `exp` may be up to 30 seconds in \
        the past, `nbf` up to 30 seconds in the future, and `iat` up to 5 minutes in the future.

        Each kind of JWT has further requirements. An ID token must have a `sub`. If an ID token has an `at_hash`, \
        this hash must match the access token of the document. An access token must have the `typ` `at+jwt`, a `sub`, \
        a `client_id` and a `jti`. A logout token must have a `jti`, an `events` claim with the logout event, and a \
        `sub` or a `sid`. A logout token must not have a `nonce`. `oap` does not check whether a logout token was used \
        before. The program that receives logout tokens must do this check.
        """
}
