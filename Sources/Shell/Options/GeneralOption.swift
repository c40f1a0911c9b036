package import CommandSpec
internal import OAuth

/// The options of input, of the transport, and those that are refused.
package enum GeneralOption {
    package static let nullInput = Option(
        "null-input", short: "n", section: "Input", summary: "read no document from standard input")
    package static let profile = Option(
        "profile", short: "p", argument: "NAME", otherwise: "OAP_PROFILE", completes: StoredNames.both.completion,
        section: "Input", summary: "use a profile and its stored token")
    /// The option `-p` of a command that does not ask the variable.
    package static let typedProfile = Option(
        "profile", short: "p", argument: "NAME", completes: StoredNames.both.completion, section: "Input",
        wording: profile, summary: "use a profile and its stored token")
    /// The operand of a command with `-p` and without another operand, which uses the client alone.
    package static let profileOperand = Operand(
        "NAME", isRequired: false, completes: StoredNames.profiles.completion, summary: "a profile",
        details: Manual.options["NAME (a profile)"])
    /// The operand of a command with `-p` and without another operand.
    package static let nameOperand = Operand(
        "NAME", isRequired: false, completes: StoredNames.both.completion, summary: "a profile and its stored token",
        details: Manual.options["NAME (a stored token)"])
    package static let tokenOperand = Operand(
        "NAME", isRequired: false, completes: StoredNames.tokens.completion, summary: "the token's name")
    package static let named = Option(
        "profile", short: "p", argument: "NAME", otherwise: "OAP_PROFILE", completes: StoredNames.both.completion,
        section: "Input", wording: profile, summary: "the name, instead of the operand",
        details: Manual.options["--profile (beside the operand NAME)"])
    package static let tokenFile = Option.file(
        "token-file", argument: "PATH", section: "Input", summary: "use the token in a file")
    package static let documentFile = Option(
        "token-file", argument: "PATH", completes: .files, section: "Input", wording: tokenFile,
        summary: "read the document from a file; - is standard input",
        details: Manual.options["--token-file (beside another document)"])
    package static let jwtFile = Option.file(
        "jwt-file", argument: "PATH", section: "Input", summary: "a file that holds the JWT")
    package static let store = Option(
        "store", argument: "STORE", otherwise: "the folder $XDG_STATE_HOME/oap/tokens", variable: "OAP_STORE",
        section: "Input",
        summary: "file:DIR, helper:PROGRAM, etcd:URL or kubernetes:NAMESPACE")
    package static let storeTrust = Option(
        "store-trust", variable: "OAP_STORE_TRUST", section: "Input",
        summary: "trust the locks of a network file system")
    /// The options of a command that may change a stored token.
    package static let stores = [store, storeTrust]
    /// The option `--raw`, with the summary and the rules of a command that asks about a token.
    package static let raw = Option("raw", section: "Input", summary: "standard input holds only a token")
    /// The rules of `--raw` about the options that name a client or another token.
    package static let rawRules: [OptionRule] = [
        .needs(
            [raw], anyOf: [.option(nullInput), .option(profile), .operand(nameOperand.name)],
            hint: "-p NAME names the client, -n takes it from the options"),
        .apart([raw, tokenFile]),
    ]
    /// The grant of `oap exchange`: it decides whether the document is a flow.
    package static let grant = Option(
        "grant", argument: "GRANT", otherwise: "the one of the code in the document",
        completes: .words(Grant.Kind.names), section: "Request", summary: "the grant type")
    package static let minimumTTL = Option(
        "min-ttl", argument: "SECONDS", form: .number(from: 0),
        otherwise: "60, or a tenth of the lifetime if that is less", section: "Request",
        summary: "renew a token that is valid for fewer seconds")
    package static let parameter = Option(
        "param", argument: "NAME=VALUE", isRepeatable: true, form: .pair, section: "Request",
        summary: "add a non-standard parameter")

    static let caCertificate = Option.file("cacert", section: "Transport", summary: "trust the certificates in a file")
    package static let certificate = Option.file("cert", section: "Transport", summary: "the client certificate")
    package static let key = Option.file("key", section: "Transport", summary: "the key of the client certificate")
    package static let proxy = Option(
        "proxy", short: "x", argument: "URL", section: "Transport", summary: "use a proxy")
    package static let noProxy = Option(
        "noproxy", argument: "HOSTS", section: "Transport", summary: "hosts reached without the proxy")
    package static let connectTimeout = Option(
        "connect-timeout", argument: "SECONDS", form: .seconds(takesZero: true), standard: "10", section: "Transport",
        summary: "time limit for connecting")
    package static let maxTime = Option(
        "max-time", short: "m", argument: "SECONDS", form: .seconds(takesZero: true),
        otherwise: "30; no limit for call", section: "Transport",
        summary: "time limit for a request")
    package static let verbose = Option(
        "verbose", short: "v", isRepeatable: true, section: "Transport", summary: "show requests and responses")
    package static let har = Option.file(
        "har", section: "Transport", summary: "write requests and responses to an HTTP Archive")
    package static let dryRun = Option("dry-run", section: "Transport", summary: "print the request as a curl command")

    package static let noDiscovery = Option(
        "no-discovery", section: "Transport", summary: "do not look for endpoints that are missing")

    package static let cache = Option(
        "cache", argument: "SECONDS", form: .seconds(takesZero: true), section: "Transport",
        summary: "use metadata and keys at most this many SECONDS old")

    /// The options of a command that reads a document.
    package static let input = [nullInput, profile, documentFile]
    /// The options of a command that reads a token document, which may be a stored one.
    package static let tokenInput = [nullInput, profile, tokenFile] + stores
    /// The options of every command that talks to an authorization server whose metadata may be needed.
    package static let server = [noDiscovery, cache] + transport
    /// The options of every command that talks to a server.
    package static let transport = [
        caCertificate, certificate, key, proxy, noProxy, connectTimeout, maxTime, verbose, har,
    ]

    /// Refused where `--dry-run` is meant, by a command that sends several requests.
    package static let noDryRun = RefusedOption(
        "dry-run", message: "there is no option --dry-run here: what is sent depends on the responses",
        hint: "-vv shows what is sent; oap token NAME --dry-run shows the request of a renewal")

    /// The options that are refused with a message of their own.
    ///
    /// - Parameter options: the options of the command.
    package static func refused(beside options: [Option]) -> [RefusedOption] {
        Member.secrets.map { secret in
            refusal(of: secret, hint: hint(for: secret, options))
        } + ForeignNames.options("every") + [
            RefusedOption(
                "insecure", short: "k", message: "certificates are always checked",
                hint: "--cacert FILE trusts a certificate authority of your own")
        ]
    }

    /// The refusal of an option with the value of a secret.
    package static func refusal(of secret: String, hint: String) -> RefusedOption {
        let name = Member.option(for: secret)
        return RefusedOption(
            String(name.dropFirst(2)), message: "\(name) is refused, since every process could read its value",
            hint: hint)
    }

    /// How a command takes a secret that is not allowed on the command line.
    private static func hint(for secret: String, _ options: [Option]) -> String {
        let isOwn = options.contains { $0.long == "\(Member.optionName(for: secret))-file" }
        let name = isOwn ? secret : ClientCredential.secret.member
        let hasVariable = Member.secretsOfEnvironment.contains(name)
        let variable = hasVariable ? ", or a variable such as \(Member.variable(for: name))" : ""
        return "use \(Member.option(for: name))-file PATH\(variable)"
    }

    package static let errorDocument = Option.file(
        "error-document", section: "General", summary: "write the error document of a failure to a file")

    package static let help = Option("help", short: "h", section: "General", summary: "show what a command takes")
    package static let version = Option("version", section: "General", summary: "show the version")
}
