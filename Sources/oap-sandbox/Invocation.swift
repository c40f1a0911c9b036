internal import CommandSpec
internal import Loopback
internal import Sandbox
internal import System
internal import Wire

/// What a command line asks for.
struct Invocation {
    private(set) var settings = SandboxSettings()
    /// The port; 0 for a free one.
    let port: Int
    /// The command of `--run` with its arguments.
    let command: [String]?

    /// The issuer; nil for the own address.
    let issuer: String?
    /// The certificate and its key; nil for plain http.
    let certificate: LoopbackCertificate?
    /// The port at which client certificates are asked for, 0 for a free one; nil for none.
    let certificatePort: Int?
    /// The certificates of `--mtls-ca-file`.
    let clientAuthorities: [UInt8]?
    let logFile: String?
    /// Whether the log goes to standard error too.
    let isVerbose: Bool
    /// Whether a fault that was never used is an error of the command.
    let isStrictWithFaults: Bool

    init(_ arguments: Arguments) throws(Failure) {
        guard arguments.operands.isEmpty || arguments.has(SandboxOption.run) else {
            throw Failure(.usage, "the operand COMMAND needs --run")
        }
        command = arguments.operands.isEmpty ? nil : arguments.operands
        port = arguments.number(SandboxOption.port) ?? 0
        issuer = try arguments.value(SandboxOption.issuer).map { (text) throws(Failure) in try Self.issuer(text) }
        certificate = try Self.certificate(arguments)
        certificatePort = arguments.number(SandboxOption.certificatePort)
        clientAuthorities = try arguments.value(SandboxOption.clientAuthorities).map(Self.authorities)
        logFile = arguments.value(SandboxOption.log)
        guard logFile != "-" else {
            throw Failure(.usage, "--log needs a file", hint: "to print the log on standard error, use -v")
        }
        isVerbose = arguments.has(SandboxOption.verbose)
        isStrictWithFaults = arguments.has(SandboxOption.strictFaults)
        try take(arguments)
        for path in arguments.values(SandboxOption.client) {
            let checked = settings
            settings.clients.append(
                try Self.use(path) { (document) throws(SandboxError) in try Client(own: document, settings: checked) })
        }
        for text in arguments.values(SandboxOption.fault) { settings.faults.append(try Self.fault(text)) }
    }

    private mutating func take(_ arguments: Arguments) throws(Failure) {
        settings.takesCertificates = certificatePort != nil
        if let consent = arguments.value(SandboxOption.consent).flatMap({ SandboxSettings.Consent(rawValue: $0) }) {
            settings.consent = consent
        }
        settings.redirectURIs = try Self.redirectURIs(arguments)
        settings.requiresPKCE = !arguments.has(SandboxOption.optionalPKCE)
        settings.allowsPlainChallenge = arguments.has(SandboxOption.plainPKCE)
        settings.requiresPushedRequests = arguments.has(SandboxOption.requirePushed)
        settings.rotatesRefreshTokens = arguments.has(SandboxOption.rotate)
        settings.makesJWTAccessTokens = arguments.has(SandboxOption.jwtAccessTokens)
        settings.requiresDPoPNonce = arguments.has(SandboxOption.nonce)
        settings.answersFormEncoded = arguments.has(SandboxOption.formEncoded)
        settings.answersErrorsWith200 = arguments.has(SandboxOption.error200)
        if let algorithm = arguments.value(SandboxOption.idTokenAlgorithm) { settings.setIDTokenAlgorithm(algorithm) }
        settings.scopes = try Self.scopes(arguments)
        settings.detailTypes += arguments.values(SandboxOption.detailType)
        settings.people = try Self.people(arguments)
        let numbers: [(Option, WritableKeyPath<SandboxSettings, Int>)] = [
            (SandboxOption.interval, \.pollingInterval), (SandboxOption.codeLifetime, \.codeLifetime),
            (SandboxOption.deviceCodeLifetime, \.deviceCodeLifetime),
            (SandboxOption.expiresIn, \.accessTokenLifetime),
            (SandboxOption.refreshTokenLifetime, \.refreshTokenLifetime), (SandboxOption.rateLimit, \.rateLimit),
        ]
        for (option, setting) in numbers {
            if let value = arguments.number(option) { settings[keyPath: setting] = value }
        }
    }

    private static func authorities(at path: String) throws(Failure) -> [UInt8] {
        let bytes = PEMBlock.repaired(try read(path))
        guard String(decoding: bytes, as: UTF8.self).contains("-----BEGIN CERTIFICATE-----") else {
            throw Failure(.fileFailed, "cannot use \(path): it has no certificate in PEM")
        }
        return bytes
    }

    private static func redirectURIs(_ arguments: Arguments) throws(Failure) -> [String] {
        let uris = arguments.values(SandboxOption.redirectURI)
        guard uris.allSatisfy({ WebURL($0).map { $0.fragment == nil } ?? false }) else {
            throw Failure(.usage, "--redirect-uri must be an absolute URI without a fragment")
        }
        return uris
    }

    private static func issuer(_ text: String) throws(Failure) -> String {
        guard let url = WebURL(text), ["http", "https"].contains(url.scheme), url.host != nil, url.userinfo == nil,
            url.query == nil, url.fragment == nil
        else { throw Failure(.usage, "--issuer must be an http or https URL without a query and a fragment") }
        return String(text.reversed().drop { $0 == "/" }.reversed())
    }

    private static func certificate(_ arguments: Arguments) throws(Failure) -> LoopbackCertificate? {
        let paths = (arguments.value(SandboxOption.certificate), arguments.value(SandboxOption.key))
        guard case (let chain?, let key?) = paths else { return nil }
        return LoopbackCertificate(chain: try read(chain), key: try read(key))
    }

    private static func scopes(_ arguments: Arguments) throws(Failure) -> [String] {
        let values = arguments.values(SandboxOption.scope)
        guard values.allSatisfy(SandboxSettings.isScopeValue) else {
            throw Failure(.usage, "--scope must be one scope value", hint: "give --scope once for each scope value")
        }
        return values
    }

    private static func people(_ arguments: Arguments) throws(Failure) -> [Person] {
        var people: [Person] = []
        for path in arguments.values(SandboxOption.user) {
            let person = try use(path) { (claims) throws(SandboxError) in try Person(claims: claims) }
            guard !people.contains(where: { $0.subject == person.subject }) else {
                throw Failure(.fileFailed, "cannot use \(path): another user has the same sub")
            }
            people.append(person)
        }
        return people.isEmpty ? [.ada] : people
    }

    private static func read(_ path: String) throws(Failure) -> [UInt8] {
        guard let bytes = try Failure.system("cannot read \(path)", try OpenFile(path).readAll(limit: 1 << 20)) else {
            throw Failure(.fileFailed, "cannot use \(path): it is larger than 1 MiB")
        }
        return bytes
    }

    private static func use<Value>(
        _ path: String, _ make: (JSONObject) throws(SandboxError) -> Value
    ) throws(Failure) -> Value {
        let bytes = try read(path)
        let value: JSON
        do throws(JSONSyntaxError) {
            value = try JSON(parsing: bytes)
        } catch {
            throw Failure(.fileFailed, "cannot use \(path): \(error)")
        }
        guard let document = value.object else {
            throw Failure(.fileFailed, "cannot use \(path): it is JSON, but not an object")
        }
        do throws(SandboxError) {
            return try make(document)
        } catch {
            throw Failure(.fileFailed, "cannot use \(path): \(error.message)")
        }
    }

    private static func fault(_ text: String) throws(Failure) -> Fault {
        do throws(FaultSyntaxError) {
            return try Fault(parsing: text)
        } catch {
            throw Failure(.usage, "--fault: \(error.message)", hint: error.hint)
        }
    }
}
