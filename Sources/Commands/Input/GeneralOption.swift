internal import CommandSpec
internal import OAuth

/// The options of input, of the transport, and those that are refused.
enum GeneralOption {
    static let nullInput = Option(
        "null-input", short: "n", section: "Input", summary: "read no document from standard input",
        details: """
            Begins with an empty document instead of reading one. All members come from options and environment \
            variables.
            """)
    static let profile = Option(
        "profile", short: "p", argument: "NAME", otherwise: "OAP_PROFILE", completes: StoredNames.both.completion,
        section: "Input", summary: "use a profile and its stored token",
        details: """
            In a command that reads a document, `oap` uses the profile instead of the document, and does not read \
            standard input. The members of the client come from the profile `$XDG_CONFIG_HOME/oap/profiles/NAME.json`. \
            If the command needs a token, `oap` reads the stored token of this name. If `oap` renews the token, it \
            stores the new token before it uses or prints it. Without this option, `oap` uses the name in \
            `OAP_PROFILE`. `OAP_PROFILE` is ignored with `-n` or `--token-file`, or if standard input is a pipe or a \
            file.
            """)
    /// The operand of a command with `-p` and without another operand, which uses the client alone.
    static let profileOperand = Operand(
        "NAME", isRequired: false, completes: StoredNames.profiles.completion, summary: "a profile",
        details: """
            The name of a profile. The command uses the client of this profile. `-p NAME` does the same as this operand.
            """)
    /// The operand of a command with `-p` and without another operand.
    static let nameOperand = Operand(
        "NAME", isRequired: false, completes: StoredNames.both.completion, summary: "a profile and its stored token",
        details: """
            The name of the stored token. If a profile has this name, `oap` takes the members that describe the \
            client, such as `client_id`, from the profile. Instead of this operand, `-p NAME` can give the name.
            """)
    static let named = Option(
        "profile", short: "p", argument: "NAME", otherwise: "OAP_PROFILE", completes: StoredNames.both.completion,
        section: "Input", summary: "the name, instead of the operand",
        details: """
            In a command with the operand NAME, this option means the same as the operand. Without the option and the \
            operand, `oap` uses the name in `OAP_PROFILE`.
            """)
    static let tokenFile = Option(
        "token-file", argument: "PATH", completes: .files, section: "Input", summary: "use the token in a file",
        details: """
            Reads the token document from this file. A renewed token is written to the file before it is used or \
            printed. During the renewal, `oap` locks the file `PATH.lock`, so that no other `oap` renews the token \
            too. If other users can read the token file, `oap` prints a warning. If other users can write to the token \
            file, the command fails. The token file must belong to the user who runs the command, or to root.
            """)
    static let store = Option(
        "store", argument: "STORE", otherwise: "the folder $XDG_STATE_HOME/oap/tokens", variable: "OAP_STORE",
        section: "Input",
        summary: """
            the token store, file:DIR or helper:PROGRAM
            """,
        details: """
            `file:DIR` stores tokens in the folder DIR. `helper:PROGRAM` stores tokens with the Docker credential \
            helper `docker-credential-PROGRAM`. The default is the folder `$XDG_STATE_HOME/oap/tokens`. If the store \
            cannot be used, the command fails with exit status 11. It does not try another store.
            """)
    static let parameter = Option(
        "param", argument: "NAME=VALUE", isRepeatable: true, section: "Request",
        summary: "add a non-standard parameter",
        details: """
            Adds a parameter to the request. `oap` refuses a parameter that it sets itself, such as `state`.
            """)

    static let caCertificate = Option(
        "cacert", argument: "FILE", completes: .files, section: "Transport",
        summary: "trust the certificates in a file",
        details: "Trusts the certificate authorities in this file (PEM), in addition to those of the system.")
    static let certificate = Option(
        "cert", argument: "FILE", completes: .files, section: "Transport", summary: "the client certificate",
        details: """
            The client certificate (PEM) for the TLS connection to the server. If the server redirects the request to \
            another server, that server does not get the certificate. If the server accepts the certificate in place \
            of a client secret (RFC 8705), add `--token-endpoint-auth-method none`. With this method, `oap` sends no \
            secret. If the metadata of the server has the member `mtls_endpoint_aliases`, give the `token_endpoint` \
            inside it as the value of `--token-endpoint`.
            """)
    static let key = Option(
        "key", argument: "FILE", completes: .files, section: "Transport", summary: "the key of the client certificate",
        details: "The private key (PEM) of the certificate in `--cert`.")
    static let proxy = Option(
        "proxy", short: "x", argument: "URL", section: "Transport", summary: "use a proxy",
        details: """
            The proxy for `https` URLs. This option replaces the environment variable `https_proxy`. `oap` connects to \
            loopback addresses without a proxy.
            """)
    static let noProxy = Option(
        "noproxy", argument: "HOSTS", section: "Transport", summary: "hosts reached without the proxy",
        details: """
            The hosts to which `oap` connects without a proxy, separated by commas. This option replaces the \
            environment variable `no_proxy`.
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
            The time limit for one request, from the connection to the end of the response. Fractions are allowed. For \
            each retry, the time limit starts again. The default is 30 seconds for a request to the authorization \
            server. By default, a request of `oap call` to an API has no time limit.
            """)
    static let verbose = Option(
        "verbose", short: "v", isRepeatable: true, section: "Transport", summary: "show requests and responses",
        details: """
            Shows the first line and the header fields of each request and response on standard error. With `-vv`, \
            also shows the bodies, up to 64 KiB of each. As in `curl`, `>` marks the lines that were sent, and `<` the \
            lines that were received. `}` marks the lines of a body that was sent, and `{` the lines of a body that \
            was received. Secrets are masked.
            """)
    static let har = Option(
        "har", argument: "FILE", completes: .files, section: "Transport",
        summary: "write requests and responses to an HTTP Archive",
        details: """
            Writes all requests and responses to this file, with their header fields, bodies and times. The developer \
            tools of a browser can open the file (HTTP Archive 1.2). `oap` masks secrets in the file. Of each body, \
            only the first MiB is written. The file has mode 0600. If the file exists, `oap` replaces it when the \
            command starts. After each response, the file is a valid archive of all requests so far.
            """)
    static let dryRun = Option(
        "dry-run", section: "Transport", summary: "print the request as a curl command",
        details: """
            Prints the request as a `curl` command line on standard output, and sends nothing. `-o` and `--jq` have no \
            effect. In place of each secret, the command line has a shell variable. The command line also contains the \
            options for certificates and the proxy. `oap` locks no token, and stores nothing. If the document lacks \
            the endpoint of the request, `oap` prints the request for the server's metadata instead, and a message on \
            standard error.
            """)

    static let noDiscovery = Option(
        "no-discovery", section: "Transport", summary: "do not look for endpoints that are missing",
        details: """
            If the document lacks an endpoint that the command needs, the command fails. Without this option, `oap` \
            takes the missing endpoint from the metadata of the `issuer` in the document.
            """)

    static let cache = Option(
        "cache", argument: "SECONDS", section: "Transport",
        summary: """
            use metadata and keys at most this many SECONDS old
            """,
        details: """
            Uses the server metadata and keys in the cache, if they are at most this many seconds old. Otherwise, \
            `oap` fetches the metadata and keys, and stores them in the cache: `$XDG_CACHE_HOME/oap/metadata`. \
            Metadata and keys expire after 24 hours, or earlier if the `Cache-Control` of the response says so. If the \
            key of an ID token is not in the cache, `oap` fetches the keys again. If the cache cannot be read or \
            written, the command goes on without the cache.
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
    ///
    /// - Parameter options: the options of the command.
    static func refused(beside options: [Option]) -> [RefusedOption] {
        Member.secrets.map { secret in
            refusal(of: secret, hint: hint(for: secret, options))
        } + [
            RefusedOption(
                "insecure", short: "k", message: "certificates are always checked",
                hint: "--cacert FILE trusts a certificate authority of your own")
        ]
    }

    /// The refusal of an option with the value of a secret.
    static func refusal(of secret: String, hint: String) -> RefusedOption {
        let name = Member.option(for: secret)
        return RefusedOption(
            String(name.dropFirst(2)), message: "\(name) is refused, since every process could read its value",
            hint: hint)
    }

    /// How a command takes a secret that is not allowed on the command line.
    private static func hint(for secret: String, _ options: [Option]) -> String {
        let name = options.contains { $0.long == "\(Member.optionName(for: secret))-file" } ? secret : "client_secret"
        let variable = Member.named(name)?.secretVariable.map { _ in
            ", or a variable such as \(Member.variable(for: name))"
        }
        return "use \(Member.option(for: name))-file PATH\(variable ?? "")"
    }

    /// Refused where `--max-time` is meant.
    static let timeout = RefusedOption(foreign: "timeout", hint: "--max-time SECONDS ends a slow request")

    /// Refused where `--verbose` is meant.
    static let traces = ["debug", "trace", "trace-ascii"].map {
        RefusedOption(foreign: $0, hint: "-v shows requests and responses; --har FILE writes them to a file")
    }

    static let errorDocument = Option(
        "error-document", argument: "FILE", completes: .files, section: "General",
        summary: "write the error document of a failure to a file",
        details: """
            If the command fails, `oap` writes the error document (`oap-documents(5)`) to this file, with mode 0600. \
            With `/dev/fd/N`, `oap` writes the error document to the descriptor N. If the command succeeds, the file \
            is not changed. If `oap` cannot write the file, it prints a message, but the exit status stays the same.
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
