internal import CommandSpec
internal import OAuth
internal import System
internal import Wire

/// The JWT of `oap inspect` and `oap verify`, and the document that it is in, if it is in one.
enum TokenText {
    static let file = Option(
        "jwt-file", argument: "PATH", completes: .files, section: "Input", summary: "a file that holds the JWT")
    static let operand = Operand(
        "JWT", isRequired: false, completes: StoredNames.tokens.completion,
        summary: "a JWT, or the name of a stored token")

    /// What contradicts them.
    static let rules: [OptionRule] = [
        .apart([file, GeneralOption.tokenFile], from: .operand(operand.name)),
        .apart([file, GeneralOption.tokenFile]),
    ]

    /// The most bytes of a JWT.
    static let limit = 1 << 20

    /// What the command line and standard input give.
    enum Source {
        case jwt(String)
        case document(Input)
    }

    /// Reads the JWT or the document.
    ///
    /// - Parameter members: the options of the command that are members.
    /// - Throws: exit 2, 3, 8 or 11; the failure of an earlier stage, to be passed on.
    static func read(_ session: Session, _ members: [MemberOption]) throws(Failure) -> Source {
        let arguments = session.arguments
        let operand = arguments.operand(0)
        let isGiven = arguments.has(file) || operand.map(isJWT) == true
        guard !isGiven || !arguments.has(GeneralOption.tokenFile) else {
            throw .usage("a JWT and --token-file cannot be combined")
        }
        let isName = operand.map { !isJWT($0) } ?? false
        if let path = arguments.value(file) {
            return .jwt(try Self.jwt(in: try InputFile.read(path, limit: limit), path, session))
        }
        if let operand, !isName {
            return .jwt(try jwt(in: Array(operand.utf8), "the operand", session))
        }
        if isName, let name = operand {
            guard !arguments.has(GeneralOption.nullInput) else {
                throw .usage("\(GeneralOption.nullInput.name) and the name of a token cannot be combined")
            }
            do throws(Failure) {
                return .document(try stored(try DocumentSource.name(name, arguments) ?? name, session, members))
            } catch {
                guard [.loginNeeded, .usage].contains(error.exit), (try? FileStatus(at: name))?.isFolder == false else {
                    throw error
                }
                throw error.advising(
                    "\(name.shellWord) is a file: to read it, use standard input: < \(name.shellWord)")
            }
        }
        if let managed = try ManagedToken(session.inputs, over: session.transport) {
            return .document(try managed.input(members, members: session.engine.run(managed.load())))
        }
        guard case .standardInput = try session.inputs.source() else {
            return .document(try session.inputs.read(members))
        }
        let bytes = try Input.standardInputBytes(
            hint: "name a stored token, pipe a document or a JWT in, or use --jwt-file")
        guard bytes.first(where: { !isSpace($0) }) == UInt8(ascii: "{") else {
            guard bytes.count <= limit else { throw Failure(.badInput, .parse, "the JWT is larger than 1 MiB") }
            return .jwt(try jwt(in: bytes, "standard input", session))
        }
        let object = try Input.standardInputObject(in: bytes)
        return .document(try session.inputs.input(members, members: object, profile: nil))
    }

    /// The document of a stored token.
    private static func stored(
        _ name: String, _ session: Session, _ members: [MemberOption]
    ) throws(Failure) -> Input {
        let profile = try session.inputs.profiles.find(name)
        let managed = try ManagedToken(named: name, profile: profile, session.inputs, over: session.transport)
        return try managed.input(members, members: session.engine.run(managed.load()))
    }

    private static func isJWT(_ text: String) -> Bool { text.hasPrefix("eyJ") && text.utf8.contains(UInt8(ascii: ".")) }

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
