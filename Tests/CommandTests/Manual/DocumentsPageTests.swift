import CommandSpec
import Foundation
import OAuth
import Redaction
import TestSupport
import Testing

@testable import Commands

@Suite("oap-documents(5)")
struct DocumentsPageTests {
    private static let described = Set(
        (DocumentsPage.client + DocumentsPage.server + DocumentsPage.ways + DocumentsPage.request + DocumentsPage.flow
            + DocumentsPage.device + DocumentsPage.token + DocumentsPage.error).map(\.name))
    private static let kept = KeptMembers.groups.flatMap(\.names)

    @Test("oap-documents(5) describes every member of a client and a server, every secret, and what only oap writes")
    func metadata() {
        // A member that ends in _file stands for the one without, as the page says once for all secrets.
        let isDescribed = { (name: String) in Self.described.contains(name) || Self.kept.contains(name) }
        for name in Member.client + Member.server + Member.secrets + Member.own where !isDescribed(name) {
            #expect(name.hasSuffix("_file") && isDescribed(String(name.dropLast("_file".count))), "\(name)")
        }
    }

    @Test("oap-documents(5) describes no member that means nothing to oap")
    func nothingElse() {
        let known = Set(
            Member.client + Member.server + Member.request + Member.usedByCallback + Member.usedByExchange
                + Member.tokenResponse + Member.secrets + Member.own + DocumentsPage.error.map(\.name))
        #expect(Self.described.union(Self.kept).subtracting(known) == [])
    }

    @Test("oap-documents(5) says of no member that it has no effect which the program asks for")
    func withoutEffect() throws {
        // A member whose file is found, one that no variable sets, and the name of an option that is refused.
        let mentioned = ["Input.swift", "GeneralOption.swift", "KeptMembers.swift", "Member.swift"]
        let sources = try #require(FileManager.default.enumerator(atPath: Fixture.project + "/Sources"))
        for case let path as String in sources where path.hasPrefix("Commands/") || path.hasPrefix("OAuth/") {
            guard path.hasSuffix(".swift"), !mentioned.contains(where: { path.hasSuffix("/\($0)") }) else { continue }
            let text = try String(contentsOfFile: "\(Fixture.project)/Sources/\(path)", encoding: .utf8)
            for name in Self.kept where text.contains("\"\(name)\"") { Issue.record("\(name) is in \(path)") }
        }
    }

    @Test("oap-documents(5) describes every member of an error document, and no other")
    func errors() {
        var failure = Failure(.unavailable, "error", "message", hint: "hint")
        failure.uri = "https://as.example/why"
        failure.httpStatus = 503
        failure.retryAfter = 1
        #expect(
            Set(failure.document(stage: "exchange", Redactor()).members.map(\.name))
                == Set(DocumentsPage.error.map(\.name)))
    }

    @Test("oap-documents(5) names the RFC and the section of every member, but for those of oap itself")
    func sources() {
        let own: Set = [
            "basic_encoding", "authorization_url", "callback_url", "callback_body", "callback_params", "expires_at",
            "stage", "exit_status", "http_status", "retryable", "hint",
        ]
        let cited =
            DocumentsPage.client + DocumentsPage.server + DocumentsPage.request + DocumentsPage.flow
            + DocumentsPage.device + DocumentsPage.token + DocumentsPage.error
        for entry in cited where !own.contains(entry.name) {
            #expect(
                entry.text.contains(/(RFC [0-9]+|OpenID Connect [A-Z][a-z]+|Response Types) sections? [0-9]/),
                "\(entry.name)")
        }
    }

    @Test("oap-documents(5) describes every member that an option sets")
    func options() {
        for option in MemberOption.identity + MemberOption.requestMembers + DeviceCommand.members {
            let name = option.form == .file ? String(option.member.dropLast("_file".count)) : option.member
            #expect(Self.described.contains(name), "\(name)")
        }
    }

    @Test("oap-documents(5) describes every member that a command adds or takes away")
    func documents() {
        for name in Member.request + Member.usedByCallback + Member.usedByExchange + Member.tokenResponse {
            #expect(Self.described.contains(name), "\(name)")
        }
        let device = Set(DocumentsPage.device.map(\.name))
        #expect(device == Set(Member.deviceResponse).subtracting(["expires_in"]).union(["expires_at"]))
    }

    @Test(
        "oap-documents(5) describes every member that presets have for a provider's ways",
        arguments: Preset.builtIn.map(\.name))
    func presets(name: String) throws {
        let preset = try #require(Preset.builtIn.first { $0.name == name })
        for member in preset.template.members where !Member.server.contains(member.name) {
            #expect(Self.described.contains(member.name), "\(member.name)")
        }
    }

    @Test("oap-documents(5) describes no member twice in one document")
    func once() {
        let client = DocumentsPage.client + DocumentsPage.server + DocumentsPage.ways
        for names in [
            client.map(\.name) + Self.kept, DocumentsPage.token.map(\.name), DocumentsPage.error.map(\.name),
        ] {
            #expect(Dictionary(grouping: names) { $0 }.filter { $0.value.count > 1 }.keys.sorted() == [])
        }
    }
}
