package import Wire

/// What is known of a provider: a client document with its endpoints and its ways, and places to fill in it.
package struct Preset: Sendable {
    package let name: String
    package let aliases: [String]
    /// The built-in presets that stand in for it where a variable is given that only they have.
    private let variants: [String]
    /// What a person may give as a whole in place of a variable, if that is not the issuer.
    private let address: String?
    package let title: String
    /// What a person must know besides, in the markup of the manual.
    package let note: String?
    package var titledNote: String? { note.map { "\(title): \($0)" } }
    /// What of the note is about the device flow, where anything is.
    package var titledNoteOfDevice: String? {
        let sentences = (note ?? "").replacing(". ", with: ".\n").split(separator: "\n")
        let told = sentences.filter { $0.contains("device") || $0.contains("Device") }
        return told.isEmpty ? titledNote : "\(title): \(told.joined(separator: " "))"
    }
    /// The places to fill, in the order in which they stand.
    package let variables: [PresetVariable]
    package let template: JSONObject

    /// Reads a preset: a client document in whose strings `{name}` may stand, with `title`, `note`, `aliases`, `variants`,
    /// `variables` (the form of each place that is no plain word), `defaults` (their values) and `examples` (values for
    /// messages), `address` (what may be given as a whole in place of a variable, if not the issuer) beside its members.
    ///
    /// - Throws: `usage` for one of these that is of the wrong form.
    package init(_ name: String, _ members: JSONObject) throws(OAuthError) {
        self.name = name
        let document = Document(members)
        title = try document.string("title") ?? name
        note = try document.string("note")
        address = try document.string("address")
        aliases = members["aliases"]?.strings ?? []
        variants = members["variants"]?.strings ?? []
        let forms = try document.object("variables")
        let defaults = Document(try document.object("defaults"))
        let examples = Document(try document.object("examples"))
        var template = members
        template.remove(["title", "note", "aliases", "variants", "variables", "defaults", "examples", "address"])
        var variables: [PresetVariable] = []
        for place in JSON.object(template).places where !variables.contains(where: { $0.name == place }) {
            let form = try forms[place].map { (form) throws(OAuthError) in try PresetVariable.Form(form, of: place) }
            let (standard, example) = (try defaults.string(place), try examples.string(place))
            variables.append(PresetVariable(name: place, form: form ?? .word, standard: standard, example: example))
        }
        (self.variables, self.template) = (variables, template)
    }

    /// The client document with its places filled.
    ///
    /// - Parameter command: the command line before the name of the preset, for hints.
    /// - Throws: `usage` for a value that is missing, unknown, given twice or of the wrong form.
    package func client(
        filling values: [(name: String, value: String)], by command: String = "oap provider"
    ) throws(OAuthError) -> JSONObject {
        let usage = usage(of: command)
        var given: [String: String] = [:]
        for (name, value) in splitting(values) ?? (isOwnHost(values) ? [] : values) {
            guard let variable = variables.first(where: { $0.name.isIdentical(to: name) }) else {
                throw OAuthError(.usage, "\(self.name) has no variable \(name)", hint: usage)
            }
            try refuseOwnHost(of: value, for: variable)
            guard given.updateValue(try variable.filled(with: value), forKey: name) == nil else {
                throw OAuthError(.usage, "\(name) is given twice")
            }
        }
        for variable in variables where given[variable.name] == nil {
            guard let standard = variable.standard else {
                let example = variable.example.map { ", such as \(variable.name)=\($0)" } ?? ""
                let wanted = "\(variable.name)=…, \(variable.form.noun)\(example)"
                throw OAuthError(.usage, "\(name) needs \(wanted)", hint: usage)
            }
            given[variable.name] = try variable.filled(with: standard)
        }
        return JSON.object(template).filling(given).object ?? template
    }

    /// The values, with a whole issuer in the place of one of them taken apart; nil if none is one.
    private func splitting(_ values: [(name: String, value: String)]) -> [(name: String, value: String)]? {
        guard let issuer = PastedIssuer(address ?? template["issuer"]?.string) else { return nil }
        for (index, given) in values.enumerated() {
            guard let found = issuer.values(in: given.value) else { continue }
            var values = values
            values.remove(at: index)
            return values + found.filter { new in !values.contains { $0.name == new.name && $0.value == new.value } }
        }
        return nil
    }

    /// Whether the values name the one host that a preset without places has: `host=github.com` of GitHub.
    private func isOwnHost(_ values: [(name: String, value: String)]) -> Bool {
        guard variables.isEmpty, values.count == 1, values[0].name.isIdentical(to: "host"),
            let url = Self.url(of: values[0].value)
        else { return false }
        return ["", "/"].contains(url.path) && url.host?.asciiLowercased == ownHost
    }

    private var ownHost: String? {
        guard variables.isEmpty else { return nil }
        return template["authorization_endpoint"]?.string.flatMap { WebURL($0) }?.host
    }

    private static func url(of address: String) -> WebURL? { WebURL(address) ?? WebURL("https://\(address)") }

    /// Refuses an address of the provider itself for a server of one's own: `www.github.com` is no GitHub Enterprise
    /// Server.
    private func refuseOwnHost(of value: String, for variable: PresetVariable) throws(OAuthError) {
        guard variable.name == "host", let host = Self.url(of: value)?.host?.asciiLowercased else { return }
        for own in Preset.builtIn.filter({ variants.contains($0.name) }).compactMap(\.ownHost)
        where host == own || host.hasSuffix(".\(own)") {
            throw OAuthError(
                .usage, "host is an address of \(own), not of a server of your own",
                hint: "for \(own) itself, give host=\(own)")
        }
    }

    private func takes(_ values: [(name: String, value: String)]) -> Bool {
        values.allSatisfy { value in variables.contains { $0.name.isIdentical(to: value.name) } }
    }

    /// This preset, or the first variant of it that has all of these variables: `host=…` of GitHub is that of a server
    /// whose API is elsewhere. A value that is a whole issuer of a variant selects it, and so does its own host.
    package func variant(with values: [(name: String, value: String)]) -> Preset {
        guard !variants.isEmpty, !isOwnHost(values) else { return self }
        let others = Preset.builtIn.filter { variants.contains($0.name) }
        let pasted = others.first { $0.isOwnHost(values) || ($0.splitting(values).map($0.takes) ?? false) }
        return pasted ?? (takes(values) ? self : others.first { $0.takes(values) } ?? self)
    }

    package var allVariables: [PresetVariable] {
        variables + Preset.builtIn.filter { variants.contains($0.name) }.flatMap(\.variables)
    }

    package var names: [String] { [name] + aliases }

    package func isNamed(_ text: String) -> Bool { names.contains { $0.isIdentical(to: text) } }

    /// How the preset is asked for; one without variables may have those that select a variant.
    package func usage(of command: String) -> String {
        let own = variables.map { $0.standard == nil ? " \($0.name)=…" : " [\($0.name)=…]" }
        let others = variables.isEmpty ? allVariables.map { "\($0.name)=…" } : []
        let choice = others.isEmpty ? "" : " [\(others.joined(separator: " | "))]"
        return "\(command) \(name)" + own.joined() + choice
    }
}

extension Preset {
    /// The presets that the program brings along, in the order of their names. They are read when they are first asked
    /// for.
    package static let builtIn: [Preset] = {
        JSONObject(builtIn: "providers.json").members.map { member in
            guard let object = member.value.object, let preset = try? Preset(member.name, object) else {
                preconditionFailure("providers.json has no preset at \(member.name)")
            }
            return preset
        }
    }()
}
