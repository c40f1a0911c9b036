package struct JQOutput: Sendable, Equatable {
    /// The text in the requested style, without a line end.
    package let bytes: [UInt8]
    /// The output is `false` or `null`, which `-e` turns into exit status 1 when it is the last.
    package let isFalseOrNull: Bool
}
