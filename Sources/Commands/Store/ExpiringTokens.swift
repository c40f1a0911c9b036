package import CommandSpec
internal import Errands
internal import OAuth
internal import Tokens
internal import Wire
package import Shell
package import Sessions

/// Renews every stored token that would end within some time (`oap token --all --within 7d`).
package enum ExpiringTokens {
    package static let all = Option("all", section: "Request", summary: "renew every token that would end soon")
    package static let within = Option(
        "within", argument: "TIME", form: .period, section: "Request",
        summary: "the time for --all, such as 30m, 12h or 7d")

    package static func renew(_ session: Session, within seconds: Int) throws(Failure) -> Exit {
        var output = try session.output()
        var failures: [(name: String, failure: Failure)] = []
        for name in try session.engine.run(Failure.storing(try session.inputs.store().list())) {
            var outcome: String
            do throws(Failure) {
                let managed = try session.login(name.text)
                let renewed = try session.engine.run(renew(managed, within: seconds))
                outcome = renewed == nil ? "kept" : "renewed"
                if let renewed, let failure = ending(of: name.text, renewed, within: seconds, at: session.world.seconds)
                {
                    session.diagnostics.tell(failure)
                    failures.append((name.text, failure))
                }
            } catch {
                session.diagnostics.tell(error)
                outcome = "failed"
                failures.append((name.text, error))
            }
            try output.write(line: "\(name.text): \(outcome)")
        }
        _ = try output.end()
        guard let worst = failures.map(\.failure).reduce(nil, Failure.worse) else { return .done }
        throw worst.told(as: document(of: failures, worst, session.diagnostics))
    }

    /// The error document of the failure with the highest status, with all where there are several: it would hide them.
    private static func document(
        of failures: [(name: String, failure: Failure)], _ worst: Failure, _ diagnostics: Diagnostics
    ) -> JSONObject {
        let documents = failures.map { name, failure in
            failure.document(stage: diagnostics.command ?? "", diagnostics.redactor).setting("token", to: .string(name))
        }
        var document = documents.first { $0["exit_status"] == .integer(Int(worst.exit.rawValue)) } ?? [:]
        if documents.count > 1 { document["failures"] = .array(documents.map { .object($0) }) }
        return document
    }

    /// The token document after the renewal; nil if the token need not be renewed. Where no end of the login is known, that
    /// of the access token counts: some servers end a refresh token that is not used.
    private static func renew(_ managed: ManagedToken, within seconds: Int) -> Attempt<JSONObject?, Failure> {
        managed.load().onward { (kept) throws(Failure) in
            guard let end = TokenDocument.end(ofRenewing: kept) ?? kept["expires_at"]?.integer,
                end - managed.world.seconds <= seconds
            else { return .done(.success(nil)) }
            let reason = kept["access_token"]?.string.map { RenewalReason.refused($0) } ?? .asked
            return managed.renewed(because: reason, after: kept).reading { (renewed) throws(Failure) in
                managed.transport.note()
                return renewed
            }
        }
    }

    /// What is said of a login that ends within the time although it was renewed.
    private static func ending(of name: String, _ renewed: JSONObject, within seconds: Int, at now: Int) -> Failure? {
        guard let end = TokenDocument.end(ofRenewing: renewed), end - now <= seconds else { return nil }
        return Failure(
            .loginNeeded, .loginNeeded,
            "the login \(name) ends in \(TimeText.left(end - now)), and the renewal did not move its end",
            hint: "oap login \(name)")
    }
}
