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
        This page begins with the registration of a client, and leads to a script that calls an API every hour. \
        `oap-sandbox --run bash` starts a test server and a shell. In this shell, all commands of this page work \
        unchanged. `$OAP_ISSUER` is the address of the test server. `$OAP_SANDBOX_FILE` is the path of a client \
        document. A client document is a JSON object that describes a client and its server. Copy the client document \
        to `client.json`:

            cp "$OAP_SANDBOX_FILE" client.json
        """

    private static let register = """
        An authorization server issues tokens only to clients that it knows. To register a client, open the developer \
        settings of your provider. Add an application of the type "native" or "desktop" with the redirect URI \
        `http://127.0.0.1/callback`. The provider then shows the client identifier of the application. For some types \
        of application, the provider shows a client secret too. To register a client at GitHub, add an OAuth app at \
        https://github.com/settings/developers. `oap provider` lists the providers that `oap` knows. On a terminal, \
        `oap provider github` prints where to register a client at GitHub.

        Some servers let a program register a client (RFC 7591). `oap register` registers a client at such a server, \
        and prints the client document:

            oap discover "$OAP_ISSUER" |
                oap register --client-name demo -o registered.json
            jq -r .client_name registered.json
        """

    private static let login = """
        `oap login` opens the login page in a browser, and receives the redirect on this machine. The command then \
        stores the token under a name, here `home`. If the server supports OpenID Connect (OIDC), the login needs only \
        the address of the server and the client identifier:

            oap login home --issuer "$OAP_ISSUER" --client-id "$OAP_CLIENT_ID" \\
                --scope 'openid profile email offline_access repo' --open

        Without a terminal, as in a script, `oap login` opens a browser only with `--open`. On a terminal, you can \
        leave out `--open`. If the client has a secret, put it into a file, and name the file with \
        `--client-secret-file`. For a provider without OpenID Connect, use a preset instead of `--issuer`, for example \
        `--provider github`. A preset is a client document that is built into `oap`. On a machine without a browser, \
        `--device` shows a code to type on another device. The next login under this name needs no options: `oap login \
        home`.
        """

    private static let call = """
        The operand of `oap call` is a URL. The login above has written the profile `home`, a client document that \
        describes the client and the server. If this profile has an `api_base`, the operand can also be a path such as \
        `/user`. A profile that was made from a preset usually has an `api_base`. A jq filter selects parts of the \
        response:

            oap call -p home "$OAP_API_BASE/user" --jq .login -r
            oap call -p home "$OAP_API_BASE/user/repos" --paginate \\
                --jq '.[].full_name' -r > repos.txt

        `oap call` renews the token if the token is about to expire, or if the API answers with status 401.
        """

    private static let other = """
        `oap run` starts a program with a valid token in its environment. `oap token` prints a valid token. With \
        `--header`, `oap token` prints the whole header field `Authorization`:

            oap run home -- sh -c 'test -n "$OAP_ACCESS_TOKEN"'
            oap token home --header > header.txt
            curl -fsS -H @header.txt "$OAP_API_BASE/user" | jq -r .login
        """

    private static let cron = """
        In a script, `oap call` never waits for a user. If a user must log in again, `oap call` fails with exit status \
        8:

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
        replace `$OAP_API_BASE` by the address of the API, since cron does not set this variable. cron sends you the \
        output of a job by mail. This script has output only if something failed. `oap(1)` lists the exit statuses.
        """

    private static let logout = """
        `oap logout` revokes the token at the server, and deletes it from this machine:

            oap logout home
        """

    private static let steps = """
        `oap login` does all steps in one process. A pipe can do each step in a process of its own. This pipe writes \
        the token to a file instead of the store:

            oap authurl < client.json | oap listen --open |
                oap callback-parse | oap exchange -o token.json
            oap call /user --jq .login -r < token.json
        """
}
