internal import Loopback
internal import Shell
internal import Wire

/// An answer of the proxy's own (RFC 9457), which the field `Oap-Error` tells from one of the API.
struct ProxyProblem: Error {
    let status: Int
    let message: String
    var hint: String?
    var exit: Exit?
    /// Seconds for `Retry-After`.
    var wait: Int?

    static func bad(_ message: String, hint: String? = nil) -> ProxyProblem {
        ProxyProblem(status: 400, message: message, hint: hint)
    }

    static func forbidden(_ message: String, hint: String? = nil) -> ProxyProblem {
        ProxyProblem(status: 403, message: message, hint: hint)
    }

    /// A failure behind the proxy: of a token that a person must get anew, of what is not safe, of a limit, of a server.
    init(_ failure: Failure) {
        status =
            switch failure.exit {
            case _ where failure.retryAfter != nil: 503
            case .loginNeeded: 401
            case .insecure: 403
            default: 502
            }
        (message, hint, exit, wait) = (failure.message, failure.hint, failure.exit, failure.retryAfter)
    }

    init(status: Int, message: String, hint: String? = nil, exit: Exit? = nil, wait: Int? = nil) {
        (self.status, self.message, self.hint, self.exit, self.wait) = (status, message, hint, exit, wait)
    }

    /// - Parameter redacted: masks secrets.
    func response(_ redacted: (String) -> String) -> LoopbackResponse {
        var members: JSONObject = [
            "type": .string("about:blank"), "status": .integer(status), "detail": .string(redacted(message)),
            "oap_stage": .string("proxy"),
        ]
        members["exit_status"] = exit.map { .integer(Int($0.rawValue)) }
        members["hint"] = hint.map { .string(redacted($0)) }
        var headers = [HTTPField("Content-Type", "application/problem+json"), HTTPField("Oap-Error", "1")]
        if let wait { headers.append(HTTPField("Retry-After", String(wait))) }
        // git sends a password only where it is asked for one.
        if status == 401 {
            headers += ["Bearer", "Basic realm=\"oap\""].map { HTTPField("WWW-Authenticate", $0) }
        }
        var response = LoopbackResponse(
            status: status, headers: headers, body: .bytes(JSON.object(members).bytes + [0x0A]))
        // Where the next request begins is not sure.
        response.closes = status == 400 || status == 405
        return response
    }
}
