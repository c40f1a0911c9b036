/// Why a filter cannot run.
package enum JQError: Error, Equatable {
    /// The filter does not compile. The message is jq's, its lines without `jq: ` in front and without the line that
    /// only counts the errors: `syntax error, unexpected … at <top-level>, line 1:`, then that line of the filter.
    case compile(String)
    /// libjq could not be loaded; the message names the package to install.
    case unavailable(String)
}

/// Why a text cannot be the input of a filter.
package enum JQInputError: Error, Equatable {
    /// The text is not JSON: the reason and the place.
    case notJSON(String)
    /// The text has more than `ValueMemory.maximumSize` bytes of which values must be built.
    case tooLarge
    /// The text has a string or a number of more than `ValueMemory.maximumSize` bytes.
    case tokenTooLarge
    /// The text has more than `ValueMemory.maximumWeight` values.
    case tooManyValues
    case noMemory
}

/// How a run of a filter ended, after its outputs.
package enum JQEnding: Sendable, Equatable {
    /// Every output has been given.
    case completed
    /// The filter called `halt`: the program ends with success, even with `-e`.
    case halted
    /// The filter called `halt_error`: `message` goes to standard error unchanged (with a line end only if jq adds
    /// one), and `status` is jq's exit status.
    case haltedWithError(status: Int, message: [UInt8])
    /// The filter failed on the data. The message is jq's, without `jq: error (at …): `; for an error that is not a
    /// string, `(not a string): {…}`.
    case failed(String)
}
