import CommandSupport
import Foundation
import TestSupport
import Testing
import Wire

@Suite("The streams and the life of oap proxy")
struct ProxyStreamTests {
    @Test("events come while the API still answers")
    func events() throws {
        let gate = Responder.Gate()
        let api = try Responder { _ in
            .raw("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: 1\n\n")
                .then(.raw("data: 2\n\n").after(gate)).then(.close)
        }
        let proxy = try ProxyScene(base: api.url())
        let client = try proxy.open("/a")
        #expect(try client.read(until: "data: 1").contains("200 OK"))
        gate.open()
        _ = try client.read(until: "data: 2")
    }

    @Test("long content is passed on in both directions, with its length or in chunks", arguments: [true, false])
    func upload(hasLength: Bool) throws {
        let api = try Responder { request in
            .text("\(request.bodySize) \(request.head.lowercased().contains("chunked"))")
        }
        let proxy = try ProxyScene(base: api.url())
        let piece = String(repeating: "x", count: 100_000)
        let body =
            hasLength
            ? String(repeating: piece, count: 40) : String(repeating: "186a0\r\n\(piece)\r\n", count: 40) + "0\r\n\r\n"
        let field = hasLength ? "Content-Length: 4000000" : "Transfer-Encoding: chunked"
        let answer = try proxy.send("PUT /\(proxy.key)/work/a", [field], body)
        #expect(answer.body == "4000000 \(!hasLength)")
    }

    @Test("a client that reads slowly holds the API up, and memory does not grow")
    func backPressure() throws {
        let api = try Responder { _ in .endless(String(repeating: "y", count: 65536)) }
        let proxy = try ProxyScene(base: api.url())
        let client = try proxy.open("/a")
        _ = try client.read(until: "yyyy")
        let before = try #require(proxy.running.peakMemory)
        // It answers others meanwhile, each of which gives the proxy a turn.
        for _ in 0..<50 { #expect(try proxy.send("GET /\(proxy.key)/none").status == 404) }
        #expect(try #require(proxy.running.peakMemory) - before < 4 << 20)
    }

    @Test("an answer that comes before the content is passed on, and the rest of the content is not sent")
    func early() throws {
        let api = try EarlyServer("HTTP/1.1 413 Too Large\r\nContent-Length: 2\r\nConnection: close\r\n\r\nno")
        let proxy = try ProxyScene(base: "http://127.0.0.1:\(api.port)")
        let answer = try proxy.send(
            "POST /\(proxy.key)/work/a", ["Content-Length: 3000000"], String(repeating: "x", count: 3_000_000))
        #expect(answer.status == 413 && answer.body == "no", "\(answer.text.prefix(200))")
    }

    @Test("the request to the API ends when its client is gone")
    func leaves() throws {
        let (reached, gate) = (Responder.Gate(), Responder.Gate())
        defer { gate.open() }
        let api = try Responder { request in
            reached.open()
            return request.target == "/b" ? .text("b") : .text("a").after(gate)
        }
        let proxy = try ProxyScene(base: api.url())
        do {
            let client = try proxy.open("/a")
            #expect(reached.wait())
            withExtendedLifetime(client) {}
        }
        // It is drained at once, since nothing is under way.
        #expect(try proxy.get("/b").status == 200)
        let begin = ContinuousClock.now
        proxy.running.send(signal: SIGTERM)
        try proxy.running.finish().expect(signal: SIGTERM)
        #expect(ContinuousClock.now - begin < .seconds(3))
    }

    @Test("at SIGTERM what is under way is answered, and nobody else")
    func drains() throws {
        let (reached, gate) = (Responder.Gate(), Responder.Gate())
        let api = try Responder { _ in
            reached.open()
            return .text("late").after(gate)
        }
        let proxy = try ProxyScene(base: api.url())
        let client = try proxy.open("/a", ["Connection: close"])
        #expect(reached.wait())
        proxy.running.send(signal: SIGTERM)
        while (try? RawConnection(port: proxy.port)) != nil { sched_yield() }
        gate.open()
        #expect(try client.readToEnd().hasSuffix("late"))
        let result = try proxy.running.finish().expect(signal: SIGTERM)
        #expect(!result.errorText.contains("oap:"), "\(result)")
    }

    @Test("a signal closes the port at once, and ends what is under way after some seconds")
    func ends() throws {
        let (reached, gate) = (Responder.Gate(), Responder.Gate())
        defer { gate.open() }
        let api = try Responder { _ in
            reached.open()
            return .text("late").after(gate)
        }
        let proxy = try ProxyScene(base: api.url())
        let client = try proxy.open("/a")
        #expect(reached.wait())
        let begin = ContinuousClock.now
        proxy.running.send(signal: SIGTERM)
        // Nothing else wakes it.
        try proxy.running.finish().expect(signal: SIGTERM)
        #expect(ContinuousClock.now - begin < .seconds(20))
        withExtendedLifetime(client) {}
    }

    @Test("the log has the status and the bytes of an answer whose end comes behind its last byte")
    func logOfStreams() throws {
        let gate = Responder.Gate()
        let api = try Responder { request in
            request.target == "/a"
                ? .raw("HTTP/1.1 200 OK\r\nContent-Type: image/png\r\nContent-Length: 5\r\n\r\n")
                    .then(.raw("hello").after(gate))
                : .endless()
        }
        let folder = try TemporaryDirectory()
        let proxy = try ProxyScene(["--log", folder.path("log")], base: api.url())
        let client = try proxy.open("/a", ["Connection: close"])
        _ = try client.read(until: "\r\n\r\n")
        gate.open()
        #expect(try client.readToEnd() == "hello")
        var endless: RawConnection? = try proxy.open("/b")
        _ = try endless?.read(until: "xxxx")
        endless = nil
        _ = try proxy.send("GET /\(proxy.key)/none")
        proxy.running.send(signal: SIGTERM)
        _ = try proxy.running.finish()
        let lines = try folder.read("log").split(separator: "\n").map { try #require(JSON(parsing: String($0)).object) }
        #expect(lines.map { $0["status"]?.integer } == [200, 200], "\(lines)")
        #expect(lines.first?["bytes"]?.integer == 5)
    }

    @Test("the end of a proxy leaves the socket of another")
    func otherSocket() throws {
        let folder = try TemporaryDirectory()
        let path = folder.path("s")
        let first = try ProxyScene(["--listen", "unix:\(path)"], base: "http://127.0.0.1:1")
        try FileManager.default.removeItem(atPath: path)
        let second = try ProxyScene(["--listen", "unix:\(path)"], base: "http://127.0.0.1:1")
        first.running.send(signal: SIGTERM)
        _ = try first.running.finish()
        #expect(folder.contains("s"))
        withExtendedLifetime(second) {}
    }

    @Test("a socket is the user's alone, is not shared, and is taken over from a process that died")
    func socket() throws {
        let api = try Responder { _ in .text("hello") }
        let folder = try TemporaryDirectory()
        let path = folder.path("s")
        let fetch = {
            try Program(path: "/usr/bin/curl", arguments: ["-sS", "--unix-socket", path, "http://localhost/work/a"])
                .run()
        }
        let first = try ProxyScene(["--listen", "unix:\(path)"], base: api.url())
        #expect(first.document["socket"] == .string(path))
        #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
        try fetch().expect(status: 0).expect(output: "hello")
        let second = try Program.oap(
            ["proxy", "work", "--listen", "unix:\(path)"], environment: ["HOME": first.home.path]
        ).run()
        #expect(second.ending == .status(6) && second.errorText.contains("is in use"), "\(second)")
        first.running.send(signal: SIGKILL)
        _ = try first.running.finish()
        let third = try ProxyScene(["--listen", "unix:\(path)"], base: api.url())
        try fetch().expect(status: 0).expect(output: "hello")
        third.running.send(signal: SIGTERM)
        _ = try third.running.finish()
        #expect(!FileManager.default.fileExists(atPath: path))
        try folder.write("mine", to: "s")
        let fourth = try Program.oap(
            ["proxy", "work", "--listen", "unix:\(path)"], environment: ["HOME": first.home.path]
        ).run()
        #expect(fourth.ending == .status(6) && folder.contains("s"), "\(fourth)")
    }

    @Test("a command gets the address and no secret, and the proxy ends with it")
    func command() throws {
        let api = try Responder { _ in .text("hello") }
        let home = try TemporaryDirectory()
        try ProxyScene.put(
            ["access_token": .string("at-of-the-user"), "api_base": .string(api.url())], as: "work", in: home)
        let script = #"curl -sS "$BASE/a"; curl -sS -H "Authorization: Bearer $KEY" "${BASE%/*/*}/work/a"; env; exit 7"#
        let result = try Program.oap(
            ["proxy", "work", "--env", "BASE=base", "--env", "KEY=key", "--", "sh", "-c", script],
            environment: ["HOME": home.path, "OAP_CLIENT_SECRET": "the-secret", "PATH": "/usr/bin:/bin"]
        ).run()
        #expect(result.ending == .status(7), "\(result)")
        #expect(result.text.hasPrefix("hellohello") && result.text.contains("OAP_PROXY_URL=http://127.0.0.1:"))
        #expect(!result.text.contains("at-of-the-user") && !result.text.contains("the-secret"))
        #expect(result.errorText.isEmpty)
    }

    @Test("the log has a line for each request, without query and key, in a file of the user's alone")
    func log() throws {
        let api = try Responder { _ in .text("hello") }
        let folder = try TemporaryDirectory()
        let path = folder.path("log")
        let proxy = try ProxyScene(["--log", path], base: api.url())
        _ = try proxy.get("/a/b?secret=planted")
        _ = try proxy.get("/c", method: "DELETE")
        proxy.running.send(signal: SIGTERM)
        _ = try proxy.running.finish()
        let text = try folder.read("log")
        let lines = try text.split(separator: "\n").map { try #require(JSON(parsing: String($0)).object) }
        #expect(lines.map { $0["method"]?.string } == ["GET", "DELETE"])
        #expect(lines[0]["path"] == "/a/b" && lines[0]["status"] == .integer(200) && lines[0]["bytes"] == .integer(5))
        #expect(lines[0]["name"] == "work" && lines[0]["origin"] == .string(api.url()))
        #expect(!text.contains("planted") && !text.contains(proxy.key) && !text.contains(ProxyScene.token))
        #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
    }

    @Test("it ends after its time, and after a time without a request", arguments: ["--ttl", "--idle-timeout"])
    func ends(option: String) throws {
        let proxy = try ProxyScene([option, "1"], base: "http://127.0.0.1:1")
        try proxy.running.finish().expect(status: 0)
    }

    @Test(
        "what it cannot listen on, or serve, is said before anything starts",
        arguments: [
            (["--listen", "0.0.0.0:0"], 9, "would let every machine"),
            (["--listen", "[::]:0"], 9, "would let every machine"),
            (["--listen", "here"], 2, "HOST:PORT or unix:PATH"), (["--listen", "127.0.0.1:70000"], 2, "HOST:PORT"),
            (["--listen", "unix:"], 2, "needs the path"), (["--allow", "/a"], 2, "a method and a path"),
            (["--env", "A=token"], 2, "base, key or socket"), (["--env", "PATH=base"], 2, "decides which programs"),
            (["--env", "A=base:other", "--", "true"], 2, "none of the names"),
            (["--log", "/none/log"], 11, "/none/log"),
            (["--", "/none/program"], 127, "/none/program"),
            (["--listen", "unix:/\(String(repeating: "x", count: 120))"], 6, "107"),
        ])
    func usage(options: [String], status: Int, message: String) throws {
        let home = try TemporaryDirectory()
        try ProxyScene.put(
            ["access_token": .string("at-of-the-user"), "api_base": .string("https://api.example")], as: "work",
            in: home)
        let result = try Program.oap(["proxy", "work"] + options, environment: ["HOME": home.path]).run()
        #expect(result.ending == .status(status) && result.errorText.contains(message), "\(result)")
    }

    @Test("a token without an API, and a name without a token, are said so")
    func tokens() throws {
        let home = try TemporaryDirectory()
        try ProxyScene.put(["access_token": .string("at-of-the-user")], as: "bare", in: home)
        let run = { try Program.oap(["proxy", $0], environment: ["HOME": home.path]).run() }
        #expect(try run("none").ending == .status(8))
        let bare = try run("bare")
        #expect(bare.ending == .status(2) && bare.errorText.contains("--api-base URL"), "\(bare)")
    }
}

/// A server that answers at once, and closes when the client does.
private final class EarlyServer: @unchecked Sendable {
    let port: Int
    private let listener: Int32

    init(_ answer: String) throws {
        let listener = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        self.listener = listener
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        port = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                _ = bind(listener, $0, size)
                _ = listen(listener, 8)
                _ = getsockname(listener, $0, &size)
            }
            return Int(UInt16(bigEndian: pointer.pointee.sin_port))
        }
        Thread.detachNewThread {
            let client = accept(listener, nil, nil)
            var bytes = [UInt8](repeating: 0, count: 1000)
            _ = recv(client, &bytes, bytes.count, 0)
            _ = send(client, answer, answer.utf8.count, Int32(MSG_NOSIGNAL))
            while recv(client, &bytes, bytes.count, 0) > 0 {}
            close(client)
        }
    }

    deinit { close(listener) }
}
