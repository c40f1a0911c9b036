internal import Wire

/// What a command line says. It is a class, as its parts are: a copy is a pointer.
package final class Arguments: Sendable {
    /// The command; nil when one of the program's own options, such as `--version`, came before any.
    package let command: CommandRecord?
    /// The options as they were given, in order.
    package let occurrences: [Occurrence]
    package let operands: [String]
    /// The words after `--`, of a command whose last operand is a command.
    package let trailing: [String]

    package final class Occurrence: Sendable {
        package let option: Option
        /// The option as it was typed, `-q` or `--jq`.
        package let name: String
        /// The values of the option, one for each placeholder; that of a flag only if it was given.
        package let values: [String]

        init(_ option: Option, as name: String, _ values: [String]) {
            (self.option, self.name, self.values) = (option, name, values)
        }
    }

    init(_ command: CommandRecord?, _ occurrences: [Occurrence], operands: [String], trailing: [String]) {
        (self.command, self.occurrences, self.operands, self.trailing) = (command, occurrences, operands, trailing)
    }

    package func has(_ option: Option) -> Bool { occurrences.contains { $0.option == option } }

    /// The value of an option, the last where it was given more than once.
    package func value(_ option: Option) -> String? { occurrences.last { $0.option == option }?.values.last }

    package func values(_ option: Option) -> [String] { occurrences(of: option).flatMap { $0 } }

    /// The values of an option for each time that it was given, as `--arg NAME VALUE` needs it.
    package func occurrences(of option: Option) -> [[String]] {
        occurrences.filter { $0.option == option }.map(\.values)
    }

    /// The value of an option whose form is a number, else its default.
    package func number(_ option: Option) -> Int? { (value(option) ?? option.standard).flatMap { Int($0) } }

    /// The value of an option whose form is seconds, else its default.
    package func seconds(_ option: Option) -> Double? { (value(option) ?? option.standard).flatMap { Double($0) } }

    /// The seconds of an option whose form is a period.
    package func period(_ option: Option) -> Int? { value(option).flatMap(ValueForm.seconds(ofPeriod:)) }

    /// The seconds between two events of an option whose form is a rate.
    package func interval(_ option: Option) -> Double? { value(option).flatMap(ValueForm.interval(ofRate:)) }

    /// The values of an option whose form is `NAME=VALUE`.
    package func pairs(_ option: Option) -> [(name: String, value: String)] {
        values(option).compactMap { $0.cut(at: "=").map { ($0.before, $0.after) } }
    }

    /// The operands that the command takes before `--`: without one that an option replaces, and without the leading one
    /// if fewer words are given.
    var expectedOperands: [Operand] {
        let own = (command?.operands ?? []).filter { !$0.followsDashes && !($0.replacement.map(has) ?? false) }
        return operands.count < own.count ? own.filter { !$0.isLeading } : own
    }

    package func operand(named name: String) -> String? {
        expectedOperands.firstIndex { $0.name == name }.flatMap { operand($0) }
    }

    package func operand(_ index: Int) -> String? { operands.indices.contains(index) ? operands[index] : nil }
}
