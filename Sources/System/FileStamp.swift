/// What tells one file under a name from the next one: its number and the time of its last write.
package struct FileStamp: Sendable, Equatable {
    let number: UInt
    let seconds: Int
    let nanoseconds: Int

    /// The stamp as a text without spaces.
    package var text: String { "\(number).\(seconds).\(nanoseconds)" }

    init(number: UInt, seconds: Int, nanoseconds: Int) {
        (self.number, self.seconds, self.nanoseconds) = (number, seconds, nanoseconds)
    }
}
