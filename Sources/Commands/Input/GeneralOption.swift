internal import CommandSpec
internal import OAuth

/// The options of input, of the transport, and those that are refused.
enum GeneralOption {
    static let nullInput = Option(
        "null-input", short: "n", section: "Input", summary: "read no document from standard input",
        details: "Starts from an empty document instead of reading one; all members come from options and variables.")
    static let profile = Option(
        "profile", short: "p", argument: "NAME", otherwise: "OAP_PROFILE", completes: StoredNames.both.completion,
        section: "Input", summary: "use a profile and its stored token",
        details: """
            Reads no document from standard input: the client's members come from the profile \
            `$XDG_CONFIG_HOME/oap/profiles/NAME.json`, and the token, for a command that needs one, from the store. A \
            renewed token is stored before it is used or printed. The default is `OAP_PROFILE`, unless `-n`, \
            another option, or a pipe or a file on standard input gives the document.
            """)
    /// The operand of a command with `-p` and without another operand, which uses the client alone.
    static let profileOperand = Operand(
        "NAME", isRequired: false, completes: StoredNames.profiles.completion, summary: "a profile",
        details: "The same as `-p NAME`: a profile, whose client is used.")
    /// The operand of a command with `-p` and without another operand.
    static let nameOperand = Operand(
        "NAME", isRequired: false, completes: StoredNames.both.completion, summary: "a profile and its stored token",
        details: "The same as `-p NAME`: a profile, and the token that is stored under its name.")
    static let named = Option(
        "profile", short: "p", argument: "NAME", otherwise: "OAP_PROFILE", completes: StoredNames.both.completion,
        section: "Input", summary: "the name, instead of the operand",
        details: "The same as the operand <NAME>. If neither is given, the name is that in `OAP_PROFILE`.")
    static let tokenFile = Option(
        "token-file", argument: "PATH", completes: .files, section: "Input", summary: "use the token in a file",
        details: """
            Reads the token document from this file, and stores a renewed one there before it is used or printed, \
            under a lock (`PATH.lock`). A file that others can read is used with a warning; a file that others can \
            write to, or that belongs to neither the user nor root, is refused.
            """)
    static let store = Option(
        "store", argument: "STORE", otherwise: "the folder $XDG_STATE_HOME/oap/tokens", variable: "OAP_STORE",
        section: "Input",
        summary: """
            where tokens are stored: file:DIR or helper:PROGRAM
            """,
        details: """
            `file:DIR` stores tokens in a folder, and `helper:PROGRAM` with the program `docker-credential-PROGRAM`, as \
            Docker stores passwords. The default is the folder `$XDG_STATE_HOME/oap/tokens`. If the store cannot be \
            used, the command fails with exit status 11; there is no fallback.
            """)
    static let parameter = Option(
        "param", argument: "NAME=VALUE", isRepeatable: true, section: "Request",
        summary: "add a non-standard parameter",
        details: "Adds a parameter to the request. Parameters of the protocol itself cannot be set this way.")

    static let caCertificate = Option(
        "cacert", argument: "FILE", completes: .files, section: "Transport",
        summary: "trust the certificates in a file",
        details: "Trusts the certificates in this file (PEM) in addition to the system's.")
    static let certificate = Option(
        "cert", argument: "FILE", completes: .files, section: "Transport", summary: "the client certificate",
        details: """
            Presents this client certificate (PEM) to the server of the request, and not to a server to which it \
            redirects.
            """)
    static let key = Option(
        "key", argument: "FILE", completes: .files, section: "Transport", summary: "the key of the client certificate",
        details: "The private key (PEM) of `--cert`.")
    static let proxy = Option(
        "proxy", argument: "URL", section: "Transport", summary: "use a proxy",
        details:
            "The proxy for `https`, instead of `https_proxy`. Loopback is always reached directly.")
    static let noProxy = Option(
        "noproxy", argument: "HOSTS", section: "Transport", summary: "hosts reached without the proxy",
        details: "A comma-separated list of hosts that are reached directly, instead of `no_proxy`.")
    static let connectTimeout = Option(
        "connect-timeout", argument: "SECONDS", standard: "10", section: "Transport",
        summary: "time limit for connecting",
        details: "The time limit for the connection, TLS handshake included. Fractions are allowed.")
    static let maxTime = Option(
        "max-time", short: "m", argument: "SECONDS", otherwise: "30; no limit for call", section: "Transport",
        summary: "time limit for a request",
        details: """
            The time limit for a whole request; fractions are allowed. The default is 30 for a request to the \
            authorization server, and no limit for `call`.
            """)
    static let verbose = Option(
        "verbose", short: "v", isRepeatable: true, section: "Transport", summary: "show requests and responses",
        details: """
            Shows the first line and the headers of requests and responses on standard error. With `-vv` the bodies \
            are shown too, up to 64 KiB of each: `}` begins the lines that were sent, and `{` those that were \
            received. Secrets are masked.
            """)
    static let har = Option(
        "har", argument: "FILE", completes: .files, section: "Transport",
        summary: "write requests and responses to an HTTP Archive",
        details: """
            Writes requests and responses with their headers, bodies and times to this file (HTTP Archive 1.2), which \
            the developer tools of a browser can read. Secrets are masked as with `-vv`. Only the first MiB of each \
            body is written. The file has mode 0600, replaces an older one at the start of the command, and is \
            complete after each response.
            """)
    static let dryRun = Option(
        "dry-run", section: "Transport", summary: "print the request as a curl command",
        details: """
            Prints the request as a curl command line, with variables in place of secrets and with the certificates \
            and the proxy of the options, and sends nothing. No lock is taken, and nothing is stored. If an endpoint \
            must be looked up first, the request for the metadata is printed instead, and a message says so. The \
            command line goes to standard output; `-o` and `--jq` have no effect.
            """)

    static let noDiscovery = Option(
        "no-discovery", section: "Transport", summary: "do not look for endpoints that are missing",
        details: """
            Fails if the document lacks an endpoint that the command needs. Without this option, if the document has \
            an `issuer`, its metadata is fetched, as by `oap discover`, and adds the missing members.
            """)

    static let cache = Option(
        "cache", argument: "SECONDS", section: "Transport",
        summary: """
            use metadata and keys at most this many SECONDS old
            """,
        details: """
            Uses metadata and keys of servers that an earlier command with `--cache` fetched at most this many seconds \
            ago, and stores those that it fetches in `$XDG_CACHE_HOME/oap/metadata`. They are used for at most 24 \
            hours, and no longer than their `Cache-Control` allows. If the key of an ID token is not among the stored \
            keys, the keys are fetched again. A cache that cannot be read or written is not an error.
            """)

    /// The options of a command that reads a document.
    static let input = [nullInput, profile]
    /// The options of a command that reads a token document, which may be a stored one.
    static let tokenInput = [nullInput, profile, tokenFile, store]
    /// The options of every command that talks to an authorization server whose metadata may be needed.
    static let server = [noDiscovery, cache] + transport
    /// The options of every command that talks to a server.
    static let transport = [caCertificate, certificate, key, proxy, noProxy, connectTimeout, maxTime, verbose, har]

    /// Refused where `--dry-run` is meant, by a command that sends several requests.
    static let noDryRun = RefusedOption(
        "dry-run", message: "there is no option --dry-run here: what is sent depends on the responses",
        hint: "-vv shows what is sent; oap token NAME --dry-run shows the request of a renewal")

    /// The options that are refused with a message of their own.
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

    /// Refused where `--max-time` is meant.
    static let timeout = RefusedOption(
        "timeout", message: "there is no option --timeout here", hint: "--max-time SECONDS limits a request")

    static let errorDocument = Option(
        "error-document", argument: "FILE", completes: .files, section: "General",
        summary: "write the error document of a failure to a file",
        details: """
            If the command fails, its error document (`oap-documents(5)`) is written to the file, with mode 0600, \
            whole or not at all. `/dev/fd/N` writes it to a descriptor. If the command succeeds, the file is not \
            touched. If the file cannot be written, a message says so, and the exit status is still that of the failure.
            """)

    static let help = Option(
        "help", short: "h", section: "General", summary: "show what a command takes",
        details: "Lists the options; `oap help COMMAND` shows everything.")
    static let version = Option(
        "version", section: "General", summary: "show the version",
        details: "Shows the versions of the program and of its libraries.")
}
