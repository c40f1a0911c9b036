import TestSupport

extension Program {
    /// Runs a script of bash beside a sandbox with these options.
    static func runBesideSandbox(options: [String] = [], _ script: String) throws -> ProgramResult {
        try sandbox(options + ["--run", "/bin/bash", "-c", script]).run()
    }
}
