/// Why a filter cannot run.
package enum JQError: Error, Equatable {
    /// The filter does not compile. The message is jq's, its lines without `jq: ` in front and without the line that
    /// only counts the errors: `syntax error, unexpected … at <top-level>, line 1:`, then that line of the filter.
    case compile(String)
    /// libjq could not be loaded; the message names the package to install.
    case unavailable(String)
}
