package import CommandSpec
internal import OAuth

/// The options of `login` that say which client logs in (oap-login(1)).
package enum LoginOption {
    package static let credentialFile = Option.file(
        "cred-file", section: "Client", summary: "Google's file of a workload or a service account")
    package static let provider = Option(
        "provider", argument: "PROVIDER", completes: .words(Preset.builtIn.flatMap(\.names)), section: "Client",
        summary: "make the profile from a provider's preset")
    package static let saveProfile = Option(
        "save-profile", section: "Client", summary: "write the client's options to the profile")

    package static let ifNeeded = Option("if-needed", section: "Login", summary: "only if no valid token is stored")
    package static let stepUp = Option(
        "step-up", section: "Login", summary: "log in as the API asked that refused the token")
    package static let revokeOld = Option(
        "revoke-old", section: "Login", summary: "revoke the login that this one replaces")
    package static let port = Option(
        "port", argument: "PORT", form: .number(0...65535), section: "Listening",
        summary: "the port of the redirect URI on loopback")
    package static let register = Option("register", section: "Client", summary: "register a client if none is known")
}
