/// How the sandbox behaves.
package struct SandboxSettings: Sendable {
    /// Who decides whether a client is let in.
    package enum Consent: String, Sendable, CaseIterable {
        /// Everything that is asked for is granted at once.
        case automatic = "auto"
        /// Everything is refused.
        case deny
        /// A person decides, on a page.
        case page
    }

    /// Who decides.
    package var consent = Consent.automatic
    /// The seconds that an access token lives.
    package var accessTokenLifetime = 3600
    /// Whether every refresh brings a new refresh token and uses the old one up.
    package var rotatesRefreshTokens = false
    /// Whether the token endpoint answers form-encoded, as GitHub's does to those who do not ask for JSON.
    package var answersFormEncoded = false
    /// Whether errors of the token endpoint have status 200, as GitHub's have.
    package var answersErrorsWith200 = false
    /// Whether the `plain` challenge of PKCE is taken too (RFC 7636 §4.2).
    package var allowsPlainChallenge = false
    /// Whether a proof of possession must have a nonce (RFC 9449 §8).
    package var requiresDPoPNonce = false
    /// Whether authorization requests must be pushed first (RFC 9126 §5).
    package var requiresPushedRequests = false
    /// Redirect URIs that the two clients have besides `/callback` on loopback.
    package var redirectURIs: [String] = []
    /// The seconds between two polls of the device grant (RFC 8628 §3.2).
    package var pollingInterval = 1
    /// How many requests a minute `/events` takes.
    package var rateLimit = 60
    /// How many codes, tokens and so on are kept, of each kind; a new one puts out the oldest.
    package var capacity = 4096
    /// What goes wrong, and when.
    package var faults: [Fault] = []

    /// Makes the settings of a server that behaves.
    package init() {}
}
