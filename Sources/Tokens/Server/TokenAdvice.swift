internal import Shell

/// What a failure to get a token says besides what happened, as who wants the token knows it. What to do about a refused
/// or a lost token request is written here, and nowhere else.
package struct TokenAdvice {
    /// What is being done, `renewing the token work`; nil where it is the command's own job.
    var task: String?
    /// The command that logs in again; nil for none.
    var login: String?
    /// The client, if `oap login --register` registered it.
    var client: ForgottenClient?
    /// Whether the token is for other resources than the login named.
    var isOfResource = false
    var isPending: () -> Bool = { false }

    /// The failure of a request for a token, or of one that prepares it.
    ///
    /// - Parameter end: what is over with it, if anything is.
    func failure(_ fault: ServerFault, stake: Stake = .repeatable, end: String? = nil) -> Failure {
        var failure = Failure(fault, stake: stake)
        let (exit, error) = (fault.exit(stake), fault.error)
        if exit == .unknownOutcome { failure.cause = failure.cause ?? .grant }
        let known = [failure.hint, end].compactMap(\.self)
        failure.hint = known.isEmpty ? nil : known.joined(separator: "; ")
        if error?.kind.needsLogin == true, let pending = pending(failure) {
            return pending
        } else if let client, error?.refusesClient == true {
            failure.hint = client.hint(afterRefusal: failure.hint)
        } else if let login {
            if exit == .unknownOutcome || error?.cause == .grant {
                failure.hint = failure.hint.map { "\($0): \(login)" }
            } else if failure.hint == nil, isOfResource, error?.code == "invalid_target" {
                let all = "\(login) --resource A --resource B"
                failure.hint = "a login for all its resources can have tokens for each: \(all)"
            } else if failure.hint == nil, exit == .refused || exit == .badAnswer || error?.kind == .idTokenClaim {
                failure.hint = "if the failure persists, log in again: \(login)"
            }
        }
        return failure
    }

    /// A failure that a login mends, where one is under way; nil where none is.
    func pending(_ failure: Failure) -> Failure? {
        guard let login, isPending() else { return nil }
        var failure = failure
        (failure.kind, failure.code) = (.loginPending, nil)
        failure.hint = "\(login) is under way: try again when the login has ended"
        return failure
    }
}
