import Foundation
import TestSupport
import Testing
import Wire

@testable import CommandSupport

/// A folder that shows another one through FUSE (bindfs of Debian's package), until nobody refers to it any more.
private final class FUSEMount {
    let path: String
    private let home: TemporaryDirectory

    init() throws {
        home = try TemporaryDirectory()
        path = home.path("mounted")
        for folder in ["real", "mounted"] {
            try FileManager.default.createDirectory(
                atPath: home.path(folder), withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        }
        // It returns when the folder is mounted.
        try Program(path: "/usr/bin/bindfs", arguments: [home.path("real"), path]).run().expect(status: 0)
    }

    deinit { _ = try? Program(path: "/usr/bin/fusermount", arguments: ["-u", "-z", path]).run() }
}

@Suite("Tokens in a folder whose locks may be local")
struct NetworkFolderTests {
    private static let token = #"{"access_token":"at-1","token_type":"Bearer"}"#

    @Test(
        "--store-trust, or OAP_STORE_TRUST=1, uses a folder of FUSE that oap refuses to lock otherwise, with exit 11",
        .enabled(if: access("/dev/fuse", R_OK | W_OK) == 0 && geteuid() == 0, "only root mounts at /dev/fuse"))
    func mounted() throws {
        let (mount, home) = (try FUSEMount(), try StoreHome())
        let store = ["--store", "file:\(mount.path)/tokens"]
        func oap(_ words: [String], _ variables: [String: String] = [:]) throws -> ProgramResult {
            try Program.oap(
                words, input: .text(Self.token), environment: ["HOME": home.home.path].merging(variables) { $1 }
            )
            .run()
        }
        let refused = try oap(["store", "put", "work"] + store).expect(status: 11)
        #expect(refused.errorText.contains("its locks may not keep off other machines"), "\(refused)")
        #expect(refused.errorText.contains("--store-trust"), "\(refused)")
        for variables in [["OAP_STORE_TRUST": "0"], ["OAP_STORE_TRUST": ""]] {
            try oap(["store", "put", "work"] + store, variables).expect(status: 11)
        }
        try oap(["store", "list"] + store).expect(status: 0).expect(output: "")
        try oap(["store", "put", "work", "--store-trust"] + store).expect(status: 0)
        try oap(["store", "put", "work"] + store, ["OAP_STORE_TRUST": "1"]).expect(status: 0)
        // Who only reads locks nothing.
        try oap(["token", "work"] + store).expect(status: 0).expect(output: "at-1\n")
        try oap(["store", "delete", "work"] + store).expect(status: 11)
        // A file that the user names.
        let endpoint = try Responder(.json(#"{"access_token":"at-2","token_type":"Bearer"}"#))
        let file = "\(mount.path)/token.json"
        try JSON.object(endpoint.token.with(["expires_at": 1000, "refresh_token": "rt-0"])).text.write(
            toFile: file, atomically: true, encoding: .utf8)
        chmod(file, 0o600)
        try oap(["refresh", "--token-file", file]).expect(status: 11)
        #expect(endpoint.requests.isEmpty)
        try oap(["refresh", "--token-file", file, "--store-trust"]).expect(status: 0)
        #expect(try String(contentsOfFile: file, encoding: .utf8).contains("at-2"))
    }
}
