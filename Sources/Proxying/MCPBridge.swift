internal import Calling
internal import Calls
package import CommandSpec
internal import Errands
internal import HTTP
internal import OAuth
internal import Redaction
package import Sessions
package import Shell
internal import System
internal import Wire

/// Lets a program that speaks the standard input and output of the Model Context Protocol use a server of Streamable HTTP:
/// each line is a message. Of both revisions: that of 2025-11-25 with a session, and that of 2026-07-28 without.
package final class MCPBridge {
    private static let versionMember = "io.modelcontextprotocol/protocolVersion"
    /// The code of an error of the bridge's own (JSON-RPC 2.0, section 5.1).
    private static let code = -32000
    /// The pause before the stream of the server's own messages is asked for again, in seconds.
    private static let pause = 1
    /// How long answers are waited for behind the end of standard input, in seconds.
    private static let patience = 60

    private let session: Session
    private let url: String
    private let requests: BatchRequests
    private var endpoint: ResourceEndpoint
    private let name: String
    private let retries: RetryPolicy
    private let options: TransportOptions
    private var driver: CallDriver
    private var exchanges: [CallGroup.ID: MCPExchange] = [:]
    private var input = BatchInput()
    /// The version that `initialize` has agreed on, which each further request of the session names.
    private var version: String?
    /// When the stream of the server's own messages is asked for (again); nil for not.
    private var listens: MonotonicTime?
    private let started = Started()

    private final class Started { weak var bridge: MCPBridge? }

    /// - Throws: exit 2, 3, 8, 9 or 11 for a token that cannot be used, or that is for no resource.
    package init(_ name: String, _ session: Session, _ arguments: Arguments) throws(Failure) {
        self.session = session
        let source = try TokenSource(login: name, session, members: ProxySettings.members)
        let document = source.document
        guard try asFailure(document.strings("resource")).count == 1 else {
            throw .usage(
                "the token of \(name) is for no MCP server, or for several",
                hint: "log in to the server: oap login \(name.shellWord) --resource URL")
        }
        let target = try CallTarget.url(nil, named: name, document: document)
        try CallTarget.checkOrigin(of: target, document: document, allowed: [])
        let settings = try CallSettings(arguments)
        url = target.withoutFragment
        requests = try BatchRequests(settings, document: document)
        endpoint = try requests.endpoint()
        var options = try session.apiOptions(of: session.transport.serving(document))
        options.multiplexes = true
        (self.name, retries, self.options) = (name, settings.retries, options)
        driver = try Self.driver(source, session, settings.retries, options, started)
        started.bridge = self
    }

    private static func driver(
        _ source: TokenSource, _ session: Session, _ retries: RetryPolicy, _ options: TransportOptions,
        _ started: Started
    ) throws(Failure) -> CallDriver {
        try CallDriver(
            token: try source.firstToken(), source: source, retries: retries, redirects: .sameOrigin, over: session,
            options: options, notifyRetry: { _, retry in session.diagnostics.tell(retry) },
            makeReceiver: { id, disposition in
                guard let exchange = started.bridge?.exchanges[id] else {
                    preconditionFailure("a message has its exchange")
                }
                return exchange.receiver(disposition)
            })
    }

    /// Carries messages both ways until standard input ends and everything is answered.
    ///
    /// - Throws: exit 11 for standard input or output.
    package func run() throws(Failure) {
        defer {
            driver.finishRenewal()
            session.engine.run(driver.source.keepingNonces())
        }
        let watch = DescriptorWatch([Watched(0)]) { _ in }
        // How long answers are waited for behind the end of standard input.
        var end: MonotonicTime?
        while true {
            while !isBeginning, let line = input.next() { try take(line) }
            let due = try advance()
            let isReading = !input.isAtEnd
            if !isReading, !isBeginning, input.isEmpty {
                end = end ?? .now + .seconds(Self.patience)
                guard exchanges.values.contains(where: \.isAwaited), end.map({ $0 > .now }) ?? true else { break }
            }
            if isReading, input.isReadable {
                try input.read()
                continue
            }
            let moment = [due, listens, end].compactMap(\.self).min()
            try session.engine.listening(isReading ? watch : DescriptorWatch([]) { _ in }) { () throws(Failure) in
                try driver.wait(until: moment, isBeside: true)
            }
        }
        for id in exchanges.keys { driver.drop(id) }
        exchanges = [:]
        try endSession()
    }

    /// Whether a session begins: further messages belong to it, and wait.
    private var isBeginning: Bool {
        exchanges.values.contains { ["initialize", "notifications/initialized"].contains($0.method) && !$0.isAnswered }
    }

    private func take(_ line: BatchInput.Line) throws(Failure) {
        guard !line.isBlank else { return }
        guard let message = line.bytes.flatMap({ (try? JSON(parsing: $0))?.object }) else {
            return try write(Self.error("the line is not a JSON object", code: -32700, for: .null))
        }
        let method = message["method"]?.string
        if method == "notifications/cancelled", let id = message["params"]?.object?["requestId"],
            let (place, exchange) = exchanges.first(where: { $0.value.id == id })
        {
            exchange.isCancelled = true
            // Without a session, the end of the request is what cancels it.
            if exchange.isStateless {
                driver.drop(place)
                exchanges[place] = nil
                return
            }
        }
        let isStateless = message["params"]?.object?["_meta"]?.object?[Self.versionMember]?.string != nil
        try add(
            MCPExchange(id: method == nil ? nil : message["id"], method: method, isStateless: isStateless),
            ["body": .object(message)], asking: nil)
    }

    private func add(_ exchange: MCPExchange, _ members: JSONObject, asking method: String?) throws(Failure) {
        var line = members.setting("url", to: .string(url))
        line["method"] = method.map { .string($0) }
        var fields: JSONObject = [
            "Accept": .string(method == "GET" ? "text/event-stream" : "application/json, text/event-stream")
        ]
        if !exchange.isStateless, let version { fields["MCP-Protocol-Version"] = .string(version) }
        line["headers"] = .object(fields)
        let request = try requests.request(line, key: "", at: endpoint)
        exchange.request = request
        exchange.begin = { [unowned self] in endpoint.note($0, to: url) }
        exchange.write = { [unowned self, unowned exchange] (message) throws(Failure) in
            try pass(message, of: exchange)
        }
        // After a renewal that failed a person may have logged in again.
        if driver.renewalFailure != nil, exchanges.isEmpty {
            let source = try TokenSource(login: name, session, members: ProxySettings.members)
            driver = try Self.driver(source, session, retries, options, started)
        }
        try driver.renewIfDue()
        exchanges[driver.add(request)] = exchange
    }

    /// Carries out what need not be waited for.
    ///
    /// - Returns: when there is more to do at the latest; nil for when something happens.
    @discardableResult
    private func advance() throws(Failure) -> MonotonicTime? {
        if let moment = listens, moment <= .now {
            listens = nil
            try add(MCPExchange(id: nil, method: nil, isStateless: false, isListening: true), [:], asking: "GET")
        }
        while true {
            let (id, outcome): (CallGroup.ID, CallOutcome)
            switch try driver.event() {
            case .finished(let ended, let how): (id, outcome) = (ended, how)
            case .waiting(let end): return end
            case .done: return nil
            }
            guard let exchange = exchanges.removeValue(forKey: id) else { continue }
            try end(exchange, outcome)
        }
    }

    private func end(_ exchange: MCPExchange, _ outcome: CallOutcome) throws(Failure) {
        if let failure = exchange.failure { throw failure }
        switch outcome {
        case .answered(let head, let note):
            driver.keepStepUp(by: head)
            guard head.status < 400 else {
                if exchange.isListening { return }
                guard let request = exchange.request else { return }
                let failure = CallFailure(head, note, exchange.content, by: driver, session.diagnostics.redactor)
                return try answer(exchange, with: failure.failure(of: request), exchange.content)
            }
            try finish(exchange, head)
        case .notRenewed:
            let missing = Failure(.loginNeeded, .loginNeeded, "the token was refused")
            try answer(exchange, with: driver.renewalFailure ?? missing, [])
        case .stopped(let error): try answer(exchange, with: Failure(.badAnswer, error.kind, error.message), [])
        case .lost(let error, _):
            if exchange.isListening { return listens = .now + .seconds(Self.pause) }
            try answer(exchange, with: Failure(error, stake: .repeatable), [])
        }
    }

    private func finish(_ exchange: MCPExchange, _ head: HTTPResponseHead) throws(Failure) {
        if exchange.isEventStream {
            if exchange.isListening { return listens = .now + .seconds(Self.pause) }
        } else if !exchange.isListening, let value = try? JSON(parsing: exchange.content) {
            try pass(value, of: exchange)
        }
        if exchange.method == "notifications/initialized", !exchange.isStateless { listens = .now }
        guard let id = exchange.id, !exchange.isAnswered else { return }
        if exchange.method == "subscriptions/listen" {
            let params: JSONObject = ["requestId": id]
            return try write(
                .object([
                    "jsonrpc": .string("2.0"), "method": .string("notifications/cancelled"), "params": .object(params),
                ]))
        }
        try write(Self.error("the server sent no response to the request", code: Self.code, for: id))
    }

    /// Answers a request that failed: with the server's own error, if it is one.
    private func answer(_ exchange: MCPExchange, with failure: Failure, _ content: [UInt8]) throws(Failure) {
        guard let id = exchange.id else { return session.diagnostics.tell(failure) }
        if let own = (try? JSON(parsing: content))?.object, own["error"]?.object != nil, own["jsonrpc"] != nil,
            own["id"] == id
        {
            return try write(.object(own))
        }
        let redactor = session.diagnostics.redactor
        var data: JSONObject = ["exit_status": .integer(Int(failure.exit.rawValue))]
        data["http_status"] = failure.httpStatus.map { .integer($0) }
        data["hint"] = failure.hint.map { .string(redactor.redact($0)) }
        try write(Self.error(redactor.redact(failure.message), code: Self.code, for: id, data))
    }

    private static func error(_ message: String, code: Int, for id: JSON, _ data: JSONObject? = nil) -> JSON {
        var error: JSONObject = ["code": .integer(code), "message": .string(message)]
        error["data"] = data.map { .object($0) }
        return .object(["jsonrpc": .string("2.0"), "id": id, "error": .object(error)])
    }

    /// Tells a server with sessions that this one is over.
    private func endSession() throws(Failure) {
        guard version != nil else { return }
        try add(MCPExchange(id: nil, method: nil, isStateless: false, isListening: true), [:], asking: "DELETE")
        let end = MonotonicTime.now + .seconds(2)
        while !exchanges.isEmpty, end > .now {
            listens = nil
            let due = try advance()
            if !exchanges.isEmpty { try driver.wait(until: min(due ?? end, end)) }
        }
        for id in exchanges.keys { driver.drop(id) }
    }

    /// Gives a message of the server to the client. What it says of the session counts before the client's next message.
    private func pass(_ message: JSON, of exchange: MCPExchange) throws(Failure) {
        exchange.note(message)
        if exchange.method == "initialize", let agreed = exchange.result?["protocolVersion"]?.string, agreed.isPlainWord
        {
            version = agreed
        }
        if let token = driver.token?.token, token.utf8.count >= 8,
            Redactor(secrets: [token]).reveals(message.bytes)
        {
            let problem = "the answer of the server has the token in it, and is not passed on"
            return try write(Self.error(problem, code: Self.code, for: exchange.id ?? .null))
        }
        try write(message)
    }

    private func write(_ message: JSON) throws(Failure) {
        let bytes = message.bytes + [0x0A]
        try Failure.system("cannot write standard output", try FileDescriptor.standardOutput.writeAll(bytes))
    }
}
