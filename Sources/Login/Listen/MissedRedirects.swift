internal import OAuth
internal import Shell

/// The redirects without the state of a login, which its wait ignores.
struct MissedRedirects {
    /// A request to the redirect URI without the `state` of this login.
    struct Stray: Equatable {
        /// The error that it names.
        let error: String?
        /// What is wrong with a response of a server; nil for a request that is none.
        let problem: ErrorKind?
    }

    /// Whether the first response of a server names an error.
    private var isRefusal = false
    /// What is wrong with the first response of a server; nil if none came.
    private var problem: ErrorKind?
    /// The error that it names, in brackets; nil if nothing came.
    private var words: String?

    /// Of the first response to this login that came elsewhere, or in another way.
    private var misdirection: (fact: String, hint: String)?

    /// Takes one with the state of this login, and tells of the first at once: the user would wait in vain.
    mutating func add(_ misdirection: (fact: String, hint: String), _ diagnostics: Diagnostics) {
        guard self.misdirection == nil else { return }
        let fact = diagnostics.redactor.redact(misdirection.fact, upTo: 200)
        self.misdirection = (fact, misdirection.hint)
        diagnostics.tell("warning: the redirect of this login came \(fact); it is ignored")
        diagnostics.hint(misdirection.hint)
    }

    /// Takes one, and tells of the first.
    mutating func add(_ stray: Stray, _ diagnostics: Diagnostics) {
        let words = stray.error.map { " (error=\(diagnostics.redactor.redact($0, upTo: 60)))" } ?? ""
        if self.words == nil { diagnostics.tell("a redirect without the state of this login was ignored\(words)") }
        guard problem == nil, self.words == nil || stray.problem != nil else { return }
        (problem, self.words) = (stray.problem, words)
        isRefusal = stray.error != nil
    }

    /// The failure at the end of the time limit. To repeat the command is no use where the browser brings the responses
    /// of another login.
    ///
    /// - Parameter place: where no redirect came, and in what time.
    func failure(_ place: String, hint: String) -> Failure {
        if let misdirection {
            return Failure(
                .unavailable, .timeout, "no redirect \(place); one came \(misdirection.fact)",
                hint: misdirection.hint, cause: .redirect)
        }
        let stray = words.map { "; one without the state of this login was ignored\($0)" } ?? ""
        guard let problem else {
            return Failure(.unavailable, .timeout, "no redirect \(place)\(stray)", hint: hint, cause: .redirect)
        }
        let first = problem == .stateMissing ? "the first has no state" : "the first has another state"
        return Failure(
            problem.exit, problem, "only redirects of another login \(place); \(first)\(words ?? "")",
            hint: isRefusal
                ? "if that was the answer to this login, the server refused it: log in again, and allow it"
                : "close the pages of other logins in the browser, and log in again",
            cause: .redirect)
    }
}
