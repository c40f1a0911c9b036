import Foundation
import Synchronization
import TestSupport
import Testing
import Wire

@testable import CommandSupport

/// Calls with a bound token whose API wants nonces: what is sent again for one is sent whole, and with a new proof.
@Suite("A call with a token that is bound to a key")
struct BoundCallTests {
    private let managed: ManagedHome

    init() throws { managed = try ManagedHome.bound() }

    private static func refusal(_ nonce: String) -> Responder.Reply {
        .text(
            "", status: 401,
            headers: [#"WWW-Authenticate: DPoP error="use_dpop_nonce""#, "DPoP-Nonce: \(nonce)"])
    }

    /// Wants a new nonce for each request: the first attempt of each is refused.
    private final class Nonces: Sendable {
        private let good = Mutex(0)

        /// Refuses a request without the newest nonce; nil for one that has it.
        func refusal(of request: Responder.Request) -> Responder.Reply? {
            good.withLock { good in
                defer { good += 1 }
                return Proof(request)?.nonce == "n\(good)" ? nil : BoundCallTests.refusal("n\(good + 1)")
            }
        }
    }

    private func proofs(_ server: Responder) -> [Proof] { server.requests.compactMap(Proof.init) }

    /// Runs `oap call` with these words of a shell; `API` is the place of the API.
    private func shell(_ words: String, _ api: Responder) throws -> ProgramResult {
        var program = Program.shell("cd \"$HOME\"; oap call work --allow-origin \"$API\" \(words)")
        program.environment = ["HOME": managed.home.path, "API": api.url()]
        return try program.run()
    }

    @Test(
        "DPoP case 5: content from a pipe that is refused for a nonce is sent again whole",
        arguments: [
            "-d @-", "--data-binary @-", "--json @-", "--input -", "-T -", "--form a=@-", "-T <(cat content)",
            "--input <(cat content)",
        ])
    func pipe(option: String) throws {
        let nonces = Nonces()
        let api = try Responder { nonces.refusal(of: $0) ?? .text("fine") }
        let content = "[" + String(repeating: "1,", count: 100_000) + "1]"
        try managed.home.write(content, to: "content")
        let result = try shell("\"$API\"/x \(option) < <(cat content)", api)
        result.expect(status: 0).expect(output: "fine").expectSilence()
        let isWhole = api.requests.allSatisfy { $0.bodyText.contains(content) }
        #expect(isWhole && api.requests.count == 2)
        #expect(proofs(api).map(\.nonce) == [nil, "n1"] && Set(proofs(api).compactMap(\.id)).count == 2)
    }

    @Test("DPoP case 5: content from a pipe that is too large to keep is not sent again in part, and the hint says so")
    func largePipe() throws {
        let nonces = Mutex(0)
        let api = try Responder { request in
            guard Proof(request)?.nonce == nil else { return .text("\(request.bodySize)") }
            nonces.withLock { $0 += 1 }
            return Self.refusal("n1")
        }
        let words = #""$API"/x -T - -X POST --error-document error < <(head -c 16777217 /dev/zero)"#
        let refused = try shell(words, api).expect(status: 7)
        let hint =
            "oap: hint: the API wants another nonce in the proof of the key (DPoP), and content of more than 16 MiB from "
            + "a pipe cannot be sent again: send the content from a file"
        refused.expect(errorLine: hint)
        #expect(try managed.home.read("error").contains(#""error":"body_not_replayable""#))
        #expect(api.requests.count == 1)
        // The nonce is kept.
        try shell(words, api).expect(status: 0).expect(output: "16777217")
        #expect(proofs(api).map(\.nonce) == [nil, "n1"])
    }

    @Test("DPoP case 9: iat is taken after a wait that the API asked for, and after one for another request's")
    func afterWait() throws {
        let answered = Mutex<Double?>(nil)
        let api = try Responder { _ in
            answered.withLock { time in
                guard time == nil else { return .text("fine") }
                time = Date().timeIntervalSince1970
                return .text("", status: 429, headers: ["Retry-After: 2"])
            }
        }
        let lines = (1...3).map { #"{"url":"/\#($0)"}"# }.joined(separator: "\n") + "\n"
        try managed.oap(
            "call", "work", "--batch", "--parallel", "1", "--api-base", api.url(), input: lines
        ).run().expect(status: 0)
        let start = answered.withLock { $0 }
        let end = try #require(start) + 2
        let times = proofs(api).compactMap { $0.claims["iat"]?.integer }
        #expect(times.count == 4 && times.dropFirst().allSatisfy { $0 >= Int(end) }, "\(times) \(end)")
        #expect(Set(proofs(api).compactMap(\.id)).count == 4)
    }

    @Test("DPoP case 12: a batch succeeds whole where each nonce is good once, and each answer has another")
    func once() throws {
        let nonces = Mutex((given: 0, good: Set<String>()))
        let api = try Responder { request in
            nonces.withLock { nonces in
                let isGood = nonces.good.remove(Proof(request)?.nonce ?? "") != nil
                nonces.given += 1
                nonces.good.insert("n\(nonces.given)")
                let nonce = "n\(nonces.given)"
                return isGood ? .text("fine", headers: ["DPoP-Nonce: \(nonce)"]) : Self.refusal(nonce)
            }
        }
        let lines = (1...60).map { #"{"url":"/\#($0)","method":"POST","body":"\#($0)"}"# }
        let batch = managed.oap(
            "call", "work", "--batch", "--api-base", api.url(), "--retry", "0",
            input: lines.joined(separator: "\n") + "\n")
        let result = try batch.run().expect(status: 0).expectSilence()
        #expect(result.text.split(separator: "\n").count == 60, "\(result)")
        #expect(Set(proofs(api).compactMap(\.id)).count == api.requests.count)
        #expect(api.requests.allSatisfy { $0.target == "/\($0.bodyText)" })
    }

    @Test("a batch at an API that takes no nonce at all ends, and each request is refused")
    func restless() throws {
        let count = Mutex(0)
        let api = try Responder { _ in Self.refusal("n\(count.withLock { $0 += 1; return $0 })") }
        let lines = (1...20).map { #"{"url":"/\#($0)"}"# }.joined(separator: "\n") + "\n"
        try managed.oap("call", "work", "--batch", "--api-base", api.url(), input: lines).run().expect(status: 7)
        #expect((40...80).contains(api.requests.count), "\(api.requests.count)")
    }

    @Test("a large download, its rest after a break, and each page come with a nonce of their own")
    func download() throws {
        let nonces = Nonces()
        let body = (0..<5_000_000).map { UInt8(truncatingIfNeeded: $0 / 251) }
        let breaks = Mutex(true)
        let api = try Responder { request in
            if let refusal = nonces.refusal(of: request) { return refusal }
            guard request.target == "/file" else {
                let page = Int(request.target.split(separator: "=").last ?? "") ?? 1
                let link = "Link: </list?page=\(page + 1)>; rel=\"next\""
                return .json("[\(page)]", headers: page < 3 ? [link] : [])
            }
            if breaks.withLock({ first in
                defer { first = false }; return first
            }) {
                let head = "HTTP/1.1 200 OK\r\nETag: \"v1\"\r\nContent-Length: \(body.count)\r\n\r\n"
                return .raw(Array(head.utf8) + body.prefix(3_000_000)).then(.close)
            }
            guard request.headers.first("Range") == "bytes=3000000-" else { return .content(body) }
            let fields = ["ETag: \"v1\"", "Content-Range: bytes 3000000-\(body.count - 1)/\(body.count)"]
            return .content(Array(body.dropFirst(3_000_000)), status: 206, headers: fields)
        }
        try shell(#""$API"/file -o f -C - --retry 0"#, api).expect(status: 6)
        #expect(proofs(api).map(\.nonce) == [nil, "n1"])
        try shell(#""$API"/file -o f -C - --retry 0"#, api).expect(status: 0).expectSilence()
        #expect(try Data(contentsOf: URL(filePath: managed.home.path("f"))) == Data(body))
        try shell(#""$API"/file -o g"#, api).expect(status: 0)
        #expect(try Data(contentsOf: URL(filePath: managed.home.path("g"))) == Data(body))
        try shell(#""$API"/list --paginate -q '.[]'"#, api).expect(status: 0).expect(output: "1\n2\n3\n")
        #expect(Set(proofs(api).compactMap(\.id)).count == api.requests.count)
    }
    @Test("DPoP case 8: htu is the URL on the wire, and a refusal names the public address that a server may not know")
    func target() throws {
        let api = try Responder { request in
            guard request.target != "/refused" else {
                return .text("", status: 401, headers: [#"WWW-Authenticate: DPoP error="invalid_dpop_proof""#])
            }
            return .text("fine")
        }
        for (base, path) in [
            ("", ""), ("", "/"), ("", "/x"), ("/", "/x"), ("/v1", "/x/"), ("/v1/", "/x"), ("/v1", "/a%2fb?q=/c"),
        ] {
            try managed.oap("call", "work", "--api-base", api.url(base), path.isEmpty ? api.url() : path).run()
                .expect(status: 0)
            let target = try #require(api.requests.last?.target)
            let wanted = api.url(String(target.prefix { $0 != "?" }))
            #expect(proofs(api).last?.claims["htu"] == .string(wanted) && !target.hasPrefix("//"), "\(base) \(path)")
        }
        #expect(api.requests.map(\.target) == ["/", "/", "/x", "/x", "/v1/x/", "/v1/x", "/v1/a%2fb?q=/c"])
        let refused = try managed.oap("call", "work", "--api-base", api.url(), "/refused").run().expect(status: 7)
        refused.expect(errorLine: "oap: hint: the server may not know its own public address")
    }
}
