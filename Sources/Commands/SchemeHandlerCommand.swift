internal import CommandSpec
internal import Engine
internal import Errands
internal import Glibc
internal import TokenStore
internal import Wire
internal import Shell
internal import Sessions

/// `oap scheme-handler`: makes `oap` the handler of a private-use scheme (RFC 8252 §7.1).
enum SchemeHandlerCommand {
    static let install = Option("install", section: "Output", summary: "install it for this user")

    private static func run(_ session: Session, _ arguments: Arguments) throws(Failure) -> Exit {
        let (scheme, installs) = ((arguments.operand(0) ?? "").lowercased(), arguments.has(install))
        guard WebURL("\(scheme)://x")?.scheme == scheme else {
            throw .usage("\(scheme) is not the scheme of a URI", hint: "for example com.example.app")
        }
        guard !reserved.contains(scheme) else {
            throw .usage("\(scheme) is not a private-use scheme", hint: "for example com.example.app")
        }
        let program = try LinkedPath.resolved("/proc/self/exe")
        let entry = entry(of: scheme, program: program)
        if installs {
            try set(entry, for: scheme, session)
        } else {
            try ByteSink.print(entry)
        }
        return .done
    }

    /// Schemes that browsers and desktops use themselves.
    private static let reserved: Set = [
        "http", "https", "file", "ftp", "mailto", "data", "javascript", "about", "blob", "ws", "wss", "tel",
    ]

    /// The entry (Desktop Entry Specification). The desktop puts the redirected URL in the place of `%u`.
    private static func entry(of scheme: String, program: String) -> String {
        """
        [Desktop Entry]
        Type=Application
        Name=oap (\(scheme))
        Comment=Hands the redirect of a login over to oap
        Exec=\(quoted(program)) callback-parse --hand-over %u
        MimeType=x-scheme-handler/\(scheme);
        NoDisplay=true

        """
    }

    /// A word of `Exec`: quoted, and escaped as a string value after that.
    private static func quoted(_ word: String) -> String {
        var text = ""
        for scalar in word.unicodeScalars {
            switch scalar {
            case "\"", "`", "$", "\\": text += scalar == "\\" ? "\\\\\\\\" : "\\\\\(scalar)"
            case "%": text += "%%"
            default: text.unicodeScalars.append(scalar)
            }
        }
        return "\"\(text)\""
    }

    private static func set(_ entry: String, for scheme: String, _ session: Session) throws(Failure) {
        let folder = try Failure.storing(try session.environment.folders.applications())
        let name = "oap-\(scheme).desktop"
        try Failure.storing { () throws(StoreError) in
            try PrivateFile.prepareFolder(folder)
            try PrivateFile.replace("\(folder)/\(name)", with: Array(entry.utf8))
        }
        let former = try xdgMIME(["query", "default", "x-scheme-handler/\(scheme)"], session.engine)
        if !former.isEmpty, former != name { session.diagnostics.tell("warning: the handler \(former) is replaced") }
        _ = try xdgMIME(["default", name, "x-scheme-handler/\(scheme)"], session.engine)
        session.diagnostics.tell("\(folder)/\(name) is the handler of \(scheme)")
    }

    /// Runs xdg-mime(1).
    ///
    /// - Returns: its output, without line ends.
    /// - Throws: exit 11 if it is missing, fails, or does not end in time.
    private static func xdgMIME(_ words: [String], _ engine: Engine) throws(Failure) -> String {
        let program = ChildProgram(
            ["xdg-mime"] + words, variables: Environment.forOtherPrograms, seconds: limit, limit: 1 << 16)
        let problem: String
        switch engine.run(Errand<ChildProgram.End>.run(program) { .done($0) }) {
        case .ended(status: 0, let output):
            return String(decoding: output.filter { $0 >= 0x20 }, as: UTF8.self)
        case .ended(let status, _): problem = "it ended with status \(status)"
        case .notStarted(let error): problem = "it cannot be started: \(error)"
        case .late: problem = "it did not end within \(limit) seconds"
        case .tooLong: problem = "it prints too much"
        }
        throw .file("xdg-mime \(words[0]): \(problem)", hint: "xdg-mime is in Debian's package xdg-utils")
    }

    /// The seconds that xdg-mime(1) may take.
    private static let limit = 10

    static let command = Command(
        "scheme-handler", section: "Set up", summary: "make oap the desktop's handler of a URI scheme",
        operands: [
            Operand("SCHEME", summary: "the scheme of the redirect URI")
        ],
        options: [install],
        writesErrorDocuments: false, run: run)
}
