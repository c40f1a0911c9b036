internal import Wire

/// An authorization server and an API in miniature: requests in, responses out, and everything in between in memory. It
/// does no I/O; the clock and the random bytes are passed in.
package final class SandboxServer {
    /// The issuer identifier, which all its URLs begin with.
    package let issuer: String
    /// How it behaves.
    let settings: SandboxSettings
    /// The keys of ID tokens.
    var keys = SigningKeys()
    /// The one reading of the clock for the request under way, in seconds since 1970.
    var now = 0
    /// The clients.
    var clients: ClientRegistry
    /// The codes, those that were used too.
    var codes: ExpiringTable<Code>
    /// The access tokens.
    var accessTokens: ExpiringTable<AccessToken>
    /// The refresh tokens, those that were used too.
    var refreshTokens: ExpiringTable<RefreshToken>
    /// The pushed requests by their URIs.
    var pushedRequests: ExpiringTable<PushedRequest>
    /// What waits for a decision, by the ticket of the page.
    var consents: ExpiringTable<PendingConsent>
    /// The devices that wait, by their codes.
    var devices: ExpiringTable<DeviceAuthorization>
    /// The devices that wait, by the codes that people type.
    var userCodes: ExpiringTable<DeviceAuthorization>
    /// The identifiers of proofs and assertions that have been used.
    var usedIdentifiers: ExpiringTable<Void>
    /// How often `/events` was asked for.
    var rate = RateWindow()
    /// What goes wrong.
    var faults: FaultPlan
    /// Gives random bytes.
    let random: (Int) -> [UInt8]
    /// What the nonces of proofs are derived from.
    let nonceSecret: [UInt8]

    /// Makes a server with a new key and two clients.
    ///
    /// - Parameters:
    ///   - issuer: scheme, host and port, without a slash at the end.
    ///   - random: gives as many random bytes as it is asked for.
    /// - Throws: ``SandboxError``, when no key can be made.
    package init(
        issuer: String, settings: SandboxSettings, random: @escaping (Int) -> [UInt8]
    ) throws(SandboxError) {
        self.issuer = issuer
        self.settings = settings
        self.random = random
        clients = ClientRegistry(redirectURIs: settings.redirectURIs)
        codes = ExpiringTable(capacity: settings.capacity)
        accessTokens = ExpiringTable(capacity: settings.capacity)
        refreshTokens = ExpiringTable(capacity: settings.capacity)
        pushedRequests = ExpiringTable(capacity: min(settings.capacity, Self.requestCapacity))
        consents = ExpiringTable(capacity: min(settings.capacity, Self.requestCapacity))
        devices = ExpiringTable(capacity: settings.capacity)
        userCodes = ExpiringTable(capacity: settings.capacity)
        usedIdentifiers = ExpiringTable(capacity: settings.capacity)
        faults = FaultPlan(settings.faults)
        nonceSecret = random(32)
        do throws(Refusal) {
            try keys.prepare(ClientRegistry.idTokenAlgorithm)
        } catch {
            throw SandboxError(message: "no key can be made; is libcrypto there (Debian package libssl3)?")
        }
    }

    /// The most requests that wait, of 64 KiB at most: the form of any web page can send them.
    private static let requestCapacity = 256
}

/// Why there is no sandbox.
package struct SandboxError: Error {
    /// What happened: lower case, no full stop.
    package let message: String
}

extension SandboxServer {
    /// A new secret that nobody can guess, with a word in front that says what it is.
    func secret(_ kind: String) -> String { "\(kind)_\(Base64.encodeURL(random(32)))" }

    /// The URL of a path.
    func url(_ path: String) -> String { issuer + path }

    /// Notes an identifier that serves once.
    ///
    /// - Returns: whether it is new.
    func use(identifier: String, for lifetime: Int) -> Bool {
        guard usedIdentifiers.value(identifier, now: now) == nil else { return false }
        usedIdentifiers.insert((), for: identifier, lifetime: lifetime, now: now)
        return true
    }
}
