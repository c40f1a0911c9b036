internal import CommandSpec
internal import OAuth
internal import Wire

/// The manual page `oap-providers(7)`, printed from the presets.
enum ProviderManual {
    /// The page.
    static var page: ManualPage {
        ManualPage(
            name: "oap-providers", section: 7, summary: "presets of OAuth providers (GitHub, Google, Keycloak ...)",
            date: Version.date,
            sections: [
                ManualSection("DESCRIPTION", text: description),
                ManualSection("PROVIDERS", [.list(Preset.builtIn.map(\.manualItem))]),
                ManualSection("MEMBERS", [.text(membersIntroduction), DocumentsPage.list(.way)]),
                ManualSection("OWN PRESETS", [.text(own), .literal(example)]),
                files,
                ManualSection("SEE ALSO", text: "`oap(1)`, `oap-authurl(1)`, `oap-provider(1)`, `oap-documents(5)`"),
            ])
    }

    private static let description = """
        A preset describes a known provider. It contains the endpoints of the provider, the methods of client \
        authentication, the URL of the API, and the provider's differences from the standards. `oap provider NAME` \
        prints the preset as a client document. You can edit every member of this document. Some presets have \
        placeholders, such as <tenant>. Give the values of the placeholders on the command line:

            oap provider microsoft tenant=11111111-2222-3333-4444-555555555555

        If a value is a host name, the value may begin with `https://` and end with a port. Some placeholders accept a \
        path after the host name. A host name may begin with `http://` only if the server is on this machine. A \
        value may also be the URL of the issuer, if this URL contains the values of several placeholders: `oap provider \
        keycloak host=https://sso.example.org/realms/staff` sets <host> and <realm>.

        For each preset, the following list has a note, the URL of the page where clients are registered, and the URL \
        of the provider's documentation. You may leave out a placeholder in brackets. On a terminal, `oap provider \
        NAME` prints the note and the URLs of the preset on standard error.
        """

    private static let membersIntroduction = """
        A preset, like any other client document, may have the members of RFC 7591 and RFC 8414. It may also have the \
        following members.
        """

    private static let own = """
        A preset of your own is a file with a client document. The strings in this document may contain placeholders, \
        such as `{name}`. The name of a placeholder has only lower-case letters and underscores. Besides the members \
        of a client document, the file may have the following members. `oap provider` does not print them.

        `title` is the name of the provider, and `note` is a text for the user. `variables` is an object with the type \
        of each placeholder. The type `"host"` stands for a host name, with a path if needed. The type `"authority"` \
        stands for a host name without a path. The type `"segment"` stands for one part of a path. An array instead of \
        a type lists the allowed values. If a placeholder is not in `variables`, its value may have only letters, \
        digits and hyphens. `defaults` is an object with default values of placeholders. You may leave out a \
        placeholder that has a default value. `examples` is an object with example values of placeholders. Messages \
        about a placeholder show its example value.
        """

    private static let example = """
        {
          "variables": {"host": "host", "stage": ["test", "live"]},
          "authorization_endpoint": "https://{host}/{stage}/authorize",
          "token_endpoint": "https://{host}/{stage}/token",
          "scope_separator": ","
        }
        """

    /// The text about the user's own presets.
    private static let ownPresets = """
        A preset of your own, which is used instead of a built-in preset of the same name. `XDG_CONFIG_HOME` is \
        `~/.config` by default. If other users can write to the folder `$XDG_CONFIG_HOME/oap/providers`, or if this \
        folder belongs to another user, `oap provider` and `oap login --provider` fail with exit status 11.
        """

    /// The folder of the user's own presets.
    static let files = ManualSection(
        "FILES",
        [.list([ManualItem([.path("$XDG_CONFIG_HOME/oap/providers/NAME.json")], [.text(ownPresets)])])])
}

extension Preset {
    /// The name, the placeholders, the note and the URLs of registration and documentation.
    fileprivate var manualItem: ManualItem {
        let places = variables.flatMap { variable in
            let place = [Inline.literal("\(variable.name)="), .argument(variable.name)]
            return [.text(" ")] + (variable.standard == nil ? place : [.text("[")] + place + [.text("]")])
        }
        let forms = variables.map { variable in
            "<\(variable.name)> \(variable.form == .word ? "has only" : "is") \(variable.form.noun)"
                + (variable.example.map { ", such as `\($0)`" } ?? "") + "."
                + (variable.standard.map { " The default is `\($0)`." } ?? "")
        }
        let names = aliases.isEmpty ? nil : "Other names of the preset: `" + aliases.joined(separator: "`, `") + "`."
        let text = (["\(title).", names, note] + forms).compactMap(\.self).joined(separator: " ")
        let pages = [("registration_page", "Registration"), ("documentation", "Documentation")].compactMap { page in
            template[page.0]?.string.map { "\(page.1): \($0)" }
        }
        return ManualItem([.literal(name)] + places, [.text(text)] + pages.map { .text($0) })
    }
}
