internal import CommandSpec
internal import OAuth

/// The names in the presets, for the completion of a word.
enum PresetNames {
    /// The variables of the preset that the first operand names.
    static var variables: Completion {
        let known = Preset.builtIn.map { preset in
            Completion.Alternative(preset.names, .words(names(preset.allVariables)))
        }
        return .byFirst(known.filter { $0.completion != .words([]) })
    }

    /// The variables of all presets.
    static var allVariables: Completion { .words(names(Preset.builtIn.flatMap(\.variables))) }

    private static func names(_ variables: [PresetVariable]) -> [String] {
        Set(variables.map { "\($0.name)=" }).sorted()
    }
}
