/// What tells one file under a name from the next one: its number and the time of its last write.
package struct FileStamp: Sendable, Equatable {
    let number: UInt
    let seconds: Int
    let nanoseconds: Int

    /// The stamp of a file, a link itself; nil if there is none.
    package init?(ofLink path: String) {
        guard let status = try? FileStatus(ofLink: path) else { return nil }
        self = status.stamp
    }

    init(number: UInt, seconds: Int, nanoseconds: Int) {
        (self.number, self.seconds, self.nanoseconds) = (number, seconds, nanoseconds)
    }
}
