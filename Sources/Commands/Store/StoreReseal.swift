internal import CommandSpec
internal import Errands
internal import TokenStore
internal import Shell
internal import Sessions

/// Seals every stored token with the key that is set now (`oap store reseal`).
enum StoreReseal {
    static let oldKey = Option.file(
        "old-key-file", section: "Input", summary: "the key that has sealed the tokens so far, for reseal")

    /// Goes from token to token, each replaced whole and only as it was read: what a killed run has not done, the next one
    /// does. One that cannot be opened stays as it is.
    static func run(_ session: Session, by oldKey: String?) throws(Failure) -> Exit {
        guard let oldKey else {
            throw .usage("reseal needs \(Self.oldKey.name)", hint: "OAP_STORE_KEY_FILE names the new key")
        }
        let store = try session.inputs.store(openedBy: oldKey)
        var output = try session.output()
        var worst: Failure?
        for name in try session.engine.run(Failure.storing(store.list())) {
            let sealed = store.hold(name) { (held) throws(StoreError) in
                held.load().onward { (token) throws(StoreError) in
                    token.map { held.save($0.bytes, over: $0.revision) } ?? .done(.success(()))
                }
            }
            do throws(Failure) {
                try session.engine.run(Failure.holding(sealed))
                try output.write(line: "\(name.text): resealed")
            } catch {
                session.diagnostics.tell(error)
                worst = .worse(worst, error)
            }
        }
        _ = try output.end()
        return worst?.exit ?? .done
    }
}
