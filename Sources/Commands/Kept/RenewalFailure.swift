internal import OAuth
internal import System
internal import Wire

/// What is said where a kept token cannot be renewed.
struct RenewalFailure {
    /// What the token is called, `the token of work`.
    let subject: String
    /// What the renewal is called, `renewing the token work`; nil where it is the command's own job.
    let task: String?
    /// The command that replaces the token; nil for a file.
    let login: String?
    /// The client, if `oap login --register` registered it.
    let client: ForgottenClient?
    /// Whether that command is under way.
    let isPending: () -> Bool

    /// The failure for a token that nothing renews.
    func unrenewable(_ kept: JSONObject) -> Failure {
        let now = Clock.now
        let isRefused = kept["refresh_refused_at"]?.isNull == false
        let cause =
            if isRefused {
                "the server refused to renew it"
            } else if let end = TokenDocument.end(ofRenewing: kept), end <= now {
                "the right to renew it expired \(Self.ago(now - end))"
            } else {
                "nothing can renew it"
            }
        let end = kept["expires_at"]?.integer.flatMap { $0 <= now ? $0 : nil }
        return Failure(
            .loginNeeded, isRefused ? .refreshRefused : .nothingToRenewWith,
            end.map { "\(subject) expired \(Self.ago(now - $0)), and \(cause)" } ?? "\(subject): \(cause)",
            hint: login ?? "log in again; some servers issue a refresh token only if offline_access is in --scope",
            cause: .login)
    }

    /// The failure for a login that gets no other token.
    func underivable() -> Failure {
        Failure(
            .loginNeeded, .nothingToRenewWith,
            "\(subject): the login has no refresh token, which is needed to get another token",
            hint: "if the server supports token exchange, use --exchange", cause: .login)
    }

    /// The failure for a token that an API refused.
    func refused(_ kept: JSONObject) -> Failure {
        let time = kept["refused_at"]?.integer.map { " " + Self.ago(Clock.now - $0) } ?? ""
        return Failure(
            .loginNeeded, .loginNeeded, "\(subject) was refused by the API\(time), and nothing can renew it",
            hint: login ?? "log in again", cause: .login)
    }

    /// A failure of a renewal: it says what was being done, unless that is the command's own job, and in the hint which
    /// command logs in again.
    func explained(_ failure: Failure) -> Failure { pending(named(failure)) }

    /// A failure that a login mends: if one is under way, it says so.
    func pending(_ failure: Failure) -> Failure {
        guard failure.kind.needsLogin, let login, isPending() else { return failure }
        var failure = failure
        (failure.kind, failure.code) = (.loginPending, nil)
        failure.hint = "\(login) is under way: try again when the login has ended"
        return failure
    }

    private func named(_ failure: Failure) -> Failure {
        guard failure.kind != .nothingToRenewWith, failure.cause != .login else { return failure }
        var failure = failure
        if let task { failure.message = "\(task): \(failure.message)" }
        if let explained = client?.explained(failure) { return explained }
        guard let login else { return failure }
        if failure.cause == .grant {
            failure.hint? += ": \(login)"
        } else if [.refused, .badAnswer].contains(failure.exit) || failure.kind == .idTokenClaim, failure.hint == nil {
            failure.hint = "if the failure persists, log in again: \(login)"
        }
        return failure
    }

    /// The warning about a renewal that failed while the token is still good.
    func warning(of failure: Failure, left seconds: Int) -> OAuthWarning {
        let then = failure.kind.needsLogin ? login.map { "; then log in again: \($0)" } ?? "" : ""
        let text = "\(failure.message); oap uses the token until it expires in \(StoreList.duration(seconds))\(then)"
        return .notRenewed(failure.kind, until: Clock.now + seconds, message: text)
    }

    private static func ago(_ seconds: Int) -> String {
        seconds <= 0 ? "just now" : "\(StoreList.duration(seconds)) ago"
    }
}
