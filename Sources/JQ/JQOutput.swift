internal import CLibJQ
package import Wire

/// The format for the outputs of a filter.
package struct JQOutputStyle: Sendable, Equatable {
    /// The layout of outputs that are not raw.
    package var json: JSONStyle
    /// Whether strings are written without quotes, escapes and colour (`jq -r`).
    package var isRaw: Bool

    /// Makes a style; compact JSON without colour by default.
    package init(json: JSONStyle = JSONStyle(), isRaw: Bool = false) {
        self.json = json
        self.isRaw = isRaw
    }

    /// The same as flags of `jv_dump_string`.
    var dumpFlags: Int32 {
        let indentation = json.isPretty ? JV_PRINT_PRETTY.rawValue | JV_PRINT_SPACE1.rawValue : 0
        return Int32(indentation | (json.isColored ? JV_PRINT_COLOR.rawValue : 0))
    }
}

/// One output of a filter.
package struct JQOutput: Sendable, Equatable {
    /// The text in the requested style, without a line end.
    package let bytes: [UInt8]
    /// The output is `false` or `null`, which `-e` turns into exit status 1 when it is the last.
    package let isFalseOrNull: Bool
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
