internal import CommandSpec
internal import OAuth

/// The options of input, of the transport, and those that are refused.
enum GeneralOption {
    static let nullInput = Option(
        "null-input", short: "n", section: "Input", summary: "read no document from standard input",
        details: "Starts from an empty document; options and variables say everything.")
    static let profile = Option(
        "profile", short: "p", argument: "NAME", section: "Input", summary: "use a profile and its stored token",
        details: """
            Reads no document from standard input: the client's members come from the profile \
            `$XDG_CONFIG_HOME/oap/profiles/NAME.json`, and for a command that works on a token, the token from the store. \
            A renewed token is stored before it is used or printed.
            """)
    static let tokenFile = Option(
        "token-file", argument: "PATH", completes: .files, section: "Input", summary: "use the token in a file",
        details: """
            Reads the token document from this file, and stores a renewed one there before it is used or printed, under \
            a lock (`PATH.lock`). A file that others can read is used with a warning; one that \
            they can write to, or that belongs to neither the user nor root, is refused.
            """)
    static let store = Option(
        "store", argument: "STORE", variable: "OAP_STORE", section: "Input", summary: "where tokens are kept",
        details: """
            `file:DIR` is a folder, and `helper:NAME` the program `docker-credential-NAME`, which keeps tokens where Docker \
            keeps passwords. By default it is the folder `$XDG_STATE_HOME/oap/tokens`. What cannot be used is exit status 11: \
            nothing else is taken in its place.
            """)
    static let parameter = Option(
        "param", argument: "NAME=VALUE", isRepeatable: true, section: "Request",
        summary: "add a parameter of the server's own",
        details: "Adds a parameter to the request. The parameters of the protocol itself cannot be set this way.")

    static let caCertificate = Option(
        "cacert", argument: "FILE", completes: .files, section: "Transport",
        summary: "trust the certificates in a file",
        details: "Trusts the certificates in this file (PEM) beside those of the system.")
    static let certificate = Option(
        "cert", argument: "FILE", completes: .files, section: "Transport", summary: "the client certificate",
        details: "Shows this certificate (PEM) to the server that is asked, and to no other.")
    static let key = Option(
        "key", argument: "FILE", completes: .files, section: "Transport", summary: "the key of the client certificate",
        details: "The private key (PEM) of `--cert`.")
    static let proxy = Option(
        "proxy", argument: "URL", section: "Transport", summary: "use a proxy",
        details:
            "Goes through this proxy instead of the one that `https_proxy` names. Loopback is always reached directly.")
    static let noProxy = Option(
        "noproxy", argument: "HOSTS", section: "Transport", summary: "hosts to reach without the proxy",
        details: "Hosts, with commas between them, that are reached directly; instead of `no_proxy`.")
    static let connectTimeout = Option(
        "connect-timeout", argument: "SECONDS", section: "Transport", summary: "the most seconds to connect (10)",
        details: "How long a connection may take to be made, TLS included. Fractions are allowed.")
    static let maxTime = Option(
        "max-time", short: "m", argument: "SECONDS", section: "Transport", summary: "the most seconds for a request",
        details: """
            How long a whole request may take; fractions are allowed. By default 30 for a request to the authorization \
            server, and no limit for `call`.
            """)
    static let verbose = Option(
        "verbose", short: "v", section: "Transport", summary: "show the heads of requests and responses",
        details: "Shows the heads of requests and responses on standard error. Secrets are masked.")

    /// The options of every command that talks to a server.
    static let transport = [caCertificate, certificate, key, proxy, noProxy, connectTimeout, maxTime, verbose]

    /// What no command takes, whatever other programs do.
    static let refused =
        Member.secrets.map { secret in
            let name = Member.option(for: secret)
            return RefusedOption(
                String(name.dropFirst(2)), message: "\(name) is refused, since every process could read its value",
                hint: "use --client-secret-file PATH, or a variable such as OAP_CLIENT_SECRET")
        } + [
            RefusedOption(
                "insecure", short: "k", message: "certificates are always checked",
                hint: "--cacert FILE trusts a certificate authority of your own")
        ]

    static let help = Option(
        "help", short: "h", section: "General", summary: "show what a command takes",
        details: "Shows the options in short; `oap help COMMAND` shows everything.")
    static let version = Option(
        "version", section: "General", summary: "show the version",
        details: "Shows the versions of the program and of its libraries.")
}
