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
        A document is a JSON object that one command prints and the next command in the pipe reads. A document must be \
        UTF-8 text of at most 16 MiB, with at most 512 levels of nesting. No object in a document may have two members \
        of the same name. If a document has a member that a command does not know, the command passes the member on \
        unchanged. Commands keep the order of members and the spelling of numbers.

        A secret can be in a file, outside the document. For example, `client_secret_file` is the path of a file that \
        contains the `client_secret`. `access_token_file` and `refresh_token_file` are the paths of files that contain \
        tokens. A file with a secret must contain a single line of at most 64 KiB. When `oap` needs the secret, it \
        reads this line without the line end. When `oap` writes a document, it replaces the relative path of a file \
        with the absolute path.

        In a profile (`oap-profile(1)`), a member can name a program that prints a secret. In every other document, \
        `oap` refuses such a member. With `"client_secret_command": ["pass", "show", "work/secret"]`, `oap` runs the \
        program `pass` with two arguments when it needs the client secret. `oap` starts the program without a shell. \
        Each `oap` process runs the program at most once, and for at most 30 seconds. The program must print the \
        secret as a single line. The program shares the standard error of `oap`, so the user sees its messages. If an \
        environment variable such as `OAP_CLIENT_SECRET` contains the secret, `oap` does not run the program.

        A document tells `oap` which files to read, and to which URLs to send secrets. Use a document from somebody \
        else only if you would also run a script from that person. If a member of a server's response names a client, \
        an endpoint, a file or a program, `oap` ignores the member and prints a warning. This rule has two exceptions. \
        `oap` takes the endpoints of a server from the server's metadata. `oap register` takes the members of the \
        client from the server's response.
        """

    private static let clientText = """
        A client document describes a client and its server. The user writes it, or `oap provider`, `oap discover` or \
        `oap register` prints it. Most members that have an option also have an environment variable. The name of the \
        variable is `OAP_` and the name of the member in capitals, such as `OAP_CLIENT_ID`. `oap(1)` lists the \
        variables. `oap` also accepts the JSON file that Google offers for download, `{"installed":{…}}`, as a client \
        document. `oap` adds the members of its preset for Google to the members of this file.
        """

    private static let keptText = """
        The following members of clients, servers and requests have no effect in `oap`. Commands keep these members in \
        documents. If the value of such a member is the relative path of a file, commands write the absolute path into \
        the document. If a member is client metadata, `oap register` sends it to the server. If a token response \
        contains a member from the list below, `oap` ignores the member.
        """

    private static let flowText = """
        A flow document describes one login that has begun. `oap authurl` and `oap device` make a flow document from a \
        client document. `oap listen` adds the redirected URL (`callback_url`). `oap callback-parse` replaces the \
        `callback_url` with the `code`. A client document can already contain the following members. `oap authurl` has \
        an option for each of these members:
        """

    private static let deviceText = "`oap device` makes these members, and `oap exchange` removes them:"

    private static let tokenText = """
        A token document contains an access token, and often a refresh token and an ID token. `oap exchange` and `oap \
        refresh` print token documents. A token document also has the members of the client document, because a later \
        `oap refresh` needs them. Most of the following members come from the response of the token endpoint:
        """

    private static let kindText = """
        If the server sent no error code, `error` is one of the names below. Each name stands under its usual exit \
        status. Some failures have another exit status. For `usage`, the exit status is 3 if the invalid value is in a \
        document. For `http_status`, the exit status is 6 if the response has status 408, 429 or 5xx. If the response \
        has status 408 or 5xx and the request must not be repeated, the exit status is 12 instead. If an API refuses a \
        request of `oap call` with a status other than 408, 429 and 5xx, the exit status is 7. But if the response has \
        status 403 because of a rate limit, the exit status is 6. If the response was lost and the request must not be \
        repeated, the exit status is 12, whatever the value of `error` is. A POST of `oap call`, for example, must not \
        be repeated.

        `store` means that `oap` cannot read, lock or write a file. The file can be any file, not only that of a \
        stored token. If the server refuses a refresh token with `invalid_grant`, `error` is `refresh_refused` instead \
        of the server's code.
        """

    private static let errorText = """
        An error document describes a failure. The following commands write an error document to standard output if \
        they fail: `oap authurl`, `listen`, `callback-parse`, `device`, `exchange`, `refresh`, `revoke`, `introspect`, \
        `discover` and `register`. These commands write no error document if standard output is a terminal, or if a \
        filter (`--jq`) or `-o` is given. If `oap refresh` fails to renew a stored token, it writes no error document \
        either. If a later `oap` command in the pipe reads the error document, this command prints no message, and \
        exits with the same status. If this command is in the list above, it also writes the error document to \
        standard output. With `--error-document FILE`, every command of `oap` that fails writes an error document to \
        this file.

        `oap` recognises an error document by three members. `error` and `stage` must be strings. `exit_status` must \
        be an exit status of `oap(1)` other than 0.
        """
}
