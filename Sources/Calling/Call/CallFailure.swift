package import Calls
internal import OAuth
package import Redaction
internal import System
package import Wire
package import Shell

/// What a status of 400 and above means to the caller of `call` (oap-call(1), EXIT STATUS).
package struct CallFailure {
    private let head: HTTPResponseHead
    private let note: CallOutcome.Note?
    private let content: [UInt8]
    private let driver: CallDriver
    private let redactor: Redactor
    /// Whether the client has a certificate, which did not go along.
    private let isCertificateKept: Bool

    /// `note` is what the head does not say; the content may be truncated.
    package init(
        _ head: HTTPResponseHead, _ note: CallOutcome.Note?, _ content: [UInt8], by driver: CallDriver,
        _ redactor: Redactor
    ) {
        (self.head, self.driver, self.redactor) = (head, driver, redactor)
        self.note = driver.source.isAnonymous ? .withoutToken : note
        self.content = Array(content.prefix(CallReceiver.errorLimit))
        isCertificateKept =
            driver.source.document.hasCertificate && head.url.hasPrefix("https:")
            && !driver.source.sendsCertificate(to: head.url, with: driver.token)
    }

    /// The failure: its exit status, the error text of the body, and a hint.
    package func failure(of request: APIRequest) -> Failure {
        let words = explanation.map { ": \($0)" } ?? ""
        let reason =
            head.statusLine.split(separator: " ", maxSplits: 2).dropFirst(2).first
            .map { " " + redactor.redact(String($0), upTo: Failure.sayingLimit) } ?? ""
        let shown = WebURL(head.url).map { "\($0.origin)\($0.path)" } ?? head.url
        var failure = Failure(
            exit(of: request), .httpStatus,
            "\(request.message.method) \(shown) answered \(head.status)\(reason)\(words)")
        failure.httpStatus = head.status
        failure.retryAfter = RateLimit.wait(after: head, now: Clock.now).flatMap(Failure.countable)
        let refusal = ResourceRefusal(status: head.status, headers: head.headers, scheme: driver.scheme)
        switch note == .withoutToken ? .other : refusal {
        case .invalidToken where note == .contentNotReplayable:
            failure.kind = .contentNotReplayable
            failure.hint =
                "the token may have expired, and \(Self.contentHint), or renew the token with oap refresh first"
        case .invalidToken where isCertificateKept: failure.hint = certificateHint
        case .invalidToken where explanation?.asciiLowercased.contains("certificate") == true:
            failure.hint =
                "the token is bound to a certificate: call the API at its address for mutual TLS, with --cert and --key"
        case .invalidToken where note == .refusedAgain:
            // A login would bring another token of the same kind.
            failure.hint =
                "a new token is refused too: \(driver.source.inspection) shows audience, scope and issuer"
        case .invalidToken: failure.hint = "the token \(hasExpired ? "has" : "may have") expired: \(remedy)"
        case .insufficientScope(let scope):
            failure.kind = .insufficientScope
            failure.hint = "the token lacks a scope" + (scope.map(remedy) ?? remedyForUnnamed)
        case .stepUp(let contexts, let age, let claims):
            failure.kind = .stepUpRequired
            // What an API asks that the document does not name is not kept.
            let login = driver.source.login
            let command =
                claims == nil
                ? Self.command(login ?? "oap authurl", contexts: contexts, age: age)
                : ": \(login ?? "oap authurl") --claims, with the claims of its challenge"
            failure.hint =
                "the API requires a stronger or more recent login"
                + (login.flatMap { driver.isNamed(head) ? ": \($0) \(LoginOption.stepUp.name)" : nil } ?? command)
        case .other where CertificateRefusal(status: head.status, content: content) != nil:
            failure.hint = isCertificateKept ? certificateHint : CertificateRefusal.remedy
        case .other where authorizationPage != nil:
            failure.hint = authorizationPage.map { "authorize the token in a browser: \($0)" }
        case .other where isProofRefused("invalid_dpop_proof"):
            failure.hint = Clock.hintForProof(Clock.time(of: head), now: Clock.now)
        case .other where note == .contentNotReplayable:
            failure.kind = .contentNotReplayable
            failure.hint = "the API wants another nonce in the proof of the key (DPoP), and \(Self.contentHint)"
        case .other where isProofRefused("use_dpop_nonce"): failure.hint = Failure.hintForNonce
        case .other
        where [401, 403].contains(head.status) && hasExpired && ![.withoutToken, .rateLimited].contains(note):
            failure.hint = "the token has expired: \(remedy)"
        case .other:
            let wait = failure.retryAfter.flatMap { $0 > 0 ? Failure.wait($0) : nil }
            let mayPass = note == .rateLimited || HTTPStatus.mayPass(head.status)
            let repetition = mayPass ? Self.hint(for: request, driver.retries, wait: failure.retryAfter) : lasting
            let hints = [wait, repetition].compactMap(\.self)
            if !hints.isEmpty { failure.hint = hints.joined(separator: "; ") }
        }
        return failure
    }

    /// Why a request was not sent again after a failure that may pass, and what changes that; nil if something else than
    /// its method was the reason.
    ///
    /// - Parameter wait: the seconds that the server asks to wait.
    static func hint(for request: APIRequest, _ retries: RetryPolicy, wait: Int? = nil) -> String? {
        let isReplayable = request.upload?.isReplayable ?? true
        let isInTime = Double(wait ?? 0) <= retries.maximumTime
        let (request, isBarred) = (request.message, !request.message.isIdempotent && retries.repetition != .always)
        guard isBarred, retries.limit > 0, isReplayable, isInTime else { return nil }
        return """
            oap sends a \(request.method) again only with \(CallOption.idempotencyKey.name) or \
            \(CallOption.retryAllMethods.name)
            """
    }

    private var certificateHint: String {
        """
        the API did not get the client's certificate: if the token is bound to it, set the member \
        "tls_client_certificate_bound_access_tokens", or use --cert and --key
        """
    }

    private var document: JSONObject { driver.source.document.members }

    private var hasExpired: Bool { document["expires_at"]?.integer.map { $0 <= Clock.now } ?? false }

    private func isProofRefused(_ error: String) -> Bool {
        head.headers.challenges.contains { $0["error"] == error }
    }

    /// Where the person allows the token for an organization of GitHub that has a single sign-on of its own.
    private var authorizationPage: String? {
        guard head.status == 403, let (need, place) = head.headers.first("X-GitHub-SSO")?.cut(at: ";"),
            need.trimmed == "required", let (name, text) = place.trimmed.cut(at: "="), name == "url",
            let url = WebURL(text), url.scheme == "https"
        else { return nil }
        return url.text
    }

    private static let contentHint =
        "content of more than 16 MiB from a pipe cannot be sent again: send the content from a file"

    private var remedy: String {
        TokenDocument.isRenewable(document, now: Clock.now)
            ? "oap refresh renews it" : "nothing in the document renews it; log in again"
    }

    /// What gives a token with a scope, and all that was granted before: a login for the new scope alone would lose that.
    private func remedy(for scope: String) -> String {
        guard scope.isPlainList else { return "" }
        let wanted = "; the API wants '\(redactor.redact(scope, upTo: Failure.sayingLimit))'"
        let sent = Scope(splitting: document["scope"]?.string ?? "")
        let granted = driver.source.loginScope ?? document["scope"]?.string ?? ""
        if driver.source.loginScope != nil, !Scope(splitting: scope).isContained(in: sent),
            Scope(splitting: scope).isContained(in: Scope(splitting: granted))
        {
            return "\(wanted), which the login has: leave --scope out, or add \(scope) to it"
        }
        let union = Scope.union(of: [granted, scope])
        guard union.isPlainList, union.utf8.count <= Failure.sayingLimit, redactor.redact(union) == union else {
            return wanted
        }
        guard !Scope(splitting: scope).isContained(in: Scope(splitting: granted)) else {
            return "\(wanted), but the token has this scope: the user may lack a right, and a new login does not help"
        }
        return "\(wanted): \(login(for: union.shellWord))"
    }

    /// The command of a login for a scope; for a token that nothing here can renew, a sentence that says whom to ask.
    private func login(for scope: String) -> String {
        if let login = driver.source.login { return "\(login) --scope \(scope)" }
        let isWhole = (["refresh_token"] + ClientCredential.allCases.map(\.member)).contains(where: document.holds)
        guard !isWhole, document["access_token"] != nil else { return "oap authurl --scope \(scope)" }
        return "ask the user for a token that has it: oap token NAME --scope \(scope) --document"
    }

    private var remedyForUnnamed: String {
        let granted = driver.source.loginScope ?? document["scope"]?.string ?? ""
        let isShort = granted.utf8.count <= Failure.sayingLimit
        let isShown = granted.isPlainList && isShort && redactor.redact(granted) == granted
        let (known, scope) = isShown ? ("; the token has '\(granted)'", "\(granted) SCOPE") : ("", "SCOPE")
        return " that the API does not name\(known): \(login(for: scope.shellWord))"
    }

    /// The command for the login that the API requires. Values that are not plain lists are left out, since the user
    /// may paste the command into a shell.
    private static func command(_ command: String, contexts: String?, age: String?) -> String {
        let contexts = contexts.flatMap { $0.isPlainList ? "--acr-values \($0.shellWord)" : nil }
        let age = age.flatMap {
            !$0.isEmpty && $0.utf8.allSatisfy { (0x30...0x39).contains($0) } ? "--max-age \($0)" : nil
        }
        let options = [contexts, age].compactMap(\.self)
        return options.isEmpty ? "" : ": \(command) \(options.joined(separator: " "))"
    }

    /// Why the request was not sent again after a failure of the server that does not pass soon.
    private var lasting: String? {
        guard HTTPStatus.isFailureOfServer(head.status), driver.retries.limit > 0 else { return nil }
        return "oap does not send a request again after a status of \(head.status)"
    }

    func exit(of request: APIRequest) -> Exit {
        if head.status == 429 || note == .rateLimited { return .unavailable }
        guard HTTPStatus.isFailureOfServer(head.status) else { return .apiRefused }
        return request.message.isIdempotent ? .unavailable : .unknownOutcome
    }

    /// The error text of the body, else of the challenge (RFC 6750 §3).
    private var explanation: String? {
        ErrorResponse.said(in: try? JSON(answer: content), head.headers)
            .map { redactor.redact($0, upTo: Failure.sayingLimit) }
    }
}

extension Failure {
    package init(_ error: RedirectError) {
        self.init(error.kind.exit, error.kind, error.message)
        httpStatus = error.status
    }
}

extension String {
    /// Whether it is a list of ASCII names separated by single spaces: no quotes, no options, no characters that look
    /// like others.
    var isPlainList: Bool {
        split(separator: " ", omittingEmptySubsequences: false).allSatisfy { name in
            name.first != "-" && !name.isEmpty && String(name).isPlainWord
        }
    }
}
