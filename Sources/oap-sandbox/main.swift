import CommandSpec
import Glibc

exit(SandboxProgram.main(ProcessWords.arguments.map { String(decoding: $0, as: UTF8.self) }))
