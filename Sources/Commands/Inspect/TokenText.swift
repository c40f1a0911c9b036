internal import CommandSpec
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
        case document(Input)
    }

    static func read(_ session: Session, _ members: [MemberOption]) throws(Failure) -> Source {
        let settings = session.inputs.settings
        if let path = settings.jwtFile {
            return .jwt(try jwt(in: try InputFile.read(path, limit: limit), path, session))
        }
        if let text = settings.jwt { return .jwt(try jwt(in: Array(text.utf8), "the operand", session)) }
        guard case .standardInput = try session.inputs.source() else {
            return .document(try stored(session, members))
        }
        let bytes = try Input.standardInputBytes(
            hint: "name a stored token, pipe a document or a JWT in, or use --jwt-file")
        guard bytes.first(where: { !isSpace($0) }) == UInt8(ascii: "{") else {
            guard bytes.count <= limit else { throw Failure(.badInput, .parse, "the JWT is larger than 1 MiB") }
            return .jwt(try jwt(in: bytes, "standard input", session))
        }
        let object = try Input.documentObject(in: bytes)
        return .document(try session.inputs.input(members, members: object, profile: nil))
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
            guard let name = settings.name, [.loginNeeded, .usage].contains(error.exit),
                (try? FileStatus(at: name))?.isFolder == false
            else { throw error }
            throw error.advising("\(name.shellWord) is a file: to read it, use standard input: < \(name.shellWord)")
        }
    }

    private static func isSpace(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0A, 0x0D].contains(byte) }

    /// The JWT in a text, without white space around it. The redactor learns it.
    private static func jwt(in bytes: [UInt8], _ name: String, _ session: Session) throws(Failure) -> String {
        let words = bytes.split(whereSeparator: isSpace)
        guard words.count == 1, let text = String(validating: words[0], as: UTF8.self) else {
            throw Failure(
                .badInput, .parse, "\(name) is not a JWT: \(words.isEmpty ? "it is empty" : "it has white space in it")"
            )
        }
        session.diagnostics.redactor.add(text)
        return text
    }
}
