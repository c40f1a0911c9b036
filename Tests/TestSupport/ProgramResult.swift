import Foundation
import Testing
import Wire

/// What a program left behind when it ended.
package struct ProgramResult: Sendable {
    /// How a program ended.
    package enum Ending: Sendable, Equatable {
        /// By itself, with this exit status.
        case status(Int)
        /// By this signal.
        case signal(Int)
    }

    /// The program's path and arguments.
    package var command: [String]
    /// How it ended; nil while it runs.
    package var ending: Ending?
    /// Whether a signal had its memory dumped (core(5)).
    package var leftCoreDump: Bool
    /// The bytes of standard output, as far as they were collected.
    package var output: [UInt8]
    /// The bytes of standard error.
    package var errorOutput: [UInt8]

    /// Standard output as text.
    package var text: String { String(decoding: output, as: UTF8.self) }
    /// Standard error as text.
    package var errorText: String { String(decoding: errorOutput, as: UTF8.self) }

    /// The object that standard output holds.
    ///
    /// - Throws: ``ProgramFailure`` when it is no JSON object.
    package func object() throws -> JSONObject {
        guard let object = (try? JSON(parsing: output))?.object else {
            throw ProgramFailure(reason: "standard output is no JSON object", result: self)
        }
        return object
    }

    /// Records a failure, with everything that is known of the run, when it did not end with this status.
    @discardableResult
    package func expect(status: Int, sourceLocation: SourceLocation = #_sourceLocation) -> ProgramResult {
        expect(.status(status), sourceLocation: sourceLocation)
    }

    /// Records a failure, with everything that is known of the run, when it was not ended by this signal.
    @discardableResult
    package func expect(signal: Int32, sourceLocation: SourceLocation = #_sourceLocation) -> ProgramResult {
        expect(.signal(Int(signal)), sourceLocation: sourceLocation)
    }

    private func expect(_ expected: Ending, sourceLocation: SourceLocation) -> ProgramResult {
        if ending != expected {
            Issue.record("expected \(expected)\n\(self)", sourceLocation: sourceLocation)
        }
        return self
    }
}

extension ProgramResult: CustomTestStringConvertible, CustomStringConvertible {
    /// The command line, the ending, and both outputs, each of these on lines of its own.
    package var description: String {
        """
        \(command.map { $0.contains(" ") || $0.isEmpty ? "'\($0)'" : $0 }.joined(separator: " "))
        ended with \(ending.map { "\($0)" } ?? "nothing: it still ran")
        --- standard output
        \(text)
        --- standard error
        \(errorText)
        ---
        """
    }

    /// As ``description``, so that a failed `#expect` shows it.
    package var testDescription: String { description }
}

/// A run that did not go as a test needs it to go on.
package struct ProgramFailure: Error, CustomStringConvertible {
    /// What was wrong.
    package var reason: String
    /// What is known of the run.
    package var result: ProgramResult

    /// The reason and the run.
    package var description: String { "\(reason)\n\(result)" }
}
