import Foundation
import TestSupport
import Testing
import Wire

@testable import CommandSupport

/// The programs that ask for credentials, each with what it asks.
@Suite("A program that asks oap for its credentials")
struct HelperProgramTests {
    /// A server that wants the token as a password.
    private static func server(_ answer: @escaping @Sendable (String) -> Responder.Reply) throws -> Responder {
        let basic = "Basic " + Data("oauth2:at-0".utf8).base64EncodedString()
        return try Responder { request in
            guard request.headers.contains(where: { $0.name == "Authorization" && $0.value == basic }) else {
                return .text("no", status: 401, headers: [#"WWW-Authenticate: Basic realm="it""#])
            }
            return answer(request.target)
        }
    }

    /// An index of Python packages (PEP 503, PEP 658).
    private static func index() throws -> Responder {
        let name = "sample-1.0-py3-none-any.whl"
        return try server { target in
            if target.hasSuffix(".metadata") { return .text("Metadata-Version: 2.1\nName: sample\nVersion: 1.0\n") }
            let link = #"<a href="/files/\#(name)#sha256=\#(String(repeating: "0", count: 64))" "#
            return .content(Array((link + #"data-dist-info-metadata="true">\#(name)</a>"#).utf8), type: "text/html")
        }
    }

    /// Commands of `oap-recipes(7)`: the lines from one that begins so to one that begins otherwise.
    private static func recipe(from first: String, to last: String) throws -> String {
        let page = try Program.oap(["help", "recipes"]).run().expect(status: 0).text
        let lines = page.split(separator: "\n").map { $0.drop { $0 == " " } }
        let start = try #require(lines.firstIndex { $0.hasPrefix(first) })
        let end = try #require(lines[start...].firstIndex { $0.hasPrefix(last) })
        return lines[start...end].joined(separator: "\n")
    }

    @Test("skopeo reads a registry through docker-credential-oauth, which finds the token by the registry's address")
    func skopeo() throws {
        let registry = try Self.server { _ in .json(#"{"name":"sample","tags":["newest"]}"#) }
        let home = try CredentialHome(origins: [registry.url()])
        let place = "127.0.0.1:\(registry.port)"
        let file = try home.managed.home.write(#"{"credHelpers":{"\#(place)":"oauth"}}"#, to: "auth.json")
        let arguments = ["list-tags", "--tls-verify=false", "--authfile", file, "docker://\(place)/sample"]
        let result = try home.program("skopeo", arguments).run().expect(status: 0)
        #expect(result.text.contains("newest"))
    }

    @Test("pip asks the example for keyring, and gets the token for its index", arguments: ["", "oauth2@"])
    func pip(user: String) throws {
        let index = try Self.index()
        let home = try CredentialHome(origins: [index.url()])
        let program = try home.program(
            "pip",
            [
                "--disable-pip-version-check", "index", "versions", "sample", "--keyring-provider", "subprocess",
                "--index-url", "http://\(user)127.0.0.1:\(index.port)/simple/",
            ])
        #expect(try program.run().expect(status: 0).text.contains("sample (1.0)"))
    }

    @Test("uv asks the example for keyring, and gets the token for its index")
    func uv() throws {
        let index = try Self.index()
        let home = try CredentialHome(origins: [index.url()])
        var program = try home.program(
            "uv",
            [
                "pip", "compile", "-", "--quiet", "--no-header", "--no-annotate", "--no-python-downloads", "--python",
                "/usr/bin/python3", "--keyring-provider", "subprocess", "--index-url",
                "http://oauth2@127.0.0.1:\(index.port)/simple/",
            ])
        program.input = .text("sample\n")
        #expect(try program.run().expect(status: 0).text.contains("sample==1.0"))
    }

    @Test("google-auth takes the ID token from the file of the recipe, and the message where there is none")
    func google() throws {
        let home = try CredentialHome()
        let recipe = try Self.recipe(from: "cat > google.json", to: "export GOOGLE_EXTERNAL_ACCOUNT")
        let script =
            recipe + """

                "$PYTHON" -c '
                import google.auth
                print(google.auth.default()[0].retrieve_subject_token(None))'
                """
        var program = try home.program("bash", ["-euc", script])
        program.environment["PYTHON"] = try home.program("python", []).path
        let without = try program.run().expect(status: 1)
        #expect(without.errorText.contains("the access token is not a JWT"), "\(without)")
        let token = try home.putIDToken(expiresIn: 1000)
        #expect(try program.run().expect(status: 0).text == token + "\n")
    }

    @Test("git gets the token by the line of the manual, for a profile with an API elsewhere")
    func git() throws {
        let home = try CredentialHome(origins: ["https://api.example"])
        let script = """
            \(try Self.recipe(from: "git config", to: "'!oap credential git"))
            export GIT_CONFIG_GLOBAL="$PWD/gitconfig"
            printf 'protocol=https\\nhost=git.example\\n\\n' | GIT_TERMINAL_PROMPT=0 git credential fill
            """
        let result = try home.program("bash", ["-euc", script]).run().expect(status: 0)
        #expect(result.text.contains("\npassword=at-0\n"), "\(result)")
    }

    @Test("kubectl reads the user of the recipe beside another file of settings")
    func kubectl() throws {
        let home = try CredentialHome()
        try home.managed.home.write(#"{"apiVersion":"v1","kind":"Config"}"#, to: "config")
        let recipe = try Self.recipe(from: "cat > kubeuser.json", to: "END")
        let query = "kubectl config view -o 'jsonpath={.users[0].name} {.users[0].user.exec.command}'"
        let script = "\(recipe)\nKUBECONFIG=config:kubeuser.json \(query)"
        let result = try home.program("bash", ["-euc", script]).run().expect(status: 0)
        #expect(result.text == "work oap", "\(result)")
    }

    @Test("curl reads the netrc file that credential netrc writes")
    func curl() throws {
        let server = try Self.server { _ in .text("in\n") }
        let home = try CredentialHome(origins: [server.url()])
        let file = home.managed.home.path("netrc")
        try home.ask("netrc", "-p", "work", "-o", file).expect(status: 0)
        #expect(try home.managed.home.permissions("netrc") == 0o600)
        let curl = try home.program("curl", ["-sSf", "--netrc-file", file, server.url("/x")])
        #expect(try curl.run().expect(status: 0).text == "in\n")
    }
}
