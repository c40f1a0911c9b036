import Testing
import Wire

@Suite("Hosts that may be this machine")
struct WebURLLocalTests {
    @Test(
        "an address of this machine is known in every spelling that a resolver takes",
        arguments: [
            "127.0.0.1", "127.1", "127.0.1", "2130706433", "0x7f000001", "0x7F.1", "0177.0.0.1", "0.0.0.0", "0",
            "127.0.0.1.", "localhost", "LOCALHOST", "localhost.", "x.localhost", "a.b.localhost.", "169.254.169.254",
            "0xa9fea9fe", "[::1]", "[::]", "[0:0:0:0:0:0:0:1]", "[::ffff:127.0.0.1]", "[::FFFF:7f00:1]",
            "[::127.0.0.1]",
            "[::ffff:169.254.169.254]", "[fe80::1]", "[1:2:3:4:5:6:7:8:9]", "[x]",
        ])
    func local(host: String) throws {
        #expect(try #require(WebURL("https://\(host)/")).mayBeLocal)
    }

    @Test(
        "any other host is not taken for this machine",
        arguments: [
            "api.example", "128.0.0.1", "127.example", "10.0.0.1", "169.253.1.1", "1.2.3.4.5", "256.1.1.1", "127.0.0.x",
            "notlocalhost", "localhost.example", "[2001:db8::1]", "[::ffff:8.8.8.8]", "[1::127.0.0.1]", "16777216",
            "12..1",
        ])
    func remote(host: String) throws {
        #expect(try !#require(WebURL("https://\(host)/")).mayBeLocal)
        #expect(try !#require(WebURL("app:/\(host)")).mayBeLocal)
    }
}
