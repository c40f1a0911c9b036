import Glibc
import System

exit(SandboxProgram.main(ProcessWords.arguments { String(cString: $0) } ?? []))
