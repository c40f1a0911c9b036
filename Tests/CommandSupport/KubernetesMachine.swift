import Foundation
import TestSupport
import Testing
import Wire

/// A machine that uses the store in a cluster: a home of its own, and a kubeconfig.
struct KubernetesMachine {
    private(set) var home: StoreHome

    /// Machines with one key.
    ///
    /// - Parameter user: the credentials of the kubeconfig.
    static func make(
        _ count: Int = 1, for cluster: Kubernetes, user: JSONObject = ["token": "admin-token"]
    ) throws -> [KubernetesMachine] {
        let key = try Program.oap(["store", "key"]).run().expect(status: 0).text
        return try (0..<count).map { _ in try KubernetesMachine(cluster, key: key, user: user) }
    }

    private init(_ cluster: Kubernetes, key: String, user: JSONObject) throws {
        home = try StoreHome()
        home.environment = [
            "OAP_STORE": cluster.store, "OAP_STORE_KEY_FILE": try home.home.write(key, to: "key"),
            "KUBECONFIG": try home.home.write(try cluster.config(user: user), to: "kube/config"),
        ]
    }

    /// The same home with other credentials.
    func with(kubeconfig: String) throws -> KubernetesMachine {
        try home.home.write(kubeconfig, to: "kube/config")
        return self
    }

    func oap(_ arguments: String..., input: String? = nil) -> Program {
        Program.oap(
            arguments, input: input.map { .text($0) } ?? .none,
            environment: ["HOME": home.home.path].merging(home.environment) { $1 })
    }

    /// Stores a token that has expired, for whose renewal an endpoint is asked.
    func putExpired(_ endpoint: Responder) throws {
        let document = JSON.object(endpoint.token.with(["expires_at": 1000, "refresh_token": "rt-0"])).text
        try oap("store", "put", "work", input: document).run().expect(status: 0)
    }

    /// The names of the files with answers that the store does not have.
    var late: [String] {
        (FileManager.default.enumerator(atPath: home.home.path(".local/state/oap/shared"))?.allObjects ?? [])
            .compactMap { $0 as? String }.filter { $0.hasSuffix(".late") }
    }
}

extension Responder.Reply {
    /// A renewed token, `at-1` and `rt-1`.
    static var renewed: Responder.Reply {
        .json(#"{"access_token":"at-1","token_type":"Bearer","expires_in":3600,"refresh_token":"rt-1"}"#)
    }
}
