internal import Glibc
internal import Wire

/// Whether there is room for the values of an answer, found out before they are made: a value may be two bytes of JSON
/// and four hundred of memory, and what cannot be had ends the process without a word about the answer.
struct AnswerMemory {
    private let extent: JSONExtent
    private let size: Int

    /// The most values of an answer. An array counts as four and an object as eight, as the memory of libjq has it.
    static let limit = 32_000_000

    /// Looks over an answer.
    init(of content: [UInt8]) {
        extent = JSONExtent(of: content)
        size = content.count
    }

    /// Refuses an answer that is too much, or that no memory can be had for now.
    ///
    /// - Throws: exit 10.
    static func check(_ content: [UInt8]) throws(Failure) {
        // Other text is refused at its first bytes, and a small one is never too much.
        guard content.count > 1 << 20, let first = content.first(where: { $0 > 0x20 }), "[{".utf8.contains(first) else {
            return
        }
        let memory = AnswerMemory(of: content)
        guard memory.weight <= limit else {
            throw tooLarge("the answer has more than \(limit / 1_000_000) million values, too many for a filter")
        }
        guard memory.canBeHad else { throw tooLarge("the answer needs more memory than there is") }
    }

    /// The failure of an answer that is too much for a filter.
    static func tooLarge(_ message: String) -> Failure {
        Failure(.badAnswer, .tooLarge, message, hint: "without a filter any size passes through")
    }

    private var weight: Int { extent.values + 3 * extent.arrays + 7 * extent.objects }

    /// Whether the system would give as much memory as the values take here and in libjq, while arrays grow. It is
    /// asked and not used, since a limit of the process (`ulimit -v`) is known to nobody else.
    private var canBeHad: Bool {
        let bytes = 3 * size + 96 * extent.values + 320 * extent.arrays + 480 * extent.objects
        let map = mmap(nil, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        guard map != MAP_FAILED else { return false }
        munmap(map, bytes)
        return true
    }
}
