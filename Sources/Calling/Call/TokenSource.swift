package import Calls
package import Errands
internal import HTTP
package import OAuth
package import Wire
package import Shell
internal import Tokens
package import Sessions

/// The token of `call`: from the document of the caller, or a stored token that `oap` renews.
package struct TokenSource {
    /// Whether no token is sent (`--anonymous`).
    package let isAnonymous: Bool
    private let managed: ManagedToken?
    /// The document of the login as it was kept, if it is managed.
    private let kept: JSONObject
    /// Whether standard input holds no document.
    package let isStandardInputFree: Bool
    private let minimum: Int?
    /// Whether the caller names a client certificate for this command.
    private let hasOwnCertificate: Bool
    private let input: Input
    private let members: [MemberOption]

    /// - Throws: exit 2, 3, 8 or 11; the failure of an earlier stage, to be passed on.
    package init(_ session: Session, members: [MemberOption], isAnonymous: Bool) throws(Failure) {
        (self.members, self.isAnonymous) = (members, isAnonymous)
        hasOwnCertificate = session.transport.hasCertificateOption
        isStandardInputFree = if case .standardInput = try session.inputs.source() { false } else { true }
        minimum = session.inputs.settings.minimum
        let subject = try Subject(of: session, members, isAnonymous: isAnonymous)
        (managed, kept) = (isAnonymous ? nil : subject.token, subject.kept)
        input = try session.engine.run(subject.input.withToken())
    }

    /// The source of the token that is stored under a name.
    ///
    /// - Throws: exit 2, 3, 8 or 11.
    package init(login name: String, _ session: Session, members: [MemberOption]) throws(Failure) {
        let managed = try session.login(name).deriving(session.inputs.settings.part)
        (self.members, isAnonymous, isStandardInputFree) = (members, false, true)
        hasOwnCertificate = session.transport.hasCertificateOption
        minimum = session.inputs.settings.minimum
        kept = try session.engine.run(managed.load())
        self.managed = managed
        input = try session.engine.run(try managed.input(members, members: managed.view(kept)).withToken())
    }

    package var document: Document { input.document }

    /// The command that replaces the token; nil for one of the caller's.
    package var login: String? { managed?.failures.login }

    /// The command that shows what the token says.
    var inspection: String { managed?.inspection ?? "oap inspect" }

    package var isRenewable: Bool { managed != nil }

    /// The scope of the login, for a token that was got for less (`--scope`); nil for the token of the login.
    var loginScope: String? { managed?.part == nil ? nil : kept["scope"]?.string }

    /// Whether the token must be renewed before it is used, and may be.
    ///
    /// - Parameter renewed: the token document of the last renewal.
    package func isDue(_ renewed: JSONObject? = nil) throws(Failure) -> Bool {
        guard let managed, managed.record.mayBegin else { return false }
        return try managed.isDue(renewed ?? input.original, minimum: minimum)
    }

    /// The token to begin with; nil if it must be renewed first, or if none is sent.
    ///
    /// - Throws: as `token()`.
    package func firstToken() throws(Failure) -> AccessToken? {
        guard !isAnonymous, try !isDue() else { return nil }
        try managed?.warnOfRefusal(input.original, minimum: minimum)
        try managed?.warnOfDeviations(input.original, in: kept)
        return try token()
    }

    /// - Throws: exit 3 without a token or for an invalid one, exit 9 for one that is not a bearer token.
    package func token() throws(Failure) -> AccessToken { try Self.token(of: input) }

    /// - Parameter hint: what to do without one.
    /// - Throws: as `token()`.
    package func requireToken(hint: String) throws(Failure) {
        guard managed == nil else { return }
        guard try input.secret("access_token") != nil else {
            throw Failure(input.document.missing("access_token")).advising(hint)
        }
        _ = try token()
    }

    /// The token that a dry run shows, or one like it if it is not there yet; nil if none is sent.
    ///
    /// - Throws: as `token()`.
    package func shownToken() throws(Failure) -> AccessToken? {
        guard !isAnonymous else { return nil }
        guard let managed, input.original["access_token"]?.string?.isEmpty == true else { return try token() }
        return try Self.token(of: try managed.input(members, members: kept))
    }

    /// A request with a token as a command line for curl (`--dry-run`).
    package func shown(_ request: APIRequest, with token: AccessToken?, _ session: Session) -> String {
        let isForAPI = sendsCertificate(to: request.message.url, with: token)
        return CurlCommand(request, with: token, redactor: session.diagnostics.redactor).text
            + session.transport.serving(document).curlOptions(withCertificate: isForAPI)
    }

    /// The renewal of the token.
    ///
    /// - Parameter isFirst: whether no token was used, since the one that was read is due.
    /// - Returns: an errand for the new token and the document that is stored.
    /// - Throws: every failure of the renewal.
    package func renewal(
        because reason: TokenLedger.Reason, isFirst: Bool
    ) -> Attempt<(AccessToken, JSONObject), Failure> {
        guard let managed else { preconditionFailure("a token of the caller's is not renewed") }
        let reason: RenewalReason =
            switch reason {
            case .due: .due(minimum: minimum, seen: input.original["access_token"]?.string)
            case .refused(let token): .refused(token.token)
            }
        let renewed = managed.renewed(because: reason, after: isFirst ? kept : nil)
        return renewed.onward(managed.checked).onward { (document) throws(Failure) in
            input.renewed(to: document).withToken()
                .reading { (input) throws(Failure) in (try Self.token(of: input), document) }
        }
    }

    /// Whether the client certificate goes along with a token, or without one.
    func sendsCertificate(to url: String, with token: AccessToken?) -> Bool {
        hasOwnCertificate || !isAnonymous && document.sendsCertificate(to: WebURL(url), with: token?.token)
    }

    /// Keeps the nonces that its API wants.
    package func keepingNonces() -> Errand<Void> { managed?.keepNonces(of: try? input.binding()) ?? .done(()) }

    /// Marks the token that the API refused and that nothing renews.
    ///
    /// - Parameter isCertain: whether the API said that the token is not valid: then it is not used again.
    func markingRefused(isCertain: Bool) -> Attempt<Void, Failure> {
        guard let managed, let token = input.original["access_token"]?.string else { return .done(.success(())) }
        return managed.markRefused(token, isCertain: isCertain)
    }

    /// Keeps with the stored token what an API asked of the next login.
    func keepingStepUp(_ wish: JSONObject, for token: AccessToken) -> Attempt<Void, Failure> {
        managed?.keepStepUp(wish, for: token.token) ?? .done(.success(()))
    }

    private static func token(of input: Input) throws(Failure) -> AccessToken {
        try input.accessToken(adding: "\(CallOption.anonymous.name) needs no token")
    }
}
