internal import CommandSpec
internal import OAuth

/// The names in the presets, for the completion of a word.
enum PresetNames {
    /// The variables of each preset that has any.
    static var variables: [Completion.Alternative] {
        Preset.builtIn.compactMap { preset in
            let words = Set(preset.allVariables.map { "\($0.name)=" }).sorted()
            return words.isEmpty ? nil : Completion.Alternative(preset.names, .words(words))
        }
    }
}
