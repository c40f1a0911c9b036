package import JOSE

/// How the server behaves; times are in seconds.
package struct SandboxSettings: Sendable {
    /// How logins are decided.
    package enum Consent: String, Sendable, CaseIterable {
        case automatic = "auto"
        case deny
        case page
    }

    package var consent = Consent.automatic
    package var accessTokenLifetime = 3600
    package var codeLifetime = 60
    package var deviceCodeLifetime = 600
    package var refreshTokenLifetime = 14 * 86_400
    /// Whether access tokens are JWTs (RFC 9068).
    package var makesJWTAccessTokens = false
    /// The signature algorithm of ID tokens for the built-in clients. RSA would take longer than the rest of a token
    /// request.
    package var idTokenAlgorithm = SignatureAlgorithm.es256
    /// Whether refresh tokens of confidential clients are rotated; those of public clients always are.
    package var rotatesRefreshTokens = false
    /// Whether the token endpoint answers form-encoded, as GitHub's does unless JSON is requested.
    package var answersFormEncoded = false
    /// Whether errors of the token endpoint have status 200, as GitHub's have.
    package var answersErrorsWith200 = false
    /// Whether the `plain` challenge of PKCE is accepted (RFC 7636 §4.2).
    package var allowsPlainChallenge = false
    /// Whether PKCE is required of every client (RFC 9700 §2.1.1).
    package var requiresPKCE = true
    /// Whether a DPoP proof must have a nonce (RFC 9449 §8).
    package var requiresDPoPNonce = false
    /// Whether clients may authenticate by certificates, and tokens be bound to them (RFC 8705).
    package var takesCertificates = false
    /// Whether authorization requests must be pushed first (RFC 9126 §5).
    package var requiresPushedRequests = false
    /// Redirect URIs of the two clients in addition to `/callback` on loopback.
    package var redirectURIs: [String] = []
    /// Scope values in addition to the standard ones.
    package var scopes: [String] = []
    /// The types of authorization details: those of the examples of RFC 9396 §2, and others.
    package var detailTypes = ["payment_initiation", "account_information"]
    package var clients: [Client] = []
    /// The users, the first of whom is signed in unless a request names another; not empty.
    package var people = [Person.ada]
    /// The seconds between two polls of the device grant (RFC 8628 §3.2).
    package var pollingInterval = 1
    /// The limit of requests for `/events` per minute.
    package var rateLimit = 60
    package var faults: [Fault] = []

    package init() {}

    /// The algorithms of ID tokens, the default first.
    package static let idTokenAlgorithms = ["ES256", "RS256", "EdDSA"]

    package mutating func setIDTokenAlgorithm(_ name: String) {
        idTokenAlgorithm = SignatureAlgorithm(named: name) ?? idTokenAlgorithm
    }

    /// Whether a text can be a scope value (RFC 6749 §3.3).
    package static func isScopeValue(_ text: String) -> Bool { (try? Scope(parsing: text))?.values == [text] }

    /// The user whom a `login_hint` means (OpenID Connect Core §3.1.2.1): by login name, email address or subject.
    func person(hinted hint: String?) -> Person {
        guard let hint else { return people[0] }
        return people.first { $0.isNamed(by: hint) } ?? people[0]
    }

    /// The user of a token; nil for a client itself.
    func person(of subject: String) -> Person? { people.first { $0.subject == subject } }

    var supportedScope: Scope { Scope(Scope.standard.values + scopes.filter { !Scope.standard.contains($0) }) }
}
