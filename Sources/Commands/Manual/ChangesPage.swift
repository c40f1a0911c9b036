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
        Scripts may rely on the names of commands, options, variables and document members, and on the exit statuses. \
        `oap` removes none of these without notice. Before `oap` removes a name or an exit status, this item is \
        deprecated for one minor version. A deprecated item still works, but `oap` prints a warning, and `oap help` \
        names the replacement. The next minor version removes the item, and the section WITHDRAWN of this page lists \
        it. The text of messages may change at any time.

        0.1.0 is the first version. The two sections CHANGES BEFORE 0.1.0 and NEW BEFORE 0.1.0 are for users of \
        earlier builds. If `oap` comes from the Debian package, `oap --version` prints the commit of the build.
        """

    private static let changes = """
        `oap introspect` uses `OAP_ACCESS_TOKEN` only with `-n`. If `OAP_ACCESS_TOKEN` and the document have different \
        tokens, `oap introspect` without `-n` fails (usage error, exit status 2).

        `oap exchange --param` refuses the parameters `password`, `assertion`, `subject_token` and `actor_token`. For \
        each of these parameters, an option such as `--password-file` reads the value from a file.

        Without `--jq`, the options `-r`, `-j` and `-e` are a usage error (exit status 2). If neither `--jq` nor \
        `--next` is given, the options `--arg` and `--argjson` are a usage error too. Earlier, `oap` ignored `-r`, \
        `-j`, `-e`, `--arg` and `--argjson` if no filter was given.

        In a value of `oap call --form`, a `<` at the beginning and double quotes have the same meaning as in `curl`. If \
        the output of `--next` is a single word, `oap call` fails with exit status 5, since the word is no URL.

        `oap run --env` refuses variables such as `PATH` and `LD_PRELOAD`.

        If no token is stored under the given name, `oap logout` and `oap store delete` have exit status 8. `oap \
        logout --local` also deletes a token that cannot be read because it is sealed with another key.

        If a profile is damaged, `oap profile list` has exit status 3, like `oap profile show`. If there is no home \
        folder, `oap profile list` has exit status 11.

        `oap` refuses the key file of a Google service account as a document, with exit status 3.

        If an API has refused a token, `oap store list` shows `refused_at` instead of the seconds until the token \
        expires.

        If the stored token is valid, `oap login --if-needed` prints nothing. If a scope value in `--scope` was not \
        granted for the stored token, `oap login --if-needed` logs in again.

        `oap login` fails if `OAP_ISSUER` names another server than the preset, the profile or the stored token. The \
        value of `--issuer` must be a URL. A host name without a scheme, or the URL of a metadata document, is a usage \
        error.

        `oap login --register` registers a redirect URI with a different path for each issuer. Clients that are \
        registered already keep their redirect URI. If the metadata of a server names a login page or a token endpoint \
        with another host or port than the issuer, `oap login` says so, and the first login with `--resource` or \
        `--register` fails with exit status 9 (`oap-login(1)`).

        `oap` compares a derived token with the options of the command at each use. Earlier, `--strict` had no effect \
        on a derived token that was already stored. If neither `--resource` nor `--audience` is a URL, `oap call` \
        sends the derived token only to the origins of the login.

        A server whose metadata is not on this machine cannot name an endpoint on this machine as `https://127.1/` or \
        `https://x.localhost/`.

        If a response has a string or a number of more than 128 MiB, `oap call` with a filter fails with exit status 10.

        `oap call --resume` refuses a file that belongs to another user, or that others can write to. `oap-sandbox \
        --log` refuses another user's file or link in a folder that others can write to, and a pipe that no program \
        reads. A key of the store is refused if its `alg`, `use` or `key_ops` names another purpose than encryption \
        with A256GCM.

        If a name on the command line looks like a token, messages show only its first six characters.

        If `OAP_CLIENT_ID` names another client than the document, `oap` does not apply variables such as \
        `OAP_TOKEN_ENDPOINT_AUTH_METHOD` to the document.

        If `--scope` is given more than once, `oap` joins the values. Earlier, the last `--scope` counted.

        If a renewal of a token needs a client secret that is not stored, `oap login` and `oap store put` print a \
        warning.

        If only redirects with another `state` reach `oap login` or `oap listen`, the exit status is 9 after \
        `--timeout`, not 6. With `--ephemeral`, both commands fail at once if there is neither a suitable browser nor \
        a terminal.

        If no poll of `oap exchange` gets a response before the device code expires, the exit status is 6, not 4.

        At a login with an issuer, `oap login` reads the server's metadata even if variables name the endpoints.

        A secret of more than 64 KiB is refused. The exit status is 11 if the secret comes from a file or a program, \
        and 3 if the secret comes from an environment variable.

        `oap listen` takes no name, no `-p` and no `-n`, because it can only use a document from `oap authurl`.

        Presets that have a port in the redirect URI have the port 8765 instead of 8080. The presets `auth0`, \
        `authentik`, `gitlab`, `keycloak`, `onelogin`, `ory`, `ping`, `quickbooks`, `twitch`, `vercel`, `workos`, \
        `xero` and `zitadel` now have a `scope`.

        With `--fault ENDPOINT:STATUS`, `oap-sandbox` sends an HTML page for statuses such as 503, as a gateway does. \
        With `--fault ENDPOINT:STATUS+error=CODE`, it sends an OAuth error with this code. If a request asks for \
        `openid`, the sandbox ignores unknown scope values in the request.

        `oap-sandbox` accepts requests whose header field `Host` names a loopback host with any port, or without a \
        port. After a logout, it redirects only to a registered `post_logout_redirect_uris`, if the client has this \
        member. If a client registers a member with a value that the sandbox does not support, the sandbox registers \
        the default value of the member instead.
        """

    private static let additions = """
        There is a Debian package and a tarball. `oap-sandbox` has completions. All completions complete the names of \
        profiles and stored tokens, and files after `@`, as in `-d @FILE`. On a terminal, help shows headings and \
        options in bold.

        `oap help --json` describes the commands as JSON, and `oap help --schema KIND` prints the JSON Schema of a \
        document. The pages `oap-options(7)`, `oap-recipes(7)` and `oap-tutorial(7)` are new. `oap-documents(5)` lists \
        the kinds of `error`.

        `oap call` follows the pages of a list (`--paginate`), and sends requests that it reads from standard input \
        (`--batch`). `oap call` prints results as they arrive (`--stream-each`), and caches responses (`--cache`). \
        `oap call` sends forms with files (`--form`), and continues interrupted downloads (`-C -`). `oap call \
        --anonymous` sends no token, and can take the `api_base` of a profile. With `--har`, a command writes its \
        requests and responses to a file. The first operand of `oap call` can be the name of a stored token.

        `oap token` gets tokens for another audience or scope from the same login (`--audience`, `--scope`). It prints \
        ID tokens (`--id-token`), and renews the token in a file before it expires (`--watch`). If an access token \
        lives only a few seconds, `oap` renews it before it expires.

        `-x` is short for `--proxy`, as in `curl`. `oap store list` prints the `token_endpoint` too.

        `oap credential aws` is new. In a profile, `client_secret_command` names a program that prints the client \
        secret.

        `oap-sandbox` has the options `--log`, `--tls-certificate-file`, `--mtls-port`, `--client` and \
        `--jwt-access-tokens`, and options for the lifetimes of codes and tokens. `--user` can be given more than \
        once. With `oap-sandbox --run`, logins need no real browser. `oap-sandbox` accepts request objects \
        (RFC 9101), and fetches the keys of clients from their `jwks_uri`.
        """
}
