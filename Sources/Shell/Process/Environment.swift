internal import Glibc
internal import System
package import TokenStore

/// The environment variables of a command.
package struct Environment {
    private let find: (String) -> UnsafePointer<CChar>?
    /// All of them, each `NAME=VALUE`.
    private let all: () -> [String]

    /// - Parameters:
    ///   - find: the value of a variable; nil if it is not set.
    ///   - all: all variables, each `NAME=VALUE`.
    package init(_ find: @escaping (String) -> UnsafePointer<CChar>?, all: @escaping () -> [String]) {
        (self.find, self.all) = (find, all)
    }

    /// The variables of the process.
    package static var process: Environment {
        Environment({ getenv($0).map { UnsafePointer($0) } }, all: { ProcessWords.variables })
    }

    /// The variable's text, which may be empty; nil if it is not set. One of `oap` loses one line end, as secret stores add it.
    ///
    /// - Throws: exit 2 if it is not UTF-8, exit 3 for one of `oap` with a character that nobody sees.
    package func text(_ name: String) throws(Failure) -> String? {
        let text = try lines(name)
        guard let text, name.utf8.starts(with: Self.ownPrefix.utf8) else { return text }
        return try OneLine.value(text, in: name)
    }

    /// The variable's text as it is: that of a secret, which may be a key of many lines.
    ///
    /// - Throws: exit 2 if it is not UTF-8.
    package func lines(_ name: String) throws(Failure) -> String? {
        guard let value = find(name) else { return nil }
        guard let text = String(validatingCString: value) else {
            throw .usage("the variable \(name) is not UTF-8")
        }
        return text
    }

    /// Whether the variable is set and not empty.
    package func isSet(_ name: String) -> Bool { find(name).map { $0.pointee != 0 } ?? false }

    /// The variable's text; nil if it is not set or empty.
    package func value(_ name: String) throws(Failure) -> String? {
        let text = try text(name)
        return text?.isEmpty == true ? nil : text
    }

    package var folders: UserFolders { UserFolders { (try? text($0)) ?? nil } }

    /// The variables for a program that this process starts: all but those of `oap`, which may be secrets.
    package static var forOtherPrograms: [String] {
        ProcessWords.variables.filter { !$0.utf8.starts(with: ownPrefix.utf8) }
    }

    /// The variables of `oap`, each `NAME=VALUE`.
    package var own: [String] { all().filter { $0.utf8.starts(with: Self.ownPrefix.utf8) } }

    private static let ownPrefix = "OAP_"
}
