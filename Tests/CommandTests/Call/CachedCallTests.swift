import Foundation
import Synchronization
import TestSupport
import Testing
import Wire

@testable import CommandSupport

@Suite("oap call --cache")
struct CachedCallTests {
    private let home: TemporaryDirectory

    init() throws { home = try TemporaryDirectory() }

    private func call(_ options: [String], _ responder: Responder, token: String? = nil) throws -> ProgramResult {
        let document = token.map { responder.token.with(["access_token": .string($0)]) } ?? responder.token
        return try Program.oap(["call"] + options, input: document.input, environment: ["HOME": home.path]).run()
    }

    private var folder: String { home.path(".cache/oap/responses") }

    private func entries() -> [String] { (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] }

    /// An API whose response has a validator, which it honours; the body has the number of the response.
    private func validating(_ headers: String...) throws -> Responder {
        let count = Mutex(0)
        return try Responder { request in
            let number = count.withLock { count in
                count += 1
                return count
            }
            guard request.headers.first("If-None-Match") == nil else {
                return .content([], status: 304, headers: ["X-Number: \(number)"])
            }
            return .json(#"{"number":\#(number)}"#, headers: headers + ["ETag: \"v\"", "X-Number: \(number)"])
        }
    }

    @Test("the option is for responses of the API: metadata of the issuer is asked for each time")
    func metadata() throws {
        let api = try Responder { request in
            let address = "http://" + (request.headers.first("Host") ?? "")
            switch request.target {
            case "/.well-known/openid-configuration":
                return .json(#"{"issuer":"\#(address)","token_endpoint":"\#(address)/token"}"#)
            case "/token": return .json(#"{"access_token":"at","token_type":"Bearer","expires_in":3600}"#)
            default: return request.target.hasPrefix("/.well-known") ? .text("", status: 404) : .json("{}")
            }
        }
        let token: JSONObject = [
            "issuer": .string(api.url()), "client_id": "c", "token_endpoint_auth_method": "none",
            "grant_type": "client_credentials", "access_token": "old", "token_type": "Bearer", "expires_at": 1,
            "api_base": .string(api.url()),
        ]
        for name in ["a", "b"] {
            let file = try home.write(JSON.object(token).text, to: name)
            chmod(file, 0o600)
            try call(["--token-file", file, "/x", "--cache", "600"], api).expect(status: 0).expect(output: "{}")
        }
        #expect(api.requests.count { $0.target == "/.well-known/openid-configuration" } == 2)
        #expect(entries().count == 1)
    }

    @Test("a response that is not older than the option says is used without a request, with its head and its age")
    func fresh() throws {
        let api = try validating("Cache-Control: private, max-age=0")
        for _ in 1...2 { try call(["/x", "--cache", "600"], api).expect(status: 0).expect(output: #"{"number":1}"#) }
        try call(["/x", "--cache", "600", "-q", "[.number, $status, $headers[\"x-number\"]]", "-c"], api)
            .expect(status: 0).expect(output: "[1,200,\"1\"]\n")
        let head = try call(["/x", "--cache", "600", "-i"], api).expect(status: 0)
        #expect(head.text.contains("\r\nX-Number: 1\r\n") && head.text.contains("\r\nAge: "), "\(head)")
        #expect(head.text.hasSuffix("\r\n\r\n{\"number\":1}"), "\(head)")
        let envelope = try call(["/x", "--cache", "600", "--envelope", "-q", ".url, .body.number"], api)
        #expect(envelope.text == "\"\(api.url("/api/x"))\"\n1\n", "\(envelope)")
        #expect(api.requests.count == 1)
        try call(["/x"], api).expect(status: 0).expect(output: #"{"number":2}"#)
    }

    @Test("the files are the user's alone, and no token is in them")
    func files() throws {
        let api = try validating()
        try call(["/x", "--cache", "600"], api, token: "at-very-secret").expect(status: 0)
        let name = try #require(entries().count == 1 ? entries().first : nil)
        #expect(try home.permissions(".cache/oap/responses/\(name)") == 0o600)
        #expect(try home.permissions(".cache/oap/responses") == 0o700)
        let bytes = try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(name)"))
        #expect(!String(decoding: bytes, as: UTF8.self).contains("at-very-secret") && !name.contains("secret"))
    }

    @Test("an older response is validated: a 304 gives the stored body and new fields, in each form of the result")
    func validated() throws {
        let api = try validating()
        try call(["/x", "--cache", "600"], api).expect(status: 0)
        try call(["/x", "--cache", "0"], api).expect(status: 0).expect(output: #"{"number":1}"#).expectSilence()
        try call(["/x", "--cache", "0", "-q", ".number, $headers[\"x-number\"], $status", "-c"], api)
            .expect(status: 0).expect(output: "1\n\"3\"\n200\n")
        let head = try call(["/x", "--cache", "0", "-i"], api).expect(status: 0)
        #expect(head.text.hasPrefix("HTTP/1.1 200 Status\r\n"), "\(head)")
        #expect(head.text.contains("X-Number: 4\r\n") && !head.text.contains("304"), "\(head)")
        #expect(head.text.hasSuffix("\r\n\r\n{\"number\":1}"), "\(head)")
        #expect(api.requests.map { $0.headers.first("If-None-Match") } == [nil, "\"v\"", "\"v\"", "\"v\""])
    }

    @Test("a response that has changed replaces the stored one, and an error leaves it")
    func changed() throws {
        let api = try Responder(
            .json("1", headers: ["ETag: \"1\""]), .json("no", status: 404), .json("2", headers: ["ETag: \"2\""]),
            .content([], status: 304))
        try call(["/x", "--cache", "0"], api).expect(status: 0).expect(output: "1")
        try call(["/x", "--cache", "0"], api).expect(status: 7)
        try call(["/x", "--cache", "0"], api).expect(status: 0).expect(output: "2")
        try call(["/x", "--cache", "0"], api).expect(status: 0).expect(output: "2")
        #expect(api.requests.map { $0.headers.first("If-None-Match") } == [nil, "\"1\"", "\"1\"", "\"2\""])
    }

    @Test(
        "a response that forbids it, has another status than 200, or repeats the token is not stored",
        arguments: [
            .json("1", headers: ["Cache-Control: no-store"]), .json("1", headers: ["Vary: *"]),
            .json("1", status: 201), .json("\"at-repeated\""), .json("1", headers: ["X-Echo: at-repeated"]),
            .content([], status: 304),
        ] as [Responder.Reply])
    func notStored(reply: Responder.Reply) throws {
        let api = try Responder { _ in reply }
        for _ in 1...2 { try call(["/x", "--cache", "600"], api, token: "at-repeated").expect(status: 0) }
        #expect(api.requests.count == 2 && entries().isEmpty)
    }

    @Test("a response after a redirect is not stored, and a 304 after one is not the stored response")
    func redirected() throws {
        let moved = Mutex(false)
        let api = try Responder { request in
            if request.target == "/api/y" {
                return request.headers.first("If-None-Match") == nil ? .json("2") : .content([], status: 304)
            }
            return moved.withLock { $0 } ? .redirect(302, to: "/api/y") : .json("1", headers: ["ETag: \"v\""])
        }
        try call(["/x", "--cache", "0"], api).expect(status: 0).expect(output: "1")
        moved.withLock { $0 = true }
        try call(["/x", "--cache", "0"], api).expect(status: 0).expect(output: "")
        try call(["/x?q", "--cache", "600"], api).expect(status: 0).expect(output: "2")
        try call(["/x?q", "--cache", "600"], api).expect(status: 0).expect(output: "2")
        #expect(entries().count == 1 && api.requests.count == 7)
    }

    @Test("another token, another header field and another URL have responses of their own; a fragment has not")
    func keys() throws {
        let api = try validating()
        let calls: [(options: [String], token: String, number: Int)] = [
            (["/x"], "at-1", 1), (["/x"], "at-2", 2), (["/x", "-H", "Accept: text/csv"], "at-1", 3),
            (["/x?a"], "at-1", 4), (["/x", "-A", "me"], "at-1", 5), (["/x", "-H", "Accept-Encoding:"], "at-1", 6),
            (["/x#a"], "at-1", 1), (["/x"], "at-2", 2), (["/x", "-H", "accept: text/csv"], "at-1", 3),
        ]
        for call in calls {
            try self.call(call.options + ["--cache", "600"], api, token: call.token).expect(status: 0)
                .expect(output: #"{"number":\#(call.number)}"#)
        }
        #expect(api.requests.count == 6)
    }

    @Test("a token that is due is not renewed for a response that is stored; that of the new token is another")
    func renewal() throws {
        let managed = try ManagedHome(expiresIn: 1000)
        let api = try validating()
        let words = ["call"] + managed.options + [api.url("/me"), "--cache", "600"]
        try managed.oap(words).run().expect(status: 0).expect(output: #"{"number":1}"#)
        let expired = Int(Date().timeIntervalSince1970) - 10
        try managed.put(try managed.stored().with(["expires_at": .number(String(expired))]))
        try managed.oap(words).run().expect(status: 0).expect(output: #"{"number":1}"#)
        #expect(managed.endpoint.requests.isEmpty && api.requests.count == 1)
        try managed.oap(words + ["--query", "a=b"]).run().expect(status: 0).expect(output: #"{"number":2}"#)
        #expect(managed.endpoint.requests.count == 1)
        // The response to the new token is stored with it.
        try managed.oap(words + ["--query", "a=b"]).run().expect(status: 0).expect(output: #"{"number":2}"#)
        try managed.oap(words).run().expect(status: 0).expect(output: #"{"number":3}"#)
    }

    @Test(
        "an entry that is damaged or open to others is not used, and a cache that cannot be written is no error"
    )
    func damaged() throws {
        let api = try validating()
        try call(["/x", "--cache", "600"], api).expect(status: 0)
        let path = "\(folder)/" + (try #require(entries().first))
        let whole = try Data(contentsOf: URL(fileURLWithPath: path))
        try whole.dropLast().write(to: URL(fileURLWithPath: path))
        chmod(path, 0o600)
        try call(["/x", "--cache", "600"], api).expect(status: 0).expect(output: #"{"number":2}"#).expectSilence()
        chmod(path, 0o644)
        try call(["/x", "--cache", "600"], api).expect(status: 0).expect(output: #"{"number":3}"#).expectSilence()
        chmod(folder, 0o777)
        try call(["/x", "--cache", "600"], api).expect(status: 0).expect(output: #"{"number":4}"#).expectSilence()
        try FileManager.default.removeItem(atPath: folder)
        try home.write("", to: ".cache/oap/responses")
        try call(["/x", "--cache", "600"], api).expect(status: 0).expect(output: #"{"number":5}"#).expectSilence()
    }

    @Test("pages are stored one by one, and used one by one")
    func pages() throws {
        let api = try Responder { request in
            let number = Int(request.target.split(separator: "=").last ?? "") ?? 1
            return .json("[\(number)]", headers: number < 3 ? [#"Link: <?page=\#(number + 1)>; rel="next""#] : [])
        }
        let words = ["/x", "--paginate", "--cache", "600"]
        try call(["/x?page=2", "--cache", "600"], api).expect(status: 0)
        for options in [[], ["-q", ".[]"], ["--slurp"], ["--slurp", "-q", "length"], ["--next", "empty"]] {
            let plain = try call(words.dropLast(2) + options, api).expect(status: 0).text
            let first = try call(words + options, api).expect(status: 0).text
            let second = try call(words + options, api).expect(status: 0).text
            #expect(first == plain && second == plain)
        }
        // 13 without the cache, and the three that are stored.
        #expect(api.requests.count == 16)
    }

    @Test("the oldest files are removed where there are more than 1000, or more than 256 MiB")
    func bounds() throws {
        let api = try validating()
        try call(["/x", "--cache", "600"], api).expect(status: 0)
        for number in 1...1000 {
            let path = try home.write("", to: ".cache/oap/responses/\(number)")
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSince1970: Double(number))], ofItemAtPath: path)
        }
        try call(["/y", "--cache", "600"], api).expect(status: 0)
        #expect(entries().count == 1000 && !entries().contains("1") && !entries().contains("2"))
        let large = "\(folder)/1000"
        truncate(large, 256 << 20)
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: 1000)], ofItemAtPath: large)
        try call(["/z", "--cache", "600"], api).expect(status: 0)
        #expect(!entries().contains("1000"))
        try call(["/x", "--cache", "600"], api).expect(status: 0).expect(output: #"{"number":1}"#)
    }

    @Test("a response that is too large to be stored passes through, and removes the stored one")
    func large() throws {
        let api = try Responder { request in
            request.headers.first("If-None-Match") == nil
                ? .json("1", headers: ["ETag: \"v\""]) : .text(String(repeating: "x", count: 17 << 20))
        }
        try call(["/x", "--cache", "0"], api).expect(status: 0)
        #expect(entries().count == 1)
        let result = try call(["/x", "--cache", "0"], api).expect(status: 0)
        #expect(result.output.count == 17 << 20 && entries().isEmpty)
    }

    @Test("nginx says that a file has not changed, and sends one that has")
    func nginx() throws {
        let nginx = try Nginx()
        try nginx.write("[1]", to: "list.json")
        func call(_ seconds: String) throws -> ProgramResult {
            try Program.oap(
                [
                    "call", "-n", nginx.origin + "/static/list.json", "--cacert", nginx.certificate, "--cache", seconds,
                    "-v",
                ], environment: ["HOME": home.path, "OAP_ACCESS_TOKEN": "at-cache-1"]
            ).run().expect(status: 0)
        }
        #expect(try call("0").expect(output: "[1]").errorText.contains(" 200"))
        #expect(try call("0").expect(output: "[1]").errorText.contains(" 304"))
        #expect(try !call("600").expect(output: "[1]").errorText.contains("GET"))
        try nginx.write("[1,2]", to: "list.json")
        #expect(try call("0").expect(output: "[1,2]").errorText.contains(" 200"))
    }
}
