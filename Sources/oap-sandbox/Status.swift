/// The exit statuses, which are those of `oap` (oap(1), EXIT STATUS).
enum Status: Int32, CaseIterable {
    case done = 0
    case usage = 2
    case unavailable = 6
    case fileFailed = 11

    /// What the status means.
    var meaning: String {
        switch self {
        case .done: "done: nobody reads standard output any more; with `--run`, what the command ended with"
        case .usage: "usage: bad option, value or combination"
        case .unavailable: "the port is taken, or a library that is needed is not there"
        case .fileFailed: "a file, the result or the command of `--run` could not be read, written or started"
        }
    }

    /// What a script does then; empty where there is nothing to do.
    var action: String {
        switch self {
        case .done: ""
        case .usage: "fixes the call"
        case .unavailable: "chooses another port"
        case .fileFailed: "fixes the path"
        }
    }
}
