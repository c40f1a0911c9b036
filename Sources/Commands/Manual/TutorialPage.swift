internal import CommandSpec

/// The manual page `oap-tutorial(7)`.
enum TutorialPage {
    /// The page.
    static let page = ManualPage(
        name: "oap-tutorial", section: 7, summary: "log in with OAuth or OpenID Connect, step by step",
        date: Version.date,
        sections: [
            ManualSection("DESCRIPTION", text: description),
            ManualSection("REGISTER A CLIENT", text: register),
            ManualSection("LOG IN", text: login),
            ManualSection("CALL AN API", text: call),
            ManualSection("USE THE TOKEN IN OTHER PROGRAMS", text: other),
            ManualSection("RUN IT FROM CRON", text: cron),
            ManualSection("LOG OUT", text: logout),
            ManualSection("EACH STEP BY ITSELF", text: steps),
            ManualSection(
                "SEE ALSO",
                text: """
                    `oap(1)`, `oap-call(1)`, `oap-login(1)`, `oap-provider(1)`, `oap-register(1)`, `oap-run(1)`, \
                    `oap-sandbox(1)`, `oap-token(1)`, `oap-documents(5)`, `oap-providers(7)`
                    """),
        ])

    private static let description = """
        This page begins with the registration of a client and ends with a script that calls an API every hour. Its \
        commands work unchanged in the shell that `oap-sandbox --run bash` starts. There `$OAP_ISSUER` is the address \
        of a test server, and `$OAP_SANDBOX_FILE` the path of a client document for it.

            cp "$OAP_SANDBOX_FILE" client.json
        """

    private static let register = """
        An authorization server issues tokens only to clients that it knows. To register one, open the developer \
        settings of your provider, and add an application of the type "native" or "desktop" with the redirect URI \
        `http://127.0.0.1/callback`. The server then shows a client identifier, and for some types a client secret. At \
        GitHub this is a new OAuth app at https://github.com/settings/developers; `oap provider github` says so on a \
        terminal, and `oap provider` lists the providers that are known.

        Some servers let a program register its client. `oap register` prints the client document:

            oap discover "$OAP_ISSUER" |
                oap register --client-name demo -o registered.json
            jq -r .client_name registered.json
        """

    private static let login = """
        The login opens a browser, receives its redirect on this machine, and stores the token under a name. With \
        OpenID Connect (OIDC) the address of the server and the client identifier are all it needs:

            oap login home --issuer "$OAP_ISSUER" --client-id "$OAP_CLIENT_ID" \\
                --scope 'openid profile email offline_access repo' --open

        `--open` is needed only if standard input is not a terminal. A secret is read from a file with \
        `--client-secret-file`. For a provider without such an address, `--provider github` takes the place of \
        `--issuer`. On a machine without a browser, `--device` shows a code to type elsewhere. The next login needs no \
        options: `oap login home`.
        """

    private static let call = """
        The operand is a URL, or a path such as `/user` if the document has an `api_base`, as presets do. A filter of jq \
        shapes the answer:

            oap call -p home "$OAP_API_BASE/user" --jq .login -r
            oap call -p home "$OAP_API_BASE/user/repos" --paginate \\
                --jq '.[].full_name' -r > repos.txt

        The token is renewed by itself when it is about to expire, and after a status of 401.
        """

    private static let other = """
        `oap run` starts a program with a valid token in its environment, and `oap token` prints one:

            oap run home -- sh -c 'test -n "$OAP_ACCESS_TOKEN"'
            oap token home --header > header.txt
            curl -fsS -H @header.txt "$OAP_API_BASE/user" | jq -r .login
        """

    private static let cron = """
        A script never waits for a user: if a user must log in again, the exit status is 8.

            cat > repos.sh <<'END'
            #!/bin/sh
            oap call -p home "$OAP_API_BASE/user/repos" -o repos.json || {
                status=$?
                [ "$status" -ne 8 ] || echo 'log in again: oap login home'
                exit "$status"
            }
            END
            sh repos.sh < /dev/null

        The line of crontab(5) for each hour is `17 * * * * sh $HOME/repos.sh`; write the address of the API into the \
        script, since cron does not know your variables. cron mails what is printed: nothing, unless something failed. \
        `oap(1)` lists the exit statuses.
        """

    private static let logout = """
        The token is revoked at the server and deleted here:

            oap logout home
        """

    private static let steps = """
        What `oap login` does in one process, a pipe does step by step, without a store:

            oap authurl < client.json | oap listen --open |
                oap callback-parse | oap exchange -o token.json
            oap call /user --jq .login -r < token.json
        """
}
