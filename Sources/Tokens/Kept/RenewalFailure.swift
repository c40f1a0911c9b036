internal import OAuth
internal import Wire
internal import Shell

/// What is said where a kept token cannot be renewed.
package struct RenewalFailure {
    /// What the token is called, `the token of work`.
    let subject: String
    var advice: TokenAdvice
    /// The name that the token is stored under; nil for a file.
    var name: String?
    let world: World

    /// The command that replaces the token; nil for a file.
    package var login: String? { advice.login }

    func unrenewable(_ kept: JSONObject) -> Failure {
        let (now, keeper) = (world.seconds, kept["renewed_by"]?.string.map { Terminal.escaping($0) })
        let isRefused = SpentToken.isRefused(of: kept)
        let cause =
            if isRefused {
                "the server refused to renew it"
            } else if let end = TokenDocument.end(ofRenewing: kept), end <= now {
                "the right to renew it expired \(Self.ago(now - end))"
            } else {
                keeper.map { "it is renewed by \($0)" } ?? "nothing can renew it"
            }
        let hint =
            if let keeper {
                "have \(keeper) send a new one: oap-hosts(7), MANY MACHINES"
            } else if let storing = storing(kept) {
                storing
            } else {
                login.map { $0 + Self.offline(kept) }
                    ?? "log in again; some servers issue a refresh token only if offline_access is in --scope"
            }
        let end = kept["expires_at"]?.integer.flatMap { $0 <= now ? $0 : nil }
        return pending(
            Failure(
                .loginNeeded, isRefused ? .refreshRefused : .nothingToRenewWith,
                end.map { "\(subject) expired \(Self.ago(now - $0)), and \(cause)" } ?? "\(subject): \(cause)",
                hint: hint))
    }

    /// What to do about a token of which nothing says where it is from; nil for another.
    func storing(_ kept: JSONObject) -> String? {
        guard let name, kept["client_id"] == nil, kept["token_endpoint"] == nil else { return nil }
        return "nothing says where it is from: store a new token with oap store put \(name)"
    }

    /// What a login by OpenID Connect may have asked too little for (Core §11): the options that ask for it next time.
    private static func offline(_ kept: JSONObject) -> String {
        let (scope, offline) = (Scope(splitting: kept["scope"]?.string ?? ""), "offline_access")
        guard !SpentToken.isRefused(of: kept), scope.contains("openid"),
            let wider = scope.option(adding: offline)
        else { return "" }
        let options = "\(wider) \(LoginOption.saveProfile.name)"
        return "; if the server issues a refresh token only for the scope value \(offline), add \(options)"
    }

    func underivable() -> Failure {
        pending(
            Failure(
                .loginNeeded, .nothingToRenewWith,
                "\(subject): the login has no refresh token, which is needed to get another token",
                hint: "if the server supports token exchange, use --exchange"))
    }

    /// The failure for a token that an API refused.
    func refused(_ kept: JSONObject) -> Failure {
        let time = kept["refused_at"]?.integer.map { " " + Self.ago(world.seconds - $0) } ?? ""
        return pending(
            Failure(
                .loginNeeded, .loginNeeded, "\(subject) was refused by the API\(time), and nothing can renew it",
                hint: storing(kept) ?? login ?? "log in again"))
    }

    /// A failure that a login mends, whose message says what was wanted: if a login is under way, it says so.
    func pending(_ failure: Failure) -> Failure { (advice.pending(failure) ?? failure).whole }

    /// The warning about a renewal that failed while the token is still good.
    func warning(of failure: Failure, left seconds: Int) -> OAuthWarning {
        let then = failure.kind.needsLogin ? login.map { "; then log in again: \($0)" } ?? "" : ""
        let text = "\(failure.message); oap uses the token until it expires in \(TimeText.left(seconds))\(then)"
        return .notRenewed(failure.kind, until: world.seconds + seconds, message: text)
    }

    private static func ago(_ seconds: Int) -> String { seconds <= 0 ? "just now" : "\(TimeText.left(seconds)) ago" }
}
