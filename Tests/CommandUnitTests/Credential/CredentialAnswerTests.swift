import Foundation
import PlaySupport
import TestSupport
import Testing
import Wire

@testable import CommandSupport

@Suite("What each protocol of credential answers", .inProcess)
struct CredentialAnswerTests {
    @Test("docker: get, list, a store that fails, and its own words where there is nothing")
    func docker() throws {
        let home = try CredentialHome(origins: ["https://registry.example:5000"])
        for server in ["registry.example:5000", "https://registry.example:5000/v2/"] {
            let answer = try home.ask("docker", "get", input: server + "\n").expect(status: 0).object()
            #expect(answer == ["ServerURL": .string(server), "Username": "oauth2", "Secret": "at-0"])
        }
        let nothing = try home.ask("docker", "get", "-p", "work", input: "docker.io").expect(status: 1)
        #expect(
            nothing.text == "credentials not found in native keychain\n"
                && nothing.errorText.contains("is not for https://docker.io"))
        let list = try home.ask("docker", "list", "-p", "work", "--username", "x").expect(status: 0).object()
        #expect(list == ["https://registry.example:5000": "x"])
        #expect(try home.ask("docker", "list").expect(status: 0).text == "{}\n")
        let stored = try home.ask("docker", "store", "-p", "work", input: #"{"Secret":"s3cret"}"#).expect(status: 2)
        #expect(stored.text == "oap does not store passwords\n")
        try home.ask("docker", "x").expect(status: 2)
            .expect(output: "the actions of docker are get, list, store and erase\n")
        try home.ask("docker", "erase", "-p", "work", input: "registry.example:5000").expect(status: 0)
        try home.managed.oap("token", "work").run().expect(status: 0)
    }

    @Test("kubectl: the ID token with --id-token, renewed by its own end; the cluster finds the token without a name")
    func kubernetes() throws {
        let home = try CredentialHome(origins: ["https://cluster.example:6443"])
        let token = try home.putIDToken(expiresIn: 1000)
        let info = """
            {"apiVersion":"client.authentication.k8s.io/v1","spec":{"cluster":{"server":"https://cluster.example:6443"}}}
            """
        let found = try home.ask("kubectl", environment: ["KUBERNETES_EXEC_INFO": info]).expect(status: 0).object()
        #expect(found["status"]?.object?["token"] == "at-0")
        let given = try home.ask("kubectl", "-p", "work", "--id-token").expect(status: 0).object()["status"]?.object
        #expect(given?["token"]?.string == token)
        let (id, access) = (given?["expirationTimestamp"], found["status"]?.object?["expirationTimestamp"])
        #expect(id != nil && access != nil)
        try home.ask("kubectl").expect(status: 8)
        // The access token is fresh, the ID token is not, and the server sends no other.
        try home.putIDToken(expiresIn: -10)
        let result = try home.ask("kubectl", "-p", "work", "--id-token").expect(status: 8)
        #expect(result.errorText.contains("the ID token has expired") && home.managed.endpoint.requests.count == 1)
    }

    @Test("kubectl: a named token that is not for the cluster is refused with the one option that allows it")
    func otherCluster() throws {
        let home = try CredentialHome(origins: ["https://cluster.example:6443"])
        let info = """
            {"apiVersion":"client.authentication.k8s.io/v1","spec":{"cluster":{"server":"https://other.example"}}}
            """
        let result = try home.ask("kubectl", "-p", "work", environment: ["KUBERNETES_EXEC_INFO": info])
        result.expect(status: 8)
        #expect(result.errorText.contains("--allow-origin https://other.example"), "\(result)")
        result.expect(errorLine: "oap: credential: work is no token for https://other.example")
        #expect(!result.errorText.contains("choose a token"), "\(result)")
        #expect(home.managed.endpoint.requests.isEmpty)
    }

    @Test("an ID token that a renewal has not replaced is used until it expires, and not renewed again")
    func finalIDToken() throws {
        let home = try CredentialHome()
        let requests = { home.managed.endpoint.requests.count }
        let token = try home.putIDToken(expiresIn: 9)
        let first = try home.managed.oap("token", "work", "--id-token").run().expect(status: 0)
        #expect(first.text == token + "\n" && first.errorText.contains("warning: the server issues no new ID token"))
        #expect(requests() == 1)
        let second = try home.managed.oap("token", "work", "--id-token").run().expect(status: 0).expectSilence()
        #expect(second.text == first.text && requests() == 1)
        try home.managed.oap("token", "work").run().expect(status: 0).expect(output: "at-1\n")
        try home.putIDToken(expiresIn: -10)
        for _ in 1...2 { try home.managed.oap("token", "work", "--id-token").run().expect(status: 8) }
        #expect(requests() == 2)
    }

    @Test("bazel: the header field and its end")
    func bazel() throws {
        let home = try CredentialHome(origins: ["https://cache.example"])
        for uri in ["https://cache.example/x", "grpcs://cache.example"] {
            let answer = try home.ask("bazel", "get", input: #"{"uri":"\#(uri)"}"#).expect(status: 0).object()
            #expect(answer["headers"] == .object(["Authorization": .strings(["Bearer at-0"])]), "\(answer)")
            let seconds = try #require(home.managed.stored()["expires_at"]?.integer)
            let end = ISO8601DateFormatter().string(from: Date(timeIntervalSince1970: TimeInterval(seconds)))
            #expect(answer["expires"] == .string(end))
        }
    }

    @Test("keyring: the password, or user and password, in plain or as JSON; status 1 without a word for nothing")
    func keyring() throws {
        let home = try CredentialHome(origins: ["https://index.example"])
        func ask(_ words: String...) throws -> ProgramResult {
            try home.managed.oap(["credential", "keyring", "--"] + words).run()
        }
        let url = "https://index.example/simple/"
        #expect(try ask("get", url, "ada").expect(status: 0).text == "at-0\n")
        #expect(try ask("get", "index.example", "ada").expect(status: 0).text == "at-0\n")
        #expect(try ask("get", url, "--mode", "creds").expect(status: 0).text == "oauth2\nat-0\n")
        let answer = try ask("--mode=creds", "--output=json", "get", url, "ada").expect(status: 0).object()
        #expect(answer == ["username": "ada", "password": "at-0"])
        let nothing = try ask("get", "https://pypi.org/simple/", "ada").expect(status: 1)
        #expect(nothing.text == "" && nothing.errorText == "")
    }

    @Test("netrc: a line for each host of the token, or for those of --host")
    func netrc() throws {
        let home = try CredentialHome(origins: ["https://a.example", "https://b.example:8443"])
        let lines = ["a.example", "b.example"].map { "machine \($0) login oauth2 password at-0\n" }.joined()
        #expect(try home.ask("netrc", "-p", "work").expect(status: 0).text == lines)
        let given = try home.ask("netrc", "-p", "work", "--host", "c.example", "--username", "ada").expect(status: 0)
        #expect(given.text == "machine c.example login ada password at-0\n")
    }

    @Test("netrc: a host or a user name that no line can hold is refused before the token is renewed")
    func badHost() throws {
        let home = try CredentialHome(expiresIn: -10)
        for (option, value) in [("--host", "a b"), ("--host", ""), ("--username", "a\tb")] {
            try home.ask("netrc", "-p", "work", option, value).expect(status: 2)
        }
        #expect(home.managed.endpoint.requests.isEmpty)
    }

    @Test("google: a failure is a response with status 0 that says what is wrong")
    func google() throws {
        let home = try CredentialHome()
        let answer = try home.ask("google", "-p", "nobody").expect(status: 0).object()
        #expect(answer["success"] == false && answer["version"] == 1 && answer["code"] == "login_needed")
        #expect(answer["message"] == "no token is stored as nobody")
        let token = try home.putIDToken(expiresIn: 1000)
        let good = try home.ask("google", "-p", "work").expect(status: 0).object()
        #expect(good["id_token"]?.string == token && good["success"] == true)
        #expect(good["token_type"] == "urn:ietf:params:oauth:token-type:id_token")
    }
}
