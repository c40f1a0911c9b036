package import Errands
package import Wire
package import Shell

/// What carries out what tokens need of this process. Who makes it knows the engine and the library that sends.
package struct Carrier {
    /// A way to servers with what the variables add to it, its files checked; exit 2 for an option or a variable.
    let route: (Route) throws(Failure) -> Route
    /// Exit 11 without the library that sends.
    let check: () throws(Failure) -> Void
    /// A request as a command line for curl, its secrets masked.
    let commandLine: (HTTPRequest) -> String
    /// The output of a program, where a store cannot be chosen without it.
    let output: (Attempt<[UInt8], Failure>) throws(Failure) -> [UInt8]

    package init(
        route: @escaping (Route) throws(Failure) -> Route, check: @escaping () throws(Failure) -> Void,
        commandLine: @escaping (HTTPRequest) -> String,
        output: @escaping (Attempt<[UInt8], Failure>) throws(Failure) -> [UInt8]
    ) {
        (self.route, self.check, self.commandLine, self.output) = (route, check, commandLine, output)
    }
}
