internal import JOSE
package import Wire

extension SandboxServer {
    /// The algorithms of proofs (RFC 9449 §5.1).
    static let proofAlgorithms = SignatureAlgorithm.allCases.filter { !$0.isSymmetric }.map(\.rawValue)

    /// The response to both kinds of discovery (RFC 8414 §3.2, OpenID Connect Discovery §4.2).
    func discover(_ request: SandboxRequest) -> SandboxResponse { SandboxResponse(members: metadata) }

    /// The public keys (RFC 7517 §5).
    func keySet(_ request: SandboxRequest) -> SandboxResponse { SandboxResponse(members: keys.document) }

    /// The server's metadata (RFC 8414 §2).
    var metadata: JSONObject {
        var members: JSONObject = ["issuer": .string(issuer)]
        for (name, path) in Self.endpoints { members[name] = .string(url(path)) }
        members["mtls_endpoint_aliases"] = aliases
        if certificateAddress != nil { members["tls_client_certificate_bound_access_tokens"] = .bool(true) }
        let methods = Client.AuthenticationMethod.allCases.filter { settings.takesCertificates || !$0.isByCertificate }
        for endpoint in ["token", "revocation"] {
            members["\(endpoint)_endpoint_auth_methods_supported"] = .strings(methods.map(\.rawValue))
        }
        members["introspection_endpoint_auth_methods_supported"] = .strings(
            methods.filter { $0 != .none }.map(\.rawValue))
        for endpoint in ["token", "revocation", "introspection"] {
            members["\(endpoint)_endpoint_auth_signing_alg_values_supported"] = .strings(
                SignatureAlgorithm.allCases.map(\.rawValue))
        }
        members["scopes_supported"] = .strings(settings.supportedScope.values)
        members["authorization_details_types_supported"] = .strings(settings.detailTypes)
        members["response_types_supported"] = .strings(["code"])
        members["response_modes_supported"] = .strings(AuthorizationReply.Mode.allCases.map(\.rawValue))
        members["grant_types_supported"] = .strings(GrantType.allCases.map(\.rawValue))
        members["backchannel_token_delivery_modes_supported"] = .strings(["poll"])
        members["code_challenge_methods_supported"] = .strings(
            settings.allowsPlainChallenge ? ["S256", "plain"] : ["S256"])
        members["authorization_response_iss_parameter_supported"] = .bool(true)
        members["require_pushed_authorization_requests"] = .bool(settings.requiresPushedRequests)
        members["request_parameter_supported"] = .bool(true)
        members["request_object_signing_alg_values_supported"] = .strings(RequestObject.algorithms)
        // OpenID Connect Discovery §3: the default is true. Pushed requests do not need it (RFC 9126 §5).
        members["request_uri_parameter_supported"] = .bool(false)
        members["dpop_signing_alg_values_supported"] = .strings(Self.proofAlgorithms)
        members["protected_resources"] = .strings([issuer])
        members["subject_types_supported"] = .strings(["public"])
        for response in ProtectedResponse.allCases.map(\.rawValue) {
            members["\(response)_signing_alg_values_supported"] = .strings(SigningKeys.algorithms.map(\.rawValue))
            members["\(response)_encryption_alg_values_supported"] = .strings(JSONWebEncryption.algorithms)
            members["\(response)_encryption_enc_values_supported"] = .strings(JSONWebEncryption.encryptions)
        }
        members["claims_supported"] = .strings(
            ["iss", "sub", "aud", "exp", "iat", "auth_time", "nonce", "at_hash"]
                + settings.people.flatMap(\.claimNames).reduce(into: []) { names, name in
                    if name != "sub", !names.contains(name) { names.append(name) }
                })
        return members
    }

    /// The metadata of the API (RFC 9728 §2), or of a part of it whose path follows the path of the metadata.
    func describeResource(_ request: SandboxRequest) -> SandboxResponse {
        var members: JSONObject = [
            "resource": .string(issuer + request.path.dropFirst(Path.resourceMetadata.count)),
            "authorization_servers": .strings([issuer]),
            "scopes_supported": .strings(settings.supportedScope.values),
            "bearer_methods_supported": .strings(["header"]),
            "dpop_signing_alg_values_supported": .strings(Self.proofAlgorithms),
            "resource_name": .string("The API of oap-sandbox"),
        ]
        if certificateAddress != nil { members["tls_client_certificate_bound_access_tokens"] = .bool(true) }
        return SandboxResponse(members: members)
    }

    private static let endpoints = [
        ("authorization_endpoint", Path.authorization), ("token_endpoint", Path.token), ("jwks_uri", Path.keys),
        ("registration_endpoint", Path.registration), ("userinfo_endpoint", Path.userinfo),
        ("revocation_endpoint", Path.revocation), ("introspection_endpoint", Path.introspection),
        ("device_authorization_endpoint", Path.deviceAuthorization),
        ("backchannel_authentication_endpoint", Path.backchannelAuthentication),
        ("pushed_authorization_request_endpoint", Path.push), ("end_session_endpoint", Path.endSession),
    ]

    /// The endpoints at which client certificates are asked for (RFC 8705 §5); nil if they are nowhere.
    private var aliases: JSON? {
        let noAliases: Set = [Path.authorization, Path.keys, Path.endSession]
        return certificateAddress.map { address in
            .object(
                JSONObject(
                    unique: Self.endpoints.filter { !noAliases.contains($0.1) }.map {
                        JSONObject.Member(name: $0.0, value: .string(address + $0.1))
                    }))
        }
    }

    package var clientDocument: JSONObject {
        let client = ClientRegistry.confidential
        var members: JSONObject = ["client_id": .string(client.id)]
        members["client_secret"] = client.secret.map { .string($0) }
        members["token_endpoint_auth_method"] = .string(Client.AuthenticationMethod.basic.rawValue)
        members["redirect_uri"] = .string(ClientRegistry.redirectURI)
        members["scope"] = .string("openid profile email repo")
        members["id_token_signed_response_alg"] = .string(settings.idTokenAlgorithm.rawValue)
        members["issuer"] = .string(issuer)
        for (name, path) in Self.endpoints { members[name] = .string(url(path)) }
        members["mtls_endpoint_aliases"] = aliases
        members["authorization_response_iss_parameter_supported"] = .bool(true)
        members["code_challenge_methods_supported"] = metadata["code_challenge_methods_supported"]
        members["authorization_signing_alg_values_supported"] = metadata["authorization_signing_alg_values_supported"]
        if settings.requiresPushedRequests { members["require_pushed_authorization_requests"] = .bool(true) }
        // There, a token that is bound to a certificate is of use, and any other.
        members["api_base"] = .string(certificateAddress ?? issuer)
        return members
    }
}
