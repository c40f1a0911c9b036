package import CommandSpec
package import OAuth
package import Wire
package import Shell

/// How the user opens the login page, and how the code is returned.
package struct LoginWay {
    /// How the code is returned.
    package enum Code {
        /// The browser is redirected to this process.
        case redirect
        /// The user pastes the redirected URL.
        case paste
        /// The user types a code on another device (RFC 8628).
        case device
        /// The server asks the user on a device of the user's (CIBA).
        case backchannel
        /// No user takes part: the client has a grant of its own.
        case none

        /// The member that names the endpoint at which a login begins.
        package var start: String {
            switch self {
            case .device: "device_authorization_endpoint"
            case .backchannel: "backchannel_authentication_endpoint"
            case .redirect, .paste, .none: "authorization_endpoint"
            }
        }
    }

    package private(set) var code: Code
    /// The grant that needs no user.
    package private(set) var grant: Grant.Kind?
    package private(set) var opensBrowser: Bool
    /// Whether everything is printed that a browser on another machine needs.
    let isHeadless: Bool
    /// The options without effect that do no harm: hints for the login page.
    package private(set) var idle: [Option] = []
    /// The first option that has no effect on a grant without a user.
    private let ofUser: Option?
    /// Whether an option says that no terminal is needed.
    private let isExplicit: Bool

    package static let device = Option("device", section: "Login", summary: "log in with a code on another device")
    package static let ciba = Option("ciba", section: "Login", summary: "let the server ask the user, without a page")
    package static let paste = Option("paste", section: "Login", summary: "paste the redirected URL")
    package static let grant = Option(
        "grant", argument: "GRANT", completes: .words(Grant.Kind.repeatableNames), section: "Login",
        summary: "get the token by another grant")
    package static let noOpen = Option("no-open", section: "Login", summary: "do not open a browser")

    package static let headless = Option(
        "headless", section: "Login", summary: "log in with a browser on another machine")

    package init(_ arguments: Arguments) throws(Failure) {
        let ways: [(Option, Code)] = [(Self.device, .device), (Self.ciba, .backchannel), (Self.paste, .paste)]
        code = ways.first { arguments.has($0.0) }?.1 ?? .redirect
        let opens = arguments.has(ListenOption.open) || arguments.has(ListenOption.ephemeral)
        isHeadless = arguments.has(Self.headless)
        let refuses = arguments.has(Self.noOpen) || isHeadless
        isExplicit = opens || refuses
        ofUser = Self.ofUser.first(where: arguments.has)
        opensBrowser = opens || (code == .redirect && !refuses)
        if let name = arguments.value(Self.grant) {
            try use(Grant.Kind(named: name))
        } else if code == .device {
            idle = Self.hintOptions.filter { arguments.has($0) }
        }
    }

    /// Uses the grant that the profile names, unless the command line says how a user logs in.
    ///
    /// - Throws: exit 2 for options that have no effect then.
    package mutating func useGrant(of client: JSONObject) throws(Failure) {
        guard grant == nil, code == .redirect, !isExplicit, let type = client["grant_type"]?.string else { return }
        let kind = Grant.Kind(named: type)
        guard kind.isRepeatable else { return }
        if let option = ofUser {
            throw .usage("\(option.name) has no effect: the grant of the profile is \(type)")
        }
        try use(kind)
    }

    private mutating func use(_ kind: Grant.Kind) throws(Failure) {
        guard kind.isRepeatable else {
            throw .usage(
                "the grant \(kind.type) needs a user", hint: "leave \(Self.grant.name) out, or use --device")
        }
        (grant, code, opensBrowser) = (kind, .none, false)
    }

    /// The members that only make the login page easier.
    private static let hints = ["login_hint", "ui_locales"]
    private static var hintOptions: [Option] {
        MemberOption.requestMembers.filter { hints.contains($0.member) }.map(\.option)
    }

    /// Checks that somebody can see the URL: without a terminal, a login that waits for the user needs an explicit
    /// option.
    ///
    /// - Throws: exit 8 without a terminal.
    package func checkTerminal() throws(Failure) {
        guard code != .redirect || isExplicit || Terminal.isTerminal(2) else {
            throw Failure(
                .loginNeeded, .loginNeeded, "a user must log in, and there is no terminal",
                hint: "run the command in a terminal, or with --device, --open or --headless")
        }
    }

    /// Whether the grant needs no client that the request names.
    var mayLackClient: Bool { grant?.mayLackClient ?? false }

    /// Whether a document lacks the client that the login needs.
    func lacksClient(_ document: Document) -> Bool { !mayLackClient && (document.members["client_id"]?.isNull ?? true) }

    /// The member that keeps the parameters that the command line adds.
    package var parameters: String {
        switch code {
        case .redirect, .paste: "authorization_params"
        case .device: "device_authorization_params"
        case .backchannel: "backchannel_authentication_params"
        case .none: "token_params"
        }
    }

    /// The members of the server's metadata that the login needs.
    ///
    /// - Throws: exit 2 or 3 for a scope that is no string.
    package func metadata(for client: Document) throws(Failure) -> [String] {
        if let grant { return try asFailure(TokenRequest.metadata(for: grant, of: client)) }
        let isSigned = try asFailure(ResponseMode(of: client)).isSigned
        return [code.start, "token_endpoint"] + (try asFailure(IDToken.metadata(for: client)))
            + (isSigned ? ["jwks_uri"] : [])
    }

    /// The options that only a redirect to this machine needs.
    package static let listening = [
        ListenOption.timeout, ListenOption.bind, ListenOption.certificate, ListenOption.key, headless,
    ]

    /// The options of an authorization request, which a device flow and a grant without a user do not send.
    private static let asking =
        MemberOption.requestMembers.filter { !(["resource"] + hints).contains($0.member) }.map(\.option)
        + [LoginOption.port] + AuthorizationFlow.options

    private static func asking(without members: String...) -> [Option] {
        let others = members.map(Member.option)
        return asking.filter { !others.contains($0.name) }
    }

    /// The options of a login with a page that CIBA does not send either.
    private static let unasked =
        asking(without: "acr_values", "authorization_details") + MemberOption.of("ui_locales").map(\.option)

    /// The options that have no effect on a grant without a user.
    private static let ofUser =
        listening + asking(without: "authorization_details") + hintOptions

    /// How a client without users is registered.
    private static let registrationOfMachine = """
        oap discover URL | oap register --grant-types client_credentials -o FILE; oap profile set NAME < FILE; \
        oap login NAME --grant client_credentials
        """

    package static let rules: [OptionRule] = [
        .apart([device, ciba, paste, grant]),
        .apart([[ListenOption.open, ListenOption.ephemeral].words, [noOpen, headless].words]),
        .apart([paste], from: listening), .apart([device], from: listening + asking),
        .apart(
            [ciba],
            from: [ListenOption.open, ListenOption.ephemeral, noOpen] + listening + unasked),
        .apart([device, paste, grant], from: MemberOption.of("binding_message", "requested_expiry").map(\.option)),
        .apart([grant, LoginOption.register], hint: registrationOfMachine),
        .apart([grant], from: [ListenOption.open, ListenOption.ephemeral, noOpen] + ofUser),
    ]
}
