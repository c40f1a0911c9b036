internal import Wire

extension SandboxServer {
    /// The pushed authorization request endpoint (RFC 9126 §2). The request may be a request object (§3).
    func push(_ request: SandboxRequest) throws(Refusal) -> SandboxResponse {
        let parameters = try request.formParameters()
        let client = try authenticate(request, parameters)
        guard parameters["request_uri"] == nil else { throw .invalidRequest("request_uri cannot be pushed") }
        let object = try requestObject(in: parameters, of: client)
        try object?.check(for: client, issuer: issuer, now: now)
        // The parameters of the client authentication are outside of the object (RFC 9126 §3).
        let asked = object?.parameters ?? parameters
        let proof = try verifyProof(of: request)
        if let proof, let announced = asked["dpop_jkt"], announced != proof {
            throw .invalidRequest("dpop_jkt is not the thumbprint of the key of the DPoP proof")
        }
        let checked = try AuthorizationRequest(
            asked, of: client, reply: try reply(to: asked, of: client), settings: settings, proof: proof)
        let uri = PushedRequest.prefix + secret("request")
        pushedRequests.insert(checked, for: uri, lifetime: PushedRequest.lifetime, now: now)
        return SandboxResponse(
            status: 201, members: ["request_uri": .string(uri), "expires_in": .integer(PushedRequest.lifetime)])
    }

    /// The pushed request of a URI, which can be used once (RFC 9126 §4).
    func takePushedRequest(_ uri: String, clientID: String) throws(Refusal) -> AuthorizationRequest {
        guard let pushed = pushedRequests.value(uri, now: now) else {
            throw Refusal("invalid_request_uri", "the request_uri is not known, has expired or has been used")
        }
        guard pushed.clientID.isIdentical(to: clientID) else {
            throw .invalidRequest("the request_uri belongs to another client")
        }
        _ = pushedRequests.remove(uri, now: now)
        return pushed
    }
}
