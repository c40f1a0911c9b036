internal import Wire

/// A list of what is stored under names: a line of JSON for each, or a table on a terminal.
struct NamedList {
    private let entries: [JSONObject]
    private let failures: [Failure]
    private let columns: [String]
    private let row: (JSONObject) -> [String]

    /// Makes the entries.
    ///
    /// - Parameters:
    ///   - columns: the head of the table.
    ///   - row: the cells of an entry in the table.
    ///   - entry: the entry of a name; nil to leave it out.
    init<Name>(
        _ names: [Name], columns: [String], row: @escaping (JSONObject) -> [String],
        entry: (Name) throws(Failure) -> JSONObject?
    ) {
        (self.columns, self.row) = (columns, row)
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

    /// Whether nothing is stored.
    var isEmpty: Bool { entries.isEmpty && failures.isEmpty }

    /// Writes the list.
    ///
    /// - Returns: 0, or 1 for `-e`; or 11 if an entry cannot be read: then a message says why, the others are listed, and
    ///   the file of `-o` is not written.
    func write(
        to output: consuming ResultWriter, _ form: OutputForm, _ diagnostics: Diagnostics
    ) throws(Failure) -> Exit {
        for failure in failures { diagnostics.tell(failure) }
        guard failures.isEmpty || form.file == nil else { return .fileFailed }
        if !form.isTable {
            for entry in entries { try output.write(.object(entry)) }
        } else if !entries.isEmpty {
            try output.write(line: table)
        }
        let exit = try output.end()
        return failures.isEmpty ? exit : .fileFailed
    }

    /// The entries in aligned columns under a head.
    private var table: String {
        let cells = ([columns] + entries.map(row)).map { $0.map { $0.isEmpty ? "-" : Terminal.escaping($0) } }
        let widths = columns.indices.map { column in cells.map { $0[column].count }.max() ?? 0 }
        let lines = cells.map { row in
            let padded = zip(row, widths).map { $0 + String(repeating: " ", count: $1 - $0.count) }
            return padded.dropLast().joined(separator: "  ") + "  " + (row.last ?? "")
        }
        return lines.joined(separator: "\n")
    }
}
