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
        A preset has what you would otherwise look up before the first login at a provider: the endpoints, how a \
        client authenticates, the URL of the API, and the provider's differences from the standards. `oap provider \
        NAME` prints it as a client document, in which you can change every member. Values for placeholders such as \
        <tenant> are given on the command line:

            oap provider microsoft tenant=11111111-2222-3333-4444-555555555555

        A host may have a port, `https://` before it, and, at some providers, a path after it. `http://` may stand \
        before it only for a server on this machine. You may also give the URL of the issuer as the value of one \
        variable; the values of all variables are then taken from it. On a terminal, `oap provider NAME` also prints \
        the notes below, and where to register a client.
        """

    private static let membersIntroduction = """
        In addition to the members of RFC 7591 and RFC 8414, a preset or any other client document may have the \
        following.
        """

    private static let own = """
        A preset of your own is a client document too. It may also have the following members, which are not printed. \
        `title` and `note` are texts for people. `variables` gives the type of each placeholder: `"host"`; \
        `"authority"`, a host without a path; `"segment"`, one part of a path; an array of the allowed values; or, by \
        default, letters, digits and hyphens. `defaults` and `examples` are objects of values for placeholders. A \
        placeholder is written `{name}`, with lower-case letters and underscores, anywhere in a string.
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
        A preset of your own, which is used instead of a built-in one of the same name. `XDG_CONFIG_HOME` is \
        `~/.config` by default. A folder that others can write to, or that belongs to another user, is refused with \
        exit status 11.
        """

    /// The folder of the user's own presets.
    static let files = ManualSection(
        "FILES",
        [.list([ManualItem([.path("$XDG_CONFIG_HOME/oap/providers/NAME.json")], [.text(ownPresets)])])])
}

extension Preset {
    /// The name, the placeholders, the note and the URL of the documentation.
    fileprivate var manualItem: ManualItem {
        let places = variables.flatMap { variable in
            let place = [Inline.literal("\(variable.name)="), .argument(variable.name)]
            return [.text(" ")] + (variable.standard == nil ? place : [.text("[")] + place + [.text("]")])
        }
        let forms = variables.map { variable in
            "<\(variable.name)>: \(variable.form.noun)" + (variable.standard.map { "; by default \($0)" } ?? "")
                + (variable.example.map { ", such as `\($0)`" } ?? "") + "."
        }
        let names = aliases.isEmpty ? nil : "Also `" + aliases.joined(separator: "`, `") + "`."
        let text = (["\(title).", names, note] + forms).compactMap(\.self).joined(separator: " ")
        let pages = ["registration_page", "documentation"].compactMap { template[$0]?.string }
        return ManualItem([.literal(name)] + places, [.text(text)] + pages.map { .text($0) })
    }
}
