import PlaySupport
import TestSupport
import Testing
import Wire

@testable import CommandSupport

@Suite("Where a credential is for", .inProcess)
struct CredentialPlaceTests {
    private func git(_ url: String) -> String {
        let parts = url.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false).map(String.init)
        let path = parts.count > 3 ? "path=\(parts[3])\n" : ""
        return "protocol=\(parts[0].dropLast())\nhost=\(parts[2])\n\(path)\n"
    }

    @Test("git gets a token for the places that its document or its profile names, and for no other")
    func places() throws {
        let home = try CredentialHome(origins: ["https://git.example", "https://other.example:8443/"])
        for url in ["https://git.example", "https://git.example:443/work.git", "https://other.example:8443/a b.git"] {
            let result = try home.ask("git", "get", "-p", "work", input: git(url)).expect(status: 0)
            #expect(result.text.hasPrefix("username=oauth2\npassword=at-0\n"), "\(url) \(result)")
            #expect(try home.ask("git", "get", input: git(url)).expect(status: 0).text == result.text)
        }
        for url in [
            "http://git.example", "https://git.example:8443", "https://other.example", "https://git.example.evil.test",
            "https://evil.test/git.example", "ssh://git.example", "https://sub.git.example", "https://xgit.example",
        ] {
            for words in [["-p", "work"], []] {
                var program = home.managed.oap(["credential", "git", "get"] + words)
                program.input = .text(git(url))
                let result = try program.run().expect(status: 0)
                let isTold = !words.isEmpty && !["http://git.example", "ssh://git.example"].contains(url)
                #expect(result.text == "", "\(url) \(result)")
                #expect(result.errorText.contains("the token of work is not for https://") == isTold, "\(result)")
            }
        }
        let allowed = ["git", "get", "-p", "work", "--allow-origin", "https://more.example"]
        var program = home.managed.oap(["credential"] + allowed)
        program.input = .text(git("https://more.example/x"))
        #expect(try program.run().expect(status: 0).text.contains("password=at-0\n"))
    }

    @Test("a token that names no place is for every https URL if -p names it, and for none otherwise")
    func anywhere() throws {
        let home = try CredentialHome()
        #expect(try home.ask("git", "get", "-p", "work", input: git("https://a.example")).text.contains("at-0"))
        #expect(try home.ask("git", "get", "-p", "work", input: git("http://a.example")).text == "")
        #expect(try home.ask("git", "get", "-p", "work", input: git("http://127.0.0.1:1")).text.contains("at-0"))
        // What --allow-origin names is then the only place.
        let allowed = ["git", "get", "-p", "work", "--allow-origin", "https://git.example"]
        for (url, isPlace) in [("https://git.example/x", true), ("https://a.example", false)] {
            var program = home.managed.oap(["credential"] + allowed)
            program.input = .text(git(url))
            #expect(try program.run().expect(status: 0).text.contains("at-0") == isPlace, "\(url)")
        }
        let variable = ["OAP_PROFILE": "work"]
        #expect(try home.ask("git", "get", input: git("https://a.example"), environment: variable).text == "")
    }

    @Test("a token without a profile is found by the places of its own document")
    func storedAlone() throws {
        let home = try CredentialHome()
        let kept = try home.managed.stored().with(["api_base": "https://git.example"])
        try home.managed.put(kept)
        #expect(try home.ask("git", "get", input: git("https://git.example/x")).text.contains("password=at-0\n"))
        #expect(try home.ask("git", "get", input: git("https://other.example/x")).text == "")
    }

    @Test("the userinfo endpoint is for the token, but no place for which other programs get it")
    func userinfo() throws {
        let home = try CredentialHome(origins: ["https://git.example"])
        let endpoint = JSON.string("https://as.example/userinfo")
        try home.managed.put(try home.managed.stored().with(["userinfo_endpoint": endpoint]))
        try home.profile(
            "work", ["client_id": "c", "api_origins": "https://git.example", "userinfo_endpoint": endpoint])
        #expect(try home.ask("git", "get", "-p", "work", input: git("https://git.example")).text.contains("at-0"))
        #expect(try home.ask("git", "get", "-p", "work", input: git("https://as.example")).text == "")
        #expect(try home.ask("git", "get", input: git("https://as.example/userinfo")).text == "")
    }

    @Test("what cannot be read is no place, and never every place")
    func unreadable() throws {
        let home = try CredentialHome()
        for origin in ["github.com", "*.github.com", "https://", " https://github.com", "https://github.com/path"] {
            let words = ["git", "get", "-p", "work", "--allow-origin", origin]
            var program = home.managed.oap(["credential"] + words)
            program.input = .text(git("https://evil.test"))
            try program.run().expect(status: 2).expect(nowhere: "at-0")
        }
        for members in [
            ["api_origins": .array(["https://a.example", .integer(1)])], ["api_origins": "https://a https://b"],
            ["resource": "urn:x:y"],
        ] as [JSONObject] {
            try home.profile("work", JSONObject(unique: [.init(name: "client_id", value: "c")] + members.members))
            for words in [["git", "get", "-p", "work"], ["git", "get"]] {
                var program = home.managed.oap(["credential"] + words)
                program.input = .text(git("https://evil.test"))
                try program.run().expect(nowhere: "at-0")
            }
        }
        try home.profile("work", ["client_id": "c", "api_origins": "https://*.a.example"])
        #expect(try home.ask("git", "get", "-p", "work", input: git("https://a.example")).text == "")
        #expect(try home.ask("git", "get", "-p", "work", input: git("https://b.a.example")).text.contains("at-0"))
    }

    @Test("a profile that fits gives no token of another place: what is stored says where it may go")
    func otherToken() throws {
        let home = try CredentialHome(origins: ["https://api.example"])
        try home.managed.put(
            try home.managed.stored().with(["client_id": "other", "api_base": "https://other.example"]))
        try home.profile("work", ["client_id": "c", "api_base": "https://api.example/a"])
        let result = try home.ask("git", "get", input: git("https://api.example")).expect(status: 0)
        #expect(result.text == "" && result.errorText.contains("the token of work is not for https://api.example"))
        try home.managed.oap("token", "--for", "https://api.example/a/x").run().expect(status: 8).expect(
            nowhere: "at-0")
    }

    @Test("of several profiles the one with the longest path gives the token; two that fit equally are named")
    func longest() throws {
        let home = try CredentialHome(origins: ["https://api.example"])
        try home.managed.oap("store", "put", "deep", input: #"{"access_token":"at-deep"}"#).run().expect(status: 0)
        try home.profile("deep", ["api_base": "https://api.example/v2/", "resource": "https://deep.example/mcp"])
        func token(_ url: String) throws -> String {
            try home.ask("bazel", "get", input: #"{"uri":"\#(url)"}"#).expect(status: 0).text
        }
        for url in ["https://api.example/v2", "https://api.example/v2/x?y", "https://deep.example/"] {
            #expect(try token(url).contains("Bearer at-deep"), "\(url)")
        }
        for url in ["https://api.example/", "https://api.example/v22", "https://api.example/x/v2"] {
            try home.profile("deep", ["api_base": "https://api.example/v2/"])
            let result = try home.ask("bazel", "get", input: #"{"uri":"\#(url)"}"#)
            result.expect(status: 2)
            #expect(result.errorText.contains("several profiles are for https://api.example: deep, work"), "\(result)")
        }
        #expect(try token("https://nowhere.example") == "{}\n")
        #expect(try token("http://api.example/v2") == "{}\n")
    }

    @Test("a request that breaks its protocol is exit 3, and gets no token")
    func broken() throws {
        let home = try CredentialHome()
        for input in [
            "protocol=https\nhost=a\u{0}b\n", "protocol=https\nhost=a\r\n\n", "protocol=https\nhost\n", "=x\n",
            "protocol=https\nhost=a b\n", "protocol=https\nhost=a/b\n", "protocol=https\nhost=u@a\n",
            "protocol=https\nhost=a?b\n", "protocol=https\nhost=a\nusername=x\u{1B}\n",
        ] {
            let result = try home.ask("git", "get", "-p", "work", input: input).expect(status: 3)
            #expect(result.text == "", "\(result)")
        }
        try home.ask("git", "get", "-p", "work", "--username", "a\nb", input: git("https://a.example"))
            .expect(status: 3)
        for input in ["", "\n", "a b", "http://", "https://", "%%%", "a\"b"] {
            let result = try home.ask("docker", "get", "-p", "work", input: input).expect(status: 3)
            #expect(!result.text.contains("at-0") && result.text.contains("not a URL"), "\(result)")
        }
        for input in ["", "[]", "{}", #"{"uri":1}"#, #"{"uri":"x"}"#, #"{"uri":"https:"}"#] {
            try home.ask("bazel", "get", "-p", "work", input: input).expect(status: 3)
        }
        for info in ["x", "[]", #"{"apiVersion":"client.authentication.k8s.io/v1alpha1"}"#] {
            let environment = ["KUBERNETES_EXEC_INFO": info]
            let result = try home.ask("kubectl", "-p", "work", environment: environment).expect(status: 3)
            #expect(result.output.isEmpty)
        }
        #expect(try home.ask("git", "capability", input: "x").expect(status: 0).text == "")
    }
}
