import Testing
import Wire

@testable import OAuth

@Suite("Documents")
struct DocumentTests {
    private let document = Document([
        "s": .string("x"), "e": .string(""), "n": .number("1.10"), "t": .bool(true), "f": .string("false"), "z": .null,
        "l": .array([.string("a"), .string("b")]), "m": .array([.integer(1)]),
        "o": .object(["s": .string("x"), "n": .number("1.10"), "f": .bool(false), "z": .null]),
        "p": .object(["a": .array([])]),
    ])

    @Test("a member of another type is the document's fault, one that is null is not there")
    func types() throws {
        #expect(try document.string("s") == "x")
        #expect(try document.string("e") == "")
        #expect(try document.string("z") == nil)
        #expect(try document.string("missing") == nil)
        #expect(try document.bool("t") == true)
        #expect(try document.bool("f") == false)
        #expect(try document.bool("z") == nil)
        #expect(try document.strings("l") == ["a", "b"])
        #expect(try document.strings("s") == ["x"])
        #expect(try document.strings("z") == [])
        #expect(
            try document.parameters("o").map { [$0.name, $0.value] } == [["s", "x"], ["n", "1.10"], ["f", "false"]])
        #expect(try document.parameters("z").isEmpty)
        expectWrong("n", naming: "n") { try document.string("n") }
        expectWrong("s", naming: "s") { try document.bool("s") }
        expectWrong("m", naming: "m") { try document.strings("m") }
        expectWrong("l", naming: "l") { try document.parameters("l") }
        expectWrong("p", naming: "p.a") { try document.parameters("p") }
        expectWrong("e", naming: "e") { try document.required("e") }
    }

    @Test("a member that is missing is told by its name")
    func missing() {
        let error = #expect(throws: OAuthError.self) { try document.required("token_endpoint") }
        #expect(error?.kind == .metadataMissing)
        #expect(error?.member == "token_endpoint")
    }

    @Test(
        "a member that is missing is found under a name that differs in case and hyphens, for the hint",
        arguments: [
            ("clientId", #"the document has "clientId": the name of this member is "client_id""#),
            ("Client-ID", #"the document has "Client-ID": the name of this member is "client_id""#), ("client", nil),
        ])
    func misspelled(name: String, hint: String?) {
        let document = Document([name: .string("x")])
        #expect(document.missing("client_id").hint == hint)
        #expect(Document([name: .string("x"), "client_id": .null]).missing("client_id").hint == hint)
    }

    @Test("the command that finds a missing endpoint names the issuer, unless a shell would read it as something else")
    func discovery() {
        func hint(_ issuer: String) -> String? { Document(["issuer": .string(issuer)]).missing("token_endpoint").hint }
        #expect(hint("https://as.example/t") == "oap discover https://as.example/t finds it")
        for issuer in ["https://as.example/a b", "https://as.example/'", "https://as.example/$(id)", "a;b"] {
            #expect(hint(issuer) == "use --token-endpoint or the member \"token_endpoint\"", "\(issuer)")
        }
    }

    @Test(
        "the issuer is not the address of its metadata",
        arguments: [
            ("https://as.example/t/.well-known/openid-configuration", "https://as.example/t"),
            ("https://as.example/.well-known/oauth-authorization-server/t", "https://as.example/t"),
        ])
    func metadataAddress(given: String, issuer: String) throws {
        let error = #expect(throws: OAuthError.self) {
            try IssuerIdentifier.check(Document(["issuer": .string(given)]))
        }
        #expect(error?.kind == .usage && error?.hint == "give the issuer itself: \(issuer)")
        try IssuerIdentifier.check(Document(["issuer": .string(issuer)]))
    }

    @Test("a member that an option sets replaces the document's, and is known to come from there")
    func origins() {
        var document = document
        document.set("s", to: .string("y"), from: .option)
        document.set("new", to: .string("z"), from: .environment)
        #expect(document.members["s"] == .string("y"))
        #expect(document.members.members.last?.name == "new")
        #expect(document.origin(of: "s") == .option)
        #expect(document.origin(of: "new") == .environment)
        #expect(document.origin(of: "n") == .document)
    }

    private func expectWrong<Value>(_ member: String, naming name: String, _ read: () throws -> Value) {
        let error = #expect(throws: OAuthError.self) { try read() }
        #expect(error?.kind == .usage)
        #expect(error?.member == name)
    }
}
