import Glibc

exit(SandboxProgram.main(Array(CommandLine.arguments.dropFirst())))
