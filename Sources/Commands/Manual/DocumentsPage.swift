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

    private static let description = """
        A document is a JSON object that one command prints and the next command in the pipe reads. It must be in \
        UTF-8, with at most 16 MiB and at most 512 levels of nesting. No object in it may have two members of the same \
        name. If a command does not know a member, it passes this member on unchanged. The order of members and the \
        spelling of numbers do not change either.

        A secret can be in a file, outside the document. For example, `client_secret_file` is the path of a file that \
        contains the `client_secret`; `access_token_file` and `refresh_token_file` work in the same way. The file has \
        one line of at most 64 KiB. `oap` reads the file when it needs the secret, and removes the line end. When \
        `oap` writes the document, it makes a relative path absolute.

        In a profile (`oap-profile(1)`), but in no other document, a program can supply the secret. With \
        `"client_secret_command": ["pass", "show", "work/secret"]`, `oap` runs the program `pass` with two arguments \
        when it needs the client secret. No shell is involved. Each `oap` process runs the program at most once, and \
        for at most 30 seconds. The output must be a single line, the secret. What the program writes to standard \
        error is shown. If the secret is in a variable such as `OAP_CLIENT_SECRET`, the program is not run.

        A document decides which files are read and to which URLs secrets are sent. Use a document from somebody else \
        only if you would also run a script from that person. A response of the server cannot do the same: `oap` \
        ignores a member of a response that names a client, an endpoint, a file or a program, and prints a warning. \
        There are two exceptions: the metadata of the server contains its endpoints, and the response to `oap \
        register` contains the members of the client.
        """

    private static let clientText = """
        A client document describes a client and its server. The user writes it, or `oap provider`, `oap discover` or \
        `oap register` prints it. Most members that have an option also have a variable, whose name is `OAP_` and the \
        name of the member in capitals. `oap(1)` lists the variables. The JSON file that Google offers for download, \
        `{"installed":{…}}`, is accepted as a client document too; `oap` adds the members of its preset for Google.
        """

    private static let keptText = """
        The following members of clients, servers and requests have no effect in `oap`. Commands keep them in \
        documents, and make paths of files absolute. `oap register` sends those that are client metadata. If a token \
        response contains one of these members, `oap` ignores it.
        """

    private static let flowText = """
        A flow document describes one login that has begun. `oap authurl` and `oap device` make it from a client \
        document. `oap listen` adds the redirect, and `oap callback-parse` adds the code. The following members may \
        already be in the client document. `oap authurl` has an option for each of them:
        """

    private static let deviceText = "`oap device` makes these members, and `oap exchange` removes them:"

    private static let tokenText = """
        A token document contains a token and its client. `oap exchange` and `oap refresh` print it. It has the \
        members of the client document, because a later `oap refresh` needs them. Most of the following members come \
        from the response of the token endpoint:
        """

    private static let kindText = """
        If the server sent no error code, `error` is one of the names below. The list shows the usual exit status of \
        each. There are exceptions. For `usage`, the exit status is 3 if the wrong value is in a document. For \
        `http_status`, it is 6 or 12 if the server responded with 408, 429 or 5xx, and 7 if an API responded to `oap \
        call`. If the response was lost and the request must not be repeated, the exit status is always 12. `store` \
        means that a file cannot be used; this may be any file, not only a stored token. `refresh_refused` means that \
        the server refused the refresh token with `invalid_grant`.
        """

    private static let errorText = """
        An error document describes a failure. If one of the commands `oap authurl`, `listen`, `callback-parse`, \
        `device`, `exchange`, `refresh`, `revoke`, `introspect`, `discover` and `register` fails, it writes an error \
        document to standard output. It writes none if standard output is a terminal, or if a filter (`--jq`) or `-o` \
        is given. Every later command in the pipe passes the error document on, and exits with the same status. With \
        `--error-document FILE`, every command of `oap` writes its error document to this file. A JSON object is an \
        error document if `error` and `stage` are strings and `exit_status` is an exit status of `oap(1)` other than 0.
        """
}
