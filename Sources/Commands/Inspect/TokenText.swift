internal import CommandSpec
internal import OAuth
internal import System
internal import Shell
internal import Tokens
internal import Sessions

/// The JWT of `oap inspect` and `oap verify`, and the document that it is in, if it is in one.
enum TokenText {
    static let operand = Operand(
        "JWT", isRequired: false, completes: StoredNames.tokens.completion,
        summary: "a JWT, or the name of a stored token")

    static let rules: [OptionRule] = [
        .apart([GeneralOption.jwtFile, GeneralOption.tokenFile], from: .operand(operand.name)),
        .apart([GeneralOption.jwtFile, GeneralOption.tokenFile]),
    ]

    /// The most bytes of a JWT.
    static let limit = 1 << 20

    /// What the command line and standard input give.
    enum Source {
        case jwt(String)
        case url(String)
        case pem(String)
        case document(Input)
    }

    static func read(_ session: Session, _ members: [MemberOption]) throws(Failure) -> Source {
        let settings = session.inputs.settings
        if let path = settings.jwtFile {
            let (bytes, name) =
                try path == "-"
                ? (Input.standardInputBytes(hint: "pipe the JWT in"), "standard input")
                : (InputFile.read(path, limit: limit), path)
            return try text(in: bytes, name, session)
        }
        if let text = settings.jwt { return try Self.text(in: Array(text.utf8), "the operand", session) }
        guard case .standardInput = try session.inputs.source() else {
            return .document(try stored(session, members))
        }
        let hint = "name a stored token, pipe a document or a JWT in, or use --jwt-file"
        let bytes = try Terminal.isTerminal(0) ? typed(session) : Input.standardInputBytes(hint: hint)
        guard bytes.first(where: { !isSpace($0) }) == UInt8(ascii: "{") else {
            guard bytes.count <= limit else { throw Failure(.badInput, .parse, "the JWT is larger than 1 MiB") }
            return try text(in: bytes, "standard input", session)
        }
        let object = try Input.documentObject(in: bytes)
        return .document(try session.inputs.input(members, members: object, profile: nil))
    }

    /// What a person pastes, where neither a pipe nor a name says more: one line, of any length.
    private static func typed(_ session: Session) throws(Failure) -> [UInt8] {
        let terminal = try TypingTerminal()
        session.diagnostics.tell("paste the JWT, alone or in a header field:")
        return Array((try terminal.line() ?? "").utf8)
    }

    private static func stored(_ session: Session, _ members: [MemberOption]) throws(Failure) -> Input {
        let (settings, inputs) = (session.inputs.settings, session.inputs)
        guard !settings.isAlone || settings.name == nil else {
            throw .usage("\(GeneralOption.nullInput.name) and the name of a token cannot be combined")
        }
        do throws(Failure) {
            let input = try Subject(of: session, members).input
            try inputs.sayWhoseToken()
            return input
        } catch {
            guard let name = settings.name, [.loginNeeded, .usage].contains(error.exit) else { throw error }
            if SecretShape.isToken(name) {
                throw error.advising(
                    """
                    if it is an opaque token, only its server can say what it means: oap introspect NAME --raw, with the \
                    token on standard input
                    """)
            }
            guard (try? FileStatus(at: name))?.isFolder == false else { throw error }
            throw error.advising("\(name.shellWord) is a file: to read it, use standard input: < \(name.shellWord)")
        }
    }

    private static func isSpace(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0A, 0x0D].contains(byte) }

    /// The JWT in a text, without white space around it, and also in a header field; or the URL. The redactor learns the JWT.
    private static func text(in bytes: [UInt8], _ name: String, _ session: Session) throws(Failure) -> Source {
        let text = String(validating: bytes, as: UTF8.self) ?? " "
        if text.contains("-----BEGIN ") { return .pem(text) }
        if Callback.isURL(text) { return .url(text) }
        guard let token = AccessToken.copied(in: text) else {
            let isEmpty = bytes.allSatisfy(isSpace)
            throw Failure(
                .badInput, .parse, "\(name) is not a JWT: \(isEmpty ? "it is empty" : "it has white space in it")")
        }
        session.diagnostics.redactor.add(token)
        return .jwt(token)
    }
}
