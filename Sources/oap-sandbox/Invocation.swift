internal import CommandSpec
internal import Sandbox
internal import Wire

/// What a command line asks for.
struct Invocation {
    /// How the server behaves.
    private(set) var settings = SandboxSettings()
    /// The port; 0 for a free one.
    let port: Int
    /// The command of `--run` with its arguments.
    let command: [String]?

    /// Reads the options.
    ///
    /// - Throws: with status 2, for a value that makes no sense.
    init(_ arguments: Arguments) throws(Failure) {
        guard arguments.has(SandboxOption.run) == !arguments.operands.isEmpty else {
            throw arguments.operands.isEmpty
                ? Failure(.usage, "--run needs a command") : Failure(.usage, "a command needs --run before it")
        }
        command = arguments.operands.isEmpty ? nil : arguments.operands
        port = try Self.number(SandboxOption.port, of: arguments, in: 0...65535) ?? 0
        if let consent = arguments.value(SandboxOption.consent).flatMap({ SandboxSettings.Consent(rawValue: $0) }) {
            settings.consent = consent
        }
        settings.redirectURIs = try Self.redirectURIs(arguments)
        settings.allowsPlainChallenge = arguments.has(SandboxOption.plainPKCE)
        settings.requiresPushedRequests = arguments.has(SandboxOption.requirePushed)
        settings.rotatesRefreshTokens = arguments.has(SandboxOption.rotate)
        settings.requiresDPoPNonce = arguments.has(SandboxOption.nonce)
        settings.answersFormEncoded = arguments.has(SandboxOption.formEncoded)
        settings.answersErrorsWith200 = arguments.has(SandboxOption.error200)
        let longest = 1...999_999_999
        if let value = try Self.number(SandboxOption.interval, of: arguments, in: 1...3600) {
            settings.pollingInterval = value
        }
        if let value = try Self.number(SandboxOption.expiresIn, of: arguments, in: longest) {
            settings.accessTokenLifetime = value
        }
        if let value = try Self.number(SandboxOption.rateLimit, of: arguments, in: longest) {
            settings.rateLimit = value
        }
        for text in arguments.values(SandboxOption.fault) { settings.faults.append(try Self.fault(text)) }
    }

    private static func number(
        _ option: Option, of arguments: Arguments, in range: ClosedRange<Int>
    ) throws(Failure) -> Int? {
        guard let text = arguments.value(option) else { return nil }
        guard let number = Decimal.whole(text), range.contains(number) else {
            throw Failure(
                .usage, "\(option.name) must be a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    private static func redirectURIs(_ arguments: Arguments) throws(Failure) -> [String] {
        let uris = arguments.values(SandboxOption.redirectURI)
        guard uris.allSatisfy({ WebURL($0).map { $0.fragment == nil } ?? false }) else {
            throw Failure(.usage, "--redirect-uri must be an absolute URI without a fragment")
        }
        return uris
    }

    private static func fault(_ text: String) throws(Failure) -> Fault {
        do throws(FaultSyntaxError) {
            return try Fault(parsing: text)
        } catch {
            throw Failure(.usage, "--fault: \(error.message)", hint: error.hint)
        }
    }
}
