import Foundation
import TestSupport
import Testing
import Wire

@testable import CommandSupport

@Suite("listen and its process")
struct ListenProcessTests {
    @Test("the page of oap listen may have its style and nothing else: the policy names the digest of that style")
    func policy() throws {
        let listening = try Listening()
        let page = try listening.send("GET", listening.path + listening.query)
        let style = try #require(page.firstMatch(of: /<style>((?s).*)<\/style>/)).output.1
        let judge = "openssl dgst -sha256 -binary | openssl base64"
        let digest = try Program.shell(judge, input: .text(String(style))).run().expect(status: 0).text.dropLast()
        #expect(page.contains("Content-Security-Policy: default-src 'none'; style-src 'sha256-\(digest)'\r\n"))
        try listening.program.finish().expect(status: 0)
    }

    @Test(
        "oap listen prefers a redirect to that of a program that does not wait for the page: nobody knows whose it was")
    func gone() throws {
        let listening = try Listening()
        listening.program.send(signal: SIGSTOP)
        var connection: RawConnection? = try RawConnection(port: listening.port)
        try connection?.send(
            "GET \(listening.path)?code=stolen&state=\(listening.state) HTTP/1.1\r\n"
                + "Host: 127.0.0.1:\(listening.port)\r\n\r\n")
        connection = nil
        listening.program.send(signal: SIGCONT)
        _ = try listening.program.errorLine { $0.contains("warning: a program that has ended sent a response") }
        try listening.finish()
    }

    @Test("oap listen uses less than 16 MiB of memory, whatever it is sent")
    func memory() throws {
        #if DEBUG
            let limit = 24  // here the Swift runtime is a library, and larger
        #else
            let limit = 16
        #endif
        let listening = try Listening()
        for disturbance in Disturbance.all {
            _ = try listening.send(disturbance.method, disturbance.target, content: disturbance.content)
        }
        let size = 32 << 20
        let fields = ["Host: 127.0.0.1:\(listening.port)", "Content-Length: \(size)"]
        let content = String(repeating: "x", count: size)
        #expect(try listening.send("POST", listening.path, fields, content: content).hasPrefix("HTTP/1.1 413 "))
        let status = try String(contentsOfFile: "/proc/\(listening.program.process)/status", encoding: .utf8)
        let peak = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") })
        let kibibytes = try #require(Int(peak.filter(\.isNumber)))
        #expect(kibibytes < limit << 10, "\(peak)")
        try listening.finish()
    }
}
