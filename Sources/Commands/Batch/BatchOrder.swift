/// The order in which answers are printed: that of arrival, or with `--ordered` that of the lines.
struct BatchOrder {
    private let isKept: Bool
    private let limit: Int
    /// The answers that wait for an earlier one, by the places of their lines.
    private var held: [Int: BatchAnswer] = [:]
    private var size = 0
    private var next = 0
    private static let sizeLimit = 16 << 20

    /// With `isKept` the order is that of the lines; at most `limit` answers wait.
    init(isKept: Bool, limit: Int) { (self.isKept, self.limit) = (isKept, limit) }

    /// Whether no further line may be read: too many answers, or more than 16 MiB, wait for an earlier one.
    var isFull: Bool { held.count >= limit || size >= Self.sizeLimit }

    /// Returns the answers whose turn has come.
    mutating func take(_ answer: BatchAnswer) -> [BatchAnswer] {
        guard isKept else { return [answer] }
        held[answer.line.place] = answer
        size += answer.size
        var due: [BatchAnswer] = []
        while let answer = held.removeValue(forKey: next) {
            size -= answer.size
            next += 1
            due.append(answer)
        }
        return due
    }
}
