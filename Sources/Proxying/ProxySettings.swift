package import CommandSpec
internal import Loopback
package import Shell
internal import Wire

/// What the command line of `proxy` says (oap-proxy(1)).
package struct ProxySettings {
    private static let (listening, requests, command) = ("Listening", "Requests", "Command")
    package static let listen = Option(
        "listen", argument: "ADDRESS", standard: "127.0.0.1:0", section: listening,
        summary: "HOST:PORT or unix:PATH to listen on")
    package static let ttl = Option(
        "ttl", argument: "TIME", form: .period, section: listening, summary: "end after this time")
    package static let idleTimeout = Option(
        "idle-timeout", argument: "TIME", form: .period, section: listening,
        summary: "end after this time without a request")
    package static let allow = Option(
        "allow", argument: "RULE", isRepeatable: true, section: requests,
        summary: "let only such requests pass")
    package static let deny = Option(
        "deny", argument: "RULE", isRepeatable: true, section: requests, summary: "refuse such requests")
    package static let passCookies = Option(
        "pass-cookies", section: requests, summary: "pass the cookies of requests on")
    package static let log = Option(
        "log", argument: "FILE", completes: .files, section: requests,
        summary: "write a line for each request to a file")
    package static let env = Option(
        "env", argument: "VAR=WHAT", isRepeatable: true, form: .pair, section: command,
        summary: "set a variable to base, key or socket")
    package static let stdio = Option(
        "stdio", section: "MCP", summary: "carry MCP messages between standard streams and the server")
    package static let options = [stdio, listen, ttl, idleTimeout, allow, deny, passCookies, log, env]
    package static let members = MemberOption.of("api_base", "authorization_scheme")

    /// What the bridge takes instead of requests has no effect without it, and nothing else has one with it.
    package static let rules: [OptionRule] = [.apart([stdio], from: options.filter { $0 != stdio })]

    /// Where the proxy listens.
    enum Place {
        case address(LoopbackAddress, port: Int)
        case file(String)
    }

    /// What a variable of the command gets.
    enum Value: String {
        /// The URL to put before the paths of the API, the key in it.
        case base
        /// The key of the session.
        case key
        /// The path of the socket.
        case socket
    }

    let place: Place
    let rules: ProxyRules
    let passesCookies: Bool
    let logFile: String?
    /// How long it lasts, and how long without a request, in seconds.
    let (time, idleTime): (Int?, Int?)
    /// The variables of the command, each for a name of a token; nil for the first.
    let variables: [(name: String, value: Value, login: String?)]

    package init(_ arguments: Arguments) throws(Failure) {
        place = try Self.place(arguments.value(Self.listen) ?? "127.0.0.1:0")
        rules = ProxyRules(
            allowed: try arguments.values(Self.allow).map { (text) throws(Failure) in
                try ProxyRule(text, option: Self.allow.name)
            },
            denied: try arguments.values(Self.deny).map { (text) throws(Failure) in
                try ProxyRule(text, option: Self.deny.name)
            })
        passesCookies = arguments.has(Self.passCookies)
        logFile = arguments.value(Self.log)
        time = arguments.period(Self.ttl)
        idleTime = arguments.period(Self.idleTimeout)
        variables = try arguments.values(Self.env).map { (text) throws(Failure) in try Self.variable(text) }
    }

    private static func place(_ text: String) throws(Failure) -> Place {
        if text.hasPrefix("unix:") {
            let path = String(text.dropFirst(5))
            guard !path.isEmpty else { throw .usage("\(listen.name) unix: needs the path of a socket") }
            return .file(path)
        }
        let host = text.lastIndex(of: ":").map { String(text[..<$0]) } ?? ""
        let bare = host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
        guard let address = LoopbackAddress(anywhere: bare == "localhost" ? "127.0.0.1" : bare),
            let port = Int(text.dropFirst(host.count + 1)), (0...65535).contains(port), address.isIPv6 == (bare != host)
        else {
            throw .usage(
                "\(listen.name) takes HOST:PORT or unix:PATH, not \(Terminal.escaping(text))",
                hint: "for example 127.0.0.1:8080, [::1]:0 or unix:/run/user/1000/oap.sock; port 0 is a free one")
        }
        guard !address.isAny else {
            throw Failure(
                .insecure, .insecureTransport,
                "\(address.text) would let every machine that reaches this one use the token",
                hint: "for containers: \(listen.name) unix:PATH, and mount the socket; or the address of their bridge")
        }
        return .address(address, port: port)
    }

    private static func variable(
        _ text: String
    ) throws(Failure) -> (name: String, value: Value, login: String?) {
        guard let (name, what) = text.cut(at: "=").map({ ($0.before, $0.after) }) else {
            throw .usage("\(env.name) takes VAR=base, VAR=key or VAR=socket")
        }
        try ChildVariables.check(name, of: env)
        let parts = what.cut(at: ":")
        guard let value = Value(rawValue: parts?.before ?? what) else {
            throw .usage(
                "\(env.name) \(Terminal.escaping(name)) takes base, key or socket",
                hint:
                    "base is the URL of the API behind the proxy, key the key of the session; base:NAME for one of several names"
            )
        }
        return (name, value, parts?.after)
    }
}
