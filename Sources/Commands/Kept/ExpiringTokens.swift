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
        "within", argument: "TIME", section: "Request", summary: "the time for --all, such as 30m, 12h or 7d")

    /// Renews them.
    static func renew(_ session: Session) throws(Failure) -> Exit {
        guard let text = session.arguments.value(within) else {
            throw .usage(
                "--all needs --within",
                hint: "to renew the tokens that would expire within a week: oap token --all --within 7d")
        }
        guard let seconds = seconds(text) else {
            throw .usage("--within must be a time such as 30m, 12h or 7d, not \(Terminal.escaping(text))")
        }
        var output = try session.output()
        var worst: Failure?
        for name in try session.engine.run(Failure.storing(try session.inputs.store().list())) {
            var outcome: String
            do throws(Failure) {
                let managed = try ManagedToken(
                    named: name.text, profile: try session.inputs.profiles.find(name.text), session.inputs,
                    over: session.transport)
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

    /// - Returns: whether the token was renewed.
    private static func renew(_ managed: ManagedToken, within seconds: Int) -> Attempt<Bool, Failure> {
        managed.load().onward { (kept) throws(Failure) in
            guard let end = kept["refresh_token_expires_at"]?.integer ?? kept["expires_at"]?.integer,
                end - Clock.now <= seconds
            else { return .done(.success(false)) }
            let reason = kept["access_token"]?.string.map { RenewalReason.refused($0) } ?? .asked
            return managed.renewed(because: reason, after: kept).reading { (_) throws(Failure) in true }
        }
    }

    /// The seconds of `45`, `30m`, `12h` or `7d`; nil for anything else, and for more than a century.
    private static func seconds(_ text: String) -> Int? {
        let units: [Character: Int] = ["m": 60, "h": 3600, "d": 86_400]
        let unit = text.last.flatMap { units[$0] }
        guard let number = Int(unit == nil ? text : String(text.dropLast())), (0...3_200_000_000).contains(number),
            text.first != "+"
        else { return nil }
        let seconds = number * (unit ?? 1)
        return seconds <= 3_200_000_000 ? seconds : nil
    }
}
