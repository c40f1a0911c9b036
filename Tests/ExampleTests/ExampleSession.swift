import Foundation
import TestSupport
import Testing

/// A shell of the sandbox, as `oap-sandbox --run bash` starts it, in an empty folder, at an empty home, with the browser of
/// the sandbox. The other machines of the examples are folders, in which `ssh HOST COMMAND` runs the command.
enum ExampleSession {
    /// How a block of commands ended.
    struct Outcome: Sendable {
        /// The exit status.
        let status: Int
        /// What it wrote to standard output.
        let output: String
        /// What it wrote to standard error.
        let errorOutput: String
    }

    /// Runs the blocks one after the other, each to the end or to the first command of it that fails.
    private static let script = """
        export HOME="$1/home" PATH="$1/bin:$PATH" HOSTS="$1/hosts"
        for block in "$1"/blocks/*; do
            name=${block##*/}
            bash -euo pipefail "$block" < /dev/null > "$1/output-$name" 2> "$1/error-$name"
            echo $? > "$1/status-$name"
        done
        """

    /// Another machine has nothing of this one but its programs.
    private static let ssh = """
        #!/bin/bash
        host="$HOSTS/$1"
        mkdir -p "$host"
        cd "$host"
        exec env -i PATH="$PATH" HOME="$host" sh -c "${*:2}"
        """

    /// What the person has kept under the names that the examples use.
    private static let kept = [
        "home/.local/state/oap/tokens/work.json": #"{"access_token":"real","refresh_token":"cannot-be-had-again"}"#,
        "home/.config/oap/profiles/work.json": #"{"client_id":"real"}"#,
        "home/.config/oap/key.jwk": "a key", "home/.config/fish/completions/oap.fish": "# edited",
    ]

    /// Runs blocks of commands in one session, and checks that they leave the home as it was, to the last byte.
    ///
    /// - Returns: as many outcomes as there are blocks.
    /// - Throws: when the sandbox does not start or end as it should.
    static func run(_ blocks: [String]) throws -> [Outcome] {
        let folder = try TemporaryDirectory()
        for name in ["home", "work", "blocks"] {
            try FileManager.default.createDirectory(atPath: folder.path(name), withIntermediateDirectories: false)
        }
        for (name, text) in kept { try folder.write(text, to: name) }
        let program = try folder.write(ssh + "\n", to: "bin/ssh")
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: program)
        let names = blocks.indices.map { String(1000 + $0) }
        for (name, block) in zip(names, blocks) { try folder.write(block + "\n", to: "blocks/\(name)") }
        var sandbox = Program.sandbox(["--run", "/bin/bash", "-c", script, "bash", folder.path])
        sandbox.directory = folder.path("work")
        sandbox.deadline = .seconds(120)
        try sandbox.run().expect(status: 0)
        let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path("home")).map { "home/" + $0 }
            .filter { name in !kept.keys.contains { $0.hasPrefix(name + "/") } }
        #expect(Set(files) == Set(kept.keys))
        for (name, text) in kept { #expect(try folder.read(name) == text, "\(name)") }
        return try names.map { name in
            Outcome(
                status: try Int(folder.read("status-\(name)").dropLast()) ?? -1,
                output: try folder.read("output-\(name)"), errorOutput: try folder.read("error-\(name)"))
        }
    }
}
