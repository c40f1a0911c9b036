import Foundation
import TestSupport
import Testing
import Wire

@testable import CommandSupport

@Suite("Who logged in, as a process")
struct LoginIdentityTests {
    private let person: LoginHome

    init() throws { person = try LoginHome() }

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
