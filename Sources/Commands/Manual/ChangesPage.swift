internal import CommandSpec

/// The manual page `oap-changes(7)`.
enum ChangesPage {
    /// The page.
    static let page = ManualPage(
        name: "oap-changes", section: 7, summary: "what is stable in oap, and what has changed",
        date: Version.date,
        sections: [
            ManualSection("DESCRIPTION", text: description),
            ManualSection("WITHDRAWN", text: "Nothing so far."),
            ManualSection("CHANGES BEFORE 0.1.0", text: changes),
            ManualSection("NEW BEFORE 0.1.0", text: additions),
            ManualSection("SEE ALSO", text: "`oap(1)`, `oap-sandbox(1)`, `oap-documents(5)`, `oap-options(7)`"),
        ])

    private static let description = """
        Scripts may rely on the names of commands, options, variables and members of documents, and on the exit \
        statuses. Before one of these is removed, it is deprecated for one minor version: it still works, with a \
        warning, and `oap help` names the replacement. The next minor version lists it under WITHDRAWN. The text of \
        messages may change at any time.

        0.1.0 is the first version. The other sections are for users of earlier builds; `oap --version` names the \
        commit of a build from the package.
        """

    private static let changes = """
        `oap introspect`: a token in `OAP_ACCESS_TOKEN` that is not the one to be asked about is a usage error, exit \
        status 2. `OAP_ACCESS_TOKEN` is used only with `-n`.

        `oap exchange --param` refuses `password`, `assertion`, `subject_token` and `actor_token`, which have options for \
        files.

        `-r`, `-j` and `-e` without `--jq`, and `--arg` and `--argjson` without `--jq` or `--next`, are a usage error, \
        exit status 2. They had no effect.

        `oap run --env` refuses names such as `PATH` and `LD_PRELOAD`.

        `oap logout` of a name without a token has exit status 11, as `oap store delete` has. `--local` deletes tokens \
        that are sealed with another key too.

        `oap profile list` has exit status 3 for a broken profile, as `show`, and 11 without a home.

        A document that is the key of a Google service account is refused, with exit status 3.

        `oap store list` shows a refused token with `refused_at` in place of the seconds left.

        `oap login --if-needed` prints nothing if the token is valid, and compares `--scope`.

        `oap login` refuses an `OAP_ISSUER` that names another server than the preset, the profile or the stored token. \
        `--issuer` is a URL: a host name without a scheme, or the address of metadata, is a usage error.

        Secrets of more than 64 KiB are refused: exit status 11 from a file or a program, 3 from a variable.

        `oap listen` takes no name, no `-p` and no `-n`, with which it could do nothing: its document comes from `oap \
        authurl`.

        Presets with a port in the redirect URI use 8765 instead of 8080. Those of `auth0`, `authentik`, \
        `gitlab`, `keycloak`, `onelogin`, `ory`, `ping`, `quickbooks`, `twitch`, `vercel`, `workos`, `xero` and \
        `zitadel` have a `scope`.

        `oap-sandbox`: `--fault ENDPOINT:STATUS` answers as a gateway does, with a page; `STATUS+error=CODE` gives the \
        error of the protocol. Unknown scope values beside `openid` are ignored.
        """

    private static let additions = """
        The Debian package and the tarball; the completions of `oap-sandbox`; names of profiles and stored tokens in all \
        completions.

        `oap help --json` and `oap help --schema KIND` describe the commands and the documents to programs. The pages \
        `oap-options(7)`, `oap-recipes(7)` and `oap-tutorial(7)`; the kinds of `error` in `oap-documents(5)`.

        `oap call`: lists in pages (`--paginate`), requests on standard input (`--batch`), results as they come \
        (`--stream-each`), a private cache (`--cache`), forms with files (`--form`), continued downloads (`-C -`), \
        `--anonymous`, `--har`, and the name of a stored token as the first operand.

        `oap token`: other tokens of the same login (`--audience`, `--scope`), ID tokens (`--id-token`), a file that is \
        kept fresh (`--watch`). Tokens of a few seconds are renewed before they expire.

        `oap credential aws`; profiles whose secret a program prints (`client_secret_command`).

        `oap-sandbox`: `--log`, `--tls-certificate-file`, `--mtls-port`, `--client`, several `--user`, lifetimes, \
        `--jwt-access-tokens`, a browser for `--run`.
        """
}
