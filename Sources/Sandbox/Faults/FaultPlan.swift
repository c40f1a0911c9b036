internal import Wire

/// The faults, with a count of requests for each.
struct FaultPlan {
    private var faults: [Fault]

    /// Starts with counts of zero.
    init(_ faults: [Fault]) { self.faults = faults }

    /// The fault of the next request to an endpoint, the first that is due; nil for none.
    mutating func next(at endpoint: Endpoint) -> Fault? {
        var due: Fault?
        for index in faults.indices where faults[index].endpoint == endpoint {
            if faults[index].skipped > 0 {
                faults[index].skipped -= 1
            } else if due == nil, faults[index].count != 0 {
                due = faults[index]
                faults[index].count = faults[index].count.map { $0 - 1 }
            }
        }
        return due
    }
}

extension Fault {
    /// The response with the fault applied.
    ///
    /// - Parameter answer: carries the request out, or refuses it.
    func apply(_ answer: (Refusal?) -> SandboxResponse) -> SandboxResponse {
        var response: SandboxResponse
        switch kind {
        case .status(let status): response = Self.response(status)
        case .error(let code): response = answer(refusal(code))
        case .reset: response = SandboxResponse(status: 500, content: .reset)
        case .lost:
            response = answer(nil)
            response.content = .reset
        case .html:
            let page = "<!DOCTYPE html>\n<title>Sign in to the network</title>\n<p>Please sign in.\n"
            response = SandboxResponse(status: 200, type: "text/html; charset=utf-8", content: .bytes(Array(page.utf8)))
        case .truncated:
            response = answer(nil)
            response.content = response.content.firstHalf
        case .slow(let seconds):
            response = answer(nil)
            response.delay += seconds
        }
        if let retryAfter { response.headers.append(HTTPField("Retry-After", String(retryAfter))) }
        return response
    }

    /// An error response in the format of the endpoint (RFC 6749 §5.2, RFC 6750 §3.1).
    private func refusal(_ code: String) -> Refusal {
        let description = "a fault that was asked for"
        switch (endpoint, code) {
        case (.api, _), (.userinfo, _):
            let challenge = HTTPField("WWW-Authenticate", "Bearer realm=\"sandbox\", error=\"\(code)\"")
            let status = code == "insufficient_scope" ? 403 : code == "invalid_request" ? 400 : 401
            return Refusal(code, description, status: status, headers: [challenge])
        case (_, "invalid_client"): return .invalidClient(description)
        default: return Refusal(code, description)
        }
    }

    private static func response(_ status: Int) -> SandboxResponse {
        let code =
            switch status {
            case 401: "invalid_token"
            case 429, 503: "temporarily_unavailable"
            case 500...: "server_error"
            default: "invalid_request"
            }
        var document = Refusal(code, "a fault that was asked for").document
        document["message"] = .string("a fault that was asked for")
        return SandboxResponse(status: status, json: .object(document))
    }
}

extension SandboxResponse.Content {
    /// The first half, and then nothing.
    fileprivate var firstHalf: Self {
        switch self {
        case .bytes(let bytes): .truncated(Array(bytes.prefix(bytes.count / 2)), announced: max(1, bytes.count))
        case .filler(let count):
            .truncated(Array(SandboxResponse.pattern.prefix(count / 2)), announced: max(1, count))
        case .truncated, .reset: self
        }
    }
}
