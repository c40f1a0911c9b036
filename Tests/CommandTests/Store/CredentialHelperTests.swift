import Foundation
import TestSupport
import Testing
import Wire

/// A home with a password store (`pass`) and a key of its own, whose agent ends with it.
private final class PasswordStore {
    let home: TemporaryDirectory

    init() throws {
        home = try TemporaryDirectory()
        let setUp = """
            mkdir -m 700 gnupg
            gpg --batch --quiet --passphrase '' --quick-generate-key oap@example.invalid default default never
            pass init oap@example.invalid
            """
        try shell(setUp).expect(status: 0)
    }

    deinit { _ = try? shell("gpgconf --kill all") }

    private var environment: [String: String] {
        ["HOME": home.path, "GNUPGHOME": home.path("gnupg"), "OAP_STORE": "helper:pass"]
    }

    func oap(_ arguments: String..., input: JSONObject? = nil) -> Program {
        Program.oap(arguments, input: input?.input ?? .none, environment: environment)
    }

    @discardableResult
    func shell(_ script: String) throws -> ProgramResult {
        var program = Program.shell("set -e; \(script)", environment: environment)
        program.directory = home.path
        return try program.run()
    }
}

@Suite("Debian's docker-credential-helpers")
struct CredentialHelperTests {
    private static let token: JSONObject = ["access_token": "at-é<&>\"\\", "team": .object(["id": .number("1.10")])]

    @Test("Debian's docker-credential-helpers keep a token in pass, list and forget it, and leave Docker's passwords")
    func pass() throws {
        let store = try PasswordStore()
        try store.shell(
            #"echo '{"ServerURL":"https://r.example","Username":"me","Secret":"s"}' | docker-credential-pass store"#
        )
        .expect(status: 0)
        try store.oap("store", "get", "a.b:c@d-e_F").run().expect(status: 8)
        try store.oap("store", "put", "a.b:c@d-e_F", input: Self.token).run().expect(status: 0).expect(output: "")
        #expect(try store.oap("store", "get", "a.b:c@d-e_F").run().expect(status: 0).object() == Self.token)
        #expect(
            try store.oap("store", "list", "--jq", ".name", "-r").run().expect(status: 0).text == "a.b:c@d-e_F\n")
        let seen = try store.shell("printf https://oap.invalid/a.b:c@d-e_F | docker-credential-pass get").object()
        #expect(seen["Username"] == "oap" && seen["Secret"] == .string(JSON.object(Self.token).text))
        try store.oap("store", "delete", "a.b:c@d-e_F").run().expect(status: 0)
        try store.oap("store", "delete", "a.b:c@d-e_F").run().expect(status: 8)
        #expect(try store.shell("docker-credential-pass list").text == "{\"https://r.example\":\"me\"}\n")
        #expect(!store.home.contains(".local/state/oap/tokens"))
    }

    @Test("R-07 a token in pass is renewed once for twenty processes that want it when it has expired")
    func singleFlight() throws {
        let store = try PasswordStore()
        let endpoint = try Responder { _ in
            .json(#"{"access_token":"at-1","token_type":"Bearer","expires_in":3600,"refresh_token":"rt-1"}"#)
        }
        let token = endpoint.token.with(["expires_in": 60, "expires_at": 1000])
        try store.oap("store", "put", "work", input: token).run().expect(status: 0)
        let running = try (0..<20).map { _ in try store.oap("token", "work").start() }
        for process in running { #expect(try process.finish().expect(status: 0).text == "at-1\n") }
        #expect(endpoint.requests.count == 1)
        #expect(
            try store.oap("store", "get", "work").run().expect(status: 0).object()["refresh_token"] == "rt-1")
    }

    @Test("a credential helper that fails is exit 11 with what it says, and nothing else is used in its place")
    func failures() throws {
        let store = try PasswordStore()
        try store.oap("store", "put", "work", input: Self.token).run().expect(status: 0)
        try store.oap("store", "put", "other", input: Self.token).run().expect(status: 0)
        let large: JSONObject = ["access_token": .string(String(repeating: "x", count: 200_000))]
        #expect(
            try store.oap("store", "put", "work", input: large).run().expect(status: 11).errorText
                .contains("docker-credential-pass: bufio.Scanner: token too long"))
        #expect(try store.oap("store", "get", "work").run().expect(status: 0).object() == Self.token)

        try store.shell("gpgconf --kill all; mv gnupg/private-keys-v1.d gnupg/away").expect(status: 0)
        let result = try store.oap("token", "work").run().expect(status: 11)
        #expect(
            result.errorText.contains("docker-credential-pass: work: ") && result.errorText.contains("No secret key"))
        let list = try store.oap("store", "list").run().expect(status: 11).expect(output: "")
        #expect(list.errorText.contains("No secret key"))
        try store.oap("store", "delete", "other").run().expect(status: 0)
        try store.shell("rm -rf gnupg/private-keys-v1.d; mv gnupg/away gnupg/private-keys-v1.d").expect(status: 0)
        #expect(try store.oap("store", "get", "work").run().expect(status: 0).object() == Self.token)
        #expect(!store.home.contains(".local/state/oap/tokens"))
    }

    @Test("Debian's docker-credential-helpers keep a sealed token as they keep any other, and jose opens it")
    func sealed() throws {
        let store = try PasswordStore()
        try store.shell("oap store key -o key").expect(status: 0)
        let script = """
            export OAP_STORE_KEY_FILE=$HOME/key
            echo '{"access_token":"at"}' | oap store put work
            oap token work
            printf https://oap.invalid/work | docker-credential-pass get | jq -j .Secret | jose jwe dec -i - -k key
            """
        let result = try store.shell(script).expect(status: 0)
        #expect(result.text == "at\n{\"access_token\":\"at\"}\n")
        try store.oap("token", "work").run().expect(status: 11)
    }

    @Test("Debian's docker-credential-helpers keep a token in the desktop's keyring, list it and forget it")
    func secretService() throws {
        let script = #"""
            printf password | gnome-keyring-daemon --unlock --components=secrets > /dev/null 2>&1
            # Who asks before it has its name on the bus has another one started.
            gdbus wait --session --timeout 20 org.freedesktop.secrets
            export OAP_STORE=helper:secretservice
            oap store get work > none || echo "none: $?"
            jq -nc '{access_token: ("x" * 20000), note: "é<&>\"\\"}' > token
            oap store put work < token
            oap store put oth:er < token
            oap store get work | cmp - token && echo same
            oap store list --jq .name -r
            oap store delete work
            oap store delete work > none || echo "gone: $?"
            docker-credential-secretservice list
            """#
        let home = try TemporaryDirectory()
        var program = Program(path: "/usr/bin/dbus-run-session", arguments: ["--", "/bin/bash", "-c", script])
        program.environment = ["HOME": home.path]
        program.directory = home.path
        let result = try program.run().expect(status: 0)
        #expect(
            result.text == """
                none: 8
                same
                oth:er
                work
                gone: 8
                {"https://oap.invalid/oth:er":"oap"}

                """, "\(result)")
        #expect(try FileManager.default.subpathsOfDirectory(atPath: home.path).contains { $0.hasSuffix(".keyring") })
    }

    @Test("Debian's docker-credential-helpers without a keyring that can be reached are exit 11")
    func noKeyring() throws {
        var program = Program.oap(["token", "work", "--store", "helper:secretservice"])
        program.environment = ["DBUS_SESSION_BUS_ADDRESS": "unix:path=/nowhere"]
        let result = try program.run().expect(status: 11).expect(output: "")
        #expect(result.errorText.hasPrefix("oap: token: docker-credential-secretservice: "), "\(result)")
    }
}

@Suite("A helper of somebody's own")
struct OwnHelperTests {
    private let home: TemporaryDirectory

    init() throws { home = try TemporaryDirectory() }

    private func oap(
        _ arguments: String..., input: Program.Input = .none, helper script: String
    ) throws -> ProgramResult {
        try home.write(script, to: "script")
        var program = Program.oap(arguments, input: input)
        program.environment = [
            "HOME": home.path, "PATH": "\(Fixture.project)/Tests/Fixtures:/usr/bin:/bin", "OTHER": "seen",
            "OAP_CLIENT_SECRET": "hunter2", "OAP_STORE": "helper:fake",
        ]
        return try program.run()
    }

    @Test("a helper of somebody's own gets the variables of the process, and none of oap's, which may be secrets")
    func environment() throws {
        try oap("token", "work", helper: "env > \"$HOME/seen\"; exit 1").expect(status: 11).expect(
            errorLine: "oap: token: docker-credential-fake: work: it ended with status 1")
        let seen = try home.read("seen")
        #expect(seen.contains("OTHER=seen") && !seen.contains("OAP_") && !seen.contains("hunter2"))
    }

    @Test("a credential helper gets no descriptor that the shell left open, such as the pipe of a secret")
    func descriptors() throws {
        let script = "ls /proc/$$/fd > \"$HOME/seen\"; exit 1"
        try home.write(script, to: "script")
        var program = Program.shell("exec 8< /dev/null 9< <(echo hunter2) 63< /dev/null; oap token work")
        program.environment = [
            "HOME": home.path, "OAP_STORE": "helper:fake",
            "PATH":
                "\(URL(fileURLWithPath: Program.oapPath).deletingLastPathComponent().path):\(Fixture.project)/Tests/Fixtures:/usr/bin:/bin",
        ]
        try program.run().expect(status: 11)
        let seen = try home.read("seen").split(separator: "\n").compactMap { Int($0) }
        // The shell of the script has more open, under numbers of its own choice.
        #expect(seen.contains(0) && !seen.contains(8) && !seen.contains(9) && !seen.contains(63), "\(seen)")
    }

    @Test("oap logout --local and oap store delete erase a token that the helper cannot read")
    func unreadable() throws {
        let script = "[ $1 = erase ] && { cat > \"$HOME/erased\"; exit; }; echo 'no secret key'; exit 1"
        try oap("logout", "--local", "work", helper: script).expect(status: 0)
        #expect(try home.read("erased").contains("work"))
        try FileManager.default.removeItem(atPath: home.path("erased"))
        try oap("store", "delete", "work", helper: script).expect(status: 0)
        #expect(try home.read("erased").contains("work"))
    }

    @Test("a helper of somebody's own cannot write to the terminal what it could act on")
    func complaint() throws {
        try oap("store", "get", "work", "--jq", ".", helper: "printf 'a\\033[31mb'; exit 1").expect(status: 11).expect(
            errorLine: "oap: store: docker-credential-fake: work: a\\u{1b}[31mb")
    }

    @Test(
        "a credential helper that repeats the token where its complaint is cut shows no part of it",
        arguments: [971, 988, 993, 995, 997])
    func cutToken(padding: Int) throws {
        let token = "SEKRET-0123456789-of-the-token"
        let script = """
            [ "$1" = store ] || { echo 'credentials not found in native keychain'; exit 1; }
            printf '%\(padding)s' ''; grep -o 'SEKRET[a-z0-9-]*'; exit 1
            """
        let result = try oap(
            "store", "put", "work", input: .text(#"{"access_token":"\#(token)"}"#), helper: script
        ).expect(status: 11)
        #expect(result.errorText.contains("***") && !result.errorText.contains("SEK"), "\(result)")
    }
}
