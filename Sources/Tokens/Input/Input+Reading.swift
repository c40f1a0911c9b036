internal import Glibc
internal import OAuth
package import Wire
package import Shell

extension Input {
    /// `hint` is what to do without standard input, `hintForOther` what to do where it is no JSON object.
    package static func readStandardInput(hint: String, hintForOther: String? = nil) throws(Failure) -> JSONObject {
        try documentObject(in: try standardInputBytes(hint: hint), hintForOther: hintForOther)
    }

    /// `hint` is what to do without standard input. Exit 3 for a terminal, for nothing, and for too much.
    package static func standardInputBytes(hint: String) throws(Failure) -> [UInt8] {
        guard !Terminal.isTerminal(0) else {
            throw Failure(.badInput, .usage, "standard input is a terminal", hint: hint)
        }
        guard fcntl(0, F_GETFD) >= 0, fcntl(0, F_GETFL) & O_ACCMODE != O_WRONLY else {
            throw Failure(.badInput, .usage, "standard input is closed", hint: hint)
        }
        guard let bytes = try InputFile.readAll(.standardInput, limit: limit, name: "standard input") else {
            throw Failure(.badInput, .parse, "standard input is larger than 16 MiB")
        }
        guard !bytes.isEmpty else { throw Failure(.badInput, .parse, "standard input is empty", hint: hint) }
        return bytes
    }

    /// The document that was read from standard input or a file.
    ///
    /// - Throws: exit 3 for an invalid one; the failure of an earlier stage, to be passed on.
    package static func documentObject(
        in bytes: [UInt8], name: String = "standard input", hintForOther hint: String? = nil
    ) throws(Failure) -> JSONObject {
        let object = try object(in: bytes, name: name, exit: .badInput, hint: hint)
        if let earlier = Failure(earlier: object) { throw earlier }
        return try asFailure(GoogleClientFile.client(in: object)) ?? object
    }

    /// Parses a JSON object.
    ///
    /// - Throws: a failure with this exit status for anything else.
    package static func object(
        in bytes: [UInt8], name: String, exit: Exit, hint: String? = nil
    ) throws(Failure) -> JSONObject {
        let value: JSON
        do throws(JSONSyntaxError) {
            value = try JSON(parsing: bytes)
        } catch {
            throw TextEncoding.failure(for: bytes, in: name, exit)
                ?? Failure(exit, .parse, "\(name) is not JSON: \(error)", hint: hint)
        }
        guard let object = value.object else {
            throw Failure(exit, .parse, "\(name) is \(value.kindNoun), not an object", hint: hint)
        }
        return object
    }
}
