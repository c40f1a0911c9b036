import Foundation
import TestSupport
import Testing

@Suite("The packages")
struct PackageTests {
    private static func text(_ name: String) throws -> String {
        try String(contentsOfFile: "\(Fixture.project)/\(name)", encoding: .utf8)
    }

    @Test("the README, the script of the tarball and both packages ask for one version of glibc")
    func glibc() throws {
        let needed = try #require(try Self.text(".ci/install.sh").firstMatch(of: /\nneeded=([\d.]+)\n/)).1
        let named = try Self.text("README.md").matches(of: /glibc ([\d.]+)/).map(\.1)
        #expect(!named.isEmpty && named.allSatisfy { $0 == needed }, "\(named), \(needed)")
        for program in ["oap", "oap-sandbox"] {
            let fields = try Program(path: "\(Fixture.project)/.ci/debian/loaded", arguments: [program]).run()
            #expect(fields.expect(status: 0).text.contains("loaded:Depends=libc6 (>= \(needed)), "), "\(fields)")
        }
    }

    @Test("a later commit has a greater version, whatever its hash is, and it has the number of the program")
    func versions() throws {
        let folder = try TemporaryDirectory()
        for file in ["Sources/CommandSpec/Records/Version.swift", ".ci/version"] {
            try folder.write(try Self.text(file), to: file)
        }
        var program = Program.shell(
            """
            set -euo pipefail
            git init --quiet
            git add .
            for time in 09:30:00 09:30:01 10:00:00 21:00:00; do
                export GIT_AUTHOR_DATE="2026-11-24T$time+02:00" GIT_COMMITTER_DATE="2026-11-24T$time+02:00"
                git -c user.name=a -c user.email=a@example.com commit --quiet --allow-empty -m "$time"
                version=$(bash .ci/version)
                dpkg --compare-versions "$version" gt "${last:-0.1.0}"
                last=$version
                echo "$version"
            done
            """, environment: ["HOME": folder.path])
        program.directory = folder.path
        let versions = try program.run().expect(status: 0).text.split(separator: "\n")
        let number = try Program.oap(["--version"]).run().text.split(whereSeparator: \.isWhitespace)[1]
        #expect(versions.count == 4 && versions[0].hasPrefix("\(number)+git20261124073000."), "\(versions)")
    }

    @Test("the files of the two packages are different ones, and the steps for CI systems are among them")
    func files() throws {
        let folder = try TemporaryDirectory()
        func staged(_ name: String) throws -> Set<String> {
            let build = URL(fileURLWithPath: Program.oapPath).deletingLastPathComponent().path
            try Program(
                path: "\(Fixture.project)/.ci/debian/stage", arguments: [name, build, folder.path(name)]
            ).run().expect(status: 0)
            let program = Program.shell("find \(folder.path(name)) -type f -printf '%P\\n'")
            return Set(try program.run().expect(status: 0).text.split(separator: "\n").map(String.init))
        }
        let (oap, sandbox) = (try staged("oap"), try staged("oap-sandbox"))
        #expect(oap.isDisjoint(with: sandbox))
        #expect(sandbox.isSuperset(of: ["bin/oap-sandbox", "share/man/man1/oap-sandbox.1"]))
        #expect(oap.isSuperset(of: ["bin/oap", "share/man/man7/oap-hosts.7", "share/doc/oap/examples/ci/step.sh"]))
        #expect(oap.union(sandbox).count { $0.hasPrefix("share/man/") } == (try pages()))
    }

    private func pages() throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: Fixture.project + "/man").count
    }
}
