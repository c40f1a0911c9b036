import Foundation
import TestSupport
import Testing
import Wire

@testable import CommandSupport

@Suite("OAP_STORE_KEY_FILE, as a process")
struct StoreKeyTests {
    private let store: StoreHome
    private let plain: StoreHome
    private static let file = ".local/state/oap/tokens/work.json"

    init() throws {
        plain = try StoreHome()
        store = try plain.withKey()
    }

    @Test("OAP_STORE_KEY_FILE seals what put stores and token renews; all commands read it, and jose does")
    func sealing() throws {
        let endpoint = try Responder(
            .json(#"{"access_token":"renewed","token_type":"Bearer","expires_in":3600,"refresh_token":"r"}"#))
        try store.put(JSON.object(endpoint.token.with(["expires_at": 1000])).text, as: "work")
        #expect(try !store.home.read(Self.file).contains("old-refresh"))
        try store.oap("token", "work").run().expect(status: 0).expect(output: "renewed\n")
        try store.oap("store", "list", "-q", ".can_refresh").run().expect(status: 0).expect(output: "true\n")
        let sealed = try store.home.read(Self.file)
        #expect(sealed.split(separator: ".", omittingEmptySubsequences: false).count == 5)
        let jose = try Program(
            path: "/usr/bin/jose",
            arguments: ["jwe", "dec", "-i", store.home.path(Self.file), "-k", store.home.path("key")]
        ).run().expect(status: 0)
        #expect(try jose.object() == store.oap("store", "get", "work").run().expect(status: 0).object())
        #expect(try jose.object()["refresh_token"] == "r")
    }

    @Test("OAP_STORE_KEY_FILE opens what jose sealed for the same name, nothing sealed for another or for none")
    func joseSeals() throws {
        try store.put(#"{"access_token":"old"}"#, as: "work")
        try store.home.write(#"{"access_token":"from jose"}"#, to: "payload")
        for (name, status) in [(#","oap_name":"work""#, 0), (#","oap_name":"other""#, 11), ("", 11)] {
            let header = #"{"protected":{"alg":"dir","enc":"A256GCM"\#(name)}}"#
            try Program(
                path: "/usr/bin/jose",
                arguments: [
                    "jwe", "enc", "-I", store.home.path("payload"), "-k", store.home.path("key"), "-i", header, "-c",
                    "-o", store.home.path(Self.file),
                ]
            ).run().expect(status: 0)
            try store.oap("store", "get", "work").run().expect(status: status)
        }
    }

    @Test(
        "a key file of root may be for a group, as in a volume of Kubernetes; one of the user may not",
        .enabled(if: geteuid() == 0, "only root gives a file away"))
    func group() throws {
        let user: uid_t = 12_345
        let key = store.home.path("key")
        chmod(store.home.path, 0o755)
        let home = try TemporaryDirectory()
        chown(home.path, user, user)
        func put(_ status: Int) throws {
            var program = Program(
                path: "/usr/bin/setpriv",
                arguments: [
                    "--reuid", "\(user)", "--regid", "\(user)", "--clear-groups", Program.oapPath, "store", "put", "a",
                ])
            program.environment = ["HOME": home.path, "OAP_STORE_KEY_FILE": key]
            program.input = .text(#"{"access_token":"at"}"#)
            try program.run().expect(status: status)
        }
        for (owner, group, mode, status) in [
            (0, user, mode_t(0o440), 0), (0, user, 0o640, 0), (0, user, 0o444, 11), (0, 0, 0o440, 11),
            (user, user, 0o440, 11), (user, user, 0o400, 0),
        ] {
            chown(key, owner, group)
            chmod(key, mode)
            try put(status)
        }
    }
}
