import TestSupport
import Testing
import Wire

@Suite("What oap login says of a preset")
struct LoginPresetTests {
    private let person: LoginHome

    init() throws { person = try LoginHome() }

    /// Writes the preset `mine` of a server.
    private func preset(_ server: Responder, _ more: JSONObject = [:]) throws {
        let preset: JSONObject = [
            "title": "Mine", "note": "Read this first.",
            "authorization_endpoint": .string(server.url("/authorize")),
            "token_endpoint": .string(server.url("/token")),
        ]
        try person.home.write(JSON.object(preset.with(more)).text, to: ".config/oap/providers/mine.json")
    }

    @Test("a preset without device login or registration names what works there, and no search for another server")
    func notOffered() throws {
        let server = try LoginHome.server()
        try preset(server, ["registration_page": "https://mine.example/apps"])
        for (options, text) in [
            (["--client-id", "c", "--device"], "the server offers no --device: log in with --headless or --paste"),
            (
                ["--register", "--open"],
                "register a client at https://mine.example/apps; then: oap login work --provider mine --client-id ID"
            ),
        ] {
            let result = try person.oap(["login", "work", "--provider", "mine"] + options).run().expect(status: 3)
            result.expect(errorLine: "oap: hint: \(text)")
        }
    }
}
