import PlaySupport
import TestSupport
import Testing

@Suite("A member of a profile that is almost a known one", .inProcess)
struct MisspelledMemberTests {
    private let home: TemporaryDirectory

    init() throws { home = try TemporaryDirectory() }

    private func set(_ document: String, _ options: [String] = []) throws -> ProgramResult {
        try Program.oap(
            ["profile", "set", "p"] + options, input: .text(document), environment: ["HOME": home.path]
        ).run()
    }

    @Test(
        "a slip or two in the name of a member is a warning, and an error with --strict",
        arguments: [("client_idd", "client_id"), ("isuer", "issuer"), ("tokne_endpoint", "token_endpoint")])
    func slip(name: String, known: String) throws {
        let document = #"{"\#(name)":"x"}"#
        let message = #"the document has "\#(name)": the name of this member is "\#(known)""#
        let strict = try set(document, ["--strict"]).expect(status: 10)
        strict.expect(errorLine: "oap: profile: \(message)")
        try Program.oap(["profile", "show", "p"], environment: ["HOME": home.path]).run().expect(status: 11)
        try set(document).expect(status: 0).expect(errorLine: "oap: profile: warning: \(message)")
    }

    @Test("a member of another kind is kept without a word", arguments: ["tenant_name", "x", "note", "account_label"])
    func other(name: String) throws { try set(#"{"client_id":"c","\#(name)":"x"}"#).expect(status: 0).expectSilence() }
}
