import TestSupport
import Testing

@testable import TokenStore

@Suite("What is wrong with a store, and what to do about it")
struct StoreErrorTests {
    @Test(
        "a file that is not safe says why, and the hint follows from the danger",
        arguments: [
            (StoreError.Danger.readable(secret: nil), "others can read it", "chmod 600 /t/work.json"),
            (.readable(secret: "the key"), "others can read the key", "chmod 600 /t/work.json"),
            (.writable, "others can write to it", "chmod go-w /t/work.json"),
            (
                .foreign, "it belongs to another user",
                "use a file or folder that belongs to you; sudo -H takes the home of root"
            ),
            (.link, "it is a symbolic link", "use a file or folder that belongs to you, not a link"),
        ])
    func danger(danger: StoreError.Danger, reason: String, hint: String) {
        let error = StoreError.unsafe(path: "/t/work.json", danger)
        #expect(error.message == "/t/work.json: \(reason)")
        #expect(error.hint == hint)
    }

    @Test(
        "a folder that several users want to share says how others get a token",
        arguments: [
            StoreError.Danger.writable, .foreign,
        ])
    func shared(danger: StoreError.Danger) throws {
        let folder = try TemporaryDirectory()
        let hint = StoreError.unsafe(path: folder.path, danger).hint
        let others = "oap token NAME --watch -o FILE --group GROUP, or sudo -u OWNER oap token NAME"
        #expect(hint?.hasSuffix("; for other users: \(others)") == true, "\(hint ?? "")")
    }
}
