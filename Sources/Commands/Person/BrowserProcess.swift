internal import CProcess
internal import Glibc

/// Starting a program that outlives this one.
enum BrowserProcess {
    /// Starts a program in a session of its own, with nothing of ours: no stream, no descriptor, no secret of the
    /// environment. It is not waited for.
    ///
    /// - Parameter words: the program, looked up in `PATH`, and its arguments.
    /// - Returns: whether it could be started.
    static func start(_ words: [String]) -> Bool {
        guard let program = words.first else { return false }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, 1, 2)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        posix_spawnattr_setflags(&attributes, 0x80)  // POSIX_SPAWN_SETSID, which Swift does not see
        oap_keep_descriptors()
        let arguments = words.map { strdup($0) } + [nil]
        let environment = Environment.forOtherPrograms.map { strdup($0) } + [nil]
        defer { for string in arguments + environment { free(string) } }
        var process: pid_t = 0
        return posix_spawnp(&process, program, &actions, &attributes, arguments, environment) == 0
    }

    /// The path of a program, as `PATH` leads to it; nil where there is none.
    static func path(of program: String, in search: String) -> String? {
        guard !program.contains("/") else { return access(program, X_OK) == 0 ? program : nil }
        return search.split(separator: ":").lazy.map { "\($0)/\(program)" }.first { access($0, X_OK) == 0 }
    }
}
