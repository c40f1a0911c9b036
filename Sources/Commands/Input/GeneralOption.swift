internal import CommandSpec
internal import OAuth

/// The options of input, of the transport, and those that are refused.
enum GeneralOption {
    static let nullInput = Option(
        "null-input", short: "n", section: "Input", summary: "read no document from standard input",
        details: """
            Begins with an empty document instead of reading one. All members come from options and variables.
            """)
    static let profile = Option(
        "profile", short: "p", argument: "NAME", otherwise: "OAP_PROFILE", completes: StoredNames.both.completion,
        section: "Input", summary: "use a profile and its stored token",
        details: """
            In a command that reads a document, takes the place of the document: standard input is not read. The \
            members of the client come from the profile `$XDG_CONFIG_HOME/oap/profiles/NAME.json`. If the command \
            needs a token, it comes from the store, and a renewed token is stored before it is used or printed. \
            Without this option, the name in `OAP_PROFILE` is used, unless the document is given in another way: by \
            `-n`, by another option, or by a pipe or a file on standard input.
            """)
    /// The operand of a command with `-p` and without another operand, which uses the client alone.
    static let profileOperand = Operand(
        "NAME", isRequired: false, completes: StoredNames.profiles.completion, summary: "a profile",
        details: "The name of a profile, whose client is used. The same as `-p NAME`.")
    /// The operand of a command with `-p` and without another operand.
    static let nameOperand = Operand(
        "NAME", isRequired: false, completes: StoredNames.both.completion, summary: "a profile and its stored token",
        details: """
            The name of the stored token. If there is a profile of this name, it is used too. The same as `-p NAME`.
            """)
    static let named = Option(
        "profile", short: "p", argument: "NAME", otherwise: "OAP_PROFILE", completes: StoredNames.both.completion,
        section: "Input", summary: "the name, instead of the operand",
        details: """
            In a command whose operand is NAME, the same as this operand. If neither is given, the name in \
            `OAP_PROFILE` is used.
            """)
    static let tokenFile = Option(
        "token-file", argument: "PATH", completes: .files, section: "Input", summary: "use the token in a file",
        details: """
            Reads the token document from this file. A renewed token is written to the file before it is used or \
            printed. During the renewal, the file `PATH.lock` is locked, so that no other `oap` renews the token too. \
            If other users can read the file, a warning is printed. If other users can write to it, or if it belongs \
            neither to the user nor to root, the command fails.
            """)
    static let store = Option(
        "store", argument: "STORE", otherwise: "the folder $XDG_STATE_HOME/oap/tokens", variable: "OAP_STORE",
        section: "Input",
        summary: """
            the token store, file:DIR or helper:PROGRAM
            """,
        details: """
            `file:DIR` stores tokens in the folder DIR. `helper:PROGRAM` stores them with `docker-credential-PROGRAM`, \
            a program of the kind with which Docker stores passwords. The default is the folder \
            `$XDG_STATE_HOME/oap/tokens`. If the store cannot be used, the command fails with exit status 11, and no \
            other store is tried.
            """)
    static let parameter = Option(
        "param", argument: "NAME=VALUE", isRepeatable: true, section: "Request",
        summary: "add a non-standard parameter",
        details: """
            Adds a parameter to the request. A parameter that `oap` sets itself, such as `state`, is refused.
            """)

    static let caCertificate = Option(
        "cacert", argument: "FILE", completes: .files, section: "Transport",
        summary: "trust the certificates in a file",
        details: "Trusts the certificate authorities in this file (PEM), in addition to those of the system.")
    static let certificate = Option(
        "cert", argument: "FILE", completes: .files, section: "Transport", summary: "the client certificate",
        details: """
            The client certificate (PEM) for the TLS connection to the server. If the server redirects the request to \
            another server, that server does not get the certificate. If the server takes the certificate in place of \
            a client secret (RFC 8705), add `--token-endpoint-auth-method none`: no secret is sent then. If the \
            metadata of the server has `mtls_endpoint_aliases`, give the token endpoint that is listed there with \
            `--token-endpoint`.
            """)
    static let key = Option(
        "key", argument: "FILE", completes: .files, section: "Transport", summary: "the key of the client certificate",
        details: "The private key (PEM) of the certificate in `--cert`.")
    static let proxy = Option(
        "proxy", short: "x", argument: "URL", section: "Transport", summary: "use a proxy",
        details: """
            The proxy for `https` URLs, instead of the one in the variable `https_proxy`. Loopback addresses are \
            reached without a proxy.
            """)
    static let noProxy = Option(
        "noproxy", argument: "HOSTS", section: "Transport", summary: "hosts reached without the proxy",
        details: """
            The hosts that are reached without a proxy, separated by commas, instead of those in the variable \
            `no_proxy`.
            """)
    static let connectTimeout = Option(
        "connect-timeout", argument: "SECONDS", standard: "10", section: "Transport",
        summary: "time limit for connecting",
        details: """
            The time limit for the connection to a server, including the TLS handshake. Fractions are allowed.
            """)
    static let maxTime = Option(
        "max-time", short: "m", argument: "SECONDS", otherwise: "30; no limit for call", section: "Transport",
        summary: "time limit for a request",
        details: """
            The time limit for one request, from the connection to the end of the response. Fractions are allowed. The \
            limit is for each attempt; retries have the same limit. The default is 30 seconds for a request to the \
            authorization server. For `call` there is no default.
            """)
    static let verbose = Option(
        "verbose", short: "v", isRepeatable: true, section: "Transport", summary: "show requests and responses",
        details: """
            Shows the first line and the header fields of each request and response on standard error. With `-vv` the \
            bodies are shown too, up to 64 KiB of each. As in `curl`, `>` marks the lines that were sent, and `<` the \
            lines that were received. The lines of a body are marked with `}` if it was sent, and with `{` if it was \
            received. Secrets are masked.
            """)
    static let har = Option(
        "har", argument: "FILE", completes: .files, section: "Transport",
        summary: "write requests and responses to an HTTP Archive",
        details: """
            Writes all requests and responses to this file, with their header fields, bodies and times. The developer \
            tools of a browser can open the file (HTTP Archive 1.2). Secrets are masked as with `-vv`. Of each body, \
            only the first MiB is written. The file has mode 0600. An older file is replaced when the command starts. \
            After each response, the new file is a valid archive of all requests so far.
            """)
    static let dryRun = Option(
        "dry-run", section: "Transport", summary: "print the request as a curl command",
        details: """
            Prints the request as a `curl` command line, and sends nothing. In place of each secret, the command line \
            has a shell variable. The options for certificates and the proxy are in the command line too. No token is \
            locked, and nothing is stored. If an endpoint must be looked up first, the request for the metadata is \
            printed instead, and a message says so. The command line is printed on standard output; `-o` and `--jq` \
            have no effect.
            """)

    static let noDiscovery = Option(
        "no-discovery", section: "Transport", summary: "do not look for endpoints that are missing",
        details: """
            If the document lacks an endpoint that the command needs, the command fails. Without this option, the \
            metadata of the `issuer` in the document is fetched, as `oap discover` does, and supplies the members that \
            are missing.
            """)

    static let cache = Option(
        "cache", argument: "SECONDS", section: "Transport",
        summary: """
            use metadata and keys at most this many SECONDS old
            """,
        details: """
            Uses the stored metadata and keys of a server, if an earlier command with `--cache` fetched them at most \
            this many seconds ago. Otherwise they are fetched, and stored in `$XDG_CACHE_HOME/oap/metadata`. Nothing \
            is used for longer than 24 hours, or for longer than its `Cache-Control` allows. If the key of an ID token \
            is not among the stored keys, the keys are fetched again. If the cache cannot be read or written, the \
            command goes on without it.
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
        "timeout", message: "there is no option --timeout here", hint: "--max-time SECONDS ends a slow request")

    static let errorDocument = Option(
        "error-document", argument: "FILE", completes: .files, section: "General",
        summary: "write the error document of a failure to a file",
        details: """
            If the command fails, its error document (`oap-documents(5)`) is written to this file, which gets mode \
            0600. With `/dev/fd/N`, it is written to the descriptor N. If the command succeeds, the file is not \
            changed. If the file cannot be written, a message is printed, and the exit status stays that of the \
            failure.
            """)

    static let help = Option(
        "help", short: "h", section: "General", summary: "show what a command takes",
        details: """
            Lists the options of a command or, without a command, all commands. `oap help COMMAND` shows the full \
            description of a command.
            """)
    static let version = Option(
        "version", section: "General", summary: "show the version",
        details: "Shows the versions of the program and of its libraries.")
}
