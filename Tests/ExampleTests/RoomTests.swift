import Foundation
import TestSupport
import Testing

@Suite("The rooms of a module")
struct RoomTests {
    /// The files of a module: what each declares and which names it uses.
    private struct Module {
        /// The text of each file without comments and strings, by its path in the module.
        let files: [String: String]
        /// The file that declares a type.
        let declared: [String: String]

        init(_ name: String) throws {
            let folder = URL(fileURLWithPath: "\(Fixture.project)/Sources/\(name)")
            var (files, declared) = ([String: String](), [String: String]())
            let paths = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
            let kinds = "struct|class|enum|protocol|actor|typealias"
            let words = "package|public|internal|final|indirect|private|fileprivate"
            let declaration = try Regex<(Substring, Substring)>("(?m)^(?:(?:\(words))\\s+)*(?:\(kinds))\\s+([A-Z]\\w*)")
            for path in paths.sorted() where path.hasSuffix(".swift") {
                let text = try String(contentsOf: folder.appendingPathComponent(path), encoding: .utf8)
                    .replacing(#/"""(?:.|\n)*?"""/#, with: "").replacing(#/"(?:\\.|[^"\\\n])*"/#, with: "")
                    .replacing(#/\/\/[^\n]*/#, with: "")
                files[path] = text
                for match in text.matches(of: declaration) where declared[String(match.1)] == nil {
                    declared[String(match.1)] = path
                }
            }
            (self.files, self.declared) = (files, declared)
        }

        /// The files whose types a file names.
        func used(by path: String) -> Set<String> {
            let names = Set((files[path] ?? "").matches(of: #/\b[A-Z]\w*/#).map { String($0.output) })
            return Set(names.compactMap { declared[$0] }).subtracting([path])
        }
    }

    /// The modules that have Swift files.
    private static var modules: [String] {
        let sources = "\(Fixture.project)/Sources"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: sources)) ?? []
        return names.filter { name in
            FileManager.default.enumerator(atPath: "\(sources)/\(name)")?.contains {
                ($0 as? String)?.hasSuffix(".swift") == true
            } ?? false
        }.sorted()
    }

    /// The rooms of a module in the layout of Sources/README.md, lowest first; what stands at its top level is "".
    private func order(_ module: String) throws -> [String] {
        guard ["Commands", "OAuth", "Sandbox"].contains(module) else { return [""] }
        let readme = try String(contentsOfFile: "\(Fixture.project)/Sources/README.md", encoding: .utf8)
        let row = try #require(readme.split(separator: "\n").first { $0.hasPrefix("| `Sources/\(module)`") })
        let text = try #require(row.firstRange(of: "lowest first").map { row[$0.upperBound...] })
        var rooms = text.matches(of: #/`(\w+)/`/#).map { String($0.1) }
        // The commands stand above all rooms but the program.
        if module == "Commands" { rooms.insert("", at: rooms.count - 1) }
        return rooms
    }

    @Test(
        "no file names a type of a higher room, and no files of a module name each other",
        arguments: RoomTests.modules)
    func arrows(name: String) throws {
        let (module, order) = (try Module(name), try order(name))
        func room(_ path: String) -> String { path.split(separator: "/").dropLast().joined(separator: "/") }
        let rooms = Set(module.files.keys.map(room))
        #expect(rooms == Set(order), "the layout in Sources/README.md names the rooms of \(name)")
        var arrows: [String: Set<String>] = [:]
        for path in module.files.keys.sorted() {
            arrows[path] = module.used(by: path)
            let own = order.firstIndex(of: room(path)) ?? 0
            for other in module.used(by: path).sorted() where order.firstIndex(of: room(other)) ?? 0 > own {
                Issue.record("\(name): \(path) names a type of \(other), which is in a higher room")
            }
        }
        for path in arrows.keys.sorted() where reached(from: path, arrows).contains(path) {
            Issue.record("\(name): \(path) is in a circle of files")
        }
    }

    @Test("one type, besides the records of the members, knows the member of a client's secret")
    func credential() throws {
        var files: Set<String> = []
        for name in Self.modules where !["Members", "Sandbox", "oap-sandbox"].contains(name) {
            let folder = "\(Fixture.project)/Sources/\(name)"
            let paths = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
            for path in paths where path.hasSuffix(".swift") {
                let text = try String(contentsOfFile: "\(folder)/\(path)", encoding: .utf8)
                let code = text.replacing(#/\/\/[^\n]*/#, with: "")
                if code.contains("client_secret") { files.insert("\(name)/\(path)") }
            }
        }
        // A command line for people names a variable of its own.
        #expect(files == ["OAuth/Client/ClientCredential.swift", "HTTP/CurlCommand.swift"])
    }

    @Test("settings alone ask a command line: nobody keeps it or passes it on")
    func settings() throws {
        let module = try Module("Commands")
        let run = "run(_ session: Session, _ arguments: Arguments)"
        for (path, text) in module.files.sorted(by: { $0.key < $1.key }) {
            // The program reads the line, and gives it to the command and to what all commands have.
            guard !["Program", "Session"].contains(path.prefix { $0 != "/" }) else { continue }
            let allowed = text.replacingOccurrences(of: run, with: "")
                .replacing(#/\binit\??\(_ arguments: Arguments\b/#, with: "").replacing(
                    "Arguments.Occurrence", with: "")
            #expect(!allowed.contains(#/\bArguments\b/#), "\(path) takes or keeps a command line")
        }
    }

    /// The files to which arrows lead from a file.
    private func reached(from path: String, _ arrows: [String: Set<String>]) -> Set<String> {
        var (found, rest) = (Set<String>(), arrows[path] ?? [])
        while let next = rest.popFirst() {
            if found.insert(next).inserted { rest.formUnion(arrows[next] ?? []) }
        }
        return found
    }
}
