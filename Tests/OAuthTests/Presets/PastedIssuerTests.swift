import Testing
import Wire

@testable import OAuth

@Suite("An issuer in the place of a variable")
struct PastedIssuerTests {
    private func examples(_ preset: Preset) -> [(name: String, value: String)] {
        preset.variables.compactMap { variable in
            variable.standard == nil ? variable.example.map { (variable.name, $0) } : nil
        }
    }

    @Test(
        "every variable without a default has an example that fits, or a list to choose from", arguments: Preset.builtIn
    )
    func named(preset: Preset) throws {
        for variable in preset.variables where variable.standard == nil {
            if case .choice = variable.form { continue }
            if preset.name == "twitch" { continue }
            _ = try variable.filled(with: try #require(variable.example, "\(preset.name): \(variable.name)"))
        }
    }

    @Test(
        "the whole issuer of a preset gives the same document as its variables, in every spelling",
        arguments: Preset.builtIn.filter { $0.template["issuer"]?.places.isEmpty == false })
    func whole(preset: Preset) throws {
        let values = examples(preset)
        guard values.allSatisfy({ value in preset.template["issuer"]?.places.contains(value.name) == true }) else {
            return
        }
        let client = try preset.client(filling: values)
        let issuer = try #require(client["issuer"]?.string)
        let bare = String(issuer.dropFirst("https://".count))
        let start = Preset.builtIn.first { $0.name == preset.name.replacing("-custom", with: "") } ?? preset
        let plain = bare.hasSuffix("/") ? String(bare.dropLast()) : bare
        for text in [issuer, bare, plain, "\(plain)/"] {
            for name in values.map(\.name) {
                let given = [(name: name, value: text)]
                let found = try start.variant(with: given).client(filling: given)
                #expect(found == client, "\(preset.name) \(name)=\(text)")
            }
        }
    }

    @Test(
        "a host with a path that the provider does not have is refused, with the value to type",
        arguments: [
            ("auth0", "domain=https://mine.auth0.com/x/", "domain=mine.auth0.com"),
            ("okta", "domain=dev-1.okta.com/app/y", "domain=dev-1.okta.com"),
            ("okta", "domain=https://dev-1.okta.com/oauth2", "domain=dev-1.okta.com"),
            ("salesforce", "host=https://mine.my.salesforce.com/lightning", "host=mine.my.salesforce.com"),
            ("zitadel", "host=mine.zitadel.cloud/ui/console", "host=mine.zitadel.cloud"),
            (
                "databricks", "host=https://accounts.cloud.databricks.com/oidc/accounts/1",
                "host=accounts.cloud.databricks.com"
            ),
            ("onelogin", "subdomain=https://mine.example/oidc/2", "subdomain=mine"),
        ])
    func refused(name: String, value: String, hint: String) throws {
        let preset = try #require(Preset.builtIn.first { $0.isNamed(name) })
        let parts = value.split(separator: "=", maxSplits: 1).map(String.init)
        let given = [(name: parts[0], value: parts[1])]
        let error = #expect(throws: OAuthError.self) {
            try preset.variant(with: given).client(filling: given)
        }
        #expect(error?.hint == "such as \(hint)")
    }

    @Test(
        "the issuer of another authorization server of Okta, and the host of a tenant of GitHub, select their presets")
    func variants() throws {
        for (name, given, api) in [
            (
                "okta", ("domain", "https://dev-1.okta.com/oauth2/default"),
                ("issuer", "https://dev-1.okta.com/oauth2/default")
            ),
            ("github", ("host", "octocorp.ghe.com"), ("api_base", "https://api.octocorp.ghe.com")),
            (
                "github", ("host", "https://octocorp.ghe.com/"),
                ("token_endpoint", "https://octocorp.ghe.com/login/oauth/access_token")
            ),
            ("github-enterprise", ("host", "octocorp.ghe.com"), ("api_base", "https://api.octocorp.ghe.com")),
            ("github-enterprise", ("host", "github.com"), ("api_base", "https://api.github.com")),
            ("github-enterprise", ("host", "github.example.com"), ("api_base", "https://github.example.com/api/v3")),
            ("github", ("host", "ghe.com.example"), ("api_base", "https://ghe.com.example/api/v3")),
            ("shopify", ("shop", "https://mine.myshopify.com"), ("api_base", "https://mine.myshopify.com/admin/api")),
        ] {
            let preset = try #require(Preset.builtIn.first { $0.isNamed(name) })
            let values = [(name: given.0, value: given.1)]
            #expect(try preset.variant(with: values).client(filling: values)[api.0] == .string(api.1))
        }
    }
}
