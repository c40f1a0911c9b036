internal import CommandSpec
internal import Errands
internal import OAuth
internal import System
internal import TokenStore
internal import Wire

/// Renews every stored token that would end within some time (`oap token --all --within 7d`).
enum ExpiringTokens {
    static let all = Option("all", section: "Request", summary: "renew every token that would end soon")
    static let within = Option(
        "within", argument: "TIME", form: .period, section: "Request",
        summary: "the time for --all, such as 30m, 12h or 7d")

    static func renew(_ session: Session, within seconds: Int) throws(Failure) -> Exit {
        var output = try session.output()
        var worst: Failure?
        for name in try session.engine.run(Failure.storing(try session.inputs.store().list())) {
            var outcome: String
            do throws(Failure) {
                let managed = try session.login(name.text)
                outcome = try session.engine.run(renew(managed, within: seconds)) ? "renewed" : "kept"
            } catch {
                session.diagnostics.tell(error)
                outcome = "failed"
                worst = .worse(worst, error)
            }
            try output.write(line: "\(name.text): \(outcome)")
        }
        _ = try output.end()
        return worst?.exit ?? .done
    }

    /// Returns whether the token was renewed.
    private static func renew(_ managed: ManagedToken, within seconds: Int) -> Attempt<Bool, Failure> {
        managed.load().onward { (kept) throws(Failure) in
            guard let end = kept["refresh_token_expires_at"]?.integer ?? kept["expires_at"]?.integer,
                end - Clock.now <= seconds
            else { return .done(.success(false)) }
            let reason = kept["access_token"]?.string.map { RenewalReason.refused($0) } ?? .asked
            return managed.renewed(because: reason, after: kept).reading { (_) throws(Failure) in true }
        }
    }
}
