internal import Wire

extension SandboxServer {
    /// The response to a request with a fault; `answer` carries the request out.
    func apply(_ fault: Fault, to request: SandboxRequest, _ answer: () -> SandboxResponse) -> SandboxResponse {
        var response: SandboxResponse
        switch fault.kind {
        case .status(let status): response = refuse(request, at: fault.endpoint, status)
        case .error(let code, let status):
            var refusal = Refusal.fault(code, at: fault.endpoint)
            refusal.status = status ?? refusal.status
            response = refuse(request, refusal)
        case .reset: response = SandboxResponse(status: 500, content: .reset)
        case .lost:
            response = answer()
            response.content = .reset
        case .html:
            response = .html(200, "<title>Sign in to the network</title>\n<p>Please sign in.")
        case .truncated:
            response = answer()
            response.content = response.content.firstHalf
        case .without(let name): response = changed(answer(), name) { _, _ in nil }
        case .wrong(let name): response = changed(answer(), name, to: wrong)
        case .slow(let seconds):
            response = answer()
            response.delay += seconds
        }
        if let seconds = fault.retryAfter { response.headers.append(HTTPField("Retry-After", String(seconds))) }
        return response
    }

    /// An error status. Those of a gateway or a busy server come without an error code, as they do in reality.
    private func refuse(_ request: SandboxRequest, at endpoint: Endpoint, _ status: Int) -> SandboxResponse {
        guard !HTTPStatus.isFailureOfServer(status) else {
            return .html(status, "<title>\(status)</title>\n<h1>\(status)</h1>\n<p>The gateway has no answer.")
        }
        let code =
            switch (status, endpoint) {
            case (401, .api), (401, .userinfo), (401, .register): "invalid_token"
            case (401, _): "invalid_client"
            default: "invalid_request"
            }
        var refusal = Refusal.fault(code, at: endpoint)
        refusal.status = status
        switch endpoint {
        case .authorize, .logout: return errorPage(refusal)
        case .api:
            var document = refusal.document
            document["message"] = .string(refusal.description)
            return SandboxResponse(status: status, members: document, headers: refusal.headers)
        default: return refuse(request, refusal)
        }
    }

    private func refuse(_ request: SandboxRequest, _ refusal: Refusal) -> SandboxResponse {
        switch request.path {
        case Path.authorization: authorize(request, failing: refusal)
        case Path.token: tokenError(refusal)
        case Path.endSession: errorPage(refusal)
        default: refusal.response
        }
    }
}

extension Refusal {
    /// An error in the format of the endpoint (RFC 6749 §5.2, RFC 6750 §3.1).
    fileprivate static func fault(_ code: String, at endpoint: Endpoint) -> Refusal {
        let description = "a fault that was asked for"
        switch (endpoint, code) {
        case (.api, _), (.userinfo, _), (.register, "invalid_token"):
            let challenge = HTTPField("WWW-Authenticate", "Bearer realm=\"sandbox\", error=\"\(code)\"")
            let status = code == "insufficient_scope" ? 403 : code == "invalid_request" ? 400 : 401
            return Refusal(code, description, status: status, headers: [challenge])
        case (_, "invalid_client"): return .invalidClient(description)
        default: return Refusal(code, description)
        }
    }
}

extension SandboxResponse {
    /// A page that no endpoint of the sandbox sends.
    fileprivate static func html(_ status: Int, _ content: String) -> SandboxResponse {
        SandboxResponse(
            status: status, type: "text/html; charset=utf-8",
            content: .bytes(Array("<!DOCTYPE html>\n\(content)\n".utf8)))
    }
}

extension SandboxResponse.Content {
    /// The first half, and then nothing.
    fileprivate var firstHalf: Self {
        switch self {
        case .bytes(let bytes): .truncated(Array(bytes.prefix(bytes.count / 2)), announced: max(1, bytes.count))
        case .filler(let filler):
            .truncated(Array(SandboxResponse.pattern.prefix(filler.count / 2)), announced: max(1, filler.count))
        case .truncated, .reset: self
        }
    }
}
