internal import CommandSpec
internal import HTTP
internal import JQ
internal import OAuth
internal import Wire

/// `oap call`: token → the API's answer.
enum CallCommand {
    /// The members that its options set.
    static let members: [MemberOption] = [.apiBase, .authorizationScheme]

    /// Runs the command.
    static func run(_ session: Session) throws(Failure) -> Exit {
        let input = try session.input(members)
        guard let token = try input.secrets.value("access_token") else {
            throw Failure(input.document.missing("access_token"), document: input.document)
        }
        let access = try Failure.lifting(input.document) { () throws(OAuthError) in
            try AccessToken(token, of: input.document)
        }
        let request = try CallRequest(session.arguments, document: input.document, token: access)
        if session.arguments.has(CallOption.dryRun) { return try printCurl(request, token: token) }
        let result = try CallResult(session, mayCompileLater: request.onlyReads)
        let call = try Call(request, access: access, session: session, redactor: Redactor(secrets: [token]))
        return try call.perform(into: result)
    }

    private static func printCurl(_ request: CallRequest, token: String) throws(Failure) -> Exit {
        let secret = CurlCommand.Secret(variable: "OAP_ACCESS_TOKEN", value: token)
        let file = request.uploadName.map { $0 == "standard input" ? "-" : $0 }
        let command = CurlCommand(request.request, secrets: [secret], contentFile: file)
        try ByteSink.print(command.text + "\n")
        return .done
    }
}

/// One call on its way: the request, its redirects, and what the answer means.
struct Call {
    private let request: CallRequest
    private let access: AccessToken
    private let client: HTTPClient
    private let policy: RedirectPolicy
    private let errorBody: String
    private let redactor: Redactor

    /// Makes the call ready.
    init(_ request: CallRequest, access: AccessToken, session: Session, redactor: Redactor) throws(Failure) {
        self.request = request
        self.access = access
        let arguments = session.arguments
        var options = try TransportOptions(arguments, environment: session.environment, maximumTime: nil)
        options.http11Only = arguments.has(CallOption.http11)
        if request.leavesOut("User-Agent") { options.userAgent = "" }
        if request.leavesOut("Accept-Encoding") { options.compressed = false }
        policy = RedirectPolicy(allowsCrossOrigin: !arguments.has(CallOption.noCrossOrigin))
        errorBody = arguments.value(CallOption.errorBody) ?? "stderr"
        self.redactor = redactor
        do throws(HTTPError) {
            client = try HTTPClient(options: options, trace: session.trace(redactor))
        } catch {
            throw Failure(error, stake: .repeatable)
        }
    }

    /// Sends the request, follows its redirects, and writes the answer.
    ///
    /// - Throws: exit 6 or 12 where there is no answer, 7 for a status of 400 and above, 9 for a redirect that is not
    ///   followed, and what writing throws.
    func perform(into result: consuming CallResult) throws(Failure) -> Exit {
        var result = result
        var current = request.request
        var isBare = false
        var hasUpload = request.upload != nil
        for hops in 0... {
            let receiver = result.receiver { head in
                (try? policy.decide(after: head, to: current, hasUpload: hasUpload, bare: isBare, hops: hops)) == .done
            }
            do throws(Failure) {
                try send(current, upload: hasUpload ? request.upload : nil, isBare: isBare, receiver)
            } catch {
                // A filter that does not compile is to be fixed first, however the request went.
                try result.settleFilter()
                throw error
            }
            guard let head = receiver.head else { preconditionFailure("a transfer that ends well has a head") }
            switch try decide(after: head, to: current, hasUpload: hasUpload, isBare: isBare, hops: hops) {
            case .done: return try finish(receiver, head: head, result: result)
            case .follow(let next, let bare, let replaysUpload):
                if replaysUpload, request.upload?.isReplayable == false {
                    throw Failure(
                        .apiRefused, "body_not_replayable",
                        "the redirect wants the body again, which was read from a pipe")
                }
                (current, isBare, hasUpload) = (next, bare, replaysUpload)
            }
        }
        preconditionFailure("the number of hops is bounded by the policy")
    }

    private func send(
        _ current: HTTPRequest, upload: FileUpload?, isBare: Bool, _ receiver: CallReceiver
    ) throws(Failure) {
        do throws(HTTPError) {
            try client.stream(current, upload: upload, withCertificate: !isBare, receiver: receiver)
        } catch {
            if case .invalidRequest(let message) = error { throw .usage(message) }
            guard case .aborted = error else {
                throw Failure(error, stake: request.isIdempotent ? .repeatable : .spends)
            }
            // The receiver had enough: what it could not write is told by itself, what it dropped is not missed.
            try receiver.checkWriting()
        }
    }

    private func decide(
        after head: HTTPResponseHead, to current: HTTPRequest, hasUpload: Bool, isBare: Bool, hops: Int
    ) throws(Failure) -> RedirectPolicy.Decision {
        do throws(RedirectError) {
            return try policy.decide(after: head, to: current, hasUpload: hasUpload, bare: isBare, hops: hops)
        } catch {
            var failure = Failure(.insecure, error.kind.rawValue, error.message)
            failure.httpStatus = error.status
            throw failure
        }
    }

    private func finish(
        _ receiver: CallReceiver, head: HTTPResponseHead, result: consuming CallResult
    ) throws(Failure) -> Exit {
        var result = result
        try result.settleFilter()
        guard head.status >= 400 else { return try result.finish(receiver, head: head) }
        let explained = CallFailure(head: head, content: receiver.content)
        let failure = explained.failure(of: request, scheme: access.scheme).masking(redactor)
        guard !result.takesErrors else {
            _ = try result.finish(receiver, head: head)
            throw failure
        }
        if errorBody == "stderr", !receiver.content.isEmpty {
            let text = String(decoding: redactor.redact(receiver.content), as: UTF8.self)
            Diagnostics.printBody(text)
        }
        throw failure
    }
}
