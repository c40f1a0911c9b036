internal import CommandSpec
internal import OAuth

/// The options of `login` that say which client logs in (oap-login(1)).
enum LoginOption {
    static let provider = Option(
        "provider", argument: "PROVIDER", completes: .words(Preset.builtIn.flatMap(\.names)), section: "Client",
        summary: "make the profile from a provider's preset",
        details: """
            Takes the client from the preset of this provider (`oap-providers(7)`) instead of the profile. Values for \
            placeholders of the preset are operands `VAR=VALUE` after NAME. After the login, the preset and the \
            options of the client are written to the profile. If there is a profile already, and it differs from them, \
            the login fails, unless `--save-profile` allows replacing it.
            """)
    static let saveProfile = Option(
        "save-profile", section: "Client", summary: "write the client's options to the profile",
        details: """
            After the login, writes the options of the sections Client and Server into the profile. A secret that came \
            from a variable or from a descriptor (`/dev/fd/N`) is never written to the profile.
            """)

    static let port = Option(
        "port", argument: "PORT", section: "Listening", summary: "the port of the redirect URI on loopback",
        details: """
            The port of the redirect URI, which is `http://127.0.0.1:PORT/callback` by default. This is for a server \
            that accepts only the registered port. With `0`, a free port is chosen.
            """)
}
