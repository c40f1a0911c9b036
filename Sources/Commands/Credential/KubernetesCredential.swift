internal import System
internal import Wire
internal import Shell
internal import Tokens

/// The protocol of exec plugins for Kubernetes clients (client-go credential plugins).
enum KubernetesCredential {
    private static let group = "client.authentication.k8s.io"

    /// Prints an ExecCredential of the version that is asked for.
    static func run(_ request: CredentialRequest) throws(Failure) -> Exit {
        let asked = try request.session.environment.value("KUBERNETES_EXEC_INFO").map { (text) throws(Failure) in
            try Input.object(in: Array(text.utf8), name: "KUBERNETES_EXEC_INFO", exit: .badInput)
        }
        let version = asked?["apiVersion"]?.string ?? "\(group)/v1"
        guard ["\(group)/v1", "\(group)/v1beta1"].contains(version) else {
            throw CredentialRequest.bad("the apiVersion of KUBERNETES_EXEC_INFO is neither \(group)/v1 nor v1beta1")
        }
        let server = asked?["spec"]?.object?["cluster"]?.object?["server"]?.string
        let found: ManagedToken?
        if let server {
            found = try request.search.token(for: TokenSearch.urls(server))
        } else {
            found = try request.search.named()
        }
        guard let found else {
            // What is wrong with the token of that name was said.
            let name = request.session.inputs.settings.name
            if let name, let server {
                throw Failure(
                    .loginNeeded, .loginNeeded, "\(name) is no token for \(Terminal.escaping(server))")
            }
            throw Failure(
                .loginNeeded, .loginNeeded,
                "there is no token for \(server.map { Terminal.escaping($0) } ?? "this cluster")",
                hint: """
                    choose a token with -p NAME; or let oap find it: set provideClusterInfo: true in the settings of the \
                    plugin, and in a profile, set api_base to the URL of the cluster
                    """)
        }
        let token = try request.handed(found, isIDToken: request.wantsIDToken)
        var status: JSONObject = ["token": .string(token.access.token)]
        status["expirationTimestamp"] = token.expiresAt.map { .string(Timestamp.text($0)) }
        return try request.session.output().finish([
            "apiVersion": .string(version), "kind": .string("ExecCredential"), "status": .object(status),
        ])
    }
}
