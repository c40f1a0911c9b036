internal import CProcess
internal import Glibc

/// The arguments of the process, and its variables.
package enum ProcessWords {
    /// The words after the program's name, by the text of each; nil if one has no text.
    package static func arguments(_ text: (UnsafeMutablePointer<CChar>) -> String?) -> [String]? {
        var count: Int32 = 0
        let words = oap_arguments(&count)
        var texts: [String] = []
        for index in 1..<max(1, Int(count)) {
            guard let text = words?[index].flatMap(text) else { return nil }
            texts.append(text)
        }
        return texts
    }

    /// The variables of the environment as they are now, each `NAME=VALUE`.
    package static var variables: [String] {
        var variables: [String] = []
        var next = environ
        while let variable = next.pointee {
            variables.append(String(cString: variable))
            next += 1
        }
        return variables
    }

    /// Whether a variable is set whose name begins so.
    package static func hasVariable(beginningWith prefix: String) -> Bool {
        var next = environ
        while let variable = next.pointee {
            if strncmp(variable, prefix, prefix.utf8.count) == 0 { return true }
            next += 1
        }
        return false
    }
}
