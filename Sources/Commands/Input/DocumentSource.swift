internal import System
internal import TokenStore
internal import Wire

/// Where the document of a command is.
enum DocumentSource {
    case standardInput
    /// Nowhere: `-n`.
    case nothing
    /// A profile and the stored token of its name.
    case name(String)
    /// The path of a token.
    case tokenFile(String)
    /// The path of a descriptor that is no file, such as that of `<(…)`: it is read once, and nothing is written there.
    case descriptor(String)

    /// What `-n`, a name or `--token-file` says, else `OAP_PROFILE`, unless standard input holds a document. That of a batch
    /// holds requests, and another may hold the body of a call.
    ///
    /// - Throws: exit 2 for a variable that is no name.
    init(_ settings: SubjectSettings, _ environment: Environment) throws(Failure) {
        if let path = settings.tokenFile {
            let isFile = !DescriptorPath.isOne(path) || (try? FileStatus(at: path))?.isFile != false
            self = path == "-" ? .standardInput : isFile ? .tokenFile(path) : .descriptor(path)
        } else if settings.isAlone || settings.isWhole {
            self = .nothing
        } else if let name = settings.name {
            self = .name(name)
        } else if environment.isSet(Self.variable), settings.usesStandardInput || !Self.isInStandardInput(settings),
            let name = try Self.variable(environment)
        {
            self = .name(name)
        } else if settings.isBatch {
            self = .nothing
        } else {
            self = .standardInput
        }
    }

    private static let variable = "OAP_PROFILE"

    /// The name in `OAP_PROFILE`.
    ///
    /// - Throws: exit 2 for text that is no name.
    static func variable(_ environment: Environment) throws(Failure) -> String? {
        guard let name = try environment.value(variable) else { return nil }
        do throws(StoreError) {
            return try TokenName(name).text
        } catch {
            throw .usage("OAP_PROFILE: \(error.message)")
        }
    }

    /// Whether standard input holds the document, or the JWT of a command that takes one. It stays there.
    private static func isInStandardInput(_ settings: SubjectSettings) -> Bool {
        let text = standardInputBeginning
        return text.first == UInt8(ascii: "{") || settings.takesJWT && text.starts(with: "eyJ".utf8)
    }

    /// Whether standard input holds what may be a token, alone: not the lines of a loop.
    static var hasTokenInStandardInput: Bool {
        let (input, most) = (FileDescriptor.standardInput, SecretText.limit)
        var bytes = (try? input.peek(upTo: most)) ?? nil
        if bytes == nil {
            _ = input.waitForBytes(hasSome: false, until: .now + .milliseconds(100))
            bytes = (try? input.peek(upTo: most)) ?? nil
        }
        let words = (bytes ?? []).split { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
        return words.count == 1 && words[0].count >= 16
    }

    /// The beginning of standard input without white space; empty if there is nothing else. CI systems, cron, ssh and the
    /// loops of a shell give each command a pipe that holds nothing, or something else. One that has nothing yet is waited
    /// for.
    private static let standardInputBeginning: ArraySlice<UInt8> = {
        let (input, end, most) = (FileDescriptor.standardInput, MonotonicTime.now + .seconds(2), 65_536)
        var isClosed = false
        while let bytes = try? Optional(input.peek(upTo: most)) {
            let text = (bytes ?? []).drop { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
            guard text.isEmpty else { return text.prefix(3) }
            let count = bytes?.count ?? 0
            guard bytes?.isEmpty != true, count < most, !isClosed, MonotonicTime.now < end else { return [] }
            // White space stays there, too.
            isClosed = input.waitForBytes(
                hasSome: count > 0, until: count > 0 ? min(end, .now + .milliseconds(10)) : end)
        }
        return []
    }()
}
