import Foundation
import TestSupport
import Testing

@Suite("The rooms of a module")
struct RoomTests {
    /// The files of a module: what each declares and which names it uses.
    private struct Module {
        /// The code of each file without comments and the text of strings, by its path in the module.
        let files: [String: String]
        /// The file that declares a type, or `Type.member` in an extension.
        private let declared: [String: String]
        private static var declaration: Regex<(Substring, Substring)> {
            #/(?m)^(?:\w+\s+)*(?:struct|class|enum|protocol|actor|typealias)\s+([A-Z]\w*)/#
        }
        /// A member, which stands in the body of a type or of an extension and is not only for the file.
        private static var member: Regex<(Substring, Substring)> {
            #/(?m)^    (?:(?:package|static|mutating|indirect)\s+)*(?:func|var|let|case)\s+(\w+)/#
        }

        init(_ name: String) throws {
            let folder = URL(fileURLWithPath: "\(Fixture.project)/Sources/\(name)")
            let paths = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
            var files: [String: String] = [:]
            for path in paths where path.hasSuffix(".swift") {
                files[path] = SwiftText.code(
                    of: try String(contentsOf: folder.appendingPathComponent(path), encoding: .utf8))
            }
            self.init(files)
        }

        init(_ files: [String: String]) {
            var declared: [String: String] = [:]
            for (path, text) in files.sorted(by: { $0.key < $1.key }) {
                for match in text.matches(of: Self.declaration) where declared[String(match.1)] == nil {
                    declared[String(match.1)] = path
                }
                for part in text.split(separator: "\n}") {
                    guard let type = part.firstMatch(of: #/(?m)^(?:package )?extension ([A-Z]\w*)/#)?.1 else {
                        continue
                    }
                    for member in part.matches(of: Self.member) { declared["\(type).\(member.1)"] = path }
                }
            }
            (self.files, self.declared) = (files, declared)
        }

        /// The files whose types a file names, and those whose extensions have the members that it names with their type.
        func used(by path: String) -> (types: Set<String>, members: Set<String>) {
            let text = files[path] ?? ""
            let types = text.matches(of: #/\b[A-Z]\w*/#).compactMap { declared[String($0.output)] }
            let members = text.matches(of: #/\b[A-Z]\w*\.[a-z]\w*/#).compactMap { declared[String($0.output)] }
            return (Set(types).subtracting([path]), Set(members).subtracting([path]))
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
        let readme = try String(contentsOfFile: "\(Fixture.project)/Sources/README.md", encoding: .utf8)
        let row = readme.split(separator: "\n").first { $0.hasPrefix("| `Sources/\(module)`") }
        guard let row, let text = row.firstRange(of: "lowest first").map({ row[$0.upperBound...] }) else { return [""] }
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
            let (types, members) = module.used(by: path)
            arrows[path] = types
            let own = order.firstIndex(of: room(path)) ?? 0
            for other in types.union(members).sorted() where order.firstIndex(of: room(other)) ?? 0 > own {
                Issue.record("\(name): \(path) names a type of \(other), which is in a higher room")
            }
        }
        for path in arrows.keys.sorted() where reached(from: path, arrows).contains(path) {
            Issue.record("\(name): \(path) is in a circle of files")
        }
    }

    @Test("code in a string, and a member of an extension in a higher room, are arrows; text and comments are none")
    func seen() {
        let higher = "enum Higher {\n    case name\n}\nextension Lower {\n    static let hint = 1\n}\n"
        func arrows(_ text: String) -> Set<String> {
            let module = Module(["Low/Lower.swift": SwiftText.code(of: text), "High/Higher.swift": higher])
            let (types, members) = module.used(by: "Low/Lower.swift")
            return types.union(members)
        }
        let escaped = #"let text = "a \(wrap("b \(Higher.name)")) c""#
        for code in [escaped, "let text = \"\"\"\n    \\(Higher.name)\n    \"\"\"", "let number = Lower.hint"] {
            #expect(arrows(code) == ["High/Higher.swift"], "\(code)")
        }
        for text in [
            "// Higher", "/* Higher\n */", "let text = \"Higher \\\" Higher\"", ##"let text = #"\(Higher.name)"#"##,
        ] {
            #expect(arrows(text).isEmpty, "\(text)")
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

    @Test(
        "settings alone ask a command line: nobody keeps it or passes it on",
        arguments: ["Shell", "Sessions", "Login", "Calling", "Commands"])
    func settings(name: String) throws {
        let module = try Module(name)
        let run = "run(_ session: Session, _ arguments: Arguments)"
        for (path, text) in module.files.sorted(by: { $0.key < $1.key }) {
            // The program reads the line, and gives it to the command and to what all commands have.
            guard !["Program", "Session.swift", "Command.swift"].contains(path.prefix { $0 != "/" }) else { continue }
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
