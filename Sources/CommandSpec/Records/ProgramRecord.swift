/// A program: its commands and the texts of its manual page.
package struct ProgramRecord: Sendable {
    /// The name it is called by.
    package let name: String
    /// What the program does in one line: lower case, no full stop, at most 60 characters.
    package let summary: String
    /// The text of the manual, in `Markup`.
    package var description: String { manual().description }
    /// The date of its manual pages, for example `July 1, 2026`.
    package let date: String
    /// The commands in the order in which they are listed.
    package let commands: [CommandRecord]
    /// The options that are allowed before and after any command and replace it, such as `--help`.
    package let options: [Option]
    /// The headings of options that come last in each command, in this order; the others come first.
    package let lastHeadings: [String]
    /// Hints for commands and values that only other programs have, by one word or two, for example `auth login` or
    /// `--color yes`.
    package let foreignCommands: @Sendable () -> [String: String]
    /// The name of the page that describes the options of many commands, in section 7; nil for none.
    package let optionsPageName: String?
    package let exitStatuses: @Sendable () -> [ExitStatus]
    /// The environment variables that are not the variable of an option.
    package let environment: @Sendable () -> [Definition]
    package let files: @Sendable () -> [Definition]
    /// The examples of the program's page.
    package var examples: [Example] { manual().examples }
    /// The text above the examples of each command, in `Markup`; empty for none.
    package let examplesNote: @Sendable () -> String
    /// Further sections of the program's page, before EXIT STATUS.
    package let sections: @Sendable () -> [ManualSection]
    /// The pages for SEE ALSO, in addition to those of the commands.
    package var seeAlso: [ManualReference] { manual().references }
    private let manual: @Sendable () -> ManualText

    /// Makes a record; see the properties. What only the manual needs is made when it is asked for.
    package init(
        _ name: String, summary: String, manual: @autoclosure @escaping @Sendable () -> ManualText, date: String,
        commands: [CommandRecord],
        options: [Option] = [], lastHeadings: [String] = [], optionsPageName: String? = nil,
        foreignCommands: @autoclosure @escaping @Sendable () -> [String: String] = [:],
        exitStatuses: @autoclosure @escaping @Sendable () -> [ExitStatus] = [],
        environment: @autoclosure @escaping @Sendable () -> [Definition] = [],
        files: @autoclosure @escaping @Sendable () -> [Definition] = [],
        examplesNote: @autoclosure @escaping @Sendable () -> String = "",
        sections: @autoclosure @escaping @Sendable () -> [ManualSection] = []
    ) {
        (self.name, self.summary) = (name, summary)
        (self.manual, self.examplesNote, self.foreignCommands) = (manual, examplesNote, foreignCommands)
        (self.exitStatuses, self.environment, self.files) = (exitStatuses, environment, files)
        self.sections = sections
        (self.date, self.commands, self.options, self.lastHeadings) = (date, commands, options, lastHeadings)
        self.optionsPageName = optionsPageName
    }
}

extension ProgramRecord {
    /// The long text of one of its own options, in `Markup`; empty if there is none.
    package func details(of option: Option) -> String { option.details ?? [manual()].text(of: option.name) ?? "" }

    package func command(named name: String) -> CommandRecord? { commands.first { $0.name.isIdentical(to: name) } }

    /// The one command of a program that has no command names.
    var soleCommand: CommandRecord? { commands.count == 1 ? command(named: name) : nil }

    /// The words that call a command, `oap authurl`; the program's name for nil.
    package func invocation(of command: CommandRecord?) -> String {
        guard let command, command.name != name else { return name }
        return "\(name) \(command.name)"
    }

    /// The name as part of the names of shell functions.
    var identifier: String { name.substituting(["-": "_"]) }

    /// The name of the manual page of a command, `oap-authurl`.
    func manualName(of command: CommandRecord) -> String { command.name == name ? name : "\(name)-\(command.name)" }
}

package struct ExitStatus: Sendable {
    package let code: Int
    /// What the status means: lower case, no full stop, in `Markup`.
    package let meaning: String
    /// What to do about it: a sentence without a full stop; empty if nothing.
    package let action: String

    package init(_ code: Int, _ meaning: String, action: String = "") {
        (self.code, self.meaning, self.action) = (code, meaning, action)
    }
}
