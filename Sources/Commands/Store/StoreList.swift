internal import OAuth
internal import System
internal import TokenStore
internal import Wire

/// The list that `oap store list` prints of the stored tokens, without secrets.
struct StoreList {
    private let store: any TokenStoring

    /// The list of a store.
    init(of store: any TokenStoring) { self.store = store }

    /// Writes the list: a line of JSON for each token, or a table on a terminal.
    ///
    /// - Returns: 0, or 1 for `-e`; or 11 if a token cannot be read: then a message says why, the others are listed, and
    ///   the file of `-o` is not written.
    func write(
        to output: consuming ResultWriter, _ form: OutputForm, _ diagnostics: Diagnostics
    ) throws(Failure) -> Exit {
        let names = try Failure.storing(try store.names())
        var (entries, isComplete) = ([JSONObject](), true)
        for name in names {
            do throws(Failure) {
                if let entry = try entry(name) { entries.append(entry) }
            } catch {
                diagnostics.tell(error)
                isComplete = false
            }
        }
        guard isComplete || form.file == nil else { return .fileFailed }
        if !form.isTable {
            for entry in entries { try output.write(.object(entry)) }
        } else if !entries.isEmpty {
            try output.write(line: Self.table(of: entries))
        }
        let exit = try output.end()
        return isComplete ? exit : .fileFailed
    }

    /// The line of a token; nil if it has been deleted meanwhile.
    private func entry(_ name: TokenName) throws(Failure) -> JSONObject? {
        guard let bytes = try Failure.storing(try store.read(name)) else { return nil }
        let document = try Input.object(in: bytes, name: "the stored token \(name.text)", exit: .fileFailed)
        var entry: JSONObject = ["name": .string(name.text)]
        for member in ["issuer", "client_id", "scope"] {
            entry[member] = document[member]?.string.map { .string($0) }
        }
        if let expiry = document["expires_at"]?.integer {
            let now = Clock.now
            entry["expires_at"] = .integer(expiry)
            entry["seconds_left"] = .integer(max(expiry - now, 0))
        }
        entry["can_refresh"] = .bool(TokenDocument.isRenewable(document))
        return entry
    }
}

extension StoreList {
    /// The entries in aligned columns under a head. The scope is the last, since it may be long.
    static func table(of entries: [JSONObject]) -> String {
        var rows = [["NAME", "LEFT", "RENEWS", "ISSUER", "CLIENT", "SCOPE"]]
        for entry in entries {
            let texts = ["issuer", "client_id", "scope"].map { entry[$0]?.string ?? "" }
            let left = entry["seconds_left"]?.integer.map(Self.duration) ?? ""
            let renews = entry["can_refresh"] == .bool(true) ? "yes" : "no"
            rows.append([entry["name"]?.string ?? "", left, renews] + texts)
        }
        let cells = rows.map { $0.map { $0.isEmpty ? "-" : Terminal.escaping($0) } }
        let widths = rows[0].indices.map { column in cells.map { $0[column].count }.max() ?? 0 }
        let lines = cells.map { row in
            let padded = zip(row, widths).map { cell, width in cell + String(repeating: " ", count: width - cell.count)
            }
            return padded.dropLast().joined(separator: "  ") + "  " + (row.last ?? "")
        }
        return lines.joined(separator: "\n")
    }

    /// Seconds in the largest unit of which there are at least two, rounded down.
    static func duration(_ seconds: Int) -> String {
        switch seconds {
        case ...0: "expired"
        case ..<120: "\(seconds) s"
        case ..<7200: "\(seconds / 60) min"
        case ..<172_800: "\(seconds / 3600) h"
        default: "\(seconds / 86_400) days"
        }
    }
}
