internal import Glibc
internal import Wire

/// Checks, before a response is parsed, that there is memory for its values: two bytes of JSON may need four hundred
/// bytes of memory, and a failed allocation would end the process without a message.
struct AnswerMemory {
    private let extent: JSONExtent
    private let size: Int

    /// The most values of a response. An array counts as four and an object as eight, as the memory of libjq has it.
    static let limit = 32_000_000

    init(of content: [UInt8]) {
        extent = JSONExtent(of: content)
        size = content.count
    }

    /// Refuses a response with too many values, or one that the available memory cannot hold.
    ///
    /// - Throws: exit 10.
    static func check(_ content: [UInt8]) throws(Failure) {
        // Other text is refused at its first bytes, and a small text always fits.
        guard content.count > 1 << 20, let first = content.first(where: { $0 > 0x20 }), "[{".utf8.contains(first) else {
            return
        }
        let memory = AnswerMemory(of: content)
        guard memory.weight <= limit else {
            throw tooLarge("the response has more than \(limit / 1_000_000) million values, too many for a filter")
        }
        guard memory.canBeHad else { throw tooLarge("the response needs more memory than there is") }
    }

    /// The failure for a response that is too large for a filter.
    static func tooLarge(
        _ message: String, hint: String = "to get a response of any size, leave the filter out"
    ) -> Failure {
        Failure(.badAnswer, .tooLarge, message, hint: hint)
    }

    private var weight: Int { extent.values + 3 * extent.arrays + 7 * extent.objects }

    /// Whether the system can allocate the memory for the values, here and in libjq, while arrays grow. It is allocated
    /// and freed at once: only so is a limit of the process (`ulimit -v`) noticed.
    private var canBeHad: Bool {
        let bytes = 3 * size + 96 * extent.values + 320 * extent.arrays + 480 * extent.objects
        let map = mmap(nil, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        guard map != MAP_FAILED else { return false }
        munmap(map, bytes)
        return true
    }
}
