internal import CommandSpec
internal import Glibc
internal import JOSE
internal import OAuth
internal import Wire

/// `oap authurl`: client → flow, the request that sends a person to log in.
enum AuthurlCommand {
    static let noPKCE = Option(
        "no-pkce", section: "Request", summary: "leave PKCE out",
        details: "For servers that refuse a `code_challenge`. Whoever sees the code can then use it.")
    static let challengeMethod = Option(
        "code-challenge-method", argument: "METHOD", choices: PKCE.Method.allCases.map(\.rawValue), section: "Request",
        summary: "how the code challenge is made (S256)",
        details: "`plain` is for servers that know nothing better; it shows the code verifier to the browser.")
    static let push = Option(
        "par", section: "Request", summary: "push the request to the server first",
        details: """
            Sends the request to the server itself, and puts a reference to it into the URL (RFC 9126). It is done \
            without being asked where the document has `require_pushed_authorization_requests`.
            """)

    /// Runs the command.
    static func run(_ session: Session) throws(Failure) -> Exit {
        let input = try session.input(MemberOption.identity + MemberOption.requestMembers)
        let output = try session.output()
        let document = input.document
        var redirectURI = try Failure.lifting(document) { () throws(OAuthError) in try RedirectURI(of: document) }
        if redirectURI.wantsFreePort { redirectURI = redirectURI.replacingPort(with: try freePort(for: redirectURI)) }
        let choices = AuthorizationRequest.Choices(
            protection: protection(session.arguments), extra: try session.extraParameters())
        let entropy = try entropy()
        let request = try Failure.lifting(document) { () throws(OAuthError) in
            try AuthorizationRequest(of: document, redirectURI: redirectURI, choices: choices, entropy: entropy)
        }
        try session.diagnostics.warn(request.warnings)
        let isPushed = try Failure.lifting(document) { () throws(OAuthError) in
            try document.bool("require_pushed_authorization_requests")
        }
        let url =
            isPushed == true || session.arguments.has(push)
            ? try pushed(request, input: input, session: session) : request.url
        var flow = document.members
        flow.remove(Member.usedByCallback)
        flow.remove(["code", "nonce", "code_verifier"])
        flow["authorization_url"] = .string(url)
        for member in request.remembered.members { flow[member.name] = member.value }
        return try output.write(flow)
    }

    private static func protection(_ arguments: Arguments) -> AuthorizationRequest.Protection {
        if arguments.has(noPKCE) { return .none }
        return .pkce(arguments.value(challengeMethod).flatMap(PKCE.Method.init(rawValue:)) ?? .s256)
    }

    private static func entropy() throws(Failure) -> AuthorizationRequest.Entropy {
        do throws(JOSEError) {
            return AuthorizationRequest.Entropy(
                state: try SecureRandom.bytes(32), nonce: try SecureRandom.bytes(32),
                verifier: try SecureRandom.bytes(32))
        } catch {
            throw Failure(error)
        }
    }

    /// Pushes the request (RFC 9126 §2.1) and makes the URL that refers to it.
    private static func pushed(
        _ request: AuthorizationRequest, input: Input, session: Session
    ) throws(Failure) -> String {
        let endpoint = try Failure.lifting(input.document) { () throws(OAuthError) in
            try Endpoint("pushed_authorization_request_endpoint", in: input.document)
        }
        let server = try ServerRequest(of: input, session: session, hiding: [])
        let answer = try server.send(request.parameters, to: endpoint, stake: .repeatable)
        let pushed: PushedAuthorizationResponse
        do throws(OAuthError) {
            pushed = try PushedAuthorizationResponse(answer)
        } catch {
            throw Failure(error, document: input.document).masking(server.redactor)
        }
        try session.diagnostics.warn(pushed.warnings)
        return request.url(pushedAs: pushed.requestURI)
    }

    /// A port that is free on the loopback address of a redirect URI at this moment (RFC 8252 §7.3).
    private static func freePort(for redirectURI: RedirectURI) throws(Failure) -> Int {
        let isIPv6 = redirectURI.url.host == "[::1]"
        let descriptor = socket(isIPv6 ? AF_INET6 : AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { throw noPort() }
        defer { close(descriptor) }
        var address = sockaddr_storage()
        let port: UInt16? = withUnsafeMutablePointer(to: &address) { storage in
            var length = socklen_t(isIPv6 ? MemoryLayout<sockaddr_in6>.size : MemoryLayout<sockaddr_in>.size)
            if isIPv6 {
                storage.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) {
                    $0.pointee.sin6_family = sa_family_t(AF_INET6)
                    $0.pointee.sin6_addr = in6addr_loopback
                }
            } else {
                storage.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
                    $0.pointee.sin_family = sa_family_t(AF_INET)
                    $0.pointee.sin_addr.s_addr = inet_addr("127.0.0.1")
                }
            }
            return storage.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                guard bind(descriptor, generic, length) == 0, getsockname(descriptor, generic, &length) == 0 else {
                    return nil
                }
                // Both families keep the port in the two bytes behind the family, in network order.
                let bytes = UnsafeRawBufferPointer(start: generic, count: Int(length))
                return UInt16(bytes[2]) << 8 | UInt16(bytes[3])
            }
        }
        guard let port else { throw noPort() }
        return Int(port)
    }

    private static func noPort() -> Failure {
        Failure(.unavailable, "network", "no free port on loopback: \(FileAccess.reason())")
    }
}
