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
}
