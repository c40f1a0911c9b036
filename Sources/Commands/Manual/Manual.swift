internal import CTexts
internal import CommandSpec
internal import OAuth

/// The texts of the manual, which only help and manual pages read.
enum Manual {
    static let agents = ManualText(text("agents"))
    static let authurl = ManualText(text("authurl"))
    static let call = ManualText(text("call"))
    static let callbackParse = ManualText(text("callback-parse"))
    static let changes = ManualText(text("changes"))
    static let completion = ManualText(text("completion"))
    static let credential = ManualText(text("credential"))
    static let ciba = ManualText(text("ciba"))
    static let device = ManualText(text("device"))
    static let discover = ManualText(text("discover"))
    static let documents = ManualText(text("documents"))
    static let endSession = ManualText(text("end-session"))
    static let exchange = ManualText(text("exchange"))
    static let help = ManualText(text("help"))
    static let hosts = ManualText(text("hosts"))
    /// The words that people look for, each with its page.
    static let index = ManualText(text("index"))
    static let inspect = ManualText(text("inspect"))
    static let introspect = ManualText(text("introspect"))
    static let jwk = ManualText(text("jwk"))
    static let jwt = ManualText(text("jwt"))
    static let listen = ManualText(text("listen"))
    static let login = ManualText(text("login"))
    static let logout = ManualText(text("logout"))
    static let oap = ManualText(text("oap"))
    /// The prose of the members: a section for each kind, with a part for each member.
    static let members = ManualText(text("members"))
    static let options = ManualText(text("options"))
    static let profile = ManualText(text("profile"))
    static let provider = ManualText(text("provider"))
    static let providers = ManualText(text("providers"))
    static let recipes = ManualText(text("recipes"))
    static let refresh = ManualText(text("refresh"))
    static let register = ManualText(text("register"))
    static let revoke = ManualText(text("revoke"))
    static let run = ManualText(text("run"))
    static let schemeHandler = ManualText(text("scheme-handler"))
    static let security = ManualText(text("security"))
    static let store = ManualText(text("store"))
    static let token = ManualText(text("token"), values: ["derived-tokens": options["DERIVED TOKENS"]])
    static let tutorial = ManualText(text("tutorial"))
    static let userinfo = ManualText(text("userinfo"))
    static let verify = ManualText(text("verify"))
    static let whoami = ManualText(text("whoami"))

    private static func text(_ name: String) -> [UInt8] { bytes(of: "\(name).md") }

    /// A file that the program brings along besides the prose.
    static func file(_ name: String) -> String { String(decoding: bytes(of: name), as: UTF8.self) }

    private static func bytes(of name: String) -> [UInt8] {
        var length = 0
        guard let bytes = oap_text(name, &length) else {
            preconditionFailure("the program brings along the text \(name)")
        }
        return Array(UnsafeBufferPointer(start: bytes, count: length))
    }

    /// The variables of `oap(1)` that are not those of an option.
    static var environment: [Definition] {
        oap.definitions(in: "ENVIRONMENT")
            + Member.all.compactMap { secret in
                secret.variableText.map { Definition(Member.variable(for: secret.name), $0) }
            }
    }
}
