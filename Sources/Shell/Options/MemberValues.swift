package import CommandSpec
internal import OAuth
package import Wire

/// The values that a command line gives to members (oap-documents(5)).
package struct MemberValues {
    private let occurrences: [Arguments.Occurrence]

    package init(_ arguments: Arguments) { occurrences = arguments.occurrences }

    package func has(_ member: MemberOption) -> Bool { occurrences.contains { $0.option == member.option } }

    package func text(of member: MemberOption) -> String? { texts(of: member).last }

    /// The values of its option, each without one line end: they may come from files, as `"$(cat FILE)"`.
    package func texts(of member: MemberOption) -> [String] {
        occurrences.filter { $0.option == member.option }.flatMap(\.values).map(OneLine.withoutEnd)
    }

    /// The value of a member whose option is given.
    ///
    /// - Throws: exit 2 for a path that does not fit, and for a character that nobody sees; exit 11 without a working folder.
    package func value(of member: MemberOption) throws(Failure) -> JSON {
        if let flagged = member.flagged { return flagged }
        let texts = texts(of: member)
        // A scope has a rule of its own.
        if member.form != .json, member.form != .scope, let unseen = texts.lazy.compactMap(\.unseenCharacter).first {
            throw .usage("the value of \(member.option.name) holds \(unseen)")
        }
        let text = texts.last ?? ""
        switch member.form {
        case .text, .url, .seconds, .number: return .string(text)
        case .scope: return .string(MemberOption.scope(of: texts) ?? "")
        case .file where text.isIdentical(to: "-"): return .string("/dev/stdin")
        case .file: return .string(DescriptorPath.isOne(text) ? text : try InputFile.absolute(text))
        case .list: return .array(texts.map { .string($0) })
        case .boolean: return .bool(text == "true")
        case .json: return (try? JSON(parsing: text, depth: JSON.maximumDepthOfPart)) ?? .null
        }
    }

    /// A document that is stored, with the options of some members. The path of a descriptor is not stored.
    package func merging(_ members: [MemberOption], into document: JSONObject) throws(Failure) -> JSONObject {
        var document = document
        for member in members where has(member) {
            let value = try value(of: member)
            if member.form == .file {
                // The secret itself would win over the new file.
                let secret = Member.secret(of: member.member)
                document.remove([secret, "\(secret)_command"])
                if value.string.map({ DescriptorPath.isOne($0) }) == true {
                    document[member.member] = nil
                    continue
                }
            }
            document[member.member] = value
        }
        return document
    }
}
