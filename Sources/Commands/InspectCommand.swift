internal import CommandSpec
internal import System
internal import Wire
internal import Shell
internal import Tokens
internal import Sessions

/// `oap inspect`: what a document, a stored token, a JWT, a URL or a certificate says.
enum InspectCommand {
    private static func run(_ session: Session, _ arguments: Arguments) throws(Failure) -> Exit {
        let output = try session.output()
        let (now, isNamed) = (Clock.now, session.inputs.settings.name != nil)
        let summary: JSONObject
        let source: TokenText.Source =
            try arguments.has(raw)
            ? .jwt(try session.inputs.bareToken()) : TokenText.read(session, [])
        switch source {
        case .jwt where isNamed: throw .usage("a JWT and \(GeneralOption.profile.name) cannot be combined")
        case .url where isNamed: throw .usage("a URL and \(GeneralOption.profile.name) cannot be combined")
        case .jwt(let text): summary = try JWTView(text).summary(now: now)
        case .url(let text): summary = try URLView(text).summary(now: now)
        case .pem(let text): summary = try PEMView.summary(of: text, now: now)
        case .document(let input):
            let certificate = input.document.members["tls_client_certificate_file"]?.string
            summary = DocumentView(input.renewable, now: now, certificate: certificate).summary
        }
        guard session.form.isTable else { return try output.finish(summary) }
        return try output.finish(line: InspectionText(summary, now: now).text(width: TerminalSize.columns(of: 1)))
    }

    /// The option for a JWT without a document, which `inspect` reads without it too.
    static let raw = Option(
        "raw", section: "Input", wording: GeneralOption.raw, summary: "standard input holds only a JWT")

    static let command = Command(
        "inspect", section: "Log in and use a token", summary: "show what a token, a document, a JWT or a URL says",
        operands: [TokenText.operand],
        options: [GeneralOption.profile, GeneralOption.tokenFile, GeneralOption.store, GeneralOption.jwtFile, raw]
            + OutputOption.all,
        rules: TokenText.rules + [
            .apart([raw], from: .operand(TokenText.operand.name)),
            .apart([raw], from: [GeneralOption.jwtFile, GeneralOption.profile, GeneralOption.tokenFile]),
            .apart([GeneralOption.jwtFile, GeneralOption.profile]),
        ], writesErrorDocuments: false,
        run: run)
}
