internal import CommandSpec
internal import OAuth
internal import Wire
internal import Shell
internal import Tokens
internal import Sessions

/// What a program asks a credential helper.
struct CredentialRequest {
    let session: Session
    let search: TokenSearch
    /// The words behind the protocol, and those behind `--`.
    let words: [String]
    let action: String?
    let username: String
    /// The hosts of a netrc line; none for those that the token is for.
    let hosts: [String]
    let wantsIDToken: Bool
    /// The role of AWS, or what is wrong with it; nil for none.
    let role: Result<WebIdentityRole, OAuthError>?

    /// The most bytes of a request.
    private static let limit = 1 << 20

    init(_ arguments: Arguments, _ session: Session) {
        self.session = session
        words = arguments.operands.dropFirst() + arguments.trailing
        action = arguments.operand(1)
        username = arguments.value(CredentialOption.username) ?? CredentialOption.standardUsername
        hosts = arguments.values(CredentialOption.host)
        wantsIDToken = arguments.has(CredentialOption.idToken)
        role = arguments.value(CredentialOption.role).map { arn in
            Result { () throws(OAuthError) in
                try WebIdentityRole(
                    arn: arn,
                    session: arguments.value(CredentialOption.roleSession) ?? CredentialOption.standardRoleSession,
                    duration: arguments.value(CredentialOption.duration).map { Int($0) ?? 0 },
                    region: arguments.value(CredentialOption.region),
                    endpoint: arguments.value(CredentialOption.endpoint))
            }
        }
        search = TokenSearch(session, adding: arguments.values(CredentialOption.allowOrigin))
    }

    /// The minimum of `--min-ttl`, in seconds.
    var minimum: Int? { session.inputs.settings.minimum }

    /// The access token for one of several URLs, which mean the same; nil if none is for it.
    ///
    /// - Throws: as `TokenSearch.token(for:)` and `ManagedToken.handed(minimum:)`.
    func token(for urls: [WebURL]) throws(Failure) -> HandedToken? {
        try search.token(for: urls).map(handed)
    }

    /// What is handed out of a token, which the log of a CI job masks where it can.
    ///
    /// - Throws: as `ManagedToken.handed(minimum:isIDToken:)`.
    func handed(_ managed: ManagedToken, isIDToken: Bool) throws(Failure) -> HandedToken {
        let token = try session.engine.run(managed.handed(minimum: minimum, isIDToken: isIDToken))
        try MaskLine.detected(in: session.environment)?.mask([token.access.token])
        return token
    }

    func handed(_ managed: ManagedToken) throws(Failure) -> HandedToken { try handed(managed, isIDToken: false) }

    /// The token that `-p` names.
    ///
    /// - Throws: exit 2 without `-p`.
    func named() throws(Failure) -> ManagedToken {
        guard let found = try search.named() else {
            throw .usage("the name of a stored token is missing", hint: "use -p NAME")
        }
        return found
    }

    /// The ID token of the token that `-p` names, or its access token if that is a JWT.
    ///
    /// - Throws: exit 2 without `-p`, exit 3 for neither; as `ManagedToken.handed(minimum:isIDToken:)`.
    func identity() throws(Failure) -> (token: HandedToken, isIDToken: Bool) {
        let managed = try named()
        let isIDToken = try session.engine.run(managed.load())["id_token"]?.string != nil
        let token = try handed(managed, isIDToken: isIDToken)
        guard isIDToken || token.access.token.utf8.count(where: { $0 == UInt8(ascii: ".") }) == 2 else {
            throw Failure(
                .badInput, .idTokenMissing, "there is no ID token, and the access token is not a JWT",
                hint: "log in with the scope openid")
        }
        return (token, isIDToken)
    }

    /// Standard input, as text.
    ///
    /// - Throws: exit 3 if it is larger than 1 MiB, not UTF-8, or holds a zero byte.
    func input() throws(Failure) -> String {
        guard let bytes = try InputFile.readAll(.standardInput, limit: Self.limit, name: "standard input"),
            !bytes.contains(0), let text = String(validating: bytes, as: UTF8.self)
        else { throw Self.bad("the request on standard input is not a text of at most 1 MiB") }
        return text
    }

    /// The JSON object on standard input.
    ///
    /// - Throws: exit 3.
    func object() throws(Failure) -> JSONObject {
        try Input.object(in: Array(try input().utf8), name: "the request", exit: .badInput)
    }

    /// A request that breaks the rules of its protocol.
    static func bad(_ message: String) -> Failure { Failure(.badInput, .usage, message) }

    /// A text without a control character; what a program reads as two lines is refused.
    ///
    /// - Throws: exit 3.
    static func line(_ text: String, as name: String) throws(Failure) -> String {
        guard text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
            throw bad("\(name) holds a control character")
        }
        return text
    }
}
