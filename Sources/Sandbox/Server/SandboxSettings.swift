/// The settings of the sandbox.
package struct SandboxSettings: Sendable {
    /// How logins are decided.
    package enum Consent: String, Sendable, CaseIterable {
        /// All requests are granted at once.
        case automatic = "auto"
        /// All requests are refused.
        case deny
        /// The user decides, on a page.
        case page
    }

    /// How logins are decided.
    package var consent = Consent.automatic
    /// The lifetime of access tokens in seconds.
    package var accessTokenLifetime = 3600
    /// Whether refresh tokens are rotated.
    package var rotatesRefreshTokens = false
    /// Whether the token endpoint answers form-encoded, as GitHub's does unless JSON is requested.
    package var answersFormEncoded = false
    /// Whether errors of the token endpoint have status 200, as GitHub's have.
    package var answersErrorsWith200 = false
    /// Whether the `plain` challenge of PKCE is accepted (RFC 7636 §4.2).
    package var allowsPlainChallenge = false
    /// Whether a DPoP proof must have a nonce (RFC 9449 §8).
    package var requiresDPoPNonce = false
    /// Whether authorization requests must be pushed first (RFC 9126 §5).
    package var requiresPushedRequests = false
    /// Redirect URIs of the two clients in addition to `/callback` on loopback.
    package var redirectURIs: [String] = []
    /// The seconds between two polls of the device grant (RFC 8628 §3.2).
    package var pollingInterval = 1
    /// The limit of requests for `/events` per minute.
    package var rateLimit = 60
    /// The capacity for each kind of code and token; a new one evicts the oldest.
    package var capacity = 4096
    /// The faults.
    package var faults: [Fault] = []

    /// Makes the default settings.
    package init() {}
}
