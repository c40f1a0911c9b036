import Foundation
import TestSupport
import Testing
import Wire

extension AgainstServers {
    /// The real kubectl with oap as its plugin. It sends a token by TLS alone, so the server has that.
    @Suite("kubectl")
    struct KubectlTests {
        @Test("kubectl reads with the token that oap hands out, and has it renewed when it is due")
        func credential() throws {
            let login = Login(peer: try Peer.shared(.django, settings: ["TLS": "1"]))
            let authority = try #require(login.peer.certificateAuthority)
            let trusting = ["SSL_CERT_FILE": authority]
            let token = try login.token(try login.client("cli-public"), environment: trusting)
            let userinfo = try #require(token["userinfo_endpoint"]?.string.flatMap { URL(string: $0) })
            let home = try TemporaryDirectory()
            try home.write(try Self.configuration(server: userinfo, authority: authority), to: "config")
            for expiry in [token["expires_at"], .integer(1)] {
                var put = Program.oap(["store", "put", "me"], environment: ["HOME": home.path])
                put.input = .text(JSON.object(token.with("expires_at", expiry)).text)
                try put.run().expect(status: 0)
                var kubectl = Program(
                    path: "/usr/bin/env", arguments: ["kubectl", "get", "--raw", userinfo.path + "/"])
                kubectl.environment = trusting.merging(["HOME": home.path, "KUBECONFIG": home.path("config")]) { $1 }
                let answer = try kubectl.run().expect(status: 0).object()
                #expect(answer["sub"] == token["id_token_claims"]?.object?["sub"])
            }
            let kept = try JSON(parsing: Array(home.read(".local/state/oap/tokens/me.json").utf8)).object
            #expect(kept?["access_token"] != token["access_token"])
        }

        /// A kubeconfig with the newest version of the plugin's protocol that this kubectl knows.
        private static func configuration(server: URL, authority: String) throws -> String {
            let about = Program(path: "/usr/bin/env", arguments: ["kubectl", "version", "--client", "-o", "json"])
            let version = try about.run().expect(status: 0).object()["clientVersion"]?.object?["minor"]?.string
            let minor = try #require(version.flatMap { Int($0.prefix(while: \.isNumber)) })
            return """
                apiVersion: v1
                kind: Config
                current-context: test
                contexts: [{name: test, context: {cluster: test, user: me}}]
                clusters:
                - name: test
                  cluster:
                    server: https://127.0.0.1:\(try #require(server.port))
                    certificate-authority: \(authority)
                users:
                - name: me
                  user:
                    exec:
                      apiVersion: client.authentication.k8s.io/\(minor < 22 ? "v1beta1" : "v1")
                      command: \(Program.oapPath)
                      args: [credential, kubectl, -p, me]
                      interactiveMode: Never
                """
        }
    }
}
