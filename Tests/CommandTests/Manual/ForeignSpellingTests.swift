import TestSupport
import Testing

@Suite("Spellings of curl and gh that oap does not have")
struct ForeignSpellingTests {
    @Test(
        "curl's -f is explained before a document is read, wherever it stands",
        arguments: [
            ["-sSf", "work", "/user"], ["-f", "work", "/user"], ["work", "-f", "/user"], ["work", "/user", "-sSf"],
            ["-sSf", "/user"], ["work", "/user", "-f", "https://api.example/"],
        ])
    func fail(words: [String]) throws {
        let result = try Program.oap(["call"] + words, input: .text("")).run().expect(status: 2)
        #expect(
            result.errorText.contains("oap: hint: -f is --raw-field, as in gh: leave the -f of curl out"), "\(result)")
    }

    @Test(
        "an option of curl that is named otherwise here is answered with what does the same",
        arguments: [
            (["--head"], "-X HEAD -i prints the status line and the header fields"),
            (["-D", "-"], "-i prints the status line and the header fields before the body"),
            (["--fail-with-body"], "--error-body stdout prints the body of an error on standard output"),
            (["-OJ"], "-O names the file as in the URL"), (["--remote-header-name"], "-O names the file as in the URL"),
            (["--trace", "-"], "-v shows requests and responses; --har FILE writes them to a file"),
            (["--trace-ascii", "-"], "-v shows requests and responses"),
            (["--debug"], "-v shows requests and responses"),
        ])
    func options(words: [String], hint: String) throws {
        let result = try Program.oap(["call", "https://api.example/"] + words, input: .text("")).run()
        #expect(result.expect(status: 2).errorText.contains("oap: hint: \(hint)"), "\(result)")
    }

    @Test(
        "a command of gh is answered with what does the same",
        arguments: [
            (["auth", "login"], "oap login NAME logs in"),
            (["auth", "token", "--hostname", "x"], "oap token NAME prints a"),
            (["auth", "status"], "oap store list shows the stored tokens; oap whoami NAME shows the user of one"),
            (["auth", "logout"], "oap logout NAME logs out"), (["auth", "refresh"], "oap refresh NAME renews a token"),
            (["auth"], "oap login NAME logs in, oap token NAME"),
            (["auth", "switch"], "oap login NAME logs in, oap token"),
            (["api", "user"], "oap call NAME URL sends a request"),
        ])
    func commands(words: [String], hint: String) throws {
        let result = try Program.oap(words).run().expect(status: 2)
        #expect(result.errorText.contains("oap: hint: \(hint)"), "\(result)")
    }
}
