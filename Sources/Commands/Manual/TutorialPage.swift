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
        This page begins with the registration of a client, and leads to a script that calls an API every hour. Its \
        commands work unchanged in the shell that `oap-sandbox --run bash` starts beside a test server. In that shell, \
        `$OAP_ISSUER` is the address of the test server, and `$OAP_SANDBOX_FILE` is the path of a client document: a \
        JSON file that describes a client and its server.

            cp "$OAP_SANDBOX_FILE" client.json
        """

    private static let register = """
        An authorization server issues tokens only to clients that it knows. To register a client, open the developer \
        settings of your provider. Add an application of the type "native" or "desktop" with the redirect URI \
        `http://127.0.0.1/callback`. The provider shows the client identifier of the application, and for some types a \
        client secret. At GitHub, for example, add an OAuth app at https://github.com/settings/developers. `oap \
        provider` lists the providers that `oap` knows, and on a terminal `oap provider github` prints where to \
        register a client at GitHub.

        At some servers, a program can register its client by itself. `oap register` does so, and prints the client \
        document:

            oap discover "$OAP_ISSUER" |
                oap register --client-name demo -o registered.json
            jq -r .client_name registered.json
        """

    private static let login = """
        `oap login` opens a browser, receives its redirect on this machine, and stores the token under a name, here \
        `home`. If the server supports OpenID Connect (OIDC), the login needs only the address of the server and the \
        client identifier:

            oap login home --issuer "$OAP_ISSUER" --client-id "$OAP_CLIENT_ID" \\
                --scope 'openid profile email offline_access repo' --open

        `--open` is needed only without a terminal, as in a script. If the client has a secret, put it into a file, \
        and name the file with `--client-secret-file`. For a provider without OpenID Connect, name its preset instead \
        of the issuer, for example with `--provider github`. On a machine without a browser, `--device` shows a code \
        to type on another device. The next login under this name needs no options: `oap login home`.
        """

    private static let call = """
        The operand of `oap call` is a URL. It can be a path such as `/user` if the profile, which `oap login` writes, \
        has an `api_base`. Profiles made from a preset usually have one. A jq filter selects parts of the response:

            oap call -p home "$OAP_API_BASE/user" --jq .login -r
            oap call -p home "$OAP_API_BASE/user/repos" --paginate \\
                --jq '.[].full_name' -r > repos.txt

        `oap call` renews the token when it is about to expire, and when the API answers with status 401.
        """

    private static let other = """
        `oap run` starts a program with a valid token in its environment. `oap token` prints a valid token. With \
        `--header` it prints the whole header field `Authorization`:

            oap run home -- sh -c 'test -n "$OAP_ACCESS_TOKEN"'
            oap token home --header > header.txt
            curl -fsS -H @header.txt "$OAP_API_BASE/user" | jq -r .login
        """

    private static let cron = """
        In a script, `oap call` never waits for a user. If a user must log in again, it fails with exit status 8:

            cat > repos.sh <<'END'
            #!/bin/sh
            oap call -p home "$OAP_API_BASE/user/repos" -o repos.json || {
                status=$?
                [ "$status" -ne 8 ] || echo 'log in again: oap login home'
                exit "$status"
            }
            END
            sh repos.sh < /dev/null

        To run the script every hour, add the line `17 * * * * sh $HOME/repos.sh` to your crontab(5). In the script, \
        replace `$OAP_API_BASE` by the address of the API, since cron does not set this variable. cron mails what a \
        job prints. This script prints nothing unless something failed. `oap(1)` lists the exit statuses.
        """

    private static let logout = """
        This revokes the token at the server, and deletes it on this machine:

            oap logout home
        """

    private static let steps = """
        A pipe does step by step what `oap login` does in one process. It writes the token to a file instead of the \
        store:

            oap authurl < client.json | oap listen --open |
                oap callback-parse | oap exchange -o token.json
            oap call /user --jq .login -r < token.json
        """
}
