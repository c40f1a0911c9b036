import TestSupport
import Testing
import Wire

extension AgainstServers {
    /// `oap register` against servers that others wrote.
    @Suite("With a server that others wrote, oap register")
    struct RegistrationTests {
        /// A document of the server's metadata, with what its quirks ask for. django-oauth-toolkit signs no ID token for
        /// a client that registered itself.
        private func document(_ login: Login) -> JSONObject {
            login.peer.metadata.with("basic_encoding", login.peer.description["quirks"]?.object?["basic_encoding"])
                .with("scope", .string(login.isGlewlwyd ? login.scope : "email"))
                .with("redirect_uri", .string(Login.redirectURI))
        }

        /// glewlwyd registers a client without authentication, and gives it no token.
        @Test(
            "oap registers a client, logs in with it and refreshes, reads, updates and deletes it",
            arguments: [
                (Peer.Server.glewlwyd, "client_secret_basic"), (.django, "client_secret_basic"), (.django, "none"),
            ])
        func registration(server: Peer.Server, method: String) throws {
            let login = Login(peer: try Peer.shared(server))
            let arguments = ["--client-name", "first", "--token-endpoint-auth-method", method]
            let client = try login.oap(["register"] + arguments, document(login)).expect(status: 0).object()
            #expect((client["client_secret"] == nil) == (method == "none"))
            let refreshed = try login.oap(["refresh"], try login.token(client)).expect(status: 0).object()
            #expect(refreshed["access_token"] != nil)

            let renamed = try login.oap(["register", "--update", "--client-name", "second"], client).expect(status: 0)
            let read = try login.oap(["register", "--read"], try renamed.object()).expect(status: 0).object()
            #expect(read["client_name"]?.string == "second" && read["client_id"] == client["client_id"])
            #expect(read["token_endpoint_auth_method"]?.string == method)
            _ = try login.token(read)

            let deleted = try login.oap(["register", "--delete"], read).expect(status: 0).object()
            #expect(deleted["deleted"] == client["client_id"])
            try login.oap(["register", "--read"], read).expect(status: 4)
        }

        @Test("oap is told what a server does not register", arguments: Peer.Server.allCases)
        func refusal(server: Peer.Server) throws {
            let login = Login(peer: try Peer.shared(server))
            let odd = document(login).with("grant_types", .array([.string("urn:example:none")]))
            let refused = try login.oap(["register"], odd).expect(status: 4).object()
            #expect(refused["error"]?.string == "invalid_client_metadata")
        }
    }
}
