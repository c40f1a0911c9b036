import Glibc
import TestSupport
import Testing

@testable import Calling
@testable import Shell

@Suite("Files that options name")
struct InputFileTests {
    @Test("a body that no memory holds is refused by its size, before it is read")
    func sparse() throws {
        let folder = try TemporaryDirectory()
        let path = try folder.write("", to: "large")
        #expect(truncate(path, 4 << 40) == 0)
        let failure = #expect(throws: Failure.self) { try BodyReader(isStandardInputFree: true).read(path) }
        #expect(failure?.message == "\(path) is larger than 1073741824 bytes")
        #expect(failure?.exit == .fileFailed)
    }

    @Test("a file of the largest size is read, one byte more is refused")
    func limit() throws {
        let folder = try TemporaryDirectory()
        let path = try folder.write("abc", to: "f")
        #expect(try InputFile.read(path, limit: 3) == Array("abc".utf8))
        let failure = #expect(throws: Failure.self) { try InputFile.read(path, limit: 2) }
        #expect(failure?.message == "\(path) is larger than 2 bytes")
    }
}
