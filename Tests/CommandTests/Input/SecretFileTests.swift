import Foundation
import TestSupport
import Testing
import Wire

/// Files of secrets, as users, Kubernetes and systemd make them.
@Suite("The file of a secret")
struct SecretFileTests {
    private let folder: TemporaryDirectory
    private let endpoint: Responder
    private static let other: uid_t = 12_345

    init() throws {
        folder = try TemporaryDirectory()
        endpoint = try Responder { _ in .token }
        try folder.write("hunter2", to: "secret")
    }

    /// `oap refresh` with the secret in a file, perhaps as another user.
    private func refresh(_ path: String? = nil, as user: uid_t? = nil, groups: String = "--clear-groups") -> Program {
        let secret = path ?? folder.path("secret")
        let document = JSON.object(endpoint.token.with(["client_secret_file": .string(secret)])).text
        guard let user else { return .oap(["refresh"], input: .text(document)) }
        var program = Program(
            path: "/usr/bin/setpriv",
            arguments: ["--reuid", "\(user)", "--regid", "\(user)"] + groups.split(separator: " ").map(String.init)
                + [Program.oapPath, "refresh"])
        program.input = .text(document)
        return program
    }

    @Test("one that others can write to is refused", arguments: [mode_t(0o602), 0o620, 0o666])
    func writable(mode: mode_t) throws {
        chmod(folder.path("secret"), mode)
        let result = try refresh().run().expect(status: 11)
        result.expect(errorLine: "oap: refresh: \(folder.path("secret")): others can write to it")
        result.expect(errorLine: "oap: hint: chmod go-w \(folder.path("secret"))")
        #expect(endpoint.requests.isEmpty)
    }

    @Test("one that others can read is used, with one warning for the process")
    func readable() throws {
        chmod(folder.path("secret"), 0o644)
        let text = try refresh().run().expect(status: 0).errorText
        #expect(text.components(separatedBy: "other users can read \(folder.path("secret"))").count == 2, "\(text)")
        var strict = refresh()
        strict.arguments.append("--strict")
        try strict.run().expect(status: 10)
    }

    @Test("oap profile set checks it before a login needs it", arguments: [mode_t(0o666), 0o644, 0o600])
    func profile(mode: mode_t) throws {
        chmod(folder.path("secret"), mode)
        let words = ["profile", "set", "ci", "-n", "--client-id", "c", "--client-secret-file", folder.path("secret")]
        let result = try Program.oap(words, environment: ["HOME": folder.path]).run().expect(
            status: mode == 0o666 ? 11 : 0)
        let said: [mode_t: String] = [0o666: "others can write to it", 0o644: "other users can read"]
        #expect(said[mode].map(result.errorText.contains) ?? result.errorText.isEmpty, "\(result)")
    }

    @Test("a pipe and a descriptor are no files")
    func pipes() throws {
        chmod(folder.path("secret"), 0o666)
        let command = "oap refresh --client-secret-file"
        let document = JSON.object(endpoint.token).text
        let script = "\(command) <(cat secret) <<<'\(document)'; \(command) /dev/fd/3 3<secret <<<'\(document)'"
        var program = Program.shell(script)
        program.directory = folder.path
        #expect(try program.run().expect(status: 0).errorText == "")
        #expect(endpoint.requests.count == 2)
    }

    @Test("a key of --key, or of the document, follows the rule", arguments: [true, false])
    func key(isOption: Bool) throws {
        let key = try folder.write("key", to: "key")
        chmod(key, 0o666)
        var program = Program.oap(["refresh"])
        let members: JSONObject = [
            "tls_client_certificate_file": .string(folder.path("secret")), "tls_client_key_file": .string(key),
        ]
        program.input = isOption ? endpoint.token.input : endpoint.token.with(members).input
        if isOption { program.arguments += ["--cert", folder.path("secret"), "--key", key] }
        try program.run().expect(status: 11).expect(errorLine: "oap: refresh: \(key): others can write to it")
        #expect(endpoint.requests.isEmpty)
    }

    @Test("one of another user is refused, but for root", .enabled(if: geteuid() == 0, "only root gives a file away"))
    func foreign() throws {
        chown(folder.path("secret"), Self.other, Self.other)
        #expect(try refresh().run().expect(status: 0).errorText == "")
        let path = try open("secret", mode: 0o604, owner: Self.other)
        try refresh(path, as: 4242).run().expect(status: 11)
            .expect(errorLine: "oap: refresh: \(path): it belongs to another user")
    }

    @Test(
        "systemd's credentials are used without a warning: the user's own, or root's with an access list",
        .enabled(if: geteuid() == 0, "only root makes such files"),
        arguments: [(mode_t(0o400), uid_t(4242), gid_t(4242)), (0o440, 0, 4242)])
    func credentials(mode: mode_t, owner: uid_t, group: gid_t) throws {
        // The mask of an access list stands where the mode has the rights of the group.
        let path = try open("secret", mode: mode, owner: owner, group: group)
        #expect(try refresh(path, as: 4242).run().expect(status: 0).errorText == "")
    }

    @Test(
        "a secret of a Kubernetes volume is used, through root's links, by its group",
        .enabled(if: geteuid() == 0, "only root makes such files"), arguments: [mode_t(0o440), 0o644])
    func volume(mode: mode_t) throws {
        let path = try open("..data_1/secret", mode: mode, owner: 0, group: 2000)
        let base = String(path.dropLast("/..data_1/secret".count))
        symlink("..data_1", base + "/..data")
        symlink("..data/secret", base + "/secret")
        chown(base, 0, 2000)
        chmod(base, 0o3777)
        let result = try refresh(base + "/secret", as: 4242, groups: "--groups 2000").run().expect(status: 0)
        #expect(result.errorText.contains("other users can read") == (mode == 0o644), "\(result)")
    }

    /// A file in folders that every user can enter.
    private func open(_ name: String, mode: mode_t, owner: uid_t, group: gid_t? = nil) throws -> String {
        chmod(folder.path, 0o755)
        let path = try folder.write("hunter2", to: "shared/" + name)
        chmod(folder.path("shared"), 0o755)
        chown(path, owner, group ?? owner)
        chmod(path, mode)
        return path
    }
}
