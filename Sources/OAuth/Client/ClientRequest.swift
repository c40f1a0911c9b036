internal import Wire

/// A POST to an endpoint of the authorization server while the client is authenticated for it (RFC 6749 §3.2).
struct ClientRequest {
    let moment: RequestMoment
    let endpoint: Endpoint
    var headers: [HTTPField] = []
    /// The parameters, by their standard names.
    private(set) var parameters: [(name: String, value: String)]

    init(to endpoint: Endpoint, parameters: Parameters, at moment: RequestMoment) {
        (self.moment, self.endpoint, self.parameters) = (moment, endpoint, parameters.pairs)
    }

    /// Sets a parameter that authenticates: it appears once, at the end.
    mutating func set(_ name: String, _ value: String) {
        parameters.removeAll { $0.name == name }
        parameters.append((name, value))
    }

    /// - Parameter sendsAssertion: whether the assertion of the grant goes as a bearer token, in place of a parameter.
    func message(format: RequestFormat, names: ParameterNames, sendsAssertion: Bool) -> HTTPRequest {
        var (parameters, headers) = (parameters, headers)
        if sendsAssertion, let index = parameters.firstIndex(where: { $0.name == "assertion" }) {
            headers.append(HTTPField("Authorization", "Bearer \(parameters.remove(at: index).value)"))
        }
        return HTTPRequest(
            method: "POST", url: endpoint.url.text,
            headers: [HTTPField("Accept", "application/json"), HTTPField("Content-Type", format.contentType)] + headers,
            body: format.body(names.renaming(parameters)))
    }
}

/// When a request is made, and its random octets: what a client needs to sign it.
package struct RequestMoment: Sendable {
    /// Seconds since 1970.
    let now: Int
    /// 32 octets that are never used twice.
    let random: [UInt8]

    package init(now: Int, random: [UInt8]) { (self.now, self.random) = (now, random) }
}
