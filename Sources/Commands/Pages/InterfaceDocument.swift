internal import CommandSpec
internal import OAuth
internal import Wire

/// The records of the program as JSON, for programs that read them: `oap help --json`. Texts are in the markup of the
/// manual: literals between backticks, placeholders as `<NAME>`.
enum InterfaceDocument {
    static func document(of program: ProgramRecord) -> JSONObject {
        [
            "name": .string(program.name), "version": .string(Version.number), "summary": .string(program.summary),
            "description": .string(program.description),
            "options": .array(program.options.map { .object(option($0, program.details(of: $0))) }),
            "commands": .array(program.commands.map { .object(command($0)) }),
            "exit_statuses": .array(program.exitStatuses().map(status)),
            "environment": .array(program.environment().map(definition)),
            "files": .array(program.files().map(definition)),
            "documents": .object(documents),
        ]
    }

    static func command(_ command: CommandRecord) -> JSONObject {
        [
            "name": .string(command.name), "group": .string(command.section), "summary": .string(command.summary),
            "description": .string(command.description),
            "operands": .array(command.operands.map { .object(operand($0, command.details(of: $0))) }),
            "options": .array(command.options.map { .object(option($0, of: command)) }),
            "examples": .array(command.examples.map(example)),
        ]
    }

    private static func operand(_ operand: Operand, _ details: String) -> JSONObject {
        var members: JSONObject = [
            "name": .string(operand.name), "required": .bool(operand.isRequired),
            "repeatable": .bool(operand.isRepeatable), "follows_dashes": .bool(operand.followsDashes),
        ]
        members["replaced_by"] = operand.replacement.map { .string($0.name) }
        if !operand.choices.isEmpty { members["choices"] = .strings(operand.choices) }
        members["summary"] = .string(operand.summary)
        members["description"] = .string(details)
        return members
    }

    private static func option(_ option: Option, of command: CommandRecord) -> JSONObject {
        var members = self.option(option, command.details(of: option))
        let (excluded, needed) = (command.excluded(by: option), command.needed(by: option))
        if !excluded.isEmpty { members["excludes"] = .strings(excluded.map(\.name)) }
        if !needed.isEmpty { members["needs_any_of"] = .strings(needed.map(\.name)) }
        return members
    }

    /// An option: `arguments` has a placeholder for each value, and `attached` the one of a value that may follow `=`.
    private static func option(_ option: Option, _ details: String) -> JSONObject {
        var members: JSONObject = ["name": .string(option.name)]
        members["short"] = option.short.map { .string("-\($0)") }
        members["group"] = .string(option.section)
        members["arguments"] = .strings(option.placeholders)
        members["attached"] = option.attached.map { .string($0) }
        members["repeatable"] = .bool(option.isRepeatable)
        if !option.choices.isEmpty { members["choices"] = .strings(option.choices) }
        members["default"] = option.standard.map { .string($0) }
        members["variable"] = option.variable.map { .string($0) }
        members["summary"] = .string(option.summary)
        members["description"] = .string(details)
        return members
    }

    private static func example(_ example: Example) -> JSON {
        var members: JSONObject = ["text": .string(example.text), "command": .string(example.command)]
        members["output"] = example.output.map { .string($0) }
        return .object(members)
    }

    private static func status(_ status: ExitStatus) -> JSON {
        .object(["status": .integer(status.code), "meaning": .string(status.meaning), "action": .string(status.action)])
    }

    private static func definition(_ definition: Definition) -> JSON {
        .object(["name": .string(definition.name), "description": .string(definition.text)])
    }

    private static var documents: JSONObject {
        JSONObject(
            unique: DocumentSchema.allCases.map { schema in
                .init(name: schema.rawValue, value: .array(schema.members.map(member)))
            })
    }

    private static func member(_ member: Member) -> JSON {
        var members: JSONObject = [
            "name": .string(member.name), "kind": .string("\(member.kind)"), "form": .string("\(member.form)"),
            "secret": .bool(member.secrecy != .none),
        ]
        members["source"] = member.source.map { .string($0) }
        if !member.text.isEmpty { members["description"] = .string(member.text) }
        return .object(members)
    }
}
