internal import CommandSpec
internal import Sandbox

enum SandboxOption {
    private static let count = ValueForm.number(1...999_999_999)

    private static func lifetime(_ long: String, _ standard: String, of subject: String, in section: String) -> Option {
        Option(
            long, argument: "SECONDS", form: count, standard: standard, section: section,
            summary: "lifetime of \(subject)")
    }

    static let port = Option(
        "port", argument: "PORT", form: .number(0...65535), otherwise: "a free one", section: "Server",
        summary: "listen on this port")
    static let run = Option("run", section: "Server", summary: "run a command, and end with it")
    static let issuer = Option(
        "issuer", argument: "URL", otherwise: "the sandbox's own address", section: "Server",
        summary: "the issuer, for a proxy in front")
    static let certificate = Option.file(
        "tls-certificate-file", section: "Server", summary: "serve TLS with this certificate")
    static let key = Option.file("tls-key-file", section: "Server", summary: "the key of the certificate")
    static let certificatePort = Option(
        "mtls-port", argument: "PORT", form: .number(0...65535), section: "Server",
        summary: "ask for client certificates at this port")
    static let clientAuthorities = Option.file(
        "mtls-ca-file", section: "Server", summary: "trust client certificates of these issuers")
    static let log = Option.file("log", section: "Server", summary: "append a line to FILE for each request")
    static let verbose = Option("verbose", short: "v", section: "Server", summary: "print a line for each request")
    static let consent = Option(
        "consent", argument: "WHO", choices: SandboxSettings.Consent.allCases.map(\.rawValue), standard: "auto",
        section: "Login", summary: "how logins are decided")
    static let redirectURI = Option(
        "redirect-uri", argument: "URI", isRepeatable: true, section: "Login", summary: "another redirect URI")
    static let client = Option(
        "client", argument: "FILE", isRepeatable: true, completes: .files, section: "Login",
        summary: "add the client in this file")
    static let user = Option(
        "user", argument: "FILE", isRepeatable: true, completes: .files, section: "Login",
        summary: "a user, in place of ada")
    static let scope = Option(
        "scope", argument: "VALUE", isRepeatable: true, section: "Login", summary: "another scope value")
    static let detailType = Option(
        "authorization-details-type", argument: "TYPE", isRepeatable: true, section: "Login",
        summary: "another type of authorization details")
    static let optionalPKCE = Option("pkce-optional", section: "Login", summary: "accept requests without PKCE")
    static let plainPKCE = Option("pkce-plain", section: "Login", summary: "accept the plain PKCE challenge too")
    static let requirePushed = Option(
        "require-par", section: "Login", summary: "accept only pushed authorization requests")
    static let interval = Option(
        "interval", argument: "SECONDS", form: .number(1...3600), standard: "1", section: "Login",
        summary: "seconds between polls of the device grant")
    static let codeLifetime = lifetime("code-lifetime", "60", of: "codes", in: "Login")
    static let deviceCodeLifetime = lifetime("device-code-lifetime", "600", of: "device codes", in: "Login")
    static let expiresIn = lifetime("expires-in", "3600", of: "access tokens", in: "Tokens")
    static let refreshTokenLifetime = lifetime("refresh-token-lifetime", "1209600", of: "refresh tokens", in: "Tokens")
    static let jwtAccessTokens = Option(
        "jwt-access-tokens", section: "Tokens", summary: "make access tokens that are JWTs")
    static let idTokenAlgorithm = Option(
        "id-token-alg", argument: "ALG", choices: SandboxSettings.idTokenAlgorithms, standard: "ES256",
        section: "Tokens", summary: "the algorithm of ID tokens for the built-in clients")
    static let rotate = Option("rotate", section: "Tokens", summary: "rotate refresh tokens")
    static let nonce = Option("dpop-nonce", section: "Tokens", summary: "require a nonce in every DPoP proof")
    static let rateLimit = Option(
        "rate-limit", argument: "COUNT", form: count, standard: "60", section: "API",
        summary: "requests for /events per minute")
    static let fault = Option(
        "fault", argument: "FAULT", isRepeatable: true, completes: .words(Fault.words), section: "Faults",
        summary: "inject a fault, such as token:503x2")
    static let strictFaults = Option(
        "strict-faults", section: "Faults", summary: "make a fault that was never used an error of --run")
    static let formEncoded = Option("form-encoded", section: "Faults", summary: "answer token requests form-encoded")
    static let error200 = Option(
        "error-200", section: "Faults", summary: "give errors of the token endpoint status 200")
    static let help = Option("help", short: "h", section: "General", summary: "show the options")
    static let version = Option("version", section: "General", summary: "show the versions")
    static let completion = Option(
        "completion", argument: "SHELL", choices: ["bash", "zsh", "fish"], section: "General",
        summary: "print a completion script for a shell")
    static let manual = Option("man", section: "General", summary: "show the manual page")
    static let manualPage = Option("man-page", section: "General", summary: "print the manual page")

    /// All except `--help`, `--man` and others that print a text and end.
    static let all = [
        port, run, issuer, certificate, key, certificatePort, clientAuthorities, log, verbose, consent, client, user,
        scope, detailType, redirectURI, optionalPKCE, plainPKCE, requirePushed, interval, codeLifetime,
        deviceCodeLifetime, expiresIn, refreshTokenLifetime, rotate,
        jwtAccessTokens, idTokenAlgorithm, nonce, rateLimit, fault, strictFaults, formEncoded, error200,
    ]

    static let rules: [OptionRule] = [
        .needs([run], anyOf: [.operand("COMMAND")]), .needs([strictFaults], anyOf: [run]),
        .needs([certificate], anyOf: [key]), .needs([key], anyOf: [certificate]),
        .needs([certificatePort], anyOf: [certificate]), .needs([clientAuthorities], anyOf: [certificatePort]),
    ]
}
