/// An authorization server that rotates refresh tokens, as far as a claim is concerned: the tokens are numbers.
struct SimulatedIssuer {
    enum Manner: CaseIterable {
        /// It refuses an old token, and ends the new one too.
        case punishing
        /// It only refuses an old token.
        case strict
        /// It takes the token before the last one as well.
        case lenient
    }

    let manner: Manner
    /// The newest token.
    private(set) var current = 1
    private(set) var isAlive = true
    /// How often each token was sent.
    private(set) var sent: [Int: Int] = [:]

    init(_ manner: Manner) { self.manner = manner }

    /// A request with a token leaves a machine.
    ///
    /// - Returns: how many left before it.
    mutating func send(_ token: Int) -> Int {
        defer { sent[token, default: 0] += 1 }
        return sent[token] ?? 0
    }

    /// A request was answered with an error that surely changed nothing: it counts for none.
    mutating func forget(_ token: Int) { sent[token, default: 1] -= 1 }

    func takes(_ token: Int) -> Bool { token == current || manner == .lenient && token == current - 1 }

    /// A request arrives.
    ///
    /// - Returns: the new token; nil for a refusal.
    mutating func take(_ token: Int) -> Int? {
        guard isAlive else { return nil }
        guard takes(token) else {
            if manner == .punishing { isAlive = false }
            return nil
        }
        current += 1
        return current
    }
}
