import TestSupport
import Testing
import Wire

@Suite("The guess at a name that is not there") struct NameGuessTests {
    private let home: TemporaryDirectory

    init() throws {
        home = try TemporaryDirectory()
        let token = #"{"access_token":"at-0","client_id":"c"}"#
        _ = try oap(["store", "put", "work"], input: token).expect(status: 0)
        _ = try oap(["profile", "set", "play"], input: #"{"client_id":"c"}"#).expect(status: 0)
    }

    private func oap(_ words: [String], input: String? = nil) throws -> ProgramResult {
        try Program.oap(words, input: input.map { .text($0) } ?? .none, environment: ["HOME": home.path]).run()
    }

    @Test(
        "a name near to that of a stored token or a profile is answered with it, by every command that takes one",
        arguments: [
            ["token", "wrok"], ["call", "-p", "wrok", "https://api.example/"], ["run", "wrok", "--", "true"],
            ["refresh", "-p", "wrok"], ["store", "get", "wrok"], ["store", "delete", "wrok"], ["logout", "wrok"],
            ["login", "wrok", "--open"], ["whoami", "wrok"], ["inspect", "-p", "wrok"], ["userinfo", "-p", "wrok"],
        ])
    func near(words: [String]) throws {
        let result = try oap(words)
        #expect(result.ending != .status(0))
        #expect(result.errorText.contains("hint: did you mean work?"), "\(result)")
    }

    @Test(
        "a name near to that of a profile is answered with it",
        arguments: [["authurl", "-p", "paly"], ["profile", "show", "paly"], ["profile", "delete", "paly"]])
    func profile(words: [String]) throws {
        let result = try oap(words).expect(status: 11)
        #expect(result.errorText.contains("hint: did you mean play?"), "\(result)")
    }

    @Test("a name near to no other, and one that differs by case alone, is answered with no guess")
    func far() throws {
        for name in ["elsewhere", "Work", "WORK"] {
            let result = try oap(["token", name]).expect(status: 8)
            #expect(!result.errorText.contains("did you mean"), "\(result)")
            result.expect(
                errorLine: "oap: hint: log in with oap login \(name), or store a token with oap store put \(name) "
                    + "< token.json")
        }
    }

    @Test("the guess leaves what helps if it is wrong")
    func both() throws {
        try oap(["token", "work2"]).expect(status: 8).expect(
            errorLine: "oap: hint: did you mean work? if not: log in with oap login work2, or store a token with "
                + "oap store put work2 < token.json")
    }

    @Test("the names of the store of --store are guessed, and no other program is asked for them")
    func store() throws {
        let folder = home.path("other")
        _ = try oap(["store", "put", "home", "--store", "file:\(folder)"], input: #"{"access_token":"at-1"}"#)
            .expect(status: 0)
        let result = try oap(["token", "hoem", "--store", "file:\(folder)"]).expect(status: 8)
        #expect(result.errorText.contains("did you mean home?"), "\(result)")
        #expect(!(try oap(["token", "hoem"]).errorText.contains("did you mean")))
    }
}
