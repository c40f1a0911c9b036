internal import Glibc
internal import OAuth
internal import System

/// The environment of a command that gets a token.
package struct ChildVariables {
    /// The variables that are set, with their values.
    package let added: [(name: String, value: String)]

    package init(added: [(name: String, value: String)]) { self.added = added }

    /// Whether a variable of `oap` holds a secret, or names a file or a program that does.
    private static func isWithheld(_ name: String) -> Bool {
        guard name.hasPrefix("OAP_") else { return false }
        return name.hasSuffix("_FILE") || name.hasSuffix("_COMMAND")
            || Member.secrets.contains { Member.variable(for: $0).isIdentical(to: name) }
    }

    private static func name(of variable: String) -> String { variable.cut(at: "=")?.before ?? variable }

    /// The variables of the command, each `NAME=VALUE`.
    package var all: [String] {
        let kept = ProcessWords.variables.filter { variable in
            let name = Self.name(of: variable)
            return !Self.isWithheld(name) && !added.contains { $0.name.isIdentical(to: name) }
        }
        return kept + added.map { "\($0.name)=\($0.value)" }
    }

    /// Makes them those of this process, which becomes the command. The values of other variables need not be UTF-8.
    package func apply() {
        for name in ProcessWords.variables.map(Self.name) where Self.isWithheld(name) { unsetenv(name) }
        for (name, value) in added { setenv(name, value, 1) }
    }
}
