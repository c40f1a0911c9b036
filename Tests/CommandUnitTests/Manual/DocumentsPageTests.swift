import OAuth
import Redaction
import Testing

@testable import Commands
@testable import Calling
@testable import Login
@testable import Sessions
@testable import Tokens
@testable import Shell

/// The record table of the members, from which the manual and the options derive.
@Suite("The table of members")
struct DocumentsPageTests {
    private static func names(of kinds: Member.Kind...) -> [String] {
        Member.all.filter { kinds.contains($0.kind) }.map(\.name)
    }

    @Test("no member has two records in one document")
    func once() {
        for names in [
            Self.names(of: .client, .server, .way, .request, .kept), Self.names(of: .flow, .device),
            Self.names(of: .token), Self.names(of: .error),
        ] {
            #expect(Dictionary(grouping: names) { $0 }.filter { $0.value.count > 1 }.keys.sorted() == [])
        }
    }

    @Test("the manual says something of every member that has an effect, and names the RFC and section of its source")
    func texts() throws {
        for member in Member.all {
            #expect(member.text.isEmpty == (member.kind == .kept), "\(member.name)")
            guard let source = member.source else { continue }
            #expect(member.text.isEmpty || member.text.contains("(\(source))"), "\(member.name)")
            #expect(
                source.contains(
                    /^(RFC [0-9]+|OpenID Connect [A-Z].*|OAuth 2.0 Multiple Response Types|JWT .*) sections? [0-9]/),
                "\(member.name)")
        }
    }

    @Test("the prose has a heading for each member that has an effect, and no other")
    func headings() {
        let kinds = Manual.members.sections.map(\.title)
        #expect(Set(kinds) == Set(Member.all.map { "\($0.kind)" }).subtracting(["kept"]))
        for kind in kinds {
            let headings = Manual.members.definitions(in: kind).map(\.name)
            #expect(headings == Member.all.filter { "\($0.kind)" == kind }.map(\.name), "\(kind)")
        }
        for member in Member.all where member.kind != .kept {
            let marks = Manual.members.paragraphs(under: member.name, in: "\(member.kind)").dropFirst()
            #expect(marks.allSatisfy { $0.hasPrefix("- Option: ") || $0.hasPrefix("- Variable: ") }, "\(member.name)")
            #expect(member.summary != nil || member.details == member.text, "\(member.name)")
            #expect((member.variableText != nil) == member.hasSecretVariable, "\(member.name)")
        }
    }

    @Test("every option of a member is one of a command, and every variable is that of an option or of a secret")
    func options() throws {
        let options = try CommandTable.commands.map(\.name).flatMap {
            try #require(CommandTable.named($0)).record.options
        }
        for member in Member.all {
            let name = member.flag.map { "--\($0)" } ?? Member.option(for: member.settableName)
            let isOffered = options.contains { $0.name == name }
            #expect(member.summary == nil || isOffered, "\(member.name)")
            #expect(member.variable == .none || member.summary != nil, "\(member.name)")
            #expect(!member.hasSecretVariable || member.secrecy == .file, "\(member.name)")
        }
    }

    @Test("a member is one of a file if its name ends in _file, and a secret has no option of its own")
    func files() {
        for member in Member.all {
            #expect((member.form == .file) == member.name.hasSuffix("_file"), "\(member.name)")
            #expect(member.fileName?.hasSuffix("_file") != false, "\(member.name)")
        }
        for name in Member.secrets {
            #expect(GeneralOption.refused(beside: []).contains { $0.long == name.replacing("_", with: "-") }, "\(name)")
        }
    }

    @Test(
        "the value of a member that is masked is a credential by the name of the member alone", arguments: Member.masked
    )
    func masked(name: String) {
        #expect(SensitiveParts.namedParameters(in: Array("\(name)=x".utf8)).map(\.name) == [name])
    }

    @Test("the manual describes every member of an error document, and no other")
    func errors() {
        var failure = Failure(.unavailable, .network, "message", hint: "hint")
        failure.uri = "https://as.example/why"
        failure.httpStatus = 503
        failure.retryAfter = 1
        let members = failure.document(stage: "exchange", Redactor()).members.map(\.name)
        // `oap token --all` adds the last ones.
        #expect(Set(members + ["token", "failures"]) == Set(Self.names(of: .error)))
    }

    @Test("the manual lists every kind of failure with the exit status that most of them have")
    func kinds() throws {
        let page = DocumentsPage.page.mdoc
        for kind in ErrorKind.allCases where ![.oauth, .authorization, .deviceExpired].contains(kind) {
            #expect(page.contains(kind.name), "\(kind)")
        }
    }

    private static let discover = """
        ; to look it up: oap discover ISSUER; for an API or an MCP server: oap discover --resource URL
        """

    @Test(
        "a member that is missing is told with what supplies it",
        arguments: [
            ("token_endpoint", #"use --token-endpoint, OAP_TOKEN_ENDPOINT or the member "token_endpoint"\#(discover)"#),
            (
                "client_secret",
                #"use OAP_CLIENT_SECRET, --client-secret-file or the member "client_secret_file""#
            ),
            ("resource", #"use --resource or the member "resource""#),
            ("response_modes_supported", #"use the member "response_modes_supported""#),
            ("state", "pass the flow document that oap authurl printed"),
            ("device_code", "pass the flow document that oap device printed"),
        ])
    func missing(name: String, hint: String) {
        #expect(Failure(Document([:]).missing(name)).hint == hint)
    }
}
