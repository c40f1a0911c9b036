internal import System
internal import Wire
internal import Shell
internal import Sessions

extension Session {
    /// Lists what is stored under names: a line of JSON for each, or a table on a terminal. A name without an entry is left
    /// out.
    ///
    /// - Parameters:
    ///   - red: the cells that are red on a terminal with colours.
    ///   - none: what is said in the place of a table without rows.
    /// - Returns: 0, or 1 for `-e`; or the status of the first entry that cannot be read: then a message says why, the
    ///   others are listed, and the file of `-o` is not written.
    func list<Name>(
        _ names: [Name], columns: [Table.Column], red: Set<String> = [], orSay none: String,
        row: (JSONObject) -> [String], entry: (Name) throws(Failure) -> JSONObject?
    ) throws(Failure) -> Exit {
        var (entries, failures) = ([JSONObject](), [Failure]())
        for name in names {
            do throws(Failure) {
                if let entry = try entry(name) { entries.append(entry) }
            } catch {
                failures.append(error)
            }
        }
        if form.isTable, entries.isEmpty, failures.isEmpty { diagnostics.tell(none) }
        var output = try output()
        for failure in failures { diagnostics.tell(failure) }
        if let first = failures.first, form.file != nil { return first.exit }
        if !form.isTable {
            for entry in entries { try output.write(.object(entry)) }
        } else if !entries.isEmpty {
            let red = form.style.json.isColored ? red : []
            let lines = Table(columns, entries.map(row)).lines(width: TerminalSize.columns(of: 1), red: red)
            try output.write(escaped: lines.joined(separator: "\n"))
        }
        let exit = try output.end()
        return failures.first?.exit ?? exit
    }
}
