internal import System
package import Wire

/// A list of what is stored under names: a line of JSON for each, or a table on a terminal.
package struct NamedList {
    private let entries: [JSONObject]
    private let failures: [Failure]
    private let columns: [Table.Column]
    private let red: Set<String>
    private let row: (JSONObject) -> [String]

    /// `red` are the cells that are red on a terminal with colours; a name without an entry is left out.
    package init<Name>(
        _ names: [Name], columns: [Table.Column], red: Set<String> = [], row: @escaping (JSONObject) -> [String],
        entry: (Name) throws(Failure) -> JSONObject?
    ) {
        (self.columns, self.red, self.row) = (columns, red, row)
        var (entries, failures) = ([JSONObject](), [Failure]())
        for name in names {
            do throws(Failure) {
                if let entry = try entry(name) { entries.append(entry) }
            } catch {
                failures.append(error)
            }
        }
        (self.entries, self.failures) = (entries, failures)
    }

    package var isEmpty: Bool { entries.isEmpty && failures.isEmpty }

    /// 0, or 1 for `-e`; or the status of the first entry that cannot be read: then a message says why, the others are
    /// listed, and the file of `-o` is not written.
    package func write(
        to output: consuming ResultWriter, _ form: OutputForm, _ diagnostics: Diagnostics
    ) throws(Failure) -> Exit {
        for failure in failures { diagnostics.tell(failure) }
        if let first = failures.first, form.file != nil { return first.exit }
        if !form.isTable {
            for entry in entries { try output.write(.object(entry)) }
        } else if !entries.isEmpty {
            try output.write(escaped: table(form))
        }
        let exit = try output.end()
        return failures.first?.exit ?? exit
    }

    private func table(_ form: OutputForm) -> String {
        let table = Table(columns, entries.map(row))
        let lines = table.lines(width: TerminalSize.columns(of: 1), red: form.style.json.isColored ? red : [])
        return lines.joined(separator: "\n")
    }
}
