package import CommandSpec
internal import Errands
internal import JOSE
internal import Loopback
package import OAuth
internal import System
package import Wire
package import Shell
package import Tokens
package import Sessions

/// The step from a client to a flow: the authorization request (RFC 6749 §4.1.1).
package enum AuthorizationFlow {
    package static let noPKCE = Option("no-pkce", section: "Request", summary: "do not use PKCE")
    package static let challengeMethod = Option(
        "code-challenge-method", argument: "METHOD", choices: PKCE.Method.allCases.map(\.rawValue), standard: "S256",
        section: "Request", summary: "how the code challenge is made")
    package static let push = Option(
        "par", otherwise: "if the server requires it", section: "Request",
        summary: "push the request to the server first")
    package static let options = [noPKCE, challengeMethod, push]

    /// What the options say about the request.
    package struct Settings {
        /// Whether the request is pushed, even if the server does not require it.
        package let pushes: Bool
        /// How the code is protected; nil for what the document says.
        let protection: AuthorizationRequest.Protection?
        package internal(set) var extra: [(name: String, value: String)]

        /// - Throws: exit 2.
        package init(_ arguments: Arguments) throws(Failure) {
            pushes = arguments.has(push)
            let method = arguments.value(challengeMethod).flatMap(PKCE.Method.init(rawValue:))
            protection = arguments.has(noPKCE) ? AuthorizationRequest.Protection.none : method.map { .pkce($0) }
            extra = try TokenParameters(arguments).pairs
        }

        package func pushes(_ document: Document) throws(Failure) -> Bool {
            let isRequired = try asFailure(document.bool("require_pushed_authorization_requests")) == true
            let profile = try asFailure(SecurityProfile(of: document))
            return isRequired || pushes || profile != nil
        }
    }

    /// Makes the authorization request of a client document, and pushes it if required.
    ///
    /// - Returns: the flow document.
    /// - Throws: exit 2, 3 or 9 for a document without a valid request; every failure of the push.
    package static func begin(
        of input: Input, by settings: Settings, session: Session
    ) throws(Failure) -> JSONObject {
        // What the metadata adds may say that requests are pushed.
        var input = try session.engine.run(
            input.completed(needing: ["authorization_endpoint"], over: session.transport))
        if try settings.pushes(input.document) {
            let needed = ["pushed_authorization_request_endpoint"]
            input = try session.engine.run(input.completed(needing: needed, over: session.transport))
        }
        input = try input.withBinding()
        let document = input.document
        var redirectURI = try asFailure(RedirectURI(of: document))
        if redirectURI.wantsFreePort { redirectURI = try withFreePort(redirectURI) }
        let protection =
            if let given = settings.protection { given } else {
                try asFailure(AuthorizationRequest.Protection(of: document))
            }
        try asFailure(SecurityProfile(of: document)?.check(hasS256: protection == .pkce(.s256), for: document))
        let thumbprint = try input.binding()?.thumbprint
        let entropy = try Failure.jose(
            AuthorizationRequest.Entropy(
                state: try SecureRandom.bytes(32), nonce: try SecureRandom.bytes(32),
                verifier: try SecureRandom.bytes(32)))
        let request = try asFailure(
            AuthorizationRequest(
                of: document, redirectURI: redirectURI, protection: protection, extra: settings.extra,
                keyThumbprint: thumbprint, entropy: entropy))
        try session.diagnostics.warn(request.warnings)
        let signing = try signing(of: request, input, isPushed: try settings.pushes(document), session)
        let moment = RequestMoment(now: Clock.now, random: try Failure.jose(try SecureRandom.bytes(32)))
        let url =
            try settings.pushes(document)
            ? try session.engine.run(pushed(request, signing, input: input, over: session.transport))
            : try asFailure(signing(moment)).url
        var flow = document.members
        flow.remove(Member.of(.callback, .exchange))
        flow["authorization_url"] = .string(url)
        for member in request.remembered.members { flow[member.name] = member.value }
        return flow
    }

    /// Makes the request that is sent, for each attempt anew.
    private typealias Signing = (RequestMoment) throws(OAuthError) -> AuthorizationRequest

    /// The request as it is, or signed with the key of the client where the document wants that (RFC 9101).
    ///
    /// - Throws: exit 2 or 3 for a request that cannot be signed; as ``Input/signer(for:)``.
    private static func signing(
        of request: AuthorizationRequest, _ input: Input, isPushed: Bool, _ session: Session
    ) throws(Failure) -> Signing {
        guard try asFailure(AuthorizationRequest.isSigned(for: input.document)) else { return { _ in request } }
        let input = try session.engine.run(input.with(secrets: ClientCredential.key.members))
        let signer = try input.signer(for: .requestObject)
        return { moment throws(OAuthError) in
            try request.signed(by: signer, for: input.document, at: moment, isPushed: isPushed)
        }
    }

    /// Pushes the request (RFC 9126 §2.1) and makes the URL that refers to it.
    private static func pushed(
        _ request: AuthorizationRequest, _ signing: @escaping Signing, input: Input, over transport: Transport
    ) -> Attempt<String, Failure> {
        input.withCredential().onward { (input) throws(Failure) in
            let endpoint = try asFailure(Endpoint("pushed_authorization_request_endpoint", in: input.document))
            let server = try AuthorizationServer(of: input, over: transport)
            let answer = server.answer(from: endpoint) { moment throws(OAuthError) in
                let parameters = try signing(moment).parameters
                return try server.authentication.request(to: endpoint, parameters: parameters, at: moment)
            }
            return answer.reading { (response) throws(Failure) in
                let pushed = try server.asHintedFailure(PushedAuthorizationResponse(response))
                try transport.diagnostics.warn(pushed.warnings)
                return request.url(pushedAs: pushed.requestURI)
            }
        }
    }

    /// A redirect URI with a port that is free on its loopback addresses at this moment (RFC 8252 §7.3).
    static func withFreePort(_ redirectURI: RedirectURI) throws(Failure) -> RedirectURI {
        try Failure.listening { () throws(LoopbackError) in
            let port = try LoopbackServer.freePort(on: ListenTarget.addresses(of: redirectURI.url))
            return redirectURI.replacingPort(with: port)
        }
    }
}
