internal import Wire

extension SandboxServer {
    /// The token endpoint (RFC 6749 §3.2).
    func token(_ request: SandboxRequest) -> SandboxResponse {
        do throws(Refusal) {
            return shape(SandboxResponse(members: try grant(request)))
        } catch {
            return tokenError(error)
        }
    }

    /// An error of the token endpoint (RFC 6749 §5.2).
    func tokenError(_ refusal: Refusal) -> SandboxResponse {
        var response = refusal.response
        if settings.answersErrorsWith200 { response.status = 200 }
        return shape(response)
    }

    private func grant(_ request: SandboxRequest) throws(Refusal) -> JSONObject {
        let parameters = try request.formParameters()
        let name = try parameters.required("grant_type")
        let grant = GrantType(rawValue: name)
        let client =
            grant == .jwtBearer && !namesClient(request, parameters)
            ? try clientOfAssertion(parameters) : try authenticate(request, parameters)
        guard let grant else { throw Refusal("unsupported_grant_type", "the grant_type is not known") }
        guard client.grantTypes.contains(grant) else {
            throw .unauthorizedClient("this client may not use the grant \(grant.rawValue)")
        }
        let thumbprint = try verifyProof(of: request)
        guard thumbprint != nil || !client.isBoundByDPoP else {
            throw Refusal("invalid_dpop_proof", "this client must send a DPoP proof")
        }
        let token = TokenRequest(
            parameters: parameters, client: client,
            binding: TokenBinding(key: thumbprint, certificate: try certificateThumbprint(of: request, for: client)))
        switch grant {
        case .authorizationCode: return try exchangeCode(token)
        case .refreshToken: return try refresh(token)
        case .clientCredentials: return try grantClientItself(token)
        case .deviceCode: return try poll(token, by: grant, with: "device_code")
        case .ciba: return try poll(token, by: grant, with: "auth_req_id")
        case .tokenExchange: return try exchangeToken(token)
        case .jwtBearer: return try exchangeAssertion(token)
        }
    }

    private func namesClient(_ request: SandboxRequest, _ parameters: FormParameters) -> Bool {
        request.headers.first("Authorization") != nil || parameters["client_id"] != nil
            || parameters["client_assertion"] != nil
    }

    /// The form-encoded response of GitHub to requests that do not ask for JSON, if the settings say so.
    private func shape(_ response: SandboxResponse) -> SandboxResponse {
        guard settings.answersFormEncoded, case .bytes(let bytes) = response.content,
            let members = (try? JSON(parsing: bytes))?.object
        else { return response }
        let pairs = members.members.map { (name: $0.name, value: $0.value.string ?? $0.value.text) }
        var shaped = response
        shaped.content = .bytes(Array(FormEncoding.encode(pairs).utf8))
        shaped.headers.removeAll { $0.name == "Content-Type" }
        shaped.headers.append(HTTPField("Content-Type", "application/x-www-form-urlencoded; charset=utf-8"))
        return shaped
    }
}
