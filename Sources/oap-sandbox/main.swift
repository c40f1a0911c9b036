import Glibc
import System

exit(SandboxProgram.main(ProcessWords.arguments.map { String(decoding: $0, as: UTF8.self) }))
