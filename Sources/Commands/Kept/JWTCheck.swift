internal import Errands
internal import JOSE
internal import OAuth
internal import System
internal import Wire

/// The check of one JWT by what a document says of its issuer and its client.
struct JWTCheck {
    private let token: JSONWebToken
    private let input: Input
    private let session: Session
    /// The one that the JWT must be for; nil for what the document says.
    var audience: String?
    /// The nonce that an ID token must have.
    var nonce: String?

    /// Takes the JWT apart. Nothing is sent.
    ///
    /// - Throws: exit 9 for one that is malformed, encrypted, or of another kind by its header.
    init(_ text: String, as profile: JWTProfile, of input: Input, session: Session) throws(Failure) {
        do throws(OAuthError) {
            token = try JSONWebToken(parsing: text, as: profile)
        } catch {
            var error = error
            if profile == .accessToken, !text.utf8.contains(UInt8(ascii: ".")) {
                error.hint = """
                    many servers issue access tokens that are not JWTs: ask the server about the token with oap \
                    introspect
                    """
            }
            throw Failure(error)
        }
        self.input = try session.engine.run(
            input.with(secrets: ["access_token"] + (token.isSymmetric ? ["client_secret"] : [])))
        self.session = session
    }

    /// The claims, when every check is passed.
    ///
    /// - Parameter path: the file of the issuer's keys; nil for those at its `jwks_uri`.
    /// - Throws: exit 2 or 3 where it is not known what to expect; exit 6, 9, 10 or 11.
    func claims(keysFile path: String?) throws(Failure) -> JSONObject {
        let document = input.document
        let issuer = try lift(try document.required("issuer"))
        let algorithms = token.profile.algorithms(for: document.members)
        let isOfClient = [.idToken, .logoutToken].contains(token.profile)
        let wanted = isOfClient ? try lift(try document.required("client_id")) : try audience(of: document)
        if isOfClient, let audience, !audience.isIdentical(to: wanted) {
            throw .usage(
                "--audience differs from the client_id, which is the audience of an ID token or a logout token")
        }
        let (keys, secret) = try keys(path, allowing: algorithms)
        guard token.profile == .idToken else {
            var expected = JSONWebToken.Expectation(
                issuer: issuer, audience: wanted, algorithms: algorithms, now: Clock.now)
            expected.clientSecret = secret
            try session.diagnostics.warn(try lift(try token.validate(with: keys, expecting: expected)))
            return token.claims
        }
        var expected = IDToken.Expectation(
            issuer: issuer, clientID: wanted, occasion: nonce.map { .codeFlow(nonce: $0) } ?? .unknown, now: Clock.now)
        (expected.algorithms, expected.clientSecret) = (algorithms, secret)
        expected.accessToken = try input.secret("access_token")
        let (claims, warnings) = try lift(try IDToken(token).validate(with: keys, expecting: expected))
        try session.diagnostics.warn(warnings)
        return claims
    }

    private func audience(of document: Document) throws(Failure) -> String {
        if let audience { return audience }
        let resources = try lift(try document.strings("resource"))
        guard token.profile == .accessToken, resources.count == 1 else {
            throw .usage("the expected audience of the JWT is not known", hint: "use --audience")
        }
        return resources[0]
    }

    private func keys(
        _ path: String?, allowing algorithms: Set<SignatureAlgorithm>
    ) throws(Failure) -> (KeySet, String?) {
        let fetches = KeySet.mustFetch(for: token.signature, allowing: algorithms, known: nil)
        guard let path else {
            return try session.engine.run(input.keys(for: token, fetches: fetches, over: session.transport))
        }
        let bytes = try InputFile.read(path, limit: ServerRequest.limit)
        let members = try Input.object(in: bytes, name: path, exit: .badInput)
        let secret = token.isSymmetric ? try input.secret("client_secret") : nil
        do throws(OAuthError) {
            return (try KeySet(reading: members), secret)
        } catch {
            throw Failure(.badInput, .usage, "\(path): \(error.message)")
        }
    }
}
