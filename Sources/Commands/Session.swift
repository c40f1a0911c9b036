internal import CommandSpec
internal import Glibc
internal import HTTP
internal import OAuth
internal import Wire

/// One run of one command: its command line, its surroundings, and what every command does with them.
struct Session {
    /// The command line.
    let arguments: Arguments
    /// The variables.
    let environment: Environment
    /// Where messages go.
    let diagnostics: Diagnostics
    /// What the options say of the result.
    let form: OutputForm

    /// Reads the document.
    func input(_ options: [MemberOption]) throws(Failure) -> Input {
        try Input(arguments, options: options, environment: environment)
    }

    /// Makes the way out ready.
    func output() throws(Failure) -> Output { try Output(form) }

    /// A client for the authorization server: 30 s for a request, unless an option says otherwise.
    func client(_ redactor: Redactor) throws(Failure) -> HTTPClient {
        let options = try TransportOptions(arguments, environment: environment, maximumTime: 30)
        do throws(HTTPError) {
            return try HTTPClient(options: options, trace: trace(redactor))
        } catch {
            throw Failure(error, stake: .repeatable)
        }
    }

    /// What `-v` shows, with secrets masked; nil without it.
    func trace(_ redactor: Redactor) -> Trace? {
        guard arguments.has(GeneralOption.verbose) else { return nil }
        return Trace(redactor: redactor) { Diagnostics.print($0) }
    }

    /// Seconds since 1970.
    var now: Int { time(nil) }

    /// The parameters of `--param`.
    ///
    /// - Throws: exit 2 for one without `=`.
    func extraParameters() throws(Failure) -> [(name: String, value: String)] {
        var pairs: [(name: String, value: String)] = []
        for text in arguments.values(GeneralOption.parameter) {
            guard let equals = text.firstIndex(of: "=") else {
                throw .usage("--param takes NAME=VALUE")
            }
            pairs.append((String(text[..<equals]), String(text[text.index(after: equals)...])))
        }
        return pairs
    }
}
