import Sandbox
import Testing
import Wire

@Suite("The metadata") struct MetadataTests {
    @Test("the sandbox's metadata is the same in both places, and names endpoints that are there")
    func discovery() throws {
        let scene = try Scene()
        let metadata = try scene.get("/.well-known/openid-configuration").object()
        #expect(try scene.get("/.well-known/oauth-authorization-server").object() == metadata)
        #expect(metadata["issuer"] == .string(Scene.issuer))
        let endpoints = metadata.members.filter { $0.name.hasSuffix("_endpoint") || $0.name == "jwks_uri" }
        #expect(endpoints.count == 11)
        for endpoint in endpoints {
            let url = try #require(endpoint.value.string)
            #expect(url.hasPrefix(Scene.issuer + "/"))
            let response = scene.send("PATCH", String(url.dropFirst(Scene.issuer.count)))
            #expect(response.status == 405 && response.header("Allow") != nil, "\(url)")
        }
        #expect(metadata["code_challenge_methods_supported"] == .array([.string("S256")]))
        #expect(metadata["authorization_response_iss_parameter_supported"] == .bool(true))
    }

    @Test("the sandbox's metadata promises nothing that is refused: public introspection, request_uri of one's own")
    func promises() throws {
        let scene = try Scene()
        let metadata = try scene.get("/.well-known/openid-configuration").object()
        let refused = scene.post("/introspect", ["client_id": "sandbox-public", "token": "x"])
        #expect(refused.error == "invalid_client")
        #expect(
            metadata["introspection_endpoint_auth_methods_supported"]?.strings == [
                "client_secret_basic", "client_secret_post", "client_secret_jwt", "private_key_jwt",
            ])
        #expect(metadata["token_endpoint_auth_methods_supported"]?.strings?.contains("none") == true)
        #expect(metadata["revocation_endpoint_auth_methods_supported"]?.strings?.contains("none") == true)
        #expect(metadata["request_parameter_supported"] == .bool(true))
        #expect(metadata["request_uri_parameter_supported"] == .bool(false))
        let algorithms = metadata["request_object_signing_alg_values_supported"]?.strings ?? []
        #expect(["none", "RS256", "ES256", "HS256"].allSatisfy(algorithms.contains))
        // RFC 8414 §2: where a JWT may authenticate, its algorithms must be named.
        for endpoint in ["token", "revocation", "introspection"] {
            let name = "\(endpoint)_endpoint_auth_signing_alg_values_supported"
            #expect(metadata[name]?.strings?.contains("ES256") == true, "\(name)")
        }
    }

    @Test("the API names its authorization server in metadata, and in the challenge where the metadata is")
    func resource() throws {
        let scene = try Scene()
        let url = try scene.get("/user").challenge()["resource_metadata"]
        #expect(url == Scene.issuer + "/.well-known/oauth-protected-resource")
        let metadata = try scene.get("/.well-known/oauth-protected-resource").object()
        #expect(metadata["resource"] == .string(Scene.issuer))
        #expect(metadata["authorization_servers"] == .strings([Scene.issuer]))
        let part = try scene.get("/.well-known/oauth-protected-resource/echo").object()
        #expect(part["resource"] == .string(Scene.issuer + "/echo"))
    }

    @Test("an issuer with a path has its endpoints below it, and its metadata in both places of RFC 8414 5")
    func issuerPath() throws {
        let issuer = "https://as.example/tenant"
        let scene = try Scene(issuer: issuer) { _ in }
        for path in [
            "/tenant/.well-known/openid-configuration", "/.well-known/oauth-authorization-server/tenant",
            "/.well-known/openid-configuration",
        ] {
            let metadata = try scene.get(path).object()
            #expect(metadata["issuer"] == .string(issuer), "\(path)")
            #expect(metadata["token_endpoint"] == .string(issuer + "/token"))
        }
        #expect(scene.get("/tenant/jwks").status == 200 && scene.get("/tenantjwks").status == 404)
        let part = try scene.get("/.well-known/oauth-protected-resource/tenant/echo").object()
        #expect(part["resource"] == .string(issuer + "/echo"))
    }

    @Test("the sandbox's metadata says what the settings change")
    func settings() throws {
        let scene = try Scene {
            $0.allowsPlainChallenge = true
            $0.requiresPushedRequests = true
        }
        let metadata = try scene.get("/.well-known/openid-configuration").object()
        #expect(metadata["code_challenge_methods_supported"] == .array([.string("S256"), .string("plain")]))
        #expect(metadata["require_pushed_authorization_requests"] == .bool(true))
        #expect(scene.server.clientDocument["require_pushed_authorization_requests"] == .bool(true))
    }

    @Test("a path that is not there is 404")
    func notFound() throws {
        let scene = try Scene()
        for path in [
            "/", "/tokens", "/token/", "/user/", "/status/99", "/status/600", "/delay/61", "/bytes/-1",
            "/bytes/1000000000", "/x/1",
        ] {
            #expect(scene.get(path).status == 404, "\(path)")
        }
    }

    @Test("another redirect URI of the sandbox does not take the place of the document's own")
    func redirectURI() throws {
        let scene = try Scene { $0.redirectURIs = ["app:/cb"] }
        #expect(scene.server.clientDocument["redirect_uri"] == .string("http://127.0.0.1:0/callback"))
    }
}
