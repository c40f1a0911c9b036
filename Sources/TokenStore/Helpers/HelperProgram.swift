internal import Errands
internal import Glibc
internal import System

/// A docker-credential-helper. Each run performs one action: it reads its subject from standard input, and writes the answer
/// or a complaint to standard output.
struct HelperProgram {
    /// The program, looked up in `PATH`.
    let name: String
    let environment: [String]
    /// The time limit in seconds; the user may have to type a passphrase.
    let seconds: Int
    /// Masks the secrets in a complaint and shortens it. It gets at most 64 KiB.
    let masking: (String) -> String

    /// The most bytes of an answer.
    private static let limit = 32 << 20

    enum Answer {
        case done([UInt8])
        case failed(String)
    }

    /// Runs `get`, `store`, `erase` or `list`. With `isGuarded` it ignores what a terminal sends to the whole process
    /// group: the token may be impossible to get again.
    func run(_ action: String, input: String = "", isGuarded: Bool = false) -> Attempt<Answer, StoreError> {
        let program = ChildProgram(
            [name, action], variables: environment, input: Array(input.utf8), seconds: seconds, limit: Self.limit,
            ignored: isGuarded || ["store", "erase"].contains(action) ? [SIGINT, SIGTERM, SIGHUP] : [])
        return .run(program) { end in
            switch end {
            case .ended(status: 0, let output): return .done(.success(.done(output)))
            case .ended(let status, let output):
                let complaint = masking(String(decoding: output.prefix(64 << 10), as: UTF8.self))
                let said = complaint.split(whereSeparator: \.isNewline).joined(separator: "; ")
                return .done(.success(.failed(said.isEmpty ? "it ended with status \(status)" : said)))
            case .notStarted(.noSuchFile): return .done(.failure(.noHelper(name)))
            case .notStarted(let error): return failed("it cannot be started: \(error)")
            case .late: return failed("it gave no answer within \(seconds) seconds")
            case .tooLong: return failed("its answer is too large")
            }
        }
    }

    private func failed(_ reason: String) -> Attempt<Answer, StoreError> {
        .done(.failure(.helper(name, reason: reason)))
    }
}
