internal import Wire

/// A small authorization server with an API: it turns requests into responses and keeps its state in memory. It does no
/// I/O; the clock and the random bytes are passed in. Moments are seconds since 1970, spans of time are seconds.
package final class SandboxServer {
    /// The issuer identifier, the prefix of all its URLs.
    package let issuer: String
    /// The prefix of the URLs at which client certificates are asked for; nil for none.
    let certificateAddress: String?
    let settings: SandboxSettings
    var keys = SigningKeys()
    /// The path of the issuer, which requests may have in front of theirs.
    let issuerPath: String
    var trace = RequestTrace()
    /// The time of the current request, in seconds since 1970.
    var now = 0
    var clients: ClientRegistry
    /// The codes, including used ones.
    var codes = ExpiringTable<Code>()
    var accessTokens = ExpiringTable<IssuedToken>()
    /// The refresh tokens, including used ones.
    var refreshTokens = ExpiringTable<IssuedToken>()
    /// The pushed requests by their URIs.
    var pushedRequests = ExpiringTable<AuthorizationRequest>(capacity: requestCapacity)
    /// The pending decisions, by the ticket of the page.
    var consents = ExpiringTable<PendingConsent>(capacity: requestCapacity)
    /// The pending devices, by device code.
    var devices = ExpiringTable<DeviceAuthorization>()
    /// The pending devices, by user code.
    var userCodes = ExpiringTable<DeviceAuthorization>()
    /// The identifiers of proofs and assertions that have been used.
    var usedIdentifiers = ExpiringTable<Void>()
    /// The number of requests for `/events`.
    var rate = RateWindow()
    var faults: FaultPlan
    let random: (Int) -> [UInt8]
    let nonceSecret: [UInt8]

    /// Makes a server with a new key and two clients.
    ///
    /// - Parameters:
    ///   - issuer: a URL without a slash at the end.
    ///   - certificateAddress: where client certificates are asked for, a URL without a path.
    /// - random: returns this many random bytes.
    /// - Throws: ``SandboxError``, when no key can be made.
    package init(
        issuer: String, certificateAddress: String? = nil, settings: SandboxSettings, random: @escaping (Int) -> [UInt8]
    ) throws(SandboxError) {
        (self.issuer, self.certificateAddress) = (issuer, certificateAddress)
        issuerPath = WebURL(issuer).map { $0.path == "/" ? "" : $0.path } ?? ""
        (self.settings, self.random) = (settings, random)
        clients = ClientRegistry(settings)
        faults = FaultPlan(settings.faults)
        nonceSecret = random(32)
        do throws(Refusal) {
            try keys.prepare(settings.idTokenAlgorithm)
            for own in settings.clients { try prepareKeys(for: own) }
        } catch {
            throw SandboxError("no key can be made; is libcrypto installed (Debian package libssl3)?")
        }
    }

    /// The most pending requests, of up to 64 KiB each: a form on any web page can send them.
    private static let requestCapacity = 256
}

extension SandboxServer {
    func secret(_ kind: String, bytes: Int = 32) -> String { "\(kind)_\(Base64.encodeURL(random(bytes)))" }

    func url(_ path: String) -> String { issuer + path }

    /// The URLs of a path: at the server's own address, and where client certificates are asked for.
    func urls(_ path: String) -> [String] { [issuer, certificateAddress].compactMap { $0.map { $0 + path } } }

    /// Records an identifier that can be used once; false if it has been used.
    func use(identifier: String, for lifetime: Int) -> Bool {
        guard usedIdentifiers.value(identifier, now: now) == nil else { return false }
        usedIdentifiers.insert((), for: identifier, lifetime: lifetime, now: now)
        return true
    }
}
