internal import CommandSpec
internal import OAuth
internal import Shell
internal import Tokens
internal import Calling

/// The manual page `oap-documents(5)`: every member that `oap` knows, with its RFC.
enum DocumentsPage {
    static var page: ManualPage {
        let shown: [Member.Kind] = [.client, .server, .way, .request, .flow, .device, .token, .error]
        var lists = Dictionary(uniqueKeysWithValues: shown.map { ("\($0)", list($0)) })
        (lists["kept"], lists["kinds"]) = (kept, kinds)
        return Manual.named("documents").page("oap-documents", 5, date: Version.date, inserting: lists)
    }

    static func list(_ kind: Member.Kind) -> ManualBlock {
        .list(Member.all.filter { $0.kind == kind }.map { ManualItem("`\($0.name)`", $0.text) })
    }

    /// The members without effect, grouped by source as they are in the table.
    private static var kept: ManualBlock {
        var groups: [(source: String, names: [String])] = []
        for member in Member.all where member.kind == .kept {
            let source = member.source ?? "names that only `oap` defines"
            if groups.last?.source != source { groups.append((source, [])) }
            groups[groups.count - 1].names.append("`\(member.name)`")
        }
        return .list(groups.map { ManualItem($0.source, $0.names.joined(separator: ", ") + ".") })
    }

    /// The kinds of failure by the exit status that most of them have. Those of an OAuth error say the server's code.
    private static var kinds: ManualBlock {
        let named = ErrorKind.allCases.filter { ![.oauth, .authorization, .deviceExpired].contains($0) }
        return .list(
            Exit.allCases.compactMap { exit in
                let names = named.filter { $0.exit == exit }.map { "`\($0.name)`" }
                guard !names.isEmpty else { return nil }
                return ManualItem("Exit status \(exit.rawValue)", names.joined(separator: ", ") + ".")
            })
    }
}

/// The manual page `oap-options(7)`: the options that many commands have.
enum OptionsPage {
    static let name = "oap-options"

    /// The headings of options that come last in each command, in this order.
    static let lastHeadings = [
        "Login", "Browser", "Listening", "Request", "Body", "Retries", "Pages", "Streams", "Batch", "Another token",
        "Client", "Server", "Input", "Output", "Transport", "General",
    ]

    static func page(of program: ProgramRecord) -> ManualPage {
        program.optionsPage(
            name, summary: "options that many oap commands have", description: Manual.options.description)
    }
}
