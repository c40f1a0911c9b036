internal import CommandSpec
internal import Members
internal import Redaction
internal import System
internal import Shell

/// A secret that was given as something else: as a name, a file or a value that is refused. Messages repeat such words, so
/// they would show it.
struct MistakenSecret {
    private typealias Given = (label: String, value: String)

    /// The least characters of a word of which only the beginning is shown, if it is refused.
    private static let longest = 20

    private let arguments: Arguments
    private let environment: Environment
    private let diagnostics: Diagnostics

    /// Masks, from the start, what looks like a token, or a user's password, and is given as a name or as a file.
    init(in arguments: Arguments, _ environment: Environment, _ diagnostics: Diagnostics) {
        (self.arguments, self.environment, self.diagnostics) = (arguments, environment, diagnostics)
        let places = arguments.occurrences.filter { $0.option == GeneralOption.profile || $0.option.argument == "URL" }
        let profile = variables.filter { $0.label == "OAP_PROFILE" }
        let names = arguments.operands + places.flatMap(\.values) + profile.map(\.value)
        Self.mask(names.filter(SecretShape.isToken), by: diagnostics.redactor)
        for password in names.compactMap(SecretShape.password) { diagnostics.redactor.add(password) }
        for file in files where SecretShape.isNoPath(file.value, isSecrets: false) {
            diagnostics.redactor.add(file.value)
        }
    }

    /// Masks the words of a command line that is refused.
    static func mask(refused words: [String], by redactor: Redactor) {
        mask(words + words.compactMap { $0.cut(at: "=")?.after }, by: redactor)
    }

    private static func mask(_ words: [String], by redactor: Redactor) {
        for word in words {
            let parts = isUnlikeOthers(word) ? [String(word.dropFirst(SecretShape.shown))] : SecretShape.parts(of: word)
            // Each line for itself: a message spells its ends in one way or another.
            for line in parts.flatMap({ $0.utf8.split { $0 < 0x20 } }).compactMap(String.init)
            where line.utf8.count >= SecretShape.shown {
                redactor.add(line)
                // A host, or a scheme, is shown so.
                redactor.add(line.asciiLowercased)
            }
        }
    }

    private var variables: [Given] { environment.own.compactMap { $0.cut(at: "=").map { ($0.before, $0.after) } } }

    /// The failure as it may be shown.
    func conceal(_ failure: Failure) -> Failure {
        let exits: [Exit] = [.usage, .badInput, .filterFailed, .unavailable, .loginNeeded, .insecure, .fileFailed]
        guard exits.contains(failure.exit) else { return failure }
        let endings = ["_FILE", "_COMMAND", "_CACERT", "_CERT", "_KEY"]
        let named = variables.filter { endings.contains(where: $0.label.hasSuffix) }
        let given = files + named
        for (label, value) in given + diagnostics.files where Self.isNamed(value, in: failure.message) {
            let secret = Self.secret(of: label)
            guard SecretShape.isNoPath(value, isSecrets: secret != nil) else { continue }
            return failure.saying(
                "\(label) is not the path of a file; its value is not shown, since it may be "
                    + (secret.map { "the secret" + ($0.isEmpty ? "" : " (\($0))") } ?? "a secret"))
        }
        if let name = failure.unknownName, name.utf8.count >= Self.longest {
            diagnostics.redactor.add(String(name.dropFirst(SecretShape.shown)))
        }
        let operands = (arguments.command?.operands ?? []).filter { !["NAME", "NEW", "COMMAND"].contains($0.name) }
        let words =
            arguments.occurrences.filter { $0.option != GeneralOption.profile }.flatMap(\.values)
            + operands.compactMap { arguments.operand(named: $0.name).map(Self.value) }
            + variables.filter { $0.label != "OAP_PROFILE" }.map(\.value)
        Self.mask(words + diagnostics.values, by: diagnostics.redactor)
        return failure
    }

    /// The value of `host=HOST`, which a provider takes; another operand as it is.
    private static func value(of operand: String) -> String {
        guard let (name, value) = operand.cut(at: "="), name.utf8.allSatisfy({ (0x5F...0x7A).contains($0) }) else {
            return operand
        }
        return String(value)
    }

    /// Whether a message has the value, perhaps with its slashes made single, as a word or as the end of a path, not as a
    /// part of an option.
    private static func isNamed(_ value: String, in message: String) -> Bool {
        [value, DescriptorPath.names(of: value).joined(separator: "/")].contains { value in
            message.hasPrefix(value) || message.contains(" \(value)") || message.contains("/\(value)")
        }
    }

    /// The files that the command line names, also behind an `@`.
    private var files: [Given] {
        let operands = (arguments.command?.operands ?? []).filter { $0.completes == .files }
        return operands.compactMap { operand in arguments.operand(named: operand.name).map { (operand.name, $0) } }
            + arguments.occurrences.flatMap { given in
                switch given.option.completes {
                case .files: given.values.map { (given.name, $0) }
                case .filesAfter: given.values.compactMap { $0.cut(at: "@") }.map { (given.name, $0.after) }
                default: [Given]()
                }
            }
    }

    /// Where the secret belongs that a file should hold, by what names the file: its variable, or its member; empty for
    /// one that has neither, nil for a file that holds no secret.
    private static func secret(of label: String) -> String? {
        let name = label.replacing("OAP_", with: "").replacing("--", with: "").replacing("-", with: "_").asciiLowercased
        let secret = Member.secret(of: name)
        guard Member.secrets.contains(secret) else {
            return secret.hasSuffix("key") || secret.hasSuffix("password") ? "" : nil
        }
        if label == name { return secret }
        return Member.secretsOfEnvironment.contains(secret) ? Member.variable(for: secret) : ""
    }

    /// Whether a refused word may be a secret: it is neither short, nor a URL, a path, JSON, a filter or an option.
    private static func isUnlikeOthers(_ word: String) -> Bool {
        guard word.utf8.count >= longest else { return false }
        // Names of methods and grants have small letters alone.
        guard word.utf8.contains(where: { !(0x5F...0x7A).contains($0) }) else { return SecretShape.isToken(word) }
        if word.hasPrefix("/") { return SecretShape.isNoPath(word, isSecrets: false) }
        // A scheme, or a host without one.
        let start = word.prefix { "abcdefghijklmnopqrstuvwxyz0123456789.-".contains($0) }
        let isNumber = start.utf8.allSatisfy { (0x30...0x39).contains($0) }
        let next = word.dropFirst(start.count).first
        if !isNumber, next == ":" || next == "/" && start.contains(".") { return false }
        if next == nil, start.contains(".") { return SecretShape.isToken(word) }
        return SecretShape.isToken(word)
            || !"/.~{[-@<".contains(String(word.prefix(1)))
                && !word.utf8.contains { $0 <= 0x20 || "()|".utf8.contains($0) }
    }
}
