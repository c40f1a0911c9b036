import Testing
import System

@Suite("A path")
struct StringPathTests {
    @Test(
        "a path is cut at its last slash, also where a combining character follows it",
        arguments: [
            ("/a/b", "/a/", "b"), ("b", "", "b"), ("/b", "/", "b"), ("a/\u{301}b", "a/", "\u{301}b"),
            ("/\u{301}", "/", "\u{301}"), ("a/b/", "a/b/", "b"), ("", "", ""),
        ])
    func cut(path: String, folder: String, name: String) {
        #expect(Array(path.folderPrefix.utf8) == Array(folder.utf8))
        #expect(Array(path.fileName.utf8) == Array(name.utf8))
    }

    @Test("a path is absolute when it begins with a slash, whatever follows")
    func absolute() {
        #expect("/".isAbsolutePath && "/\u{301}a".isAbsolutePath)
        #expect(!"".isAbsolutePath && !"a/".isAbsolutePath)
    }
}
