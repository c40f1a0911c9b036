/// The clients: two built-in ones, and registered ones.
struct ClientRegistry {
    private var clients: [String: Client] = [:]
    /// The registered clients, the oldest first.
    private var registered: [String] = []

    /// The most clients that are kept, of 64 KiB of metadata at most; a new one evicts the oldest.
    private static let capacity = 100

    init(_ settings: SandboxSettings) {
        for var client in Self.builtIn {
            client.redirectURIs += settings.redirectURIs
            client.scope = settings.supportedScope
            client.idTokenAlgorithm = settings.idTokenAlgorithm
            clients[client.id] = client
        }
        for own in settings.clients { clients[own.id] = own }
    }

    subscript(id: String) -> Client? { clients[id] }

    /// Adds a client, or replaces the one with its identifier.
    mutating func register(_ client: Client) {
        if clients.updateValue(client, forKey: client.id) == nil { registered.append(client.id) }
        if registered.count > Self.capacity { clients[registered.removeFirst()] = nil }
    }

    /// Changes a client, if it is there.
    mutating func update(_ id: String, _ change: (inout Client) -> Void) {
        guard var client = clients[id] else { return }
        change(&client)
        clients[id] = client
    }

    mutating func remove(_ id: String) {
        clients[id] = nil
        registered.removeAll { $0.isIdentical(to: id) }
    }

    static let builtIn = [confidential, open]

    /// Where the two clients receive authorization responses, on any port.
    static let redirectURI = "http://127.0.0.1:0/callback"

    /// The client of the document that the sandbox prints. Its secret protects nothing, and is the same everywhere so
    /// that examples can show it.
    static let confidential = Client(
        id: "sandbox", secret: "sandbox-secret-for-tests-and-nothing-else",
        authenticationMethods: [.basic, .post, .secretJWT], redirectURIs: redirectURIs,
        grantTypes: GrantType.allCases)

    /// A client without a secret.
    static let open = Client(
        id: "sandbox-public", authenticationMethods: [.none], redirectURIs: redirectURIs,
        grantTypes: [.authorizationCode, .refreshToken, .deviceCode])

    private static let redirectURIs = ["127.0.0.1", "[::1]", "localhost"].map { "http://\($0)/callback" }
}
