import Foundation
import PlaySupport
import TestSupport
import Testing
import Wire

@testable import CommandSupport

/// What `-vv`, `--har` and `--dry-run` show. Every secret of these tests begins with `s3cret`.
@Suite("What is shown of requests and responses", .inProcessWithoutPauses)
struct ShownRequestTests {
    @Test("revoke --dry-run prints each of its requests")
    func each() throws {
        let scene = try ShownScene()
        let lines = try scene.oap(["revoke", "--dry-run"]).run().expect(status: 0).text.split(separator: "\n")
        #expect(lines.map { $0.hasPrefix("curl ") } == [true, true], "\(lines)")
        #expect(lines[0].contains("refresh_token") && lines[1].contains("access_token"), "\(lines)")
    }

    @Test("--dry-run leaves the file of -o alone, and shows the search for an endpoint that is missing")
    func special() throws {
        let scene = try ShownScene()
        let file = try scene.home.write("kept", to: "token.json")
        try scene.oap(["refresh", "-o", file, "--dry-run"]).run().expect(status: 0).expect(nowhere: "s3cret")
        #expect(try scene.home.read("token.json") == "kept")
        let issuer = scene.server.url()
        let document: JSONObject = ["client_id": "c", "issuer": .string(issuer), "refresh_token": "s3cret-refresh"]
        let search = try scene.oap(["refresh", "--dry-run"], document).run().expect(status: 0)
        #expect(
            search.text
                == "curl -H 'Accept: application/json' --path-as-is \(issuer)/.well-known/openid-configuration\n")
        search.expect(
            errorLine: "oap: refresh: the token_endpoint is missing; looking for it in the metadata of \(issuer)")
        #expect(scene.server.connectionCount == 0)
    }

    @Test("--dry-run shows the certificates and the proxy of the options, whose password is a secret")
    func ways() throws {
        let options = ["--cert", "c.pem", "--key", "it's a key", "--proxy", "http://me:s3cret-proxy@p.example"]
        let result = try ShownScene().oap(["refresh", "--dry-run"] + options).run().expect(status: 0)
        result.expect(nowhere: "s3cret")
        #expect(
            result.text.hasSuffix(#"/token --cert c.pem --key 'it'\''s a key' --proxy 'http://***@p.example'"# + "\n"),
            "\(result)")
    }

    @Test("-vv shows bodies with their names, and only says how long a binary one is")
    func bodies() throws {
        let scene = try ShownScene()
        let result = try scene.oap(["refresh", "-vv"]).run().expect(status: 0)
        result.expect(errorLine: "} grant_type=refresh_token&refresh_token=***")
        #expect(result.errorText.contains(#"{ {"access_token":"***","token_type":"Bearer""#), "\(result)")
        let file = try scene.home.write("line 1\nline 2", to: "file")
        let peer = try Responder { _ in .text("ok") }
        let upload = try Program.oap(["call", "/x", "-T", file, "-vv"], input: peer.token.input).run().expect(status: 0)
        let lines = upload.errorText.split(separator: "\n").filter { !$0.hasPrefix("*") }
        let sent = try #require(lines.firstIndex(of: "} line 1"))
        #expect(lines[sent - 1] == ">" && lines[sent + 1] == "} line 2" && lines[sent + 2].hasPrefix("< HTTP/1.1 200"))
        #expect(lines.last == "{ ok")
        let binary = try Responder(.content([0, 1, 2, 255], type: "application/octet-stream"))
        let call = try Program.oap(["call", "/x", "-vv", "-o", "/dev/null"], input: binary.token.input).run()
        call.expect(status: 0).expect(errorLine: "{ [4 bytes of binary data]")
    }

    @Test("the archive has what failed too, replaces an older one, and must be a regular file")
    func archive() throws {
        let scene = try ShownScene()
        let file = try scene.home.write("older", to: "x.har")
        let stopped = try Responder { _ in .text("") }
        let address = stopped.url("/token")
        stopped.stop()
        try scene.oap(["exchange", "--token-endpoint", address, "--har", file]).run().expect(status: 6)
        let entries = try #require(
            JSON(parsing: Array(Data(contentsOf: URL(fileURLWithPath: file)))).object?["log"]?.object?["entries"]?.array
        )
        let entry = try #require(entries.first?.object)
        #expect(entry["response"]?.object?["status"] == 0 && entry["comment"]?.string?.isEmpty == false)
        #expect(entry["request"]?.object?["url"]?.string == address)
        for path in [scene.home.path, scene.home.path("missing/x.har"), "/dev/null", ""] {
            let result = try scene.oap(["exchange", "--har", path]).run()
            #expect([.status(11), .status(2)].contains(result.ending), "\(result)")
        }
        #expect(scene.server.connectionCount == 0)
    }
}
