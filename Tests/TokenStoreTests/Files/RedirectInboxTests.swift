import Foundation
import TestSupport
import Testing

@testable import TokenStore

@Suite("The pipe for the redirect of a private-use scheme")
struct RedirectInboxTests {
    private let home: TemporaryDirectory
    private var folder: String { home.path("flows") }
    private var path: String { "\(folder)/key.inbox" }

    init() throws { home = try TemporaryDirectory() }

    private func leave(_ redirect: String) throws(StoreError) -> Bool {
        try RedirectInbox.leave(redirect, folder: folder, key: "key")
    }

    @Test("a redirect reaches the process that waits, whole, and the pipe goes with it")
    func received() throws {
        #expect(try !leave("app:/cb?code=1"), "nobody waits")
        var inbox = try RedirectInbox(folder: folder, key: "key")
        #expect(try home.permissions("flows/key.inbox") == 0o600)
        for number in 1...2 { #expect(try leave("app:/cb?code=\(number)")) }
        #expect(inbox.read() == ["app:/cb?code=1", "app:/cb?code=2"])
        _ = consume inbox
        #expect(!home.contains("flows/key.inbox"))
        #expect(try !leave("app:/cb?code=3"))
    }

    @Test("a second process does not wait for the same flow; one that was killed is replaced")
    func second() throws {
        let first = try RedirectInbox(folder: folder, key: "key")
        #expect(throws: StoreError.self) { _ = try RedirectInbox(folder: folder, key: "key") }
        _ = consume first
        try #require(mkfifo(path, 0o600) == 0)
        let next = try RedirectInbox(folder: folder, key: "key")
        #expect(try leave("app:/cb"))
        _ = consume next
    }

    @Test("a pipe that is full, too long a redirect, and one of two lines fail at once")
    func full() throws {
        let inbox = try RedirectInbox(folder: folder, key: "key")
        #expect(throws: StoreError.self) { try leave(String(repeating: "x", count: 4096)) }
        #expect(throws: StoreError.self) { try leave("app:/cb\napp:/cb") }
        // A pipe holds 64 KiB (pipe(7)).
        let long = String(repeating: "x", count: 4000)
        #expect(throws: StoreError.self) { for _ in 0..<20 { _ = try leave(long) } }
        _ = consume inbox
    }

    @Test("a file or a link in the place of the pipe gets no redirect")
    func inTheWay() throws {
        try RedirectInbox.prepare(folder)
        try home.write("mine", to: "flows/key.inbox")
        #expect(throws: StoreError.self) { try leave("app:/cb?code=secret") }
        #expect(try home.read("flows/key.inbox") == "mine")
        try FileManager.default.removeItem(atPath: path)
        try home.write("other", to: "elsewhere")
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: home.path("elsewhere"))
        #expect(throws: StoreError.self) { try leave("app:/cb?code=secret") }
        #expect(try home.read("elsewhere") == "other")
    }

    @Test("no redirect goes through a link, into a folder that others can change, or to a pipe of another user")
    func unsafe() throws {
        try RedirectInbox.prepare(folder)
        let pipe = home.path("pipe")
        try #require(mkfifo(pipe, 0o600) == 0)
        let reader = open(pipe, O_RDWR | O_NONBLOCK)
        defer { close(reader) }
        try #require(symlink(pipe, path) == 0)
        #expect(throws: StoreError.self) { try leave("app:/cb?code=secret") }
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.moveItem(atPath: pipe, toPath: path)
        chmod(folder, 0o777)
        #expect(throws: StoreError.unsafe(path: folder, .writable)) { try leave("app:/cb?code=secret") }
        chmod(folder, 0o700)
        if geteuid() == 0 {
            chown(path, 12_345, 12_345)
            #expect(throws: StoreError.self) { try leave("app:/cb?code=secret") }
            chown(path, 0, 0)
        }
        var byte: UInt8 = 0
        #expect(read(reader, &byte, 1) == -1 && errno == EAGAIN)
        #expect(try leave("app:/cb?code=secret"))
    }

    @Test("what a writer sends without a line end is not kept for ever, and the redirect behind it arrives")
    func endless() throws {
        var inbox = try RedirectInbox(folder: folder, key: "key")
        let writer = open(path, O_WRONLY | O_NONBLOCK)
        defer { close(writer) }
        let piece = [UInt8](repeating: 0x78, count: 5000)
        #expect(write(writer, piece, piece.count) == piece.count)
        for _ in 0..<2 { #expect(inbox.read() == []) }
        #expect(try leave("app:/cb"))
        #expect(inbox.read() == ["app:/cb"])
    }

    @Test("the pipe of another process that has replaced this one's is not removed")
    func replaced() throws {
        let inbox = try RedirectInbox(folder: folder, key: "key")
        try FileManager.default.removeItem(atPath: path)
        try #require(mkfifo(path, 0o600) == 0)
        _ = consume inbox
        #expect(home.contains("flows/key.inbox"))
    }
}

extension RedirectInbox {
    /// Makes the folder as the store does.
    fileprivate static func prepare(_ folder: String) throws { try PrivateFile.prepareFolder(folder) }
}
