package import CommandSpec
internal import OAuth

/// The options of `login` that say which client logs in (oap-login(1)).
package enum LoginOption {
    package static let provider = Option(
        "provider", argument: "PROVIDER", completes: .words(Preset.builtIn.flatMap(\.names)), section: "Client",
        summary: "make the profile from a provider's preset")
    package static let saveProfile = Option(
        "save-profile", section: "Client", summary: "write the client's options to the profile")

    package static let ifNeeded = Option("if-needed", section: "Login", summary: "only if no valid token is stored")
    package static let stepUp = Option(
        "step-up", section: "Login", summary: "log in as the API asked that refused the token")
    package static let port = Option(
        "port", argument: "PORT", form: .number(0...65535), section: "Listening",
        summary: "the port of the redirect URI on loopback")

    /// Names that other programs have for options of a login.
    package static let others =
        ["server", "url"].map { RefusedOption(foreign: $0, hint: "--issuer URL names the server") }
        + ["no-browser", "no-launch-browser"].map { (name: String) in
            RefusedOption(
                foreign: name,
                hint: "--no-open prints the login URL; --headless also says how to use a browser on another machine")
        } + [
            RefusedOption(foreign: "web", hint: "leave --web out: a login in the browser is the default"),
            RefusedOption(foreign: "with-token", hint: "oap store put NAME --raw stores a token from standard input"),
            RefusedOption(foreign: "audience", hint: "--param audience=AUDIENCE asks for it, or --resource URL"),
            RefusedOption(foreign: "add-scope", hint: "--scope SCOPE names all scope values of the token"),
        ]
    package static let register = Option("register", section: "Client", summary: "register a client if none is known")
}
