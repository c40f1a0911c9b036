import Foundation
import TestSupport
import Testing
import Wire

@Suite("Who logged in")
struct LoginIdentityTests {
    private let person: LoginHome

    init() throws { person = try LoginHome() }

    @Test("a userinfo endpoint that cannot be asked, or fails, is told, and the login succeeds all the same")
    func unknown() throws {
        let server = try LoginHome.server()
        let gone = try Responder()
        gone.stop()
        let failing = try Responder { _ in .text("", status: 500) }
        for (endpoint, reason) in [
            (gone.url("/userinfo"), ": connection to 127.0.0.1 port \(gone.port) refused"),
            (failing.url("/userinfo"), " answered 500"),
        ] {
            try person.profile(server, ["userinfo_endpoint": .string(endpoint)])
            let result = try person.oap(["login", "work", "--open"]).run().expect(status: 0)
            let warning = "oap: login: warning: the name of the user is not known: the userinfo endpoint \(endpoint)"
            #expect(result.errorText.contains(warning + reason), "\(result)")
            result.expect(errorLine: "oap: login: logged in")
        }
    }

    @Test("a userinfo endpoint that is slow is asked once, and the login does not wait for it")
    func slow() throws {
        let server = try LoginHome.server()
        let gate = Responder.Gate()
        defer { gate.open() }
        let slow = try Responder { _ in .json(#"{"sub":"7","name":"Ada"}"#).after(gate) }
        try person.profile(server, ["userinfo_endpoint": .string(slow.url("/userinfo"))])
        let result = try person.oap(["login", "work", "--open", "--max-time", "1"]).run().expect(status: 0)
        #expect(result.errorText.contains("warning: the name of the user is not known: "), "\(result)")
        #expect(try slow.requests.count == 1 && person.stored()["access_token"] == "at")
    }

    @Test("a userinfo endpoint that refuses the token, which may be for something else, is not told")
    func refused() throws {
        let server = try LoginHome.server()
        let refusing = try Responder { _ in .json("{}", status: 403) }
        try person.profile(server, ["userinfo_endpoint": .string(refusing.url("/userinfo"))])
        let result = try person.oap(["login", "work", "--open"]).run().expect(status: 0)
        #expect(!result.errorText.contains("warning"), "\(result)")
        #expect(refusing.requests.count == 1)
    }

    @Test("a name that cannot be stored with the token is told, and the token stays")
    func notStored() throws {
        let server = try LoginHome.server()
        try person.profile(server, ["userinfo_endpoint": .string(server.url("/userinfo"))])
        try person.home.write(
            """
            case $1 in
            get)
                test -e "$HOME/kept" || { echo 'credentials not found in native keychain'; exit 1; }
                jq -n --rawfile secret "$HOME/kept" '{Secret: $secret}' ;;
            store)
                test ! -e "$HOME/kept" || { echo 'the keyring is locked'; exit 1; }
                jq -j .Secret > "$HOME/kept" ;;
            esac
            """, to: "script")
        try FileManager.default.createSymbolicLink(
            atPath: person.home.path("docker-credential-fake-identity"),
            withDestinationPath: "\(Fixture.project)/Tests/Fixtures/docker-credential-fake")
        let words = ["login", "work", "--open", "--store", "helper:fake-identity"]
        let path = ["PATH": "\(person.home.path):/usr/bin:/bin"]
        let result = try person.oap(words, path).run().expect(status: 0)
        let warning = "oap: login: warning: the name of the user is not stored with the token: "
        #expect(result.errorText.contains(warning), "\(result)")
        #expect(result.errorText.contains("the keyring is locked"), "\(result)")
        result.expect(errorLine: #"oap: login: logged in as Ada\u{1b}[2J"#)
        #expect(try person.home.read("kept").contains(#""access_token":"at""#))
    }
}
