internal import CommandSpec
internal import OAuth

/// The manual page `oap-documents(5)`: every member that `oap` knows, with its RFC.
enum DocumentsPage {
    /// The page.
    static let page = ManualPage(
        name: "oap-documents", section: 5, summary: "client, flow, token and error documents of oap",
        date: Version.date,
        sections: [
            ManualSection("DESCRIPTION", text: description),
            ManualSection(
                "CLIENT DOCUMENTS",
                [
                    .text(clientText), list(.client), .heading("The server"), list(.server),
                    .heading("Differences from the standards"),
                    list(.way), .heading("Without effect"), .text(keptText), kept,
                ]),
            ManualSection(
                "FLOW DOCUMENTS",
                [
                    .text(flowText), list(.request), .heading("During the login"), list(.flow),
                    .heading("On another device"), .text(deviceText), list(.device),
                ]),
            ManualSection("TOKEN DOCUMENTS", [.text(tokenText), list(.token)]),
            ManualSection(
                "ERROR DOCUMENTS",
                [.text(errorText), list(.error), .heading("Kinds of failure"), .text(kindText), kinds]),
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

    /// The members without effect, grouped by source as they are in the table.
    private static var kept: ManualBlock {
        var groups: [(source: String, names: [String])] = []
        for member in Member.all where member.kind == .kept {
            let source = member.source ?? "names of `oap`"
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

    private static let description = """
        One flat JSON object flows through the pipe: at most 16 MiB, at most 512 levels deep, in UTF-8, with no member \
        twice. A command keeps unknown members, the order of members, and the text of numbers.

        A secret may be in a file: `client_secret_file` names a file that contains the `client_secret`; \
        `access_token_file` and `refresh_token_file` work in the same way. The file is read when the value is needed, \
        and one line end is removed; it is one line of at most 64 KiB. A relative path becomes absolute in the document that is written.

        In a profile, and nowhere else, a program may print the secret: \
        `"client_secret_command": ["pass", "show", "work/secret"]` is a program and its arguments. It is run without a \
        shell when the value is needed, once for a process and for at most 30 seconds; what it writes to standard error \
        is passed on. Its output follows the rules of a file. A variable such as `OAP_CLIENT_SECRET` goes before it.

        A document is trusted like a script, since it names files and endpoints. A server cannot write one: a member of \
        its response that would name a client, an endpoint, a file or a program is dropped with a warning. The answer to \
        `oap register` may set the members of the client.
        """

    private static let clientText = """
        Written by the user, or by `oap provider`, `oap discover` or `oap register`. A member with an option of a \
        command also has a variable: `OAP_` and its name in capitals; `oap(1)` lists them. The JSON file that Google \
        offers for download, `{"installed":{…}}`, is read as one, with the preset of Google.
        """

    private static let keptText = """
        These are members of clients, servers and requests that `oap` does not use. It keeps them, and makes paths of \
        files absolute; `oap register` sends those of clients. In a server's response they are dropped.
        """

    private static let flowText = """
        Made by `oap authurl` or `oap device` from a client document, and by `oap callback-parse`. These members may be \
        in the client document, and each has an option of `oap authurl`:
        """

    private static let deviceText = "These are made by `oap device`, and `oap exchange` drops them:"

    private static let tokenText = """
        Made by `oap exchange` and `oap refresh`: the client's members, which a later `oap refresh` needs, and those of \
        the response of the token endpoint.
        """

    private static let kindText = """
        If the server gave no code, `error` is one of these. `usage` is exit status 3 for a value in a document, and \
        `store` is any file that cannot be used. `http_status` is exit status 6 or 12 for 408, 429 and 5xx. What an API \
        answered to `oap call` is exit status 7. A lost response to what may not be repeated is exit status 12. \
        `refresh_refused` is the server's `invalid_grant` for a refresh token.
        """

    private static let errorText = """
        Written to standard output by a document command that fails (`oap authurl`, `listen`, `callback-parse`, \
        `device`, `exchange`, `refresh`, `revoke`, `introspect`, `discover`, `register`), unless that is a terminal, or \
        a filter or `-o` is given, and passed on by every later stage, which exits with the same status. With \
        `--error-document FILE` every command writes it to a file. An object is an error document if `error` and `stage` are strings and `exit_status` is one of \
        `oap(1)`.
        """
}
