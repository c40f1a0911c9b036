internal import Errands
internal import Wire
internal import Shell

/// A program that prints a secret: the member `NAME_command` of a profile (oap-documents(5)).
package struct SecretCommand: Equatable {
    /// The program and its arguments. No shell is between.
    private let words: [String]
    /// How long the program may take, in seconds: the user may have to type a passphrase.
    private static let seconds = 30

    /// Takes an array of strings, the first of which names the program; the name of the member is for messages.
    init(_ value: JSON, as name: String) throws(Failure) {
        guard let words = value.strings, words.first?.isEmpty == false, !words.contains(where: { $0.utf8.contains(0) })
        else {
            throw Failure(.badInput, .usage, "\(name) must be an array of strings: a program and its arguments")
        }
        // A relative path would be that of whatever folder the command runs in.
        guard words[0].hasPrefix("/") || !words[0].contains("/") else {
            throw Failure(
                .badInput, .usage, "\(name) names a program by a relative path",
                hint: "write the absolute path of the program")
        }
        self.words = words
    }

    /// Runs the program for a secret: one line, the end of which is dropped.
    ///
    /// - Throws: exit 3 for another output; as `output(for:)`.
    func secret(for name: String) -> Attempt<String, Failure> {
        output(for: name).reading { (output) throws(Failure) in
            guard let text = String(validating: output, as: UTF8.self) else {
                throw Failure(.badInput, .usage, "the output of \(program) for \(name) is not UTF-8")
            }
            let value = try SecretText.check(text, in: "the output of \(program) for \(name)", as: name)
            guard !value.isEmpty else { throw Failure(.badInput, .usage, "\(program) prints nothing for \(name)") }
            return value
        }
    }

    /// Runs the program, with this process's standard error and nothing on standard input.
    ///
    /// - Throws: exit 11 if it cannot be executed, fails, prints more than 64 KiB, or takes longer than 30 seconds.
    func output(for name: String) -> Attempt<[UInt8], Failure> {
        let child = ChildProgram(
            words, variables: Environment.forOtherPrograms, seconds: Self.seconds, limit: SecretText.limit)
        return .run(child) { end in
            let problem: String
            switch end {
            case .ended(status: 0, let output): return .done(.success(output))
            case .ended(let status, _): problem = "\(program), run for \(name), failed with status \(status)"
            case .notStarted(let error):
                // It may be the secret.
                let parts = program.split(separator: "/", omittingEmptySubsequences: false).map { String($0).shownName }
                problem = "cannot execute \(parts.joined(separator: "/")) for \(name): \(error)"
            case .late: problem = "\(program), run for \(name), took longer than \(Self.seconds) seconds"
            case .tooLong: problem = "\(program) prints more than \(SecretText.limit) bytes for \(name)"
            }
            return .done(.failure(.file(problem)))
        }
    }

    /// The program, for messages.
    var program: String { Terminal.escaping(words[0]) }
}
