internal import System
internal import Wire

/// Checks, before a response is parsed, that there is memory for its values: two bytes of JSON may need four hundred
/// bytes of memory, and a failed allocation would end the process without a message.
package enum AnswerMemory {
    /// The most values of a response. An array counts as four and an object as eight, as the memory of libjq has it.
    private static let limit = 32_000_000

    /// Refuses a response with too many values, or one that the available memory cannot hold.
    ///
    /// - Throws: exit 10.
    package static func check(_ content: [UInt8]) throws(Failure) {
        // Other text is refused at its first bytes, and a small text always fits.
        guard content.count > 1 << 20, let first = content.first(where: { $0 > 0x20 }), "[{".utf8.contains(first) else {
            return
        }
        let extent = JSONExtent(of: content)
        guard extent.values + 3 * extent.arrays + 7 * extent.objects <= limit else {
            throw tooLarge("the response has more than \(limit / 1_000_000) million values, too many for a filter")
        }
        let size = 3 * content.count + 96 * extent.values + 320 * extent.arrays + 480 * extent.objects
        // For the values here and in libjq, while arrays grow.
        guard ProcessMemory.canGrow(by: size) else { throw tooLarge("the response needs more memory than there is") }
    }

    package static func tooLarge(
        _ message: String, hint: String = "to get a response of any size, leave the filter out"
    ) -> Failure {
        Failure(.badAnswer, .tooLarge, message, hint: hint)
    }
}
