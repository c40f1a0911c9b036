import Foundation
import TestSupport
import Testing

/// A machine that uses the cluster.
struct EtcdMachine {
    let home: StoreHome

    /// Machines with one key.
    static func make(_ store: String, _ count: Int = 2) throws -> [EtcdMachine] {
        let key = try Program.oap(["store", "key"]).run().expect(status: 0).text
        return try (0..<count).map { _ in try EtcdMachine(store, key: key) }
    }

    private init(_ store: String, key: String) throws {
        var home = try StoreHome()
        _ = try home.home.write(key, to: "key")
        chmod(home.home.path("key"), 0o600)
        home.environment = ["OAP_STORE": store, "OAP_STORE_KEY_FILE": home.home.path("key")]
        self.home = home
    }

    func oap(_ arguments: String..., input: String? = nil) -> Program {
        Program.oap(
            arguments, input: input.map { .text($0) } ?? .none,
            environment: ["HOME": home.home.path].merging(home.environment) { $1 })
    }

    /// The names of the files beside the store that hold answers.
    var files: [String] { own.filter { $0.hasSuffix(".late") } }
    var hasSeen: Bool { own.contains { $0.hasSuffix(".seen") } }

    private var own: [String] {
        (FileManager.default.enumerator(atPath: home.home.path(".local/state/oap/shared"))?.allObjects ?? [])
            .compactMap { $0 as? String }
    }
}
