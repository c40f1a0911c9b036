internal import CommandSpec
internal import OAuth
internal import Shell

/// The manual page `oap-providers(7)`, printed from the presets.
enum ProviderManual {
    static var page: ManualPage {
        Manual.named("providers").page(
            "oap-providers", 7, date: Version.date,
            inserting: [
                "providers": .list(Preset.builtIn.map(\.manualItem)), "way": DocumentsPage.list(.way),
                "files": ownPresets,
            ])
    }

    /// The folder of the user's own presets.
    static let files = ManualSection("FILES", [ownPresets])

    private static let ownPresets = ManualBlock.list([
        ManualItem([.path("$XDG_CONFIG_HOME/oap/providers/NAME.json")], [.text(Manual.named("provider")["NAME.json"])])
    ])
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
