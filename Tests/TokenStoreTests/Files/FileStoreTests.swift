import Foundation
import System
import TestSupport
import Testing
import TokenStore

@Suite("The store of a folder")
struct FileStoreTests {
    private let home: TemporaryDirectory
    private let folder: String
    private let store: FileStore
    private let name: TokenName

    init() throws {
        home = try TemporaryDirectory()
        folder = home.path("state/oap/tokens")
        store = FileStore(folder: folder)
        name = try TokenName("work")
    }

    @Test("the store of a folder gives back what was stored, in a file and a folder of its owner alone")
    func roundTrip() throws {
        #expect(try store.read(name) == nil)
        try store.write([1, 2, 3], as: name)
        #expect(try store.read(name) == [1, 2, 3])
        #expect(try home.permissions("state/oap/tokens/work.json") == 0o600)
        #expect(try home.permissions("state/oap/tokens") == 0o700)
        try store.write([4], as: name)
        #expect(try store.read(name) == [4])
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).sorted() == ["work.json", "work.lock"])
    }

    @Test("the store of a folder forgets, and says whether there was anything")
    func removal() throws {
        #expect(try !store.remove(name))
        try store.write([1], as: name)
        #expect(try store.remove(name))
        #expect(try store.read(name) == nil)
    }

    @Test("the store of a folder overwrites what a process left that was killed, and forgets it with the token")
    func drafts() throws {
        let draft = "\(folder)/.work.json.new"
        for isRemoval in [false, true] {
            try store.write([1], as: name)
            #expect(FileManager.default.createFile(atPath: draft, contents: Data([9, 9])))
            chmod(draft, 0o644)
            if isRemoval { #expect(try store.remove(name)) } else { try store.write([2], as: name) }
            #expect(!FileManager.default.fileExists(atPath: draft))
        }
        try store.write([3], as: name)
        #expect(FileManager.default.createFile(atPath: draft, contents: nil))
        #expect(try store.names() == [name] && store.read(name) == [3])
    }

    @Test(
        "the store of a folder writes through no link in the place of a draft, symbolic or hard",
        arguments: [true, false])
    func linkedDraft(isSymbolic: Bool) throws {
        try store.write([1], as: name)
        let (file, draft) = (try home.write("precious", to: "file"), "\(folder)/.work.json.new")
        chmod(file, 0o600)
        #expect((isSymbolic ? symlink(file, draft) : link(file, draft)) == 0)
        let held = try store.hold(name)
        try held.reserve(5000)
        try held.write([2])
        #expect(try home.read("file") == "precious")
        #expect(try store.read(name) == [2])
    }

    @Test(
        "the store of a folder writes into no draft of another user, who could still read and change it",
        .enabled(if: geteuid() == 0, "only root can give a file away"))
    func foreignDraft() throws {
        try store.write([1], as: name)
        let draft = "\(folder)/.work.json.new"
        #expect(FileManager.default.createFile(atPath: draft, contents: Data([9])))
        chmod(draft, 0o600)
        chown(draft, 12_345, 12_345)
        let theirs = open(draft, O_RDONLY)
        defer { close(theirs) }
        try store.write([2], as: name)
        #expect(try store.read(name) == [2])
        var bytes = [UInt8](repeating: 0, count: 10)
        #expect(read(theirs, &bytes, bytes.count) == 1 && bytes[0] == 9)
    }

    @Test("the store of a folder reads no file of more than 16 MiB, and writes none")
    func largeFile() throws {
        try store.write([1], as: name)
        let path = "\(folder)/work.json"
        #expect(truncate(path, PrivateFile.limit) == 0)
        #expect(try store.read(name)?.count == PrivateFile.limit)
        #expect(truncate(path, PrivateFile.limit + 1) == 0)
        #expect(throws: StoreError.corrupt(path: path, reason: "it is larger than 16 MiB")) { try store.read(name) }
        let other = try TokenName("other")
        #expect(throws: StoreError.system(path: "\(folder)/other.json", reason: "it would be larger than 16 MiB")) {
            try store.write([UInt8](repeating: 0x78, count: PrivateFile.limit + 1), as: other)
        }
        #expect(try store.names() == [name])
    }

    @Test("the store of a folder writes to a new file that no other program gets, whichever is started meanwhile")
    func temporaryFile() throws {
        let file = try TemporaryFile(beside: home.path("target"))
        defer { file.descriptor.close() }
        #expect(fcntl(file.descriptor.number, F_GETFD) & FD_CLOEXEC != 0)
        #expect(try home.permissions(URL(fileURLWithPath: file.path).lastPathComponent) == 0o600)
    }

    @Test("the store of a folder lists names in order, and nothing else that lies there")
    func names() throws {
        #expect(try store.names() == [])
        for text in ["b", "a.b@c-d_e", "Z"] { try store.write([], as: try TokenName(text)) }
        for other in [".oap-x", "a.lock", "-x.json", "notes.txt"] {
            #expect(FileManager.default.createFile(atPath: "\(folder)/\(other)", contents: nil))
        }
        #expect(try store.names().map(\.text) == ["Z", "a.b@c-d_e", "b"])
    }

    @Test(
        "the store of a folder refuses a file that is open to others in any way, and leaves it as it is",
        arguments: [mode_t(0o640), 0o620, 0o604, 0o602, 0o601])
    func openFile(mode: mode_t) throws {
        try store.write([1], as: name)
        chmod("\(folder)/work.json", mode)
        let refused = StoreError.unsafe(path: "\(folder)/work.json", .readable(secret: nil))
        #expect(throws: refused) { try store.read(name) }
        #expect(throws: refused) { try store.write([2], as: name) }
        chmod("\(folder)/work.json", 0o600)
        #expect(try store.read(name) == [1])
    }

    @Test("the store of a folder never goes through a symbolic link")
    func symbolicLink() throws {
        try store.write([1], as: try TokenName("other"))
        symlink("\(folder)/other.json", "\(folder)/work.json")
        let refused = StoreError.unsafe(path: "\(folder)/work.json", .link)
        #expect(throws: refused) { try store.read(name) }
        #expect(throws: refused) { try store.write([2], as: name) }
        #expect(try store.read(try TokenName("other")) == [1])
    }

    @Test("the store of a folder is not reached through a link, with slashes or without", arguments: ["", "/", "//"])
    func linkedFolder(end: String) throws {
        try store.write([1], as: name)
        symlink(folder, home.path("link"))
        let linked = FileStore(folder: home.path("link") + end)
        let refused = StoreError.unsafe(path: home.path("link"), .link)
        #expect(throws: refused) { try linked.read(name) }
        #expect(throws: refused) { try linked.write([2], as: name) }
        #expect(try FileStore(folder: folder + end).read(name) == [1])
    }

    @Test(
        "the store of a folder refuses a folder that others can write to, or a group",
        arguments: [mode_t(0o777), 0o770, 0o720, 0o702])
    func openFolder(mode: mode_t) throws {
        try store.write([1], as: name)
        chmod(folder, mode)
        #expect(throws: StoreError.unsafe(path: folder, .writable)) { try store.read(name) }
        #expect(throws: StoreError.unsafe(path: folder, .writable)) {
            try store.write([2], as: name)
        }
        chmod(folder, 0o700)
        #expect(try store.read(name) == [1])
    }

    @Test(
        "the store of a folder refuses one in a folder oap that others can write to, and can move it away",
        arguments: [mode_t(0o777), 0o770, 0o1777])
    func openParent(mode: mode_t) throws {
        let store = FileStore(folder: home.path("oap/tokens"))
        try store.write([1], as: name)
        chmod(home.path("oap"), mode)
        let refused = StoreError.unsafe(path: home.path("oap"), .writable)
        #expect(throws: refused) { try store.read(name) }
        #expect(throws: refused) { try store.write([2], as: name) }
        chmod(home.path("oap"), 0o755)
        #expect(try store.read(name) == [1])
    }

    @Test(
        "the store of a folder says of a lock that it is a link, also of another user's in a folder that all write to",
        .enabled(if: geteuid() == 0, "only root can give a file away"))
    func linkedLock() throws {
        try home.write("", to: "aim")
        let lock = home.path("lock")
        symlink(home.path("aim"), lock)
        lchown(lock, 12_345, 12_345)
        chmod(home.path, 0o1777)
        #expect(throws: StoreError.unsafe(path: lock, .link)) {
            _ = try StoreLock(lock)
        }
    }

    @Test("the store of a folder names the draft that is in the way, not the token")
    func draftInTheWay() throws {
        try store.write([1], as: name)
        let draft = "\(folder)/.work.json.new"
        #expect(mkdir(draft, 0o700) == 0)
        #expect(throws: StoreError.system(path: draft, reason: "file exists")) { try store.write([2], as: name) }
    }

    @Test("the store of a folder refuses what is not a regular file, without waiting for it")
    func namedPipe() throws {
        try store.write([1], as: name)
        unlink("\(folder)/work.json")
        mkfifo("\(folder)/work.json", 0o600)
        #expect(throws: StoreError.system(path: "\(folder)/work.json", reason: "it is not a regular file")) {
            try store.read(name)
        }
    }

    @Test(
        "the store of a folder takes no name that could leave the folder",
        arguments: ["", ".", "..", "../x", "a/b", "-a", ".a", ":a", "a b", "ä"])
    func badNames(text: String) {
        #expect(throws: StoreError.badName(text)) { try TokenName(text) }
    }

    @Test("the store of a folder takes names of 128 characters and no more")
    func longNames() throws {
        _ = try TokenName(String(repeating: "a", count: 128))
        #expect(throws: StoreError.self) { try TokenName(String(repeating: "a", count: 129)) }
    }
}

@Suite("The lock of a token")
struct StoreLockTests {
    @Test("the lock of a token is free again when its holder is gone, and times out while it is not")
    func exclusion() throws {
        let home = try TemporaryDirectory()
        let path = home.path("work.lock")
        do {
            let held = try StoreLock(path)
            #expect(throws: StoreError.locked(path: path, seconds: 1)) { _ = try StoreLock.held(path, seconds: 1) }
            _ = held
        }
        _ = try StoreLock.held(path, seconds: 1)
        #expect(try home.permissions("work.lock") == 0o600)
    }

    @Test(
        "a lock file of another user, who could hold it for good, is refused",
        .enabled(if: geteuid() == 0, "only root can give a file away"))
    func foreign() throws {
        let home = try TemporaryDirectory()
        let path = try home.write("", to: "work.lock")
        chown(path, 12_345, 12_345)
        #expect(throws: StoreError.unsafe(path: path, .foreign)) { _ = try StoreLock(path) }
    }

    @Test("the lock of a token is waited for")
    func waiting() throws {
        let home = try TemporaryDirectory()
        let path = home.path("work.lock")
        var holder = Program(path: "/usr/bin/flock", arguments: [path, "sh", "-c", "echo held; read line"])
        holder.input = .open
        let running = try holder.start()
        _ = try running.firstLine()
        let released = DispatchSemaphore(value: 0)
        let thread = Thread {
            _ = try? StoreLock.held(path, seconds: 60)
            released.signal()
        }
        thread.start()
        #expect(released.wait(timeout: .now() + .milliseconds(300)) == .timedOut)
        running.closeInput()
        #expect(released.wait(timeout: .now() + .seconds(20)) == .success)
        _ = try running.finish()
    }
}

@Suite("The folders of a user")
struct UserFoldersTests {
    @Test("the folders of a user are those of the XDG specification")
    func folders() throws {
        let plain = UserFolders { ["HOME": "/home/a"][$0] }
        #expect(try plain.tokens() == "/home/a/.local/state/oap/tokens")
        #expect(try plain.profiles() == "/home/a/.config/oap/profiles")
        #expect(try plain.metadata() == "/home/a/.cache/oap/metadata")
        #expect(try plain.responses() == "/home/a/.cache/oap/responses")
        let given = UserFolders { ["XDG_STATE_HOME": "/s", "XDG_CONFIG_HOME": "/c", "XDG_CACHE_HOME": "/m"][$0] }
        #expect(try given.metadata() == "/m/oap/metadata")
        #expect(try given.tokens() == "/s/oap/tokens")
        #expect(try given.profiles() == "/c/oap/profiles")
    }

    @Test("the folders of a user need a home that is an absolute path", arguments: [nil, "", "relative"])
    func noHome(home: String?) {
        let folders = UserFolders { ["HOME": home, "XDG_STATE_HOME": "relative"][$0] ?? nil }
        #expect(throws: StoreError.noHome) { try folders.tokens() }
        #expect(throws: StoreError.noHome) { try folders.profiles() }
    }
}
