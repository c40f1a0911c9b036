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
        guard let managed = try ManagedToken(session) else {
            return try run(session, request: try CallRequest(session, input: try session.input(members)), renewal: nil)
        }
        let minimum = try RefreshCommand.minimum(of: session)
        func request(with kept: JSONObject) throws(Failure) -> CallRequest {
            try CallRequest(session, input: try managed.input(members, members: kept))
        }
        let kept = try managed.load()
        // What is wrong with the command line is told before a token is renewed for it.
        let first = try request(with: kept)
        guard !session.arguments.has(CallOption.dryRun), try managed.isDue(kept, minimum: minimum) else {
            return try run(session, request: first) { (refused) throws(Failure) in
                try request(with: try managed.renewed(because: .refused(refused)))
            }
        }
        let renewed = try managed.renewed(because: .due(minimum: minimum, seen: kept["access_token"]?.string))
        return try run(session, request: try request(with: renewed)) { (refused) throws(Failure) in
            try request(with: try managed.renewed(because: .refused(refused)))
        }
    }

    private static func run(
        _ session: Session, request: CallRequest, renewal: ((String) throws(Failure) -> CallRequest)?
    ) throws(Failure) -> Exit {
        if session.arguments.has(CallOption.dryRun) { return try printCurl(request, session) }
        let result = try CallResult(session, mayCompileLater: request.onlyReads)
        var call = try Call(request, session: session, renewal: renewal)
        return try call.perform(into: result)
    }

    private static func printCurl(_ request: CallRequest, _ session: Session) throws(Failure) -> Exit {
        let output = try session.output()
        let secret = CurlCommand.Secret(variable: "OAP_ACCESS_TOKEN", value: request.access.token)
        let file = request.uploadName.map { $0 == "standard input" ? "-" : $0 }
        let command = CurlCommand(request.request, secrets: [secret], contentFile: file)
        return try output.write(line: command.text)
    }
}

/// One call on its way: the request, its redirects, and what the answer means.
struct Call {
    private var request: CallRequest
    private let client: HTTPClient
    private let policy: RedirectPolicy
    private let errorBody: String
    private let diagnostics: Diagnostics
    private var redactor: Redactor
    private let trace: Trace?
    private var renewal: ((String) throws(Failure) -> CallRequest)?

    /// Makes the call ready.
    ///
    /// - Parameter renewal: makes the request with another token than the refused one; nil where no token can be had.
    init(
        _ request: CallRequest, session: Session, renewal: ((String) throws(Failure) -> CallRequest)?
    ) throws(Failure) {
        self.request = request
        self.renewal = renewal
        let arguments = session.arguments
        var options = try TransportOptions(arguments, environment: session.environment, maximumTime: nil)
        options.http11Only = arguments.has(CallOption.http11)
        if request.leavesOut("User-Agent") { options.userAgent = "" }
        if request.leavesOut("Accept-Encoding") { options.compressed = false }
        policy = RedirectPolicy(allowsCrossOrigin: !arguments.has(CallOption.noCrossOrigin))
        diagnostics = session.diagnostics
        errorBody = arguments.value(CallOption.errorBody) ?? "stderr"
        redactor = Redactor(secrets: [request.access.token])
        trace = session.trace(redactor)
        do throws(HTTPError) {
            client = try HTTPClient(options: options, trace: trace)
        } catch {
            throw Failure(error, stake: .repeatable)
        }
    }

    /// Sends the request, follows its redirects, and writes the answer.
    ///
    /// - Throws: exit 6 or 12 where there is no answer, 7 for a status of 400 and above, 9 for a redirect that is not
    ///   followed, and what writing throws.
    mutating func perform(into result: consuming CallResult) throws(Failure) -> Exit {
        var result = result
        var current = request.request
        var isBare = false
        var hasUpload = request.upload != nil
        for hops in 0... {
            let (isFirst, wantsRenewal) = (!isBare, renewal != nil && request.upload?.isReplayable != false)
            let (policy, scheme) = (policy, request.access.scheme)
            let isRefused = { (head: HTTPResponseHead) in
                isFirst && wantsRenewal && head.status == 401
                    && ResourceRefusal(status: head.status, headers: head.headers, scheme: scheme) == .invalidToken
            }
            let receiver = result.receiver { head in
                !isRefused(head)
                    && (try? policy.decide(after: head, to: current, hasUpload: hasUpload, bare: isBare, hops: hops))
                        == .done
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
            case .done where isRefused(head):
                try renew()
                (current, isBare, hasUpload) = (request.request, false, request.upload != nil)
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

    /// Takes the request with a new token in the place of the refused one (rule CA-04); there is one such try.
    private mutating func renew() throws(Failure) {
        guard let renewal = renewal.take() else { preconditionFailure("a refusal was to be mended that cannot be") }
        request = try renewal(request.access.token)
        redactor.add(request.access.token)
        trace?.redactor = redactor
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
        let explained = CallFailure(head: head, content: receiver.content, redactor: redactor)
        let failure = explained.failure(of: request, scheme: request.access.scheme).masking(redactor)
        guard !result.takesErrors else {
            do throws(Failure) {
                _ = try result.finish(receiver, head: head)
            } catch {
                // The status stays (contract §6); what else went wrong is told too.
                diagnostics.tell(error)
            }
            throw failure
        }
        if errorBody == "stderr", !receiver.content.isEmpty {
            let text = String(decoding: redactor.redact(receiver.content), as: UTF8.self)
            Diagnostics.printBody(text)
        }
        throw failure
    }
}
