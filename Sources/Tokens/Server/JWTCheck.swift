package import Errands
package import OAuth
package import Wire
internal import Shell

/// The check of a JWT of an issuer: its key is found, then the signature is checked, then the claims.
package struct JWTCheck {
    package var expected: JWTExpectation
    private let input: Input
    private let transport: Transport
    private let cache: MetadataCache?
    /// What the requests for keys are for, in the message before a pause.
    private let task: String?
    /// The keys of the issuer; nil while none are known.
    private var keys: KeySet?

    /// A check by what the document of an input says. Nothing is sent.
    ///
    /// - Parameter keys: the keys of the issuer; nil for those at its `jwks_uri`.
    package init(
        _ expected: JWTExpectation, of input: Input, over transport: Transport, for task: String? = nil,
        keys: KeySet? = nil
    ) {
        (self.expected, self.input, self.task, self.keys) = (expected, input, task, keys)
        self.transport = transport.serving(input.document)
        cache = transport.cache
    }

    /// The claims of a JWT that passes every check.
    package func claims(of token: JSONWebToken) -> Attempt<JSONObject, ServerFault> {
        withKey(for: token).reading { (check) throws(ServerFault) in try check.claims(checking: token) }
    }

    /// The check with the client secret, or with keys that have the one of a JWT; nil for whatever JWT may come. Keys that
    /// were not fetched for this JWT, and lack its key, are fetched again.
    ///
    /// - Throws: exit 2 to 11 without keys.
    func withKey(for token: JSONWebToken?) -> Attempt<JWTCheck, ServerFault> {
        var check = self
        guard !expected.usesSecret(for: token?.signature) else {
            return input.with(secrets: [ClientCredential.secret.member]).reading { (input) throws(Failure) in
                check.expected.clientSecret = try input.secret(.secret)
                return check
            }.mapFailure { .own($0) }
        }
        guard lacksKey(of: token) else { return .done(.success(self)) }
        return input.completing(needing: ["jwks_uri"], over: transport).onward { (input) throws(ServerFault) in
            let endpoint = try ServerFault.reading(Endpoint("jwks_uri", in: input.document))
            if keys == nil, let response = cache?.response(from: endpoint.url.text) {
                check.keys = try? KeySet(EndpointResponse(response), isForToken: false)
                guard check.lacksKey(of: token) else { return .done(.success(check)) }
            }
            // Keys are public: their server does not need the identity of the client (RFC 8705 §8).
            let request = ServerRequest(message: KeySet.request(to: endpoint), withCertificate: false)
            return transport.response(to: request, from: endpoint, for: task).reading {
                (response) throws(ServerFault) in
                let answer = transport.diagnostics.redactor.learn(response)
                check.keys = try ServerFault.reading(KeySet(answer, isForToken: token != nil))
                cache?.store(response, from: endpoint.url.text)
                return check
            }
        }
    }

    private func lacksKey(of token: JSONWebToken?) -> Bool {
        guard let token else { return keys == nil }
        return KeySet.mustFetch(for: token.signature, allowing: expected.algorithms, known: keys)
    }

    /// The claims of a JWT whose key was found.
    ///
    /// - Throws: exit 9 or 10.
    package func claims(checking token: JSONWebToken) throws(ServerFault) -> JSONObject {
        let keys = keys ?? .empty
        let warnings = try ServerFault.reading(
            token.validate(with: keys, expecting: expected, now: transport.world.seconds))
        try ServerFault.doing(transport.diagnostics.warn(keys.warnings + warnings))
        return token.claims
    }

    /// Whether the ID token of a refresh passes every check but that of the time when the user logged in.
    func takesAnyLogin(_ token: JSONWebToken) -> Bool {
        guard let others = expected.forAnyLogin else { return false }
        return (try? changing(self) { $0.expected = others }.claims(checking: token)) != nil
    }
}

extension Input {
    /// What an answer says; one that is signed is checked first.
    package func members(of answer: SignedAnswer, over transport: Transport) -> Attempt<JSONObject, ServerFault> {
        attempting { () throws(ServerFault) in
            switch answer {
            case .plain(let members, let warnings):
                try ServerFault.doing(transport.diagnostics.warn(warnings))
                return .done(.success(members))
            case .signed(let token):
                let expected = try ServerFault.reading(
                    JWTExpectation(for: token.profile, of: document))
                return JWTCheck(expected, of: self, over: transport).claims(of: token).reading { _ in token.content }
            }
        }
    }
}
