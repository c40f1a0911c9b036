import CommandSpec
import OAuth
import Testing

@testable import Commands

@Suite("oap-documents(5)")
struct DocumentsPageTests {
    private static let described = Set(
        (DocumentsPage.client + DocumentsPage.server + DocumentsPage.ways + DocumentsPage.request + DocumentsPage.flow
            + DocumentsPage.device + DocumentsPage.token + DocumentsPage.error).map(\.name))

    @Test("describes every member that an option sets")
    func options() {
        for option in MemberOption.identity + MemberOption.requestMembers + DeviceCommand.members {
            let name = option.form == .file ? String(option.member.dropLast("_file".count)) : option.member
            #expect(Self.described.contains(name), "\(name)")
        }
    }

    @Test("describes every member that a command adds or takes away")
    func documents() {
        for name in Member.request + Member.usedByCallback + Member.usedByExchange + Member.tokenResponse {
            #expect(Self.described.contains(name), "\(name)")
        }
        let device = Set(DocumentsPage.device.map(\.name))
        #expect(device == Set(Member.deviceResponse).subtracting(["expires_in"]).union(["expires_at"]))
    }

    @Test("describes every member that presets have for a provider's ways", arguments: Preset.builtIn.map(\.name))
    func presets(name: String) throws {
        let preset = try #require(Preset.builtIn.first { $0.name == name })
        for member in preset.template.members where !Member.server.contains(member.name) {
            #expect(Self.described.contains(member.name), "\(member.name)")
        }
    }

    @Test("describes no member twice in one document")
    func once() {
        for entries in [
            DocumentsPage.client + DocumentsPage.server + DocumentsPage.ways, DocumentsPage.token, DocumentsPage.error,
        ] {
            #expect(Set(entries.map(\.name)).count == entries.count)
        }
    }
}
