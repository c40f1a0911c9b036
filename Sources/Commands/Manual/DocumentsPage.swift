internal import CommandSpec
internal import OAuth

/// The manual page `oap-documents(5)`: every member that means something to `oap`, with the RFC that named it.
enum DocumentsPage {
    /// The page.
    static let page = ManualPage(
        name: "oap-documents", section: 5, summary: "the JSON documents of oap", date: Version.date,
        sections: [
            ManualSection("DESCRIPTION", text: description),
            ManualSection(
                "CLIENT DOCUMENTS",
                [
                    .text(clientText), list(.client), .heading("The server"), list(.server),
                    .heading("Ways of its own"),
                    list(.way), .heading("Of no effect"), .text(keptText), kept,
                ]),
            ManualSection(
                "FLOW DOCUMENTS",
                [
                    .text(flowText), list(.request), .heading("On the way"), list(.flow),
                    .heading("On another device"), .text(deviceText), list(.device),
                ]),
            ManualSection("TOKEN DOCUMENTS", [.text(tokenText), list(.token)]),
            ManualSection("ERROR DOCUMENTS", [.text(errorText), list(.error)]),
            ManualSection(
                "SEE ALSO",
                text:
                    "`oap(1)`, `oap-authurl(1)`, `oap-call(1)`, `oap-callback-parse(1)`, `oap-device(1)`, `oap-exchange(1)`, `oap-refresh(1)`"
            ),
        ])

    /// The list of the members of a kind.
    static func list(_ kind: Member.Kind) -> ManualBlock {
        .list(Member.all.filter { $0.kind == kind }.map { ManualItem("`\($0.name)`", $0.text) })
    }

    /// The members without effect by their sources, which stand together in the table.
    private static var kept: ManualBlock {
        var groups: [(source: String, names: [String])] = []
        for member in Member.all where member.kind == .kept {
            let source = member.source ?? "names of `oap`"
            if groups.last?.source != source { groups.append((source, [])) }
            groups[groups.count - 1].names.append("`\(member.name)`")
        }
        return .list(groups.map { ManualItem($0.source, $0.names.joined(separator: ", ") + ".") })
    }

    private static let description = """
        One flat JSON object flows through the pipe: at most 16 MiB, at most 512 levels deep, in UTF-8, no member twice. A \
        command keeps the members that it does not know, in their order, and the text of numbers.

        A secret may stand as a file: `client_secret_file` names a file whose content is the `client_secret`, and so \
        with `access_token_file` and `refresh_token_file`. The file is read where the value is used, and one line end is \
        taken off. A relative path becomes an absolute one in the document that is written.

        A document is trusted like a script, since it names files and endpoints. A server never writes one: of its \
        answer, a member that would name a client, an endpoint or a file is dropped with a warning.
        """

    private static let clientText = """
        Made by a person, or by `oap provider`. A member that has an option of a command has a variable, too: `OAP_` and its \
        name in capitals; `oap(1)` lists them.
        """

    private static let keptText = """
        These belong to clients, servers and requests too. `oap` makes no use of them and keeps them, with the path of a \
        file made absolute; a server's answer that has one loses it.
        """

    private static let flowText = """
        Made by `oap authurl` or `oap device` from a client document, and by `oap callback-parse`. These members may stand \
        in the client document, and have an option of `oap authurl` each:
        """

    private static let deviceText = "These are made by `oap device`, and `oap exchange` drops them:"

    private static let tokenText = """
        Made by `oap exchange` and `oap refresh`: the client's members, which a later `oap refresh` needs, and the answer of \
        the token endpoint with whatever else the server sent.
        """

    private static let errorText = """
        Written to standard output by a command that fails, and passed on by every later stage, which exits with the same \
        status. An object is one when `error` and `stage` are strings and `exit_status` is one of `oap(1)`.
        """
}
