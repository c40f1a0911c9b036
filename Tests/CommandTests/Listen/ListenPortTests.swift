import Foundation
import TestSupport
import Testing
import Wire

@testable import CommandSupport

@Suite("The port of listen, as a process")
struct ListenPortTests {
    @Test(
        "the port of oap listen is closed by a signal, of which the program dies", arguments: [SIGINT, SIGTERM, SIGHUP])
    func signals(signal: Int32) throws {
        let listening = try Listening()
        listening.program.send(signal: signal)
        try listening.program.finish().expect(signal: signal)
        #expect(throws: RawConnection.Failure.self) { try RawConnection(port: listening.port) }
    }

    @Test("the port of oap listen is given up when nobody reads the result any more")
    func noReader() throws {
        let result = try Program.shell(
            "oap listen | true; echo ${PIPESTATUS[0]}", input: try Listening.flow().input
        ).run().expect(status: 0)
        result.expect(output: "141\n")
    }

    @Test("the port of oap listen may be on any address of 127.0.0.0/8, and is on none but the one that was named")
    func otherLoopback() throws {
        let listening = try Listening(try Listening.flow(["--redirect-uri", "http://127.3.2.1:0/cb"]))
        #expect(throws: RawConnection.Failure.self) { try RawConnection(port: listening.port) }
        let curl = Program(path: "/usr/bin/curl", arguments: ["-sS", listening.redirect])
        #expect(try curl.run().expect(status: 0).text.contains("Answer received"))
        try listening.program.finish().expect(status: 0)
    }

    @Test("the port of oap listen speaks TLS for an https redirect URI, with the certificate that was given")
    func tls() throws {
        let folder = try TemporaryDirectory()
        let openssl = Program(
            path: "/usr/bin/openssl",
            arguments: [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2", "-subj",
                "/CN=oap", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", "\(folder.path)/key.pem", "-out",
                "\(folder.path)/certificate.pem",
            ])
        try openssl.run().expect(status: 0)
        let files = [
            "--tls-certificate-file", "\(folder.path)/certificate.pem", "--tls-key-file", "\(folder.path)/key.pem",
        ]
        let flow = try Listening.flow(["--redirect-uri", "https://127.0.0.1:0/cb"])
        try Program.oap(["listen"], input: flow.input).run().expect(status: 2)
        try Program.oap(["listen"] + files.prefix(2), input: flow.input).run().expect(status: 2)
        let swapped = [files[0], files[3], files[2], files[1]]
        let unusable = try Program.oap(["listen"] + swapped, input: flow.input).run().expect(status: 3)
        #expect(try unusable.object()["error"] == "key_invalid")
        let listening = try Listening(flow, files)
        let plain = try RawConnection(port: listening.port)
        try plain.send("GET / HTTP/1.1\r\n\r\n")
        let curl = Program(
            path: "/usr/bin/curl", arguments: ["-sS", "--cacert", "\(folder.path)/certificate.pem", listening.redirect])
        #expect(try curl.run().expect(status: 0).text.hasSuffix("</html>\n"))
        let result = try listening.program.finish().expect(status: 0).object()
        #expect(result["callback_url"]?.string == listening.redirect)
        let http = try Listening.flow()
        try Program.oap(["listen"] + files, input: http.input).run().expect(status: 2)
    }
}
