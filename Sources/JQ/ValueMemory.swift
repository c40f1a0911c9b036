internal import System

/// The memory of values that are built from a text: two bytes of JSON may need four hundred bytes of it, and a failed
/// allocation would end the process without a message.
struct ValueMemory {
    /// The most bytes of a text, or of an element, of which values are built, and of a string or a number anywhere.
    static let maximumSize = 128 << 20
    /// The most values of it. An array counts as four and an object as eight, as the memory of libjq has it.
    static let maximumWeight = 32_000_000

    private var size = 0
    private var weight = 0
    /// The weight of all that came before the values that are being built.
    private var finished = 0
    private var probed = 0
    /// The length of a string or a number at which the system is asked again.
    private var nextLength = 8 << 20

    /// Takes account of a piece of this size, behind which the text has this weight so far and may be in the middle of a
    /// value. Throws for a limit, or because the system does not give the memory.
    mutating func check(size: Int, weight: Int, isBuilding: Bool) throws(JQInputError) {
        guard isBuilding else {
            (self.size, finished, probed) = (0, weight, 0)
            return
        }
        self.size += size
        guard self.size < Self.maximumSize else { throw .tooLarge }
        guard weight - finished <= Self.maximumWeight else { throw .tooManyValues }
        // An array that grows is there twice, and the next piece may hold nothing but short values.
        let used = 3 * self.size + 64 * (weight - finished)
        guard used - probed > 8 << 20 else { return }
        probed = used
        guard ProcessMemory.canGrow(by: used / 2 + 64 << 20) else { throw .noMemory }
    }

    /// Takes account of a string or a number whose end has not come, which is kept until then even if no value is built
    /// of it. While it grows, it is there twice.
    mutating func check(cutLength: Int) throws(JQInputError) {
        guard cutLength > nextLength else { return }
        guard cutLength <= Self.maximumSize else { throw .tokenTooLarge }
        nextLength = min(2 * cutLength, Self.maximumSize)
        guard ProcessMemory.canGrow(by: 3 * cutLength + 64 << 20) else { throw .noMemory }
    }
}
