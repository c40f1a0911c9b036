internal import JOSE
internal import Wire

extension SandboxServer {
    /// The keys to fetch before a request is answered: those of a client whose JWT or certificate fits none that are
    /// known, or that has none for its encrypted responses. So a client may change its keys at any time (RFC 7517 §5,
    /// OpenID Connect Core §10.1.1). What was fetched for this request (`done`) is not fetched again.
    package func keyFetch(for request: SandboxRequest, without done: Set<KeyFetch> = []) -> KeyFetch? {
        let request = request.at(ownPath(request.path))
        guard let endpoint = Route.find(request.path)?.endpoint, Self.verifying.contains(endpoint),
            let parameters = try? request.method == "POST" ? request.formParameters() : request.queryParameters()
        else { return nil }
        let signers = Self.jwts.compactMap { name, claims in
            parameters[name].flatMap { text in
                signerWithoutKey(of: text, named: name == "request" ? parameters["client_id"] : nil, in: claims)
            }
        }
        let presenter = (parameters["client_id"].flatMap { clients[$0] }).flatMap { client in
            request.certificate.flatMap { $0.isMissing(at: client) ? client : nil }
        }
        let reader = clientID(namedBy: request, parameters).flatMap { clients[$0] }.flatMap { client in
            client.lacksEncryptionKey ? client : nil
        }
        return (signers + (reader.map { [$0] } ?? []) + (presenter.map { [$0] } ?? [])).lazy.compactMap(\.keyFetch)
            .first { !done.contains($0) }
    }

    /// Takes what a fetch has brought, and returns why there are no new keys; nil if there are. After a failure the client
    /// keeps the keys that it had.
    package func keep(_ document: Result<[UInt8], SandboxError>, of fetch: KeyFetch) -> String? {
        var problem: String?
        clients.update(fetch.clientID) { client in
            guard client.keyFetch == fetch else { return }
            switch document.flatMap({ Self.keys(in: $0) }) {
            case .success(let keys): (client.keys, client.keyFailure) = (keys, nil)
            case .failure(let failure):
                client.keyFailure = "the keys at \(fetch.url) could not be fetched: \(failure.message)".shown(upTo: 300)
            }
            problem = client.keyFailure
        }
        return problem
    }

    /// The endpoints where a client authenticates or sends a request object.
    private static let verifying: Set<Endpoint> = [.authorize, .token, .par, .device, .ciba, .introspect, .revoke]

    /// The parameters with a JWT of a client, and the claims that name the client (RFC 7523 §2, RFC 9101 §4).
    private static let jwts = [
        ("client_assertion", ["sub"]), ("assertion", ["iss"]), ("request", ["client_id", "iss"]),
    ]

    /// The client of a JWT, which is named beside it (`id`) or by a claim in it, if none of its keys has made the signature.
    private func signerWithoutKey(of text: String, named id: String?, in names: [String]) -> Client? {
        guard let signature = try? JSONWebSignature(parsing: text),
            let algorithm = SignatureAlgorithm(named: signature.algorithmName), !algorithm.isSymmetric,
            let claims = (try? JSON(parsing: signature.payload))?.object,
            let client = (id ?? names.lazy.compactMap { claims[$0]?.string }.first).flatMap({ clients[$0] }),
            client.keyFetch != nil
        else { return nil }
        return client.hasSigned(signature, algorithm) ? nil : client
    }

    /// The usable keys of a JWK Set; those that are not understood are ignored (RFC 7517 §5).
    private static func keys(in document: [UInt8]) -> Result<[JSONObject], SandboxError> {
        guard let keys = (try? JSON(parsing: document))?.object?["keys"]?.array else {
            return .failure(SandboxError("the response is not a JWK Set"))
        }
        return .success(keys.compactMap(\.object).filter { (try? JSONWebKey($0)) != nil })
    }
}
