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
        A document is a JSON object that the commands pass on through the pipe: in UTF-8, of at most 16 MiB, at most \
        512 levels deep, with no name twice. Commands keep the members that they do not know, the order of members, \
        and the spelling of numbers.

        A secret may be in a file: `client_secret_file` names a file that contains the `client_secret`; \
        `access_token_file` and `refresh_token_file` work in the same way. The file has one line of at most 64 KiB. It \
        is read when the secret is needed, and its line end is removed. A relative path becomes absolute when the \
        document is written.

        A profile may name a program that prints the secret: `"client_secret_command": ["pass", "show", \
        "work/secret"]` is the program and its arguments. Other documents may not. The program is run without a shell \
        when the secret is needed, once in a process and for at most 30 seconds. It must print one line. Its standard \
        error is shown. If a variable such as `OAP_CLIENT_SECRET` is set, the program is not run.

        A document names files and endpoints, so trust it only as far as you would trust a script. A server cannot set \
        such members: if its response names a client, an endpoint, a file or a program, that member is ignored with a \
        warning. Only the response to `oap register` may set the members of the client.
        """

    private static let clientText = """
        Written by the user, or by `oap provider`, `oap discover` or `oap register`. Most members that have an option \
        also have a variable: `OAP_` and the name in capitals; `oap(1)` lists the variables. The JSON file that Google \
        offers for download, `{"installed":{…}}`, is accepted as a client document, and the preset of Google is added.
        """

    private static let keptText = """
        `oap` does not use these members of clients, servers and requests. It keeps them in documents, and makes paths \
        of files absolute. `oap register` sends those that are client metadata. In a server's response they are ignored.
        """

    private static let flowText = """
        `oap authurl` and `oap device` make a flow document from a client document; `oap listen` and `oap \
        callback-parse` add the redirect to it. The following members may already be in the client document, and `oap \
        authurl` has an option for each:
        """

    private static let deviceText = "`oap device` makes these members, and `oap exchange` removes them:"

    private static let tokenText = """
        `oap exchange` and `oap refresh` make a token document. It has the members of the client, which a later `oap \
        refresh` needs, and those of the token endpoint's response.
        """

    private static let kindText = """
        If the server sent no error code, `error` is one of the names below. A few of them can have another exit \
        status: `usage` has 3 if the wrong value is in a document; `http_status` has 6 or 12 for 408, 429 and 5xx, and \
        7 for the response of an API to `oap call`. If the response to a request that may not be repeated is lost, the \
        exit status is 12. `store` means any file that cannot be used. `refresh_refused` is the server's \
        `invalid_grant` for a refresh token.
        """

    private static let errorText = """
        Some commands write an error document to standard output when they fail: `oap authurl`, `listen`, \
        `callback-parse`, `device`, `exchange`, `refresh`, `revoke`, `introspect`, `discover` and `register`. They \
        write none if standard output is a terminal, or if a filter or `-o` is given. Every later command of the pipe \
        passes the error document on and exits with the same status. With `--error-document FILE` every command writes \
        it to a file. An object is an error document if `error` and `stage` are strings and `exit_status` is one of \
        the statuses in `oap(1)`.
        """
}
