internal import Glibc
internal import System
package import Wire

/// The browsers that may open a URL, in the order in which they are tried.
///
/// `BROWSER` is a colon-separated list of commands, each split at spaces, without quoting and without a shell. `%s` is
/// replaced by the URL; without `%s` the URL is appended. The last one is `xdg-open`, if there is a display.
package struct Browser {
    private let candidates: [[String]]
    private let search: String
    private let temporaryFolder: String
    private let hasDisplay: Bool

    /// Reads the variables `BROWSER`, `DISPLAY`, `WAYLAND_DISPLAY`, `PATH` and `TMPDIR`.
    package init(_ environment: Environment) throws(Failure) {
        let named = try environment.value("BROWSER")?.split(separator: ":") ?? []
        let hasX = try environment.value("DISPLAY") != nil
        hasDisplay = try environment.value("WAYLAND_DISPLAY") != nil || hasX
        candidates = named.map { $0.split(separator: " ").map(String.init) }.filter { !$0.isEmpty }
        search = try environment.value("PATH") ?? "/usr/local/bin:/usr/bin:/bin"
        temporaryFolder = try environment.value("TMPDIR") ?? "/tmp"
    }

    /// The programs that `BROWSER` names.
    package var named: [String] { candidates.compactMap(\.first) }

    /// Whether a browser can be shown: there is a display or a command of `BROWSER`.
    var canShow: Bool { hasDisplay || !candidates.isEmpty }

    /// Opens a URL, which must be https or lead to loopback.
    ///
    /// - Returns: the browser; nil if no program could be started.
    package func open(_ url: WebURL) -> OpenedBrowser? {
        precondition(url.scheme == "https" || url.isLoopback, "a browser is only sent to https or loopback")
        let all = candidates + (hasDisplay ? [["xdg-open"]] : [])
        for words in all {
            if let process = Self.start(Self.words(of: words, url: url.text)) {
                return OpenedBrowser(process, program: words[0], isPrivate: false)
            }
        }
        return nil
    }

    /// Opens a URL in a private window of a new profile, which is removed when the browser ends.
    ///
    /// - Returns: the browser; nil if no suitable one was started.
    func openPrivately(_ url: WebURL) -> OpenedBrowser? {
        precondition(url.scheme == "https" || url.isLoopback, "a browser is only sent to https or loopback")
        let installed = hasDisplay ? Self.families.flatMap(\.programs).map { [$0] } : []
        for words in candidates + installed {
            guard let program = words.first, isInstalled(program), let name = program.split(separator: "/").last,
                let family = Self.families.first(where: { $0.programs.contains(String(name)) }),
                let profile = try? Folder.makeTemporary("\(temporaryFolder)/oap-browser-")
            else { continue }
            let command = words.filter { $0 != "%s" } + family.arguments(profile) + [url.text]
            // Program and URL are arguments of the shell, not part of its text.
            return Self.start(["/bin/sh", "-c", "\"$@\"; rm -rf -- \"$0\"", profile] + command)
                .map { OpenedBrowser($0, program: program, isPrivate: true) }
        }
        return nil
    }

    /// The words of a candidate with the URL among them.
    package static func words(of candidate: [String], url: String) -> [String] {
        guard candidate.contains(where: { $0.contains("%s") }) else { return candidate + [url] }
        return candidate.map { $0.replacing("%s", with: url) }
    }

    private func isInstalled(_ program: String) -> Bool {
        guard !program.contains("/") else { return access(program, X_OK) == 0 }
        return search.split(separator: ":").contains { access("\($0)/\(program)", X_OK) == 0 }
    }

    /// Starts a program that may outlive this one, without its streams, descriptors and `OAP_` variables.
    ///
    /// - Returns: nil if it could not be started.
    private static func start(_ words: [String]) -> Subprocess? {
        var program = ProgramStart(words, variables: Environment.forOtherPrograms)
        program.streams = .none
        program.hasOwnSession = true
        return try? program.start()
    }
}

extension Browser {
    /// Browsers that are started in the same way, and how.
    private static let families: [(programs: [String], arguments: @Sendable (_ profile: String) -> [String])] = [
        (
            ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "brave-browser"],
            { ["--user-data-dir=\($0)", "--no-first-run", "--no-default-browser-check", "--incognito"] }
        ),
        (["firefox", "firefox-esr", "librewolf"], { ["--no-remote", "--profile", $0, "--private-window"] }),
    ]
}
