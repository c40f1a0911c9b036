internal import Errands
internal import Glibc
internal import JOSE
internal import Loopback
internal import OAuth
package import Sessions
package import Shell
internal import System
package import Wire

/// A reverse proxy that adds tokens: clients reach the APIs of some names through it, and never have their tokens
/// (oap-proxy(1)).
package final class Proxy {
    /// How long requests that are under way may take when the proxy ends.
    private static let patience = Duration.seconds(5)
    private static let maximumConnections = 1024

    private let settings: ProxySettings
    private let session: Session
    /// The key of this run, 128 random bits.
    private let key: String
    private let upstreams: [ProxyUpstream]
    private var server: LoopbackServer?
    private var isEnding = false
    /// The socket file that is ours; nil for none.
    private var socket: FileStatus?
    /// When the last request came.
    private var last = MonotonicTime.now

    /// - Parameter names: of stored tokens.
    /// - Throws: exit 2, 3, 8, 9 or 11 for a token that cannot be used; exit 6 where it cannot listen.
    package init(_ names: [String], _ settings: ProxySettings, _ session: Session, isLogged: Bool) throws(Failure) {
        (self.settings, self.session) = (settings, session)
        key = Base64.encodeURL(try session.world.random(16))
        session.diagnostics.redactor.add(key)
        let place = settings.logFile.map { UseLog.Place.file($0) } ?? (isLogged ? .standardError : nil)
        let log = UseLog(session.environment, session.world, session.diagnostics, to: place)
        try log?.check()
        var upstreams: [ProxyUpstream] = []
        for name in names where !upstreams.contains(where: { $0.name == name }) {
            upstreams.append(try ProxyUpstream(name, settings, session, log: log))
        }
        self.upstreams = upstreams
        for variable in settings.variables where variable.login.map({ !names.contains($0) }) ?? false {
            throw .usage("\(ProxySettings.env.name): \(variable.login ?? "") is none of the names of this proxy")
        }
        server = try listen()
        if case .file(let path) = settings.place { socket = try? FileStatus(ofLink: path) }
        if case .address(let address, _) = settings.place, !address.isLoopback {
            session.diagnostics.tell(
                "warning: other machines may reach \(address.text): who has the key has the power of the token")
        }
    }

    private func listen() throws(Failure) -> LoopbackServer {
        raiseLimit()
        var limits = LoopbackLimits()
        (limits.headerBytes, limits.time, limits.connections) = (64 << 10, .seconds(120), Self.maximumConnections)
        return try Failure.listening { () throws(LoopbackError) in
            let sockets: ListeningSockets =
                switch settings.place {
                case .address(let address, let port): try ListeningSockets([address], port: port)
                case .file(let path): try ListeningSockets(file: path)
                }
            return try LoopbackServer(on: sockets, limits: limits) { [unowned self] in take($0, $1) }
        }
    }

    /// Each client needs a descriptor, and each request of it another one.
    private func raiseLimit() {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        limit.rlim_cur = min(limit.rlim_max, max(limit.rlim_cur, UInt(Self.maximumConnections) * 2))
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }

    /// Where clients reach it, without the key and a slash at the end.
    private var address: String {
        switch settings.place {
        case .address(let address, _): "http://\(address.authority):\(server?.port ?? 0)"
        case .file: "http://localhost"
        }
    }

    private func base(of name: String) -> String { "\(address)/\(key)/\(name)" }

    /// What clients need to reach it.
    package var description: JSONObject {
        var members: JSONObject = ["url": .string(base(of: upstreams[0].name)), "key": .string(key)]
        if case .file(let path) = settings.place { members["socket"] = .string(path) }
        if upstreams.count > 1 {
            members["urls"] = .object(
                JSONObject(
                    unique: upstreams.map { JSONObject.Member(name: $0.name, value: .string(base(of: $0.name))) }))
        }
        return members
    }

    /// The variables of the command.
    package var variables: [(name: String, value: String)] {
        // Requests to this machine, with the key, go through no proxy of the environment.
        let others = ["no_proxy", "NO_PROXY"].map { name in
            let kept = (try? session.environment.value(name)) ?? nil
            return (name, (kept.map { $0 + "," } ?? "") + "127.0.0.1,localhost")
        }
        let usual = others + [("OAP_PROXY_URL", base(of: upstreams[0].name)), ("OAP_PROXY_KEY", key)]
        return usual
            + settings.variables.map { name, value, login in
                switch value {
                case .base: (name, base(of: login ?? upstreams[0].name))
                case .key: (name, key)
                case .socket: if case .file(let path) = settings.place { (name, path) } else { (name, "") }
                }
            }
    }
}

extension Proxy {
    /// Answers until a signal, its time, or the end of a command ends it; what is under way then has some seconds.
    ///
    /// - Parameters:
    ///   - hold: holds signals back; nil where a command gets them.
    ///   - ending: whether something else has ended it.
    package func run(holding hold: SignalHold? = nil, until ending: () -> Bool = { false }) {
        guard let server else { return }
        hold?.begin()
        session.engine.add(server)
        let end = settings.time.map { MonotonicTime.now + .seconds($0) }
        while !(hold != nil && session.world.isEnding()), !ending(), end.map({ $0 > .now }) ?? true, !isIdle {
            turn(until: [end, idleEnd].compactMap(\.self).min())
        }
        isEnding = true
        server.closePort()
        let patience = MonotonicTime.now + Self.patience
        while upstreams.contains(where: { $0.count > 0 }), patience > .now { turn(until: patience) }
        session.engine.remove(server)
        server.stop()
        self.server = nil
        for upstream in upstreams { upstream.finish() }
        if case .file(let path) = settings.place, let now = try? FileStatus(ofLink: path),
            socket?.isSame(as: now) == true
        {
            unlink(path)
        }
        hold?.deliver()
    }

    private func turn(until end: MonotonicTime?) {
        var due = end
        for upstream in upstreams {
            if let moment = upstream.advance() { due = min(due ?? moment, moment) }
        }
        session.engine.turn(until: upstreams.contains(where: \.isDue) ? .now : due)
    }

    private var idleEnd: MonotonicTime? {
        guard let seconds = settings.idleTime, !upstreams.contains(where: { $0.count > 0 }) else { return nil }
        return last + .seconds(seconds)
    }

    private var isIdle: Bool { idleEnd.map { $0 <= .now } ?? false }
}

extension Proxy {
    private func take(_ request: LoopbackRequest, _ waker: LoopbackWaker) -> any LoopbackTaker {
        last = .now
        do throws(ProxyProblem) {
            guard !isEnding else { throw ProxyProblem(status: 503, message: "the proxy is ending", wait: 1) }
            let (upstream, head) = try admitted(request)
            let exchange = ProxyExchange(head, of: upstream, waker)
            upstream.add(exchange)
            return exchange
        } catch {
            return FixedAnswer(error.response { session.diagnostics.redactor.redact($0) })
        }
    }

    /// Checks a request before anything of it is used.
    private func admitted(
        _ request: LoopbackRequest
    ) throws(ProxyProblem) -> (ProxyUpstream, ProxyExchange.Head) {
        try checkSender(of: request)
        let headers = request.headers
        let length = try Self.length(of: headers)
        guard headers.allSatisfy(\.name.isHTTPToken) else { throw .bad("the request has a field whose name is none") }
        guard headers.allSatisfy({ $0.value.utf8.allSatisfy { $0 >= 0x20 || $0 == 0x09 } }) else {
            throw .bad("a field of the request has a control character")
        }
        guard request.method.isHTTPToken, !["trace", "connect"].contains(request.method.asciiLowercased) else {
            throw ProxyProblem(
                status: 405, message: "the method is not passed on: an answer to it would show the token")
        }
        guard !request.target.utf8.contains(UInt8(ascii: "#")) else { throw .bad("the target has a fragment") }
        guard request.target.hasPrefix("/") else { throw .bad("this is no forward proxy: the target is no path") }
        guard !headers.values(of: "Upgrade").contains(where: { $0.asciiLowercased.contains("websocket") }) else {
            throw ProxyProblem(status: 501, message: "an upgrade of the connection (WebSocket) is not supported")
        }
        var segments = request.path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
        let hasKey = segments.first.map { constantTimeEqual(String($0), key) } ?? false
        let prefix = address + (hasKey ? "/\(key)" : "")
        if hasKey { segments.removeFirst() }
        let name = segments.first.map(String.init) ?? ""
        let upstream = upstreams.first { $0.name == name }
        guard
            hasKey || isLocal
                || ProxyHead.keys(in: headers, own: upstream?.field ?? "").contains(where: {
                    constantTimeEqual($0, key)
                })
        else {
            throw ProxyProblem(
                status: 401, message: "the key of the proxy is missing or wrong",
                hint: "the key is the first segment of the path, or the token of Authorization: Bearer")
        }
        guard let upstream else {
            throw ProxyProblem(
                status: 404, message: "this proxy has no name like the first segment of the path",
                hint: "its names: " + upstreams.map(\.name).joined(separator: ", "))
        }
        segments.removeFirst()
        let text = segments.isEmpty ? "" : "/" + segments.joined(separator: "/")
        guard let path = ProxyPath(text.isEmpty ? "/" : text) else {
            throw .bad("servers would read the path in different ways: an empty segment, a dot segment or a backslash")
        }
        let query = ProxyHead.query(request.query)
        let base = upstream.base.withoutFragment
        let root = base.hasSuffix("/") && !text.isEmpty ? String(base.dropLast()) : base
        guard let url = WebURL(root + text + (query.map { "?\($0)" } ?? "")), url.origin == upstream.base.origin else {
            throw .bad("the path makes no URL")
        }
        if let objection = settings.rules.objection(to: request.method, path, query: query, headers) {
            upstream.note(refused: HTTPRequest(method: request.method, url: url.text), objection.status)
            throw objection
        }
        return (
            upstream,
            ProxyExchange.Head(
                method: request.method, url: url,
                headers: ProxyHead.request(
                    headers, own: upstream.field, key: key, passesCookies: settings.passesCookies),
                prefix: "\(prefix)/\(name)", length: length, hasContent: request.hasContent)
        )
    }

    private var isLocal: Bool { if case .file = settings.place { true } else { false } }

    /// Refuses other users, and pages of a browser: by the name that they reach the proxy at, and by what browsers add.
    private func checkSender(of request: LoopbackRequest) throws(ProxyProblem) {
        if isLocal {
            guard case .file(let path) = settings.place, case .user(let user) = request.peer,
                [0, geteuid(), (try? FileStatus(ofLink: path))?.owner].contains(user)
            else { throw .forbidden("the socket is another user's") }
        } else {
            let port = server.map { ":\($0.port)" } ?? ""
            let own = [String(address.dropFirst("http://".count))] + (isLoopback ? ["localhost\(port)"] : [])
            guard let authority = request.authority?.asciiLowercased,
                own.contains(authority) || server?.port == 80 && own.contains(authority + ":80")
            else {
                throw ProxyProblem(
                    status: 421, message: "the Host of the request is not the address of the proxy",
                    hint: "reach it at \(address)")
            }
        }
        let site = request.headers.first("Sec-Fetch-Site")
        guard request.headers.first("Origin") == nil, site == nil || site == "none" else {
            throw .forbidden("pages of a browser may not use the proxy")
        }
    }

    private var isLoopback: Bool {
        if case .address(let address, _) = settings.place { address.isLoopback } else { false }
    }

    /// The length of the content; nil for chunks. Two that differ, and one beside chunks, are read by servers in different
    /// ways (RFC 9112 §6.3).
    private static func length(of headers: [HTTPField]) throws(ProxyProblem) -> Int? {
        let (lengths, codings) = (headers.values(of: "Content-Length"), headers.values(of: "Transfer-Encoding"))
        guard lengths.isEmpty || codings.isEmpty, lengths.count < 2, codings.count < 2 else {
            throw .bad("the request has more than one length")
        }
        guard codings.first.map({ $0.equalsIgnoringASCIICase("chunked") }) ?? true else {
            throw ProxyProblem(status: 501, message: "the only transfer coding is chunked")
        }
        guard let text = lengths.first else { return nil }
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let length = Int(text) else {
            throw .bad("the length of the request is no number")
        }
        return length
    }
}
