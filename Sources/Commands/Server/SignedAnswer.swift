internal import Errands
internal import OAuth
internal import Wire

extension Input {
    /// What checks the signature of a JWT: the keys of the issuer, or the client secret.
    ///
    /// - Parameter fetches: whether the keys are needed.
    /// - Throws: exit 2 to 11 without them.
    func keys(
        for token: JSONWebToken, fetches: Bool, over transport: Transport
    ) -> Attempt<(keys: KeySet, secret: String?), Failure> {
        guard fetches else {
            guard token.isSymmetric else { return .done(.success((.empty, nil))) }
            return withCredential().reading { (input) throws(Failure) in (.empty, try input.secret("client_secret")) }
        }
        return completed(needing: ["jwks_uri"], over: transport).onward { (input) throws(Failure) in
            let endpoint = try lift(try Endpoint("jwks_uri", in: input.document))
            // Keys are public: their server does not need the identity of the client (RFC 8705 §8).
            let request = ServerRequest(message: KeySet.request(to: endpoint), withCertificate: false)
            let answer = transport.answer(to: request, from: endpoint).mapFailure { Failure($0) }
            return answer.reading { (response) throws(Failure) in
                let keys = try lift(try KeySet(response))
                try transport.diagnostics.warn(keys.warnings)
                return (keys, nil)
            }
        }
    }
}
