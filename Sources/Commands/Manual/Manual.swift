internal import CommandSpec
internal import OAuth

/// The texts of the manual, which only help and manual pages read.
enum Manual {
    static let authurl = ManualText(PackageResources.authurl_md)
    static let call = ManualText(PackageResources.call_md)
    static let callbackParse = ManualText(PackageResources.callback_parse_md)
    static let changes = ManualText(PackageResources.changes_md)
    static let completion = ManualText(PackageResources.completion_md)
    static let credential = ManualText(PackageResources.credential_md)
    static let device = ManualText(PackageResources.device_md)
    static let discover = ManualText(PackageResources.discover_md)
    static let documents = ManualText(PackageResources.documents_md)
    static let endSession = ManualText(PackageResources.end_session_md)
    static let exchange = ManualText(PackageResources.exchange_md)
    static let help = ManualText(PackageResources.help_md)
    static let inspect = ManualText(PackageResources.inspect_md)
    static let introspect = ManualText(PackageResources.introspect_md)
    static let listen = ManualText(PackageResources.listen_md)
    static let login = ManualText(PackageResources.login_md)
    static let logout = ManualText(PackageResources.logout_md)
    static let oap = ManualText(PackageResources.oap_md)
    static let options = ManualText(PackageResources.options_md)
    static let profile = ManualText(PackageResources.profile_md)
    static let provider = ManualText(PackageResources.provider_md)
    static let providers = ManualText(PackageResources.providers_md)
    static let recipes = ManualText(PackageResources.recipes_md)
    static let refresh = ManualText(PackageResources.refresh_md)
    static let register = ManualText(PackageResources.register_md)
    static let revoke = ManualText(PackageResources.revoke_md)
    static let run = ManualText(PackageResources.run_md)
    static let schemeHandler = ManualText(PackageResources.scheme_handler_md)
    static let store = ManualText(PackageResources.store_md)
    static let token = ManualText(PackageResources.token_md, values: ["derived-tokens": options["DERIVED TOKENS"]])
    static let tutorial = ManualText(PackageResources.tutorial_md)
    static let userinfo = ManualText(PackageResources.userinfo_md)
    static let verify = ManualText(PackageResources.verify_md)
    static let whoami = ManualText(PackageResources.whoami_md)

    /// The variables of `oap(1)` that are not those of an option.
    static var environment: [Definition] {
        oap.definitions(in: "ENVIRONMENT")
            + Member.all.compactMap { secret in
                secret.secretVariable.map { Definition(Member.variable(for: secret.name), $0) }
            }
    }
}
