internal import CommandSpec
internal import OAuth

/// The options of `login` that say which client logs in (oap-login(1)).
enum LoginOption {
    static let provider = Option(
        "provider", argument: "PROVIDER", completes: .words(Preset.builtIn.flatMap(\.names)), section: "Client",
        summary: "make the profile from a provider's preset",
        details: """
            Starts from the preset of this provider instead of the profile. After the login, the preset and the \
            options of the client are written to the profile. Values for placeholders of the preset follow the name as \
            `VAR=VALUE`. An existing profile that differs is overwritten only with `--save-profile`.
            """)
    static let saveProfile = Option(
        "save-profile", section: "Client", summary: "write the client's options to the profile",
        details: """
            Merges the options of the sections Client and Server into the profile, after the login. A secret that came \
            from a variable or from `/dev/fd` is never written to the profile.
            """)

    static let port = Option(
        "port", argument: "PORT", section: "Listening", summary: "the port of the redirect URI on loopback",
        details: """
            Puts this port into the redirect URI, which is `http://127.0.0.1:PORT/callback` by default. This is for a \
            server that compares the port with the registered one. 0 takes a free port.
            """)
}
