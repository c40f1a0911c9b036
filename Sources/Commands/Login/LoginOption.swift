internal import CommandSpec
internal import OAuth

/// The options of `login` that say which client logs in (oap-login(1)).
enum LoginOption {
    static let provider = Option(
        "provider", argument: "PROVIDER", completes: .words(Preset.builtIn.flatMap(\.names)), section: "Client",
        summary: "make the profile from a provider's preset",
        details: """
            Takes the settings of the server and the client from the preset of this provider (`oap-providers(7)`) \
            instead of the profile. A preset has no `client_id`: give it with `--client-id`. The operands `VAR=VALUE` \
            after NAME are the values for placeholders of the preset. After the login, `oap` writes the preset and the \
            options for the client to the profile. If a profile exists already, it must contain the preset and these \
            options. If it does not, the login fails. With `--save-profile`, the login replaces the profile instead.
            """)
    static let saveProfile = Option(
        "save-profile", section: "Client", summary: "write the client's options to the profile",
        details: """
            After the login, writes the options that describe the client and its server into the profile, such as \
            `--client-id`, `--scope` and `--token-endpoint`. `oap` never writes a secret from an environment variable \
            or from a file descriptor (`/dev/fd/N`) to the profile.
            """)

    static let port = Option(
        "port", argument: "PORT", section: "Listening", summary: "the port of the redirect URI on loopback",
        details: """
            The port of the redirect URI. Without `--redirect-uri`, the redirect URI is then \
            `http://127.0.0.1:PORT/callback`; with `--register`, a path for the issuer follows. Use this option if the \
            server accepts only the registered port. With `0`, `oap` chooses a free port.
            """)

    /// Names that other programs have for options of a login.
    static let others =
        ["server", "url"].map { RefusedOption(foreign: $0, hint: "--issuer URL names the server") }
        + ["no-browser", "no-launch-browser"].map { (name: String) in
            RefusedOption(
                foreign: name,
                hint: "--no-open prints the login URL; --headless also says how to use a browser on another machine")
        } + [
            RefusedOption(foreign: "web", hint: "leave --web out: a login in the browser is the default"),
            RefusedOption(foreign: "add-scope", hint: "--scope SCOPE names all scope values of the token"),
        ]
}
