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
