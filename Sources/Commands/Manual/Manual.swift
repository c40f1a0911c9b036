internal import CommandSpec
internal import OAuth

/// The texts of the manual, which only help and manual pages read.
enum Manual {
    static let changes = ManualText(PackageResources.changes_md)
    static let documents = ManualText(PackageResources.documents_md)
    static let oap = ManualText(PackageResources.oap_md)
    static let options = ManualText(PackageResources.options_md)
    static let provider = ManualText(PackageResources.provider_md)
    static let providers = ManualText(PackageResources.providers_md)
    static let recipes = ManualText(PackageResources.recipes_md)
    static let tutorial = ManualText(PackageResources.tutorial_md)

    /// The variables of `oap(1)` that are not those of an option.
    static var environment: [Definition] {
        oap.definitions(in: "ENVIRONMENT")
            + Member.all.compactMap { secret in
                secret.secretVariable.map { Definition(Member.variable(for: secret.name), $0) }
            }
    }
}
