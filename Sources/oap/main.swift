import Commands
import Glibc

exit(Run.main(Array(CommandLine.arguments.dropFirst())))
