package import CommandSpec
internal import Glibc
internal import OAuth
internal import System
internal import Wire

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

    /// Refuses a name that no variable has, and the variables that decide which programs are started.
    ///
    /// - Throws: exit 2.
    package static func check(_ name: String, of option: Option) throws(Failure) {
        let isName =
            name.utf8.allSatisfy { $0.isASCIILetterOrDigit || $0 == UInt8(ascii: "_") }
            && name.utf8.first.map { !(0x30...0x39).contains($0) } ?? false
        guard isName else {
            throw .usage("\(option.name) takes the name of a variable: letters, digits and _, no digit first")
        }
        guard !name.hasPrefix("LD_"), !ofSystem.contains(name) else {
            throw .usage("\(option.name) cannot name \(name): this variable decides which programs are started")
        }
    }

    /// By these, a shell or an interpreter finds what it executes.
    private static let ofSystem = [
        "PATH", "HOME", "SHELL", "IFS", "ENV", "BASH_ENV", "PYTHONPATH", "PERL5LIB", "NODE_OPTIONS",
    ]

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
