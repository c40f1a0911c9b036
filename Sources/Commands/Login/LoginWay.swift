internal import CommandSpec

/// How a person gets to the login page, and the code comes back from there.
struct LoginWay {
    /// How the code comes back.
    enum Code {
        /// The browser is redirected to this process.
        case redirect
        /// The person pastes what the browser was redirected to.
        case paste
        /// The person types a code on another device (RFC 8628).
        case device
    }

    /// How the code comes back.
    let code: Code
    /// Whether a browser of this machine is opened.
    let opensBrowser: Bool

    static let device = Option(
        "device", section: "Login", summary: "log in with a code on another device",
        details: "Shows a code to type on another device (RFC 8628), for a machine that no browser can reach.")
    static let paste = Option(
        "paste", section: "Login", summary: "paste the redirected URL",
        details: """
            Asks on the terminal for what the browser was redirected to: the whole URL, its query, or the code with the \
            state behind it. For a browser on another machine, whose redirect cannot reach this one.
            """)
    static let noOpen = Option(
        "no-open", section: "Login", summary: "open no browser",
        details: "Prints the URL, and waits for the redirect of a browser that somebody opens.")

    /// Reads the options. Nothing that waits for a person is begun without a terminal, unless an option asks for it.
    ///
    /// - Throws: exit 2 for options that exclude each other, exit 8 without a terminal.
    init(_ arguments: Arguments) throws(Failure) {
        let (usesDevice, pastes) = (arguments.has(Self.device), arguments.has(Self.paste))
        guard !(usesDevice && pastes) else { throw .usage("give --device or --paste, not both") }
        code = usesDevice ? .device : pastes ? .paste : .redirect
        let opens = arguments.has(ListenOption.open) || arguments.has(ListenOption.ephemeral)
        let refuses = arguments.has(Self.noOpen)
        guard !(opens && refuses) else { throw .usage("give --open or --no-open, not both") }
        opensBrowser = opens || (code == .redirect && !refuses)
        try Self.refuse(arguments, for: code)
        guard code != .redirect || opens || refuses || Terminal.isTerminal(2) else {
            throw Failure(
                .loginNeeded, .reauthRequired, "a person must log in, and there is no terminal",
                hint: "run it in a terminal, or with --device, --open or --no-open")
        }
    }

    /// Refuses what would have no effect.
    private static func refuse(_ arguments: Arguments, for code: Code) throws(Failure) {
        let listening = [ListenOption.timeout, ListenOption.bind, ListenOption.certificate, ListenOption.key]
        let asking =
            MemberOption.requestMembers.filter { $0.member != "resource" }.map(\.option)
            + [AuthurlCommand.noPKCE, AuthurlCommand.challengeMethod, AuthurlCommand.push]
        let idle =
            switch code {
            case .redirect: [Option]()
            case .paste: listening
            case .device: listening + asking
            }
        if let option = idle.first(where: { arguments.has($0) }) {
            throw .usage("\(option.name) has no effect with \((code == .paste ? paste : device).name)")
        }
    }
}
