internal import JOSE
internal import Wire

/// The clients: two that are there from the start, and those that register themselves.
struct ClientRegistry {
    private var clients: [String: Client] = [:]
    /// Those that registered themselves, the oldest first.
    private var registered: [String] = []

    /// The most clients that are kept, of 64 KiB of metadata at most; a new one puts out the oldest.
    private static let capacity = 100

    /// Makes the two clients.
    ///
    /// - Parameter redirectURIs: those that they have besides `/callback` on loopback.
    init(redirectURIs: [String]) {
        for var client in [Self.confidential, Self.open] {
            client.redirectURIs += redirectURIs
            clients[client.id] = client
        }
    }

    /// A client by its identifier.
    subscript(id: String) -> Client? { clients[id] }

    /// Adds a client, or puts it in the place of the one with its identifier.
    mutating func register(_ client: Client) {
        if clients.updateValue(client, forKey: client.id) == nil { registered.append(client.id) }
        if registered.count > Self.capacity { clients[registered.removeFirst()] = nil }
    }

    /// Removes a client that registered itself.
    mutating func remove(_ id: String) {
        clients[id] = nil
        registered.removeAll { $0.isIdentical(to: id) }
    }

    /// Where the two clients receive authorization responses, on any port.
    static let redirectURI = "http://127.0.0.1:0/callback"

    /// The client of the document that the sandbox prints. Its secret protects nothing, and is the same everywhere so
    /// that examples can show it.
    static let confidential = Client(
        id: "sandbox", secret: "sandbox-secret-for-tests-and-nothing-else",
        authenticationMethods: [.basic, .post, .secretJWT], redirectURIs: redirectURIs,
        grantTypes: GrantType.allCases, scope: .supported, idTokenAlgorithm: idTokenAlgorithm)

    /// A client without a secret.
    static let open = Client(
        id: "sandbox-public", authenticationMethods: [.none], redirectURIs: redirectURIs,
        grantTypes: [.authorizationCode, .refreshToken, .deviceCode], scope: .supported,
        idTokenAlgorithm: idTokenAlgorithm)

    /// How the ID tokens of both are signed: RSA would take longer than all else in a token request.
    static let idTokenAlgorithm = SignatureAlgorithm.es256

    private static let redirectURIs = ["127.0.0.1", "[::1]", "localhost"].map { "http://\($0)/callback" }
}
