package import CommandSpec
internal import Wire

/// The names that other programs have for commands and options of this one (`foreign.json`), with what does the same here.
package enum ForeignNames {
    private static let groups = JSONObject(builtIn: "foreign.json")

    /// The names of a group, each with its hint.
    package static func hints(_ group: String) -> [(String, String)] {
        (groups[group]?.object?.members ?? []).map { ($0.name, $0.value.string ?? "") }
    }

    /// The options of a group, which are refused with these hints.
    package static func options(_ group: String) -> [RefusedOption] {
        hints(group).map { RefusedOption(foreign: $0, hint: $1) }
    }
}
