internal import Wire

/// Requests that a script of another origin sends (Fetch Standard, CORS protocol).
extension SandboxServer {
    /// The paths of pages, which no script may read.
    private static let pages: Set = [Path.authorization, Path.consent, Path.device, Path.backchannel, Path.endSession]

    /// The origin of a request if its script may read the response: one on loopback, or of a redirect URI of the
    /// settings. Pages of other sites read nothing.
    func scriptOrigin(of request: SandboxRequest) -> String? {
        guard !Self.pages.contains(request.path), let origin = request.headers.first("Origin"),
            let url = WebURL(origin), url.origin == origin
        else { return nil }
        let isKnown =
            url.isLoopback || url.host == "localhost" || settings.redirectURIs.contains { WebURL($0)?.origin == origin }
        return isKnown ? origin : nil
    }

    /// The response to the question whether a script may send a request; nil for any other request.
    func preflight(_ request: SandboxRequest, _ route: Route) -> SandboxResponse? {
        guard request.method == "OPTIONS", scriptOrigin(of: request) != nil,
            let method = request.headers.first("Access-Control-Request-Method")
        else { return nil }
        let methods = route.methods.isEmpty ? method : route.methods.joined(separator: ", ")
        return SandboxResponse(
            status: 204,
            headers: [
                HTTPField("Access-Control-Allow-Methods", methods),
                HTTPField("Access-Control-Allow-Headers", "Authorization, Content-Type, DPoP"),
                HTTPField("Access-Control-Max-Age", "600"),
            ])
    }

    /// Lets the script that sent the request read the response.
    func open(_ response: SandboxResponse, to request: SandboxRequest) -> SandboxResponse {
        guard let origin = scriptOrigin(of: request) else { return response }
        var opened = response
        opened.headers += [
            HTTPField("Access-Control-Allow-Origin", origin), HTTPField("Vary", "Origin"),
            HTTPField(
                "Access-Control-Expose-Headers",
                "WWW-Authenticate, DPoP-Nonce, Link, Retry-After, x-ratelimit-limit, x-ratelimit-remaining, "
                    + "x-ratelimit-reset"),
        ]
        return opened
    }
}
