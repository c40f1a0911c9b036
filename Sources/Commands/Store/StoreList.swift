internal import OAuth
internal import TokenStore
internal import Wire

/// What `oap store list` tells about the stored tokens: no secret is in it.
struct StoreList {
    private let session: Session
    private let store: any TokenStoring

    /// The list of the store that the session asks for.
    ///
    /// - Throws: exit 11 for a store that cannot be used.
    init(_ session: Session) throws(Failure) {
        self.session = session
        store = try session.store()
    }

    /// Writes the list: a line of JSON for each token, or a table for a person.
    ///
    /// - Returns: 0, what `-e` says, or 11 where a token cannot be read; that is told, the others are listed, and a file of
    ///   `-o` is not written.
    func write() throws(Failure) -> Exit {
        var output = try session.output()
        let names = try Failure.storing { () throws(StoreError) in try store.names() }
        var (entries, isComplete) = ([JSONObject](), true)
        for name in names {
            do throws(Failure) {
                if let entry = try entry(name) { entries.append(entry) }
            } catch {
                session.diagnostics.tell(error)
                isComplete = false
            }
        }
        guard isComplete || session.form.file == nil else { return .fileFailed }
        if !session.form.isTable {
            for entry in entries { try output.write(.object(entry)) }
        } else if !entries.isEmpty {
            try output.write(line: Self.table(of: entries))
        }
        let exit = try output.end()
        return isComplete ? exit : .fileFailed
    }

    /// The line of a token; nil if it has been deleted meanwhile.
    private func entry(_ name: TokenName) throws(Failure) -> JSONObject? {
        guard let bytes = try Failure.storing({ () throws(StoreError) in try store.read(name) }) else { return nil }
        let document = try Input.object(in: bytes, name: "the stored token \(name.text)", exit: .fileFailed)
        var entry: JSONObject = ["name": .string(name.text)]
        for member in ["issuer", "client_id", "scope"] {
            entry[member] = document[member]?.string.map { .string($0) }
        }
        if let expiry = document["expires_at"]?.integer {
            entry["expires_at"] = .integer(expiry)
            entry["seconds_left"] = .integer(expiry > session.now ? expiry - session.now : 0)
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
