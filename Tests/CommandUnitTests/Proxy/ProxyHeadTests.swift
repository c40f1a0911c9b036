import Testing
import Wire

@testable import Proxying

@Suite("The fields that oap proxy passes on")
struct ProxyHeadTests {
    private func names(_ fields: [(String, String)], own: String = "authorization", passesCookies: Bool = false)
        -> [String]
    {
        ProxyHead.request(
            fields.map { HTTPField($0.0, $0.1) }, own: own, key: "the-key", passesCookies: passesCookies
        ).map(\.name)
    }

    @Test("no credential of the client, no field of its connection and no field with the key is passed on")
    func request() {
        #expect(
            names([
                ("Host", "a"), ("Authorization", "Bearer x"), ("DPoP", "x"), ("Proxy-Authorization", "x"),
                ("Cookie", "a=b"),
                ("Accept", "*/*"), ("Connection", "close, X-Hop"), ("X-Hop", "1"), ("Keep-Alive", "1"),
                ("TE", "trailers"),
                ("Transfer-Encoding", "chunked"), ("Content-Length", "3"), ("Upgrade", "h2c"), ("HTTP2-Settings", "x"),
                ("Expect", "100-continue"), ("Content-Type", "a/b"), ("X-Api-Key", "the-key"),
                ("X-Other", "a the-key b"),
                ("Sec-Fetch-Site", "none"), ("Trailer", "X"), ("X-API-KEY", "another"),
            ]) == ["Accept", "Content-Type", "X-API-KEY"])
        #expect(names([("X-Api-Key", "own"), ("Authorization", "x")], own: "x-api-key") == [])
        #expect(names([("Cookie", "a=b")], passesCookies: true) == ["Cookie"])
    }

    @Test("an answer is passed on without what concerns its connection and what would let a page read it")
    func response() {
        let fields = [
            ("Content-Type", "a/b"), ("Set-Cookie", "a=b"), ("Set-Cookie", "c=d"), ("Connection", "X-Hop"),
            ("X-Hop", "1"),
            ("Content-Length", "3"), ("Date", "x"), ("DPoP-Nonce", "n"), ("Access-Control-Allow-Origin", "*"),
            ("WWW-Authenticate", "Bearer"), ("X-Empty", ""), ("Alt-Svc", "h3"),
        ]
        #expect(
            ProxyHead.response(fields.map { HTTPField($0.0, $0.1) }).map(\.name)
                == ["Content-Type", "Set-Cookie", "Set-Cookie", "WWW-Authenticate"])
    }

    @Test("a key is found where clients put keys")
    func keys() {
        let find = { (name: String, value: String) in ProxyHead.keys(in: [HTTPField(name, value)], own: "x-own") }
        #expect(find("Authorization", "Bearer k") == ["k"])
        #expect(find("authorization", "token k") == ["k"])
        #expect(find("Authorization", "k") == ["k"])
        #expect(find("Authorization", "Basic eDpr") == ["k", "x"])
        #expect(find("Authorization", "Basic !").isEmpty)
        #expect(find("X-Api-Key", "k") == ["k"])
        #expect(find("X-Own", "k") == ["k"])
        #expect(find("X-Other", "k").isEmpty)
    }

    @Test("an access token in the query is removed, however it is written")
    func query() {
        #expect(ProxyHead.query(nil) == nil)
        #expect(ProxyHead.query("a=1&b=%20") == "a=1&b=%20")
        #expect(ProxyHead.query("a=1&access_token=x&b=2") == "a=1&b=2")
        #expect(ProxyHead.query("%61ccess_token=x") == nil)
        #expect(ProxyHead.query("") == "")
    }

    @Test("bytes come out of a queue as they went in")
    func queue() {
        var queue = ByteQueue()
        for piece in ["abc", "", "defg", "h"] { Array(piece.utf8).withUnsafeBytes { queue.append($0) } }
        var buffer = [UInt8](repeating: 0, count: 5)
        #expect(queue.count == 8)
        #expect(buffer.withUnsafeMutableBytes { queue.move(to: $0) } == 5 && buffer == Array("abcde".utf8))
        #expect(queue.count == 3 && queue.takeAll() == Array("fgh".utf8))
        #expect(queue.count == 0 && queue.takeAll() == [])
    }

    @Test("a token that comes in pieces is not passed on, and what only begins like it is")
    func leak() {
        func passed(_ pieces: [String]) -> String? {
            var leak = ProxyLeak("the-token-value") { String(decoding: $0, as: UTF8.self).contains("the-token-value") }
            var text = ""
            for piece in pieces {
                let bytes = Array(piece.utf8).withUnsafeBytes { leak.pass($0) }
                guard let bytes else { return nil }
                text += String(decoding: bytes, as: UTF8.self)
            }
            return text + String(decoding: leak.rest(), as: UTF8.self)
        }
        #expect(passed(["a the-token-value b"]) == nil)
        #expect(passed("a the-token-value".map { String($0) }) == nil)
        #expect(passed(["a the-tok", "en b"]) == "a the-token b")
        #expect(passed(["the-token-valu", "the-token-valu"]) == "the-token-valuthe-token-valu")
    }

    @Test("content is looked at unless it is coded or known to be no text")
    func text() {
        func isText(_ type: String?, _ coding: String? = nil) -> Bool {
            let fields = [type.map { HTTPField("Content-Type", $0) }, coding.map { HTTPField("Content-Encoding", $0) }]
            return ProxyLeak.isText(
                HTTPResponseHead(status: 200, headers: fields.compactMap(\.self), url: ""))
        }
        #expect(isText("application/json") && isText(nil) && isText("application/yaml") && isText("a/b", "identity"))
        #expect(!isText("image/png") && !isText("application/json", "gzip") && !isText("application/zip"))
    }
}
