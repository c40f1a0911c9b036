/// What tells one file under a name from the next one: its number and the time of its last write.
package struct FileStamp: Sendable, Equatable {
    let number: UInt
    let seconds: Int
    let nanoseconds: Int

    init(number: UInt, seconds: Int, nanoseconds: Int) {
        (self.number, self.seconds, self.nanoseconds) = (number, seconds, nanoseconds)
    }
}
